// SPDX-License-Identifier: MIT
// What most tests of this room need: an arena and a list of errors, fresh for every test.

#ifndef KANE_TESTS_BASE_FIXTURE_H
#define KANE_TESTS_BASE_FIXTURE_H

#include "check.h"

#include <kane/base.h>

#include "base/arena.h"

static kane_arena *arena;
static kane_errors *errors;

static inline int begin(void **state)
{
    (void)state;
    arena  = kane_arena_create();
    errors = test_calloc(1, sizeof *errors);
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    kane_arena_free(arena);
    kane_errors_free(errors);
    test_free(errors);
    return 0;
}

#define WITH_ARENA(name) CHECK_TEST_IN(name, begin, end)

#endif
