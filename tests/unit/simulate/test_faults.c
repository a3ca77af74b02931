// SPDX-License-Identifier: MIT
// A run that fails names body or element, time and place, and keeps what it has reached.

#include "property/wagon/wagon.h"

typedef enum mischief { NOT_A_NUMBER, TRY_AGAIN, FATAL } mischief;

static mischief plan;
static const char *method = "integrator.method=bdf";
static double patience    = 0.5;

// Behaves for half a second.
static int eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    (void)law;
    if (r->t < patience)
        return 0;
    on_b->force.y = plan == NOT_A_NUMBER ? (double)NAN : 0.0;
    return plan == TRY_AGAIN ? 1 : plan == FATAL ? -1 : 0;
}

static const kane_law law = {.name = "gremlin", .help = "For tests.", .eval = eval};

// Starts the wagon with a gremlin between body and leading wheelset.
static wagon start(void)
{
    static kane_element_definition elements[8];
    static kane_vehicle_definition vehicle;
    wagon w = wagon_with("wagon-transition", method);
    vehicle = *w.definition.vehicle;
    assert_int_equal(vehicle.element_count, 4);
    memcpy(elements, vehicle.elements, 4 * sizeof *elements);
    elements[4]           = (kane_element_definition){.block   = {"gremlin", NULL},
                                                      .law     = &law,
                                                      .between = {"body", "leading"},
                                                      .at      = {{4.5, 0.0, 1.0}, {4.5, 0.0, 0.46}},
                                                      .axes    = km3_identity()};
    vehicle.elements      = elements;
    vehicle.element_count = 5;
    w.definition.vehicle  = &vehicle;
    wagon_start(&w);
    return w;
}

// Runs it into its failure.
static void fail_by(mischief how, const char *subject, const char *text)
{
    plan                 = how;
    CHECK_FREED(wagon) w = start();
    CHECK_ERRORS errors  = {0};
    assert_int_equal(kane_simulation_advance(w.simulation, 2.0, &errors), KANE_INTEGRATION_FAILED);
    assert_int_equal(kane_simulation_stop(w.simulation), KANE_STOP_FAILED);
    assert_true(errors.count >= 1);
    assert_string_equal(kane_errors_get(&errors, 0)->subject, subject);
    assert_string_equal(kane_errors_get(&errors, 0)->text, text);
    check_near(kane_errors_get(&errors, 0)->time, 0.5, 0.2);
    check_near(kane_errors_get(&errors, 0)->distance, 10.0 + 15.0 * 0.5, 4.0);
    const double t = kane_simulation_time(w.simulation); // the last good state
    assert_true(t > 0.3 && t <= 0.5);
    assert_true(isfinite(kane_simulation_state(w.simulation)[0]));
}

CHECK_TEST(a_force_that_is_not_finite_names_its_body)
{
    fail_by(NOT_A_NUMBER, "body", "its acceleration is not finite");
}

CHECK_TEST(a_law_that_cannot_be_evaluated_is_named)
{
    fail_by(TRY_AGAIN, "gremlin", "its law cannot be evaluated");
    fail_by(FATAL, "gremlin", "its law cannot be evaluated");
}

CHECK_TEST(other_methods_name_the_same)
{
    method = "integrator.method=bdf_alpha";
    a_force_that_is_not_finite_names_its_body(state);
    a_law_that_cannot_be_evaluated_is_named(state);
    method = "integrator.method=bdf";
}

// A state that was reached, but cannot be evaluated once more, has no values; nobody takes the last ones for them.
CHECK_TEST(what_cannot_be_evaluated_has_no_values)
{
    static const char *const force[] = {"leading.left.Q"}, *const place[] = {"body.y"};
    CHECK_ERRORS errors = {0};
    double value        = 1.0;
    for (int i = 0; i < 3; i++) {
        plan                 = (mischief)i;
        patience             = 0.5;
        CHECK_FREED(wagon) w = start();
        assert_int_equal(CHECK_GOOD(kane_simulation_advance, w.simulation, 0.3), KANE_OK);
        CHECK_OWNED(kane_channels) *forces = CHECK_GOOD(kane_channels_create, w.simulation, 1, force, NULL);
        CHECK_OWNED(kane_channels) *places = CHECK_GOOD(kane_channels_create, w.simulation, 1, place, NULL);
        patience                           = 0.0;
        assert_true(kane_channels_read(forces, w.simulation, &value) != KANE_OK);
        assert_true(isnan(value));
        kane_work_fault(w.model, kane_simulation_work(w.simulation), &errors);
        assert_string_equal(kane_errors_get(&errors, 0)->subject, plan == NOT_A_NUMBER ? "body" : "gremlin");
        kane_errors_clear(&errors);
        assert_int_equal(kane_channels_read(places, w.simulation, &value), KANE_OK); // needs no forces
        assert_true(isfinite(value));
        patience = 0.5;
        assert_int_equal(kane_channels_read(forces, w.simulation, &value), KANE_OK);
        check_near(value, 89e3, 5e3);
    }
}

CHECK_MAIN(NULL, NULL)
