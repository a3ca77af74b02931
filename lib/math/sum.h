// SPDX-License-Identifier: MIT
// Sums that keep what rounding would lose (Neumaier): the error does not grow with the number of terms.

#ifndef KANE_MATH_SUM_H
#define KANE_MATH_SUM_H

#include <math.h>

// Start from `kane_sum sum = {0}`.
typedef struct kane_sum {
    double value, rest;
} kane_sum;

static inline void kane_sum_add(kane_sum *sum, double term)
{
    const double next = sum->value + term;

    if (fabs(sum->value) >= fabs(term))
        sum->rest += (sum->value - next) + term;
    else
        sum->rest += (term - next) + sum->value;
    sum->value = next;
}

static inline double kane_sum_get(const kane_sum *sum)
{
    return sum->value + sum->rest;
}

#endif
