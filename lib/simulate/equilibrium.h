// SPDX-License-Identifier: MIT
// The search for equilibrium: what its files share.

#ifndef KANE_SIMULATE_EQUILIBRIUM_H
#define KANE_SIMULATE_EQUILIBRIUM_H

#include <kane/simulate.h>

#include "agem/work.h"
#include "math/sparse_lu.h"
#include "simulate/jacobian.h"

typedef struct kane_search {
    const kane_model *model;
    kane_work *work;
    kane_arena *arena;
    kane_jacobian *jacobian;
    kane_sparse_lu *lu;
    double *values, *matrix; // d(rates)/d(y) and what is factored, in the order of the Jacobian's pattern
    // of every state
    double *y, *rate;           // where the search stands, and what is left there
    double *trial, *trial_rate; // where a step leads
    double *step, *correction;  // the step, and what a second one would add
    double *scale;              // of a change that is neither small nor large [m], [rad], [m/s], [rad/s]
    int *held;                  // 1: it stays, and nobody asks for its rate
    int *follows;               // 1: it may follow from others: it stays where nothing depends on it
    int *stays;                 // 1: in the present step
    int leaps;                   // over jumps of the forces that may still be taken
    double h;                   // pseudo-time of the next step [s]
    double size, still;         // of the last step, in scales; of what a second one would have added, against it
    kane_equilibrium *found;    //
} kane_search;

// Which states stay: fills held and follows. Needs an evaluation.
void kane_search_hold(kane_search *search);

// Scales of all states.
void kane_search_scale(kane_search *search);

// Angles of joints that turn for ever, which nothing depends on, are held too. Needs rate and values.
void kane_search_hold_turning(kane_search *search);

#endif
