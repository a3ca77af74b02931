// SPDX-License-Identifier: MIT
// A run in steps of fixed cost, exported and by libkane.

#ifndef KANE_TESTS_EXPORT_STEPS_H
#define KANE_TESTS_EXPORT_STEPS_H

#include "walk.h"

#include "simulate/stepper_run.h"

static inline void export_steps(const char *run, const char *const *settings, const char *folder_name)
{
    const kane_export_c_options options = {
        .directory = folder_name, .name = "m", .kernels = KANE_SOURCE_DIR, .settings = settings, .stepper = 1};
    (void)CHECK_GOOD(kane_export_c, source_file(run), &options);
}

// The run by libkane: as "kane run" carries it out, and by its stepper.
typedef struct by_libkane {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_arena *arena;
    kane_channels *channels;
    kane_fixed_run *steps;
    int size, outputs;
    double h;
} by_libkane;

static inline by_libkane open_run(const char *run, const char *const *settings)
{
    by_libkane k                 = {.run = run_read(source_file(run), settings), .arena = kane_arena_create()};
    k.model                      = CHECK_GOOD(kane_run_create_model, k.run);
    const kane_run_definition *d = kane_run_get_definition(k.run);
    k.simulation                 = CHECK_GOOD(kane_simulation_create, k.model, &d->settings, &d->conditions);
    k.channels =
        CHECK_GOOD(kane_channels_create_model, k.model, d->output.pattern_count, d->output.patterns, d->output.places);
    k.steps   = CHECK_GOOD(kane_fixed_run_create, k.arena, k.model, &d->settings, k.channels,
                           kane_simulation_time(k.simulation), kane_simulation_state(k.simulation), k.simulation->work);
    k.size    = kane_model_state_count(k.model);
    k.outputs = kane_channels_count(k.channels);
    k.h       = d->settings.step;
    return k;
}

static inline void close_run(by_libkane *k)
{
    kane_fixed_run_free(k->steps);
    kane_channels_free(k->channels);
    kane_simulation_free(k->simulation);
    kane_model_free(k->model);
    kane_run_free(k->run);
    kane_arena_free(k->arena);
}

#endif
