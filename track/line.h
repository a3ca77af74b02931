// SPDX-License-Identifier: MIT
// Heading, grade and roll along a piece with their derivatives in closed form (docs/theory.md, section 10). l is the
// distance from the beginning of the section, ' = d/dl = d/ds.

#ifndef KANE_TRACK_LINE_H
#define KANE_TRACK_LINE_H

#include "track/piece.h"
#include "track/shape.h"

typedef struct kane_line {
    double psi[4];              // heading, psi', psi'', psi'''
    double q[5];                // sin(theta) and derivatives
    double w[5];                // sin(beta) and derivatives up to the third
    double cos_theta, cos_beta; //
    double theta[5];            // [1] .. [4]: derivatives of theta
    double beta[5];             // [1] .. [3]: derivatives of beta
} kane_line;

// From sin(a) and its derivatives s[0..4] those of the angle, a[1..4] (a[0] is not written); returns cos(a).
static inline double kane_line_angle(const double s[5], double a[5])
{
    const double c = sqrt(1.0 - s[0] * s[0]), r = 1.0 / c;

    a[1] = s[1] * r;
    a[2] = (s[2] + s[0] * a[1] * a[1]) * r;
    a[3] = (s[3] + c * a[1] * a[1] * a[1] + 3.0 * s[0] * a[1] * a[2]) * r;
    a[4] =
        (s[4] + a[1] * a[1] * (6.0 * c * a[2] - s[0] * a[1] * a[1]) + s[0] * (3.0 * a[2] * a[2] + 4.0 * a[1] * a[3])) *
        r;
    return c;
}

static inline void kane_line_shaped(const kane_line_function *c, double l, kane_shape shape, kane_line *o)
{
    const double L = c->length, r = c->inverse_length, r2 = r * r;

    o->psi[0] = c->psi + (c->k * l + c->k_change * L * shape.F);
    o->psi[1] = c->k + c->k_change * shape.f[0];
    o->psi[2] = c->k_change * r * shape.f[1];
    o->psi[3] = c->k_change * r2 * shape.f[2];
    o->q[0]   = c->q + c->q_change * shape.f[0];
    o->q[1]   = c->q_change * r * shape.f[1];
    o->q[2]   = c->q_change * r2 * shape.f[2];
    o->q[3]   = c->q_change * r2 * r * shape.f[3];
    o->q[4]   = c->q_change * r2 * r2 * shape.f[4];
}

// Heading of the curve y' = p = bend x^2 at the abscissa x, and its derivatives along the curve, dx/dl = (1 +
// p^2)^-1/2. Into a straight the same curve is run backwards.
static inline void kane_line_parabola(const kane_line_function *c, double x, double psi[4])
{
    const double bend = c->bend, p = bend * x * x, p2 = p * p, D = 1.0 / (1.0 + p2), root = sqrt(D), D3 = D * D * D;
    const int out = c->kind == KANE_LINE_FUNCTION_PARABOLA_OUT;

    psi[0] = c->psi + (out ? atan(p) : c->bend_psi - atan(p));
    psi[1] = 2.0 * bend * x * D * root;
    psi[2] = (out ? 2.0 : -2.0) * bend * (1.0 - 5.0 * p2) * D3;
    psi[3] = 16.0 * bend * bend * x * p * (5.0 * p2 - 4.0) * D3 * D * root;
}

static inline void kane_line_table(const kane_line_function *c, double l, const kane_table_row *row, kane_line *o)
{
    const double t  = l - row->at;
    const double *k = row->k, *q = row->q;

    o->psi[0] = c->psi + (row->psi + t * (k[0] + t * (k[1] / 2.0 + t * (k[2] / 3.0 + t * k[3] / 4.0))));
    o->psi[1] = k[0] + t * (k[1] + t * (k[2] + t * k[3]));
    o->psi[2] = k[1] + t * (2.0 * k[2] + 3.0 * t * k[3]);
    o->psi[3] = 2.0 * k[2] + 6.0 * t * k[3];
    o->q[0]   = q[0] + t * (q[1] + t * (q[2] + t * q[3]));
    o->q[1]   = q[1] + t * (2.0 * q[2] + 3.0 * t * q[3]);
    o->q[2]   = 2.0 * q[2] + 6.0 * t * q[3];
    o->q[3]   = 6.0 * q[3];
    o->q[4]   = 0.0;
}

static inline kane_shape kane_line_shape(const kane_line_function *c, double x)
{
    switch (c->kind) {
    case KANE_LINE_FUNCTION_CONSTANT:
    case KANE_LINE_FUNCTION_TABLE: break;
    case KANE_LINE_FUNCTION_LINEAR:
    case KANE_LINE_FUNCTION_PARABOLA_OUT:
    case KANE_LINE_FUNCTION_PARABOLA_IN: return kane_shape_linear(x);
    case KANE_LINE_FUNCTION_COSINE: return kane_shape_cosine(x);
    case KANE_LINE_FUNCTION_SINE: return kane_shape_sine(x);
    case KANE_LINE_FUNCTION_BLOSS: return kane_shape_bloss(x);
    case KANE_LINE_FUNCTION_HELMERT_FIRST: return kane_shape_helmert_first(x);
    case KANE_LINE_FUNCTION_HELMERT_SECOND: return kane_shape_helmert_second(x);
    case KANE_LINE_FUNCTION_WIENER: return kane_shape_wiener(x);
    case KANE_LINE_FUNCTION_POLYNOMIAL: return kane_shape_polynomial(c->coefficients, c->coefficient_count, x);
    case KANE_LINE_FUNCTION_SPLINE: {
        kane_shape shape = kane_shape_polynomial(c->coefficients, c->coefficient_count, x - c->origin);
        shape.F += c->before;
        return shape;
    }
    }
    return kane_shape_constant();
}

// Heading and sine of the roll. abscissa and row are the cell's (only parabolas and tables look at them).
static inline void kane_line_plan(const kane_line_function *c, double l, double abscissa, const kane_table_row *row,
                                  kane_line *o)
{
    if (c->kind == KANE_LINE_FUNCTION_TABLE)
        kane_line_table(c, l, row, o);
    else
        kane_line_shaped(c, l, kane_line_shape(c, l * c->inverse_length), o);
    if (c->kind == KANE_LINE_FUNCTION_PARABOLA_OUT || c->kind == KANE_LINE_FUNCTION_PARABOLA_IN)
        kane_line_parabola(c, abscissa, o->psi);
}

// Sine of the track's own grade, without what a cant ramp adds, and its derivatives.
static inline void kane_line_grade(const kane_piece *p, double l, const kane_table_row *row, double w[5])
{
    w[4] = 0.0;
    if (p->line_function.table_grade) {
        // g = tan(beta), r = cos(beta):  sin(beta) = g r
        const double t = l - row->at, *c = row->grade;
        const double g = c[0] + t * (c[1] + t * (c[2] + t * c[3])), g1 = c[1] + t * (2.0 * c[2] + 3.0 * t * c[3]);
        const double g2 = 2.0 * c[2] + 6.0 * t * c[3], g3 = 6.0 * c[3];
        const double r2 = 1.0 / (1.0 + g * g), r = sqrt(r2), r3 = r * r2;

        w[0] = g * r;
        w[1] = g1 * r3;
        w[2] = r3 * (g2 - 3.0 * g * g1 * g1 * r2);
        w[3] = r3 * (g3 - r2 * (9.0 * g * g1 * g2 + 3.0 * g1 * g1 * g1 * (1.0 - 5.0 * g * g * r2)));
    } else if (p->grade_slope != 0.0) {
        const double k = p->grade_slope, angle = p->grade + k * (l - p->offset);
        const double S = sin(angle), C = cos(angle);

        w[0] = S;
        w[1] = k * C;
        w[2] = -k * k * S;
        w[3] = -k * k * k * C;
    } else {
        w[0] = p->sin_grade;
        w[1] = 0.0;
        w[2] = 0.0;
        w[3] = 0.0;
    }
}

static inline void kane_line_eval(const kane_piece *p, double l, double abscissa, const kane_table_row *row,
                                  kane_line *o)
{
    kane_line_plan(&p->line_function, l, abscissa, row, o);
    o->cos_theta = kane_line_angle(o->q, o->theta);

    // Wiener Bogen: the point `height` above the rails lies at y - h theta, and y'' = psi', so that psi' = k f + h
    // theta'' gives it the curvature k f. IFC has q for theta.
    if (p->line_function.kind == KANE_LINE_FUNCTION_WIENER) {
        const double *turn = p->line_function.small_angle ? o->q : o->theta;
        for (int i = 0; i < 4; i++)
            o->psi[i] += p->line_function.height * turn[i + 1];
    }

    // sin(beta) = sin(grade) + |u|'/2
    kane_line_grade(p, l, row, o->w);
    for (int i = 0; i < 4; i++)
        o->w[i] += p->climb * o->q[i + 1];
    o->cos_beta = kane_line_angle(o->w, o->beta);
}

#endif
