// SPDX-License-Identifier: MIT
// What cannot be written or read is refused with a reason, and a full disk costs only what came after it.

#include "files.h"

#include <signal.h>
#include <sys/resource.h>

static const kane_column two[] = {{"time", "s", "time"}, {"x", "m", "lateral shift"}};

// clang-format off
static const struct {
    int count;
    kane_column columns[2];
    const char *message;
} wrong[] = {
    {0, {{"a", "s", "x"}},                        "a result file needs a column"},
    {-1, {{"a", "s", "x"}},                       "a result file needs a column"},
    {2, {{"a", "s", "x"}, {NULL, "s", "x"}},      "column 2 has no name"},
    {2, {{"", "s", "x"}, {"b", "s", "x"}},        "column 1 has no name"},
    {2, {{"a", "s", "x"}, {"a", "m", "y"}},       "two columns are called 'a'"},
    {1, {{"a/b", "s", "x"}},                      "column 1 cannot be called 'a/b': a name is UTF-8 without '/' and control characters"},
    {1, {{".", "s", "x"}},                        "column 1 cannot be called '.': a name is UTF-8 without '/' and control characters"},
    {1, {{"a\nb", "s", "x"}},                     "column 1 cannot be called 'a\\nb': a name is UTF-8 without '/' and control characters"},
    {1, {{"R\xE4" "der", "s", "x"}},              "column 1 cannot be called 'R\\xe4der': a name is UTF-8 without '/' and control characters"},
    {1, {{"a", NULL, "x"}},                       "column 'a' needs a unit and a description"},
    {1, {{"a", "s", NULL}},                       "column 'a' needs a unit and a description"},
    {1, {{"a", "s\n", "x"}},                      "column 'a' needs a unit and a description"},
};
// clang-format on

files_test(columns_that_no_file_can_hold_are_refused)
{
    static kane_errors errors;
    for (int f = 0; f < files_format_count(); f++)
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            assert_null(kane_recorder_create(files_path("a"), files_formats[f], wrong[i].count, wrong[i].columns, NULL,
                                             &errors));
            assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_ARGUMENT);
            assert_string_equal(error_text(&errors), wrong[i].message);
            assert_int_equal(files_count(), 0); // nothing was created
        }
}

files_test(a_place_that_cannot_be_written_is_refused)
{
    static kane_errors errors;
    files_write(files_path("file"), "x", 1);
    for (int f = 0; f < files_format_count(); f++) {
        assert_null(kane_recorder_create(files_path("no/such/a"), files_formats[f], 2, two, NULL, &errors));
        assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_NO_FILE);
        assert_string_equal(error_text(&errors), "no/such/a: cannot be written: No such file or directory");
        assert_null(kane_recorder_create(files_path("file/a"), files_formats[f], 2, two, NULL, &errors));
        assert_string_equal(error_text(&errors), "file/a: cannot be written: Not a directory");
        assert_null(kane_recorder_create("/", files_formats[f], 2, two, NULL, &errors));
        assert_string_equal(error_text(&errors), "/: cannot be written: Is a directory");
        assert_null(kane_recorder_create("", files_formats[f], 2, two, NULL, &errors));
        assert_string_equal(error_text(&errors), "cannot be written: No such file or directory");

        assert_int_equal(chmod(files_directory, 0500), 0);
        if (access(files_directory, W_OK) == 0) {
            check_skip_part("the superuser may write everywhere: no directory is forbidden to write to");
        } else {
            assert_null(kane_recorder_create(files_path("a"), files_formats[f], 2, two, NULL, &errors));
            assert_string_equal(error_text(&errors), "a: cannot be written: Permission denied");
        }
        assert_int_equal(chmod(files_directory, 0700), 0);
    }
}

files_test(what_is_no_result_file_is_refused)
{
    static kane_errors errors;
    assert_null(kane_results_open(files_path("none"), &errors));
    assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "none: cannot be read: No such file or directory");
    assert_null(kane_results_open("", &errors));
    assert_string_equal(error_text(&errors), "cannot be read: No such file or directory");
    assert_null(kane_results_open("/dev/null", &errors));
    assert_string_equal(error_text(&errors), "/dev/null: neither a file nor a directory");
    assert_null(kane_results_open(files_path("."), &errors));
    assert_string_equal(error_text(&errors), ".: neither results.h5 nor results.csv is in this directory");
}

files_test(no_errors_may_be_asked_for)
{
    assert_null(kane_results_open(files_path("none"), NULL));
    for (int f = 0; f < files_format_count(); f++) {
        assert_null(kane_recorder_create(files_path("no/such/a"), files_formats[f], 2, two, NULL, NULL));
        assert_null(kane_recorder_create(files_path("a"), files_formats[f], 0, two, NULL, NULL));
        kane_recorder *recorder = kane_recorder_create(files_path("a"), files_formats[f], 2, two, NULL, NULL);
        const double row[2]     = {1, 2};
        assert_int_equal(kane_recorder_add(recorder, row, NULL), KANE_OK);
        assert_int_equal(kane_recorder_close(recorder, "{}", NULL), KANE_OK);
        CHECK_OWNED(kane_results) *results = kane_results_open(files_path("a"), NULL);
        assert_int_equal(kane_results_row_count(results), 1);
    }
}

files_test(a_library_without_hdf5_says_so)
{
    static kane_errors errors;
    if (kane_results_have_hdf5())
        return;
    assert_null(kane_recorder_create(files_path("a.h5"), KANE_HDF5, 2, two, NULL, &errors));
    assert_string_equal(error_text(&errors), "a.h5: this libkane was built without HDF5; it writes and reads CSV");
    files_write(files_path("a.h5"), "\x89HDF\r\n\x1a\n", 8);
    assert_null(kane_results_open(files_path("a.h5"), &errors));
    assert_string_equal(error_text(&errors), "a.h5: this libkane was built without HDF5; it writes and reads CSV");
}

// --- a full disk ---

// No file may become longer than so many bytes; RLIM_INFINITY ends that.
static void limit_files(rlim_t most)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// Writes 1500 rows as long as it can; returns how many a flush has confirmed. *closed: what closing has returned.
static int write_until_full(kane_file_format format, rlim_t most, kane_status *closed, kane_errors *errors)
{
    limit_files(most);
    kane_recorder *recorder = kane_recorder_create(files_path("a"), format, 2, two, "\"first\"", errors);
    int confirmed           = 0;
    kane_status status      = KANE_OK;
    for (int i = 0; recorder && i < 1500 && status == KANE_OK; i++) {
        const double row[2] = {i, 0.1 * i};
        status              = kane_recorder_add(recorder, row, errors);
        if (status == KANE_OK && i % 100 == 99)
            status = kane_recorder_flush(recorder, errors);
        if (status == KANE_OK && i % 100 == 99)
            confirmed = i + 1;
    }
    if (!recorder) {
        *closed = KANE_NO_FILE;
    } else if (status == KANE_OK) {
        *closed = kane_recorder_close(recorder, "\"last\"", errors);
    } else {
        static kane_errors later;
        *closed = kane_recorder_close(recorder, "\"last\"", &later);
        assert_string_equal(error_text(&later), "nothing is written any more after an earlier error");
        assert_int_equal(*closed, status);
    }
    limit_files(RLIM_INFINITY);
    return recorder ? confirmed : -1;
}

files_test(a_full_disk_leaves_what_was_flushed)
{
    static kane_errors errors;
    (void)signal(SIGXFSZ, SIG_IGN);
    for (int f = 0; f < files_format_count(); f++)
        for (rlim_t most = 0; most < 70000; most += most < 4200 ? 101 : 1301) {
            kane_status closed;
            const int confirmed = write_until_full(files_formats[f], most, &closed, &errors);
            if (closed == KANE_OK)
                assert_int_equal(confirmed, 1500);
            else
                assert_true(strstr(error_text(&errors), ": File too large") != NULL);
            check_no_errors(&errors);

            kane_results *results = kane_results_open(files_path("a"), &errors);
            if (confirmed < 0) { // not even the head
                assert_null(results);
                kane_errors_clear(&errors);
                continue;
            }
            check_no_errors(&errors);
            const int rows = kane_results_row_count(results);
            assert_true(rows >= confirmed);
            for (int i = 0; i < rows; i++) {
                assert_true(kane_results_values(results, 0)[i] == i);
                assert_true(kane_results_values(results, 1)[i] == 0.1 * i);
            }
            if (files_formats[f] == KANE_HDF5)
                assert_string_equal(kane_results_manifest(results), closed == KANE_OK ? "\"last\"" : "\"first\"");
            kane_results_free(results);
            assert_int_equal(files_count(), 1); // no copy is left
        }
    (void)signal(SIGXFSZ, SIG_DFL);
}

files_test(a_full_device_is_told)
{
    static kane_errors errors;
    if (access("/dev/full", W_OK) != 0)
        check_skip("there is no /dev/full here");
    assert_null(kane_recorder_create("/dev/full", KANE_CSV, 2, two, NULL, &errors));
    assert_string_equal(error_text(&errors), "/dev/full: cannot be written: No space left on device");
}

CHECK_MAIN(NULL, NULL)
