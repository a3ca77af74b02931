// SPDX-License-Identifier: MIT
// Memory that runs out while a train is read and compiled: an error, and nothing is lost.

#include "allocation.h"

#include "models.h"

// Freedoms of the model, -1: there is none.
static int carry_out(kane_errors *errors)
{
    static const char *const settings[] = {
        "vehicle.vehicles.wagon.count=1", "vehicle.vehicles.wagon.file.patterns.wheelset.profile=cone",
        "vehicle.vehicles.last.file.patterns.wheelset.profile=cone", "track.rail.profile=round", NULL};
    const kane_run_options how = {.settings = settings};
    CHECK_OWNED(kane_run) *run = kane_run_read(KANE_SOURCE_DIR "/data/runs/wagon-train.json", &how, errors);
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
    CHECK_ERRORS nothing = {0};
    const int dof        = carry_out(&nothing);
    int k                = 1;
    check_no_errors(&nothing);
    assert_int_equal(dof, 36);
    for (;; k++) {
        CHECK_ERRORS errors = {0};
        allocation_fail_at(k);
        const int found = carry_out(&errors);
        if (!allocation_stop()) {
            assert_int_equal(found, dof);
            break;
        }
        if (found >= 0 || errors.count == 0 || kane_errors_get(&errors, 0)->status != KANE_NO_MEMORY)
            fail_msg("allocation %d failed: %d freedoms, and the error is: %s", k, found,
                     errors.count ? kane_errors_get(&errors, 0)->text : "none");
    }
    assert_true(k > 50);
}

CHECK_MAIN(NULL, NULL)
