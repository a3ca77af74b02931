// SPDX-License-Identifier: MIT
// Eigenvalues and vectors, and bases of what a matrix can reach.

#include "check.h"

#include "math/dense.h"
#include "models.h"

enum { MOST = 40 };

// A by columns; every pair of columns is compared with A v = lambda v.
static void check_vectors(int n, const double *A, double tolerance)
{
    double copy[MOST * MOST], re[MOST], im[MOST], V[MOST * MOST], scratch[MOST], size = 0.0;
    memcpy(copy, A, (size_t)(n * n) * sizeof *A);
    for (int i = 0; i < n * n; i++)
        size = fmax(size, fabs(A[i]));
    assert_int_equal(kane_eigen_solve(n, copy, re, im, V, NULL, scratch), 0);
    for (int j = 0; j < n; j++) {
        if (im[j] < 0.0)
            continue;
        const double *a = V + j * n, *b = im[j] > 0.0 ? V + (j + 1) * n : NULL;
        for (int i = 0; i < n; i++) {
            double real = 0.0, imaginary = 0.0;
            for (int k = 0; k < n; k++) {
                real += A[k * n + i] * a[k];
                imaginary += b ? A[k * n + i] * b[k] : 0.0;
            }
            check_near(real, re[j] * a[i] - (b ? im[j] * b[i] : 0.0), tolerance * size);
            check_near(imaginary, b ? re[j] * b[i] + im[j] * a[i] : 0.0, tolerance * size);
        }
    }
}

CHECK_TEST(vectors_belong_to_values)
{
    uint64_t seed = 7;
    double A[MOST * MOST];
    for (int n = 1; n <= MOST; n += 13) {
        for (int i = 0; i < n * n; i++)
            A[i] = random_number(&seed);
        check_vectors(n, A, 1e-13);
    }
}

// A' of x^3 + 6 x^2 + 11 x + 6 = (x + 1)(x + 2)(x + 3), and of (x + 0.1)^2 + 4.
CHECK_TEST(roots_are_those_of_the_polynomial)
{
    double A[9] = {0.0, 0.0, -6.0, 1.0, 0.0, -11.0, 0.0, 1.0, -6.0}, B[4] = {0.0, -4.01, 1.0, -0.2};
    double re[3], im[3], V[9], scratch[3];
    assert_int_equal(kane_eigen_solve(3, A, re, im, V, NULL, scratch), 0);
    for (int k = 1; k <= 3; k++) {
        int found = 0;
        for (int j = 0; j < 3; j++)
            found += fabs(re[j] + k) < 1e-12 && im[j] == 0.0;
        assert_int_equal(found, 1);
    }
    assert_int_equal(kane_eigen_solve(2, B, re, im, V, NULL, scratch), 0);
    check_near(re[0], -0.1, 1e-15);
    check_near(im[0], 2.0, 1e-15);
    check_near(im[1], -2.0, 1e-15);
}

// Newtons and metres beside each other: a spring of 1e9 N/m in a matrix that also holds 1e-3.
CHECK_TEST(scales_may_differ)
{
    double A[16] = {0.0, 0.0, -1e12, 0.0, 0.0, 0.0, 1e-3, -1e-6, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1e-4};
    double re[4], im[4], V[16], scratch[4];
    assert_int_equal(kane_eigen_solve(4, A, re, im, V, NULL, scratch), 0);
    int fast = 0, slow = 0;
    for (int j = 0; j < 4; j++) {
        fast += fabs(im[j] / 1e6 - 1.0) < 1e-12;
        slow += fabs(im[j] / sqrt(1e-6 - 0.25e-8) - 1.0) < 1e-9 && fabs(re[j] / -0.5e-4 - 1.0) < 1e-9;
    }
    assert_int_equal(fast, 1);
    assert_int_equal(slow, 1);
}

CHECK_TEST(what_is_not_finite_is_refused)
{
    double A[4] = {0.0, (double)NAN, 1.0, 0.0}, re[2], im[2], V[4], scratch[2];
    assert_int_equal(kane_eigen_solve(2, A, re, im, V, NULL, scratch), KANE_EIGEN_NOT_FINITE);
}

// Reflected by its eigenvectors a symmetric matrix is diagonal.
CHECK_TEST(a_symmetric_matrix_has_orthogonal_vectors)
{
    const double S[9] = {2.0, 0.3, -0.4, 0.3, 5.0, 0.7, -0.4, 0.7, 3.0};
    double A[9], w[3];
    memcpy(A, S, sizeof A);
    assert_int_equal(kane_eigen_solve_symmetric(3, A, w), 0);
    assert_true(w[0] < w[1] && w[1] < w[2]);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            double dot = 0.0, image = 0.0;
            for (int k = 0; k < 3; k++) {
                dot += A[3 * j + k] * A[3 * i + k];
                image += S[3 * i + k] * A[3 * j + k];
            }
            check_near(dot, i == j, 1e-15);
            check_near(image, w[j] * A[3 * j + i], 1e-14);
        }
    memcpy(A, S, sizeof A);
    A[4] = (double)INFINITY;
    assert_int_equal(kane_eigen_solve_symmetric(3, A, w), KANE_EIGEN_NOT_FINITE);
}

// Columns in a plane of two random directions, and one unit vector, which stays as it is.
CHECK_TEST(a_basis_reaches_what_the_matrix_reaches)
{
    enum { ROWS = 5, COLUMNS = 5, RANK = 3 };
    uint64_t seed            = 3;
    double A[ROWS * COLUMNS] = {0.0}, copy[ROWS * COLUMNS], basis[ROWS * COLUMNS];
    double v[2][ROWS];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < ROWS; i++)
            v[k][i] = random_number(&seed);
    for (int j = 0; j < COLUMNS; j++) {
        const double p = random_number(&seed), q = random_number(&seed);
        for (int i = 0; i < ROWS; i++)
            A[j * ROWS + i] = j == 2 ? (i == 1 ? 1.0 : 0.0) : p * v[0][i] + q * v[1][i];
    }
    memcpy(copy, A, sizeof A);
    assert_int_equal(kane_range_basis(ROWS, COLUMNS, copy, 1e-10, basis), RANK);
    for (int i = 0; i < ROWS; i++)
        assert_true(basis[i] == (i == 1 ? 1.0 : 0.0));
    for (int a = 0; a < RANK; a++)
        for (int b = 0; b < RANK; b++) {
            double dot = 0.0;
            for (int i = 0; i < ROWS; i++)
                dot += basis[a * ROWS + i] * basis[b * ROWS + i];
            check_near(dot, a == b, 1e-14);
        }
    for (int j = 0; j < COLUMNS; j++) { // nothing of A is outside
        double left[ROWS];
        memcpy(left, A + j * ROWS, sizeof left);
        for (int a = 0; a < RANK; a++) {
            double dot = 0.0;
            for (int i = 0; i < ROWS; i++)
                dot += basis[a * ROWS + i] * left[i];
            for (int i = 0; i < ROWS; i++)
                left[i] -= dot * basis[a * ROWS + i];
        }
        for (int i = 0; i < ROWS; i++)
            check_near(left[i], 0.0, 1e-14);
    }
}

// Axes turned from those of a diagonal matrix, values that are apart, equal, and of very different size: A v = w v,
// orthonormal, ascending.
CHECK_TEST(principal_axes_are_found)
{
    static const double values[][3] = {{1, 2, 3}, {2, 2, 5}, {7, 7, 7}, {1e-6, 1, 1e6}, {-3, 0, 4}, {0, 0, 0}};
    for (int k = 0; k < 6 * 8; k++) {
        const double a = 0.7 * (k / 6), b = 1.1 * (k / 6), c = 0.3 * (k / 6);
        const double R[3][3] = {
            {cos(a) * cos(b), cos(a) * sin(b) * sin(c) - sin(a) * cos(c), cos(a) * sin(b) * cos(c) + sin(a) * sin(c)},
            {sin(a) * cos(b), sin(a) * sin(b) * sin(c) + cos(a) * cos(c), sin(a) * sin(b) * cos(c) - cos(a) * sin(c)},
            {-sin(b), cos(b) * sin(c), cos(b) * cos(c)}};
        double A[9], V[9], w[3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                A[3 * i + j] = 0.0;
                for (int m = 0; m < 3; m++)
                    A[3 * i + j] += R[i][m] * values[k % 6][m] * R[j][m];
            }
        const double size = fmax(fabs(values[k % 6][0]), fabs(values[k % 6][2]));
        memcpy(V, A, sizeof A);
        assert_int_equal(kane_principal_axes(V, w), 0);
        for (int i = 0; i < 3; i++) {
            double largest = 0.0;
            check_near(w[i], values[k % 6][i], 1e-14 * size);
            for (int j = 0; j < 3; j++) {
                const double *v = V + 3 * i;
                check_near(A[3 * j] * v[0] + A[3 * j + 1] * v[1] + A[3 * j + 2] * v[2], w[i] * v[j], 1e-14 * size);
                check_near(V[3 * i] * V[3 * j] + V[3 * i + 1] * V[3 * j + 1] + V[3 * i + 2] * V[3 * j + 2], i == j,
                           1e-14);
                largest = fabs(v[j]) > fabs(largest) ? v[j] : largest;
            }
            assert_true(largest > 0.0);
        }
    }
}

CHECK_MAIN(NULL, NULL)
