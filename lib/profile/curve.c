// SPDX-License-Identifier: MIT
// Smoothing splines by Reinsch's method. A natural cubic spline with values g and second derivatives m at the knots has
// R m = Q'g, R tridiagonal with (h[i-1] + h[i])/3 and h[i]/6, Q' the second divided differences. The one with the least
//   sum weight (g - y)^2 + strength * integral of g''^2
// has (R + strength Q' W^-1 Q) m = Q'y and g = y - strength W^-1 Q m. The matrix has five diagonals; y and z share it. The
// distance of the curve from the points grows with the strength, which is found by halving its logarithm.

#include "profile/curve.h"

#include <math.h>
#include <string.h>

typedef struct fitter {
    int inner;                       // points that are not ends
    const double *h;                 // lengths of the chords [m]
    const double *weight;            // NULL: all 1
    double *diagonal, *next, *after; // of the matrix, then of its factors L D L'
    double *right[2], *m[2];         // Q'(y, z); second derivatives at the inner points
    double *shift[2];                // y - g, z - g at all points
} fitter;

static double spread(const fitter *f, int i)
{
    return f->weight ? 1.0 / f->weight[i] : 1.0;
}

// Row i of Q': it stands at the points i, i + 1, i + 2.
static void differences(const fitter *f, int i, double q[3])
{
    q[0] = 1.0 / f->h[i];
    q[2] = 1.0 / f->h[i + 1];
    q[1] = -q[0] - q[2];
}

static void fill_matrix(fitter *f, double strength)
{
    for (int i = 0; i < f->inner; i++) {
        double q[3], one[3] = {0.0}, two[3] = {0.0};
        differences(f, i, q);
        if (i + 1 < f->inner)
            differences(f, i + 1, one);
        if (i + 2 < f->inner)
            differences(f, i + 2, two);
        const double w0 = spread(f, i), w1 = spread(f, i + 1), w2 = spread(f, i + 2);
        f->diagonal[i] =
            (f->h[i] + f->h[i + 1]) / 3.0 + strength * (w0 * q[0] * q[0] + w1 * q[1] * q[1] + w2 * q[2] * q[2]);
        f->next[i]  = f->h[i + 1] / 6.0 + strength * (w1 * q[1] * one[0] + w2 * q[2] * one[1]);
        f->after[i] = strength * w2 * q[2] * two[0];
    }
}

// L D L' in place: the diagonal becomes D, the others L.
static void factor(fitter *f)
{
    double *d = f->diagonal, *e = f->next, *c = f->after;
    for (int i = 0; i < f->inner; i++) {
        const double e0 = e[i], c0 = c[i];
        e[i] = e0 / d[i];
        c[i] = c0 / d[i];
        if (i + 1 < f->inner) {
            d[i + 1] -= e[i] * e0;
            e[i + 1] -= c[i] * e0;
        }
        if (i + 2 < f->inner)
            d[i + 2] -= c[i] * c0;
    }
}

static void solve(const fitter *f, const double *right, double *m)
{
    for (int i = 0; i < f->inner; i++)
        m[i] = right[i] - (i > 0 ? f->next[i - 1] * m[i - 1] : 0.0) - (i > 1 ? f->after[i - 2] * m[i - 2] : 0.0);
    for (int i = f->inner - 1; i >= 0; i--)
        m[i] = m[i] / f->diagonal[i] - (i + 1 < f->inner ? f->next[i] * m[i + 1] : 0.0) -
               (i + 2 < f->inner ? f->after[i] * m[i + 2] : 0.0);
}

// Solves for one strength. Returns the weighted rms distance.
static double smooth(fitter *f, double strength)
{
    double sum = 0.0, weights = 0.0;
    fill_matrix(f, strength);
    factor(f);
    for (int k = 0; k < 2; k++) {
        solve(f, f->right[k], f->m[k]);
        memset(f->shift[k], 0, ((size_t)f->inner + 2) * sizeof(double));
        for (int i = 0; i < f->inner; i++) {
            double q[3];
            differences(f, i, q);
            for (int j = 0; j < 3; j++)
                f->shift[k][i + j] += strength * spread(f, i + j) * q[j] * f->m[k][i];
        }
    }
    for (int i = 0; i < f->inner + 2; i++) {
        const double w = f->weight ? f->weight[i] : 1.0;
        sum += w * (f->shift[0][i] * f->shift[0][i] + f->shift[1][i] * f->shift[1][i]);
        weights += w;
    }
    return sqrt(sum / weights);
}

// The strength at which the distance is the tolerance, from below.
static double find(fitter *f, double tolerance)
{
    double low = log(1e-24), high = log(1e3); // [m^3]: from no smoothing at all to a straight line
    if (!(tolerance > 0.0))
        return smooth(f, 0.0);
    if (smooth(f, exp(high)) <= tolerance)
        return smooth(f, exp(high));
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (smooth(f, exp(middle)) <= tolerance)
            low = middle;
        else
            high = middle;
    }
    return smooth(f, exp(low));
}

static void fill_cubic(double h, double g0, double g1, double m0, double m1, double c[4])
{
    c[0] = g0;
    c[1] = (g1 - g0) / h - h * (2.0 * m0 + m1) / 6.0;
    c[2] = 0.5 * m0;
    c[3] = (m1 - m0) / (6.0 * h);
}

static double inner(const fitter *f, int coordinate, int point)
{
    return point > 0 && point <= f->inner ? f->m[coordinate][point - 1] : 0.0;
}

int kane_curve_fit(curve *c, int count, const double *y, const double *z, const double *weight, double tolerance,
                   kane_arena *arena)
{
    const double *values[2] = {y, z};
    const size_t n          = (size_t)count;
    double *knots           = kane_arena_doubles(arena, n);
    double *h               = kane_arena_doubles(arena, n);
    curve_piece *pieces     = kane_arena_alloc(arena, n, sizeof *pieces);
    fitter f                = {.inner    = count - 2,
                               .h        = h,
                               .weight   = weight,
                               .diagonal = kane_arena_doubles(arena, n),
                               .next     = kane_arena_doubles(arena, n),
                               .after    = kane_arena_doubles(arena, n)};
    for (int k = 0; k < 2; k++) {
        f.right[k] = kane_arena_doubles(arena, n);
        f.m[k]     = kane_arena_doubles(arena, n);
        f.shift[k] = kane_arena_doubles(arena, n);
    }
    if (kane_arena_failed(arena))
        return 0;

    for (int i = 0; i + 1 < count; i++) {
        h[i]         = hypot(y[i + 1] - y[i], z[i + 1] - z[i]);
        knots[i + 1] = knots[i] + h[i];
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < f.inner; i++) {
            const double *v = values[k];
            f.right[k][i]   = (v[i + 2] - v[i + 1]) / h[i + 1] - (v[i + 1] - v[i]) / h[i];
        }
    const double distance = find(&f, tolerance);
    for (int i = 0; i + 1 < count; i++)
        for (int k = 0; k < 2; k++)
            fill_cubic(h[i], values[k][i] - f.shift[k][i], values[k][i + 1] - f.shift[k][i + 1], inner(&f, k, i),
                       inner(&f, k, i + 1), k == 0 ? pieces[i].y : pieces[i].z);
    *c = (curve){.count = count, .knots = knots, .pieces = pieces, .distance = distance};
    return 1;
}

curve_point kane_curve_at(const curve *c, double t)
{
    int low = 0, high = c->count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (t < c->knots[middle])
            high = middle;
        else
            low = middle;
    }
    const double inside = fmin(fmax(t, 0.0), c->knots[c->count - 1]), x = inside - c->knots[low], beyond = t - inside;
    const double *y = c->pieces[low].y, *z = c->pieces[low].z;
    curve_point p = {.y    = y[0] + x * (y[1] + x * (y[2] + x * y[3])),
                     .z    = z[0] + x * (z[1] + x * (z[2] + x * z[3])),
                     .y_t  = y[1] + x * (2.0 * y[2] + x * 3.0 * y[3]),
                     .z_t  = z[1] + x * (2.0 * z[2] + x * 3.0 * z[3]),
                     .y_tt = 2.0 * y[2] + 6.0 * y[3] * x,
                     .z_tt = 2.0 * z[2] + 6.0 * z[3] * x};
    p.y += beyond * p.y_t;
    p.z += beyond * p.z_t;
    return p;
}
