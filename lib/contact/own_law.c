// SPDX-License-Identifier: MIT
// A creep law of one's own: what it is told, in rail axes, and what it answers, in side axes.

#include "contact/creep.h"

#include "math/small.h"

#include <math.h>

// Everything that the law may know; the motion goes to *motion.
static kane_creep_contact tell(const creep_law *law, const contact_spot *s, const side_motion *m, const creepage *c,
                               double N, double friction, kane_wheel_motion *motion)
{
    const double sign = m->side == KANE_LEFT ? 1.0 : -1.0;
    const kane_vec3 e = m->pose.axle, v = m->velocity, w = m->omega, p = s->point, n = s->normal;
    *motion = (kane_wheel_motion){.centre          = kv3(m->x, sign * m->pose.y, m->pose.z),
                                  .axle            = kv3(sign * e.x, e.y, sign * e.z),
                                  .velocity        = kv3(v.x, sign * v.y, v.z),
                                  .omega           = kv3(sign * w.x, w.y, sign * w.z),
                                  .friction_change = m->friction_change,
                                  .turn            = kv3(sign * m->turn.x, m->turn.y, sign * m->turn.z)};
    return (kane_creep_contact){.side          = m->side,
                                .N             = N,
                                .a             = s->a,
                                .b             = s->b,
                                .xi_x          = c->vx / c->V,
                                .xi_y          = sign * c->vy / c->V,
                                .phi           = sign * c->wn / c->V,
                                .rolling       = c->k,
                                .reference     = c->V,
                                .friction      = friction,
                                .shear_modulus = law->laws.shear_modulus,
                                .poisson       = law->laws.poisson,
                                .angle         = kane_small_angle(n.y, n.z),
                                .radius        = s->radius,
                                .point         = kv3(p.x, sign * p.y, p.z),
                                .normal        = kv3(n.x, sign * n.y, n.z),
                                .velocity      = kv3(c->velocity.x, sign * c->velocity.y, c->velocity.z),
                                .motion        = motion};
}

kane_status kane_own_eval(const creep_law *law, const contact_spot *s, const side_motion *m, const creepage *c,
                          double N, double friction, kane_own_force *out)
{
    kane_wheel_motion motion;
    const kane_creep_contact contact = tell(law, s, m, c, N, friction, &motion);
    *out                             = (kane_own_force){0};
    const kane_status status         = law->laws.own.eval(law->laws.own.data, &contact, out);
    if (m->side == KANE_RIGHT) {
        out->T_y = -out->T_y;
        out->M_z = -out->M_z;
    }
    return status;
}

kane_status kane_own_derive(const creep_law *law, const contact_spot *s, const side_motion *m, const creepage *c,
                            double N, double friction, double d[4][6])
{
    // signs of T_x, T_y, M_z, T_n and of xi_x, xi_y, phi, N, friction, rolling in the mirror
    static const double rows[4] = {1.0, -1.0, -1.0, 1.0}, columns[6] = {1.0, -1.0, -1.0, 1.0, 1.0, 1.0};
    kane_wheel_motion motion;
    const kane_creep_contact contact = tell(law, s, m, c, N, friction, &motion);
    const kane_status status         = law->laws.own.derive(law->laws.own.data, &contact, d);
    if (m->side == KANE_RIGHT)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 6; j++)
                d[i][j] *= rows[i] * columns[j];
    return status;
}
