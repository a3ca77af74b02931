// SPDX-License-Identifier: MIT
// Result files in memory: finding them, which format they have, and what was read.

#include "results/results.h"

#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int kane_results_have_hdf5(void)
{
#ifdef KANE_HAVE_HDF5
    return 1;
#else
    return 0;
#endif
}

const char *kane_results_extension(kane_file_format format)
{
    return format == KANE_CSV ? "csv" : "h5";
}

// --- building ---

kane_results *kane_results_create(const char *file, kane_errors *errors)
{
    kane_arena *arena     = kane_arena_create();
    kane_results *results = arena ? kane_arena_alloc(arena, 1, sizeof *results) : NULL;
    if (results) {
        results->arena = arena;
        results->file  = kane_arena_text(arena, file);
    }
    if (results && results->file)
        return results;
    kane_arena_free(arena);
    (void)kane_no_memory(errors);
    return NULL;
}

kane_status kane_results_take_columns(kane_results *results, int count, kane_errors *errors)
{
    results->columns = kane_arena_alloc(results->arena, (size_t)count, sizeof *results->columns);
    results->values  = kane_arena_alloc(results->arena, (size_t)count, sizeof *results->values);
    if (kane_arena_failed(results->arena))
        return kane_no_memory(errors);
    for (int i = 0; i < count; i++)
        results->columns[i] = (kane_column){"", "", ""};
    results->column_count = count;
    return KANE_OK;
}

kane_status kane_results_take_rows(kane_results *results, unsigned long long count, kane_errors *errors)
{
    if (count > INT_MAX) {
        const kane_place place = {.file = results->file, .path = ""};
        kane_errors_add_input(errors, KANE_BAD_INPUT, place, "%llu rows are too many, at most %d are read", count,
                              INT_MAX);
        return KANE_BAD_INPUT;
    }
    for (int i = 0; i < results->column_count; i++)
        results->values[i] = kane_arena_doubles(results->arena, (size_t)count);
    if (kane_arena_failed(results->arena))
        return kane_no_memory(errors);
    results->row_count = (int)count;
    return KANE_OK;
}

kane_status kane_results_name_column(kane_results *results, int column, const kane_column *name, kane_errors *errors)
{
    results->columns[column] =
        (kane_column){kane_arena_text(results->arena, name->name), kane_arena_text(results->arena, name->unit),
                      kane_arena_text(results->arena, name->description)};
    return kane_arena_failed(results->arena) ? kane_no_memory(errors) : KANE_OK;
}

// Doubles the room for rows, so that a row is copied about once; old arrays remain in the arena.
static kane_status grow_rows(kane_results *results, kane_errors *errors)
{
    const int room = results->room ? 2 * results->room : 256;
    for (int i = 0; i < results->column_count; i++) {
        double *larger = kane_arena_doubles(results->arena, (size_t)room);
        if (!larger)
            return kane_no_memory(errors);
        if (results->row_count > 0)
            memcpy(larger, results->values[i], (size_t)results->row_count * sizeof *larger);
        results->values[i] = larger;
    }
    results->room = room;
    return KANE_OK;
}

kane_status kane_results_add_row(kane_results *results, const double *row, kane_errors *errors)
{
    if (results->row_count == results->room && grow_rows(results, errors) != KANE_OK)
        return KANE_NO_MEMORY;
    for (int i = 0; i < results->column_count; i++)
        results->values[i][results->row_count] = row[i];
    results->row_count++;
    return KANE_OK;
}

void kane_results_free(kane_results *results)
{
    if (results)
        kane_arena_free(results->arena);
}

// --- opening ---

// The file itself, or the one in a directory that a run wrote. KANE_NO_FILE with an error.
static kane_status find_file(const char *path, size_t size, char *file, int *of_directory, kane_errors *errors)
{
    const kane_place place = {.file = path, .path = ""};
    struct stat about;
    *of_directory = 0;
    if (stat(path, &about) != 0)
        return kane_file_error(errors, path, "cannot be read", errno);
    if (S_ISREG(about.st_mode)) {
        (void)snprintf(file, size, "%s", path);
        return KANE_OK;
    }
    if (!S_ISDIR(about.st_mode)) {
        kane_errors_add_input(errors, KANE_NO_FILE, place, "neither a file nor a directory");
        return KANE_NO_FILE;
    }
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    *of_directory     = 1;
    for (int format = KANE_HDF5; format >= KANE_CSV; format--) {
        (void)snprintf(file, size, "%s%sresults.%s", path, slash, kane_results_extension((kane_file_format)format));
        if (kane_origin_check_link(file, errors) != KANE_OK)
            return KANE_BAD_INPUT;
        if (stat(file, &about) == 0 && S_ISREG(about.st_mode))
            return KANE_OK;
    }
    kane_errors_add_input(errors, KANE_NO_FILE, place, "neither results.h5 nor results.csv is in this directory");
    return KANE_NO_FILE;
}

// Reads by the format that the first bytes tell: those of HDF5 begin no text.
static kane_status read_file(kane_results *results, kane_errors *errors)
{
    static const char signature[8] = "\x89HDF\r\n\x1a\n";
    char *first;
    size_t length;
    const kane_status status = kane_file_load(results->file, sizeof signature, &first, &length, errors);
    if (status != KANE_OK)
        return status;
    const int is_hdf5 = memcmp(first, signature, length) == 0;
    kane_release(first);

    if (length == 0) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = results->file, .path = ""},
                              "the file is empty");
        return KANE_BAD_INPUT;
    }
    results->format = is_hdf5 ? KANE_HDF5 : KANE_CSV;
    return is_hdf5 ? kane_hdf_read(results, errors) : kane_csv_read(results, errors);
}

// Reads the file and its manifest. NULL with errors.
static kane_results *open_file(const char *file, int of_directory, kane_errors *errors)
{
    kane_results *results = kane_results_create(file, errors);
    if (results && read_file(results, errors) == KANE_OK && kane_origin_tie(results, of_directory, errors) == KANE_OK)
        return results;
    kane_results_free(results);
    return NULL;
}

// Whether a name is that of the same file as before, unchanged.
static int is_still(const char *file, const struct stat *before)
{
    struct stat now;
    return stat(file, &now) == 0 && now.st_dev == before->st_dev && now.st_ino == before->st_ino &&
           now.st_ctim.tv_sec == before->st_ctim.tv_sec && now.st_ctim.tv_nsec == before->st_ctim.tv_nsec;
}

// A run that starts again in the directory removes the old rows before it writes its manifest. A reader that finds rows
// of one run and the manifest of another therefore reads again.
kane_results *kane_results_open(const char *path, kane_errors *errors)
{
    enum { LOOKS = 10 };
    char file[PATH_MAX];
    for (int look = 1;; look++) {
        const int before = errors ? errors->count : 0;
        struct stat is;
        int of_directory;
        if (find_file(path, sizeof file, file, &of_directory, errors) != KANE_OK)
            return NULL;
        const int is_there    = stat(file, &is) == 0;
        kane_results *results = open_file(file, of_directory, errors);
        if (results || look == LOOKS || !is_there || is_still(file, &is))
            return results;
        if (errors)
            kane_errors_truncate(errors, before);
    }
}

// --- what was read ---

int kane_results_column_count(const kane_results *results)
{
    return results->column_count;
}

int kane_results_row_count(const kane_results *results)
{
    return results->row_count;
}

const kane_column *kane_results_column(const kane_results *results, int column)
{
    return &results->columns[column];
}

const double *kane_results_values(const kane_results *results, int column)
{
    return results->values[column];
}

const char *kane_results_manifest(const kane_results *results)
{
    return results->manifest;
}

const char *kane_results_key(const kane_results *results)
{
    return results->key;
}

kane_status kane_results_write(const kane_results *results, const char *file, kane_file_format format,
                               kane_errors *errors)
{
    double *row = kane_allocate((size_t)results->column_count, sizeof *row);
    if (!row)
        return kane_no_memory(errors);
    kane_recorder *recorder =
        kane_recorder_create(file, format, results->column_count, results->columns, results->manifest, errors);
    kane_status status = recorder ? KANE_OK : KANE_NO_FILE;
    for (int k = 0; recorder && k < results->row_count && status == KANE_OK; k++) {
        for (int i = 0; i < results->column_count; i++)
            row[i] = results->values[i][k];
        status = kane_recorder_add(recorder, row, errors);
    }
    const kane_status closed = recorder ? kane_recorder_close(recorder, NULL, errors) : KANE_OK;
    kane_release(row);
    return status == KANE_OK ? closed : status;
}

int kane_results_find(const kane_results *results, const char *name, kane_errors *errors)
{
    const kane_names names = {results->columns, results->column_count, sizeof *results->columns};
    const kane_place place = {.file = results->file, .path = ""};
    const int found        = kane_names_find(names, name);
    if (found >= 0)
        return found;
    // rows of a run may have more: a name or a pattern that finds nothing can be recorded literally
    kane_errors why = {.limit = 1};
    (void)kane_names_resolve(names, "column", name, place, &why);
    kane_errors_add_input(errors, KANE_BAD_INPUT, place, "%s%s%s%s", kane_errors_get(&why, 0)->text,
                          results->key[0] ? "; if the run has it, \"kane run --channels 'default," : "",
                          results->key[0] ? name : "", results->key[0] ? "'\" records it" : "");
    return -1;
}
