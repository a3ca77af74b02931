// SPDX-License-Identifier: MIT
// The files that a page of docs shows, written to the current folder: each stands in a fenced block behind a line that
// ends with its name, `cart.json`:   What has a folder in its name is an excerpt of that file, from the source tree on.

#ifndef KANE_TESTS_DOCUMENTS_H
#define KANE_TESTS_DOCUMENTS_H

#include "folder.h"

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

// Blanks and line ends become single blanks.
static inline void documents_squeeze(char *text)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        const int is_blank = *in == ' ' || *in == '\n';
        if (!is_blank || (out > text && out[-1] != ' '))
            *out++ = is_blank ? ' ' : *in;
    }
    *out = '\0';
}

// Whether an excerpt stands in the file of this name.
static inline void documents_check_excerpt(const char *name, char *excerpt)
{
    static char source[1 << 18];
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, name);
    (void)strcpy(source, content(path));
    documents_squeeze(source);
    documents_squeeze(excerpt);
    if (!strstr(source, excerpt))
        fail_msg("%s does not have: %s", name, excerpt);
}

// Behind the last line of a block: an excerpt is compared and gone.
static inline void documents_end(documents *all)
{
    static char excerpt[1 << 18];
    const char *name = all->names[all->count - 1];
    if (!strchr(name, '/'))
        return;
    (void)strcpy(excerpt, content("excerpt"));
    (void)remove("excerpt");
    documents_check_excerpt(name, excerpt);
    all->count--;
}

// Writes all of a page to the current folder.
static inline void documents_write_page(documents *all, const char *path)
{
    char line[1024], last[1024] = "";
    FILE *page = fopen(path, "r"), *out = NULL;
    all->count = 0;
    assert_non_null(page);
    while (fgets(line, sizeof line, page)) {
        const int is_fence = strncmp(line, "```", 3) == 0;
        if (is_fence && out) {
            assert_int_equal(fclose(out), 0);
            documents_end(all);
            out = NULL;
        } else if (is_fence) {
            assert_true(all->count < DOCUMENTS_MOST);
            char *name = all->names[all->count++];
            documents_name(last, sizeof all->names[0], name);
            if (!name[0])
                fail_msg("%s: a fenced block needs a line with its name, `name`:, and stands behind '%s'", path, last);
            out = fopen(strchr(name, '/') ? "excerpt" : name, "w");
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

// The same in a folder of its own, for a group of tests; page: path from the source tree on.
static inline int documents_enter(documents *all, const char *page)
{
    char path[1024];
    if (enter_folder(NULL) != 0)
        return -1;
    (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, page);
    documents_write_page(all, path);
    return 0;
}

#endif
