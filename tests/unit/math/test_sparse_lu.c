// SPDX-License-Identifier: MIT
// Sparse equations: solutions, pivots that must be chosen anew, and matrices that have none.

#include "check.h"

#include "math/sparse.h"
#include "math/statistics.h"

enum { SIZE = 30 };

static kane_pattern *band(int size)
{
    kane_pattern_entries *e = kane_pattern_begin(size);
    for (int i = 0; i < size; i++)
        for (int k = -2; k <= 2; k++)
            kane_pattern_add(e, i, (i + 7 * k + 5 * size) % size);
    return kane_pattern_finish(e);
}

// |A x - b| of the last solution.
static double residual(const kane_pattern *p, const double *values, const double *x, const double *b)
{
    double sum[SIZE] = {0}, most = 0.0;
    for (int k = 0; k < p->size; k++)
        for (int at = p->column_start[k]; at < p->column_start[k + 1]; at++)
            sum[p->row[at]] += values[at] * x[k];
    for (int i = 0; i < p->size; i++)
        most = fmax(most, fabs(sum[i] - b[i]));
    return most;
}

CHECK_TEST(equations_are_solved_again_and_again)
{
    kane_pattern *p    = band(SIZE);
    kane_sparse_lu *lu = kane_sparse_lu_create(p);
    kane_random r      = kane_random_start(3, 0);
    double values[8 * SIZE], b[SIZE], x[SIZE];
    assert_non_null(lu);
    for (int trial = 0; trial < 50; trial++) {
        for (int i = 0; i < p->count; i++)
            values[i] = 2.0 * kane_random_even(&r) - 1.0;
        for (int i = 0; i < SIZE; i++)
            x[i] = b[i] = kane_random_even(&r);
        assert_true(kane_sparse_lu_factor(lu, values));
        kane_sparse_lu_solve(lu, x);
        check_near(residual(p, values, x, b), 0.0, 1e-9);
    }
    kane_sparse_lu_free(lu);
    kane_pattern_free(p);
    kane_sparse_lu_free(NULL);
}

// The diagonal that was a good pivot is gone in the next matrix.
CHECK_TEST(pivots_are_chosen_anew_where_they_vanish)
{
    static const double first[4] = {1.0, 0.5, 0.25, 1.0}, second[4] = {1e-14, 1.0, 2.0, 1e-14},
                        singular[4] = {1.0, 2.0, 2.0, 4.0};
    kane_pattern_entries *e         = kane_pattern_begin(2);
    double x[2]                     = {3.0, 5.0};
    kane_pattern_add_block(e, 0, 2, 0, 2);
    kane_pattern *p    = kane_pattern_finish(e);
    kane_sparse_lu *lu = kane_sparse_lu_create(p);
    assert_non_null(lu);
    assert_true(kane_sparse_lu_pivot(lu, first));
    assert_true(kane_sparse_lu_factor(lu, second)); // columns (1e-14, 1), (2, 1e-14)
    kane_sparse_lu_solve(lu, x);
    check_near(x[0], 5.0, 1e-12);
    check_near(x[1], 1.5, 1e-12);
    assert_false(kane_sparse_lu_factor(lu, singular));
    kane_sparse_lu_free(lu);
    kane_pattern_free(p);
}

// Pivots that are kept give the same bits whatever was factored in between, also where others had to serve once.
CHECK_TEST(pivots_that_are_kept_leave_no_trace)
{
    static const double first[4] = {1.0, 0.5, 0.25, 1.0}, second[4] = {1e-14, 1.0, 2.0, 1e-14},
                        third[4] = {0.3, 0.7, 0.9, 1.1};
    kane_pattern_entries *e      = kane_pattern_begin(2);
    double x[3][2]               = {{3.0, 5.0}, {3.0, 5.0}, {3.0, 5.0}};
    kane_pattern_add_block(e, 0, 2, 0, 2);
    kane_pattern *p    = kane_pattern_finish(e);
    kane_sparse_lu *lu = kane_sparse_lu_create(p);
    assert_non_null(lu);
    assert_true(kane_sparse_lu_pivot(lu, first));
    kane_sparse_lu_keep(lu);
    assert_true(kane_sparse_lu_factor(lu, third));
    kane_sparse_lu_solve(lu, x[0]);
    assert_true(kane_sparse_lu_factor(lu, second));
    kane_sparse_lu_solve(lu, x[1]);
    assert_true(kane_sparse_lu_factor(lu, third));
    kane_sparse_lu_solve(lu, x[2]);
    check_near(x[1][0], 5.0, 1e-12);
    check_near(x[1][1], 1.5, 1e-12);
    assert_memory_equal(x[0], x[2], sizeof x[0]);
    kane_sparse_lu_free(lu);
    kane_pattern_free(p);
}

CHECK_MAIN(NULL, NULL)
