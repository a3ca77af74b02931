// SPDX-License-Identifier: MIT
// The program is killed at random moments, goes on each time, and the tables have the same bits in the end.

#include "sweeps.h"

#include "math/statistics.h"
#include "unit/apps/program.h"

enum { KILLS = 10, CASES = 16 };

#define SWEEP(directory)                                                                                               \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        "sweep", RUN, "--over", "speed=10:20:8", "--over", "radius=400,600", "--measure", "max(body.y)", "--measure",  \
            "at_peak(*.Y)", "--set", "until.distance=70", "-j", "2", "-q", "-o", directory, NULL                       \
    }

static void doze(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    while (nanosleep(&t, &t) != 0)
        ;
}

// Lines of cases in the journal.
static int count_records(const char *directory)
{
    static char text[SWEEPS_TEXT];
    int count = 0;
    char file[128];
    (void)snprintf(file, sizeof file, "%s/journal.jsonl", directory);
    if (access(file, R_OK) != 0)
        return 0;
    for (const char *p = sweeps_read(directory, "journal.jsonl", text); (p = strstr(p, "{\"case\": ")); p++)
        count++;
    return count;
}

CHECK_TEST(killed_sweeps_go_on_and_end_with_the_same_bits)
{
    static const char *const files[] = {
        "plan.json",           "sweep.csv", "sweep.json", "1-max-body.y.svg", "1-max-body.y-map.svg",
        "2-at-peak-all.Y.svg", NULL};
    const uint64_t seed = (uint64_t)time(NULL);
    kane_random random  = kane_random_start(seed, 0);
    struct timespec begin, end;
    print_message("seed %llu\n", (unsigned long long)seed);
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    assert_int_equal(wait_for(start(SWEEP("whole"))), 0);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    const double whole = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    int before         = 0;
    for (int i = 0; i < KILLS && before < CASES; i++) {
        const pid_t child = start(SWEEP("killed"));
        doze(whole * (0.02 + 0.3 * kane_random_even(&random)));
        (void)kill(child, SIGKILL);
        (void)wait_for(child);
        const int now = count_records("killed");
        assert_true(now >= before); // nothing that was recorded is lost
        before = now;
    }
    assert_int_equal(wait_for(start(SWEEP("killed"))), 0);
    assert_int_equal(count_records("killed"), CASES);
    sweeps_same("whole", "killed", files);
}

CHECK_MAIN(enter_folder, leave_folder)
