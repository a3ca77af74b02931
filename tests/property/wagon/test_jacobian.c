// SPDX-License-Identifier: MIT
// The Jacobian of a whole wagon, wheels on rails included, is the derivative of its equations, in the transition and in
// the curve, in all formulations. What is left is of the contact's differences (kane_contact_derive).

#include "property/wagon/wagon.h"

#define CONES "vehicle.patterns.wheelset.profile=cone", "track.rail.profile=round"

static void check_on_the_way(const char *run, const char *const *settings, double tolerance)
{
    static const double times[] = {0.0, 1.0, 3.1, 3.9, 4.6, 5.2};
    wagon w                     = wagon_read(run, settings);
    wagon_start(&w);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double difference;
        int row, column, entries;
        kane_errors errors = {0};
        char of[64], by[64];
        (void)wagon_go(&w, times[i]);
        assert_int_equal(kane_simulation_check_jacobian(w.simulation, &difference, &row, &column, &entries, &errors),
                         KANE_OK);
        kane_state_name(w.model, row, sizeof of, of);
        kane_state_name(w.model, column, sizeof by, by);
        if (!(difference < check_tolerance(tolerance)))
            fail_msg("%s at %g s: d(%s)/d(%s) differs by %g of its row", run, times[i], of, by, difference);
    }
    wagon_free(&w);
}

static void with_cones_it_is_the_derivative(void **state)
{
    const char *const moving[] = {CONES, NULL}, *const fixed[] = {CONES, "formulation=fixed", NULL};
    (void)state;
    check_on_the_way("wagon-transition", moving, 2e-5);
    check_on_the_way("wagon-transition", fixed, 2e-5);
    check_on_the_way("wagon-driven", moving, 2e-5);
    check_on_the_way("wagon-driven", fixed, 2e-5);
}

static void with_profiles_it_is_the_derivative(void **state)
{
    const char *const moving[] = {NULL}, *const fixed[] = {"formulation=fixed", NULL};
    (void)state;
    check_on_the_way("wagon-transition", moving, 5e-5);
    check_on_the_way("wagon-transition", fixed, 5e-5);
}

// Below 0.1 rad/s brakes fade, which is the only place where they depend on the spin. The column of v is of differences,
// and slow wheels are far from linear.
static void with_fading_brakes_it_is_the_derivative(void **state)
{
    const char *const settings[] = {
        CONES, "start.speed=0.02",
        "drive={\"brake\":{\"kind\":\"brake\",\"on\":\"leading\",\"reaction\":\"body\",\"torque\":[\"100 N m\"]}}",
        NULL};
    (void)state;
    check_on_the_way("wagon-driven", settings, 1e-4);
}

static void on_flexible_track_it_is_the_derivative(void **state)
{
    const char *const moving[] = {CONES, "track.flexibility={}", NULL};
    const char *const fixed[] = {CONES, "track.flexibility={}", "formulation=fixed", NULL}, *const rough[] = {CONES,
                                                                                                              NULL};
    (void)state;
    check_on_the_way("wagon-transition", moving, 2e-5);
    check_on_the_way("wagon-transition", fixed, 2e-5);
    check_on_the_way("wagon-driven", moving, 2e-5);
    check_on_the_way("wagon-driven", fixed, 2e-5);
    check_on_the_way("wagon-flexible", rough, 5e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_cones_it_is_the_derivative),
        cmocka_unit_test(with_profiles_it_is_the_derivative),
        cmocka_unit_test(with_fading_brakes_it_is_the_derivative),
        cmocka_unit_test(on_flexible_track_it_is_the_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
