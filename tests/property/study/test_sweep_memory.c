// SPDX-License-Identifier: MIT
// Sweeps without memory: each allocation fails once; an error says so, nothing is leaked.

#include "../../allocation.h"

#include "sweeps.h"

CHECK_TEST(an_axis_needs_all_of_its_memory)
{
    static const char *const typed[] = {"mass=8 t:12 t:30", "shape=bloss,cosine,sine", "speed=10,20 km/h",
                                        "mass=normal(8,1 t)"};
    for (int i = 0; i < 4; i++)
        for (int k = 1;; k++) {
            CHECK_ERRORS errors = {0};
            allocation_fail_at(k);
            kane_axis *axis  = kane_axis_parse(typed[i], &errors);
            const int failed = allocation_stop();
            kane_axis_free(axis);
            assert_int_equal(errors.count > 0, axis == NULL);
            if (axis == NULL)
                assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_NO_MEMORY);
            if (!failed) {
                assert_non_null(axis);
                break;
            }
        }
}

static int create(const char *speeds, int fail_at, kane_errors *told)
{
    static const char *const measures[] = {"max(body.y)", "rms(leading.left.Q, 20 Hz)"};
    static const char *const settings[] = {"until.distance=20", NULL};
    const kane_run_options common       = {.settings = settings};
    CHECK_ERRORS errors                 = {0};
    kane_axis *axes[] = {kane_axis_parse(speeds, &errors), kane_axis_parse("shape=bloss,sine", &errors)};
    const kane_sweep_definition wanted = {.file          = SWEEPS_RUN,
                                          .common        = &common,
                                          .axis_count    = 2,
                                          .axes          = (const kane_axis *const *)axes,
                                          .samples       = strchr(speeds, '(') ? 3 : 0,
                                          .measure_count = 2,
                                          .measures      = measures};
    check_no_errors(&errors);
    allocation_fail_at(fail_at);
    kane_sweep_study *sweep = kane_sweep_create(&wanted, told);
    (void)allocation_stop();
    const int is_created = sweep != NULL;
    kane_sweep_free(sweep);
    for (int a = 0; a < 2; a++)
        kane_axis_free(axes[a]);
    return is_created;
}

// A sweep either has everything that it needs, or says that it has not. SUNDIALS does not survive without memory: only
// what comes before the channels is tried, which is as far as a speed goes that is not allowed.
CHECK_TEST(a_sweep_says_that_memory_is_short)
{
    static const char *const speeds[2][2] = {{"speed=10,-10", "speed=10,20"},
                                             {"speed=uniform(-10,20)", "speed=uniform(10,20)"}};
    for (int i = 0; i < 2; i++) {
        CHECK_ERRORS refused = {0};
        assert_false(create(speeds[i][0], 0, &refused));
        const int count = allocation_count();
        assert_true(count > 200);
        int refusals = 0;
        for (int k = 1; k <= count; k++) {
            CHECK_ERRORS told    = {0};
            const int is_created = create(speeds[i][1], k, &told);
            assert_int_equal(is_created, told.count == 0); // the C library does without buffers of files
            refusals += !is_created;
        }
        assert_true(refusals > 9 * count / 10);
    }
}

CHECK_MAIN(NULL, NULL)
