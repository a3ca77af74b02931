// SPDX-License-Identifier: MIT
// A folder of its own for a group of tests, in which they run, files in it as somebody types them, and commands.

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

// --- other programs, as the shell calls them ---

// Whether a command, printed as printf does it, succeeds.
static inline int command_works(const char *format, ...) KANE_PRINTF(1, 2);
static inline int command_works(const char *format, ...)
{
    char command[4096];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_true(length < (int)sizeof command);
    return system(command) == 0;
}

// It must succeed, else the test ends with what it has written: the file "command.log".
#define command_must(...)                                                                                              \
    do {                                                                                                               \
        char check_command[4096];                                                                                      \
        assert_true(snprintf(check_command, sizeof check_command, __VA_ARGS__) < (int)sizeof check_command);           \
        if (!command_works("(%s) >command.log 2>&1", check_command))                                                   \
            fail_msg("%s\n%s", check_command, content("command.log"));                                                 \
    } while (0)

// A Python that has modules ("numpy, h5py"); NULL: there is none.
static inline const char *command_python(const char *modules)
{
    static const char *const known[] = {"python3", "/usr/bin/python3"};
    for (int i = 0; i < 2; i++)
        if (command_works("%s -c 'import %s' 2>/dev/null", known[i], modules))
            return known[i];
    return NULL;
}

// The same for a test that is skipped where there is none; package: of Debian.
static inline const char *command_python_needed(const char *modules, const char *package)
{
    const char *python = command_python(modules);
    if (!python)
        check_skip("there is no python3 with %s here (Debian: %s)", modules, package);
    return python;
}

#endif
