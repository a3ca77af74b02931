// SPDX-License-Identifier: MIT
// Files that are replaced in one step: written under another name, flushed to the disk, then renamed. Until then the
// writer holds a file lock, which distinguishes files of a running process, also on another machine, from those that a
// killed process has left.

#define _GNU_SOURCE // renameat2

#include "base/file.h"

#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static kane_status report_not_written(const char *name, int why, kane_errors *errors)
{
    const kane_status status = why == ENOMEM ? KANE_NO_MEMORY : KANE_NO_FILE;
    kane_errors_add(errors, status, "%s cannot be written: %s", name, kane_system_text(why));
    return status;
}

// --- what others have left ---

// Back over the digits before `end`.
static const char *before_digits(const char *begin, const char *end)
{
    while (end > begin && end[-1] >= '0' && end[-1] <= '9')
        end--;
    return end;
}

long kane_replacement_process(const char *name, size_t *base)
{
    const size_t length = strlen(name);
    if (length < 4 || memcmp(name + length - 4, ".new", 4) != 0)
        return 0;
    const char *end = name + length - 4, *number = before_digits(name, end);
    if (number == end || number == name || number[-1] != '-')
        return 0;
    const char *process = before_digits(name, number - 1);
    if (process == number - 1 || process - name < 2 || process[-1] != '.')
        return 0;
    long is = 0;
    for (const char *digit = process; digit < number - 1 && is < LONG_MAX / 10 - 9; digit++)
        is = 10 * is + (*digit - '0');
    *base = (size_t)(process - 1 - name);
    return is;
}

// A process that still writes has claimed its file; the claim of one that was killed has ended with it.
static int remove_unclaimed(int folder, const char *name)
{
    const int file   = openat(folder, name, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    const int is_old = file >= 0 && kane_claim_take(file, KANE_CLAIM_OF_FILE) == 0 && unlinkat(folder, name, 0) == 0;
    if (file >= 0)
        (void)close(file);
    return is_old;
}

// Those of the file `base`, or of any file (NULL).
static int remove_left(const char *folder, const char *base)
{
    DIR *entries = opendir(folder);
    int removed  = 0;
    for (const struct dirent *d; entries && (d = readdir(entries));) {
        size_t length;
        if (!kane_replacement_process(d->d_name, &length))
            continue;
        if (!base || (strlen(base) == length && memcmp(d->d_name, base, length) == 0))
            removed += remove_unclaimed(dirfd(entries), d->d_name);
    }
    if (entries)
        (void)closedir(entries);
    return removed;
}

int kane_replacements_clean(const char *directory)
{
    return remove_left(directory, NULL);
}

// "DIR/" of DIR/NAME, "." of NAME alone.
static void folder_of(const char *name, size_t size, char *folder)
{
    const char *slash = strrchr(name, '/');
    (void)snprintf(folder, size, "%.*s", slash ? (int)(slash - name) + 1 : 1, slash ? name : ".");
}

// --- writing ---

// A new file with a claim on it. Between both another process may have taken it for one that was left: it has the claim
// then (EAGAIN), or has taken the name away already. 0, or errno.
static int create_fresh(kane_replacement *r, int *file)
{
    struct stat about;
    for (;;) {
        struct timespec now;
        (void)clock_gettime(CLOCK_REALTIME, &now);
        (void)snprintf(r->fresh, sizeof r->fresh, "%s.%ld-%ld.new", r->name, (long)getpid(), (long)now.tv_nsec);
        *file = open(r->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*file < 0)
            return errno;
        const int why = kane_claim_take(*file, KANE_CLAIM_OF_FILE); // not on every file system: another errno
        if (why != EAGAIN && fstat(*file, &about) == 0 && about.st_nlink > 0)
            return 0;
        (void)close(*file);
    }
}

kane_status kane_replacement_open(kane_replacement *r, const char *name, kane_errors *errors)
{
    char folder[4096];
    int file;
    *r = (kane_replacement){.file = NULL};
    if (strlen(name) >= sizeof r->name)
        return report_not_written(name, ENAMETOOLONG, errors);
    (void)snprintf(r->name, sizeof r->name, "%s", name);
    folder_of(name, sizeof folder, folder);
    (void)remove_left(folder, strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
    const int failed = create_fresh(r, &file);
    if (failed)
        return report_not_written(name, failed, errors);
    r->file = fdopen(file, "w");
    if (r->file)
        return KANE_OK;
    const int why = errno;
    (void)close(file);
    (void)unlink(r->fresh);
    return report_not_written(name, why, errors);
}

void kane_replacement_drop(kane_replacement *r)
{
    if (!r->file)
        return;
    (void)unlink(r->fresh);
    (void)fclose(r->file);
    r->file = NULL;
}

static int sync_file(int file)
{
    return fsync(file) != 0 && errno != EINVAL ? errno : 0; // some file systems have none
}

// errno of a failed write. stdio keeps only that it failed; writing one more byte gives the reason.
static int find_reason(FILE *file)
{
    errno = 0;
    return write(fileno(file), "", 1) < 0 && errno ? errno : EIO;
}

// All of it is on the disk. The file stays open: its claim ends when it is closed. Returns 0 or an errno.
static int bring_to_disk(const kane_replacement *r)
{
    return ferror(r->file) || fflush(r->file) != 0 ? find_reason(r->file) : sync_file(fileno(r->file));
}

// Closes what has its name, or is given up. Nothing is left to be written.
static void close_file(kane_replacement *r)
{
    (void)fclose(r->file);
    r->file = NULL;
}

// The name in its directory is on the disk too, where that can be done.
static void sync_directory(const char *name)
{
    char folder[4096];
    folder_of(name, sizeof folder, folder);
    const int directory = open(folder, O_RDONLY | O_CLOEXEC);
    if (directory >= 0) {
        (void)fsync(directory);
        (void)close(directory);
    }
}

kane_status kane_replacement_close(kane_replacement *r, kane_errors *errors)
{
    int why = bring_to_disk(r);
    if (!why && rename(r->fresh, r->name) != 0)
        why = errno;
    if (why)
        (void)unlink(r->fresh);
    close_file(r);
    if (why)
        return report_not_written(r->name, why, errors);
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

// Renames unless the name is taken. Where the system cannot do that in one step, only the look before the leap is left.
static int rename_first(const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
#endif
    if (access(to, F_OK) == 0)
        return EEXIST;
    return rename(from, to) == 0 ? 0 : errno;
}

// A link fails if the name is taken. Some file systems have none.
static int place_first(const kane_replacement *r)
{
    if (link(r->fresh, r->name) == 0)
        return 0;
    if (errno != EPERM && errno != ENOSYS && errno != ENOTSUP && errno != EOPNOTSUPP && errno != EMLINK)
        return errno;
    return rename_first(r->fresh, r->name);
}

kane_status kane_replacement_close_first(kane_replacement *r, kane_errors *errors)
{
    int why = bring_to_disk(r);
    if (!why)
        why = place_first(r);
    (void)unlink(r->fresh);
    close_file(r);
    if (why == EEXIST)
        return KANE_RETRY;
    if (why)
        return report_not_written(r->name, why, errors);
    sync_directory(r->name);
    return KANE_OK;
}
