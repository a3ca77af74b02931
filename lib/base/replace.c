// SPDX-License-Identifier: MIT
// Files that are replaced in one step: written under another name, brought to the disk, then renamed.

#include "base/print.h"
#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static kane_status fail(const char *name, int why, kane_errors *errors)
{
    const kane_status status = why == ENOMEM ? KANE_NO_MEMORY : KANE_NO_FILE;
    kane_errors_add(errors, status, "%s cannot be written: %s", name, kane_system_text(why));
    return status;
}

kane_status kane_replacement_open(kane_replacement *r, const char *name, kane_errors *errors)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *r = (kane_replacement){.file = NULL};
    if (strlen(name) >= sizeof r->name)
        return fail(name, ENAMETOOLONG, errors);
    (void)snprintf(r->name, sizeof r->name, "%s", name);
    (void)snprintf(r->fresh, sizeof r->fresh, "%s.%ld-%ld.new", name, (long)getpid(), (long)now.tv_nsec);
    const int file = open(r->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return fail(name, errno, errors);
    r->file = fdopen(file, "w");
    if (r->file)
        return KANE_OK;
    const int why = errno;
    (void)close(file);
    (void)unlink(r->fresh);
    return fail(name, why, errors);
}

void kane_replacement_drop(kane_replacement *r)
{
    if (!r->file)
        return;
    (void)fclose(r->file);
    (void)unlink(r->fresh);
    r->file = NULL;
}

static int sync_file(int file)
{
    return fsync(file) != 0 && errno != EINVAL ? errno : 0; // some file systems have none
}

// Why writing has failed at some time, which stdio does not keep: the next byte tells.
static int find_reason(FILE *file)
{
    errno = 0;
    return write(fileno(file), "", 1) < 0 && errno ? errno : EIO;
}

// All of it is on the disk, and the file closed. Returns 0 or an errno.
static int finish(kane_replacement *r)
{
    int why = 0;
    if (ferror(r->file) || fflush(r->file) != 0)
        why = find_reason(r->file);
    if (!why)
        why = sync_file(fileno(r->file));
    if (fclose(r->file) != 0 && !why)
        why = errno;
    r->file = NULL;
    return why;
}

// The name in its directory is on the disk too, where that can be done.
static void sync_directory(const char *name)
{
    char folder[4096];
    const char *slash = strrchr(name, '/');
    (void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - name) + 1 : 1, slash ? name : ".");
    const int directory = open(folder, O_RDONLY | O_CLOEXEC);
    if (directory >= 0) {
        (void)fsync(directory);
        (void)close(directory);
    }
}

kane_status kane_replacement_close(kane_replacement *r, kane_errors *errors)
{
    int why = finish(r);
    if (!why && rename(r->fresh, r->name) != 0)
        why = errno;
    if (why) {
        (void)unlink(r->fresh);
        return fail(r->name, why, errors);
    }
    sync_directory(r->name);
    return KANE_OK;
}

int kane_replace_by(const char *fresh, const char *name)
{
    const int file = open(fresh, O_RDONLY | O_CLOEXEC);
    int why        = file < 0 ? errno : sync_file(file);
    if (file >= 0)
        (void)close(file);
    if (!why && rename(fresh, name) != 0)
        why = errno;
    if (!why)
        sync_directory(name);
    return why;
}

// A link fails if the name is taken. File systems without links have only the look before the leap.
static int place_first(const kane_replacement *r)
{
    if (link(r->fresh, r->name) == 0)
        return 0;
    if (errno != EPERM && errno != ENOSYS && errno != ENOTSUP && errno != EOPNOTSUPP && errno != EMLINK)
        return errno;
    if (access(r->name, F_OK) == 0)
        return EEXIST;
    return rename(r->fresh, r->name) == 0 ? 0 : errno;
}

kane_status kane_replacement_close_first(kane_replacement *r, kane_errors *errors)
{
    int why = finish(r);
    if (!why)
        why = place_first(r);
    (void)unlink(r->fresh);
    if (why == EEXIST)
        return KANE_RETRY;
    if (why)
        return fail(r->name, why, errors);
    sync_directory(r->name);
    return KANE_OK;
}
