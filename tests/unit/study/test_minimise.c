// SPDX-License-Identifier: MIT
// Minima of functions whose minimum is known, with every algorithm; paths that are the same each time.

#include "check.h"
#include "study/minimise.h"

enum { UNKNOWNS = 3 };

typedef struct question {
    int evaluations;
    int fails_beyond; // 1: no value where x[0] > 0.5
    int stops_at;     // evaluation that ends the search; 0: none
    double path[2000][UNKNOWNS];
} question;

// A valley that is neither round nor along the axes; 2 at (0.3, -0.2, 0.1).
static kane_status valley(const double *x, double *value, void *data)
{
    question *q    = data;
    const double a = x[0] - 0.3, b = x[1] + 0.2, c = x[2] - 0.1;
    memcpy(q->path[q->evaluations], x, UNKNOWNS * sizeof *x);
    q->evaluations++;
    *value = 2.0 + a * a + 4.0 * b * b + 0.5 * c * c + a * b + 0.3 * b * c + a * a * a * a;
    if (q->fails_beyond && x[0] > 0.5)
        *value = NAN;
    return q->stops_at == q->evaluations ? KANE_INTERRUPTED : KANE_OK;
}

// Its derivatives.
static void valley_slope(const double *x, double *gradient, void *data)
{
    const double a = x[0] - 0.3, b = x[1] + 0.2, c = x[2] - 0.1;
    (void)data;
    gradient[0] = 2.0 * a + b + 4.0 * a * a * a;
    gradient[1] = 8.0 * b + a + 0.3 * c;
    gradient[2] = c + 0.3 * b;
}

static minimisation usual(kane_algorithm algorithm, question *q)
{
    *q = (question){0};
    return (minimisation){.gradient         = algorithm == KANE_SLSQP ? valley_slope : NULL,
                          .algorithm        = algorithm,
                          .count            = UNKNOWNS,
                          .bound            = 1.0,
                          .step             = 0.2,
                          .tolerance        = 1e-5,
                          .evaluations_most = 1000,
                          .seed             = 1,
                          .value            = valley,
                          .data             = q};
}

static question question_of_test, again; // large

CHECK_TEST(every_algorithm_finds_the_minimum)
{
    for (int a = 0; a < KANE_ALGORITHMS; a++) {
        const minimisation m = usual((kane_algorithm)a, &question_of_test);
        double x[UNKNOWNS]   = {-0.6, 0.5, -0.4};
        minimum found;
        assert_int_equal(minimise(&m, x, &found), KANE_OK);
        check_near(x[0], 0.3, 2e-3);
        check_near(x[1], -0.2, 2e-3);
        check_near(x[2], 0.1, 4e-3);
        check_near(found.value, 2.0, 1e-5);
        assert_int_equal(found.evaluations, question_of_test.evaluations);
        assert_true(found.evaluations <= 1000);
    }
}

// The unit of the value changes no search: its first step is as long with a value of 2e-9 as with one of 2.
static kane_status small_valley(const double *x, double *value, void *data)
{
    const kane_status status = valley(x, value, data);
    *value *= 1e-9;
    return status;
}

static void small_valley_slope(const double *x, double *gradient, void *data)
{
    valley_slope(x, gradient, data);
    for (int i = 0; i < UNKNOWNS; i++)
        gradient[i] *= 1e-9;
}

CHECK_TEST(the_unit_of_the_value_does_not_matter)
{
    for (int a = 0; a < KANE_ALGORITHMS; a++) {
        minimisation m     = usual((kane_algorithm)a, &question_of_test);
        double x[UNKNOWNS] = {-0.6, 0.5, -0.4};
        minimum found;
        m.value    = small_valley;
        m.gradient = m.gradient ? small_valley_slope : NULL;
        assert_int_equal(minimise(&m, x, &found), KANE_OK);
        check_near(x[0], 0.3, 2e-3);
        check_near(x[1], -0.2, 2e-3);
        check_near(x[2], 0.1, 4e-3);
        check_near(found.value, 2e-9, 1e-14);
    }
}

CHECK_TEST(the_same_search_goes_the_same_way)
{
    for (int a = 0; a < KANE_ALGORITHMS; a++) {
        double x[UNKNOWNS] = {-0.6, 0.5, -0.4}, y[UNKNOWNS] = {-0.6, 0.5, -0.4};
        minimum first, second;
        const minimisation m = usual((kane_algorithm)a, &question_of_test), n = usual((kane_algorithm)a, &again);
        assert_int_equal(minimise(&m, x, &first), KANE_OK);
        assert_int_equal(minimise(&n, y, &second), KANE_OK);
        assert_memory_equal(&question_of_test, &again, sizeof again);
        assert_memory_equal(x, y, sizeof x);
    }
    minimisation m = usual(KANE_CRS, &question_of_test), n = usual(KANE_CRS, &again);
    double x[UNKNOWNS] = {-0.6, 0.5, -0.4}, y[UNKNOWNS] = {-0.6, 0.5, -0.4};
    minimum first;
    n.seed = 2;
    assert_int_equal(minimise(&m, x, &first), KANE_OK);
    assert_int_equal(minimise(&n, y, &first), KANE_OK);
    assert_memory_not_equal(question_of_test.path[5], again.path[5], sizeof again.path[5]);
}

CHECK_TEST(bounds_hold)
{
    for (int a = 0; a < KANE_ALGORITHMS; a++) {
        minimisation m     = usual((kane_algorithm)a, &question_of_test);
        double x[UNKNOWNS] = {-0.1, 0.05, -0.04};
        minimum found;
        m.bound = 0.15;
        assert_int_equal(minimise(&m, x, &found), KANE_OK);
        for (int i = 0; i < question_of_test.evaluations; i++)
            for (int k = 0; k < UNKNOWNS; k++)
                assert_true(fabs(question_of_test.path[i][k]) <= 0.15);
        check_near(x[0], 0.15, 1e-3);
        check_near(x[1], -0.15, 1e-3);
    }
}

// What looks over all of the bounds leaves half of its evaluations to one that comes to the point.
CHECK_TEST(global_searches_are_followed_by_local_ones)
{
    for (int a = KANE_CRS; a <= KANE_DIRECT; a++) {
        minimisation m     = usual((kane_algorithm)a, &question_of_test);
        double x[UNKNOWNS] = {-0.6, 0.5, -0.4};
        minimum found;
        m.evaluations_most = 160;
        assert_int_equal(minimise(&m, x, &found), KANE_OK);
        check_near(found.value, 2.0, 1e-8);
        check_near(x[0], 0.3, 1e-3);
    }
}

// The largest of p = (x0 + x1 - 1, 2 - 2 x0, x0 - x1, -5) is least where the first three meet: their mean is 1/3
// whatever x is, so that their largest is 1/3 at least, and it is at x0 = 5/6, x1 = 1/2.
static kane_status eval_planes(const double *x, double *parts, void *data)
{
    question *q = data;
    q->evaluations++;
    parts[0] = x[0] + x[1] - 1.0;
    parts[1] = 2.0 - 2.0 * x[0];
    parts[2] = x[0] - x[1];
    parts[3] = -5.0;
    return KANE_OK;
}

static void slopes_of_planes(const double *x, double *gradient, void *data)
{
    static const double all[] = {1.0, 1.0, 0.0, -2.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0};
    (void)x;
    (void)data;
    memcpy(gradient, all, sizeof all);
}

CHECK_TEST(the_largest_of_several_is_made_small)
{
    static const kane_algorithm both[] = {KANE_COBYLA, KANE_SLSQP};
    for (int i = 0; i < 2; i++) {
        minimisation m     = usual(both[i], &question_of_test);
        double x[UNKNOWNS] = {-0.6, 0.5, -0.4};
        minimum found;
        m.part_count = 4;
        m.value      = eval_planes;
        m.gradient   = both[i] == KANE_SLSQP ? slopes_of_planes : NULL;
        m.tolerance  = 1e-8;
        assert_int_equal(minimise(&m, x, &found), KANE_OK);
        check_near(found.value, 1.0 / 3.0, 1e-7);
        check_near(x[0], 5.0 / 6.0, 1e-6);
        check_near(x[1], 0.5, 1e-6);
        assert_int_equal(found.evaluations, question_of_test.evaluations);
        assert_true(found.evaluations < 200);
    }
}

// No point holds x0 <= -2 within bounds of 1: the best one is at the bound, and its violation is 1.
static void out_of_reach(const double *x, double *values, void *data)
{
    (void)data;
    values[0] = -2.0 - x[0];
}

CHECK_TEST(constraints_that_cannot_be_held_are_reported)
{
    minimisation m     = usual(KANE_COBYLA, &question_of_test);
    double x[UNKNOWNS] = {0.6, 0.5, -0.4};
    minimum found;
    m.constraint_count = 1;
    m.constrain        = out_of_reach;
    m.tolerance        = 1e-8;
    assert_int_equal(minimise(&m, x, &found), KANE_OK);
    assert_true(isinf(found.value));
    check_near(found.violation, 1.0, 1e-6);
    check_near(x[0], -1.0, 1e-6);
}

// x0 + x1 <= 0 cuts the valley: by Lagrange the best point has x0 = -x1 = t.
static void sum_not_positive(const double *x, double *values, void *data)
{
    (void)data;
    values[0] = -x[0] - x[1];
}

CHECK_TEST(constraints_hold)
{
    minimisation m     = usual(KANE_COBYLA, &question_of_test);
    double x[UNKNOWNS] = {-0.6, 0.5, -0.4}, best = HUGE_VAL, best_t = 0.0;
    minimum found;
    m.constraint_count = 1;
    m.constrain        = sum_not_positive;
    m.tolerance        = 1e-6;
    assert_int_equal(minimise(&m, x, &found), KANE_OK);
    for (int i = 0; i <= 20000; i++) { // along the border, c at its best: 0.5 c^2 + 0.3 b c
        const double t = i * 5e-5, a = t - 0.3, b = -t + 0.2;
        const double value = 2.0 + a * a + 4.0 * b * b + a * b + a * a * a * a - 0.5 * 0.09 * b * b;
        if (value < best) {
            best   = value;
            best_t = t;
        }
    }
    assert_true(x[0] + x[1] <= 0.0);
    check_near(found.value, best, 1e-5);
    check_near(x[0], best_t, 5e-3);
}

CHECK_TEST(places_without_a_value_are_gone_around)
{
    for (int a = 0; a < KANE_ALGORITHMS; a++) {
        const minimisation m          = usual((kane_algorithm)a, &question_of_test);
        double x[UNKNOWNS]            = {-0.6, 0.5, -0.4};
        question_of_test.fails_beyond = 1;
        minimum found;
        assert_int_equal(minimise(&m, x, &found), KANE_OK);
        check_near(found.value, 2.0, 2e-2);
        assert_true(x[0] <= 0.5);
    }
    const minimisation m          = usual(KANE_BOBYQA, &question_of_test);
    double x[UNKNOWNS]            = {0.6, 0.5, -0.4};
    question_of_test.fails_beyond = 1;
    minimum found;
    assert_int_equal(minimise(&m, x, &found), KANE_NOT_SOLVED); // nothing at the first point
    assert_int_equal(question_of_test.evaluations, 1);
}

CHECK_TEST(a_budget_is_kept_exactly)
{
    for (int a = 0; a < KANE_ALGORITHMS; a++)
        for (int most = 1; most <= (a == KANE_SLSQP ? 14 : 40); most += 13) { // SLSQP soon comes to the point
            minimisation m     = usual((kane_algorithm)a, &question_of_test);
            double x[UNKNOWNS] = {-0.6, 0.5, -0.4};
            minimum found;
            m.evaluations_most = most;
            m.tolerance        = 1e-12;
            assert_int_equal(minimise(&m, x, &found), KANE_OK);

            assert_int_equal(question_of_test.evaluations, most);
            assert_int_equal(found.evaluations, most);
            assert_int_equal(found.end, MINIMUM_BUDGET);
        }
}

CHECK_TEST(who_asks_may_stop_it)
{
    for (int a = 0; a < KANE_ALGORITHMS; a++) {
        const minimisation m      = usual((kane_algorithm)a, &question_of_test);
        double x[UNKNOWNS]        = {-0.6, 0.5, -0.4};
        question_of_test.stops_at = 5;
        minimum found;
        assert_int_equal(minimise(&m, x, &found), KANE_INTERRUPTED);
        assert_int_equal(question_of_test.evaluations, 5);
    }
}

CHECK_MAIN(NULL, NULL)
