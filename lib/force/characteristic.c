// SPDX-License-Identifier: MIT
// Characteristics: linear, piecewise linear, or a C2 spline through points.

#include "force/characteristic.h"

#include "base/document.h"

#include <math.h>

static const char *const interpolations[] = {"linear", "spline", NULL};
static const char *const references[]     = {"static", "free", NULL};

#define POINTS(at_name, at_unit, at_help, force_name, force_unit, force_help)                                          \
    KANE_KEY_NAMED(kane_characteristic, at, at_name, NUMBERS, REQUIRED, NULL, at_unit, ANY, NULL, at_help),            \
        KANE_KEY_NAMED(kane_characteristic, force, force_name, NUMBERS, REQUIRED, NULL, force_unit, ANY, NULL,         \
                       force_help),                                                                                    \
        KANE_KEY(                                                                                                      \
            kane_characteristic, interpolation, CHOICE, OPTIONAL, "linear", NULL, ANY, interpolations,                 \
            "straight lines between the points, or a cubic spline through them; beyond the ends it goes straight on")

static const kane_key spring_keys[] = {
    POINTS("displacement", "m", "displacement of b against a, ascending", "force", "N", "force that resists it"),
    KANE_KEY(kane_characteristic, from, CHOICE, OPTIONAL, "static", NULL, ANY, references,
             "where displacements are counted from: the static position, or the place where the spring is free; then "
             "the static load decides where on the curve the vehicle rests"),
};
static const kane_key turning_keys[] = {
    POINTS("angle", "rad", "turn of b against a, ascending", "torque", "N m", "torque that resists it"),
};
static const kane_key damper_keys[] = {
    POINTS("speed", "m/s", "speed of b against a, ascending", "force", "N", "force that resists it"),
};
static const kane_key turning_damper_keys[] = {
    POINTS("rate", "rad/s", "angular velocity of b against a, ascending", "torque", "N m", "torque that resists it"),
};

const kane_schema kane_spring_characteristic_schema =
    KANE_SCHEMA(kane_characteristic, "spring characteristic", spring_keys, "Force over displacement.");
const kane_schema kane_turning_characteristic_schema =
    KANE_SCHEMA(kane_characteristic, "turning characteristic", turning_keys, "Torque over angle.");
const kane_schema kane_damper_characteristic_schema =
    KANE_SCHEMA(kane_characteristic, "damper characteristic", damper_keys, "Force over speed.");
const kane_schema kane_turning_damper_schema = KANE_SCHEMA(kane_characteristic, "turning damper characteristic",
                                                           turning_damper_keys, "Torque over angular velocity.");

// Index of the interval that contains x.
//   t       x, limited to the range of the points, from the beginning of the interval
//   beyond  x - its limited value: 0 between the first and the last point
static int find_interval(const kane_curve *c, double x, double *t, double *beyond)
{
    const int i        = kane_spline_find(c->count, c->x, x);
    const double start = c->x[0], end = c->x[c->count - 1];
    const double inside = x < start ? start : x > end ? end : x;
    *t                  = inside - c->x[i];
    *beyond             = x - inside;
    return i;
}

static double cubic_value(const kane_cubic *k, double t)
{
    return k->c[0] + t * (k->c[1] + t * (k->c[2] + t * k->c[3]));
}

static double cubic_slope(const kane_cubic *k, double t)
{
    return k->c[1] + t * (2.0 * k->c[2] + t * 3.0 * k->c[3]);
}

static double cubic_area(const kane_cubic *k, double t)
{
    return t * (k->c[0] + t * (k->c[1] / 2.0 + t * (k->c[2] / 3.0 + t * k->c[3] / 4.0)));
}

double kane_curve_through(const kane_curve *c, double x)
{
    double t, beyond;
    const int i = find_interval(c, x + c->shift, &t, &beyond);
    return cubic_value(&c->cubic[i], t) + beyond * cubic_slope(&c->cubic[i], t);
}

double kane_curve_along(const kane_curve *c, double x)
{
    double t, beyond;
    const int i = find_interval(c, x + c->shift, &t, &beyond);
    return cubic_slope(&c->cubic[i], t);
}

// Integral of the curve from its first point to x.
static double integrate_curve(const kane_curve *c, double x)
{
    double t, beyond;
    const int i         = find_interval(c, x, &t, &beyond);
    const double inside = c->area[i] + cubic_area(&c->cubic[i], t);
    return inside + beyond * (cubic_value(&c->cubic[i], t) + 0.5 * beyond * cubic_slope(&c->cubic[i], t));
}

double kane_curve_energy(const kane_curve *c, double x)
{
    if (c->count == 0)
        return 0.5 * c->rate * x * x;
    return integrate_curve(c, x + c->shift) - integrate_curve(c, c->shift);
}

// Checks the points of a characteristic; returns the number of errors.
static int check_points(const kane_characteristic *input, kane_errors *errors)
{
    const int before = errors->count, n = input->at.count;
    if (n < 2 || n != input->force.count) {
        (void)kane_block_fault(errors, &input->block, NULL,
                               "has %d places and %d forces; needs as many of both, and at least two", n,
                               input->force.count);
        return 1;
    }
    for (int i = 1; i < n; i++) {
        if (!(input->at.values[i] > input->at.values[i - 1]))
            (void)kane_block_fault(errors, &input->block, NULL, "%g follows %g: places must grow", input->at.values[i],
                                   input->at.values[i - 1]);
        if (input->from == KANE_FROM_FREE && !(input->force.values[i] > input->force.values[i - 1]))
            (void)kane_block_fault(errors, &input->block, NULL,
                                   "force %g follows %g: to find the static position, forces must grow",
                                   input->force.values[i], input->force.values[i - 1]);
    }
    return errors->count - before;
}

// At rest nothing may act beyond the static load. Returns 0, or not 0 with errors filled.
static int check_origin(const kane_characteristic *input, const kane_curve *c, kane_errors *errors)
{
    double largest = 0.0;
    for (int i = 0; i < c->count; i++)
        largest = fmax(largest, fabs(input->force.values[i]));
    const double at_rest = kane_curve_value(c, 0.0);
    if (input->from == KANE_FROM_FREE || fabs(at_rest) <= 1e-9 * largest)
        return 0;
    (void)kane_block_fault(errors, &input->block, NULL,
                           "is %g at 0; it must be 0 there, a static load comes on top of it", at_rest);
    return 1;
}

// Cubic of each interval: a natural spline, or the straight line between two points.
static void fit_cubics(const kane_characteristic *input, double *x, kane_cubic *cubic)
{
    const int n     = input->at.count;
    const double *y = input->force.values;
    for (int i = 0; i < n; i++)
        x[i] = input->at.values[i];
    if (input->interpolation == KANE_SPLINE) {
        kane_spline_fit(n, x, y, KANE_SPLINE_NATURAL, cubic);
        return;
    }
    for (int i = 0; i + 1 < n; i++)
        cubic[i] = (kane_cubic){{y[i], (y[i + 1] - y[i]) / (x[i + 1] - x[i]), 0.0, 0.0}};
}

// Memory for a curve through n points, to be filled. Returns 0, or not 0 with errors filled.
static int make_room(int n, kane_arena *memory, kane_errors *errors, kane_curve *c, double **x, kane_cubic **cubic)
{
    *x      = kane_law_memory(memory, (size_t)n, sizeof **x);
    *cubic  = kane_law_memory(memory, (size_t)n, sizeof **cubic);
    c->area = kane_law_memory(memory, (size_t)n, sizeof *c->area);
    if (!*x || !*cubic || !c->area) {
        (void)kane_no_memory(errors);
        return 1;
    }
    c->count = n;
    c->x     = *x;
    c->cubic = *cubic;
    return 0;
}

static void sum_area(kane_curve *c)
{
    for (int i = 0; i + 1 < c->count; i++)
        c->area[i + 1] = c->area[i] + cubic_area(&c->cubic[i], c->x[i + 1] - c->x[i]);
}

int kane_curve_prepare(const kane_characteristic *input, double rate, kane_arena *memory, kane_errors *errors,
                       kane_curve *c)
{
    *c = (kane_curve){.rate = rate};
    if (!input->block.node && input->at.count == 0 && input->force.count == 0)
        return 0;
    if (check_points(input, errors) > 0)
        return 1;
    double *x;
    kane_cubic *cubic;
    if (make_room(input->at.count, memory, errors, c, &x, &cubic) != 0)
        return 1;
    fit_cubics(input, x, cubic);
    sum_area(c);
    return check_origin(input, c, errors);
}

int kane_curve_bend(double slope, double bend, double beyond, double rounding, kane_arena *memory, kane_errors *errors,
                    kane_curve *c)
{
    *c                = (kane_curve){0};
    const int rounded = rounding > 0.0;
    const double from = bend - rounding, to = rounded ? bend + rounding : 2.0 * bend;
    const double turn = rounded ? (beyond - slope) / (4.0 * rounding) : 0.0;
    const double end  = slope * from + (to - from) * (rounded ? 0.5 * (slope + beyond) : beyond);
    double *x;
    kane_cubic *cubic;
    if (make_room(4, memory, errors, c, &x, &cubic) != 0)
        return 1;
    x[0]     = -to;
    x[1]     = -from;
    x[2]     = from;
    x[3]     = to;
    cubic[0] = (kane_cubic){{-end, beyond, -turn, 0.0}};
    cubic[1] = (kane_cubic){{-slope * from, slope, 0.0, 0.0}};
    cubic[2] = (kane_cubic){{slope * from, rounded ? slope : beyond, turn, 0.0}};
    sum_area(c);
    return 0;
}

int kane_curve_set_load(kane_curve *c, double load)
{
    // bracket by going outward, then halve: the curve grows everywhere, and straight on beyond its ends
    double low = c->x[0], high = c->x[c->count - 1];
    const double width = high - low;
    c->shift           = 0.0;
    for (int i = 0; i < 60 && kane_curve_value(c, low) > load; i++)
        low -= ldexp(width, i);
    for (int i = 0; i < 60 && kane_curve_value(c, high) < load; i++)
        high += ldexp(width, i);
    if (!(kane_curve_value(c, low) <= load && kane_curve_value(c, high) >= load))
        return 1;
    for (int i = 0; i < 200 && high - low > 0.0; i++) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        if (kane_curve_value(c, middle) < load)
            low = middle;
        else
            high = middle;
    }
    c->shift = 0.5 * (low + high);
    return 0;
}

static int is_level(const kane_cubic *k)
{
    return k->c[0] != 0.0 && k->c[1] == 0.0 && k->c[2] == 0.0 && k->c[3] == 0.0;
}

void kane_curve_cut_level_ends(kane_curve *c, double limit[2])
{
    limit[0] = limit[1] = 0.0;
    for (; c->count > 2 && is_level(&c->cubic[0]); c->count--, c->x++, c->cubic++, c->area++)
        limit[0] = c->cubic[0].c[0];
    for (; c->count > 2 && is_level(&c->cubic[c->count - 2]); c->count--)
        limit[1] = c->cubic[c->count - 2].c[0];
}

int kane_curve_grows(const kane_curve *c)
{
    if (c->count == 0)
        return c->rate > 0.0;
    for (int i = 0; i + 1 < c->count; i++) {
        // the slope is a parabola: least at an end, or at its vertex
        const kane_cubic *k = &c->cubic[i];
        const double width = c->x[i + 1] - c->x[i], vertex = k->c[3] > 0.0 ? -k->c[2] / (3.0 * k->c[3]) : 0.0;
        const double inside = vertex < 0.0 ? 0.0 : vertex > width ? width : vertex;
        if (!(cubic_slope(k, 0.0) > 0.0 && cubic_slope(k, width) > 0.0 && cubic_slope(k, inside) > 0.0))
            return 0;
    }
    return 1;
}

// The place t in 0 .. width where a cubic that grows there is y: at once on a straight line, else by Newton's method,
// which from the middle of a cubic that grows from end to end always arrives.
static double cubic_find(const kane_cubic *k, double width, double y)
{
    if (k->c[2] == 0.0 && k->c[3] == 0.0)
        return (y - k->c[0]) / k->c[1];
    double t = 0.5 * width, step = width;
    for (int i = 0; i < 100 && fabs(step) > 1e-15 * width; i++) {
        step = (cubic_value(k, t) - y) / cubic_slope(k, t);
        t -= step;
    }
    return t;
}

double kane_curve_find(const kane_curve *c, double y)
{
    if (c->count == 0)
        return y / c->rate;
    int low = 0, high = c->count - 1;
    const kane_cubic *last = &c->cubic[high - 1];
    const double width = c->x[high] - c->x[high - 1], end = cubic_value(last, width);
    if (y >= end)
        return c->x[high] + (y - end) / cubic_slope(last, width) - c->shift;
    if (y <= c->cubic[0].c[0])
        return c->x[0] + (y - c->cubic[0].c[0]) / c->cubic[0].c[1] - c->shift;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (c->cubic[middle].c[0] <= y)
            low = middle;
        else
            high = middle;
    }
    return c->x[low] + cubic_find(&c->cubic[low], c->x[low + 1] - c->x[low], y) - c->shift;
}
