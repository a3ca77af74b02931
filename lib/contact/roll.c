// SPDX-License-Identifier: MIT
// Rigid contact of one wheel: its gap, and what rolls under a given normal force.

#include "contact/roll.h"

#include "contact/contact.h"
#include "contact/side.h"
#include "contact/touch.h"
#include "math/small.h"

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
    const int near = pair->method == CONTACT_CONE ? kane_cone_touch(&pair->cone, &path, &at)
                                                  : kane_touch_profiles(&pair->wheel, &pair->rail, &path, &at);
    if (!near || !isfinite(at.rate + at.bend))
        return KANE_RETRY;

    const kane_vec3 twist = kv3_cross(path.pose.axle, at.by_axle); // d(axle) = rotation x axle
    *touch                = (kane_gap){.size    = at.gap,
                                       .rate    = at.rate,
                                       .bend    = at.bend,
                                       .push    = side_mirror(sign, kv3(0.0, at.by_y, at.by_z)),
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

// Hertz: the approach to the power 3/2 grows as N, both semi-axes as the root of the approach.
kane_status kane_roll_start(const kane_contact *c, kane_side side, const kane_gap *t, const kane_wheel_motion *motion,
                            contact_roll *r)
{
    r->motion = side_motion_of(side, motion);
    if (!side_moves_usually(&r->motion))
        return KANE_RETRY;
    const hertz_shape shape = kane_hertz_shape(c->hertz, log(t->B / t->A));
    const double size       = 1.0 / sqrt(t->A + t->B);
    r->contact              = c;
    r->sign                 = side_sign(side);
    r->root_per_N           = kane_cube_root(0.75 * sqrt(t->B) / (c->E_star * shape.h));
    r->along                = shape.along * size;
    r->across               = shape.across * size;
    r->spot                 = (contact_spot){.point   = side_mirror(r->sign, t->point),
                                             .normal  = side_mirror(r->sign, t->normal),
                                             .share   = 1.0,
                                             .a       = r->along,
                                             .b       = r->across,
                                             .radius  = t->radius,
                                             .wheel_y = t->wheel_y,
                                             .rail_y  = t->rail_y};
    spot_lay(&r->spot, &r->motion);
    r->basis = kane_creep_prepare(&c->creep, &r->spot, &r->motion);
    return KANE_OK;
}

static contact_spot press(const contact_roll *r, double N)
{
    contact_spot s    = r->spot;
    const double root = N > 0.0 ? r->root_per_N * kane_cube_root(N) : 0.0; // of the approach
    s.N               = N > 0.0 ? N : 0.0;
    s.approach        = root * root;
    s.a               = r->along * root;
    s.b               = r->across * root;
    return s;
}

kane_status kane_roll_under(const contact_roll *r, double N, kane_own_force *out)
{
    const contact_spot s = press(r, N);
    return isfinite(N) ? kane_creep_under(&r->contact->creep, &s, &r->motion, &r->basis, out) : KANE_RETRY;
}

kane_status kane_roll_slope(const contact_roll *r, double N, kane_own_force *slope)
{
    const contact_spot s = press(r, N);
    *slope               = (kane_own_force){0};
    if (!isfinite(N))
        return KANE_RETRY;
    return N > 0.0 ? kane_creep_under_slope(&r->contact->creep, &s, &r->motion, &r->basis, slope) : KANE_OK;
}

kane_wrench kane_roll_wrench(const contact_roll *r, double N, const kane_own_force *f)
{
    const double rest   = (r->basis.factor - 1.0) * (N > 0.0 ? N : 0.0);
    const kane_wrench w = kane_creep_wrench(&r->spot, &r->basis.c, rest, f);
    return (kane_wrench){side_mirror(r->sign, w.force), side_mirror_axial(r->sign, w.torque)};
}

void kane_roll_report(const contact_roll *r, double N, const kane_own_force *f, kane_patch *patch)
{
    const contact_spot s = press(r, N);
    kane_creep_report(&s, &r->basis.c, r->basis.factor * s.N, f, patch);
    patch->energy = 0.0; // rigid bodies store none
    if (r->sign < 0.0)
        side_mirror_patch(patch);
}

kane_status kane_contact_roll(const kane_contact *c, kane_side side, const kane_gap *touch,
                              const kane_wheel_motion *motion, double N, kane_wrench *creep, kane_patch *patch)
{
    contact_roll r;
    kane_own_force f;
    *creep             = (kane_wrench){kv3_zero(), kv3_zero()};
    kane_status status = kane_roll_start(c, side, touch, motion, &r);
    if (status == KANE_OK)
        status = kane_roll_under(&r, N, &f);
    if (status != KANE_OK)
        return status;
    *creep = kane_roll_wrench(&r, N, &f);
    if (patch)
        kane_roll_report(&r, N, &f, patch);
    return KANE_OK;
}
