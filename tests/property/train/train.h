// SPDX-License-Identifier: MIT
// Trains from files that a test writes into a folder of its own.

#ifndef KANE_TESTS_TRAIN_H
#define KANE_TESTS_TRAIN_H

#include "runs.h"
#include "folder.h"
#include "models.h"

#include "unit/run/typed.h"

#include <sys/stat.h>
#include <unistd.h>

typedef struct rake {
    kane_run *run;
    kane_run_definition definition; // a copy that may be changed before rake_start
    kane_model *model;
    kane_work *work;
    kane_simulation *simulation;
    double *y, *ydot;
} rake;

// Reads run.json with settings (NULL-terminated, or NULL) and kinds of rows (likewise).
static inline rake rake_read_with(const char *const *settings, const kane_rows_kind *const *rows)
{
    rake r       = {0};
    r.run        = run_read("run.json", settings, .rows = rows);
    r.definition = *kane_run_get_definition(r.run);
    return r;
}

static inline rake rake_read(const char *const *settings)
{
    return rake_read_with(settings, NULL);
}

// Model and state at the start, not yet evaluated.
static inline void rake_start(rake *r)
{
    CHECK_ERRORS errors          = {0};
    const kane_run_definition *d = &r->definition;
    r->model                     = run_model(d);
    r->work                      = kane_work_create(r->model, &errors);
    r->y                         = calloc((size_t)kane_model_state_count(r->model), sizeof *r->y);
    r->ydot                      = calloc((size_t)kane_model_state_count(r->model), sizeof *r->ydot);
    assert_true(r->work && r->y && r->ydot);
    assert_int_equal(kane_initial_state(r->model, r->work, r->y, &errors), KANE_OK);
}

static inline void rake_evaluate(rake *r)
{
    assert_int_equal(kane_eval(r->model, r->work, 0.0, r->y, r->ydot), KANE_OK);
    kane_observe(r->model, r->work);
}

static inline void rake_simulate(rake *r)
{
    r->simulation = CHECK_GOOD(kane_simulation_create, r->model, &r->definition.settings, &r->definition.conditions);
}

static inline void rake_go(rake *r, double t)
{
    assert_int_equal(CHECK_GOOD(kane_simulation_advance, r->simulation, t), KANE_OK);
    assert_true(kane_simulation_time(r->simulation) == t);
}

static inline void rake_free(rake *r)
{
    kane_simulation_free(r->simulation);
    kane_work_free(r->work);
    kane_model_free(r->model);
    kane_run_free(r->run);
    free(r->y);
    free(r->ydot);
}

static inline int rake_body(const rake *r, const char *name)
{
    const int j = kane_model_find_body(r->model, name);
    if (j < 0)
        fail_msg("there is no body '%s'", name);
    return j;
}

static inline int rake_element(const rake *r, const char *name)
{
    const kane_vehicle_definition *d = r->definition.vehicle;
    for (int e = 0; e < d->element_count; e++)
        if (strcmp(d->elements[e].block.name, name) == 0)
            return e;
    fail_msg("there is no element '%s'", name);
    return -1;
}

// Writes a file from a format with one text in it: the folder of the sources.
static inline void rake_write(const char *name, const char *format)
{
    char text[8192];
    const char *at = strstr(format, "SOURCES");
    if (at)
        (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - format), format, KANE_SOURCE_DIR,
                       at + strlen("SOURCES"));
    else
        (void)snprintf(text, sizeof text, "%s", format);
    write_file(name, text);
}

// Carts of 20 t that can only move along the track, coupled by springs of 5 MN/m and dampers.
static inline void rake_write_carts(void)
{
    rake_write("cart.json",
               "{ \"kane\": \"vehicle 1\", \"reference_body\": \"body\", \"bodies\": { \"body\": { \"mass\": 2e4,"
               " \"inertia\": [1e4, 1e5, 1e5], \"at\": [0, 0, 1], \"dof\": [\"x\"] } } }");
    rake_write(
        "train.json",
        "{ \"kane\": \"train 1\", \"vehicles\": { \"cart\": { \"file\": \"cart.json\", \"length\": 10, \"count\": 5 } },"
        " \"couplers\": { \"spring\": { \"law\": \"bushing\", \"height\": 1, \"stiffness\": [5e6, 0, 0] } } }");
}

static const double cart_mass = 2e4, spring_stiffness = 5e6;

#endif
