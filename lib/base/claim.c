// SPDX-License-Identifier: MIT
// Claims are locks of the system on the whole file: those that belong to the open file where there are such (Linux),
// else those of the process (POSIX).

#define _GNU_SOURCE // F_OFD_SETLK

#include "base/file.h"

#include "base/machine.h"
#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef F_OFD_SETLK
enum { LOCK_FILE = F_OFD_SETLK };
#else
enum { LOCK_FILE = F_SETLK };
#endif

// Between two tries of one that waits [s]: doubled from the first to the last.
static const double SHORTEST = 1e-3, LONGEST = 0.05;

int kane_claim_take(int file, kane_claim_owner owner)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, owner == KANE_CLAIM_OF_FILE ? LOCK_FILE : F_SETLK, &lock) == 0)
        return 0;
    return errno == EACCES ? EAGAIN : errno;
}

int kane_claim_is_taken(int file, long *process)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    *process          = 0;
    if (fcntl(file, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
        return 0;
    *process = lock.l_pid > 0 ? (long)lock.l_pid : 0;
    return 1;
}

kane_claimant kane_claimant_now(void)
{
    kane_claimant now  = {.process = (long)getpid()};
    const time_t clock = time(NULL);
    struct tm utc;
    if (gmtime_r(&clock, &utc))
        (void)strftime(now.when, sizeof now.when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (gethostname(now.host, sizeof now.host - 1) != 0)
        now.host[0] = '\0';
    for (char *p = now.host; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", *p))
            *p = '_';
    return now;
}

double kane_claim_time(const char *when)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}; // days before a month
    int year, month, day, hour, minute, second;
    if (sscanf(when, "%d-%d-%dT%d:%d:%dZ", &year, &month, &day, &hour, &minute, &second) != 6 || year < 1970 ||
        month < 1 || month > 12)
        return -1.0;
    const int is_over = month > 2; // a leap year's day counts from March on
    const int leaps   = (year - !is_over) / 4 - (year - !is_over) / 100 + (year - !is_over) / 400 - 477; // since 1970
    const long days   = 365L * (year - 1970) + leaps + before[month - 1] + day - 1;
    return 86400.0 * (double)days + 3600.0 * hour + 60.0 * minute + second;
}

kane_status kane_claim_refuse(const char *name, const kane_claimant *by, kane_errors *errors)
{
    if (by->process > 0 && by->host[0])
        kane_errors_add(errors, KANE_IN_USE,
                        "%s is being written by process %ld on %s since %s: wait for its end, or end it", name,
                        by->process, by->host, by->when);
    else if (by->process > 0)
        kane_errors_add(errors, KANE_IN_USE, "%s is being written by process %ld: wait for its end, or end it", name,
                        by->process);
    else
        kane_errors_add(errors, KANE_IN_USE, "%s is being written by another process: wait for its end, or end it",
                        name);
    return KANE_IN_USE;
}

// --- directories ---

static kane_status report_no_claim(const char *directory, int why, kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_FILE, "the directory %s cannot be claimed for writing: %s", directory,
                    kane_system_text(why));
    return KANE_NO_FILE;
}

// Process, host and time of a claim from its file; process 0: unreadable.
static void read_claimant(int file, kane_claimant *by)
{
    char text[256] = "";
    *by            = (kane_claimant){.process = 0};
    if (pread(file, text, sizeof text - 1, 0) > 0 &&
        sscanf(text, "process %ld on %63s since %31s", &by->process, by->host, by->when) != 3)
        *by = (kane_claimant){.process = 0};
}

static void write_claimant(int file)
{
    const kane_claimant me = kane_claimant_now();
    char text[256];
    const int length =
        snprintf(text, sizeof text, "process %ld on %s since %s\n", me.process, me.host[0] ? me.host : "-", me.when);
    if (ftruncate(file, 0) == 0)
        (void)!pwrite(file, text, (size_t)length, 0); // only for people: the lock is what counts
}

// 1 if the name is still that of the open file: the claim's last owner may have removed it.
static int is_there(const kane_claim *claim)
{
    struct stat named, open_one;
    return stat(claim->name, &named) == 0 && fstat(claim->file, &open_one) == 0 && named.st_dev == open_one.st_dev &&
           named.st_ino == open_one.st_ino;
}

// When something in the directory of the file changed last; 0 if that cannot be known.
static struct timespec last_change(const kane_claim *claim)
{
    struct timespec last = {0};
    char path[sizeof claim->name + NAME_MAX + 1];
    const int length = (int)(strrchr(claim->name, '/') - claim->name);
    (void)snprintf(path, sizeof path, "%.*s", length, claim->name);
    DIR *entries = opendir(path);
    for (const struct dirent *d; entries && (d = readdir(entries));) {
        struct stat is;
        (void)snprintf(path, sizeof path, "%.*s/%s", length, claim->name, d->d_name);
        if (stat(path, &is) == 0 && (is.st_mtim.tv_sec > last.tv_sec ||
                                     (is.st_mtim.tv_sec == last.tv_sec && is.st_mtim.tv_nsec > last.tv_nsec)))
            last = is.st_mtim;
    }
    if (entries)
        (void)closedir(entries);
    return last;
}

// Opens and claims the file; 0, EAGAIN if another one has it or errno. A claimed file that has lost its name meanwhile,
// or that another machine has removed (ESTALE, network file systems), claims nothing: the next one is tried.
static int claim_file(kane_claim *claim)
{
    for (;;) {
        claim->file = open(claim->name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
        if (claim->file < 0)
            return errno;
        const int why = kane_claim_take(claim->file, KANE_CLAIM_OF_FILE);
        if ((why && why != ESTALE) || (!why && is_there(claim)))
            return why;
        (void)close(claim->file);
    }
}

static int wait_for_file(kane_claim *claim, double patience)
{
    struct timespec before = last_change(claim);
    double since = kane_clock(), looked = since;
    for (double pause = SHORTEST;; pause = fmin(2.0 * pause, LONGEST)) {
        if (claim->file >= 0)
            (void)close(claim->file);
        kane_clock_wait(kane_clock() + pause);
        const int why    = claim_file(claim);
        const double now = kane_clock();
        if (why != EAGAIN)
            return why;
        if (now - looked < fmin(1.0, 0.25 * patience))
            continue;
        const struct timespec is = last_change(claim);
        looked                   = now;
        if (is.tv_sec != before.tv_sec || is.tv_nsec != before.tv_nsec) {
            before = is;
            since  = now;
        }
        if (now - since > patience)
            return EAGAIN;
    }
}

static kane_status claim_directory(kane_claim *claim, const char *directory, double patience, int *waited,
                                   kane_errors *errors)
{
    claim->file = -1;
    *waited     = 0;
    if ((size_t)snprintf(claim->name, sizeof claim->name, "%s/run.lock", directory) >= sizeof claim->name)
        return report_no_claim(directory, ENAMETOOLONG, errors);
    int why = claim_file(claim);
    if (why == EAGAIN && patience > 0.0) {
        *waited = 1;
        why     = wait_for_file(claim, patience);
    }
    if (!why) {
        write_claimant(claim->file);
        return KANE_OK;
    }
    kane_claimant by = {.process = 0};
    if (claim->file >= 0) {
        read_claimant(claim->file, &by);
        (void)close(claim->file);
        claim->file = -1;
    }
    return why == EAGAIN ? kane_claim_refuse(directory, &by, errors) : report_no_claim(directory, why, errors);
}

kane_status kane_claim_directory(kane_claim *claim, const char *directory, kane_errors *errors)
{
    int waited;
    return claim_directory(claim, directory, 0.0, &waited, errors);
}

kane_status kane_claim_directory_wait(kane_claim *claim, const char *directory, double patience, int *waited,
                                      kane_errors *errors)
{
    return claim_directory(claim, directory, patience, waited, errors);
}

int kane_claim_keep_room(const kane_claim *claim, size_t size)
{
    const int failed = posix_fallocate(claim->file, 0, (off_t)size);
    return failed == EOPNOTSUPP || failed == EINVAL ? 0 : failed; // EINVAL is what some file systems say instead
}

void kane_claim_free_room(const kane_claim *claim)
{
    enum { WORDS = 256 }; // of the claim's owner
    struct stat about;
    if (fstat(claim->file, &about) == 0 && about.st_size > WORDS)
        (void)!ftruncate(claim->file, WORDS);
}

void kane_claim_release(kane_claim *claim)
{
    if (claim->file < 0)
        return;
    (void)unlink(claim->name); // while it is still claimed
    (void)close(claim->file);
    claim->file = -1;
}
