// SPDX-License-Identifier: MIT
// Kinetic energy and that of weight change by the powers of forces, of motions that are given, and of the track alone.

#include "property/mechanism/cases.h"

static int read_energy(const ride *a, double *values)
{
    kane_energy e;
    kane_get_energy(a->model, a->work, &e);
    values[0] = e.kinetic + e.gravity;
    return 1;
}

static void check_balance(ride *a, const char *name, int way)
{
    kane_energy e;
    double energy, rate;
    (void)case_rates(a, 3e-4, read_energy, &energy, &rate);
    kane_get_energy(a->model, a->work, &e);
    const double power = e.power_drive + e.power_elements + e.power_contact;
    // round-off of 1 MJ over the step, and the error of the differences
    const double tolerance = 2e-5 + 1e-9 * (fabs(e.power_drive) + fabs(e.power_elements));
    if (getenv("RIDE_SHOW"))
        print_message("%-40s %d: %.10g %.10g\n", name, way, rate, power);
    if (!(fabs(rate - power) <= check_tolerance(tolerance))) {
        print_error("%s, way %d: energy grows by %.12g W, powers are %.12g W\n", name, way, rate, power);
        fail();
    }
}

CHECK_TEST(energy_changes_by_powers)
{
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    for (int i = 0; i < CASES; i++) {
        static test_case c;
        if (!case_build(&c, i))
            continue;
        for (int way = 0; way < 2 * case_ways(&c); way++) {
            CHECK_END(ride_free) ride a = {0};
            ride_options o              = case_way(way % case_ways(&c));
            o.driven                    = way >= case_ways(&c);
            ride_create(&a, &c.rig, track, o);
            ride_go(&a, 0.1, 1e-3);
            check_balance(&a, c.name, way);
        }
    }
}

CHECK_MAIN(NULL, NULL)
