// SPDX-License-Identifier: MIT
// What writing and reading of HDF5 files share: the layout of a file, texts as attributes, errors in words.
//
// The root group holds one dataset a column: 1-D, doubles, chunks of KANE_ROW_BLOCK rows while it is written, longer
// ones, compressed unless it shall not be, when it is closed, in the order of the columns (links keep the order of
// their creation). Everything that libkane has not written carries no "unit" and is ignored.
//
// A file that is closed also has what other programs look for (hdf_scales.c): the first column is the dimension scale
// of the others, "units" and "long_name" are texts of variable length. libkane reads none of it.

#ifndef KANE_RESULTS_HDF_H
#define KANE_RESULTS_HDF_H

#include <kane/base.h>

#include "base/hdf.h"

// Attributes of the root group.
#define KANE_HDF_FORMAT   "kane"         // what the file is: KANE_HDF_VERSION
#define KANE_HDF_VERSION  "results 1"    //
#define KANE_HDF_LIBRARY  "kane_version" // version of the library that wrote it
#define KANE_HDF_MANIFEST "manifest"     // JSON; may be missing
#define KANE_HDF_KEY      "key"          // of the run that the manifest is of; may be missing

// Attributes of a column.
#define KANE_HDF_UNIT        "unit"
#define KANE_HDF_DESCRIPTION "description"
#define KANE_HDF_AXIS        "axis" // name of the first column, on all others: what they run along

// Takes all room on the disk that an open file needs and `more` bytes, from the address *end on, which becomes its end.
// So no write fails for want of room: HDF5 cannot go on after a flush that failed, nor close the file. 0, or errno.
int kane_hdf_reserve(hid_t file, haddr_t more, haddr_t *end);

// Gives back what a closed file does not need. Negative if it failed.
herr_t kane_hdf_trim(const char *path);

// For a file that cannot be written any more: HDF5 writes into nothing from here on, so that it can close the file,
// which stays on the disk as if the process had been killed.
void kane_hdf_abandon(hid_t file);

// Closes a file of which nothing but metadata is left to write; end as above. what: for errors, as below.
kane_status kane_hdf_close(hid_t id, haddr_t end, const char *file, const char *what, kane_errors *errors);

// The conventions of other programs for the columns of a file: the HDF5 Dimension Scale Specification, and names of
// attributes as netCDF has them. columns [count]: datasets with our attributes, of which the first is what they all run
// along, by the name of `axis`. Negative if it failed.
herr_t kane_hdf_put_conventions(int count, const hid_t *columns, const char *axis);

// Whether an attribute is one of them.
int kane_hdf_is_convention(const char *name);

// Room that they take on the disk [bytes].
haddr_t kane_hdf_conventions_room(int count);

// Gives a closed file of ours long chunks, compressed or not, and a last manifest (NULL: it keeps the one it has), in
// one step: whatever happens, the file is the old one or the new one.
kane_status kane_hdf_pack(const char *file, const char *manifest, int is_compressed, kane_errors *errors);

// Adds why the last call of HDF5 has failed as an error  file: what: reason  and returns KANE_NO_FILE.
kane_status kane_hdf_fail(const char *file, const char *what, kane_errors *errors);

#endif
