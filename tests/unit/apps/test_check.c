// SPDX-License-Identifier: MIT
// kane check when there is no memory: its report is whole, or the program says that it is not.

#include "allocation.h"

#include "apps/kane/app.h"
#include "models.h"

#include <fcntl.h>
#include <unistd.h>

enum { SIZE = 1 << 14, OF_ARGP = 1 }; // the first allocation is argp's own

static char name[] = KANE_SOURCE_DIR "/data/mechanisms/four-bar.json"; // it has a variant

// Points a stream to a file; returns what it pointed to.
static int turn(FILE *stream, const char *file)
{
    (void)fflush(stream);
    const int kept = dup(fileno(stream)), own = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(kept >= 0 && own >= 0 && dup2(own, fileno(stream)) >= 0);
    (void)close(own);
    return kept;
}

static void turn_back(FILE *stream, int kept)
{
    (void)fflush(stream);
    assert_true(dup2(kept, fileno(stream)) >= 0);
    (void)close(kept);
}

static void read_back(const char *file, char *text)
{
    FILE *f = fopen(file, "r");
    assert_non_null(f);
    text[fread(text, 1, SIZE - 1, f)] = '\0';
    (void)fclose(f);
}

// Checks the mechanism while allocation k fails (0: none does). What it reports, and what it complains of.
static int check(int k, int *has_failed, char *report, char *complaint)
{
    char program[] = "kane check", *argv[] = {program, name, NULL};
    const int out = turn(stdout, "out"), err = turn(stderr, "err");
    allocation_fail_at(k);
    const int end = command_check(2, argv);
    *has_failed   = allocation_stop();
    turn_back(stdout, out);
    turn_back(stderr, err);
    read_back("out", report);
    read_back("err", complaint);
    return end;
}

CHECK_TEST(a_report_is_whole_or_memory_is_said_to_be_short)
{
    static char whole[SIZE], report[SIZE], complaint[SIZE];
    int has_failed, refused = 0;
    assert_int_equal(check(0, &has_failed, whole, complaint), EXIT_DONE);
    assert_non_null(strstr(whole, "variant \"closed form\""));
    for (int k = 1 + OF_ARGP;; k++) {
        const int end = check(k, &has_failed, report, complaint);
        if (!has_failed)
            break;
        if (end == EXIT_DONE && strcmp(report, whole) != 0)
            fail_msg("allocation %d fails, and that is not said; the report is\n%s", k, report);
        if (end != EXIT_DONE && !strstr(complaint, "memory"))
            fail_msg("allocation %d fails: exit code %d, '%s'", k, end, complaint);
        refused += end != EXIT_DONE;
    }
    assert_true(refused > 10);
}

static int enter(void **state)
{
    static char folder[] = "/tmp/kane_check_XXXXXX";
    *state               = mkdtemp(folder);
    return *state ? chdir(folder) : -1;
}

static int leave(void **state)
{
    return unlink("out") | unlink("err") | chdir("/") | rmdir(*state);
}

CHECK_MAIN(enter, leave)
