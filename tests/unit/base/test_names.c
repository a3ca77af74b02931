// SPDX-License-Identifier: MIT
// Which names a pattern means.

#include "base/text.h"

#include "check.h"

static const struct {
    const char *pattern, *name;
    int matches;
} rows[] = {
    {"body.y", "body.y", 1},
    {"body.y", "body.z", 0},
    {"*.y", "body.y", 1},
    {"bod?.y", "body.y", 1},
    {"car [12].y", "car 2.y", 1},
    {"car [12].y", "car 3.y", 0},
    {"car [1].y", "car [1].y", 1},
    {"car \\[1].*", "car [1].y", 1},
    {"car \\[1].*", "car 1.y", 0},
    {"a\\b", "a\\b", 1},
    {"a\\\\*", "a\\b", 1},
    {"a\\*", "a*", 1},
    {"a\\*", "ab", 0},
    {"a]b", "a]b", 1},
    {"a[b", "a[b", 1},
    {"a\\[*", "a[b", 1},
    {"", "", 1},
    {"", "a", 0},
};

CHECK_TEST(a_pattern_means_what_it_matches_and_a_name_itself)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (kane_name_matches(rows[i].pattern, rows[i].name) != rows[i].matches)
            fail_msg("'%s' and '%s': expected %d", rows[i].pattern, rows[i].name, rows[i].matches);
}

CHECK_MAIN(NULL, NULL)
