// SPDX-License-Identifier: MIT
// A file of HDF5 can refer to other files by links, by soft links that go through them, by external storage and virtual
// datasets. Their contents are not read; the error names the file.

#include "errors.h"
#include "folder.h"

#ifdef KANE_HAVE_HDF5

#include "base/hdf.h"
#include "base/machine.h"
#include "base/store.h"

#include <sys/stat.h>

enum { ROWS = 3 };

static const kane_column columns[] = {{"time", "s", "time"}, {"x", "m", "lateral shift"}};

static const char *told(const kane_errors *errors)
{
    static char text[1024];
    assert_int_equal(errors->count, 1);
    (void)kane_error_format(&errors->first, sizeof text, text);
    return text;
}

static void record(const char *file)
{
    static kane_errors errors = {.limit = 1};
    kane_recorder *recorder   = kane_recorder_create(file, KANE_HDF5, 2, columns, NULL, &errors);
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(kane_recorder_add(recorder, (const double[]){i, 10.0 + i}, &errors), KANE_OK);
    assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
    check_no_errors(&errors);
}

// A dataset of ROWS numbers as a column has them; creation is closed.
static void create_column(hid_t file, const char *name, hid_t creation, int has_unit)
{
    const hsize_t rows = ROWS;
    const hid_t space  = H5Screate_simple(1, &rows, NULL);
    const hid_t id     = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(id >= 0 && (!has_unit || kane_hdf_put_text(id, "unit", "m") >= 0));
    (void)H5Dclose(id);
    (void)H5Sclose(space);
    (void)H5Pclose(creation);
}

static void link_to_file(hid_t file)
{
    assert_true(H5Lcreate_external("other.h5", "/x", file, "x", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

static void link_to_link(hid_t file)
{
    assert_true(H5Lcreate_external("other.h5", "/", file, "a", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_soft("/a/x", file, "x", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Ldelete(file, "a", H5P_DEFAULT) >= 0);
    const hid_t group = H5Gcreate2(file, "inner", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Lcreate_external("other.h5", "/", group, "a", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Ldelete(file, "x", H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_soft("/inner/a/x", file, "x", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    (void)H5Gclose(group);
}

// Who opens it waits for a writer without end.
static void link_to_pipe(hid_t file)
{
    assert_true(H5Lcreate_external("pipe", "/x", file, "x", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

static void store_outside(hid_t file)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_external(creation, "numbers", 0, ROWS * sizeof(double)) >= 0);
    create_column(file, "x", creation, 1);
}

static hid_t of_other_file(void)
{
    const hsize_t rows   = ROWS;
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &rows, NULL);
    assert_true(H5Pset_virtual(creation, space, "other.h5", "/x", space) >= 0);
    (void)H5Sclose(space);
    return creation;
}

static void make_virtual(hid_t file)
{
    create_column(file, "x", of_other_file(), 1);
}

static const struct {
    void (*make)(hid_t file);
    const char *said;
} cases[] = {
    {link_to_file,
     "x: is a link to the file 'other.h5', which is not followed: copy it into this file (h5copy, h5repack)"},
    {link_to_link,
     "x: is a link to the file 'other.h5', which is not followed: copy it into this file (h5copy, h5repack)"},
    {link_to_pipe, "x: is a link to the file 'pipe', which is not followed: copy it into this file (h5copy, h5repack)"},
    {store_outside,
     "x: has external storage: its values lie in the file 'numbers', which is not followed: copy it into this "
     "file (h5copy, h5repack)"},
    {make_virtual,
     "x: is a virtual dataset: its values lie in the file 'other.h5', which is not followed: copy it into this "
     "file (h5copy, h5repack)"},
};
enum { CASES = sizeof cases / sizeof *cases };

// The files that are referred to are there: they could be read.
static void make_others(void)
{
    const double numbers[ROWS] = {7.0, 8.0, 9.0};
    record("other.h5");
    FILE *out = fopen("numbers", "wb");
    assert_true(out && fwrite(numbers, sizeof numbers, 1, out) == 1 && fclose(out) == 0);
    assert_int_equal(mkfifo("pipe", 0666), 0);
}

CHECK_TEST(results_of_other_files_are_refused_by_name)
{
    make_others();
    for (int i = 0; i < CASES; i++) {
        kane_errors errors = {.limit = 1};
        char expected[300];
        record("a.h5");
        const hid_t file = H5Fopen("a.h5", H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Ldelete(file, "x", H5P_DEFAULT) >= 0);
        cases[i].make(file);
        (void)H5Fclose(file);
        assert_null(kane_results_open("a.h5", &errors));
        assert_int_equal(errors.first.status, KANE_BAD_INPUT);
        (void)snprintf(expected, sizeof expected, "a.h5: %s", cases[i].said);
        assert_string_equal(told(&errors), expected);
    }
}

// Links inside of the file, and what is no column, do no harm.
CHECK_TEST(one_file_is_read_as_it_ever_was)
{
    kane_errors errors = {.limit = 1};
    record("b.h5");
    const hid_t file = H5Fopen("b.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Lcreate_soft("/x", file, "same", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    create_column(file, "noise", of_other_file(), 0);
    (void)H5Fclose(file);
    CHECK_OWNED(kane_results) *results = kane_results_open("b.h5", &errors);
    check_no_errors(&errors);
    assert_int_equal(kane_results_column_count(results), 3);
    for (int i = 0; i < ROWS; i++)
        assert_true(kane_results_values(results, 2)[i] == 10.0 + i);
}

// A store with a right hash.
static void seal(const char *from, const char *to)
{
    char head[512] = "", hash[KANE_HASH_SIZE];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in && out);
    static char image[1 << 16];
    const size_t length = fread(image, 1, sizeof image, in);
    kane_hash_bytes(image, length, hash);
    (void)snprintf(head, sizeof head, "kane test 1\n%s xxh128 of what follows, HDF5\n", hash);
    assert_int_equal(fwrite(head, 1, sizeof head, out), sizeof head);
    assert_int_equal(fwrite(image, 1, length, out), length);
    (void)fclose(in);
    (void)fclose(out);
}

CHECK_TEST(stores_refuse_them_too)
{
    for (int i = 0; i < CASES; i++) {
        kane_errors errors             = {.limit = 1};
        CHECK_OWNED(kane_arena) *arena = kane_arena_create();
        const hid_t creation           = kane_hdf_creation();
        const hid_t file               = H5Fcreate("c.h5", H5F_ACC_TRUNC, creation, H5P_DEFAULT);
        cases[i].make(file);
        (void)H5Fclose(file);
        (void)H5Pclose(creation);
        seal("c.h5", "c.store");
        assert_null(kane_store_read(arena, "c.store", "test 1", &errors));
        if (!strstr(told(&errors), strchr(cases[i].said, ' ') + 1) && cases[i].make != link_to_link)
            fail_msg("%d: %s", i, told(&errors));
    }
}

CHECK_MAIN(enter_folder, leave_folder)

#else

int main(void)
{
    return 0;
}

#endif
