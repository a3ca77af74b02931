// SPDX-License-Identifier: MIT
// Journeys of the wagon that are judged by how they were integrated: do they arrive, is everything finite, how many
// steps does it take, and how short are they?

#ifndef KANE_TESTS_JOURNEY_H
#define KANE_TESTS_JOURNEY_H

#include "property/wagon/wagon.h"

#define CONTACT "vehicle.patterns.wheelset.contact."

typedef struct journey {
    kane_stop stop;
    char subject[96];
    double time, distance;       // [s], [m]
    kane_statistics statistics;  //
    long crowd;                  // most steps in 5 ms
    double shortest;             // of the steps seen every 5 ms, the first .1 s aside [s]
    double least, most;          // vertical force of a wheel [N]
    double in_the_air;           // wheels without force, summed up [s]
    double swing;                // largest shift of a wheelset [m] ...
    double late_swing;           // ... in the last second
    uint64_t fingerprint;        // of the last state
    double gained, work, losses; // energy: kinetic, gravity and contact; work of all; work of the contacts [J]
} journey;

static inline uint64_t fingerprint_of(const double *y, int n)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < (size_t)n * sizeof *y; i++)
        h = (h ^ ((const unsigned char *)y)[i]) * 1099511628211u;
    return h;
}

static inline void journey_look(wagon *w, double dt, double late, journey *j)
{
    double q[KANE_COORDINATES], rates[KANE_COORDINATES];
    const kane_work *work = kane_simulation_work(w->simulation);
    const double *y       = kane_simulation_state(w->simulation);
    for (int i = 0; i < kane_model_state_count(w->model); i++)
        assert_true(isfinite(y[i]));
    for (int wheel = 0; wheel < 4; wheel++) {
        const double Q = wagon_Q(w, wheel < 2 ? LEADING : TRAILING, wheel % 2);
        assert_true(isfinite(Q));
        j->least = fmin(j->least, Q);
        j->most  = fmax(j->most, Q);
        j->in_the_air += Q == 0.0 ? dt : 0.0;
    }
    for (int body = LEADING; body <= TRAILING; body++) {
        kane_get_relative(w->model, work, body, q, rates);
        j->swing = fmax(j->swing, fabs(q[KANE_Y]));
        if (kane_simulation_time(w->simulation) > late)
            j->late_swing = fmax(j->late_swing, fabs(q[KANE_Y]));
    }
}

static inline void journey_count(const wagon *w, journey *j)
{
    const long before = j->statistics.steps;
    kane_simulation_statistics(w->simulation, &j->statistics);
    if (j->statistics.steps > before && kane_simulation_time(w->simulation) > 0.1) {
        j->crowd    = j->statistics.steps - before > j->crowd ? j->statistics.steps - before : j->crowd;
        j->shortest = fmin(j->shortest, j->statistics.last_step);
    }
}

// Carries out a run of data/runs with settings until it ends; whatever ends it, it must not be a failure.
static inline journey journey_make(const char *run, const char *const *settings)
{
    const double dt      = 0.005;
    CHECK_FREED(wagon) w = wagon_read(run, settings);
    const double v       = w.definition.drive.speed;
    journey j            = {.shortest = 1.0, .least = HUGE_VAL};
    double s, speed, a, s0;
    kane_energy first, last;
    wagon_start(&w);
    kane_get_travel(kane_simulation_work(w.simulation), &s0, &speed, &a);
    kane_get_energy(w.model, kane_simulation_work(w.simulation), &first);
    for (int i = 1, more = 1; more; i++) {
        more = wagon_go(&w, dt * i);
        journey_count(&w, &j);
        journey_look(&w, dt, w.definition.conditions.distance / v - 1.0, &j);
    }
    kane_get_travel(kane_simulation_work(w.simulation), &s, &speed, &a);
    kane_get_energy(w.model, kane_simulation_work(w.simulation), &last);
    const int n     = kane_model_state_count(w.model);
    const double *y = kane_simulation_state(w.simulation);
    j.stop          = kane_simulation_stop(w.simulation);
    j.time          = kane_simulation_time(w.simulation);
    j.distance      = s - s0;
    j.fingerprint   = fingerprint_of(y, n);
    j.gained        = last.kinetic + last.gravity + last.contact - first.kinetic - first.gravity - first.contact;
    if (w.definition.settings.energy) {
        j.work   = y[n] + y[n + 1] + y[n + 2] + y[n + 3];
        j.losses = y[n + 2];
    }
    (void)snprintf(j.subject, sizeof j.subject, "%s", kane_simulation_stop_subject(w.simulation));
    return j;
}

static inline void journey_print(const char *what, const journey *j)
{
    print_message(
        "%-34s %-10s %5.1f m %6ld steps %5.1f/m, most in 5 ms %3ld, shortest %.1e s; swing %4.1f mm, Q %4.0f .. "
        "%4.0f kN, %.3f s in the air\n",
        what, kane_stop_name(j->stop), j->distance, j->statistics.steps, (double)j->statistics.steps / j->distance,
        j->crowd, j->shortest, 1e3 * j->swing, 1e-3 * j->least, 1e-3 * j->most, j->in_the_air);
}

#endif
