// SPDX-License-Identifier: MIT
// Cheap studies of transitions: the wagon enters its transition, twenty metres of it.

#ifndef KANE_TESTS_TRANSITION_RUNS_H
#define KANE_TESTS_TRANSITION_RUNS_H

#include "folder.h"
#include "errors.h"

#include <kane/transition.h>

#include <unistd.h>

#define RUN KANE_SOURCE_DIR "/data/runs/wagon-transition.json"

static const char *const short_run[] = {"start.at=35", "until.distance=30", "start.speed=20", "output.interval=10 ms",
                                        NULL};
static const kane_run_options short_common = {.settings = short_run};

// The bytes of DIR/name, terminated; to be freed.
static inline char *content_of(const char *directory, const char *name, size_t *length)
{
    char file[512];
    (void)snprintf(file, sizeof file, "%s/%s", directory, name);
    FILE *in   = fopen(file, "rb");
    char *text = calloc(1, 1 << 20);
    assert_non_null(in);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 20) - 1, in);
    (void)fclose(in);
    return text;
}

// A number of a JSON document, behind the first key of this name.
static inline double number_of(const char *directory, const char *file, const char *key)
{
    char name[64];
    size_t length;
    CHECK_MEMORY char *text = content_of(directory, file, &length);
    (void)snprintf(name, sizeof name, "\"%s\": ", key);
    const char *at = strstr(text, name);
    assert_non_null(at);
    const double value = strtod(at + strlen(name), NULL);
    return value;
}

static inline void check_same_files(const char *a, const char *b, const char *const *names)
{
    for (int i = 0; names[i]; i++) {
        size_t m, n;
        CHECK_MEMORY char *x = content_of(a, names[i], &m), *y = content_of(b, names[i], &n);
        if (m != n || memcmp(x, y, m) != 0)
            print_error("%s/%s and %s/%s differ\n", a, names[i], b, names[i]);
        assert_true(m == n && memcmp(x, y, m) == 0);
    }
}

#endif
