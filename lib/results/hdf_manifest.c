// SPDX-License-Identifier: MIT
// Replaces the manifest of a closed file. HDF5 could be killed in the middle of it, and the file would be lost: so it
// works on a copy, which then takes the place of the file in one step.

#include "base/replace.h"
#include "results/file.h"

#ifdef KANE_HAVE_HDF5

#include "results/hdf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char WHAT[] = "the last manifest cannot be written";

// Copies a file. 0, or errno.
static int copy_file(const char *from, const char *to)
{
    const int source = open(from, O_RDONLY | O_CLOEXEC);
    const int target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int failed       = source < 0 || target < 0 ? errno : kane_file_copy(source, target);
    struct stat about;
    if (!failed && (fstat(source, &about) != 0 || fchmod(target, about.st_mode) != 0))
        failed = errno;
    if (source >= 0)
        (void)close(source);
    if (target >= 0 && close(target) != 0 && !failed)
        failed = errno;
    return failed;
}

static herr_t replace(hid_t file, const char *manifest)
{
    if (H5Aexists(file, KANE_HDF_MANIFEST) > 0 && H5Adelete(file, KANE_HDF_MANIFEST) < 0)
        return -1;
    return kane_hdf_put_text(file, KANE_HDF_MANIFEST, manifest);
}

static kane_status edit(const char *copy, const char *file, const char *manifest, kane_errors *errors)
{
    const hid_t access = kane_hdf_access();
    const hid_t id     = H5Fopen(copy, H5F_ACC_RDWR, access);
    kane_status status = id < 0 || replace(id, manifest) < 0 ? kane_hdf_fail(file, WHAT, errors) : KANE_OK;
    if (id >= 0) {
        const kane_status closed = kane_hdf_close(id, 0, file, WHAT, status == KANE_OK ? errors : NULL);
        status                   = status == KANE_OK ? closed : status;
    }
    (void)H5Pclose(access);
    return status;
}

kane_status kane_hdf_set_manifest(const char *file, const char *manifest, kane_errors *errors)
{
    char copy[PATH_MAX + 8];
    (void)snprintf(copy, sizeof copy, "%s.new", file);

    int failed         = copy_file(file, copy);
    kane_status status = failed ? kane_file_error(errors, file, WHAT, failed) : edit(copy, file, manifest, errors);
    if (status == KANE_OK) {
        failed = kane_replace_by(copy, file);
        status = failed ? kane_file_error(errors, file, WHAT, failed) : KANE_OK;
    }
    if (status != KANE_OK)
        (void)unlink(copy);
    return status;
}

#endif
