// SPDX-License-Identifier: MIT
// The search for equilibrium: what its files share.

#ifndef KANE_SIMULATE_EQUILIBRIUM_H
#define KANE_SIMULATE_EQUILIBRIUM_H

#include <kane/jacobian.h>
#include <kane/simulate.h>

#include "agem/work.h"
#include "math/sparse.h"

// A shaft that turns with a wheelset: what does not turn with them follows from both (a motor that hangs on gears).
typedef struct kane_search_mate {
    int angle, spin; // in y
    double ratio;    // of their rates
} kane_search_mate;

typedef struct kane_search {
    const kane_model *model;
    kane_work *work;
    kane_arena *arena;
    kane_jacobian *jacobian;
    kane_sparse_lu *lu;
    double *values, *matrix; // d(rates)/d(y) and what is factored, in the order of the Jacobian's pattern
    // of every state
    double *y, *rate;           // where the search stands, and what is left there
    double *start;              // where it begins once all else hangs in its place
    double *trial, *trial_rate; // where a step leads
    double *step, *correction;  // the step, and what a second one would add
    double *speed;              // speeds that vanish at rest, 0 of all else
    double *tree_speed;         // the same of the tree
    double *scale;              // of a change that is neither small nor large [m], [rad], [m/s], [rad/s]
    int *held;                  // 1: it stays, and nobody asks for its rate
    int *turns;                 // 1: a coordinate that goes on for ever
    int goes_on;                // 1: there are others than angles of joints among them
    int is_periodic;            // 1: small motions depend on how far these have gone: they have no modes
    int mate_count;             // angles that turn for ever with a spin angle that is held, at a constant ratio ...
    kane_search_mate *mates;    // ... and matter relative to it
    int gap_count;              // of wheelsets on joints that rails guide
    double *gap;                // how these change with states [gap_count * states]
    int *gap_of;                // of every speed: the gap that says it instead of its acceleration, -1: none
    int *followers;             // scratch [gap_count]
    int *follows;               // 1: it may follow from others: it stays where nothing depends on it
    int *stays;                 // 1: in the present step
    int leaps;                  // over jumps of the forces that may still be taken
    double far;                 // longest step, in scales
    double h;                   // pseudo-time of the next step [s]
    double longest;             // ... where it is Newton's method, unless rounding shows before [s]
    double size, still;         // of the last step, in scales; of what a second one would have added, against it
    kane_equilibrium *found;    //
} kane_search;

// kane_equilibrium_solve from a state that is near already: by Newton's method from there, or not at all.
kane_status kane_equilibrium_solve_near(const kane_model *model, kane_work *work, double *y, kane_equilibrium *found,
                                        kane_errors *errors);

// Which states stay: fills held and follows. Wheelsets and the track under them may stay too, as far as constraints leave them
// their own speeds. Needs an evaluation.
typedef enum kane_search_wheels { KANE_WHEELS_FREE, KANE_WHEELS_HELD } kane_search_wheels;
void kane_search_hold(kane_search *search, kane_search_wheels wheels);

// Speeds that vanish at rest, after an evaluation of y.
void kane_search_speeds(kane_search *search);

// Scales of all states.
void kane_search_scale(kane_search *search);

// Finds coordinates that go on for ever, which nothing depends on: they are held too. Needs rate and values. KANE_OK or KANE_NO_MEMORY.
kane_status kane_search_find_turning(kane_search *search);

// Takes the turning with a spin out of rates, and out of the rows of `values`.
void kane_search_mate_rates(const kane_search *search, double *rate);
void kane_search_mate_rows(kane_search *search);

// The first wheel that has left its rail, or that a rigid rail would have to hold; NULL: all are where they belong. On the
// way rails may hold: a wheel that runs into its flange tips the wheelset for a moment.
typedef enum kane_search_stage { KANE_SEARCH_GOES_ON, KANE_SEARCH_ENDED } kane_search_stage;
const kane_wheels *kane_search_find_lost(const kane_search *search, kane_search_stage stage, int *side);

// Whether given frames leave room for one. 0 with the reason in errors.
int kane_search_check_frames(const kane_search *search, kane_errors *errors);

// Says why there is no equilibrium.
void kane_search_explain(const kane_search *search, kane_status status, kane_errors *errors);

#endif
