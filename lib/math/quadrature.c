// SPDX-License-Identifier: MIT
// Gauss-Legendre quadrature: roots of Legendre polynomials by Newton's method.

#include "math/spline.h"

#include <math.h>

// P_n(x) and its derivative by the three-term recurrence, |x| < 1.
static void eval_legendre(int n, double x, double *p, double *p_x)
{
    double before = 1.0, here = x;
    for (int k = 2; k <= n; k++) {
        const double next = ((2 * k - 1) * x * here - (k - 1) * before) / k;

        before = here;
        here   = next;
    }
    *p   = here;
    *p_x = n * (before - x * here) / (1.0 - x * x);
}

void kane_gauss_legendre(int n, double *x, double *w)
{
    const double pi = acos(-1.0);

    for (int i = 0; i < (n + 1) / 2; i++) {
        // The i-th root from above starts close enough for a handful of Newton steps; the middle one is 0.
        double root = cos(pi * (i + 0.75) / (n + 0.5)), p, p_x;
        if (2 * i + 1 == n)
            root = 0.0;
        for (int k = 0; k < 6; k++) {
            eval_legendre(n, root, &p, &p_x);
            root -= p / p_x;
        }
        if (2 * i + 1 == n)
            root = 0.0;
        eval_legendre(n, root, &p, &p_x);
        x[i]         = -root;
        x[n - 1 - i] = root;
        w[i] = w[n - 1 - i] = 2.0 / ((1.0 - root * root) * p_x * p_x);
    }
}
