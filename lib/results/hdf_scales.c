// SPDX-License-Identifier: MIT
// What other programs look for in our files: dimension scales and the attributes "units" and "long_name", so that
// xarray and netCDF see columns along "time" with their units. The HDF5 Dimension Scale Specification 1.1 (HDF Group,
// 2005) has the attributes:
//
//   of the scale         CLASS "DIMENSION_SCALE", NAME, REFERENCE_LIST [count - 1] of {dataset, 0}
//   of all other columns DIMENSION_LIST [1] of a list of one reference to the scale
//
// H5DSattach_scale would write REFERENCE_LIST anew for every column, 2800 times for a train.

#include "results/results.h"

#ifdef KANE_HAVE_HDF5

#include "base/arena.h"
#include "results/hdf.h"

#include <string.h>

static const char CLASS[] = "CLASS", NAME[] = "NAME", REFERENCE_LIST[] = "REFERENCE_LIST",
                  DIMENSION_LIST[] = "DIMENSION_LIST", UNITS[] = "units", LONG_NAME[] = "long_name";

int kane_hdf_is_convention(const char *name)
{
    const char *const names[] = {CLASS, NAME, REFERENCE_LIST, DIMENSION_LIST, UNITS, LONG_NAME};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

typedef struct reference_row {
    hobj_ref_t dataset;
    unsigned dimension;
} reference_row;

// An attribute of `count` values (0: a scalar).
static herr_t put_attribute(hid_t object, const char *name, hid_t type, hsize_t count, const void *values)
{
    const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    const int good    = space >= 0 && type >= 0;
    const hid_t id    = good ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID;
    herr_t status     = id < 0 ? -1 : H5Awrite(id, type, values);
    if (id >= 0 && H5Aclose(id) < 0)
        status = -1;
    if (space >= 0)
        (void)H5Sclose(space);
    return status;
}

// A text of fixed length with its end, as the specification has it.
static herr_t put_word(hid_t object, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0)
        return -1;
    herr_t status = H5Tset_size(type, strlen(text) + 1);
    if (status >= 0)
        status = put_attribute(object, name, type, 0, text);
    (void)H5Tclose(type);
    return status;
}

// A copy of one of our texts under another name, of variable length; nothing if there is no such text, or it is empty.
static herr_t put_variable(hid_t object, const char *name, const char *ours, kane_arena *arena)
{
    char *text;
    if (kane_hdf_get_text(arena, object, ours, &text) < 0)
        return -1;
    if (!text || !text[0])
        return 0;
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0)
        return -1;
    herr_t status = H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ? -1 : 0;
    if (status >= 0)
        status = put_attribute(object, name, type, 0, &text);
    (void)H5Tclose(type);
    return status;
}

static hid_t reference_type(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(reference_row));
    if (type >= 0 && (H5Tinsert(type, "dataset", HOFFSET(reference_row, dataset), H5T_STD_REF_OBJ) < 0 ||
                      H5Tinsert(type, "dimension", HOFFSET(reference_row, dimension), H5T_NATIVE_UINT) < 0)) {
        (void)H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

// Makes columns[0] the scale of the others.
static herr_t put_scale(int count, const hid_t *columns, const char *axis, kane_arena *arena)
{
    hobj_ref_t scale;
    reference_row *rows = kane_arena_alloc(arena, (size_t)count, sizeof *rows);
    if (!rows || put_word(columns[0], CLASS, "DIMENSION_SCALE") < 0 || put_word(columns[0], NAME, axis) < 0 ||
        H5Rcreate(&scale, columns[0], ".", H5R_OBJECT, -1) < 0)
        return -1;
    if (count == 1)
        return 0;
    const hvl_t one  = {.len = 1, .p = &scale};
    const hid_t list = H5Tvlen_create(H5T_STD_REF_OBJ), row = reference_type();
    herr_t status = list < 0 || row < 0 ? -1 : 0;
    for (int i = 1; i < count && status >= 0; i++) {
        rows[i - 1].dimension = 0;
        status                = H5Rcreate(&rows[i - 1].dataset, columns[i], ".", H5R_OBJECT, -1);
        if (status >= 0)
            status = put_attribute(columns[i], DIMENSION_LIST, list, 1, &one);
    }
    if (status >= 0)
        status = put_attribute(columns[0], REFERENCE_LIST, row, (hsize_t)count - 1, rows);
    if (row >= 0)
        (void)H5Tclose(row);
    if (list >= 0)
        (void)H5Tclose(list);
    return status;
}

herr_t kane_hdf_put_conventions(int count, const hid_t *columns, const char *axis)
{
    kane_arena *arena = kane_arena_create();
    herr_t status     = arena ? put_scale(count, columns, axis, arena) : -1;
    for (int i = 0; i < count && status >= 0; i++) {
        status = put_variable(columns[i], UNITS, KANE_HDF_UNIT, arena);
        if (status >= 0)
            status = put_variable(columns[i], LONG_NAME, KANE_HDF_DESCRIPTION, arena);
    }
    kane_arena_free(arena);
    return status;
}

haddr_t kane_hdf_conventions_room(int count)
{
    enum { OF_COLUMN = 4096, HEAPS = 65536 }; // attributes, texts and a row of REFERENCE_LIST; heaps grow by blocks
    return HEAPS + (haddr_t)count * OF_COLUMN;
}

#endif
