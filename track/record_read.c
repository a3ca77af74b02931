// SPDX-License-Identifier: MIT
// Measured irregularities from a file of columns: a line of names, one of units, then a line of numbers for each point.
// Columns stand apart by commas, semicolons or tabs (what the first line has), else by spaces. Empty lines and lines that
// begin with # are skipped.

#include "track/track_file.h"

#include "base/file.h"
#include "base/number.h"
#include "base/unit.h"

#include <string.h>

enum { COLUMNS_MOST = 64, CELL_SIZE = 64, SKIPPED = -2, CHAINAGE = -1 };

typedef struct cell {
    const char *at; // its first character that is no blank
    size_t length;
    int column; // [bytes from 1]
} cell;

typedef struct table {
    kane_reader *reader;
    const kane_record_input *in;
    const char *file, *next; // name, rest of the text
    int line;                // of what was taken last
    char separator;          // ' ': blanks
    int column_count, row_count;
    cell cells[COLUMNS_MOST];
    int kinds[COLUMNS_MOST];       // kane_irregularity_kind, CHAINAGE or SKIPPED
    kane_unit units[COLUMNS_MOST]; // of a length
    kane_place places[COLUMNS_MOST];
    double *values[COLUMNS_MOST]; // [row]
} table;

static kane_place place_of(const table *t, const cell *c)
{
    return (kane_place){.file = t->file, .line = t->line, .column = c ? c->column : 1, .path = ""};
}

static void trim(cell *c)
{
    while (c->length > 0 && (*c->at == ' ' || *c->at == '\t' || *c->at == '"')) {
        c->at++;
        c->length--;
        c->column++;
    }
    while (c->length > 0 && strchr(" \t\"\r", c->at[c->length - 1]))
        c->length--;
}

// Cuts a line into cells; returns their number, of which at most COLUMNS_MOST are kept.
static int cut(table *t, const char *line, size_t length)
{
    const char *end = line + length, *at = line;
    int count = 0;
    for (;;) {
        while (t->separator == ' ' && at < end && (*at == ' ' || *at == '\r'))
            at++;
        if (at >= end && (t->separator == ' ' || count == 0))
            return count;
        const char *stop = at < end ? memchr(at, t->separator, (size_t)(end - at)) : NULL;
        cell c           = {at, (size_t)((stop ? stop : end) - at), (int)(at - line) + 1};
        trim(&c);
        if (count < COLUMNS_MOST)
            t->cells[count] = c;
        count++;
        if (!stop)
            return count;
        at = stop + 1;
    }
}

// Takes the next line that holds something; returns its cells, 0 at the end of the file.
static int next_line(table *t)
{
    while (*t->next) {
        const char *line    = t->next;
        const size_t length = strcspn(line, "\n");
        t->next             = line + length + (line[length] == '\n');
        t->line++;
        const size_t blank = strspn(line, " \t\r");
        if (blank >= length || line[blank] == '#')
            continue;
        if (!t->separator) {
            static const char choice[] = ";,\t";
            t->separator               = ' ';
            for (const char *c = choice; *c && t->separator == ' '; c++)
                if (memchr(line, *c, length))
                    t->separator = *c;
        }
        return cut(t, line, length);
    }
    return 0;
}

static const char *cell_text(const cell *c, char text[CELL_SIZE])
{
    const size_t length = c->length < CELL_SIZE - 1 ? c->length : CELL_SIZE - 1;
    memcpy(text, c->at, length);
    text[length] = '\0';
    return text;
}

static int is_ignored(const kane_record_input *in, const char *name)
{
    for (int i = 0; i < in->ignore.count; i++)
        if (strcmp(in->ignore.values[i], name) == 0)
            return 1;
    return 0;
}

// The meaning of a column by its name; reports one that means nothing, or what another column means.
static void name_column(table *t, int k)
{
    static const char *const names[] = {"chainage",     "lateral",       "vertical",      "cross_level",   "gauge",
                                        "left_lateral", "left_vertical", "right_lateral", "right_vertical"};
    const kane_names known           = {names, KANE_IRREGULARITY_KINDS + 1, sizeof *names};
    char name[CELL_SIZE];
    t->places[k] = place_of(t, &t->cells[k]);
    t->kinds[k]  = SKIPPED;
    if (is_ignored(t->in, cell_text(&t->cells[k], name)))
        return;
    const int found = kane_names_find(known, name);
    if (found < 0) {
        char hint[256];
        kane_text text = kane_text_start(sizeof hint, hint);
        kane_names_hint(&text, known, name);
        kane_reader_report(t->reader, t->places[k],
                           "no kind of irregularity is called '%s'%s; other columns must be named in \"ignore\"", name,
                           hint);
        return;
    }
    for (int i = 0; i < k; i++)
        if (t->kinds[i] == found - 1)
            kane_reader_report(t->reader, t->places[k], "there are two columns '%s'", name);
    t->kinds[k] = found - 1;
}

// Every name in "ignore" must be that of a column.
static void check_ignored(const table *t)
{
    for (int i = 0; i < t->in->ignore.count; i++) {
        char name[CELL_SIZE];
        int found = 0;
        for (int k = 0; k < t->column_count && !found; k++)
            found = strcmp(t->in->ignore.values[i], cell_text(&t->cells[k], name)) == 0;
        if (!found)
            kane_reader_report(t->reader, kane_block_place(&t->in->block, "ignore", i), "the file has no column '%s'",
                               t->in->ignore.values[i]);
    }
}

static void take_names(table *t)
{
    int has_chainage = 0, kinds = 0;
    t->column_count = next_line(t);
    if (t->column_count > COLUMNS_MOST) {
        kane_reader_report(t->reader, place_of(t, NULL), "%d columns, must be at most %d", t->column_count,
                           COLUMNS_MOST);
        return;
    }
    for (int k = 0; k < t->column_count; k++) {
        name_column(t, k);
        has_chainage = has_chainage || t->kinds[k] == CHAINAGE;
        kinds += t->kinds[k] >= 0;
    }
    check_ignored(t);
    if (kane_reader_status(t->reader) == KANE_OK && (!has_chainage || kinds == 0))
        kane_reader_report(t->reader, place_of(t, NULL),
                           "the first line must name a column 'chainage' and at least one kind of irregularity");
}

static void take_units(table *t)
{
    kane_unit metre;
    char name[CELL_SIZE];
    (void)kane_unit_named("m", 1, &metre);
    const int count = next_line(t);
    if (count != t->column_count) {
        kane_reader_report(t->reader, place_of(t, NULL), "%d units for %d columns", count, t->column_count);
        return;
    }
    for (int k = 0; k < count; k++) {
        char reason[256] = "";
        kane_text fault  = kane_text_start(sizeof reason, reason);
        if (t->kinds[k] == SKIPPED)
            continue;
        const int good = t->cells[k].length > 0 &&
                         kane_unit_parse(cell_text(&t->cells[k], name), &t->units[k], &fault) &&
                         kane_unit_fits(&t->units[k], &metre);
        if (!good)
            kane_reader_report(t->reader, place_of(t, &t->cells[k]),
                               "the line below the names must say the unit of each column, m or mm or km; found '%s'",
                               cell_text(&t->cells[k], name));
    }
}

static int take_number(table *t, int k, double *value)
{
    const cell *c       = &t->cells[k];
    const size_t length = c->length > 0 ? kane_number_length(c->at) : 0;
    if (length != c->length || length == 0 || length > KANE_NUMBER_LENGTH) {
        char text[CELL_SIZE];
        kane_reader_report(t->reader, place_of(t, c), "'%s' is not a number%s", cell_text(c, text),
                           memchr(c->at, ',', c->length) ? "; the decimal mark is a point" : "");
        return 0;
    }
    *value = kane_number_value(c->at, length, t->units[k].ten) * (t->units[k].up / t->units[k].down);
    if (isfinite(*value))
        return 1;
    kane_reader_report(t->reader, place_of(t, c), "the number is too large");
    return 0;
}

// One point. 0 if something is wrong with it: the rest is not read then.
static int take_row(table *t, int count)
{
    const int row = t->row_count;
    if (count != t->column_count) {
        kane_reader_report(t->reader, place_of(t, NULL), "%d numbers for %d columns", count, t->column_count);
        return 0;
    }
    for (int k = 0; k < count; k++) {
        if (t->kinds[k] == SKIPPED)
            continue;
        double *v = t->values[k];
        if (!take_number(t, k, &v[row]))
            return 0;
        if (t->kinds[k] == CHAINAGE && row > 0 && !(v[row] > v[row - 1])) {
            kane_reader_report(t->reader, place_of(t, &t->cells[k]),
                               "points must be in order: %.10g m comes after %.10g m", v[row], v[row - 1]);
            return 0;
        }
        if (t->kinds[k] >= 0)
            v[row] *= t->in->scale;
    }
    t->row_count++;
    return 1;
}

// Room for all rows: there are no more than lines.
static int make_room(table *t)
{
    size_t lines = 1;
    for (const char *c = t->next; *c; c++)
        lines += *c == '\n';
    for (int k = 0; k < t->column_count; k++)
        if (t->kinds[k] != SKIPPED && !(t->values[k] = kane_arena_doubles(t->reader->arena, lines)))
            return 0;
    return 1;
}

static int make_records(const table *t, kane_record_definition *records)
{
    const double *at = NULL;
    int count        = 0;
    for (int k = 0; k < t->column_count; k++)
        if (t->kinds[k] == CHAINAGE)
            at = t->values[k];
    for (int k = 0; k < t->column_count; k++)
        if (t->kinds[k] >= 0)
            records[count++] = (kane_record_definition){.kind        = (kane_irregularity_kind)t->kinds[k],
                                                        .point_count = t->row_count,
                                                        .at          = at,
                                                        .value       = t->values[k],
                                                        .place       = t->places[k]};
    return count;
}

int kane_record_read(kane_reader *reader, const kane_record_input *in, const char *track_file,
                     kane_record_definition *records)
{
    const kane_place place = kane_block_place(&in->block, "file", -1);
    const int before       = reader->fault_count;
    table *t               = kane_arena_alloc(reader->arena, 1, sizeof *t);
    const char *name       = kane_file_beside(reader->arena, track_file, in->file);
    if (!t || !name) {
        kane_reader_no_memory(reader, place);
        return 0;
    }
    if (!in->file[0]) {
        kane_reader_report(reader, place, "names no file; a name is relative to the track file");
        return 0;
    }
    const char *text = kane_file_read(reader->arena, name, NULL, reader->errors);
    if (!text) {
        kane_reader_report(reader, place, "the file of irregularities cannot be used");
        return 0;
    }
    *t = (table){.reader = reader, .in = in, .file = name, .next = text};
    take_names(t);
    if (reader->fault_count == before)
        take_units(t);
    if (reader->fault_count != before)
        return 0;
    if (!make_room(t)) {
        kane_reader_no_memory(reader, place);
        return 0;
    }
    for (int count = next_line(t); count > 0 && take_row(t, count);)
        count = next_line(t);
    return reader->fault_count == before ? make_records(t, records) : 0;
}
