// SPDX-License-Identifier: MIT
// A plot as a script for gnuplot.

#ifndef KANE_RESULTS_PLOT_SCRIPT_H
#define KANE_RESULTS_PLOT_SCRIPT_H

#include <kane/results.h>

#include <stdio.h>

typedef enum kane_picture_kind { KANE_SVG, KANE_PNG } kane_picture_kind;

// Writes the script with all data in it; gnuplot draws to its standard output.
kane_status kane_plot_script(const kane_plot *plot, kane_picture_kind kind, FILE *out, kane_errors *errors);

#endif
