// SPDX-License-Identifier: MIT
// Journals. A line ends with a checksum of what stands before it and of the plan; a line whose checksum is right was
// written as a whole by one of the functions here, so that it is read as they write it. The writer of a journal has
// claimed it; the claim is the process's, not that of the workers that inherit the open file, and ends with it.

#include "plan/journal.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/machine.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char CHECK[] = ", \"check\": \"";
enum { CHECK_LENGTH = sizeof CHECK - 1, HASH_LENGTH = 16, TAIL_LENGTH = CHECK_LENGTH + HASH_LENGTH + 2 };

// --- lines: writing ---

static void write_value(FILE *out, double value)
{
    char text[KANE_NUMBER_SIZE];
    kane_number_format(value, text);
    (void)fprintf(out, isfinite(value) ? "%s" : "\"%s\"", text);
}

static void write_literal(FILE *out, const char *text)
{
    kane_writer w = kane_writer_start(out);
    kane_writer_text(&w, NULL, text);
}

// Adds the checksum to a line in a memory stream, and closes it. NULL: no memory.
static char *close_line(FILE *out, uint64_t key, char **text, size_t *length)
{
    if (fflush(out) == 0)
        (void)fprintf(out, "%s%016" PRIx64 "\"}\n", CHECK, kane_hash_text(*text, *length, key));
    const int failed = ferror(out);
    if (fclose(out) == 0 && !failed)
        return *text;
    free(*text);
    return NULL;
}

char *kane_line_of_case(uint64_t key, int index, const kane_case *c, int value_count, size_t *length)
{
    char *text = NULL;
    FILE *out  = open_memstream(&text, length);
    if (!out)
        return NULL;
    (void)fprintf(out, "{\"case\": %d, \"state\": \"%s\", \"values\": [", index + 1,
                  c->state == KANE_CASE_DONE ? "done" : "failed");
    for (int i = 0; i < value_count; i++) {
        (void)fputs(i > 0 ? ", " : "", out);
        write_value(out, c->values[i]);
    }
    (void)fputs("], \"why\": ", out);
    write_literal(out, c->why);
    return close_line(out, key, &text, length);
}

char *kane_line_of_beginning(uint64_t key, const kane_claimant *writing, size_t *length)
{
    char *text = NULL;
    FILE *out  = open_memstream(&text, length);
    if (!out)
        return NULL;
    (void)fprintf(out, "{\"begin\": \"%s\", \"host\": \"%s\", \"process\": %ld", writing->when, writing->host,
                  writing->process);
    return close_line(out, key, &text, length);
}

// --- lines: reading ---

static int is_whole(uint64_t key, const char *line, size_t length)
{
    char hash[HASH_LENGTH + 1];
    if (length <= TAIL_LENGTH)
        return 0;
    const char *tail = line + length - TAIL_LENGTH;
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, kane_hash_text(line, length - TAIL_LENGTH, key));
    return memcmp(tail, CHECK, CHECK_LENGTH) == 0 && memcmp(tail + CHECK_LENGTH, hash, HASH_LENGTH) == 0 &&
           memcmp(tail + CHECK_LENGTH + HASH_LENGTH, "\"}", 2) == 0;
}

// Text after `expected` if the text begins with it, else NULL.
static const char *skip_expected(const char *at, const char *expected)
{
    const size_t length = strlen(expected);
    return at && strncmp(at, expected, length) == 0 ? at + length : NULL;
}

static const char *read_value(const char *at, double *value)
{
    static const struct {
        const char *text;
        double value;
    } words[] = {{"\"nan\"", (double)NAN}, {"\"inf\"", (double)INFINITY}, {"\"-inf\"", -(double)INFINITY}};
    for (int i = 0; at && i < 3; i++) {
        *value = words[i].value;
        if (skip_expected(at, words[i].text))
            return skip_expected(at, words[i].text);
    }
    const size_t length = at ? kane_number_length(at) : 0;
    if (length == 0 || length > KANE_NUMBER_LENGTH)
        return NULL;
    *value = kane_number_value(at, length, 0);
    return at + length;
}

// NULL: it is none, or *status is KANE_NO_MEMORY.
static const char *read_why(const char *at, const char *end, char why[KANE_CASE_WHY], kane_status *status)
{
    char text[4 * KANE_CASE_WHY]; // what is not UTF-8 has become longer
    const size_t length = at ? kane_scan_literal(at, (size_t)(end - at)) : 0;
    *status             = length > 0 ? kane_json_literal(at, length, sizeof text, text) : KANE_BAD_INPUT;
    if (*status != KANE_OK)
        return NULL;
    kane_text_copy(KANE_CASE_WHY, why, text);
    return at + length;
}

static kane_line_kind read_case(const char *at, const char *line_end, int case_count, int value_count, int *index,
                                kane_case *c)
{
    char *end;
    const long number = strtol(at, &end, 10);
    if (end == at || number < 1 || number > case_count)
        return KANE_LINE_TORN;
    *index           = (int)number - 1;
    at               = skip_expected(end, ", \"state\": ");
    const char *done = skip_expected(at, "\"done\"");
    c->state         = done ? KANE_CASE_DONE : KANE_CASE_FAILED;
    at               = skip_expected(done ? done : skip_expected(at, "\"failed\""), ", \"values\": [");
    for (int i = 0; i < value_count; i++)
        at = read_value(i > 0 ? skip_expected(at, ", ") : at, &c->values[i]);
    kane_status status;
    at = read_why(skip_expected(at, "], \"why\": "), line_end, c->why, &status);
    if (status == KANE_NO_MEMORY)
        return KANE_LINE_UNREAD;
    return skip_expected(at, CHECK) ? KANE_LINE_CASE : KANE_LINE_TORN;
}

static kane_line_kind read_beginning(const char *at, kane_claimant *w)
{
    *w = (kane_claimant){.process = 0};
    if (sscanf(at, "\"%31[^\"]\"", w->when) != 1 || !(at = strstr(at, "\"host\": ")))
        return KANE_LINE_TORN;
    if (sscanf(at, "\"host\": \"%63[^\"]\"", w->host) != 1)
        w->host[0] = '\0';
    at = strstr(at, "\"process\": ");
    return at && sscanf(at, "\"process\": %ld", &w->process) == 1 ? KANE_LINE_BEGIN : KANE_LINE_TORN;
}

kane_line_kind kane_line_read(uint64_t key, const char *line, size_t length, int case_count, int value_count,
                              int *index, kane_case *c, kane_claimant *writing)
{
    if (!is_whole(key, line, length))
        return KANE_LINE_TORN;
    const char *at = skip_expected(line, "{\"case\": ");
    if (at)
        return read_case(at, line + length, case_count, value_count, index, c);
    at = skip_expected(line, "{\"begin\": ");
    return at ? read_beginning(at, writing) : KANE_LINE_TORN;
}

static kane_status report_file_error(const kane_journal *j, const char *what, int why, kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_FILE, "%s cannot be %s: %s", j->name, what, kane_system_text(why));
    return KANE_NO_FILE;
}

// A pipe or a device would keep nothing, or keep us waiting.
static kane_status check_kind(const kane_journal *j, int file, struct stat *is, kane_errors *errors)
{
    if (fstat(file, is) != 0)
        return report_file_error(j, "read", errno, errors);
    if (S_ISDIR(is->st_mode))
        return report_file_error(j, "read", EISDIR, errors);
    if (S_ISREG(is->st_mode))
        return KANE_OK;
    kane_errors_add(errors, KANE_NO_FILE, "%s cannot be a journal: it is a pipe or a device, no file", j->name);
    return KANE_NO_FILE;
}

// --- files: reading ---

// The whole file, terminated. KANE_OK, or a status with an error.
static kane_status load_file(const kane_journal *j, int file, char **text, size_t *length, kane_errors *errors)
{
    struct stat is;
    if (check_kind(j, file, &is, errors) != KANE_OK)
        return KANE_NO_FILE;
    *text   = kane_allocate((size_t)is.st_size + 1, 1);
    *length = 0;
    if (!*text)
        return report_file_error(j, "read", ENOMEM, errors);
    while (*length < (size_t)is.st_size) {
        const ssize_t n = pread(file, *text + *length, (size_t)is.st_size - *length, (off_t)*length);
        if (n < 0 && errno != EINTR) {
            const int why = errno;
            kane_release(*text);
            return report_file_error(j, "read", why, errors);
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
        return report_file_error(j, "read", errno, errors);
    kane_status status = load_file(j, file, &text, &length, errors);
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

// --- files: opening ---

static kane_status find_writing(const kane_journal *j, int number, const char *text, size_t length, void *data)
{
    kane_case none;
    int index;
    kane_claimant w, *found = data;
    (void)number;
    if (kane_line_read(j->key, text, length, 0, 0, &index, &none, &w) == KANE_LINE_BEGIN)
        *found = w;
    return KANE_OK;
}

static kane_status report_lock(kane_journal *j, kane_errors *errors)
{
    kane_claimant found = {.process = 0};
    if (kane_journal_read(j, find_writing, &found, NULL) != KANE_OK || found.process == 0)
        (void)kane_claim_is_taken(j->file, &found.process);
    return kane_claim_refuse(j->name, &found, errors);
}

kane_status kane_journal_open(kane_journal *j, kane_errors *errors)
{
    struct stat is;
    j->file = open(j->name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
    if (j->file < 0)
        return report_file_error(j, "written", errno, errors);
    kane_status status = check_kind(j, j->file, &is, errors);
    const int why      = status == KANE_OK ? kane_claim_take(j->file, KANE_CLAIM_OF_PROCESS) : 0;
    if (status == KANE_OK && !why)
        return KANE_OK;
    if (status == KANE_OK)
        status = why == EAGAIN ? report_lock(j, errors) : report_file_error(j, "locked", why, errors);
    (void)close(j->file);
    j->file = -1;
    return status;
}

// --- files: writing ---

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
    (void)!ftruncate(j->file, j->end); // if that fails, kane_journal_begin of the next process does it
    return report_file_error(j, "written", why, errors);
}

kane_status kane_journal_begin(kane_journal *j, kane_errors *errors)
{
    const kane_claimant now = kane_claimant_now();
    size_t length;
    char *line = kane_line_of_beginning(j->key, &now, &length);
    if (!line)
        return report_file_error(j, "written", ENOMEM, errors);
    kane_status status = ftruncate(j->file, j->end) == 0 ? KANE_OK : report_file_error(j, "written", errno, errors);
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
