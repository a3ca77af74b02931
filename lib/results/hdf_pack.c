// SPDX-License-Identifier: MIT
// Gives a file that has been written its last form: long chunks, compressed if it shall be, with its last manifest.
//
// While rows come, a file is not compressed: a chunk that grows would move with every flush, and leave its old place
// lost. And HDF5 could be killed while it edits a file, which would be lost then. So all is written anew beside it, in
// chunks of a size that compresses well; that takes the place of the file in one step.

#include "results/results.h"

#ifdef KANE_HAVE_HDF5

#include "base/file.h"
#include "results/hdf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char WHAT[] = "the last manifest cannot be written";

// Bytes of doubles are sorted by their place first, exponents beside exponents. Higher levels than 1 gain little: of a
// coach's default channels 16.13 MB are left of 21.8 by level 1, 15.97 by level 4, 15.90 by level 6 in 1.6 times the
// time.
enum { PACKED_ROWS = 8192, LEVEL = 1 };

typedef struct packer {
    hid_t from, to; // files
    haddr_t end;    // of the room that is taken on the disk for the new one
    const char *manifest;
    int is_compressed;
    double *values; // [PACKED_ROWS] of one column
    hid_t *columns; // [column_count] of the new file
    int column_count;
    int is_manifest_in; // the new file has it
} packer;

// --- attributes ---

// One attribute with its type and value.
static herr_t copy_attribute(hid_t from, hid_t to, const char *name)
{
    const hid_t old   = H5Aopen(from, name, H5P_DEFAULT);
    const hid_t type  = old < 0 ? H5I_INVALID_HID : H5Aget_type(old);
    const hid_t space = type < 0 ? H5I_INVALID_HID : H5Aget_space(old);
    const hid_t fresh = space < 0 ? H5I_INVALID_HID : H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const hssize_t n  = fresh < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    void *value       = n > 0 ? kane_allocate((size_t)n, H5Tget_size(type)) : NULL;
    herr_t status     = value && H5Aread(old, type, value) >= 0 ? H5Awrite(fresh, type, value) : -1;
    kane_release(value);
    if (fresh >= 0 && H5Aclose(fresh) < 0)
        status = -1;
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
    if (old >= 0)
        (void)H5Aclose(old);
    return status;
}

// Callback of H5Aiterate: copies an attribute but those of the netCDF conventions, which are made anew.
static herr_t copy_unless_convention(hid_t from, const char *name, const H5A_info_t *info, void *data)
{
    (void)info;
    const hid_t to = *(const hid_t *)data;
    return kane_hdf_is_convention(name) ? 0 : copy_attribute(from, to, name);
}

// Callback of H5Aiterate: copies an attribute of the file; the manifest may be replaced.
static herr_t copy_file_attribute(hid_t from, const char *name, const H5A_info_t *info, void *data)
{
    packer *p = data;
    (void)info;
    if (strcmp(name, KANE_HDF_MANIFEST) != 0 || !p->manifest)
        return copy_attribute(from, p->to, name);
    p->is_manifest_in = 1;
    return kane_hdf_put_text(p->to, name, p->manifest);
}

// --- columns ---

static hid_t packed_creation(hsize_t rows, int is_compressed)
{
    const hsize_t chunk  = rows < PACKED_ROWS ? rows : PACKED_ROWS;
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    herr_t status        = creation < 0 ? -1 : H5Pset_obj_track_times(creation, 0);
    if (status >= 0 && rows > 0)
        status = H5Pset_chunk(creation, 1, &chunk) < 0 ? -1 : H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    if (status >= 0 && rows > 0 && is_compressed) {
        const htri_t can_deflate = H5Zfilter_avail(H5Z_FILTER_DEFLATE);
        status                   = can_deflate < 0 ? -1 : H5Pset_shuffle(creation);
        if (status >= 0 && can_deflate)
            status = H5Pset_deflate(creation, LEVEL);
    }
    if (status >= 0 || creation < 0)
        return creation;
    (void)H5Pclose(creation);
    return H5I_INVALID_HID;
}

static herr_t copy_values(const packer *p, hid_t from, hid_t to, hsize_t rows)
{
    const hid_t space = H5Screate_simple(1, &rows, NULL);
    herr_t status     = space < 0 ? -1 : 0;
    for (hsize_t first = 0; first < rows && status >= 0; first += PACKED_ROWS) {
        const hsize_t count = rows - first < PACKED_ROWS ? rows - first : PACKED_ROWS;
        const hid_t memory  = H5Screate_simple(1, &count, NULL);
        status              = memory < 0 ? -1 : H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL);
        if (status >= 0)
            status = H5Dread(from, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, p->values);
        if (status >= 0)
            status = H5Dwrite(to, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, p->values);
        if (memory >= 0)
            (void)H5Sclose(memory);
    }
    if (space >= 0)
        (void)H5Sclose(space);
    return status;
}

static herr_t find_rows(hid_t dataset, hsize_t *rows)
{
    const hid_t space   = H5Dget_space(dataset);
    const herr_t status = space < 0 ? -1 : H5Sget_simple_extent_dims(space, rows, NULL);
    if (space >= 0)
        (void)H5Sclose(space);
    return status;
}

// Most bytes of a column with so many rows: chunks that compression does not make smaller are stored as they are.
static haddr_t room_of(hsize_t rows)
{
    enum { HEADERS = 8192, INDEX_OF_CHUNK = 64 };
    return rows * sizeof(double) + HEADERS + INDEX_OF_CHUNK * (rows / PACKED_ROWS + 1);
}

// 0, or errno; -1: HDF5 says why.
static int copy_column(packer *p, const char *name, hid_t from)
{
    hsize_t attribute = 0, rows = 0;
    if (find_rows(from, &rows) < 0)
        return -1;
    const int failed = kane_hdf_reserve(p->to, room_of(rows), &p->end);
    if (failed)
        return failed;
    const hid_t space    = H5Screate_simple(1, &rows, NULL);
    const hid_t creation = packed_creation(rows, p->is_compressed);
    const hid_t link     = H5Pcreate(H5P_LINK_CREATE);
    const int good       = space >= 0 && creation >= 0 && link >= 0 && H5Pset_char_encoding(link, H5T_CSET_UTF8) >= 0;
    hid_t to = !good ? H5I_INVALID_HID : H5Dcreate2(p->to, name, H5T_IEEE_F64LE, space, link, creation, H5P_DEFAULT);
    herr_t status =
        to < 0 ? -1 : H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, &attribute, copy_unless_convention, &to);
    if (status >= 0)
        status = copy_values(p, from, to, rows);
    if (to >= 0)
        p->columns[p->column_count++] = to;
    if (link >= 0)
        (void)H5Pclose(link);
    if (creation >= 0)
        (void)H5Pclose(creation);
    if (space >= 0)
        (void)H5Sclose(space);
    return status < 0 ? -1 : 0;
}

// The caller frees it; NULL: it cannot be read.
static char *name_of(hid_t file, hsize_t number)
{
    const H5_index_t order = H5_INDEX_CRT_ORDER;
    const ssize_t length   = H5Lget_name_by_idx(file, ".", order, H5_ITER_INC, number, NULL, 0, H5P_DEFAULT);
    char *name             = length > 0 ? kane_allocate((size_t)length + 1, 1) : NULL;
    if (name)
        (void)H5Lget_name_by_idx(file, ".", order, H5_ITER_INC, number, name, (size_t)length + 1, H5P_DEFAULT);
    return name;
}

// In the order in which they were created: all of them are columns.
static int copy_columns(packer *p, hsize_t count)
{
    int failed = 0;
    for (hsize_t i = 0; !failed && i < count; i++) {
        char *name       = name_of(p->from, i);
        const hid_t from = name ? H5Dopen2(p->from, name, H5P_DEFAULT) : -1;
        failed           = from < 0 ? -1 : copy_column(p, name, from);
        if (from >= 0)
            (void)H5Dclose(from);
        kane_release(name);
    }
    return failed;
}

static int put_conventions(packer *p)
{
    const int failed = kane_hdf_reserve(p->to, kane_hdf_conventions_room(p->column_count), &p->end);
    char *axis       = p->column_count > 0 ? name_of(p->from, 0) : NULL;
    herr_t status    = 0;
    if (!failed && p->column_count > 0)
        status = axis ? kane_hdf_put_conventions(p->column_count, p->columns, axis) : -1;
    kane_release(axis);
    return status < 0 ? -1 : failed;
}

static int close_columns(packer *p)
{
    int failed = 0;
    for (int i = 0; i < p->column_count; i++)
        if (H5Dclose(p->columns[i]) < 0)
            failed = -1;
    kane_release(p->columns);
    return failed;
}

// --- files ---

static int copy_all(packer *p)
{
    hsize_t attribute = 0;
    const int failed  = kane_hdf_reserve(p->to, 8192 + (p->manifest ? 2 * strlen(p->manifest) : 0), &p->end);
    if (failed)
        return failed;
    if (H5Aiterate2(p->from, H5_INDEX_NAME, H5_ITER_INC, &attribute, copy_file_attribute, p) < 0 ||
        (p->manifest && !p->is_manifest_in && kane_hdf_put_text(p->to, KANE_HDF_MANIFEST, p->manifest) < 0))
        return -1;
    H5G_info_t root;
    if (H5Gget_info(p->from, &root) < 0)
        return -1;
    p->columns       = kane_allocate((size_t)root.nlinks + 1, sizeof *p->columns);
    int not_copied   = p->columns ? copy_columns(p, root.nlinks) : ENOMEM;
    not_copied       = not_copied ? not_copied : put_conventions(p);
    const int closed = p->columns ? close_columns(p) : 0;
    return not_copied ? not_copied : closed;
}

// Like the first one, and with its rights. 0, or errno.
static int begin_copy(const char *copy, const char *file)
{
    struct stat about;
    (void)unlink(copy); // what a kill has left, or a link, which is not followed
    const int target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int failed       = target < 0 ? errno : kane_file_reserve(target, 0, 4096);
    if (!failed && (stat(file, &about) != 0 || fchmod(target, about.st_mode) != 0))
        failed = errno;
    if (target >= 0)
        (void)close(target);
    return failed;
}

static kane_status fill_copy(packer *p, const char *copy, const char *file, kane_errors *errors)
{
    const hid_t access = kane_hdf_access(), creation = kane_hdf_creation();
    kane_status status = KANE_OK;
    const int good     = access >= 0 && creation >= 0;
    p->from            = good ? H5Fopen(file, H5F_ACC_RDONLY, access) : H5I_INVALID_HID;
    p->to              = p->from < 0 ? -1 : H5Fcreate(copy, H5F_ACC_TRUNC, creation, access);
    const int failed   = p->to < 0 ? -1 : copy_all(p);
    if (failed)
        status = failed > 0 ? kane_file_error(errors, file, WHAT, failed) : kane_hdf_fail(file, WHAT, errors);
    if (p->to >= 0 && failed)
        kane_hdf_abandon(p->to);
    if (p->to >= 0) {
        const kane_status closed = kane_hdf_close(p->to, p->end, file, WHAT, failed ? NULL : errors);
        status                   = status == KANE_OK ? closed : status;
    }
    if (p->from >= 0)
        (void)H5Fclose(p->from);
    if (creation >= 0)
        (void)H5Pclose(creation);
    if (access >= 0)
        (void)H5Pclose(access);
    return status;
}

kane_status kane_hdf_pack(const char *file, const char *manifest, int is_compressed, kane_errors *errors)
{
    char copy[PATH_MAX + 8];
    packer p = {
        .manifest = manifest, .is_compressed = is_compressed, .values = kane_allocate(PACKED_ROWS, sizeof *p.values)};
    (void)snprintf(copy, sizeof copy, "%s.new", file);

    int failed         = p.values ? begin_copy(copy, file) : ENOMEM;
    kane_status status = failed ? kane_file_error(errors, file, WHAT, failed) : fill_copy(&p, copy, file, errors);
    if (status == KANE_OK && kane_hdf_trim(copy) < 0)
        status = kane_hdf_fail(file, WHAT, errors);
    if (status == KANE_OK) {
        failed = kane_replace_by(copy, file);
        status = failed ? kane_file_error(errors, file, WHAT, failed) : KANE_OK;
    }
    if (status != KANE_OK)
        (void)unlink(copy);
    kane_release(p.values);
    return status;
}

#endif
