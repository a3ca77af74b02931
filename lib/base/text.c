// SPDX-License-Identifier: MIT
// Text for messages.

#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { QUOTE_MOST = 40 }; // bytes of a quoted text

kane_text kane_text_start(size_t size, char *buffer)
{
    buffer[0] = '\0';
    return (kane_text){.at = buffer, .size = size};
}

// Ends a full buffer in "...", in place of whole UTF-8 characters.
static void end_in_dots(kane_text *t)
{
    size_t end = t->size - 4;
    while (end > 0 && ((unsigned char)t->at[end] & 0xC0) == 0x80)
        end--;
    memcpy(t->at + end, "...", 4);
    t->length = t->size - 1; // nothing more fits
}

void kane_text_add_list(kane_text *t, const char *format, va_list arguments)
{
    const size_t room = t->size - t->length;
    if (room <= 1)
        return;
    const int wanted = kane_vsnprintf(t->at + t->length, room, format, arguments);
    if (wanted < 0)
        return;
    t->length += (size_t)wanted;
    if ((size_t)wanted >= room)
        end_in_dots(t);
}

void kane_text_add(kane_text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kane_text_add_list(t, format, arguments);
    va_end(arguments);
}

int kane_text_utf8(const char *text)
{
    const unsigned char *u = (const unsigned char *)text;
    if (u[0] < 0x80)
        return u[0] ? 1 : 0;

    const int length = u[0] >= 0xF0 ? 4 : u[0] >= 0xE0 ? 3 : 2;
    if (u[0] < 0xC2 || u[0] > 0xF4)
        return 0;
    for (int i = 1; i < length; i++)
        if ((u[i] & 0xC0) != 0x80)
            return 0;
    // the second byte excludes what a shorter form could say, surrogates, and what lies beyond U+10FFFF
    if ((u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xED && u[1] > 0x9F) || (u[0] == 0xF0 && u[1] < 0x90) ||
        (u[0] == 0xF4 && u[1] > 0x8F))
        return 0;
    return length;
}

// The character that begins at text, of `length` bytes as kane_text_utf8 says.
static unsigned code_point(const char *text, int length)
{
    static const unsigned char first[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned code                      = (unsigned char)text[0] & first[length];
    for (int i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3F);
    return code;
}

int kane_text_character(const char *text)
{
    const int length    = kane_text_utf8(text);
    const unsigned code = length ? code_point(text, length) : 0;
    const int bad       = code < 0x20 || (code >= 0x7F && code <= 0x9F) || (code >= 0x2028 && code <= 0x202E) ||
                    (code >= 0x2066 && code <= 0x2069) || code == 0xFFFE || code == 0xFFFF;
    return bad ? 0 : length;
}

size_t kane_text_printable(const char *text)
{
    const char *at = text;
    for (int length; (length = kane_text_character(at)) > 0;)
        at += length;
    return (size_t)(at - text);
}

void kane_text_blame(kane_text *t, const char *text)
{
    const size_t at  = kane_text_printable(text);
    const int length = kane_text_utf8(text + at);
    if (length)
        kane_text_add(t, "U+%04X at byte %zu", code_point(text + at, length), at + 1);
    else
        kane_text_add(t, "0x%02x at byte %zu, which is not UTF-8,", (unsigned char)text[at], at + 1);
}

void kane_text_copy_printable(size_t size, char *buffer, const char *text, int lines)
{
    kane_text t = kane_text_start(size, buffer);
    while (text && *text) {
        int length = kane_text_character(text);
        if (length == 0 && lines && *text == '\n')
            length = 1;
        if (length)
            kane_text_add(&t, "%.*s", length, text);
        else
            kane_text_add(&t, "\\x%02x", (unsigned char)*text);
        text += length ? length : 1;
    }
}

void kane_text_quote(kane_text *t, char mark, const char *text)
{
    if (mark)
        kane_text_add(t, "%c", mark);
    for (const char *p = text; *p;) {
        if (p - text >= QUOTE_MOST) {
            kane_text_add(t, "...");
            break;
        }
        const int length = kane_text_character(p);
        if (*p == '\n')
            kane_text_add(t, "\\n");
        else if (*p == '\t')
            kane_text_add(t, "\\t");
        else if (length == 0)
            kane_text_add(t, "\\x%02x", (unsigned char)*p);
        else
            kane_text_add(t, "%.*s", length, p);
        p += length ? length : 1;
    }
    if (mark)
        kane_text_add(t, "%c", mark);
}

void kane_text_copy(size_t size, char *buffer, const char *text)
{
    kane_text t = kane_text_start(size, buffer);
    kane_text_add(&t, "%s", text ? text : "");
}

// === Texts within files of other languages.

void kane_write_markup(FILE *file, const char *text)
{
    while (*text) {
        const int length = kane_text_character(text), skipped = kane_text_utf8(text);
        switch (*text) {
        case '<': (void)fputs("&lt;", file); break;
        case '>': (void)fputs("&gt;", file); break;
        case '&': (void)fputs("&amp;", file); break;
        case '"': (void)fputs("&quot;", file); break;
        default:
            if (length)
                (void)fwrite(text, 1, (size_t)length, file);
            else
                (void)fputs("\xEF\xBF\xBD", file); // the replacement character
        }
        text += skipped ? skipped : 1;
    }
}

// Whether a comment must not end so.
static int continues_line(const char *begin, const char *at)
{
    return at[1] == '\0' && (*at == '\\' || (*at == '/' && at - begin >= 2 && at[-1] == '?' && at[-2] == '?'));
}

void kane_write_comment(FILE *file, const char *text)
{
    for (const char *at = text; *at;) {
        const int length = kane_text_character(at);
        if (length == 0 || continues_line(text, at))
            (void)fprintf(file, "\\x%02x", (unsigned char)*at);
        else
            (void)fwrite(at, 1, (size_t)length, file);
        at += length ? length : 1;
    }
}
