// SPDX-License-Identifier: MIT
// Runs of files, as far as a test needs them: what is read, its model, its simulation, its rows. Errors end the test.

#ifndef KANE_TESTS_RUNS_H
#define KANE_TESTS_RUNS_H

#include "errors.h"

// A file, or what is called data/runs/NAME.json; then settings (NULL-terminated, or NULL) and members of
// kane_run_options:   run_read("wagon-curve", settings, .omit = omissions)
#define run_read(name, ...) run_read_with((name), &(kane_run_options){.settings = __VA_ARGS__})

static inline kane_run *run_read_with(const char *name, const kane_run_options *options)
{
    char file[1024];
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, name);
    return CHECK_GOOD(kane_run_read, strstr(name, ".json") ? name : file, options);
}

static inline kane_model *run_model(const kane_run_definition *d)
{
    return CHECK_GOOD(kane_model_create, d->vehicle, d->track, &d->drive, &d->model);
}

static inline kane_simulation *run_simulation(const kane_model *model, const kane_run_definition *d)
{
    return CHECK_GOOD(kane_simulation_create, model, &d->settings, &d->conditions);
}

// On to a time, before which the run may have ended: then 0.
static inline int run_go(kane_simulation *simulation, double t)
{
    assert_int_equal(CHECK_GOOD(kane_simulation_advance, simulation, t), KANE_OK);
    return kane_simulation_time(simulation) == t;
}

// All rows of what `count` patterns name, of a run that must succeed.
static inline kane_results *run_rows(const kane_run_definition *d, int count, const char *const *patterns)
{
    kane_outcome outcome;
    kane_results *results = CHECK_GOOD(kane_run_to_memory, d, count, patterns, &outcome);
    assert_int_equal(outcome.status, KANE_OK);
    return results;
}

// The Jacobian of the integrator where it is, against differences: each within `tolerance` of the largest of its row.
// Returns the number of entries; `what` names the case where they differ.
static inline int run_check_jacobian(kane_simulation *simulation, const kane_model *model, const char *what,
                                     double tolerance)
{
    double difference;
    int row, column, entries;
    char of[64], by[64];
    assert_int_equal(CHECK_GOOD(kane_simulation_check_jacobian, simulation, &difference, &row, &column, &entries),
                     KANE_OK);
    kane_state_name(model, row, sizeof of, of);
    kane_state_name(model, column, sizeof by, by);
    if (getenv("KANE_SHOW"))
        print_message("%s, %g s: %g at d(%s)/d(%s)\n", what, kane_simulation_time(simulation), difference, of, by);
    check_figure(difference, "of the row");
    if (!(difference <= check_tolerance(tolerance)))
        fail_msg("%s, at %g s: d(%s)/d(%s) differs by %g of its row", what, kane_simulation_time(simulation), of, by,
                 difference);
    return entries;
}

#endif
