// SPDX-License-Identifier: MIT
// libkane's integrators, a file each.

#ifndef KANE_SIMULATE_INTEGRATORS_H
#define KANE_SIMULATE_INTEGRATORS_H

#include <kane/integrator.h>

extern const kane_integrator kane_integrator_bdf, kane_integrator_adams; // cvode.c
extern const kane_integrator kane_integrator_rk4;                        // rk4.c
extern const kane_integrator kane_integrator_imex, kane_integrator_bdf2; // implicit.c
extern const kane_integrator kane_integrator_semi_implicit;              // semi_implicit.c
extern const kane_integrator kane_integrator_bdf_alpha;                  // bdf_alpha.c
extern const kane_integrator kane_integrator_still;                      // still.c: of models without states

// Steps of fixed length, counted from the last restart, or from where one was cut, so that many of them do not add up their rounding:
// the end of the step after `*end`, at most `latest`, where counting begins anew.
typedef struct kane_fixed_steps {
    double length, begin; // [s]
    long count;           // since then
} kane_fixed_steps;

static inline kane_step_end kane_fixed_steps_next(kane_fixed_steps *steps, double latest, double *end)
{
    *end = steps->begin + (double)(steps->count + 1) * steps->length;
    if (*end < latest - 1e-6 * steps->length) {
        steps->count++;
        return KANE_STEP_TAKEN;
    }
    *end         = latest;
    steps->begin = latest;
    steps->count = 0;
    return KANE_STEP_LATEST;
}

// Of the two: the rates have jumped by so much since the last step [size]; what has been is bent as if it had had the new ones.
void kane_implicit_bend(void *self, const double *jump);

#endif
