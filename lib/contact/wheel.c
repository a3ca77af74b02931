// SPDX-License-Identifier: MIT
// The table of a wheel, made once.

#include "contact/wheel.h"
#include "contact/grid.h"

#include <math.h>

// Splines on this grid follow S1002 to 5e-7 m where its root meets the flank, elsewhere to 1e-12 m.
static const double cell_width = 1e-4;

// Contact is looked for every millimetre; the deepest points are then found exactly. Measured wheels have shorter waves.
static const double node_width = 1e-3, measured_width = 5e-4;

// Integrals of bell curves of at least .5 mm (rail corners of 13 mm against a straight flank, touch.c) need places so close:
// their sum is then the integral to nine digits.
static const double place_width = 5e-4;

static double slope_at(const form *f, const form_range *range, double s)
{
    const curve_point p = kane_form_wheel_at(f, range, s);
    return -p.z_t / p.y_t;
}

static void fill_splines(wheel_table *t, const form *f, const form_range *range)
{
    const double circle = kane_form_wheel_at(f, range, 0.0).z;
    double value[KANE_WHEEL_CELLS + 1], slope[KANE_WHEEL_CELLS + 1], scratch[KANE_WHEEL_CELLS + 1];
    const int nodes = t->cell_count + 1;

    for (int i = 0; i < nodes; i++)
        value[i] = circle - kane_form_wheel_at(f, range, t->first + i * t->cell).z;
    kane_grid_slopes(nodes, t->cell, value, slope_at(f, range, t->first), slope_at(f, range, t->last), slope, scratch);
    for (int i = 0; i < t->cell_count; i++)
        kane_grid_cubic(t->cell, value[i], slope[i], value[i + 1], slope[i + 1], t->cells[i].f);
}

// g = R R'^n and its derivative at x in a cell, n = 2 or 4.
static void power(const wheel_table *t, const wheel_cell *c, double x, int n, double *g, double *g_s)
{
    const double *f = c->f;
    const double R  = t->radius + f[0] + x * (f[1] + x * (f[2] + x * f[3]));
    const double R1 = f[1] + x * (2.0 * f[2] + 3.0 * x * f[3]), R2 = 2.0 * f[2] + 6.0 * x * f[3];
    const double p = n == 2 ? R1 : R1 * R1 * R1;
    *g             = R * p * R1;
    *g_s           = p * (R1 * R1 + n * R * R2);
}

// The integral over a cell as a polynomial in x, from a cubic for g; q[0] is the integral up to the cell.
// Returns the integral up to the next cell.
static double integrate_power(const wheel_table *t, const wheel_cell *c, int n, double before, double q[5])
{
    const double h = t->cell;
    double g0, d0, g1, d1, g[4];
    power(t, c, 0.0, n, &g0, &d0);
    power(t, c, h, n, &g1, &d1);
    kane_grid_cubic(h, g0, d0, g1, d1, g);
    q[0] = before;
    for (int k = 0; k < 4; k++)
        q[k + 1] = g[k] / (k + 1);
    return q[0] + h * (q[1] + h * (q[2] + h * (q[3] + h * q[4])));
}

static void fill_integrals(wheel_table *t)
{
    const double h = t->cell;
    double area = 0.0, two = 0.0, four = 0.0;
    for (int i = 0; i < t->cell_count; i++) {
        wheel_cell *c = &t->cells[i];
        c->area       = area;
        area += h * (c->f[0] + h * (c->f[1] / 2.0 + h * (c->f[2] / 3.0 + h * c->f[3] / 4.0)));
        two  = integrate_power(t, c, 2, two, c->two);
        four = integrate_power(t, c, 4, four, c->four);
    }
}

static void fill_bent(wheel_table *t)
{
    double bend[KANE_WHEEL_CELLS], most[KANE_WHEEL_CELLS];
    for (int i = 0; i < t->cell_count; i++)
        bend[i] = kane_grid_bend(t->cell, t->cells[i].f);
    kane_grid_spread(t->cell_count, (int)ceil(KANE_BENT_REACH * t->per_cell), bend, most);
    for (int i = 0; i < t->cell_count; i++)
        t->cells[i].bent = most[i];
}

static void fill_nodes(wheel_table *t, double width)
{
    wheel_nodes *n = &t->nodes;
    n->distance    = width;
    n->count       = (int)lround((t->last - t->first) / n->distance) + 1;
    for (int i = 0; i < n->count; i++) {
        double x            = 0.0;
        n->s[i]             = t->first + i * n->distance;
        const wheel_cell *c = wheel_cell_at(t, n->s[i], &x);
        n->f[i]             = c->f[0] + x * (c->f[1] + x * (c->f[2] + x * c->f[3]));
        const double R = t->radius + n->f[i], R1 = c->f[1] + x * (2.0 * c->f[2] + 3.0 * x * c->f[3]);
        n->shift[i] = R * R1;
        n->sink[i]  = 0.5 * R * R1 * R1;
    }
}

static void fill_places(wheel_table *t)
{
    wheel_places *n = &t->places;
    n->distance     = place_width;
    n->count        = (int)lround((t->last - t->first) / n->distance) + 1;
    for (int i = 0; i < n->count; i++) {
        double x            = 0.0;
        n->s[i]             = t->first + i * n->distance;
        const wheel_cell *c = wheel_cell_at(t, n->s[i], &x);
        n->f[i]             = c->f[0] + x * (c->f[1] + x * (c->f[2] + x * c->f[3]));
        const double R1     = c->f[1] + x * (2.0 * c->f[2] + 3.0 * x * c->f[3]);
        n->shift[i]         = (t->radius + n->f[i]) * R1;
        n->steep[i]         = R1 * R1;
        n->sink[i]          = n->shift[i] * R1;
    }
}

void kane_wheel_table_init(wheel_table *t, const form *f, double radius)
{
    const form_range range = kane_form_wheel_range(f);
    t->radius              = radius;
    t->first               = range.first;
    t->last                = range.last;
    t->cell                = cell_width;
    t->per_cell            = 1.0 / cell_width;
    t->cell_count          = (int)lround((t->last - t->first) / t->cell);
    t->end                 = t->cell_count - 1e-9;
    fill_splines(t, f, &range);
    fill_integrals(t);
    fill_bent(t);
    fill_nodes(t, f->profile.shape == KANE_SHAPE_POINTS ? measured_width : node_width);
    fill_places(t);
}
