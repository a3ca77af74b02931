// SPDX-License-Identifier: MIT
// Modes as they are stored.

#ifndef KANE_SIMULATE_MODES_H
#define KANE_SIMULATE_MODES_H

#include "simulate/linear_parts.h"

enum { KANE_MODE_NAME = 200 };

struct kane_modes {
    kane_arena *arena;
    const kane_model *model;     // while modes are made: names do not need it afterwards
    int count;                   // of modes
    int swing_count;             // of kane_modes_create_growing: all eigenvalues with an imaginary part above zero
    double *swing_re, *swing_im; // [swing_count]
    int sticking;                // states that were left out as KANE_LEFT_STUCK
    double highest;              // frequency of all eigenvalues [Hz]
    int states;                  // of y
    int rows;                    // numbers of a shape, body_count * KANE_SHAPE
    kane_mode *modes;
    double *shape[2]; // real and imaginary parts [count * rows]
    double *state[2]; // the same of deviations of y [count * state_count]
    double *share;    // of kinetic energy [count * rows]
    double *mass;     // of every body, as in kane_linear
};

// mode_shapes.c: scales a shape and the state that belongs to it, and fills shares.
void kane_mode_scale(kane_modes *modes, int mode);

// Length by which a turn counts as a displacement: radius of gyration of a body about the axis of the turn [m]; 1 of displacements.
double kane_mode_lever(const kane_modes *modes, int body, int freedom);

// mode_names.c: which bodies move how.
void kane_mode_name(const kane_modes *modes, int mode, size_t size, char *name);

#endif
