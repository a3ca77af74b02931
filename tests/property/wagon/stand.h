// SPDX-License-Identifier: MIT
// Vehicles in equilibrium, as tests use them.

#ifndef KANE_TESTS_STAND_H
#define KANE_TESTS_STAND_H

#include "wagon.h"

#include <kane/steady.h>

typedef struct stand {
    kane_run *run;
    const kane_run_definition *definition;
    kane_steady *steady; // NULL: there is none; errors say why
    const kane_model *model;
    kane_errors errors;
} stand;

// radius: positive to the left, INFINITY: straight; cant: of the outer rail [m].
static inline stand stand_try(const char *run, const char *const *settings, double speed, double radius, double cant)
{
    stand s                            = {0};
    const kane_run_options how         = {.settings = settings};
    const kane_steady_definition where = {speed, 1.0 / radius, copysign(1.0, radius) * cant, 0};
    char file[512];
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, run);
    s.run = kane_run_read(file, &how, &s.errors);
    check_no_errors(&s.errors);
    s.definition = kane_run_get_definition(s.run);
    s.steady     = kane_steady_create(s.definition, &where, &s.errors);
    s.model      = s.steady ? kane_steady_model(s.steady) : NULL;
    return s;
}

static inline stand stand_at(const char *run, const char *const *settings, double speed, double radius, double cant)
{
    stand s = stand_try(run, settings, speed, radius, cant);
    check_no_errors(&s.errors);
    return s;
}

static inline void stand_free(stand *s)
{
    kane_steady_free(s->steady);
    kane_run_free(s->run);
}

// Coordinates of a body relative to its track frame.
static inline void stand_place(stand *s, int body, double q[6])
{
    double rates[6];
    kane_get_relative(s->model, kane_steady_work(s->steady), body, q, rates);
}

// Force of a rail on a wheel, section axes.
static inline kane_vec3 stand_force(stand *s, int body, kane_side side)
{
    double lift;
    return kane_get_contact(s->model, kane_steady_work(s->steady), body, side, &lift)->on_wheel.force;
}

// A simulation of the same model from a state.
static inline kane_simulation *stand_go(stand *s, const double *y)
{
    CHECK_ERRORS errors              = {0};
    const kane_conditions conditions = {0};
    kane_simulation *simulation = CHECK_GOOD(kane_simulation_create, s->model, &s->definition->settings, &conditions);
    if (y)
        assert_int_equal(kane_simulation_start_from(simulation, 0.0, y, &errors), KANE_OK);
    check_no_errors(&errors);
    return simulation;
}

#endif
