// SPDX-License-Identifier: MIT
// Reads CSV files: comments, names, perhaps units, rows. Units stand in a comment (results.h) or, as other programs
// have it, in the second line. Rows of a run that was killed may end within a line, which is left out.

#include "results/results.h"

#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// A text and how far it is read.
typedef struct csv_reader {
    kane_results *results;
    kane_lines lines;
    int has_units; // in a comment, as a recorder writes them
} csv_reader;

// Steps to the next field of the current line; *at is NULL before the first one. 0 at the end, -1 with an error.
static int next_field(csv_reader *r, kane_csv_field *field)
{
    if (field->next == r->lines.end)
        return 0;
    const char *at = field->next ? field->next + 1 : r->lines.begin;
    if (kane_csv_next(at, r->lines.end, field))
        return 1;
    (void)kane_lines_fault(&r->lines, field->at, "the closing quote is missing, or a ',' after it");
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
static int count_fields(csv_reader *r, census *c)
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

static kane_status check_count(csv_reader *r, int count, const char *what)
{
    const int columns = r->results->column_count;
    return count == columns ? KANE_OK
                            : kane_lines_fault(&r->lines, NULL, "%d %s%s, but %d column%s", count, what,
                                               count == 1 ? "" : "s", columns, columns == 1 ? "" : "s");
}

static int begins_with(csv_reader *r, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(r->lines.end - r->lines.begin) >= length && memcmp(r->lines.begin, word, length) == 0;
}

// Steps to the first line that is no comment; *units: at the comment that holds units, its line 0 if there is none. 0:
// the file ends.
static int pass_comments(csv_reader *r, csv_reader *units)
{
    units->lines.line = 0;
    while (kane_lines_step(&r->lines)) {
        const char *key = r->lines.begin + strlen(KANE_CSV_RUN);
        if (!begins_with(r, "#"))
            return 1;
        if (begins_with(r, KANE_CSV_UNITS))
            *units = *r;
        else if (begins_with(r, KANE_CSV_RUN) && kane_origin_is_key(key, (size_t)(r->lines.end - key)))
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
        return kane_lines_fault(&r->lines, NULL, "expected the names of the columns, found none");
    const kane_status taken = kane_results_take_columns(r->results, c.fields, r->lines.errors);
    if (taken != KANE_OK)
        return taken;

    kane_csv_field field = {0};
    for (int i = 0; next_field(r, &field) > 0; i++) {
        char *name = kane_csv_text(r->results->arena, &field);
        if (!name)
            return kane_no_memory(r->lines.errors);
        if (!name[0])
            return kane_lines_fault(&r->lines, field.at, "column %d has no name", i + 1);
        if (name[kane_text_printable(name)])
            return kane_lines_fault(&r->lines, field.at,
                                    "the name of column %d is not UTF-8, or has control characters", i + 1);
        r->results->columns[i].name = name;
    }
    return kane_columns_unique(c.fields, r->results->columns, r->results->file, r->lines.errors);
}

// The units of the line in work; before: the character before the first one, NULL: they begin the line.
static kane_status read_units(csv_reader *r, const char *before)
{
    kane_csv_field field = {.next = before};
    int count            = 0, found;
    while ((found = next_field(r, &field)) > 0) {
        char *unit = kane_csv_text(r->results->arena, &field);
        if (!unit)
            return kane_no_memory(r->lines.errors);
        if (unit[kane_text_printable(unit)])
            return kane_lines_fault(&r->lines, field.at,
                                    "the unit of column %d is not UTF-8, or has control characters", count + 1);
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
    if (!kane_lines_step(&r->lines))
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
        return kane_lines_fault(&r->lines, c.number.at, "neither units nor values: %s", buffer);
    }
    return read_units(r, NULL);
}

static kane_status bad_value(csv_reader *r, const kane_csv_field *field, int column)
{
    r->lines.path = r->results->columns[column].name;
    if (field->length > KANE_NUMBER_LENGTH)
        return kane_lines_fault(&r->lines, field->at, "a value of %zu characters, at most %d are read", field->length,
                                KANE_NUMBER_LENGTH);
    char buffer[128];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    quote_field(&text, field);
    return kane_lines_fault(&r->lines, field->at, "%s is not a number", buffer);
}

static kane_status read_row(csv_reader *r, int row)
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

static kane_status read_all(csv_reader *r)
{
    csv_reader units;
    if (!pass_comments(r, &units)) {
        r->lines.line = r->lines.line > 0 ? r->lines.line : 1;
        return kane_lines_fault(&r->lines, NULL, "the file ends before the line that names the columns");
    }
    kane_status status = read_names(r);
    r->has_units       = units.lines.line > 0;
    if (status == KANE_OK)
        status = r->has_units ? read_units(&units, units.lines.begin + strlen(KANE_CSV_UNITS) - 1) : read_second(r);
    if (status == KANE_OK)
        status = kane_results_take_rows(r->results, kane_lines_count(r->lines), r->lines.errors);
    for (int row = 0; status == KANE_OK && kane_lines_step(&r->lines); row++)
        status = read_row(r, row);
    return status;
}

// A byte 0 in the whole lines: a damaged file, or none of text.
static kane_status check_text(csv_reader r, char *text, size_t length)
{
    char *zero = memchr(text, '\0', length);
    if (!zero)
        return KANE_OK;
    *zero = ' ';
    while (kane_lines_step(&r.lines) && r.lines.at <= zero)
        continue;
    return kane_lines_fault(&r.lines, zero, "found a byte 0: this is not a text file");
}

// A recorder writes units, and perhaps a run's key, before the names: a kill or a full disk may have cut its last line.
// Of other files it is unknown whether a last line without its end is whole. A loss of power leaves zeros behind it.
static kane_status check_end(csv_reader *r, char behind)
{
    if (!behind || r->results->key[0] || r->has_units)
        return KANE_OK;
    r->lines.line++;
    return kane_lines_fault(&r->lines, NULL, "the last line has no line feed: is it whole?");
}

kane_status kane_csv_read(kane_results *results, kane_errors *errors)
{
    char *text;
    size_t length;
    kane_status status = kane_file_load(results->file, SIZE_MAX, &text, &length, errors);
    if (status != KANE_OK)
        return status;
    while (length > 0 && text[length - 1] != '\n')
        length--;
    const char behind = text[length];
    text[length]      = '\0';
    csv_reader r      = {.results = results, .lines = {.file = results->file, .at = text, .errors = errors}};
    status            = check_text(r, text, length);
    if (status == KANE_OK)
        status = read_all(&r);
    if (status == KANE_OK)
        status = check_end(&r, behind);
    kane_release(text);
    return status;
}
