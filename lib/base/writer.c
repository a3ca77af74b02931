// SPDX-License-Identifier: MIT
// Writes JSON.

#include "base/writer.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>

kane_writer kane_writer_start(FILE *file)
{
    return (kane_writer){.file = file};
}

static void write_literal(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (const char *p = text; *p;) {
        const unsigned char c = (unsigned char)*p;
        const int length      = kane_text_utf8(p);
        if (c == '"' || c == '\\')
            (void)fprintf(file, "\\%c", c);
        else if (c == '\n')
            (void)fputs("\\n", file);
        else if (c == '\t')
            (void)fputs("\\t", file);
        else if (c < 0x20)
            (void)fprintf(file, "\\u%04x", c);
        else if (length == 0)
            (void)fputs("\xEF\xBF\xBD", file);
        else
            (void)fwrite(p, 1, (size_t)length, file);
        p += length ? length : 1;
    }
    (void)fputc('"', file);
}

static void new_line(const kane_writer *w)
{
    (void)fputc('\n', w->file);
    for (int i = 0; i < w->depth; i++)
        (void)fputs("  ", w->file);
}

// What stands before a value: comma, line break, key.
static void begin(kane_writer *w, const char *key)
{
    if (w->depth > 0) {
        const int row   = w->open[w->depth - 1].row;
        const int first = w->open[w->depth - 1].count++ == 0;
        if (!first)
            (void)fputs(row ? ", " : ",", w->file);
        if (!row)
            new_line(w);
    }
    if (key) {
        write_literal(w->file, key);
        (void)fputs(": ", w->file);
    }
}

static void open_one(kane_writer *w, const char *key, char bracket, int row)
{
    begin(w, key);
    (void)fputc(bracket, w->file);
    w->open[w->depth].close = bracket == '{' ? '}' : ']';
    w->open[w->depth].count = 0;
    w->open[w->depth].row   = row;
    w->depth++;
}

void kane_writer_document(kane_writer *w, const char *kind)
{
    kane_writer_open(w, NULL, '{');
    kane_writer_text(w, "kane", kind);
    kane_writer_text(w, "library", kane_version());
    kane_writer_text(w, "commit", kane_commit());
}

void kane_writer_open(kane_writer *w, const char *key, char bracket)
{
    open_one(w, key, bracket, 0);
}

void kane_writer_row(kane_writer *w, const char *key)
{
    open_one(w, key, '[', 1);
}

void kane_writer_close(kane_writer *w)
{
    w->depth--;
    if (w->open[w->depth].count > 0 && !w->open[w->depth].row)
        new_line(w);
    (void)fputc(w->open[w->depth].close, w->file);
}

void kane_writer_text(kane_writer *w, const char *key, const char *text)
{
    begin(w, key);
    write_literal(w->file, text);
}

void kane_writer_number(kane_writer *w, const char *key, double value)
{
    char number[KANE_NUMBER_SIZE];
    kane_number_format(value, number);
    kane_writer_json(w, key, isfinite(value) ? number : "null");
}

void kane_writer_count(kane_writer *w, const char *key, long long value)
{
    begin(w, key);
    (void)fprintf(w->file, "%lld", value);
}

void kane_writer_switch(kane_writer *w, const char *key, int on)
{
    kane_writer_json(w, key, on ? "true" : "false");
}

void kane_writer_json(kane_writer *w, const char *key, const char *json)
{
    begin(w, key);
    (void)fputs(json, w->file);
}

kane_status kane_writer_end(kane_writer *w)
{
    (void)fputc('\n', w->file);
    return fflush(w->file) != 0 || ferror(w->file) ? KANE_NO_FILE : KANE_OK;
}
