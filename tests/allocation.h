// SPDX-License-Identifier: MIT
// Counts the allocations of a test program and lets the k-th of them fail. Include it in the one source file of the
// program, before anything else; it takes the place of malloc, calloc and realloc and asks the next library for memory
// (the C library's, or that of a sanitizer, whose leak check goes on working).
//
//   for (int k = 1;; k++) {
//       allocation_fail_at(k);
//       thing *t = thing_create();
//       if (!allocation_stop())      // fewer than k allocations were made: all of them have failed once
//           break;
//       assert_null(t);
//   }

#ifndef KANE_TESTS_ALLOCATION_H
#define KANE_TESTS_ALLOCATION_H

#define _GNU_SOURCE // RTLD_NEXT
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int allocation_watch;   // are allocations being counted?
static int allocation_number;  // of the last one
static int allocation_failing; // number of the one that fails, 0: none
static int allocation_failed;  // has it?

// Starts counting; allocation number k (from 1) will fail, and those after it succeed again. 0: none fails.
static inline void allocation_fail_at(int k)
{
    allocation_number  = 0;
    allocation_failing = k;
    allocation_failed  = 0;
    allocation_watch   = 1;
}

// Stops counting. Returns 1 if an allocation has failed.
static inline int allocation_stop(void)
{
    allocation_watch = 0;
    return allocation_failed;
}

// Allocations since counting began.
static inline int allocation_count(void)
{
    return allocation_number;
}

// A sanitizer asks for memory before it can judge an access: what answers it is not instrumented.
#define ALLOCATION_PLAIN __attribute__((no_sanitize("address", "undefined")))

ALLOCATION_PLAIN static int allocation_refuse(void)
{
    if (!allocation_watch || ++allocation_number != allocation_failing)
        return 0;
    allocation_failed = 1;
    errno             = ENOMEM;
    return 1;
}

// Seen by the shared libraries too, whatever the default visibility.
#define ALLOCATION_EXPORT ALLOCATION_PLAIN __attribute__((visibility("default")))

ALLOCATION_PLAIN static void allocation_find(const char *name, void *function, size_t size)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    memcpy(function, &found, size);
}

ALLOCATION_EXPORT void *malloc(size_t size)
{
    static void *(*next)(size_t);
    if (!next)
        allocation_find("malloc", &next, sizeof next);
    return allocation_refuse() ? NULL : next(size);
}

ALLOCATION_EXPORT void *calloc(size_t count, size_t size)
{
    static void *(*next)(size_t, size_t);
    if (!next)
        allocation_find("calloc", &next, sizeof next);
    return allocation_refuse() ? NULL : next(count, size);
}

ALLOCATION_EXPORT void *realloc(void *memory, size_t size)
{
    static void *(*next)(void *, size_t);
    if (!next)
        allocation_find("realloc", &next, sizeof next);
    return allocation_refuse() ? NULL : next(memory, size);
}

#endif
