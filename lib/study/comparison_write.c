// SPDX-License-Identifier: MIT
// Shapes of transitions beside each other, as tables.

#include "study/comparison.h"

#include "base/number.h"
#include "base/replace.h"
#include "base/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static kane_status begin(const comparison *c, const char *name, kane_replacement *r, kane_errors *errors)
{
    char file[4096];
    (void)snprintf(file, sizeof file, "%s/%s", c->directory, name);
    return kane_replacement_open(r, file, errors);
}

static double relative(const comparison *c, int index, int column)
{
    return c->reference < 0 ? (double)NAN
                            : comparison_value(c, index, column) / comparison_value(c, c->reference, column);
}

static const char *state_of(const comparison *c, int index)
{
    return c->record[index]->state == KANE_CASE_DONE ? "done" : "failed";
}

static void print_number(FILE *out, const char *before, double value)
{
    char number[KANE_NUMBER_SIZE];
    kane_number_format(value, number);
    (void)fprintf(out, "%s%s", before, number);
}

// A text of a CSV file: in quotes, each quote twice.
static void print_text(FILE *out, const char *before, const char *text)
{
    (void)fprintf(out, "%s\"", before);
    for (; *text; text++)
        (void)fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    (void)fputc('"', out);
}

static kane_status write_csv(const comparison *c, kane_errors *errors)
{
    const int columns = comparison_columns(c);
    kane_replacement r;
    const kane_status status = begin(c, "transitions.csv", &r, errors);
    if (status != KANE_OK)
        return status;
    (void)fprintf(r.file, "shape,state");
    for (int k = 0; k < columns; k++) {
        print_text(r.file, ",", comparison_title(c, k));
        (void)fprintf(r.file, ",relative");
    }
    (void)fprintf(r.file, ",remark\n,");
    for (int k = 0; k < columns; k++)
        (void)fprintf(r.file, ",%s,1", comparison_unit(c, k));
    (void)fprintf(r.file, ",\n");
    for (int i = 0; i < c->count; i++) {
        print_text(r.file, "", c->shapes[i].name);
        (void)fprintf(r.file, ",%s", state_of(c, i));
        for (int k = 0; k < columns; k++) {
            print_number(r.file, ",", comparison_value(c, i, k));
            print_number(r.file, ",", relative(c, i, k));
        }
        print_text(r.file, ",", c->record[i]->why);
        (void)fputc('\n', r.file);
    }
    return kane_replacement_close(&r, errors);
}

static kane_status write_text(const comparison *c, kane_errors *errors)
{
    const int columns = comparison_columns(c);
    kane_replacement r;
    const kane_status status = begin(c, "transitions.txt", &r, errors);
    if (status != KANE_OK)
        return status;
    for (int k = 0; k < columns; k++)
        (void)fprintf(r.file, "[%d] %s%s%s%s\n", k + 1, comparison_title(c, k), comparison_unit(c, k)[0] ? " in " : "",
                      comparison_unit(c, k), k < c->criteria->count ? "" : " of all, weighted");
    if (c->reference >= 0)
        (void)fprintf(r.file, "in brackets: relative to %s\n", c->shapes[c->reference].name);
    (void)fprintf(r.file, "\n%-24s", "shape");
    for (int k = 0; k < columns; k++)
        (void)fprintf(r.file, "%13s[%d]%8s", "", k + 1, "");
    (void)fputc('\n', r.file);
    for (int i = 0; i < c->count; i++) {
        (void)fprintf(r.file, "%-24s", c->shapes[i].name);
        if (c->record[i]->state != KANE_CASE_DONE)
            (void)fprintf(r.file, "  failed: %s", c->record[i]->why);
        else
            for (int k = 0; k < columns; k++)
                (void)fprintf(r.file, "%14.7g (%6.4f)", comparison_value(c, i, k), relative(c, i, k));
        (void)fputc('\n', r.file);
    }
    return kane_replacement_close(&r, errors);
}

static void write_shape(const comparison *c, int index, kane_writer *w)
{
    const shape *s      = &c->shapes[index];
    const char *section = shape_section(c->arena, s, &c->sections.section[0]);
    kane_writer_open(w, NULL, '{');
    kane_writer_text(w, "name", s->name);
    kane_writer_text(w, "state", state_of(c, index));
    if (c->record[index]->why[0])
        kane_writer_text(w, "remark", c->record[index]->why);
    kane_writer_json(w, "section", section ? section : "null");
    kane_writer_row(w, "values");
    for (int k = 0; k < comparison_columns(c); k++)
        kane_writer_number(w, NULL, comparison_value(c, index, k));
    kane_writer_close(w);
    kane_writer_row(w, "relative");
    for (int k = 0; k < comparison_columns(c); k++)
        kane_writer_number(w, NULL, relative(c, index, k));
    kane_writer_close(w);
    kane_writer_close(w);
}

static kane_status write_json(const comparison *c, kane_errors *errors)
{
    kane_replacement r;
    const kane_status status = begin(c, "transitions.json", &r, errors);
    if (status != KANE_OK)
        return status;
    kane_writer w = kane_writer_start(r.file);
    kane_writer_document(&w, "transitions 1");
    kane_writer_text(&w, "run", c->file);
    kane_writer_row(&w, "sections");
    for (int i = 0; i < c->sections.count; i++)
        kane_writer_count(&w, NULL, c->sections.index[i]);
    kane_writer_close(&w);
    kane_writer_open(&w, "columns", '[');
    for (int k = 0; k < comparison_columns(c); k++) {
        kane_writer_open(&w, NULL, '{');
        kane_writer_text(&w, "criterion", comparison_title(c, k));
        kane_writer_text(&w, "unit", comparison_unit(c, k));
        kane_writer_close(&w);
    }
    kane_writer_close(&w);
    if (c->reference >= 0)
        kane_writer_text(&w, "reference", c->shapes[c->reference].name);
    kane_writer_open(&w, "shapes", '[');
    for (int i = 0; i < c->count; i++)
        write_shape(c, i, &w);
    kane_writer_close(&w);
    kane_writer_close(&w);
    (void)kane_writer_end(&w); // what could not be written is known to the file, and told at its end
    return kane_replacement_close(&r, errors);
}

kane_status comparison_write_tables(const comparison *c, kane_errors *errors)
{
    kane_status status = write_csv(c, errors);
    if (status == KANE_OK)
        status = write_text(c, errors);
    return status == KANE_OK ? write_json(c, errors) : status;
}
