// SPDX-License-Identifier: MIT
// A spring and a damper in series: what rubber mountings make of a damper. State x: what the damper has given way.
//
//   tension  T = k (e - x)          e: elongation since rest
//   state    x' = V(T)              V: the speed at which the damper resists with T
//
// A damper whose force over speed ends in a level line saturates at that force F; V goes on beyond as before the line,
// and what is faster than V passes by:
//
//   x' = V + beta(u) max(0, n e' - n V) n      n = sign(T), u = (n T/F - rho)/(1 - rho), rho and beta as those of friction that
//                                              sticks (force/surface.h)
//
// so that T never exceeds F (beta = 1 there: T' = k (V - V) = 0), and at a constant speed e' = V(T) below F, T = F
// above.
//
// Energy k (e - x)^2/2; what is lost is T x' >= 0.

#ifndef KANE_FORCE_SERIES_H
#define KANE_FORCE_SERIES_H

#include "force/characteristic.h"
#include "force/surface.h"

typedef struct kane_chain {
    double stiffness;  // k [N/m]
    kane_curve damper; // force over speed; grows everywhere
    double limit[2];   // of its force, negative and positive; 0: none [N]
    double rest;       // its speed without force, but for round-off 0 [m/s]
} kane_chain;

// What is in `c` already: stiffness, damper. Returns 0, or not 0 with an error: for a damper whose speed does not
// follow from its force. `at` is where such a damper was typed.
int kane_chain_prepare(kane_chain *c, kane_place at, kane_errors *errors);

// T, of an elongation and the state.
KANE_INLINE kane_scalar kane_chain_tension(const kane_chain *c, kane_scalar elongation, kane_scalar state)
{
    return ks_scale(c->stiffness, ks_sub(elongation, state));
}

// x', of T and e'.
KANE_INLINE kane_scalar kane_chain_rate(const kane_chain *c, kane_scalar tension, kane_scalar speed)
{
    const kane_scalar own = ks_shift(kane_curve_where(&c->damper, tension), -c->rest);
    const double side = ks_value(tension) < 0.0 ? -1.0 : 1.0, limit = c->limit[side > 0.0];
    if (limit == 0.0)
        return own;
    const double hold        = KANE_STICK_HOLDS;
    const kane_scalar u      = ks_over(ks_shift(ks_over(tension, limit), -hold), 1.0 - hold);
    const kane_scalar faster = ks_sub(speed, own);
    if (ks_value(u) <= 0.0 || side * ks_value(faster) <= 0.0)
        return own;
    double slope;
    const double beta = kane_stick_slips(ks_value(u), &slope);
    return ks_add(own, ks_mul(ks_chain(u, beta, slope), faster));
}

static inline double kane_chain_energy(const kane_chain *c, double elongation, double state)
{
    return 0.5 * c->stiffness * (elongation - state) * (elongation - state);
}

// --- a chain along the line between two points, and a spring k_p beside it ---

typedef struct kane_series {
    kane_block block;
    kane_chain chain;
    double parallel; // k_p [N/m]
    double length;   // at rest [m]
} kane_series;

// Functions of a law whose `law` is a kane_series.
int kane_series_states(const void *series, kane_law_state info[KANE_LAW_STATES]);
int kane_series_set_load(void *series, kane_vec3 d0, kane_vec3 load, kane_errors *errors);
double kane_series_energy(const void *series, const kane_relative *r);

KANE_FORMULA kane_series_force(const void *series, const kane_formula_motion *m, kane_formula_answer *out)
{
    const kane_series *s = series;
    kane_line line;
    const int status = kane_line_eval(m, &line);
    if (status != 0)
        return status;
    const kane_scalar elongation = ks_shift(line.length, -s->length);
    const kane_scalar chain      = kane_chain_tension(&s->chain, elongation, kane_formula_state(m, 0));
    const kane_scalar tension    = ks_add(chain, ks_scale(s->parallel, elongation));
    out->force                   = ks3_scale(ks_neg(tension), line.n);
    kane_formula_rate(out, 0, kane_chain_rate(&s->chain, chain, line.rate));
    return 0;
}

#endif
