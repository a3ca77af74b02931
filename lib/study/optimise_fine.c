// SPDX-License-Identifier: MIT
// The fine check of an optimisation: the best shape beside the standard ones, with narrow tolerances and dense rows.

#include "study/optimise.h"

#include "plan/pool.h"

#include <math.h>
#include <string.h>

// Tolerances and rows of the fine check.
static const char *const fine_settings[] = {"integrator.rtol=1e-8",          "integrator.position=1e-10 m",
                                            "integrator.angle=1e-10 rad",    "integrator.speed=1e-8 m/s",
                                            "integrator.turning=1e-8 rad/s", "output.every=1 ms"};
enum { FINE_SETTINGS = sizeof fine_settings / sizeof *fine_settings };

static kane_status no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return KANE_NO_MEMORY;
}

static void check_shape(int index, void *data)
{
    optimisation *o = data;
    double values[OPTIMISATION_VALUES];
    kane_case result = optimisation_blank(values);
    const int at     = optimisation_fine_case(o, index);
    kane_lock_take(&o->lock);
    const int is_open = kane_plan_case(o->plan, at)->state == KANE_CASE_OPEN && !o->is_stopped;
    kane_lock_give(&o->lock);
    if (!is_open)
        return;
    comparison_work(&o->check, index, &result);
    kane_lock_take(&o->lock);
    (void)optimisation_record(o, at, &result);
    kane_lock_give(&o->lock);
}

// The settings of the runs of the fine check: those of all, and finer ones.
static const kane_run_options *fine_options(optimisation *o)
{
    const kane_run_options *given = &o->common;
    int count                     = 0;
    while (given->settings && given->settings[count])
        count++;
    const char **settings  = kane_arena_alloc(o->arena, (size_t)(count + FINE_SETTINGS + 1), sizeof *settings);
    kane_run_options *fine = kane_arena_alloc(o->arena, 1, sizeof *fine);
    if (!settings || !fine)
        return NULL;
    *fine = *given;
    for (int i = 0; i < count; i++)
        settings[i] = given->settings[i];
    memcpy(settings + count, fine_settings, sizeof fine_settings);
    fine->settings = settings;
    return fine;
}

// The shapes that the best one is compared with, and its place behind them: at first the lowest one of the family.
static kane_status read_shapes(optimisation *o, shape *shapes, int known)
{
    kane_status status = KANE_OK;
    for (int i = 0; i < known && status == KANE_OK; i++)
        status = shape_parse(o->arena, shape_names[i], &shapes[i], o->errors);
    const double none[KANE_FAMILY_UNKNOWNS_MOST] = {0.0};
    o->best_shape                                = &shapes[known];
    *o->best_shape                               = (shape){.name = "optimised", .kind = KANE_POLYNOMIAL, .height = NAN};
    o->best_shape->coefficient_count = kane_family_coefficients(&o->asked->family, none, o->best_shape->coefficients);
    return status;
}

kane_status optimisation_prepare_check(optimisation *o)
{
    int known = 0;
    while (shape_names[known])
        known++;
    const kane_run_options *fine = fine_options(o);
    shape *shapes                = kane_arena_alloc(o->arena, (size_t)known + 1, sizeof *shapes);
    const kane_case **record     = kane_arena_alloc(o->arena, (size_t)known + 1, sizeof *record);
    if (!shapes || !fine || !record)
        return no_memory(o->errors);
    o->check                 = (comparison){.arena       = o->arena,
                                            .file        = o->asked->file,
                                            .directory   = o->asked->execution.directory,
                                            .common      = fine,
                                            .criteria    = &o->wanted,
                                            .is_weighted = o->wanted.count > 1 || o->wanted.weight[0] != 1.0,
                                            .sections    = o->section,
                                            .highlight   = known,
                                            .count       = known + 1,
                                            .shapes      = shapes,
                                            .record      = record};
    const kane_status status = read_shapes(o, shapes, known);
    return status == KANE_OK ? comparison_prepare(&o->check, o->errors) : status;
}

kane_status optimisation_check_finely(optimisation *o)
{
    (void)kane_family_coefficients(&o->asked->family, o->starts[o->best].best, o->best_shape->coefficients);
    kane_status status = comparison_prepare(&o->check, o->errors);
    if (status != KANE_OK)
        return status;
    kane_pool_run(o->asked->execution.workers, o->check.count, check_shape, o);
    if (o->is_stopped)
        return o->errors->count > 0 ? o->errors->kept[0].status : KANE_INTERRUPTED;
    for (int i = 0; i < o->check.count; i++)
        o->check.record[i] = kane_plan_case(o->plan, optimisation_fine_case(o, i));
    return comparison_write(&o->check, o->errors);
}
