// SPDX-License-Identifier: MIT
// A process that writes is killed at any moment; another one reads meanwhile. All rows up to the last flush are there.

#include "files.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { COLUMNS = 40, FLUSH_EVERY = 7, KILLS = 16 };

static char names[COLUMNS][16];
static kane_column columns[COLUMNS];

static int make_columns(void **state)
{
    (void)state;
    for (int i = 0; i < COLUMNS; i++) {
        (void)snprintf(names[i], sizeof names[i], "channel %d", i);
        columns[i] = (kane_column){names[i], "m", "a channel"};
    }
    return 0;
}

static double value_of(int row, int column)
{
    return 1.1 * row - column / 3.0;
}

static void add_row(kane_recorder *recorder, int row)
{
    double values[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        values[i] = value_of(row, i);
    if (kane_recorder_add(recorder, values, NULL) != KANE_OK)
        _exit(3);
}

// Tells the parent how many rows must be in the file.
static void tell(int pipe, int rows)
{
    if (write(pipe, &rows, sizeof rows) != sizeof rows)
        _exit(4);
}

// Rows without end, flushed all the time.
static void write_for_ever(const char *path, kane_file_format format, int pipe)
{
    kane_recorder *recorder = kane_recorder_create(path, format, COLUMNS, columns, "\"first\"", NULL);
    if (!recorder)
        _exit(2);
    tell(pipe, 0);
    for (int row = 0;; row++) {
        add_row(recorder, row);
        if ((row + 1) % FLUSH_EVERY != 0)
            continue;
        if (kane_recorder_flush(recorder, NULL) != KANE_OK)
            _exit(3);
        tell(pipe, row + 1);
    }
}

// Small files without end. While one is being created nothing is promised (-1), then its rows, also while it closes.
static void close_for_ever(const char *path, kane_file_format format, int pipe)
{
    enum { ROWS = 3 };
    for (;;) {
        tell(pipe, -1);
        kane_recorder *recorder = kane_recorder_create(path, format, COLUMNS, columns, "\"first\"", NULL);
        if (!recorder)
            _exit(2);
        for (int row = 0; row < ROWS; row++)
            add_row(recorder, row);
        if (kane_recorder_flush(recorder, NULL) != KANE_OK)
            _exit(3);
        tell(pipe, ROWS);
        if (kane_recorder_close(recorder, "\"a last one that is longer\"", NULL) != KANE_OK)
            _exit(3);
    }
}

typedef void (*task)(const char *path, kane_file_format format, int pipe);

// Starts a process that never ends by itself; *pipe: where it tells. It has begun when this returns.
static pid_t start(task run, const char *path, kane_file_format format, int *ear, int *rows)
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
static int kill_and_listen(pid_t child, int ear, int rows)
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

// All rows are right, and there are so many at least. Returns how many.
static int check_rows(const kane_results *results, int least)
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

// Up to so many microseconds, in no order.
static void wait_some_time(int number, long most)
{
    const struct timespec time = {0, (number * 7919L % KILLS) * 1000L * most / KILLS};
    (void)nanosleep(&time, NULL);
}

static void what_was_flushed_survives_a_kill(void **state)
{
    (void)state;
    static kane_errors errors;
    for (int f = 0; f < files_format_count(); f++) {
        int most = 0;
        for (int i = 0; i <= KILLS; i++) {
            int ear, rows;
            const pid_t child = start(write_for_ever, files_path("a"), files_formats[f], &ear, &rows);
            if (i < KILLS)
                wait_some_time(i, 20000);
            else // once at least when a second chunk has begun
                while (rows <= 256)
                    assert_int_equal(read(ear, &rows, sizeof rows), sizeof rows);
            rows = kill_and_listen(child, ear, rows);

            kane_results *results = kane_results_open(files_path("a"), &errors);
            assert_no_error(&errors);
            rows = check_rows(results, rows);
            if (files_formats[f] == KANE_HDF5)
                assert_string_equal(kane_results_manifest(results), "\"first\"");
            kane_results_free(results);
            most = rows > most ? rows : most;
        }
        assert_true(most > 256);
    }
}

static void a_kill_while_it_closes_leaves_a_manifest_and_all_rows(void **state)
{
    (void)state;
    static kane_errors errors;
    for (int f = 0; f < files_format_count(); f++) {
        int promised = 0;
        for (int i = 0; i < KILLS; i++) {
            int ear, rows;
            const pid_t child = start(close_for_ever, files_path("a"), files_formats[f], &ear, &rows);
            while (rows < 0) // until it is about to close
                assert_int_equal(read(ear, &rows, sizeof rows), sizeof rows);
            wait_some_time(i, 1000);
            rows = kill_and_listen(child, ear, rows);

            kane_results *results = kane_results_open(files_path("a"), &errors);
            if (rows >= 0) {
                promised++;
                assert_no_error(&errors);
                assert_int_equal(check_rows(results, rows), rows);
            }
            if (results && kane_results_manifest(results) && strcmp(kane_results_manifest(results), "\"first\"") != 0)
                assert_string_equal(kane_results_manifest(results), "\"a last one that is longer\"");
            kane_results_free(results);
            errors.count = 0;
        }
        assert_true(promised > 0 || files_formats[f] == KANE_CSV); // where closing is nothing
    }
}

static void a_file_can_be_read_while_it_is_written(void **state)
{
    (void)state;
    static kane_errors errors;
    for (int f = 0; f < files_format_count(); f++) {
        int ear, rows, last = 0;
        const pid_t child = start(write_for_ever, files_path("a"), files_formats[f], &ear, &rows);
        for (int i = 0; i < 10; i++) {
            for (int k = 0; k < 5; k++)
                assert_int_equal(read(ear, &rows, sizeof rows), sizeof rows);
            kane_results *results = kane_results_open(files_path("a"), &errors);
            assert_no_error(&errors);
            const int now = check_rows(results, rows);
            assert_true(now >= last);
            last = now;
            kane_results_free(results);
        }
        (void)kill_and_listen(child, ear, rows);
    }
}

static void the_process_that_writes_can_read_too(void **state)
{
    (void)state;
    static kane_errors errors;
    for (int f = 0; f < files_format_count(); f++) {
        kane_recorder *recorder =
            kane_recorder_create(files_path("a"), files_formats[f], COLUMNS, columns, NULL, &errors);
        for (int row = 0; row < 600; row++) {
            add_row(recorder, row);
            if (row % 100 != 0)
                continue;
            assert_int_equal(kane_recorder_flush(recorder, &errors), KANE_OK);
            kane_results *results = kane_results_open(files_path("a"), &errors);
            assert_no_error(&errors);
            assert_int_equal(check_rows(results, row + 1), row + 1);
            kane_results_free(results);
        }
        assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
        kane_results *results = kane_results_open(files_path("a"), &errors);
        assert_int_equal(check_rows(results, 600), 600);
        kane_results_free(results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(what_was_flushed_survives_a_kill),
        files_test(a_kill_while_it_closes_leaves_a_manifest_and_all_rows),
        files_test(a_file_can_be_read_while_it_is_written),
        files_test(the_process_that_writes_can_read_too),
    };
    return cmocka_run_group_tests(tests, make_columns, NULL);
}
