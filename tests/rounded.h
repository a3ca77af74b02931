// SPDX-License-Identifier: MIT
// Lines with kinks, and the same with the kinks rounded: what is computed with the kink is the limit of ever shorter
// roundings, on which nothing jumps.

#ifndef KANE_TESTS_ROUNDED_H
#define KANE_TESTS_ROUNDED_H

#include "models.h"

enum { ROUNDED_SECTIONS = 5 };

// Straight, a linear ramp of curvature and cant, curve; length 0: no ramp, the curvature jumps, or goes up within
// `rounding`. The ramp's slope grows from nothing over `rounding` metres, half of them before the kink and half behind
// it, by 3 x^2 - 2 x^3, so that Omega is continuous whichever axis the cant turns about.
typedef struct rounded_ramp {
    double straight, length, curve; // [m]
    double curvature, cant;         // of the curve [1/m], [m]
    double rounding;                // 0: kinks [m]
} rounded_ramp;

static inline kane_section_definition rounded_part(const rounded_ramp *r, double length, double part,
                                                   kane_transition_shape shape)
{
    return (kane_section_definition){.kind           = KANE_TRANSITION,
                                     .length         = length,
                                     .curvature      = part * r->curvature,
                                     .superelevation = part * r->cant,
                                     .shape          = shape};
}

// Fills sections, returns how many.
static inline int rounded_line(const rounded_ramp *r, kane_section_definition sections[ROUNDED_SECTIONS])
{
    static const double begins[] = {0.0, 0.0, 0.0, 2.0, -1.0}, ends[] = {0.0, 2.0, 0.0, -2.0, 1.0};
    const double l = r->rounding, part = r->length > 0.0 ? 0.5 * l / r->length : 0.0;
    int n         = 0;
    sections[n++] = (kane_section_definition){.kind = KANE_STRAIGHT, .length = r->straight - 0.5 * l};
    if (l > 0.0 && r->length > 0.0) {
        sections[n]                   = rounded_part(r, l, part, KANE_POLYNOMIAL);
        sections[n].coefficient_count = 5;
        memcpy(sections[n++].coefficients, begins, sizeof begins);
    }
    if (r->length > 0.0 || l > 0.0)
        sections[n++] = rounded_part(r, fabs(r->length - l), 1.0 - part, KANE_CLOTHOID);
    if (l > 0.0 && r->length > 0.0) {
        sections[n]                   = rounded_part(r, l, 1.0, KANE_POLYNOMIAL);
        sections[n].coefficient_count = 5;
        memcpy(sections[n++].coefficients, ends, sizeof ends);
    }
    sections[n++] = (kane_section_definition){
        .kind = KANE_CURVE, .length = r->curve - 0.5 * l, .curvature = r->curvature, .superelevation = r->cant};
    return n;
}

// The line of `like` with other sections and another axis.
static inline kane_track *rounded_track(const kane_track_definition *like, const rounded_ramp *r, kane_cant_axis axis)
{
    kane_section_definition sections[ROUNDED_SECTIONS];
    kane_track_definition d = *like;
    d.sections              = sections;
    d.section_count         = rounded_line(r, sections);
    d.cant_axis             = axis;
    return CHECK_GOOD(kane_track_create, &d);
}

#endif
