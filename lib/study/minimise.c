// SPDX-License-Identifier: MIT
// Minima by NLopt.

#include "study/minimise.h"

#include "base/arena.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

// What goes on during a search.
typedef struct search {
    const minimisation *m;
    nlopt_opt optimiser;
    int evaluations, most; // so far; of this stage and those before
    kane_status status;
    double *best; // [count]
    double best_value;
    double low, high;    // smallest and largest value so far, whether constraints hold or not
    double *constraints; // [constraint_count]
} search;

static const struct {
    const char *name;
    nlopt_algorithm algorithm;
    int is_global;
} algorithms[KANE_ALGORITHMS] = {
    {"bobyqa", NLOPT_LN_BOBYQA, 0}, {"cobyla", NLOPT_LN_COBYLA, 0}, {"nelder-mead", NLOPT_LN_NELDERMEAD, 0},
    {"subplex", NLOPT_LN_SBPLX, 0}, {"crs", NLOPT_GN_CRS2_LM, 1},   {"direct", NLOPT_GN_DIRECT_L, 1},
};

const char *kane_algorithm_name(kane_algorithm algorithm)
{
    return algorithms[algorithm].name;
}

const char *minimum_end_text(minimum_end end)
{
    static const char *const texts[] = {"converged", "evaluations used up", "limited by rounding"};
    return texts[end];
}

static int satisfies_constraints(search *s, const double *x)
{
    if (s->m->constraint_count == 0)
        return 1;
    s->m->constrain(x, s->constraints, s->m->data);
    for (int i = 0; i < s->m->constraint_count; i++)
        if (s->constraints[i] < 0.0)
            return 0;
    return 1;
}

// Value for points that cannot be computed: high + (high - low) + |high|/10, of the lowest and highest value so far. It
// is worse than all others, yet of their size, so that the optimiser's models of the function keep their scale.
static double penalty_value(const search *s)
{
    return s->high + (s->high - s->low) + 0.1 * fabs(s->high);
}

static double stop_search(search *s, kane_status status)
{
    s->status = status;
    (void)nlopt_force_stop(s->optimiser);
    return s->high;
}

static double eval_objective(unsigned count, const double *x, double *gradient, void *data)
{
    search *s    = data;
    double value = NAN;
    (void)gradient;
    if (s->status != KANE_OK || s->evaluations >= s->most) {
        (void)nlopt_force_stop(s->optimiser);
        return s->high;
    }
    const kane_status status = s->m->value(x, &value, s->m->data);
    if (status != KANE_OK)
        return stop_search(s, status);
    s->evaluations++;
    if (!isfinite(value))
        return s->evaluations == 1 ? stop_search(s, KANE_NOT_SOLVED) : penalty_value(s);
    s->low  = fmin(s->low, value);
    s->high = fmax(s->high, value);
    if (value < s->best_value && satisfies_constraints(s, x)) {
        s->best_value = value;
        memcpy(s->best, x, count * sizeof *x);
    }
    return value;
}

// Constraints with the sign of NLopt: c(x) <= 0 there, c(x) >= 0 here.
static void eval_constraints(unsigned constraints, double *values, unsigned count, const double *x, double *gradient,
                             void *data)
{
    const search *s = data;
    (void)count;
    (void)gradient;
    s->m->constrain(x, values, s->m->data);
    for (unsigned i = 0; i < constraints; i++)
        values[i] = -values[i];
}

static void set_up(search *s, double step)
{
    const minimisation *m = s->m;
    (void)nlopt_set_lower_bounds1(s->optimiser, -m->bound);
    (void)nlopt_set_upper_bounds1(s->optimiser, m->bound);
    (void)nlopt_set_min_objective(s->optimiser, eval_objective, s);
    (void)nlopt_set_initial_step1(s->optimiser, fmin(step, 0.5 * m->bound));
    (void)nlopt_set_xtol_abs1(s->optimiser, m->tolerance);
    (void)nlopt_set_maxeval(s->optimiser, s->most - s->evaluations);
    if (m->constraint_count > 0)
        (void)nlopt_add_inequality_mconstraint(s->optimiser, (unsigned)m->constraint_count, eval_constraints, s, NULL);
}

// One algorithm from x on, for so many evaluations in all.
static kane_status run_stage(search *s, nlopt_algorithm algorithm, double step, int most, const double *from,
                             minimum_end *end)
{
    double value, *x = kane_allocate((size_t)s->m->count, sizeof *x);
    s->optimiser = x ? nlopt_create(algorithm, (unsigned)s->m->count) : NULL;
    if (!s->optimiser) {
        kane_release(x);
        return KANE_NO_MEMORY;
    }
    memcpy(x, from, (size_t)s->m->count * sizeof *x);
    s->most = most;
    set_up(s, step);
    nlopt_srand((unsigned long)s->m->seed);
    const nlopt_result result = nlopt_optimize(s->optimiser, x, &value);
    nlopt_destroy(s->optimiser);
    kane_release(x);
    *end = result == NLOPT_ROUNDOFF_LIMITED ? MINIMUM_ROUND : s->evaluations >= most ? MINIMUM_BUDGET : MINIMUM_FOUND;
    if (s->status != KANE_OK)
        return s->status;
    if (result == NLOPT_OUT_OF_MEMORY)
        return KANE_NO_MEMORY;
    return result == NLOPT_INVALID_ARGS ? KANE_BAD_ARGUMENT : KANE_OK;
}

// A global search takes half of the evaluations and leaves the rest to a local one.
static kane_status run_stages(search *s, const double *x, minimum_end *end)
{
    const minimisation *m = s->m;
    if (!algorithms[m->algorithm].is_global)
        return run_stage(s, algorithms[m->algorithm].algorithm, m->step, m->evaluations_most, x, end);
    kane_status status = run_stage(s, algorithms[m->algorithm].algorithm, m->step, m->evaluations_most / 2, x, end);
    if (status == KANE_OK) {
        double *from = kane_allocate((size_t)m->count, sizeof *from);
        if (!from)
            return KANE_NO_MEMORY;
        memcpy(from, s->best, (size_t)m->count * sizeof *from);
        status = run_stage(s, m->count > 1 ? NLOPT_LN_BOBYQA : NLOPT_LN_COBYLA, 0.25 * m->step, m->evaluations_most,
                           from, end);
        kane_release(from);
    }
    return status;
}

kane_status minimise(const minimisation *m, double *x, minimum *result)
{
    search s           = {.m = m, .best_value = HUGE_VAL, .low = HUGE_VAL, .high = -HUGE_VAL};
    kane_status status = KANE_NO_MEMORY;
    s.best             = kane_allocate((size_t)m->count, sizeof *s.best);
    s.constraints      = kane_allocate((size_t)m->constraint_count + 1, sizeof *s.constraints);
    if (s.best && s.constraints) {
        memcpy(s.best, x, (size_t)m->count * sizeof *x);
        status = run_stages(&s, x, &result->end);
        memcpy(x, s.best, (size_t)m->count * sizeof *x);
    }
    result->value       = s.best_value;
    result->evaluations = s.evaluations;
    kane_release(s.best);
    kane_release(s.constraints);
    return status;
}
