// SPDX-License-Identifier: MIT
// A directory of its own for each test, and what tests of files share.

#ifndef KANE_TESTS_FILES_H
#define KANE_TESTS_FILES_H

#include "errors.h"

#include <kane/results.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *files_directory; // of the running test

// Path of a file in the directory of the test; the last 8 stay valid.
static inline const char *files_path(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    (void)snprintf(path, sizeof paths[0], "%s/%s", files_directory, name);
    return path;
}

static inline int files_setup(void **state)
{
    (void)state;
    static char name[64];
    (void)snprintf(name, sizeof name, "/tmp/kane-test-XXXXXX");
    files_directory = mkdtemp(name);
    return files_directory ? 0 : -1;
}

// Number of files in the directory of the test.
static inline int files_count(void)
{
    int count      = 0;
    DIR *directory = opendir(files_directory);
    assert_non_null(directory);
    for (const struct dirent *d; (d = readdir(directory));)
        count += d->d_name[0] != '.';
    (void)closedir(directory);
    return count;
}

static inline int files_teardown(void **state)
{
    (void)state;
    DIR *directory = opendir(files_directory);
    if (!directory)
        return -1;
    for (const struct dirent *d; (d = readdir(directory));)
        if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
            (void)remove(files_path(d->d_name));
    (void)closedir(directory);
    return rmdir(files_directory);
}

#define files_test(name) CHECK_TEST_IN(name, files_setup, files_teardown)

static inline void files_write(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

// All bytes of a file and a 0 behind them, to be given to test_free.
static inline char *files_read(const char *path, size_t *length)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    char *bytes = test_calloc((size_t)about.st_size + 1, 1);
    FILE *file  = fopen(path, "rb");
    assert_non_null(file);
    *length = fread(bytes, 1, (size_t)about.st_size, file);
    assert_int_equal(*length, (size_t)about.st_size);
    (void)fclose(file);
    return bytes;
}

static inline void assert_same_files(const char *a, const char *b)
{
    size_t length_a, length_b;
    char *bytes_a = files_read(a, &length_a), *bytes_b = files_read(b, &length_b);
    assert_int_equal(length_a, length_b);
    assert_memory_equal(bytes_a, bytes_b, length_a);
    test_free(bytes_a);
    test_free(bytes_b);
}

// The only error, as people read it, but with the directory of the test left out; then there is none any more.
static inline const char *error_text(kane_errors *errors)
{
    static char text[1024];
    assert_int_equal(errors->count, 1);
    (void)kane_error_format(kane_errors_get(errors, 0), sizeof text, text);
    const size_t n = strlen(files_directory) + 1;
    for (char *p; (p = strstr(text, files_directory));)
        memmove(p, p + n, strlen(p + n) + 1);
    kane_errors_clear(errors);
    return text;
}

// The same bits; in CSV all NaN are one.
static inline int is_same(double a, double b, kane_file_format format)
{
    return memcmp(&a, &b, sizeof a) == 0 || (format == KANE_CSV && isnan(a) && isnan(b));
}

// The formats that this library has.
static inline int files_format_count(void)
{
    return kane_results_have_hdf5() ? 2 : 1;
}

static const kane_file_format files_formats[] = {KANE_CSV, KANE_HDF5};

#endif
