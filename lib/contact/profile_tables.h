// SPDX-License-Identifier: MIT
// Profiles of a wheel and a rail as contact reads them: splines on uniform grids, with the integrals along them.

#ifndef KANE_CONTACT_PROFILE_TABLES_H
#define KANE_CONTACT_PROFILE_TABLES_H

#include "contact/side.h"
#include "profile/curve.h"

#include <kane/contact.h>

// So far from a cell the curvature is known of which tables say how much it is at most [m].
#define KANE_CURVATURE_REACH 8e-3

// A wheel as a surface of revolution: its profile as a spline, and the integrals along it that give areas.

enum { KANE_WHEEL_CELLS = 2000, KANE_WHEEL_NODES = 401 };

// One cell of the profile; x runs from its left end. R is the radius at s, f = R - radius of the running circle.
typedef struct wheel_cell {
    double f[4];      // f = f[0] + f[1] x + f[2] x^2 + f[3] x^3 [m]
    double area;      // integral of f from the first cell to this one [m^2]
    double two[5];    // likewise the integral of R R'^2, a polynomial in x [m^2]
    double four[5];   // and of R R'^4 [m^2]
    double curvature; // how much R's direction changes at most within KANE_CURVATURE_REACH of the cell [rad/m]
} wheel_cell;

// The coarse nodes of the search for contact.
typedef struct wheel_nodes {
    int count;
    double distance;                // between two of them [m]
    double s[KANE_WHEEL_NODES];     // [m]
    double f[KANE_WHEEL_NODES];     // [m]
    double shift[KANE_WHEEL_NODES]; // R R' [m]
    double sink[KANE_WHEEL_NODES];  // R R'^2 / 2 [m]
} wheel_nodes;

// Places on which integrals over the profile are taken: integral of g ds = sum of g width. They are dense where the
// profile is steep.
enum { KANE_WHEEL_PLACES = 1200 };

typedef struct wheel_places {
    int count;
    int from[KANE_WHEEL_NODES];      // the first place that is not before this node
    double s[KANE_WHEEL_PLACES];     // [m]
    double width[KANE_WHEEL_PLACES]; // ds [m]
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
    wheel_places places;
} wheel_table;

// Fills the table from a profile and the radius of its running circle [m]. Scratch comes from the arena; 0 without
// memory.
int kane_wheel_table_init(wheel_table *table, const form *form, double radius, kane_arena *arena);

// Fills the places of a wheel's table, so many times denser than those of a search; at most KANE_WHEEL_PLACES.
// scratch [2 (KANE_WHEEL_CELLS + 1)]
void kane_wheel_places_fill(const wheel_table *table, double denser, wheel_places *places, double *scratch);

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

// A rail's head as a spline in oblique axes, in which its crown and its gauge face are one graph.

enum { KANE_RAIL_CELLS = 1600 };

// The oblique axes are the rail axes of the left rail (y outside, z up) turned about x by 25 degrees:
//   eta = y cos + z sin,   zeta = -y sin + z cos.
// The head's slope is then within 45 degrees from its field side to where the gauge face is 70 degrees steep.
#define KANE_TILT_COS SIDE_TILT_COS
#define KANE_TILT_SIN SIDE_TILT_SIN

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
    double curvature
        [KANE_RAIL_CELLS]; // how much its direction changes at most within KANE_CURVATURE_REACH of a cell [rad/m]
} rail_table;

// The point of a drawing, inclined, that becomes the origin of the rail axes [m].
typedef struct rail_origin {
    double y, z;
} rail_origin;

// The highest point of a profile with its inclination (tangent).
rail_origin kane_rail_top(const form *form, double inclination);

// Fills the table from a profile, its inclination (tangent) and the height at which gauge is measured [m]. origin NULL:
// the highest point. Scratch comes from the arena; 0 without memory.
int kane_rail_table_init(rail_table *table, const form *form, double inclination, double gauge_height,
                         const rail_origin *origin, kane_arena *arena);

// Slices of one rail along it.
typedef struct rail_slice {
    const rail_table *rail;
    double at; // [m]
} rail_slice;

// The slice `here` as a wheel of the radius R [m] meets it that stands over it: the wheel's circle lies x^2/(2 R)
// higher at x from its lowest point, and touches where the rail, straight between slices, comes nearest: a slope c
// raises it by R c^2/2. Over the oblique axis, where the rail has the slope m, that is x^2/(2 R) (cos - m sin). Scratch
// comes from the arena; 0 without memory.
int kane_rail_table_roll(rail_table *table, const rail_slice *slices, int count, int here, double R, kane_arena *arena);

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

// A rail between two profiles, whose tables have one grid in one set of axes: (1 - share) of one and share of the
// other. With to = NULL it is `from`.
typedef struct rail_mean {
    const rail_table *from, *to;
    double share;
} rail_mean;

// The cell of eta as rail_cell_at; *room is where the mean of two cells is put.
static inline const rail_cell *rail_mean_cell_at(const rail_mean *rail, double eta, double *x, rail_cell *room)
{
    const rail_cell *a = rail_cell_at(rail->from, eta, x);
    if (!rail->to)
        return a;
    const rail_cell *b = &rail->to->cells[a - rail->from->cells];
    const double w = rail->share, v = 1.0 - w;
    for (int k = 0; k < 4; k++)
        room->z[k] = v * a->z[k] + w * b->z[k];
    room->area = v * a->area + w * b->area;
    return room;
}

// Height, slope and second derivative over the oblique axis.
static inline double rail_height(const rail_cell *c, double x)
{
    return (c->z[0] + x * c->z[1]) + (x * x) * (c->z[2] + x * c->z[3]);
}

static inline double rail_slope(const rail_cell *c, double x)
{
    return (c->z[1] + x * (2.0 * c->z[2])) + (x * x) * (3.0 * c->z[3]);
}

static inline double rail_second(const rail_cell *c, double x)
{
    return 2.0 * c->z[2] + 6.0 * x * c->z[3];
}

// === Cubic splines on a uniform grid: twice continuously differentiable, cell by cell a polynomial.

// Slopes at the nodes of the cubic spline through `value`, whose slopes at both ends are given.
//   count      number of nodes, at least 2
//   h          distance between nodes
//   slope      out, one for each node
//   scratch    one for each node
void kane_grid_slopes(int count, double h, const double *value, double first_slope, double last_slope, double *slope,
                      double *scratch);

// Coefficients of the cubic with values v0, v1 and slopes d0, d1 at the ends of a cell of width h:
// c[0] + c[1] x + c[2] x^2 + c[3] x^3, 0 <= x <= h.
void kane_grid_cubic(double h, double v0, double d0, double v1, double d1, double c[4]);

// How much the direction of a cubic changes within its cell at most, by an upper bound [rad per unit of x].
double kane_grid_curvature(double h, const double c[4]);

// out[i]: the largest of curvature[i - reach] ... curvature[i + reach], as far as there are such.
void kane_grid_spread(int count, int reach, const double *curvature, double *out);

#endif
