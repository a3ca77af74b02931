// SPDX-License-Identifier: MIT
// A process that writes is killed two hundred times: what it has left is read at once, and repaired, it is a file that
// was closed.

#include "rows.h"

enum { FLUSH_EVERY = 5, KILLS = 200, LONGEST = 12000 }; // [us]

#define MANIFEST(state) "{\"key\": \"0123456789abcdef\",\n  \"state\": \"" state "\"}\n"

static const char *manifest = MANIFEST("running"); // of the rows

static const char *rows_path(kane_file_format format)
{
    return files_path(format == KANE_CSV ? "results.csv" : "results.h5");
}

static void write_for_ever(const char *path, kane_file_format format, int pipe)
{
    kane_recorder *recorder = kane_recorder_create(path, format, COLUMNS, columns, manifest, NULL);
    if (!recorder)
        _exit(2);
    for (int told = 1;; told++) {
        add_row(recorder, told - 1);
        if (told % FLUSH_EVERY != 0)
            continue;
        if (kane_recorder_flush(recorder, NULL) != KANE_OK)
            _exit(4);
        tell(pipe, told);
    }
}

// Kills it after some time, when it has flushed once at least; returns how many rows it has told to be there.
static int kill_one(kane_file_format format, int number)
{
    int ear, rows;
    const pid_t child = start(write_for_ever, rows_path(format), format, &ear, &rows);
    wait_some_time(number, KILLS, LONGEST);
    return kill_and_listen(child, ear, rows);
}

// Rows that can be read now: the right ones, and so many at least.
static int check_read(int least, const char *state)
{
    static kane_errors errors;
    char told[200] = "";
    kane_errors_clear(&errors);
    CHECK_OWNED(kane_results) *results = kane_results_open(files_directory, &errors);
    check_no_errors(&errors);
    const int rows = check_rows(results, least);
    assert_true(kane_results_format(results, sizeof told, told));
    assert_non_null(strstr(told, state));
    return rows;
}

files_test(two_hundred_kills_lose_nothing_that_was_flushed)
{
    static kane_errors errors;
    for (int f = 0; f < files_format_count(); f++) {
        const int kills = files_formats[f] == KANE_HDF5 ? KILLS : KILLS / 8;
        int most        = 0;
        for (int i = 0; i < kills; i++) {
            kane_repair done;
            files_write(files_path("manifest.json"), MANIFEST("running"), strlen(MANIFEST("running")));
            const int flushed = kill_one(files_formats[f], i);
            const int rows    = check_read(flushed, "it goes on, or was killed");
            most              = rows > most ? rows : most;
            if (kane_results_repair(files_directory, &done, &errors) != KANE_OK)
                fail_msg("kill %d: %s", i, kane_errors_get(&errors, 0)->text);
            assert_int_equal(done.rows, rows);
            assert_true(files_formats[f] == KANE_CSV || done.is_changed);
            assert_int_equal(check_read(flushed, "killed"), rows);
            assert_int_equal(files_count(), 2);
            size_t length;
            char *bytes = files_read(rows_path(files_formats[f]), &length);
            assert_int_equal(bytes[files_formats[f] == KANE_HDF5 ? 11 : length - 1],
                             files_formats[f] == KANE_HDF5 ? 0 : '\n');
            test_free(bytes);
            assert_int_equal(remove(rows_path(files_formats[f])), 0);
        }
        if (check_is_emulated())
            check_skip_part("an emulated processor writes no second block before it is killed");
        else
            assert_true(most > 256); // a second block was reached
    }
}

// A full disk ends a run that says so, and leaves its rows as a kill does. They are closed; the state is true already.
files_test(the_rows_of_a_failed_run_are_closed)
{
    static kane_errors errors;
    kane_repair done;
    if (!kane_results_have_hdf5())
        check_skip("this libkane was built without HDF5");
    manifest = MANIFEST("failed");
    files_write(files_path("manifest.json"), manifest, strlen(manifest));
    const int flushed = kill_one(KANE_HDF5, 3);
    const int rows    = check_read(flushed, "failed");
    for (int again = 0; again < 2; again++) {
        assert_int_equal(kane_results_repair(files_directory, &done, &errors), KANE_OK);
        assert_int_equal(done.is_changed, !again);
        assert_int_equal(check_read(flushed, "failed"), rows);
    }
    manifest = MANIFEST("running");
}

// The last line of CSV was cut; what was half written lies about.
files_test(what_is_half_goes)
{
    static const char text[] = "# run 0123456789abcdef\n# units s,m\ntime,a\n0,1\n0.5,2\n1,3", whole[] = "0,1\n0.5,2\n";
    static kane_errors errors;
    kane_repair done;
    size_t length;
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

files_test(what_cannot_be_repaired_is_told)
{
    static kane_errors errors;
    kane_repair done;
    assert_int_equal(kane_results_repair(files_path("none"), &done, &errors), KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "none: cannot be read: No such file or directory");
    files_write(files_path("results.csv"), "", 0);
    assert_int_equal(kane_results_repair(files_path("results.csv"), &done, &errors), KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "results.csv: is no directory of a run");
    assert_int_equal(kane_results_repair(files_directory, &done, &errors), KANE_BAD_INPUT);
    assert_string_equal(error_text(&errors), "results.csv: the file is empty");
    assert_int_equal(files_count(), 1); // not claimed any more
}

CHECK_MAIN(make_columns, NULL)
