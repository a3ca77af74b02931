// SPDX-License-Identifier: MIT
// The Jacobian that CVODE is given is the derivative of the equations, with all joints and constraints (loops of deformable bodies:
// test_deformed_loops.c).

#include "property/mechanism/cases.h"
#include "property/mechanism/differences.h"

#include "grounded.h"

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
            check_jacobian(&a, c.name, way, allowed_difference(c.is_constrained, &o));
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
    check_cases(JOINTED_CASES, CASES_TREES, 0, &stateful_law);
    check_cases(JOINTED_CASES, CASES_TREES, 1, &stateful_law);
}

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
