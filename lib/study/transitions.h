// SPDX-License-Identifier: MIT
// Shapes of transitions as a user names them, runs with them, and all of them beside each other.

#ifndef KANE_STUDY_TRANSITIONS_H
#define KANE_STUDY_TRANSITIONS_H

#include <kane/transition.h>

#include "study/study.h"

// --- shapes ---

typedef struct shape {
    const char *name; // as typed: "bloss", "polynomial5"; of a file its name
    kane_transition_shape kind;
    double height; // Wiener Bogen [m]; NaN: the usual one
    int coefficient_count;
    double coefficients[KANE_POLYNOMIAL_MAX];
} shape;

// Reads a name. KANE_BAD_INPUT with an error that tells the names there are.
kane_status shape_parse(kane_arena *arena, const char *text, shape *s, kane_errors *errors);

// What is compared if nothing is said, NULL-terminated.
extern const char *const shape_names[];

// Transitions of a track that take a shape.
typedef struct shape_sections {
    int count;
    const int *index;                  // [count] of sections
    const kane_track_section *section; // [count]
} shape_sections;

// The transitions that were asked for (0: all of the track; -1 alone: the only one), in the arena. An error names
// sections that are none.
kane_status shape_find_sections(kane_arena *arena, const kane_track *track, int count, const int *asked,
                                shape_sections *sections, kane_errors *errors);

// The settings, one a section; NULL without memory.
const char *const *shape_settings(kane_arena *arena, const shape *s, const shape_sections *sections);

// A section of a track file with this shape: {"transition": 60, "shape": ...}
const char *shape_section(kane_arena *arena, const shape *s, const kane_track_section *section);

// --- shapes beside each other ---

typedef struct comparison {
    const kane_study *study;
    kane_measures *criteria;
    int is_weighted; // 1: the weighted sum is a column too
    shape_sections sections;
    int highlight;                // shape that stands out in pictures; -1: none
    int count;                    // of shapes
    const shape *shapes;          // [count]
    const kane_case **record;     // [count]: values of all criteria
    const char *const **settings; // [count]: of the run of each shape; of comparison_prepare
    // for the tables and pictures
    kane_results **rows; // [count]; NULL: failed
    int reference;       // shape that others are compared with: the clothoid, or the first that did not fail; -1: none
} comparison;

// "MEASURE", or "WEIGHT*MEASURE". KANE_BAD_INPUT with errors.
kane_status criteria_parse(kane_measures *criteria, const kane_study *study, int count, const char *const *texts,
                           int with_weights, kane_errors *errors);
double criteria_sum(const kane_measures *criteria, const double *values); // weighted

// One run with these settings: values of all criteria, NaN if it fails. A vehicle that derails has failed. rows: a file that
// its rows go to; NULL: none.
kane_status trial_run(const kane_study *study, const char *const *settings, const kane_measures *criteria,
                      double *values, const char *rows, kane_errors *errors);

// What can be known before the first run, from the run as it stands in its files, which must have a track: the transitions
// that were asked for (shape_find_sections), whether the criteria can be taken, the inputs of the study.
kane_status trial_prepare(kane_study *study, kane_measures *criteria, int section_count, const int *sections,
                          shape_sections *found, kane_errors *errors);

// Makes the settings. A shape that stands there twice is an error; one that the track cannot have (a parabola between
// two curves) is a run that fails.
kane_status comparison_prepare(comparison *c, kane_errors *errors);

// Sections, criteria and shapes, for a plan.
void comparison_describe(kane_writer *w, const void *comparison);

// Carries out the run of a shape, for a plan; its rows go to "DIR/rows-bloss.csv".
void comparison_work(int index, kane_case *result, void *comparison);

// transitions.csv, .json and .txt, curvature.svg, responses.svg, criteria.svg (and .png).
kane_status comparison_write(comparison *c, kane_errors *errors);
kane_status comparison_draw(const comparison *c, kane_errors *errors);

// Value of a column: a criterion, or behind them the weighted sum. Columns in all.
double comparison_value(const comparison *c, int index, int column);
double comparison_relative(const comparison *c, int index, int column); // to the reference
int comparison_columns(const comparison *c);
const char *comparison_title(const comparison *c, int column); // of a column
const char *comparison_unit(const comparison *c, int column);

#endif
