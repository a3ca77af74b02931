// SPDX-License-Identifier: MIT
// Journals: opening, reading, adding lines. Who writes one has claimed it; the claim is the process's, not that of the
// workers that inherit the open file, and ends with it.

#include "plan/journal.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static kane_status fail(const kane_journal *j, const char *what, int why, kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_FILE, "%s cannot be %s: %s", j->name, what, strerror(why));
    return KANE_NO_FILE;
}

// A pipe or a device would keep nothing, or keep us waiting.
static kane_status check_kind(const kane_journal *j, int file, struct stat *is, kane_errors *errors)
{
    if (fstat(file, is) != 0)
        return fail(j, "read", errno, errors);
    if (S_ISDIR(is->st_mode))
        return fail(j, "read", EISDIR, errors);
    if (S_ISREG(is->st_mode))
        return KANE_OK;
    kane_errors_add(errors, KANE_NO_FILE, "%s cannot be a journal: it is a pipe or a device, no file", j->name);
    return KANE_NO_FILE;
}

// --- reading ---

// The whole file, terminated. KANE_OK or an error that has been told.
static kane_status load(const kane_journal *j, int file, char **text, size_t *length, kane_errors *errors)
{
    struct stat is;
    if (check_kind(j, file, &is, errors) != KANE_OK)
        return KANE_NO_FILE;
    *text   = kane_allocate((size_t)is.st_size + 1, 1);
    *length = 0;
    if (!*text)
        return fail(j, "read", ENOMEM, errors);
    while (*length < (size_t)is.st_size) {
        const ssize_t n = pread(file, *text + *length, (size_t)is.st_size - *length, (off_t)*length);
        if (n < 0 && errno != EINTR) {
            const int why = errno;
            kane_release(*text);
            return fail(j, "read", why, errors);
        }
        if (n == 0)
            break;
        *length += n > 0 ? (size_t)n : 0;
    }
    (*text)[*length] = '\0';
    return KANE_OK;
}

kane_status kane_journal_read(kane_journal *j, kane_journal_visit visit, void *data, kane_errors *errors)
{
    const int file = j->file >= 0 ? j->file : open(j->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text;
    size_t length;
    if (file < 0)
        return fail(j, "read", errno, errors);
    kane_status status = load(j, file, &text, &length, errors);
    if (j->file < 0)
        (void)close(file);
    if (status != KANE_OK)
        return status;
    j->end     = 0;
    int number = 1;
    for (const char *line = text, *end; status == KANE_OK; line = end + 1, number++) {
        end = memchr(line, '\n', length - (size_t)(line - text));
        if (!end)
            break;
        status = visit(j, number, line, (size_t)(end - line), data);
        j->end = (off_t)(end + 1 - text);
    }
    kane_release(text);
    return status;
}

// --- opening ---

typedef struct search {
    kane_claimant found;
} search;

static kane_status find_writing(const kane_journal *j, int number, const char *text, size_t length, void *data)
{
    kane_case none;
    int index;
    search *s = data;
    kane_claimant w;
    (void)number;
    if (kane_line_read(j->key, text, length, 0, 0, &index, &none, &w) == KANE_LINE_BEGIN)
        s->found = w;
    return KANE_OK;
}

static kane_status report_lock(kane_journal *j, kane_errors *errors)
{
    search s = {.found = {.process = 0}};
    if (kane_journal_read(j, find_writing, &s, NULL) != KANE_OK || s.found.process == 0)
        (void)kane_claim_is_taken(j->file, &s.found.process);
    return kane_claim_refuse(j->name, &s.found, errors);
}

kane_status kane_journal_open(kane_journal *j, kane_errors *errors)
{
    struct stat is;
    j->file = open(j->name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
    if (j->file < 0)
        return fail(j, "written", errno, errors);
    kane_status status = check_kind(j, j->file, &is, errors);
    const int why      = status == KANE_OK ? kane_claim_take(j->file, KANE_CLAIM_OF_PROCESS) : 0;
    if (status == KANE_OK && !why)
        return KANE_OK;
    if (status == KANE_OK)
        status = why == EAGAIN ? report_lock(j, errors) : fail(j, "locked", why, errors);
    (void)close(j->file);
    j->file = -1;
    return status;
}

// --- writing ---

static int write_all(int file, const char *text, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = write(file, text + done, length - done);
        if (n < 0 && errno != EINTR)
            return errno;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

kane_status kane_journal_add(kane_journal *j, const char *line, size_t length, kane_errors *errors)
{
    const int why = write_all(j->file, line, length);
    if (!why) {
        j->end += (off_t)length;
        j->is_fresh = 1;
        return KANE_OK;
    }
    (void)!ftruncate(j->file, j->end); // if not even that is possible, whoever opens it next does it
    return fail(j, "written", why, errors);
}

kane_status kane_journal_begin(kane_journal *j, kane_errors *errors)
{
    const kane_claimant now = kane_claimant_now();
    size_t length;
    char *line = kane_line_of_beginning(j->key, &now, &length);
    if (!line)
        return fail(j, "written", ENOMEM, errors);
    kane_status status = ftruncate(j->file, j->end) == 0 ? KANE_OK : fail(j, "written", errno, errors);
    if (status == KANE_OK)
        status = kane_journal_add(j, line, length, errors);
    free(line);
    return status;
}

void kane_journal_flush(kane_journal *j)
{
    if (j->is_fresh)
        (void)fsync(j->file);
    j->is_fresh = 0;
}

void kane_journal_close(kane_journal *j)
{
    if (j->file < 0)
        return;
    kane_journal_flush(j);
    (void)close(j->file);
    j->file = -1;
}
