// SPDX-License-Identifier: MIT
// The study that compares shapes of transitions: a run for each.

#include "study/content.h"

static kane_status no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return KANE_NO_MEMORY;
}

static kane_status read_shapes(comparison *c, const kane_transition_study *study, kane_errors *errors)
{
    const char *const *names = study->shape_count > 0 ? study->shapes : shape_names;
    int count                = study->shape_count;
    while (study->shape_count == 0 && shape_names[count])
        count++;
    shape *shapes = kane_arena_alloc(c->arena, (size_t)count, sizeof *shapes);
    c->record     = kane_arena_alloc(c->arena, (size_t)count, sizeof *c->record);
    if (!shapes || !c->record)
        return no_memory(errors);
    kane_status status = KANE_OK;
    for (int i = 0; i < count && status == KANE_OK; i++)
        status = shape_parse(c->arena, names[i], &shapes[i], errors);
    c->shapes = shapes;
    c->count  = count;
    return status;
}

static void work(int index, kane_case *result, void *data)
{
    comparison_work(data, index, result);
}

static kane_status carry_out(comparison *c, const kane_transition_study *study, const kane_inputs *inputs,
                             int *complete, kane_errors *errors)
{
    content text;
    const kane_plan_definition plan = {.content =
                                           content_begin(&text, "transitions", c, inputs) ? content_end(&text) : NULL,
                                       .case_count  = c->count,
                                       .value_count = c->criteria->count};
    kane_plan *p                    = plan.content ? kane_plan_open(&plan, &study->execution, errors) : NULL;
    if (!plan.content)
        (void)no_memory(errors);
    kane_status status = p ? kane_plan_carry_out(p, work, c, errors) : kane_errors_status(errors, 0);
    if (status == KANE_OK)
        status = kane_inputs_check(inputs, errors);
    if (status == KANE_OK && kane_plan_is_complete(p)) {
        for (int i = 0; i < c->count; i++)
            c->record[i] = kane_plan_case(p, i);
        status    = comparison_write(c, errors);
        *complete = status == KANE_OK;
    }
    kane_plan_close(p);
    content_free(&text);
    return status;
}

// The run as it stands in its files, of which the sections are asked for.
static kane_status compare(comparison *c, const kane_transition_study *study, int *complete, kane_errors *errors)
{
    const trial plain       = {.file = c->file, .common = c->common, .criteria = c->criteria};
    kane_run *run           = trial_read(&plain, errors);
    const kane_track *track = run ? kane_run_get_definition(run)->track : NULL;
    kane_status status      = run ? KANE_OK : kane_errors_status(errors, 0);
    if (run && !track) {
        kane_errors_add(errors, KANE_BAD_INPUT, "%s: a mechanism has no track, and so no transitions", c->file);
        status = KANE_BAD_INPUT;
    }
    if (status == KANE_OK)
        status = shape_find_sections(c->arena, track, study->section_count, study->sections, &c->sections, errors);
    if (status == KANE_OK)
        status = read_shapes(c, study, errors);
    if (status == KANE_OK)
        status = comparison_prepare(c, errors);
    if (status == KANE_OK)
        status = criteria_check(c->criteria, kane_run_get_definition(run), errors);
    kane_inputs *inputs = status == KANE_OK ? kane_inputs_take(kane_run_get_definition(run), errors) : NULL;
    if (inputs)
        status = carry_out(c, study, inputs, complete, errors);
    else if (status == KANE_OK)
        status = KANE_NO_MEMORY;
    kane_inputs_free(inputs);
    kane_run_free(run);
    return status;
}

kane_status kane_study_transitions(const kane_transition_study *study, int *complete, kane_errors *errors)
{
    kane_errors nobody      = {0};
    kane_errors *kept       = errors ? errors : &nobody;
    criteria wanted         = {0};
    kane_run_options common = study->common ? *study->common : (kane_run_options){0};
    kane_tables *tables     = common.tables ? NULL : kane_tables_create(KANE_TABLES_USUAL); // of contacts, for all runs
    comparison c            = {.arena     = kane_arena_create(),
                               .file      = study->file,
                               .directory = study->execution.directory,
                               .common    = &common,
                               .criteria  = &wanted,
                               .highlight = -1};
    kane_status status =
        c.arena ? criteria_parse(&wanted, study->criterion_count, study->criteria, 0, kept) : no_memory(kept);
    *complete = 0;
    if (tables)
        common.tables = tables;
    if (status == KANE_OK)
        status = compare(&c, study, complete, kept);
    criteria_free(&wanted);
    kane_tables_free(tables);
    kane_arena_free(c.arena);
    return status;
}
