// SPDX-License-Identifier: MIT
// Stores as HDF5 files that are made and taken apart in memory.

#include "base/store.h"

#include "base/file.h"
#include "base/machine.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { HEAD = KANE_STORE_HEAD };

static const char BEGIN[] = "kane ";

static void report_error(kane_errors *errors, const char *file, const char *text)
{
    kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = file, .path = ""}, "%s", text);
}

int kane_store_is(const char *file)
{
    char begin[sizeof BEGIN] = "";
    struct stat is; // a pipe without a writer would hold up for ever
    FILE *in       = stat(file, &is) == 0 && S_ISREG(is.st_mode) ? fopen(file, "rb") : NULL;
    const size_t n = in ? fread(begin, 1, sizeof BEGIN - 1, in) : 0;
    if (in)
        (void)fclose(in);
    return n == sizeof BEGIN - 1 && strcmp(begin, BEGIN) == 0;
}

const kane_store_item *kane_store_find(const kane_store *store, const char *name)
{
    for (int i = 0; i < store->count; i++)
        if (strcmp(store->items[i].name, name) == 0)
            return &store->items[i];
    return NULL;
}

#ifdef KANE_HAVE_HDF5

#include "base/hdf.h"

// A name of its own for each file in memory: HDF5 takes those of one name for one file.
static hid_t memory_access(const void *owner, char name[32])
{
    const hid_t access = kane_hdf_access();
    (void)snprintf(name, 32, "%p", owner);
    // the image of an open file of newer formats says that it is open, with a checksum that is not its own any more
    if (access < 0 || (H5Pset_fapl_core(access, 65536, 0) >= 0 &&
                       H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110) >= 0))
        return access;
    (void)H5Pclose(access);
    return H5I_INVALID_HID;
}

// --- writing ---

static size_t longest_text(size_t count, const char *const *texts)
{
    size_t most = 1; // HDF5 has no texts of length 0
    for (size_t i = 0; i < count; i++)
        most = strlen(texts[i]) > most ? strlen(texts[i]) : most;
    return most;
}

static herr_t put_texts(hid_t dataset, hid_t type, size_t length, const kane_store_item *item)
{
    char *all     = kane_allocate(item->size[0], length);
    herr_t status = -1;
    for (size_t i = 0; i < item->size[0] && all; i++)
        memcpy(all + i * length, item->texts[i], strlen(item->texts[i]));
    if (all)
        status = H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
    kane_release(all);
    return status;
}

static herr_t put_item(hid_t file, hid_t creation, const kane_store_item *item)
{
    hsize_t size[KANE_STORE_RANK] = {item->size[0], item->size[1], item->size[2]};
    const size_t length           = item->texts ? longest_text(item->size[0], item->texts) : 0;
    const hid_t space             = H5Screate_simple(item->rank, size, NULL);
    const hid_t type              = item->texts ? kane_hdf_text_type(length) : H5Tcopy(H5T_IEEE_F64LE);
    const hid_t dataset           = space < 0 || type < 0
                                        ? H5I_INVALID_HID
                                        : H5Dcreate2(file, item->name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    herr_t status                 = dataset < 0 ? -1 : 0;
    if (status >= 0)
        status = item->texts ? put_texts(dataset, type, length, item)
                             : H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, item->numbers);
    if (status >= 0 && item->unit)
        status = kane_hdf_put_text(dataset, "unit", item->unit);
    if (dataset >= 0)
        (void)H5Dclose(dataset);
    if (type >= 0)
        (void)H5Tclose(type);
    if (space >= 0)
        (void)H5Sclose(space);
    return status;
}

// The bytes of a file of HDF5, to be released; NULL with the reason in HDF5's own errors.
static char *make_image(const char *kind, int count, const kane_store_item *items, size_t *length)
{
    char name[32] = "", *image = NULL;
    const hid_t access = memory_access(&name, name), creation = kane_hdf_creation();
    const hid_t item_creation = H5Pcreate(H5P_DATASET_CREATE);
    const int good            = access >= 0 && creation >= 0 && item_creation >= 0;
    const hid_t file          = good ? H5Fcreate(name, H5F_ACC_TRUNC, creation, access) : H5I_INVALID_HID;
    herr_t status             = file < 0 ? -1 : H5Pset_obj_track_times(item_creation, 0);
    if (status >= 0)
        status = kane_hdf_put_text(file, "kane", kind);
    if (status >= 0)
        status = kane_hdf_put_text(file, "kane_version", kane_version());
    for (int i = 0; i < count && status >= 0; i++)
        status = put_item(file, item_creation, &items[i]);
    if (status >= 0 && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) {
        const ssize_t size = H5Fget_file_image(file, NULL, 0);
        image              = size > 0 ? kane_allocate((size_t)size, 1) : NULL;
        *length            = size > 0 ? (size_t)size : 0;
        if (image && H5Fget_file_image(file, image, *length) != size) {
            kane_release(image);
            image = NULL;
        }
    }
    if (file >= 0)
        (void)H5Fclose(file);
    if (item_creation >= 0)
        (void)H5Pclose(item_creation);
    if (creation >= 0)
        (void)H5Pclose(creation);
    if (access >= 0)
        (void)H5Pclose(access);
    return image;
}

static kane_status write_store_file(const char *file, const char *kind, const char *image, size_t length,
                                    kane_errors *errors)
{
    kane_replacement r;
    char head[HEAD] = "", hash[KANE_HASH_SIZE];
    kane_hash_bytes(image, length, hash);
    (void)snprintf(head, sizeof head, "%s%s\n%s xxh128 of what follows, HDF5\n", BEGIN, kind, hash);
    const kane_status status = kane_replacement_open(&r, file, errors);
    if (status != KANE_OK)
        return status;
    (void)fwrite(head, 1, sizeof head, r.file); // errors are kept to the end
    (void)fwrite(image, 1, length, r.file);
    return kane_replacement_close(&r, errors);
}

kane_status kane_store_write(const char *file, const char *kind, int count, const kane_store_item *items,
                             kane_errors *errors)
{
    size_t length = 0;
    char *image;
    char reason[256]   = "";
    kane_status status = KANE_OK;
    H5E_BEGIN_TRY
    {
        image = make_image(kind, count, items, &length);
        if (!image) // all of it is in memory
            status = kane_hdf_reason(KANE_NO_MEMORY, sizeof reason, reason);
    }
    H5E_END_TRY;
    if (!image) {
        kane_errors_add_input(errors, status, (kane_place){.file = file, .path = ""}, "cannot be written: %s", reason);
        return status;
    }
    status = write_store_file(file, kind, image, length, errors);
    kane_release(image);
    return status;
}

// --- reading ---

static int take_texts(kane_arena *arena, hid_t dataset, hid_t type, kane_store_item *item)
{
    const size_t length = H5Tget_size(type);
    char *all           = kane_arena_alloc(arena, item->size[0], length);
    const char **texts  = kane_arena_alloc(arena, item->size[0], sizeof *texts);
    if (!all || !texts || H5Tis_variable_str(type) > 0 ||
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) < 0)
        return 0;
    for (size_t i = 0; i < item->size[0]; i++)
        texts[i] = kane_arena_text_part(arena, all + i * length, strnlen(all + i * length, length));
    item->texts = texts;
    return !kane_arena_failed(arena);
}

static int take_numbers(kane_arena *arena, hid_t dataset, kane_store_item *item)
{
    size_t count = 1;
    for (int i = 0; i < item->rank; i++)
        count *= item->size[i];
    double *numbers = kane_arena_doubles(arena, count);
    item->numbers   = numbers;
    char *unit;
    if (kane_hdf_get_text(arena, dataset, "unit", &unit) < 0)
        return 0;
    item->unit = unit;
    return numbers && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0;
}

static int take_dataset(kane_arena *arena, hid_t dataset, kane_store_item *item)
{
    hsize_t size[KANE_STORE_RANK] = {0};
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    item->rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    int good   = type >= 0 && item->rank >= 1 && item->rank <= KANE_STORE_RANK &&
               H5Sget_simple_extent_dims(space, size, NULL) == item->rank;
    for (int i = 0; i < KANE_STORE_RANK; i++)
        item->size[i] = (size_t)size[i];
    for (int i = 0; i < item->rank && good; i++)
        good = size[i] > 0;
    if (good)
        good = H5Tget_class(type) == H5T_STRING ? take_texts(arena, dataset, type, item)
                                                : take_numbers(arena, dataset, item);
    if (type >= 0)
        (void)H5Tclose(type);
    if (space >= 0)
        (void)H5Sclose(space);
    return good;
}

static int take_item(kane_arena *arena, hid_t file, hsize_t number, kane_store_item *item, size_t size, char *why)
{
    char name[128];
    if (H5Lget_name_by_idx(file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, number, name, sizeof name, H5P_DEFAULT) <= 0)
        return 0;
    item->name         = kane_arena_text(arena, name);
    const hid_t object = kane_hdf_open(file, name, size, why);
    const int good = H5Iget_type(object) == H5I_DATASET && !kane_hdf_is_elsewhere(object, size, why) && item->name &&
                     take_dataset(arena, object, item);
    if (object >= 0)
        (void)H5Oclose(object);
    return good;
}

// A status with its reason.
static kane_status take_image(kane_arena *arena, char *image, size_t length, kane_store *store, size_t size,
                              char *reason)
{
    char name[32];
    const hid_t access = memory_access(image, name);
    H5G_info_t root;
    int good         = access >= 0 && H5Pset_file_image(access, image, length) >= 0;
    const hid_t file = good ? H5Fopen(name, H5F_ACC_RDONLY, access) : H5I_INVALID_HID;
    good             = file >= 0 && H5Gget_info(file, &root) >= 0;
    store->items     = good ? kane_arena_alloc(arena, (size_t)root.nlinks + 1, sizeof *store->items) : NULL;
    for (hsize_t i = 0; store->items && i < root.nlinks && good; i++)
        good = take_item(arena, file, i, &store->items[store->count++], size, reason);
    good               = good && store->items;
    kane_status status = good ? KANE_OK : KANE_BAD_INPUT;
    if (!good && !reason[0])
        status = kane_hdf_reason(KANE_BAD_INPUT, size, reason);
    if (file >= 0)
        (void)H5Fclose(file);
    if (access >= 0)
        (void)H5Pclose(access);
    return status;
}

static int take_hdf(kane_arena *arena, const char *file, char *image, size_t length, kane_store *store,
                    kane_errors *errors)
{
    char reason[256] = "";
    kane_status status;
    H5E_BEGIN_TRY
    {
        status = take_image(arena, image, length, store, sizeof reason, reason);
    }
    H5E_END_TRY;
    const int is_lacking = kane_arena_failed(arena);
    if (is_lacking)
        status = KANE_NO_MEMORY;
    if (status != KANE_OK)
        kane_errors_add_input(errors, status, (kane_place){.file = file, .path = ""}, "cannot be read: %s",
                              is_lacking ? kane_status_text(status) : reason);
    return status == KANE_OK;
}

#else

static const char TEXT[] = "this libkane was built without HDF5";

kane_status kane_store_write(const char *file, const char *kind, int count, const kane_store_item *items,
                             kane_errors *errors)
{
    (void)kind, (void)count, (void)items;
    report_error(errors, file, TEXT);
    return KANE_BAD_INPUT;
}

static int take_hdf(kane_arena *arena, const char *file, char *image, size_t length, kane_store *store,
                    kane_errors *errors)
{
    (void)arena, (void)image, (void)length, (void)store;
    report_error(errors, file, TEXT);
    return 0;
}

#endif

// Compares kind and format of a file with the expected ones, and its hash. 0 with an error.
static int check_head(const char *file, const char *content, size_t length, const char *kind, int *is_flat,
                      kane_errors *errors)
{
    char is[64] = "", said[KANE_HASH_SIZE] = "", form[8] = "", hash[KANE_HASH_SIZE], text[200];
    kane_text t = kane_text_start(sizeof text, text);
    if (length < HEAD || memchr(content, '\0', HEAD) == NULL || strncmp(content, BEGIN, sizeof BEGIN - 1) != 0 ||
        sscanf(content + sizeof BEGIN - 1, "%63[^\n]\n%32s xxh128 of what follows, %7s", is, said, form) != 3) {
        kane_text_add(&t, "is not a file of '%s', or damaged", kind);
        report_error(errors, file, text);
        return 0;
    }
    if (strcmp(is, kind) != 0) {
        kane_text_add(&t, "is ");
        kane_text_quote(&t, '\'', is);
        kane_text_add(&t, ", this version reads '%s'", kind);
        report_error(errors, file, text);
        return 0;
    }
    *is_flat = strcmp(form, "flat") == 0;
    kane_hash_bytes(content + HEAD, length - HEAD, hash);
    if (strcmp(said, hash) == 0)
        return 1;
    report_error(errors, file, "is damaged: its hash is not that of what was written");
    return 0;
}

const kane_store *kane_store_read(kane_arena *arena, const char *file, const char *kind, kane_errors *errors)
{
    size_t length     = 0;
    int is_flat       = 0;
    kane_store *store = kane_arena_alloc(arena, 1, sizeof *store);
    char *content     = store ? kane_file_read(arena, file, &length, errors) : NULL;
    if (!content || !check_head(file, content, length, kind, &is_flat, errors))
        return NULL;
    store->file = kane_arena_text(arena, file);
    if (!store->file)
        report_error(errors, file, "out of memory");
    else if (!is_flat)
        return take_hdf(arena, file, content + HEAD, length - HEAD, store, errors) ? store : NULL;
    else if (kane_store_unflatten(arena, (const unsigned char *)content + HEAD, length - HEAD, store))
        return store;
    else
        report_error(errors, file,
                     kane_arena_failed(arena) ? "out of memory" : "is damaged, though its hash is that of its bytes");
    return NULL;
}
