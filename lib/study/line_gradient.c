// SPDX-License-Identifier: MIT
// Exact derivatives of criteria and limits of the line alone. Curvature and superelevation are linear in the unknowns,
// and so are the rows r of their channels after linear steps:
//   r(x) = r(0) + sum over k of x_k (r(e_k) - r(0))
// so that their derivatives follow from lines at x = 0 and at the unit vectors, without steps of differences. A free
// length l scales them by (l_0/l)^n, n: how often a channel is differentiated along the line, l_0 its length at x = 0.
// What a measure makes of the rows has a derivative, or it is the largest of them, which the optimiser sees one by one.

#include "evaluate/measure.h"
#include "study/optimise.h"

#include <math.h>
#include <string.h>

// Rows of one measure under one condition.
typedef struct line_signal {
    kane_reduction reduction;
    int power; // n of a free length
    int count;
    double *base;  // [count] at x = 0
    double *by;    // [unknowns][count]
    double *share; // [count] of the mean over time: trapezoids
} line_signal;

struct line_derivatives {
    const optimisation *of;
    int conditions, measures, unknowns;
    line_signal *signals; // [conditions][measures]
    int second;           // the measure that is the objective instead of the sum; -1: the sum
    int extreme;          // the criterion whose rows are parts; -1: none
    int limit_count;
    const limit *limits; // [limit_count]
};

static const double AFFINE = 1e-9; // of the largest row: what rounding leaves of a linear function

// --- making them ---

// Rows of a measure of the line with the unknowns x under a condition. 0: it has none.
static int line_at(const optimisation *o, int condition, const double *x, kane_arena *arena, kane_measured *rows)
{
    const shape_condition *k = &o->conditions.condition[condition];
    const kane_measures *m   = &o->study.measures;
    const shape s            = optimisation_shape(o->asked, x);
    const char *const *own   = shape_settings(arena, &s, &k->sections);
    kane_errors errors       = {.limit = 1};
    kane_run *run            = own ? kane_study_read(&k->study, own, &errors) : NULL;
    kane_results *results    = run ? line_rows(kane_run_get_definition(run), &k->sections, &errors) : NULL;
    int good                 = results != NULL;
    for (int i = 0; i < m->count && good; i++)
        good = kane_measure_rows(m->measure[i], results, arena, &rows[i], &errors);
    kane_results_free(results);
    kane_run_free(run);
    kane_errors_free(&errors);
    return good;
}

// Part of every row in the mean over time.
static void fill_shares(const kane_measured *rows, double *share)
{
    const double duration = rows->time[rows->count - 1] - rows->time[0];
    for (int i = 0; i < rows->count; i++) {
        const double before = i > 0 ? rows->time[i] - rows->time[i - 1] : 0.0;
        const double behind = i + 1 < rows->count ? rows->time[i + 1] - rows->time[i] : 0.0;
        share[i]            = duration > 0.0 ? 0.5 * (before + behind) / duration : 1.0;
    }
}

// (l_0/l)^n at x, and its derivative by the last unknown, the length; 1 and 0 where it is given.
typedef struct length_scale {
    double factor, slope;
} length_scale;

static length_scale scale_at(const line_derivatives *d, const line_signal *g, const double *x)
{
    const kane_optimisation *a = d->of->asked;
    const double middle = 0.5 * (a->length_from + a->length_to), by = 0.5 * (a->length_to - a->length_from) / a->bound;
    if (!has_free_length(a))
        return (length_scale){1.0, 0.0};
    const double length = middle + by * x[d->unknowns - 1], factor = pow(middle / length, g->power);
    return (length_scale){factor, -g->power * factor * by / length};
}

// One row of a signal, but for the scale.
static double linear_row(const line_signal *g, int unknowns, const double *x, int row)
{
    double value = g->base[row];
    for (int k = 0; k < unknowns; k++)
        value += x[k] * g->by[k * g->count + row];
    return value;
}

// gradient += factor times the derivatives of a row.
static void add_slopes(const line_derivatives *d, const line_signal *g, const double *x, length_scale scale, int row,
                       double factor, double *gradient)
{
    for (int k = 0; k < d->unknowns; k++)
        gradient[k] += factor * scale.factor * g->by[k * g->count + row];
    if (scale.slope != 0.0)
        gradient[d->unknowns - 1] += factor * scale.slope * linear_row(g, d->unknowns, x, row);
}

// Signals at x = 0, or their differences at the unit vector e_k.
static int add_signals(line_derivatives *d, int condition, int unknown, const kane_measured *rows)
{
    kane_arena *arena = d->of->study.arena;
    for (int i = 0; i < d->measures; i++) {
        line_signal *g = &d->signals[condition * d->measures + i];
        if (unknown < 0) {
            const kane_measure *m = d->of->study.measures.measure[i];
            if (has_free_length(d->of->asked) && (m->step_count > 0 || m->axis != KANE_WINDOW_NONE))
                return 0;
            *g = (line_signal){.reduction = m->reduction,
                               .power     = line_channel_power(m->channels),
                               .count     = rows[i].count,
                               .base      = kane_arena_doubles(arena, (size_t)rows[i].count),
                               .by        = kane_arena_doubles(arena, (size_t)rows[i].count * (size_t)d->unknowns),
                               .share     = kane_arena_doubles(arena, (size_t)rows[i].count)};
            if (kane_arena_failed(arena))
                return 0;
            memcpy(g->base, rows[i].value, (size_t)g->count * sizeof *g->base);
            fill_shares(&rows[i], g->share);
            continue;
        }
        if (rows[i].count != g->count)
            return 0;
        for (int r = 0; r < g->count; r++)
            g->by[unknown * g->count + r] = rows[i].value[r] - g->base[r];
    }
    return 1;
}

// Are the rows at x where the linear function has them?
static int check_signals(const line_derivatives *d, int condition, const double *x, const kane_measured *rows)
{
    for (int i = 0; i < d->measures; i++) {
        const line_signal *g = &d->signals[condition * d->measures + i];
        const double factor  = scale_at(d, g, x).factor;
        double largest = 0.0, difference = 0.0;
        for (int r = 0; r < g->count && rows[i].count == g->count; r++) {
            largest    = fmax(largest, fabs(rows[i].value[r]));
            difference = fmax(difference, fabs(rows[i].value[r] - factor * linear_row(g, d->unknowns, x, r)));
        }
        if (rows[i].count != g->count || difference > AFFINE * largest)
            return 0;
    }
    return 1;
}

// Lines at 0, at all unit vectors, and at one more point.
static int make_signals(line_derivatives *d, int condition)
{
    const optimisation *o = d->of;
    int good              = 1;
    for (int k = -1; k <= d->unknowns && good; k++) {
        kane_arena *arena = kane_arena_create();
        kane_measured rows[KANE_TRIAL_MEASURES_MOST];
        double x[KANE_SPLINE_MAX + 1] = {0.0};
        for (int i = 0; i < d->unknowns; i++)
            x[i] = k == d->unknowns ? 0.3 - 0.1 * (i % 5) : i == k;
        if (has_free_length(o->asked) && k == d->unknowns - 1) // the length is no factor of a sum
            x[k] = 0.0;
        good = arena && line_at(o, condition, x, arena, rows) &&
               (k < d->unknowns ? add_signals(d, condition, k, rows) : check_signals(d, condition, x, rows));
        kane_arena_free(arena);
    }
    return good;
}

// --- what the measures make of them ---

static int is_extreme(kane_reduction reduction)
{
    return reduction == KANE_REDUCE_MAX || reduction == KANE_REDUCE_MIN || reduction == KANE_REDUCE_PEAK;
}

static int is_smooth(kane_reduction reduction)
{
    return reduction == KANE_REDUCE_MEAN || reduction == KANE_REDUCE_RMS || reduction == KANE_REDUCE_END;
}

// Rows that a measure contributes one by one: |r| <= a is two of them.
static int sides_of(kane_reduction reduction)
{
    return reduction == KANE_REDUCE_PEAK ? 2 : 1;
}

// Weight of a measure in the objective.
static double weight_of(const line_derivatives *d, int measure)
{
    return d->second < 0 ? d->of->study.measures.weight[measure] : measure == d->second;
}

// Criteria: all smooth, or one more of which the largest row counts, under conditions of which the worst counts.
static const char *check_criteria(line_derivatives *d)
{
    const optimisation *o = d->of;
    d->extreme            = -1;
    for (int i = 0; i < d->measures; i++) {
        if (weight_of(d, i) == 0.0)
            continue;
        const kane_reduction reduction = d->signals[i].reduction;
        if (is_smooth(reduction))
            continue;
        if (!is_extreme(reduction) || (reduction == KANE_REDUCE_MIN) == (weight_of(d, i) > 0.0))
            return "a criterion is neither a mean, rms or last value nor one that makes the largest value small";
        if (d->extreme >= 0)
            return "a sum has several criteria of largest values";
        if (o->conditions.count > 1 && !o->conditions.is_worst)
            return "a mean over conditions of largest values";
        d->extreme = i;
    }
    return NULL;
}

static const char *check_limits(const line_derivatives *d)
{
    for (int i = 0; i < d->limit_count; i++) {
        const limit *l                 = &d->limits[i];
        const kane_reduction reduction = d->signals[l->measure].reduction;
        const int is_upper             = reduction == KANE_REDUCE_MAX || reduction == KANE_REDUCE_PEAK;
        if (!is_smooth(reduction) && !(is_extreme(reduction) && is_upper == (l->sign > 0.0)))
            return "a limit is neither of a mean, rms or last value nor one that keeps all rows on one side";
    }
    return NULL;
}

line_derivatives *line_derivatives_make(const optimisation *o, const char **why)
{
    const kane_measures *m = &o->study.measures;
    line_derivatives *d    = kane_arena_alloc(o->study.arena, 1, sizeof *d);
    *why                   = "a criterion or a limit is of a run";
    for (int i = 0; i < m->count; i++)
        if (!line_has_channel(m->patterns[i]))
            return NULL;
    if (!d)
        return NULL;
    *d = (line_derivatives){.of = o, .conditions = o->conditions.count, .measures = m->count, .unknowns = o->unknowns};
    d->signals = kane_arena_alloc(o->study.arena, (size_t)(d->conditions * d->measures), sizeof *d->signals);
    *why = "rows of a measure are not linear in the unknowns, it names several channels, or has steps or a window "
           "where the length is free";
    for (int k = 0; k < d->conditions; k++)
        if (!d->signals || !make_signals(d, k))
            return NULL;
    return line_derivatives_for(d, -1, o->asked->limit_count, o->limits, why);
}

line_derivatives *line_derivatives_for(const line_derivatives *d, int second, int limit_count, const limit *limits,
                                       const char **why)
{
    line_derivatives *own = kane_arena_alloc(d->of->study.arena, 1, sizeof *own);
    *why                  = "no memory";
    if (!own)
        return NULL;
    *own             = *d;
    own->second      = second;
    own->limit_count = limit_count;
    own->limits      = limits;
    *why             = check_criteria(own);
    if (!*why)
        *why = check_limits(own);
    return *why ? NULL : own;
}

// --- values ---

// A smooth measure: its value, and adds factor times its derivatives to the gradient (NULL: not wanted).
static double eval_smooth(const line_derivatives *d, const line_signal *g, const double *x, double factor,
                          double *gradient)
{
    const int n = d->unknowns, is_rms = g->reduction == KANE_REDUCE_RMS, last = g->count - 1;
    const length_scale scale = scale_at(d, g, x);
    double sum               = 0.0;
    if (g->reduction == KANE_REDUCE_END) {
        if (gradient)
            add_slopes(d, g, x, scale, last, factor, gradient);
        return scale.factor * linear_row(g, n, x, last);
    }
    for (int r = 0; r < g->count; r++) {
        const double value = scale.factor * linear_row(g, n, x, r);
        sum += g->share[r] * (is_rms ? value * value : value);
    }
    const double value = is_rms ? sqrt(sum) : sum;
    for (int r = 0; gradient && r < g->count; r++) {
        const double part = is_rms ? (value > 0.0 ? scale.factor * linear_row(g, n, x, r) / value : 0.0) : 1.0;
        add_slopes(d, g, x, scale, r, factor * g->share[r] * part, gradient);
    }
    return value;
}

// values = add + factor r for all rows, of a peak also add - factor r; gradients [.][unknowns] to those that are there
// already. Returns the number of values.
static int eval_rows(const line_derivatives *d, const line_signal *g, const double *x, double add, double factor,
                     double *values, double *gradient)
{
    const int n = d->unknowns, sides = sides_of(g->reduction);
    const length_scale scale = scale_at(d, g, x);
    for (int r = 0; r < g->count; r++)
        for (int side = 0; side < sides; side++) {
            const double sign        = side == 0 ? factor : -factor;
            values[r * sides + side] = add + sign * scale.factor * linear_row(g, n, x, r);
            if (gradient)
                add_slopes(d, g, x, scale, r, sign, gradient + (r * sides + side) * n);
        }
    return g->count * sides;
}

int line_part_count(const line_derivatives *d)
{
    int count = 0;
    for (int k = 0; k < d->conditions; k++) {
        const line_signal *g = &d->signals[k * d->measures + (d->extreme < 0 ? 0 : d->extreme)];
        count += d->extreme < 0 ? 1 : g->count * sides_of(g->reduction);
    }
    return d->of->conditions.is_worst ? count : 1;
}

int line_constraint_count(const line_derivatives *d)
{
    const kane_optimisation *a = d->of->asked;
    int count                  = a->is_monotone ? OPTIMISATION_GROWTH_POINTS : 0;
    for (int i = 0; i < d->limit_count; i++)
        for (int k = 0; k < d->conditions; k++) {
            const line_signal *g = &d->signals[k * d->measures + d->limits[i].measure];
            count += is_smooth(g->reduction) ? 1 : g->count * sides_of(g->reduction);
        }
    return count;
}

// Sum of the smooth criteria under a condition; adds factor times its derivatives.
static double eval_smooth_sum(const line_derivatives *d, int condition, const double *x, double factor,
                              double *gradient)
{
    double sum = 0.0;
    for (int i = 0; i < d->measures; i++) {
        const double weight = weight_of(d, i);
        if (i != d->extreme && weight != 0.0)
            sum += weight * eval_smooth(d, &d->signals[condition * d->measures + i], x, factor * weight, gradient);
    }
    return sum;
}

static void eval_parts(const line_derivatives *d, const double *x, double *parts, double *gradient)
{
    const int n = d->unknowns;
    for (int k = 0; k < d->conditions; k++) {
        const double weight = d->of->conditions.is_worst ? 1.0 : d->of->conditions.condition[k].weight;
        const double sum    = eval_smooth_sum(d, k, x, weight, gradient);
        if (!d->of->conditions.is_worst) {
            parts[0] = (k > 0 ? parts[0] : 0.0) + weight * sum;
            continue;
        }
        int count = 1;
        if (d->extreme < 0) {
            parts[0] = sum;
        } else {
            const line_signal *g = &d->signals[k * d->measures + d->extreme];
            count                = g->count * sides_of(g->reduction);
            for (int r = 1; gradient && r < count; r++)
                memcpy(gradient + r * n, gradient, (size_t)n * sizeof *gradient);
            (void)eval_rows(d, g, x, sum, weight_of(d, d->extreme), parts, gradient);
        }
        parts += count;
        gradient = gradient ? gradient + count * n : NULL;
    }
}

static void eval_constraints(const line_derivatives *d, const double *x, double *values, double *gradient)
{
    const kane_optimisation *a = d->of->asked;
    const int n                = d->unknowns;
    for (int i = 0; i < d->limit_count; i++)
        for (int k = 0; k < d->conditions; k++) {
            const limit *l       = &d->limits[i];
            const line_signal *g = &d->signals[k * d->measures + l->measure];
            const double factor = -l->sign / l->scale, add = l->sign * l->value / l->scale;
            int count = 1;
            if (is_smooth(g->reduction))
                *values = add + factor * eval_smooth(d, g, x, factor, gradient);
            else
                count = eval_rows(d, g, x, add, factor, values, gradient);
            values += count;
            gradient = gradient ? gradient + count * n : NULL;
        }
    for (int i = 0; i < OPTIMISATION_GROWTH_POINTS && a->is_monotone; i++) { // linear in x, too
        double at[KANE_SPLINE_MAX + 1] = {0.0};
        const double base              = optimisation_growth(a, at, i);
        values[i]                      = optimisation_growth(a, x, i);
        for (int k = 0; gradient && k < n; k++) {
            at[k]               = 1.0;
            gradient[i * n + k] = optimisation_growth(a, at, i) - base;
            at[k]               = 0.0;
        }
    }
}

void line_eval(const line_derivatives *d, const double *x, double *parts, double *constraints, double *gradient)
{
    const int n = line_part_count(d), all = n + line_constraint_count(d);
    if (gradient)
        memset(gradient, 0, (size_t)(all * d->unknowns) * sizeof *gradient);
    if (parts)
        eval_parts(d, x, parts, gradient);
    if (constraints)
        eval_constraints(d, x, constraints, gradient ? gradient + n * d->unknowns : NULL);
}
