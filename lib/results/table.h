// SPDX-License-Identifier: MIT
// Tables and reports: columns with units, rows of cells, and one writer for each kind of file. Commands and studies
// tabulate by these.

#ifndef KANE_RESULTS_TABLE_H
#define KANE_RESULTS_TABLE_H

#include "base/arena.h"
#include "base/json.h"
#include "results/plot.h"

#include <stdio.h>

// === Cells.

typedef enum kane_cell_kind {
    KANE_CELL_WORD,   // in quotes if it must be
    KANE_CELL_TEXT,   // always in quotes
    KANE_CELL_NUMBER, // with all digits
    KANE_CELL_COUNT,  // a whole number
} kane_cell_kind;

typedef struct kane_cell {
    kane_cell_kind kind;
    const char *text;
    double number;
} kane_cell;

static inline kane_cell kane_cell_word(const char *text)
{
    return (kane_cell){.kind = KANE_CELL_WORD, .text = text};
}

static inline kane_cell kane_cell_text(const char *text)
{
    return (kane_cell){.kind = KANE_CELL_TEXT, .text = text};
}

static inline kane_cell kane_cell_number(double number)
{
    return (kane_cell){.kind = KANE_CELL_NUMBER, .number = number + 0.0}; // -0 + 0 is 0
}

static inline kane_cell kane_cell_count(int number)
{
    return (kane_cell){.kind = KANE_CELL_COUNT, .number = number};
}

// === Columns.

// What text calls a column and how it writes its numbers, times `factor`: 1e3 and "y [mm]" for a column in m.
typedef struct kane_column_text {
    const char *head; // NULL: name and unit
    double factor;    // 0: 1
    int gap;          // spaces before it; 0: two, of the first column none
    int width;        // 0: that of its widest cell; negative: likewise at the left, at least so many; else so many
    int digits;       // 0: six; negative: all
    int format;       // 'f': so many behind the point; 'g': so many significant; 0: the same, without zeros behind
    const char *none; // where there is nothing; NULL: "-"
    int is_hidden;    // 1: text leaves the column out
} kane_column_text;

// Which curve of which panel a column is. NULL everywhere: one panel for each unit over the first column.
typedef struct kane_column_curve {
    const char *panel; // label of its vertical axis; of the first column: of the horizontal one; "": not drawn
    const char *label; // in the key; NULL: its name; "": none
    kane_line_style style;
    int colour;    // 0: the next one of its panel, else less one
    double factor; // of what is drawn; 0: 1
} kane_column_curve;

typedef struct kane_table_column {
    const char *name;
    const char *unit; // "1" of a pure number, "" of words; NULL: the table has no units
    int is_quoted;    // 1: the name is always in quotes
    kane_column_text text;
    kane_column_curve curve;
} kane_table_column;

// === Tables: columns first, then cells row by row. All texts live as long as the arena.

typedef struct kane_table {
    kane_arena *arena;
    const char *title; // among others in a report; NULL: none
    const char *about; // what text writes above it; NULL: the title
    int column_count, rows;
    int has_nan;           // 1: a number that is not finite is written, else left out
    int is_joined;         // 1: CSV and JSON have units with names, "speed [m/s]", and no row of units
    kane_plot_scale scale; // of both axes in a picture
    kane_cell *cells;      // [rows][column_count]; without memory what is put there is left out
    size_t count, room;    // of cells
    kane_table_column *columns;
    int column_room;
} kane_table;

// columns, rows: how many there will be; more may come. Without an arena (NULL) or memory a report of it says so.
kane_table kane_table_begin(kane_arena *arena, int columns, int rows);

void kane_table_add_columns(kane_table *table, int count, const kane_table_column *columns);

// Columns of names and units alone; units NULL: none.
void kane_table_add_names(kane_table *table, int count, const char *const *names, const char *const *units);

void kane_table_put(kane_table *table, kane_cell cell);
void kane_table_add(kane_table *table, int count, const kane_cell *cells);
void kane_table_add_numbers(kane_table *table, int count, const double *numbers);

// A text that is made here.
const char *kane_table_text(kane_table *table, const char *format, ...) KANE_PRINTF(2, 3);

const kane_cell *kane_table_at(const kane_table *table, int row, int column);

// Whether no cell of a column is a word.
int kane_table_is_numeric(const kane_table *table, int column);

// A number with so many digits, 0 or less: all of them; "" of what is not finite.
void kane_format_number(double value, int digits, size_t size, char *text);

// What a cell shows with so many digits, 0 or less: all of them; "" where there is nothing.
void kane_cell_show(const kane_cell *cell, int digits, size_t size, char *text);

// === Writers of one table.

// As text, the first columns beside each other and the first rows of them. Without memory its arena fails.
void kane_table_print(const kane_table *table, int rows, int columns, FILE *out);

// RFC 4180: a row of names, one of units if there are any, then the rows.
void kane_table_write_csv(const kane_table *table, FILE *out);

// Lists "columns", "units" if there are any, and "rows", into an object that is open.
void kane_table_write_json(const kane_table *table, kane_writer *w);

// Panels of it; columns of words are left out.
void kane_table_draw(const kane_table *table, kane_figure *figure);

// === Reports: one or several tables, and what is not a table where a command has more to say.

typedef enum kane_table_format {
    KANE_TABLE_TEXT,    // .txt
    KANE_TABLE_CSV,     // .csv: several tables one below the other, each behind a line "# title"
    KANE_TABLE_JSON,    // .json
    KANE_TABLE_HDF5,    // .h5: like results; of several tables each is a group
    KANE_TABLE_PICTURE, // .svg, .png
    KANE_TABLE_FORMATS
} kane_table_format;

typedef struct kane_table_report {
    const char *title; // of a picture and of text
    int table_count, text_count;
    const kane_table *tables, *text_tables; // of all files; what text has instead, NULL: the same
    void (*above)(FILE *out, const void *data), (*below)(FILE *out, const void *data); // text round the tables, or NULL
    // into the outermost object: instead of the tables and of what documents say of themselves, or before the tables
    void (*json)(kane_writer *w, const void *data), (*json_above)(kane_writer *w, const void *data);
    int (*draw)(kane_figure *figure, const void *data, kane_errors *errors); // likewise; 0 with errors
    const void *data;
} kane_table_report;

// By how the name of a file ends; KANE_TABLE_FORMATS: none of them.
kane_table_format kane_table_format_of(const char *file);

// Writes it to a file; out: an open one for text, CSV and JSON, `file` then is what errors call it.
kane_status kane_table_report_write(const kane_table_report *report, kane_table_format format, const char *file,
                                    FILE *out, kane_errors *errors);

// Of HDF5 (table_hdf.c).
kane_status kane_table_write_hdf(int count, const kane_table *tables, const char *file, kane_errors *errors);

#endif
