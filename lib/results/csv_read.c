// SPDX-License-Identifier: MIT
// Reads CSV files: comments, names, perhaps units, rows. Units stand in a comment (csv.h) or, as other programs have it, in the second
// line. A last line without its end was cut off and is left out.

#include "results/results.h"

#include "base/number.h"
#include "base/text.h"
#include "results/csv.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// A text and how far it is read.
typedef struct csv_reader {
    kane_results *results;
    kane_errors *errors;
    const char *end;        // of the last whole line
    const char *line, *eol; // the line in work: its first byte, its end without line break
    const char *next;       // the line after it
    int number;             // of the line in work [1]
} csv_reader;

static kane_status report_line_error(const csv_reader *r, const char *at, const char *path, const char *format, ...)
    KANE_PRINTF(4, 5);

// An error at a position of the current line.
static kane_status report_line_error(const csv_reader *r, const char *at, const char *path, const char *format, ...)
{
    const kane_place place = {
        .file = r->results->file, .line = r->number, .column = (int)(at - r->line) + 1, .path = path};
    char buffer[256];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    va_list arguments;
    va_start(arguments, format);
    kane_text_add_list(&text, format, arguments);
    va_end(arguments);
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, place, "%s", buffer);
    return KANE_BAD_INPUT;
}

// Steps to the next whole line; 0 if there is none.
static int next_line(csv_reader *r)
{
    if (r->next == r->end)
        return 0;
    r->line             = r->next;
    const char *newline = memchr(r->line, '\n', (size_t)(r->end - r->line));
    r->eol              = newline > r->line && newline[-1] == '\r' ? newline - 1 : newline;
    r->next             = newline + 1;
    r->number++;
    return 1;
}

// Steps to the next field of the current line; *at is NULL before the first one. 0 at the end, -1 with an error.
static int next_field(const csv_reader *r, kane_csv_field *field)
{
    if (field->next == r->eol)
        return 0;
    const char *at = field->next ? field->next + 1 : r->line;
    if (kane_csv_next(at, r->eol, field))
        return 1;
    (void)report_line_error(r, field->at, "", "the closing quote is missing, or a ',' after it");
    return -1;
}

// What the fields of a line could be.
typedef struct census {
    int fields;
    kane_csv_field text;   // the first one that is no value
    kane_csv_field number; // the first one that is a value and neither "1" (which may be a unit) nor empty
    int values;            // all that are a value and not empty
} census;

// Counts fields, numbers and texts of the current line. 0 with an error if it cannot be split.
static int count_fields(const csv_reader *r, census *c)
{
    kane_csv_field field = {0};
    int found;
    *c = (census){0};
    while ((found = next_field(r, &field)) > 0) {
        double value;
        c->fields++;
        if (!kane_csv_value(&field, &value)) {
            c->text = c->text.at ? c->text : field;
        } else if (field.length > 0) {
            c->values++;
            if (!c->number.at && !(field.length == 1 && field.at[0] == '1'))
                c->number = field;
        }
    }
    return found == 0;
}

static kane_status out_of_memory(const csv_reader *r)
{
    kane_errors_add(r->errors, KANE_NO_MEMORY, "out of memory");
    return KANE_NO_MEMORY;
}

static kane_status check_count(const csv_reader *r, int count, const char *what)
{
    const int columns = r->results->column_count;
    return count == columns ? KANE_OK
                            : report_line_error(r, r->line, "", "%d %s%s, but %d column%s", count, what,
                                                count == 1 ? "" : "s", columns, columns == 1 ? "" : "s");
}

static int begins_with(const csv_reader *r, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(r->eol - r->line) >= length && memcmp(r->line, word, length) == 0;
}

// Steps to the first line that is no comment; *units: at the comment that holds units, its line NULL if there is none. 0: the file ends.
static int pass_comments(csv_reader *r, csv_reader *units)
{
    units->line = NULL;
    while (next_line(r)) {
        const char *key = r->line + strlen(KANE_CSV_RUN);
        if (!begins_with(r, "#"))
            return 1;
        if (begins_with(r, KANE_CSV_UNITS))
            *units = *r;
        else if (begins_with(r, KANE_CSV_RUN) && kane_origin_is_key(key, (size_t)(r->eol - key)))
            (void)snprintf(r->results->key, sizeof r->results->key, "%.*s", KANE_KEY_LENGTH, key);
    }
    return 0;
}

// Reads the current line as the names of the columns.
static kane_status read_names(csv_reader *r)
{
    census c;
    if (!count_fields(r, &c))
        return KANE_BAD_INPUT;
    if (!c.text.at)
        return report_line_error(r, r->line, "", "expected the names of the columns, found none");
    const kane_status taken = kane_results_take_columns(r->results, c.fields, r->errors);
    if (taken != KANE_OK)
        return taken;

    kane_csv_field field = {0};
    for (int i = 0; next_field(r, &field) > 0; i++) {
        char *name = kane_csv_text(r->results->arena, &field);
        if (!name)
            return out_of_memory(r);
        if (!name[0])
            return report_line_error(r, field.at, "", "column %d has no name", i + 1);
        if (name[kane_text_printable(name)])
            return report_line_error(r, field.at, "", "the name of column %d is not UTF-8, or has control characters",
                                     i + 1);
        r->results->columns[i].name = name;
    }
    return kane_columns_unique(c.fields, r->results->columns, r->results->file, r->errors);
}

// The units of the line in work; before: the character before the first one, NULL: they begin the line.
static kane_status read_units(const csv_reader *r, const char *before)
{
    kane_csv_field field = {.next = before};
    int count            = 0, found;
    while ((found = next_field(r, &field)) > 0) {
        char *unit = kane_csv_text(r->results->arena, &field);
        if (!unit)
            return out_of_memory(r);
        if (unit[kane_text_printable(unit)])
            return report_line_error(r, field.at, "", "the unit of column %d is not UTF-8, or has control characters",
                                     count + 1);
        if (count < r->results->column_count)
            r->results->columns[count].unit = unit;
        count++;
    }
    return found < 0 ? KANE_BAD_INPUT : check_count(r, count, "unit");
}

static void quote_field(kane_text *text, const kane_csv_field *field)
{
    char copy[64]  = "";
    const size_t n = field->length < sizeof copy ? field->length : sizeof copy - 1;
    memcpy(copy, field->at, n);
    kane_text_quote(text, '\'', copy);
}

// Reads the second line if it has units; otherwise it is the first row, and remains to be read.
static kane_status read_second(csv_reader *r)
{
    const csv_reader first = *r;
    census c;
    if (!next_line(r))
        return KANE_OK;
    if (!count_fields(r, &c))
        return KANE_BAD_INPUT;
    if (!c.text.at && c.values > 0) {
        *r = first;
        return KANE_OK;
    }
    if (c.text.at && c.number.at) {
        char buffer[256];
        kane_text text = kane_text_start(sizeof buffer, buffer);
        quote_field(&text, &c.number);
        kane_text_add(&text, " is a number, but ");
        quote_field(&text, &c.text);
        kane_text_add(&text, " is not");
        return report_line_error(r, c.number.at, "", "neither units nor values: %s", buffer);
    }
    return read_units(r, NULL);
}

static kane_status bad_value(const csv_reader *r, const kane_csv_field *field, int column)
{
    const char *name = r->results->columns[column].name;
    if (field->length > KANE_NUMBER_LENGTH)
        return report_line_error(r, field->at, name, "a value of %zu characters, at most %d are read", field->length,
                                 KANE_NUMBER_LENGTH);
    char buffer[128];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    quote_field(&text, field);
    return report_line_error(r, field->at, name, "%s is not a number", buffer);
}

static kane_status read_row(const csv_reader *r, int row)
{
    const kane_results *results = r->results;
    kane_csv_field field        = {0};
    int count                   = 0, found;
    while ((found = next_field(r, &field)) > 0) {
        if (count < results->column_count && !kane_csv_value(&field, &results->values[count][row]))
            return bad_value(r, &field, count);
        count++;
    }
    return found < 0 ? KANE_BAD_INPUT : check_count(r, count, "value");
}

static unsigned long long count_lines(const char *at, const char *end)
{
    unsigned long long lines = 0;
    while (at < end) {
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
        lines++;
    }
    return lines;
}

static kane_status read_all(csv_reader *r)
{
    csv_reader units;
    if (!pass_comments(r, &units)) {
        r->number = r->number > 0 ? r->number : 1;
        r->line   = r->end;
        return report_line_error(r, r->end, "", "the file ends before the line that names the columns");
    }
    kane_status status = read_names(r);
    if (status == KANE_OK)
        status = units.line ? read_units(&units, units.line + strlen(KANE_CSV_UNITS) - 1) : read_second(r);
    if (status == KANE_OK)
        status = kane_results_take_rows(r->results, count_lines(r->next, r->end), r->errors);
    for (int row = 0; status == KANE_OK && next_line(r); row++)
        status = read_row(r, row);
    return status;
}

// A byte 0 in the whole lines: a damaged file, or none of text.
static kane_status check_text(csv_reader r)
{
    const char *zero = memchr(r.next, '\0', (size_t)(r.end - r.next));
    while (zero && next_line(&r))
        if (zero < r.next)
            return report_line_error(&r, zero, "", "found a byte 0: this is not a text file");
    return KANE_OK;
}

kane_status kane_csv_read(kane_results *results, kane_errors *errors)
{
    char *text;
    size_t length;
    kane_status status = kane_file_load(results->file, SIZE_MAX, &text, &length, errors);
    if (status != KANE_OK)
        return status;

    csv_reader r = {.results = results, .errors = errors, .next = text, .end = text + length};
    while (r.end > text && r.end[-1] != '\n')
        r.end--;
    if (r.end - text >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        r.next += 3; // some programs mark UTF-8 so

    status = check_text(r);
    if (status == KANE_OK)
        status = read_all(&r);
    kane_release(text);
    return status;
}
