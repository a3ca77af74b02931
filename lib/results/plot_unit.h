// SPDX-License-Identifier: MIT
// Labels of axes, "Q [N]": units as they are written by hand, with the SI prefix that makes their numbers short.

#ifndef KANE_RESULTS_PLOT_UNIT_H
#define KANE_RESULTS_PLOT_UNIT_H

#include "base/number.h"

#include <stddef.h>

// The power of ten (0 or a multiple of 3) for numbers of a magnitude behind a label whose unit can have a prefix: kN from 1000 N
// on, mm below 0.1 m. `otherwise` if it cannot have that one.
int kane_plot_unit_ten(const char *label, double magnitude, int otherwise);

// The label of an axis that is divided by 10^ten: "Q [kN]", "a [m/s²]". What no prefix can say is left in `factor`, "×10⁻³", else
// that is empty.
void kane_plot_unit_label(const char *label, int ten, size_t size, char *text, char factor[KANE_NUMBER_SIZE]);

// 1: the label says 10^ten by a prefix.
int kane_plot_unit_has_prefix(const char *label, int ten);

// "×10⁻³"; empty if it is one.
void kane_plot_unit_factor(int ten, char text[KANE_NUMBER_SIZE]);

#endif
