// SPDX-License-Identifier: MIT
// Least squares of least norm, and sums that lose nothing, against results by hand.

#include "check.h"

#include "math/least_squares.h"
#include "math/sum.h"

static void a_square_system_is_solved(void **state)
{
    double A[] = {2, 1, 1, 3}, x[] = {3, 5}; // columns (2, 1) and (1, 3)
    (void)state;
    assert_int_equal(kane_least_squares(2, 2, A, x, 1e-12), 0);
    check_near(x[0], 0.8, 1e-15);
    check_near(x[1], 1.4, 1e-15);
}

// A line through (0, 1), (1, 3), (2, 4), (3, 4): the normal equations give 1.5 + x.
static void too_many_equations_are_met_in_the_mean(void **state)
{
    double A[] = {1, 1, 1, 1, 0, 1, 2, 3}, x[] = {1, 3, 4, 4};
    (void)state;
    assert_int_equal(kane_least_squares(4, 2, A, x, 1e-12), 0);
    check_near(x[0], 1.5, 1e-14);
    check_near(x[1], 1.0, 1e-14);
}

// x + 2 y + 2 z = 9 is met by (1, 2, 2) with the least norm; a second, equal equation changes nothing.
static void of_many_solutions_the_least_is_taken(void **state)
{
    double A[] = {1, 2, 2}, x[] = {9, 0, 0};
    (void)state;
    assert_int_equal(kane_least_squares(1, 3, A, x, 1e-12), 0);
    check_near(x[0], 1.0, 1e-14);
    check_near(x[1], 2.0, 1e-14);
    check_near(x[2], 2.0, 1e-14);

    double B[] = {1, 1, 2, 2, 2, 2}, y[] = {9, 9, 0};
    assert_int_equal(kane_least_squares(2, 3, B, y, 1e-12), 0);
    check_near(y[0], 1.0, 1e-14);
    check_near(y[1], 2.0, 1e-14);
    check_near(y[2], 2.0, 1e-14);
}

static void a_sum_keeps_what_rounding_loses(void **state)
{
    (void)state;
    kane_sum sum = {0};
    kane_sum_add(&sum, 1.0);
    kane_sum_add(&sum, 1e100);
    kane_sum_add(&sum, 1.0);
    kane_sum_add(&sum, -1e100);
    check_near(kane_sum_get(&sum), 2.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_square_system_is_solved),
        cmocka_unit_test(too_many_equations_are_met_in_the_mean),
        cmocka_unit_test(of_many_solutions_the_least_is_taken),
        cmocka_unit_test(a_sum_keeps_what_rounding_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
