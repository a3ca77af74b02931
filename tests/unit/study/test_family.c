// SPDX-License-Identifier: MIT
// The family of polynomial transitions: ends, independence of its unknowns, growth, and what the track makes of it.

#include "check.h"
#include "track/shape.h"

#include <kane/transition.h>

// f and its derivatives at x for some unknowns.
static kane_shape shape_of(const kane_transition_family *family, const double *c, double x)
{
    double a[KANE_POLYNOMIAL_MAX];
    return kane_shape_polynomial(a, kane_family_coefficients(family, c, a), x);
}

static const double some[KANE_POLYNOMIAL_MAX] = {0.31,  -0.22, 0.17, 0.4,  -0.35, 0.05,
                                                 -0.12, 0.21,  0.09, -0.3, 0.2,   0.1};

CHECK_TEST(ends_are_what_was_asked_for)
{
    for (int ends = 0; ends <= 4; ends++)
        for (int unknowns = 0; unknowns <= 6; unknowns++) {
            const kane_transition_family family = {.ends = ends, .unknowns = unknowns};
            const kane_shape a = shape_of(&family, some, 0.0), b = shape_of(&family, some, 1.0);
            check_near(a.f[0], 0.0, 0.0);
            check_near(b.f[0], 1.0, 1e-12);
            for (int i = 1; i <= ends; i++) {
                check_near(a.f[i], 0.0, 0.0);
                check_near(b.f[i], 0.0, 1e-12 * pow(15.0, 2.0 * i + 2.0)); // of sums of terms up to 15^(2 i)
            }
            // and not one more
            if (ends < 4 && unknowns > 0)
                assert_true(fabs(a.f[ends + 1]) > 0.1);
        }
}

CHECK_TEST(without_unknowns_it_is_the_known_shape)
{
    for (int i = 0; i <= 10; i++) {
        const double x = 0.1 * i, x3 = x * x * x;
        const kane_transition_family clothoid = {.ends = 0}, bloss = {.ends = 1}, fifth = {.ends = 2},
                                     wiener = {.ends = 3};
        check_near(shape_of(&clothoid, NULL, x).f[0], x, 1e-15);
        check_near(shape_of(&bloss, NULL, x).f[0], kane_shape_bloss(x).f[0], 1e-15);
        check_near(shape_of(&fifth, NULL, x).f[0], x3 * (10.0 + x * (-15.0 + 6.0 * x)), 1e-14);
        check_near(shape_of(&wiener, NULL, x).f[0], kane_shape_wiener(x).f[0], 1e-13);
    }
}

// f' = W (1 + sum c_k G_k): the part of one unknown is what it adds.
static double part(int ends, int k, double x)
{
    const kane_transition_family family = {.ends = ends, .unknowns = k};
    const double c[KANE_POLYNOMIAL_MAX] = {[0] = 0.0};
    double own[KANE_POLYNOMIAL_MAX]     = {0.0};
    own[k - 1]                          = 1.0;
    return kane_family_growth(&family, own, x) - kane_family_growth(&family, c, x);
}

CHECK_TEST(unknowns_are_orthogonal_under_the_weight)
{
    enum { POINTS = 2000 };
    for (int ends = 0; ends <= 3; ends++)
        for (int j = 1; j <= 5; j++)
            for (int k = 0; k <= j; k++) {
                double sum = 0.0, size = 0.0;
                for (int i = 0; i < POINTS; i++) { // x = sin^2: a smooth periodic integrand, so the sum is exact
                    const double t = 3.14159265358979323846 * (i + 0.5) / (2.0 * POINTS), S = sin(t), C = cos(t);
                    const double x = S * S, w = pow(x * (1.0 - x), ends) * 2.0 * S * C;
                    const double other = k > 0 ? part(ends, k, x) : 1.0;
                    sum += w * part(ends, j, x) * other;
                    size += w * part(ends, j, x) * part(ends, j, x);
                }
                assert_true(size > 0.0);
                if (j != k)
                    check_near(sum / size, 0.0, 2e-5 * (ends == 0) + 1e-10);
            }
}

CHECK_TEST(each_unknown_has_a_largest_value_of_one)
{
    for (int ends = 0; ends <= 3; ends++)
        for (int k = 1; k <= 6; k++) {
            double largest = 0.0;
            for (int i = 0; i <= 1000; i++)
                largest = fmax(largest, fabs(part(ends, k, 1e-3 * i)));
            check_near(largest, 1.0, 1e-13);
            check_near(part(ends, k, 1.0), 1.0, 1e-13);
        }
}

// The bracket is that of f', whose coefficients are made in another way.
CHECK_TEST(growth_is_the_slope_over_its_weight)
{
    const double factor[] = {1.0, 6.0, 30.0, 140.0};
    for (int ends = 0; ends <= 3; ends++) {
        const kane_transition_family family = {.ends = ends, .unknowns = 6};
        double least                        = HUGE_VAL;
        for (int i = 1; i < 20; i++) {
            const double x = 0.05 * i, W = factor[ends] * pow(x * (1.0 - x), ends);
            check_near(shape_of(&family, some, x).f[1] / W, kane_family_growth(&family, some, x), 1e-9);
            least = fmin(least, kane_family_growth(&family, some, x));
        }
        assert_true(kane_family_least_growth(&family, some) <= least);
        check_near(kane_family_least_growth(&family, (double[6]){0.0}), 1.0, 0.0);
        check_near(kane_family_least_growth(&family, (double[6]){-1.5}), -0.5, 1e-12); // 1 - 1.5 (2x - 1) at x = 1
    }
}

CHECK_TEST(the_sum_of_coefficients_is_one)
{
    const kane_transition_family family = {.ends = 3, .unknowns = 8};
    double a[KANE_POLYNOMIAL_MAX], sum = 0.0;
    assert_int_equal(kane_family_coefficients(&family, some, a), 16);
    for (int i = 0; i < 16; i++)
        sum += a[i];
    check_near(sum, 1.0, 1e-11); // of terms up to 1e5
}

CHECK_TEST(degrees_are_those_of_a_track_file)
{
    assert_int_equal(kane_family_degree(&(kane_transition_family){.ends = 0, .unknowns = 0}), 1);
    assert_int_equal(kane_family_degree(&(kane_transition_family){.ends = 2, .unknowns = 4}), 9);
    assert_int_equal(kane_family_degree(&(kane_transition_family){.ends = 3, .unknowns = 8}), 15);
    assert_int_equal(kane_family_degree(&(kane_transition_family){.ends = 3, .unknowns = 9}), -1);
    assert_int_equal(kane_family_degree(&(kane_transition_family){.ends = -1, .unknowns = 2}), -1);
    assert_int_equal(kane_family_degree(&(kane_transition_family){.ends = 1, .unknowns = -1}), -1);
    assert_int_equal(kane_family_degree(&(kane_transition_family){.ends = 2000000000, .unknowns = 2}), -1);
}

CHECK_MAIN(NULL, NULL)
