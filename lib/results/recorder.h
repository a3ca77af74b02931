// SPDX-License-Identifier: MIT
// What the recorder asks of a file format. A new format is one new table of these functions.

#ifndef KANE_RESULTS_RECORDER_H
#define KANE_RESULTS_RECORDER_H

#include <kane/results.h>

enum { KANE_ROW_BLOCK = 256 }; // rows that are kept back; also the rows in a chunk of an HDF5 dataset

typedef struct kane_row_writer {
    // Creates the file. Columns have been checked; file and columns live only during the call. key: that of the manifest,
    // "": none. NULL with an error.
    void *(*create)(const char *file, int column_count, const kane_column *columns, const char *manifest,
                    const char *key, kane_errors *errors);

    // Adds `count` (1 .. KANE_ROW_BLOCK) rows, one after the other in `rows`, and makes them visible to readers.
    // Never called again after it has failed.
    kane_status (*write)(void *self, int count, const double *rows, kane_errors *errors);

    // Closes the file and frees everything, whatever happens. manifest may be NULL. What a format cannot compress stays plain.
    kane_status (*close)(void *self, const char *manifest, int is_compressed, kane_errors *errors);
} kane_row_writer;

extern const kane_row_writer kane_csv_writer;
extern const kane_row_writer kane_hdf_writer; // fails to create where the library is built without HDF5

#endif
