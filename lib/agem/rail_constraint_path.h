// SPDX-License-Identifier: MIT
// How a rail sees a wheel that it guides (rail_constraint_rails.c), in numbers with slopes: an evaluation compiles this
// text without slopes, its derivative (rail_constraint_derive.c) with six.

#ifndef KANE_AGEM_RAIL_CONSTRAINT_PATH_H
#define KANE_AGEM_RAIL_CONSTRAINT_PATH_H

#include "agem/work.h"
#include "math/scalar_matrix.h"

// Members of kane_section, kane_rail_view and kane_body_state that count. R: section axes to frame axes; R_w: to those
// that v_w, w_w have; arm: of the point in the section's plane from the mass centre, section axes.
typedef struct guided_pose {
    cm R, R_w;
    kane_scalar3 at, Omega, arm, axle; // section axes
    kane_scalar3 r, v, w;              // relative, frame axes
    kane_scalar3 v_w, w_w;             // absolute
    cm Q;                              // Q's axes to section axes
    kane_scalar3 origin, K, K_s;       //
    kane_scalar length;                //
    kane_vec3 Omega_s;                 //
} guided_pose;

// Absolute motion of the body and of its point in the section's plane, section axes, accelerations without those
// relative to its frame: place, velocity and acceleration of the point, angular velocity and acceleration of the body.
typedef struct section_motion {
    kane_scalar3 r, v, w, a, e;
    kane_scalar sigma, sigma_dot,
        share; // speed of the section; its derivative without relative accelerations, and by that along x
} section_motion;

// The section's plane holds a point of the body:  (v - sigma e_x - sigma Omega x r).x = 0
KANE_INLINE void section_follow(kane_scalar3 Omega, section_motion *m)
{
    m->share = ks_inverse(ks_shift(ks3_cross(Omega, m->r).x, 1.0));
    m->sigma = ks_mul(m->v.x, m->share);
}

// Motion of the section whose plane holds the point at `arm` from the mass centre. T: of the body's frame.
KANE_INLINE section_motion section_move(const kane_transport *T, const guided_pose *g)
{
    const kane_vec3 o        = T->omega;
    const kane_scalar3 p     = ks3_add(ks3_add(ks3_constant(T->a_o), ks3_cross_left(T->epsilon, g->r)),
                                       ks3_cross_left(o, ks3_add(ks3_cross_left(o, g->r), ks3_by(2.0, g->v))));
    const kane_scalar3 alpha = cm_tmulv(&g->R, ks3_add(ks3_constant(T->epsilon), ks3_cross_left(o, g->w))),
                       spin  = cm_tmulv(&g->R_w, g->w_w);
    const kane_scalar3 swing = ks3_cross(spin, g->arm),
                       whirl = ks3_add(ks3_cross(alpha, g->arm), ks3_cross(spin, swing));
    section_motion m         = {.r = g->at,
                                .v = ks3_add(cm_tmulv(&g->R_w, g->v_w), swing),
                                .w = spin,
                                .a = ks3_add(cm_tmulv(&g->R, p), whirl),
                                .e = alpha};
    section_follow(g->Omega, &m); // and once more differentiated
    const kane_scalar3 turn   = ks3_scale(m.sigma, g->Omega);
    const kane_scalar3 along  = ks3(m.sigma, ks_constant(0.0), ks_constant(0.0));
    const kane_scalar3 r_rate = ks3_sub(m.v, ks3_add(along, ks3_cross(turn, m.r)));
    const kane_scalar a       = ks_sub(m.a.x, ks3_cross(turn, m.v).x);
    const kane_scalar stretch =
        ks_add(ks_mul(m.sigma, ks3_cross_left(g->Omega_s, m.r).x), ks3_cross(g->Omega, r_rate).x);
    m.sigma_dot = ks_mul(ks_sub(a, ks_mul(m.sigma, stretch)), m.share);
    return m;
}

// A panel of flexible track under the wheels: axes R = R_x(phi), middle e, velocity, angular velocity; section axes.
typedef struct panel_pose {
    cm R;
    kane_scalar3 r, v, w;
} panel_pose;

// d(v^)/d(sigma), d(w^)/d(sigma) of section_on_panel at constant v, w.
typedef struct panel_carry {
    kane_scalar3 v, w;
} panel_carry;

// Q rests on the panel, whose pose is one against the section. The wheel's motion against the panel, carried along by
// a section that has the panel's axes: from there Q's formulas are those of rigid track. With c = r - e,
//   delta = r' - e' - phi' x c,             r' = v - sigma (e_x + Omega x r), rates of components
//   v^ = sigma (R e_x + Omega^ x c) + delta   w^ = w - sigma Omega - phi' + sigma Omega^     Omega^ = R Omega
// and a^, e^ by differentiation without e'', phi'', whose gaps' accelerations are those of an opposite motion of the
// wheel. sigma does not depend on the panel, which has no motion along the line.
KANE_INLINE panel_carry section_on_panel(const panel_pose *p, const guided_pose *g, section_motion *m)
{
    const kane_scalar3 c     = ks3_sub(m->r, p->r);
    const kane_scalar3 Omega = cm_mulv(&p->R, g->Omega), Omega_s = cm_mulv(&p->R, ks3_constant(g->Omega_s));
    const kane_scalar3 go     = ks3_add(ks3_constant(kv3_unit(0)), ks3_cross(g->Omega, m->r)),
                       go_hat = ks3_add(p->R.x, ks3_cross(Omega, c));
    const kane_scalar3 turn = ks3_scale(m->sigma, g->Omega), turn_hat = ks3_scale(m->sigma, Omega);
    const kane_scalar square = ks_mul(m->sigma, m->sigma);

    const kane_scalar3 r_rate = ks3_sub(m->v, ks3_scale(m->sigma, go)), c_rate = ks3_sub(r_rate, p->v);
    const kane_scalar3 delta   = ks3_sub(c_rate, ks3_cross(p->w, c));
    const kane_scalar3 r_accel = ks3_sub(
        ks3_sub(ks3_sub(m->a, ks3_scale(m->sigma_dot, go)), ks3_scale(square, ks3_cross_left(g->Omega_s, m->r))),
        ks3_cross(turn, ks3_add(r_rate, m->v)));
    const kane_scalar3 spin = ks3_sub(m->w, turn);
    const kane_scalar3 spin_rate =
        ks3_sub(ks3_sub(ks3_sub(m->e, ks3_cross(turn, m->w)), ks3_scale(m->sigma_dot, g->Omega)),
                ks3_scale(square, ks3_constant(g->Omega_s)));

    m->r = c;
    m->v = ks3_add(ks3_scale(m->sigma, go_hat), delta);
    m->w = ks3_add(ks3_sub(spin, p->w), turn_hat);
    m->a = ks3_add(ks3_add(ks3_add(ks3_scale(m->sigma_dot, go_hat), ks3_scale(square, ks3_cross(Omega_s, c))),
                           ks3_cross(turn_hat, ks3_add(delta, m->v))),
                   ks3_sub(r_accel, ks3_cross(p->w, ks3_add(c_rate, delta))));
    m->e =
        ks3_add(ks3_add(ks3_add(ks3_scale(m->sigma_dot, Omega), ks3_scale(square, Omega_s)), ks3_cross(turn_hat, m->w)),
                ks3_sub(spin_rate, ks3_cross(p->w, spin)));
    return (panel_carry){ks3_sub(go_hat, go), ks3_sub(Omega, g->Omega)};
}

// The motion of the point and of the axle (section axes) as seen from Q: places, rates, second derivatives.
typedef struct guided_path {
    kane_scalar3 centre, centre_rate, centre_accel, axle, axle_rate, axle_accel;
} guided_path;

KANE_INLINE kane_scalar3 guided_along(const section_motion *m, const guided_pose *g)
{
    return ks3(ks_mul(m->sigma, g->length), ks_constant(0.0), ks_constant(0.0));
}

KANE_INLINE guided_path guided_rates(const section_motion *m, const guided_pose *g)
{
    const kane_scalar3 omega = ks3_scale(m->sigma, g->K), spin = cm_tmulv(&g->Q, m->w), e = cm_tmulv(&g->Q, g->axle);
    const kane_scalar3 c = cm_tmulv(&g->Q, ks3_sub(m->r, g->origin)), v = cm_tmulv(&g->Q, m->v);
    return (guided_path){.centre      = c,
                         .centre_rate = ks3_sub(ks3_sub(v, guided_along(m, g)), ks3_cross(omega, c)),
                         .axle        = e,
                         .axle_rate   = ks3_cross(ks3_sub(spin, omega), e)};
}

// Its values, as kane_contact_gap takes them.
KANE_INLINE kane_wheel_path guided_path_value(const guided_path *p, const section_motion *m,
                                              const kane_rail_blend *blend)
{
    return (kane_wheel_path){.centre       = ks3_value(p->centre),
                             .centre_rate  = ks3_value(p->centre_rate),
                             .centre_accel = ks3_value(p->centre_accel),
                             .axle         = ks3_value(p->axle),
                             .axle_rate    = ks3_value(p->axle_rate),
                             .axle_accel   = ks3_value(p->axle_accel),
                             .blend        = *blend,
                             .along_rate   = ks_value(m->sigma),
                             .along_accel  = ks_value(m->sigma_dot)};
}

// ... and second derivatives, from places and rates.
KANE_INLINE void guided_accelerations(const section_motion *m, const guided_pose *g, guided_path *path)
{
    const kane_scalar3 omega = ks3_scale(m->sigma, g->K), spin = cm_tmulv(&g->Q, m->w), c = path->centre;
    const kane_scalar3 epsilon = ks3_add(ks3_scale(m->sigma_dot, g->K), ks3_scale(ks_mul(m->sigma, m->sigma), g->K_s));
    const kane_scalar3 a       = cm_tmulv(&g->Q, m->a);
    const kane_scalar3 fall    = ks3_add(ks3_cross(omega, guided_along(m, g)), ks3_cross(epsilon, c));
    const kane_scalar3 swing   = ks3_cross(omega, ks3_add(ks3_cross(omega, c), ks3_by(2.0, path->centre_rate)));
    path->centre_accel         = ks3_sub(ks3_sub(a, fall), swing);

    const kane_scalar3 turn      = ks3_sub(spin, omega);
    const kane_scalar3 turn_rate = ks3_sub(ks3_sub(cm_tmulv(&g->Q, m->e), epsilon), ks3_cross(omega, spin));
    path->axle_accel             = ks3_add(ks3_cross(turn_rate, path->axle), ks3_cross(turn, path->axle_rate));
}

// A force and a torque.
typedef struct wrench_scalars {
    kane_scalar3 force, torque;
} wrench_scalars;

// A rail that twists pushes along the line a little, too, and so does one whose profile changes: at the point that the
// section goes along with.
//   along  d(gap)/d(place along the line) by the profile [1]
//   carry  of flexible track; NULL: rigid
KANE_INLINE wrench_scalars guided_direction(const guided_pose *g, kane_scalar share, kane_scalar3 centre,
                                            kane_scalar3 arm, kane_scalar3 direction, kane_scalar3 turn,
                                            kane_scalar along, const panel_carry *carry)
{
    const kane_scalar3 across = cm_mulv(&g->Q, direction), around = cm_mulv(&g->Q, turn);
    kane_scalar twist = ks_sub(ks3_dot(g->K, ks3_add(ks3_cross(centre, direction), turn)), along);
    if (carry)
        twist = ks_sub(ks_sub(twist, ks3_dot(across, carry->v)), ks3_dot(around, carry->w));
    const kane_scalar3 force = ks3_sub(across, ks3(ks_mul(twist, share), ks_constant(0.0), ks_constant(0.0)));
    const kane_scalar3 about = ks3_add(around, ks3_cross(arm, force));
    return (wrench_scalars){cm_mulv(&g->R, force), cm_mulv(&g->R, about)};
}

// Reaction on the panel of a wrench at the wheelset's mass centre, frame axes: about the panel's middle, section axes.
//   above  mass centre from the middle, section axes
KANE_INLINE wrench_scalars guided_reaction(const guided_pose *g, kane_scalar3 above, const wrench_scalars *w)
{
    const kane_scalar3 force = cm_tmulv(&g->R, w->force);
    return (wrench_scalars){ks3_neg(force), ks3_neg(ks3_add(cm_tmulv(&g->R, w->torque), ks3_cross(above, force)))};
}

// === A wheelset whose height and roll are tabulated, as seen from between both rails (rail_constraint_rails.c).

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
