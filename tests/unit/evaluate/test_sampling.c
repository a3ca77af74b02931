// SPDX-License-Identifier: MIT
// Even rows out of those of a run, and values between rows.

#include "check.h"

#include <kane/signal.h>

enum { COUNT = 201 };

static double moment(int i)
{
    return 3.0 + i * 0.01;
}

CHECK_TEST(rows_of_a_run_are_taken_as_they_are)
{
    double t[COUNT], x[COUNT], out[COUNT];
    kane_sampling sampling;
    for (int i = 0; i < COUNT; i++) {
        t[i] = moment(i);
        x[i] = sin(t[i]);
    }
    t[COUNT - 1] -= 0.003; // the run ends earlier
    assert_int_equal(kane_sampling_find(COUNT, t, &sampling, NULL), KANE_OK);
    assert_int_equal(sampling.count, COUNT - 1);
    assert_false(sampling.is_resampled);
    check_relative(sampling.step, 0.01, 1e-12);
    kane_sampling_apply(&sampling, COUNT, t, x, out);
    assert_memory_equal(out, x, (COUNT - 1) * sizeof *x);

    t[COUNT - 1] = moment(COUNT - 1);
    assert_int_equal(kane_sampling_find(COUNT, t, &sampling, NULL), KANE_OK);
    assert_int_equal(sampling.count, COUNT);
}

CHECK_TEST(other_rows_are_interpolated)
{
    double t[COUNT], x[COUNT], out[COUNT];
    kane_sampling sampling;
    for (int i = 0; i < COUNT; i++)
        t[i] = moment(i) + (i > 0 && i < COUNT - 1 && i % 7 == 3 ? 0.002 : 0.0);
    for (int i = 0; i < COUNT; i++)
        x[i] = 5.0 - 2.0 * t[i];
    assert_int_equal(kane_sampling_find(COUNT, t, &sampling, NULL), KANE_OK);
    assert_true(sampling.is_resampled);
    assert_int_equal(sampling.count, COUNT);
    kane_sampling_apply(&sampling, COUNT, t, x, out);
    for (int i = 0; i < COUNT; i++)
        check_near(out[i], 5.0 - 2.0 * moment(i), 1e-12);
}

// An event may have two rows at its moment, or one between two others.
CHECK_TEST(rows_between_are_left_to_interpolation)
{
    double t[8] = {0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.4, 0.5}, x[8] = {0.0, 1.0, 2.0, 2.5, 3.0, 4.0, 4.0, 5.0}, out[8];
    kane_sampling sampling;
    assert_int_equal(kane_sampling_find(8, t, &sampling, NULL), KANE_OK);
    assert_int_equal(sampling.count, 6);
    kane_sampling_apply(&sampling, 8, t, x, out);
    for (int i = 0; i < 6; i++)
        check_near(out[i], i, 1e-12);
}

static void check_refused(int n, const double *t, const char *reason)
{
    static kane_errors errors;
    kane_sampling sampling;
    kane_errors_clear(&errors);
    assert_int_equal(kane_sampling_find(n, t, &sampling, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(errors.count, 1);
    if (!strstr(kane_errors_get(&errors, 0)->text, reason))
        print_error("%s\n   lacks: %s\n", kane_errors_get(&errors, 0)->text, reason);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, reason));
}

CHECK_TEST(mistakes_are_told)
{
    const double gap[] = {0.0, 0.1, 0.2, 0.5, 0.6}, back[] = {0.0, 0.1, 0.05, 0.2, 0.3}, still[] = {1.0, 1.0, 1.0};
    check_refused(1, gap, "1 rows are too few");
    check_refused(5, gap, "the next one behind 0.2 comes at 0.5, others are 0.1 apart");
    check_refused(5, back, "rows go back at 0.05");
    check_refused(3, still, "rows do not go on");
}

CHECK_TEST(values_between_rows_are_linear)
{
    const double s[] = {0.0, 1.0, 1.0, 3.0}, x[] = {1.0, 2.0, 4.0, 8.0};
    check_near(kane_interpolate(4, s, x, -1.0), 1.0, 0.0);
    check_near(kane_interpolate(4, s, x, 0.25), 1.25, 1e-15);
    check_near(kane_interpolate(4, s, x, 1.0), 4.0, 0.0); // behind a jump
    check_near(kane_interpolate(4, s, x, 2.5), 7.0, 1e-15);
    check_near(kane_interpolate(4, s, x, 9.0), 8.0, 0.0);
}

CHECK_MAIN(NULL, NULL)
