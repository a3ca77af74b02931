// SPDX-License-Identifier: MIT
// What a linear model is made of, for the files that make it and take it apart.

#ifndef KANE_SIMULATE_LINEAR_PARTS_H
#define KANE_SIMULATE_LINEAR_PARTS_H

#include <kane/jacobian.h>
#include <kane/linear.h>

#include "model/model.h"

// Numbers that displacements of a body have.
enum { KANE_SHAPE = KANE_COORDINATES };

typedef struct kane_linear_omission {
    int state; // of y
    kane_left_out why;
} kane_linear_omission;

// *Moves* are combinations of states that are consistent with all constraints and not locked: coordinates first, then speeds,
// then states of force laws. x are those moves that anything depends on. Matrices are stored by columns.
struct kane_linear {
    kane_arena *arena;
    const kane_model *model;
    int size;                      // moves
    int q_count, u_count, e_count; // of each sort
    double *basis;                 // dy = basis z [state_count * size]
    double *A;                     // z' = A z [size * size]
    int count;                     // of x
    int *felt;                     // moves that are x [count]
    double *matrix;                // x' = matrix x [count * count]
    int left_out_count;            //
    kane_linear_omission *left_out;
    double *places; // by bodies: displacements [body_count * KANE_SHAPE * size] for z ...
    double *rates;  // ... and their rates
    double *mass;   // by bodies: of x, y, z, yaw, roll, pitch against each other [body_count * KANE_SHAPE * KANE_SHAPE]
};

// linear_moves.c: fills basis and counts, and what is left out because it is locked. A [state_count^2] is the
// Jacobian by columns, which `jacobian` has found at y; moves_inverse [size * state_count]: z of dy. 0 with errors.
int kane_linear_find_moves(kane_linear *linear, const kane_jacobian *jacobian, const kane_work *work, const double *y,
                           const double *A, double **moves_inverse, kane_errors *errors);

// linear_memory.c: states of dry friction that stick go with displacements and are no moves any more. Needs A. 0 without memory.
int kane_linear_stick(kane_linear *linear);

// An element of y is not in x.
void kane_linear_leave_out(kane_linear *linear, int state, kane_left_out why);

// linear_bodies.c: fills places, rates and mass. The work is evaluated at y afterwards. 0 with errors.
int kane_linear_find_bodies(kane_linear *linear, kane_work *work, double t, const double *y, kane_errors *errors);

// linear_springs.c: the matrix K of p'' = K p without dependence on velocities, one p for each move of speed [u_count^2];
// moves [size * u_count]: z = moves p while nothing moves. 0 if the states of force laws are not determined.
int kane_linear_find_springs(const kane_linear *linear, kane_arena *arena, double *K, double *moves);

// States that act on others. Of the first `count` in `felt`, ascending, those are taken out whose column is zero, and again among the rows
// that are left, until none is; returns how many stay.
int kane_linear_find_felt(int n, const double *A, int count, int *felt);

// As kane_linear_create, without what moves do to the bodies, which needs two evaluations a move: kane_linear_find_bodies comes after it.
kane_linear *kane_linear_create_plain(const kane_model *model, kane_work *work, double t, const double *y,
                                      kane_errors *errors);

// C = A B, by columns: A [rows * inner], B [inner * columns].
void kane_linear_multiply(int rows, int inner, int columns, const double *A, const double *B, double *C);

#endif
