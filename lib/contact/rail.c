// SPDX-License-Identifier: MIT
// The table of a rail, made once.

#include "contact/rail.h"
#include "contact/grid.h"
#include "contact/profiles.h"

#include <math.h>

// The table reaches so far to both sides [m].
static const double half_width = 0.08;

// Beyond these slopes of the upright profile it is continued straight: on the field side no wheel reaches, and the
// oblique axes would not see it as a graph; on the gauge side the flank is straight.
static const double field_slope = -0.84, gauge_slope = 20.0;

// The distance from a round head's origin to the gauge point: that of 60E1 inclined 1:40, so that a wheelset stands on
// both in the same place [m].
static const double round_gauge_side = 0.04303;

// The head in its upright position, and how it is turned and shifted to lie in the rail axes.
typedef struct head {
    const kane_contact_definition *definition;
    double field, gauge; // y of the upright profile where the straight continuations begin [m]
    double sin_, cos_;   // of the inclination
    double top_y, top_z; // highest point of the inclined profile, before it becomes the origin [m]
} head;

static profile_point upright(const head *d, double y)
{
    const double inside = y > d->field ? d->field : y < d->gauge ? d->gauge : y;
    profile_point p = d->definition->rail == KANE_RAIL_ROUND ? kane_profile_round(d->definition->head_radius, inside)
                                                             : kane_profile_60e1(inside);
    p.height += p.slope * (y - inside);
    return p;
}

// y in [low, high] where the falling function f(y) passes zero.
typedef double falling(const head *d, double y, double wanted);
static double solve(falling *f, const head *d, double wanted, double low, double high)
{
    for (int i = 0; i < 100 && high - low > 1e-17; i++) {
        const double middle = 0.5 * (low + high);
        if (f(d, middle, wanted) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double slope_over(const head *d, double y, double wanted)
{
    return upright(d, y).slope - wanted;
}

static double inclined_y(const head *d, double y)
{
    return y * d->cos_ - upright(d, y).height * d->sin_ - d->top_y;
}

static double inclined_z(const head *d, double y)
{
    return y * d->sin_ + upright(d, y).height * d->cos_ - d->top_z;
}

static double eta(const head *d, double y)
{
    return inclined_y(d, y) * KANE_TILT_COS + inclined_z(d, y) * KANE_TILT_SIN;
}

static double zeta(const head *d, double y)
{
    return -inclined_y(d, y) * KANE_TILT_SIN + inclined_z(d, y) * KANE_TILT_COS;
}

static double eta_missing(const head *d, double y, double wanted)
{
    return wanted - eta(d, y);
}

static double below(const head *d, double y, double depth)
{
    return -depth - inclined_z(d, y);
}

static head place(const kane_contact_definition *definition)
{
    const double slope = definition->inclination, limit = 1.0 / sqrt(1.0 + gauge_slope * gauge_slope);
    const double radius = definition->head_radius;
    head d              = {.definition = definition, .field = 0.036, .gauge = -0.036};

    if (definition->rail == KANE_RAIL_ROUND) {
        d.field = radius * 0.9999;
        d.gauge = -gauge_slope * limit * radius;
    }
    d.field = solve(slope_over, &d, field_slope, 0.0, d.field);
    d.sin_  = slope / sqrt(1.0 + slope * slope);
    d.cos_  = 1.0 / sqrt(1.0 + slope * slope);

    // the rail leans to the inside: a point of slope -inclination becomes its highest
    const double y = solve(slope_over, &d, -slope, d.gauge, d.field);
    d.top_y        = y * d.cos_ - upright(&d, y).height * d.sin_;
    d.top_z        = y * d.sin_ + upright(&d, y).height * d.cos_;
    return d;
}

static double oblique_slope(const head *d, double y)
{
    // angle of the upright profile + inclination - tilt
    const double s  = upright(d, y).slope;
    const double dy = d->cos_ - s * d->sin_, dz = d->sin_ + s * d->cos_;
    return (-dy * KANE_TILT_SIN + dz * KANE_TILT_COS) / (dy * KANE_TILT_COS + dz * KANE_TILT_SIN);
}

void kane_rail_table_init(rail_table *t, const kane_contact_definition *definition)
{
    double value[KANE_RAIL_CELLS + 1], slope[KANE_RAIL_CELLS + 1], scratch[KANE_RAIL_CELLS + 1];
    const head d     = place(definition);
    double first_end = 0.0, last_end = 0.0, area = 0.0;

    t->first    = -half_width;
    t->cell     = 2.0 * half_width / KANE_RAIL_CELLS;
    t->per_cell = KANE_RAIL_CELLS / (2.0 * half_width);
    for (int i = 0; i <= KANE_RAIL_CELLS; i++) {
        const double y = solve(eta_missing, &d, t->first + i * t->cell, -1.0, 1.0);
        value[i]       = zeta(&d, y);
        if (i == 0)
            first_end = oblique_slope(&d, y);
        last_end = oblique_slope(&d, y);
    }
    kane_grid_slopes(KANE_RAIL_CELLS + 1, t->cell, value, first_end, last_end, slope, scratch);
    for (int i = 0; i < KANE_RAIL_CELLS; i++) {
        rail_cell *c   = &t->cells[i];
        const double h = t->cell;
        kane_grid_cubic(h, value[i], slope[i], value[i + 1], slope[i + 1], c->z);
        c->area = area;
        area += h * (c->z[0] + h * (c->z[1] / 2.0 + h * (c->z[2] / 3.0 + h * c->z[3] / 4.0)));
    }
    t->gauge_side = round_gauge_side;
    if (definition->rail != KANE_RAIL_ROUND)
        t->gauge_side = -inclined_y(&d, solve(below, &d, 0.014, -0.06, 0.0));
}
