// SPDX-License-Identifier: MIT
// Spectra, distributions and random numbers.

#ifndef KANE_MATH_STATISTICS_H
#define KANE_MATH_STATISTICS_H

#include <stdint.h>

// === Discrete Fourier transform of powers of two. (FFTW's licence is not ours, and kissfft comes with single precision
// only.)

// Cosines and sines of 2 pi k/n, k < n/2, for transforms of n = 2^m >= 2 values.
void kane_fourier_angles(int n, double *cosine, double *sine);

// X_k = sum_j x_j exp(-2 pi i j k/n), in place: real and imaginary parts.
void kane_fourier(int n, const double *cosine, const double *sine, double *re, double *im);

// === Power spectral density of a sampled signal by Welch's method: Hann windows that overlap by half, averaged.

// Windows of `size` samples that n samples hold; 0 if they are too few.
int kane_periodogram_windows(int n, int size);

// One-sided density at the wave number O, 0 < O < pi/step: the variance of x is its integral over O.
//   n, step, x  samples and their distance
//   size        of a window, 2 .. n; the mean of each window is taken out
double kane_periodogram(int n, double step, const double *x, int size, double O);

// === Student's distribution.

// Part of the distribution with n > 0 degrees of freedom that lies between -t and t, t >= 0.
double kane_student_between(double t, double n);

// The t for which this is `part`, 0 <= part < 1.
double kane_student_quantile(double part, double n);

// === The normal distribution.

// Part of it below x, x in standard deviations from the mean.
double kane_normal_below(double x);

// The x for which this is `part`; -inf for 0, inf for 1.
double kane_normal_quantile(double part);

// === Random numbers from a seed: the same on every machine, and as many independent streams of a seed as are wanted.
//
// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014): a counter that grows by
// an odd constant, and a mixing function of 64 bits over it. Streams begin at places that the same function scatters.

typedef struct kane_random {
    uint64_t counter;
} kane_random;

static inline uint64_t kane_random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t kane_random_next(kane_random *r)
{
    r->counter += UINT64_C(0x9e3779b97f4a7c15);
    return kane_random_mix(r->counter);
}

// Stream number `stream` of a seed.
static inline kane_random kane_random_start(uint64_t seed, uint64_t stream)
{
    kane_random r = {seed};
    r.counter     = kane_random_next(&r) ^ kane_random_mix(stream + UINT64_C(0x632be59bd9b4e019));
    return r;
}

// Evenly distributed in 0 <= x < 1, a multiple of 2^-53.
static inline double kane_random_even(kane_random *r)
{
    return (double)(kane_random_next(r) >> 11) * 0x1p-53;
}

#endif
