// SPDX-License-Identifier: MIT
// The Jacobian that CVODE is given is the derivative of the equations, with all joints and constraints.

#include "property/mechanism/cases.h"

#include "grounded.h"

static kane_simulation *simulate(const ride *a)
{
    kane_errors errors            = {0};
    const kane_settings settings  = kane_settings_default();
    const kane_conditions forever = {.time = 100.0};
    kane_simulation *s            = kane_simulation_create(a->model, &settings, &forever, &errors);
    check_no_errors(&errors);
    return s;
}

static void check(const ride *a, const char *name, int way, double tolerance)
{
    kane_errors errors = {0};
    kane_simulation *s = simulate(a);
    double difference  = 1.0;
    int row, column, entries;
    assert_int_equal(kane_simulation_check_jacobian(s, &difference, &row, &column, &entries, &errors), KANE_OK);
    check_no_errors(&errors);
    char of[64], by[64];
    kane_state_name(a->model, row, sizeof of, of);
    kane_state_name(a->model, column, sizeof by, by);
    if (getenv("RIDE_SHOW"))
        print_message("%-40s %d: %.2g at d(%s)/d(%s)\n", name, way, difference, of, by);
    if (!(difference <= check_tolerance(tolerance))) {
        print_error("%s, way %d: d(%s)/d(%s) is off by %.3g of its row\n", name, way, of, by, difference);
        fail();
    }
    kane_simulation_free(s);
}

// Differences over steps of 1e-8 keep seven digits of coordinates of 44 m, as they are in A, and six of a row that is as
// small as the speed of a hinge. In A rows of heights have little but the column of a driven vehicle's speed, which the
// Jacobian takes by differences as well.
static double allowed(const test_case *c, const ride_options *o)
{
    const int in_A = o->formulation == KANE_FIXED;
    return in_A && o->driven ? 2e-5 : in_A || c->is_constrained ? 5e-6 : 1e-6;
}

// Elements that remember get another law.
static void replace_law(rig *r, const kane_law *law)
{
    for (int i = 0; i < r->vehicle.element_count; i++)
        if (r->elements[i].law == &stateful_law)
            r->elements[i].law = law;
}

static void check_cases(int first, int end, int driven, const kane_law *law)
{
    kane_track *track = model_track(1.0, KANE_SINE);
    for (int i = first; i < end; i++) {
        static test_case c;
        if (!case_build(&c, i))
            continue;
        replace_law(&c.rig, law);
        for (int way = 0; way < case_ways(&c); way++) {
            ride a;
            ride_options o = case_way(way);
            o.driven       = driven;
            ride_create(&a, &c.rig, track, o);
            check(&a, c.name, way, allowed(&c, &o));
            ride_free(&a);
        }
    }
    kane_track_free(track);
}

static void jacobian_with_joints_is_the_derivative(void **state)
{
    (void)state;
    check_cases(0, JOINTED_CASES, 0, &stateful_law);
    check_cases(0, JOINTED_CASES, 1, &stateful_law);
}

static void jacobian_with_constraints_is_the_derivative(void **state)
{
    (void)state;
    check_cases(JOINTED_CASES, CASES, 0, &stateful_law);
    check_cases(JOINTED_CASES, CASES, 1, &stateful_law);
}

// Loops of deformable bodies have no such laws.
static void laws_that_look_at_absolute_motion_have_their_derivative(void **state)
{
    (void)state;
    check_cases(0, CASES_TREES, 0, &grounded_law);
    check_cases(0, CASES_TREES, 0, &grounded_law_differenced);
    check_cases(0, CASES_TREES, 1, &grounded_law_differenced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_with_joints_is_the_derivative),
        cmocka_unit_test(jacobian_with_constraints_is_the_derivative),
        cmocka_unit_test(laws_that_look_at_absolute_motion_have_their_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
