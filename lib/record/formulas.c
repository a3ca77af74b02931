// SPDX-License-Identifier: MIT
// Formulas of numbers that depend on parameters, found from samples.
//
// Formulas: products of powers (exponents of halves) and
//
//     psi(f) = sum over a of c_a prod over i, j < a_i of (phi_i - phi_ij)        |a| <= 3, a_i <= 2
//
// with phi_i = p_i or 1/p_i and psi(f) = f, 1/f, f^2 or 1/f^2: Newton's interpolation on a downward closed set of nodes
// that begin with the values of the files, where numbers come back. Roots are lengths: what is a line in one, or a sum
// times or over one, is found by it.

#include "record/parameters.h"

#include "record/tape.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double value_at(const kane_samples *s, int at, int i)
{
    return s->values[i].level[s->points[at].level[i]];
}

// How samples of a parameter lie about its value in the files: to both sides where models can be made there, else to
// one, as of the moments of inertia of a thin plate, or nearer.
typedef struct spread {
    double far, fraction[KANE_LEVELS], check[KANE_CHECKS];
} spread;

static const spread spreads[] = {
    {1.0, {0.0, 0.125, -0.125, 0.25}, {0.19, -0.07}},       {1.0, {0.0, -0.125, -0.25, -0.375}, {-0.19, -0.32}},
    {1.0, {0.0, 0.125, 0.25, 0.375}, {0.19, 0.32}},         {0.0625, {0.0, 0.125, -0.125, 0.25}, {0.19, -0.07}},
    {0.0625, {0.0, -0.125, -0.25, -0.375}, {-0.19, -0.32}}, {0.0625, {0.0, 0.125, 0.25, 0.375}, {0.19, 0.32}},
    {0x1p-10, {0.0, 0.125, -0.125, 0.25}, {0.19, -0.07}},   {0x1p-10, {0.0, 0.125, 0.25, 0.375}, {0.19, 0.32}}};
_Static_assert(sizeof spreads / sizeof *spreads == KANE_SPREADS, "as many as the header says");

void kane_parameter_spread(kane_parameter_values *values, int i, double start, int spread_number)
{
    const spread *by  = &spreads[spread_number];
    const double unit = start == 0.0 ? by->far : by->far * fabs(start);
    for (int l = 0; l < KANE_LEVELS; l++)
        values->level[l] = start + by->fraction[l] * unit;
    for (int k = 0; k < KANE_CHECKS; k++)
        values->level[KANE_LEVELS + k] = start + by->check[k] * (1.0 - 0.01 * (i % 32)) * unit;
}

// === Formulas.

double kane_half_power(double p, int half)
{
    return half == 0 ? 1.0 : half == 2 ? p : half == -2 ? 1.0 / p : pow(p, 0.5 * half);
}

static double power_at(const kane_samples *s, int at, int i, int half)
{
    return kane_half_power(value_at(s, at, i), half);
}

// Twice the exponent n of p_i if f is p_i^n times a function of the others; 0: it is none.
static int find_exponent(const kane_samples *s, const double *f, int i)
{
    double v = f[0];
    for (int at = 0; at < s->grid_count; at++)
        if (s->points[at].level[i] == 1 && s->points[at].below[i] == 0)
            v = f[at];
    const double ratio = s->values[i].level[0] != 0.0 ? s->values[i].level[1] / s->values[i].level[0] : 0.0;
    if (!(v / f[0] > 0.0) || !(ratio > 0.0) || fabs(v - f[0]) <= 8.0 * DBL_EPSILON * fabs(f[0]))
        return 0;
    const double n = 2.0 * log(v / f[0]) / log(ratio);
    const int half = (int)lround(n);
    if (fabs(n - half) > 1e-6 || abs(half) > 8)
        return 0;
    for (int at = 0; at < s->grid_count; at++) {
        int base = at;
        while (s->points[base].level[i] > 0)
            base = s->points[base].below[i];
        const double expected = f[base] / power_at(s, base, i, half) * power_at(s, at, i, half);
        if (!(fabs(expected - f[at]) <= 64.0 * DBL_EPSILON * fabs(expected)))
            return 0;
    }
    return half;
}

// Exponents of the parameters (twice, half [count]), and rest = f/prod p_i^(half_i/2) at all points.
static void divide_powers(const kane_samples *s, const double *f, int *half, double *rest)
{
    for (int i = 0; i < s->count; i++)
        half[i] = find_exponent(s, f, i);
    for (int at = 0; at < s->point_count; at++) {
        rest[at] = f[at];
        for (int i = 0; i < s->count; i++)
            if (half[i])
                rest[at] /= power_at(s, at, i, half[i]);
    }
}

static int is_constant(const kane_samples *s, const double *f)
{
    for (int at = 1; at < s->point_count; at++)
        if (!(fabs(f[at] - f[0]) <= 64.0 * DBL_EPSILON * fabs(f[0])))
            return 0;
    return 1;
}

// p^(n/2), n > 0
static int power_node(int p, int half)
{
    int product = half % 2 ? kane_tape_unary(KANE_OP_SQRT, p) : kane_tape_constant(1.0);
    for (int k = 0; k < half / 2; k++)
        product = kane_tape_binary(KANE_OP_MUL, product, p);
    return product;
}

// f prod p_i^(n_i/2)
static int write_powers(const kane_samples *s, int f, const int *half)
{
    int above = kane_tape_constant(1.0), below = kane_tape_constant(1.0);
    for (int i = 0; i < s->count; i++) {
        if (half[i] > 0)
            above = kane_tape_binary(KANE_OP_MUL, above, power_node(s->parameter[i], half[i]));
        if (half[i] < 0)
            below = kane_tape_binary(KANE_OP_MUL, below, power_node(s->parameter[i], -half[i]));
    }
    return kane_tape_binary(KANE_OP_DIV, kane_tape_binary(KANE_OP_MUL, f, above), below);
}

typedef enum outer { PLAIN, RECIPROCAL, SQUARE, RECIPROCAL_SQUARE, OUTER_COUNT } outer;

static double apply_outer(outer psi, double f)
{
    return psi == PLAIN ? f : psi == RECIPROCAL ? 1.0 / f : psi == SQUARE ? f * f : 1.0 / (f * f);
}

static double inner_value(const kane_samples *s, int at, int i, int reciprocal)
{
    const double p = value_at(s, at, i);
    return reciprocal ? 1.0 / p : p;
}

static double inner_level(const kane_samples *s, int i, int level, int reciprocal)
{
    return reciprocal ? 1.0 / s->values[i].level[level] : s->values[i].level[level];
}

// Whether a term c prod_i prod_(j < level_i) (x_i - x_ij) can exceed its round-off, 16 epsilon 8^(sum of levels) size.
static int is_significant(const kane_samples *s, double c, const unsigned char *level, const int *reciprocal,
                          double size)
{
    double term = fabs(c), noise = 16.0 * DBL_EPSILON;
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < level[i]; j++) {
            double span = 0.0;
            for (int l = 0; l < KANE_LEVELS; l++)
                span = fmax(span, fabs(inner_level(s, i, l, reciprocal[i]) - inner_level(s, i, j, reciprocal[i])));
            term *= span;
            noise *= 8.0;
        }
    return term > noise * size;
}

// Replaces the values c [grid] by their divided differences along parameter i, or along 1/p_i (reciprocal).
static void divide_differences(const kane_samples *s, double *c, int i, int reciprocal)
{
    for (int step = 1; step < KANE_LEVELS; step++)
        for (int at = s->grid_count - 1; at >= 0; at--) {
            const int l = s->points[at].level[i];
            if (l >= step)
                c[at] = (c[at] - c[s->points[at].below[i]]) /
                        (inner_level(s, i, l, reciprocal) - inner_level(s, i, l - step, reciprocal));
        }
}

// Degree of the values in parameter i, the others as in the files.
static int find_degree(const kane_samples *s, const double *v, int i, int reciprocal, double size)
{
    int all[KANE_SUPPORT_MOST] = {0}, most = 0;
    double c[KANE_LEVELS];
    for (int at = 0; at < s->grid_count; at++) {
        int is_alone = 1;
        for (int k = 0; k < s->count; k++)
            is_alone &= k == i || s->points[at].level[k] == 0;
        if (is_alone)
            c[s->points[at].level[i]] = v[at];
    }
    all[i] = reciprocal;
    for (int step = 1; step < KANE_LEVELS; step++)
        for (int l = KANE_LEVELS - 1; l >= step; l--)
            c[l] = (c[l] - c[l - 1]) / (inner_level(s, i, l, reciprocal) - inner_level(s, i, l - step, reciprocal));
    for (int l = 1; l < KANE_LEVELS; l++) {
        unsigned char level[KANE_SUPPORT_MOST] = {0};
        level[i]                               = (unsigned char)l;
        if (is_significant(s, c[l], level, all, size))
            most = l;
    }
    return most;
}

static double sum_at(const kane_samples *s, const double *c, const int *reciprocal, int at)
{
    double sum = 0.0;
    for (int k = 0; k < s->grid_count; k++) {
        double term = c[k];
        for (int i = 0; i < s->count && term != 0.0; i++)
            for (int j = 0; j < s->points[k].level[i]; j++)
                term *= inner_value(s, at, i, reciprocal[i]) - inner_level(s, i, j, reciprocal[i]);
        sum += term;
    }
    return sum;
}

// Coefficients c [grid] of psi(f); 0 if the samples do not fit.
static int find_sum(const kane_samples *s, const double *f, outer psi, double *c, int *reciprocal)
{
    double *v = s->scratch, size = 0.0;
    for (int at = 0; at < s->point_count; at++) {
        v[at] = apply_outer(psi, f[at]);
        if (!isfinite(v[at]) || (psi >= SQUARE && (f[at] < 0.0) != (f[0] < 0.0)))
            return 0;
        size = fmax(size, fabs(v[at]));
    }
    for (int i = 0; i < s->count; i++) {
        const int straight = find_degree(s, v, i, 0, size);
        reciprocal[i]      = 0;
        if (straight < 2)
            continue;
        const int inverse = s->values[i].level[0] != 0.0 ? find_degree(s, v, i, 1, size) : KANE_LEVELS;
        reciprocal[i]     = inverse < straight;
        if (straight >= KANE_LEVELS - 1 && inverse >= KANE_LEVELS - 1)
            return 0;
    }
    memcpy(c, v, (size_t)s->grid_count * sizeof *c);
    for (int i = 0; i < s->count; i++)
        divide_differences(s, c, i, reciprocal[i]);
    for (int at = 1; at < s->grid_count; at++)
        if (!is_significant(s, c[at], s->points[at].level, reciprocal, size))
            c[at] = 0.0;
    for (int at = 0; at < s->point_count; at++)
        if (!(fabs(sum_at(s, c, reciprocal, at) - v[at]) <= 4e-13 * size))
            return 0;
    return 1;
}

static int write_sum(const kane_samples *s, int is_negative, outer psi, const double *c, const int *reciprocal)
{
    int sum = kane_tape_constant(c[0]);
    for (int k = 1; k < s->grid_count; k++) {
        int term = kane_tape_constant(c[k]);
        if (c[k] == 0.0)
            continue;
        for (int i = 0; i < s->count; i++)
            for (int j = 0; j < s->points[k].level[i]; j++) {
                const int p   = s->parameter[i];
                const int phi = reciprocal[i] ? kane_tape_binary(KANE_OP_DIV, kane_tape_constant(1.0), p) : p;
                term          = kane_tape_binary(
                             KANE_OP_MUL, term,
                             kane_tape_binary(KANE_OP_SUB, phi, kane_tape_constant(inner_level(s, i, j, reciprocal[i]))));
            }
        sum = kane_tape_binary(KANE_OP_ADD, sum, term);
    }
    if (psi == RECIPROCAL || psi == RECIPROCAL_SQUARE)
        sum = kane_tape_binary(KANE_OP_DIV, kane_tape_constant(1.0), sum);
    if (psi >= SQUARE)
        sum = kane_tape_unary(KANE_OP_SQRT, sum);
    return psi >= SQUARE && is_negative ? kane_tape_unary(KANE_OP_NEG, sum) : sum;
}

int kane_formula_direct(const kane_samples *s, const double *f, int *root, int *half)
{
    int reciprocal[KANE_SUPPORT_MOST];
    double *c = s->scratch + s->point_count, *rest = c + s->point_count;
    *root = -1;
    divide_powers(s, f, half, rest);
    if (is_constant(s, rest))
        return write_powers(s, kane_tape_constant(rest[0]), half);
    for (outer psi = PLAIN; psi < OUTER_COUNT; psi++) {
        if (!find_sum(s, rest, psi, c, reciprocal))
            continue;
        const int sum = write_sum(s, rest[0] < 0.0, psi, c, reciprocal);
        *root         = psi != PLAIN ? sum : -1;
        return write_powers(s, sum, half);
    }
    return -1;
}

// f as a multiple of a root and a sum in parameters that the root does not depend on.
static int find_line(const kane_samples *s, const double *f, const kane_formula_root *r)
{
    int far   = 0, reciprocal[KANE_SUPPORT_MOST];
    double *c = s->scratch + s->point_count, *rest = c + 2 * s->point_count;
    for (int at = 0; at < s->grid_count; at++) {
        int changed = 0;
        for (int i = 0; i < s->count; i++)
            changed += s->points[at].level[i] > 0;
        if (changed == 1 && fabs(r->value[at] - r->value[0]) > fabs(r->value[far] - r->value[0]))
            far = at;
    }
    const double slope = (f[far] - f[0]) / (r->value[far] - r->value[0]);
    for (int at = 0; at < s->point_count; at++)
        rest[at] = f[at] - slope * (r->value[at] - r->value[0]);
    if (slope == 0.0 || !find_sum(s, rest, PLAIN, c, reciprocal))
        return -1;
    const int from_here = kane_tape_binary(KANE_OP_SUB, r->node, kane_tape_constant(r->value[0]));
    return kane_tape_binary(KANE_OP_ADD, write_sum(s, 0, PLAIN, c, reciprocal),
                            kane_tape_binary(KANE_OP_MUL, kane_tape_constant(slope), from_here));
}

// f as a sum times a root or over one: components of directions.
static int find_product(const kane_samples *s, const double *f, const kane_formula_root *r, int is_over)
{
    int reciprocal[KANE_SUPPORT_MOST];
    double *c = s->scratch + s->point_count, *product = c + 2 * s->point_count;
    for (int at = 0; at < s->point_count; at++)
        product[at] = is_over ? f[at] * r->value[at] : f[at] / r->value[at];
    if (!find_sum(s, product, PLAIN, c, reciprocal))
        return -1;
    return kane_tape_binary(is_over ? KANE_OP_DIV : KANE_OP_MUL, write_sum(s, 0, PLAIN, c, reciprocal), r->node);
}

// f by one of the stored roots; -1: by none.
int kane_formula_by_root(const kane_samples *s, const double *f)
{
    int half[KANE_SUPPORT_MOST];
    double *rest = s->scratch + 2 * s->point_count;
    divide_powers(s, f, half, rest);
    for (int k = 0; k < s->root_count; k++) {
        const kane_formula_root *r = &s->roots[k];
        int node                   = find_line(s, rest, r);
        for (int is_over = 0; is_over < 2 && node < 0; is_over++)
            node = find_product(s, rest, r, is_over);
        if (node >= 0)
            return write_powers(s, node, half);
    }
    return -1;
}
