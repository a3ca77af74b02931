// SPDX-License-Identifier: MIT
// The Jacobian that an integrator is given against differences of the equations.

#ifndef KANE_TESTS_DIFFERENCES_H
#define KANE_TESTS_DIFFERENCES_H

#include "property/mechanism/ride.h"
#include "runs.h"

static inline kane_simulation *differences_simulate(const ride *a)
{
    const kane_settings settings  = kane_settings_default();
    const kane_conditions forever = {.time = 100.0};
    return CHECK_GOOD(kane_simulation_create, a->model, &settings, &forever);
}

static inline void check_jacobian(const ride *a, const char *name, int way, double tolerance)
{
    CHECK_OWNED(kane_simulation) *s = differences_simulate(a);
    char what[128];
    (void)snprintf(what, sizeof what, "%s, way %d", name, way);
    (void)run_check_jacobian(s, a->model, what, tolerance);
}

// Differences over steps of 1e-8 keep seven digits of coordinates of 44 m, as they are in A, and six of a row that is
// as small as the speed of a hinge. In A rows of heights have little but the column of a driven vehicle's speed, which
// the Jacobian takes by differences as well.
static inline double allowed_difference(int is_constrained, const ride_options *o)
{
    const int in_A = o->formulation == KANE_FIXED;
    return in_A && o->driven ? 2e-5 : in_A || is_constrained ? 5e-6 : 1e-6;
}

#endif
