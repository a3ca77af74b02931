// SPDX-License-Identifier: MIT
// Polynomial transitions that all have the same ends (include/kane/transition.h).

#include <kane/transition.h>

#include <math.h>
#include <string.h>

enum { GROWTH_SAMPLES = 2000 };

int kane_family_degree(const kane_transition_family *family)
{
    const int ends = family->ends, unknowns = family->unknowns;
    if (ends < 0 || unknowns < 0 || ends >= KANE_POLYNOMIAL_MAX || unknowns >= KANE_POLYNOMIAL_MAX ||
        2 * ends + 1 + unknowns >= KANE_POLYNOMIAL_MAX)
        return -1;
    return 2 * ends + 1 + unknowns;
}

// Gegenbauer polynomials with lambda = m + 1/2, orthogonal under (1 - z^2)^m, divided by their value at z = 1:
//   (k + 2 lambda) G_(k+1) = 2 (k + lambda) z G_k - k G_(k-1),   G_0 = 1,   G_1 = z
typedef struct recursion {
    double ahead, behind; // G_(k+1) = ahead z G_k - behind G_(k-1)
} recursion;

static recursion recursion_of(int ends, int k)
{
    const double lambda = ends + 0.5;
    return (recursion){2.0 * (k + lambda) / (k + 2.0 * lambda), k / (k + 2.0 * lambda)};
}

double kane_family_growth(const kane_transition_family *family, const double *c, double x)
{
    const double z = 2.0 * x - 1.0;
    double before = 0.0, here = 1.0, sum = 1.0;
    for (int k = 0; k < family->unknowns; k++) {
        const recursion r = recursion_of(family->ends, k);
        const double next = r.ahead * z * here - r.behind * before;
        before            = here;
        here              = next;
        sum += c[k] * here;
    }
    return sum;
}

double kane_family_least_growth(const kane_transition_family *family, const double *c)
{
    double least = HUGE_VAL;
    for (int i = 0; i <= GROWTH_SAMPLES; i++)
        least = fmin(least, kane_family_growth(family, c, (double)i / GROWTH_SAMPLES));
    return least;
}

// to += factor (shift + scale x) by
static void multiply_add(double *to, double factor, double shift, double scale, const double *by, int count)
{
    for (int i = 0; i < count; i++) {
        to[i] += factor * shift * by[i];
        to[i + 1] += factor * scale * by[i];
    }
}

// The bracket as a polynomial of x.
static void expand_growth(const kane_transition_family *family, const double *c, double growth[KANE_POLYNOMIAL_MAX + 1])
{
    double before[KANE_POLYNOMIAL_MAX + 1] = {0.0}, here[KANE_POLYNOMIAL_MAX + 1] = {1.0};
    growth[0] = 1.0;
    for (int k = 0; k < family->unknowns; k++) {
        const recursion r                    = recursion_of(family->ends, k);
        double next[KANE_POLYNOMIAL_MAX + 1] = {0.0};
        multiply_add(next, r.ahead, -1.0, 2.0, here, k + 1); // z = 2 x - 1
        for (int i = 0; i <= k; i++)
            next[i] -= r.behind * before[i];
        memcpy(before, here, sizeof before);
        memcpy(here, next, sizeof here);
        for (int i = 0; i <= k + 1; i++)
            growth[i] += c[k] * here[i];
    }
}

// (2m + 1)!/m!^2 = 1/B(m + 1, m + 1)
static double weight_factor(int ends)
{
    double factor = 1.0;
    for (int i = 1; i <= ends; i++)
        factor *= (double)(ends + i) / i;
    return factor * (2 * ends + 1);
}

int kane_family_coefficients(const kane_transition_family *family, const double *c,
                             double coefficients[KANE_POLYNOMIAL_MAX])
{
    const int degree                       = kane_family_degree(family);
    double growth[KANE_POLYNOMIAL_MAX + 1] = {0.0};
    memset(coefficients, 0, KANE_POLYNOMIAL_MAX * sizeof *coefficients);
    if (degree < 0)
        return 0;
    expand_growth(family, c, growth);
    for (int i = 0; i < family->ends; i++) { // times 1 - x
        double product[KANE_POLYNOMIAL_MAX + 1] = {0.0};
        multiply_add(product, 1.0, 1.0, -1.0, growth, family->unknowns + i + 1);
        memcpy(growth, product, sizeof growth);
    }
    const double factor = weight_factor(family->ends);
    double sum          = 0.0;                    // as Horner's scheme adds at x = 1
    for (int i = degree; i > family->ends; i--) { // times x^m, integrated
        coefficients[i] = factor * growth[i - family->ends - 1] / i;
        sum += coefficients[i];
    }
    coefficients[family->ends + 1] += 1.0 - sum; // what rounding has left
    return degree + 1;
}
