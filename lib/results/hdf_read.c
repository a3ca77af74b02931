// SPDX-License-Identifier: MIT
// Reads HDF5 files that kane_recorder has written, or is writing.

#include "results/results.h"

#ifdef KANE_HAVE_HDF5

#include "base/text.h"
#include "results/hdf.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { OTHER_FILE = 300 }; // room for what is said of one

typedef struct hdf_reader {
    kane_results *results;
    kane_errors *errors;
    hid_t id;          // of the file
    int in_work;       // 1: it was not closed: its end cannot be checked
    off_t size;        // of the file [bytes]
    H5_index_t order;  // of the columns: as they were created, or by name where that is not known
    hsize_t row_count; // of the shortest column
} hdf_reader;

// An error about the file, or about the column of that name.
static kane_status report_file_error(const hdf_reader *r, const char *column, const char *what)
{
    const kane_place place = {.file = r->results->file, .path = column};
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, place, "%s", what);
    return KANE_BAD_INPUT;
}

// The same for what HDF5 cannot read.
static kane_status fail_to_read(const hdf_reader *r, const char *column)
{
    const kane_place place = {.file = r->results->file, .path = column};
    char reason[256];
    const kane_status status = kane_hdf_reason(KANE_BAD_INPUT, sizeof reason, reason);
    kane_errors_add_input(r->errors, status, place, "cannot be read: %s", reason);
    return status;
}

// --- the file ---

// Whether the file was left, or is still held, by a writer in SWMR mode: bit 2 of the consistency flags in byte 11 of a
// superblock of version 3 (HDF5 File Format Specification, II.A).
static kane_status check_start(hdf_reader *r)
{
    char *first;
    size_t length;
    const kane_status status = kane_file_load(r->results->file, 12, &first, &length, r->errors);
    if (status != KANE_OK)
        return status;
    r->in_work = length == 12 && first[8] == 3 && (first[11] & 4);
    kane_release(first);
    return KANE_OK;
}

static kane_status open_file(hdf_reader *r)
{
    const kane_status status = check_start(r);
    if (status != KANE_OK)
        return status;
    const hid_t access = kane_hdf_access();
    if (access < 0)
        return fail_to_read(r, "");
    r->id                    = H5Fopen(r->results->file, H5F_ACC_RDONLY | (r->in_work ? H5F_ACC_SWMR_READ : 0), access);
    const kane_status opened = r->id < 0 ? fail_to_read(r, "") : KANE_OK;
    (void)H5Pclose(access);
    return opened;
}

static kane_status read_root(hdf_reader *r)
{
    kane_arena *arena = r->results->arena;
    char *format, *key, *manifest;
    if (kane_hdf_get_text(arena, r->id, KANE_HDF_FORMAT, &format) < 0 ||
        kane_hdf_get_text(arena, r->id, KANE_HDF_MANIFEST, &manifest) < 0 ||
        kane_hdf_get_text(arena, r->id, KANE_HDF_KEY, &key) < 0)
        return fail_to_read(r, "");
    if (!format)
        return report_file_error(r, "", "is HDF5, but no result file: the attribute '" KANE_HDF_FORMAT "' is missing");
    if (strcmp(format, KANE_HDF_VERSION) != 0) {
        char text[128];
        kane_text t = kane_text_start(sizeof text, text);
        kane_text_add(&t, "is ");
        kane_text_quote(&t, '\'', format);
        kane_text_add(&t, ", this version reads '" KANE_HDF_VERSION "'");
        return report_file_error(r, "", text);
    }
    r->results->manifest = manifest;
    (void)snprintf(r->results->key, sizeof r->results->key, "%s", key ? key : "");
    return KANE_OK;
}

// --- columns ---

// Columns are one-dimensional datasets of numbers with a unit. Returns 1 with the number of values, 0: it is none, -1:
// HDF5 has failed.
static int find_column(hid_t object, hsize_t *length)
{
    const H5I_type_t is_a = H5Iget_type(object);
    const htri_t has_unit = is_a == H5I_DATASET ? H5Aexists(object, KANE_HDF_UNIT) : 0;
    if (is_a == H5I_BADID || has_unit <= 0)
        return is_a == H5I_BADID || has_unit < 0 ? -1 : 0;
    const hid_t space = H5Dget_space(object), type = H5Dget_type(object);
    const H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    const int rank         = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    const hssize_t count   = rank == 1 ? H5Sget_simple_extent_npoints(space) : 0;
    *length                = count > 0 ? (hsize_t)count : 0;
    if (type >= 0)
        (void)H5Tclose(type);
    if (space >= 0)
        (void)H5Sclose(space);
    if (rank < 0 || count < 0 || kind == H5T_NO_CLASS)
        return -1;
    return rank == 1 && (kind == H5T_FLOAT || kind == H5T_INTEGER);
}

// Adds the object to the columns if it is one.
static kane_status add_column(hdf_reader *r, const char *name, hid_t object)
{
    kane_results *results = r->results;
    char why[OTHER_FILE], *unit = NULL, *description = NULL;
    hsize_t length = 0;
    if (H5Iget_type(object) == H5I_DATASET && H5Aexists(object, KANE_HDF_UNIT) > 0 &&
        kane_hdf_is_elsewhere(object, sizeof why, why))
        return why[0] ? report_file_error(r, name, why) : fail_to_read(r, name);
    const int is_column = find_column(object, &length);
    if (is_column < 0 ||
        (is_column && (kane_hdf_get_text(results->arena, object, KANE_HDF_UNIT, &unit) < 0 ||
                       kane_hdf_get_text(results->arena, object, KANE_HDF_DESCRIPTION, &description) < 0)))
        return fail_to_read(r, name);
    if (!is_column)
        return KANE_OK;
    if (results->column_count == 0 || length < r->row_count)
        r->row_count = length;
    results->columns[results->column_count++] = (kane_column){name, unit ? unit : "", description ? description : ""};
    return KANE_OK;
}

static int is_printable(const kane_column *c)
{
    return !c->name[kane_text_printable(c->name)] && !c->unit[kane_text_printable(c->unit)];
}

static kane_status open_column(hdf_reader *r, hsize_t number)
{
    const ssize_t length = H5Lget_name_by_idx(r->id, ".", r->order, H5_ITER_INC, number, NULL, 0, H5P_DEFAULT);
    if (length < 0)
        return fail_to_read(r, "");
    char *name = kane_arena_alloc(r->results->arena, (size_t)length + 1, 1);
    if (!name)
        return kane_no_memory(r->errors);
    if (H5Lget_name_by_idx(r->id, ".", r->order, H5_ITER_INC, number, name, (size_t)length + 1, H5P_DEFAULT) < 0)
        return fail_to_read(r, "");

    char why[OTHER_FILE];
    const hid_t object = kane_hdf_open(r->id, name, sizeof why, why);
    if (object < 0)
        return why[0] ? report_file_error(r, name, why) : fail_to_read(r, name);
    const int before         = r->results->column_count;
    const kane_status status = add_column(r, name, object);
    (void)H5Oclose(object);
    if (status == KANE_OK && r->results->column_count > before && !is_printable(&r->results->columns[before]))
        return report_file_error(r, name, "its name or unit is not UTF-8, or has control characters");
    return status == KANE_OK && kane_arena_failed(r->results->arena) ? kane_no_memory(r->errors) : status;
}

// The order of the columns. Negative if HDF5 has failed.
static herr_t find_order(hid_t file, H5_index_t *index)
{
    unsigned order       = 0;
    const hid_t root     = H5Gopen2(file, "/", H5P_DEFAULT);
    const hid_t creation = root < 0 ? H5I_INVALID_HID : H5Gget_create_plist(root);
    const herr_t status  = creation < 0 ? -1 : H5Pget_link_creation_order(creation, &order);
    if (creation >= 0)
        (void)H5Pclose(creation);
    if (root >= 0)
        (void)H5Gclose(root);
    *index = order & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    return status;
}

static kane_status read_columns(hdf_reader *r)
{
    H5G_info_t root;
    if (find_order(r->id, &r->order) < 0 || H5Gget_info(r->id, &root) < 0)
        return fail_to_read(r, "");
    kane_status status       = kane_results_take_columns(r->results, (int)root.nlinks, r->errors);
    r->results->column_count = 0;
    for (hsize_t i = 0; i < root.nlinks && status == KANE_OK; i++)
        status = open_column(r, i);
    if (status == KANE_OK && r->results->column_count == 0)
        status = report_file_error(r, "", "holds no columns");
    return status;
}

// --- rows ---

// Whether all chunks of the first rows lie inside the file. HDF5 reads zeros behind its end.
static int is_whole(const hdf_reader *r, hid_t dataset)
{
    hsize_t chunk        = 0;
    const hid_t creation = H5Dget_create_plist(dataset);
    const int is_chunked = creation >= 0 && H5Pget_chunk(creation, 1, &chunk) == 1 && chunk > 0;
    if (creation >= 0)
        (void)H5Pclose(creation);
    if (!is_chunked)
        return 0;
    for (hsize_t row = 0; row < r->row_count; row += chunk) {
        haddr_t address = HADDR_UNDEF;
        hsize_t size    = 0;
        unsigned mask;
        if (H5Dget_chunk_info_by_coord(dataset, &row, &mask, &address, &size) < 0 || address == HADDR_UNDEF ||
            address > (haddr_t)r->size || size > (hsize_t)r->size - address)
            return 0;
    }
    return 1;
}

static kane_status read_values(const hdf_reader *r, const char *name, double *values)
{
    const hid_t dataset = H5Dopen2(r->id, name, H5P_DEFAULT);
    if (dataset < 0)
        return fail_to_read(r, name);
    const hsize_t first = 0;
    const hid_t memory  = H5Screate_simple(1, &r->row_count, NULL);
    const hid_t space   = H5Dget_space(dataset);
    kane_status status  = KANE_OK;
    if (memory < 0 || space < 0 || H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &r->row_count, NULL) < 0)
        status = fail_to_read(r, name);
    else if (r->in_work && !is_whole(r, dataset))
        status = report_file_error(r, name, "its values end before the last row: the file was cut");
    else if (H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) < 0)
        status = fail_to_read(r, name);
    if (space >= 0)
        (void)H5Sclose(space);
    if (memory >= 0)
        (void)H5Sclose(memory);
    (void)H5Dclose(dataset);
    return status;
}

static kane_status read_all(hdf_reader *r)
{
    kane_results *results = r->results;
    struct stat about;
    kane_status status = open_file(r);
    if (status == KANE_OK)
        status = read_root(r);
    if (status == KANE_OK)
        status = read_columns(r);
    r->size = stat(results->file, &about) == 0 ? about.st_size : 0; // after the number of rows: the writer continues
    if (status == KANE_OK)
        status = kane_results_take_rows(results, r->row_count, r->errors);
    for (int i = 0; i < results->column_count && results->row_count > 0 && status == KANE_OK; i++)
        status = read_values(r, results->columns[i].name, results->values[i]);
    if (r->id > 0)
        (void)H5Fclose(r->id);
    return status;
}

kane_status kane_hdf_read(kane_results *results, kane_errors *errors)
{
    hdf_reader r = {.results = results, .errors = errors};
    kane_status status;
    H5E_BEGIN_TRY
    {
        status = read_all(&r);
    }
    H5E_END_TRY;
    return status;
}

#endif
