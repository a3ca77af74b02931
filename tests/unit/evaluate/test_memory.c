// SPDX-License-Identifier: MIT
// Measures when there is no memory: each allocation fails once.

#include "allocation.h"

#include "rows.h"

#include <kane/measure.h>

static double wave(int column, double t)
{
    return column == 0 ? 20.0 * t : sin(7.0 * t);
}

static const kane_column columns[] = {{"distance", "m", ""},
                                      {"car.acceleration.x", "m/s^2", ""},
                                      {"car.acceleration.y", "m/s^2", ""},
                                      {"car.acceleration.z", "m/s^2", ""}};

static void check_measure(const char *text, const kane_results *results)
{
    static kane_errors errors;
    const char *unit;
    kane_measure *m    = kane_measure_parse(text, NULL);
    const double right = kane_measure_eval(m, results, &unit, NULL);
    assert_false(isnan(right));
    kane_measure_free(m);
    for (int k = 1;; k++) {
        kane_errors_clear(&errors);
        allocation_fail_at(k);
        m                    = kane_measure_parse(text, &errors);
        const double x       = m ? kane_measure_eval(m, results, &unit, &errors) : (double)NAN;
        const int has_failed = allocation_stop();
        kane_measure_free(m);
        if (!has_failed)
            break;
        // sorting can do without memory
        assert_true(x == right ||
                    (errors.count == 1 && kane_errors_get(&errors, 0)->status == KANE_NO_MEMORY && isnan(x)));
    }
}

CHECK_TEST(every_allocation_may_fail)
{
    CHECK_OWNED(kane_results) *results = rows_make(1501, 0.01, 1, 4, columns, wave);
    check_measure("max(car.acceleration.y, 5 Hz, abs, 50 m..150 m)", results);
    check_measure("p95(car.acceleration.*, >1 Hz zero phase, mean 2 m)", results);
    check_measure("nmv(car.acceleration.*)", results);
    check_measure("sperling_y(car.acceleration.y)", results);
}

CHECK_MAIN(NULL, NULL)
