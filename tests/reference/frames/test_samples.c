// SPDX-License-Identifier: MIT
// The mechanisms in moving frames that libkane ships, from their files, against the closed forms of docs/mechanisms.md.

#include "runs.h"
#include "models.h"

#include "property/frames/composed.h"
#include "results/results.h"

#include <complex.h>

enum { MOST_CHANNELS = 8 };

static kane_results *carry_out(const char *name, const char *const *settings, int count, const char *const *channels)
{
    char file[512];
    kane_outcome outcome;
    (void)snprintf(file, sizeof file, "%s/data/runs/mechanism-%s.json", KANE_SOURCE_DIR, name);
    CHECK_OWNED(kane_run) *run = run_read(file, settings);
    kane_results *results = CHECK_GOOD(kane_run_to_memory, kane_run_get_definition(run), count, channels, &outcome);
    return results;
}

static const double *column(const kane_results *results, const char *name)
{
    for (int c = 0; c < kane_results_column_count(results); c++)
        if (strcmp(kane_results_column(results, c)->name, name) == 0)
            return kane_results_values(results, c);
    fail_msg("there is no column %s", name);
    return NULL;
}

// exp(i angle)
static double complex turn(double angle)
{
    return cexp(csqrt(-1.0) * angle);
}

// z = x + i y in the table's axes: z'' + 2 i W z' + (n^2 - W^2) z = n^2 r. It swings about n^2 r/(n^2 - W^2) with n - W
// and n + W.
static double complex turning_mass(double t)
{
    const double n = 5.0, W = 2.0, r = 0.5, rest = n * n * r / (n * n - W * W), off = r - rest;
    const double complex swing = 0.5 / n * ((n + W) * turn(n * t) + (n - W) * turn(-n * t));
    return rest + off * turn(-W * t) * swing;
}

CHECK_TEST(the_mass_on_the_turntable_swings_with_two_frequencies)
{
    static const char *const channels[] = {"mass.x", "mass.y", "mass.z"};
    static const char *const fine[]     = {"integrator.rtol=1e-10", "integrator.atol_position=1e-11 m",
                                           "integrator.atol_velocity=1e-11", NULL};
    CHECK_OWNED(kane_results) *results  = carry_out("turntable", fine, 3, channels);
    const double *t = column(results, "time"), *x = column(results, "mass.x"), *y = column(results, "mass.y");
    for (int k = 0; k < kane_results_row_count(results); k++) {
        const double complex z = turning_mass(t[k]);
        check_near(x[k], creal(z), 1e-7);
        check_near(y[k], cimag(z), 1e-7);
        check_near(column(results, "mass.z")[k], 0.0, 1e-9);
    }
}

CHECK_TEST(the_turntable_has_the_frequencies_of_its_springs_less_and_more_its_own)
{
    static const double expected[3] = {3.0, 5.0, 7.0};
    const char *const file          = KANE_SOURCE_DIR "/data/runs/mechanism-turntable.json";
    CHECK_OWNED(kane_run) *run      = run_read(file, NULL);
    CHECK_OWNED(kane_steady) *steady =
        CHECK_GOOD(kane_steady_create, kane_run_get_definition(run), &(kane_steady_definition){0});
    double q[KANE_COORDINATES], rates[KANE_COORDINATES];
    kane_get_relative(kane_steady_model(steady), kane_steady_work(steady), 0, q, rates);
    check_near(q[KANE_X], 25.0 * 0.5 / 21.0, 1e-12);
    CHECK_OWNED(kane_linear) *linear = CHECK_GOOD(kane_linear_create, kane_steady_model(steady),
                                                  kane_steady_work(steady), 0.0, kane_steady_state(steady));
    CHECK_OWNED(kane_modes) *modes   = CHECK_GOOD(kane_modes_create, linear, KANE_MODES_COMPLETE);
    for (int i = 0; i < 3; i++)
        check_near(fabs(kane_modes_get(modes, i)->im), expected[i], 1e-9);
}

// The bob swings in the plane y = 0 of A; the platform sees that plane turn backwards, once in a minute.
CHECK_TEST(foucaults_pendulum_swings_in_a_plane_of_A)
{
    static const char *const channels[] = {"bob.x", "bob.y", "bob.z", "bob.place.*"};
    static const char *const fine[]     = {"integrator.rtol=1e-11", "integrator.atol_angle=1e-12 rad", NULL};
    const double W                      = 6.0 * acos(-1.0) / 180.0;
    CHECK_OWNED(kane_results) *results  = carry_out("foucault", fine, 4, channels);
    const double *t = column(results, "time"), *x = column(results, "bob.x"), *y = column(results, "bob.y");
    double farthest = 0.0;
    for (int k = 0; k < kane_results_row_count(results); k++) {
        const double X = column(results, "bob.place.x")[k];
        farthest       = fmax(farthest, fabs(X));
        check_near(column(results, "bob.place.y")[k], 0.0, 1e-6);
        check_near(x[k], X * cos(W * t[k]), 1e-6);
        check_near(y[k], -X * sin(W * t[k]), 1e-6);
        check_near(hypot(X, column(results, "bob.place.z")[k]), hypot(0.8, 4.0), 1e-6);
    }
    check_near(farthest, 0.8, 1e-3);
}

// With roll phi = f sin(v t) the hook h over the ship's axis moves by -h phi, and the angle b of the rope in A obeys
// (m L^2 + J) b'' + m g L b = m L h phi'':  b = f m L h v^2/((m L^2 + J) v^2 - m g L) sin(v t).
CHECK_TEST(the_load_of_a_rolling_crane_swings_as_a_forced_pendulum)
{
    static const char *const channels[] = {"load.place.*"}, *const rolling[] = {"variant=rolling", NULL};
    const double f = 3.0 * acos(-1.0) / 180.0, v = 0.7, h = 20.0, L = 10.0, m = 2000.0, J = 300.0;
    const double b                     = f * m * L * h * v * v / ((m * L * L + J) * v * v - m * 9.81 * L);
    CHECK_OWNED(kane_results) *results = carry_out("ship-crane", rolling, 1, channels);
    const double *t = column(results, "time"), *y = column(results, "load.place.y");
    for (int k = 0; k < kane_results_row_count(results); k++) {
        const double sway = (-h * f + L * b) * sin(v * t[k]);
        check_near(y[k], sway, 0.02 * fabs(-h * f + L * b)); // for small angles
        check_near(column(results, "load.place.x")[k], 0.0, 1e-9);
    }
}

CHECK_MAIN(NULL, NULL)
