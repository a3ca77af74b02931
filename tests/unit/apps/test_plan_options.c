// SPDX-License-Identifier: MIT
// What all studies with a plan understand, by the example of kane sweep: options, interrupts, shards, failed cases,
// exit codes.

#include "program.h"

#include <kane/plan.h>

#define SWEEP "sweep", RUN, "-m", "max(body.y)"
#define SHORT SWEEP, "-s", "until.distance=20", "-O", "speed=10:20:3"
#define LONG  SWEEP, "-O", "speed=10:30:401"

CHECK_TEST(options_that_are_wrong)
{
    static const struct {
        const char *option, *message;
    } wrong[] = {
        {"-j0", "'0' is not a number of workers (1 to 4096)"},
        {"--workers=many", "'many' is not a number of workers (1 to 4096)"},
        {"-j5000", "'5000' is not a number of workers (1 to 4096)"},
        {"--shard=4/3", "'4/3' is not a shard such as 1/4, 2/4, 3/4 or 4/4"},
        {"--shard=0/3", "'0/3' is not a shard"},
        {"--shard=2", "'2' is not a shard"},
        {"--shard=1/", "'1/' is not a shard"},
        {"--shard=/2", "'/2' is not a shard"},
        {"--shard=1/2x", "'1/2x' is not a shard"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(CALL(SHORT, "-o", "wrong", wrong[i].option), 2);
        expect("err", wrong[i].message);
    }
    assert_int_equal(CALL(SHORT), 2);
    expect("err", "a study needs a directory: -o DIR");
    assert_int_not_equal(access("wrong", F_OK), 0);
}

static int count_ended(const char *directory)
{
    kane_plan *plan = kane_plan_inspect(directory, NULL);
    const int ended = plan ? kane_plan_count(plan, KANE_CASE_DONE) + kane_plan_count(plan, KANE_CASE_FAILED) : 0;
    kane_plan_close(plan);
    return ended;
}

static void wait_for_cases(const char *directory)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    while (count_ended(directory) < 3)
        (void)nanosleep(&moment, NULL);
}

// Ctrl-C and what batch systems send: the study ends in good order and goes on later.
CHECK_TEST(an_interrupted_study_says_how_far_it_is)
{
    static const int signals[] = {SIGINT, SIGTERM};
    char expected[128];
    for (int i = 0; i < 2; i++) {
        const char *name  = i ? "term" : "int";
        const pid_t child = start((const char *const[]){LONG, "-o", name, NULL});
        wait_for_cases(name);
        assert_int_equal(kill(child, signals[i]), 0);
        assert_int_equal(wait_for(child), 130);
        const int ended = count_ended(name);
        assert_true(ended >= 3 && ended < 401);
        (void)snprintf(expected, sizeof expected,
                       "interrupted: %d of 401 cases are recorded; the same command goes on\n", ended);
        assert_string_equal(content("err"), expected);
        assert_int_not_equal(access(i ? "term/sweep.csv" : "int/sweep.csv", F_OK), 0); // no table of a part
    }
}

CHECK_TEST(a_second_process_is_told_who_is_at_work)
{
    char expected[64];
    const pid_t child = start((const char *const[]){LONG, "-o", "busy", NULL});
    wait_for_cases("busy");
    assert_int_equal(CALL(LONG, "-o", "busy"), 6);
    (void)snprintf(expected, sizeof expected, "busy/journal.jsonl is being written by process %ld on ", (long)child);
    expect("err", expected);
    assert_null(strstr(content("err"), "recorded")); // it has not come to that
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(wait_for(child), -SIGKILL);
}

CHECK_TEST(shards_say_what_is_done_in_all)
{
    assert_int_equal(CALL(SHORT, "-o", "shards", "--shard=2/2"), 0);
    assert_string_equal(content("err"), "shard 2/2 is done; 1 of 3 cases in all, tables come with the last one\n");
    assert_int_not_equal(access("shards/sweep.csv", F_OK), 0);
    assert_int_equal(CALL(SHORT, "-o", "shards", "--shard=1/2"), 0);
    assert_int_equal(access("shards/sweep.csv", F_OK), 0);
    assert_int_equal(CALL(SHORT, "-o", "whole", "-j3"), 0);
    assert_int_equal(system("cmp shards/sweep.csv whole/sweep.csv"), 0);
}

// A body that no rail carries: the case has failed, the others are done; it is tried again when that is asked for.
CHECK_TEST(failed_cases_have_an_exit_code)
{
    for (int again = 0; again < 2; again++) {
        const char *option = again ? "--retry-failed" : "-j1";
        assert_int_equal(CALL(SWEEP, "-s", "until.distance=20", "-O", "vehicle.bodies.body.mass=8000,1e12,9000", "-o",
                              "failed", option),
                         8);
        expect("err", "failed: case 2: ");
        expect("err", "finds no rest on the rails under 4.905e+12 N");
        expect("err", "1 of 3 cases failed; \"kane study status failed\" says why\n");
        assert_int_equal(access("failed/sweep.csv", F_OK), 0);
    }
    assert_int_equal(
        CALL(SWEEP, "-s", "until.distance=20", "-O", "vehicle.bodies.body.mass=8000,1e12,9000", "-o", "failed", "-q"),
        8); // it is known to have failed, and not tried
    assert_null(strstr(content("err"), "failed: case"));
    assert_int_equal(CALL("study", "status", "failed", "-j", "-o", "failures.csv"), 0);
    expect("out", "\"failed\": 1,");
    expect("failures.csv", "number,first,cases,why\n1,2,2,");
}

CHECK_MAIN(enter_folder, leave_folder)
