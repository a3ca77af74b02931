// SPDX-License-Identifier: MIT
// Functions that are short enough to be inline: roots and small angles, attitudes, exact sums, exponentials.

#ifndef KANE_MATH_SMALL_H
#define KANE_MATH_SMALL_H

#include <kane/math.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

// === Sums and sets.

// a . b [n]
static inline double kane_dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// Disjoint sets: leader [items], that of an item is in its set; itself: it leads.
static inline int kane_set_leader(int *leader, int item)
{
    while (leader[item] != item)
        item = leader[item] = leader[leader[item]]; // halves the path
    return item;
}

// Joins the sets of a and b. The smaller index leads, so that sets count in the order of their first items.
static inline void kane_set_join(int *leader, int a, int b)
{
    const int i = kane_set_leader(leader, a), k = kane_set_leader(leader, b);
    leader[i > k ? i : k] = i < k ? i : k;
}

// === Functions that are asked for often, for the arguments that are usual.

// Cube root of a positive number that is neither denormal nor infinite, within 4e-16 of itself: a third of the
// exponent, then Halley's method, whose error is cubed three times from 4 %.
static inline double kane_cube_root(double x)
{
    uint64_t bits;
    double y;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 3 + 0x2A9F84FE36D22425;
    memcpy(&y, &bits, sizeof y);
    for (int i = 0; i < 3; i++) {
        const double cube = y * y * y;
        y                 = y * ((cube + 2.0 * x) / (2.0 * cube + x));
    }
    return y;
}

// atan2(y, x), within 2e-16 of itself where the angle is less than 0.1, by its series up to t^15.
static inline double kane_small_angle(double y, double x)
{
    if (!(x > 0.0 && fabs(y) < 0.1 * x))
        return atan2(y, x);
    const double t = y / x, t2 = t * t;
    const double high = 1.0 / 9.0 - t2 * (1.0 / 11.0 - t2 * (1.0 / 13.0 - t2 * (1.0 / 15.0)));
    return t - t * t2 * (1.0 / 3.0 - t2 * (1.0 / 5.0 - t2 * (1.0 / 7.0 - t2 * high)));
}

// === Attitudes by yaw, roll and pitch: R = Rz(yaw) Rx(roll) Ry(pitch).

// Yaw, roll and pitch of R [rad].
static inline void kane_angles_from_matrix(kane_mat3 R, double angles[3])
{
    angles[0] = atan2(-R.y.x, R.y.y);
    angles[1] = atan2(R.y.z, hypot(R.y.x, R.y.y));
    angles[2] = atan2(-R.x.z, R.z.z);
}

static inline kane_mat3 kane_matrix_from_angles(double yaw, double roll, double pitch)
{
    kane_mat3 R = km3_turn_z(km3_identity(), sin(yaw), cos(yaw));
    R           = km3_turn_x(R, sin(roll), cos(roll));
    return km3_turn_y(R, sin(pitch), cos(pitch));
}

// === Sums that keep what rounding would lose (Neumaier): the error does not grow with the number of terms.

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

// === The exponential function of several numbers at once.

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
