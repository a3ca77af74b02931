// SPDX-License-Identifier: MIT
// Signals: what is made of sampled values: percentiles.

#ifndef KANE_SIGNAL_H
#define KANE_SIGNAL_H

#include <kane/base.h>

// --- percentiles ---

// The percentile 0 .. 100 of n >= 1 finite values, which are put into order: the value of rank 1 + (n - 1) percent/100,
// between two ranks by linear interpolation. EN 14363 and UIC 518 name the frequencies (0.15, 50, 95, 99.85 %) and leave
// open what lies between two ranks.
KANE_API double kane_percentile(int n, double *values, double percent);

#endif
