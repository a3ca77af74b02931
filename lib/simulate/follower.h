// SPDX-License-Identifier: MIT
// How the frames of a driven vehicle follow its guide, in the Jacobian: their acceleration a depends on where the guide is and
// how fast, and a acts on every body that goes with a track frame.

#ifndef KANE_SIMULATE_FOLLOWER_H
#define KANE_SIMULATE_FOLLOWER_H

#include "agem/derive.h"
#include "math/pattern.h"

typedef struct kane_follower {
    int count;             // columns on which a depends; one may occur twice
    int *column;           // in y [count]
    double *slope;         // d(a)/d(column) [count]
    double *jerk;          // d(db/dt)/d(column) [count]
    unsigned char *is_row; // 1: a acts on it [state_count]
    double *by_a;          // d(rate)/d(a) [state_count]
} kane_follower;

// NULL if memory is short.
kane_follower *kane_follower_create(const kane_model *model, const kane_derivative *derivative, kane_arena *arena);

// Entries that it has.
void kane_follower_name(const kane_follower *follower, const kane_model *model, kane_pattern_entries *entries);

// Adds its part to the values of a Jacobian, after kane_derive.
void kane_follower_fill(kane_follower *follower, const kane_model *model, kane_work *work, kane_derivative *derivative,
                        const kane_pattern *pattern, double *values);

#endif
