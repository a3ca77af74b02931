// SPDX-License-Identifier: MIT
// What is wrong with the definition of a track.

#ifndef KANE_TRACK_CHECK_H
#define KANE_TRACK_CHECK_H

#include <kane/track.h>

// Errors of one definition, counted also without an error list.
typedef struct kane_check {
    kane_errors *errors; // may be NULL
    int count;
} kane_check;

// Adds an error that belongs to a place of the input.
#define KANE_CHECK_FAULT(check, place, ...)                                                                            \
    ((check)->count++, kane_errors_add_input((check)->errors, KANE_BAD_INPUT, (place), __VA_ARGS__))

// Lines that agree to this are the same: jumps of cant [m], of a table's curvature [1/m] and grade [1], lengths [m].
#define KANE_SAME 1e-9

// Sines of roll and grade angles that a track may have; at 1 the formulas end.
#define KANE_SINE_MAX 0.95

// Largest coefficient of friction that anybody means; more are per cent [1].
#define KANE_FRICTION_MAX 2.0

// Steepest grade that can be given [1].
#define KANE_GRADE_MAX 1.0

// Reports a number that is not finite; 1 if it is.
int kane_check_finite(double value, const char *name, kane_place place, kane_check *check);

// The same, and that it is positive or not negative. unit: with a space before it, " m".
void kane_check_positive(double value, const char *name, const char *unit, kane_place place, kane_check *check);
void kane_check_not_negative(double value, const char *name, const char *unit, kane_place place, kane_check *check);

// A coefficient of friction.
void kane_check_friction(double value, kane_place place, kane_check *check);

// Checks what belongs to the rails: irregularities and changes of friction.
void kane_check_rails(const kane_track_definition *d, kane_check *check);

// Checks all that can be seen without building the line, except the grades (kane_grade_prepare does that).
void kane_check_definition(const kane_track_definition *d, kane_check *check);

#endif
