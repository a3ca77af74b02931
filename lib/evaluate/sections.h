// SPDX-License-Identifier: MIT
// Sections of a line: stretches with one radius, one cant and one cant deficiency, each within a tolerance.

#ifndef KANE_EVALUATE_SECTIONS_H
#define KANE_EVALUATE_SECTIONS_H

#include <kane/report.h>

#include "base/arena.h"

// Rows of a run along a line. NULL: not recorded, the line counts as straight or level.
typedef struct kane_line_rows {
    int count;
    const double *s;              // distance travelled [m], does not go back
    const double *curvature;      // positive to the left [1/m]
    const double *superelevation; // right rail over left one [m]
    const double *speed;          // [m/s]
    double running_distance;      // 2b [m]
} kane_line_rows;

// What a row, or the mean of a section, has of the line.
typedef struct kane_line_value {
    double curvature, superelevation; // [1/m], [m]
    double deficiency;                // 2b v^2 |k|/g less the cant of the outer rail; 0: tangent [m]
} kane_line_value;

// 1: a curve to the left, -1: to the right, 0: tangent (radius above 5000 m).
int kane_line_hand(double curvature);

kane_line_value kane_line_at(const kane_line_rows *rows, int row);

// Whether two values are of one kind of curve: to one hand, differing by no more than kane_section_tolerance_get allows.
int kane_line_is_same(const kane_line_value *a, const kane_line_value *b);

// The spread of a stretch grows by a value.
kane_line_range kane_line_range_start(void);
void kane_line_range_add(kane_line_range *range, const kane_line_value *value);

// A section that begins at row `first`, `length` [m] long and not beyond `to` [m].
typedef struct kane_section {
    int first, last; // rows
    int hand;
    kane_line_value mean;
    kane_line_range range;
    double speed; // mean [m/s]
} kane_section;

// KANE_SECTION_WHOLE, or why no section begins there; then *section is not set.
kane_section_fault kane_section_find(const kane_line_rows *rows, int first, double length, double to,
                                     kane_section *section);

// The next row at which a section may begin: a metre on.
int kane_section_next(const kane_line_rows *rows, int row);

// Adds the stretch from row to row `next` to a list, or to its last one if that is its beginning. Its rows are in the arena, `room` of
// them. 0 without memory.
typedef struct kane_left_out_list {
    kane_arena *arena;
    int count, room;
    kane_left_out_stretch *stretches;
} kane_left_out_list;
int kane_left_out_add(kane_left_out_list *list, const kane_line_rows *rows, int run, kane_section_fault fault, int row,
                      int next);

// "the cant changes (60 mm to 120 mm)"
void kane_left_out_say(const kane_left_out_stretch *stretch, size_t size, char *text);

// "curvatures spread by no more than 4 % of their mean, ..."
void kane_section_tolerance_say(double running_distance, size_t size, char *text);

#endif
