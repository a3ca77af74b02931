// SPDX-License-Identifier: MIT
// Student's distribution by the incomplete beta function: the part outside of -t .. t is I_x(n/2, 1/2), x = n/(n + t^2), and
// I_x is a continued fraction (Abramowitz and Stegun 26.5.8, by Lentz's method).

#include "math/student.h"

#include <math.h>

static double fraction(double a, double b, double x)
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
    return x < (a + 1.0) / (a + b + 2.0) ? front * fraction(a, b, x) / a : 1.0 - front * fraction(b, a, 1.0 - x) / b;
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
