// SPDX-License-Identifier: MIT
// What a killed run has left, made as if it had ended where it was killed.

#include <kane/results.h>

#include "base/arena.h"
#include "base/file.h"
#include "results/results.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char RUNNING[] = "\"state\": \"running\"", KILLED[] = "\"state\": \"killed\"";

// --- manifest and status ---

// The text with another state, in the arena; unchanged if it does not say that the run goes on.
static const char *as_killed(kane_arena *arena, const char *text)
{
    const char *found = strstr(text, RUNNING);
    if (!found)
        return text;
    const size_t before = (size_t)(found - text);
    const char *after   = found + strlen(RUNNING);
    char *changed       = kane_arena_alloc(arena, strlen(text) + sizeof KILLED, 1);
    if (changed)
        (void)snprintf(changed, strlen(text) + sizeof KILLED, "%.*s%s%s", (int)before, text, KILLED, after);
    return changed;
}

static kane_status replace_file(const char *name, const char *text, kane_errors *errors)
{
    kane_replacement file;
    const kane_status status = kane_replacement_open(&file, name, errors);
    if (status != KANE_OK)
        return status;
    (void)fputs(text, file.file); // what cannot be written is reported at the end
    return kane_replacement_close(&file, errors);
}

// Marks a run as killed in manifest.json or status.json, if the file exists and says that the run goes on.
static kane_status mark_killed(kane_arena *arena, const char *directory, const char *name, kane_errors *errors)
{
    char path[PATH_MAX];
    struct stat about;
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    if (stat(path, &about) != 0)
        return KANE_OK;
    const char *text = kane_file_read(arena, path, NULL, errors);
    if (!text)
        return KANE_NO_FILE;
    const char *changed = as_killed(arena, text);
    if (!changed)
        return kane_no_memory(errors);
    return changed == text ? KANE_OK : replace_file(path, changed, errors);
}

// --- rows ---

// Whether the file was closed: HDF5 without the flag of a writer, byte 11 of the superblock (HDF5 File Format
// Specification, II.A), CSV with an end of its last line.
static kane_status check_whole(const kane_results *rows, int *is_whole, kane_errors *errors)
{
    struct stat about;
    char byte      = 0;
    int failed     = 0;
    const int file = open(rows->file, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0 ||
        pread(file, &byte, 1, rows->format == KANE_HDF5 ? 11 : about.st_size - 1) != 1)
        failed = errno ? errno : EIO;
    if (file >= 0)
        (void)close(file);
    *is_whole = byte == (rows->format == KANE_HDF5 ? 0 : '\n');
    return failed ? kane_file_error(errors, rows->file, "cannot be read", failed) : KANE_OK;
}

// Writes all readable rows with their manifest to a new file and replaces the old one by it. Nothing to do if the file
// is whole.
static kane_status rewrite_rows(kane_results *rows, kane_repair *done, kane_errors *errors)
{
    char fresh[PATH_MAX];
    int is_whole       = 0;
    kane_status status = check_whole(rows, &is_whole, errors);
    const char *killed = status == KANE_OK && rows->manifest ? as_killed(rows->arena, rows->manifest) : rows->manifest;
    if (rows->manifest && !killed)
        return kane_no_memory(errors);
    if (status != KANE_OK || (is_whole && killed == rows->manifest))
        return status;
    rows->manifest = killed;
    (void)snprintf(fresh, sizeof fresh, "%s.new", rows->file);
    (void)unlink(fresh); // a link is not followed
    status = kane_results_write(rows, fresh, rows->format, errors);
    if (status == KANE_OK) {
        const int failed = kane_replace_by(fresh, rows->file);
        status           = failed ? kane_file_error(errors, rows->file, "cannot be replaced", failed) : KANE_OK;
    }
    if (status != KANE_OK)
        (void)unlink(fresh);
    done->is_changed = status == KANE_OK;
    return status;
}

// Repairs rows, then manifest and status, in a directory with exclusive access.
static kane_status repair_directory(const char *directory, kane_repair *done, kane_errors *errors)
{
    done->removed      = kane_file_remove_left(directory);
    kane_results *rows = kane_results_open(directory, errors);
    if (!rows)
        return KANE_BAD_INPUT;
    done->rows         = kane_results_row_count(rows);
    kane_status status = rewrite_rows(rows, done, errors);
    if (status == KANE_OK)
        status = mark_killed(rows->arena, directory, "manifest.json", errors);
    if (status == KANE_OK)
        status = mark_killed(rows->arena, directory, "status.json", errors);
    kane_results_free(rows);
    return status;
}

kane_status kane_results_repair(const char *directory, kane_repair *done, kane_errors *errors)
{
    const kane_place place = {.file = directory, .path = ""};
    kane_claim claim;
    struct stat about;
    *done = (kane_repair){.rows = 0};
    if (stat(directory, &about) != 0)
        return kane_file_error(errors, directory, "cannot be read", errno);
    if (!S_ISDIR(about.st_mode)) {
        kane_errors_add_input(errors, KANE_NO_FILE, place, "is no directory of a run");
        return KANE_NO_FILE;
    }
    kane_status status = kane_claim_directory(&claim, directory, errors);
    if (status != KANE_OK)
        return status;
    status = repair_directory(directory, done, errors);
    kane_claim_release(&claim);
    return status;
}
