// SPDX-License-Identifier: MIT
// Result files: columns and rows, where they come from, rows in memory, files of the system.

#ifndef KANE_RESULTS_RESULTS_H
#define KANE_RESULTS_RESULTS_H

#include <kane/base.h>
#include <kane/results.h>

#include "base/arena.h"
#include "base/json.h"

#include <stdio.h>

// === Files as the system gives them: whole writes, and reasons in words.

// Creates a file or empties the one that exists, open for writing. -1 with an error "cannot be written: ...".
int kane_file_create(const char *file, kane_errors *errors);

// Writes all of it. 0, or errno.
int kane_file_write(int descriptor, size_t length, const char *bytes);

// The first bytes of a regular file, `most` of them or all, and a 0 behind them, to be released. KANE_NO_FILE or
// KANE_NO_MEMORY with an error "cannot be read: ...".
kane_status kane_file_load(const char *file, size_t most, char **bytes, size_t *length, kane_errors *errors);

// Removes from the directory of a run, which the caller has claimed, the new files that a killed run has left beside
// its own: "results.h5.new", "manifest.json.1234-5678.new". Returns how many.
int kane_file_remove_left(const char *directory);

// Takes room on the disk for `size` bytes from `from` on, where the file system can do that. 0, or errno.
int kane_file_reserve(int descriptor, size_t from, size_t size);

// Copies what is left of one open file to another. 0, or errno.
int kane_file_copy(int from, int to);

// Adds an error  file: what: reason  with the system's words for an errno. Returns its status.
kane_status kane_file_error(kane_errors *errors, const char *file, const char *what, int reason);

// === What the columns of a result file must be.

// Columns that a caller wants to write: names that any format can hold, each once.
kane_status kane_columns_check(int count, const kane_column *columns, kane_errors *errors);

// No name twice. file: where the columns were read, "" if they were not.
kane_status kane_columns_unique(int count, const kane_column *columns, const char *file, kane_errors *errors);

// === Which run rows are of. A run has a key, which no other has; it stands in its manifest ("key") and with its rows:
// in a CSV file as its first line, "# run 0123456789abcdef", in an HDF5 file as the attribute "key".

enum { KANE_KEY_LENGTH = 16, KANE_KEY_SIZE = KANE_KEY_LENGTH + 1 };

// The key in a manifest; "" if it has none, or is no JSON object. KANE_NO_MEMORY with an error.
kane_status kane_origin_key(const char *manifest, char key[KANE_KEY_SIZE], kane_errors *errors);

int kane_origin_is_key(const char *text, size_t length);

// Finds the manifest of results that have been read, in the file or beside it, and checks that both are of one run.
// Rows that are a run's, by their key or because they are a directory's, must have one. KANE_BAD_INPUT with an error if
// they have not.
kane_status kane_origin_tie(kane_results *results, int of_directory, kane_errors *errors);

// A file of a run is a file: a link in its place may lead to another run's. KANE_BAD_INPUT with an error if it is one.
kane_status kane_origin_check_link(const char *file, kane_errors *errors);

// What has become of the run, if it did not come to its end; 0: no text. manifest: root of its JSON.
int kane_origin_format(const kane_node *manifest, size_t size, char *text);

// === What the recorder asks of a file format. A new format is one new table of these functions.

enum { KANE_ROW_BLOCK = 256 }; // rows that are kept back; also the rows in a chunk of an HDF5 dataset

typedef struct kane_row_writer {
    // Creates the file. Columns have been checked; file and columns live only during the call. key: that of the
    // manifest, "": none. NULL with an error.
    void *(*create)(const char *file, int column_count, const kane_column *columns, const char *manifest,
                    const char *key, kane_errors *errors);

    // Adds `count` (1 .. KANE_ROW_BLOCK) rows, one after the other in `rows`, and makes them visible to readers.
    // Never called again after it has failed.
    kane_status (*write)(void *self, int count, const double *rows, kane_errors *errors);

    // Closes the file and frees everything, whatever happens. manifest may be NULL. What a format cannot compress stays
    // plain.
    kane_status (*close)(void *self, const char *manifest, int is_compressed, kane_errors *errors);
} kane_row_writer;

extern const kane_row_writer kane_csv_writer;
extern const kane_row_writer kane_hdf_writer; // fails to create where the library is built without HDF5

// === A result file in memory, as its readers build it.

struct kane_results {
    kane_arena *arena;       // holds everything below
    const char *file;        // that was read
    kane_file_format format; // of it
    const char *manifest;    // NULL if there is none
    char key[KANE_KEY_SIZE]; // of their run; "": not known
    int column_count, row_count;
    kane_column *columns; // [column_count]
    double **values;      // [column_count][row_count]
    int room;             // rows that there is memory for, where they are added one by one
};

// One without columns, or NULL with an error.
kane_results *kane_results_create(const char *file, kane_errors *errors);

// Takes room for so many columns; their names, units and descriptions are empty texts. KANE_NO_MEMORY with an error.
kane_status kane_results_take_columns(kane_results *results, int count, kane_errors *errors);

// Takes room for so many rows. KANE_BAD_INPUT or KANE_NO_MEMORY with an error.
kane_status kane_results_take_rows(kane_results *results, unsigned long long count, kane_errors *errors);

// Says what a column is; the texts are copied. KANE_NO_MEMORY with an error.
kane_status kane_results_name_column(kane_results *results, int column, const kane_column *name, kane_errors *errors);

// Adds a row of column_count values. KANE_NO_MEMORY with an error.
kane_status kane_results_add_row(kane_results *results, const double *row, kane_errors *errors);

// The readers of the formats: fill an empty one.
kane_status kane_csv_read(kane_results *results, kane_errors *errors);
kane_status kane_hdf_read(kane_results *results, kane_errors *errors);

// === Texts of CSV files (RFC 4180): fields between commas, in quotes where needed. Lines that begin with # are
// comments, two of which we write ourselves, before the names:
//
//   # run 4f2a9c0d1e2f3a4b
//   # units s,m,rad

// How the comments begin that are read.
#define KANE_CSV_RUN   "# run "
#define KANE_CSV_UNITS "# units "

// Writes a text as a field: in quotes where it has a comma, a quote or the end of a line, or always.
void kane_csv_write(FILE *file, const char *text, int always);

// Whether a reader could take a name or a unit for something else: # in it, spaces at the ends, nothing at all, a
// number. Rows of a run have them in quotes, so that their line is never taken for a row or a comment.
int kane_csv_is_unclear(const char *text);

// One field of a line, without the spaces around it.
typedef struct kane_csv_field {
    const char *at;
    size_t length;    // with the quotes
    const char *next; // the comma or the end of a line behind it, or the end of the text
} kane_csv_field;

// The field that begins at `at`; end: of the line, or of the text for one in quotes, which may have several lines. 0 if
// a closing quote is missing or something follows it.
int kane_csv_next(const char *at, const char *end, kane_csv_field *field);

// The text of a field without its quotes. NULL if there is no memory.
char *kane_csv_text(kane_arena *arena, const kane_csv_field *field);

// The value of a field: a number, nan, inf or infinity of either case and sign, or nothing, which is a NaN too. What
// stands in quotes is none. 0 if it has no value.
int kane_csv_value(const kane_csv_field *field, double *value);

#endif
