// SPDX-License-Identifier: MIT
// Evaluations when there is no memory: each allocation fails once.

#include "allocation.h"

#include "unit/evaluate/standing.h"

static void check_evaluation(const kane_results *results, const kane_evaluation_options *options)
{
    static kane_errors errors;
    CHECK_OWNED(kane_evaluation) *right = evaluate(results, options);
    const int count                     = kane_evaluation_count(right);
    assert_true(count > 10);
    for (int k = 1;; k++) {
        kane_errors_clear(&errors);
        allocation_fail_at(k);
        kane_evaluation *e   = kane_evaluate(results, options, &errors);
        const int has_failed = allocation_stop();
        // sorting can do without memory
        assert_true(e ? kane_evaluation_count(e) == count && errors.count == 0
                      : errors.count == 1 && kane_errors_get(&errors, 0)->status == KANE_NO_MEMORY);
        kane_evaluation_free(e);
        if (!has_failed)
            break;
    }
}

CHECK_TEST(every_allocation_may_fail)
{
    CHECK_OWNED(kane_results) *results = rows_make(601, every, 0, COLUMNS, columns, constant_value);
    results->manifest                  = manifest;
    kane_evaluation_options options    = kane_evaluation_options_default();
    check_evaluation(results, &options);
    options.section = 20.0;
    check_evaluation(results, &options);
}

CHECK_MAIN(NULL, NULL)
