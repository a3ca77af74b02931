// SPDX-License-Identifier: MIT
// Directories for results.

#include "base/directory.h"
#include "base/print.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static kane_status fail(const char *path, const char *why, kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_FILE, "the directory %s cannot be made: %s", path, why);
    return KANE_NO_FILE;
}

kane_status kane_directory_make(const char *path, kane_errors *errors)
{
    char part[4096];
    const size_t length = strlen(path);
    struct stat is;
    if (length == 0 || length >= sizeof part)
        return fail(path, length == 0 ? "it has no name" : "its name is too long", errors);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return fail(part, kane_system_text(errno), errors);
    }
    if (stat(path, &is) != 0 || !S_ISDIR(is.st_mode))
        return fail(path, "there is a file of that name", errors);
    return KANE_OK;
}
