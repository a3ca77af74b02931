// SPDX-License-Identifier: MIT
// Tables: columns and cells, and their writers as text, CSV and JSON.

#include "results/table.h"

#include "base/number.h"
#include "results/results.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// --- filling ---

kane_table kane_table_begin(kane_arena *arena, int columns, int rows)
{
    kane_table t  = {.arena = arena, .column_room = columns, .room = (size_t)columns * (size_t)rows};
    t.columns     = arena ? kane_arena_alloc(arena, (size_t)columns + 1, sizeof *t.columns) : NULL;
    t.cells       = arena ? kane_arena_alloc(arena, t.room + 1, sizeof *t.cells) : NULL;
    t.column_room = t.columns ? columns : 0;
    t.room        = t.cells ? t.room : 0;
    return t;
}

// Room for one more behind `count` items; without memory the old ones stay, and *room.
static void *grow_items(kane_arena *arena, void *old, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return old;
    void *more = arena ? kane_arena_alloc(arena, 2 * count + 16, size) : NULL;
    if (!more)
        return old;
    if (count > 0)
        memcpy(more, old, count * size);
    *room = 2 * count + 16;
    return more;
}

void kane_table_add_columns(kane_table *t, int count, const kane_table_column *columns)
{
    for (int i = 0; i < count; i++) {
        size_t room = (size_t)t->column_room;
        t->columns  = grow_items(t->arena, t->columns, (size_t)t->column_count, &room, sizeof *t->columns);
        if ((size_t)t->column_count < room)
            t->columns[t->column_count++] = columns[i];
        t->column_room = (int)room;
    }
}

void kane_table_add_names(kane_table *t, int count, const char *const *names, const char *const *units)
{
    for (int i = 0; i < count; i++)
        kane_table_add_columns(t, 1, &(kane_table_column){.name = names[i], .unit = units ? units[i] : NULL});
}

void kane_table_put(kane_table *t, kane_cell cell)
{
    t->cells = grow_items(t->arena, t->cells, t->count, &t->room, sizeof *t->cells);
    if (t->count >= t->room || t->column_count == 0)
        return;
    t->cells[t->count++] = cell;
    t->rows              = (int)(t->count / (size_t)t->column_count);
}

void kane_table_add(kane_table *t, int count, const kane_cell *cells)
{
    for (int i = 0; i < count; i++)
        kane_table_put(t, cells[i]);
}

void kane_table_add_numbers(kane_table *t, int count, const double *numbers)
{
    for (int i = 0; i < count; i++)
        kane_table_put(t, kane_cell_number(numbers[i]));
}

const char *kane_table_text(kane_table *t, const char *format, ...)
{
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    (void)kane_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *kept = t->arena ? kane_arena_text(t->arena, text) : NULL;
    return kept ? kept : "";
}

const kane_cell *kane_table_at(const kane_table *t, int row, int column)
{
    return &t->cells[(size_t)row * (size_t)t->column_count + (size_t)column];
}

int kane_table_is_numeric(const kane_table *t, int column)
{
    for (int row = 0; row < t->rows; row++)
        if (kane_table_at(t, row, column)->kind < KANE_CELL_NUMBER)
            return 0;
    return 1;
}

static const char *unit_of(const kane_table *t, int column)
{
    return t->columns[column].unit ? t->columns[column].unit : "";
}

// --- numbers ---

void kane_format_number(double value, int digits, size_t size, char *text)
{
    char number[KANE_NUMBER_SIZE] = "";
    if (isfinite(value) && digits > 0) {
        kane_number_round(value, digits, number);
        value = kane_number_value(number, strlen(number), 0);
    }
    if (isfinite(value))
        kane_number_format(value + 0.0, number);
    (void)snprintf(text, size, "%s", number);
}

void kane_cell_show(const kane_cell *c, int digits, size_t size, char *text)
{
    if (c->kind == KANE_CELL_NUMBER)
        kane_format_number(c->number, digits, size, text);
    else if (c->kind == KANE_CELL_COUNT)
        (void)kane_snprintf(text, size, "%.0f", c->number);
    else
        (void)snprintf(text, size, "%s", c->text ? c->text : "");
}

// --- text ---

enum { DIGITS = 6, SHOWN = 1200 };

// What text shows of a column: in row -1 its head, else a cell.
static void show_cell(const kane_table *t, int row, int column, char text[SHOWN])
{
    const kane_table_column *c = &t->columns[column];
    const char *unit           = unit_of(t, column);
    const kane_cell *cell      = row < 0 ? NULL : kane_table_at(t, row, column);
    const double value         = cell ? cell->number * (c->text.factor != 0.0 ? c->text.factor : 1.0) : 0.0;
    if (!cell && c->text.head)
        (void)snprintf(text, SHOWN, "%s", c->text.head);
    else if (!cell)
        (void)snprintf(text, SHOWN, unit[0] ? "%s [%s]" : "%s", c->name, unit);
    else if (cell->kind != KANE_CELL_NUMBER || !c->text.format)
        kane_cell_show(&(kane_cell){cell->kind, cell->text, value}, c->text.digits ? c->text.digits : DIGITS, SHOWN,
                       text);
    else
        (void)kane_snprintf(text, SHOWN, c->text.format == 'f' ? "%.*f" : "%.*g", c->text.digits, value);
    if (cell && !text[0])
        (void)snprintf(text, SHOWN, "%s", c->text.none ? c->text.none : "-");
}

// Letters, not bytes.
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

// Nothing follows what is last at the left of its column.
static void print_cell(const kane_table *t, int column, int is_last, int width, const char *text, FILE *out)
{
    const kane_column_text *how = &t->columns[column].text;
    const int gap = how->gap ? how->gap : column > 0 ? 2 : 0, left = width - width_of(text), pad = left > 0 ? left : 0;
    const int is_left = how->width < 0;
    (void)fprintf(out, "%*s%*s%s%*s", gap, "", is_left ? 0 : pad, "", text, is_left && !is_last ? pad : 0, "");
}

// Columns up to the last one that shows something.
static int count_shown(const kane_table *t, int row, int columns)
{
    char text[SHOWN];
    for (; columns > 0; columns--) {
        show_cell(t, row, columns - 1, text);
        if (text[0] && !t->columns[columns - 1].text.is_hidden)
            break;
    }
    return columns;
}

void kane_table_print(const kane_table *t, int rows, int columns, FILE *out)
{
    char text[SHOWN];
    int *width = t->arena ? kane_arena_alloc(t->arena, (size_t)columns, sizeof *width) : NULL;
    rows       = rows < t->rows ? rows : t->rows; // without memory fewer than asked for
    for (int c = 0; width && c < columns; c++) {
        width[c] = abs(t->columns[c].text.width);
        for (int row = -1; row < rows && t->columns[c].text.width <= 0; row++) {
            show_cell(t, row, c, text);
            width[c] = width_of(text) > width[c] ? width_of(text) : width[c];
        }
    }
    for (int row = -1; width && row < rows; row++) {
        const int used = count_shown(t, row, columns);
        for (int c = 0; c < used; c++) {
            if (t->columns[c].text.is_hidden)
                continue;
            show_cell(t, row, c, text);
            print_cell(t, c, c + 1 == used, width[c], text, out);
        }
        if (used > 0)
            (void)fputc('\n', out);
    }
}

// --- CSV ---

// What CSV and JSON call a column.
static const char *name_of(const kane_table *t, int column, char text[SHOWN])
{
    const char *name = t->columns[column].name, *unit = unit_of(t, column);
    if (!t->is_joined || !unit[0])
        return name;
    (void)snprintf(text, SHOWN, "%s [%s]", name, unit);
    return text;
}

static int has_unit_row(const kane_table *t)
{
    for (int i = 0; i < t->column_count; i++)
        if (t->columns[i].unit && !t->is_joined)
            return 1;
    return 0;
}

static void write_cell(FILE *out, const kane_table *t, const kane_cell *c)
{
    char number[KANE_NUMBER_SIZE] = "";
    if (c->kind == KANE_CELL_COUNT)
        (void)kane_snprintf(number, sizeof number, "%.0f", c->number);
    else if (c->kind == KANE_CELL_NUMBER && (t->has_nan || isfinite(c->number)))
        kane_number_format(c->number, number);
    if (c->kind == KANE_CELL_COUNT || c->kind == KANE_CELL_NUMBER)
        (void)fputs(number, out);
    else
        kane_csv_write(out, c->text ? c->text : "", c->kind == KANE_CELL_TEXT);
}

void kane_table_write_csv(const kane_table *t, FILE *out)
{
    const int n = t->column_count;
    char text[SHOWN];
    for (int i = 0; i < n; i++) {
        kane_csv_write(out, name_of(t, i, text), t->columns[i].is_quoted);
        (void)fputc(i + 1 < n ? ',' : '\n', out);
    }
    for (int i = 0; has_unit_row(t) && i < n; i++) {
        kane_csv_write(out, unit_of(t, i), 0);
        (void)fputc(i + 1 < n ? ',' : '\n', out);
    }
    for (size_t i = 0; i < (size_t)t->rows * (size_t)n; i++) {
        write_cell(out, t, &t->cells[i]);
        (void)fputc((i + 1) % (size_t)n ? ',' : '\n', out);
    }
}

// --- JSON ---

void kane_table_write_json(const kane_table *t, kane_writer *w)
{
    char text[SHOWN];
    kane_writer_open(w, "columns", '[');
    for (int i = 0; i < t->column_count; i++)
        kane_writer_text(w, NULL, name_of(t, i, text));
    kane_writer_close(w);
    if (has_unit_row(t)) {
        kane_writer_open(w, "units", '[');
        for (int i = 0; i < t->column_count; i++)
            kane_writer_text(w, NULL, unit_of(t, i));
        kane_writer_close(w);
    }
    kane_writer_open(w, "rows", '[');
    for (int row = 0; row < t->rows; row++) {
        kane_writer_row(w, NULL);
        for (int i = 0; i < t->column_count; i++) {
            const kane_cell *c = kane_table_at(t, row, i);
            if (c->kind == KANE_CELL_NUMBER)
                kane_writer_number(w, NULL, c->number);
            else if (c->kind == KANE_CELL_COUNT)
                kane_writer_count(w, NULL, (long long)c->number);
            else
                kane_writer_text(w, NULL, c->text ? c->text : "");
        }
        kane_writer_close(w);
    }
    kane_writer_close(w);
}
