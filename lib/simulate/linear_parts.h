// SPDX-License-Identifier: MIT
// What a linear model is made of, for the files that make it and take it apart.

#ifndef KANE_SIMULATE_LINEAR_PARTS_H
#define KANE_SIMULATE_LINEAR_PARTS_H

#include <kane/jacobian.h>
#include <kane/linear.h>

#include "base/arena.h"
#include "model/model.h"

// re + i im, whatever they are: 0 times an infinity is no part of it.
double _Complex kane_complex(double re, double im);

// Numbers that displacements of a body have.
enum { KANE_SHAPE = KANE_COORDINATES };

typedef struct kane_linear_omission {
    int state; // of y
    kane_left_out why;
} kane_linear_omission;

// *Moves* are combinations of states that are consistent with all constraints and not locked: coordinates first, then
// speeds, then states of force laws. x are those moves that anything depends on. Matrices are stored by columns.
struct kane_linear {
    kane_arena *arena;
    const kane_model *model;
    int size;                      // moves
    int q_count, u_count, e_count; // of each sort
    double *basis;                 // dy = basis z [state_count * size]
    double *A;                     // z' = A z [size * size]
    int count;                     // of x
    int *coupled;                  // moves that are x [count]
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

// linear_memory.c: states of dry friction that stick go with displacements and are no moves any more. Needs A. 0
// without memory.
int kane_linear_drop_stuck(kane_linear *linear);

// An element of y is not in x.
void kane_linear_leave_out(kane_linear *linear, int state, kane_left_out why);

// linear_bodies.c: fills places, rates and mass. The work is evaluated at y afterwards. 0 with errors.
int kane_linear_find_bodies(kane_linear *linear, kane_work *work, double t, const double *y, kane_errors *errors);

// linear_springs.c: the matrix K of p'' = K p without dependence on velocities, one p for each move of speed
// [u_count^2]; moves [size * u_count]: z = moves p while nothing moves. 0 if the states of force laws are not
// determined.
int kane_linear_find_springs(const kane_linear *linear, kane_arena *arena, double *K, double *moves);

// States that act on others. Of the first `count` in `felt`, ascending, those are taken out whose column is zero, and
// again among the rows that are left, until none is; returns how many stay.
int kane_linear_find_coupled(int n, const double *A, int count, int *coupled);

// As kane_linear_create, without what moves do to the bodies, which needs two evaluations a move:
// kane_linear_find_bodies comes after it.
kane_linear *kane_linear_create_plain(const kane_model *model, kane_work *work, double t, const double *y,
                                      kane_errors *errors);

// C = A B, by columns: A [rows * inner], B [inner * columns].
void kane_linear_multiply(int rows, int inner, int columns, const double *A, const double *B, double *C);

// === Modes as they are stored.

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

// Length by which a turn counts as a displacement: radius of gyration of a body about the axis of the turn [m]; 1 of
// displacements.
double kane_mode_lever(const kane_modes *modes, int body, int freedom);

// mode_names.c: which bodies move how.
void kane_mode_name(const kane_modes *modes, int mode, size_t size, char *name);

// === How far static loads displace bodies on their springs while wheelsets are held: 1/k of closed forms such as J
// eps/k, springs in series and coupled motions included.

typedef struct kane_compliance kane_compliance; // immutable, in the arena

// NULL: no body is held, springs do not hold all others, or memory is short. It does not need the linear model
// afterwards.
const kane_compliance *kane_compliance_create(const kane_linear *linear, kane_arena *arena);

// Displacement along a coordinate of one body under a unit load along one of another or the same [m/N], [rad/(N m)],
// [m/(N m)]; NaN: the loaded one is held. scratch: memory of the call.
typedef struct kane_compliance_place {
    int body;
    kane_coordinate coordinate;
} kane_compliance_place;
double kane_compliance_of(const kane_compliance *compliance, kane_compliance_place load, kane_compliance_place moved,
                          kane_arena *scratch);

#endif
