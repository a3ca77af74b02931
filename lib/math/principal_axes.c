// SPDX-License-Identifier: MIT
// Eigenvalues of symmetric 3 x 3 matrices by Jacobi's rotations (Golub and Van Loan, Matrix Computations, 8.5): each of
// them makes one number beside the diagonal vanish, and their sum of squares falls quadratically.

#include "math/dense.h"

#include <math.h>

// A = J^T A J and V = V J, with the rotation J in the plane of axes p and q that makes A[p][q] vanish.
static void rotate_axes(double A[3][3], double V[3][3], int p, int q)
{
    if (A[p][q] == 0.0)
        return;
    const double tau = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
    const double t = (tau >= 0.0 ? 1.0 : -1.0) / (fabs(tau) + hypot(1.0, tau)), c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    const int r    = 3 - p - q;
    const double h = t * A[p][q], a = A[r][p], b = A[r][q];
    A[p][p] -= h;
    A[q][q] += h;
    A[p][q] = A[q][p] = 0.0;
    A[r][p] = A[p][r] = c * a - s * b;
    A[r][q] = A[q][r] = s * a + c * b;
    for (int i = 0; i < 3; i++) {
        const double v = V[i][p], w = V[i][q];
        V[i][p] = c * v - s * w;
        V[i][q] = s * v + c * w;
    }
}

// Column k of V, its largest number positive.
static void take_axis(double V[3][3], int k, double axis[3])
{
    int largest = 0;
    for (int i = 1; i < 3; i++)
        largest = fabs(V[i][k]) > fabs(V[largest][k]) ? i : largest;
    for (int i = 0; i < 3; i++)
        axis[i] = V[largest][k] < 0.0 ? -V[i][k] : V[i][k];
}

int kane_principal_axes(double A[9], double w[3])
{
    enum { SWEEPS_MOST = 20 }; // four or five do
    double a[3][3], V[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 9; i++) {
        if (!isfinite(A[i]))
            return KANE_EIGEN_NOT_FINITE;
        a[i / 3][i % 3] = A[i];
    }
    for (int sweep = 0; sweep < SWEEPS_MOST && (a[0][1] != 0.0 || a[0][2] != 0.0 || a[1][2] != 0.0); sweep++) {
        rotate_axes(a, V, 0, 1);
        rotate_axes(a, V, 0, 2);
        rotate_axes(a, V, 1, 2);
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 - i; k++)
            if (a[order[k]][order[k]] > a[order[k + 1]][order[k + 1]]) {
                const int kept = order[k];
                order[k]       = order[k + 1];
                order[k + 1]   = kept;
            }
    for (int k = 0; k < 3; k++) {
        w[k] = a[order[k]][order[k]];
        take_axis(V, order[k], A + 3 * k);
    }
    return 0;
}
