// SPDX-License-Identifier: MIT
// Samples of distributions, and statistics and Sobol's indices of functions whose own are known.

#include "check.h"
#include "study/sample.h"

#include "math/statistics.h"

static const double pi = 3.14159265358979323846, infinite = (double)INFINITY;

CHECK_TEST(test_normal_distribution)
{
    check_near(kane_normal_quantile(0.975), 1.959963984540054, 1e-14);
    check_near(kane_normal_quantile(0.5), 0.0, 1e-16);
    check_near(kane_normal_quantile(1e-10), -6.361340902404056, 1e-13);
    check_near(kane_normal_below(-1.0), 0.158655253931457051, 1e-16);
    assert_true(kane_normal_quantile(0.0) == -infinite && kane_normal_quantile(1.0) == infinite);
    for (int i = 1; i < 1000; i++)
        check_near(kane_normal_below(kane_normal_quantile(i / 1000.0)), i / 1000.0, 1e-15);
}

// Mean of a distribution from its quantiles in the middle of many equal parts.
static double find_mean(const kane_distribution *d)
{
    enum { N = 20000 };
    double sum = 0.0, before = -infinite;
    for (int i = 0; i < N; i++) {
        const double x = kane_distribution_quantile(d, (i + 0.5) / N);
        assert_true(x >= before && x >= d->least && x <= d->greatest);
        before = x;
        sum += x;
    }
    return sum / N;
}

static double find_density(double x)
{
    return exp(-0.5 * x * x) / sqrt(2.0 * pi);
}

// Cut off at a and b standard deviations: mean = m + s (find_density(a) - find_density(b))/(part between them).
CHECK_TEST(test_cut_normal_distributions)
{
    static const double ends[][2] = {{-1.0, 2.0}, {0.5, 3.0}, {-3.0, -0.5}, {4.0, 4.6}, {-4.6, -4.0}};
    for (int i = 0; i < 5; i++) {
        const double a = ends[i][0], b = ends[i][1], m = 20.0, s = 2.0;
        const double part         = 0.5 * (erfc(a / sqrt(2.0)) - erfc(b / sqrt(2.0)));
        const kane_distribution d = {KANE_DISTRIBUTION_NORMAL, m, s, m + a * s, m + b * s};
        check_near(find_mean(&d), m + s * (find_density(a) - find_density(b)) / part, 1e-6);
        check_near(kane_distribution_quantile(&d, 0.0), d.least, 1e-12);
        check_near(kane_distribution_quantile(&d, 1.0), d.greatest, 1e-12);
    }
}

// One sample in each part of equal probability (by erfc), and a text that says the same number.
CHECK_TEST(test_strata)
{
    enum { N = 100 };
    const kane_distribution d[2] = {{KANE_DISTRIBUTION_NORMAL, 8.0, 2.0, -infinite, infinite},
                                    {KANE_DISTRIBUTION_UNIFORM, 0.0, 0.0, -1.0, 3.0}};
    int order[N];
    double within[N];
    for (int k = 0; k < 2; k++) {
        int hit[N] = {0};
        kane_sample_strata(7, k, N, order, within);
        for (int i = 0; i < N; i++) {
            char text[KANE_NUMBER_SIZE];
            const double x    = kane_sample_draw(&d[k], order[i], within[i], N, 0, text);
            const double part = k == 0 ? 0.5 * erfc((8.0 - x) / sqrt(8.0)) : (x + 1.0) / 4.0;
            assert_true(strtod(text, NULL) == x && strlen(text) < 14);
            assert_in_range((int)floor(part * N), 0, N - 1);
            hit[(int)floor(part * N)]++;
        }
        for (int i = 0; i < N; i++)
            assert_int_equal(hit[i], 1);
    }
}

// More random samples keep the first ones; other seeds and axes have others.
CHECK_TEST(test_random_samples)
{
    const kane_distribution d = {KANE_DISTRIBUTION_NORMAL, 0.0, 1.0, -infinite, infinite};
    enum { FEW = 10, MANY = 20000 };
    static double few[FEW], many[MANY], other[FEW];
    kane_sample_strata(3, 1, FEW, NULL, few);
    kane_sample_strata(3, 1, MANY, NULL, many);
    for (int i = 0; i < FEW; i++)
        assert_true(few[i] == many[i]);
    for (int k = 0; k < 2; k++) {
        kane_sample_strata(3 + k, 2 - k, FEW, NULL, other);
        assert_true(few[0] != other[0]);
    }
    for (int i = 0; i < MANY; i++) {
        char text[KANE_NUMBER_SIZE];
        many[i] = kane_sample_draw(&d, 0, many[i], MANY, 1, text);
    }
    const kane_summary s = kane_summary_reduce(MANY, many);
    check_near(s.mean, 0.0, 3.0 / sqrt(MANY));
    check_near(s.deviation, 1.0, 3.0 / sqrt(2.0 * MANY));
}

// 1 .. n: mean (n + 1)/2, variance n (n + 1)/12.
CHECK_TEST(test_statistics)
{
    enum { N = 101 };
    double values[N + 2];
    values[0] = (double)NAN;
    for (int i = 0; i < N; i++)
        values[i + 1] = N - i;
    values[N + 1]        = infinite;
    const kane_summary s = kane_summary_reduce(N + 2, values);
    assert_int_equal(s.count, N);
    check_near(s.mean, (N + 1) / 2.0, 1e-13);
    check_near(s.deviation, sqrt(N * (N + 1) / 12.0), 1e-13);
    check_near(s.error, sqrt((N + 1) / 12.0), 1e-13);
    assert_true(s.least == 1.0 && s.greatest == N && values[5] == 6.0);
    const kane_summary none = kane_summary_reduce(1, &(double){(double)NAN});
    assert_true(none.count == 0 && isnan(none.mean) && isnan(none.least));
    // Wilks's numbers of samples
    assert_int_equal(kane_summary_needed(5.0), 59);
    assert_int_equal(kane_summary_needed(95.0), 59);
    assert_int_equal(kane_summary_needed(1.0), 299);
    assert_int_equal(kane_summary_needed(50.0), 6);
}

// --- Sobol's indices ---

enum { K = 3, ROWS = 4096, COLUMNS = K + 2 };

// Saltelli's scheme over uniform parameters between a and b.
static void evaluate_scheme(double (*f)(const double *x), double a, double b, double *values)
{
    static double within[2][K][ROWS];
    static int order[2][K][ROWS];
    const kane_distribution d = {KANE_DISTRIBUTION_UNIFORM, 0.0, 0.0, a, b};
    for (int m = 0; m < 2; m++)
        for (int p = 0; p < K; p++)
            kane_sample_strata(1, m * K + p, ROWS, order[m][p], within[m][p]);
    for (int n = 0; n < ROWS; n++)
        for (int c = 0; c < COLUMNS; c++) {
            char text[KANE_NUMBER_SIZE];
            double x[K];
            for (int p = 0; p < K; p++) {
                const int m = c == 1 || c == p + 2;
                x[p]        = kane_sample_draw(&d, order[m][p][n], within[m][p][n], ROWS, 0, text);
            }
            values[n * COLUMNS + c] = f(x);
        }
}

static void check_index(const char *name, double index, double error, double expected)
{
    if (!(fabs(index - expected) <= 3.0 * error && error < 0.03))
        fail_msg("%s: %g +- %g, expected %g", name, index, error, expected);
}

static void check_indices(const double *values, const double *first, const double *total)
{
    kane_sobol_index index[K];
    assert_int_equal(kane_sobol_reduce(ROWS, K, values, index), ROWS);
    for (int p = 0; p < K; p++) {
        check_index("first", index[p].first, index[p].first_error, first[p]);
        check_index("total", index[p].total, index[p].total_error, total[p]);
        assert_int_equal(kane_sobol_is_resolved(index[p].first, index[p].first_error), first[p] > 0.0);
    }
}

static double evaluate_sum(const double *x)
{
    return 1000.0 + 3.0 * x[0] + 2.0 * x[1] - x[2];
}

// Shares of the variance: 9, 4 and 1 of 14.
CHECK_TEST(test_indices_of_a_sum)
{
    static double values[ROWS * COLUMNS];
    const double shares[K] = {9.0 / 14.0, 4.0 / 14.0, 1.0 / 14.0};
    evaluate_scheme(evaluate_sum, 5.0, 6.0, values);
    check_indices(values, shares, shares);
}

static double evaluate_ishigami(const double *x)
{
    return sin(x[0]) + 7.0 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4.0) * sin(x[0]);
}

// V1 = (1 + b pi^4/5)^2/2, V2 = a^2/8, V13 = b^2 pi^8 (1/18 - 1/50); a = 7, b = 0.1
CHECK_TEST(test_indices_of_ishigami)
{
    static double values[ROWS * COLUMNS];
    const double V1 = 0.5 * pow(1.0 + 0.1 * pow(pi, 4.0) / 5.0, 2.0), V2 = 49.0 / 8.0;
    const double V13 = 0.01 * pow(pi, 8.0) * (1.0 / 18.0 - 1.0 / 50.0), V = V1 + V2 + V13;
    const double first[K] = {V1 / V, V2 / V, 0.0}, total[K] = {(V1 + V13) / V, V2 / V, V13 / V};
    check_near(first[0], 0.3139, 5e-5);
    check_near(first[1], 0.4424, 5e-5);
    evaluate_scheme(evaluate_ishigami, -pi, pi, values);
    check_indices(values, first, total);
}

CHECK_TEST(test_indices_without_values)
{
    kane_sobol_index index[K];
    double values[4 * COLUMNS];
    for (int i = 0; i < 4 * COLUMNS; i++)
        values[i] = 3.0;
    assert_int_equal(kane_sobol_reduce(4, K, values, index), 4);
    assert_true(isnan(index[0].first) && !kane_sobol_is_resolved(index[0].first, index[0].first_error));
    for (int i = 0; i < 4 * COLUMNS; i++)
        values[i] = i * i % 7;
    values[COLUMNS + 3] = (double)NAN;
    values[2 * COLUMNS] = infinite;
    assert_int_equal(kane_sobol_reduce(4, K, values, index), 2);
    assert_int_equal(kane_sobol_reduce(2, K, values, index), 1);
    assert_true(isnan(index[K - 1].total));
}

CHECK_MAIN(NULL, NULL)
