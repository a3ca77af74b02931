// SPDX-License-Identifier: MIT
// The cache: what was written is found under its key alone, whole or not at all; it is bounded; nothing fails without.

#define _GNU_SOURCE

#include "folder.h"

#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 100000 };

static void fill_bytes(unsigned char bytes[SIZE], int seed)
{
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i * 31 + (i >> 8) + seed);
}

static int is_found(const char *cache, const char *key, int seed)
{
    static unsigned char expected[SIZE], found[SIZE];
    fill_bytes(expected, seed);
    if (!kane_cache_read(cache, key, strlen(key), found, SIZE))
        return 0;
    assert_memory_equal(found, expected, SIZE);
    return 1;
}

static void keep_bytes(const char *cache, const char *key, int seed)
{
    static unsigned char bytes[SIZE];
    fill_bytes(bytes, seed);
    kane_cache_write(cache, key, strlen(key), bytes, SIZE);
}

CHECK_TEST(what_was_written_is_found_under_its_key)
{
    static unsigned char other[SIZE + 1];
    static const char cache[] = "cache-1";
    assert_false(is_found(cache, "one", 1));
    keep_bytes(cache, "one", 1);
    keep_bytes(cache, "two", 2);
    assert_true(is_found(cache, "one", 1) && is_found(cache, "two", 2));
    assert_false(kane_cache_read(cache, "on", 2, other, SIZE));
    assert_false(kane_cache_read(cache, "one", 3, other, SIZE - 1));
    assert_false(kane_cache_read(cache, "one", 3, other, SIZE + 1));
    keep_bytes(cache, "one", 3);
    assert_true(is_found(cache, "one", 3));
}

// Any byte of the file but those that no reader needs.
CHECK_TEST(a_damaged_file_is_not_found)
{
    static kane_cache_entry entries[KANE_CACHE_ENTRIES];
    static const char cache[] = "cache-3";
    char name[400];
    keep_bytes(cache, "one", 1);
    assert_int_equal(kane_cache_list(cache, entries), 1);
    (void)snprintf(name, sizeof name, "%s/%s", cache, entries[0].name);
    const size_t size = entries[0].size;
    for (size_t at = 0; at < size; at += at < 60 ? 1 : 9973) {
        FILE *file = fopen(name, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
        const int byte = fgetc(file);
        assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
        assert_true(fputc(byte ^ 4, file) != EOF);
        assert_int_equal(fclose(file), 0);
        assert_true(!is_found(cache, "one", 1) || at == 45); // the line's end
        keep_bytes(cache, "one", 1);
        assert_true(is_found(cache, "one", 1));
    }
    assert_int_equal(truncate(name, (off_t)size / 2), 0);
    assert_false(is_found(cache, "one", 1));
}

CHECK_TEST(the_files_not_used_for_the_longest_time_go)
{
    static kane_cache_entry entries[KANE_CACHE_ENTRIES];
    static const char *const keys[] = {"a", "b", "c", "d"};
    static const char cache[]       = "cache-4";
    char name[400];
    for (int i = 0; i < 4; i++) {
        const struct timespec old[2] = {{1000 + i, 0}, {1000 + i, 0}};
        keep_bytes(cache, keys[i], i);
        assert_int_equal(kane_cache_list(cache, entries), i + 1);
        (void)snprintf(name, sizeof name, "%s/%s", cache, entries[0].name); // the one just written
        assert_int_equal(utimensat(AT_FDCWD, name, old, 0), 0);
    }
    assert_true(is_found(cache, "a", 0)); // now the last used
    size_t freed;
    assert_int_equal(kane_cache_limit(cache, 2 * (SIZE + 200), &freed), 2);
    assert_true(freed >= 2 * SIZE);
    assert_true(is_found(cache, "a", 0) && is_found(cache, "d", 3));
    assert_false(is_found(cache, "b", 1) || is_found(cache, "c", 2));
    assert_int_equal(kane_cache_limit(cache, 0, NULL), 2);
    assert_int_equal(kane_cache_list(cache, entries), 0);
}

CHECK_TEST(what_a_killed_writer_left_is_removed)
{
    static const char cache[] = "cache-5", left[] = "cache-5/0123456789abcdef0123456789abcdef.cache.99999999-7.new";
    keep_bytes(cache, "one", 1);
    FILE *file = fopen(left, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    keep_bytes(cache, "two", 2);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_true(is_found(cache, "one", 1) && is_found(cache, "two", 2));
}

// Two processes write while this one reads: each time the whole of it, or nothing.
CHECK_TEST(two_writers_and_a_reader_do_not_meet)
{
    static const char cache[] = "cache-2";
    pid_t writers[2];
    for (int k = 0; k < 2; k++) {
        writers[k] = fork();
        assert_true(writers[k] >= 0);
        for (int i = 0; writers[k] == 0 && i < 60; i++)
            keep_bytes(cache, "one", 7);
        if (writers[k] == 0)
            _exit(0);
    }
    int found = 0, running = 2, status;
    while (running > 0) {
        found += is_found(cache, "one", 7);
        while (running > 0 && waitpid(writers[running - 1], &status, WNOHANG) > 0) {
            assert_int_equal(status, 0);
            running--;
        }
    }
    print_message("found %d times\n", found);
    assert_true(found > 0 && is_found(cache, "one", 7));
}

CHECK_TEST(a_folder_that_cannot_be_written_is_done_without)
{
    keep_bytes("/dev/null/no/folder", "one", 1);
    assert_false(is_found("/dev/null/no/folder", "one", 1));
    static kane_cache_entry entries[KANE_CACHE_ENTRIES];
    assert_int_equal(kane_cache_list("/dev/null/no/folder", entries), 0);
}

CHECK_TEST(the_folder_is_the_users)
{
    char user[KANE_CACHE_PATH];
    assert_int_equal(setenv("HOME", "/home/of", 1), 0);
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(unsetenv("KANE_CACHE"), 0);
    assert_true(kane_cache_folder(user));
    assert_string_equal(user, "/home/of/.cache/kane");
    assert_int_equal(setenv("XDG_CACHE_HOME", "not/absolute", 1), 0);
    assert_true(kane_cache_folder(user));
    assert_string_equal(user, "/home/of/.cache/kane");
    assert_int_equal(setenv("XDG_CACHE_HOME", "/caches", 1), 0);
    assert_true(kane_cache_folder(user));
    assert_string_equal(user, "/caches/kane");
    assert_int_equal(setenv("KANE_CACHE", "/mine", 1), 0);
    assert_true(kane_cache_folder(user));
    assert_string_equal(user, "/mine");
    assert_int_equal(setenv("KANE_CACHE", "", 1), 0);
    assert_false(kane_cache_folder(user));
}

CHECK_MAIN(enter_folder, leave_folder)
