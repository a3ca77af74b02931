// SPDX-License-Identifier: MIT
// Files as somebody types them: written, and with one piece of text exchanged for another.

#ifndef KANE_TESTS_TYPED_H
#define KANE_TESTS_TYPED_H

#include "check.h"

static inline void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline void exchange(const char *text, const char *find, const char *replace, size_t size, char *out)
{
    const char *at = strstr(text, find);
    if (!at)
        fail_msg("'%s' is not in the good file", find);
    (void)snprintf(out, size, "%.*s%s%s", (int)(at - text), text, replace, at + strlen(find));
}

#endif
