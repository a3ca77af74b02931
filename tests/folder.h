// SPDX-License-Identifier: MIT
// A folder of its own for a group of tests, in which they run, and files in it as somebody types them.

#ifndef KANE_TESTS_FOLDER_H
#define KANE_TESTS_FOLDER_H

#include "check.h"

#include <unistd.h>

enum { FOLDER_SIZE = 200 };

static char folder[FOLDER_SIZE];

// Setup and teardown of the group; the folder, in TMPDIR or /tmp, goes with all that is in it.
static inline int enter_folder(void **state)
{
    const char *in   = getenv("TMPDIR");
    const int length = snprintf(folder, sizeof folder, "%s/kane_test_XXXXXX", in && in[0] ? in : "/tmp");
    (void)state;
    if (length >= FOLDER_SIZE) {
        print_error("TMPDIR is too long: %s\n", in);
        return -1;
    }
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state)
{
    char command[FOLDER_SIZE + 16];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static inline void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// apps/rename_keys.py, which writes today's keys into files that have older ones.
#define RENAME_KEYS "python3 '" KANE_SOURCE_DIR "/apps/rename_keys.py'"

// What is in a file, until the next call.
static inline const char *content(const char *name)
{
    static char *text;
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fail_msg("there is no %s", name);
    const size_t length = (size_t)ftell(file);
    rewind(file);
    free(text);
    text = calloc(length + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, length, file), length);
    (void)fclose(file);
    return text;
}

#endif
