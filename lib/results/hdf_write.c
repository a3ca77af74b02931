// SPDX-License-Identifier: MIT
// Writes HDF5 files so that they can be read at any moment, also after the process was killed.
//
// After all objects exist the file is in SWMR mode (single writer, multiple readers): HDF5 then writes in an order in
// which what is on the disk is always whole. It keeps to that only for what it writes in a flush, so that the metadata
// cache must not evict anything between two flushes.

#define _XOPEN_SOURCE 700 // realpath

#include "results/results.h"

#ifdef KANE_HAVE_HDF5

#include "results/hdf.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char NOT_CREATED[] = "cannot be created", NOT_WRITTEN[] = "cannot be written";

// What is written again and again is smaller (if a description has less than some 700 bytes), so that it lies in one
// page of memory: a kill can tear a write of two pages.
enum { PIECE = 1024 };

typedef struct hdf_writer {
    kane_arena *arena; // holds all of it
    const char *file;  // as it was called
    const char *path;  // absolute
    int column_count;
    hsize_t row_count; // in the file
    haddr_t end;       // of the room that is taken on the disk
    hid_t access;      // how files are opened
    hid_t id;          // of the file
    hid_t *datasets;   // [column_count]
    double *values;    // [KANE_ROW_BLOCK] of one column
} hdf_writer;

static kane_status close_all(hdf_writer *w, kane_errors *errors)
{
    for (int i = 0; i < w->column_count; i++)
        if (w->datasets[i] > 0)
            (void)H5Dclose(w->datasets[i]); // nothing of them is left to write
    const kane_status status = w->id > 0 ? kane_hdf_close(w->id, w->end, w->file, NOT_WRITTEN, errors) : KANE_OK;
    w->column_count          = 0;
    w->id                    = 0;
    return status;
}

static void writer_free(hdf_writer *w)
{
    (void)close_all(w, NULL);
    if (w->access > 0)
        (void)H5Pclose(w->access);
    kane_arena_free(w->arena);
}

// --- creation ---

// Nothing is written between two flushes.
static herr_t stop_evictions(hid_t file)
{
    H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Fget_mdc_config(file, &config) < 0)
        return -1;
    config.evictions_enabled = 0;
    config.incr_mode         = H5C_incr__off;
    config.flash_incr_mode   = H5C_flash_incr__off;
    config.decr_mode         = H5C_decr__off;
    return H5Fset_mdc_config(file, &config);
}

static hid_t create_file(const hdf_writer *w)
{
    const hid_t creation = kane_hdf_creation();
    if (creation < 0)
        return creation;
    const hid_t file = H5Fcreate(w->file, H5F_ACC_TRUNC, creation, w->access);
    (void)H5Pclose(creation);
    return file;
}

static herr_t put_root(hid_t file, const char *manifest, const char *key)
{
    if (kane_hdf_put_text(file, KANE_HDF_FORMAT, KANE_HDF_VERSION) < 0 ||
        kane_hdf_put_text(file, KANE_HDF_LIBRARY, kane_version()) < 0 ||
        (key[0] && kane_hdf_put_text(file, KANE_HDF_KEY, key) < 0))
        return -1;
    return manifest ? kane_hdf_put_text(file, KANE_HDF_MANIFEST, manifest) : 0;
}

// Properties of a dataset: chunks of a block, NaN where nothing was written, no times.
static hid_t column_creation(void)
{
    const hsize_t chunk  = KANE_ROW_BLOCK;
    const double nothing = NAN;
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (creation < 0 ||
        (H5Pset_chunk(creation, 1, &chunk) >= 0 && H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &nothing) >= 0 &&
         H5Pset_obj_track_times(creation, 0) >= 0))
        return creation;
    (void)H5Pclose(creation);
    return H5I_INVALID_HID;
}

static herr_t put_attributes(hid_t dataset, const kane_column *column, const char *axis)
{
    if (kane_hdf_put_text(dataset, KANE_HDF_UNIT, column->unit) < 0 ||
        kane_hdf_put_text(dataset, KANE_HDF_DESCRIPTION, column->description) < 0)
        return -1;
    return axis ? kane_hdf_put_text(dataset, KANE_HDF_AXIS, axis) : 0;
}

static herr_t create_columns(hdf_writer *w, const kane_column *columns)
{
    const hsize_t none = 0, any = H5S_UNLIMITED;
    const hid_t space    = H5Screate_simple(1, &none, &any);
    const hid_t creation = column_creation();
    const hid_t link     = H5Pcreate(H5P_LINK_CREATE);
    herr_t status        = space < 0 || creation < 0 || link < 0 ? -1 : H5Pset_char_encoding(link, H5T_CSET_UTF8);
    for (int i = 0; i < w->column_count && status >= 0; i++) {
        w->datasets[i] = H5Dcreate2(w->id, columns[i].name, H5T_IEEE_F64LE, space, link, creation, H5P_DEFAULT);
        status = w->datasets[i] < 0 ? -1 : put_attributes(w->datasets[i], &columns[i], i > 0 ? columns[0].name : NULL);
    }
    if (link >= 0)
        (void)H5Pclose(link);
    if (creation >= 0)
        (void)H5Pclose(creation);
    if (space >= 0)
        (void)H5Sclose(space);
    return status;
}

// Writes the file but its rows: root attributes, empty columns, then SWMR mode.
static kane_status write_head(hdf_writer *w, const kane_column *columns, const char *manifest, const char *key,
                              kane_errors *errors)
{
    w->access = kane_hdf_access();
    if (w->access < 0 ||
        H5Pset_cache(w->access, 0, 1, 0, 1.0) <
            0 || // no chunks in memory: values are written first, then where they are
        H5Pset_alignment(w->access, 0, PIECE) < 0)
        return kane_hdf_fail(w->file, NOT_CREATED, errors);
    w->id = create_file(w);
    if (w->id < 0 || stop_evictions(w->id) < 0 || put_root(w->id, manifest, key) < 0 || create_columns(w, columns) < 0)
        return kane_hdf_fail(w->file, NOT_CREATED, errors);

    // with what the mode takes, too: a file that could not enter it cannot be closed
    const int failed = kane_hdf_reserve(w->id, 16 * PIECE, &w->end);
    if (failed)
        return kane_file_error(errors, w->file, NOT_CREATED, failed);
    return H5Fstart_swmr_write(w->id) < 0 ? kane_hdf_fail(w->file, NOT_CREATED, errors) : KANE_OK;
}

static hdf_writer *create_writer(kane_arena *arena, const char *file, int column_count)
{
    hdf_writer *w = kane_arena_alloc(arena, 1, sizeof *w);
    if (!w)
        return NULL;
    w->arena        = arena;
    w->column_count = column_count;
    w->file         = kane_arena_text(arena, file);
    w->datasets     = kane_arena_alloc(arena, (size_t)column_count, sizeof *w->datasets);
    w->values       = kane_arena_doubles(arena, KANE_ROW_BLOCK);
    return kane_arena_failed(arena) ? NULL : w;
}

// Creates an empty file, since the errors of the system are clearer than those of HDF5, and stores its absolute path.
static kane_status create_empty_file(hdf_writer *w, kane_errors *errors)
{
    char path[PATH_MAX];
    const int descriptor = kane_file_create(w->file, errors);
    if (descriptor < 0)
        return KANE_NO_FILE;
    const int failed = kane_file_reserve(descriptor, 0, 4096); // HDF5 cannot close what it has no room to begin
    (void)close(descriptor);
    if (failed)
        return kane_file_error(errors, w->file, NOT_WRITTEN, failed);
    w->path = realpath(w->file, path) ? kane_arena_text(w->arena, path) : w->file;
    return w->path ? KANE_OK : kane_file_error(errors, w->file, NOT_WRITTEN, ENOMEM);
}

static void *hdf_create(const char *file, int column_count, const kane_column *columns, const char *manifest,
                        const char *key, kane_errors *errors)
{
    kane_arena *arena = kane_arena_create();
    hdf_writer *w     = arena ? create_writer(arena, file, column_count) : NULL;
    if (!w) {
        (void)kane_no_memory(errors);
        kane_arena_free(arena);
        return NULL;
    }
    kane_status status = create_empty_file(w, errors);
    H5E_BEGIN_TRY
    {
        if (status == KANE_OK)
            status = write_head(w, columns, manifest, key, errors);
        if (status != KANE_OK && w->id > 0)
            kane_hdf_abandon(w->id);
        if (status != KANE_OK)
            writer_free(w);
    }
    H5E_END_TRY;
    return status == KANE_OK ? w : NULL;
}

// --- rows ---

// Greatest size of a block of rows on disk: a chunk of each column, and in its index a block of about 3 sqrt(n)
// addresses after n chunks.
static haddr_t block_size(const hdf_writer *w)
{
    const double chunks = 1.0 + (double)(w->row_count / KANE_ROW_BLOCK);
    const size_t index  = 4 * PIECE + (size_t)(64.0 * sqrt(chunks));
    return (haddr_t)w->column_count * (KANE_ROW_BLOCK * sizeof(double) + PIECE + index);
}

// Appends values to all columns: `space` is that of a dataset after it has grown, its new rows selected.
static kane_status append_rows(const hdf_writer *w, int count, const double *rows, hid_t memory, hid_t space,
                               kane_errors *errors)
{
    const hsize_t total = w->row_count + (hsize_t)count;
    for (int i = 0; i < w->column_count; i++) {
        for (int k = 0; k < count; k++)
            w->values[k] = rows[(size_t)k * (size_t)w->column_count + (size_t)i];
        if (H5Dset_extent(w->datasets[i], &total) < 0 ||
            H5Dwrite(w->datasets[i], H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, w->values) < 0)
            return kane_hdf_fail(w->file, NOT_WRITTEN, errors);
    }
    return KANE_OK;
}

static kane_status reserve_space(hdf_writer *w, haddr_t more, kane_errors *errors)
{
    const int failed = kane_hdf_reserve(w->id, more, &w->end);
    return failed ? kane_file_error(errors, w->file, NOT_WRITTEN, failed) : KANE_OK;
}

static kane_status write_rows(hdf_writer *w, int count, const double *rows, kane_errors *errors)
{
    const hsize_t first = w->row_count, added = (hsize_t)count, total = first + added;
    const hid_t memory = H5Screate_simple(1, &added, NULL);
    const hid_t space  = H5Screate_simple(1, &total, NULL);
    (void)H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &added, NULL);

    kane_status status = reserve_space(w, block_size(w), errors);
    if (status == KANE_OK)
        status = append_rows(w, count, rows, memory, space, errors);
    if (status == KANE_OK)
        status = reserve_space(w, 0, errors);
    if (status != KANE_OK) {
        kane_hdf_abandon(w->id);
        (void)append_rows(w, count, rows, memory, space, NULL); // HDF5 can close only what has been written
    }
    if (H5Fflush(w->id, H5F_SCOPE_LOCAL) < 0 && status == KANE_OK)
        status = kane_hdf_fail(w->file, NOT_WRITTEN, errors);
    (void)H5Sclose(space);
    (void)H5Sclose(memory);
    w->row_count = total;
    return status;
}

static kane_status hdf_write(void *self, int count, const double *rows, kane_errors *errors)
{
    kane_status status;
    H5E_BEGIN_TRY
    {
        status = write_rows(self, count, rows, errors);
    }
    H5E_END_TRY;
    return status;
}

// --- end ---

static kane_status hdf_close(void *self, const char *manifest, int is_compressed, kane_errors *errors)
{
    hdf_writer *w = self;
    kane_status status;
    H5E_BEGIN_TRY
    {
        status = close_all(w, errors);
        if (status == KANE_OK && kane_hdf_trim(w->path) < 0)
            status = kane_hdf_fail(w->file, NOT_WRITTEN, errors);
        if (status == KANE_OK)
            status = kane_hdf_pack(w->path, manifest, is_compressed, errors);
        writer_free(w);
    }
    H5E_END_TRY;
    return status;
}

const kane_row_writer kane_hdf_writer = {hdf_create, hdf_write, hdf_close};

#endif
