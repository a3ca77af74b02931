// SPDX-License-Identifier: MIT
// The Jacobian of every run that comes along, against plain differences.

#include "errors.h"

#include <kane/kane.h>

#include <dirent.h>

// Where the runs have begun to move: the start of some is a kink (tyres without camber).
static const double instant = 0.04;

// Differences keep eight digits of a row where laws change within 1e-4 of a state, less where they do within nanometres
// per second (creep of wheels that slide).
static const double allowed = 1e-6;

static void check_run(const char *name)
{
    char file[512], of[64], by[64];
    double difference;
    int row, column, entries;
    const kane_run_options how = {0};
    (void)snprintf(file, sizeof file, "%s/data/runs/%s", KANE_SOURCE_DIR, name);
    CHECK_OWNED(kane_run) *run      = CHECK_GOOD(kane_run_read, file, &how);
    CHECK_OWNED(kane_model) *model  = CHECK_GOOD(kane_run_create_model, run);
    CHECK_OWNED(kane_simulation) *s = CHECK_GOOD(kane_run_create_simulation, run, model);
    const int states                = kane_model_state_count(model);
    (void)CHECK_GOOD(kane_simulation_advance, s, instant);
    assert_int_equal(CHECK_GOOD(kane_simulation_check_jacobian, s, &difference, &row, &column, &entries), KANE_OK);
    kane_state_name(model, row, sizeof of, of);
    kane_state_name(model, column, sizeof by, by);
    if (!(difference <= check_tolerance(allowed)))
        print_error("%s: d(%s)/d(%s)\n", name, of, by);
    check_near(difference, 0.0, allowed);
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
