// SPDX-License-Identifier: MIT
// Whichever allocation of the program fails, of this library or of another one, it ends with a message, or it does what
// it does otherwise. SUNDIALS' SUNLogger_Create does not look at two of its own.

#include "program.h"

enum { EVERY = 13, THEIRS = 2, NO_MEMORY = 7 };

static int call_without(long k, const char *const *arguments)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", k);
    assert_int_equal(setenv("LD_PRELOAD", preloaded(KANE_FAILING_MALLOC), 1), 0);
    assert_int_equal(setenv("FAILING_MALLOC", text, 1), 0);
    const pid_t child = start(arguments);
    assert_int_equal(unsetenv("LD_PRELOAD"), 0);
    return wait_for(child);
}

static void check_command(const char *const *arguments, const char *results)
{
    static char expected[2][300000];
    assert_int_equal(call_without(0, arguments), 0);
    const char *told = strstr(content("err"), "allocations: ");
    assert_non_null(told);
    const long count = strtol(told + strlen("allocations: "), NULL, 10);
    assert_true(count > 50); // many are tried
    (void)snprintf(expected[0], sizeof expected[0], "%s", content("out"));
    if (results) // the first lines name columns and tell which run it is
        (void)snprintf(expected[1], sizeof expected[1], "%s", strstr(content(results), "\n0,"));

    int crashes = 0, refused = 0;
    for (long k = 1; k <= count; k += EVERY) {
        const int code = call_without(k, arguments);
        crashes += code == -SIGSEGV;
        refused += code == NO_MEMORY;
        if (code == NO_MEMORY)
            expect("err", "error: ");
        else if (code == 0) {
            assert_string_equal(content("out"), expected[0]);
            if (results)
                assert_string_equal(strstr(content(results), "\n0,"), expected[1]);
        } else if (code != -SIGSEGV) {
            fail_msg("allocation %ld: exit code %d: %s", k, code, content("err"));
        }
    }
    assert_true(refused > count / EVERY / 2);
    assert_in_range(crashes, 0, THEIRS);
}

#define CHECK(results, ...) check_command((const char *const[]){__VA_ARGS__, NULL}, results)

CHECK_TEST(files_are_checked_or_refused)
{
    CHECK(NULL, "check", KANE_SOURCE_DIR "/data/tracks/irregular.json");
    CHECK(NULL, "check", KANE_SOURCE_DIR "/vehicles/two-axle-wagon.json");
    CHECK(NULL, "check", KANE_SOURCE_DIR "/data/runs/coach-flexible.json");
}

CHECK_TEST(runs_give_the_same_or_nothing)
{
    CHECK("mechanism/results.csv", "run", "-q", "-F", "csv", "-o", "mechanism", "-s", "until.time=0.002",
          KANE_SOURCE_DIR "/data/runs/mechanism-squeezer.json");
    CHECK("wagon/results.csv", "run", "-q", "-F", "csv", "-o", "wagon", "-s", "until.distance=2", RUN);
}

// A case that has failed shows in the exit code, whatever else fails.
CHECK_TEST(a_sweep_never_hides_a_failed_case)
{
    const char *const sweep[] = {"sweep",  KANE_SOURCE_DIR "/data/runs/mechanism-pendulum.json",
                                 "--over", "until.time=0.02,0.03",
                                 "-m",     "max(bob.y)",
                                 "-q",     "-j",
                                 "1",      "-o",
                                 "sweep",  NULL};
    int failed                = 0;
    assert_int_equal(call_without(0, sweep), 0);
    const long count = strtol(strstr(content("err"), "allocations: ") + strlen("allocations: "), NULL, 10);
    for (long k = 1; k <= count; k += 5) {
        assert_int_equal(system("rm -rf sweep"), 0);
        const int code = call_without(k, sweep);
        if (code == -SIGSEGV || access("sweep/journal.jsonl", F_OK) != 0)
            continue;
        const char *found = strstr(content("sweep/journal.jsonl"), "\"state\": \"failed\"");
        failed += found != NULL;
        if (found && code == 0)
            fail_msg("allocation %ld: a case has failed, the exit code is 0", k);
        const char *why = found ? strstr(found, "\"why\": \"") : NULL;
        if (why && why[strlen("\"why\": \"")] == '"')
            fail_msg("allocation %ld: a case has failed without a reason", k);
    }
    assert_true(failed > 3);
}

// A command with a file that it writes (NULL: none). Of those that read or write HDF5 crashes within HDF5 1.10 are
// counted, no more (docs/results.md, "Without memory"): it crashes, or calls exit(-1), while it starts, registers an
// object or ends. Everything else holds for them as for others: what ends with 0 has written the same.
static void check_file_command(const char *const *arguments, const char *file, int every, int with_hdf5)
{
    static char expected[4 << 20];
    assert_int_equal(call_without(0, arguments), 0);
    const long count = strtol(strstr(content("err"), "allocations: ") + strlen("allocations: "), NULL, 10);
    (void)snprintf(expected, sizeof expected, "%s", content(file ? file : "out"));
    int crashes = 0, refused = 0, tried = 0;
    for (long k = 1; k <= count; k += every, tried++) {
        const int code = call_without(k, arguments);
        if (code == 0) { // a page may say that it could not find out whether the run had ended
            if (strcmp(content(file ? file : "out"), expected) != 0 &&
                !strstr(content(file ? file : "out"), "there is no memory to find out"))
                fail_msg("allocation %ld: %s differs", k, file ? file : "out");
        } else if (code == -SIGSEGV || code == -SIGABRT || code == 255)
            crashes++;
        else {
            refused++;
            expect("err", "error: ");
            if (code != NO_MEMORY && !with_hdf5)
                fail_msg("allocation %ld: exit code %d: %s", k, code, content("err"));
        }
    }
    print_message("%s: %d of %ld allocations, %d refused, %d crashes\n", arguments[0], tried, count, refused, crashes);
    assert_true(refused > 0);
    assert_in_range(crashes, 0, with_hdf5 ? tried / 2 : 0);
}

#define CHECK_FILE(file, every, with_hdf5, ...)                                                                        \
    check_file_command((const char *const[]){__VA_ARGS__, NULL}, file, every, with_hdf5)

CHECK_TEST(results_are_shown_or_refused)
{
    assert_int_equal(CALL("run", "-q", "-F", "csv", "-o", "rows", "-s", "until.distance=2", RUN), 0);
    CHECK_FILE(NULL, 37, 0, "evaluate", "rows");
    CHECK_FILE("page.html", 97, 0, "view", "rows", "-o", "page.html");
    CHECK_FILE("rows.svg", 97, 0, "plot", "rows", "-o", "rows.svg");
}

CHECK_TEST(results_in_hdf5_are_shown_or_refused)
{
    if (!kane_results_have_hdf5())
        check_skip("this libkane was built without HDF5");
    assert_int_equal(CALL("run", "-q", "-F", "hdf5", "-o", "rows5", "-s", "until.distance=2", RUN), 0);
    CHECK_FILE(NULL, 211, 1, "evaluate", "rows5");
    CHECK_FILE("page5.html", 307, 1, "view", "rows5", "-o", "page5.html");
    CHECK_FILE("rod.kflex", 97, 1, "flexible", "reduce", KANE_SOURCE_DIR "/data/flexible/connecting-rod.json", "-o",
               "rod.kflex");
    CHECK_FILE(NULL, 97, 1, "flexible", "check", "rod.kflex");
}

CHECK_MAIN(enter_folder, leave_folder)
