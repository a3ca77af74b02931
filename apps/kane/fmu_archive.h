// SPDX-License-Identifier: MIT
// ZIP archives of deflated files.

#ifndef KANE_APPS_FMU_ARCHIVE_H
#define KANE_APPS_FMU_ARCHIVE_H

#include <kane/base.h>

typedef struct fmu_archive fmu_archive;

// Begins an archive in the place of a file, which stays what it was until the end. NULL with an error.
fmu_archive *fmu_archive_create(const char *file, kane_errors *errors);

// Adds bytes, or a file of the disk, under a name with slashes. 0 with an error.
int fmu_archive_add(fmu_archive *archive, const char *name, const void *bytes, size_t size, kane_errors *errors);
int fmu_archive_add_file(fmu_archive *archive, const char *name, const char *file, kane_errors *errors);

// Ends and frees it; NULL is allowed. is_good 0: it is given up. 0 with an error if not all could be written.
int fmu_archive_close(fmu_archive *archive, int is_good, kane_errors *errors);

#endif
