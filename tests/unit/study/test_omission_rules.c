// SPDX-License-Identifier: MIT
// Rules of omission studies on points whose power law and threshold are known.

#include "check.h"

#include "study/omission.h"

enum { STEPS = 13, POINTS = 4 * STEPS };
static const double limit = 0.01;

// Groups 1e-4, 10^-3.75, ... 0.1, each with effect C g^p times `more`.
static int add_points(kane_omission_point *points, double C, double p, int is_fitted)
{
    for (int i = 0; i < STEPS; i++) {
        const double g = pow(10.0, -4.0 + 0.25 * i), effect = C * pow(g, p);
        points[i] = (kane_omission_point){.group     = g,
                                          .effect    = effect,
                                          .least     = 1e-9,
                                          .judgement = effect < limit ? KANE_IS_NEGLIGIBLE : KANE_IS_TOO_LARGE,
                                          .is_fitted = is_fitted};
    }
    return STEPS;
}

CHECK_TEST(a_power_law_is_found)
{
    kane_omission_point points[POINTS];
    const kane_omission_rule r = kane_omission_fit_rule(add_points(points, 3.0, 1.5, 1), points);
    check_near(r.factor, 3.0, 1e-12);
    check_near(r.exponent, 1.5, 1e-13);
    check_near(r.scatter, 1.0, 1e-6); // square root of a round-off of 1e-14
    assert_int_equal(r.points, STEPS);
    check_near(r.threshold, pow(10.0, -1.75), 1e-15); // 3 g^1.5 = 0.01 at 0.0223, between 10^-1.75 and 10^-1.5
    assert_int_equal(r.fitted.count, STEPS);
    assert_int_equal(r.fitted.hits, STEPS);
    assert_int_equal(r.fitted.negligible, 10);
    assert_int_equal(r.tested.count, 0);
}

// Twice and half of it: the law between, a factor of 2 by sqrt(n/(n - 2)).
CHECK_TEST(scatter_is_that_of_the_points)
{
    kane_omission_point points[POINTS];
    int count = add_points(points, 6.0, 1.5, 1);
    count += add_points(points + count, 1.5, 1.5, 1);
    const kane_omission_rule r = kane_omission_fit_rule(count, points);
    check_near(r.factor, 3.0, 1e-12);
    check_near(r.exponent, 1.5, 1e-13);
    check_near(r.scatter, exp(log(2.0) * sqrt(26.0 / 24.0)), 1e-12);
    // 6 g^1.5 = 0.01 at 0.0141: no fitted point that counts is left out, though half of them would allow more
    check_near(r.threshold, 1e-2, 1e-15);
    assert_int_equal(r.fitted.false_neglect, 0);
    assert_int_equal(r.fitted.false_keep, 2); // 1.5 g^1.5 = 0.01 at 0.0354: 10^-1.75 and 10^-1.5
}

CHECK_TEST(both_kinds_of_mistakes_are_counted)
{
    kane_omission_point points[POINTS];
    int count = add_points(points, 3.0, 1.5, 1);
    count += add_points(points + count, 6.0, 1.5, 0); // counts from 0.0141 on: 10^-1.75 is left out and should not be
    count += add_points(points + count, 1.0, 1.5, 0); // from 0.0464 on: 10^-1.5 could be left out
    points[count]              = points[STEPS];
    points[count].judgement    = KANE_IS_UNRESOLVED;
    points[count + 1]          = points[STEPS];
    points[count + 1].group    = (double)NAN;
    const kane_omission_rule r = kane_omission_fit_rule(count + 2, points);
    assert_int_equal(r.tested.count, 2 * STEPS);
    assert_int_equal(r.tested.false_neglect, 1);
    assert_int_equal(r.tested.false_keep, 1);
    assert_int_equal(r.tested.hits, 2 * STEPS - 2);
    assert_int_equal(r.tested.unresolved, 1);
    assert_int_equal(r.tested.kinked, 1);
    check_near(r.exponent, 1.5, 1e-13); // what tests is not fitted
}

CHECK_TEST(where_the_least_effect_counts_nothing_is_left_out)
{
    kane_omission_point points[POINTS];
    int count = add_points(points, 1e9, 1.5, 1);
    count += add_points(points + count, 1e-9, 1.5, 0);
    const kane_omission_rule r = kane_omission_fit_rule(count, points);
    assert_true(isnan(r.threshold));
    assert_int_equal(r.fitted.hits, STEPS);
    assert_int_equal(r.tested.hits, 0);
    assert_int_equal(r.tested.false_keep, STEPS);
}

// Effects below what is resolved, and equal groups, make no power law.
CHECK_TEST(what_is_not_resolved_makes_no_law)
{
    kane_omission_point points[POINTS];
    const int count = add_points(points, 3.0, 1.5, 1);
    for (int i = 0; i < count; i++)
        points[i].least = 1.0;
    const kane_omission_rule none = kane_omission_fit_rule(count, points);
    assert_int_equal(none.points, 0);
    assert_true(isnan(none.factor) && isnan(none.exponent) && isnan(none.scatter));
    for (int i = 0; i < count; i++) {
        points[i].least = 0.0;
        points[i].group = 0.1;
    }
    assert_true(isnan(kane_omission_fit_rule(count, points).exponent));
}

CHECK_MAIN(NULL, NULL)
