// SPDX-License-Identifier: MIT
// The files that a page of docs shows, written to the current folder: each stands in a fenced block behind a line that
// ends with its name, `cart.json`:   What has a folder in its name is an excerpt of that file, from the source tree on.

#ifndef KANE_TESTS_DOCUMENTS_H
#define KANE_TESTS_DOCUMENTS_H

#include "check.h"

#include <unistd.h>

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

static inline void documents_read(const char *path, size_t size, char *text)
{
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("there is no %s", path);
    text[fread(text, 1, size - 1, file)] = '\0';
    (void)fclose(file);
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
    static char source[1 << 16];
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, name);
    documents_read(path, sizeof source, source);
    documents_squeeze(source);
    documents_squeeze(excerpt);
    if (!strstr(source, excerpt))
        fail_msg("%s does not have: %s", name, excerpt);
}

// Behind the last line of a block: an excerpt is compared and gone.
static inline void documents_end(documents *all)
{
    static char excerpt[1 << 16];
    const char *name = all->names[all->count - 1];
    if (!strchr(name, '/'))
        return;
    documents_read("excerpt", sizeof excerpt, excerpt);
    (void)remove("excerpt");
    documents_check_excerpt(name, excerpt);
    all->count--;
}

// Writes all of a page; to be removed with documents_remove.
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

static inline void documents_write(documents *all)
{
    documents_write_page(all, KANE_SOURCE_DIR "/docs/formats.md");
}

static inline void documents_remove(const documents *all)
{
    for (int i = 0; i < all->count; i++)
        (void)remove(all->names[i]);
}

// The same in a folder of its own, for a group of tests; page: path from the source tree on.
static char documents_folder[] = "/tmp/kane_docs_XXXXXX";

static inline int documents_enter(documents *all, const char *page)
{
    char path[1024];
    if (!mkdtemp(documents_folder) || chdir(documents_folder) != 0)
        return -1;
    (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, page);
    documents_write_page(all, path);
    return 0;
}

static inline int documents_leave(const documents *all)
{
    documents_remove(all);
    return chdir("/") == 0 && rmdir(documents_folder) == 0 ? 0 : -1;
}

#endif
