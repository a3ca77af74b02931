// SPDX-License-Identifier: MIT
// Sections of filters: from functions of s to functions of z.

#ifndef KANE_EVALUATE_BIQUAD_H
#define KANE_EVALUATE_BIQUAD_H

#include <kane/signal.h>

// (b[0] + b[1] p + b[2] p^2) / (a[0] + a[1] p + a[2] p^2), p = s/(2 pi corner)
typedef struct kane_analogue {
    double b[3], a[3];
    double corner; // [Hz]
} kane_analogue;

// Adds a section by p = (1 - z)/(K (1 + z)), z the delay of one step. K = tan(pi corner step) keeps the response at the
// corner.
void kane_filter_add(kane_filter *filter, const kane_analogue *analogue, double K);

// The constant that a section makes of a constant 1.
double kane_biquad_rest(const kane_biquad *b);

#endif
