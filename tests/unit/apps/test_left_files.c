// SPDX-License-Identifier: MIT
// Signals that end the program while it writes: nothing is left beside the files, neither its own nor its workers'.

#include "program.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { SIGNALS = sizeof signals / sizeof *signals, CALLS = 7, INTERRUPTED = 130 };

// Exit code, or minus the signal that ended it. in_child: the parent of a worker gets the signal while the worker
// writes.
static int call_signalled(int number, int at, int in_child, const char *const *arguments)
{
    char text[2][32];
    (void)snprintf(text[0], sizeof text[0], "%d", number);
    (void)snprintf(text[1], sizeof text[1], "%d", at);
    assert_int_equal(setenv("LD_PRELOAD", preloaded(KANE_SIGNALLED), 1) | setenv("SIGNAL", text[0], 1) |
                         setenv("SIGNAL_AT", text[1], 1) | setenv("SIGNAL_PARENT", in_child ? "1" : "0", 1),
                     0);
    const pid_t child = start(arguments);
    assert_int_equal(unsetenv("LD_PRELOAD"), 0);
    return wait_for(child);
}

static void check_nothing_left(const char *what, int number, int at)
{
    if (system("test -z \"$(find . -name '*.new' -o -name run.lock)\"") != 0) {
        (void)system("find . -name '*.new' -o -name run.lock >&2");
        fail_msg("%s, signal %d at call %d: files are left", what, number, at);
    }
}

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

CHECK_TEST(a_run_leaves_its_results_alone)
{
    for (int i = 0; i < SIGNALS; i++)
        for (int at = 1; at < CALLS; at++) {
            const int code =
                call_signalled(signals[i], at, 0, ARGUMENTS("run", "-q", "-o", "run", "-s", "until.distance=1", RUN));
            if (signals[i] == SIGPIPE ? code != -SIGPIPE : code != 0 && code != INTERRUPTED)
                fail_msg("signal %d at call %d: exit code %d", signals[i], at, code);
            kane_errors errors    = {.limit = 1};
            kane_results *results = kane_results_open("run", &errors);
            check_no_errors(&errors);
            assert_true(kane_results_row_count(results) > 0);
            kane_results_free(results);
            check_nothing_left("run", signals[i], at);
        }
}

// Commands that do not wait for the end of their work.
CHECK_TEST(others_end_at_once_and_leave_nothing)
{
    assert_int_equal(CALL("run", "-q", "-o", "run", "-s", "until.distance=1", RUN), 0);
    for (int i = 0; i < SIGNALS; i++) {
        const char *const *plot = ARGUMENTS("plot", "run", "-c", "body.y", "-o", "a.svg");
        assert_int_equal(call_signalled(signals[i], 1, 0, plot), -signals[i]);
        check_nothing_left("plot", signals[i], 1);
        assert_int_equal(access("a.svg", F_OK), -1);
    }
    // what nothing could remove goes with the next file of that name
    assert_int_equal(call_signalled(SIGKILL, 1, 0, ARGUMENTS("plot", "run", "-c", "body.y", "-o", "a.svg")), -SIGKILL);
    assert_int_equal(system("ls | grep -q '^a.svg.*new$'"), 0);
    assert_int_equal(CALL("plot", "run", "-c", "body.y", "-o", "a.svg"), 0);
    check_nothing_left("plot", SIGKILL, 1);
    assert_int_equal(access("a.svg", F_OK), 0);
}

// nohup
CHECK_TEST(what_is_ignored_stays_ignored)
{
    (void)signal(SIGHUP, SIG_IGN);
    assert_int_equal(call_signalled(SIGHUP, 1, 0, ARGUMENTS("plot", "run", "-c", "body.y", "-o", "b.svg")), 0);
    (void)signal(SIGHUP, SIG_DFL);
    assert_int_equal(access("b.svg", F_OK), 0);
}

// The parent ends its workers, one of which is writing.
CHECK_TEST(workers_leave_nothing)
{
    const char *const *omit =
        ARGUMENTS("study", "omit", RUN, "-s", "until.distance=12", "-x", "body:torque.rotation.z", "-x",
                  "body:force.centrifugal.y", "--strongest=0", "-j", "1", "--keep", "-q", "-o", "study");
    for (int i = 0; i < SIGNALS; i++)
        for (int at = 1; at < CALLS; at++) {
            const int code = call_signalled(signals[i], at, 1, omit);
            if (code != (signals[i] == SIGPIPE ? -SIGPIPE : INTERRUPTED))
                fail_msg("signal %d at call %d: exit code %d: %s", signals[i], at, code, content("err"));
            check_nothing_left("study", signals[i], at);
            assert_int_equal(system("rm -r study"), 0);
        }
    // killed outright: the next start goes on and leaves nothing
    assert_int_equal(call_signalled(SIGKILL, 1, 1, omit), -SIGKILL);
    assert_int_equal(wait_for(start(omit)), 0);
    check_nothing_left("study", SIGKILL, 1);
}

CHECK_MAIN(enter_folder, leave_folder)
