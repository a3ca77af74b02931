// SPDX-License-Identifier: MIT
// The searches of an optimisation: each evaluation is recorded, so that one that was stopped goes the same way again.

#include "study/optimise.h"

#include "base/clock.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MONOTONE_POINTS = 65 };

static const double STEP         = 0.2;   // first steps of the unknowns
static const double LEAST_GROWTH = 0.005; // where growth is asked for, at each of its points
static const double RANDOM_SUM   = 0.9;   // of |c_k| at a random start: less than 1, so that f grows all along

int optimisation_case(const optimisation *o, int search, int evaluation)
{
    return search * o->asked->evaluations_most + evaluation;
}

int optimisation_fine_case(const optimisation *o, int index)
{
    return o->asked->starts * o->asked->evaluations_most + index;
}

kane_case optimisation_blank(double values[OPTIMISATION_VALUES])
{
    for (int i = 0; i < OPTIMISATION_VALUES; i++)
        values[i] = (double)NAN;
    return (kane_case){.state = KANE_CASE_OPEN, .values = values};
}

static kane_status no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return KANE_NO_MEMORY;
}

// --- one evaluation ---

// The run with these unknowns: values [unknowns | sum | criteria].
static void carry_out(const optimisation *o, const double *x, kane_case *result)
{
    const int n       = o->unknowns;
    kane_errors own   = {0};
    kane_arena *arena = kane_arena_create();
    shape s           = {.kind = KANE_POLYNOMIAL, .height = NAN};
    memcpy(result->values, x, (size_t)n * sizeof *x);
    s.coefficient_count         = kane_family_coefficients(&o->asked->family, x, s.coefficients);
    const char *const *settings = arena ? shape_settings(arena, &s, &o->section) : NULL;
    const trial t               = {o->asked->file, &o->common, 1, settings, &o->wanted};
    const kane_status status    = settings ? trial_run(&t, result->values + n + 1, NULL, &own) : no_memory(&own);
    result->state               = status == KANE_OK ? KANE_CASE_DONE : KANE_CASE_FAILED;
    if (status == KANE_OK)
        result->values[n] = criteria_sum(&o->wanted, result->values + n + 1);
    else if (own.count > 0)
        (void)kane_error_format(&own.kept[0], sizeof result->why, result->why);
    kane_arena_free(arena);
}

// Tells how far it is; with the lock held.
static void tell(optimisation *o, const kane_case *result)
{
    const kane_plan_execution *how = &o->asked->execution;
    const int count                = optimisation_fine_case(o, o->check.count);
    o->done += result->state == KANE_CASE_DONE;
    o->failed += result->state == KANE_CASE_FAILED;
    const kane_plan_progress far = {.count   = count,
                                    .done    = o->done,
                                    .failed  = o->failed,
                                    .elapsed = kane_clock() - o->begun,
                                    .left    = (double)NAN, // nobody knows how many a search needs
                                    .failure = result->state == KANE_CASE_FAILED ? result->why : NULL};
    if (how->progress && how->progress(&far, how->data) != 0)
        o->is_stopped = 1;
}

// Records a case and tells of it; with the lock held.
kane_status optimisation_record(optimisation *o, int index, const kane_case *result)
{
    const kane_status status = kane_plan_record(o->plan, index, result, o->errors);
    if (status != KANE_OK) {
        o->is_stopped = 1;
        return status;
    }
    tell(o, result);
    return KANE_OK;
}

// What the plan knows of an evaluation already; it must have been of the same unknowns.
static kane_status recall(optimisation *o, const kane_case *known, const double *x, int index, double *value)
{
    if (memcmp(known->values, x, (size_t)o->unknowns * sizeof *x) != 0) {
        kane_errors_add(o->errors, KANE_BAD_INPUT,
                        "case %d of the plan in %s is of other unknowns than this search comes to: it was begun with "
                        "another NLopt or C library; use another directory",
                        index + 1, o->asked->execution.directory);
        o->is_stopped = 1;
        return KANE_BAD_INPUT;
    }
    *value = known->state == KANE_CASE_DONE ? known->values[o->unknowns] : (double)NAN;
    tell(o, known);
    return KANE_OK;
}

static kane_status evaluate(const double *x, double *value, void *data)
{
    start *s        = data;
    optimisation *o = s->of;
    double values[OPTIMISATION_VALUES];
    kane_case result = optimisation_blank(values);
    const int index  = optimisation_case(o, s->number, s->next++);

    kane_lock_take(&o->lock);
    const kane_case *known = kane_plan_case(o->plan, index);
    kane_status status     = o->is_stopped ? KANE_INTERRUPTED : KANE_OK;
    const int is_known     = known->state != KANE_CASE_OPEN;
    if (status == KANE_OK && is_known)
        status = recall(o, known, x, index, value);
    kane_lock_give(&o->lock);
    if (status != KANE_OK || is_known)
        return status;

    carry_out(o, x, &result);
    kane_lock_take(&o->lock);
    status = optimisation_record(o, index, &result);
    kane_lock_give(&o->lock);
    *value = values[o->unknowns];
    return status;
}

// --- one search ---

static void constrain(const double *x, double *values, void *data)
{
    const start *s = data;
    for (int i = 0; i < MONOTONE_POINTS; i++) {
        const double at = 0.5 - 0.5 * cos(3.14159265358979323846 * i / (MONOTONE_POINTS - 1));
        values[i]       = kane_family_growth(&s->of->asked->family, x, at) - LEAST_GROWTH;
    }
}

void optimisation_search(int index, void *data)
{
    optimisation *o            = data;
    start *s                   = &o->starts[index];
    const kane_optimisation *a = o->asked;
    const minimisation m       = {.algorithm        = a->algorithm,
                                  .count            = o->unknowns,
                                  .bound            = a->bound,
                                  .step             = STEP,
                                  .tolerance        = a->tolerance,
                                  .evaluations_most = a->evaluations_most,
                                  .seed             = a->seed + index,
                                  .value            = evaluate,
                                  .constraint_count = a->is_monotone ? MONOTONE_POINTS : 0,
                                  .constrain        = constrain,
                                  .data             = s};
    memcpy(s->best, s->first, (size_t)o->unknowns * sizeof *s->best);
    s->status = minimise(&m, s->best, &s->found);
}

// Random unknowns, f growing all along; of start 0 none unless that was asked for.
static void choose_first(const optimisation *o, start *s)
{
    kane_random random = kane_random_start((uint64_t)o->asked->seed, (uint64_t)s->number);
    double sum         = 0.0;
    if (s->number == 0 && !o->asked->random_start)
        return;
    for (int i = 0; i < o->unknowns; i++) {
        s->first[i] = 2.0 * kane_random_even(&random) - 1.0;
        sum += fabs(s->first[i]);
    }
    for (int i = 0; i < o->unknowns; i++)
        s->first[i] *= fmin(RANDOM_SUM / sum, o->asked->bound);
}

kane_status optimisation_prepare_starts(optimisation *o)
{
    o->starts = kane_arena_alloc(o->arena, (size_t)o->asked->starts, sizeof *o->starts);
    for (int i = 0; o->starts && i < o->asked->starts; i++) {
        o->starts[i] = (start){.of     = o,
                               .number = i,
                               .first  = kane_arena_doubles(o->arena, (size_t)o->unknowns),
                               .best   = kane_arena_doubles(o->arena, (size_t)o->unknowns)};
        if (o->starts[i].first)
            choose_first(o, &o->starts[i]);
    }
    return kane_arena_failed(o->arena) ? no_memory(o->errors) : KANE_OK;
}
