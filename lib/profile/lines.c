// SPDX-License-Identifier: MIT
// Lines of a text and their keys, values and numbers.

#include "profile/lines.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

int kane_lines_start(line_reader *r, const char *file, const char *text, kane_arena *arena, kane_errors *errors)
{
    size_t lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n' || *c == '\r';
    *r               = (line_reader){.file = file, .at = text, .errors = errors};
    r->points.y      = kane_arena_doubles(arena, lines);
    r->points.z      = kane_arena_doubles(arena, lines);
    r->points.weight = kane_arena_doubles(arena, lines);
    r->points.line   = kane_arena_alloc(arena, lines, sizeof *r->points.line);
    return !kane_arena_failed(arena);
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

int kane_lines_next(line_reader *r, const char *comments)
{
    while (*r->at && r->faults < KANE_LINE_FAULTS) {
        const size_t length = strcspn(r->at, "\r\n");
        r->line_start       = r->at;
        r->begin            = r->at;
        r->end              = r->at + length;
        r->at += length;
        r->at += r->at[0] == '\r' && r->at[1] == '\n' ? 2 : *r->at != '\0';
        r->line++;
        if (r->line == 1 && strncmp(r->begin, "\xef\xbb\xbf", 3) == 0)
            r->begin += 3; // what some editors put before UTF-8
        for (const char *c = r->begin; c < r->end; c++)
            if (strchr(comments, *c)) {
                r->end = c;
                break;
            }
        while (r->begin < r->end && is_blank(*r->begin))
            r->begin++;
        while (r->end > r->begin && is_blank(r->end[-1]))
            r->end--;
        if (r->begin < r->end)
            return 1;
    }
    return 0;
}

void kane_lines_fault(line_reader *r, const char *at, const char *format, ...)
{
    char message[400];
    va_list arguments;
    kane_text text = kane_text_start(sizeof message, message);
    va_start(arguments, format);
    kane_text_add_list(&text, format, arguments);
    va_end(arguments);
    const kane_place place = {r->file, r->line, at ? (int)(at - r->line_start) + 1 : 1, ""};
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, place, "%s", message);
    r->faults++;
}

int kane_lines_number(const char *text, size_t length, double *number)
{
    char plain[KANE_NUMBER_LENGTH + 2];
    size_t n = 0;
    if (length == 0 || length > KANE_NUMBER_LENGTH)
        return 0;
    for (size_t i = 0; i < length && n + 2 < sizeof plain; i++) {
        const char next = i + 1 < length ? text[i + 1] : '\0';
        plain[n++]      = text[i] == 'd' || text[i] == 'D' ? 'e' : text[i];
        if (text[i] == '.' && !(next >= '0' && next <= '9') && i > 0)
            plain[n++] = '0';
    }
    plain[n] = '\0';
    if (kane_number_length(plain) != n)
        return 0;
    *number = kane_number_value(plain, n, 0);
    return 1;
}

int kane_lines_numbers(line_reader *r, const char *separators, double numbers[KANE_LINE_NUMBERS])
{
    int count = 0;
    for (const char *c = r->begin; c < r->end;) {
        if (is_blank(*c) || strchr(separators, *c)) {
            c++;
            continue;
        }
        const char *last = c;
        while (last < r->end && !is_blank(*last) && !strchr(separators, *last))
            last++;
        double number;
        if (!kane_lines_number(c, (size_t)(last - c), &number)) {
            char quoted[64], word[48] = {0};
            kane_text text = kane_text_start(sizeof quoted, quoted);
            memcpy(word, c, (size_t)(last - c) < sizeof word ? (size_t)(last - c) : sizeof word - 1);
            kane_text_quote(&text, '\'', word);
            kane_lines_fault(r, c, "%s is not a number%s", quoted,
                             strchr(word, ',') ? " (numbers are written with a point, not with a comma)" : "");
            return -1;
        }
        if (count == KANE_LINE_NUMBERS) {
            kane_lines_fault(r, c, "more than %d numbers in a line", KANE_LINE_NUMBERS);
            return -1;
        }
        numbers[count++] = number;
        c                = last;
    }
    return count;
}

// Copies a text without blanks at its ends and without quotation marks, cut to `size` bytes.
static void copy_trimmed(const char *first, const char *last, size_t size, char *buffer)
{
    while (first < last && is_blank(*first))
        first++;
    while (last > first && is_blank(last[-1]))
        last--;
    if (last - first >= 2 && (*first == '\'' || *first == '"') && last[-1] == *first) {
        first++;
        last--;
    }
    const size_t length = (size_t)(last - first) < size - 1 ? (size_t)(last - first) : size - 1;
    memcpy(buffer, first, length);
    buffer[length] = '\0';
}

int kane_lines_setting(const line_reader *r, size_t size, char *key, char *value)
{
    const char *equals = memchr(r->begin, '=', (size_t)(r->end - r->begin));
    if (!equals)
        return 0;
    copy_trimmed(r->begin, equals, size, key);
    copy_trimmed(equals + 1, r->end, size, value);
    return 1;
}

void kane_lines_add(line_reader *r, double y, double z, double weight)
{
    raw_points *p = &r->points;
    if (p->count > 0 && p->y[p->count - 1] == y && p->z[p->count - 1] == z)
        return; // a repeated point adds nothing
    p->y[p->count]      = y;
    p->z[p->count]      = z;
    p->weight[p->count] = weight;
    p->line[p->count++] = r->line;
}
