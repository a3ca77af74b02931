// SPDX-License-Identifier: MIT
// What all our HDF5 files have.

#include "base/text.h"

#ifdef KANE_HAVE_HDF5

#include "base/hdf.h"

#include <string.h>

hid_t kane_hdf_text_type(size_t length)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0)
        return type;
    if (H5Tset_size(type, length) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    (void)H5Tclose(type);
    return H5I_INVALID_HID;
}

herr_t kane_hdf_put_text(hid_t object, const char *name, const char *text)
{
    const hid_t type  = kane_hdf_text_type(text[0] ? strlen(text) : 1); // not 0
    const hid_t space = type < 0 ? H5I_INVALID_HID : H5Screate(H5S_SCALAR);
    const hid_t id    = space < 0 ? H5I_INVALID_HID : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status     = id < 0 ? -1 : H5Awrite(id, type, text);
    if (id >= 0 && H5Aclose(id) < 0)
        status = -1;
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
    return status;
}

static herr_t get_variable(kane_arena *arena, hid_t attribute, hid_t type, char **text)
{
    char *read = NULL;
    if (H5Aread(attribute, type, &read) < 0)
        return -1;
    *text = kane_arena_text(arena, read ? read : "");
    (void)H5free_memory(read);
    return *text ? 0 : -1;
}

static herr_t get_fixed(kane_arena *arena, hid_t attribute, hid_t type, char **text)
{
    char *read = kane_arena_alloc(arena, H5Tget_size(type) + 1, 1);
    *text      = read && H5Aread(attribute, type, read) >= 0 ? read : NULL;
    return *text ? 0 : -1;
}

// Of an attribute that is open.
static herr_t get_text(kane_arena *arena, hid_t attribute, char **text)
{
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    herr_t status = type < 0 || space < 0 ? -1 : 0;
    if (status >= 0 && H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1)
        status = H5Tis_variable_str(type) > 0 ? get_variable(arena, attribute, type, text)
                                              : get_fixed(arena, attribute, type, text);
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
    return status;
}

herr_t kane_hdf_get_text(kane_arena *arena, hid_t object, const char *name, char **text)
{
    const htri_t exists = H5Aexists(object, name);
    *text               = NULL;
    if (exists <= 0)
        return exists < 0 ? -1 : 0;
    const hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    if (id < 0)
        return -1;
    const herr_t status = get_text(arena, id, text);
    (void)H5Aclose(id);
    return status;
}

hid_t kane_hdf_access(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0)
        return access;
    herr_t status = H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    if (status >= 0)
        status = H5Pset_file_locking(access, 1, 1); // where the file system has locks
    if (status >= 0)
        status = H5Pset_metadata_read_attempts(access, 20);
    // no room in stock at the end of a file: HDF5 would want to set the length of one that is abandoned, which a device
    // refuses, and a file that cannot be closed is tried again when the process ends, which crashes there
    if (status >= 0)
        status = H5Pset_meta_block_size(access, 0);
    if (status >= 0)
        status = H5Pset_small_data_block_size(access, 0);
    if (status >= 0)
        return access;
    (void)H5Pclose(access);
    return H5I_INVALID_HID;
}

hid_t kane_hdf_creation(void)
{
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    if (creation < 0 || (H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
                         H5Pset_obj_track_times(creation, 0) >= 0))
        return creation;
    (void)H5Pclose(creation);
    return H5I_INVALID_HID;
}

// --- other files ---

// Each reason in full, then what can be done.
static void refuse_other_file(kane_text *why, const char *what, const char *file)
{
    kane_text_add(why, "%s the file ", what);
    kane_text_quote(why, '\'', file);
    kane_text_add(why, ", which is not followed: copy it into this file (h5copy, h5repack)");
}

// HDF5 calls this before it follows an external link.
static herr_t refuse_link(const char *parent_file, const char *parent_group, const char *file, const char *object,
                          unsigned *flags, hid_t access, void *why)
{
    (void)parent_file, (void)parent_group, (void)object, (void)flags, (void)access;
    refuse_other_file(why, "is a link to", file);
    return -1;
}

hid_t kane_hdf_open(hid_t file, const char *name, size_t size, char *why)
{
    kane_text text     = kane_text_start(size, why);
    const hid_t access = H5Pcreate(H5P_LINK_ACCESS);
    const int is_set   = access >= 0 && H5Pset_elink_cb(access, refuse_link, &text) >= 0;
    const hid_t object = is_set ? H5Oopen(file, name, access) : H5I_INVALID_HID;
    if (access >= 0)
        (void)H5Pclose(access);
    return object;
}

int kane_hdf_is_elsewhere(hid_t dataset, size_t size, char *why)
{
    enum { NAME = 256 };
    char name[NAME]      = "";
    kane_text text       = kane_text_start(size, why);
    off_t begin          = 0;
    hsize_t length       = 0;
    const hid_t creation = H5Dget_create_plist(dataset);
    if (creation < 0)
        return 1;
    const int is_virtual = H5Pget_layout(creation) == H5D_VIRTUAL;
    const int is_outside = H5Pget_external_count(creation) > 0;
    if (is_virtual) {
        size_t count = 0;
        if (H5Pget_virtual_count(creation, &count) >= 0 && count > 0)
            (void)H5Pget_virtual_filename(creation, 0, name, sizeof name);
        refuse_other_file(&text, "is a virtual dataset: its values lie in", name);
    } else if (is_outside) {
        (void)H5Pget_external(creation, 0, sizeof name - 1, name, &begin, &length);
        refuse_other_file(&text, "has external storage: its values lie in", name);
    }
    (void)H5Pclose(creation);
    return is_virtual || is_outside;
}

// --- errors ---

typedef struct deepest {
    kane_text text;
    int is_memory; // 1: an allocation has failed
} deepest;

// Keeps the text of the deepest error, or the system's words inside it:  ..., error message = 'No space left', ...
static herr_t take_deepest(unsigned number, const H5E_error2_t *error, void *buffer)
{
    static const char before[] = "error message = '";
    deepest *found             = buffer;
    kane_text *reason          = &found->text;
    if (number > 0)
        return 0;
    found->is_memory =
        error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC || error->maj_num == H5E_RESOURCE;
    if (!error->desc)
        return 0;
    const char *words = strstr(error->desc, before);
    const char *end   = words ? strchr(words + strlen(before), '\'') : NULL;
    if (end)
        kane_text_add(reason, "%.*s", (int)(end - words - (ptrdiff_t)strlen(before)), words + strlen(before));
    else
        kane_text_add(reason, "%s", error->desc);
    return 0;
}

kane_status kane_hdf_reason(kane_status usual, size_t size, char *buffer)
{
    deepest found = {.text = kane_text_start(size, buffer)};
    if (H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_deepest, &found) < 0 || found.text.length == 0)
        kane_text_add(&found.text, "unknown reason");
    return found.is_memory ? KANE_NO_MEMORY : usual;
}

#endif
