// SPDX-License-Identifier: MIT
// Tables as HDF5, read back by libkane as results and by HDF5 itself: numbers to the last bit, words as texts.

#include "files.h"

#include "results/table.h"

#ifdef KANE_HAVE_HDF5

#include <hdf5.h>

enum { COLUMNS = 5, ROWS = 3, WIDEST = 7 }; // bytes of "r\xC3\xA9glage"[0 .. 6]

static const kane_table_column columns[COLUMNS] = {{.name = "time", .unit = "s"},
                                                   {.name = "wheel"},
                                                   {.name = "Q \"left\"", .unit = "N"},
                                                   {.name = "steps"},
                                                   {.name = "mixed", .unit = "m"}};
static const double times[ROWS] = {0.1, 0.2, 1.0 / 3.0}, forces[ROWS] = {-1e300, 5e-324, INFINITY};
static const char *const wheels[ROWS] = {"left", "", "r\xC3\xA9glag"}, *const mixed[ROWS] = {"none", "0.1", "7"};

static kane_table make_table(kane_arena *arena, const char *title)
{
    kane_table t = kane_table_begin(arena, COLUMNS, ROWS);
    t.title      = title;
    kane_table_add_columns(&t, COLUMNS, columns);
    for (int row = 0; row < ROWS; row++) {
        const kane_cell cells[COLUMNS] = {kane_cell_number(times[row]), kane_cell_word(wheels[row]),
                                          kane_cell_number(forces[row]), kane_cell_count(row - 1),
                                          row == 0 ? kane_cell_word(mixed[row]) : kane_cell_number(atof(mixed[row]))};
        kane_table_add(&t, COLUMNS, cells);
    }
    return t;
}

// A text attribute of an object of a file.
static const char *attribute(hid_t object, const char *name)
{
    static char text[100];
    if (H5Aexists(object, name) <= 0)
        return "missing";
    const hid_t id = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(id);
    memset(text, 0, sizeof text);
    assert_true(H5Tget_size(type) < sizeof text && H5Aread(id, type, text) >= 0);
    (void)H5Tclose(type);
    (void)H5Aclose(id);
    return text;
}

static void check_numbers(hid_t group, int column, const double *expected)
{
    double values[ROWS];
    const hid_t id = H5Dopen2(group, columns[column].name, H5P_DEFAULT);
    assert_true(id >= 0 && H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_memory_equal(values, expected, sizeof values);
    assert_string_equal(attribute(id, "unit"), columns[column].unit ? columns[column].unit : "1");
    assert_string_equal(attribute(id, "description"), columns[column].name);
    assert_string_equal(attribute(id, "axis"), column == 0 ? "missing" : columns[0].name);
    (void)H5Dclose(id);
}

// Texts of UTF-8 with `length` bytes, the length of the longest, filled with zeros; without a unit.
static void check_words(hid_t group, int column, size_t length, const char *const *expected)
{
    char texts[ROWS * 20] = "";
    const hid_t id = H5Dopen2(group, columns[column].name, H5P_DEFAULT), type = H5Dget_type(id);
    assert_true(H5Tget_class(type) == H5T_STRING && H5Tget_cset(type) == H5T_CSET_UTF8);
    assert_int_equal(H5Tget_size(type), length);
    assert_true(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
    for (int row = 0; row < ROWS; row++) {
        char padded[20] = "";
        (void)strcpy(padded, expected[row]);
        assert_memory_equal(texts + (size_t)row * length, padded, length);
    }
    assert_string_equal(attribute(id, "unit"), "missing");
    (void)H5Tclose(type);
    (void)H5Dclose(id);
}

static void check_table(hid_t group)
{
    static const double steps[ROWS] = {-1.0, 0.0, 1.0};
    check_numbers(group, 0, times);
    check_words(group, 1, WIDEST, wheels);
    check_numbers(group, 2, forces);
    check_numbers(group, 3, steps);
    check_words(group, 4, 4, mixed);
    H5G_info_t info;
    assert_true(H5Gget_info(group, &info) >= 0);
    assert_int_equal(info.nlinks, COLUMNS);
}

files_test(one_table_is_a_result_file)
{
    static const int kept[]        = {0, 2, 3};
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    const kane_table t             = make_table(arena, "one");
    assert_int_equal(CHECK_GOOD(kane_table_write_hdf, 1, &t, files_path("t.h5")), KANE_OK);
    const hid_t file = H5Fopen(files_path("t.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_string_equal(attribute(file, "kane"), "results 1");
    assert_string_equal(attribute(file, "kane_version"), kane_version());
    check_table(file);
    (void)H5Fclose(file);
    CHECK_OWNED(kane_results) *r = CHECK_GOOD(kane_results_open, files_path("t.h5"));
    assert_int_equal(kane_results_row_count(r), ROWS);
    assert_int_equal(kane_results_column_count(r), 3); // words are none
    for (int i = 0; i < 3; i++) {
        const kane_column *c = kane_results_column(r, i);
        assert_string_equal(c->name, columns[kept[i]].name);
        assert_string_equal(c->unit, columns[kept[i]].unit ? columns[kept[i]].unit : "1");
        for (int row = 0; row < ROWS; row++)
            assert_true(kane_results_values(r, i)[row] == kane_table_at(&t, row, kept[i])->number); // infinity, too
    }
}

// Each by the name of its title; such a file is no result file.
files_test(of_several_tables_each_is_a_group)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    const kane_table both[]        = {make_table(arena, "first"), make_table(arena, "second one")};
    CHECK_ERRORS errors            = {0};
    assert_int_equal(CHECK_GOOD(kane_table_write_hdf, 2, both, files_path("t.h5")), KANE_OK);
    const hid_t file = H5Fopen(files_path("t.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_string_equal(attribute(file, "kane"), "tables 1");
    for (int i = 0; i < 2; i++) {
        const hid_t group = H5Gopen2(file, both[i].title, H5P_DEFAULT);
        assert_true(group >= 0);
        check_table(group);
        (void)H5Gclose(group);
    }
    (void)H5Fclose(file);
    assert_null(kane_results_open(files_path("t.h5"), &errors));
    assert_string_equal(error_text(&errors), "t.h5: is 'tables 1', this version reads 'results 1'");
}

files_test(the_same_table_gives_the_same_bytes)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    const kane_table both[]        = {make_table(arena, "first"), make_table(arena, "second")};
    for (int count = 1; count <= 2; count++) {
        (void)CHECK_GOOD(kane_table_write_hdf, count, both, files_path("a.h5"));
        (void)CHECK_GOOD(kane_table_write_hdf, count, both, files_path("b.h5"));
        assert_same_files(files_path("a.h5"), files_path("b.h5"));
    }
}

files_test(a_table_without_rows_or_words_is_written)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    kane_table t                   = kane_table_begin(arena, COLUMNS, 0);
    kane_table_add_columns(&t, COLUMNS, columns);
    assert_int_equal(CHECK_GOOD(kane_table_write_hdf, 1, &t, files_path("t.h5")), KANE_OK);
    CHECK_OWNED(kane_results) *r = CHECK_GOOD(kane_results_open, files_path("t.h5"));
    assert_int_equal(kane_results_row_count(r), 0);
    assert_int_equal(kane_results_column_count(r), COLUMNS);
}

files_test(what_cannot_be_written_is_refused)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    CHECK_ERRORS errors            = {0};
    kane_table t                   = make_table(arena, "t");
    const kane_table same[]        = {t, t};
    assert_int_equal(kane_table_write_hdf(1, &t, files_path("nowhere/t.h5"), &errors), KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "nowhere/t.h5: cannot be written: No such file or directory");
    assert_int_equal(kane_table_write_hdf(2, same, files_path("t.h5"), &errors), KANE_NO_FILE); // one name
    assert_non_null(strstr(error_text(&errors), "t.h5: cannot be written: "));
    t.columns[2].name = "time";
    assert_int_equal(kane_table_write_hdf(1, &t, files_path("u.h5"), &errors), KANE_BAD_ARGUMENT);
    assert_string_equal(error_text(&errors), "two columns are called 'time'");
    assert_int_equal(access(files_path("u.h5"), F_OK), -1);
}

CHECK_MAIN(NULL, NULL)

#else

int main(void)
{
    return check_skip_all("this libkane was built without HDF5");
}

#endif
