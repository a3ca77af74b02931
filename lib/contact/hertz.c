// SPDX-License-Identifier: MIT
// Hertz' solution.

#include "contact/hertz.h"
#include "contact/grid.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// Complete elliptic integrals of modulus k by the arithmetic-geometric mean, in a form that keeps its digits at k = 0:
// K, and s with E = K (1 - s), k^2 - s (Abramowitz & Stegun 17.6).
typedef struct elliptic {
    double K, s, rest;
} elliptic;

// k2 = k^2, g = sqrt(1 - k^2)
static elliptic elliptic_eval(double k2, double g)
{
    double a = 1.0, b = g, weight = 0.5, tail = 0.0;
    for (int i = 0; i < 40; i++) {
        const double c = 0.5 * (a - b), mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        weight *= 2.0;
        tail += weight * c * c;
        if (c < 1e-17 * a)
            break;
    }
    return (elliptic){.K = 0.5 * pi / a, .s = 0.5 * k2 + tail, .rest = 0.5 * k2 - tail};
}

// Of an ellipse with axes ratio b/a = exp(-t), t >= 0:  B/A = (E/g^2 - K)/(K - E) = (k^2 - s)/(g^2 s).
static double curvature_ratio(double t, elliptic *e)
{
    const double g = exp(-t), k2 = -expm1(-2.0 * t);
    *e = elliptic_eval(k2, g);
    return e->rest / (g * g * e->s);
}

hertz_numbers kane_hertz_numbers(double x)
{
    const double wanted = exp(fabs(x));
    elliptic e;

    // b/a lies between A/B and 1
    double low = 0.0, high = fabs(x) + 1e-3;
    for (int i = 0; i < 100 && high - low > 1e-15 * high; i++) {
        const double t = 0.5 * (low + high);
        if (curvature_ratio(t, &e) > wanted)
            high = t;
        else
            low = t;
    }
    const double t = x == 0.0 ? 0.0 : 0.5 * (low + high), g = exp(-t);
    e = elliptic_eval(-expm1(-2.0 * t), g);

    const double major = cbrt(2.0 * e.K * (1.0 - e.s) / (pi * g * g)), minor = major * g;
    return (hertz_numbers){.m = x >= 0.0 ? major : minor, .n = x >= 0.0 ? minor : major, .r = 2.0 * e.K / (pi * major)};
}

kane_hertz kane_hertz_eval(double A, double B, double E_star, double N)
{
    const hertz_numbers numbers = kane_hertz_numbers(log(B / A));
    const double c              = cbrt(3.0 * N / (4.0 * E_star * (A + B)));
    const double a = numbers.m * c, b = numbers.n * c;
    return (kane_hertz){
        .a = a, .b = b, .approach = numbers.r * c * c * (A + B), .pressure = N > 0.0 ? 1.5 * N / (pi * a * b) : 0.0};
}

static const double table_end = 14.0;

static hertz_shape exact_shape(double x)
{
    const hertz_numbers numbers = kane_hertz_numbers(x);
    const double root           = 1.0 / sqrt(numbers.r);
    return (hertz_shape){
        .h = sqrt(1.0 / (1.0 + exp(-x))) * root * root * root, .along = numbers.m * root, .across = numbers.n * root};
}

void kane_hertz_table_init(hertz_table *table)
{
    const double width = 2.0 * table_end / KANE_HERTZ_CELLS;
    double h[KANE_HERTZ_CELLS + 1], along[KANE_HERTZ_CELLS + 1], across[KANE_HERTZ_CELLS + 1];
    double dh[KANE_HERTZ_CELLS + 1], dalong[KANE_HERTZ_CELLS + 1], dacross[KANE_HERTZ_CELLS + 1];
    double scratch[KANE_HERTZ_CELLS + 1];
    hertz_shape slope[2];

    for (int i = 0; i <= KANE_HERTZ_CELLS; i++) {
        const hertz_shape s = exact_shape(-table_end + i * width);
        h[i]                = s.h;
        along[i]            = s.along;
        across[i]           = s.across;
    }
    for (int end = 0; end < 2; end++) {
        const double d = 1e-4, x = end ? table_end : -table_end;
        const hertz_shape up = exact_shape(x + d), down = exact_shape(x - d);
        slope[end] = (hertz_shape){(up.h - down.h) / (2.0 * d), (up.along - down.along) / (2.0 * d),
                                   (up.across - down.across) / (2.0 * d)};
    }
    kane_grid_slopes(KANE_HERTZ_CELLS + 1, width, h, slope[0].h, slope[1].h, dh, scratch);
    kane_grid_slopes(KANE_HERTZ_CELLS + 1, width, along, slope[0].along, slope[1].along, dalong, scratch);
    kane_grid_slopes(KANE_HERTZ_CELLS + 1, width, across, slope[0].across, slope[1].across, dacross, scratch);
    for (int i = 0; i < KANE_HERTZ_CELLS; i++) {
        kane_grid_cubic(width, h[i], dh[i], h[i + 1], dh[i + 1], table->cells[i].h);
        kane_grid_cubic(width, along[i], dalong[i], along[i + 1], dalong[i + 1], table->cells[i].along);
        kane_grid_cubic(width, across[i], dacross[i], across[i + 1], dacross[i + 1], table->cells[i].across);
    }
}

static double cubic(const double c[4], double x)
{
    return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}

hertz_shape kane_hertz_shape(const hertz_table *table, double x)
{
    const double width = 2.0 * table_end / KANE_HERTZ_CELLS;
    double t           = (x + table_end) / width;
    t                  = t > 0.0 ? t : 0.0;
    t                  = t < KANE_HERTZ_CELLS ? t : KANE_HERTZ_CELLS;
    int i              = (int)t;
    i                  = i < KANE_HERTZ_CELLS ? i : KANE_HERTZ_CELLS - 1;

    const double y      = (t - i) * width;
    const hertz_cell *c = &table->cells[i];
    return (hertz_shape){cubic(c->h, y), cubic(c->along, y), cubic(c->across, y)};
}
