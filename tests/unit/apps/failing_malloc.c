// SPDX-License-Identifier: MIT
// To be loaded before the C library: of all allocations of a process, whoever makes them, number FAILING_MALLOC fails,
// once. At its end the process tells their number on standard error (glibc).

#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// glibc's own
void *__libc_malloc(size_t size);               // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void *__libc_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void *__libc_realloc(void *block, size_t size); // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static atomic_long count;
static long failing = -1; // before and after main nothing counts

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAILING_MALLOC");
    failing          = text ? strtol(text, NULL, 10) : -1;
    (void)unsetenv("LD_PRELOAD"); // programs that it calls, such as gnuplot, have all memory
}

__attribute__((destructor)) static void end(void)
{
    char text[64];
    failing          = -1;
    const int length = snprintf(text, sizeof text, "\nallocations: %ld\n", (long)count);
    (void)!write(STDERR_FILENO, text, (size_t)length);
}

static int fails(void)
{
    if (failing < 0 || atomic_fetch_add(&count, 1) + 1 != failing)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t many, size_t size)
{
    return fails() ? NULL : __libc_calloc(many, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}
