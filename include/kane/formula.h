// SPDX-License-Identifier: MIT
// A force law as one formula: what it exerts and the rates of its states, written once in numbers with slopes
// (kane/scalar.h). libkane makes eval, rates and an exact derive of it.
//
//   // F_y = -c y^3
//   KANE_FORMULA harden(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
//   {
//       const hardening_spring *spring = law;
//       out->force.y = ks_scale(-spring->coefficient, ks_mul(m->d.y, ks_square(m->d.y)));
//       return 0;
//   }
//   KANE_FORMULA_FUNCTIONS(harden, kane_law_never_turns)
//
//   static const kane_law hardening = {..., .eval = harden_eval, .derive = harden_derive};
//
// The derivative comes six directions at a time: displacement and velocity, then rotation and its rate, then states,
// then the absolute motion of each point; what a law does not look at is left out. docs/elements.md,
// "User-defined laws".

#ifndef KANE_FORMULA_H
#define KANE_FORMULA_H

#include <kane/base.h>
#include <kane/force.h>
#include <kane/scalar.h>

KANE_C_BEGIN

// A point of a body and the axes fixed to it, in the axes of A.
typedef struct kane_formula_marker {
    kane_scalar3 position; // [m]
    kane_scalar3 axis[3];  // x, y, z
    kane_scalar3 velocity; // [m/s]
    kane_scalar3 omega;    // [rad/s]
} kane_formula_marker;

// What a law sees: members mean what those of kane_relative and kane_absolute mean.
typedef struct kane_formula_motion {
    kane_scalar3 d, v;            // displacement [m] and its rate [m/s]
    kane_scalar3 phi, w;          // rotation vector [rad], angular velocity [rad/s]
    kane_vec3 d0;                 // static position of b in the axes of a [m]
    double t;                     // time [s]
    kane_formula_marker a, b;     // absolute motion; only of laws that look at it
    int mirrored;                 // as in kane_absolute
    kane_road road;               //
    const double *input;          // for kane_formula_input
    const double *state;          // for kane_formula_state
    const kane_tangents *state_t; //
} kane_formula_motion;

// What a law answers. Force and torque come in as zero.
typedef struct kane_formula_answer {
    kane_scalar3 force, torque; // on b at b's point, axes of a [N], [N m]
    double *rates;              // for kane_formula_rate
    kane_tangents *rates_t;     //
} kane_formula_answer;

// Returns 0; positive: not possible with this step; negative: fatal.
#define KANE_FORMULA KANE_INLINE int

// State i of the law; 0 where states are not given.
KANE_INLINE kane_scalar kane_formula_state(const kane_formula_motion *m, int i)
{
    kane_scalar state = ks_constant(m->state ? m->state[i] : 0.0);
    if (m->state_t)
        state.t = m->state_t[i];
    return state;
}

// Input i of the law; where none is given the default value of the law.
KANE_INLINE double kane_formula_input(const kane_formula_motion *m, int i, double otherwise)
{
    return m->input ? m->input[i] : otherwise;
}

// The rate of state i is x [1/s].
KANE_INLINE void kane_formula_rate(kane_formula_answer *out, int i, kane_scalar x)
{
    if (out->rates)
        out->rates[i] = ks_value(x);
    if (out->rates_t)
        out->rates_t[i] = x.t;
}

// --- how it is done ---

KANE_INLINE kane_formula_marker kane_formula_point(const kane_marker *p)
{
    kane_formula_marker m;
    m.position = ks3_constant(p->position);
    m.axis[0]  = ks3_constant(p->R.x);
    m.axis[1]  = ks3_constant(p->R.y);
    m.axis[2]  = ks3_constant(p->R.z);
    m.velocity = ks3_constant(p->velocity);
    m.omega    = ks3_constant(p->omega);
    return m;
}

// The motion without slopes.
KANE_INLINE void kane_formula_see(const kane_relative *r, kane_formula_motion *m)
{
    const kane_scalar3 zero = ks3_constant(kv3_zero());

    m->d        = ks3_constant(r->d);
    m->v        = ks3_constant(r->v);
    m->phi      = ks3_constant(r->phi);
    m->w        = ks3_constant(r->w);
    m->d0       = r->d0;
    m->t        = r->t;
    m->input    = r->input;
    m->state    = r->state;
    m->state_t  = 0;
    m->mirrored = 0;
    m->road     = KANE_LITERAL(kane_road){NULL, NULL, 0.0, 0.0};
    m->a = m->b = KANE_LITERAL(kane_formula_marker){zero, {zero, zero, zero}, zero, zero};
    if (r->absolute) {
        m->a        = kane_formula_point(&r->absolute->a);
        m->b        = kane_formula_point(&r->absolute->b);
        m->mirrored = r->absolute->mirrored;
        m->road     = r->absolute->road;
    }
}

KANE_INLINE kane_formula_answer kane_formula_nothing(double *rates, kane_tangents *rates_t)
{
    const kane_scalar3 zero = ks3_constant(kv3_zero());
    return KANE_LITERAL(kane_formula_answer){zero, zero, rates, rates_t};
}

// The motion with slopes in the directions of a pass; 0 after the last one. Passes that a law does not look at are
// passed over: *pass comes back as the one that was taken. turns: as of the law's table.
KANE_API int kane_formula_seed(const kane_relative *r, int turns, int *pass, kane_formula_motion *m);

// Writes the slopes of a pass to where they belong.
KANE_API void kane_formula_take(const kane_relative *r, int pass, const kane_formula_answer *answer,
                                kane_law_derivative *out);

// Makes NAME_eval, NAME_rates and NAME_derive of a formula NAME. turns: as in the law's table, or
// kane_law_always_turns.
#define KANE_FORMULA_FUNCTIONS(name, turns)                                                                            \
    static int name##_eval(const void *law, const kane_relative *r, kane_wrench *on_b)                                 \
    {                                                                                                                  \
        kane_formula_motion m;                                                                                         \
        kane_formula_see(r, &m);                                                                                       \
        kane_formula_answer answer = kane_formula_nothing(0, 0);                                                       \
        const int status           = name(law, &m, &answer);                                                           \
        on_b->force                = ks3_value(answer.force);                                                          \
        on_b->torque               = ks3_value(answer.torque);                                                         \
        return status;                                                                                                 \
    }                                                                                                                  \
    __attribute__((unused)) static int name##_rates(const void *law, const kane_relative *r, double *rates)            \
    {                                                                                                                  \
        kane_formula_motion m;                                                                                         \
        kane_formula_see(r, &m);                                                                                       \
        kane_formula_answer answer = kane_formula_nothing(rates, 0);                                                   \
        return name(law, &m, &answer);                                                                                 \
    }                                                                                                                  \
    static void name##_derive(const void *law, const kane_relative *r, kane_law_derivative *out)                       \
    {                                                                                                                  \
        kane_formula_motion m;                                                                                         \
        double rates[KANE_LAW_STATES];                                                                                 \
        kane_tangents rates_t[KANE_LAW_STATES] = {{{0.0}, {0.0}, {0.0}}};                                              \
        const int turning                      = turns(law);                                                           \
        for (int pass = 0; kane_formula_seed(r, turning, &pass, &m); pass++) {                                         \
            kane_formula_answer answer = kane_formula_nothing(rates, rates_t);                                         \
            if (name(law, &m, &answer) != 0)                                                                           \
                return;                                                                                                \
            kane_formula_take(r, pass, &answer, out);                                                                  \
        }                                                                                                              \
    }

KANE_C_END

#endif
