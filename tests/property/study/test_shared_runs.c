// SPDX-License-Identifier: MIT
// The study in which two workers need one complete run, 300 times on a machine that is busy: none of it loses a case,
// and all have the same record. Its deterministic counterpart is property.study.shared.

#include "unit/apps/program.h"

#include "base/machine.h"

enum { RUNS = 300, BUSY = 2 };

static const double LONGEST = 25.0; // [s]; on a slow machine fewer runs are made

// Processes that do nothing but take time from the workers.
static void start_busy(pid_t busy[BUSY])
{
    for (int i = 0; i < BUSY; i++) {
        busy[i] = fork();
        assert_true(busy[i] >= 0);
        for (volatile unsigned k = 0; busy[i] == 0; k++)
            ;
    }
}

static void end_busy(const pid_t busy[BUSY])
{
    for (int i = 0; i < BUSY; i++) {
        (void)kill(busy[i], SIGKILL);
        (void)wait_for(busy[i]);
    }
}

CHECK_TEST(no_study_loses_a_case)
{
    const char *const omit[] = {"study",
                                "omit",
                                KANE_SOURCE_DIR "/data/runs/mechanism-foucault.json",
                                "-s",
                                "until.time=0.1",
                                "-s",
                                "output.format=csv",
                                "-x",
                                "bob:force.*.*",
                                "-x",
                                "bob:force.centrifugal.*",
                                "--strongest=0",
                                "-j",
                                "2",
                                "--keep",
                                "-q",
                                "-o",
                                "study",
                                NULL};
    static char expected[1 << 16];
    pid_t busy[BUSY];
    int runs           = 0;
    const double begin = kane_clock();
    start_busy(busy);
    for (; runs < RUNS && kane_clock() - begin < LONGEST; runs++) {
        const int code = wait_for(start(omit));
        if (code != 0) {
            end_busy(busy);
            fail_msg("run %d: exit code %d: %s", runs + 1, code, content("err"));
        }
        if (runs == 0)
            (void)snprintf(expected, sizeof expected, "%s", content("study/effects.csv"));
        assert_string_equal(content("study/effects.csv"), expected);
        assert_int_equal(system("test -z \"$(find study -name '*.new' -o -name run.lock)\" && rm -r study"), 0);
    }
    end_busy(busy);
    print_message("%d studies in %.0f s\n", runs, kane_clock() - begin);
    assert_true(runs > 0);
}

CHECK_MAIN(enter_folder, leave_folder)
