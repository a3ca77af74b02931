// SPDX-License-Identifier: MIT
// Search for equilibrium: data and functions that its files have in common.

#ifndef KANE_SIMULATE_EQUILIBRIUM_H
#define KANE_SIMULATE_EQUILIBRIUM_H

#include <kane/jacobian.h>
#include <kane/simulate.h>

#include "agem/work.h"
#include "math/sparse.h"

// A shaft that turns with a wheelset at a constant ratio. The angle of a body that is geared to both, as a motor on
// gears, follows from these two.
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
    double *y, *rate;           // present state, and its rates: the residual
    double *start;              // state after the search with wheelsets held
    double *trial, *trial_rate; // where a step leads
    double *step, *correction;  // the step, and what a second one would add
    double *speed;              // speeds that vanish at rest, 0 of all else
    double *tree_speed;         // the same of the tree
    double *scale;              // of a change that is neither small nor large [m], [rad], [m/s], [rad/s]
    int *held;                  // 1: constant in the whole search; its rate is no residual
    int *unbounded;             // 1: a coordinate that grows without bound in steady motion, as a spin angle
    int has_unbounded;          // 1: some of them are coordinates of free bodies, not angles of joints
    int is_periodic;            // 1: small motions depend on how far these have gone: they have no modes
    int mate_count;             // angles that turn for ever with a spin angle that is held, at a constant ratio ...
    kane_search_mate *mates;    // ... and matter relative to it
    int gap_count;              // of wheelsets on joints that rails guide
    double *gap;                // how these change with states [gap_count * states]
    int *gap_of;                // of every speed: the gap that says it instead of its acceleration, -1: none
    int *followers;             // scratch [gap_count]
    int *follows;               // 1: it may follow from others: it stays where nothing depends on it
    int *fixed;                 // 1: constant in the present step
    int jumps_allowed;          // steps over jumps of the forces that are still allowed
    double longest_step;        // in scales
    double h;                   // pseudo-time of the next step [s]
    double newton_h;            // h from which a step is Newton's, unless rounding shows before [s]
    double size;                // of the last step, in scales
    double correction_ratio;    // size of the step that a second solution with the same matrix adds, over `size`
    kane_equilibrium *found;    //
} kane_search;

// kane_equilibrium_solve from a state that is near already: by Newton's method from there, or not at all.
kane_status kane_equilibrium_solve_near(const kane_model *model, kane_work *work, double *y, kane_equilibrium *found,
                                        kane_errors *errors);

// Which states stay: fills held and follows. Wheelsets and the track under them may stay too, as far as constraints
// leave them their own speeds. Needs an evaluation.
typedef enum kane_search_wheels { KANE_WHEELS_FREE, KANE_WHEELS_HELD } kane_search_wheels;
void kane_search_hold(kane_search *search, kane_search_wheels wheels);

// Speeds that vanish at rest, after an evaluation of y.
void kane_search_find_rest_speeds(kane_search *search);

// Scales of all states.
void kane_search_scale(kane_search *search);

// Finds coordinates that go on for ever, which nothing depends on: they are held too. Needs rate and values. KANE_OK or
// KANE_NO_MEMORY.
kane_status kane_search_find_turning(kane_search *search);

// Takes the turning with a spin out of rates, and out of the rows of `values`.
void kane_search_mate_rates(const kane_search *search, double *rate);
void kane_search_mate_rows(kane_search *search);

// The first wheel that has left its rail, or that a rigid rail would have to hold; NULL: all are where they belong. On
// the way rails may hold: a wheel that runs into its flange tips the wheelset for a moment.
typedef enum kane_search_stage { KANE_SEARCH_GOES_ON, KANE_SEARCH_ENDED } kane_search_stage;
const kane_wheels *kane_search_find_lost_wheel(const kane_search *search, kane_search_stage stage, int *side);

// 1: bodies can be in equilibrium in frames with a given motion; 0 with the reason in errors.
int kane_search_check_frames(const kane_search *search, kane_errors *errors);

// Adds an error with the reason why no equilibrium was found.
void kane_search_add_error(const kane_search *search, kane_status status, kane_errors *errors);

// Copies states of the same name, except travel, between models of one vehicle that have them in the same order: a
// driven model has further ones. 0: no memory. (names.c)
int kane_copy_states(const kane_model *from, const double *y_from, const kane_model *to, double *y_to);

#endif
