// SPDX-License-Identifier: MIT
// The search for the best transition, inside.

#ifndef KANE_STUDY_OPTIMISE_H
#define KANE_STUDY_OPTIMISE_H

#include "study/minimise.h"
#include "study/transitions.h"

#include "plan/lock.h"

// One search.
typedef struct start {
    struct optimisation *of;
    int number;    // from 0
    int next;      // evaluation that comes next
    double *first; // [unknowns] where it begins
    double *best;  // [unknowns] where it ends
    minimum found; //
    kane_status status;
} start;

typedef struct optimisation {
    kane_study study;
    kane_study fine; // the same with narrow tolerances and dense rows
    const kane_optimisation *asked;
    int unknowns;
    kane_measures wanted;
    comparison check; // the fine one, of one section; its last shape is the best one
    kane_plan *plan;
    kane_lock lock;    // of the plan and of what follows
    int is_stopped;    // by progress, or by an error
    int done, failed;  // evaluations
    double begun;      // [s]
    start *starts;     // [asked->starts]
    int best;          // start
    shape *best_shape; // of the fine check
} optimisation;

// Cases of the plan: evaluation k of search n, then the fine runs. A record of an evaluation has the unknowns, the sum
// and the criteria; one of a fine run the criteria, then NaN.
static inline int optimisation_case(const optimisation *o, int search, int evaluation)
{
    return search * o->asked->evaluations_most + evaluation;
}

enum { OPTIMISATION_VALUES = KANE_FAMILY_UNKNOWNS_MOST + 1 + KANE_CRITERIA_MOST };

// result.json, section.json, optimise.txt, convergence.csv, convergence.svg and .png
int optimisation_write(const optimisation *o); // 0 with an error

#endif
