// SPDX-License-Identifier: MIT
// What vehicles/two-axle-wagon.md says about the wagon: its static loads, and its modes on straight level track.

#include "property/wagon/linear.h"

enum { COLUMNS = 4 };

static const double pi = 3.14159265358979323846;

static void read_row(const char *name, int count, double *values)
{
    page_row("two-axle-wagon", name, count, values);
}

static wagon resting_wagon(int tare)
{
    static const char *const laden[] = {NULL}, *const empty[] = {"variant=tare", NULL};
    wagon w                        = wagon_read("wagon-transition", tare ? empty : laden);
    w.definition.drive.pieces      = NULL; // constant speed
    w.definition.drive.piece_count = 0;
    w.definition.drive.speed       = 20.0;
    wagon_start(&w);
    return w;
}

CHECK_TEST(static_loads_are_those_of_the_page)
{
    double mass[2], wheel[2], box[2];
    read_row("mass of the body [kg]", 2, mass);
    read_row("wheel on rail", 2, wheel);
    read_row("axle box", 2, box);
    for (int tare = 0; tare < 2; tare++) {
        double load[2];
        CHECK_FREED(wagon) w = resting_wagon(tare);
        check_relative(w.definition.vehicle->bodies[BODY].mass, mass[tare], 0.0);
        for (int j = LEADING; j <= TRAILING; j++) {
            assert_int_equal(kane_model_wheel_load(w.model, j, load), KANE_OK);
            check_relative(load[KANE_LEFT], wheel[tare], 1e-9);
            check_relative(load[KANE_RIGHT], wheel[tare], 1e-9);
        }
        for (int e = 0; e < 4; e++)
            check_relative(-kane_model_static_load(w.model, e).z, box[tare], 1e-9);
    }
}

CHECK_TEST(modes_are_those_of_the_page)
{
    static const char *const modes[] = {"lower sway",
                                        "bounce",
                                        "pitch",
                                        "hunting with body yaw",
                                        "hunting with body roll",
                                        "yaw",
                                        "upper sway",
                                        "wheelsets along the track, opposed",
                                        "wheelsets along the track, together",
                                        "wheelset rolls on its contacts",
                                        "wheelset bounces on its contacts"};
    for (int tare = 0; tare < 2; tare++) {
        double re[LINEAR_STATES_MOST], im[LINEAR_STATES_MOST];
        CHECK_FREED(wagon) w = resting_wagon(tare);
        const int n          = linear_eigenvalues(&w, re, im);
        for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
            double row[COLUMNS];
            read_row(modes[k], COLUMNS, row);
            const double f = row[2 * tare], zeta = row[2 * tare + 1];
            if (!linear_has_mode(n, re, im, f, zeta))
                fail_msg("%s, %s: no eigenvalue of %g Hz and damping ratio %g", modes[k], tare ? "tare" : "laden", f,
                         zeta);
        }
    }
}

// The body on its springs, the contacts below as springs in series; a wheel's mass matters little so low.
CHECK_TEST(the_body_bounces_as_by_hand)
{
    for (int tare = 0; tare < 2; tare++) {
        double row[COLUMNS], mass[2];
        read_row("bounce", COLUMNS, row);
        read_row("mass of the body [kg]", 2, mass);
        const double k = 4.0 * 1.2e6, c = 4.0 * 20e3, omega = sqrt(k / mass[tare]);
        check_relative(row[2 * tare], omega / (2.0 * pi), 1e-3);
        check_relative(row[2 * tare + 1], c / (2.0 * mass[tare] * omega), 5e-3);
    }
}

CHECK_MAIN(NULL, NULL)
