// SPDX-License-Identifier: MIT
// Sweeps: a run over values of its parameters.

#include "study/sweep.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return 0;
}

static int check_counts(const kane_sweep_definition *d, kane_errors *errors)
{
    const int before = errors->count;
    if (d->axis_count < 1)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a sweep needs an axis, such as speed=10:50:5");
    if (d->axis_count > KANE_SWEEP_AXES_MOST)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d axes are more than %d", d->axis_count, KANE_SWEEP_AXES_MOST);
    if (d->measure_count < 1)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a sweep needs a measure, such as max(body.y)");
    return errors->count == before;
}

// All of them, so that what is wrong with each is told.
static int take_measures(kane_sweep_study *s, const kane_sweep_definition *d, kane_errors *errors)
{
    const int before  = errors->count;
    const char **told = kane_arena_alloc(s->arena, (size_t)d->measure_count, sizeof *told);
    s->measures       = kane_arena_alloc(s->arena, (size_t)d->measure_count, sizeof *s->measures);
    s->patterns       = kane_arena_alloc(s->arena, (size_t)d->measure_count, sizeof *s->patterns);
    s->units          = kane_arena_alloc(s->arena, (size_t)d->measure_count, sizeof *s->units);
    if (!told || !s->measures || !s->patterns || !s->units)
        return no_memory(errors);
    s->is.measures = told;
    for (int m = 0; m < d->measure_count; m++) {
        for (int k = 0; k < m; k++)
            if (strcmp(d->measures[k], d->measures[m]) == 0)
                kane_errors_add(errors, KANE_BAD_ARGUMENT, "the measure %s is given twice", d->measures[m]);
        s->measures[m] = kane_measure_parse(d->measures[m], errors);
        if (!s->measures[m])
            continue;
        told[m]        = kane_measure_text(s->measures[m]);
        s->patterns[m] = kane_measure_channels(s->measures[m]);
    }
    return errors->count == before;
}

static int take_axes(kane_sweep_study *s, const kane_sweep_definition *d, kane_errors *errors)
{
    const kane_axis **axes = kane_arena_alloc(s->arena, (size_t)d->axis_count, sizeof *axes);
    if (!axes)
        return no_memory(errors);
    for (int a = 0; a < d->axis_count; a++)
        axes[a] = d->axes[a];
    s->is.axes = axes;
    return 1;
}

kane_sweep_study *kane_sweep_create(const kane_sweep_definition *d, kane_errors *errors)
{
    kane_errors nobody = {0};
    kane_errors *tell  = errors ? errors : &nobody;
    if (!check_counts(d, tell))
        return NULL;
    kane_arena *arena   = kane_arena_create();
    kane_sweep_study *s = arena ? kane_arena_alloc(arena, 1, sizeof *s) : NULL;
    if (!s) {
        (void)no_memory(tell);
        kane_arena_free(arena);
        return NULL;
    }
    s->arena = arena;
    s->is    = *d;
    if (d->common)
        s->common = *d->common;
    if (!s->common.tables) // without memory for them every case makes its own
        s->common.tables = s->tables = kane_tables_create(KANE_TABLES_USUAL);
    if (take_axes(s, d, tell) && take_measures(s, d, tell) && kane_sweep_lay_out(s, tell) && kane_sweep_check(s, tell))
        return s;
    kane_sweep_free(s);
    return NULL;
}

void kane_sweep_free(kane_sweep_study *s)
{
    if (!s)
        return;
    for (int m = 0; s->measures && m < s->is.measure_count; m++)
        kane_measure_free(s->measures[m]);
    for (int i = 0; i < s->input_count; i++)
        kane_inputs_free(s->inputs[i]);
    kane_tables_free(s->tables);
    kane_arena_free(s->arena);
}

int kane_sweep_case_count(const kane_sweep_study *s)
{
    return s->case_count;
}

int kane_sweep_setting(const kane_sweep_study *s, int index, int axis, size_t size, char *text)
{
    return kane_axis_setting(&s->columns[axis], index, size, text);
}

// --- carrying out ---

// Keeps what became of the cases beyond the life of the plan.
static kane_status take_records(kane_sweep_study *s, const kane_plan *plan, kane_errors *errors)
{
    const size_t values        = (size_t)kane_sweep_value_count(s);
    kane_sweep_record *records = kane_arena_alloc(s->arena, (size_t)s->case_count, sizeof *records);
    double *all                = kane_arena_doubles(s->arena, (size_t)s->case_count * values);
    if (!records || !all) {
        (void)no_memory(errors);
        return KANE_NO_MEMORY;
    }
    for (int i = 0; i < s->case_count; i++) {
        const kane_case *c = kane_plan_case(plan, i);
        double *kept       = memcpy(all + (size_t)i * values, c->values, values * sizeof *all);
        records[i]         = (kane_sweep_record){c->state, kept, c->why[0] ? kane_arena_text(s->arena, c->why) : ""};
    }
    s->records = records;
    if (!kane_arena_failed(s->arena))
        return KANE_OK;
    (void)no_memory(errors);
    return KANE_NO_MEMORY;
}

static kane_status go(kane_sweep_study *s, kane_plan *plan, int *complete, kane_errors *errors)
{
    kane_status status = kane_plan_carry_out(plan, kane_sweep_work, s, errors);
    if (status != KANE_OK || !kane_plan_is_complete(plan))
        return status;
    status = take_records(s, plan, errors);
    if (status == KANE_OK)
        status = kane_sweep_write(s, errors);
    if (status == KANE_OK)
        status = kane_sweep_draw(s, errors);
    *complete = status == KANE_OK;
    return status;
}

kane_status kane_sweep_carry_out(kane_sweep_study *s, const kane_plan_execution *execution, int *complete,
                                 kane_errors *errors)
{
    kane_errors nobody = {0};
    kane_errors *tell  = errors ? errors : &nobody;
    char *content      = kane_sweep_content(s);
    kane_status status = KANE_NO_MEMORY;
    *complete          = 0;
    s->directory       = execution->directory;
    if (!content) {
        (void)no_memory(tell);
        return status;
    }
    const kane_plan_definition definition = {
        .content = content, .case_count = s->case_count, .value_count = kane_sweep_value_count(s)};
    const int before = tell->count;
    kane_plan *plan  = kane_plan_open(&definition, execution, tell);
    if (plan)
        status = go(s, plan, complete, tell);
    else
        status = kane_errors_status(tell, before);
    kane_plan_close(plan);
    free(content);
    return status;
}
