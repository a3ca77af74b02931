// SPDX-License-Identifier: MIT
// Lines of a text and their words, numbers and settings.

#include "base/lines.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

int kane_lines_step(kane_lines *r)
{
    if (r->line == 0 && strncmp(r->at, "\xef\xbb\xbf", 3) == 0)
        r->at += 3;
    if (*r->at == '\0')
        return 0;
    const char *feed = strchr(r->at, '\n'), *end = feed ? feed : r->at + strlen(r->at);
    const char *back = memchr(r->at, '\r', (size_t)(end - r->at)); // two searches are faster than strcspn
    r->line_start = r->begin = r->at;
    r->at = r->end = back ? back : end;
    r->at += r->at[0] == '\r' && r->at[1] == '\n' ? 2 : *r->at != '\0';
    r->line++;
    return 1;
}

int kane_lines_next(kane_lines *r, const char *comments)
{
    while ((r->faults_most == 0 || r->faults < r->faults_most) && kane_lines_step(r)) {
        const size_t length = strcspn(r->begin, comments);
        if (length < (size_t)(r->end - r->begin))
            r->end = r->begin + length;
        while (r->begin < r->end && is_blank(*r->begin))
            r->begin++;
        while (r->end > r->begin && is_blank(r->end[-1]))
            r->end--;
        if (r->begin < r->end)
            return 1;
    }
    return 0;
}

size_t kane_lines_count(kane_lines r)
{
    size_t lines = 0;
    while (kane_lines_step(&r))
        lines++;
    return lines;
}

const char *kane_lines_word(const kane_lines *r, const char *separators, const char **at)
{
    const char *word = *at;
    while (word < r->end && (is_blank(*word) || strchr(separators, *word)))
        word++;
    for (*at = word; *at < r->end && !is_blank(**at) && !strchr(separators, **at);)
        (*at)++;
    return word < r->end ? word : NULL;
}

int kane_lines_number(const char *text, size_t length, double *number)
{
    char plain[KANE_NUMBER_LENGTH + 2];
    size_t n = 0;
    if (length > KANE_NUMBER_LENGTH)
        return 0;
    for (size_t i = 0; i < length && n + 2 < sizeof plain; i++) {
        const char next = i + 1 < length ? text[i + 1] : '\0';
        plain[n++]      = text[i] == 'd' || text[i] == 'D' ? 'e' : text[i];
        if (text[i] == '.' && !kane_is_digit(next) && i > 0)
            plain[n++] = '0';
    }
    plain[n] = '\0';
    return kane_number_parse(plain, n, 0, number);
}

int kane_lines_numbers(kane_lines *r, const char *separators, double numbers[KANE_LINE_NUMBERS])
{
    int count      = 0;
    const char *at = r->begin, *word;
    while ((word = kane_lines_word(r, separators, &at)) != NULL) {
        double number;
        if (!kane_lines_number(word, (size_t)(at - word), &number)) {
            char quoted[64], copy[48] = {0};
            kane_text text = kane_text_start(sizeof quoted, quoted);
            memcpy(copy, word, (size_t)(at - word) < sizeof copy ? (size_t)(at - word) : sizeof copy - 1);
            kane_text_quote(&text, '\'', copy);
            (void)kane_lines_fault(r, word, "%s is not a number%s", quoted,
                                   strchr(copy, ',') ? " (numbers are written with a point, not with a comma)" : "");
            return -1;
        }
        if (count == KANE_LINE_NUMBERS) {
            (void)kane_lines_fault(r, word, "more than %d numbers in a line", KANE_LINE_NUMBERS);
            return -1;
        }
        numbers[count++] = number;
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

const char *kane_lines_setting(const kane_lines *r, size_t size, char *key, char *value)
{
    const char *equals = memchr(r->begin, '=', (size_t)(r->end - r->begin)), *at = equals;
    if (!equals)
        return NULL;
    copy_trimmed(r->begin, equals, size, key);
    if (value)
        copy_trimmed(equals + 1, r->end, size, value);
    for (at++; at < r->end && is_blank(*at);)
        at++;
    return at;
}

kane_place kane_lines_place(const kane_lines *r, const char *at)
{
    return (kane_place){r->file, r->line, at ? (int)(at - r->line_start) + 1 : 1, r->path ? r->path : ""};
}

kane_status kane_lines_fault(kane_lines *r, const char *at, const char *format, ...)
{
    char message[400];
    va_list arguments;
    kane_text text = kane_text_start(sizeof message, message);
    va_start(arguments, format);
    kane_text_add_list(&text, format, arguments);
    va_end(arguments);
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, kane_lines_place(r, at), "%s", message);
    r->faults++;
    return KANE_BAD_INPUT;
}
