// SPDX-License-Identifier: MIT
// Texts within files of other languages.

#include "base/markup.h"

#include "base/text.h"

#include <string.h>

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
