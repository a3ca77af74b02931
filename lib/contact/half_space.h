// SPDX-License-Identifier: MIT
// Solutions of the elastic half-space: Hertz for the normal contact, Kalker's coefficients for rolling.

#ifndef KANE_CONTACT_HALF_SPACE_H
#define KANE_CONTACT_HALF_SPACE_H

#include "math/small.h"

#include <kane/contact.h>
#include <kane/scalar.h>

// Hertz' solution, exact by elliptic integrals and from a table.
//
// Half relative curvatures A (along), B (across); semi-axes a = m c, b = n c with c^3 = 3 N / (4 E* (A + B));
// approach = r c^2 (A + B).

// Numbers that depend on B/A alone.
typedef struct hertz_numbers {
    double m, n; // semi-axes along and across over c [1]
    double r;    // approach over c^2 (A + B) [1]
} hertz_numbers;

// Exact; x = ln(B/A).
hertz_numbers kane_hertz_numbers(double x);

enum { KANE_HERTZ_CELLS = 224 };

// What the contact needs of them, as cubics in x = ln(B/A) from -14 to 14:
//   h       sqrt(B/(A+B)) r^-3/2:  a gap A x^2 + B y^2 pressed in by d has N = (4/3) E* h d^3/2 B^-1/2
//   along   m r^-1/2:              a = along sqrt(d/(A+B))
//   across  n r^-1/2:              b = across sqrt(d/(A+B))
typedef struct hertz_cell {
    double h[4], along[4], across[4];
} hertz_cell;

typedef struct hertz_table {
    hertz_cell cells[KANE_HERTZ_CELLS];
} hertz_table;

typedef struct hertz_shape {
    double h, along, across;
} hertz_shape;

void kane_hertz_table_init(hertz_table *table);

// A line from -1 to 1 that carries sqrt(1 - x^2), seen from its middle at the distance r > 0:
//   integral of sqrt(1 - x^2)/sqrt(x^2 + r^2) dx = 2 (1 + r^2)^1/2 (K - E),   k^2 = 1/(1 + r^2)
KANE_PURE double kane_line_load_middle(double r);

// Beyond the table's ends (axes of more than 1:10^4) the values at its ends.
KANE_PURE hertz_shape kane_hertz_shape(const hertz_table *table, double x);

// Their slopes by x.
KANE_PURE hertz_shape kane_hertz_slope(const hertz_table *table, double x);

typedef struct hertz_scalars {
    kane_scalar h, along, across;
} hertz_scalars;

KANE_INLINE hertz_scalars kane_hertz_scalars(const hertz_table *table, kane_scalar x)
{
    const hertz_shape v = kane_hertz_shape(table, ks_value(x)), d = kane_hertz_slope(table, ks_value(x));
    return (hertz_scalars){ks_chain(x, v.h, d.h), ks_chain(x, v.along, d.along), ks_chain(x, v.across, d.across)};
}

// What a normal force N makes of half relative curvatures A, B: with r = root_per_N N^(1/3) the approach is r^2, the
// semi-axes are r along and r across.
typedef struct hertz_press {
    kane_scalar root_per_N, along, across;
} hertz_press;

KANE_INLINE hertz_press kane_hertz_press(const hertz_table *table, double E_star, kane_scalar A, kane_scalar B)
{
    const hertz_scalars shape = kane_hertz_scalars(table, ks_log(ks_div(B, A)));
    const kane_scalar cube    = ks_scale(0.75 / E_star, ks_div(ks_sqrt(B), shape.h)),
                      size    = ks_inverse(ks_sqrt(ks_add(A, B)));
    const double root         = kane_cube_root(ks_value(cube));
    return (hertz_press){ks_chain(cube, root, root / (3.0 * ks_value(cube))), ks_mul(shape.along, size),
                         ks_mul(shape.across, size)};
}

// Kalker's coefficients, prepared for one Poisson's ratio.

enum { KANE_KALKER_ROWS = 10 };

// At one ratio of the axes, and how much more at the next one.
typedef struct kalker_row {
    kane_kalker at, rise;
} kalker_row;

// Rows for the smaller ratio of the axes g = .1, .2, ..., .9, first for a <= b, then for a >= b.
typedef struct kalker_table {
    double poisson;
    kalker_row rows[2][KANE_KALKER_ROWS - 1];
    kane_kalker excess[2]; // table over asymptote at g = .1, minus 1
    double spin;           // factor on C23 and C33: 1; 0: forces of spin are left out
} kalker_table;

void kane_kalker_table_init(kalker_table *table, double poisson);

// C23 = C33 = 0 from now on.
void kane_kalker_table_omit_spin(kalker_table *table);

// g < .1: the asymptote, corrected by what it misses at .1, fading out toward g = 0; and its slope by g.
KANE_PURE kane_kalker kane_kalker_slender(const kalker_table *t, int a_above_b, double g);
KANE_PURE kane_kalker kane_kalker_slender_slope(const kalker_table *t, int a_above_b, double g);

typedef struct kalker_scalars {
    kane_scalar C11, C22, C23, C33;
} kalker_scalars;

KANE_INLINE kalker_scalars kane_kalker_constant(kane_kalker C)
{
    return (kalker_scalars){ks_constant(C.C11), ks_constant(C.C22), ks_constant(C.C23), ks_constant(C.C33)};
}

// C(g) with the slope d by g.
KANE_INLINE kalker_scalars kane_kalker_chain(kane_scalar g, kane_kalker C, kane_kalker d)
{
    return (kalker_scalars){ks_chain(g, C.C11, d.C11), ks_chain(g, C.C22, d.C22), ks_chain(g, C.C23, d.C23),
                            ks_chain(g, C.C33, d.C33)};
}

// For semi-axes a, b > 0: linear between the rows; at one of them the slope is that beyond it.
KANE_INLINE kalker_scalars kane_kalker_scalars(const kalker_table *t, kane_scalar a, kane_scalar b)
{
    const int side      = ks_value(a) > ks_value(b);
    const kane_scalar g = side ? ks_div(b, a) : ks_div(a, b);
    if (!(ks_value(g) >= 0.1))
        return kane_kalker_chain(g, kane_kalker_slender(t, side, ks_value(g)),
                                 kane_kalker_slender_slope(t, side, ks_value(g)));
    const double x       = 10.0 * ks_value(g) - 1.0;
    const int i          = x < KANE_KALKER_ROWS - 2 ? (int)x : KANE_KALKER_ROWS - 2;
    const double y       = x - i;
    const kane_kalker at = t->rows[side][i].at, rise = t->rows[side][i].rise;
    const kane_kalker C = {at.C11 + y * rise.C11, at.C22 + y * rise.C22, at.C23 + y * rise.C23, at.C33 + y * rise.C33};
    return kane_kalker_chain(g, C, (kane_kalker){10.0 * rise.C11, 10.0 * rise.C22, 10.0 * rise.C23, 10.0 * rise.C33});
}

static inline kane_kalker kane_kalker_lookup(const kalker_table *t, double a, double b)
{
    const kalker_scalars C = kane_kalker_scalars(t, ks_constant(a), ks_constant(b));
    return (kane_kalker){ks_value(C.C11), ks_value(C.C22), ks_value(C.C23), ks_value(C.C33)};
}

#endif
