// SPDX-License-Identifier: MIT
// Tables as HDF5. One table is a result file: a dataset for each column (hdf.h). Of several tables each has a group
// by the name of its title. Columns of words are texts of one length; they have no unit, so that readers of results
// ignore them.

#include "results/results.h"
#include "results/table.h"

#ifdef KANE_HAVE_HDF5

#include "results/hdf.h"

#include <string.h>
#include <unistd.h>

// Texts of a column, filled with zeros to the length of the longest. NULL without memory.
static char *pack_texts(const kane_table *t, int column, size_t *length)
{
    char text[1200];
    *length = 1;
    for (int row = 0; row < t->rows; row++) {
        kane_cell_show(kane_table_at(t, row, column), 0, sizeof text, text);
        *length = strlen(text) > *length ? strlen(text) : *length;
    }
    char *all = kane_allocate((size_t)t->rows * *length + 1, 1);
    for (int row = 0; all && row < t->rows; row++) {
        kane_cell_show(kane_table_at(t, row, column), 0, sizeof text, text);
        memcpy(all + (size_t)row * *length, text, strlen(text));
    }
    return all;
}

static double *pack_numbers(const kane_table *t, int column)
{
    double *all = kane_allocate((size_t)t->rows + 1, sizeof *all);
    for (int row = 0; all && row < t->rows; row++)
        all[row] = kane_table_at(t, row, column)->number;
    return all;
}

// A dataset of one value a row, to be closed.
static hid_t put_dataset(hid_t group, const kane_table *t, int column, hid_t stored, hid_t given, const void *values)
{
    const hsize_t rows = (hsize_t)t->rows;
    const hid_t space = H5Screate_simple(1, &rows, NULL), creation = H5Pcreate(H5P_DATASET_CREATE),
                link = H5Pcreate(H5P_LINK_CREATE);
    hid_t id         = H5I_INVALID_HID;
    if (values && space >= 0 && creation >= 0 && H5Pset_obj_track_times(creation, 0) >= 0 &&
        H5Pset_char_encoding(link, H5T_CSET_UTF8) >= 0)
        id = H5Dcreate2(group, t->columns[column].name, stored, space, link, creation, H5P_DEFAULT);
    if (id >= 0 && H5Dwrite(id, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        (void)H5Dclose(id);
        id = H5I_INVALID_HID;
    }
    if (link >= 0)
        (void)H5Pclose(link);
    if (creation >= 0)
        (void)H5Pclose(creation);
    if (space >= 0)
        (void)H5Sclose(space);
    return id;
}

static herr_t put_texts(hid_t group, const kane_table *t, int column)
{
    size_t length;
    char *texts      = pack_texts(t, column, &length);
    const hid_t type = kane_hdf_text_type(length);
    const hid_t id   = type < 0 ? H5I_INVALID_HID : put_dataset(group, t, column, type, type, texts);
    kane_release(texts);
    if (type >= 0)
        (void)H5Tclose(type);
    return id < 0 ? -1 : H5Dclose(id);
}

// A column of numbers and its attributes; axis: name of the first one, NULL of itself.
static hid_t put_numbers(hid_t group, const kane_table *t, int column, const char *axis)
{
    const kane_table_column *is = &t->columns[column];
    double *numbers             = pack_numbers(t, column);
    const hid_t id              = put_dataset(group, t, column, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, numbers);
    kane_release(numbers);
    if (id < 0 || (kane_hdf_put_text(id, KANE_HDF_UNIT, is->unit ? is->unit : "1") >= 0 &&
                   kane_hdf_put_text(id, KANE_HDF_DESCRIPTION, is->name) >= 0 &&
                   (!axis || kane_hdf_put_text(id, KANE_HDF_AXIS, axis) >= 0)))
        return id;
    (void)H5Dclose(id);
    return H5I_INVALID_HID;
}

static herr_t put_table(hid_t group, const kane_table *t)
{
    hid_t *columns   = kane_allocate((size_t)t->column_count + 1, sizeof *columns);
    const char *axis = NULL;
    herr_t status    = columns ? 0 : -1;
    int count        = 0;
    for (int i = 0; i < t->column_count && status >= 0; i++)
        if (!kane_table_is_numeric(t, i)) {
            status = put_texts(group, t, i);
        } else {
            columns[count] = put_numbers(group, t, i, axis);
            status         = columns[count] < 0 ? -1 : 0;
            axis           = axis ? axis : t->columns[i].name;
            count += status >= 0;
        }
    if (status >= 0 && count > 0)
        status = kane_hdf_put_conventions(count, columns, axis);
    while (count > 0)
        (void)H5Dclose(columns[--count]);
    kane_release(columns);
    return status;
}

static herr_t put_group(hid_t file, const kane_table *t)
{
    const hid_t group = H5Gcreate2(file, t->title, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status     = group < 0 ? -1 : put_table(group, t);
    if (group >= 0 && H5Gclose(group) < 0)
        status = -1;
    return status;
}

static herr_t put_all(hid_t file, int count, const kane_table *tables)
{
    herr_t status = kane_hdf_put_text(file, KANE_HDF_FORMAT, count == 1 ? KANE_HDF_VERSION : "tables 1");
    if (status >= 0)
        status = kane_hdf_put_text(file, KANE_HDF_LIBRARY, kane_version());
    for (int i = 0; i < count && status >= 0; i++)
        status = count == 1 ? put_table(file, &tables[i]) : put_group(file, &tables[i]);
    return status;
}

static kane_status check_names(const kane_table *t, kane_errors *errors)
{
    kane_column *columns = kane_allocate((size_t)t->column_count + 1, sizeof *columns);
    if (!columns)
        return kane_no_memory(errors);
    for (int i = 0; i < t->column_count; i++)
        columns[i] = (kane_column){t->columns[i].name, "", ""};
    const kane_status status = kane_columns_check(t->column_count, columns, errors);
    kane_release(columns);
    return status;
}

kane_status kane_table_write_hdf(int count, const kane_table *tables, const char *file, kane_errors *errors)
{
    kane_status status = KANE_OK;
    for (int i = 0; i < count && status == KANE_OK; i++)
        status = check_names(&tables[i], errors);
    const int descriptor = status == KANE_OK ? kane_file_create(file, errors) : -1; // the system's words are clearer
    if (descriptor < 0)
        return status == KANE_OK ? KANE_NO_FILE : status;
    (void)close(descriptor);
    H5E_BEGIN_TRY
    {
        const hid_t access = kane_hdf_access(), creation = kane_hdf_creation();
        const hid_t id =
            access < 0 || creation < 0 ? H5I_INVALID_HID : H5Fcreate(file, H5F_ACC_TRUNC, creation, access);
        if (id < 0 || put_all(id, count, tables) < 0)
            status = kane_hdf_fail(file, "cannot be written", errors);
        if (id >= 0 && H5Fclose(id) < 0 && status == KANE_OK)
            status = kane_hdf_fail(file, "cannot be written", errors);
        if (creation >= 0)
            (void)H5Pclose(creation);
        if (access >= 0)
            (void)H5Pclose(access);
    }
    H5E_END_TRY
    return status;
}

#endif
