// SPDX-License-Identifier: MIT
// A process that writes is killed while it closes; another one reads while it writes. All rows up to the last flush are
// there. (What is left by kills at any moment: test_repair.c.)

#include "rows.h"

enum { FLUSH_EVERY = 7, KILLS = 16 };

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

files_test(a_kill_while_it_closes_leaves_a_manifest_and_all_rows)
{
    static kane_errors errors;
    for (int f = 0; f < files_format_count(); f++) {
        int promised = 0;
        for (int i = 0; i < KILLS; i++) {
            int ear, rows;
            const pid_t child = start(close_for_ever, files_path("a"), files_formats[f], &ear, &rows);
            while (rows < 0) // until it is about to close
                assert_int_equal(read(ear, &rows, sizeof rows), sizeof rows);
            wait_some_time(i, KILLS, 1000);
            rows = kill_and_listen(child, ear, rows);

            kane_results *results = kane_results_open(files_path("a"), &errors);
            if (rows >= 0) {
                promised++;
                check_no_errors(&errors);
                assert_int_equal(check_rows(results, rows), rows);
            }
            if (results && kane_results_manifest(results) && strcmp(kane_results_manifest(results), "\"first\"") != 0)
                assert_string_equal(kane_results_manifest(results), "\"a last one that is longer\"");
            kane_results_free(results);
            kane_errors_clear(&errors);
        }
        assert_true(promised > 0 || files_formats[f] == KANE_CSV); // where closing is nothing
    }
}

files_test(a_file_can_be_read_while_it_is_written)
{
    for (int f = 0; f < files_format_count(); f++) {
        int ear, rows, last = 0;
        const pid_t child = start(write_for_ever, files_path("a"), files_formats[f], &ear, &rows);
        for (int i = 0; i < 10; i++) {
            for (int k = 0; k < 5; k++)
                assert_int_equal(read(ear, &rows, sizeof rows), sizeof rows);
            CHECK_OWNED(kane_results) *results = CHECK_GOOD(kane_results_open, files_path("a"));
            const int now                      = check_rows(results, rows);
            assert_true(now >= last);
            last = now;
        }
        (void)kill_and_listen(child, ear, rows);
    }
}

files_test(the_process_that_writes_can_read_too)
{
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
            check_no_errors(&errors);
            assert_int_equal(check_rows(results, row + 1), row + 1);
            kane_results_free(results);
        }
        assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
        kane_results *results = kane_results_open(files_path("a"), &errors);
        assert_int_equal(check_rows(results, 600), 600);
        kane_results_free(results);
    }
}

CHECK_MAIN(make_columns, NULL)
