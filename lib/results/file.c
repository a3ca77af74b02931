// SPDX-License-Identifier: MIT
// Files as the system gives them.

#include "results/results.h"

#include "base/arena.h"
#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int kane_file_create(const char *file, kane_errors *errors)
{
    const int descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0)
        (void)kane_file_error(errors, file, "cannot be written", errno);
    return descriptor;
}

int kane_file_write(int descriptor, size_t length, const char *bytes)
{
    while (length > 0) {
        const ssize_t n = write(descriptor, bytes, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        bytes += n;
        length -= (size_t)n;
    }
    return 0;
}

// Reads until `size` bytes or the end. 0, or errno.
static int read_up_to(int descriptor, size_t size, char *bytes, size_t *length)
{
    for (*length = 0; *length < size;) {
        const ssize_t n = read(descriptor, bytes + *length, size - *length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : 0;
        *length += (size_t)n;
    }
    return 0;
}

// Allocates and reads. 0, or errno.
static int allocate_and_read(int descriptor, size_t most, char **bytes, size_t *length)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0)
        return errno;
    const size_t size = (size_t)about.st_size < most ? (size_t)about.st_size : most;
    *bytes            = kane_allocate(size + 1, 1);
    return *bytes ? read_up_to(descriptor, size, *bytes, length) : ENOMEM;
}

kane_status kane_file_load(const char *file, size_t most, char **bytes, size_t *length, kane_errors *errors)
{
    *bytes               = NULL;
    const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    const int failed     = descriptor < 0 ? errno : allocate_and_read(descriptor, most, bytes, length);
    if (descriptor >= 0)
        (void)close(descriptor);
    if (!failed)
        return KANE_OK;
    kane_release(*bytes);
    *bytes = NULL;
    return kane_file_error(errors, file, "cannot be read", failed);
}

int kane_file_reserve(int descriptor, size_t from, size_t size)
{
    const int failed = posix_fallocate(descriptor, (off_t)from, (off_t)size);
    return failed == EOPNOTSUPP || failed == EINVAL ? 0 : failed; // EINVAL is what some file systems say instead
}

int kane_file_copy(int from, int to)
{
    char buffer[1 << 12];
    for (;;) {
        const ssize_t n = read(from, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : 0;
        const int failed = kane_file_write(to, (size_t)n, buffer);
        if (failed)
            return failed;
    }
}

static int is_left(const char *name)
{
    static const char *const begins[] = {"results.h5.", "results.csv.", "manifest.json.", "status.json."};
    const size_t length               = strlen(name);
    if (length < 4 || strcmp(name + length - 4, ".new") != 0)
        return 0;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return 1;
    return 0;
}

int kane_file_remove_left(const char *directory)
{
    char name[PATH_MAX];
    int removed  = 0;
    DIR *entries = opendir(directory);
    for (const struct dirent *d; entries && (d = readdir(entries));) {
        (void)snprintf(name, sizeof name, "%s/%s", directory, d->d_name);
        removed += is_left(d->d_name) && unlink(name) == 0;
    }
    if (entries)
        (void)closedir(entries);
    return removed;
}

kane_status kane_file_error(kane_errors *errors, const char *file, const char *what, int reason)
{
    const kane_place place   = {.file = file, .path = ""};
    const kane_status status = reason == ENOMEM ? KANE_NO_MEMORY : KANE_NO_FILE;
    kane_errors_add_input(errors, status, place, "%s: %s", what, kane_system_text(reason));
    return status;
}
