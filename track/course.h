// SPDX-License-Identifier: MIT
// From the definition of a section to its formula.

#ifndef KANE_TRACK_COURSE_H
#define KANE_TRACK_COURSE_H

#include "track/piece.h"

// Where a section begins.
typedef struct kane_course_start {
    double psi;            // heading [rad]
    double curvature;      // [1/m]
    double superelevation; // [m]
} kane_course_start;

// The formula of a checked section. What a polynomial or a table needs comes from memory; kane_arena_failed says
// whether there was none.
kane_course kane_course_make(const kane_section_definition *section, const kane_course_start *start,
                             double running_distance, kane_arena *memory);

// The course as it holds at l: Helmert's has two formulas.
kane_course kane_course_at(const kane_course *course, double l);

// The row of a table that holds l, NULL of any other course.
const kane_table_row *kane_course_row(const kane_course *course, double l);

// Abscissa of a parabola at l, 0 of any other course.
double kane_course_abscissa(const kane_course *course, double l);

// Arc length of y' = bend x^2 from 0 to x, for slopes below 1.
double kane_parabola_length(double bend, double x);

// Sine of the roll at l.
double kane_course_roll(const kane_course *course, double l);

#endif
