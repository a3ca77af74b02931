// SPDX-License-Identifier: MIT
// Names that people type.

#include "base/text.h"

#include "base/c_locale.h"

#include <fnmatch.h>
#include <string.h>

enum { NAME_MOST = 64 };   // longer names are compared only as a whole
enum { NAMES_SHOWN = 16 }; // of those that are known, in a message

// A character for comparison: upper case as lower case, '_' and '-' as blanks.
static int fold_character(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 'a';
    return c == '_' || c == '-' ? ' ' : (unsigned char)c;
}

static int lesser_of(int a, int b)
{
    return a < b ? a : b;
}

static int equal_when_plain(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (fold_character(a[i]) != fold_character(b[i]))
            return 0;
    return 1;
}

int kane_names_distance(const char *a, const char *b)
{
    const int m = (int)strlen(a), n = (int)strlen(b);
    if (m > NAME_MOST || n > NAME_MOST)
        return m == n && equal_when_plain(a, b, (size_t)m) ? 0 : m > n ? m : n;

    // d[i][j] = edits between the first i bytes of a and the first j of b; three rows are enough
    int rows[3][NAME_MOST + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= n; j++)
        last[j] = j;
    for (int i = 1; i <= m; i++) {
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            const int replaced = last[j - 1] + (fold_character(a[i - 1]) != fold_character(b[j - 1]));
            row[j]             = lesser_of(replaced, 1 + lesser_of(last[j], row[j - 1]));
            if (i > 1 && j > 1 && fold_character(a[i - 1]) == fold_character(b[j - 2]) &&
                fold_character(a[i - 2]) == fold_character(b[j - 1]))
                row[j] = lesser_of(row[j], before[j - 2] + 1);
        }
        int *const oldest = before;
        before            = last;
        last              = row;
        row               = oldest;
    }
    return last[n];
}

kane_near kane_near_start(const char *wanted)
{
    return (kane_near){.wanted = wanted};
}

// Near is: two edits in five letters, or the beginning of the name (three letters at least), or the name and more.
void kane_near_offer(kane_near *near, const char *name)
{
    const size_t m = strlen(near->wanted), n = strlen(name);
    const size_t shorter = m < n ? m : n, longer = m < n ? n : m;

    int distance = kane_names_distance(near->wanted, name);
    if (distance > 1 && shorter >= 3 && equal_when_plain(near->wanted, name, shorter))
        distance = 1;
    if (5 * (size_t)distance > 2 * longer)
        return;
    if (!near->best || distance < near->distance) {
        near->best     = name;
        near->distance = distance;
    }
}

const char *kane_names_get(kane_names names, int index)
{
    const char *at = (const char *)names.first + (size_t)index * names.stride;
    return *(const char *const *)(const void *)at;
}

int kane_name_matches(const char *pattern, const char *name)
{
    if (strcmp(pattern, name) == 0)
        return 1;
    const kane_c_locale c = kane_c_locale_begin(); // or [a-z] would hold other letters
    const int matches     = fnmatch(pattern, name, 0) == 0;
    kane_c_locale_end(c);
    return matches;
}

int kane_names_find(kane_names names, const char *wanted)
{
    for (int i = 0; i < names.count; i++)
        if (strcmp(kane_names_get(names, i), wanted) == 0)
            return i;
    return -1;
}

void kane_names_hint(kane_text *text, kane_names names, const char *wanted)
{
    kane_near near = kane_near_start(wanted);
    for (int i = 0; i < names.count; i++)
        kane_near_offer(&near, kane_names_get(names, i));
    if (near.best) {
        kane_text_add(text, "; did you mean ");
        kane_text_quote(text, '\'', near.best);
        kane_text_add(text, "? known: ");
    } else {
        kane_text_add(text, names.count > 0 ? "; known: " : "; there is none");
    }
    const int shown = names.count <= NAMES_SHOWN ? names.count : NAMES_SHOWN;
    for (int i = 0; i < shown; i++) {
        kane_text_add(text, i > 0 ? ", " : "");
        kane_text_quote(text, 0, kane_names_get(names, i));
    }
    if (names.count > shown)
        kane_text_add(text, " and %d more", names.count - shown);
}

int kane_names_resolve(kane_names names, const char *noun, const char *wanted, kane_place place, kane_errors *errors)
{
    const int found = kane_names_find(names, wanted);
    if (found >= 0)
        return found;

    char buffer[sizeof((kane_error *)0)->text];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&text, "no %s is called ", noun);
    kane_text_quote(&text, '\'', wanted);
    kane_names_hint(&text, names, wanted);
    kane_errors_add_input(errors, KANE_BAD_INPUT, place, "%s", buffer);
    return -1;
}
