// SPDX-License-Identifier: MIT
// The study that finds the best transition: searches beside each other, each evaluation of which is recorded, so that
// one that was stopped goes the same way again; then a fine check of the best shape against the standard ones.

#include "study/optimise.h"

#include "base/machine.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "math/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UNKNOWNS_MOST = KANE_SPLINE_MAX + 1, OPTIMISATION_VALUES = UNKNOWNS_MOST + 1 + KANE_TRIAL_MEASURES_MOST };

enum { STARTS_MOST = 64, EVALUATIONS_MOST = 1000000, CASES_MOST = 100000000 };

// All searches: of every point of a front.
static int search_count(const optimisation *o)
{
    return o->points * o->asked->starts;
}

static const double STEP         = 0.2;   // first steps of the unknowns
static const double LEAST_GROWTH = 0.005; // where growth is asked for, at each of its points
static const double RANDOM_SUM   = 0.9;   // of |c_k| at a random start: less than 1, so that f grows all along

// Tolerances and rows of the fine check.
const char *const shape_fine_settings[] = {"integrator.rtol=1e-8",
                                           "integrator.atol_position=1e-10 m",
                                           "integrator.atol_angle=1e-10 rad",
                                           "integrator.atol_velocity=1e-8 m/s",
                                           "integrator.atol_angular_velocity=1e-8 rad/s",
                                           "output.interval=1 ms",
                                           NULL};
enum { FINE_SETTINGS = sizeof shape_fine_settings / sizeof *shape_fine_settings - 1 };

// --- checks of the input ---

static void check_spline(const kane_transition_family *f, kane_errors *errors)
{
    const int unknowns = kane_family_spline_unknowns(f->ends, f->degree, f->knots);
    if (unknowns < 1 || unknowns != f->unknowns)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "B-splines of degree %d with %d knots and %d vanishing derivatives at both ends have %d "
                        "unknowns: knots + degree - 1 - 2 ends, which must be positive; the degree must be above that "
                        "of the derivatives and at most %d, knots + degree at most %d",
                        f->degree, f->knots, f->ends, f->knots + f->degree - 1 - 2 * f->ends, KANE_SPLINE_DEGREE_MAX,
                        KANE_SPLINE_MAX - 1);
}

static void check_family(const kane_transition_family *family, kane_errors *errors)
{
    if (family->degree > 0) {
        check_spline(family, errors);
        return;
    }
    const int lowest = 2 * family->ends + 1, most = KANE_POLYNOMIAL_MAX - 1;
    if (family->ends < 0 || family->ends > (most - 2) / 2)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "%d is the number of derivatives that are to vanish at both ends; it may be 0 to %d",
                        family->ends, (most - 2) / 2);
    else if (family->unknowns < 1)
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "the lowest polynomial with such ends (vanishing derivatives: %d) has degree %d, and higher ones "
            "have something to be found: the degree must be %d to %d",
            family->ends, lowest, lowest + 1, most);
    else if (kane_family_degree(family) < 0)
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "%d unknowns with such ends (vanishing derivatives: %d) make a polynomial of degree %d; there may be "
            "%d, for degree %d",
            family->unknowns, family->ends, lowest + family->unknowns, most - lowest, most);
}

// What only algorithms with constraints know.
static void check_constraints(const kane_optimisation *a, kane_errors *errors)
{
    const int has_limits = a->limit_count > 0 || a->pareto;
    if ((a->is_monotone || has_limits) && a->algorithm < KANE_SLSQP && a->algorithm != KANE_COBYLA)
        kane_errors_add(errors, KANE_BAD_INPUT, "%s a constraint, which the algorithm %s does not know; take cobyla",
                        a->is_monotone       ? "curvature that must grow all along is"
                        : a->limit_count > 0 ? "a limit is"
                                             : "each point of a front has",
                        kane_algorithm_name(a->algorithm));
}

static void check_length(const kane_optimisation *a, kane_errors *errors)
{
    if ((a->length_from != 0.0 || a->length_to != 0.0) &&
        !(a->length_from > 0.0 && a->length_to > a->length_from && isfinite(a->length_to)))
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "the length may be %g m to %g m; both must be positive and the second one larger",
                        a->length_from, a->length_to);
}

static void check_front(const kane_optimisation *a, kane_errors *errors)
{
    if (a->pareto ? a->points < 3 || a->points > KANE_PARETO_MOST : a->points != 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "%d points of a front; it has 3 to %d, and a second measure", a->points,
                        KANE_PARETO_MOST);
}

static void check_search(const kane_optimisation *a, kane_errors *errors)
{
    check_front(a, errors);
    check_constraints(a, errors);
    check_length(a, errors);
    if (a->algorithm == KANE_BOBYQA && a->family.unknowns + (a->length_to > 0.0) == 1)
        kane_errors_add(errors, KANE_BAD_INPUT, "the algorithm bobyqa needs at least 2 unknowns; take cobyla for 1");
    if (!(a->bound > 0.0) || !isfinite(a->bound))
        kane_errors_add(errors, KANE_BAD_INPUT, "the bound of the unknowns is %g, must be positive", a->bound);
    if (!(a->tolerance > 0.0) || !isfinite(a->tolerance))
        kane_errors_add(errors, KANE_BAD_INPUT, "the tolerance of the unknowns is %g, must be positive", a->tolerance);
    if (a->evaluations_most < 1 || a->evaluations_most > EVALUATIONS_MOST)
        kane_errors_add(errors, KANE_BAD_INPUT, "%d evaluations; there must be 1 to %d", a->evaluations_most,
                        EVALUATIONS_MOST);
    if (a->starts < 1 || a->starts > STARTS_MOST)
        kane_errors_add(errors, KANE_BAD_INPUT, "%d starts; there may be 1 to %d", a->starts, STARTS_MOST);
    if (a->seed < 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "the seed is %d, must not be negative", a->seed);
}

int shape_check_search(const kane_optimisation *asked, kane_errors *errors)
{
    const int before = errors->count;
    check_family(&asked->family, errors);
    check_search(asked, errors);
    return errors->count == before;
}

static int check_asked(const optimisation *o)
{
    const kane_optimisation *asked = o->asked;
    kane_errors *errors            = o->study.errors;
    const int before               = errors->count;
    (void)shape_check_search(asked, errors);
    if (asked->execution.shards > 1 || asked->execution.worker_pool)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "each step of a search needs the one before: it has no shards and runs on one machine, "
                        "not under mpirun; its starts share the processors (-j)");
    if (asked->execution.retry_failed)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "a run that fails is a part of the way of a search: none is carried out once more");
    return errors->count == before;
}

// --- limits ---

// "MEASURE <= VALUE UNIT" or ">=": the texts of its measure and its value, in memory of the study. 0 with an error.
static int split_limit(const optimisation *o, const char *text, limit *l, const char **measure, const char **value)
{
    const char *at = strstr(text, "<="), *other = strstr(text, ">=");
    l->text = text;
    l->sign = at ? 1.0 : -1.0;
    at      = at ? at : other;
    if (!at || at == text) {
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "the limit '%s' is not of the form MEASURE <= VALUE, or >=, such as "
                        "'peak(line.superelevation_s) <= 2.5 permille'",
                        text);
        return 0;
    }
    size_t length = (size_t)(at - text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    *measure = kane_arena_text_part(o->study.arena, text, length);
    *value   = at + 2 + strspn(at + 2, " ");
    return *measure != NULL || kane_study_no_memory(&o->study);
}

// The number of a measure among the texts, which it joins if it is new.
static int find_measure(const char **texts, int *count, const char *text)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(texts[i], text) == 0)
            return i;
    texts[*count] = text;
    return (*count)++;
}

// Criteria and the measures of limits; values: texts of the limits' values. Returns the number of texts, 0 with errors.
static int collect_measures(optimisation *o, const char **texts, const char **values)
{
    const kane_optimisation *a = o->asked;
    int count                  = a->criterion_count;
    if (!shape_check_criteria(a->criterion_count, o->study.errors))
        return 0;
    if (a->limit_count > KANE_CRITERIA_MOST) {
        kane_errors_add(o->study.errors, KANE_BAD_INPUT, "%d limits; there may be %d", a->limit_count,
                        KANE_CRITERIA_MOST);
        return 0;
    }
    for (int i = 0; i < a->criterion_count; i++)
        texts[i] = a->criteria[i];
    for (int i = 0; i < a->limit_count; i++) {
        const char *measure;
        if (!split_limit(o, a->limits[i], &o->limits[i], &measure, &values[i]))
            return 0;
        o->limits[i].measure = find_measure(texts, &count, measure);
    }
    o->second = a->pareto ? find_measure(texts, &count, a->pareto) : -1;
    return count;
}

// Values of the limits in the units of their measures.
static int read_limits(optimisation *o, const char *const *values)
{
    const int before = o->study.errors->count;
    for (int i = 0; i < o->asked->limit_count; i++) {
        limit *l = &o->limits[i];
        char why[200];
        kane_text fault  = kane_text_start(sizeof why, why);
        const char *unit = o->study.measures.units[l->measure];
        if (!kane_quantity_parse(values[i], unit && unit[0] ? unit : "1", &l->value, &fault) || !isfinite(l->value))
            kane_errors_add(o->study.errors, KANE_BAD_INPUT, "the limit '%s': '%s' %s", l->text, values[i],
                            why[0] ? why : "is not finite");
        l->scale = l->value != 0.0 ? fabs(l->value) : 1.0;
    }
    return o->study.errors->count == before;
}

double limit_margin(const limit *l, double value)
{
    return l->sign * (l->value - value) / l->scale;
}

// --- one evaluation ---

// A case without values: not yet run.
static kane_case empty_case(double values[OPTIMISATION_VALUES])
{
    for (int i = 0; i < OPTIMISATION_VALUES; i++)
        values[i] = (double)NAN;
    return (kane_case){.state = KANE_CASE_OPEN, .values = values};
}

// The shape of the unknowns. The length is linear from its least at -bound to its largest at bound.
shape optimisation_shape(const kane_optimisation *a, const double *x)
{
    shape s = shape_of_family(&a->family, x);
    if (has_free_length(a))
        s.length = a->length_from + (0.5 + 0.5 * x[a->family.unknowns] / a->bound) * (a->length_to - a->length_from);
    return s;
}

// The run with these unknowns under a condition: values [unknowns | sum | measures].
static void run_evaluation(const optimisation *o, int index, const double *x, kane_case *result)
{
    const shape_condition *k = &o->conditions.condition[index % o->conditions.count];
    char name[KANE_STUDY_NAME];
    const int n        = o->unknowns;
    kane_errors own    = {.limit = 1};
    kane_arena *arena  = kane_arena_create();
    kane_status status = KANE_NO_MEMORY;
    const shape s      = optimisation_shape(o->asked, x);
    memcpy(result->values, x, (size_t)n * sizeof *x);
    const char *const *settings = arena ? shape_settings(arena, &s, &k->sections) : NULL;
    if (settings)
        status = trial_run(&k->study, &k->sections, settings, result->values + n + 1, kane_study_case_name(index, name),
                           NULL, &own);
    if (status == KANE_OK && own.count > 0) // a measure is not defined
        status = kane_errors_status(&own, 0);
    kane_study_print(result, status, &own);
    if (status == KANE_OK)
        result->values[n] = criteria_sum(&o->study.measures, result->values + n + 1);
    kane_arena_free(arena);
}

// Counts a case and calls the user's progress function. Needs the lock.
static void report_progress(optimisation *o, const kane_case *result)
{
    const kane_plan_execution *how = &o->asked->execution;
    o->done += result->state == KANE_CASE_DONE;
    o->failed += result->state == KANE_CASE_FAILED;
    const kane_plan_progress far = {.count   = o->study.case_count,
                                    .done    = o->done,
                                    .failed  = o->failed,
                                    .elapsed = kane_clock() - o->begun,
                                    .left    = (double)NAN, // a search has no known number of evaluations
                                    .failure = result->state == KANE_CASE_FAILED ? result->why : NULL};
    if (how->progress && how->progress(&far, how->data) != 0)
        o->is_stopped = 1;
}

// Writes a case to the plan and reports progress. Needs the lock.
static kane_status record_case(optimisation *o, int index, const kane_case *result)
{
    const kane_status status = kane_plan_record(o->plan, index, result, o->study.errors);
    if (status != KANE_OK) {
        o->is_stopped = 1;
        return status;
    }
    report_progress(o, result);
    return KANE_OK;
}

// An evaluation that the plan has already. An error if its unknowns are not x. Needs the lock.
static kane_status reuse_case(optimisation *o, const kane_case *known, const double *x, int index)
{
    if (memcmp(known->values, x, (size_t)o->unknowns * sizeof *x) != 0) {
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "case %d of the plan in %s is of other unknowns than this search comes to: it was begun with "
                        "another NLopt or C library; use another directory",
                        index + 1, o->asked->execution.directory);
        o->is_stopped = 1;
        return KANE_BAD_INPUT;
    }
    report_progress(o, known);
    return KANE_OK;
}

// One evaluation under all conditions.
typedef struct evaluation {
    start *of;
    int first; // case of its first condition
    const double *x;
    kane_status status; // of the first condition that has none
} evaluation;

// Sum and measures under a condition, NaN if its run fails.
static void evaluate_condition(int number, void *data)
{
    evaluation *e    = data;
    start *s         = e->of;
    optimisation *o  = s->of;
    const int index  = e->first + number;
    const size_t own = 1 + (size_t)o->study.measures.count;
    double values[OPTIMISATION_VALUES];
    kane_case result = empty_case(values);

    kane_lock_take(&o->lock);
    const kane_case *known = kane_plan_case(o->plan, index);
    kane_status status     = o->is_stopped ? KANE_INTERRUPTED : KANE_OK;
    const int is_known     = known->state != KANE_CASE_OPEN;
    if (status == KANE_OK && is_known)
        status = reuse_case(o, known, e->x, index);
    kane_lock_give(&o->lock);
    if (status == KANE_OK && !is_known) {
        run_evaluation(o, index, e->x, &result);
        kane_lock_take(&o->lock);
        status = record_case(o, index, &result);
        kane_lock_give(&o->lock);
    }
    const kane_case *c = is_known ? known : &result;
    memcpy(s->values + (size_t)number * own, c->values + o->unknowns, own * sizeof *values);
    if (c->state != KANE_CASE_DONE)
        s->values[(size_t)number * own] = (double)NAN;
    if (status == KANE_OK)
        return;
    kane_lock_take(&o->lock);
    e->status = status;
    kane_lock_give(&o->lock);
}

// Threads for the conditions of one evaluation: what the searches beside each other leave.
static int condition_workers(const optimisation *o)
{
    const int all  = o->asked->execution.workers > 0 ? o->asked->execution.workers : kane_processors();
    const int each = all / o->asked->starts;
    return each > 1 ? each : 1;
}

// Is the second measure the objective of a search?
static int is_second(const optimisation *o, const start *s)
{
    return o->points > 1 && s->number / o->asked->starts == o->points - 1;
}

// The parts of the objective: sums under all conditions, of which the worst counts, or their weighted mean.
static kane_status eval_criteria_sum(const double *x, double *value, void *data)
{
    start *s              = data;
    const optimisation *o = s->of;
    const int count = o->conditions.count, own = 1 + o->study.measures.count;
    evaluation e = {s, case_of(o, s->number, s->next++), x, KANE_OK};
    double mean  = 0.0;
    if (count > 1)
        kane_pool_run(condition_workers(o), count, evaluate_condition, &e);
    else
        evaluate_condition(0, &e);
    const int number = is_second(o, s) ? 1 + o->second : 0; // of the last point of a front the second measure
    for (int k = 0; k < count; k++) {
        const double sum = isnan(s->values[k * own]) ? (double)NAN : s->values[k * own + number];
        mean += o->conditions.condition[k].weight * sum;
        if (o->conditions.is_worst)
            value[k] = sum;
    }
    if (!o->conditions.is_worst || isnan(mean)) // a condition has failed: so has the evaluation
        value[0] = mean;
    return e.status;
}

// --- one search ---

// Limits under each condition, then the growth of f.
static void eval_search_constraints(const double *x, double *values, void *data)
{
    const start *s             = data;
    const optimisation *o      = s->of;
    const kane_optimisation *a = o->asked;
    const int own              = 1 + o->study.measures.count;
    for (int i = 0; i < s->limit_count; i++)
        for (int k = 0; k < o->conditions.count; k++)
            *values++ = limit_margin(&s->limits[i], s->values[k * own + 1 + s->limits[i].measure]);
    for (int i = 0; i < OPTIMISATION_GROWTH_POINTS && a->is_monotone; i++)
        *values++ = optimisation_growth(a, x, i);
}

// With derivatives: parts and constraints are those of line_gradient.c, and the evaluation is recorded as any other.
static kane_status eval_line_parts(const double *x, double *parts, void *data)
{
    const start *s = data;
    double sums[KANE_CONDITIONS_MOST];
    const kane_status status = eval_criteria_sum(x, sums, data);
    if (status == KANE_OK)
        line_eval(s->derivatives, x, parts, NULL, NULL);
    if (isnan(sums[0]))
        parts[0] = (double)NAN;
    return status;
}

static void eval_line_constraints(const double *x, double *values, void *data)
{
    line_eval(((const start *)data)->derivatives, x, NULL, values, NULL);
}

static void eval_line_gradient(const double *x, double *gradient, void *data)
{
    const start *s = data;
    line_eval(s->derivatives, x, s->parts, s->constraints, gradient);
}

double optimisation_growth(const kane_optimisation *a, const double *x, int point)
{
    const double at = 0.5 - 0.5 * cos(3.14159265358979323846 * point / (OPTIMISATION_GROWTH_POINTS - 1));
    return kane_family_growth(&a->family, x, at) - LEAST_GROWTH;
}

minimisation shape_search(const kane_optimisation *a, int number,
                          kane_status (*value)(const double *x, double *value, void *data), void *data)
{
    return (minimisation){.algorithm        = a->algorithm,
                          .count            = a->family.unknowns + has_free_length(a),
                          .bound            = a->bound,
                          .step             = STEP,
                          .tolerance        = a->tolerance,
                          .evaluations_most = a->evaluations_most,
                          .seed             = a->seed + number,
                          .value            = value,
                          .data             = data};
}

static void run_start_search(int index, void *data)
{
    optimisation *o            = data;
    start *s                   = &o->starts[index];
    const kane_optimisation *a = o->asked;
    minimisation m             = shape_search(a, index % a->starts, eval_criteria_sum, s);
    m.part_count               = o->conditions.is_worst ? o->conditions.count : 1;
    m.constraint_count = s->limit_count * o->conditions.count + (a->is_monotone ? OPTIMISATION_GROWTH_POINTS : 0);
    m.slack            = OPTIMISATION_SLACK;
    m.constrain        = eval_search_constraints;
    if (s->derivatives) {
        m.value            = eval_line_parts;
        m.gradient         = eval_line_gradient;
        m.constrain        = eval_line_constraints;
        m.part_count       = line_part_count(s->derivatives);
        m.constraint_count = line_constraint_count(s->derivatives);
    }
    memcpy(s->best, s->first, (size_t)o->unknowns * sizeof *s->best);
    s->status       = minimise(&m, s->best, &s->found);
    const int first = s->status == KANE_OK && isfinite(s->found.value) ? optimisation_best_case(o, s) : -1;
    if (first >= 0) // the recorded one
        s->found.value = optimisation_value(o, first, is_second(o, s) ? 1 + o->second : 0);
}

void shape_choose_random(const kane_optimisation *asked, int number, double *first)
{
    kane_random random = kane_random_start((uint64_t)asked->seed, (uint64_t)number);
    double sum         = 0.0;
    for (int i = 0; i < asked->family.unknowns; i++) {
        first[i] = 2.0 * kane_random_even(&random) - 1.0;
        sum += fabs(first[i]);
    }
    for (int i = 0; i < asked->family.unknowns; i++)
        first[i] *= fmin(RANDOM_SUM / sum, asked->bound);
    if (has_free_length(asked))
        first[asked->family.unknowns] = asked->bound * (2.0 * kane_random_even(&random) - 1.0);
}

// Among searches that hold no limits the least violation counts.
static int is_better(const minimum *a, const minimum *b)
{
    return isfinite(a->value) ? a->value < b->value : !isfinite(b->value) && a->violation < b->violation;
}

int optimisation_best_of(const optimisation *o, int point)
{
    int best = -1;
    for (int i = point * o->asked->starts; i < (point + 1) * o->asked->starts; i++)
        if (o->starts[i].status == KANE_OK && (best < 0 || is_better(&o->starts[i].found, &o->starts[best].found)))
            best = i;
    return best;
}

int optimisation_best_case(const optimisation *o, const start *s)
{
    for (int i = 0; i < s->found.evaluations; i++) {
        const int index = case_of(o, s->number, i);
        if (memcmp(kane_plan_case(o->plan, index)->values, s->best, (size_t)o->unknowns * sizeof *s->best) == 0)
            return index;
    }
    return -1;
}

double optimisation_value(const optimisation *o, int first, int number)
{
    double values[KANE_CONDITIONS_MOST];
    for (int k = 0; k < o->conditions.count; k++) {
        const kane_case *c = kane_plan_case(o->plan, first + k);
        if (c->state != KANE_CASE_DONE)
            return (double)NAN;
        values[k] = c->values[o->unknowns + number];
    }
    return conditions_value(&o->conditions, values);
}

// Why the run with the first shape has failed.
static const char *first_failure(const optimisation *o)
{
    for (int k = 0; k < o->conditions.count; k++) {
        const kane_case *c = kane_plan_case(o->plan, case_of(o, 0, 0) + k);
        if (c->state == KANE_CASE_FAILED)
            return c->why;
    }
    return "";
}

// No shape holds all limits: by how much the best one passes them.
static void report_limits(const optimisation *o, const start *s)
{
    const int first = optimisation_best_case(o, s);
    for (int i = 0; i < o->asked->limit_count && first >= 0; i++)
        for (int k = 0; k < o->conditions.count; k++) {
            const limit *l     = &o->limits[i];
            const double value = kane_plan_case(o->plan, first + k)->values[o->unknowns + 1 + l->measure];
            if (limit_margin(l, value) < -OPTIMISATION_SLACK)
                kane_errors_add(o->study.errors, KANE_NOT_SOLVED,
                                "no shape that was tried holds all limits; the one that violates them least has %.6g "
                                "%s under condition %d, the limit is %s",
                                value, o->study.measures.units[l->measure], k + 1, l->text);
        }
    if (o->study.errors->count == 0)
        kane_errors_add(o->study.errors, KANE_NOT_SOLVED, "no shape that was tried grows all along");
}

// Finds the search with the least value. An error if all failed, or if they were stopped.
static kane_status find_best(optimisation *o)
{
    for (int i = 0; i < search_count(o); i++)
        if (o->starts[i].status != KANE_OK && o->starts[i].status != KANE_NOT_SOLVED)
            return o->starts[i].status;
    o->best = optimisation_best_of(o, 0);
    if (o->best >= 0 && isfinite(o->starts[o->best].found.value))
        return KANE_OK;
    if (o->best >= 0)
        report_limits(o, &o->starts[o->best]);
    else
        kane_errors_add(o->study.errors, KANE_NOT_SOLVED, "the run with the first shape fails: %s", first_failure(o));
    return KANE_NOT_SOLVED;
}

// Closes the cases of evaluations that the searches did not need, so that the plan is complete.
static kane_status close_searches(optimisation *o)
{
    double values[OPTIMISATION_VALUES];
    kane_case none     = empty_case(values);
    kane_status status = KANE_OK;
    none.state         = KANE_CASE_DONE;
    (void)snprintf(none.why, sizeof none.why, "not needed");
    for (int i = 0; i < search_count(o); i++)
        for (int k = case_of(o, i, o->starts[i].next); k < case_of(o, i + 1, 0) && status == KANE_OK; k++)
            if (kane_plan_case(o->plan, k)->state == KANE_CASE_OPEN)
                status = kane_plan_record(o->plan, k, &none, o->study.errors);
    return status;
}

// --- the fine check ---

// The same conditions with tighter settings, for the check of the result. 0 without memory.
static int set_fine_conditions(optimisation *o)
{
    kane_arena *arena    = o->study.arena;
    int *pictures        = kane_arena_alloc(arena, 1, sizeof *pictures);
    shape_condition *all = kane_arena_alloc(arena, (size_t)o->conditions.count, sizeof *all);
    for (int i = 0; i < o->conditions.count && all && pictures; i++) {
        const char *const *own = o->conditions.condition[i].study.common.settings;
        const int count        = kane_texts_count(own);
        const char **settings  = kane_arena_alloc(arena, (size_t)(count + FINE_SETTINGS + 1), sizeof *settings);
        for (int k = 0; settings && k < count; k++)
            settings[k] = own[k];
        if (settings)
            memcpy(settings + count, shape_fine_settings, sizeof shape_fine_settings);
        all[i]                       = o->conditions.condition[i];
        all[i].study.common.settings = settings;
        all[i].study.pictures        = pictures; // those of the search are the study's
        all[i].study.measures        = o->study.measures;
    }
    o->check.conditions           = o->conditions;
    o->check.conditions.condition = all;
    return !kane_arena_failed(arena) || kane_study_no_memory(&o->study);
}

// --- the study ---

// Runs a case of the fine check; these follow the cases of the searches in the plan.
static void run_fine_case(int index, kane_case *result, void *self)
{
    const optimisation *o = self;
    comparison_work(index - case_of(o, search_count(o), 0), result, &o->check);
}

static int write_optimisation(void *self, const kane_plan *plan)
{
    optimisation *o = self;
    return comparison_write(&o->check, plan, case_of(o, search_count(o), 0)) && optimisation_write(o);
}

kane_optimisation kane_optimisation_default(void)
{
    return (kane_optimisation){.section          = -1,
                               .family           = {.ends = 1, .unknowns = 4},
                               .algorithm        = KANE_BOBYQA,
                               .bound            = 4.0,
                               .tolerance        = 1e-4,
                               .evaluations_most = 300,
                               .starts           = 1,
                               .seed             = 1};
}

// Axes of shapes would have no effect: the search sets them.
static int check_axes(const optimisation *o)
{
    const int before = o->study.errors->count;
    for (int i = 0; i < o->asked->axis_count; i++)
        if (strcmp(kane_axis_path(o->asked->axes[i]->path), kane_axis_path("shape")) == 0)
            kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                            "the axis '%s' is what the search looks for; axes are conditions under which a shape must "
                            "be good",
                            o->asked->axes[i]->path);
    return o->study.errors->count == before;
}

// Weights of the conditions, which are made to have the sum 1. 0 with errors.
static int weigh_conditions(optimisation *o)
{
    const kane_optimisation *a = o->asked;
    const int before           = o->study.errors->count;
    double sum                 = 0.0;
    if (a->weight_count == 0)
        return 1;
    if (a->weight_count != o->conditions.count) {
        kane_errors_add(o->study.errors, KANE_BAD_INPUT, "%d weights for %d conditions; each needs one",
                        a->weight_count, o->conditions.count);
        return 0;
    }
    for (int i = 0; i < a->weight_count; i++) {
        if (!(a->weights[i] > 0.0) || !isfinite(a->weights[i]))
            kane_errors_add(o->study.errors, KANE_BAD_INPUT, "the weight %g of condition %d must be positive",
                            a->weights[i], i + 1);
        sum += a->weights[i];
    }
    for (int i = 0; i < a->weight_count; i++)
        o->conditions.condition[i].weight = a->weights[i] / sum;
    o->conditions.is_worst = 0;
    return o->study.errors->count == before;
}

// Criteria, limits and conditions. 0 with errors.
static int prepare_criteria(optimisation *o)
{
    const kane_optimisation *a = o->asked;
    kane_arena *arena          = o->study.arena;
    const kane_grid axes       = {a->axis_count, a->axes};
    const char **texts         = kane_arena_alloc(arena, KANE_TRIAL_MEASURES_MOST, sizeof *texts);
    const char **values        = kane_arena_alloc(arena, (size_t)a->limit_count + 1, sizeof *values);
    o->limits                  = kane_arena_alloc(arena, (size_t)a->limit_count + 1, sizeof *o->limits);
    if (kane_arena_failed(arena))
        return kane_study_no_memory(&o->study);
    const int count = collect_measures(o, texts, values);
    if (count == 0 || !check_axes(o) ||
        !trial_prepare(&o->study, count, texts, 1, 1, &a->section, &axes, &o->conditions) || !weigh_conditions(o))
        return 0;
    o->criteria = a->criterion_count;
    for (int i = o->criteria; i < count; i++)
        o->study.measures.weight[i] = 0.0;
    return read_limits(o, values);
}

// Derivatives of all objectives and limits; of a front, with either criterion as objective and the second as limit.
// NULL where there are none: *why.
static line_derivatives *find_derivatives(const optimisation *o, const char **why)
{
    const limit more    = {.measure = o->second, .sign = 1.0, .value = 1.0, .scale = 1.0};
    line_derivatives *d = line_derivatives_make(o, why);
    if (!d || o->second < 0)
        return d;
    return line_derivatives_for(d, o->second, 0, NULL, why) && line_derivatives_for(d, -1, 1, &more, why) ? d : NULL;
}

// Without derivatives: what sees constraints and conditions one by one where there are some.
static kane_algorithm usual_algorithm(const optimisation *o)
{
    const int is_minimax = o->conditions.is_worst && o->conditions.count > 1;
    return o->is.is_monotone || o->is.limit_count > 0 || o->second >= 0 || o->unknowns == 1 || is_minimax ? KANE_COBYLA
                                                                                                          : KANE_BOBYQA;
}

// The algorithm, and the derivatives that SLSQP needs. 0 with errors.
static int choose_algorithm(optimisation *o)
{
    const char *why    = "";
    const int is_usual = o->is.algorithm == KANE_ALGORITHM_USUAL;
    if (is_usual || o->is.algorithm == KANE_SLSQP)
        o->derivatives = find_derivatives(o, &why);
    if (is_usual)
        o->is.algorithm = o->derivatives ? KANE_SLSQP : usual_algorithm(o);
    if (o->is.algorithm != KANE_SLSQP || o->derivatives)
        return 1;
    kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                    "the algorithm slsqp needs exact derivatives, but there are none (%s); take cobyla", why);
    return 0;
}

// The searches, with what they begin from. 0 without memory.
static int prepare_starts(optimisation *o)
{
    const kane_optimisation *a = o->asked;
    kane_arena *arena          = o->study.arena;
    const size_t values        = (size_t)o->conditions.count * (1 + (size_t)o->study.measures.count);
    o->starts                  = kane_arena_alloc(arena, (size_t)search_count(o), sizeof *o->starts);
    o->epsilon                 = kane_arena_doubles(arena, (size_t)o->points);
    for (int i = 0; o->starts && i < search_count(o); i++) {
        o->starts[i] = (start){.of     = o,
                               .number = i,
                               .first  = kane_arena_doubles(arena, (size_t)o->unknowns),
                               .best   = kane_arena_doubles(arena, (size_t)o->unknowns),
                               .values = kane_arena_doubles(arena, values)};
        if (o->starts[i].first && (i % a->starts > 0 || a->random_start))
            shape_choose_random(a, i % a->starts, o->starts[i].first);
    }
    return !kane_arena_failed(arena) || kane_study_no_memory(&o->study);
}

// Prepares the searches and the comparison: the standard shapes, then the optimised one, until it is found the lowest
// of its family.
static int prepare_optimisation(void *self)
{
    optimisation *o            = self;
    const kane_optimisation *a = o->asked;
    const int known            = kane_texts_count(shape_names);
    if (!check_asked(o) || !prepare_criteria(o) || !choose_algorithm(o) || !prepare_starts(o))
        return 0;
    o->check = (comparison){.is_weighted = o->study.measures.count > 1 || o->study.measures.weight[0] != 1.0,
                            .limit_count = a->limit_count,
                            .limits      = o->limits,
                            .highlight   = known};
    if (!set_fine_conditions(o))
        return 0;
    o->check.study = &o->check.conditions.condition[0].study;
    if (!comparison_begin(&o->check, known, shape_names, 1))
        return 0;
    const double none[UNKNOWNS_MOST] = {0.0};
    o->best_shape                    = &o->check.shapes[known];
    *o->best_shape                   = optimisation_shape(a, none);
    o->best_shape->name              = "optimised";
    o->study.value_count             = o->unknowns + 1 + o->study.measures.count;
    const double cases =
        (double)search_count(o) * a->evaluations_most * o->conditions.count + comparison_case_count(&o->check);
    if (cases > CASES_MOST) {
        kane_errors_add(o->study.errors, KANE_BAD_INPUT, "%g cases (starts, evaluations, conditions); there may be %d",
                        cases, CASES_MOST);
        return 0;
    }
    o->study.searched = case_of(o, search_count(o), 0);
    return comparison_prepare(&o->check) && comparison_set_cases(&o->check, &o->study, a->axis_count, a->axes);
}

static void describe_optimisation(kane_writer *w, const void *self)
{
    const optimisation *o      = self;
    const kane_optimisation *a = o->asked;
    comparison_describe(w, &o->check);
    kane_writer_count(w, "ends", a->family.ends);
    kane_writer_count(w, "unknowns", a->family.unknowns);
    if (a->family.degree > 0)
        kane_write_counts(w, "spline", 2, (const int[]){a->family.degree, a->family.knots});
    kane_writer_text(w, "algorithm", kane_algorithm_name(a->algorithm));
    kane_writer_switch(w, "monotone", a->is_monotone);
    kane_axes_describe(w, "over", a->axis_count, a->axes, 0);
    kane_write_numbers(w, "weights", a->weight_count, a->weights);
    kane_write_texts(w, "limits", a->limit_count, a->limits);
    if (a->pareto) {
        kane_writer_text(w, "pareto", a->pareto);
        kane_writer_count(w, "points", a->points);
    }
    if (has_free_length(a))
        kane_write_numbers(w, "length", 2, (const double[]){a->length_from, a->length_to});
    kane_writer_number(w, "bound", a->bound);
    kane_writer_number(w, "tolerance", a->tolerance);
    kane_writer_count(w, "evaluations", a->evaluations_most);
    kane_writer_count(w, "starts", a->starts);
    kane_writer_switch(w, "random_start", a->random_start);
    kane_writer_count(w, "seed", a->seed);
}

// Limits and derivatives of the searches of a point: between the ends of a front the second measure has the limit
// epsilon. 0 with an error.
static int prepare_point(optimisation *o, int point, double epsilon)
{
    const kane_optimisation *a = o->asked;
    kane_arena *arena          = o->study.arena;
    const int has_more         = point > 0 && point < o->points - 1;
    const int count            = a->limit_count + has_more;
    limit *limits              = kane_arena_alloc(arena, (size_t)count + 1, sizeof *limits);
    const char *why            = "";
    o->epsilon[point]          = has_more ? epsilon : (double)NAN;
    if (!limits)
        return kane_study_no_memory(&o->study);
    memcpy(limits, o->limits, (size_t)a->limit_count * sizeof *limits);
    limits[a->limit_count] = (limit){o->is.pareto, o->second, 1.0, epsilon, epsilon != 0.0 ? fabs(epsilon) : 1.0};
    for (int i = point * a->starts; i < (point + 1) * a->starts; i++) {
        start *s       = &o->starts[i];
        s->limits      = limits;
        s->limit_count = count;
        if (!o->derivatives)
            continue;
        s->derivatives = line_derivatives_for(o->derivatives, is_second(o, s) ? o->second : -1, count, limits, &why);
        s->parts       = s->derivatives ? kane_arena_doubles(arena, (size_t)line_part_count(s->derivatives)) : NULL;
        s->constraints =
            s->derivatives ? kane_arena_doubles(arena, (size_t)line_constraint_count(s->derivatives) + 1) : NULL;
        if (!s->parts || !s->constraints) // choose_algorithm has seen that there are derivatives
            return kane_study_no_memory(&o->study);
    }
    return 1;
}

// Searches of the ends of a front, or all if there is none.
static void run_end_search(int index, void *data)
{
    const optimisation *o = data;
    run_start_search(index < o->asked->starts ? index : index + (o->points - 2) * o->asked->starts, data);
}

static void run_inner_search(int index, void *data)
{
    run_start_search(index + ((const optimisation *)data)->asked->starts, data);
}

// The points between the ends of a front: limits at equal distances between the second measures of the ends, and the
// first search from a mean of their shapes. 0 with an error.
static int prepare_inner_points(optimisation *o)
{
    const int ends[] = {optimisation_best_of(o, 0), optimisation_best_of(o, o->points - 1)};
    double least[2];
    if (ends[0] < 0 || ends[1] < 0 || !isfinite(o->starts[ends[0]].found.value) ||
        !isfinite(o->starts[ends[1]].found.value)) {
        kane_errors_add(o->study.errors, KANE_NOT_SOLVED, "an end of the front has not been found");
        return 0;
    }
    for (int i = 0; i < 2; i++)
        least[i] = optimisation_value(o, optimisation_best_case(o, &o->starts[ends[i]]), 1 + o->second);
    for (int p = 1; p < o->points - 1; p++) {
        const double part = (double)p / (o->points - 1);
        start *first      = &o->starts[p * o->asked->starts];
        if (!prepare_point(o, p, (1.0 - part) * least[0] + part * least[1]))
            return 0;
        for (int k = 0; k < o->unknowns && !o->asked->random_start; k++)
            first->first[k] = (1.0 - part) * o->starts[ends[0]].best[k] + part * o->starts[ends[1]].best[k];
    }
    return 1;
}

// All searches; the best shape that they have found is that of the fine check.
static kane_status search_starts(void *self, kane_plan *plan)
{
    optimisation *o     = self;
    kane_errors *errors = o->study.errors;
    const int workers = o->asked->execution.workers, starts = o->asked->starts;
    o->plan = plan;
    if (!prepare_point(o, 0, NAN) || (o->points > 1 && !prepare_point(o, o->points - 1, NAN)))
        return kane_errors_status(errors, 0);
    kane_lock_init(&o->lock);
    kane_pool_run(workers, (o->points > 1 ? 2 : 1) * starts, run_end_search, o);
    if (o->points > 1 && errors->count == 0 && !o->is_stopped && prepare_inner_points(o))
        kane_pool_run(workers, (o->points - 2) * starts, run_inner_search, o);
    kane_lock_end(&o->lock);
    kane_status status = errors->count > 0 ? kane_errors_status(errors, 0) : find_best(o);
    if (status == KANE_OK && o->is_stopped)
        status = KANE_INTERRUPTED;
    if (status == KANE_OK)
        status = close_searches(o);
    if (status != KANE_OK)
        return status;
    *o->best_shape      = optimisation_shape(o->asked, o->starts[o->best].best);
    o->best_shape->name = "optimised";
    return comparison_prepare(&o->check) ? KANE_OK : kane_errors_status(errors, 0);
}

kane_status kane_study_optimise(const kane_optimisation *asked, int *complete, kane_errors *errors)
{
    static const kane_study_kind kind = {.name     = "optimise",
                                         .prepare  = prepare_optimisation,
                                         .describe = describe_optimisation,
                                         .search   = search_starts,
                                         .work     = run_fine_case,
                                         .finish   = write_optimisation};
    optimisation o = {.study    = {.keep = asked->keep, .keep_text = asked->starts > 1 || asked->axis_count > 0},
                      .unknowns = asked->family.unknowns + has_free_length(asked),
                      .begun    = kane_clock()};
    o.points       = asked->points > 1 ? asked->points : 1;
    o.second       = -1;
    o.is           = *asked;
    o.asked        = &o.is;
    return kane_study_run_cases(&kind, &o, asked->file, asked->common, &asked->execution, complete, errors);
}
