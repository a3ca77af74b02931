// SPDX-License-Identifier: MIT
// Paths to a value inside a document.

#include "base/json.h"

#include "base/scan.h"

#include <stdio.h>
#include <string.h>

// Can a key be part of a path without quotes?
static int is_plain(const char *key)
{
    for (const char *p = key; *p; p++)
        if ((unsigned char)*p <= 0x20 || *p == 0x7F || strchr(".[]=\"'\\", *p))
            return 0;
    return *key != '\0';
}

// Writes a key as a JSON text; returns its length. out NULL: only counts.
static size_t write_quoted(char *out, const char *key)
{
    size_t n = 0;
    char one[8];
    for (const char *p = key; *p; p++) {
        const int length = *p == '"' || *p == '\\'    ? snprintf(one, sizeof one, "\\%c", *p)
                           : (unsigned char)*p < 0x20 ? snprintf(one, sizeof one, "\\u%04x", (unsigned)*p)
                                                      : snprintf(one, sizeof one, "%c", *p);
        if (out)
            memcpy(out + 1 + n, one, (size_t)length);
        n += (size_t)length;
    }
    if (out)
        out[0] = out[1 + n] = '"';
    return n + 2;
}

const char *kane_path_join(kane_arena *arena, const char *parent, const char *key, int index)
{
    char element[16] = "";
    if (!key)
        (void)snprintf(element, sizeof element, "[%d]", index);
    const int quoted     = key && !is_plain(key);
    const size_t dot     = key && *parent;
    const size_t before  = strlen(parent);
    const size_t longest = quoted ? write_quoted(NULL, key) : strlen(key ? key : element);

    char *path = kane_arena_alloc(arena, before + dot + longest + 1, 1);
    if (!path)
        return NULL;
    memcpy(path, parent, before);
    if (dot)
        path[before] = '.';
    if (quoted)
        (void)write_quoted(path + before + dot, key);
    else
        memcpy(path + before + dot, key ? key : element, longest);
    return path;
}

static const kane_path_step wrong = {.kind = KANE_PATH_WRONG};

static kane_path_step next_index(const char **at)
{
    kane_path_step step = {.kind = KANE_PATH_INDEX};
    const char *p       = *at + 1;
    if (p[0] == '*' && p[1] == ']') {
        *at = p + 2;
        return (kane_path_step){.kind = KANE_PATH_EACH};
    }
    for (; *p >= '0' && *p <= '9' && step.index < 100000000; p++)
        step.index = 10 * step.index + (*p - '0');
    if (*p != ']' || p == *at + 1)
        return wrong;
    *at = p + 1;
    return step;
}

kane_path_step kane_path_next(const char *path, const char **at)
{
    const char *p = *at;
    if (*p == '\0')
        return p == path ? wrong : (kane_path_step){.kind = KANE_PATH_END};
    if (*p == '[')
        return next_index(at);
    if (p != path && *p++ != '.')
        return wrong;

    kane_path_step step = {.kind = KANE_PATH_KEY};
    size_t length       = 0;
    if (*p == '"') {
        length = kane_scan_literal(p, strlen(p));
        const kane_status status =
            length > 0 ? kane_json_literal(p, length, sizeof step.key, step.key) : KANE_BAD_INPUT;
        if (status == KANE_NO_MEMORY)
            return (kane_path_step){.kind = KANE_PATH_NO_MEMORY};
        if (status != KANE_OK)
            return wrong;
    } else {
        length = strcspn(p, ".[]\"");
        if (length == 0 || length >= sizeof step.key)
            return wrong;
        memcpy(step.key, p, length);
    }
    *at = p + length;
    return step;
}
