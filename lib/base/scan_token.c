// SPDX-License-Identifier: MIT
// The tokens of JSON text.

#include "base/scan.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

int kane_scan_is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

int kane_scan_column(const kane_scanner *s)
{
    return (int)(s->at - s->line_start) + 1;
}

void kane_scan_space(kane_scanner *s)
{
    for (;; s->at++) {
        const char c = s->text[s->at];
        if (c == '\n') {
            s->line++;
            s->line_start = s->at + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

// --- faults ---

static int write_fault(kane_scanner *s, int line, int column, const char *format, va_list arguments)
{
    s->fault->line   = line;
    s->fault->column = column;
    kane_text text   = kane_text_start(sizeof s->fault->text, s->fault->text);
    kane_text_add_list(&text, format, arguments);
    return 0;
}

int kane_scan_fault_at(kane_scanner *s, int line, int column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int none = write_fault(s, line, column, format, arguments);
    va_end(arguments);
    return none;
}

int kane_scan_fault(kane_scanner *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int none = write_fault(s, s->line, kane_scan_column(s), format, arguments);
    va_end(arguments);
    return none;
}

// Quotes that word processors make: ‘ ’ “ ” „ « »
static int typographic_quote(const char *p)
{
    static const char *const quotes[] = {"\xE2\x80\x98", "\xE2\x80\x99", "\xE2\x80\x9C", "\xE2\x80\x9D",
                                         "\xE2\x80\x9E", "\xC2\xAB",     "\xC2\xBB"};
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++)
        if (strncmp(p, quotes[i], strlen(quotes[i])) == 0)
            return 1;
    return 0;
}

static int end_of_text(kane_scanner *s)
{
    if (s->depth == 0)
        return kane_scan_fault(s, "the text is empty");
    const kane_open *o = &s->open[s->depth - 1];
    return kane_scan_fault(s, "the text ends here, but the '%c' of line %d, column %d is not closed", o->bracket,
                           o->line, o->column);
}

static int wrong_bracket(kane_scanner *s)
{
    const kane_open *o = &s->open[s->depth - 1];
    return kane_scan_fault(s, "found '%c', but the '%c' of line %d, column %d is open", s->text[s->at], o->bracket,
                           o->line, o->column);
}

int kane_scan_unexpected(kane_scanner *s, const char *expected)
{
    const char *p         = s->text + s->at;
    const unsigned char c = (unsigned char)*p;

    if (s->at == s->length)
        return end_of_text(s);
    if (c == 0)
        return kane_scan_fault(s, "found a byte 0: this is not a text file");
    if ((c == '}' || c == ']') && s->depth > 0 && s->open[s->depth - 1].bracket != (c == '}' ? '{' : '['))
        return wrong_bracket(s);
    if (c == '#' || (c == '/' && (p[1] == '/' || p[1] == '*')))
        return kane_scan_fault(s, "JSON has no comments; a key \"note\" may hold text");
    if (c == '\'')
        return kane_scan_fault(s, "found a single quote, text and keys stand in double quotes");
    if (typographic_quote(p))
        return kane_scan_fault(s, "found a typographic quote, text and keys stand in plain double quotes");
    if (c == 0xC2 && (unsigned char)p[1] == 0xA0)
        return kane_scan_fault(s, "found a non-breaking space, use a plain one");
    if (c >= 0x80 && kane_text_utf8(p) == 0)
        return kane_scan_fault(s, "the byte 0x%02x is not UTF-8; save the file as UTF-8", c);
    if (c < 0x20 || c == 0x7F)
        return kane_scan_fault(s, "found the control character 0x%02x, expected %s", c, expected);
    return kane_scan_fault(s, "found '%.*s', expected %s", kane_text_utf8(p), p, expected);
}

// --- texts ---

// The four hexadecimal digits at p, -1 if they are none.
static long hexadecimal_code(const char *p)
{
    long code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef";
        const char lower   = p[i] >= 'A' && p[i] <= 'F' ? (char)(p[i] - 'A' + 'a') : p[i];
        const char *digit  = lower ? strchr(digits, lower) : NULL;
        if (!digit)
            return -1;
        code = 16 * code + (digit - digits);
    }
    return code;
}

// \uXXXX, or a pair of them for one character
static int unicode_escape(kane_scanner *s)
{
    const char *p   = s->text + s->at;
    const long code = hexadecimal_code(p + 2);
    if (code < 0)
        return kane_scan_fault(s, "\\u needs four hexadecimal digits");
    if (code == 0)
        return kane_scan_fault(s, "\\u0000 is not allowed in a text");
    s->at += 6;
    if (code < 0xD800 || code > 0xDFFF)
        return 1;

    const long second = code < 0xDC00 && p[6] == '\\' && p[7] == 'u' ? hexadecimal_code(p + 8) : -1;
    if (second < 0xDC00 || second > 0xDFFF) {
        s->at -= 6;
        return kane_scan_fault(s, "half of a surrogate pair");
    }
    s->at += 6;
    return 1;
}

static int scan_escape(kane_scanner *s)
{
    const char c = s->text[s->at + 1];
    if (c == 'u')
        return unicode_escape(s);
    if (c == 0 || !strchr("\"\\/bfnrt", c))
        return kane_scan_fault(s, "unknown escape in a text; a backslash itself is written \\\\");
    s->at += 2;
    return 1;
}

int kane_scan_text(kane_scanner *s)
{
    const int column = kane_scan_column(s);

    s->at++;
    for (;;) {
        const char *p         = s->text + s->at;
        const unsigned char c = (unsigned char)*p;
        if (c == '"') {
            s->at++;
            return 1;
        }
        if (s->at == s->length || c == '\n' || c == '\r')
            return kane_scan_fault_at(s, s->line, column, "the closing quote of this text is missing");
        if (c == '\\') {
            if (!scan_escape(s))
                return 0;
            continue;
        }
        if (c == 0)
            return kane_scan_fault(s, "found a byte 0: this is not a text file");
        if (c < 0x20)
            return kane_scan_fault(s, "found the control character 0x%02x in a text; a tab is written \\t", c);
        const int bytes = kane_text_utf8(p);
        if (bytes == 0)
            return kane_scan_fault(s, "the byte 0x%02x is not UTF-8; save the file as UTF-8", c);
        s->at += (size_t)bytes;
    }
}

// --- numbers ---

// Is this what comes after a number in JSON?
static int ends_number(const char *p)
{
    return *p == '\0' || strchr(",]} \t\r\n\"{[:", *p) != NULL;
}

// 5 kg, 1:40, 1/600 1/m without quotes: quotes are what is missing.
static int bare_quantity(kane_scanner *s, size_t start)
{
    const char *from = s->text + start;
    size_t length    = strcspn(from, ",]}\r\n\"");
    while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\t'))
        length--;
    char whole[64], quoted[64];
    kane_text w = kane_text_start(sizeof whole, whole), q = kane_text_start(sizeof quoted, quoted);
    kane_text_add(&w, "%.*s", (int)(length < 63 ? length : 63), from);
    kane_text_quote(&q, '"', whole);
    s->at = start;
    return kane_scan_fault(s, "a number with a unit is text and needs double quotes: %s", quoted);
}

// What follows a number on its line makes it a quantity: a unit, or the second half of a ratio.
static int is_quantity(const char *p)
{
    if ((*p == ':' || *p == '/') && p[1] >= '0' && p[1] <= '9')
        return 1;
    while (*p == ' ' || *p == '\t')
        p++;
    return (kane_scan_is_letter(*p) && *p != '_') || *p == '%' || (*p == '/' && kane_scan_is_letter(p[1])) ||
           ((unsigned char)*p >= 0x80 && !typographic_quote(p) && strncmp(p, "\xC2\xA0", 2) != 0 && kane_text_utf8(p));
}

static int not_a_number(kane_scanner *s)
{
    const char *p = s->text + s->at;
    if (*p == '+')
        return kane_scan_fault(s, "a number does not begin with '+'");
    const char *digits = p + (*p == '-');
    if (kane_same_letters(digits, "nan", 3) || kane_same_letters(digits, "inf", 3))
        return kane_scan_fault(s, "NaN and Infinity are no numbers in JSON");
    if (*digits == '.')
        return kane_scan_fault(s, "a digit is missing before the decimal point");
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        return kane_scan_fault(s, "JSON has no hexadecimal numbers");
    if (digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9')
        return kane_scan_fault(s, "a number does not begin with a needless 0");
    return kane_scan_fault(s, "a digit is missing after '-'");
}

int kane_scan_number(kane_scanner *s)
{
    const char *p       = s->text + s->at;
    const char *digits  = p + (*p == '-');
    const size_t length = kane_number_length(p);
    const char *end     = p + length;

    if (length == 0 || *p == '+' || *digits == '.' ||
        (*digits == '0' && (digits[1] == 'x' || digits[1] == 'X' || (digits[1] >= '0' && digits[1] <= '9'))))
        return not_a_number(s);
    if (*end == '.' && !memchr(p, '.', length))
        return kane_scan_fault(s, "a digit is missing after the decimal point");
    if ((*end == 'e' || *end == 'E') && (ends_number(end + 1) || end[1] == '+' || end[1] == '-'))
        return kane_scan_fault(s, "a digit is missing in the exponent");
    if (is_quantity(end))
        return bare_quantity(s, s->at);
    if (*end == '.' || *end == '+' || *end == '-' || *end == '_')
        return kane_scan_fault(s, "'%.*s' is not a number", (int)strcspn(p, ",]} \t\r\n"), p);
    if (length > KANE_NUMBER_LENGTH)
        return kane_scan_fault(s, "a number of %zu characters, at most %d are read", length, (int)KANE_NUMBER_LENGTH);
    if (isinf(kane_number_value(p, length, 0)))
        return kane_scan_fault(s, "the number is too large");
    s->at += length;
    return 1;
}

// --- words ---

static int word_length(const char *p)
{
    int n = 0;
    while (kane_scan_is_letter(p[n]) || (p[n] >= '0' && p[n] <= '9'))
        n++;
    return n < 64 ? n : 64;
}

int kane_scan_bare_word(kane_scanner *s, const char *what)
{
    const char *p = s->text + s->at;
    const int n   = word_length(p);
    if (p[n] == '"')
        return kane_scan_fault(s, "the opening quote of this %s is missing", what);
    return kane_scan_fault(s, "a %s needs double quotes: \"%.*s\"", what, n, p);
}

int kane_scan_word(kane_scanner *s)
{
    // what JSON knows, and what other languages call it
    static const char *const words[][4] = {
        {"true", "yes", "on", NULL}, {"false", "no", "off", NULL}, {"null", "none", "undefined", "nil"}};
    const char *p = s->text + s->at;
    const int n   = word_length(p);

    for (int w = 0; w < 3; w++)
        if (n == (int)strlen(words[w][0]) && strncmp(p, words[w][0], (size_t)n) == 0) {
            s->at += (size_t)n;
            return 1;
        }
    for (int w = 0; w < 3; w++)
        for (int i = 0; i < 4 && words[w][i]; i++)
            if (n == (int)strlen(words[w][i]) && kane_same_letters(p, words[w][i], (size_t)n))
                return kane_scan_fault(s, "'%.*s' is written %s in JSON", n, p, words[w][0]);
    if ((n == 3 && kane_same_letters(p, "nan", 3)) || (n == 3 && kane_same_letters(p, "inf", 3)) ||
        (n == 8 && kane_same_letters(p, "infinity", 8)))
        return kane_scan_fault(s, "NaN and Infinity are no numbers in JSON");
    return kane_scan_bare_word(s, "text");
}
