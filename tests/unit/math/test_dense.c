// SPDX-License-Identifier: MIT
// Small dense equations.

#include "check.h"

#include "math/dense.h"
#include "math/statistics.h"

enum { SIZE = 7, COLUMNS = 3 };

static void fill(kane_random *r, int count, double *a)
{
    for (int i = 0; i < count; i++)
        a[i] = 2.0 * kane_random_even(r) - 1.0;
}

CHECK_TEST(solutions_by_lu_solve)
{
    kane_random r = kane_random_start(1, 0);
    double A[SIZE * SIZE], LU[SIZE * SIZE], X[SIZE * COLUMNS], B[SIZE * COLUMNS], x[SIZE], b[SIZE];
    int pivot[SIZE];
    fill(&r, SIZE * SIZE, A);
    fill(&r, SIZE * COLUMNS, B);
    fill(&r, SIZE, b);
    A[0] = 0.0; // needs a pivot
    memcpy(LU, A, sizeof A);
    memcpy(X, B, sizeof B);
    memcpy(x, b, sizeof b);
    assert_true(kane_lu_factor(SIZE, LU, pivot));
    kane_lu_solve(SIZE, LU, pivot, COLUMNS, X);
    kane_lu_solve_transposed(SIZE, LU, pivot, x);
    for (int i = 0; i < SIZE; i++) {
        double transposed = -b[i];
        for (int k = 0; k < SIZE; k++)
            transposed += A[k * SIZE + i] * x[k];
        check_near(transposed, 0.0, 1e-13);
        for (int j = 0; j < COLUMNS; j++) {
            double sum = -B[i * COLUMNS + j];
            for (int k = 0; k < SIZE; k++)
                sum += A[i * SIZE + k] * X[k * COLUMNS + j];
            check_near(sum, 0.0, 1e-13);
        }
    }
    for (int k = 0; k < SIZE; k++)
        A[3 * SIZE + k] = 2.0 * A[5 * SIZE + k];
    for (int k = 0; k < SIZE; k++)
        A[k * SIZE] = 0.0;
    assert_false(kane_lu_factor(SIZE, A, pivot));
}

// --- envelopes ---

enum { ROWS = 24, COLUMNS_OF_B = 3 };

// A matrix with entries in `least` .. `greatest` of every row, and the same numbers as kane_envelope has them.
typedef struct near_diagonal {
    int least[ROWS], greatest[ROWS], room[3 * ROWS], pivot[ROWS], pivot_of_full[ROWS];
    double full[ROWS * ROWS], LU[ROWS * ROWS], A[ROWS * ROWS];
    kane_envelope e;
} near_diagonal;

static void fill_near_diagonal(near_diagonal *a, kane_random *r, int below, int above)
{
    memset(a, 0, sizeof *a);
    for (int i = 0; i < ROWS; i++) { // rows of different length; every column has an entry
        a->least[i]    = (int)fmax(0.0, i - floor(kane_random_even(r) * (below + 1)));
        a->greatest[i] = (int)fmin(ROWS - 1.0, i + floor(kane_random_even(r) * (above + 1)));
        for (int k = a->least[i]; k <= a->greatest[i]; k++)
            a->full[i * ROWS + k] = 2.0 * kane_random_even(r) - 1.0;
        a->full[i * ROWS + i] *= 0.01; // rows change places
    }
    a->e = kane_envelope_create(ROWS, a->least, a->greatest, a->room);
    assert_in_range(a->e.size, ROWS, ROWS * ROWS);
    for (int i = 0; i < ROWS; i++)
        for (int k = a->least[i]; k <= a->greatest[i]; k++)
            a->A[a->e.at[i] + k] = a->full[i * ROWS + k];
    memcpy(a->LU, a->full, sizeof a->LU);
}

// The same pivots and the same bits as of the full matrix; of the transposed one sums are in another order.
CHECK_TEST(an_envelope_solves_what_the_full_matrix_does)
{
    static const int width[][2] = {{0, 0}, {1, 1}, {2, 3}, {5, 1}, {1, 6}, {ROWS, ROWS}};
    kane_random r               = kane_random_start(3, 0);
    double X[ROWS * COLUMNS_OF_B], Y[ROWS * COLUMNS_OF_B], x[ROWS], y[ROWS];
    static near_diagonal a;
    for (int trial = 0; trial < 60; trial++) {
        fill_near_diagonal(&a, &r, width[trial % 6][0], width[trial % 6][1]);
        assert_true(kane_lu_factor(ROWS, a.LU, a.pivot_of_full));
        assert_true(kane_envelope_factor(&a.e, a.A, a.pivot));
        assert_memory_equal(a.pivot, a.pivot_of_full, sizeof a.pivot);
        fill(&r, ROWS * COLUMNS_OF_B, X);
        memcpy(Y, X, sizeof Y);
        memcpy(x, X, sizeof x);
        memcpy(y, X, sizeof y);
        kane_lu_solve(ROWS, a.LU, a.pivot_of_full, COLUMNS_OF_B, X);
        kane_envelope_solve(&a.e, a.A, a.pivot, COLUMNS_OF_B, Y);
        for (int k = 0; k < ROWS * COLUMNS_OF_B; k++)
            assert_true(X[k] == Y[k]);
        kane_envelope_solve(&a.e, a.A, a.pivot, 1, x);
        kane_envelope_solve_transposed(&a.e, a.A, a.pivot, y);
        double residual = 0.0, size = 1.0;
        for (int i = 0; i < ROWS; i++) {
            double of_x = 0.0, of_y = 0.0;
            for (int k = 0; k < ROWS; k++) {
                of_x += a.full[i * ROWS + k] * x[k];
                of_y += a.full[k * ROWS + i] * y[k];
                size = fmax(size, fmax(fabs(x[k]), fabs(y[k])));
            }
            residual = fmax(residual, fabs(of_x - of_y)); // one and the same right-hand side
        }
        check_near(residual / size, 0.0, 1e-13);
    }
}

// sum over k of (low - k) (high - k) for entries in two columns on either side: 2 * 4 each but for the last rows.
CHECK_TEST(products_of_a_band_grow_with_its_length)
{
    static int least[4 * ROWS], greatest[4 * ROWS], room[12 * ROWS];
    for (int n = 4; n <= 4 * ROWS; n += 4) {
        for (int i = 0; i < n; i++) {
            least[i]    = i > 2 ? i - 2 : 0;
            greatest[i] = i + 2 < n ? i + 2 : n - 1;
        }
        const kane_envelope e = kane_envelope_create(n, least, greatest, room);
        double expected       = 0.0;
        for (int k = 0; k < n; k++) // exchanged rows reach two columns further
            expected += fmin(2.0, n - 1.0 - k) * fmin(4.0, n - 1.0 - k);
        assert_true(kane_envelope_products(&e) == expected);
        assert_in_range(e.size, n, 7 * n);
    }
}

CHECK_TEST(an_envelope_that_is_singular_is_refused)
{
    kane_random r = kane_random_start(4, 0);
    static near_diagonal a;
    fill_near_diagonal(&a, &r, 3, 3);
    for (int i = 0; i < ROWS; i++)
        if (a.least[i] <= 9 && a.greatest[i] >= 9)
            a.A[a.e.at[i] + 9] = 0.0;
    assert_false(kane_envelope_factor(&a.e, a.A, a.pivot));
}

CHECK_TEST(solutions_by_cholesky_solve)
{
    kane_random r = kane_random_start(2, 0);
    double C[SIZE * SIZE], A[SIZE * SIZE], L[SIZE * SIZE], x[SIZE], b[SIZE];
    double B[SIZE * COLUMNS], X[SIZE * COLUMNS];
    int first[SIZE];
    fill(&r, SIZE * SIZE, C);
    fill(&r, SIZE, b);
    fill(&r, SIZE * COLUMNS, B);
    memcpy(X, B, sizeof B);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            A[i * SIZE + j] = i == j ? 0.1 : 0.0;
            for (int k = 0; k < SIZE; k++)
                A[i * SIZE + j] += C[k * SIZE + i] * C[k * SIZE + j];
        }
    for (int k = 0; k < 3; k++) // a row that begins with zeros
        A[4 * SIZE + k] = A[k * SIZE + 4] = 0.0;
    A[4 * SIZE + 4] += 3.0;
    memcpy(L, A, sizeof A);
    memcpy(x, b, sizeof b);
    assert_int_equal(kane_cholesky_factor(SIZE, L, first), -1);
    assert_int_equal(first[4], 3);
    kane_cholesky_solve(SIZE, L, first, x);
    kane_cholesky_solve_columns(SIZE, L, first, COLUMNS, X);
    for (int i = 0; i < SIZE; i++) {
        double sum = -b[i];
        for (int k = 0; k < SIZE; k++)
            sum += A[i * SIZE + k] * x[k];
        check_near(sum, 0.0, 1e-12);
        for (int j = 0; j < COLUMNS; j++) {
            double left = -B[i * COLUMNS + j];
            for (int k = 0; k < SIZE; k++)
                left += A[i * SIZE + k] * X[k * COLUMNS + j];
            check_near(left, 0.0, 1e-12);
        }
    }
    A[4 * SIZE + 4] = -1.0;
    assert_int_equal(kane_cholesky_factor(SIZE, A, first), 4);
}

// Rows of a part of a matrix times others, added to what is there.
CHECK_TEST(sums_by_add_product)
{
    kane_random r = kane_random_start(3, 0);
    double A[SIZE * SIZE], B[SIZE * COLUMNS], C[SIZE * COLUMNS], before[SIZE * COLUMNS];
    const int rows = SIZE - 2, inner = SIZE - 3;
    fill(&r, SIZE * SIZE, A);
    fill(&r, SIZE * COLUMNS, B);
    fill(&r, SIZE * COLUMNS, before);
    A[2] = 0.0;
    memcpy(C, before, sizeof C);
    kane_add_product(rows, inner, SIZE, A, COLUMNS, B, C);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double sum = before[i * COLUMNS + j];
            for (int k = 0; k < inner && i < rows; k++)
                sum += A[i * SIZE + k] * B[k * COLUMNS + j];
            check_near(C[i * COLUMNS + j], sum, 1e-14);
        }
}

CHECK_MAIN(NULL, NULL)
