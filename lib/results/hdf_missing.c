// SPDX-License-Identifier: MIT
// What stands in for HDF5 where the library is built without it.

#include "results/results.h"
#include "results/table.h"

#ifndef KANE_HAVE_HDF5

static const char TEXT[] = "this libkane was built without HDF5; it writes and reads CSV";

static void *missing_create(const char *file, int column_count, const kane_column *columns, const char *manifest,
                            const char *key, kane_errors *errors)
{
    (void)column_count, (void)columns, (void)manifest, (void)key;
    kane_errors_add_input(errors, KANE_NO_FILE, (kane_place){.file = file, .path = ""}, "%s", TEXT);
    return NULL;
}

const kane_row_writer kane_hdf_writer = {missing_create, NULL, NULL};

kane_status kane_hdf_read(kane_results *results, kane_errors *errors)
{
    kane_errors_add_input(errors, KANE_NO_FILE, (kane_place){.file = results->file, .path = ""}, "%s", TEXT);
    return KANE_NO_FILE;
}

kane_status kane_table_write_hdf(int count, const kane_table *tables, const char *file, kane_errors *errors)
{
    (void)count, (void)tables;
    kane_errors_add_input(errors, KANE_NO_FILE, (kane_place){.file = file, .path = ""}, "%s", TEXT);
    return KANE_NO_FILE;
}

#endif
