// SPDX-License-Identifier: MIT
// Fast Fourier transform, radix two: values into the order of reversed bits, then butterflies of 2, 4, ... n.

#include "math/fourier.h"

#include <math.h>

static const double two_pi = 6.283185307179586477;

void kane_fourier_angles(int n, double *cosine, double *sine)
{
    for (int k = 0; k < n / 2; k++) {
        cosine[k] = cos(two_pi * k / n);
        sine[k]   = sin(two_pi * k / n);
    }
}

static void swap(double *a, double *b)
{
    const double kept = *a;
    *a                = *b;
    *b                = kept;
}

static void reverse_bits(int n, double *re, double *im)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            swap(&re[i], &re[j]);
            swap(&im[i], &im[j]);
        }
    }
}

void kane_fourier(int n, const double *cosine, const double *sine, double *re, double *im)
{
    reverse_bits(n, re, im);
    for (int half = 1; half < n; half *= 2)
        for (int first = 0; first < n; first += 2 * half)
            for (int k = 0; k < half; k++) {
                const double c = cosine[k * (n / (2 * half))], s = -sine[k * (n / (2 * half))];
                const int a = first + k, b = a + half;
                const double tr = re[b] * c - im[b] * s, ti = re[b] * s + im[b] * c;
                re[b] = re[a] - tr;
                im[b] = im[a] - ti;
                re[a] += tr;
                im[a] += ti;
            }
}
