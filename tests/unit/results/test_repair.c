// SPDX-License-Identifier: MIT
// A process that writes is killed two hundred times: what it has left is read at once, and repaired, it is a file that was closed.

#include "files.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { COLUMNS = 12, FLUSH_EVERY = 5, KILLS = 200, LONGEST = 12 }; // [ms]

#define MANIFEST(state) "{\"key\": \"0123456789abcdef\",\n  \"state\": \"" state "\"}\n"

static const char *manifest = MANIFEST("running"); // of the rows
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
    return sin(0.01 * row) - column / 3.0;
}

static void add_row(kane_recorder *recorder, int row)
{
    double values[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        values[i] = value_of(row, i);
    if (kane_recorder_add(recorder, values, NULL) != KANE_OK)
        _exit(3);
}

static const char *rows_path(kane_file_format format)
{
    return files_path(format == KANE_CSV ? "results.csv" : "results.h5");
}

static void write_for_ever(kane_file_format format, int pipe)
{
    kane_recorder *recorder = kane_recorder_create(rows_path(format), format, COLUMNS, columns, manifest, NULL);
    if (!recorder)
        _exit(2);
    for (int told = 1;; told++) {
        add_row(recorder, told - 1);
        if (told % FLUSH_EVERY == 0 &&
            (kane_recorder_flush(recorder, NULL) != KANE_OK || write(pipe, &told, sizeof told) != sizeof told))
            _exit(4);
    }
}

// Kills it after some time, when it has flushed once at least; returns how many rows it has told to be there.
static int kill_one(kane_file_format format, int number)
{
    const struct timespec time = {0, number * 7919L % KILLS * 1000000L * LONGEST / KILLS};
    int ends[2], rows = 0, status;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(ends[0]);
        write_for_ever(format, ends[1]);
    }
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], &rows, sizeof rows), sizeof rows);
    (void)nanosleep(&time, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    while (read(ends[0], &rows, sizeof rows) == sizeof rows)
        ;
    (void)close(ends[0]);
    return rows;
}

// Rows that can be read now: the right ones, and so many at least.
static int check_rows(int least, const char *state)
{
    static kane_errors errors;
    char told[200]        = "";
    errors.count          = 0;
    kane_results *results = kane_results_open(files_directory, &errors);
    assert_no_error(&errors);
    const int rows = kane_results_row_count(results);
    if (rows < least)
        fail_msg("%d rows, %d were flushed", rows, least);
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < rows; k++)
            if (kane_results_values(results, i)[k] != value_of(k, i))
                fail_msg("row %d of %d, column %d: %a", k, rows, i, kane_results_values(results, i)[k]);
    assert_true(kane_results_tell(results, sizeof told, told));
    assert_non_null(strstr(told, state));
    kane_results_free(results);
    return rows;
}

static void two_hundred_kills_lose_nothing_that_was_flushed(void **state)
{
    static kane_errors errors;
    (void)state;
    for (int f = 0; f < files_format_count(); f++) {
        const int kills = files_formats[f] == KANE_HDF5 ? KILLS : KILLS / 8;
        int most        = 0;
        for (int i = 0; i < kills; i++) {
            kane_repair done;
            files_write(files_path("manifest.json"), MANIFEST("running"), strlen(MANIFEST("running")));
            const int flushed = kill_one(files_formats[f], i);
            const int rows    = check_rows(flushed, "it goes on, or was killed");
            most              = rows > most ? rows : most;
            if (kane_results_repair(files_directory, &done, &errors) != KANE_OK)
                fail_msg("kill %d: %s", i, errors.kept[0].text);
            assert_int_equal(done.rows, rows);
            assert_true(files_formats[f] == KANE_CSV || done.is_changed);
            assert_int_equal(check_rows(flushed, "killed"), rows);
            assert_int_equal(files_count(), 2);
            size_t length;
            char *bytes = files_read(rows_path(files_formats[f]), &length);
            assert_int_equal(bytes[files_formats[f] == KANE_HDF5 ? 11 : length - 1],
                             files_formats[f] == KANE_HDF5 ? 0 : '\n');
            test_free(bytes);
            assert_int_equal(remove(rows_path(files_formats[f])), 0);
        }
        assert_true(most > 256); // a second block was reached
    }
}

// A full disk ends a run that says so, and leaves its rows as a kill does. They are closed; the state is true already.
static void the_rows_of_a_failed_run_are_closed(void **state)
{
    static kane_errors errors;
    kane_repair done;
    (void)state;
    if (!kane_results_have_hdf5())
        skip();
    manifest = MANIFEST("failed");
    files_write(files_path("manifest.json"), manifest, strlen(manifest));
    const int flushed = kill_one(KANE_HDF5, 3);
    const int rows    = check_rows(flushed, "failed");
    for (int again = 0; again < 2; again++) {
        assert_int_equal(kane_results_repair(files_directory, &done, &errors), KANE_OK);
        assert_int_equal(done.is_changed, !again);
        assert_int_equal(check_rows(flushed, "failed"), rows);
    }
    manifest = MANIFEST("running");
}

// The last line of CSV was cut; what was half written lies about.
static void what_is_half_goes(void **state)
{
    static const char text[] = "time,a\ns (run 0123456789abcdef),m\n0,1\n0.5,2\n1,3", whole[] = "0,1\n0.5,2\n";
    static kane_errors errors;
    kane_repair done;
    size_t length;
    (void)state;
    files_write(files_path("manifest.json"), MANIFEST("running"), strlen(MANIFEST("running")));
    files_write(files_path("status.json"), MANIFEST("running"), strlen(MANIFEST("running")));
    files_write(files_path("results.csv"), text, strlen(text));
    files_write(files_path("results.h5.new"), "", 0);
    files_write(files_path("manifest.json.12-345.new"), "{", 1);
    files_write(files_path("mine.new"), "", 0);
    assert_int_equal(kane_results_repair(files_directory, &done, &errors), KANE_OK);
    assert_true(done.rows == 2 && done.is_changed && done.removed == 2);
    assert_int_equal(files_count(), 4);
    char *bytes = files_read(files_path("results.csv"), &length);
    assert_string_equal(bytes + strlen(bytes) - strlen(whole), whole);
    test_free(bytes);
    bytes = files_read(files_path("status.json"), &length);
    assert_string_equal(bytes, MANIFEST("killed"));
    test_free(bytes);
    assert_int_equal(kane_results_repair(files_directory, &done, &errors), KANE_OK);
    assert_true(done.rows == 2 && !done.is_changed && done.removed == 0);
}

static void what_cannot_be_repaired_is_told(void **state)
{
    static kane_errors errors;
    kane_repair done;
    (void)state;
    assert_int_equal(kane_results_repair(files_path("none"), &done, &errors), KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "none: cannot be read: No such file or directory");
    files_write(files_path("results.csv"), "", 0);
    assert_int_equal(kane_results_repair(files_path("results.csv"), &done, &errors), KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "results.csv: is no directory of a run");
    assert_int_equal(kane_results_repair(files_directory, &done, &errors), KANE_BAD_INPUT);
    assert_string_equal(error_text(&errors), "results.csv: the file is empty");
    assert_int_equal(files_count(), 1); // not claimed any more
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(two_hundred_kills_lose_nothing_that_was_flushed),
        files_test(the_rows_of_a_failed_run_are_closed),
        files_test(what_is_half_goes),
        files_test(what_cannot_be_repaired_is_told),
    };
    return cmocka_run_group_tests(tests, make_columns, NULL);
}
