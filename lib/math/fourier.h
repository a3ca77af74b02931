// SPDX-License-Identifier: MIT
// Discrete Fourier transform of powers of two. (FFTW's licence is not ours, and kissfft comes with single precision
// only.)

#ifndef KANE_MATH_FOURIER_H
#define KANE_MATH_FOURIER_H

// Cosines and sines of 2 pi k/n, k < n/2, for transforms of n = 2^m >= 2 values.
void kane_fourier_angles(int n, double *cosine, double *sine);

// X_k = sum_j x_j exp(-2 pi i j k/n), in place: real and imaginary parts.
void kane_fourier(int n, const double *cosine, const double *sine, double *re, double *im);

#endif
