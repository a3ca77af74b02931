// SPDX-License-Identifier: MIT
// The search for the best transition, inside.

#ifndef KANE_STUDY_OPTIMISE_H
#define KANE_STUDY_OPTIMISE_H

#include "study/comparison.h"
#include "study/minimise.h"

#include "plan/lock.h"
#include "run/inputs.h"

// One search.
typedef struct start {
    struct optimisation *of;
    int number;    // from 0
    int next;      // evaluation that comes next
    double *first; // [unknowns] where it begins
    double *best;  // [unknowns] where it ends
    minimum found; //
    kane_status status;
    kane_errors errors;
} start;

typedef struct optimisation {
    const kane_optimisation *asked;
    kane_arena *arena;
    kane_run_options common; // what every run has, contact tables too
    int unknowns;
    criteria wanted;
    comparison check;       // the fine one; its last shape is the best one
    shape_sections section; // one
    kane_inputs *inputs;
    kane_plan *plan;
    kane_lock lock; // of the plan and of what follows
    int is_stopped; // by progress, or by an error
    kane_errors *errors;
    int done, failed;  // evaluations and fine runs
    double begun;      // [s]
    start *starts;     // [asked->starts]
    int best;          // start
    shape *best_shape; // of the fine check
} optimisation;

// Cases of the plan: evaluation k of search n, then the fine runs. A record of an evaluation has the unknowns, the sum
// and the criteria; one of a fine run the criteria, then NaN.
int optimisation_case(const optimisation *o, int search, int evaluation);
int optimisation_fine_case(const optimisation *o, int index);

enum { OPTIMISATION_VALUES = KANE_FAMILY_UNKNOWNS_MOST + 1 + KANE_CRITERIA_MOST };

// A record of which nothing is known.
kane_case optimisation_blank(double values[OPTIMISATION_VALUES]);

// Records a case and tells of it; with the lock held.
kane_status optimisation_record(optimisation *o, int index, const kane_case *result);

// The steps of the study: what may be asked, where searches begin, one search (for kane_pool_run, data is the
// optimisation), the shapes of the fine check, the fine check.
kane_status optimisation_check(const kane_optimisation *asked, kane_errors *errors);
kane_status optimisation_prepare_starts(optimisation *o);
void optimisation_search(int index, void *data);
kane_status optimisation_prepare_check(optimisation *o);
kane_status optimisation_check_finely(optimisation *o);

// result.json, section.json, convergence.csv, convergence.svg and .png
kane_status optimisation_write(const optimisation *o, kane_errors *errors);
kane_status optimisation_draw(const optimisation *o, kane_errors *errors);

#endif
