// SPDX-License-Identifier: MIT
// A run that fails names body or element, time and place, and keeps what it has reached.

#include "property/wagon/wagon.h"

typedef enum mischief { NOT_A_NUMBER, TRY_AGAIN, FATAL } mischief;

static mischief plan;

// Behaves for half a second.
static int eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    (void)law;
    if (r->t < 0.5)
        return 0;
    on_b->force.y = plan == NOT_A_NUMBER ? (double)NAN : 0.0;
    return plan == TRY_AGAIN ? 1 : plan == FATAL ? -1 : 0;
}

static const kane_law law = {.name = "gremlin", .help = "For tests.", .eval = eval};

// Runs the wagon with a gremlin between body and leading wheelset into its failure.
static void fail_by(mischief how, const char *subject, const char *text)
{
    const char *const none[] = {NULL};
    plan                     = how;
    wagon w                  = wagon_read("wagon-transition", none);
    kane_element_definition elements[8];
    kane_vehicle_definition vehicle = *w.definition.vehicle;
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

    kane_errors errors = {0};
    assert_int_equal(kane_simulation_advance(w.simulation, 2.0, &errors), KANE_INTEGRATION_FAILED);
    assert_int_equal(kane_simulation_stop(w.simulation), KANE_STOP_FAILED);
    assert_true(errors.count >= 1);
    assert_string_equal(errors.kept[0].subject, subject);
    assert_string_equal(errors.kept[0].text, text);
    check_near(errors.kept[0].time, 0.5, 0.2);
    check_near(errors.kept[0].distance, 10.0 + 15.0 * 0.5, 4.0);
    const double t = kane_simulation_time(w.simulation); // the last good state
    assert_true(t > 0.3 && t <= 0.5);
    assert_true(isfinite(kane_simulation_state(w.simulation)[0]));
    wagon_free(&w);
}

static void a_force_that_is_not_finite_names_its_body(void **state)
{
    (void)state;
    fail_by(NOT_A_NUMBER, "body", "its acceleration is not finite");
}

static void a_law_that_cannot_be_evaluated_is_named(void **state)
{
    (void)state;
    fail_by(TRY_AGAIN, "gremlin", "its law cannot be evaluated");
    fail_by(FATAL, "gremlin", "its law cannot be evaluated");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_that_is_not_finite_names_its_body),
        cmocka_unit_test(a_law_that_cannot_be_evaluated_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
