// SPDX-License-Identifier: MIT
// A user-defined creep law as one formula: its forces, written once in numbers with slopes (kane/scalar.h). libkane
// makes eval and an exact derive of it.
//
//   // Coulomb's friction with Kalker's stiffness along the rail
//   KANE_CREEP_FORMULA coulomb(void *data, const kane_creep_formula_contact *c, kane_creep_formula_force *out)
//   {
//       const my_law *law       = data;
//       const kane_scalar limit = ks_mul(c->friction, c->N);
//       const kane_scalar T     = ks_scale(-law->stiffness, c->xi_x);
//       out->T_x = fabs(ks_value(T)) < ks_value(limit) ? T : ks_value(T) < 0.0 ? ks_neg(limit) : limit;
//       return KANE_OK;
//   }
//   KANE_CREEP_FORMULA_FUNCTIONS(coulomb)
//
//   laws.creep = KANE_CREEP_USER;
//   laws.own   = (kane_user_creep){coulomb_eval, coulomb_derive, &my_law};
//
// docs/contact.md, "User-defined creep laws".

#ifndef KANE_CREEP_FORMULA_H
#define KANE_CREEP_FORMULA_H

#include <kane/base.h>
#include <kane/contact.h>
#include <kane/scalar.h>

// What a law sees of a patch: members mean what those of kane_creep_contact mean. All that the motion of the wheel or
// the load on it changes has slopes; in which directions is libkane's affair. a/b has none.
typedef struct kane_creep_formula_contact {
    kane_scalar N, a, b;
    kane_scalar xi_x, xi_y, phi, rolling, reference;
    kane_scalar friction;
    kane_scalar3 velocity;                    // of the wheel's material at the point [m/s]
    kane_scalar3 wheel_velocity, wheel_omega; // velocity and omega of the wheel's motion [m/s], [rad/s]
    const kane_creep_contact *fixed;          // all that has no slopes: side, steel, point, pose, ...
} kane_creep_formula_contact;

// What a law answers. All comes in as zero.
typedef struct kane_creep_formula_force {
    kane_scalar T_x, T_y; // tangential force on the wheel [N]
    kane_scalar M_z;      // spin moment [N m]
    kane_scalar T_n;      // further force along the normal [N]
} kane_creep_formula_force;

// Returns KANE_OK, or what ends the evaluation, as kane_creep_function.
#define KANE_CREEP_FORMULA KANE_INLINE kane_status

// --- how it is done ---

// The patch without slopes.
KANE_INLINE kane_creep_formula_contact kane_creep_formula_see(const kane_creep_contact *c)
{
    kane_creep_formula_contact out;
    out.N              = ks_constant(c->N);
    out.a              = ks_constant(c->a);
    out.b              = ks_constant(c->b);
    out.xi_x           = ks_constant(c->xi_x);
    out.xi_y           = ks_constant(c->xi_y);
    out.phi            = ks_constant(c->phi);
    out.rolling        = ks_constant(c->rolling);
    out.reference      = ks_constant(c->reference);
    out.friction       = ks_constant(c->friction);
    out.velocity       = ks3_constant(c->velocity);
    out.wheel_velocity = ks3_constant(c->motion->velocity);
    out.wheel_omega    = ks3_constant(c->motion->omega);
    out.fixed          = c;
    return out;
}

KANE_INLINE kane_creep_formula_force kane_creep_formula_nothing(void)
{
    const kane_scalar zero = ks_constant(0.0);
    return KANE_LITERAL(kane_creep_formula_force){zero, zero, zero, zero};
}

// Makes NAME_eval and NAME_derive of a formula NAME.
#define KANE_CREEP_FORMULA_FUNCTIONS(name)                                                                             \
    static kane_status name##_eval(void *data, const kane_creep_contact *contact, kane_user_force *out)                \
    {                                                                                                                  \
        const kane_creep_formula_contact c = kane_creep_formula_see(contact);                                          \
        kane_creep_formula_force f         = kane_creep_formula_nothing();                                             \
        const kane_status status           = name(data, &c, &f);                                                       \
        *out = KANE_LITERAL(kane_user_force){ks_value(f.T_x), ks_value(f.T_y), ks_value(f.M_z), ks_value(f.T_n)};      \
        return status;                                                                                                 \
    }                                                                                                                  \
    static kane_status name##_derive(void *data, const kane_creep_formula_contact *contact,                            \
                                     kane_creep_formula_force *out)                                                    \
    {                                                                                                                  \
        return name(data, contact, out);                                                                               \
    }

#endif
