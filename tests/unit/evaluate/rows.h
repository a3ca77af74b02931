// SPDX-License-Identifier: MIT
// Results in memory for tests of measures.

#ifndef KANE_TESTS_EVALUATE_ROWS_H
#define KANE_TESTS_EVALUATE_ROWS_H

#include "check.h"

#include "results/results.h"

typedef double (*rows_value)(int column, double time);

// `count` rows every `every` seconds (and one more half a step later if has_odd_end) of "time" and the columns given;
// the values of column i are value(i, time).
static inline kane_results *rows_make(int count, double every, int has_odd_end, int columns, const kane_column *names,
                                      rows_value value)
{
    static kane_errors errors;
    double row[16];
    const kane_column time = {"time", "s", ""};
    kane_results *results  = kane_results_create("test", &errors);
    assert_non_null(results);
    assert_true(columns < 16);
    assert_int_equal(kane_results_take_columns(results, columns + 1, &errors), KANE_OK);
    assert_int_equal(kane_results_name_column(results, 0, &time, &errors), KANE_OK);
    for (int i = 0; i < columns; i++)
        assert_int_equal(kane_results_name_column(results, i + 1, &names[i], &errors), KANE_OK);
    for (int k = 0; k < count + has_odd_end; k++) {
        row[0] = k < count ? k * every : (k - 0.5) * every;
        for (int i = 0; i < columns; i++)
            row[i + 1] = value(i, row[0]);
        assert_int_equal(kane_results_add_row(results, row, &errors), KANE_OK);
    }
    return results;
}

#endif
