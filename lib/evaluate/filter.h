// SPDX-License-Identifier: MIT
// Filters: their sections, and dense values between rows.

#ifndef KANE_EVALUATE_FILTER_H
#define KANE_EVALUATE_FILTER_H

#include <kane/signal.h>

// === Sections of filters: from functions of s to functions of z.

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

// === Values between even rows, from the signal of limited band that goes through them.

// `factor` values for each of the n > 64 rows, the first of them the row itself: sums over 64 rows with sines that a
// window of Kaiser fades out (80 dB, right up to nine tenths of half the rate). At the ends the signal goes on turned
// about them.
//   taps  [factor * KANE_DENSE_TAPS] scratch
//   out   [n * factor]
enum { KANE_DENSE_TAPS = 64 };
void kane_dense(int n, const double *x, int factor, double *taps, double *out);

#endif
