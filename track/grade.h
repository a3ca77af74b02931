// SPDX-License-Identifier: MIT
// The grade line: constant grades, vertical arcs between them, and what tables bring with them.

#ifndef KANE_TRACK_GRADE_H
#define KANE_TRACK_GRADE_H

#include "track/check.h"

// From a distance on, the angle of the grade is beta + slope (distance - from).
typedef struct kane_grade_leg {
    double from;  // distance from the beginning of the track [m]
    double beta;  // [rad]
    double slope; // [rad/m]
} kane_grade_leg;

// No more legs than this come from a definition: the first one, two for each change, one for each table.
static inline int kane_grade_leg_limit(const kane_track_definition *d)
{
    return 1 + 2 * d->grade_count + d->section_count;
}

// Fills legs in ascending order and returns how many there are. ends[i] is the distance of the beginning of section i
// from that of the track [m], ends[section_count] its length. Adds to check what is wrong.
int kane_grade_prepare(const kane_track_definition *d, const double *ends, kane_grade_leg *legs, kane_check *check);

#endif
