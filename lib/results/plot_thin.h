// SPDX-License-Identifier: MIT
// Leaves out points of a curve that cannot be seen.

#ifndef KANE_RESULTS_PLOT_THIN_H
#define KANE_RESULTS_PLOT_THIN_H

#include <kane/results.h>

#include "results/plot_axis.h"

enum { KANE_PLOT_GAP = -1 };

// Which points of a curve are drawn on an area of width x height pixels: their indices in their order, and
// KANE_PLOT_GAP where the line is interrupted because x or y is not finite.
//   lines   of those that follow each other within a column of pixels: the first, the lowest, the highest, the last
//   points  one of each pixel
//   kept    [curve->count], filled
// Returns how many; -1 if there is no memory.
int kane_plot_thin(const kane_plot_curve *curve, const kane_plot_axis *x, const kane_plot_axis *y, int width,
                   int height, int *kept);

#endif
