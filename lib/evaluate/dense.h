// SPDX-License-Identifier: MIT
// Values between even rows, from the signal of limited band that goes through them.

#ifndef KANE_EVALUATE_DENSE_H
#define KANE_EVALUATE_DENSE_H

// `factor` values for each of the n > 64 rows, the first of them the row itself: sums over 64 rows with sines that a
// window of Kaiser fades out (80 dB, right up to nine tenths of half the rate). At the ends the signal goes on turned
// about them.
//   taps  [factor * KANE_DENSE_TAPS] scratch
//   out   [n * factor]
enum { KANE_DENSE_TAPS = 64 };
void kane_dense(int n, const double *x, int factor, double *taps, double *out);

#endif
