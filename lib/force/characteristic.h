// SPDX-License-Identifier: MIT
// Characteristics of springs and dampers, and the line between two points.

#ifndef KANE_FORCE_CHARACTERISTIC_H
#define KANE_FORCE_CHARACTERISTIC_H

#include <kane/formula.h>
#include <kane/laws.h>

#include "math/spline.h"

#include "base/document.h"

// === A characteristic: a force over a displacement or a speed, as a straight line or through points.

extern const kane_schema kane_spring_characteristic_schema;  // displacement, force, interpolation, from
extern const kane_schema kane_turning_characteristic_schema; // angle, torque, interpolation
extern const kane_schema kane_damper_characteristic_schema;  // speed, force, interpolation
extern const kane_schema kane_turning_damper_schema;         // rate, torque, interpolation

// Ready to be evaluated: y(x) = rate x without points, else the curve through them, going straight on at both ends.
typedef struct kane_curve {
    double rate;
    int count;
    const double *x;
    const kane_cubic *cubic;
    double *area; // integral of y from x[0] to x[i]
    double shift; // y is taken at x + shift
} kane_curve;

// From what was typed: points if there are any, else the straight line. y(0) is 0, unless displacements are counted
// from the free position. Returns 0, or not 0 with errors filled.
int kane_curve_prepare(const kane_characteristic *input, double rate, kane_arena *memory, kane_errors *errors,
                       kane_curve *c);

// Counts x from the place where y = load, so that y(0) = load. Returns 0, or not 0 where there is no such place.
int kane_curve_set_load(kane_curve *c, double load);

// Two straight lines through 0 and on both sides alike: `slope` up to x = bend, `beyond` after it. The bend is rounded
// over bend - rounding .. bend + rounding, where the slope changes linearly; 0 <= rounding < bend. Returns 0, or not 0
// with errors filled.
int kane_curve_bend(double slope, double bend, double beyond, double rounding, kane_arena *memory, kane_errors *errors,
                    kane_curve *c);

// 1 if y grows everywhere, beyond the ends too.
int kane_curve_grows(const kane_curve *c);

// Cuts off the lines at the ends along which y is constant, other than 0, so that the curve goes on there as beside
// them. limit: what y is there, at negative and at positive x; 0: it has no such end.
void kane_curve_cut_level_ends(kane_curve *c, double limit[2]);

// The x at which a curve that grows everywhere is y.
KANE_PURE double kane_curve_find(const kane_curve *c, double y);

// y through points, and its slope.
KANE_PURE double kane_curve_through(const kane_curve *c, double x);
KANE_PURE double kane_curve_along(const kane_curve *c, double x);

static inline double kane_curve_value(const kane_curve *c, double x)
{
    return c->count == 0 ? c->rate * x : kane_curve_through(c, x);
}

static inline double kane_curve_slope(const kane_curve *c, double x)
{
    return c->count == 0 ? c->rate : kane_curve_along(c, x);
}

KANE_INLINE kane_scalar kane_curve_at(const kane_curve *c, kane_scalar x)
{
    return c->count == 0 ? ks_scale(c->rate, x)
                         : ks_chain(x, kane_curve_through(c, ks_value(x)), kane_curve_along(c, ks_value(x)));
}

// The x at which a curve that grows everywhere is y.
KANE_INLINE kane_scalar kane_curve_where(const kane_curve *c, kane_scalar y)
{
    const double x = kane_curve_find(c, ks_value(y));
    return ks_chain(y, x, 1.0 / kane_curve_slope(c, x));
}

// Integral from 0 to x.
double kane_curve_energy(const kane_curve *c, double x);

static inline int kane_curve_is_zero(const kane_curve *c)
{
    return c->count == 0 && c->rate == 0.0;
}

// === The line from a to b that axial laws act along.

typedef struct kane_line {
    kane_scalar length; // [m]
    kane_scalar rate;   // of the length [m/s]
    kane_scalar3 n;     // from a to b, unit vector
} kane_line;

// Positive (KANE_RETRY) where the two points coincide: there is no line.
KANE_INLINE int kane_line_eval(const kane_formula_motion *m, kane_line *line)
{
    const kane_scalar3 d = ks3_shift(m->d, m->d0);
    line->length         = ks3_norm(d);
    if (!(ks_value(line->length) > 0.0))
        return KANE_RETRY;
    line->n    = ks3_scale(ks_inverse(line->length), d);
    line->rate = ks3_dot(line->n, m->v);
    return 0;
}

// Length at rest [m]. Not 0 with an error where points are the same but for round-off: there is no line.
static inline int kane_line_rest_length(const kane_block *block, kane_vec3 d0, double *length, kane_errors *errors)
{
    *length = kv3_norm(d0);
    if (*length > 1e-6)
        return 0;
    (void)kane_block_fault(errors, block, NULL,
                           "both points of '%s' are the same, so that its line has no direction; give that of the "
                           "second body in \"to\", or a coupler of a train a \"length\"",
                           block->name);
    return 1;
}

#endif
