// SPDX-License-Identifier: MIT
// Least squares of least norm, and sums that lose nothing, against results by hand.

#include "check.h"

#include "math/dense.h"
#include "math/small.h"

CHECK_TEST(a_square_system_is_solved)
{
    double A[] = {2, 1, 1, 3}, x[] = {3, 5}; // columns (2, 1) and (1, 3)
    assert_int_equal(kane_least_squares(2, 2, A, x, 1e-12), 0);
    check_near(x[0], 0.8, 1e-15);
    check_near(x[1], 1.4, 1e-15);
}

// A line through (0, 1), (1, 3), (2, 4), (3, 4): the normal equations give 1.5 + x.
CHECK_TEST(too_many_equations_are_met_in_the_mean)
{
    double A[] = {1, 1, 1, 1, 0, 1, 2, 3}, x[] = {1, 3, 4, 4};
    assert_int_equal(kane_least_squares(4, 2, A, x, 1e-12), 0);
    check_near(x[0], 1.5, 1e-14);
    check_near(x[1], 1.0, 1e-14);
}

// x + 2 y + 2 z = 9 is met by (1, 2, 2) with the least norm; a second, equal equation changes nothing.
CHECK_TEST(of_many_solutions_the_least_is_taken)
{
    double A[] = {1, 2, 2}, x[] = {9, 0, 0};
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

// Orthonormal columns: the cosines of a discrete transform.
static double cosine(int n, int i, int j)
{
    return sqrt((j ? 2.0 : 1.0) / n) * cos(3.14159265358979323846 * (i + 0.5) * j / n);
}

// A = U S V^T with known singular values, some of them 0: x = V S^+ U^T b. Its condition number is 1e3.
CHECK_TEST(the_rank_is_found)
{
    static const int sizes[][3] = {{5, 5, 3},    {12, 7, 4},   {7, 12, 4}, {40, 40, 40},
                                   {30, 60, 11}, {60, 30, 30}, {9, 4, 0}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int rows = sizes[k][0], columns = sizes[k][1], rank = sizes[k][2];
        double A[2400] = {0.0}, x[60] = {0.0}, wanted[60] = {0.0};
        for (int i = 0; i < rows; i++)
            x[i] = sin(1.0 + i);
        for (int r = 0; r < rank; r++) {
            const double s = pow(10.0, 3.0 * r / (rank + 1.0));
            double along   = 0.0;
            for (int i = 0; i < rows; i++)
                along += cosine(rows, i, r) * x[i];
            for (int j = 0; j < columns; j++) {
                wanted[j] += cosine(columns, j, r) * along / s;
                for (int i = 0; i < rows; i++)
                    A[j * rows + i] += cosine(rows, i, r) * s * cosine(columns, j, r);
            }
        }
        assert_int_equal(kane_least_squares(rows, columns, A, x, 1e-11), 0);
        for (int j = 0; j < columns; j++)
            check_near(x[j], wanted[j], 1e-12); // 1e3 times round-off, some times over
    }
}

// The third column is almost the first one: the fourth is chosen in its place, so that no factor is 1000.
CHECK_TEST(nearly_dependent_columns_come_last)
{
    double A[5][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 1e-3, 0}, {0, 0, 1, 0}, {0}}, X[7], spread[5];
    int order[5];
    assert_int_equal(kane_column_dependence(4, 5, A[0], 1e-8, order, X, spread), 3);
    assert_int_equal(order[0], 0);
    assert_int_equal(order[1], 1);
    assert_int_equal(order[2], 3);
    const double *x = X + (order[3] == 2 ? 0 : 3), *nothing = X + (order[3] == 2 ? 3 : 0);
    check_near(x[0], 1.0, 1e-15);
    check_near(x[1], 0.0, 1e-15);
    check_near(x[2], 1e-3, 1e-15);
    for (int i = 0; i < 3; i++) {
        assert_true(nothing[i] == 0.0);
        check_near(spread[i], 1.0, 1e-15);
    }
}

CHECK_TEST(a_sum_keeps_what_rounding_loses)
{
    kane_sum sum = {0};
    kane_sum_add(&sum, 1.0);
    kane_sum_add(&sum, 1e100);
    kane_sum_add(&sum, 1.0);
    kane_sum_add(&sum, -1e100);
    check_near(kane_sum_get(&sum), 2.0, 0.0);
}

CHECK_MAIN(NULL, NULL)
