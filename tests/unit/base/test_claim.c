// SPDX-License-Identifier: MIT
// Claims of files and directories: one has it, others are told who, and a kill gives it back.

#define _GNU_SOURCE // F_OFD_SETLK, RTLD_NEXT

#include "check.h"

#include "base/file.h"
#include "base/machine.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/kane_claim_XXXXXX";

// Released in the middle of the next claim, when the file has been opened; NULL: none.
static kane_claim *leaving;

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (!next) {
        void *found = dlsym(RTLD_NEXT, "open");
        if (!found)
            abort();
        memcpy(&next, &found, sizeof next);
    }
    const int file = next(path, flags, mode);
    if (leaving && strstr(path, "run.lock")) {
        kane_claim *gone = leaving;
        leaving          = NULL;
        kane_claim_release(gone);
    }
    return file;
}

static int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 && mkdir("d", 0777) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return rmdir("d") == 0 && chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

// A child that has the directory until it is killed.
static pid_t occupy(void)
{
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        kane_claim claim;
        (void)kane_claim_directory(&claim, "d", NULL);
        (void)!write(ready[1], &byte, 1);
        for (;;)
            (void)pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
    (void)close(ready[1]);
    return child;
}

CHECK_TEST(the_time_of_a_claimant_is_read)
{
    // days since 1970 of 2000-03-01: 30 years and 8 leap days, and 31 + 28 days: 11017
    assert_true(kane_claim_time("2000-03-01T00:00:00Z") == 11017.0 * 86400.0);
    assert_true(kane_claim_time("1970-01-01T00:00:01Z") == 1.0);
    assert_true(kane_claim_time("") == -1.0);
    const kane_claimant now = kane_claimant_now();
    const double clock = (double)time(NULL), then = kane_claim_time(now.when);
    assert_true(then <= clock && clock - then <= 10.0); // between two lines above
}

CHECK_TEST(a_directory_belongs_to_one_until_he_ends)
{
    CHECK_ERRORS errors = {0};
    kane_claim claim;
    char expected[128];
    const pid_t child = occupy();
    assert_int_equal(kane_claim_directory(&claim, "d", &errors), KANE_IN_USE);
    assert_int_equal(claim.file, -1);
    assert_int_equal(errors.count, 1);
    assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_IN_USE);
    (void)snprintf(expected, sizeof expected, "d is being written by process %ld on ", (long)child);
    if (strncmp(kane_errors_get(&errors, 0)->text, expected, strlen(expected)) != 0)
        fail_msg("%s", kane_errors_get(&errors, 0)->text);
    kane_claim_release(&claim); // of nothing

    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access("d/run.lock", F_OK), 0); // a kill leaves it
    assert_int_equal(kane_claim_directory(&claim, "d", NULL), KANE_OK);
    kane_claim_release(&claim);
    assert_int_equal(access("d/run.lock", F_OK), -1);
    kane_claim_release(&claim); // twice does no harm
}

CHECK_TEST(two_of_one_process_exclude_each_other)
{
    kane_claim one, two;
    assert_int_equal(kane_claim_directory(&one, "d", NULL), KANE_OK);
#ifdef F_OFD_SETLK
    assert_int_equal(kane_claim_directory(&two, "d", NULL), KANE_IN_USE);
    const pid_t child = fork(); // the one that was refused has not taken the claim away
    int status;
    if (child == 0) {
        (void)close(one.file);
        _exit(kane_claim_directory(&two, "d", NULL) == KANE_IN_USE ? 0 : 1);
    }
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
    kane_claim_release(&one);
    assert_int_equal(kane_claim_directory(&two, "d", NULL), KANE_OK);
    kane_claim_release(&two);
}

// One that waits gets the directory when the other one is killed, and gives up where the other one has it and does
// nothing.
CHECK_TEST(a_claim_can_be_waited_for)
{
    kane_errors errors = {0};
    kane_claim claim;
    int waited;
    pid_t child = occupy();
    assert_int_equal(kane_claim_directory_wait(&claim, "d", 0.2, &waited, &errors), KANE_IN_USE);
    assert_true(waited && errors.count == 1 && claim.file == -1);

    // it writes for half a second, more than the patience, and is killed
    const pid_t writer = fork();
    if (writer == 0) {
        for (int i = 0; i < 25; i++) {
            (void)close(open("d/rows", O_WRONLY | O_CREAT | O_TRUNC, 0666));
            kane_clock_wait(kane_clock() + 0.02);
        }
        (void)kill(child, SIGKILL);
        (void)unlink("d/rows");
        _exit(0);
    }
    const double begin = kane_clock();
    assert_int_equal(kane_claim_directory_wait(&claim, "d", 0.4, &waited, &errors), KANE_OK);
    assert_true(waited && kane_clock() - begin > 0.4);
    kane_claim_release(&claim);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(waitpid(writer, NULL, 0), writer);

    assert_int_equal(kane_claim_directory_wait(&claim, "d", 0.4, &waited, &errors), KANE_OK);
    assert_false(waited);
    kane_claim_release(&claim);
}

// Who opens the file just before it is taken away makes a new one, and does not sit on the old one.
CHECK_TEST(nobody_claims_a_file_that_is_gone)
{
    kane_claim one, two;
    struct stat named, claimed;
    assert_int_equal(kane_claim_directory(&one, "d", NULL), KANE_OK);
    leaving = &one;
    assert_int_equal(kane_claim_directory(&two, "d", NULL), KANE_OK);
    assert_null(leaving);
    assert_int_equal(stat("d/run.lock", &named), 0);
    assert_int_equal(fstat(two.file, &claimed), 0);
    assert_int_equal(named.st_ino, claimed.st_ino);
    kane_claim_release(&two);
}

CHECK_TEST(what_cannot_be_claimed_is_told)
{
    CHECK_ERRORS errors = {0};
    kane_claim claim;
    assert_int_equal(kane_claim_directory(&claim, "nowhere", &errors), KANE_NO_FILE);
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "the directory nowhere cannot be claimed for writing: No such file or directory");
    char name[5000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_int_equal(kane_claim_directory(&claim, name, NULL), KANE_NO_FILE);
}

// Claims of a process: a child that inherits the file has none, and who asks is told who has it.
CHECK_TEST(a_claim_of_a_process_is_not_inherited)
{
    long process;
    const int file = open("f", O_RDWR | O_CREAT, 0666);
    assert_int_equal(kane_claim_take(file, KANE_CLAIM_OF_PROCESS), 0);
    const pid_t child = fork();
    int status;
    if (child == 0)
        _exit(kane_claim_take(file, KANE_CLAIM_OF_PROCESS) == EAGAIN && kane_claim_is_taken(file, &process) &&
                      process == (long)getppid()
                  ? 0
                  : 1);
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(kane_claim_is_taken(file, &process), 0);
    (void)close(file);
    (void)unlink("f");
}

CHECK_MAIN(enter, leave)
