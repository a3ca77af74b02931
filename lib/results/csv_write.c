// SPDX-License-Identifier: MIT
// Writes CSV files: run and units as comments, names, rows; always whole lines at a time.

#include "results/results.h"

#include "base/arena.h"
#include "base/number.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VALUE_MOST = 25 };  // longest value with its comma, e.g. -2.2250738585072014e-308, [bytes]
enum { BUFFER = 1 << 16 }; // written at once, or a line if that is longer [bytes]

typedef struct csv_writer {
    kane_arena *arena; // holds all of it
    int descriptor;
    int column_count;
    const char *file;
    char *buffer;
    size_t used, size; // of the buffer [bytes]
    size_t row_most;   // longest row [bytes]
} csv_writer;

static kane_status write_out(csv_writer *w, kane_errors *errors)
{
    const int failed = kane_file_write(w->descriptor, w->used, w->buffer);
    w->used          = 0;
    return failed ? kane_file_error(errors, w->file, "cannot be written", failed) : KANE_OK;
}

static void end_field(csv_writer *w, int column)
{
    w->buffer[w->used++] = column + 1 < w->column_count ? ',' : '\n';
}

// Run and units as comments, and names, into the buffer. 0 without memory.
static int put_head(csv_writer *w, const kane_column *columns, const char *key)
{
    FILE *head = fmemopen(w->buffer, w->size, "w");
    if (!head)
        return 0;
    if (key[0])
        (void)fprintf(head, KANE_CSV_RUN "%s\n", key);
    (void)fputs(KANE_CSV_UNITS, head);
    for (int i = 0; i < 2 * w->column_count; i++) {
        const kane_column *column = &columns[i % w->column_count];
        const char *text          = i < w->column_count ? column->unit : column->name;
        kane_csv_write(head, text, kane_csv_is_unclear(text));
        (void)fputc((i + 1) % w->column_count ? ',' : '\n', head);
    }
    w->used = (size_t)ftell(head);
    return fclose(head) == 0;
}

static void put_row(csv_writer *w, const double *row)
{
    for (int i = 0; i < w->column_count; i++) {
        kane_number_format(row[i], w->buffer + w->used);
        w->used += strlen(w->buffer + w->used);
        end_field(w, i);
    }
}

static kane_status csv_write(void *self, int count, const double *rows, kane_errors *errors)
{
    csv_writer *w = self;
    for (int i = 0; i < count; i++) {
        const kane_status status = w->size - w->used < w->row_most ? write_out(w, errors) : KANE_OK;
        if (status != KANE_OK)
            return status;
        put_row(w, rows + (size_t)i * (size_t)w->column_count);
    }
    return write_out(w, errors);
}

static kane_status csv_close(void *self, const char *manifest, int is_compressed, kane_errors *errors)
{
    (void)manifest, (void)is_compressed; // a CSV file has no place for either
    csv_writer *w      = self;
    kane_status status = KANE_OK;
    if (close(w->descriptor) != 0)
        status = kane_file_error(errors, w->file, "cannot be written", errno);
    kane_arena_free(w->arena);
    return status;
}

// Creates a writer with a buffer for the head or one row; its file is opened later. NULL without memory.
static csv_writer *create_writer(kane_arena *arena, const char *file, int column_count, const kane_column *columns,
                                 const char *key)
{
    size_t head = strlen(KANE_CSV_RUN) + strlen(key) + 1 + strlen(KANE_CSV_UNITS) + 1; // most of all its lines
    for (int i = 0; i < column_count; i++)
        head += 2 * (strlen(columns[i].name) + strlen(columns[i].unit)) + 6;
    const size_t row = (size_t)column_count * VALUE_MOST + KANE_NUMBER_SIZE;

    csv_writer *w = kane_arena_alloc(arena, 1, sizeof *w);
    if (!w)
        return NULL;
    w->arena        = arena;
    w->column_count = column_count;
    w->row_most     = row;
    w->size         = head > row ? head : row;
    w->size         = w->size > BUFFER ? w->size : BUFFER;
    w->file         = kane_arena_text(arena, file);
    w->buffer       = kane_arena_alloc(arena, w->size, 1);
    return kane_arena_failed(arena) ? NULL : w;
}

static void *csv_create(const char *file, int column_count, const kane_column *columns, const char *manifest,
                        const char *key, kane_errors *errors)
{
    (void)manifest;
    kane_arena *arena = kane_arena_create();
    csv_writer *w     = arena ? create_writer(arena, file, column_count, columns, key) : NULL;
    if (!w) {
        (void)kane_no_memory(errors);
        kane_arena_free(arena);
        return NULL;
    }
    w->descriptor = kane_file_create(file, errors);
    if (w->descriptor >= 0) {
        const kane_status status = put_head(w, columns, key) ? write_out(w, errors) : kane_no_memory(errors);
        if (status == KANE_OK)
            return w;
        (void)close(w->descriptor);
    }
    kane_arena_free(arena);
    return NULL;
}

const kane_row_writer kane_csv_writer = {csv_create, csv_write, csv_close};
