// SPDX-License-Identifier: MIT
// The study that finds the best transition: searches beside each other, each evaluation of which is recorded, so that
// one that was stopped goes the same way again; then a fine check of the best shape against the standard ones.

#include <kane/transition.h>

#include "base/machine.h"
#include "base/number.h"
#include "math/statistics.h"
#include "plan/pool.h"
#include "study/minimise.h"
#include "study/study.h"
#include "study/transitions.h"
#include "track/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One search.
typedef struct start {
    struct optimisation *of;
    int number;    // from 0
    int next;      // evaluation that comes next
    double *first; // [unknowns] where it begins
    double *best;  // [unknowns] where it ends
    minimum found; //
    kane_status status;
} start;

typedef struct optimisation {
    kane_study study;
    kane_study fine; // the same with narrow tolerances and dense rows
    const kane_optimisation *asked;
    int unknowns;
    comparison check; // the fine one, of one section; its last shape is the best one
    kane_plan *plan;
    kane_lock lock;    // of the plan and of what follows
    int is_stopped;    // by progress, or by an error
    int done, failed;  // evaluations
    double begun;      // [s]
    start *starts;     // [asked->starts]
    int best;          // start
    shape *best_shape; // of the fine check
} optimisation;

// Cases of the plan: evaluation k of search n, then the fine runs. A record of an evaluation has the unknowns, the sum
// and the criteria; one of a fine run the criteria, then NaN.
static int case_of(const optimisation *o, int search, int evaluation)
{
    return search * o->asked->evaluations_most + evaluation;
}

enum { OPTIMISATION_VALUES = KANE_FAMILY_UNKNOWNS_MOST + 1 + KANE_CRITERIA_MOST };

enum { STARTS_MOST = 64, EVALUATIONS_MOST = 1000000, MONOTONE_POINTS = 65 };

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

static void check_family(const kane_transition_family *family, kane_errors *errors)
{
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

static void check_search(const kane_optimisation *a, kane_errors *errors)
{
    if (a->is_monotone && a->algorithm != KANE_COBYLA)
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "curvature that must grow all along is a constraint, which the algorithm %s does not know; take "
            "cobyla",
            kane_algorithm_name(a->algorithm));
    if (a->algorithm == KANE_BOBYQA && a->family.unknowns == 1)
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

// A case without values: not yet run.
static kane_case empty_case(double values[OPTIMISATION_VALUES])
{
    for (int i = 0; i < OPTIMISATION_VALUES; i++)
        values[i] = (double)NAN;
    return (kane_case){.state = KANE_CASE_OPEN, .values = values};
}

// --- one evaluation ---

// The run with these unknowns: values [unknowns | sum | criteria].
static void run_evaluation(const optimisation *o, int index, const double *x, kane_case *result)
{
    char name[KANE_STUDY_NAME];
    const int n        = o->unknowns;
    kane_errors own    = {.limit = 1};
    kane_arena *arena  = kane_arena_create();
    shape s            = {.kind = KANE_POLYNOMIAL, .height = NAN};
    kane_status status = KANE_NO_MEMORY;
    memcpy(result->values, x, (size_t)n * sizeof *x);
    s.coefficient_count         = kane_family_coefficients(&o->asked->family, x, s.coefficients);
    const char *const *settings = arena ? shape_settings(arena, &s, &o->check.sections) : NULL;
    if (settings)
        status = trial_run(&o->study, settings, result->values + n + 1, kane_study_case_name(index, name), NULL, &own);
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

// Value of an evaluation that the plan has already, NaN if it failed. An error if its unknowns are not x. Needs the
// lock.
static kane_status reuse_case(optimisation *o, const kane_case *known, const double *x, int index, double *value)
{
    if (memcmp(known->values, x, (size_t)o->unknowns * sizeof *x) != 0) {
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "case %d of the plan in %s is of other unknowns than this search comes to: it was begun with "
                        "another NLopt or C library; use another directory",
                        index + 1, o->asked->execution.directory);
        o->is_stopped = 1;
        return KANE_BAD_INPUT;
    }
    *value = known->state == KANE_CASE_DONE ? known->values[o->unknowns] : (double)NAN;
    report_progress(o, known);
    return KANE_OK;
}

static kane_status eval_criteria_sum(const double *x, double *value, void *data)
{
    start *s        = data;
    optimisation *o = s->of;
    double values[OPTIMISATION_VALUES];
    kane_case result = empty_case(values);
    const int index  = case_of(o, s->number, s->next++);

    kane_lock_take(&o->lock);
    const kane_case *known = kane_plan_case(o->plan, index);
    kane_status status     = o->is_stopped ? KANE_INTERRUPTED : KANE_OK;
    const int is_known     = known->state != KANE_CASE_OPEN;
    if (status == KANE_OK && is_known)
        status = reuse_case(o, known, x, index, value);
    kane_lock_give(&o->lock);
    if (status != KANE_OK || is_known)
        return status;

    run_evaluation(o, index, x, &result);
    kane_lock_take(&o->lock);
    status = record_case(o, index, &result);
    kane_lock_give(&o->lock);
    *value = values[o->unknowns];
    return status;
}

// --- one search ---

static void eval_monotony(const double *x, double *values, void *data)
{
    const start *s = data;
    for (int i = 0; i < MONOTONE_POINTS; i++) {
        const double at = 0.5 - 0.5 * cos(3.14159265358979323846 * i / (MONOTONE_POINTS - 1));
        values[i]       = kane_family_growth(&s->of->asked->family, x, at) - LEAST_GROWTH;
    }
}

minimisation shape_search(const kane_optimisation *a, int number,
                          kane_status (*value)(const double *x, double *value, void *data), void *data)
{
    return (minimisation){.algorithm        = a->algorithm,
                          .count            = a->family.unknowns,
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
    minimisation m             = shape_search(a, index, eval_criteria_sum, s);
    m.constraint_count         = a->is_monotone ? MONOTONE_POINTS : 0;
    m.constrain                = eval_monotony;
    memcpy(s->best, s->first, (size_t)o->unknowns * sizeof *s->best);
    s->status = minimise(&m, s->best, &s->found);
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
}

// Finds the search with the least value. An error if all failed, or if they were stopped.
static kane_status find_best(optimisation *o)
{
    o->best = -1;
    for (int i = 0; i < o->asked->starts; i++) {
        const start *s = &o->starts[i];
        if (s->status != KANE_OK && s->status != KANE_NOT_SOLVED)
            return s->status;
        if (s->status == KANE_OK && (o->best < 0 || s->found.value < o->starts[o->best].found.value))
            o->best = i;
    }
    if (o->best >= 0 && isfinite(o->starts[o->best].found.value))
        return KANE_OK;
    kane_errors_add(o->study.errors, KANE_NOT_SOLVED, "the run with the first shape fails: %s",
                    kane_plan_case(o->plan, case_of(o, 0, 0))->why);
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
    for (int i = 0; i < o->asked->starts; i++)
        for (int k = o->starts[i].next; k < o->asked->evaluations_most && status == KANE_OK; k++)
            if (kane_plan_case(o->plan, case_of(o, i, k))->state == KANE_CASE_OPEN)
                status = kane_plan_record(o->plan, case_of(o, i, k), &none, o->study.errors);
    return status;
}

// --- the fine check ---

// The same study with tighter settings, for the check of its result.
static int set_fine_study(optimisation *o)
{
    const int count       = kane_texts_count(o->study.common.settings);
    const char **settings = kane_arena_alloc(o->study.arena, (size_t)(count + FINE_SETTINGS + 1), sizeof *settings);
    int *pictures         = kane_arena_alloc(o->study.arena, 1, sizeof *pictures);
    if (!settings || !pictures)
        return kane_study_no_memory(&o->study);
    for (int i = 0; i < count; i++)
        settings[i] = o->study.common.settings[i];
    memcpy(settings + count, shape_fine_settings, sizeof shape_fine_settings);
    o->fine                 = o->study;
    o->fine.common.settings = settings;
    o->fine.pictures        = pictures; // those of the search are the study's
    return 1;
}

// --- convergence.csv ---

enum { START, EVALUATION, STATE, SUM, LEAST, CRITERIA };

// Every evaluation of every search: start, evaluation, state, sum, least so far; then the criteria, then the unknowns.
static kane_table tabulate_evaluations(const optimisation *o)
{
    const int criteria = o->study.measures.count;
    int rows           = 0;
    for (int i = 0; i < o->asked->starts; i++)
        rows += o->starts[i].found.evaluations;
    kane_table t = kane_table_begin(o->study.arena, CRITERIA + criteria + o->unknowns, rows);
    t.has_nan    = 1;
    kane_table_add_names(&t, CRITERIA, (const char *const[]){"start", "evaluation", "state", "sum", "least so far"},
                         (const char *const[]){"1", "1", "", "", ""});
    for (int k = 0; k < criteria; k++)
        kane_table_add_columns(
            &t, 1,
            &(kane_table_column){.name      = o->study.measures.text[k],
                                 .unit      = o->study.measures.units[k] ? o->study.measures.units[k] : "",
                                 .is_quoted = 1});
    for (int k = 0; k < o->unknowns; k++)
        kane_table_add_columns(&t, 1, &(kane_table_column){.name = kane_table_text(&t, "c%d", k + 1), .unit = "1"});
    for (int i = 0; i < o->asked->starts; i++) {
        double least = HUGE_VAL;
        for (int n = 0; n < o->starts[i].found.evaluations; n++) {
            const kane_case *c  = kane_plan_case(o->plan, case_of(o, i, n));
            const double *value = c->values + o->unknowns; // sum, criteria
            if (c->state == KANE_CASE_DONE)
                least = fmin(least, value[0]);
            kane_table_add(&t, CRITERIA,
                           (const kane_cell[]){kane_cell_count(i + 1), kane_cell_count(n + 1),
                                               kane_cell_word(c->state == KANE_CASE_DONE ? "done" : "failed"),
                                               kane_cell_number(value[0]), kane_cell_number(least)});
            for (int k = 0; k < criteria; k++)
                kane_table_put(&t, kane_cell_number(value[1 + k]));
            for (int k = 0; k < o->unknowns; k++)
                kane_table_put(&t, kane_cell_number(c->values[k]));
        }
    }
    return t;
}

// --- optimise.txt ---

// Largest difference between the shape that a search has found and the best one: of f, which goes from 0 to 1.
static double distance_from_best(const optimisation *o, const start *s)
{
    enum { SAMPLES = 1000 };
    double own[KANE_POLYNOMIAL_MAX], most = 0.0;
    const int count    = kane_family_coefficients(&o->asked->family, s->best, own);
    const double *best = o->best_shape->coefficients;
    for (int i = 0; i <= SAMPLES; i++) {
        const double x = (double)i / SAMPLES;
        most = fmax(most, fabs(kane_shape_polynomial(own, count, x).f[0] - kane_shape_polynomial(best, count, x).f[0]));
    }
    return most;
}

static void print_unknowns(const optimisation *o, const double *values, FILE *out)
{
    for (int i = 0; i < o->unknowns; i++)
        (void)kane_fprintf(out, " %9.5f", values[i]);
    (void)fputc('\n', out);
}

// Whether this unknown of the best shape is at its bound.
static int is_at_bound(const optimisation *o, int unknown)
{
    return o->asked->bound - fabs(o->starts[o->best].best[unknown]) <= o->asked->tolerance;
}

static void write_text(FILE *out, const void *data)
{
    const optimisation *o = data;
    const start *best     = &o->starts[o->best];
    (void)fprintf(out, "start  evaluations       criterion  unknowns\n");
    for (int i = 0; i < o->asked->starts; i++) {
        const start *s = &o->starts[i];
        (void)kane_fprintf(out, "%5d%c %12d %15.8g ", i + 1, i == o->best ? '*' : ' ', s->found.evaluations,
                           s->found.value);
        print_unknowns(o, s->best, out);
        if (s->status == KANE_OK)
            (void)kane_fprintf(out, "%36s  %s; its shape is %.2g from the best one at most; began at\n%36s ", "",
                               minimum_end_text(s->found.end), distance_from_best(o, s), "");
        else
            (void)fprintf(out, "%36s  the first run fails; began at\n%36s ", "", "");
        print_unknowns(o, s->first, out);
    }
    const double growth = kane_family_least_growth(&o->asked->family, best->best);
    for (int i = 0; i < o->unknowns; i++)
        if (is_at_bound(o, i))
            (void)kane_fprintf(out, "\nunknown %d of the best one lies at its bound, %g\n", i + 1, o->asked->bound);
    (void)fprintf(out, growth < 0.0 ? "\nthe curvature of the best one falls on its way\n"
                                    : "\nthe curvature of the best one grows all along\n");
    (void)fprintf(out, "section for a track file (section.json):\n%s\n\nfine check\n",
                  shape_section(o->study.arena, o->best_shape, &o->check.sections.section[0]));
}

// --- section.json and result.json ---

static void write_section(FILE *out, const void *data)
{
    const optimisation *o = data;
    const char *text      = shape_section(o->study.arena, o->best_shape, &o->check.sections.section[0]);
    (void)fprintf(out, "%s\n", text ? text : "");
}

static void write_search(const optimisation *o, int index, kane_writer *w)
{
    const start *s = &o->starts[index];
    kane_writer_open(w, NULL, '{');
    kane_write_numbers(w, "from", o->unknowns, s->first);
    if (s->status == KANE_OK) {
        kane_write_numbers(w, "to", o->unknowns, s->best);
        kane_writer_number(w, "criterion", s->found.value);
        kane_writer_number(w, "apart", distance_from_best(o, s)); // of its f from the best one, at most
        kane_writer_text(w, "end", minimum_end_text(s->found.end));
    } else {
        kane_writer_text(w, "end", "the first run fails");
    }
    kane_writer_count(w, "evaluations", s->found.evaluations);
    kane_writer_close(w);
}

// Index of the standard shape that is best on the fine check, -1: all failed.
static int best_standard(const optimisation *o)
{
    const int column = comparison_columns(&o->check) - 1;
    int best         = -1;
    for (int i = 0; i + 1 < o->check.count; i++) {
        const double value = comparison_value(&o->check, i, column);
        if (!isnan(value) && (best < 0 || value < comparison_value(&o->check, best, column)))
            best = i;
    }
    return best;
}

static void write_fine(const optimisation *o, kane_writer *w)
{
    const int column = comparison_columns(&o->check) - 1, standard = best_standard(o);
    kane_writer_open(w, "fine_check", '{');
    kane_writer_number(w, "criterion", comparison_value(&o->check, o->check.count - 1, column));
    if (standard >= 0) {
        kane_writer_text(w, "best_standard_shape", o->check.shapes[standard].name);
        kane_writer_number(w, "its_criterion", comparison_value(&o->check, standard, column));
    }
    kane_writer_close(w);
}

static void write_answer(const optimisation *o, kane_writer *w)
{
    const kane_optimisation *a = o->asked;
    const start *best          = &o->starts[o->best];
    kane_write_numbers(w, "coefficients", o->best_shape->coefficient_count, o->best_shape->coefficients);
    kane_writer_number(w, "criterion", best->found.value);
    kane_writer_count(w, "ends", a->family.ends);
    kane_write_numbers(w, "unknowns", o->unknowns, best->best);
    kane_writer_row(w, "at_bound"); // unknowns, counting from 1
    for (int i = 0; i < o->unknowns; i++)
        if (is_at_bound(o, i))
            kane_writer_count(w, NULL, i + 1);
    kane_writer_close(w);
    const double growth = kane_family_least_growth(&a->family, best->best);
    kane_writer_number(w, "least_growth", growth);
    kane_writer_switch(w, "monotone", growth >= 0.0);
}

static void write_result(kane_writer *w, const void *data)
{
    const optimisation *o      = data;
    const kane_optimisation *a = o->asked;
    kane_writer_text(w, "run", a->file);
    kane_writer_count(w, "section", o->check.sections.index[0]);
    kane_write_texts(w, "criteria", o->study.measures.count, o->study.measures.text);
    kane_writer_text(w, "algorithm", kane_algorithm_name(a->algorithm));
    write_answer(o, w);
    write_fine(o, w);
    kane_writer_open(w, "starts", '[');
    for (int i = 0; i < a->starts; i++)
        write_search(o, i, w);
    kane_writer_close(w);
}

// --- pictures: the least value so far, and how far above it every evaluation was ---

static int draw_convergence(const optimisation *o, const kane_table *t)
{
    static const char below[] = "evaluation";
    const double bottom       = o->starts[o->best].found.value;
    const int is_plain        = !o->check.is_weighted;
    kane_figure f             = kane_figure_begin();
    double *x                 = kane_figure_values(&f, 3 * (size_t)t->rows + 1);
    double *least = x ? x + t->rows : NULL, *above = x ? least + t->rows : NULL;
    const char *label  = kane_figure_text(&f, is_plain ? "least so far [%s]" : "least sum so far%s",
                                         is_plain ? o->study.measures.units[0] : "");
    const int panels[] = {kane_figure_add(&f, NULL, below, label),
                          kane_figure_add(&f, NULL, below, "log10(value/least − 1)")};
    f.plot.title       = kane_figure_text(&f, "Search by %s: %s", kane_algorithm_name(o->asked->algorithm),
                                    is_plain ? o->study.measures.text[0] : "weighted sum of criteria");
    for (int row = 0; x && row < t->rows; row++) {
        const kane_cell *cells = kane_table_at(t, row, 0);
        const double value     = cells[STATE].text[0] == 'd' ? cells[SUM].number : (double)NAN,
                     so_far    = cells[LEAST].number;
        x[row]                 = cells[EVALUATION].number;
        least[row]             = isfinite(so_far) ? so_far : (double)NAN;
        above[row]             = value > bottom ? log10((value - bottom) / fabs(bottom)) : (double)NAN;
    }
    for (int i = 0, first = 0; x && i < o->asked->starts; first += o->starts[i++].found.evaluations) {
        const int count  = o->starts[i].found.evaluations;
        const char *name = kane_figure_text(&f, "start %d", i + 1);
        kane_figure_curve(&f, panels[0], (kane_plot_curve){name, count, x + first, least + first, KANE_SOLID, i});
        kane_figure_curve(&f, panels[1], (kane_plot_curve){name, count, x + first, above + first, KANE_POINTS, i});
    }
    return kane_figure_end(&f, &o->study, "convergence");
}

static int write_all(const optimisation *o)
{
    const kane_table table            = tabulate_evaluations(o);
    const kane_study_output outputs[] = {{.name = "convergence.csv", .table = &table},
                                         {.name = "section.json", .text = write_section},
                                         {.name = "optimise.txt", .text = write_text},
                                         {.name = "result.json", .json = write_result, .kind = "transition 1"}};
    return kane_study_write(&o->study, 4, outputs, o) && draw_convergence(o, &table);
}

// --- the study ---

// Runs a case of the fine check; these follow the cases of the searches in the plan.
static void run_fine_case(int index, kane_case *result, void *self)
{
    const optimisation *o = self;
    comparison_work(index - case_of(o, o->asked->starts, 0), result, &o->check);
}

static int write_optimisation(void *self, const kane_plan *plan)
{
    optimisation *o = self;
    return comparison_write(&o->check, plan, case_of(o, o->asked->starts, 0)) && write_all(o);
}

kane_optimisation kane_optimisation_default(void)
{
    return (kane_optimisation){.section          = -1,
                               .family           = {1, 4},
                               .algorithm        = KANE_BOBYQA,
                               .bound            = 4.0,
                               .tolerance        = 1e-4,
                               .evaluations_most = 300,
                               .starts           = 1,
                               .seed             = 1};
}

// Prepares the searches and the comparison: the standard shapes, then the optimised one, until it is found the lowest
// of its family.
static int prepare_optimisation(void *self)
{
    optimisation *o            = self;
    const kane_optimisation *a = o->asked;
    const int known            = kane_texts_count(shape_names);
    shape_sections section;
    if (!check_asked(o) || !trial_prepare(&o->study, a->criterion_count, a->criteria, 1, 1, &a->section, &section))
        return 0;
    o->starts = kane_arena_alloc(o->study.arena, (size_t)a->starts, sizeof *o->starts);
    for (int i = 0; o->starts && i < a->starts; i++) {
        o->starts[i] = (start){.of     = o,
                               .number = i,
                               .first  = kane_arena_doubles(o->study.arena, (size_t)o->unknowns),
                               .best   = kane_arena_doubles(o->study.arena, (size_t)o->unknowns)};
        if (o->starts[i].first && (i > 0 || a->random_start))
            shape_choose_random(a, i, o->starts[i].first);
    }
    if (kane_arena_failed(o->study.arena))
        return kane_study_no_memory(&o->study);
    if (!set_fine_study(o))
        return 0;
    o->check = (comparison){.study       = &o->fine,
                            .is_weighted = o->study.measures.count > 1 || o->study.measures.weight[0] != 1.0,
                            .sections    = section,
                            .highlight   = known};
    if (!comparison_begin(&o->check, known, shape_names, 1))
        return 0;
    const double none[KANE_FAMILY_UNKNOWNS_MOST] = {0.0};
    o->best_shape                                = &o->check.shapes[known];
    *o->best_shape                               = (shape){.name = "optimised", .kind = KANE_POLYNOMIAL, .height = NAN};
    o->best_shape->coefficient_count = kane_family_coefficients(&a->family, none, o->best_shape->coefficients);
    o->study.case_count              = case_of(o, a->starts, o->check.count);
    o->study.value_count             = o->unknowns + 1 + o->study.measures.count;
    return comparison_prepare(&o->check);
}

static void describe_optimisation(kane_writer *w, const void *self)
{
    const optimisation *o      = self;
    const kane_optimisation *a = o->asked;
    comparison_describe(w, &o->check);
    kane_writer_count(w, "ends", a->family.ends);
    kane_writer_count(w, "unknowns", a->family.unknowns);
    kane_writer_text(w, "algorithm", kane_algorithm_name(a->algorithm));
    kane_writer_switch(w, "monotone", a->is_monotone);
    kane_writer_number(w, "bound", a->bound);
    kane_writer_number(w, "tolerance", a->tolerance);
    kane_writer_count(w, "evaluations", a->evaluations_most);
    kane_writer_count(w, "starts", a->starts);
    kane_writer_switch(w, "random_start", a->random_start);
    kane_writer_count(w, "seed", a->seed);
}

// All searches; the best shape that they have found is that of the fine check.
static kane_status search_starts(void *self, kane_plan *plan)
{
    optimisation *o     = self;
    kane_errors *errors = o->study.errors;
    o->plan             = plan;
    kane_lock_init(&o->lock);
    kane_pool_run(o->asked->execution.workers, o->asked->starts, run_start_search, o);
    kane_lock_end(&o->lock);
    kane_status status = errors->count > 0 ? kane_errors_status(errors, 0) : find_best(o);
    if (status == KANE_OK)
        status = close_searches(o);
    if (status != KANE_OK)
        return status;
    (void)kane_family_coefficients(&o->asked->family, o->starts[o->best].best, o->best_shape->coefficients);
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
    optimisation o                    = {.study    = {.keep = asked->keep, .keep_text = asked->starts > 1},
                                         .asked    = asked,
                                         .unknowns = asked->family.unknowns,
                                         .begun    = kane_clock()};
    return kane_study_run_cases(&kind, &o, asked->file, asked->common, &asked->execution, complete, errors);
}
