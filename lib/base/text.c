// SPDX-License-Identifier: MIT
// Text for messages.

#include "base/text.h"

#include "base/print.h"

#include <stdio.h>
#include <string.h>

enum { QUOTE_MOST = 40 }; // bytes of a quoted text

kane_text kane_text_start(size_t size, char *buffer)
{
    buffer[0] = '\0';
    return (kane_text){.at = buffer, .size = size};
}

// Puts "..." at the end of a full buffer, in place of whole characters.
static void cut(kane_text *t)
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
        cut(t);
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

void kane_text_quote(kane_text *t, char mark, const char *text)
{
    if (mark)
        kane_text_add(t, "%c", mark);
    for (const char *p = text; *p;) {
        if (p - text >= QUOTE_MOST) {
            kane_text_add(t, "...");
            break;
        }
        const int length = kane_text_utf8(p);
        if (*p == '\n')
            kane_text_add(t, "\\n");
        else if (*p == '\t')
            kane_text_add(t, "\\t");
        else if (length == 0 || (unsigned char)*p < 0x20 || *p == 0x7F)
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
