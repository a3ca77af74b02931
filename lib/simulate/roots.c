// SPDX-License-Identifier: MIT
// Roots within a step, for integrators without root finding: bisection of a change of sign, on the integrator's
// interpolated state.

#include "simulate/simulation.h"

#include <string.h>

// A root is found when it is known to this part of the time and the step.
static const double close_enough = 1e-14;

// 1: rises through zero, or reaches it, -1: falls; 0: neither. What begins at zero has been there before.
static int crossing_sign(double before, double after)
{
    return before < 0.0 && after >= 0.0 ? 1 : before > 0.0 && after <= 0.0 ? -1 : 0;
}

static int find_crossings(kane_simulation *s)
{
    int any = 0;
    for (int i = 0; i < s->system.root_count; i++) {
        s->roots[i] = crossing_sign(s->roots_before[i], s->roots_after[i]);
        any         = any || s->roots[i];
    }
    return any;
}

// Bisection between `begin`, before the first crossing, and `end`, after it; t, y and roots become those just after it.
static kane_status bisect_root(kane_simulation *s, double begin, double end)
{
    kane_status status = KANE_OK;
    const double size  = close_enough * (fabs(end) + (end - begin));
    while (end - begin > size && status == KANE_OK) {
        const double middle = 0.5 * (begin + end);
        s->integrator->interpolate(s->integration, middle, s->y);
        status = s->seen.roots(middle, s->y, s->roots_after, s->seen.data);
        if (status == KANE_OK && find_crossings(s))
            end = middle;
        else
            begin = middle;
    }
    if (status != KANE_OK)
        return status;
    s->t = end;
    s->integrator->interpolate(s->integration, end, s->y);
    status = s->seen.roots(end, s->y, s->roots_after, s->seen.data);
    (void)find_crossings(s);
    return status;
}

int kane_roots_find(kane_simulation *s, double begin)
{
    const size_t size  = (size_t)s->system.root_count * sizeof *s->roots_before;
    kane_status status = KANE_OK;
    int found          = 0;
    if (s->system.root_count == 0)
        return 0;
    if (!s->knows_roots) {
        s->integrator->interpolate(s->integration, begin, s->y_out);
        status = s->seen.roots(begin, s->y_out, s->roots_before, s->seen.data);
    }
    if (status == KANE_OK)
        status = s->seen.roots(s->t, s->y, s->roots_after, s->seen.data);
    if (status == KANE_OK && find_crossings(s)) {
        found  = 1;
        status = bisect_root(s, begin, s->t);
    }
    memcpy(s->roots_before, s->roots_after, size);
    s->knows_roots = 1;
    return status < 0 ? (int)status : status > 0 ? KANE_INTEGRATION_FAILED : found;
}
