// SPDX-License-Identifier: MIT
// From the definition of a section to its formula.

#include "track/line_function.h"

#include "math/spline.h"
#include "track/line.h"

#include <string.h>

// === B-splines

// Coefficients of (x - at)^k/..., k = 0 .. p, of the interval between knots t_s and t_(s+1), at = t_s. The k-th
// derivative is a B-spline of the degree q = p - k with the coefficients
//   d_i^k = (q + 1)(d_i^(k-1) - d_(i-1)^(k-1))/(t_(i+q+1) - t_i),
// and its value there follows by de Boor's recursion over r = 1 .. q,
//   d_i = (1 - a) d_(i-1) + a d_i,   a = (at - t_i)/(t_(i+q+1-r) - t_i).
// t [s + p + 1 at least]: knots; d [p + 1]: coefficients s - p .. s.
static void expand_interval(int p, int s, const double *t, const double *d, double *c)
{
    double own[KANE_SPLINE_DEGREE_MAX + 1], value[KANE_SPLINE_DEGREE_MAX + 1], factorial = 1.0;
    memcpy(own, d, (size_t)(p + 1) * sizeof *d);
    for (int k = 0; k <= p; k++) {
        const int q = p - k;
        for (int i = s; k > 0 && i >= s - q; i--)
            own[i - s + p] = (q + 1) * (own[i - s + p] - own[i - 1 - s + p]) / (t[i + q + 1] - t[i]);
        memcpy(value, own, sizeof value);
        for (int r = 1; r <= q; r++)
            for (int i = s; i >= s - q + r; i--) {
                const double a   = (t[s] - t[i]) / (t[i + q + 1 - r] - t[i]);
                value[i - s + p] = (1.0 - a) * value[i - 1 - s + p] + a * value[i - s + p];
            }
        factorial *= k > 0 ? k : 1;
        c[k] = value[p] / factorial;
    }
}

void kane_spline_divide(int degree, int knot_count, const double *knots, const double *coefficients,
                        kane_spline_interval *intervals)
{
    double t[KANE_SPLINE_MAX + KANE_SPLINE_DEGREE_MAX + 1], before = 0.0;
    const int all = knot_count + 2 * degree + 2;
    for (int i = 0; i < all; i++)
        t[i] = i <= degree ? 0.0 : i > degree + knot_count ? 1.0 : knots[i - degree - 1];
    for (int j = 0; j <= knot_count; j++) {
        kane_spline_interval *interval = &intervals[j];
        const double h                 = t[degree + j + 1] - t[degree + j];
        *interval                      = (kane_spline_interval){.at = t[degree + j], .before = before};
        expand_interval(degree, degree + j, t, coefficients + j, interval->c);
        before += kane_shape_polynomial(interval->c, degree + 1, h).F;
    }
}

// === From the definition of a section to its formula.

// x sum over n of binomial(1/2, n) p^(2n)/(4n + 1), p = bend x^2: the binomial series of (1 + p^2)^1/2, integrated.
double kane_parabola_length(double bend, double x)
{
    const double p2 = bend * x * x * bend * x * x;
    double sum = 1.0, binomial = 1.0, power = 1.0;

    for (int n = 1; n < 200 && power > 1e-18; n++) {
        binomial *= (1.5 - n) / n;
        power *= p2;
        sum += binomial * power / (4 * n + 1);
    }
    return x * sum;
}

double kane_line_function_abscissa(const kane_line_function *c, double l)
{
    if (c->kind != KANE_LINE_FUNCTION_PARABOLA_OUT && c->kind != KANE_LINE_FUNCTION_PARABOLA_IN)
        return 0.0;
    const double length = c->kind == KANE_LINE_FUNCTION_PARABOLA_OUT ? l : c->length - l;
    double x            = length;
    for (int k = 0; k < 8; k++) {
        const double p = c->bend * x * x;
        x -= (kane_parabola_length(c->bend, x) - length) / sqrt(1.0 + p * p);
    }
    return x;
}

static kane_line_function_kind transition_kind(const kane_section_definition *s)
{
    switch (s->shape) {
    case KANE_CLOTHOID: return KANE_LINE_FUNCTION_LINEAR;
    case KANE_PARABOLA_3: return s->curvature != 0.0 ? KANE_LINE_FUNCTION_PARABOLA_OUT : KANE_LINE_FUNCTION_PARABOLA_IN;
    case KANE_COSINE: return KANE_LINE_FUNCTION_COSINE;
    case KANE_SINE: return KANE_LINE_FUNCTION_SINE;
    case KANE_BLOSS: return KANE_LINE_FUNCTION_BLOSS;
    case KANE_HELMERT: return KANE_LINE_FUNCTION_HELMERT_FIRST;
    case KANE_WIENER: return KANE_LINE_FUNCTION_WIENER;
    case KANE_BSPLINE: return KANE_LINE_FUNCTION_SPLINE;
    case KANE_POLYNOMIAL: break;
    }
    return KANE_LINE_FUNCTION_POLYNOMIAL;
}

// y = x^3/(6 R X) has the slope k x^2/(2 X), k = 1/R; X is found so that the arc length from 0 to X is the section's.
static void make_parabola(kane_line_function *c, double k)
{
    double low = 0.5 * c->length, high = c->length;

    for (int i = 0; i < 60; i++) {
        const double X = 0.5 * (low + high);
        if (kane_parabola_length(k / (2.0 * X), X) < c->length)
            low = X;
        else
            high = X;
    }
    c->bend     = k / (2.0 * high);
    c->bend_psi = atan(c->bend * high * high);
}

typedef enum quantity { CURVATURE, ROLL, GRADE } quantity;

static double *coefficients_of(kane_table_row *row, quantity which)
{
    return which == CURVATURE ? row->k : which == ROLL ? row->q : row->grade;
}

// Coefficients of one quantity in all rows. Beyond the ends it goes straight on; its spline has no curvature there, so
// that the second derivative stays continuous.
static void fill_rows(const kane_section_definition *s, const double *values, double factor, quantity which,
                      kane_cubic *spline, kane_table_row *rows)
{
    const int n = s->point_count;
    double end[4];

    kane_spline_fit(n, s->at, values, KANE_SPLINE_NATURAL, spline);
    kane_cubic_eval(&spline[n - 2], s->at[n - 1] - s->at[n - 2], end);
    for (int i = 0; i <= n; i++) {
        double *c = coefficients_of(&rows[i], which);
        if (i > 0 && i < n)
            memcpy(c, spline[i - 1].c, sizeof spline[i - 1].c);
        else
            memcpy(c, i == 0 ? spline[0].c : end, 2 * sizeof *c);
        for (int j = 0; j < 4; j++)
            c[j] *= factor;
    }
}

// Rows 1 .. n - 1 are the intervals of the table, rows 0 and n go straight on before and behind it.
static void make_table(kane_line_function *c, const kane_section_definition *s, double running_distance,
                       kane_arena *memory)
{
    const int n          = s->point_count;
    kane_table_row *rows = kane_arena_alloc(memory, (size_t)n + 1, sizeof *rows);
    kane_cubic *spline   = kane_arena_alloc(memory, (size_t)n, sizeof *spline);
    if (!rows || !spline)
        return;

    for (int i = 1; i <= n; i++)
        rows[i].at = s->at[i - 1];
    rows[0].at = s->at[0];
    fill_rows(s, s->table_curvature, 1.0, CURVATURE, spline, rows);
    fill_rows(s, s->table_superelevation, -1.0 / running_distance, ROLL, spline, rows);
    if (s->table_grade)
        fill_rows(s, s->table_grade, 1.0, GRADE, spline, rows);
    for (int i = 1; i < n; i++) {
        const double h = rows[i + 1].at - rows[i].at, *k = rows[i].k;
        rows[i + 1].psi = rows[i].psi + h * (k[0] + h * (k[1] / 2.0 + h * (k[2] / 3.0 + h * k[3] / 4.0)));
    }
    c->rows        = rows;
    c->row_count   = n + 1;
    c->table_grade = s->table_grade != NULL;
}

// A clothoid with rounded ends: linear in between, and over the rounding r at either end a cubic spline of two pieces,
// so that curvature and cant are twice continuously differentiable and leave and reach their ends level. The slope in
// between is that of a ramp of the length L - r. Natural splines through these points are just this curve.
static void make_rounded(kane_line_function *c, const kane_section_definition *s, const kane_line_function_start *start,
                         double running_distance, kane_arena *memory)
{
    enum { POINTS = 6 };
    const double L = s->length, r = s->rounding, slope = 1.0 / (L - r), bit = slope * r / 12.0;
    const int contact_point = 2.0 * r > L * (1.0 - 1e-12); // both roundings meet in the middle
    const double at[]       = {0.0, 0.5 * r, r, L - r, L - 0.5 * r, L};
    const double f[]        = {0.0, bit, 0.5 * r * slope, 1.0 - 0.5 * r * slope, 1.0 - bit, 1.0};
    double places[POINTS], k[POINTS], u[POINTS];
    int n = 0;
    for (int i = 0; i < POINTS; i++) {
        if (contact_point && i == 3)
            continue;
        places[n] = at[i];
        k[n]      = start->curvature + f[i] * (s->curvature - start->curvature);
        u[n]      = start->superelevation + f[i] * (s->superelevation - start->superelevation);
        n++;
    }
    kane_section_definition table = *s;
    table.point_count             = n;
    table.at                      = places;
    table.table_curvature         = k;
    table.table_superelevation    = u;
    table.table_grade             = NULL;
    c->kind                       = KANE_LINE_FUNCTION_TABLE;
    make_table(c, &table, running_distance, memory);
}

static void make_polynomial(kane_line_function *c, const kane_section_definition *s, kane_arena *memory)
{
    const size_t size = (size_t)s->coefficient_count * sizeof *s->coefficients;
    double *copy      = kane_arena_alloc(memory, 1, size);

    if (copy)
        memcpy(copy, s->coefficients, size);
    c->coefficients      = copy;
    c->coefficient_count = copy ? s->coefficient_count : 0;
}

static void make_spline(kane_line_function *c, const kane_section_definition *s, kane_arena *memory)
{
    kane_spline_interval *intervals = kane_arena_alloc(memory, (size_t)s->knot_count + 1, sizeof *intervals);

    if (intervals)
        kane_spline_divide(s->degree, s->knot_count, s->knots, s->coefficients, intervals);
    c->intervals         = intervals;
    c->interval_count    = intervals ? s->knot_count + 1 : 0;
    c->coefficient_count = s->degree + 1;
}

kane_line_function kane_line_function_make(const kane_section_definition *s, const kane_line_function_start *start,
                                           double running_distance, kane_arena *memory)
{
    kane_line_function c = {.kind           = KANE_LINE_FUNCTION_CONSTANT,
                            .length         = s->length,
                            .inverse_length = 1.0 / s->length,
                            .psi            = start->psi,
                            .k              = s->curvature,
                            .q              = -s->superelevation / running_distance};

    if (s->kind == KANE_TRANSITION) {
        c.kind        = transition_kind(s);
        c.k           = start->curvature;
        c.k_change    = s->curvature - start->curvature;
        c.q           = -start->superelevation / running_distance;
        c.q_change    = -s->superelevation / running_distance - c.q;
        c.height      = s->shape == KANE_WIENER ? s->height : 0.0;
        c.small_angle = s->small_angle;
        if (s->shape == KANE_CLOTHOID && s->rounding > 0.0)
            make_rounded(&c, s, start, running_distance, memory);
        if (s->shape == KANE_PARABOLA_3)
            make_parabola(&c, s->curvature + start->curvature);
        if (s->shape == KANE_POLYNOMIAL)
            make_polynomial(&c, s, memory);
        if (s->shape == KANE_BSPLINE)
            make_spline(&c, s, memory);
    } else if (s->kind == KANE_TABLE) {
        c.kind = KANE_LINE_FUNCTION_TABLE;
        make_table(&c, s, running_distance, memory);
    }
    return c;
}

kane_line_function kane_line_function_at(const kane_line_function *line_function, double l)
{
    kane_line_function c = *line_function;
    if (c.kind == KANE_LINE_FUNCTION_HELMERT_FIRST && l > 0.5 * c.length)
        c.kind = KANE_LINE_FUNCTION_HELMERT_SECOND;
    if (c.kind == KANE_LINE_FUNCTION_SPLINE) {
        const kane_spline_interval *interval = kane_spline_at(c.intervals, c.interval_count, l * c.inverse_length);
        c.coefficients                       = interval->c;
        c.origin                             = interval->at;
        c.before                             = interval->before;
    }
    return c;
}

const kane_table_row *kane_line_function_row(const kane_line_function *c, double l)
{
    if (c->kind != KANE_LINE_FUNCTION_TABLE)
        return NULL;
    int low = 0, high = c->row_count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (l < c->rows[middle].at)
            high = middle;
        else
            low = middle;
    }
    return &c->rows[low];
}

double kane_line_function_roll(const kane_line_function *line_function, double l)
{
    const kane_line_function here = kane_line_function_at(line_function, l);
    kane_line line;

    kane_line_plan(&here, l, 0.0, kane_line_function_row(line_function, l), &line);
    return line.q[0];
}
