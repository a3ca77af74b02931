// SPDX-License-Identifier: MIT
// What integrators share: the frame of those with steps of fixed length, and the matrix of implicit ones.
//
// An integrator with fixed steps is a struct whose first member is a kane_fixed_steps. It says what one step does
// (`advance`); the frame counts steps, keeps the states at their ends, and has the functions of a kane_integrator that
// are the same for all of them.

#ifndef KANE_SIMULATE_INTEGRATOR_FRAME_H
#define KANE_SIMULATE_INTEGRATOR_FRAME_H

#include "base/arena.h"
#include "math/sparse.h"
#include "simulate/integrators.h"

typedef struct kane_fixed_steps {
    kane_arena *arena; // of the whole integrator
    kane_system system;
    int order;                          // of the method
    kane_status (*advance)(void *self); // from y at t to y_end at `end`; y_before is there if before < t
    // steps count from the last restart, or from where one was cut, so that many of them do not add up their rounding
    double length, counted_from; // [s]
    long count;
    double before, t, end;        // ends of the last steps [s]; before = t, t = end: there is none
    double *y_before, *y, *y_end; // there [size]
    long steps, evaluations;      // since the last restart
    char message[160];
} kane_fixed_steps;

// Room for an integrator of so many bytes, zeros but for its frame. NULL if memory is short.
void *kane_fixed_steps_create(size_t bytes, int order, kane_status (*advance)(void *self), const kane_system *system,
                              const kane_settings *settings);

// After all has been allocated from its arena: the integrator, or NULL if memory was short; then it is freed.
void *kane_fixed_steps_created(void *self);

// Functions of a kane_integrator; interpolate: the line between both ends.
void kane_fixed_steps_free(void *self);
kane_status kane_fixed_steps_restart(void *self, double t, const double *y);
kane_status kane_fixed_steps_step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                                  int *roots);
void kane_fixed_steps_interpolate(void *self, double t, double *y);
void kane_fixed_steps_count(const void *self, kane_statistics *sum);
const char *kane_fixed_steps_message(const void *self);

// Says that a step to t has no end. It cannot be made shorter: whatever does not succeed is the end. Returns the status
// to end with.
kane_status kane_fixed_steps_fail(kane_fixed_steps *steps, double t, kane_status status);

// 1 - g J and its factors; J = df/dy is kept.
typedef struct kane_newton_matrix {
    const kane_pattern *pattern;
    kane_sparse_lu *lu;
    double *slopes, *values; // of J and of the matrix [pattern->count]
    int *diagonal;           // places of the diagonal among them [pattern->size]
    int has_pivots;          // 0: they are chosen by the next factorisation
    double factored;         // g that the factors are of; 0: none
} kane_newton_matrix;

// 0 if memory is short; freed in either case.
int kane_newton_matrix_create(kane_newton_matrix *matrix, const kane_pattern *pattern, kane_arena *arena);
void kane_newton_matrix_free(kane_newton_matrix *matrix);

// Factors 1 - g J. KANE_RETRY: it is singular.
kane_status kane_newton_matrix_factor(kane_newton_matrix *matrix, double g);

#endif
