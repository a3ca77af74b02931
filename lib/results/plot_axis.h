// SPDX-License-Identifier: MIT
// The range of an axis, its unit of ten, and where its ticks are.

#ifndef KANE_RESULTS_PLOT_AXIS_H
#define KANE_RESULTS_PLOT_AXIS_H

#include "base/number.h"

// Everything that is drawn is divided by 10^ten first, so that labels are short and nothing overflows. On a logarithmic axis
// it is the decimal logarithm instead.
typedef struct kane_plot_axis {
    double low, high; // ends, divided
    int ten;          // 0 or a multiple of 3
    double step;      // between ticks, divided: 1, 2 or 5 times a power of ten; whole numbers of decades
    int digits;       // of the labels behind the point
    int is_log;
} kane_plot_axis;

enum { KANE_TICK_SIZE = 48 }; // buffer for the label of a tick

// An axis for values from `least` to `greatest` (both finite) with a margin at either end [part of the span] and about
// `ticks` ticks.
//
// Values whose span is below 1e-9 (of any SI unit) or below 1e-7 of the greatest magnitude are one constant and
// round-off: the axis then reaches a tenth of that magnitude to either side, or from -1 to 1 where the magnitude too is
// below 1e-9. So noise is drawn as the flat line it stands for; who wants to see so little draws it in a smaller unit or
// as a difference. What is drawn is never changed, only how far the axis zooms in.
kane_plot_axis kane_plot_axis_make(double least, double greatest, double margin, int ticks);

// The same for logarithms of values (both above zero): whole decades, or as far as the values go if that is more than one.
kane_plot_axis kane_plot_axis_make_log(double least, double greatest, int is_tight, int ticks);

// Takes another unit of ten, and about `ticks` ticks.
void kane_plot_axis_rescale(kane_plot_axis *axis, int ten, int ticks);

// value / 10^axis->ten, or log10(value): NaN where there is none
double kane_plot_axis_divide(const kane_plot_axis *axis, double value);

// Ticks are the multiples k of the step from *first to *last.
void kane_plot_axis_ticks(const kane_plot_axis *axis, long *first, long *last);

// Position of tick k, divided, and its label.
double kane_plot_axis_tick(const kane_plot_axis *axis, long k, char label[KANE_TICK_SIZE]);

// The unit of ten, e.g. "×10⁻³"; empty if it is one.
void kane_plot_axis_factor(const kane_plot_axis *axis, char text[KANE_NUMBER_SIZE]);

#endif
