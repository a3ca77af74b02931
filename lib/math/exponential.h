// SPDX-License-Identifier: MIT
// The exponential function of several numbers at once.

#ifndef KANE_MATH_EXPONENTIAL_H
#define KANE_MATH_EXPONENTIAL_H

#include <stdint.h>
#include <string.h>

enum { KANE_EXP_MOST = 32 };

// exp(x[i]) for i < count <= KANE_EXP_MOST in place of x[i], within 5e-16 of itself, in steps that a compiler does for
// several numbers at once. Above 700 as at 700, below -700 as there (1e-304). No number must be a NaN.
//
// x = k ln 2 + r, |r| <= ln 2/2; exp(r) by its series up to r^12/12!, 2^k by its bits.
static inline void kane_exp_block(int count, double *restrict x)
{
    // sums with this one are rounded to integers, which then stand in the lowest bits
    const double rounder = 6755399441055744.0; // 1.5 * 2^52
    // ln 2 in two parts, the first with so few digits that k times it is exact
    const double high = 0.693147180369123816490, low = 1.90821492927058770002e-10, per_ln2 = 1.4426950408889634;
    double k[KANE_EXP_MOST], power[KANE_EXP_MOST];

    for (int i = 0; i < count; i++) {
        x[i] = x[i] < 700.0 ? x[i] : 700.0;
        x[i] = x[i] > -700.0 ? x[i] : -700.0;
        k[i] = x[i] * per_ln2 + rounder;
    }
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &k[i], sizeof bits);
        bits = (bits + 1023) << 52;
        memcpy(&power[i], &bits, sizeof bits);
    }
    for (int i = 0; i < count; i++) {
        const double whole = k[i] - rounder, r = (x[i] - whole * high) - whole * low, r2 = r * r, r4 = r2 * r2;
        const double a = (1.0 / 2.0 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0));
        const double b = (1.0 / 720.0 + r * (1.0 / 5040.0)) + r2 * (1.0 / 40320.0 + r * (1.0 / 362880.0));
        const double c = (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) + r2 * (1.0 / 479001600.0);
        x[i]           = power[i] + power[i] * (r + r2 * (a + r4 * (b + r4 * c)));
    }
}

#endif
