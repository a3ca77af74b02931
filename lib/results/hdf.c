// SPDX-License-Identifier: MIT
// What writing and reading of HDF5 files share.

#include "results/results.h"

#ifdef KANE_HAVE_HDF5

#include "results/hdf.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// --- the disk ---

// Where the driver keeps its descriptor; NULL if it has none.
static int *descriptor_of(hid_t file)
{
    void *handle = NULL;
    return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 ? NULL : handle;
}

int kane_hdf_reserve(hid_t file, haddr_t more, haddr_t *end)
{
    const int *descriptor = descriptor_of(file);
    haddr_t needed        = 0;
    if (!descriptor || H5Fget_eoa(file, &needed) < 0)
        return EIO;
    needed += more;
    if (needed <= *end)
        return 0;
    const int failed = kane_file_reserve(*descriptor, *end, needed - *end);
    *end             = needed;
    return failed;
}

herr_t kane_hdf_trim(const char *path)
{
    haddr_t end      = 0;
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return -1;
    const herr_t status = H5Fget_eoa(file, &end);
    if (H5Fclose(file) < 0 || status < 0)
        return -1;
    return truncate(path, (off_t)end) != 0 ? -1 : 0;
}

void kane_hdf_abandon(hid_t file)
{
    const int *descriptor = descriptor_of(file);
    const int nothing     = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (descriptor && nothing >= 0)
        (void)dup2(nothing, *descriptor);
    if (nothing >= 0)
        (void)close(nothing);
}

kane_status kane_hdf_close(hid_t id, haddr_t end, const char *file, const char *what, kane_errors *errors)
{
    kane_status status = KANE_OK;
    const int failed   = kane_hdf_reserve(id, 0, &end);
    if (failed) {
        status = kane_file_error(errors, file, what, failed);
        kane_hdf_abandon(id);
    }
    if (H5Fclose(id) < 0 && status == KANE_OK)
        status = kane_hdf_fail(file, what, errors);
    return status;
}

// --- errors ---

kane_status kane_hdf_fail(const char *file, const char *what, kane_errors *errors)
{
    const kane_place place = {.file = file, .path = ""};
    char reason[256];
    const kane_status status = kane_hdf_reason(KANE_NO_FILE, sizeof reason, reason);
    kane_errors_add_input(errors, status, place, "%s: %s", what, reason);
    return status;
}

#endif
