// SPDX-License-Identifier: MIT
// What the integrators of libkane share: memory, system, counts, message and the matrix of implicit methods; and the
// loop of those with steps of fixed length.
//
// An integrator is a struct whose first member is a kane_integrator_frame, or a kane_fixed_steps, which begins with
// one. One with fixed steps defines a single step (`advance`); its frame counts steps, keeps the states at their ends,
// and has the functions of a kane_integrator that all of them have in common.

#ifndef KANE_SIMULATE_INTEGRATOR_FRAME_H
#define KANE_SIMULATE_INTEGRATOR_FRAME_H

#include "base/arena.h"
#include "math/sparse.h"
#include "simulate/integrators.h"

// 1 - g J and its factors, J = df/dy.
typedef struct kane_newton_matrix {
    kane_sparse_lu *lu;      // NULL: the method is explicit
    double *slopes, *values; // of J and of the matrix [pattern->count]
    int *diagonal;           // places of the diagonal among them [size]
    int has_slopes;          // 0: J is due
    int has_pivots;          // 0: they are chosen by the next factorisation
    double factored;         // g that the factors are of; 0: none
    int age, factor_age;     // steps that J and the factors have served
} kane_newton_matrix;

typedef struct kane_integrator_frame {
    kane_arena *arena; // of the whole integrator
    kane_system system;
    kane_newton_matrix matrix;
    kane_statistics sum; // since the last restart
    char message[160];
} kane_integrator_frame;

// Room for an integrator of so many bytes, zeros but for its frame. NULL if memory is short.
void *kane_frame_create(size_t bytes, const kane_system *system, int is_implicit);

// After all has been allocated from its arena: the integrator, or NULL if memory was short; then it is freed.
void *kane_frame_created(void *self);

// Functions of a kane_integrator.
void kane_frame_free(void *self);
void kane_frame_count(const void *self, kane_statistics *sum);
const char *kane_frame_message(const void *self);

// Clears counts and message.
void kane_frame_restart(kane_integrator_frame *frame);

// f(t, y), counted.
kane_status kane_frame_rates(kane_integrator_frame *frame, double t, const double *y, double *rates);

// J at (t, y) if it is due or has served most_age steps. *is_new: 1: it was evaluated.
kane_status kane_frame_renew_slopes(kane_integrator_frame *frame, double t, const double *y, int most_age, int *is_new);

// Factors of 1 - g J, unless those that exist have served less than most_age steps and are of a g that differs by at
// most g_change times itself. *is_new: 1: they were computed. KANE_RETRY: the matrix is singular.
kane_status kane_frame_renew_factors(kane_integrator_frame *frame, double g, double g_change, int most_age,
                                     int *is_new);

// Counts an accepted step of `length` [s].
void kane_frame_count_step(kane_integrator_frame *frame, double length, int order);

// Sets the message, as of printf. Returns the status to end with.
kane_status kane_frame_fail(kane_integrator_frame *frame, kane_status status, const char *format, ...)
    KANE_PRINTF(3, 4);

// === Steps of fixed length.

typedef struct kane_fixed_steps {
    kane_integrator_frame frame;
    int order;                          // of the method
    kane_status (*advance)(void *self); // from y at t to y_end at `end`; y_before is there if before < t
    // steps count from the last restart, or from where one was cut, so that many of them do not add up their rounding
    double length, counted_from; // [s]
    long count;
    double before, t, end;        // ends of the last steps [s]; before = t, t = end: there is none
    double *y_before, *y, *y_end; // there [size]
} kane_fixed_steps;

// As kane_frame_create.
void *kane_fixed_steps_create(size_t bytes, int order, int is_implicit, kane_status (*advance)(void *self),
                              const kane_system *system, const kane_settings *settings);

// Functions of a kane_integrator; interpolate: the line between both ends.
kane_status kane_fixed_steps_restart(void *self, double t, const double *y);
kane_status kane_fixed_steps_step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                                  int *roots);
void kane_fixed_steps_interpolate(void *self, double t, double *y);

// Reports that a step to t has no end. It cannot be made shorter: whatever does not succeed is the end. Returns the
// status to end with.
kane_status kane_fixed_steps_fail(kane_fixed_steps *steps, double t, kane_status status);

#endif
