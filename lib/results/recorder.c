// SPDX-License-Identifier: MIT
// The recorder: checks columns, keeps rows back, hands them in blocks to the writer of the file's format.

#include "results/results.h"

#include "base/arena.h"

#include <string.h>

struct kane_recorder {
    const kane_row_writer *writer;
    void *file; // of the writer
    int column_count;
    int pending;       // rows not yet written
    int room;          // rows until the next multiple of KANE_ROW_BLOCK: no block crosses a chunk of the file
    int is_compressed; // the closed file
    double *rows;      // [KANE_ROW_BLOCK][column_count]
    kane_status state; // of the file: nothing is written any more once it has failed
};

static void recorder_free(kane_recorder *recorder)
{
    kane_release(recorder->rows);
    kane_release(recorder);
}

kane_recorder *kane_recorder_create(const char *file, kane_file_format format, int column_count,
                                    const kane_column *columns, const char *manifest, kane_errors *errors)
{
    char key[KANE_KEY_SIZE];
    if (kane_columns_check(column_count, columns, errors) != KANE_OK ||
        kane_origin_key(manifest, key, errors) != KANE_OK)
        return NULL;

    kane_recorder *recorder = kane_allocate(1, sizeof *recorder);
    if (recorder) {
        recorder->writer        = format == KANE_CSV ? &kane_csv_writer : &kane_hdf_writer;
        recorder->column_count  = column_count;
        recorder->room          = KANE_ROW_BLOCK;
        recorder->is_compressed = 1;
        recorder->rows          = kane_allocate((size_t)column_count, KANE_ROW_BLOCK * sizeof *recorder->rows);
    }
    if (!recorder || !recorder->rows) {
        (void)kane_no_memory(errors);
    } else {
        recorder->file = recorder->writer->create(file, column_count, columns, manifest, key, errors);
        if (recorder->file)
            return recorder;
    }
    if (recorder)
        recorder_free(recorder);
    return NULL;
}

void kane_recorder_compress(kane_recorder *recorder, int is_compressed)
{
    recorder->is_compressed = is_compressed;
}

kane_status kane_recorder_flush(kane_recorder *recorder, kane_errors *errors)
{
    if (recorder->state != KANE_OK)
        kane_errors_add(errors, recorder->state, "nothing is written any more after an earlier error");
    else if (recorder->pending > 0)
        recorder->state = recorder->writer->write(recorder->file, recorder->pending, recorder->rows, errors);

    recorder->room -= recorder->pending;
    recorder->pending = 0;
    if (recorder->room == 0)
        recorder->room = KANE_ROW_BLOCK;
    return recorder->state;
}

kane_status kane_recorder_add(kane_recorder *recorder, const double *row, kane_errors *errors)
{
    const size_t n = (size_t)recorder->column_count;
    memcpy(recorder->rows + (size_t)recorder->pending * n, row, n * sizeof *row);
    recorder->pending++;
    return recorder->pending == recorder->room ? kane_recorder_flush(recorder, errors) : KANE_OK;
}

kane_status kane_recorder_close(kane_recorder *recorder, const char *manifest, kane_errors *errors)
{
    if (!recorder)
        return KANE_OK;
    const kane_status written = kane_recorder_flush(recorder, errors);
    const int is_good         = written == KANE_OK;
    const kane_status closed  = recorder->writer->close(recorder->file, is_good ? manifest : NULL,
                                                        recorder->is_compressed, is_good ? errors : NULL);
    recorder_free(recorder);
    return written != KANE_OK ? written : closed;
}
