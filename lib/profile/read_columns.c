// SPDX-License-Identifier: MIT
// Two columns, and files like those of MiniProf: lines KEY=VALUE, then columns.

#include "profile/profile.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kane_read_columns(kane_lines *r, raw_points *points)
{
    double numbers[KANE_LINE_NUMBERS];
    while (kane_lines_next(r, "#!")) {
        const int count = kane_lines_numbers(r, ",;", numbers);
        if (count == 2)
            kane_points_add(points, r, numbers[0], numbers[1], 1.0);
        else if (count >= 0)
            kane_lines_fault(r, r->begin, "found %d numbers, expected two columns: y and z (with decimal points)",
                             count);
    }
}

// The places of X and Y in a list such as "X,Y,A,C,N".
static void find_columns(kane_lines *r, const char *list, int *x, int *y)
{
    int column = 0;
    *x = *y = -1;
    for (const char *c = list; *c; column++) {
        const size_t length = strcspn(c, ", ;");
        if (length == 1 && (*c == 'X' || *c == 'x'))
            *x = column;
        if (length == 1 && (*c == 'Y' || *c == 'y'))
            *y = column;
        c += length + (c[length] != '\0');
    }
    if (*x < 0 || *y < 0 || column > KANE_LINE_NUMBERS) {
        kane_lines_fault(r, r->begin, "ColumnDef '%.60s' does not name the columns X and Y", list);
        *x = 0;
        *y = 1;
    }
}

// What a file of MiniProf says of the profile that is read, and which others it has.
typedef struct miniprof {
    int wanted;      // number of the profile that is read; 0: the first
    int x, y;        // columns
    int announced;   // points; -1: not said
    int seen;        // points
    int count;       // profiles with points
    char sides[128]; // "1: left, 2: right"
    kane_text list;  // into sides
    char side[32];   // of the section that is read: its Rail or Side
} miniprof;

// The number of a section [Profile<number>...]; 0: another section.
static int number_of_section(const kane_lines *r)
{
    static const char title[] = "[Profile";
    return strncmp(r->begin, title, sizeof title - 1) == 0 ? atoi(r->begin + sizeof title - 1) : 0;
}

static void count_profile(miniprof *m, int section)
{
    kane_text_add(&m->list, "%s%d%s%s", m->count ? ", " : "", section, m->side[0] ? ": " : "", m->side);
    m->count++;
    if (m->wanted == 0)
        m->wanted = section;
}

// Files from before KEY=VALUE begin with lines of any text, which an empty one ends.
static void skip_old_header(kane_lines *r)
{
    int line = 0;
    do {
        line                  = r->line;
        const kane_lines here = *r;
        if (!kane_lines_next(r, "")) {
            kane_lines_fault(r, NULL, "the lines before the points must end with an empty line, or be KEY=VALUE");
            return;
        }
        if (line > 0 && r->line > line + 1) {
            *r = here; // the first line of points is read anew
            return;
        }
    } while (1);
}

static int begins_with_words(kane_lines r)
{
    char key[8], value[8];
    return kane_lines_next(&r, "!#") && !kane_lines_setting(&r, sizeof key, key, value) && *r.begin != '[' &&
           !strchr("+-.0123456789", *r.begin);
}

void kane_read_miniprof(kane_lines *r, raw_points *points, int profile)
{
    double numbers[KANE_LINE_NUMBERS];
    char key[128], value[128];
    miniprof m  = {.wanted = profile, .y = 1, .announced = -1};
    int section = 0, points_of = 0;
    m.list = kane_text_start(sizeof m.sides, m.sides);
    if (begins_with_words(*r))
        skip_old_header(r);
    while (kane_lines_next(r, "!#")) {
        const int is_read = section == 0 || m.wanted == 0 || section == m.wanted;
        if (kane_lines_setting(r, sizeof key, key, value)) {
            if (strcmp(key, "ColumnDef") == 0 && is_read)
                find_columns(r, value, &m.x, &m.y);
            if (strcmp(key, "XYPoints") == 0 && is_read)
                m.announced = atoi(value);
            if (strcmp(key, "Rail") == 0 || strcmp(key, "Side") == 0)
                (void)snprintf(m.side, sizeof m.side, "%.31s", value);
            continue;
        }
        if (*r->begin == '[') {
            const int next = number_of_section(r);
            if (next != section)
                m.side[0] = '\0';
            section = next;
            continue;
        }
        if (section > 0 && section != points_of)
            count_profile(&m, points_of = section);
        if (section > 0 && section != m.wanted)
            continue;
        const int count = kane_lines_numbers(r, ";", numbers);
        m.seen += count >= 0;
        if (count >= 0 && (count <= m.x || count <= m.y))
            kane_lines_fault(r, r->begin, "found %d numbers, expected at least %d", count, (m.x > m.y ? m.x : m.y) + 1);
        else if (count >= 0)
            kane_points_add(points, r, numbers[m.x], numbers[m.y], 1.0);
    }
    if (profile > 0 && m.seen == 0 && r->faults == 0)
        kane_lines_fault(r, NULL, "the file has no profile %d; it has %s", profile,
                         m.count ? m.sides : "no numbered ones");
    else if (profile == 0 && m.count > 1)
        kane_lines_fault(r, NULL,
                         "the file has %d profiles (%s): write \"profile\": the number of the one that is meant",
                         m.count, m.sides);
    else if (m.announced >= 0 && r->faults == 0 && m.announced != m.seen)
        kane_lines_fault(r, NULL, "the profile has %d points, but XYPoints announces %d%s", m.seen, m.announced,
                         m.seen < m.announced ? ": it may have been cut off" : "");
}
