// SPDX-License-Identifier: MIT
// Fields of CSV files.

#include "results/results.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static int is_space(char c)
{
    return c == ' ' || c == '\t';
}

int kane_csv_is_unclear(const char *text)
{
    const size_t length        = strlen(text);
    const kane_csv_field field = {.at = text, .length = length};
    double value;
    return length == 0 || is_space(text[0]) || is_space(text[length - 1]) || strchr(text, '#') ||
           kane_csv_value(&field, &value);
}

void kane_csv_write(FILE *file, const char *text, int always)
{
    if (!always && !strpbrk(text, ",\"\r\n")) {
        (void)fputs(text, file);
        return;
    }
    (void)fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            (void)fputc('"', file);
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

// The end of the quoted text that begins at `at`, behind its closing quote; NULL if that is missing.
static const char *quoted_end(const char *at, const char *end)
{
    for (const char *p = at + 1; p < end; p++) {
        if (*p != '"')
            continue;
        if (p + 1 == end || p[1] != '"')
            return p + 1;
        p++; // two quotes are one
    }
    return NULL;
}

int kane_csv_next(const char *at, const char *end, kane_csv_field *field)
{
    while (at < end && is_space(*at))
        at++;
    field->at = at;

    const char *last; // end of the field
    if (at < end && *at == '"') {
        last = quoted_end(at, end);
        if (!last)
            return 0;
        for (field->next = last; field->next < end && is_space(*field->next);)
            field->next++;
    } else {
        last        = memchr(at, ',', (size_t)(end - at));
        last        = last ? last : end;
        field->next = last;
        while (last > at && is_space(last[-1]))
            last--;
    }
    field->length = (size_t)(last - at);
    return field->next == end || *field->next == ',' || *field->next == '\n' || *field->next == '\r';
}

char *kane_csv_text(kane_arena *arena, const kane_csv_field *field)
{
    const int quoted = field->length > 0 && field->at[0] == '"';
    char *text       = quoted ? kane_arena_text_part(arena, field->at + 1, field->length - 2)
                              : kane_arena_text_part(arena, field->at, field->length);
    if (!text || !quoted)
        return text;

    char *to = text;
    for (const char *p = text; *p; p++) {
        *to++ = *p;
        if (*p == '"')
            p++; // the second of two
    }
    *to = '\0';
    return text;
}

static int is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && kane_same_letters(text, word, length);
}

int kane_csv_value(const kane_csv_field *field, double *value)
{
    if (kane_number_parse(field->at, field->length, 0, value))
        return isfinite(*value) != 0;
    if (field->length == 0) {
        *value = NAN;
        return 1;
    }
    const int sign   = field->at[0] == '-' || field->at[0] == '+';
    const char *word = field->at + sign;
    const size_t n   = field->length - (size_t)sign;
    if (is_word(word, n, "nan"))
        *value = NAN;
    else if (is_word(word, n, "inf") || is_word(word, n, "infinity"))
        *value = field->at[0] == '-' ? -INFINITY : INFINITY;
    else
        return 0;
    return 1;
}
