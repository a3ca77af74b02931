// SPDX-License-Identifier: MIT
// Rigid contact of one wheel: its gap, and what rolls under a given normal force.

#include "contact/contact.h"
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

// Hertz' contact under N.
static contact_spot press(const kane_contact *c, double sign, const kane_gap *t, double N)
{
    const hertz_shape shape = kane_hertz_shape(&c->hertz, log(t->B / t->A));
    const double pressed    = N > 0.0 ? 0.75 * N * sqrt(t->B) / (c->E_star * shape.h) : 0.0;
    const double approach = cbrt(pressed * pressed), size = sqrt(approach / (t->A + t->B));
    return (contact_spot){.point    = side_mirror(sign, t->point),
                          .normal   = side_mirror(sign, t->normal),
                          .share    = 1.0,
                          .N        = N,
                          .approach = approach,
                          .a        = shape.along * size,
                          .b        = shape.across * size,
                          .radius   = t->radius,
                          .wheel_y  = t->wheel_y,
                          .rail_y   = t->rail_y};
}

kane_status kane_contact_roll(const kane_contact *c, kane_side side, const kane_gap *touch,
                              const kane_wheel_motion *motion, double N, kane_wrench *creep, kane_patch *patch)
{
    const double sign       = side_sign(side);
    const contact_spot spot = press(c, sign, touch, N > 0.0 ? N : 0.0);
    const side_motion m     = side_motion_of(side, motion);
    kane_wrench w           = {kv3_zero(), kv3_zero()};
    *creep                  = w;
    if (!side_moves_usually(&m) || !isfinite(N))
        return KANE_RETRY;
    const kane_status status = kane_creep_eval(&c->creep, &spot, &m, &w, patch);
    // what is left without the normal force
    w.force  = kv3_add_scaled(w.force, -spot.N, spot.normal);
    w.torque = kv3_add_scaled(w.torque, -spot.N, kv3_cross(spot.point, spot.normal));
    *creep   = (kane_wrench){side_mirror(sign, w.force), side_mirror_axial(sign, w.torque)};
    if (patch) {
        patch->energy = 0.0; // rigid bodies store none
        if (side == KANE_RIGHT)
            side_mirror_patch(patch);
    }
    return status;
}
