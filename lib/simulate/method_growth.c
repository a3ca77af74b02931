// SPDX-License-Identifier: MIT
// Growth of a mode as methods compute it: y' = lambda y in steps of one length h.
//
// A step has the roots zeta, and the method lets the mode grow by log|zeta|/h of the largest one. With x = 1 - 1/zeta,
// the backward difference of y over y,
//
//   BDF of order k     x + x^2/2 + ... + x^k/k = h lambda
//   Adams of order k   x = h lambda (gamma_0 + gamma_1 x + ... + gamma_(k-1) x^(k-1)),   gamma_0 = 1,
//                      gamma_m = -(gamma_0/(m + 1) + gamma_1/m + ... + gamma_(m-1)/2)       (Hairer, Norsett, Wanner I, III.1)
//   alpha              h lambda = 2 (w + 2 r w^2)/(1 + 2 r w + r^2 w^2), w = (zeta - 1)/(zeta + 1)    (bdf_alpha.c)
//   rk4                zeta = 1 + z + z^2/2 + z^3/6 + z^4/24, z = h lambda
//
// Linearly implicit methods are those that they linearise, imex BDF of order 1, bdf2 that of order 2.

#include <kane/integrator.h>

#include "simulate/integrators.h"
#include "simulate/linear_parts.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { MOST_ORDER = 12, ITERATIONS = 200 };

// Steps of the search: shortest and longest [s], ratio of one to the next, relative accuracy of the result.
static const double SHORTEST = 1e-6, LONGEST = 3600.0; // [s]
static const double GROWTH = 1.2, CLOSE = 1e-6;

// All roots of c_0 + c_1 x + ... + c_n x^n, by the iteration of Weierstrass.
static void find_roots(int n, const double complex *c, double complex *x)
{
    double size = 0.0;
    for (int i = 0; i < n; i++)
        size = fmax(size, pow(cabs(c[i] / c[n]), 1.0 / (n - i)));
    for (int i = 0; i < n; i++) // on a circle, none of them real
        x[i] = size * kane_complex(cos(0.4 + 6.283185307179586 * i / n), sin(0.4 + 6.283185307179586 * i / n));
    double moved = 1.0;
    for (int k = 0; k < ITERATIONS && moved > 1e-15; k++) {
        moved = 0.0;
        for (int i = 0; i < n; i++) {
            double complex value = c[n], slope = c[n];
            for (int j = n - 1; j >= 0; j--)
                value = value * x[i] + c[j];
            for (int j = 0; j < n; j++)
                slope *= j == i ? 1.0 : x[i] - x[j];
            const double complex step = value / slope;
            x[i] -= step;
            moved = fmax(moved, cabs(step) / size);
        }
    }
}

// log of the largest |1/(1 - x)|.
static double largest_root_growth(int n, const double complex *c)
{
    double complex x[MOST_ORDER];
    double least = HUGE_VAL;
    find_roots(n, c, x);
    for (int i = 0; i < n; i++)
        least = fmin(least, cabs(1.0 - x[i]));
    return -log(least);
}

static double growth_by_bdf(int order, double complex z)
{
    double complex c[MOST_ORDER + 1] = {-z};
    for (int j = 1; j <= order; j++)
        c[j] = 1.0 / j;
    return largest_root_growth(order, c);
}

static double growth_by_adams(int order, double complex z)
{
    double complex c[MOST_ORDER + 1] = {0.0};
    double gamma[MOST_ORDER]         = {1.0};
    for (int m = 1; m < order; m++)
        for (int j = 0; j < m; j++)
            gamma[m] -= gamma[j] / (m + 1 - j);
    for (int j = 0; j < order; j++)
        c[j] = -z * gamma[j];
    c[1] += 1.0;
    return largest_root_growth(order > 1 ? order - 1 : 1, c);
}

// (z r^2 - 4 r) w^2 + (2 r z - 2) w + z = 0
static double growth_by_alpha(double r, double complex z)
{
    const double complex a = r * (r * z - 4.0), b = 2.0 * r * z - 2.0, root = csqrt(b * b - 4.0 * a * z);
    double largest = 0.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double complex w = 2.0 * z / (-b + sign * root); // finite where a is zero
        if (cabs(-b + sign * root) > 0.0)
            largest = fmax(largest, cabs((1.0 + w) / (1.0 - w)));
    }
    return log(largest);
}

// order 3 and 4 where they are chosen; r = (1 - rho)/(1 + rho)
static double growth_by_bdf_alpha(int order, double swing, double complex z)
{
    if (order > 2 && swing <= kane_bdf_alpha_narrow())
        return growth_by_bdf(order, z);
    const double rho = kane_bdf_alpha_radius(swing);
    return growth_by_alpha((1.0 - rho) / (1.0 + rho), z);
}

double kane_method_growth(kane_method method, int order, double step, double highest, double re, double im)
{
    const double complex z = step * kane_complex(re, im);
    if (step <= 0.0)
        return re;
    switch (method) {
    case KANE_BDF: return growth_by_bdf(order, z) / step;
    case KANE_ADAMS: return growth_by_adams(order, z) / step;
    case KANE_RK4: return log(cabs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))))) / step;
    case KANE_IMEX: return growth_by_bdf(1, z) / step;
    case KANE_BDF2: return growth_by_bdf(2, z) / step;
    case KANE_SEMI_IMPLICIT: return re - 0.5 * step * im * im; // docs/analyses.md
    case KANE_BDF_ALPHA: return growth_by_bdf_alpha(order, 6.283185307179586 * highest * step, z) / step;
    }
    return (double)NAN;
}

static int is_shown(kane_method method, int order, double step, double highest, double re, double im)
{
    return fabs(kane_method_growth(method, order, step, highest, re, im) - re) <= 0.5 * fabs(re);
}

double kane_method_step(kane_method method, int order, double highest, double re, double im)
{
    double shows = SHORTEST, hides = LONGEST;
    if (!is_shown(method, order, shows, highest, re, im))
        return 0.0;
    for (double h = GROWTH * shows; hides == LONGEST && h < LONGEST; h *= GROWTH)
        if (is_shown(method, order, h, highest, re, im))
            shows = h;
        else
            hides = h;
    while (hides - shows > CLOSE * shows) {
        const double h = 0.5 * (shows + hides);
        if (is_shown(method, order, h, highest, re, im))
            shows = h;
        else
            hides = h;
    }
    return shows;
}
