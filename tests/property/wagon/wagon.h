// SPDX-License-Identifier: MIT
// The two-axle wagon from its files, as tests use it.

#ifndef KANE_TESTS_WAGON_H
#define KANE_TESTS_WAGON_H

#include "runs.h"
#include "models.h"

#include "agem/work.h"

typedef struct wagon {
    kane_run *run;
    kane_run_definition definition; // a copy that may be changed before wagon_go
    kane_model *model;
    kane_simulation *simulation;
} wagon;

// Tolerances tight enough to compare formulations.
#define FLEXIBLE "track.flexibility={}" // a panel under each wheelset, of usual values
// A gauge that changes by 8 mm, and a cross level, along the line: sines that grow behind the start of the runs.
#define GAUGE                                                                                                          \
    "track.irregularities={\"sines\":["                                                                                \
    "{\"kind\":\"gauge\",\"amplitude\":0.004,\"wavelength\":10},"                                                      \
    "{\"kind\":\"lateral\",\"amplitude\":0.002,\"wavelength\":14},"                                                    \
    "{\"kind\":\"cross_level\",\"amplitude\":0.003,\"wavelength\":17}],\"fade_in\":{\"from\":16,\"length\":20}}"
#define TIGHT                                                                                                          \
    "integrator.rtol=1e-9", "integrator.atol_position=1e-11 m", "integrator.atol_angle=1e-11 rad",                     \
        "integrator.atol_velocity=1e-10 m/s", "integrator.atol_angular_velocity=1e-10 rad/s"

#define TIGHTER                                                                                                        \
    "integrator.rtol=1e-10", "integrator.atol_position=2e-12 m", "integrator.atol_angle=2e-12 rad",                    \
        "integrator.atol_velocity=2e-11 m/s", "integrator.atol_angular_velocity=2e-11 rad/s"

// Reads a run of data/runs with settings (NULL-terminated).
static inline wagon wagon_read(const char *run, const char *const *settings)
{
    wagon w      = {0};
    w.run        = run_read(run, settings);
    w.definition = *kane_run_get_definition(w.run);
    return w;
}

// The same with settings one by one:   wagon_with("wagon-curve", "start.speed=20", "until.time=5")
#define wagon_with(run, ...) wagon_read((run), (const char *const[]){__VA_ARGS__, NULL})

static inline void wagon_start(wagon *w)
{
    const kane_run_definition *d = &w->definition;
    w->model                     = run_model(d);
    w->simulation                = run_simulation(w->model, d);
}

// Read and started.
static inline wagon wagon_open(const char *run, const char *const *settings)
{
    wagon w = wagon_read(run, settings);
    wagon_start(&w);
    return w;
}

#define wagon_open_with(run, ...) wagon_open((run), (const char *const[]){__VA_ARGS__, NULL})

// The state at time t; 0 if the run has ended before.
static inline int wagon_go(wagon *w, double t)
{
    return run_go(w->simulation, t);
}

static inline void wagon_free(wagon *w)
{
    kane_simulation_free(w->simulation);
    kane_model_free(w->model);
    kane_run_free(w->run);
}

// Relative coordinates of all three bodies, 18 numbers.
static inline void wagon_coordinates(wagon *w, double q[18])
{
    double rates[6];
    const kane_work *work = kane_simulation_work(w->simulation);
    for (int j = 0; j < 3; j++)
        kane_get_relative(w->model, work, j, q + 6 * j, rates);
}

// Vertical force of a wheel on its rail [N], track frame.
static inline double wagon_Q(wagon *w, int body, kane_side side)
{
    double lift;
    const kane_contact_result *c = kane_get_contact(w->model, kane_simulation_work(w->simulation), body, side, &lift);
    return c->on_wheel.force.z;
}

// At some places of a run the Jacobian is the derivative of the equations, within `tolerance` of the rows' largest
// entries.
static inline void wagon_check_jacobian(const char *run, const char *const *settings, double tolerance)
{
    static const double times[] = {0.0, 1.0, 3.1, 3.9, 4.6, 5.2};
    CHECK_FREED(wagon) w        = wagon_read(run, settings);
    wagon_start(&w);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        (void)wagon_go(&w, times[i]);
        (void)run_check_jacobian(w.simulation, w.model, settings[0] ? settings[0] : run, tolerance);
    }
}

// Body numbers of the wagon file.
enum { BODY, LEADING, TRAILING };

// What the drive puts in and gravity gives is in motion, in springs, or has become heat; in the end it moves with
// `faster` times the kinetic energy at least. "output.work=true" is among the settings.
static inline void wagon_check_balance(const char *run, const char *const *settings, double faster)
{
    CHECK_FREED(wagon) w = wagon_read(run, settings);
    kane_energy first, now;
    double heat_before = 0.0;
    wagon_start(&w);
    const int n = kane_model_state_count(w.model);
    kane_get_energy(w.model, kane_simulation_work(w.simulation), &first);
    for (int i = 1, more = 1; more; i++) {
        more               = wagon_go(&w, 0.5 * i);
        const double *work = kane_simulation_state(w.simulation) + n;
        kane_get_energy(w.model, kane_simulation_work(w.simulation), &now);
        const double gained = now.kinetic + now.gravity - first.kinetic - first.gravity;
        check_near(gained, work[0] + work[1] + work[2], 1e-9 * first.kinetic);
        const double heat = -(work[1] + work[2]) - (now.elements + now.contact - first.elements - first.contact);
        assert_true(heat >= heat_before - 1e-9 * first.kinetic);
        heat_before = heat;
    }
    assert_true(heat_before > 0.0 && now.kinetic > faster * first.kinetic);
}

// Where a wagon's run ends.
typedef struct wagon_end {
    double t, q[18]; // relative coordinates of its bodies
    kane_stop stop;
} wagon_end;

static inline wagon_end wagon_run_to_end(wagon *w)
{
    wagon_end end;
    wagon_start(w);
    (void)wagon_go(w, 100.0);
    end.t    = kane_simulation_time(w->simulation);
    end.stop = kane_simulation_stop(w->simulation);
    wagon_coordinates(w, end.q);
    wagon_free(w);
    return end;
}

// Spin angles are left out: no error test sees them.
static inline double wagon_ends_differ(const wagon_end *a, const wagon_end *b)
{
    double most = fabs(a->t - b->t);
    for (int k = 0; k < 18; k++)
        if (k % 6 != KANE_PITCH || k < 6)
            most = fmax(most, fabs(a->q[k] - b->q[k]));
    return most;
}

// No model can be made of the run; this is among the reason.
static inline void wagon_check_refusal(const char *run, const char *const *settings, const char *reason)
{
    CHECK_ERRORS errors = {0};
    wagon w             = wagon_read(run, settings);
    w.model =
        kane_model_create(w.definition.vehicle, w.definition.track, &w.definition.drive, &w.definition.model, &errors);
    assert_null(w.model);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, reason));
    kane_run_free(w.run);
}

#endif
