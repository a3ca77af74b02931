// SPDX-License-Identifier: MIT
// A wheel as a surface of revolution: its profile as a spline, and the integrals along it that give areas.

#ifndef KANE_CONTACT_WHEEL_H
#define KANE_CONTACT_WHEEL_H

#include <kane/contact.h>

#include "profile/form.h"

enum { KANE_WHEEL_CELLS = 2000, KANE_WHEEL_NODES = 401 };

// One cell of the profile; x runs from its left end. R is the radius at s, f = R - radius of the running circle.
typedef struct wheel_cell {
    double f[4];    // f = f[0] + f[1] x + f[2] x^2 + f[3] x^3 [m]
    double area;    // integral of f from the first cell to this one [m^2]
    double two[5];  // likewise the integral of R R'^2, a polynomial in x [m^2]
    double four[5]; // and of R R'^4 [m^2]
    double bent;    // how much R's direction changes at most within KANE_BENT_REACH of the cell [rad/m]
} wheel_cell;

// The coarse nodes on which contact is looked for.
typedef struct wheel_nodes {
    int count;
    double distance;                // between two of them [m]
    double s[KANE_WHEEL_NODES];     // [m]
    double f[KANE_WHEEL_NODES];     // [m]
    double shift[KANE_WHEEL_NODES]; // R R' [m]
    double sink[KANE_WHEEL_NODES];  // R R'^2 / 2 [m]
} wheel_nodes;

// Places on which integrals over the profile are taken.
enum { KANE_WHEEL_PLACES = 401 };

typedef struct wheel_places {
    int count;
    double distance;                 // between two of them [m]
    double s[KANE_WHEEL_PLACES];     // [m]
    double f[KANE_WHEEL_PLACES];     // [m]
    double shift[KANE_WHEEL_PLACES]; // R R' [m]
    double steep[KANE_WHEEL_PLACES]; // R'^2
    double sink[KANE_WHEEL_PLACES];  // R R'^2 [m]
} wheel_places;

typedef struct wheel_table {
    double radius;      // of the running circle [m]
    double first, last; // what there is of the profile, along the axle from the running circle, outside positive [m]
    double cell;        // width of a cell [m]
    double per_cell;    // 1/cell
    double end;         // number of cells less a hair
    int cell_count;
    wheel_cell cells[KANE_WHEEL_CELLS];
    wheel_nodes nodes;
    wheel_places places; // the first is the first node
} wheel_table;

// Fills the table from a profile and the radius of its running circle [m].
void kane_wheel_table_init(wheel_table *table, const form *form, double radius);

// The cell of s, which must lie between first and last (or within the last cells by rounding). *x gets the place in it.
static inline const wheel_cell *wheel_cell_at(const wheel_table *table, double s, double *x)
{
    double t    = (s - table->first) * table->per_cell;
    t           = t > 0.0 ? t : 0.0;
    t           = t < table->end ? t : table->end;
    const int i = (int)t;
    *x          = (t - i) * table->cell;
    return &table->cells[i];
}

#endif
