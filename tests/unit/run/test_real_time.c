// SPDX-License-Identifier: MIT
// A run that holds the wall clock: no row before its time, and what it says of how late rows were.

#include "unit/apps/program.h"

#include "base/machine.h"

// Carries out so much of the wagon's run, rows every `every` s.
static kane_outcome carry_out(const char *until, const char *every, int real_time)
{
    const char *const settings[]   = {until, every, "output.format=csv", "output.channels=[\"body.y\"]", NULL};
    const kane_run_options options = {.settings = settings};
    CHECK_ERRORS errors            = {0};
    kane_outcome outcome;
    CHECK_OWNED(kane_run) *run = kane_run_read(RUN, &options, &errors);
    const kane_execution how   = {.directory = "out", .real_time = real_time};
    check_no_errors(&errors);
    assert_int_equal(CHECK_GOOD(kane_run_to_files, kane_run_get_definition(run), &how, &outcome), KANE_OK);
    return outcome;
}

CHECK_TEST(rows_do_not_come_before_their_time)
{
    const double begin         = kane_clock();
    const kane_outcome outcome = carry_out("until.time=0.4", "output.interval=0.02", 1);
    assert_true(kane_clock() - begin >= 0.4 && outcome.wall >= 0.4);
    assert_int_equal(outcome.rows, 21);
    assert_int_equal(outcome.lateness.rows, 20);
    assert_true(outcome.lateness.median >= 0.0 && outcome.lateness.median <= outcome.lateness.worst);
    assert_true(outcome.lateness.median < 0.02); // it is ready long before, and wakes up
    expect("out/status.json", "\"lateness\": {");

    const kane_outcome free = carry_out("until.time=0.4", "output.interval=0.02", 0);
    assert_int_equal(free.lateness.rows, 0);
    assert_null(strstr(content("out/status.json"), "lateness"));
}

// Rows every microsecond cannot be kept up with: later and later, and it says so.
CHECK_TEST(what_cannot_be_kept_up_with_is_told)
{
    const kane_outcome outcome = carry_out("until.time=0.002", "output.interval=1e-6", 1);
    assert_int_equal(outcome.lateness.rows, 2000);
    assert_true(outcome.lateness.missed > 1500 && outcome.lateness.worst > 1e-4);
}

CHECK_TEST(the_program_tells_it)
{
    assert_int_equal(CALL("run", RUN, "--real-time", "-o", "told", "-s", "until.time=0.1"), 0);
    expect("err", "rows were late by ");
    expect("err", " ms at worst; ");
    expect("err", " of 20 by more than a row");
}

CHECK_MAIN(enter_folder, leave_folder)
