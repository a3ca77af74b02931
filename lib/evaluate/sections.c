// SPDX-License-Identifier: MIT
// Sections of a line, and what lies in none.
//
// From the first row on: if all rows over a section's length lie in a curve to one hand (or all are tangent), and their
// curvatures, cants and cant deficiencies spread by no more than the tolerances, that is a section, and the next one
// begins behind it; else the next try begins a metre on. So neither transitions nor cant ramps within a curve nor a
// braking vehicle are in a section, and noise of a measured line does no harm.

#include "evaluate/standard.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static const double GRAVITY = 9.81;   // [m/s^2]
static const double STEP    = 1.0;    // between tries [m]
static const double TANGENT = 5000.0; // radius above which a line is tangent [m]

// Measured lines have cants that are noisy by 1 or 2 mm. At 300 mm of v^2 k, 150 mm of cant and as much deficiency, 10
// mm of deficiency are 3 % of the curvature.
kane_section_tolerance kane_section_tolerance_get(void)
{
    return (kane_section_tolerance){.curvature = 0.04, .superelevation = 0.005, .deficiency = 0.010};
}

int kane_line_hand(double curvature)
{
    if (fabs(curvature) * TANGENT < 1.0)
        return 0;
    return curvature > 0.0 ? 1 : -1;
}

kane_line_value kane_line_at(const kane_line_rows *rows, int row)
{
    kane_line_value value = {.curvature      = rows->curvature ? rows->curvature[row] : 0.0,
                             .superelevation = rows->superelevation ? rows->superelevation[row] : 0.0};
    const int hand        = kane_line_hand(value.curvature);
    const double v        = rows->speed ? rows->speed[row] : 0.0;
    if (hand != 0)
        value.deficiency =
            rows->running_distance * v * v * fabs(value.curvature) / GRAVITY - hand * value.superelevation;
    return value;
}

int kane_line_is_same(const kane_line_value *a, const kane_line_value *b)
{
    const kane_section_tolerance t = kane_section_tolerance_get();
    const int hand                 = kane_line_hand(a->curvature);
    return hand == kane_line_hand(b->curvature) &&
           (hand == 0 || fabs(a->curvature - b->curvature) <= t.curvature * fabs(a->curvature)) &&
           fabs(a->superelevation - b->superelevation) <= t.superelevation &&
           fabs(a->deficiency - b->deficiency) <= t.deficiency;
}

kane_line_range kane_line_range_start(void)
{
    const double inf = (double)INFINITY;
    return (kane_line_range){{inf, -inf}, {inf, -inf}, {inf, -inf}};
}

static void extend_range(double range[2], double value)
{
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

void kane_line_range_add(kane_line_range *range, const kane_line_value *value)
{
    extend_range(range->curvature, value->curvature);
    extend_range(range->superelevation, value->superelevation);
    extend_range(range->deficiency, value->deficiency);
}

static double range_width(const double range[2])
{
    return range[1] - range[0];
}

static kane_section_fault find_fault(const kane_section *section)
{
    const kane_section_tolerance t = kane_section_tolerance_get();
    const double round_off         = 1e-12;
    if (section->hand != 0 && range_width(section->range.curvature) > t.curvature * fabs(section->mean.curvature))
        return KANE_SECTION_RADIUS;
    if (range_width(section->range.superelevation) > t.superelevation + round_off)
        return KANE_SECTION_CANT;
    if (range_width(section->range.deficiency) > t.deficiency + round_off)
        return KANE_SECTION_DEFICIENCY;
    return KANE_SECTION_WHOLE;
}

kane_section_fault kane_section_find(const kane_line_rows *rows, int first, double length, double to,
                                     kane_section *section)
{
    const double end = rows->s[first] + length * (1.0 + 1e-12), last = rows->s[rows->count - 1];
    kane_section one  = {.first = first, .range = kane_line_range_start()};
    double mean_speed = 0.0;
    int i             = first;
    one.hand          = kane_line_hand(kane_line_at(rows, first).curvature);
    for (; i < rows->count && rows->s[i] <= end; i++) {
        const kane_line_value value = kane_line_at(rows, i);
        if (rows->s[i] > to)
            return KANE_SECTION_SHORT;
        if (kane_line_hand(value.curvature) != one.hand)
            return KANE_SECTION_RADIUS;
        kane_line_range_add(&one.range, &value);
        one.mean.curvature += value.curvature;
        one.mean.superelevation += value.superelevation;
        mean_speed += rows->speed ? rows->speed[i] : 0.0;
    }
    const int n = i - first;
    if (n < 2 || last < rows->s[first] + length * (1.0 - 1e-9)) // the run ends before the section does
        return KANE_SECTION_SHORT;
    one.last = i - 1;
    one.mean.curvature /= n;
    one.mean.superelevation /= n;
    one.speed = mean_speed / n;
    if (one.hand != 0)
        one.mean.deficiency = rows->running_distance * one.speed * one.speed * fabs(one.mean.curvature) / GRAVITY -
                              one.hand * one.mean.superelevation;
    const kane_section_fault fault = find_fault(&one);
    if (fault == KANE_SECTION_WHOLE)
        *section = one;
    return fault;
}

int kane_section_next(const kane_line_rows *rows, int row)
{
    const double next = rows->s[row] + STEP;
    while (row < rows->count && rows->s[row] < next)
        row++;
    return row;
}

int kane_left_out_add(kane_left_out_list *list, const kane_line_rows *rows, int run, kane_section_fault fault, int row,
                      int next)
{
    const int last              = next < rows->count ? next : rows->count - 1;
    kane_left_out_stretch *open = list->count > 0 ? &list->stretches[list->count - 1] : NULL;
    if (!open || open->run != run || open->fault != fault || open->to != rows->s[row]) {
        kane_left_out_stretch *stretches =
            kane_arena_grow(list->arena, list->stretches, list->count, &list->room, sizeof *stretches);
        if (!stretches)
            return 0;
        list->stretches = stretches;
        open            = &list->stretches[list->count++];
        *open =
            (kane_left_out_stretch){.run = run, .fault = fault, .from = rows->s[row], .range = kane_line_range_start()};
    }
    for (int i = row; i <= last; i++) {
        const kane_line_value value = kane_line_at(rows, i);
        kane_line_range_add(&open->range, &value);
    }
    open->to = rows->s[last];
    return 1;
}

const char *kane_section_fault_name(kane_section_fault fault)
{
    static const char *const names[KANE_SECTION_FAULTS] = {"",
                                                           "the radius changes",
                                                           "the cant changes",
                                                           "the cant deficiency changes",
                                                           "narrower than any test zone",
                                                           "shorter than a section"};
    return (int)fault >= 0 && fault < KANE_SECTION_FAULTS ? names[fault] : "";
}

void kane_left_out_format(const kane_left_out_stretch *stretch, size_t size, char *text)
{
    kane_text t = kane_text_start(size, text);
    const double *range =
        stretch->fault == KANE_SECTION_CANT ? stretch->range.superelevation : stretch->range.deficiency;
    kane_text_add(&t, "%s", kane_section_fault_name(stretch->fault));
    if (stretch->fault == KANE_SECTION_CANT || stretch->fault == KANE_SECTION_DEFICIENCY)
        kane_text_add(&t, " (%.4g mm to %.4g mm)", 1e3 * range[0], 1e3 * range[1]);
}

void kane_section_tolerance_format(double running_distance, size_t size, char *text)
{
    const kane_section_tolerance tolerance = kane_section_tolerance_get();
    kane_text t                            = kane_text_start(size, text);
    kane_text_add(
        &t,
        "curvatures spread by no more than %g %% of their mean, cants by %g mm, cant deficiencies (2b %g m) by "
        "%g mm",
        100.0 * tolerance.curvature, 1e3 * tolerance.superelevation, running_distance, 1e3 * tolerance.deficiency);
}
