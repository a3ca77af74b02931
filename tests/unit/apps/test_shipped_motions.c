// SPDX-License-Identifier: MIT
// Shipped runs of trains and of the locomotive record what their pages show.

#include "unit/apps/program.h"

// Trains and the locomotive record what their pages show.
CHECK_TEST(shipped_runs_of_several_bodies_record_motions)
{
    static const char *const runs[] = {"coach-train", "wagon-train", "locomotive"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char file[300];
        kane_errors errors = {0};
        (void)snprintf(file, sizeof file, KANE_SOURCE_DIR "/data/runs/%s.json", runs[i]);
        assert_int_equal(
            CALL("run", file, "-q", "-o", runs[i], "-s", "until={\"time\":0.01}", "-s", "output.interval=5 ms"), 0);
        CHECK_OWNED(kane_results) *r = kane_results_open(runs[i], &errors);
        assert_non_null(r);
        int yaws = 0;
        for (int k = 0; k < kane_results_column_count(r); k++)
            yaws += strstr(kane_results_column(r, k)->name, ".yaw") != NULL;
        assert_true(yaws > 4);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
