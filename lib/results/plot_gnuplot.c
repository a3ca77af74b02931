// SPDX-License-Identifier: MIT
// Runs gnuplot as a program, without a shell and without pipes.
//
// Its three standard streams are files without names. So there is no pipe that could break (and no SIGPIPE), no process
// waits for the other to read, and whatever happens nothing is left over.

#include "results/plot.h"

#include "base/machine.h"

#include "base/number.h"
#include "base/text.h"
#include "results/results.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char PROGRAM[] = "gnuplot";

int kane_gnuplot_file(kane_errors *errors)
{
    // above the standard streams, which the caller may have closed, and not open in other programs
    FILE *file           = tmpfile();
    const int descriptor = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
    if (descriptor < 0)
        (void)kane_file_error(errors, PROGRAM, "a temporary file for it cannot be made", errno);
    if (file)
        (void)fclose(file);
    return descriptor;
}

// 0, or errno.
static int start_gnuplot(const int streams[3], pid_t *child)
{
    // -d: neither the user's nor the system's settings, so that every machine draws the same
    static const char *const arguments[] = {PROGRAM, "-d", NULL};
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    for (int i = 0; i < 3 && !failed; i++)
        failed = posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    if (!failed)
        failed = posix_spawnp(child, PROGRAM, &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return failed;
}

// Status of a child by waitpid; -1 if it had to be killed. Where the process ignores SIGCHLD there is no status: 0, and
// the picture is checked instead.
static int wait_for(pid_t child, double limit)
{
    const double begin  = kane_clock();
    struct timespec nap = {0, 1000000};
    int status          = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno == ECHILD))
            return ended == child ? status : 0;
        if (kane_clock() - begin > limit)
            break;
        (void)nanosleep(&nap, NULL);
        nap.tv_nsec = nap.tv_nsec < 8000000 ? 2 * nap.tv_nsec : nap.tv_nsec;
    }
    (void)kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return -1;
}

// Messages of gnuplot on one line.
static void read_complaint(int descriptor, size_t size, char *text)
{
    const ssize_t length          = pread(descriptor, text, size - 1, 0);
    char *to                      = text;
    text[length > 0 ? length : 0] = '\0';
    for (const char *from = text; *from; from++) {
        const char c = (unsigned char)*from < ' ' ? ' ' : *from;
        if (c != ' ' || (to > text && to[-1] != ' '))
            *to++ = c;
    }
    while (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

// 1 if a text is in the last bytes of a file.
static int has_end(int descriptor, const char *end)
{
    char last[33];
    const off_t size     = lseek(descriptor, 0, SEEK_END);
    const ssize_t length = pread(descriptor, last, sizeof last - 1, size > 32 ? size - 32 : 0);
    const size_t wanted  = strlen(end);
    for (ssize_t i = 0; i + (ssize_t)wanted <= length; i++)
        if (memcmp(last + i, end, wanted) == 0)
            return 1;
    return 0;
}

static kane_status check_exit(int status, int is_whole, double limit, int complaints, kane_errors *errors)
{
    char said[384], what[96];
    if (status == 0 && is_whole)
        return KANE_OK;
    if (status == -1)
        (void)kane_snprintf(what, sizeof what, "gnuplot was stopped because it did not finish within %g s", limit);
    else if (WIFSIGNALED(status))
        (void)snprintf(what, sizeof what, "gnuplot was ended by signal %d", WTERMSIG(status));
    else
        (void)snprintf(what, sizeof what, status == 0 ? "gnuplot left no whole picture" : "gnuplot failed");
    read_complaint(complaints, sizeof said, said);
    kane_errors_add(errors, KANE_NO_FILE, "%s: %s", what, said[0] ? said : "it said nothing");
    return KANE_NO_FILE;
}

static kane_status report_no_gnuplot(int reason, kane_errors *errors)
{
    if (reason != ENOENT)
        return kane_file_error(errors, PROGRAM, "cannot be run", reason);
    kane_errors_add(errors, KANE_NO_FILE,
                    "the program gnuplot, which draws pictures, is missing; install it, e.g. apt install gnuplot-nox");
    return KANE_NO_FILE;
}

kane_status kane_gnuplot_run(int script, int picture, const char *end, double limit, kane_errors *errors)
{
    const int complaints = kane_gnuplot_file(errors);
    kane_status status   = KANE_NO_FILE;
    pid_t child;
    if (complaints < 0)
        return status;
    (void)lseek(script, 0, SEEK_SET);
    const int failed = start_gnuplot((const int[3]){script, picture, complaints}, &child);
    if (failed) {
        status = report_no_gnuplot(failed, errors);
    } else {
        const int how = wait_for(child, limit);
        status        = check_exit(how, has_end(picture, end), limit, complaints, errors);
    }
    (void)close(complaints);
    return status;
}
