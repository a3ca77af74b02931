// SPDX-License-Identifier: MIT
// Writes JSON.

#include "base/json.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>

kane_writer kane_writer_start(FILE *file)
{
    return (kane_writer){.file = file};
}

// Streams in memory lose what they have no room for and do not remember it (glibc's ferror is 0): the writer does.
static void put_text(kane_writer *w, const char *text)
{
    w->is_cut |= fputs(text, w->file) < 0;
}

static void put_character(kane_writer *w, char c)
{
    w->is_cut |= fputc(c, w->file) == EOF;
}

static void write_literal(kane_writer *w, const char *text)
{
    put_character(w, '"');
    for (const char *p = text; *p;) {
        const unsigned char c = (unsigned char)*p;
        const int length      = kane_text_utf8(p);
        if (c == '"' || c == '\\')
            w->is_cut |= fprintf(w->file, "\\%c", c) < 0;
        else if (c == '\n')
            put_text(w, "\\n");
        else if (c == '\t')
            put_text(w, "\\t");
        else if (c < 0x20)
            w->is_cut |= fprintf(w->file, "\\u%04x", c) < 0;
        else if (length == 0)
            put_text(w, "\xEF\xBF\xBD");
        else
            w->is_cut |= fwrite(p, 1, (size_t)length, w->file) != (size_t)length;
        p += length ? length : 1;
    }
    put_character(w, '"');
}

static void new_line(kane_writer *w)
{
    put_character(w, '\n');
    for (int i = 0; i < w->depth; i++)
        put_text(w, "  ");
}

// Writes what precedes a value: comma, line break, key.
static void begin_value(kane_writer *w, const char *key)
{
    if (w->depth > 0) {
        const int row   = w->open[w->depth - 1].row;
        const int first = w->open[w->depth - 1].count++ == 0;
        if (!first)
            put_text(w, row ? ", " : ",");
        if (!row)
            new_line(w);
    }
    if (key) {
        write_literal(w, key);
        put_text(w, ": ");
    }
}

static void open_one(kane_writer *w, const char *key, char bracket, int row)
{
    begin_value(w, key);
    put_character(w, bracket);
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
    put_character(w, w->open[w->depth].close);
}

void kane_writer_text(kane_writer *w, const char *key, const char *text)
{
    begin_value(w, key);
    write_literal(w, text);
}

void kane_writer_number(kane_writer *w, const char *key, double value)
{
    char number[KANE_NUMBER_SIZE];
    kane_number_format(value, number);
    kane_writer_json(w, key, isfinite(value) ? number : "null");
}

void kane_writer_count(kane_writer *w, const char *key, long long value)
{
    begin_value(w, key);
    w->is_cut |= fprintf(w->file, "%lld", value) < 0;
}

void kane_writer_switch(kane_writer *w, const char *key, int on)
{
    kane_writer_json(w, key, on ? "true" : "false");
}

void kane_write_texts(kane_writer *w, const char *key, int count, const char *const *texts)
{
    kane_writer_row(w, key);
    for (int i = 0; i < count; i++)
        kane_writer_text(w, NULL, texts[i]);
    kane_writer_close(w);
}

void kane_write_numbers(kane_writer *w, const char *key, int count, const double *values)
{
    kane_writer_row(w, key);
    for (int i = 0; i < count; i++)
        kane_writer_number(w, NULL, values[i]);
    kane_writer_close(w);
}

void kane_write_counts(kane_writer *w, const char *key, int count, const int *values)
{
    kane_writer_row(w, key);
    for (int i = 0; i < count; i++)
        kane_writer_count(w, NULL, values[i]);
    kane_writer_close(w);
}

void kane_writer_json(kane_writer *w, const char *key, const char *json)
{
    begin_value(w, key);
    put_text(w, json);
}

kane_status kane_writer_end(kane_writer *w)
{
    put_character(w, '\n');
    return fflush(w->file) != 0 || ferror(w->file) || w->is_cut ? KANE_NO_FILE : KANE_OK;
}
