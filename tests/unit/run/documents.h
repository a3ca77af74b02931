// SPDX-License-Identifier: MIT
// The files that docs/formats.md shows, written to the current folder: each stands in a fenced block behind a line that
// ends with its name, `cart.json`:

#ifndef KANE_TESTS_DOCUMENTS_H
#define KANE_TESTS_DOCUMENTS_H

#include "check.h"

enum { DOCUMENTS_MOST = 16 };

typedef struct documents {
    int count;
    char names[DOCUMENTS_MOST][64];
} documents;

// "... `cart.json`:" -> cart.json; nothing if the line does not end so.
static inline void documents_name(const char *line, size_t size, char *name)
{
    const size_t length = strcspn(line, "\n");
    name[0]             = '\0';
    if (length < 3 || strncmp(line + length - 2, "`:", 2) != 0)
        return;
    const char *end = line + length - 2, *begin = end;
    while (begin > line && begin[-1] != '`')
        begin--;
    (void)snprintf(name, size, "%.*s", (int)(end - begin), begin);
}

// Writes all of them; to be removed with documents_remove.
static inline void documents_write(documents *all)
{
    char line[1024], last[1024] = "";
    FILE *page = fopen(KANE_SOURCE_DIR "/docs/formats.md", "r"), *out = NULL;
    all->count = 0;
    assert_non_null(page);
    while (fgets(line, sizeof line, page)) {
        const int is_fence = strncmp(line, "```", 3) == 0;
        if (is_fence && out) {
            assert_int_equal(fclose(out), 0);
            out = NULL;
        } else if (is_fence) {
            assert_true(all->count < DOCUMENTS_MOST);
            char *name = all->names[all->count++];
            documents_name(last, sizeof all->names[0], name);
            if (!name[0])
                fail_msg("docs/formats.md: a fenced block needs a line with its name, `name`:, and stands behind '%s'",
                         last);
            out = fopen(name, "w");
            assert_non_null(out);
        } else if (out) {
            assert_true(fputs(line, out) >= 0);
        }
        if (line[0] != '\n')
            (void)snprintf(last, sizeof last, "%s", line);
    }
    assert_null(out);
    (void)fclose(page);
    assert_true(all->count > 0);
}

static inline void documents_remove(const documents *all)
{
    for (int i = 0; i < all->count; i++)
        (void)remove(all->names[i]);
}

#endif
