// SPDX-License-Identifier: MIT
// Order and tolerances of integration that a run file gets which names none: a higher order where no wheel swings on
// its contact, coarser tolerances where all wheels are on tables.

#include "runs.h"
#include "models.h"

#define WAY "vehicle.patterns.wheelset.contact.model="

static kane_settings settings_of(const char *name, const char *const *settings)
{
    CHECK_OWNED(kane_run) *run = run_read(name, settings);
    const kane_settings found  = kane_run_get_definition(run)->settings;
    return found;
}

// Of the wagon's run through a transition, with settings.
#define SETTINGS(...) settings_of("wagon-transition", (const char *const[]){__VA_ARGS__, NULL})
#define ORDER(...)    SETTINGS(__VA_ARGS__).order

CHECK_TEST(guided_wheels_take_order_four)
{
    assert_int_equal(ORDER(WAY "table"), 4);
    assert_int_equal(ORDER(WAY "constraint"), 4);
}

CHECK_TEST(wheels_in_elastic_contact_take_order_two)
{
    assert_int_equal(ORDER(WAY "elastic"), 2);
    // one of two is enough
    assert_int_equal(ORDER("vehicle.wheelsets.leading.contact.model=table"), 2);
    assert_int_equal(
        ORDER("vehicle.wheelsets.leading.contact.model=table", "vehicle.wheelsets.trailing.contact.model=table"), 4);
}

CHECK_TEST(what_is_asked_for_is_taken)
{
    assert_int_equal(ORDER(WAY "table", "integrator.order=2"), 2);
    assert_int_equal(ORDER(WAY "table", "integrator.order=5"), 5);
    assert_int_equal(ORDER(WAY "table", "integrator.method=adams"), 2);
}

// rounding: of each, relative.
static void check_tolerances_within(kane_settings s, double rtol, double displacement, double speed, double rounding)
{
    check_near(s.relative, rtol, 0.0);
    check_relative(s.position, displacement, rounding);
    check_relative(s.angle, displacement, rounding);
    check_relative(s.speed, speed, rounding);
    check_relative(s.turning, speed, rounding);
}

static void check_tolerances(kane_settings s, double rtol, double displacement, double speed)
{
    check_tolerances_within(s, rtol, displacement, speed, 0.0);
}

CHECK_TEST(tables_take_coarser_tolerances)
{
    check_tolerances(SETTINGS(WAY "elastic"), 1e-6, 1e-8, 1e-6);
    check_tolerances(SETTINGS(WAY "constraint"), 1e-6, 1e-8, 1e-6);
    check_tolerances(SETTINGS(WAY "table"), 5e-6, 5e-8, 5e-6);
    // one of two is not enough
    check_tolerances(SETTINGS("vehicle.wheelsets.leading.contact.model=table"), 1e-6, 1e-8, 1e-6);
    // what is typed counts, the rest is as usual
    const kane_settings typed =
        SETTINGS(WAY "table", "integrator.atol_position=1e-7 m", "integrator.atol_angle=1e-9 rad");
    check_near(typed.relative, 5e-6, 0.0);
    check_near(typed.angle, 1e-9, 0.0);
    check_near(typed.position, 1e-7, 0.0);
    check_near(typed.speed, 5e-6, 0.0);
}

// Absolute tolerances that are not typed are finer by the factor by which rtol is, and never coarser.
CHECK_TEST(a_finer_rtol_tightens_all)
{
    const double eps = 4e-16; // products of two roundings
    check_tolerances_within(SETTINGS(WAY "elastic", "integrator.rtol=1e-8"), 1e-8, 1e-10, 1e-8, eps);
    check_tolerances_within(SETTINGS(WAY "table", "integrator.rtol=1e-8"), 1e-8, 1e-10, 1e-8, eps);
    check_tolerances_within(settings_of("mechanism-crane", (const char *const[]){"integrator.rtol=1e-9", NULL}), 1e-9,
                            1e-11, 1e-9, eps);
    check_tolerances(SETTINGS(WAY "elastic", "integrator.rtol=1e-4"), 1e-4, 1e-8, 1e-6);
    const kane_settings typed = SETTINGS(WAY "elastic", "integrator.rtol=1e-9", "integrator.atol_position=1e-10 m");
    check_near(typed.position, 1e-10, 0.0);
    check_relative(typed.angle, 1e-11, eps);
    check_relative(typed.turning, 1e-9, eps);
}

CHECK_TEST(cars_take_order_five)
{
    const kane_settings car = settings_of("sedan-circle", NULL);
    assert_int_equal(car.order, 5);
    check_tolerances(car, 1e-6, 1e-8, 1e-6);
    check_tolerances(settings_of("mechanism-four-bar", NULL), 1e-8, 1e-10, 1e-8);
}

CHECK_MAIN(NULL, NULL)
