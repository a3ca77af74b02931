// SPDX-License-Identifier: MIT
// CSV files as text: what is written byte for byte, what other programs write, and what is wrong with a file.

#include "files.h"

// Reads a text as a file a.csv.
static kane_results *read_text(const char *text, size_t length, kane_errors *errors)
{
    files_write(files_path("a.csv"), text, length);
    return kane_results_open(files_path("a.csv"), errors);
}

files_test(a_file_is_names_units_and_rows)
{
    static const kane_column columns[] = {
        {"time", "s", "x"}, {"a, b", "1", "x"}, {"say \"c\"", "N m", "x"}, {"7", "", "x"}};
    static const double rows[][4] = {
        {0.0, -0.0, 0.1, 1e300}, {5e-3, NAN, INFINITY, -INFINITY}, {1.0 / 3.0, -2.5, 3, 4}};
    static kane_errors errors;
    kane_recorder *recorder = kane_recorder_create(files_path("a.csv"), KANE_CSV, 4, columns, "{}", &errors);
    for (int i = 0; i < 3; i++)
        assert_int_equal(kane_recorder_add(recorder, rows[i], &errors), KANE_OK);
    assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
    check_no_errors(&errors);

    size_t length;
    char *text = files_read(files_path("a.csv"), &length);
    assert_string_equal(text, "# units s,\"1\",N m,\"\"\n"
                              "time,\"a, b\",\"say \"\"c\"\"\",\"7\"\n"
                              "0,-0,0.1,1e+300\n"
                              "0.005,nan,inf,-inf\n"
                              "0.3333333333333333,-2.5,3,4\n");
    test_free(text);
}

files_test(only_whole_lines_are_written_and_only_when_flushed)
{
    enum { HEAD = sizeof "# units s\ntime\n" - 1 };
    static const kane_column columns[] = {{"time", "s", "x"}};
    static kane_errors errors;
    kane_recorder *recorder = kane_recorder_create(files_path("a.csv"), KANE_CSV, 1, columns, NULL, &errors);
    struct stat about;
    assert_int_equal(stat(files_path("a.csv"), &about), 0);
    assert_int_equal(about.st_size, HEAD); // the head is there at once
    const double value = 0.125;
    for (int i = 1; i < 256; i++) {
        assert_int_equal(kane_recorder_add(recorder, &value, &errors), KANE_OK);
        if (i == 10)
            assert_int_equal(kane_recorder_flush(recorder, &errors), KANE_OK);
        assert_int_equal(stat(files_path("a.csv"), &about), 0);
        assert_int_equal(about.st_size, i < 10 ? HEAD : HEAD + 10 * 6);
    }
    assert_int_equal(kane_recorder_add(recorder, &value, &errors), KANE_OK); // a block is full
    assert_int_equal(stat(files_path("a.csv"), &about), 0);
    assert_int_equal(about.st_size, HEAD + 256 * 6);
    assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
}

// Files that all hold the columns t = 0.5, -2 and x = 3, NaN.
static const struct {
    const char *text;
    size_t length;
    const char *unit; // of x
} same[] = {
    {"t,x\ns,m\n0.5,3\n-2,nan\n", 0, "m"},
    {"t,x\n0.5,3\n-2,nan\n", 0, ""},                        // without units
    {"t,x\r\ns,m\r\n0.5,3\r\n-2,nan\r\n", 0, "m"},          // from Windows
    {"\xEF\xBB\xBFt,x\ns,m\n0.5,3\n-2,\n", 0, "m"},         // from a spreadsheet
    {" t , x \ns,\tm\n 0.5 ,3\n-2 , NaN\n", 0, "m"},        // aligned by hand
    {"\"t\",\"x\"\n\"s\",\"m\"\n0.5,3\n-2,-nan\n", 0, "m"}, // with needless quotes
    {"t,x\ns,1\n+.5,3e0\n-200e-2,NAN\n", 0, "1"},           // a pure number, written by hand
    {"t,x\ns,\n0.5,3.0\n-2,nan\n", 0, ""},                  // a unit that is not known
    {"t,x\n,\n0.5,0000000003\n-2,\n", 0, ""},               // none is known
    {"t,x\ns,m\n0.5,3\n-2,nan\n\0\0\0", 24, "m"},           // cut by a loss of power
    {"t,x\n\"s\",\"1\"\n0.5,3\n-2,nan\n", 0, "1"},          // as by a recorder of old
    {"t,x\n\"1\",\"1\"\n0.5,3\n-2,nan\n", 0, "1"},          // only pure numbers
    {"# units s,m\nt,x\n0.5,3\n-2,nan\n", 0, "m"},          // what a recorder writes
    {"# run of somebody\n#units no\n# units s,m\n# by hand\nt,x\n0.5,3\n-2,nan\n", 0, "m"}, // with other comments
    {"# units s,m\r\nt,x\r\n0.5,3\r\n-2,nan\r\n", 0, "m"},                                  // from Windows
    {"\xEF\xBB\xBF# units s,m\nt,x\n0.5,3\n-2,\n", 0, "m"},                                 // from a spreadsheet
    {"# units \"s\",\"2\"\"\"\nt,x\n0.5,3\n-2,nan\n", 0, "2\""},                            // quotes in quotes
    {"t,x\n\"N, m\",\"2\"\"\"\n0.5,3\n-2,nan\n", 0, "2\""},                                 // quotes in quotes
};

files_test(files_of_other_programs_are_read)
{
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        const size_t length                = same[i].length ? same[i].length : strlen(same[i].text);
        CHECK_OWNED(kane_results) *results = CHECK_GOOD(read_text, same[i].text, length);
        assert_int_equal(kane_results_column_count(results), 2);
        assert_string_equal(kane_results_column(results, 0)->name, "t");
        assert_string_equal(kane_results_column(results, 1)->name, "x");
        assert_string_equal(kane_results_column(results, 1)->unit, same[i].unit);
        assert_string_equal(kane_results_column(results, 1)->description, "");
        assert_null(kane_results_manifest(results));
        assert_int_equal(kane_results_row_count(results), 2);
        assert_true(kane_results_values(results, 0)[0] == 0.5);
        assert_true(kane_results_values(results, 0)[1] == -2.0);
        assert_true(kane_results_values(results, 1)[0] == 3.0);
        assert_true(isnan(kane_results_values(results, 1)[1]));
    }
}

files_test(names_alone_are_a_file_without_rows)
{
    CHECK_OWNED(kane_results) *results = CHECK_GOOD(read_text, "t,x\n", 4);
    assert_int_equal(kane_results_column_count(results), 2);
    assert_int_equal(kane_results_row_count(results), 0);
}

// Infinities may be written in several ways.
files_test(infinities_have_many_names)
{
    static const char text[]           = "a,b,c,d\nm,m,m,m\ninf,Infinity,+INF,-infinity\n";
    CHECK_OWNED(kane_results) *results = CHECK_GOOD(read_text, text, strlen(text));
    for (int i = 0; i < 4; i++)
        assert_true(kane_results_values(results, i)[0] == (i < 3 ? HUGE_VAL : -HUGE_VAL));
}

// clang-format off
#define WRONG(text, message) {text, sizeof(text) - 1, message}
static const struct {
    const char *text;
    size_t length;
    const char *message;
} wrong[] = {
    WRONG("",
          "a.csv: the file is empty"),
    WRONG("t,x",
          "a.csv:1:1: the file ends before the line that names the columns"),
    WRONG("0.5,3\n-2,4\n",
          "a.csv:1:1: expected the names of the columns, found none"),
    WRONG("\n0.5\n",
          "a.csv:1:1: expected the names of the columns, found none"),
    WRONG("t,,x\n",
          "a.csv:1:3: column 2 has no name"),
    WRONG("t,\"\",x\n",
          "a.csv:1:3: column 2 has no name"),
    WRONG("t,x,t\n",
          "a.csv: two columns are called 't'"),
    WRONG("t,\"x\n",
          "a.csv:1:3: the closing quote is missing, or a ',' after it"),
    WRONG("t,\"x\"y\n",
          "a.csv:1:3: the closing quote is missing, or a ',' after it"),
    WRONG("t,x\ns,m,N\n",
          "a.csv:2:1: 3 units, but 2 columns"),
    WRONG("# units s\nt,x\n1,2\n",
          "a.csv:1:1: 1 unit, but 2 columns"),
    WRONG("#\n# units s,\"m\nt,x\n1,2\n",
          "a.csv:2:11: the closing quote is missing, or a ',' after it"),
    WRONG("# units s,m\nt,x\nkg,N\n1,2\n",
          "a.csv:3:1: t: 'kg' is not a number"),
    WRONG("# run 0123456789abcdef\n# units s,m\n",
          "a.csv:2:1: the file ends before the line that names the columns"),
    WRONG("t,x\ns\n",
          "a.csv:2:1: 1 unit, but 2 columns"),
    WRONG("t,x\n0.5,abc\n",
          "a.csv:2:1: neither units nor values: '0.5' is a number, but 'abc' is not"),
    WRONG("t,x\ns,m\n1,2\n3\n",
          "a.csv:4:1: 1 value, but 2 columns"),
    WRONG("t,x\ns,m\n1,2\n3,4,5\n",
          "a.csv:4:1: 3 values, but 2 columns"),
    WRONG("t,x\n1,2,3\n",
          "a.csv:2:1: 3 values, but 2 columns"),
    WRONG("t\ns\n1\n2,3\n",
          "a.csv:4:1: 2 values, but 1 column"),
    WRONG("t,x\ns,m\n\n1,2\n",
          "a.csv:3:1: 1 value, but 2 columns"),
    WRONG("t,x\ns,m\n1,2x\n",
          "a.csv:3:3: x: '2x' is not a number"),
    WRONG("t,x\ns,m\n1,\"2\"\n",
          "a.csv:3:3: x: '\"2\"' is not a number"),
    WRONG("t,x\ns,m\n1 2,3\n",
          "a.csv:3:1: t: '1 2' is not a number"),
    WRONG("t,x\ns,m\n0x10,3\n",
          "a.csv:3:1: t: '0x10' is not a number"),
    WRONG("t,x\ns,m\n1e999,3\n",
          "a.csv:3:1: t: '1e999' is not a number"),
    WRONG("t,x\ns,m\n1;2\n",
          "a.csv:3:1: t: '1;2' is not a number"),
    WRONG("t,x\ns,m\n1,0.123456789012345678901234567890123456789012345678901234567890\n",
          "a.csv:3:3: x: a value of 62 characters, at most 60 are read"),
    WRONG("t,x\ns,m\n1,2\n3,4",
          "a.csv:4:1: the last line has no line feed: is it whole?"),
    WRONG("t,x\ns,m\n1,\"2\n",
          "a.csv:3:3: the closing quote is missing, or a ',' after it"),
    WRONG("t,x\ns,m\n1,2\n1,\0002\n3,4\n",
          "a.csv:4:3: found a byte 0: this is not a text file"),
    WRONG("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n",
          "a.csv:3:1: found a byte 0: this is not a text file"),
};
// clang-format on

files_test(what_is_wrong_is_said_with_its_place)
{
    static kane_errors errors;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_null(read_text(wrong[i].text, wrong[i].length, &errors));
        assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_INPUT);
        assert_string_equal(error_text(&errors), wrong[i].message);
    }
}

// Rows of a killed run, cut anywhere, are its first whole rows, or say why not; cut rows of others are an error.
files_test(rows_cut_at_any_byte_are_whole_rows_or_an_error)
{
#define RUN_KEY "# run 0123456789abcdef\n"
    static const char text[] =
        RUN_KEY "time,\"a, b\",c\ns,\"1\",N\n0,-1.25,7e-5\n1,nan,12345.678\n2,-inf,0.3333333333333333\n";
    static const double expected[3][3] = {{0, 1, 2}, {-1.25, NAN, -INFINITY}, {7e-5, 12345.678, 1.0 / 3.0}};
    static kane_errors errors;
    files_write(files_path("manifest.json"), "{\"key\":\"0123456789abcdef\"}", 26);
    for (size_t length = sizeof RUN_KEY - 1; length < sizeof text; length++) {
        CHECK_OWNED(kane_results) *results = read_text(text, length, &errors);
        int lines                          = -1;
        for (size_t i = 0; i < length; i++)
            lines += text[i] == '\n';
        if (lines == 0) {
            assert_null(results);
            (void)error_text(&errors);
            continue;
        }
        check_no_errors(&errors);
        assert_int_equal(kane_results_column_count(results), 3);
        assert_int_equal(kane_results_row_count(results), lines > 2 ? lines - 2 : 0);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < lines - 2; k++)
                assert_true(is_same(kane_results_values(results, i)[k], expected[i][k], KANE_CSV));
        // the same rows of another program, without a run's key or units as a recorder writes them
        const size_t key                   = sizeof RUN_KEY - 1;
        CHECK_OWNED(kane_results) *foreign = read_text(text + key, length - key, &errors);
        const int is_whole                 = text[length - 1] == '\n';
        assert_int_equal(foreign != NULL, is_whole);
        if (!is_whole)
            assert_non_null(strstr(error_text(&errors), "the last line has no line feed"));
    }
    assert_int_equal(unlink(files_path("manifest.json")), 0);
}

CHECK_MAIN(NULL, NULL)
