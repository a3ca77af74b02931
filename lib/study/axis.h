// SPDX-License-Identifier: MIT
// What axes of studies are made of: names, values as they are typed.

#ifndef KANE_STUDY_AXIS_H
#define KANE_STUDY_AXIS_H

#include <kane/sweep.h>

#include "base/arena.h"
#include "base/number.h"

// A value as it was typed: a number with what stands behind it, or a word. Points into the text.
typedef struct kane_axis_value {
    const char *text;
    size_t length; // without spaces around it
    double number; // NaN: it is a word
    const char *unit;
    size_t unit_length; // 0: none was typed
} kane_axis_value;

// The path of a short name; any other path as it is.
const char *kane_axis_path(const char *name);

// The first of the settings "PATH=VALUE", NULL behind the last one, that sets what the axis sets; NULL if there is none.
const char *kane_axis_rival(const kane_axis *axis, const char *const *settings);

// Unit of the numbers behind a path or a short name if none is typed; "" if it is not known.
const char *kane_axis_unit(const char *name);

// Takes the value at the beginning of a text up to the first of `ends` outside of quotes and brackets. Returns where it
// ends; NULL if quotes or brackets stay open.
const char *kane_axis_take(const char *text, const char *ends, kane_axis_value *value);

// Value `i` of `count` from a to b as a short decimal text: what round-off of the division adds is not shown.
void kane_axis_between(double a, double b, int i, int count, char text[KANE_NUMBER_SIZE]);

#endif
