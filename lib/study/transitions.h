// SPDX-License-Identifier: MIT
// Shapes of transitions as a user names them, runs with them, and all of them beside each other.

#ifndef KANE_STUDY_TRANSITIONS_H
#define KANE_STUDY_TRANSITIONS_H

#include <kane/transition.h>

#include "study/minimise.h"
#include "study/study.h"

// --- shapes ---

typedef struct shape {
    const char *name; // as typed: "bloss", "polynomial5"; of a file its name
    kane_transition_shape kind;
    double height;  // Wiener Bogen [m]; NaN: the usual one
    double length;  // of the transition [m]; 0: that of its section
    double of_file; // length of a section that is read as a shape alone [m]; 0: none
    int coefficient_count;
    double coefficients[KANE_SPLINE_MAX];
    int degree, knot_count; // B-spline
    double knots[KANE_SPLINE_MAX];
} shape;

// Reads a name; what it needs lives as long as the study. 0 with an error that tells the names there are.
int shape_parse(const kane_study *study, const char *text, shape *s);

// f at x of a polynomial or a B-spline.
double shape_value(const shape *s, double x);

// What is compared if nothing is said, NULL-terminated.
extern const char *const shape_names[];

// Transitions of a track that take a shape.
typedef struct shape_sections {
    int count;
    const int *index;                  // [count] of sections
    const kane_track_section *section; // [count]
} shape_sections;

// The transitions that were asked for (0: all of the track; -1 alone: the only one). 0 with an error that names
// sections that are none.
int shape_find_sections(const kane_study *study, const kane_track *track, int count, const int *asked,
                        shape_sections *sections);

// The shape of unknowns of a family.
shape shape_of_family(const kane_transition_family *family, const double *c);

// The settings, one a section; NULL without memory.
const char *const *shape_settings(kane_arena *arena, const shape *s, const shape_sections *sections);

// Is the value of an axis a shape that no track file has by name: a file, "polynomial7", "wiener:1.8 m"?
int shape_is_made(const kane_axis *axis, int value);

// The settings that give all transitions of a track (NULL: a mechanism has none) the shape of that name. NULL with an
// error.
const char *const *shape_settings_of(const kane_study *study, const kane_track *track, const char *name);

// What the files say that values of the axis name: "files" of a list.
void shape_describe_files(kane_writer *w, const kane_axis *axis);

// A section of a track file with this shape: {"transition": 60, "shape": ...}
const char *shape_section(kane_arena *arena, const shape *s, const kane_track_section *section);

// --- rows of the line (line_rows.c) ---

// Channels of the line: "line.curvature_s", ... Measures of them need no run.
int line_has_channel(const char *pattern);
int line_columns(const kane_column **columns); // time and distance first; returns their number
int line_channel_power(const char *channel);   // n: with the length l of a transition its rows scale by l^-n

// Rows along the sections, of the run's track at the speed of its start. NULL with an error.
kane_results *line_rows(const kane_run_definition *run, const shape_sections *sections, kane_errors *errors);

// Is a measure of a derivative that has an impulse in its window, at a kink of the line? Rows do not see it.
int line_has_impulse(const kane_run_definition *run, const shape_sections *sections, const kane_measure *measure);

// --- conditions: a study whose settings have one value of every axis ---

typedef struct shape_condition {
    kane_study study;
    shape_sections sections; // as they are under this condition
    double weight;           // of means over conditions
} shape_condition;

enum { KANE_CONDITIONS_MOST = 1000, KANE_TRIAL_MEASURES_MOST = 2 * KANE_CRITERIA_MOST + 1 };

typedef struct shape_conditions {
    int count;
    shape_condition *condition; // [count]
    int is_worst;               // 1: the largest value of all counts, 0: the weighted mean
    shape_sections track;       // the sections without values of axes: what is written as a section has their ends
} shape_conditions;

// Of the values [count] under all conditions the one that counts.
double conditions_value(const shape_conditions *all, const double *values);

// --- limits (optimise.c) ---

// A limit of one measure: sign (value - measure)/scale >= 0.
typedef struct limit {
    const char *text;
    int measure;
    double sign, value, scale; // scale: |value|, or 1
} limit;

// Part of a limit by which it may be passed: what the algorithms leave.
#define OPTIMISATION_SLACK 1e-6

// How far below its limit a measure is, as part of it; negative: it is beyond.
double limit_margin(const limit *l, double value);

// --- searches ---

// Tolerances and rows of a fine check, NULL-terminated.
extern const char *const shape_fine_settings[];

// 0 with errors: a family, bounds or numbers that a search cannot have.
int shape_check_search(const kane_optimisation *asked, kane_errors *errors);

// Random unknowns [unknowns] with which f grows all along.
void shape_choose_random(const kane_optimisation *asked, int number, double *first);

// Search number 0, 1, ... for unknowns with the least value, without constraints.
minimisation shape_search(const kane_optimisation *asked, int number,
                          kane_status (*value)(const double *x, double *value, void *data), void *data);

// --- shapes beside each other ---

typedef struct comparison {
    const kane_study *study;
    int is_weighted; // 1: the weighted sum is a column too
    shape_conditions conditions;
    shape_sections sections;      // of the first condition, which is that of the pictures
    int limit_count;              // of a search
    const limit *limits;          // [limit_count]
    int highlight;                // shape that stands out in pictures; -1: none
    int count;                    // of shapes
    shape *shapes;                // [count]
    const kane_case **record;     // [count][conditions]: values of all criteria
    const char *const **settings; // [count][conditions]: of the run of each shape
    // for the tables and pictures
    kane_results **rows; // [count], of the first condition; NULL: failed
    int reference;       // shape that others are compared with: see find_reference; -1: all have failed
} comparison;

// 0 with an error: no criterion, or too many.
int shape_check_criteria(int count, kane_errors *errors);

// "MEASURE", or "WEIGHT*MEASURE", and what can be known before the first run, from the runs under all conditions, which
// must have a track: the transitions that were asked for (shape_find_sections), whether the criteria can be taken, the
// inputs of the study. Fills the conditions: every value of every axis with each other, of the same weight. 0 with
// errors.
int trial_prepare(kane_study *study, int criterion_count, const char *const *texts, int with_weights, int section_count,
                  const int *sections, const kane_grid *axes, shape_conditions *conditions);
double criteria_sum(const kane_measures *criteria, const double *values); // weighted

// One run with these settings: values of all criteria, NaN if it fails; no run if all are of the line. A vehicle that
// derails has failed. A measure of the line that kinks leave undefined is NaN, with an error, though the run is done.
// keep: what its files are called, of a study that keeps rows; rows: a file that those of the criteria go to; NULL:
// none.
kane_status trial_run(const kane_study *study, const shape_sections *sections, const char *const *settings,
                      double *values, const char *keep, const char *rows, kane_errors *errors);

// Names, to begin with, of the shapes: reads them, and leaves room for so many more behind them, which the caller
// fills. 0 with an error.
int comparison_begin(comparison *c, int count, const char *const *names, int more);

// Makes the settings of all shapes. One that stands there twice is an error; one that the track cannot have (a parabola
// between two curves) is a run that fails. 0 with an error.
int comparison_prepare(comparison *c);

// Sections, criteria and shapes, for a plan.
void comparison_describe(kane_writer *w, const comparison *c);

// Carries out the run of a shape under a condition, for a plan: shape * conditions + condition. Under the first one its
// rows go to "DIR/rows-bloss.csv".
int comparison_case_count(const comparison *c);
int comparison_set_cases(const comparison *c, kane_study *study, int axis_count, const kane_axis *const *axes);
void comparison_work(int index, kane_case *result, const comparison *c);

// The records of a plan, from case `first` on: transitions.csv, .json and .txt, curvature.svg, responses.svg,
// criteria.svg (and .png). 0 with an error.
int comparison_write(comparison *c, const kane_plan *plan, int first);

// Value of a column, over all conditions: a criterion, or behind them the weighted sum; NaN if a run has failed, or
// there is none to relate it to. Columns in all, and the title and the unit of one.
double comparison_value(const comparison *c, int index, int column);
double comparison_relative(const comparison *c, int index, int column); // to the reference
int comparison_columns(const comparison *c);
const limit *comparison_limit_passed(const comparison *c, int index); // the first one; NULL: none, or a run has failed
const char *comparison_title(const comparison *c, int column);
const char *comparison_unit(const comparison *c, int column);

#endif
