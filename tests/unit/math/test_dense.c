// SPDX-License-Identifier: MIT
// Small dense equations.

#include "check.h"

#include "math/dense.h"
#include "math/random.h"

enum { SIZE = 7, COLUMNS = 3 };

static void fill(kane_random *r, int count, double *a)
{
    for (int i = 0; i < count; i++)
        a[i] = 2.0 * kane_random_even(r) - 1.0;
}

static void solutions_by_lu_solve(void **state)
{
    kane_random r = kane_random_start(1, 0);
    double A[SIZE * SIZE], LU[SIZE * SIZE], X[SIZE * COLUMNS], B[SIZE * COLUMNS], x[SIZE], b[SIZE];
    int pivot[SIZE];
    (void)state;
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
    for (int one = 0; one < SIZE; one++) { // columns of the inverse
        kane_lu_solve_unit(SIZE, LU, pivot, one, x);
        for (int i = 0; i < SIZE; i++) {
            double sum = i == one ? -1.0 : 0.0;
            for (int k = 0; k < SIZE; k++)
                sum += A[i * SIZE + k] * x[k];
            check_near(sum, 0.0, 1e-13);
        }
    }
    for (int k = 0; k < SIZE; k++)
        A[3 * SIZE + k] = 2.0 * A[5 * SIZE + k];
    for (int k = 0; k < SIZE; k++)
        A[k * SIZE] = 0.0;
    assert_false(kane_lu_factor(SIZE, A, pivot));
}

static void solutions_by_cholesky_solve(void **state)
{
    kane_random r = kane_random_start(2, 0);
    double C[SIZE * SIZE], A[SIZE * SIZE], L[SIZE * SIZE], x[SIZE], b[SIZE];
    double B[SIZE * COLUMNS], X[SIZE * COLUMNS];
    int first[SIZE];
    (void)state;
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
static void sums_by_add_product(void **state)
{
    kane_random r = kane_random_start(3, 0);
    double A[SIZE * SIZE], B[SIZE * COLUMNS], C[SIZE * COLUMNS], before[SIZE * COLUMNS];
    const int rows = SIZE - 2, inner = SIZE - 3;
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_by_add_product),
        cmocka_unit_test(solutions_by_lu_solve),
        cmocka_unit_test(solutions_by_cholesky_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
