// SPDX-License-Identifier: MIT
// Power spectral density of a sampled signal by Welch's method: Hann windows that overlap by half, averaged.

#ifndef KANE_MATH_PERIODOGRAM_H
#define KANE_MATH_PERIODOGRAM_H

// Windows of `size` samples that n samples hold; 0 if they are too few.
int kane_periodogram_windows(int n, int size);

// One-sided density at the wave number O, 0 < O < pi/step: the variance of x is its integral over O.
//   n, step, x  samples and their distance
//   size        of a window, 2 .. n; the mean of each window is taken out
double kane_periodogram(int n, double step, const double *x, int size, double O);

#endif
