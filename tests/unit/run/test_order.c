// SPDX-License-Identifier: MIT
// The order of integration that a run file gets which names none: higher where no wheel swings on its contact.

#include "models.h"

#define WAY "vehicle.patterns.wheelset.contact.way="

// Of the wagon's run through a transition, with settings.
static int order_of(const char *const *settings)
{
    char file[4096];
    kane_errors errors         = {0};
    const kane_run_options how = {.settings = settings};
    (void)snprintf(file, sizeof file, "%s/data/runs/wagon-transition.json", KANE_SOURCE_DIR);
    kane_run *run = kane_run_read(file, &how, &errors);
    check_no_errors(&errors);
    const int order = kane_run_get_definition(run)->settings.order;
    kane_run_free(run);
    return order;
}

#define ORDER(...) order_of((const char *const[]){__VA_ARGS__, NULL})

static void guided_wheels_take_order_four(void **state)
{
    (void)state;
    assert_int_equal(ORDER(WAY "tables"), 4);
    assert_int_equal(ORDER(WAY "constraint"), 4);
}

static void wheels_in_elastic_contact_take_order_two(void **state)
{
    (void)state;
    assert_int_equal(ORDER(WAY "elastic"), 2);
    // one of two is enough
    assert_int_equal(ORDER("vehicle.wheelsets.leading.contact.way=tables"), 2);
    assert_int_equal(
        ORDER("vehicle.wheelsets.leading.contact.way=tables", "vehicle.wheelsets.trailing.contact.way=tables"), 4);
}

static void what_is_asked_for_is_taken(void **state)
{
    (void)state;
    assert_int_equal(ORDER(WAY "tables", "integrator.order=2"), 2);
    assert_int_equal(ORDER(WAY "tables", "integrator.order=5"), 5);
    assert_int_equal(ORDER(WAY "tables", "integrator.method=adams"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guided_wheels_take_order_four),
        cmocka_unit_test(wheels_in_elastic_contact_take_order_two),
        cmocka_unit_test(what_is_asked_for_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
