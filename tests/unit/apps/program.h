// SPDX-License-Identifier: MIT
// The program as a child process: its outputs go to the files "out" and "err" of a folder of the test.

#ifndef KANE_TESTS_PROGRAM_H
#define KANE_TESTS_PROGRAM_H

#include "models.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUN KANE_SOURCE_DIR "/data/runs/wagon-transition.json"

enum { ARGUMENTS_MOST = 30 };

static char folder[] = "/tmp/kane_program_XXXXXX";

// Starts the program with arguments (NULL-terminated).
static inline pid_t start(const char *const *arguments)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const char *argv[ARGUMENTS_MOST + 2] = {KANE_PROGRAM};
        for (int i = 0; arguments[i] && i < ARGUMENTS_MOST; i++)
            argv[i + 1] = arguments[i];
        const int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        (void)dup2(out, 1);
        (void)dup2(err, 2);
        (void)execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(99);
    }
    return child;
}

// Exit code, or minus the signal that ended it.
static inline int wait_for(pid_t child)
{
    int status;
    assert_true(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

#define CALL(...) wait_for(start((const char *const[]){__VA_ARGS__, NULL}))

static inline const char *content(const char *name)
{
    static char text[1 << 16];
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

// For groups of tests: they run in the folder, which is removed in the end.
static inline int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state)
{
    char command[128];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

#endif
