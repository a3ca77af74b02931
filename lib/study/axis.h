// SPDX-License-Identifier: MIT
// What axes of studies are made of: names, values as they are typed.

#ifndef KANE_STUDY_AXIS_H
#define KANE_STUDY_AXIS_H

#include <kane/sweep.h>

#include "base/arena.h"

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

// Takes the value at the beginning of a text up to the first of `ends` outside of quotes and brackets. Returns where it
// ends; NULL if quotes or brackets stay open.
const char *kane_axis_take(const char *text, const char *ends, kane_axis_value *value);

// 1 if all values of an axis are numbers.
int kane_axis_is_numeric(const kane_axis *axis);

// "speed [m/s]", or "shape"
void kane_axis_label(const kane_axis *axis, int has_unit, size_t size, char *text);

// Every value of every axis with each other; the last axis is the fastest.
typedef struct kane_grid {
    int axis_count;
    const kane_axis *const *axes;
} kane_grid;

double kane_grid_size(const kane_grid *grid);
void kane_grid_values(const kane_grid *grid, int index, int *value); // [axis_count]: which one of each axis
int kane_grid_index(const kane_grid *grid, const int *value);

// No two axes that set the same, none that a setting sets (NULL-terminated, or NULL), no value twice. 0 with errors.
int kane_grid_check(const kane_grid *grid, const char *const *settings, int may_repeat, kane_errors *errors);

#endif
