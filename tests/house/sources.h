// SPDX-License-Identifier: MIT
// The sources of the project as text: files below a folder one after the other, and a file of C without its comments.

#ifndef KANE_TESTS_SOURCES_H
#define KANE_TESTS_SOURCES_H

#include "check.h"

#include <dirent.h>

// A file: its path below the source tree and its whole text.
typedef void source_visit(const char *path, const char *text, void *data);

static inline int source_ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

static inline int source_is_c(const char *name)
{
    return source_ends_with(name, ".c") || source_ends_with(name, ".h") || source_ends_with(name, ".cc");
}

static inline int source_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Text of a file by its path below the source tree, to be freed; NULL: there is none.
static inline char *source_read(const char *path)
{
    char name[1024];
    (void)snprintf(name, sizeof name, "%s/%s", KANE_SOURCE_DIR, path);
    FILE *in = fopen(name, "rb");
    if (!in)
        return NULL;
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    const long size = ftell(in);
    char *text      = calloc((size_t)size + 1, 1);
    rewind(in);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, in), size);
    (void)fclose(in);
    return text;
}

// Visits the files below a folder, and those of its own folders, whose names `is_wanted` accepts.
static inline void source_visit_folder(const char *folder, int (*is_wanted)(const char *name), source_visit *visit,
                                       void *data)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, folder);
    DIR *open = opendir(path);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/%s/%.200s", KANE_SOURCE_DIR, folder, entry->d_name);
        DIR *within       = opendir(path);
        const char *below = path + strlen(KANE_SOURCE_DIR) + 1;
        if (within) {
            (void)closedir(within);
            source_visit_folder(below, is_wanted, visit, data);
        } else if (is_wanted(entry->d_name)) {
            CHECK_MEMORY char *text = source_read(below);
            assert_non_null(text);
            visit(below, text, data);
        }
    }
    (void)closedir(open);
}

// Behind a comment of C, a string or a character that begins at `at`; `at` itself if none does.
static inline const char *source_skip_token(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    const char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

// Removes comments from a text of C; its lines stay.
static inline void source_remove_comments(char *text)
{
    char *out = text;
    for (const char *at = text; *at;) {
        const char *behind = source_skip_token(at);
        if (behind == at)
            *out++ = *at++;
        const int is_comment = behind != at && *at == '/';
        for (; at < behind; at++)
            if (!is_comment || *at == '\n')
                *out++ = *at;
    }
    *out = '\0';
}

#endif
