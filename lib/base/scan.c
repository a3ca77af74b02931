// SPDX-License-Identifier: MIT
// A pass over JSON text: objects, lists and the places of their values. What is wrong with tokens is in scan_token.c.

#include "base/scan.h"

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// The text goes on where it should have ended with a comma or a bracket.
static int close_or_comma(kane_scanner *s, char close, int line, int column)
{
    const char c = s->text[s->at];
    if (c == ';')
        return kane_scan_fault(s, "found ';', values are separated by ','");
    if (c == ':')
        return kane_scan_fault(s, close == ']' ? "found ':', a list has no keys (an object in { } has)"
                                               : "found ':' after a value, expected ',' or '}'");
    if (c == '"' || c == '{' || c == '[' || c == '-' || is_digit(c) || kane_scan_is_letter(c))
        return kane_scan_fault_at(s, line, column, "a ',' is missing here");
    return kane_scan_unexpected(s, close == ']' ? "',' or ']'" : "',' or '}'");
}

static int open_bracket(kane_scanner *s)
{
    if (s->depth == KANE_DEPTH_MOST)
        return kane_scan_fault(s, "too deep: more than %d brackets within each other", KANE_DEPTH_MOST);
    s->open[s->depth++] = (kane_open){s->text[s->at], s->line, kane_scan_column(s)};
    s->at++;
    return 1;
}

// After a value of an object or list: 1 if another one follows, 0 at the end, -1 with a fault.
static int scan_separator(kane_scanner *s, char close, kane_mark *comma)
{
    const int line = s->line, column = kane_scan_column(s);
    kane_scan_space(s);
    const char c = s->text[s->at];
    if (c == close) {
        s->at++;
        s->depth--;
        return 0;
    }
    if (c != ',')
        return close_or_comma(s, close, line, column) - 1;

    *comma = (kane_mark){.line = s->line, .column = kane_scan_column(s)};
    s->at++;
    kane_scan_space(s);
    if (s->text[s->at] == '}' || s->text[s->at] == ']') {
        (void)kane_scan_fault_at(s, comma->line, comma->column,
                                 "a trailing comma: nothing follows it before the closing bracket");
        return -1;
    }
    return 1;
}

static int scan_value(kane_scanner *s, int key_line, int key_column);

static int scan_list(kane_scanner *s)
{
    kane_mark comma;
    if (!open_bracket(s))
        return 0;
    kane_scan_space(s);
    if (s->text[s->at] == ']') {
        s->at++;
        s->depth--;
        return 1;
    }
    for (;;) {
        if (!scan_value(s, 0, 0))
            return 0;
        const int more = scan_separator(s, ']', &comma);
        if (more <= 0)
            return more == 0;
    }
}

// Where a key should stand but does not.
static int no_key(kane_scanner *s, int first)
{
    const char c = s->text[s->at];
    if (c == ',')
        return kane_scan_fault(s, "a key and its value are missing before this ','");
    if (kane_scan_is_letter(c))
        return kane_scan_bare_word(s, "key");
    if (!first && is_digit(c))
        return kane_scan_fault(s, "expected a key, found a number; a decimal comma? Numbers have a decimal point");
    return kane_scan_unexpected(s, first ? "a key in double quotes or '}'" : "a key in double quotes");
}

static int no_colon(kane_scanner *s)
{
    const char c = s->text[s->at];
    if (c == '=')
        return kane_scan_fault(s, "found '=', a key and its value are separated by ':'");
    if (c == ',' || c == '}')
        return kane_scan_fault(s, "the value of this key is missing: found '%c', expected ':'", c);
    return kane_scan_unexpected(s, "':' after the key");
}

static int scan_object(kane_scanner *s)
{
    kane_mark comma;
    if (!open_bracket(s))
        return 0;
    kane_scan_space(s);
    if (s->text[s->at] == '}') {
        s->at++;
        s->depth--;
        return 1;
    }
    for (int first = 1;; first = 0) {
        const int key_line = s->line, key_column = kane_scan_column(s);
        if (s->text[s->at] != '"')
            return no_key(s, first);
        if (!kane_scan_text(s))
            return 0;
        kane_scan_space(s);
        if (s->text[s->at] != ':')
            return no_colon(s);
        s->at++;
        if (!scan_value(s, key_line, key_column))
            return 0;
        const int more = scan_separator(s, '}', &comma);
        if (more <= 0)
            return more == 0;
    }
}

static int scan_value(kane_scanner *s, int key_line, int key_column)
{
    kane_scan_space(s);
    const char c       = s->text[s->at];
    const size_t start = s->at;
    if (s->count == KANE_VALUES_MOST)
        return kane_scan_fault(s, "too long: more than %d values; long tables belong into CSV files", KANE_VALUES_MOST);
    kane_mark *mark = &s->marks[s->count++];

    *mark  = (kane_mark){start, 0, s->line, kane_scan_column(s), key_line, key_column};
    int ok = 0;
    if (c == '{')
        ok = scan_object(s);
    else if (c == '[')
        ok = scan_list(s);
    else if (c == '"')
        ok = kane_scan_text(s);
    else if (is_digit(c) || c == '-' || c == '+' || c == '.')
        ok = kane_scan_number(s);
    else if (kane_scan_is_letter(c))
        ok = kane_scan_word(s);
    else if (c == ',' || ((c == '}' || c == ']') && s->depth > 0))
        ok = kane_scan_fault(s, "a value is missing before this '%c'", c);
    else
        ok = kane_scan_unexpected(s, "a value");
    mark->length = s->at - start;
    return ok;
}

// 1, with a fault, if the text begins with a byte order mark or is UTF-16.
static int is_no_json_text(kane_scanner *s)
{
    const unsigned char *u = (const unsigned char *)s->text;
    if (u[0] == 0xEF && u[1] == 0xBB && u[2] == 0xBF)
        return !kane_scan_fault(s, "the text begins with a byte order mark; save it as UTF-8 without one");
    if ((u[0] == 0xFE && u[1] == 0xFF) || (u[0] == 0xFF && u[1] == 0xFE))
        return !kane_scan_fault(s, "the text is UTF-16; save it as UTF-8");
    return 0;
}

int kane_scan(const char *text, size_t length, kane_mark *marks, kane_fault *fault)
{
    kane_scanner s = {.text = text, .length = length, .line = 1, .marks = marks, .fault = fault};
    if (is_no_json_text(&s))
        return -1;
    if (!scan_value(&s, 0, 0))
        return -1;
    kane_scan_space(&s);
    if (s.at < length) {
        const char c = text[s.at];
        (void)(c == '}' || c == ']' ? kane_scan_fault(&s, "this '%c' closes nothing", c)
                                    : kane_scan_fault(&s, "more text after the end of the document"));
        return -1;
    }
    return s.count;
}

size_t kane_scan_bound(const char *text, size_t length)
{
    size_t n = 1;
    for (size_t i = 0; i < length; i++)
        n += text[i] == ',' || text[i] == '[' || text[i] == '{';
    return n < KANE_VALUES_MOST ? n : KANE_VALUES_MOST;
}

size_t kane_scan_literal(const char *text, size_t length)
{
    kane_fault fault;
    kane_scanner s = {.text = text, .length = length, .line = 1, .fault = &fault};
    return length > 0 && text[0] == '"' && kane_scan_text(&s) ? s.at : 0;
}
