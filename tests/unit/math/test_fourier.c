// SPDX-License-Identifier: MIT
// The fast Fourier transform is the slow one.

#include "check.h"

#include "math/statistics.h"

enum { MOST = 256 };

CHECK_TEST(transforms_are_sums)
{
    kane_random random = kane_random_start(5, 0);
    for (int n = 2; n <= MOST; n *= 2) {
        double c[MOST / 2], s[MOST / 2], x[MOST], y[MOST], re[MOST], im[MOST];
        kane_fourier_angles(n, c, s);
        for (int j = 0; j < n; j++) {
            re[j] = x[j] = kane_random_even(&random) - 0.5;
            im[j] = y[j] = kane_random_even(&random) - 0.5;
        }
        kane_fourier(n, c, s, re, im);
        for (int k = 0; k < n; k++) {
            double sum_re = 0.0, sum_im = 0.0;
            for (int j = 0; j < n; j++) {
                const double a = -2.0 * 3.14159265358979323846 * (j * k % n) / n;
                sum_re += x[j] * cos(a) - y[j] * sin(a);
                sum_im += x[j] * sin(a) + y[j] * cos(a);
            }
            check_near(re[k], sum_re, 1e-13 * n);
            check_near(im[k], sum_im, 1e-13 * n);
        }
    }
}

CHECK_MAIN(NULL, NULL)
