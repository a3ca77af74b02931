// SPDX-License-Identifier: MIT
// HDF5 files: manifests, many columns, files of others, damage. edited.h5 was written with h5py 3.7.

#include "files.h"

#include <sys/wait.h>

#define EDITED KANE_SOURCE_DIR "/tests/unit/results/edited.h5"

static const kane_column two[] = {{"z is first", "s", "time"}, {"a", "m", "lateral shift"}};

// A file of so many rows.
static void write_rows(const char *path, int rows, const char *first, const char *last)
{
    static kane_errors errors;
    kane_recorder *recorder = CHECK_GOOD(kane_recorder_create, path, KANE_HDF5, 2, two, first);
    for (int i = 0; i < rows; i++) {
        const double row[2] = {i, 0.1 * i};
        assert_int_equal(kane_recorder_add(recorder, row, &errors), KANE_OK);
    }
    assert_int_equal(kane_recorder_close(recorder, last, &errors), KANE_OK);
    check_no_errors(&errors);
}

static void check_rows(const kane_results *results, int rows)
{
    assert_int_equal(kane_results_column_count(results), 2);
    assert_int_equal(kane_results_row_count(results), rows);
    for (int i = 0; i < rows; i++) {
        assert_true(kane_results_values(results, 0)[i] == i);
        assert_true(kane_results_values(results, 1)[i] == 0.1 * i);
    }
}

files_test(the_last_manifest_replaces_the_first)
{
    char *longest = test_malloc(300001); // more than an attribute of the old formats can hold
    memset(longest, 'x', 300000);
    longest[300000] = '\0';

    const char *const manifests[][3] = {
        // first, last, what is read
        {NULL, NULL, NULL},
        {"{\"a\": 1}", NULL, "{\"a\": 1}"},
        {NULL, "{\"b\": 2}", "{\"b\": 2}"},
        {"{\"a\": 1}", "{}", "{}"},
        {"{\"a\": 1}", "{\"name\": \"Z\xC3\xBCrich\"}", "{\"name\": \"Z\xC3\xBCrich\"}"},
        {"{\"a\": 1}", longest, longest},
        {longest, "{}", "{}"},
        {"", NULL, ""},
    };
    for (size_t i = 0; i < sizeof manifests / sizeof manifests[0]; i++) {
        write_rows(files_path("a.h5"), 300, manifests[i][0], manifests[i][1]);
        kane_results *results = CHECK_GOOD(kane_results_open, files_path("a.h5"));
        check_rows(results, 300);
        if (manifests[i][2])
            assert_string_equal(kane_results_manifest(results), manifests[i][2]);
        else
            assert_null(kane_results_manifest(results));
        kane_results_free(results);
        assert_int_equal(files_count(), 1);
    }
    test_free(longest);
}

files_test(a_link_to_a_file_stays_a_link)
{
    struct stat about;
    assert_int_equal(symlink("a.h5", files_path("link.h5")), 0);
    write_rows(files_path("link.h5"), 3, "{}", "{\"b\": 2}");
    assert_int_equal(lstat(files_path("link.h5"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    CHECK_OWNED(kane_results) *results = CHECK_GOOD(kane_results_open, files_path("a.h5"));
    assert_string_equal(kane_results_manifest(results), "{\"b\": 2}");
}

files_test(columns_keep_their_order_however_many_there_are)
{
    enum { MANY = 1500 };
    static kane_errors errors;
    static char names[MANY][16];
    static kane_column columns[MANY];
    double *row = test_malloc(MANY * sizeof *row);
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(names[i], sizeof names[i], "%c%d", 'a' + (i * 7) % 26, i);
        columns[i] = (kane_column){names[i], i % 2 ? "m" : "N", names[(i + 1) % MANY]};
        row[i]     = i;
    }
    kane_recorder *recorder = kane_recorder_create(files_path("a.h5"), KANE_HDF5, MANY, columns, NULL, &errors);
    for (int i = 0; i < 5; i++)
        assert_int_equal(kane_recorder_add(recorder, row, &errors), KANE_OK);
    assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);

    kane_results *results = kane_results_open(files_path("a.h5"), &errors);
    check_no_errors(&errors);
    assert_int_equal(kane_results_column_count(results), MANY);
    for (int i = 0; i < MANY; i++) {
        assert_string_equal(kane_results_column(results, i)->name, columns[i].name);
        assert_string_equal(kane_results_column(results, i)->unit, columns[i].unit);
        assert_string_equal(kane_results_column(results, i)->description, columns[i].description);
        assert_true(kane_results_values(results, i)[4] == i);
    }
    kane_results_free(results);
    test_free(row);
}

// Another program has made columns of other types, with texts of fixed length, and has added what is no column.
files_test(a_file_that_others_have_edited_is_read)
{
    static const struct {
        const char *name, *unit, *description;
        double values[3];
    } expected[] = {{"count", "1", "", {1, 2, 3}}, // without an order of creation they come by name
                    {"longer", "m", "", {0, 1, 2}},
                    {"single", "m", "", {0.5, 0.25, -2}},
                    {"time", "s", "a fixed text", {0, 0.5, 1}}};
    CHECK_OWNED(kane_results) *results = CHECK_GOOD(kane_results_open, EDITED);
    assert_int_equal(kane_results_column_count(results), 4);
    assert_int_equal(kane_results_row_count(results), 3); // of the shortest
    assert_string_equal(kane_results_manifest(results), "{}");
    for (int i = 0; i < 4; i++) {
        assert_string_equal(kane_results_column(results, i)->name, expected[i].name);
        assert_string_equal(kane_results_column(results, i)->unit, expected[i].unit);
        assert_string_equal(kane_results_column(results, i)->description, expected[i].description);
        for (int k = 0; k < 3; k++)
            assert_true(kane_results_values(results, i)[k] == expected[i].values[k]);
    }
}

// Replaces the only place of a text in a file by another one of the same length.
static void replace_text(const char *path, const char *text, const char *by)
{
    size_t length;
    char *bytes = files_read(path, &length);
    char *found = NULL;
    for (size_t i = 0; i + strlen(text) <= length && !found; i++)
        if (memcmp(bytes + i, text, strlen(text)) == 0)
            found = bytes + i;
    assert_non_null(found);
    memcpy(found, by, strlen(by));
    files_write(path, bytes, length);
    test_free(bytes);
}

files_test(files_of_another_kind_are_refused)
{
    static kane_errors errors;
    size_t length;
    char *bytes = files_read(EDITED, &length);
    files_write(files_path("a.h5"), bytes, length);
    replace_text(files_path("a.h5"), "results 1", "results 2");
    assert_null(kane_results_open(files_path("a.h5"), &errors));
    assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_INPUT);
    assert_string_equal(error_text(&errors), "a.h5: is 'results 2', this version reads 'results 1'");

    files_write(files_path("a.h5"), bytes, length);
    replace_text(files_path("a.h5"), "kane", "cane");
    assert_null(kane_results_open(files_path("a.h5"), &errors));
    assert_string_equal(error_text(&errors), "a.h5: is HDF5, but no result file: the attribute 'kane' is missing");
    test_free(bytes);
}

// A file that was closed knows its length.
files_test(a_closed_file_that_was_cut_is_refused)
{
    static kane_errors errors;
    size_t length;
    write_rows(files_path("a.h5"), 700, "{}", NULL);
    char *bytes = files_read(files_path("a.h5"), &length);
    for (size_t cut = 1; cut < length; cut += cut < 2000 ? 7 : 317) {
        files_write(files_path("b.h5"), bytes, cut);
        assert_null(kane_results_open(files_path("b.h5"), &errors));
        assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_INPUT);
        assert_true(strncmp(error_text(&errors), "b.h5: cannot be read: ", 22) == 0);
    }
    files_write(files_path("b.h5"), bytes, length - 1);
    assert_null(kane_results_open(files_path("b.h5"), &errors));
    assert_true(strstr(error_text(&errors), "b.h5: cannot be read: truncated file: ") != NULL);
    test_free(bytes);
}

// Runs a check of some bytes in a process of its own, because HDF5 leaks what it cannot decode.
static void run_apart(int (*check)(char *bytes, size_t length), char *bytes, size_t length)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(check(bytes, length));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int cut_anywhere(char *bytes, size_t length)
{
    static kane_errors errors;
    int whole = 0;
    for (size_t cut = 1; cut <= length; cut += cut < 2000 ? 41 : 317) {
        files_write(files_path("b.h5"), bytes, cut);
        kane_results *results = kane_results_open(files_path("b.h5"), &errors);
        if (results) {
            check_rows(results, 700);
            whole++;
        } else if (errors.count != 1 || kane_errors_get(&errors, 0)->status != KANE_BAD_INPUT) {
            return 1;
        }
        kane_results_free(results);
        kane_errors_clear(&errors);
    }
    return whole > 0 ? 0 : 2; // the end of the file is only room for the next rows
}

// One that was being written does not: what is left of it is right, or it is refused.
files_test(an_open_file_that_was_cut_gives_no_wrong_rows)
{
    static kane_errors errors;
    kane_recorder *recorder = kane_recorder_create(files_path("a.h5"), KANE_HDF5, 2, two, "{}", &errors);
    size_t length;
    for (int i = 0; i < 700; i++) {
        const double row[2] = {i, 0.1 * i};
        assert_int_equal(kane_recorder_add(recorder, row, &errors), KANE_OK);
    }
    assert_int_equal(kane_recorder_flush(recorder, &errors), KANE_OK);
    char *bytes = files_read(files_path("a.h5"), &length);
    assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
    run_apart(cut_anywhere, bytes, length);
    test_free(bytes);
}

static int damage_anywhere(char *bytes, size_t length)
{
    static kane_errors errors;
    for (size_t i = 0; i < length; i += 37) {
        const char kept = bytes[i];
        bytes[i]        = (char)(kept ^ 0x55);
        files_write(files_path("b.h5"), bytes, length);
        kane_results_free(kane_results_open(files_path("b.h5"), &errors));
        bytes[i] = kept;
    }
    return errors.count > 10 ? 0 : 1; // most of the file is values
}

files_test(a_file_with_damage_anywhere_gives_an_error_or_values)
{
    size_t length;
    write_rows(files_path("a.h5"), 300, "{}", NULL);
    char *bytes = files_read(files_path("a.h5"), &length);
    run_apart(damage_anywhere, bytes, length);
    test_free(bytes);
}

// Rows that compress well, in a file with several long chunks.
static off_t size_of(const char *path, int is_compressed)
{
    enum { ROWS = 20000 };
    static kane_errors errors;
    struct stat about;
    kane_recorder *recorder = CHECK_GOOD(kane_recorder_create, path, KANE_HDF5, 2, two, "{}");
    kane_recorder_compress(recorder, is_compressed);
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(kane_recorder_add(recorder, (const double[2]){i, 0.1 * i}, &errors), KANE_OK);
    assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
    kane_results *results = kane_results_open(path, &errors);
    check_no_errors(&errors);
    check_rows(results, ROWS);
    kane_results_free(results);
    assert_int_equal(stat(path, &about), 0);
    return about.st_size;
}

files_test(a_plain_file_has_the_same_values_and_all_their_bytes)
{
    const off_t values = 2 * 20000 * sizeof(double);
    assert_true(size_of(files_path("packed.h5"), 1) < values / 2);
    assert_true(size_of(files_path("plain.h5"), 0) > values);
}

// HDF5 prints its errors unless it is told not to.
files_test(nothing_is_printed)
{
    const int kept = dup(2), file = open(files_path("printed"), O_WRONLY | O_CREAT, 0600);
    assert_true(kept >= 0 && file >= 0);
    files_write(files_path("b.h5"), "\x89HDF\r\n\x1a\n nonsense", 17);
    (void)dup2(file, 2);
    kane_results *results   = kane_results_open(files_path("b.h5"), NULL);
    kane_recorder *recorder = kane_recorder_create("/dev/null", KANE_HDF5, 2, two, NULL, NULL);
    (void)dup2(kept, 2);
    (void)close(kept);
    (void)close(file);
    assert_null(results);
    assert_null(recorder);

    struct stat about;
    assert_int_equal(stat(files_path("printed"), &about), 0);
    assert_int_equal(about.st_size, 0);
}

int main(void)
{
    if (!kane_results_have_hdf5())
        return check_skip_all("this libkane was built without HDF5");
    return check_run_tests(NULL, NULL);
}
