// SPDX-License-Identifier: MIT
// Minima by NLopt.

#include "study/minimise.h"

#include "base/arena.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

// What goes on during a search. The optimiser's unknowns are those of the minimisation and, where it sees the parts
// p_i one by one, t:
//   min t,   p_i(x)/scale - t <= 0,   -c_j(x) <= 0
// With derivatives the first step is as long as the slope: scale = |p(x_0)| makes it independent of the unit of p.
typedef struct search {
    const minimisation *m;
    nlopt_opt optimiser;
    int evaluations, most; // so far; of this stage and those before
    int is_split;          // 1: parts one by one
    kane_status status;
    double *at;       // [count] of the last value
    double *parts;    // [parts + constraints] there
    double *gradient; // [parts + constraints][count] there; NULL: none
    double scale;     // of the value: its size at the first point
    double *best;     // [count]
    double best_value, violation;
    double low, high; // smallest and largest value so far, whether constraints hold or not
} search;

static const struct {
    const char *name;
    nlopt_algorithm algorithm;
    int is_global, is_split;
} algorithms[KANE_ALGORITHMS] = {
    {"bobyqa", NLOPT_LN_BOBYQA, 0, 0}, {"cobyla", NLOPT_LN_COBYLA, 0, 1}, {"nelder-mead", NLOPT_LN_NELDERMEAD, 0, 0},
    {"subplex", NLOPT_LN_SBPLX, 0, 0}, {"crs", NLOPT_GN_CRS2_LM, 1, 0},   {"direct", NLOPT_GN_DIRECT_L, 1, 0},
    {"slsqp", NLOPT_LD_SLSQP, 0, 1},
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

static int part_count(const search *s)
{
    return s->m->part_count > 0 ? s->m->part_count : 1;
}

// Value for points that cannot be computed: high + (high - low) + |high|/10, of the lowest and highest value so far. It
// is worse than all others, yet of their size, so that the optimiser's models of the function keep their scale.
static double penalty_value(const search *s)
{
    return s->high + (s->high - s->low) + 0.1 * fabs(s->high);
}

static void stop_search(search *s, kane_status status)
{
    s->status = status;
    (void)nlopt_force_stop(s->optimiser);
}

// The best point is that of least value among those that hold the constraints, else the one that violates them least.
static void keep_best(search *s, double value)
{
    const minimisation *m = s->m;
    double violation      = 0.0;
    for (int i = 0; i < m->constraint_count; i++)
        violation = fmax(violation, -s->parts[part_count(s) + i]);
    const double excess = violation <= m->slack ? 0.0 : violation, best = s->violation <= m->slack ? 0.0 : s->violation;
    if (excess > best || (excess == best && !(value < s->best_value)))
        return;
    s->best_value = value;
    s->violation  = violation;
    memcpy(s->best, s->at, (size_t)m->count * sizeof *s->at);
}

// Parts, constraints and derivatives at x. Where there is no value the parts
// have the penalty; constraints and derivatives are those of the point before.
static void evaluate_point(search *s, const double *x)
{
    const minimisation *m = s->m;
    const int n           = part_count(s);
    if (s->status != KANE_OK || s->evaluations >= s->most) {
        (void)nlopt_force_stop(s->optimiser);
        return;
    }
    memcpy(s->at, x, (size_t)m->count * sizeof *x);
    const kane_status status = m->value(x, s->parts, m->data);
    if (status != KANE_OK) {
        stop_search(s, status);
        return;
    }
    s->evaluations++;
    double value = s->parts[0];
    for (int i = 1; i < n; i++)
        value = fmax(value, s->parts[i]);
    if (!isfinite(s->parts[0]) || !isfinite(value)) {
        if (s->evaluations == 1)
            stop_search(s, KANE_NOT_SOLVED);
        for (int i = 0; i < n; i++)
            s->parts[i] = penalty_value(s);
        return;
    }
    s->low  = fmin(s->low, value);
    s->high = fmax(s->high, value);
    if (s->evaluations == 1)
        s->scale = value != 0.0 ? fabs(value) : 1.0;
    if (m->constraint_count > 0)
        m->constrain(x, s->parts + n, m->data);
    if (s->gradient)
        m->gradient(x, s->gradient, m->data);
    keep_best(s, value);
}

// The same, unless they are those of the last point.
static void ensure_point(search *s, const double *x)
{
    if (s->evaluations == 0 || memcmp(x, s->at, (size_t)s->m->count * sizeof *x) != 0)
        evaluate_point(s, x);
}

static double eval_objective(unsigned count, const double *x, double *gradient, void *data)
{
    search *s         = data;
    const size_t size = (size_t)s->m->count;
    if (s->is_split) {
        ensure_point(s, x);
        if (gradient)
            memset(gradient, 0, count * sizeof *gradient);
        if (gradient)
            gradient[size] = 1.0;
        return x[size];
    }
    evaluate_point(s, x);
    const double scale = s->gradient ? s->scale : 1.0; // the others have steps that no unit changes
    for (size_t k = 0; gradient && k < size; k++)
        gradient[k] = s->gradient[k] / scale;
    double value = s->parts[0];
    for (int i = 1; i < part_count(s); i++)
        value = fmax(value, s->parts[i]);
    return (s->status == KANE_OK ? value : s->high) / scale;
}

// With the sign of NLopt, which wants them <= 0: parts less t, then constraints.
static void eval_constraints(unsigned constraints, double *values, unsigned count, const double *x, double *gradient,
                             void *data)
{
    search *s      = data;
    const int n    = s->m->count;
    const int skip = s->is_split ? 0 : part_count(s), parts = part_count(s);
    ensure_point(s, x);
    for (int i = 0; i < (int)constraints; i++) {
        const int row = skip + i, is_part = row < parts;
        const double sign = is_part ? 1.0 / s->scale : -1.0;
        values[i]         = sign * s->parts[row] - (is_part ? x[n] : 0.0);
        for (unsigned k = 0; gradient && k < count; k++)
            gradient[(unsigned)i * count + k] = (int)k < n ? sign * s->gradient[row * n + (int)k]
                                                : is_part  ? -1.0
                                                           : 0.0;
    }
}

static void set_up(search *s, double step)
{
    const minimisation *m = s->m;
    const int constraints = m->constraint_count + (s->is_split ? part_count(s) : 0);
    (void)nlopt_set_lower_bounds1(s->optimiser, -m->bound);
    (void)nlopt_set_upper_bounds1(s->optimiser, m->bound);
    if (s->is_split) {
        (void)nlopt_set_lower_bound(s->optimiser, m->count, -HUGE_VAL);
        (void)nlopt_set_upper_bound(s->optimiser, m->count, HUGE_VAL);
    }
    (void)nlopt_set_min_objective(s->optimiser, eval_objective, s);
    (void)nlopt_set_initial_step1(s->optimiser, fmin(step, 0.5 * m->bound));
    (void)nlopt_set_xtol_abs1(s->optimiser, m->tolerance);
    // a second view of the same point is no evaluation: their exact number ends in evaluate_point
    (void)nlopt_set_maxeval(s->optimiser, (1 + s->is_split) * (s->most - s->evaluations));
    if (constraints > 0)
        (void)nlopt_add_inequality_mconstraint(s->optimiser, (unsigned)constraints, eval_constraints, s, NULL);
}

// One algorithm from x on, for so many evaluations in all.
static kane_status run_stage(search *s, kane_algorithm algorithm, double step, int most, const double *from,
                             minimum_end *end)
{
    const int n  = s->m->count;
    s->is_split  = algorithms[algorithm].is_split && part_count(s) > 1;
    s->most      = most;
    double value = 0.0, *x = kane_allocate((size_t)n + 1, sizeof *x);
    s->optimiser = x ? nlopt_create(algorithms[algorithm].algorithm, (unsigned)(n + s->is_split)) : NULL;
    if (!s->optimiser) {
        kane_release(x);
        return KANE_NO_MEMORY;
    }
    memcpy(x, from, (size_t)n * sizeof *x);
    nlopt_result result = NLOPT_FORCED_STOP;
    if (s->is_split) { // t begins at the largest part
        evaluate_point(s, x);
        x[n] = s->evaluations > 0 && s->status == KANE_OK ? s->high / s->scale : 0.0;
    }
    if (s->status == KANE_OK) {
        set_up(s, step);
        nlopt_srand((unsigned long)s->m->seed);
        result = nlopt_optimize(s->optimiser, x, &value);
    }
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
        return run_stage(s, m->algorithm, m->step, m->evaluations_most, x, end);
    kane_status status = run_stage(s, m->algorithm, m->step, m->evaluations_most / 2, x, end);
    if (status == KANE_OK) {
        double *from = kane_allocate((size_t)m->count, sizeof *from);
        if (!from)
            return KANE_NO_MEMORY;
        memcpy(from, s->best, (size_t)m->count * sizeof *from);
        status = run_stage(s, m->count > 1 ? KANE_BOBYQA : KANE_COBYLA, 0.25 * m->step, m->evaluations_most, from, end);
        kane_release(from);
    }
    return status;
}

kane_status minimise(const minimisation *m, double *x, minimum *result)
{
    search s = {
        .m = m, .best_value = HUGE_VAL, .violation = HUGE_VAL, .low = HUGE_VAL, .high = -HUGE_VAL, .scale = 1.0};
    const size_t n = (size_t)m->count, rows = (size_t)(part_count(&s) + m->constraint_count);
    double *room       = kane_allocate(2 * n + rows * (m->gradient ? n + 1 : 1), sizeof *room);
    kane_status status = KANE_NO_MEMORY;
    if (room) {
        s.best     = room;
        s.at       = room + n;
        s.parts    = s.at + n;
        s.gradient = m->gradient ? s.parts + rows : NULL;
        memcpy(s.best, x, n * sizeof *x);
        status = run_stages(&s, x, &result->end);
        memcpy(x, s.best, n * sizeof *x);
    }
    const int is_held   = s.violation <= m->slack;
    result->value       = is_held ? s.best_value : HUGE_VAL;
    result->violation   = isfinite(s.violation) && !is_held ? s.violation : 0.0;
    result->evaluations = s.evaluations;
    kane_release(room);
    return status;
}
