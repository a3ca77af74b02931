// SPDX-License-Identifier: MIT
// A spring and a damper in series along the line between two points, and a spring beside both: what rubber mountings make
// of a damper. State x: what the damper has given way [m].
//
//   tension of the chain  T = k (e - x)         e: elongation since rest
//   state                 x' = V(T)             V: the speed at which the damper resists with T
//   all in all            T + k_p e
//
// Energy k (e - x)^2/2 + k_p e^2/2; what is lost is T V(T) >= 0.

#ifndef KANE_FORCE_SERIES_H
#define KANE_FORCE_SERIES_H

#include "force/characteristic.h"
#include "force/line.h"

typedef struct kane_series {
    kane_block block;
    double stiffness;  // k [N/m]
    double parallel;   // k_p [N/m]
    kane_curve damper; // force over speed; grows everywhere
    double rest;       // its speed without force, but for round-off 0 [m/s]
    double length;     // at rest [m]
} kane_series;

// What is in `s` already: block, stiffness, parallel, damper. Returns 0, or not 0 with an error: for a damper whose speed
// does not follow from its force. `at` is where such a damper was typed.
int kane_series_prepare(kane_series *s, kane_place at, kane_errors *errors);

// Functions of a law whose `law` is a kane_series.
int kane_series_states(const void *series, kane_law_state info[KANE_LAW_STATES]);
int kane_series_settle(void *series, kane_vec3 d0, kane_vec3 load, kane_errors *errors);
double kane_series_energy(const void *series, const kane_relative *r);

KANE_FORMULA kane_series_pull(const void *series, const kane_formula_motion *m, kane_formula_answer *out)
{
    const kane_series *s = series;
    kane_line line;
    const int status = kane_line_observe(m, &line);
    if (status != 0)
        return status;
    const kane_scalar elongation = ks_shift(line.length, -s->length);
    const kane_scalar chain      = ks_scale(s->stiffness, ks_sub(elongation, kane_formula_state(m, 0)));
    const kane_scalar tension    = ks_add(chain, ks_scale(s->parallel, elongation));
    out->force                   = ks3_scale(ks_neg(tension), line.n);
    kane_formula_rate(out, 0, ks_shift(kane_curve_where(&s->damper, chain), -s->rest));
    return 0;
}

#endif
