// SPDX-License-Identifier: MIT
// A line and its rails as curves in space, from nothing but curvature k(s) and cant u(s): plain code of the tests' own
// that shares nothing with libkane (it includes none of it; house.layers holds it to that).
//
//   dpsi/ds = k        sin(beta) = grade of the centre line        sin(theta) = -u/(2b)
//   d(x, y, z)/ds = (cos beta cos psi, cos beta sin psi, sin beta)
//
// psi is the heading (to the left), beta the rise, theta the roll of the track plane. A ramp about the centre line
// leaves it level; one about the inner rail lifts it by half of the cant. The equations are integrated (Runge-Kutta);
// no rotation per metre is ever formed. Each rail's head is a circle whose centre is carried along at a fixed place of
// the track plane: its curve is kept as the points where it is and a polynomial through six of them, section by
// section, so that a section's ends are its ends and nothing beyond them is known.

#ifndef PLAIN_LINE_H
#define PLAIN_LINE_H

typedef struct plain_vec {
    double x, y, z;
} plain_vec;

typedef enum plain_shape {
    PLAIN_CLOTHOID, // f = x, curvature and cant linear
    PLAIN_BLOSS     // f = 3 x^2 - 2 x^3
} plain_shape;

typedef enum plain_cant_axis { PLAIN_CENTRE_LINE, PLAIN_INNER_RAIL } plain_cant_axis;

// From one curvature and cant to another; a straight and a curve keep theirs. Positive: to the left, right rail higher.
typedef struct plain_section {
    double length;       // [m]
    double curvature[2]; // at its beginning and end [1/m]
    double cant[2];      // [m]
    plain_shape shape;
} plain_section;

typedef struct plain_line_definition {
    int section_count;
    const plain_section *sections;
    plain_cant_axis cant_axis;
    double running_distance; // 2b, over which cant is measured [m]
    double rail_distance;    // from the centre line to the top of each rail [m]
    double head_radius;      // of the rails' heads [m]
} plain_line_definition;

// The centre line, and the centres of the circles that the rails' heads are.
enum { PLAIN_CENTRE, PLAIN_LEFT, PLAIN_RIGHT, PLAIN_CURVES };

enum { PLAIN_SECTIONS = 8, PLAIN_INTERVALS = 4000, PLAIN_DEGREE = 5 };

// A polynomial in x = (s - start)/width for each curve and component.
typedef struct plain_interval {
    double c[PLAIN_CURVES][3][PLAIN_DEGREE + 1];
} plain_interval;

typedef struct plain_line {
    int section_count;
    double border[PLAIN_SECTIONS + 1]; // s where sections begin, and the end [m]
    int first[PLAIN_SECTIONS + 1];     // their first intervals
    double width[PLAIN_SECTIONS];      // of their intervals [m]
    double head_radius;                // [m]
    plain_interval interval[PLAIN_INTERVALS];
} plain_line;

// The line begins at the origin, along x, level. Aborts where the definition does not fit.
void plain_line_init(plain_line *line, const plain_line_definition *definition);

int plain_line_section(const plain_line *line, double s);

// A curve at s by the formula of a section: point and first three derivatives by s.
void plain_line_at(const plain_line *line, int section, int curve, double s, plain_vec d[4]);

// Axes at s: x along the line, y from the right rail to the left one, z up.
void plain_line_axes(const plain_line *line, int section, double s, plain_vec *origin, plain_vec axes[3]);

// --- vectors ---

static inline plain_vec plain_add(plain_vec a, plain_vec b)
{
    return (plain_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline plain_vec plain_sub(plain_vec a, plain_vec b)
{
    return (plain_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline plain_vec plain_scale(double s, plain_vec a)
{
    return (plain_vec){s * a.x, s * a.y, s * a.z};
}

static inline double plain_dot(plain_vec a, plain_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline plain_vec plain_cross(plain_vec a, plain_vec b)
{
    return (plain_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Unit vector.
plain_vec plain_unit(plain_vec a);

#endif
