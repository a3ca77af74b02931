// SPDX-License-Identifier: MIT
// The Jacobian of every run that comes along, against plain differences.

#include "runs.h"

#include <dirent.h>

// Where the runs have begun to move: the start of some is a kink (tyres without camber).
static const double instant = 0.04;

// Differences keep eight digits of a row where laws change within 1e-4 of a state, less where they do within nanometres
// per second (creep of wheels that slide).
static const double allowed = 1e-6;

static void check_run(const char *name)
{
    char file[512];
    (void)snprintf(file, sizeof file, "%s/data/runs/%s", KANE_SOURCE_DIR, name);
    CHECK_OWNED(kane_run) *run      = run_read(file, NULL);
    CHECK_OWNED(kane_model) *model  = CHECK_GOOD(kane_run_create_model, run);
    CHECK_OWNED(kane_simulation) *s = CHECK_GOOD(kane_run_create_simulation, run, model);
    const int states                = kane_model_state_count(model);
    (void)run_go(s, instant);
    const int entries = run_check_jacobian(s, model, name, allowed);
    assert_true(entries >= states && entries <= states * states);
}

CHECK_TEST(all_runs)
{
    int count      = 0;
    DIR *directory = opendir(KANE_SOURCE_DIR "/data/runs");
    assert_non_null(directory);
    for (struct dirent *d = readdir(directory); d; d = readdir(directory))
        if (strstr(d->d_name, ".json")) {
            check_run(d->d_name);
            count++;
        }
    (void)closedir(directory);
    assert_true(count > 0);
}

CHECK_MAIN(NULL, NULL)
