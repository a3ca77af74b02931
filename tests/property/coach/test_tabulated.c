// SPDX-License-Identifier: MIT
// The coach on patches from tables, against the same coach on patches that are searched: forces of wheels behind a
// low-pass filter of 20 Hz (EN 14363), on rough track and in a curve.

#include "runs.h"

static kane_results *run_with(const char *name, const char *distance, const char *geometry)
{
    static const char *const patterns[] = {"*.Q", "*.Y"};
    char how[100], far[100];
    (void)snprintf(how, sizeof how, "vehicle.patterns.wheelset.contact.geometry=%s", geometry);
    (void)snprintf(far, sizeof far, "until.distance=%s", distance);
    const char *settings[]     = {how, far, "output.interval=0.001", NULL};
    CHECK_OWNED(kane_run) *run = run_read(name, settings);
    return run_rows(kane_run_get_definition(run), 2, patterns);
}

// Butterworth, fourth order, 20 Hz, of values 1 ms apart: two sections with the quality factors .5412 and 1.3066.
static void low_pass(int count, const double *x, double *y)
{
    static const double quality[2] = {0.541196100146197, 1.306562964876377};
    memcpy(y, x, (size_t)count * sizeof *y);
    for (int k = 0; k < 2; k++) {
        const double w = tan(acos(-1.0) * 20.0 * 1e-3), n = 1.0 / (1.0 + w / quality[k] + w * w);
        const double b = w * w * n, a1 = 2.0 * (w * w - 1.0) * n, a2 = (1.0 - w / quality[k] + w * w) * n;
        double in[2] = {y[0], y[0]}, out[2] = {y[0], y[0]};
        for (int i = 0; i < count; i++) {
            const double here = y[i];
            y[i]              = b * (here + 2.0 * in[0] + in[1]) - a1 * out[0] - a2 * out[1];
            in[1]             = in[0];
            in[0]             = here;
            out[1]            = out[0];
            out[0]            = y[i];
        }
    }
}

// Root mean square of the difference behind the filter over that of the force itself, all wheels together.
static double compare_forces(const kane_results *a, const kane_results *b, const char *force)
{
    const int rows = kane_results_row_count(a), columns = kane_results_column_count(a);
    double *x = calloc((size_t)rows, sizeof *x), *y = calloc((size_t)rows, sizeof *y), off = 0.0, all = 0.0;
    assert_true(x && y && kane_results_row_count(b) == rows && kane_results_column_count(b) == columns);
    for (int k = 0; k < columns; k++) {
        if (!strstr(kane_results_column(a, k)->name, force))
            continue;
        low_pass(rows, kane_results_values(a, k), x);
        low_pass(rows, kane_results_values(b, k), y);
        for (int i = 300; i < rows; i++) {
            off += (x[i] - y[i]) * (x[i] - y[i]);
            all += x[i] * x[i];
        }
    }
    free(x);
    free(y);
    return sqrt(off / all);
}

static void compare_run(const char *name, const char *distance)
{
    CHECK_OWNED(kane_results) *a = run_with(name, distance, "searched"), *b = run_with(name, distance, "tabulated");
    const double Q = compare_forces(a, b, ".Q"), Y = compare_forces(a, b, ".Y");
    print_message("%s: behind 20 Hz Q is off by %.4f %%, Y by %.4f %%\n", name, 100.0 * Q, 100.0 * Y);
    check_below(Q, 5e-3);
    check_below(Y, 5e-3);
    assert_true(Q > 0.0); // tables were used
}

CHECK_TEST(forces_on_rough_track)
{
    compare_run("coach-irregular", "160");
}

CHECK_TEST(forces_in_a_curve)
{
    compare_run("coach-curve", "250");
}

CHECK_MAIN(NULL, NULL)
