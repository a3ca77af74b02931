// SPDX-License-Identifier: MIT
// The study that finds the best transition: searches beside each other, then a fine check against the standard shapes.

#include "study/optimise.h"

#include "base/clock.h"
#include "plan/pool.h"
#include "study/content.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static kane_status no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return KANE_NO_MEMORY;
}

// The search that got furthest. An error if none got anywhere, or if they were stopped.
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
    kane_errors_add(o->errors, KANE_NOT_SOLVED, "the run with the first shape fails: %s",
                    kane_plan_case(o->plan, optimisation_case(o, 0, 0))->why);
    return KANE_NOT_SOLVED;
}

// What was not needed of the evaluations, so that the plan is complete.
static kane_status close_searches(optimisation *o)
{
    double values[OPTIMISATION_VALUES];
    kane_case none     = optimisation_blank(values);
    kane_status status = KANE_OK;
    none.state         = KANE_CASE_DONE;
    (void)snprintf(none.why, sizeof none.why, "not needed");
    for (int i = 0; i < o->asked->starts; i++)
        for (int k = o->starts[i].next; k < o->asked->evaluations_most && status == KANE_OK; k++)
            if (kane_plan_case(o->plan, optimisation_case(o, i, k))->state == KANE_CASE_OPEN)
                status = kane_plan_record(o->plan, optimisation_case(o, i, k), &none, o->errors);
    return status;
}

// --- the study ---

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

static void write_question(content *t, const kane_optimisation *a)
{
    kane_writer *w = &t->w;
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

// Searches, fine check, files.
static kane_status go(optimisation *o)
{
    kane_pool_run(o->asked->execution.workers, o->asked->starts, optimisation_search, o);
    if (o->errors->count > 0)
        return kane_errors_status(o->errors, 0);
    kane_status status = find_best(o);
    if (status == KANE_OK)
        status = close_searches(o);
    if (status == KANE_OK)
        status = optimisation_check_finely(o);
    if (status == KANE_OK)
        status = kane_inputs_check(o->inputs, o->errors);
    if (status == KANE_OK)
        status = optimisation_write(o, o->errors);
    return status == KANE_OK ? optimisation_draw(o, o->errors) : status;
}

static kane_status open_plan(optimisation *o)
{
    content text;
    kane_plan_definition plan = {.case_count  = optimisation_fine_case(o, o->check.count),
                                 .value_count = o->unknowns + 1 + o->wanted.count};
    if (content_begin(&text, "optimise", &o->check, o->inputs)) {
        write_question(&text, o->asked);
        plan.content = content_end(&text);
    }
    if (plan.content)
        o->plan = kane_plan_open(&plan, &o->asked->execution, o->errors);
    else
        (void)no_memory(o->errors);
    content_free(&text);
    return o->plan ? KANE_OK : kane_errors_status(o->errors, 0);
}

static kane_status prepare(optimisation *o, const kane_run_definition *run)
{
    kane_status status = KANE_OK;
    if (!run->track) {
        kane_errors_add(o->errors, KANE_BAD_INPUT, "%s: a mechanism has no track, and so no transitions",
                        o->asked->file);
        return KANE_BAD_INPUT;
    }
    status = shape_find_sections(o->arena, run->track, 1, &o->asked->section, &o->section, o->errors);
    if (status == KANE_OK)
        status = optimisation_prepare_starts(o);
    if (status == KANE_OK)
        status = optimisation_prepare_check(o);
    if (status == KANE_OK)
        status = criteria_check(&o->wanted, run, o->errors);
    if (status == KANE_OK)
        o->inputs = kane_inputs_take(run, o->errors);
    if (status == KANE_OK && !o->inputs)
        status = KANE_NO_MEMORY;
    return status == KANE_OK ? open_plan(o) : status;
}

kane_status kane_study_optimise(const kane_optimisation *asked, int *complete, kane_errors *errors)
{
    kane_errors nobody  = {0};
    optimisation o      = {.asked    = asked,
                           .arena    = kane_arena_create(),
                           .common   = asked->common ? *asked->common : (kane_run_options){0},
                           .unknowns = asked->family.unknowns,
                           .errors   = errors ? errors : &nobody,
                           .begun    = kane_clock()};
    kane_status status  = o.arena ? optimisation_check(asked, o.errors) : no_memory(o.errors);
    kane_tables *tables = o.common.tables ? NULL : kane_tables_create(KANE_TABLES_USUAL); // of contacts, for all runs
    *complete           = 0;
    if (tables)
        o.common.tables = tables;
    kane_lock_init(&o.lock);
    if (status == KANE_OK)
        status = criteria_parse(&o.wanted, asked->criterion_count, asked->criteria, 1, o.errors);
    const trial plain = {.file = asked->file, .common = &o.common, .criteria = &o.wanted};
    kane_run *run     = status == KANE_OK ? trial_read(&plain, o.errors) : NULL;
    if (status == KANE_OK)
        status = run ? prepare(&o, kane_run_get_definition(run)) : kane_errors_status(o.errors, 0);
    if (status == KANE_OK)
        status = go(&o);
    *complete = status == KANE_OK;
    kane_inputs_free(o.inputs);
    kane_run_free(run);
    kane_plan_close(o.plan);
    criteria_free(&o.wanted);
    kane_tables_free(tables);
    kane_lock_end(&o.lock);
    kane_arena_free(o.arena);
    return status;
}
