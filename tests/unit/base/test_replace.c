// SPDX-License-Identifier: MIT
// Files that are replaced in one step, and hashes of files.

#define _GNU_SOURCE // F_OFD_SETLK, syscall

#include "folder.h"
#include "check.h"

#include "base/file.h"
#include "base/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int count_files(void)
{
    int count = 0;
    DIR *d    = opendir(".");
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        count += e->d_name[0] != '.';
    (void)closedir(d);
    return count;
}

CHECK_TEST(readers_see_the_old_or_the_new)
{
    kane_replacement r;
    CHECK_ERRORS errors = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(kane_replacement_open(&r, "a.txt", &errors), KANE_OK);
        (void)fprintf(r.file, "number %d\n", i);
        (void)fflush(r.file);
        if (i == 0)
            assert_int_equal(access("a.txt", F_OK), -1);
        else
            assert_string_equal(content("a.txt"), "number 0\n");
        assert_int_equal(kane_replacement_close(&r, &errors), KANE_OK);
    }
    assert_string_equal(content("a.txt"), "number 1\n");

    assert_int_equal(kane_replacement_open(&r, "a.txt", &errors), KANE_OK);
    (void)fprintf(r.file, "dropped\n");
    kane_replacement_drop(&r);
    kane_replacement_drop(&r);
    assert_string_equal(content("a.txt"), "number 1\n");

    assert_int_equal(kane_replacement_open(&r, "a.txt", &errors), KANE_OK);
    assert_int_equal(kane_replacement_close_first(&r, &errors), KANE_RETRY);
    assert_string_equal(content("a.txt"), "number 1\n");
    assert_int_equal(kane_replacement_open(&r, "b.txt", &errors), KANE_OK);
    (void)fprintf(r.file, "first\n");
    assert_int_equal(kane_replacement_close_first(&r, &errors), KANE_OK);
    assert_string_equal(content("b.txt"), "first\n");
    assert_int_equal(errors.count, 0);
    assert_int_equal(count_files(), 2);
}

// Another process that cleans up may find a new file before it is claimed: it has the claim then, and takes the name
// away.
static int other_cleans;
static char cleaned[256];

__attribute__((visibility("default"))) int fcntl(int file, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    const void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (command == F_OFD_SETLK && other_cleans) {
        char link[64];
        (void)snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        const ssize_t length = readlink(link, cleaned, sizeof cleaned - 1);
        assert_true(length > 0);
        cleaned[length] = '\0';
        other_cleans    = 0;
        errno           = EAGAIN;
        return -1;
    }
    return (int)syscall(SYS_fcntl, file, command, argument);
}

CHECK_TEST(a_file_that_another_process_has_taken_is_made_anew)
{
    kane_replacement r;
    kane_errors errors = {0};
    other_cleans       = 1;
    assert_int_equal(kane_replacement_open(&r, "c.txt", &errors), KANE_OK);
    assert_int_equal(other_cleans, 0);
    assert_int_equal(unlink(cleaned), 0);
    (void)fprintf(r.file, "whole\n");
    assert_int_equal(kane_replacement_close(&r, &errors), KANE_OK);
    assert_string_equal(content("c.txt"), "whole\n");
    assert_int_equal(unlink("c.txt"), 0);
}

CHECK_TEST(a_file_that_cannot_be_written_stays)
{
    kane_replacement r;
    CHECK_ERRORS errors = {0};
    struct rlimit limit;
    assert_int_equal(kane_replacement_open(&r, "nowhere/a.txt", &errors), KANE_NO_FILE);
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "nowhere/a.txt cannot be written: No such file or directory");

    (void)signal(SIGXFSZ, SIG_IGN);
    (void)getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = limit.rlim_cur;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(kane_replacement_open(&r, "a.txt", &errors), KANE_OK);
        limit.rlim_cur = 10;
        (void)setrlimit(RLIMIT_FSIZE, &limit);
        (void)fprintf(r.file, "more than ten bytes\n");
        if (round == 1) // long before the end
            assert_int_not_equal(fflush(r.file), 0);
        assert_int_equal(kane_replacement_close(&r, &errors), KANE_NO_FILE);
        limit.rlim_cur = before;
        (void)setrlimit(RLIMIT_FSIZE, &limit);
        assert_string_equal(kane_errors_get(&errors, 1 + round)->text, "a.txt cannot be written: File too large");
        assert_string_equal(content("a.txt"), "number 1\n");
        assert_int_equal(count_files(), 2);
    }
}

CHECK_TEST(hashes_tell_files_apart)
{
    char a[KANE_HASH_SIZE], b[KANE_HASH_SIZE];
    assert_int_equal(kane_hash_file("a.txt", a), 0);
    assert_int_equal(kane_hash_file("b.txt", b), 0);
    assert_int_equal(strlen(a), 32);
    assert_string_not_equal(a, b);
    assert_int_not_equal(kane_hash_file("c.txt", b), 0);
    assert_string_equal(b, "");
    assert_int_not_equal(kane_hash_file(".", b), 0);
    assert_true(kane_hash_text("ab", 2, 1) != kane_hash_text("ab", 2, 2));
    assert_true(kane_hash_text("ab", 2, 1) != kane_hash_text("ab", 1, 1));
}

CHECK_MAIN(enter_folder, leave_folder)
