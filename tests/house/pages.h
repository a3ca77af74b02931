// SPDX-License-Identifier: MIT
// Commands that pages show, carried out in a folder of their own.

#ifndef KANE_TESTS_PAGES_H
#define KANE_TESTS_PAGES_H

#include "check.h"

#include <unistd.h>

// A folder that has data and vehicles, to be left by leave_folder.
static inline void enter_folder(char *folder)
{
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(symlink(KANE_SOURCE_DIR "/data", "data"), 0);
    assert_int_equal(symlink(KANE_SOURCE_DIR "/vehicles", "vehicles"), 0);
}

static inline void leave_folder(const char *folder)
{
    char command[1024];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(system(command), 0);
}

static inline FILE *open_script(void)
{
    FILE *script = fopen("script", "w");
    assert_non_null(script);
    (void)fprintf(script, "PATH=$(dirname %s):$PATH\n", KANE_PROGRAM);
    return script;
}

// A whole file, or what a command prints.
static inline void read_all(FILE *from, size_t size, char *text)
{
    assert_non_null(from);
    text[fread(text, 1, size - 1, from)] = '\0';
}

#endif
