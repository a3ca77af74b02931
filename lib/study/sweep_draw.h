// SPDX-License-Identifier: MIT
// What the pictures of a sweep share.

#ifndef KANE_STUDY_SWEEP_DRAW_H
#define KANE_STUDY_SWEEP_DRAW_H

#include "study/sweep.h"

// A panel of one measure over one axis.
typedef struct kane_sweep_sheet {
    kane_plot_curve line, points; // beside each other, as a panel wants them
    char label[256];
} kane_sweep_sheet;

// The case of a grid in which each axis has this of its values.
int kane_sweep_cell_of(const kane_sweep_study *sweep, const int *value);

// Measure of a case; NaN: none.
double kane_sweep_value(const kane_sweep_study *sweep, int index, int measure);

// "speed [m/s]", "max(body.y) [m]"
void kane_sweep_axis_label(const kane_axis *axis, size_t size, char *text);
void kane_sweep_measure_label(const kane_sweep_study *sweep, int measure, size_t size, char *text);

// Height of so many panels [pixels], as far as a picture goes.
static inline int kane_sweep_height(int panels, int each)
{
    enum { MOST = 30000 };
    const int height = 60 + panels * each;
    return height < MOST ? height : MOST;
}

// Draws into DIR/N-MEASURE<end>.svg and .png; a measure below 0: DIR/sweep.*.
kane_status kane_sweep_draw_as(const kane_sweep_study *sweep, const kane_plot *plot, int measure, const char *end,
                               kane_errors *errors);

// Lines and map of a measure over a grid.
kane_status kane_sweep_draw_grid(const kane_sweep_study *sweep, int measure, kane_errors *errors);

#endif
