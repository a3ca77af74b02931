// SPDX-License-Identifier: MIT
// Functions of one variable with three derivatives: motions over time, relations of coordinates, curves.

#ifndef KANE_TREE_FUNCTION_H
#define KANE_TREE_FUNCTION_H

#include <kane/mechanism.h>

#include "base/arena.h"
#include "math/spline.h"

typedef struct kane_course {
    kane_function function; // with arrays of its own
    kane_cubic *spline;     // of a table
    int is_integral;        // 1: what is evaluated is the integral of `function` (a sine or table), 0 where x is 0
    double *area;           // of a table's integral: from the first point to every one
} kane_course;

// A copy that lives in the arena, ready to be evaluated; NULL with errors at `place`, or where memory is short.
const kane_course *kane_course_create(const kane_function *function, kane_place place, kane_arena *arena,
                                      kane_errors *errors);

// The same for the integral of the function from 0 to x, in closed form. A function of one's own has none.
const kane_course *kane_course_create_integral(const kane_function *function, kane_place place, kane_arena *arena,
                                               kane_errors *errors);
// Whether it grows at a constant rate, as far as its kind tells.
int kane_course_is_even(const kane_course *curve);

// Value and first three derivatives.
void kane_course_eval(const kane_course *curve, double x, double out[4]);

#endif
