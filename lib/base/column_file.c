// SPDX-License-Identifier: MIT
// Numbers in columns of a text file.

#include "base/column_file.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static kane_place place_of(const kane_column_file *t, const kane_cell_text *c)
{
    return kane_lines_place(&t->lines, c ? c->at : NULL);
}

kane_place kane_column_file_place(const kane_column_file *t, int row, int column)
{
    const kane_column_file_column *c = &t->columns[column];
    if (row < 0)
        return c->place;
    return (kane_place){.file = t->lines.file, .line = t->line[row], .column = c->columns[row], .path = ""};
}

// --- lines and cells ---

static void trim_cell(kane_cell_text *c)
{
    while (c->length > 0 && (*c->at == ' ' || *c->at == '\t' || *c->at == '"')) {
        c->at++;
        c->length--;
    }
    while (c->length > 0 && strchr(" \t\"", c->at[c->length - 1]))
        c->length--;
}

// Cuts the present line into cells; returns their number, of which at most KANE_COLUMN_FILE_COLUMNS are kept.
static int cut_cells(kane_column_file *t)
{
    const char *end = t->lines.end, *at = t->lines.begin;
    int count = 0;
    for (;;) {
        while (t->separator == ' ' && at < end && *at == ' ')
            at++;
        if (at >= end && (t->separator == ' ' || count == 0))
            return count;
        const char *stop = memchr(at, t->separator, (size_t)(end - at));
        kane_cell_text c = {at, (size_t)((stop ? stop : end) - at)};
        trim_cell(&c);
        if (count < KANE_COLUMN_FILE_COLUMNS)
            t->cells[count] = c;
        count++;
        if (!stop)
            return count;
        at = stop + 1;
    }
}

// Takes the next line that holds something; returns its cells, 0 at the end of the file.
static int next_line(kane_column_file *t)
{
    while (kane_lines_step(&t->lines)) {
        const char *line = t->lines.begin, *first = line + strspn(line, " \t");
        if (first >= t->lines.end || *first == '#')
            continue;
        if (!t->separator) {
            static const char choice[] = ";,\t";
            t->separator               = ' ';
            for (const char *c = choice; *c && t->separator == ' '; c++)
                if (memchr(line, *c, (size_t)(t->lines.end - line)))
                    t->separator = *c;
        }
        return cut_cells(t);
    }
    return 0;
}

static const char *cell_text(const kane_cell_text *c, char text[KANE_COLUMN_FILE_CELL])
{
    const size_t length = c->length < KANE_COLUMN_FILE_CELL - 1 ? c->length : KANE_COLUMN_FILE_CELL - 1;
    memcpy(text, c->at, length);
    text[length] = '\0';
    return text;
}

// --- names ---

static void take_names(kane_column_file *t, int count)
{
    t->column_count = count;
    if (t->column_count > KANE_COLUMN_FILE_COLUMNS) {
        kane_reader_report(t->reader, place_of(t, NULL), "%d columns, must be at most %d", t->column_count,
                           KANE_COLUMN_FILE_COLUMNS);
        return;
    }
    for (int k = 0; k < t->column_count; k++) {
        (void)cell_text(&t->cells[k], t->columns[k].name);
        t->columns[k].place = place_of(t, &t->cells[k]);
    }
}

kane_column_file *kane_column_file_open(kane_reader *reader, kane_place place, const char *name, const char *noun,
                                        const char *kind)
{
    const int before    = reader->fault_count;
    kane_column_file *t = kane_arena_alloc(reader->arena, 1, sizeof *t);
    const char *file    = kane_file_beside(reader->arena, place.file, name);
    if (!t || !file) {
        kane_reader_no_memory(reader, place);
        return NULL;
    }
    if (!name[0]) {
        kane_reader_report(reader, place, "names no file; a name is relative to the %s file", kind);
        return NULL;
    }
    const char *text = kane_file_read(reader->arena, file, NULL, reader->errors);
    if (!text) {
        kane_reader_report(reader, place, "%s cannot be used", noun);
        return NULL;
    }
    t->reader    = reader;
    t->lines     = (kane_lines){.file = file, .at = text, .errors = reader->errors};
    t->ascending = -1;
    take_names(t, next_line(t));
    return reader->fault_count == before ? t : NULL;
}

int kane_column_file_find(const kane_column_file *t, const char *name)
{
    for (int k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k].name, name) == 0)
            return k;
    return -1;
}

void kane_column_file_want(kane_column_file *t, int column, const char *unit)
{
    kane_column_file_column *c = &t->columns[column];
    char nowhere[64];
    kane_text unreported = kane_text_start(sizeof nowhere, nowhere);
    c->wanted            = 1;
    c->unit_wanted       = unit;
    (void)kane_unit_parse(unit, &c->expected, &unreported);
}

// Cells of the present line that are the column of a mapping.
static int has_column(const kane_column_file *t, int count, const char *mapping)
{
    const char *open = strrchr(mapping, '[');
    size_t length    = open ? (size_t)(open - mapping) : 0;
    while (length > 0 && mapping[length - 1] == ' ')
        length--;
    for (int k = 0; k < count && k < KANE_COLUMN_FILE_COLUMNS; k++) {
        const kane_cell_text *c = &t->cells[k];
        if (c->length > 0 && ((c->length == strlen(mapping) && memcmp(c->at, mapping, c->length) == 0) ||
                              (c->length == length && memcmp(c->at, mapping, length) == 0)))
            return 1;
    }
    return 0;
}

void kane_column_file_pass_preamble(kane_column_file *t, int count, const char *const *mappings)
{
    const kane_lines lines = t->lines;
    const char separator   = t->separator;
    for (int cells = t->column_count; cells > 0;) {
        int found = 1;
        for (int i = 0; i < count && found; i++)
            found = !mappings[i] || has_column(t, cells, mappings[i]);
        if (found) {
            take_names(t, cells);
            return;
        }
        t->separator = '\0'; // each line of a preamble may have another one
        cells        = next_line(t);
    }
    t->lines     = lines;
    t->separator = separator;
}

// Splits "NAME [UNIT]"; returns the unit, NULL if there is none.
static const char *split_unit(kane_reader *reader, const char *mapping, char name[KANE_COLUMN_FILE_CELL])
{
    const size_t length = strlen(mapping);
    const char *open    = strrchr(mapping, '[');
    kane_text_copy(KANE_COLUMN_FILE_CELL, name, mapping);
    if (!open || length == 0 || mapping[length - 1] != ']' || (size_t)(open - mapping) >= KANE_COLUMN_FILE_CELL)
        return NULL;
    size_t end = (size_t)(open - mapping);
    while (end > 0 && mapping[end - 1] == ' ')
        end--;
    name[end] = '\0';
    return kane_arena_text_part(reader->arena, open + 1, length - (size_t)(open - mapping) - 2);
}

// Is a unit that of places as railways write them?
static int is_post(const char *unit, size_t length, const char *wanted)
{
    return length == 4 && memcmp(unit, "km+m", 4) == 0 && strcmp(wanted, "m") == 0;
}

int kane_column_file_map(kane_column_file *t, const char *mapping, kane_place place, const char *unit)
{
    char name[KANE_COLUMN_FILE_CELL], reason[256] = "";
    const char *in = split_unit(t->reader, mapping, name);
    int k          = kane_column_file_find(t, mapping);
    if (k < 0)
        k = kane_column_file_find(t, name);
    if (k < 0) {
        char hint[256];
        kane_text text = kane_text_start(sizeof hint, hint);
        for (int i = 0; i < t->column_count; i++)
            kane_text_add(&text, "%s '%s'", i > 0 ? "," : "", t->columns[i].name);
        if (t->column_count == 0)
            kane_text_add(&text, " none");
        kane_reader_report(t->reader, place, "the file has no column '%s'; its first line has%s", name, hint);
        return -1;
    }
    kane_column_file_column *c = &t->columns[k];
    if (c->wanted) {
        kane_reader_report(t->reader, place, "the column '%s' is named twice; each is one quantity", name);
        return -1;
    }
    kane_column_file_want(t, k, unit);
    if (!in)
        return k;
    kane_text fault = kane_text_start(sizeof reason, reason);
    c->is_post      = is_post(in, strlen(in), unit);
    c->has_unit     = kane_unit_parse(c->is_post ? "m" : in, &c->unit, &fault);
    c->unit_text    = in;
    if (!c->has_unit)
        kane_reader_report(t->reader, place, "%s", reason);
    else if (!kane_unit_fits(&c->unit, &c->expected)) {
        fault = kane_text_start(sizeof reason, reason);
        kane_unit_describe(&fault, &c->unit);
        kane_reader_report(t->reader, place, "'%s' is %s, expected a unit of [%s]", in, reason, unit);
        return -1;
    }
    return c->has_unit ? k : -1;
}

// --- units ---

static int parse_unit(const kane_cell_text *cell, kane_column_file_column *c, kane_unit *unit)
{
    char name[KANE_COLUMN_FILE_CELL], reason[256] = "";
    kane_text fault = kane_text_start(sizeof reason, reason);
    (void)cell_text(cell, name);
    const size_t length = strlen(name);
    if (length > 2 && name[0] == '[' && name[length - 1] == ']') {
        memmove(name, name + 1, length - 2);
        name[length - 2] = '\0';
    }
    c->is_post = is_post(name, strlen(name), c->unit_wanted);
    return cell->length > 0 && kane_unit_parse(c->is_post ? "m" : name, unit, &fault) &&
           kane_unit_fits(unit, &c->expected);
}

int kane_column_file_take_units(kane_column_file *t)
{
    char name[KANE_COLUMN_FILE_CELL];
    const int before = t->reader->fault_count, count = next_line(t);
    if (count != t->column_count) {
        kane_reader_report(t->reader, place_of(t, NULL), "%d units for %d columns", count, t->column_count);
        return 0;
    }
    for (int k = 0; k < count; k++) {
        kane_column_file_column *c = &t->columns[k];
        if (c->wanted && !parse_unit(&t->cells[k], c, &c->unit))
            kane_reader_report(t->reader, place_of(t, &t->cells[k]),
                               "the line below the names must say the unit of each column, m or mm or km; found '%s'",
                               cell_text(&t->cells[k], name));
        c->has_unit = c->wanted;
    }
    return t->reader->fault_count == before;
}

static int is_number(const kane_cell_text *c)
{
    double value;
    return kane_number_parse(c->at, c->length, 0, &value);
}

// 1 if the cells of all selected columns are units: then the line is one of units.
static int holds_units(kane_column_file *t, int count)
{
    int wanted = 0;
    for (int k = 0; k < t->column_count && k < count; k++) {
        kane_unit unit;
        char name[KANE_COLUMN_FILE_CELL], reason[128];
        kane_text fault = kane_text_start(sizeof reason, reason);
        if (!t->columns[k].wanted)
            continue;
        wanted++;
        if (is_number(&t->cells[k]) || t->cells[k].length == 0)
            return 0;
        (void)cell_text(&t->cells[k], name);
        const size_t length = strlen(name);
        if (name[0] == '[' && name[length - 1] == ']')
            continue;
        if (!is_post(name, length, t->columns[k].unit_wanted) && !kane_unit_parse(name, &unit, &fault))
            return 0;
    }
    return wanted > 0;
}

static int same_unit(const kane_unit *a, const kane_unit *b)
{
    return fabs(a->up / a->down * pow(10.0, a->ten) / (b->up / b->down * pow(10.0, b->ten)) - 1.0) < 1e-12;
}

int kane_column_file_agree_units(kane_column_file *t)
{
    const kane_lines lines = t->lines;
    const int before = t->reader->fault_count, count = next_line(t);
    const int is_there = count == t->column_count && holds_units(t, count);
    for (int k = 0; k < t->column_count; k++) {
        kane_column_file_column *c = &t->columns[k];
        kane_unit unit;
        char name[KANE_COLUMN_FILE_CELL];
        if (!c->wanted)
            continue;
        if (is_there && !parse_unit(&t->cells[k], c, &unit))
            kane_reader_report(t->reader, place_of(t, &t->cells[k]), "'%s' is no unit of what the column '%s' holds",
                               cell_text(&t->cells[k], name), c->name);
        else if (is_there && c->has_unit && !same_unit(&unit, &c->unit))
            kane_reader_report(t->reader, place_of(t, &t->cells[k]),
                               "the file says that '%s' is in %s, the file that names it says %s; one of them is wrong",
                               c->name, cell_text(&t->cells[k], name), c->unit_text);
        else if (is_there)
            c->unit = unit;
        else if (!c->has_unit)
            kane_reader_report(
                t->reader, c->place,
                "in what unit is '%s'? say it behind the name, as in \"%s [%s]\", or in a line below the names",
                c->name, c->name, c->unit_wanted);
        c->has_unit = 1;
    }
    if (!is_there)
        t->lines = lines;
    return t->reader->fault_count == before;
}

// --- rows ---

// The number of a cell, of which a decimal comma becomes a point. 0: it is none.
static int parse_number(kane_column_file *t, const char *at, size_t length, int ten, double *value)
{
    char plain[KANE_NUMBER_LENGTH + 1];
    if (length > KANE_NUMBER_LENGTH)
        return 0;
    memcpy(plain, at, length);
    plain[length] = '\0';
    char *comma   = t->separator == ';' || t->separator == '\t' ? strchr(plain, ',') : NULL;
    if (comma)
        *comma = '.';
    const char mark = comma ? ',' : strchr(plain, '.') ? '.' : '\0';
    if (!kane_number_parse(plain, length, ten, value) || (mark && t->mark && mark != t->mark))
        return 0;
    t->mark = t->mark ? t->mark : mark;
    return 1;
}

// "7+950.250" is 7 km and 950.25 m; a minus counts for both.
static int parse_post(kane_column_file *t, const kane_cell_text *c, double *value)
{
    const size_t minus = c->length > 0 && *c->at == '-';
    const char *first = c->at + minus, *plus = memchr(first, '+', c->length - minus);
    double km, m;
    if (!plus || strspn(first, "0123456789") != (size_t)(plus - first) ||
        !(plus[1] >= '0' && plus[1] <= '9' && plus + 1 < c->at + c->length) ||
        !parse_number(t, first, (size_t)(plus - first), 0, &km) ||
        !parse_number(t, plus + 1, (size_t)(c->at + c->length - plus) - 1, 0, &m))
        return 0;
    *value = (minus ? -1.0 : 1.0) * (1000.0 * km + m);
    return 1;
}

// What is wrong with a cell that is no number.
static const char *number_hint(const kane_column_file *t, int k)
{
    const kane_cell_text *c = &t->cells[k];
    if (t->columns[k].is_post)
        return "; in \"km+m\" places are as 7+950.250";
    if (t->mark && memchr(c->at, t->mark == ',' ? '.' : ',', c->length))
        return t->mark == ',' ? "; the decimal mark of this file is a comma" : "; the decimal mark is a point";
    if (memchr(c->at, '+', c->length))
        return "; the unit of 7+950.250 is \"km+m\"";
    return memchr(c->at, ',', c->length) ? "; the decimal mark is a point" : "";
}

static int take_number(kane_column_file *t, int k, double *value)
{
    const kane_cell_text *c = &t->cells[k];
    const kane_unit *unit   = &t->columns[k].unit;
    const int is_read =
        t->columns[k].is_post ? parse_post(t, c, value) : parse_number(t, c->at, c->length, unit->ten, value);
    if (!is_read) {
        char text[KANE_COLUMN_FILE_CELL];
        if (c->length == 0)
            kane_reader_report(t->reader, place_of(t, c),
                               "there is no number in the column '%s'; leave out rows that were not measured",
                               t->columns[k].name);
        else
            kane_reader_report(t->reader, place_of(t, c), "'%s' is not a number%s", cell_text(c, text),
                               number_hint(t, k));
        return 0;
    }
    if (!t->columns[k].is_post)
        *value *= unit->up / unit->down;
    if (isfinite(*value))
        return 1;
    kane_reader_report(t->reader, place_of(t, c), "the number is too large");
    return 0;
}

// One point. 0 if something is wrong with it.
static int take_row(kane_column_file *t, int count)
{
    const int row = t->row_count;
    if (count != t->column_count) {
        kane_reader_report(t->reader, place_of(t, NULL), "%d numbers for %d columns", count, t->column_count);
        return 0;
    }
    t->line[row] = t->lines.line;
    for (int k = 0; k < count; k++) {
        kane_column_file_column *c = &t->columns[k];
        if (!c->wanted)
            continue;
        double *v       = c->values;
        c->columns[row] = place_of(t, &t->cells[k]).column;
        if (!take_number(t, k, &v[row]))
            return 0;
        if (k == t->ascending && row > 0 && !(v[row] > v[row - 1])) {
            kane_reader_report(t->reader, place_of(t, &t->cells[k]),
                               "points must be in order: %.10g m comes after %.10g m", v[row], v[row - 1]);
            return 0;
        }
    }
    t->row_count++;
    return 1;
}

// Room for all rows: there are no more than lines.
static int make_room(kane_column_file *t)
{
    const size_t lines = kane_lines_count(t->lines) + 1;
    t->line            = kane_arena_alloc(t->reader->arena, lines, sizeof *t->line);
    for (int k = 0; k < t->column_count; k++) {
        if (!t->columns[k].wanted)
            continue;
        t->columns[k].values  = kane_arena_doubles(t->reader->arena, lines);
        t->columns[k].columns = kane_arena_alloc(t->reader->arena, lines, sizeof(int));
    }
    return !kane_arena_failed(t->reader->arena);
}

int kane_column_file_take_rows(kane_column_file *t)
{
    const int before = t->reader->fault_count;
    if (!make_room(t)) {
        kane_reader_no_memory(t->reader, (kane_place){t->lines.file, 1, 1, ""});
        return 0;
    }
    for (int count = next_line(t); count > 0 && take_row(t, count);)
        count = next_line(t);
    return t->reader->fault_count == before;
}
