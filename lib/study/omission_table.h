// SPDX-License-Identifier: MIT
// Effects of terms under conditions, as numbers: ranking, and where a term may be neglected.

#ifndef KANE_STUDY_OMISSION_TABLE_H
#define KANE_STUDY_OMISSION_TABLE_H

#include <kane/study.h>

#include "base/arena.h"

#include <stdint.h>

// Everything is known of the table when it is made; rows are [condition][term][response].
typedef struct kane_omission_table {
    int conditions, terms, responses;
    const char *const *names;     // [terms]
    kane_omission_effect *effect; // [conditions][terms][responses]
    kane_omission_case *at;       // [conditions][terms]
} kane_omission_table;

static inline kane_omission_effect *kane_omission_at(const kane_omission_table *t, int condition, int term,
                                                     int response)
{
    return &t->effect[((size_t)condition * (size_t)t->terms + (size_t)term) * (size_t)t->responses + (size_t)response];
}

static inline kane_omission_case *kane_omission_case_at(const kane_omission_table *t, int condition, int term)
{
    return &t->at[(size_t)condition * (size_t)t->terms + (size_t)term];
}

// Fills scale and relative of all effects from the largest difference (or its rms) and the range; `units`
// [responses].
void kane_omission_scale(const kane_omission_table *table, const char *const *units, int by_rms);

// Largest relative effect of a term on a response, or on any (-1), over all conditions that are known; infinite if the run
// ended in another way under one of them, -1 if none is known. Where it is goes to *condition and *response (-1: none).
double kane_omission_largest(const kane_omission_table *table, int term, int response, int *condition, int *where);

// Terms but the first one (accuracy), the strongest first; of equal ones the name decides. order: [terms - 1].
// 0 without memory.
int kane_omission_rank(const kane_omission_table *table, int response, int *order);

// --- conditions ---

// The grid of conditions: axes with their values, the last one fastest. A value is a bit.
typedef struct kane_omission_grid {
    int axis_count;
    const kane_axis *const *axes; // each of at most KANE_OMISSION_VALUES_MOST values
} kane_omission_grid;

int kane_omission_grid_size(const kane_omission_grid *grid);
void kane_omission_grid_values(const kane_omission_grid *grid, int condition, int *value); // [axis_count]

// A condition, some values of every axis.
typedef struct kane_omission_box {
    uint64_t values[KANE_OMISSION_AXES_MOST];
    int size; // conditions inside
} kane_omission_box;

// The largest box that has only good conditions: of an axis of numbers values that are neighbours, of one of words any; size 0
// if none is good. Of boxes of one size the one that restricts fewer axes. good: [conditions]. 0 without memory.
int kane_omission_find_box(const kane_omission_grid *grid, const unsigned char *good, kane_omission_box *box);

// Of an axis the values under which all conditions are good.
uint64_t kane_omission_good_values(const kane_omission_grid *grid, const unsigned char *good, int axis);

// "|acceleration| <= 0.5 m/s^2 and speed <= 20 m/s"; "" for a box without restriction.
void kane_omission_say_box(const kane_omission_grid *grid, const kane_omission_box *box, size_t size, char *text);

// "speed 20 m/s, shape bloss"; "the run as it is" without axes.
void kane_omission_say_condition(const kane_omission_grid *grid, int condition, size_t size, char *text);

// The verdict on a term at a threshold; its words are taken from the arena. 0 without memory.
int kane_omission_judge(const kane_omission_table *table, const kane_omission_grid *grid, int term, double threshold,
                        kane_arena *arena, kane_omission_verdict *verdict);

#endif
