// SPDX-License-Identifier: MIT
// Memory that runs out while a mechanism is read and compiled: an error, and nothing is lost.

#include "allocation.h"

#include "models.h"

// Freedoms of the model, -1: there is none.
static int carry_out(const char *name, kane_errors *errors)
{
    CHECK_OWNED(kane_run) *run = kane_run_read(name, NULL, errors);
    kane_model *model          = NULL;
    if (run) {
        const kane_run_definition *d = kane_run_get_definition(run);
        model                        = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, errors);
    }
    const int dof = model ? kane_model_dof_count(model) : -1;
    kane_model_free(model);
    return dof;
}

CHECK_TEST(wherever_memory_runs_out_nothing_is_lost)
{
    static const char *const runs[] = {
        KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json", KANE_SOURCE_DIR "/data/runs/mechanism-squeezer.json",
        KANE_SOURCE_DIR "/data/runs/mechanism-crane.json", KANE_SOURCE_DIR "/data/runs/mechanism-rolling-disc.json",
        KANE_SOURCE_DIR "/data/runs/mechanism-ship-crane.json"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        CHECK_ERRORS nothing = {0};
        const int dof        = carry_out(runs[i], &nothing);
        int k                = 1;
        check_no_errors(&nothing);
        for (;; k++) {
            CHECK_ERRORS errors = {0};
            allocation_fail_at(k);
            const int found = carry_out(runs[i], &errors);
            if (!allocation_stop()) {
                assert_int_equal(found, dof);
                break;
            }
            // a step of a search that fails is tried anew, and sorting can do without
            const int good = found < 0 ? errors.count > 0 && kane_errors_get(&errors, 0)->status == KANE_NO_MEMORY
                                       : errors.count == 0 && found == dof;
            if (!good)
                fail_msg("%s: allocation %d failed: %d freedoms, and the error is: %s", runs[i], k, found,
                         errors.count ? kane_errors_get(&errors, 0)->text : "none");
        }
        assert_true(k > 50); // many were tried
    }
}

CHECK_MAIN(NULL, NULL)
