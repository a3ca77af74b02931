// SPDX-License-Identifier: MIT
// The program as a child process: its outputs go to the files "out" and "err" of a folder of the test.

#ifndef KANE_TESTS_PROGRAM_H
#define KANE_TESTS_PROGRAM_H

#include "folder.h"
#include "models.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUN KANE_SOURCE_DIR "/data/runs/wagon-transition.json"

enum { ARGUMENTS_MOST = 30 };

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

// A library for LD_PRELOAD by a name without blanks, which part its names: a link in the folder of the test.
static inline const char *preloaded(const char *library)
{
    (void)unlink("preloaded.so");
    assert_int_equal(symlink(library, "preloaded.so"), 0);
    return "./preloaded.so";
}

static inline void expect(const char *file, const char *text)
{
    if (!strstr(content(file), text))
        fail_msg("'%s' is not in %s:\n%s", text, file, content(file));
}

#endif
