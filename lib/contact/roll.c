// SPDX-License-Identifier: MIT
// Rigid contact of one wheel: its gap, and what rolls under a given normal force.

#include "contact/grip.h"
#include "contact/side.h"
#include "contact/touch.h"

#include <math.h>

static pose_path to_side(double sign, const kane_wheel_path *m)
{
    return (pose_path){.pose      = {sign * m->centre.y, m->centre.z, side_mirror_axial(sign, m->axle)},
                       .y_rate    = sign * m->centre_rate.y,
                       .z_rate    = m->centre_rate.z,
                       .y_bend    = sign * m->centre_bend.y,
                       .z_bend    = m->centre_bend.z,
                       .axle_rate = side_mirror_axial(sign, m->axle_rate),
                       .axle_bend = side_mirror_axial(sign, m->axle_bend)};
}

kane_status kane_contact_gap(const kane_contact *c, kane_side side, const kane_wheel_path *motion, kane_gap *touch)
{
    const double sign        = side_sign(side);
    const pose_path path     = to_side(sign, motion);
    const contact_pair *pair = c->pair[side];
    touch_place at;
    if (!side_is_usual(&path.pose) || !side_is_near(&path.pose, pair->wheel.radius))
        return KANE_RETRY;
    const int near = pair->method == CONTACT_CONE ? kane_touch_cone(&pair->cone, &path, &at)
                                                  : kane_touch_profiles(&pair->wheel, &pair->rail, &path, &at);
    if (!near || !isfinite(at.gap.d + at.gap.dd))
        return KANE_RETRY;

    const double *g       = at.gap.g;
    const kane_vec3 twist = kv3_cross(path.pose.axle, kv3(g[2], g[3], g[4])); // d(axle) = rotation x axle
    *touch                = (kane_gap){.size    = at.gap.v,
                                       .rate    = at.gap.d,
                                       .bend    = at.gap.dd,
                                       .push    = side_mirror(sign, kv3(0.0, g[0], g[1])),
                                       .twist   = side_mirror_axial(sign, twist),
                                       .point   = side_mirror(sign, at.point),
                                       .normal  = side_mirror(sign, at.normal),
                                       .A       = at.A,
                                       .B       = at.B,
                                       .radius  = at.radius,
                                       .wheel_y = at.wheel_y,
                                       .rail_y  = at.rail_y};
    return KANE_OK;
}

kane_status kane_contact_roll(const kane_contact *c, kane_side side, const kane_gap *touch,
                              const kane_wheel_motion *motion, double N, kane_wrench *creep, kane_patch *patch)
{
    kane_grip grip;
    double force[KANE_GRIP_FORCES];
    *creep = (kane_wrench){kv3_zero(), kv3_zero()};
    if (!isfinite(N))
        return KANE_RETRY;
    kane_status status = kane_grip_prepare(c, side, touch, motion, &grip);
    if (status == KANE_OK)
        status = kane_grip_eval(&grip, N, force);
    if (status != KANE_OK)
        return status;
    for (int k = 0; k < kane_grip_count(&grip); k++) {
        const kane_wrench unit = kane_grip_unit(&grip, k);
        creep->force           = kv3_add_scaled(creep->force, force[k], unit.force);
        creep->torque          = kv3_add_scaled(creep->torque, force[k], unit.torque);
    }
    if (patch)
        kane_grip_report(&grip, N, force, patch);
    return KANE_OK;
}
