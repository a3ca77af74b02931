// SPDX-License-Identifier: MIT
// Numbers in columns, as instruments and spreadsheets write them: a line of names, perhaps one of units, then a line of
// numbers for each point. Columns stand apart by commas, semicolons or tabs (what the first line has), else by spaces.
// Empty lines and lines that begin with # are skipped. The decimal mark is a point, or a comma where columns stand
// apart by semicolons or tabs; a file has one of them.
//
// Open a column file, select columns, read their units and rows. All errors have file, line and column.

#ifndef KANE_BASE_COLUMN_FILE_H
#define KANE_BASE_COLUMN_FILE_H

#include "base/document.h"
#include "base/lines.h"
#include "base/unit.h"

enum { KANE_COLUMN_FILE_COLUMNS = 64, KANE_COLUMN_FILE_CELL = 64 };

// A cell of the present line.
typedef struct kane_cell_text {
    const char *at; // its first character that is no blank
    size_t length;
} kane_cell_text;

typedef struct kane_column_file_column {
    char name[KANE_COLUMN_FILE_CELL];
    kane_place place; // of its name
    int wanted;
    int has_unit;
    int is_post;              // 1: places as railways write them, kilometres + metres ("7+950.250"), unit "km+m"
    kane_unit expected, unit; // what it must fit; what its numbers are in
    const char *unit_wanted;  // as text
    const char *unit_text;    // of a mapping that says it; NULL: none
    double *values;           // [row_count], SI
    int *columns;             // of each row [bytes from 1]
} kane_column_file_column;

typedef struct kane_column_file {
    kane_reader *reader;
    kane_lines lines; // the present one was taken last
    char separator;   // ' ': blanks
    char mark;        // of decimals, as the first number that has one; 0: none yet
    int column_count, row_count;
    int ascending; // column whose values must grow from row to row; -1: none
    int *line;     // of each row
    kane_cell_text cells[KANE_COLUMN_FILE_COLUMNS];
    kane_column_file_column columns[KANE_COLUMN_FILE_COLUMNS];
} kane_column_file;

// Reads a file that a document names at `place`, and the line of names in it. noun: "the file of irregularities"; kind:
// of the document, "track". NULL with errors in the reader.
kane_column_file *kane_column_file_open(kane_reader *reader, kane_place place, const char *name, const char *noun,
                                        const char *kind);

// Lines before the names: if the first line lacks one of the mapped columns ("NAME [UNIT]" or "NAME"; NULL: not
// wanted), the first later line that has all of them is the line of names. If there is none, the first line remains it.
void kane_column_file_pass_preamble(kane_column_file *sheet, int count, const char *const *mappings);

// Index of a column by its name; -1: there is none.
int kane_column_file_find(const kane_column_file *sheet, const char *name);

// Selects a column, in a unit that fits `unit` ("m").
void kane_column_file_want(kane_column_file *sheet, int column, const char *unit);

// The column that a mapping "NAME [UNIT]" (or "NAME", if the file says the unit) stands for, wanted from now on: one of
// the name with its bracket, or of the name alone. -1 with an error.
int kane_column_file_map(kane_column_file *sheet, const char *mapping, kane_place place, const char *unit);

// A line of units must follow: what those that are wanted say. 1 if they are right.
int kane_column_file_take_units(kane_column_file *sheet);

// A line of units may follow, where mappings have said them: it must then say the same. 1 if each has its unit.
int kane_column_file_agree_units(kane_column_file *sheet);

// All rows. 1 if they are right; after a fault the rest is not read.
int kane_column_file_take_rows(kane_column_file *sheet);

// Place of a number in the file; row -1: that of the column's name.
kane_place kane_column_file_place(const kane_column_file *sheet, int row, int column);

#endif
