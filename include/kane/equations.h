// SPDX-License-Identifier: MIT
// The equations of motion as matrices: what kane_eval solves without ever writing it down.
//
//   Theta v_dot + h = Q + Phi' lambda        v: speeds of all joints (41)
//   Phi v + phi = 0,  Phi v_dot + gamma = 0  constraints, once each
//   v = A u + C,  v_dot = A u_dot + G        u: independent speeds, as they stand in y (47), (48); G = A_rate u + C_rate
//   M u_dot = F                              M = A' Theta A,  F = A' (Q - h - Theta G)
//
// With KANE_FORM_MULTIPLIERS all speeds are independent: A only puts them into the order of y, C = G = 0, and M u_dot =
// F + A' Phi' lambda. In moving frames speeds are relative, so C need not vanish where a constraint joins bodies in
// different frames, though nothing is given over time.
//
//   kane_equations *e = kane_equations_create(model, &errors);
//   if (kane_equations_eval(e, work, t, y) == KANE_OK)
//       use(kane_equations_get(e)->Theta);
//
// Rails that guide wheels by constraint have the last rows: lambda are their normal forces, Q has their creep forces,
// and F the normal forces, too: F = A' (Q + Phi_r' N - h - Theta G), so that M u_dot = F. Their speeds are all
// independent. Wheels that tables guide, and wheels that loops couple, are refused.

#ifndef KANE_EQUATIONS_H
#define KANE_EQUATIONS_H

#include <kane/base.h>
#include <kane/agem.h>

KANE_C_BEGIN

typedef struct kane_equations kane_equations; // scratch of one thread, for one model

// The model must outlive it. NULL with errors filled: tables guide wheels, loops couple wheels that rails guide, or
// memory is short.
KANE_API kane_equations *kane_equations_create(const kane_model *model, kane_errors *errors);
KANE_API void kane_equations_free(kane_equations *equations); // NULL is allowed

// Everything at (t, y), in the discrete state that the work has. Units are those of the speeds: Theta [kg], [kg m], [kg
// m^2].
typedef struct kane_equation_values {
    int speed_count;         // n
    int independent_count;   // m
    int row_count;           // r
    const double *v, *v_dot; // [n]
    const double *u, *u_dot; // [m]
    const double *Theta;     // mass matrix of the tree, with armature and the inertia of rods; symmetric [n * n]
    const double *Q;     // generalised forces: elements, wheels, actuators, deformation; imaginary terms one by one [n]
    const double *h;     // bias: what v_dot = 0 would need, with weight and the motion of frames [n]
    const double *Phi;   // by rows [r * n]
    const double *phi;   // [r]
    const double *gamma; // [r]
    const double *lambda; // as kane_get_constraint has them [r]
    const double *A;      // by rows [n * m]
    const double *C, *G;  // [n]
    const double *M;      // symmetric [m * m]
    const double *F;      // [m]
} kane_equation_values;

// Evaluates the model as kane_eval does, and the matrices. Returns what kane_eval returns, with kane_work_fault. The
// values are those of the last call.
KANE_API kane_status kane_equations_eval(kane_equations *equations, kane_work *work, double t, const double *y);
KANE_API const kane_equation_values *kane_equations_get(const kane_equations *equations);

// Coefficients and their rates along the motion, after kane_equations_eval.
typedef struct kane_coefficients {
    const double *A, *C;           // as above
    const double *A_rate, *C_rate; // [n * m], [n]
} kane_coefficients;

// A_rate is found by differences along the motion, extrapolated (it has ten digits or so); C_rate completes it, so that
// A_rate u + C_rate is G to the last bits. KANE_NOT_SOLVED where the model cannot be evaluated on both sides of the
// state.
KANE_API kane_status kane_get_coefficients(kane_equations *equations, kane_coefficients *coefficients);

// How creep forces of wheels that rails guide resist the speeds, normal forces and places held: C [n * n] by rows, Q =
// Q_0 - C (v - v_0). Theta + h C is the matrix of a step h that is implicit in creep alone. work: that of
// kane_equations_eval. KANE_BAD_ARGUMENT: the track is flexible; else the law has no derivatives there.
KANE_API kane_status kane_equations_creep_damping(const kane_model *model, const kane_equations *equations,
                                                  const kane_work *work, double *C);

// Index in y of an independent speed, and which of the n speeds it is at present; a speed in kane_speed_name; the
// constraint that a row is of, counted as in the definition, and which of its equations it is; -1: a row of rails.
KANE_API int kane_equations_state(const kane_equations *equations, int independent);
KANE_API int kane_equations_independent(const kane_equations *equations, int independent);
KANE_API int kane_equations_speed(const kane_equations *equations, int speed);
KANE_API int kane_equations_constraint(const kane_equations *equations, int row, int *part);

// Name of a row: "pin.1" of a constraint, "wheelset 1.left" of a rail.
KANE_API void kane_equations_row_name(const kane_equations *equations, int row, size_t size, char *name);

// Name of a constraint, counted as in the definition.
KANE_API const char *kane_model_constraint_name(const kane_model *model, int constraint);

KANE_C_END

#endif
