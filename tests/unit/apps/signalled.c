// SPDX-License-Identifier: MIT
// To be loaded before the C library: sends the signal SIGNAL at call SIGNAL_AT of fsync, where a new file is whole and
// has not yet its place. In a child of the process in which the counting began (SIGNAL_PARENT) it goes to its parent
// instead, and the child waits for what the parent does.

#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

static pid_t first;

__attribute__((constructor)) static void begin(void)
{
    first = getpid();
}

int fsync(int file)
{
    static long calls;
    const int is_child = getpid() != first, is_meant = number_of("SIGNAL_PARENT") ? is_child : 1;
    if (is_meant && ++calls == number_of("SIGNAL_AT")) {
        (void)kill(is_child && number_of("SIGNAL_PARENT") ? getppid() : getpid(), (int)number_of("SIGNAL"));
        while (is_child && number_of("SIGNAL_PARENT"))
            (void)pause();
    }
    return (int)syscall(SYS_fsync, file);
}
