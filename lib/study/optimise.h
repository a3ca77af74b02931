// SPDX-License-Identifier: MIT
// A search for the best transition from inside: what the searches (optimise.c) and their tables and pictures
// (optimise_report.c) share.

#ifndef KANE_STUDY_OPTIMISE_H
#define KANE_STUDY_OPTIMISE_H

#include <kane/transition.h>

#include "plan/pool.h"
#include "study/minimise.h"
#include "study/study.h"
#include "study/transitions.h"

// One search.
typedef struct start {
    struct optimisation *of;
    int number;                  // from 0
    int next;                    // evaluation that comes next
    double *first;               // [unknowns] where it begins
    double *best;                // [unknowns] where it ends
    double *values;              // [conditions][1 + measures] of the last evaluation: sum, measures
    double *parts, *constraints; // room, with derivatives
    minimum found;               //
    kane_status status;
} start;

// A limit of one measure: sign (value - measure)/scale >= 0.
typedef struct limit {
    const char *text;
    int measure;
    double sign, value, scale; // scale: |value|, or 1
} limit;

// Rows of all measures of the line as functions of the unknowns (line_gradient.c).
typedef struct line_derivatives line_derivatives;

typedef struct optimisation {
    kane_study study;
    const kane_optimisation *asked;
    kane_optimisation is;          // what was asked for, with the algorithm that was chosen
    line_derivatives *derivatives; // of SLSQP; NULL: none
    int unknowns;                  // of the family, then the length
    int criteria;                  // measures of the sum, before those of limits
    limit *limits;                 // [asked->limit_count]
    shape_conditions conditions;   //
    comparison check;              // the fine one, of one section; its last shape is the best one
    kane_plan *plan;
    kane_lock lock;    // of the plan and of what follows
    int is_stopped;    // by progress, or by an error
    int done, failed;  // cases
    double begun;      // [s]
    start *starts;     // [asked->starts]
    int best;          // start
    shape *best_shape; // of the fine check
} optimisation;

// Cases of the plan: evaluation k of search n under each condition, then the fine runs. A record of an evaluation has
// the unknowns, the sum and the measures; one of a fine run the measures, then NaN.
static inline int case_of(const optimisation *o, int search, int evaluation)
{
    return (search * o->asked->evaluations_most + evaluation) * o->conditions.count;
}

// Part of a limit by which it may be passed: what the algorithms leave.
#define OPTIMISATION_SLACK 1e-6

static inline int has_free_length(const kane_optimisation *asked)
{
    return asked->length_to > 0.0;
}

// The shape of unknowns.
shape optimisation_shape(const kane_optimisation *asked, const double *x);

// The evaluation of a search at its best point: its case under the first condition. -1: there is none.
int optimisation_best_case(const optimisation *o, const start *s);

// What counts of a number of every condition [first case of an evaluation][number]: 0 is the sum, then the measures.
// NaN where a condition has failed.
double optimisation_value(const optimisation *o, int first, int number);

// How far below its limit a measure is, as part of it; negative: it is beyond.
double limit_margin(const limit *l, double value);

// Of curvature that must grow all along: how far the growth of f is above the least at one of so many points.
double optimisation_growth(const kane_optimisation *asked, const double *x, int point);
enum { OPTIMISATION_GROWTH_POINTS = 65 };

// Derivatives of criteria and limits that are all of the line. NULL where there are none: *why; memory is the study's.
line_derivatives *line_derivatives_make(const optimisation *o, const char **why);

// Parts of the objective, then constraints, at x, and [.][unknowns] their derivatives (NULL: not wanted).
int line_part_count(const line_derivatives *d);
int line_constraint_count(const line_derivatives *d);
void line_eval(const line_derivatives *d, const double *x, double *parts, double *constraints, double *gradient);

// Tables, texts and pictures of all searches, which have ended. 0 with an error.
int optimisation_write(const optimisation *o);

#endif
