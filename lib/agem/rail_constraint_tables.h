// SPDX-License-Identifier: MIT
// A wheelset whose height and roll are tabulated, as seen from between both rails (rail_constraint_rails.c), in numbers
// with slopes as rail_constraint_path.h.

#ifndef KANE_AGEM_RAIL_CONSTRAINT_TABLES_H
#define KANE_AGEM_RAIL_CONSTRAINT_TABLES_H

#include "agem/rail_constraint_path.h"
#include "math/scalar_matrix.h"

// F0 + twist F1
KANE_INLINE table_scalars tables_twisted(const table_scalars *F0, const table_scalars *F1, kane_scalar twist)
{
    return (table_scalars){.value      = ks_add(F0->value, ks_mul(twist, F1->value)),
                           .by_y       = ks_add(F0->by_y, ks_mul(twist, F1->by_y)),
                           .by_yaw     = ks_add(F0->by_yaw, ks_mul(twist, F1->by_yaw)),
                           .by_y_y     = ks_add(F0->by_y_y, ks_mul(twist, F1->by_y_y)),
                           .by_y_yaw   = ks_add(F0->by_y_yaw, ks_mul(twist, F1->by_y_yaw)),
                           .by_yaw_yaw = ks_add(F0->by_yaw_yaw, ks_mul(twist, F1->by_yaw_yaw))};
}

// Members of kane_table_pose.
typedef struct axle_axes {
    kane_scalar across, tangent;
    kane_scalar3 ahead, about_yaw, about_roll;
} axle_axes;

// e = cos(roll) n + sin(roll) z,  n = (-sin(yaw), cos(yaw), 0),  dn/d(yaw) = f
KANE_INLINE axle_axes tables_axle_axes(kane_scalar3 e)
{
    const kane_scalar none = ks_constant(0.0), across = ks_sqrt(ks_add(ks_mul(e.x, e.x), ks_mul(e.y, e.y)));
    const kane_scalar tangent = ks_div(e.z, across), nx = ks_div(e.x, across), ny = ks_div(e.y, across);
    return (axle_axes){.across     = across,
                       .tangent    = tangent,
                       .ahead      = ks3(ks_neg(ny), nx, none),
                       .about_yaw  = ks3(ks_mul(ks_neg(tangent), nx), ks_mul(ks_neg(tangent), ny), ks_constant(1.0)),
                       .about_roll = ks3(ny, ks_neg(nx), none)};
}

// value - F changes with a wrench's power: the gradient of the value less that of F, whose twist changes along the
// line.
KANE_INLINE wrench_scalars tables_hold(const table_scalars *F, const table_scalars *F1, const axle_axes *on,
                                       kane_scalar twist_s, kane_scalar share, const guided_pose *g,
                                       kane_scalar3 centre, kane_scalar3 direction, kane_scalar3 turn,
                                       const panel_carry *carry)
{
    const kane_scalar3 none = ks3_constant(kv3_zero());
    const wrench_scalars w =
        guided_direction(g, share, centre, none, ks3_sub(direction, ks3_times(F->by_y, kv3_unit(1))),
                         ks3_add(turn, ks3_scale(ks_neg(F->by_yaw), on->about_yaw)), ks_constant(0.0), carry);
    const kane_scalar along = ks_mul(ks_mul(ks_neg(twist_s), F1->value), share);
    return (wrench_scalars){ks3_add(w.force, ks3_scale(along, g->R.x)), w.torque};
}

// How the wheelset and the twist under it change as seen from Q: rates, and second derivatives.
typedef struct table_change {
    guided_path path;
    kane_scalar yaw, roll, twist;
    kane_scalar yaw_accel, roll_accel, twist_accel;
} table_change;

KANE_INLINE void tables_rates(const axle_axes *on, kane_scalar sigma, kane_scalar twist_s, table_change *c)
{
    c->yaw   = ks_div(ks3_dot(on->ahead, c->path.axle_rate), on->across);
    c->roll  = ks_div(c->path.axle_rate.z, on->across);
    c->twist = ks_mul(twist_s, sigma);
}

KANE_INLINE void tables_accelerations(const axle_axes *on, const section_motion *m, kane_scalar twist_s,
                                      kane_scalar twist_ss, table_change *c)
{
    const kane_scalar twice = ks_mul(ks_mul(ks_scale(2.0, on->tangent), c->roll), c->yaw);
    c->yaw_accel            = ks_add(ks_div(ks3_dot(on->ahead, c->path.axle_accel), on->across), twice);
    c->roll_accel  = ks_add(ks_div(c->path.axle_accel.z, on->across), ks_mul(ks_mul(on->tangent, c->roll), c->roll));
    c->twist_accel = ks_add(ks_mul(ks_mul(twist_ss, m->sigma), m->sigma), ks_mul(twist_s, m->sigma_dot));
}

KANE_INLINE kane_scalar tables_rate_over(const table_scalars *F, const table_scalars *F1, const table_change *c,
                                         kane_scalar rate)
{
    return ks_sub(ks_sub(ks_sub(rate, ks_mul(F->by_y, c->path.centre_rate.y)), ks_mul(F->by_yaw, c->yaw)),
                  ks_mul(F1->value, c->twist));
}

// Second derivative of value - F, from that of the value.
KANE_INLINE kane_scalar tables_accel_over(const table_scalars *F, const table_scalars *F1, const table_change *c,
                                          kane_scalar accel)
{
    const kane_scalar y = c->path.centre_rate.y;
    const kane_scalar curving =
        ks_add(ks_add(ks_mul(ks_mul(F->by_y_y, y), y), ks_mul(ks_mul(ks_scale(2.0, F->by_y_yaw), y), c->yaw)),
               ks_mul(ks_mul(F->by_yaw_yaw, c->yaw), c->yaw));
    const kane_scalar twisting =
        ks_mul(ks_scale(2.0, c->twist), ks_add(ks_mul(F1->by_y, y), ks_mul(F1->by_yaw, c->yaw)));
    const kane_scalar level =
        ks_sub(ks_sub(accel, ks_mul(F->by_y, c->path.centre_accel.y)), ks_mul(F->by_yaw, c->yaw_accel));
    return ks_sub(ks_sub(ks_sub(level, curving), ks_mul(F1->value, c->twist_accel)), twisting);
}

// A normal force of 1 N on one wheel pushes with its vertical part on the height, and with its moment about the roll's
// axis on the roll. point: of contact, from the middle of the axle.
KANE_INLINE void tables_share(kane_scalar3 point, kane_scalar3 direction, const axle_axes *on, kane_scalar *up,
                              kane_scalar *tilt)
{
    *up   = direction.z;
    *tilt = ks3_dot(ks3_cross(point, direction), on->about_roll);
}

KANE_INLINE kane_scalar3 tables_sum(kane_scalar up, kane_scalar3 by_height, kane_scalar tilt, kane_scalar3 by_roll)
{
    return ks3_add(ks3_scale(up, by_height), ks3_scale(tilt, by_roll));
}

#endif
