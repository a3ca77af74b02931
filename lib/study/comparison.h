// SPDX-License-Identifier: MIT
// Shapes of transitions beside each other: what each does to the criteria, as tables and pictures.

#ifndef KANE_STUDY_COMPARISON_H
#define KANE_STUDY_COMPARISON_H

#include "study/criteria.h"
#include "study/shapes.h"

enum { COMPARISON_SHAPES_MOST = 64, COMPARISON_VALUES = KANE_CRITERIA_MOST };

typedef struct comparison {
    kane_arena *arena;
    const char *file, *directory;   // run file; where all goes
    const kane_run_options *common; // what every run has
    const criteria *criteria;
    int is_weighted; // 1: the weighted sum is a column too
    shape_sections sections;
    int highlight;                // shape that stands out in pictures; -1: none
    int count;                    // of shapes
    const shape *shapes;          // [count]
    const kane_case **record;     // [count]: values of all criteria
    const char *const **settings; // [count]: of the run of each shape; of comparison_prepare
    // for the tables and pictures
    kane_results **rows;                   // [count]; NULL: failed
    const char *units[KANE_CRITERIA_MOST]; // of the criteria, "" if no run tells them
    int reference; // shape that others are compared with: the clothoid, or the first that did not fail; -1: none
} comparison;

// Makes the settings. A shape that stands there twice is an error; one that the track cannot have (a parabola between
// two curves) is a run that fails.
kane_status comparison_prepare(comparison *c, kane_errors *errors);

// The run of a shape.
trial comparison_trial(const comparison *c, int index);

// Where its rows go, "DIR/rows-bloss.csv".
void comparison_rows_name(const comparison *c, int index, size_t size, char *name);

// Carries out the run of a shape, for a plan.
void comparison_work(const comparison *c, int index, kane_case *result);

// transitions.csv, .json and .txt, curvature.svg, responses.svg, criteria.svg (and .png).
kane_status comparison_write(comparison *c, kane_errors *errors);
kane_status comparison_write_tables(const comparison *c, kane_errors *errors);
kane_status comparison_draw(const comparison *c, kane_errors *errors);

// Value of a column: a criterion, or behind them the weighted sum. Columns in all.
double comparison_value(const comparison *c, int index, int column);
int comparison_columns(const comparison *c);
const char *comparison_title(const comparison *c, int column); // of a column
const char *comparison_unit(const comparison *c, int column);

#endif
