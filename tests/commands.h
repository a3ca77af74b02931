// SPDX-License-Identifier: MIT
// Other programs, as the shell calls them.

#ifndef KANE_TESTS_COMMANDS_H
#define KANE_TESTS_COMMANDS_H

#include "folder.h"

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
