// SPDX-License-Identifier: MIT
// What all our HDF5 files have: formats, texts as attributes, errors in words. For rooms that write such files.

#ifndef KANE_BASE_HDF_H
#define KANE_BASE_HDF_H

#include "base/arena.h"

#include <hdf5.h>

// Makes a text attribute, in UTF-8. Its length is fixed: strings of variable length stand in heaps without checksums,
// and HDF5 crashes where these are damaged. Negative if it failed.
herr_t kane_hdf_put_text(hid_t object, const char *name, const char *text);

// The type of such a text, to be closed; negative if it failed.
hid_t kane_hdf_text_type(size_t length);

// Reads a text attribute, of fixed or variable length, into the arena; *text is NULL if it is missing or no text.
// Negative if it failed: what cannot be read is not missing.
herr_t kane_hdf_get_text(kane_arena *arena, hid_t object, const char *name, char **text);

// How files are opened: formats and locks that all our files have.  H5I_INVALID_HID if it failed.
hid_t kane_hdf_access(void);

// What a file remembers of how it is made: the order of its columns, no times.
hid_t kane_hdf_creation(void);

// Opens the object of a name. A file of HDF5 may refer to others without showing it: links to them are not
// followed, nor soft links that go through such a link. Invalid then, with the reason in words; "" where HDF5 has
// failed.
hid_t kane_hdf_open(hid_t file, const char *name, size_t size, char *why);

// Whether the values of a dataset lie in other files: external storage, or a virtual dataset; with the reason in words.
// Before anything else is asked of the dataset, for HDF5 opens these files to answer. Also where HDF5 has failed, with
// "" for the reason.
int kane_hdf_is_elsewhere(hid_t dataset, size_t size, char *why);

// Why the last call of HDF5 has failed: the words of the system where it was the system, else those of HDF5. Returns
// `usual`, or KANE_NO_MEMORY if it was an allocation.
kane_status kane_hdf_reason(kane_status usual, size_t size, char *buffer);

#endif
