// SPDX-License-Identifier: MIT
// Percentiles and sliding values, against others that are simple or known.

#include "check.h"

#include "math/statistics.h"

#include <kane/signal.h>

static const double pi = 3.14159265358979323846;

// --- percentiles ---

// The value of a rank, from 1 on, by counting how many are smaller.
static double ranked(int n, const double *x, int rank)
{
    for (int i = 0; i < n; i++) {
        int smaller = 0, equal = 0;
        for (int k = 0; k < n; k++) {
            smaller += x[k] < x[i];
            equal += x[k] == x[i];
        }
        if (smaller < rank && rank <= smaller + equal)
            return x[i];
    }
    fail();
    return NAN;
}

CHECK_TEST(percentiles_are_those_of_a_sorted_list)
{
    static const double percents[] = {0.0, 0.15, 5.0, 25.0, 50.0, 75.0, 95.0, 99.85, 100.0};
    kane_random random             = kane_random_start(6, 0);
    for (int n = 1; n < 130; n += 3) {
        double x[130], sorted[130];
        for (int i = 0; i < n; i++)
            x[i] = floor(40.0 * kane_random_even(&random)) - 20.0; // some are alike
        for (int k = 0; k < 9; k++) {
            const double rank = 1.0 + (n - 1) * percents[k] / 100.0;
            const int below   = (int)fmin(floor(rank + 1e-12), n);
            const double low = ranked(n, x, below), high = ranked(n, x, below < n ? below + 1 : n);
            memcpy(sorted, x, sizeof x);
            check_near(kane_percentile(n, sorted, percents[k]), low + (rank - below) * (high - low), 1e-9);
            for (int i = 1; i < n; i++)
                assert_true(sorted[i - 1] <= sorted[i]);
        }
    }
}

CHECK_TEST(percentiles_of_five_values_by_hand)
{
    double x[] = {30.0, 10.0, 50.0, 20.0, 40.0};
    check_near(kane_percentile(5, x, 50.0), 30.0, 0.0);
    check_near(kane_percentile(5, x, 95.0), 48.0, 1e-12);
    check_near(kane_percentile(5, x, 99.85), 49.94, 1e-12);
    check_near(kane_percentile(5, x, 0.15), 10.06, 1e-12);
}

// --- sliding values ---

enum { COUNT = 401 };

// Of a line the mean over a window is its value in the middle, wherever the rows stand.
CHECK_TEST(means_of_a_line_are_its_values)
{
    double s[COUNT], x[COUNT], at[COUNT], out[COUNT];
    kane_random random = kane_random_start(7, 0);
    for (int i = 0; i < COUNT; i++) {
        s[i] = 100.0 + 0.1 * i + (i > 0 && i < COUNT - 1 ? 0.09 * kane_random_even(&random) : 0.0);
        x[i] = 7.0 - 3.0 * s[i];
    }
    const int count = kane_sliding_count(COUNT, s, 2.0, 0.5);
    assert_int_equal(count, 77); // 38 m in steps of 0.5 m, and the first
    kane_sliding(KANE_SLIDING_MEAN, COUNT, s, x, 2.0, 0.5, at, out);
    for (int i = 0; i < count; i++) {
        check_near(at[i], 101.0 + 0.5 * i, 1e-12);
        check_near(out[i], 7.0 - 3.0 * at[i], 1e-10);
    }
}

// A wave of 1 m whose windows hold whole waves: no mean, and the effective value of a sine; half a wave: 2/pi of it.
CHECK_TEST(waves_have_their_means_and_effective_values)
{
    enum { N = 4001 };
    static double s[N], x[N], at[N], out[N];
    for (int i = 0; i < N; i++) {
        s[i] = 0.01 * i;
        x[i] = 5.0 * sin(2.0 * pi * s[i]);
    }
    kane_sliding(KANE_SLIDING_MEAN, N, s, x, 2.0, 0.5, at, out);
    for (int i = 0; i < kane_sliding_count(N, s, 2.0, 0.5); i++)
        check_near(out[i], 0.0, 1e-12);
    kane_sliding(KANE_SLIDING_RMS, N, s, x, 10.0, 1.0, at, out);
    for (int i = 0; i < kane_sliding_count(N, s, 10.0, 1.0); i++)
        check_relative(out[i], 5.0 / sqrt(2.0), 1e-12);
    kane_sliding(KANE_SLIDING_MEAN, N, s, x, 0.5, 0.5, at, out);
    for (int i = 0; i < kane_sliding_count(N, s, 0.5, 0.5); i++)
        check_relative(out[i], (i % 2 ? -1.0 : 1.0) * 5.0 * 2.0 / pi, 1e-3);
}

CHECK_TEST(vehicles_that_stand_still_have_no_distance)
{
    const double s[] = {0.0, 1.0, 1.0, 1.0, 2.0}, x[] = {1.0, 1.0, 50.0, 1.0, 1.0};
    double at[4], out[4];
    assert_int_equal(kane_sliding_count(5, s, 2.0, 0.5), 1);
    kane_sliding(KANE_SLIDING_MEAN, 5, s, x, 2.0, 0.5, at, out);
    check_near(out[0], 1.0, 1e-12);
}

CHECK_TEST(windows_end_within_the_rows)
{
    const double s[] = {0.0, 0.9999999999999, 2.0};
    assert_int_equal(kane_sliding_count(3, s, 2.0, 0.5), 1);
    assert_int_equal(kane_sliding_count(3, s, 2.1, 0.5), 0);
    assert_int_equal(kane_sliding_count(3, s, 1.0, 0.5), 3);
    assert_int_equal(kane_sliding_count(0, s, 1.0, 0.5), 0);
}

CHECK_MAIN(NULL, NULL)
