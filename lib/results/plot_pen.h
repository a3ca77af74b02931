// SPDX-License-Identifier: MIT
// Texts, numbers and places in a script for gnuplot.

#ifndef KANE_RESULTS_PLOT_PEN_H
#define KANE_RESULTS_PLOT_PEN_H

#include <kane/results.h>

#include <stdio.h>

typedef enum kane_picture_kind { KANE_SVG, KANE_PNG } kane_picture_kind;

typedef struct kane_plot_pen {
    FILE *out;
    kane_picture_kind kind;
    int width, height; // of the picture [pixels]
} kane_plot_pen;

// A text as it is, in quotes; what XML cannot hold is replaced.
void kane_pen_text(const kane_plot_pen *s, const char *text);

// A number of 12 digits, with a point whatever the locale of the caller says.
void kane_pen_number(const kane_plot_pen *s, double value);

// A place [pixels from the upper left corner].
void kane_pen_place(const kane_plot_pen *s, int x, int y);

// A label, in smaller letters if it is longer than `room` pixels. how: alignment and the like; NULL or "": no label.
void kane_pen_label(const kane_plot_pen *s, const char *text, int x, int y, int room, const char *how);

#endif
