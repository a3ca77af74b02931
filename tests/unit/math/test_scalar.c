// SPDX-License-Identifier: MIT
// Numbers with slopes (kane/scalar.h): values are those of plain doubles, slopes those of differences in long double.

#include "models.h"

#include <kane/scalar.h>

typedef kane_scalar (*formula)(kane_scalar a, kane_scalar b);
typedef long double (*plain)(long double a, long double b);

enum { DIRECTIONS = 6 };

static double slope(kane_scalar a, int k)
{
    return kv3_get(k < 3 ? kane_tangents_first(a.t) : kane_tangents_last(a.t), k % 3);
}

static kane_scalar random_scalar(uint64_t *seed, double mean)
{
    kane_scalar a = ks_constant(mean + 0.2 * random_number(seed));
    for (int i = 0; i < 2; i++) {
        a.t.a[i] = random_number(seed);
        a.t.b[i] = random_number(seed);
        a.t.c[i] = random_number(seed);
    }
    return a;
}

static void check(const char *name, formula f, plain g, double mean_a, double mean_b)
{
    const long double h = 1e-5L;
    uint64_t seed       = 3;
    for (int round = 0; round < 10; round++) {
        const kane_scalar a = random_scalar(&seed, mean_a), b = random_scalar(&seed, mean_b), r = f(a, b);
        const kane_scalar still = f(ks_constant(ks_value(a)), ks_constant(ks_value(b)));
        check_near(ks_value(r), (double)g(a.v, b.v), 1e-15 * (1.0 + fabs(ks_value(r))));
        assert_true(ks_value(still) == ks_value(r));
        for (int k = 0; k < DIRECTIONS; k++) {
            const long double da = slope(a, k), db = slope(b, k);
            const double expected = (double)((g(a.v + h * da, b.v + h * db) - g(a.v - h * da, b.v - h * db)) / (2 * h));
            if (!(fabs(slope(r, k) - expected) <= check_tolerance(1e-8 * (1.0 + fabs(expected))))) {
                print_error("%s: slope %d is %.15g, differences give %.15g\n", name, k, slope(r, k), expected);
                fail();
            }
            assert_true(slope(still, k) == 0.0);
        }
    }
}

#define FUNCTION(name, by_scalars, by_hand)                                                                            \
    static kane_scalar name##_s(kane_scalar a, kane_scalar b)                                                          \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return by_scalars;                                                                                             \
    }                                                                                                                  \
    static long double name##_l(long double a, long double b)                                                          \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return by_hand;                                                                                                \
    }

FUNCTION(add, ks_add(a, b), a + b)
FUNCTION(sub, ks_sub(a, b), a - b)
FUNCTION(neg, ks_neg(a), -a)
FUNCTION(scale, ks_scale(1.5, a), 1.5L * a)
FUNCTION(shift, ks_shift(a, 1.5), a + 1.5L)
FUNCTION(mul, ks_mul(a, b), a *b)
FUNCTION(square, ks_square(a), a *a)
FUNCTION(inverse, ks_inverse(a), 1.0L / a)
FUNCTION(divide, ks_div(a, b), a / b)
FUNCTION(over, ks_over(a, 1.5), a / 1.5L)
FUNCTION(root, ks_sqrt(a), sqrtl(a))
FUNCTION(power, ks_power(a, 1.4), powl(a, 1.4L))
FUNCTION(cube, ks_power(a, 3.0), a *a *a)
FUNCTION(absolute, ks_abs(a), fabsl(a))
FUNCTION(sine, ks_sin(a), sinl(a))
FUNCTION(cosine, ks_cos(a), cosl(a))
FUNCTION(tangent, ks_tan(a), tanl(a))
FUNCTION(exponential, ks_exp(a), expl(a))
FUNCTION(logarithm, ks_log(a), logl(a))
FUNCTION(hyperbolic, ks_tanh(a), tanhl(a))
FUNCTION(arcsine, ks_asin(a), asinl(a))
FUNCTION(arccosine, ks_acos(a), acosl(a))
FUNCTION(arctangent, ks_atan(a), atanl(a))
FUNCTION(angle, ks_atan2(a, b), atan2l(a, b))
FUNCTION(chain, ks_chain(a, sin(a.v), cos(a.v)), sinl(a))
FUNCTION(norm, ks3_norm(ks3(a, b, ks_constant(2.0))), sqrtl(a *a + b * b + 4.0L))
FUNCTION(dot, ks3_dot(ks3(a, b, a), ks3_shift(ks3(b, b, a), (kane_vec3){1, 2, 3})),
         a *(b + 1.0L) + b * (b + 2.0L) + a * (a + 3.0L))
FUNCTION(cross, ks3_cross(ks3(a, b, a), ks3_by(2.0, ks3(b, a, b))).z, 2.0L * (a * a - b * b))
FUNCTION(along, ks3_along(ks3_mul((kane_vec3){1, 2, 3}, ks3(a, b, a)), (kane_vec3){0.5, 0.25, 2}),
         0.5L * a + 0.5L * b + 6.0L * a)
FUNCTION(sums, ks3_sub(ks3_add_scaled(ks3(a, b, a), b, ks3(a, b, a)), ks3_neg(ks3_times(a, (kane_vec3){1, 2, 3}))).y,
         b + b * b + 2.0L * a)

CHECK_TEST(slopes_are_derivatives)
{
#define CHECK(name, a, b) check(#name, name##_s, name##_l, a, b)
    CHECK(add, 1.0, -2.0);
    CHECK(sub, 1.0, -2.0);
    CHECK(neg, 1.0, 0.0);
    CHECK(scale, 1.0, 0.0);
    CHECK(shift, 1.0, 0.0);
    CHECK(mul, 1.0, -2.0);
    CHECK(square, -1.0, 0.0);
    CHECK(inverse, -1.0, 0.0);
    CHECK(divide, 1.0, -2.0);
    CHECK(over, 1.0, 0.0);
    CHECK(root, 1.0, 0.0);
    CHECK(power, 1.0, 0.0);
    CHECK(cube, -1.0, 0.0);
    CHECK(absolute, 1.0, 0.0);
    CHECK(absolute, -1.0, 0.0);
    CHECK(sine, 1.0, 0.0);
    CHECK(cosine, 1.0, 0.0);
    CHECK(tangent, 1.0, 0.0);
    CHECK(exponential, 1.0, 0.0);
    CHECK(logarithm, 1.0, 0.0);
    CHECK(hyperbolic, 1.0, 0.0);
    CHECK(arcsine, 0.3, 0.0);
    CHECK(arccosine, -0.3, 0.0);
    CHECK(arctangent, 1.0, 0.0);
    CHECK(angle, 1.0, -2.0);
    CHECK(angle, -1.0, 0.3);
    CHECK(chain, 1.0, 0.0);
    CHECK(norm, 1.0, -2.0);
    CHECK(dot, 1.0, -2.0);
    CHECK(cross, 1.0, -2.0);
    CHECK(along, 1.0, -2.0);
    CHECK(sums, 1.0, -2.0);
}

// x^n has a slope at 0 as far as n is 1 or more.
CHECK_TEST(powers_at_zero)
{
    kane_scalar x = ks_constant(0.0);
    x.t.a[0]      = 2.0;
    assert_true(slope(ks_power(x, 1.0), 0) == 2.0);
    assert_true(slope(ks_power(x, 3.0), 0) == 0.0);
    assert_true(slope(ks_power(x, 0.0), 0) == 0.0);
}

// |a| has no slope where a is 0; |a| a has one.
CHECK_TEST(no_length_no_slope)
{
    kane_scalar3 a = ks3_constant(kv3_zero());
    a.x.t.a[0] = a.y.t.a[1] = 3.0;
    assert_true(slope(ks3_norm(a), 0) == 0.0 && slope(ks3_norm(a), 1) == 0.0);
    assert_true(slope(ks3_scale(ks3_norm(a), a).x, 0) == 0.0);
    assert_true(slope(ks3_scale(ks_shift(ks3_norm(a), 2.0), a).y, 1) == 6.0);
}

CHECK_MAIN(NULL, NULL)
