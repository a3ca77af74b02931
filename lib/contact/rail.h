// SPDX-License-Identifier: MIT
// A rail's head as a spline in oblique axes, in which its crown and its gauge face are one graph.

#ifndef KANE_CONTACT_RAIL_H
#define KANE_CONTACT_RAIL_H

#include <kane/contact.h>

#include "profile/form.h"

enum { KANE_RAIL_CELLS = 1600 };

// The oblique axes are the rail axes of the left rail (y outside, z up) turned about x by 25 degrees:
//   eta = y cos + z sin,   zeta = -y sin + z cos.
// The head's slope is then within 45 degrees from its field side to where the gauge face is 70 degrees steep.
#define KANE_TILT_COS 0.90630778703664996
#define KANE_TILT_SIN 0.42261826174069943

// One cell; x runs from its left end.
typedef struct rail_cell {
    double z[4]; // zeta = z[0] + z[1] x + z[2] x^2 + z[3] x^3 [m]
    double area; // integral of zeta from the first cell to this one [m^2]
} rail_cell;

typedef struct rail_table {
    double first;      // eta of the first cell [m]
    double cell;       // width of a cell [m]
    double per_cell;   // 1/cell
    double gauge_side; // distance from the origin to the gauge point [m]
    double depth;      // of the gauge side's end below the origin, as far as the profile is known [m]
    rail_cell cells[KANE_RAIL_CELLS];
    double bent[KANE_RAIL_CELLS]; // how much its direction changes at most within KANE_BENT_REACH of a cell [rad/m]
} rail_table;

// Fills the table from a profile, its inclination (tangent) and the height at which gauge is measured [m].
void kane_rail_table_init(rail_table *table, const form *form, double inclination, double gauge_height);

// The cell of eta and the place *x in it; beyond the ends of the table the first and last cell, which are straight.
static inline const rail_cell *rail_cell_at(const rail_table *table, double eta, double *x)
{
    const double end = KANE_RAIL_CELLS - 1e-9;
    double t         = (eta - table->first) * table->per_cell;
    t                = t > 0.0 ? t : 0.0;
    t                = t < end ? t : end;
    const int i      = (int)t;
    *x               = eta - (table->first + i * table->cell);
    return &table->cells[i];
}

static inline double rail_height(const rail_cell *c, double x)
{
    return (c->z[0] + x * c->z[1]) + (x * x) * (c->z[2] + x * c->z[3]);
}

// Height and slope over the oblique axis.
static inline double rail_slope(const rail_cell *c, double x)
{
    return (c->z[1] + x * (2.0 * c->z[2])) + (x * x) * (3.0 * c->z[3]);
}

#endif
