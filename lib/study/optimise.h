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

// Rows of all measures of the line as functions of the unknowns (line_gradient.c).
typedef struct line_derivatives line_derivatives;

// One search.
typedef struct start {
    struct optimisation *of;
    int number;                 // from 0: point of the front * starts + start
    int next;                   // evaluation that comes next
    double *first;              // [unknowns] where it begins
    double *best;               // [unknowns] where it ends
    double *values;             // [conditions][1 + measures] of the last evaluation: sum, measures
    const struct limit *limits; // [limit_count]: those that were asked for, between the ends of a front one more
    int limit_count;
    line_derivatives *derivatives; // of SLSQP; NULL: none
    double *parts, *constraints;   // room, with derivatives
    minimum found;                 //
    kane_status status;
} start;

typedef struct optimisation {
    kane_study study;
    const kane_optimisation *asked;
    kane_optimisation is;          // what was asked for, with the algorithm that was chosen
    line_derivatives *derivatives; // of SLSQP; NULL: none
    int unknowns;                  // of the family, then the length
    int criteria;                  // measures of the sum, before those of limits
    limit *limits;                 // [asked->limit_count]
    int second;                    // measure of a front; -1: there is none
    int points;                    // of the front, or 1
    double *epsilon;               // [points]: limit of the second measure; NaN at the ends
    shape_conditions conditions;   //
    comparison check;              // the fine one, of one section; its last shape is the best one
    kane_plan *plan;
    kane_lock lock;    // of the plan and of what follows
    int is_stopped;    // by progress, or by an error
    int done, failed;  // cases
    double begun;      // [s]
    start *starts;     // [points][asked->starts]
    int best;          // start
    shape *best_shape; // of the fine check
} optimisation;

// Cases of the plan: evaluation k of search n under each condition, then the fine runs. A record of an evaluation has
// the unknowns, the sum and the measures; one of a fine run the measures, then NaN.
static inline int case_of(const optimisation *o, int search, int evaluation)
{
    return (search * o->asked->evaluations_most + evaluation) * o->conditions.count;
}

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

// Of curvature that must grow all along: how far the growth of f is above the least at one of so many points.
double optimisation_growth(const kane_optimisation *asked, const double *x, int point);
enum { OPTIMISATION_GROWTH_POINTS = 65 };

// Derivatives of criteria and limits that are all of the line. NULL where there are none: *why; memory is the study's.
line_derivatives *line_derivatives_make(const optimisation *o, const char **why);

// The same for another objective (the measure `second` instead of the sum; -1: the sum) and other limits. NULL
// likewise.
line_derivatives *line_derivatives_for(const line_derivatives *d, int second, int limit_count, const limit *limits,
                                       const char **why);

// The best search of a point of the front; -1: none has a value.
int optimisation_best_of(const optimisation *o, int point);

// Parts of the objective, then constraints, at x, and [.][unknowns] their derivatives (NULL: not wanted).
int line_part_count(const line_derivatives *d);
int line_constraint_count(const line_derivatives *d);
void line_eval(const line_derivatives *d, const double *x, double *parts, double *constraints, double *gradient);

// Tables, texts and pictures of all searches, which have ended. 0 with an error.
int optimisation_write(const optimisation *o);

#endif
