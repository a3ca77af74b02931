// SPDX-License-Identifier: MIT
// Where a section is cut into pieces.

#include "track/line_function.h"

#include "base/number.h"
#include "track/shape.h"

#include <math.h>
#include <stdlib.h>

// Samples of a shape in the search for a change of sign; those of a table are its points.
enum { SAMPLES = 256 };

static int sample_count(const kane_line_function *c)
{
    return c->kind == KANE_LINE_FUNCTION_TABLE ? c->row_count - 1 : SAMPLES + 1;
}

static double sample_abscissa(const kane_line_function *c, int i)
{
    return c->kind == KANE_LINE_FUNCTION_TABLE ? c->rows[i + 1].at : c->length * i / SAMPLES;
}

// Root of the cant in [a, b], by bisection [m].
static double find_sign_change(const kane_line_function *c, double a, double b)
{
    const double sign = kane_line_function_roll(c, a) > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 60; i++) {
        const double l = 0.5 * (a + b);
        if (sign * kane_line_function_roll(c, l) > 0.0)
            a = l;
        else
            b = l;
    }
    return b;
}

// A stretch without cant between two signs belongs to what comes before it.
static int find_sign_changes(const kane_line_function *c, double *cuts)
{
    double last = 0.0, last_level = -1.0; // last samples with and without cant
    double sign = 0.0;
    int count   = 0;

    for (int i = 0; i < sample_count(c); i++) {
        const double l = sample_abscissa(c, i), q = kane_line_function_roll(c, l);
        if (fabs(q) <= KANE_SAME) {
            last_level = l;
            continue;
        }
        if (sign * q < 0.0)
            cuts[count++] = last_level > last ? last_level : find_sign_change(c, last, l);
        sign = q;
        last = l;
    }
    return count;
}

double kane_cuts_cant_sign(const kane_line_function *c, double a, double b)
{
    double largest = kane_line_function_roll(c, 0.5 * (a + b));
    for (int i = 0; i < sample_count(c); i++) {
        const double l = sample_abscissa(c, i), q = l > a && l < b ? kane_line_function_roll(c, l) : 0.0;
        if (fabs(q) > fabs(largest))
            largest = q;
    }
    return largest > 0.0 ? -1.0 : 1.0;
}

int kane_cuts_limit(const kane_track_definition *d, int leg_count)
{
    int samples = SAMPLES + 1;
    for (int i = 0; i < d->section_count; i++)
        if (d->sections[i].kind == KANE_TABLE && d->sections[i].point_count > samples)
            samples = d->sections[i].point_count;
    return 3 + leg_count + samples + KANE_SPLINE_MAX; // both ends and Helmert's middle
}

int kane_cuts_find(const kane_line_function *c, kane_cant_axis axis, const kane_grade_leg *legs, int leg_count,
                   double begin, double *cuts)
{
    int count = 1, kept = 1;

    cuts[0] = 0.0;
    for (int i = 1; i < leg_count; i++)
        if (legs[i].from > begin && legs[i].from < begin + c->length)
            cuts[count++] = legs[i].from - begin;
    if (c->kind == KANE_LINE_FUNCTION_HELMERT_FIRST)
        cuts[count++] = 0.5 * c->length;
    for (int i = 1; c->kind == KANE_LINE_FUNCTION_SPLINE && i < c->interval_count; i++)
        cuts[count++] = c->intervals[i].at * c->length;
    if (axis == KANE_CANT_INNER_RAIL)
        count += find_sign_changes(c, cuts + count);
    qsort(cuts + 1, (size_t)(count - 1), sizeof *cuts, kane_compare_numbers);

    // drop cuts that are too close to another one
    for (int i = 1; i < count; i++)
        if (cuts[i] > cuts[kept - 1] + KANE_SAME && cuts[i] < c->length - KANE_SAME)
            cuts[kept++] = cuts[i];
    cuts[kept] = c->length;
    return kept;
}
