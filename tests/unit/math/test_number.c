// SPDX-License-Identifier: MIT
// Numbers that know their derivatives (kane/number.h), against differences of the same formulas in long double: along a
// path in time, in the directions of the slopes, and with a state.

#include "check.h"
#include "models.h"

#include <kane/number.h>

typedef struct place {
    long double t, x[KANE_NUMBER_TANGENTS], s;
} place;

// v + d t + dd t^2/2 + slope . x, all of it with its change times s.
static long double argument(const kane_number *a, const place *at)
{
    const long double weight[3] = {1.0L, at->t, 0.5L * at->t * at->t};
    long double sum             = 0.0L;
    for (int k = 0; k < KANE_NUMBER_PARTS; k++)
        sum += (k < 3 ? weight[k] : at->x[k - 3]) * ((long double)a->part[k] + at->s * (long double)a->change[k]);
    return sum;
}

typedef long double (*plain)(long double a, long double b);
typedef kane_number (*formula)(kane_number a, kane_number b);

static long double value(plain f, const kane_number *a, const kane_number *b, place at)
{
    return f(argument(a, &at), argument(b, &at));
}

static const long double h         = 2e-3L;
static const long double node[5]   = {-2.0L, -1.0L, 0.0L, 1.0L, 2.0L};
static const long double first[5]  = {1.0L / 12, -8.0L / 12, 0.0L, 8.0L / 12, -1.0L / 12};
static const long double second[5] = {-1.0L / 12, 16.0L / 12, -30.0L / 12, 16.0L / 12, -1.0L / 12};

// Part k at a given s, by differences of fourth order.
static long double part(plain f, const kane_number *a, const kane_number *b, int k, long double s)
{
    long double sum = 0.0L;
    if (k == 0)
        return value(f, a, b, (place){.s = s});
    for (int i = 0; i < 5; i++) {
        place at                        = {.s = s};
        *(k < 3 ? &at.t : &at.x[k - 3]) = node[i] * h;
        sum += (k == 2 ? second[i] : first[i]) * value(f, a, b, at);
    }
    return sum / (k == 2 ? h * h : h);
}

static kane_number random_argument(uint64_t *seed, double mean)
{
    kane_number a = {.changes = 1};
    for (int k = 0; k < KANE_NUMBER_PARTS; k++) {
        a.part[k]   = (k == 0 ? mean : 0.0) + (k == 0 ? 0.2 : 0.7) * random_number(seed);
        a.change[k] = 0.6 * random_number(seed);
    }
    return a;
}

static void check(const char *name, formula f, plain g, double mean_a, double mean_b, uint64_t *seed)
{
    for (int round = 0; round < 5; round++) {
        kane_number a = random_argument(seed, mean_a), b = random_argument(seed, mean_b);
        const kane_number r = f(a, b);
        assert_int_equal(r.changes, 1);
        for (int k = 0; k < KANE_NUMBER_PARTS; k++) {
            long double change = 0.0L;
            for (int i = 0; i < 5; i++)
                change += first[i] * part(g, &a, &b, k, node[i] * h) / h;
            const double expected[2] = {(double)part(g, &a, &b, k, 0.0L), (double)change},
                         got[2]      = {r.part[k], r.change[k]};
            for (int i = 0; i < 2; i++)
                if (!(fabs(got[i] - expected[i]) <= check_tolerance(2e-9 * (1.0 + fabs(expected[i]))))) {
                    print_error("%s: %s %d is %.15g, differences give %.15g\n", name, i ? "change" : "part", k, got[i],
                                expected[i]);
                    fail();
                }
        }
        // without changes the parts are the same
        kane_number c = a, d = b;
        c.changes = d.changes          = 0;
        const kane_number plain_result = f(c, d);
        assert_int_equal(plain_result.changes, 0);
        for (int k = 0; k < KANE_NUMBER_PARTS; k++)
            assert_true(plain_result.part[k] == r.part[k]);
    }
}

#define ONE(name)                                                                                                      \
    static kane_number number_##name(kane_number a, kane_number b)                                                     \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return kn_##name(a);                                                                                           \
    }                                                                                                                  \
    static long double plain_##name(long double a, long double b)                                                      \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return name##l(a);                                                                                             \
    }
ONE(sqrt)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(exp)
ONE(log)
ONE(asin)
ONE(acos)
ONE(atan)

static kane_number number_mixed(kane_number a, kane_number b)
{
    const kane_number sum = kn_shift(kn_sub(kn_scale(3.0, a), kn_neg(kn_add(b, kn_constant(0.5)))), -0.25);
    return kn_add(kn_mul(sum, kn_square(b)), kn_div(a, kn_inverse(b)));
}

static long double plain_mixed(long double a, long double b)
{
    return (3.0L * a + b + 0.25L) * b * b + a * b;
}

static kane_number number_quotient(kane_number a, kane_number b)
{
    return kn_div(a, b);
}

static long double plain_quotient(long double a, long double b)
{
    return a / b;
}

static kane_number number_power(kane_number a, kane_number b)
{
    return kn_mul(kn_power(a, -1.7), kn_power(b, 3.0));
}

static long double plain_power(long double a, long double b)
{
    return powl(a, -1.7L) * b * b * b;
}

static kane_number number_atan2(kane_number a, kane_number b)
{
    return kn_atan2(a, b);
}

static kane_number number_chain(kane_number a, kane_number b)
{
    const double x = kn_value(a);
    (void)b;
    return kn_chain(a, (const double[4]){x * x * x * x, 4.0 * x * x * x, 12.0 * x * x, 24.0 * x});
}

static long double plain_chain(long double a, long double b)
{
    (void)b;
    return a * a * a * a;
}

// |(a, b, 2)|^2 of a vector that is turned, crossed and scaled on the way
static kane_number number_vectors(kane_number a, kane_number b)
{
    const kane_number3 x = kn3(a, b, kn_constant(2.0)), z = kn3_constant(kv3(0.0, 0.0, 1.0));
    const kane_number3 across = kn3_cross(z, x); // (-b, a, 0)
    const kane_number3 sum    = kn3_sub(kn3_add(x, kn3_scale(a, across)), kn3_neg(z));
    return kn_mul(kn3_norm(sum), kn3_dot(across, x));
}

static long double plain_vectors(long double a, long double b)
{
    const long double x = a - a * b, y = b + a * a;
    (void)x;
    return sqrtl(x * x + y * y + 9.0L) * 0.0L;
}

// The dot product above vanishes identically: so does all of its parts; this one does not.
static kane_number number_norm(kane_number a, kane_number b)
{
    const kane_number3 x = kn3(a, b, kn_constant(2.0)), z = kn3_constant(kv3(0.0, 0.0, 1.0));
    return kn3_norm(kn3_sub(kn3_add(x, kn3_scale(a, kn3_cross(z, x))), kn3_neg(z)));
}

static long double plain_norm(long double a, long double b)
{
    const long double x = a - a * b, y = b + a * a;
    return sqrtl(x * x + y * y + 9.0L);
}

CHECK_TEST(test_functions)
{
    uint64_t seed = 41;
    print_message("seed %llu\n", (unsigned long long)seed);
    check("sqrt", number_sqrt, plain_sqrt, 1.3, 0.0, &seed);
    check("sin", number_sin, plain_sin, 0.4, 0.0, &seed);
    check("cos", number_cos, plain_cos, -2.0, 0.0, &seed);
    check("tan", number_tan, plain_tan, 0.5, 0.0, &seed);
    check("exp", number_exp, plain_exp, -0.7, 0.0, &seed);
    check("log", number_log, plain_log, 1.4, 0.0, &seed);
    check("asin", number_asin, plain_asin, 0.3, 0.0, &seed);
    check("acos", number_acos, plain_acos, -0.3, 0.0, &seed);
    check("atan", number_atan, plain_atan, 0.8, 0.0, &seed);
    check("sums and products", number_mixed, plain_mixed, 0.9, -1.1, &seed);
    check("quotient", number_quotient, plain_quotient, 0.9, -1.3, &seed);
    check("power", number_power, plain_power, 1.5, -0.4, &seed);
    check("chain", number_chain, plain_chain, 0.6, 0.0, &seed);
    check("dot of what is square", number_vectors, plain_vectors, 0.5, 0.7, &seed);
    check("norm", number_norm, plain_norm, 0.5, 0.7, &seed);
    const double quadrant[4][2] = {{1.0, 0.6}, {0.7, -1.1}, {-0.9, -0.8}, {-0.6, 1.2}};
    for (int i = 0; i < 4; i++)
        check("atan2", number_atan2, atan2l, quadrant[i][0], quadrant[i][1], &seed);
}

// Whole powers of nothing are finite.
CHECK_TEST(test_power_of_zero)
{
    const kane_number x = {.part = {0.0, 2.0, 1.0, 3.0}}, square = kn_power(x, 2.0), same = kn_square(x);
    for (int k = 0; k < KANE_NUMBER_PARTS; k++)
        check_near(square.part[k], same.part[k], 0.0);
}

CHECK_MAIN(NULL, NULL)
