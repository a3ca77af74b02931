// SPDX-License-Identifier: MIT
// Tangential forces of rigid contact under a normal force that others find.

#include "contact/grip.h"

#include "contact/friction.h"
#include "contact/side.h"

// Hertz' contact under 1 N.
static contact_spot press(const kane_contact *c, double sign, const kane_gap *t)
{
    const hertz_shape shape = kane_hertz_shape(&c->hertz, log(t->B / t->A));
    const double pressed    = 0.75 * sqrt(t->B) / (c->E_star * shape.h);
    const double approach = cbrt(pressed * pressed), size = sqrt(approach / (t->A + t->B));
    return (contact_spot){.point    = side_mirror(sign, t->point),
                          .normal   = side_mirror(sign, t->normal),
                          .share    = 1.0,
                          .N        = 1.0,
                          .approach = approach,
                          .a        = shape.along * size,
                          .b        = shape.across * size,
                          .radius   = t->radius,
                          .wheel_y  = t->wheel_y,
                          .rail_y   = t->rail_y};
}

kane_status kane_grip_prepare(const kane_contact *contact, kane_side side, const kane_gap *touch,
                              const kane_wheel_motion *motion, kane_grip *grip)
{
    double by_slip[2];
    const kane_contact_laws *laws = &contact->creep.laws;
    grip->law                     = &contact->creep;
    grip->motion                  = side_motion_of(side, motion);
    if (!side_moves_usually(&grip->motion))
        return KANE_RETRY;
    grip->spot     = press(contact, side_sign(side), touch);
    grip->kalker   = kane_kalker_lookup(&grip->law->kalker, grip->spot.a, grip->spot.b);
    grip->creepage = kane_creepage_eval(grip->law, &grip->spot, grip->motion.velocity, grip->motion.omega);
    grip->friction = kane_creep_friction(laws, side, grip->motion.friction_change, grip->spot.normal.y) *
                     kane_creep_fall(laws, grip->creepage.vx, grip->creepage.vy, by_slip);
    return KANE_OK;
}

// The spot under N.
static contact_spot pressed(const kane_grip *grip, double N)
{
    contact_spot s    = grip->spot;
    const double root = cbrt(N);
    s.N               = N;
    s.a *= root;
    s.b *= root;
    s.approach *= root * root;
    return s;
}

kane_status kane_grip_eval(const kane_grip *grip, double N, double force[KANE_GRIP_FORCES])
{
    force[0] = force[1] = force[2] = force[3] = 0.0;
    if (!(N > 0.0))
        return KANE_OK;
    const contact_spot s = pressed(grip, N);
    const creepage *c    = &grip->creepage;
    if (grip->law->laws.creep == KANE_CREEP_OWN) {
        kane_own_force f;
        const kane_status status = kane_own_eval(grip->law, &s, &grip->motion, c, N, grip->friction, &f);
        force[0]                 = f.T_x;
        force[1]                 = f.T_y;
        force[2]                 = f.M_z;
        force[3]                 = f.T_n;
        return status;
    }
    const law_input in       = kane_creep_input_of(grip->law, &s, c, grip->kalker, grip->friction * N);
    const kane_creep_force f = kane_creep_law_eval(grip->law, &in, NULL);
    force[0]                 = f.T_x;
    force[1]                 = f.T_y;
    force[2]                 = f.M_z;
    return KANE_OK;
}

int kane_grip_count(const kane_grip *grip)
{
    return grip->law->laws.creep == KANE_CREEP_OWN ? 4 : 3;
}

kane_wrench kane_grip_unit(const kane_grip *grip, int force)
{
    const double sign       = side_sign(grip->motion.side);
    const contact_spot *s   = &grip->spot;
    const kane_vec3 along[] = {kv3_unit(0), grip->creepage.y, kv3_zero(), s->normal};
    const kane_vec3 torque  = force == 2 ? s->normal : kv3_cross(s->point, along[force]);
    return (kane_wrench){side_mirror(sign, along[force]), side_mirror_axial(sign, torque)};
}

void kane_grip_report(const kane_grip *grip, double N, const double force[KANE_GRIP_FORCES], kane_patch *patch)
{
    const kane_own_force f = {force[0], force[1], force[2], force[3]};
    const contact_spot s   = pressed(grip, N > 0.0 ? N : 0.0);
    kane_creep_report(&s, &grip->creepage, s.N, &f, patch);
    patch->energy = 0.0; // rigid bodies store none
    if (grip->motion.side == KANE_RIGHT)
        side_mirror_patch(patch);
}
