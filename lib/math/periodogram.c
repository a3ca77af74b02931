// SPDX-License-Identifier: MIT
// Power spectral density by Welch's method, one wave number at a time: a few hundred of them need no fast transform.

#include "math/periodogram.h"

#include <math.h>

static const double two_pi = 6.283185307179586477;

int kane_periodogram_windows(int n, int size)
{
    return size >= 2 && n >= size ? 1 + (n - size) / (size / 2) : 0;
}

// |sum w (x - mean) exp(-i O j step)|^2 and the sum of w^2 of one window, w_j = (1 - cos(2 pi (j + 1/2)/size))/2; mean
// is that with the weights w, so that a constant leaves nothing.
static double power(const double *x, int size, double angle, double *weight)
{
    double re = 0.0, im = 0.0, mean_re = 0.0, mean_im = 0.0, sum = 0.0, sum_w = 0.0;
    double c = 1.0, s = 0.0, wc = cos(0.5 * two_pi / size), ws = sin(0.5 * two_pi / size);
    const double dc = cos(angle), ds = sin(angle), dwc = cos(two_pi / size), dws = sin(two_pi / size);

    *weight = 0.0;
    for (int j = 0; j < size; j++) {
        const double w = 0.5 * (1.0 - wc), c0 = c, wc0 = wc;
        re += w * x[j] * c;
        im += w * x[j] * s;
        mean_re += w * c;
        mean_im += w * s;
        sum += w * x[j];
        sum_w += w;
        *weight += w * w;
        c  = c0 * dc - s * ds;
        s  = s * dc + c0 * ds;
        wc = wc0 * dwc - ws * dws;
        ws = ws * dwc + wc0 * dws;
    }
    const double mean = sum / sum_w;
    re -= mean * mean_re;
    im -= mean * mean_im;
    return re * re + im * im;
}

double kane_periodogram(int n, double step, const double *x, int size, double O)
{
    const int windows = kane_periodogram_windows(n, size);
    double sum        = 0.0;
    for (int i = 0; i < windows; i++) {
        double weight;
        const double p = power(x + i * (size / 2), size, O * step, &weight);
        sum += p / weight;
    }
    return 2.0 * step / two_pi * sum / windows;
}
