// SPDX-License-Identifier: MIT
// Rows that processes write which are killed, and what they tell.

#ifndef KANE_TESTS_ROWS_H
#define KANE_TESTS_ROWS_H

#include "files.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { COLUMNS = 12 };

static char column_names[COLUMNS][16];
static kane_column columns[COLUMNS];

// Setup of the group.
static inline int make_columns(void **state)
{
    (void)state;
    for (int i = 0; i < COLUMNS; i++) {
        (void)snprintf(column_names[i], sizeof column_names[i], "channel %d", i);
        columns[i] = (kane_column){column_names[i], "m", "a channel"};
    }
    return 0;
}

static inline double value_of(int row, int column)
{
    return sin(0.01 * row) - column / 3.0;
}

static inline void add_row(kane_recorder *recorder, int row)
{
    double values[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        values[i] = value_of(row, i);
    if (kane_recorder_add(recorder, values, NULL) != KANE_OK)
        _exit(3);
}

// Tells the parent how many rows must be in the file.
static inline void tell(int pipe, int rows)
{
    if (write(pipe, &rows, sizeof rows) != sizeof rows)
        _exit(4);
}

typedef void (*task)(const char *path, kane_file_format format, int pipe);

// Starts a process that never ends by itself; *ear: where it tells. It has told once when this returns.
static inline pid_t start(task run, const char *path, kane_file_format format, int *ear, int *rows)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(ends[0]);
        run(path, format, ends[1]);
    }
    (void)close(ends[1]);
    *ear = ends[0];
    assert_int_equal(read(*ear, rows, sizeof *rows), sizeof *rows);
    return child;
}

// Kills it. Returns what it told last.
static inline int kill_and_listen(pid_t child, int ear, int rows)
{
    int status;
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status)); // it did not end by itself
    while (read(ear, &rows, sizeof rows) == sizeof rows)
        ;
    (void)close(ear);
    return rows;
}

// Less than so many microseconds, in no order: the number-th of `numbers`.
static inline void wait_some_time(int number, int numbers, long most)
{
    const struct timespec time = {0, number * 7919L % numbers * 1000L * most / numbers};
    (void)nanosleep(&time, NULL);
}

// All rows are right, and there are so many at least. Returns how many.
static inline int check_rows(const kane_results *results, int least)
{
    const int rows = kane_results_row_count(results);
    assert_int_equal(kane_results_column_count(results), COLUMNS);
    if (rows < least)
        fail_msg("%d rows, %d were flushed", rows, least);
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < rows; k++)
            if (kane_results_values(results, i)[k] != value_of(k, i))
                fail_msg("row %d of %d, column %d: %a", k, rows, i, kane_results_values(results, i)[k]);
    return rows;
}

#endif
