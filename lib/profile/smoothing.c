// SPDX-License-Identifier: MIT
// Smoothing splines by Reinsch's method. A natural cubic spline with values g and second derivatives m at the knots has
// R m = Q'g, R tridiagonal with (h[i-1] + h[i])/3 and h[i]/6, Q' the second divided differences. The one with the least
//   sum weight (g - y)^2 + strength * integral of g''^2
// has (R + strength Q' W^-1 Q) m = Q'y and g = y - strength W^-1 Q m. The matrix has five diagonals; all columns share
// it. The distance of the spline from the points grows with the strength, which is found by halving its logarithm.

#include "profile/curve.h"

#include <math.h>
#include <string.h>

// The matrix, then its factors L D L'. inner: points that are not ends.
typedef struct band {
    int inner;
    double *diagonal, *next, *after;
} band;

static band band_of(const kane_smoothing *s)
{
    const int n = s->count;
    return (band){n - 2, s->work, s->work + n, s->work + 2 * n};
}

// 1/w_i; 1 without weights
static double inverse_weight(const kane_smoothing *s, int i)
{
    return s->weight ? 1.0 / s->weight[i] : 1.0;
}

// Row i of Q' (second divided differences): its elements at the points i, i + 1, i + 2.
static void second_difference(const kane_smoothing *s, int i, double q[3])
{
    q[0] = 1.0 / s->h[i];
    q[2] = 1.0 / s->h[i + 1];
    q[1] = -q[0] - q[2];
}

static void fill_matrix(const kane_smoothing *s, double strength, const band *b)
{
    for (int i = 0; i < b->inner; i++) {
        double q[3], one[3] = {0.0}, two[3] = {0.0};
        second_difference(s, i, q);
        if (i + 1 < b->inner)
            second_difference(s, i + 1, one);
        if (i + 2 < b->inner)
            second_difference(s, i + 2, two);
        const double w0 = inverse_weight(s, i), w1 = inverse_weight(s, i + 1), w2 = inverse_weight(s, i + 2);
        b->diagonal[i] =
            (s->h[i] + s->h[i + 1]) / 3.0 + strength * (w0 * q[0] * q[0] + w1 * q[1] * q[1] + w2 * q[2] * q[2]);
        b->next[i]  = s->h[i + 1] / 6.0 + strength * (w1 * q[1] * one[0] + w2 * q[2] * one[1]);
        b->after[i] = strength * w2 * q[2] * two[0];
    }
}

// L D L' in place: the diagonal becomes D, the others L.
static void factor_band(const band *b)
{
    double *d = b->diagonal, *e = b->next, *c = b->after;
    for (int i = 0; i < b->inner; i++) {
        const double e0 = e[i], c0 = c[i];
        e[i] = e0 / d[i];
        c[i] = c0 / d[i];
        if (i + 1 < b->inner) {
            d[i + 1] -= e[i] * e0;
            e[i + 1] -= c[i] * e0;
        }
        if (i + 2 < b->inner)
            d[i + 2] -= c[i] * c0;
    }
}

// m of L D L' m = right
static void solve_band(const band *b, const double *right, double *m)
{
    for (int i = 0; i < b->inner; i++)
        m[i] = right[i] - (i > 0 ? b->next[i - 1] * m[i - 1] : 0.0) - (i > 1 ? b->after[i - 2] * m[i - 2] : 0.0);
    for (int i = b->inner - 1; i >= 0; i--)
        m[i] = m[i] / b->diagonal[i] - (i + 1 < b->inner ? b->next[i] * m[i + 1] : 0.0) -
               (i + 2 < b->inner ? b->after[i] * m[i + 2] : 0.0);
}

double kane_smoothing_solve(kane_smoothing *s, double strength)
{
    const band b = band_of(s);
    double sum = 0.0, weights = 0.0;
    fill_matrix(s, strength, &b);
    factor_band(&b);
    for (int k = 0; k < s->columns; k++) {
        const double *y = s->y[k];
        double *right = s->work + 3 * s->count, *m = s->bend[k] + 1;
        for (int i = 0; i < b.inner; i++)
            right[i] = (y[i + 2] - y[i + 1]) / s->h[i + 1] - (y[i + 1] - y[i]) / s->h[i];
        s->bend[k][0] = s->bend[k][s->count - 1] = 0.0;
        solve_band(&b, right, m);
        memset(s->shift[k], 0, (size_t)s->count * sizeof(double));
        for (int i = 0; i < b.inner; i++) {
            double q[3];
            second_difference(s, i, q);
            for (int j = 0; j < 3; j++)
                s->shift[k][i + j] += strength * inverse_weight(s, i + j) * q[j] * m[i];
        }
    }
    for (int i = 0; i < s->count; i++) {
        const double w = s->weight ? s->weight[i] : 1.0;
        double square  = 0.0;
        for (int k = 0; k < s->columns; k++)
            square += s->shift[k][i] * s->shift[k][i];
        sum += w * square;
        weights += w;
    }
    return sqrt(sum / weights);
}

double kane_smoothing_find(kane_smoothing *s, double tolerance, double low, double high)
{
    double a = log(low), b = log(high);
    if (!(tolerance > 0.0))
        return kane_smoothing_solve(s, 0.0);
    if (kane_smoothing_solve(s, exp(b)) <= tolerance)
        return kane_smoothing_solve(s, exp(b));
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (a + b);
        if (kane_smoothing_solve(s, exp(middle)) <= tolerance)
            a = middle;
        else
            b = middle;
    }
    return kane_smoothing_solve(s, exp(a));
}

void kane_smoothing_cubic(const kane_smoothing *s, int k, int i, double c[4])
{
    const double h = s->h[i], m0 = s->bend[k][i], m1 = s->bend[k][i + 1];
    const double g0 = s->y[k][i] - s->shift[k][i], g1 = s->y[k][i + 1] - s->shift[k][i + 1];
    c[0] = g0;
    c[1] = (g1 - g0) / h - h * (2.0 * m0 + m1) / 6.0;
    c[2] = 0.5 * m0;
    c[3] = (m1 - m0) / (6.0 * h);
}

double kane_smoothing_strength(double wavelength)
{
    const double length = wavelength / 6.283185307179586477;
    return length * length * length * length;
}
