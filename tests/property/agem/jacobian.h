// SPDX-License-Identifier: MIT
// The Jacobian of a twin against differences.

#ifndef KANE_TESTS_JACOBIAN_H
#define KANE_TESTS_JACOBIAN_H

#include <kane/jacobian.h>

#include "property/agem/twin.h"

// Largest |J - differences| of a row over the largest |J| of that row.
static inline void check_jacobian(twin *t, double time, double tolerance)
{
    static double values[20000], up[128], down[128], y[128];
    const int n                          = t->model->state_count;
    CHECK_OWNED(kane_jacobian) *jacobian = kane_jacobian_create(t->model, n);
    const kane_pattern *pattern          = kane_jacobian_pattern(jacobian);
    assert_true(pattern->count < 20000);
    assert_int_equal(kane_jacobian_eval(jacobian, t->model, t->work, time, t->y, t->ydot, values), KANE_OK);
    double row_size[128] = {0};
    for (int c = 0; c < n; c++)
        for (int k = pattern->column_start[c]; k < pattern->column_start[c + 1]; k++)
            row_size[pattern->row[k]] = fmax(row_size[pattern->row[k]], fabs(values[k]));
    for (int c = 0; c < n; c++) {
        const double h = c < t->model->travel_count ? 1e-3 : 1e-6;
        memcpy(y, t->y, sizeof y);
        y[c] = t->y[c] + h;
        assert_int_equal(kane_eval(t->model, t->work, time, y, up), KANE_OK);
        y[c] = t->y[c] - h;
        assert_int_equal(kane_eval(t->model, t->work, time, y, down), KANE_OK);
        for (int row = 0; row < n; row++) {
            const int k             = kane_pattern_find(pattern, row, c);
            const double here       = k >= 0 ? values[k] : 0.0;
            const double expected   = (up[row] - down[row]) / (2.0 * h);
            const double difference = fabs(here - expected);
            check_figure(difference / (row_size[row] + 1.0), "of the row");
            if (difference > check_tolerance(tolerance) * (row_size[row] + 1.0)) {
                char a[64], b[64];
                kane_state_name(t->model, row, sizeof a, a);
                kane_state_name(t->model, c, sizeof b, b);
                print_error("d(%s)/d(%s): %.10g, differences give %.10g (row %.3g)\n", a, b, here, expected,
                            row_size[row]);
                fail();
            }
        }
    }
}

#endif
