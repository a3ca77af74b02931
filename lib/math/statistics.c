// SPDX-License-Identifier: MIT
// Fast Fourier transform, radix two: values into the order of reversed bits, then butterflies of 2, 4, ... n.

#include "math/statistics.h"

#include <math.h>

static const double two_pi = 6.283185307179586477;

void kane_fourier_angles(int n, double *cosine, double *sine)
{
    for (int k = 0; k < n / 2; k++) {
        cosine[k] = cos(two_pi * k / n);
        sine[k]   = sin(two_pi * k / n);
    }
}

static void swap_values(double *a, double *b)
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
            swap_values(&re[i], &re[j]);
            swap_values(&im[i], &im[j]);
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

// === Power spectral density by Welch's method, one wave number at a time: a few hundred of them need no fast
// transform.

int kane_periodogram_windows(int n, int size)
{
    return size >= 2 && n >= size ? 1 + (n - size) / (size / 2) : 0;
}

// |sum w (x - mean) exp(-i O j step)|^2 and the sum of w^2 of one window, w_j = (1 - cos(2 pi (j + 1/2)/size))/2; mean
// is that with the weights w, so that a constant leaves nothing.
static double window_power(const double *x, int size, double angle, double *weight)
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
        const double p = window_power(x + i * (size / 2), size, O * step, &weight);
        sum += p / weight;
    }
    return 2.0 * step / two_pi * sum / windows;
}

// === Student's distribution by the incomplete beta function: the part outside of -t .. t is I_x(n/2, 1/2), x = n/(n +
// t^2), and I_x is a continued fraction (Abramowitz and Stegun 26.5.8, by Lentz's method).

static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d        = 1.0 / (fabs(d) < tiny ? tiny : d);
    double h = d;
    for (int m = 1; m < 500; m++) {
        const double even     = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        const double odd      = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        const double terms[2] = {even, odd};
        double change         = 1.0;
        for (int k = 0; k < 2; k++) {
            d      = 1.0 + terms[k] * d;
            d      = 1.0 / (fabs(d) < tiny ? tiny : d);
            c      = 1.0 + terms[k] / c;
            c      = fabs(c) < tiny ? tiny : c;
            change = c * d;
            h *= change;
        }
        if (fabs(change - 1.0) < 1e-16)
            break;
    }
    return h;
}

static double incomplete_beta(double a, double b, double x)
{
    if (!(x > 0.0))
        return 0.0;
    if (!(x < 1.0))
        return 1.0;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                         : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

double kane_student_between(double t, double n)
{
    return 1.0 - incomplete_beta(0.5 * n, 0.5, n / (n + t * t));
}

double kane_student_quantile(double part, double n)
{
    double low = 0.0, high = 1.0;
    while (kane_student_between(high, n) < part && high < 1e12)
        high *= 2.0;
    for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
        const double middle = 0.5 * (low + high);
        if (kane_student_between(middle, n) < part)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// === The normal distribution.

static const double sqrt_half = 0.707106781186547524, sqrt_two_pi = 2.506628274631000502;

double kane_normal_below(double x)
{
    return 0.5 * erfc(-x * sqrt_half);
}

// For part <= 1/2: Abramowitz and Stegun 26.2.23 (error 4.5e-4), then Halley's steps with f = below(x) - part,
// f' = exp(-x^2/2)/sqrt(2 pi), f''/f' = -x; each triples the number of digits.
static double find_lower_quantile(double part)
{
    const double t = sqrt(-2.0 * log(part));
    double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
    for (int i = 0; i < 3; i++) {
        const double newton = (kane_normal_below(x) - part) * sqrt_two_pi * exp(0.5 * x * x);
        x -= newton / (1.0 + 0.5 * x * newton);
    }
    return x;
}

double kane_normal_quantile(double part)
{
    if (!(part > 0.0) || !(part < 1.0))
        return part <= 0.0 ? -(double)INFINITY : part >= 1.0 ? (double)INFINITY : (double)NAN;
    return part <= 0.5 ? find_lower_quantile(part) : -find_lower_quantile(1.0 - part);
}
