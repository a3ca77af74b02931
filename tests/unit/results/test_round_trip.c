// SPDX-License-Identifier: MIT
// What was written is read back: names, units, every bit of every value.

#include "files.h"

#include <float.h>
#include <time.h>

// Any bits at all: all exponents, subnormal numbers, infinities, no numbers.
static double any_bits(uint64_t *state)
{
    *state ^= *state << 13; // xorshift64
    *state ^= *state >> 7;
    *state ^= *state << 17;
    double value;
    memcpy(&value, state, sizeof value);
    return value;
}

static const double special[] = {0.0,       -0.0,       NAN,       INFINITY,   -INFINITY,   DBL_MAX,
                                 -DBL_MAX,  DBL_MIN,    4.94e-324, -DBL_MIN,   DBL_EPSILON, 0.1,
                                 1.0 / 3.0, 1e15 + 0.3, 2e-5,      123456789.0};
enum { SPECIAL = sizeof special / sizeof special[0] };

static const kane_column columns[] = {
    {"time", "s", "time since the start"},
    {"leading.left.N", "N", "normal force, \"left\", first\nwheel"},
    {"a name, with comma", "1", ""},
    {" spaces at the ends ", "m/s^2", "x"},
    {"with \"quotes\"", "1/m", "x"},
    {"1.5", "", "a name that looks like a number"},
    {"\xCE\xB3 \xE2\x86\x92 z\xC3\xBCrich", "\xC2\xB0", "beyond ASCII"},
    {"nan", "kg m^2", "x"},
    {"{a_b}^c", "N, m", "x"},
    {"Time", "\"", "names differ in case only"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void compare_columns(const kane_results *results, int with_description)
{
    assert_int_equal(kane_results_column_count(results), COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
        const kane_column *c = kane_results_column(results, i);
        assert_string_equal(c->name, columns[i].name);
        assert_string_equal(c->unit, columns[i].unit);
        assert_string_equal(c->description, with_description ? columns[i].description : "");
    }
}

// A value that belongs to a row and a column.
static void fill_row(int row, uint64_t *state, double *values)
{
    for (int i = 0; i < COLUMNS; i++)
        values[i] = row < SPECIAL ? special[(row + i) % SPECIAL] : any_bits(state);
}

static void write_rows(const char *path, kane_file_format format, int rows, int flush_every)
{
    static kane_errors errors;
    kane_recorder *recorder = kane_recorder_create(path, format, COLUMNS, columns, NULL, &errors);
    uint64_t state          = 88172645463325252u;
    double row[COLUMNS];
    check_no_errors(&errors);
    for (int i = 0; i < rows; i++) {
        fill_row(i, &state, row);
        assert_int_equal(kane_recorder_add(recorder, row, &errors), KANE_OK);
        if (flush_every && i % flush_every == 0)
            assert_int_equal(kane_recorder_flush(recorder, &errors), KANE_OK);
    }
    assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
    check_no_errors(&errors);
}

static void read_and_compare(const char *path, kane_file_format format, int rows)
{
    static kane_errors errors;
    CHECK_OWNED(kane_results) *results = kane_results_open(path, &errors);
    uint64_t state                     = 88172645463325252u;
    double row[COLUMNS];
    check_no_errors(&errors);
    compare_columns(results, format == KANE_HDF5);
    assert_int_equal(kane_results_row_count(results), rows);
    for (int k = 0; k < rows; k++) {
        fill_row(k, &state, row);
        for (int i = 0; i < COLUMNS; i++)
            if (!is_same(kane_results_values(results, i)[k], row[i], format))
                fail_msg("row %d, column %d: %a, was %a", k, i, kane_results_values(results, i)[k], row[i]);
    }
}

files_test(all_bits_of_all_values_come_back)
{
    static const int counts[] = {0, 1, 2, 255, 256, 257, 512, 1000};
    for (int f = 0; f < files_format_count(); f++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            write_rows(files_path("a"), files_formats[f], counts[i], 0);
            read_and_compare(files_path("a"), files_formats[f], counts[i]);
        }
}

files_test(flushes_change_nothing)
{
    for (int f = 0; f < files_format_count(); f++) {
        write_rows(files_path("plain"), files_formats[f], 3000, 0);
        read_and_compare(files_path("plain"), files_formats[f], 3000);
        for (int every = 1; every <= 343; every *= 7) {
            write_rows(files_path("flushed"), files_formats[f], 3000, every);
            assert_same_files(files_path("plain"), files_path("flushed"));
        }
    }
}

files_test(a_hundred_thousand_rows_come_back)
{
    static const kane_column two[] = {{"t", "s", "time"}, {"x", "m", "lateral shift"}};
    for (int f = 0; f < files_format_count(); f++) {
        static kane_errors errors;
        kane_recorder *recorder = CHECK_GOOD(kane_recorder_create, files_path("long"), files_formats[f], 2, two, NULL);
        for (int i = 0; i < 100000; i++) {
            const double row[] = {0.001 * i, sin(0.001 * i)};
            (void)kane_recorder_add(recorder, row, &errors);
        }
        assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);

        CHECK_OWNED(kane_results) *results = kane_results_open(files_path("long"), &errors);
        check_no_errors(&errors);
        assert_int_equal(kane_results_row_count(results), 100000);
        for (int i = 0; i < 100000; i++) {
            assert_true(kane_results_values(results, 0)[i] == 0.001 * i);
            assert_true(kane_results_values(results, 1)[i] == sin(0.001 * i));
        }
    }
}

files_test(the_same_rows_make_the_same_file)
{
    for (int f = 0; f < files_format_count(); f++) {
        write_rows(files_path("first"), files_formats[f], 700, 100);
        const struct timespec second = {1, 100000000}; // no time of day can hide in a file
        assert_int_equal(nanosleep(&second, NULL), 0);
        write_rows(files_path("second"), files_formats[f], 700, 100);
        assert_same_files(files_path("first"), files_path("second"));
    }
}

files_test(a_directory_gives_the_file_in_it)
{
    static kane_errors errors;
    assert_null(kane_results_open(files_directory, &errors));
    (void)error_text(&errors);
    write_rows(files_path("results.csv"), KANE_CSV, 3, 0); // a directory is a run's
    assert_null(kane_results_open(files_directory, &errors));
    assert_string_equal(error_text(&errors),
                        "results.csv: these rows are of run (not known), whose manifest is not with "
                        "them: put its manifest.json beside them, or run it again");
    files_write(files_path("manifest.json"), "{}", 2);

    for (int f = 0; f < files_format_count(); f++) {
        char name[32];
        (void)snprintf(name, sizeof name, "results.%s", kane_results_extension(files_formats[f]));
        write_rows(files_path(name), files_formats[f], 3 + f, 0);
        read_and_compare(files_directory, files_formats[f], 3 + f); // results.h5 comes before results.csv
        read_and_compare(files_path(""), files_formats[f], 3 + f);
    }
}

files_test(columns_are_found_by_name)
{
    static kane_errors errors;
    write_rows(files_path("a.csv"), KANE_CSV, 0, 0);
    CHECK_OWNED(kane_results) *results = kane_results_open(files_path("a.csv"), &errors);
    for (int i = 0; i < COLUMNS; i++)
        assert_int_equal(kane_results_find(results, columns[i].name, &errors), i);
    check_no_errors(&errors);
    assert_int_equal(kane_results_find(results, "leading.left.n", &errors), -1);
    assert_string_equal(error_text(&errors),
                        "a.csv: no column is called 'leading.left.n'; did you mean 'leading.left.N'? known: time, "
                        "leading.left.N, a name, with comma,  spaces at the ends , with \"quotes\", 1.5, "
                        "\xCE\xB3 \xE2\x86\x92 z\xC3\xBCrich, nan, {a_b}^c, Time");
}

files_test(an_old_file_is_replaced)
{
    for (int f = 0; f < files_format_count(); f++) {
        write_rows(files_path("a"), files_formats[f], 1000, 0);
        write_rows(files_path("a"), files_formats[f], 2, 0);
        read_and_compare(files_path("a"), files_formats[f], 2);
    }
}

files_test(freeing_nothing_is_allowed)
{
    kane_results_free(NULL);
    assert_int_equal(kane_recorder_close(NULL, NULL, NULL), KANE_OK);
}

CHECK_MAIN(NULL, NULL)
