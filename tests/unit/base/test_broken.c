// SPDX-License-Identifier: MIT
// Texts that are not JSON, each with all of its message.

#include "sample.h"

// clang-format off
#define ROW(text, message) {text, sizeof(text) - 1, message}
static const struct {
    const char *text;
    size_t length;
    const char *message; // after "w.json:"
} rows[] = {
    ROW("",
        "1:1: the text is empty"),
    ROW("   \n \n",
        "3:1: the text is empty"),
    ROW("\xEF\xBB\xBF{}",
        "1:1: the text begins with a byte order mark; save it as UTF-8 without one"),
    ROW("\xFF\xFE{\x00}\x00",
        "1:1: the text is UTF-16; save it as UTF-8"),
    ROW("{ \"kane\": \"wagon 1\"",
        "1:20: the text ends here, but the '{' of line 1, column 1 is not closed"),
    ROW("{ \"kane\": \"wagon 1\",\n  \"name\": \"a\n}",
        "2:11: the closing quote of this text is missing"),
    ROW("{ \"kane\": \"wagon 1\", }",
        "1:20: a trailing comma: nothing follows it before the closing bracket"),
    ROW("{ \"kane\": \"wagon 1\", \"bodies\": [1, 2,\n ] }",
        "1:37: a trailing comma: nothing follows it before the closing bracket"),
    ROW("{ \"kane\": \"wagon 1\"\n  \"name\": \"a\" }",
        "1:20: a ',' is missing here"),
    ROW("{ \"kane\": \"wagon 1\", \"sections\": [{} {}] }",
        "1:37: a ',' is missing here"),
    ROW("{ \"kane\": \"wagon 1\", \"sections\": [{}\n  ;{}] }",
        "2:3: found ';', values are separated by ','"),
    ROW("{ 'kane': \"wagon 1\" }",
        "1:3: found a single quote, text and keys stand in double quotes"),
    ROW("{ \"kane\": 'wagon 1' }",
        "1:11: found a single quote, text and keys stand in double quotes"),
    ROW("{ kane: \"wagon 1\" }",
        "1:3: a key needs double quotes: \"kane\""),
    ROW("{ kane\": \"wagon 1\" }",
        "1:3: the opening quote of this key is missing"),
    ROW("{ \"na\\qme\": 5 }",
        "1:6: unknown escape in a text; a backslash itself is written \\\\"),
    ROW("{ \"kane\": wagon 1 }",
        "1:11: a text needs double quotes: \"wagon\""),
    ROW("{ \"kane\": wagon\" }",
        "1:11: the opening quote of this text is missing"),
    ROW("{ \"kane\" \"wagon 1\" }",
        "1:10: found '\"', expected ':' after the key"),
    ROW("{ \"kane\" = \"wagon 1\" }",
        "1:10: found '=', a key and its value are separated by ':'"),
    ROW("{ \"kane\", \"wagon 1\" }",
        "1:9: the value of this key is missing: found ',', expected ':'"),
    ROW("{ \"kane\": , \"name\": \"a\" }",
        "1:11: a value is missing before this ','"),
    ROW("{ \"kane\": }",
        "1:11: a value is missing before this '}'"),
    ROW("{ , \"kane\": \"wagon 1\" }",
        "1:3: a key and its value are missing before this ','"),
    ROW("{ \"kane\": \"wagon 1\",, \"name\": \"a\" }",
        "1:21: a key and its value are missing before this ','"),
    ROW("[1,,2]",
        "1:4: a value is missing before this ','"),
    ROW("// a wagon\n{ \"kane\": \"wagon 1\" }",
        "1:1: JSON has no comments; a key \"note\" may hold text"),
    ROW("{ \"kane\": \"wagon 1\", /* a wagon */ \"name\": \"a\" }",
        "1:22: JSON has no comments; a key \"note\" may hold text"),
    ROW("{ \"kane\": \"wagon 1\" # a wagon\n}",
        "1:21: JSON has no comments; a key \"note\" may hold text"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": NaN }",
        "1:34: NaN and Infinity are no numbers in JSON"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": -Infinity }",
        "1:34: NaN and Infinity are no numbers in JSON"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": inf }",
        "1:34: NaN and Infinity are no numbers in JSON"),
    ROW("{ \"kane\": \"wagon 1\", \"mirror\": True }",
        "1:32: 'True' is written true in JSON"),
    ROW("{ \"kane\": \"wagon 1\", \"mirror\": None }",
        "1:32: 'None' is written null in JSON"),
    ROW("{ \"kane\": \"wagon 1\" } }",
        "1:23: this '}' closes nothing"),
    ROW("{ \"kane\": \"wagon 1\" } { \"kane\": \"wagon 1\" }",
        "1:23: more text after the end of the document"),
    ROW("{ \"kane\": \"wagon 1\", \"sections\": [ { \"length\": 5 ] }",
        "1:50: found ']', but the '{' of line 1, column 36 is open"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 01 }",
        "1:34: a number does not begin with a needless 0"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": +1 }",
        "1:34: a number does not begin with '+'"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": .3 }",
        "1:34: a digit is missing before the decimal point"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 3. }",
        "1:34: a digit is missing after the decimal point"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 3e }",
        "1:34: a digit is missing in the exponent"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 3e+ }",
        "1:34: a digit is missing in the exponent"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": - }",
        "1:34: a digit is missing after '-'"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 0x1F }",
        "1:34: JSON has no hexadecimal numbers"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 1.2.3 }",
        "1:34: '1.2.3' is not a number"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 1_000 }",
        "1:34: '1_000' is not a number"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 0,3 }",
        "1:36: expected a key, found a number; a decimal comma? Numbers have a decimal point"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 1e999 }",
        "1:34: the number is too large"),
    ROW("{ \"kane\": \"wagon 1\", \"friction\": 0.1234567890123456789012345678901234567890123456789012345678901234567890 }",
        "1:34: a number of 72 characters, at most 60 are read"),
    ROW("{ \"kane\": \"wagon 1\", \"speed\": 54 km/h }",
        "1:31: a number with a unit is text and needs double quotes: \"54 km/h\""),
    ROW("{ \"kane\": \"wagon 1\", \"speed\": 54km/h, \"name\": \"a\" }",
        "1:31: a number with a unit is text and needs double quotes: \"54km/h\""),
    ROW("{ \"kane\": \"wagon 1\", \"inclination\": 1:40 }",
        "1:37: a number with a unit is text and needs double quotes: \"1:40\""),
    ROW("{ \"kane\": \"wagon 1\", \"curvature\": 1/600 1/m }",
        "1:35: a number with a unit is text and needs double quotes: \"1/600 1/m\""),
    ROW("{ \"kane\": \"wagon 1\", \"cant\": 3 \xE2\x80\xB0 }",
        "1:30: a number with a unit is text and needs double quotes: \"3 \xE2\x80\xB0\""),
    ROW("{ \"kane\": \"wagon 1\", \"name\": \"C:\\wagons\" }",
        "1:33: unknown escape in a text; a backslash itself is written \\\\"),
    ROW("{ \"kane\": \"wagon 1\", \"name\": \"\\u12G4\" }",
        "1:31: \\u needs four hexadecimal digits"),
    ROW("{ \"kane\": \"wagon 1\", \"name\": \"\\u0000\" }",
        "1:31: \\u0000 is not allowed in a text"),
    ROW("{ \"kane\": \"wagon 1\", \"name\": \"\\uD800\" }",
        "1:31: half of a surrogate pair"),
    ROW("{ \"kane\": \"wagon 1\", \"name\": \"a\tb\x01\" }",
        "1:32: found the control character 0x09 in a text; a tab is written \\t"),
    ROW("{ \"kane\": \"wagon 1\", \"name\": \"R\xE4" "der\" }",
        "1:32: the byte 0xe4 is not UTF-8; save the file as UTF-8"),
    ROW("{ \"kane\": \xE2\x80\x9Cwagon 1\xE2\x80\x9D }",
        "1:11: found a typographic quote, text and keys stand in plain double quotes"),
    ROW("{\xC2\xA0\"kane\": \"wagon 1\" }",
        "1:2: found a non-breaking space, use a plain one"),
    ROW("{ \"kane\": \"wagon 1\", \"name\": \"a: \"b\" }",
        "1:35: a ',' is missing here"),
    ROW("{ \"kane\": \"wagon 1\", \"name\": \"a\x00" "b\" }",
        "1:32: found a byte 0: this is not a text file"),
    ROW("{ \"kane\": \"wagon 1\", \x00 }",
        "1:22: found a byte 0: this is not a text file"),
    ROW("{ \"kane\": \"wagon 1\", \"sections\": [ \"length\": 5 ] }",
        "1:44: found ':', a list has no keys (an object in { } has)"),
    ROW("{ \"kane\": \"wagon 1\" \"name\": \"a\" }",
        "1:20: a ',' is missing here"),
    ROW("{ \"kane\": \"a\": \"b\" }",
        "1:14: found ':' after a value, expected ',' or '}'"),
    ROW("{ \"kane\": \"wagon 1\", 5: 3 }",
        "1:22: expected a key, found a number; a decimal comma? Numbers have a decimal point"),
    ROW("{ \"kane\": \"wagon 1\", { } }",
        "1:22: found '{', expected a key in double quotes"),
    ROW("&",
        "1:1: found '&', expected a value"),
    ROW("{ \"kane\": \"wagon 1\", \"a\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] }",
        "1:90: too deep: more than 64 brackets within each other"),
    ROW("{ \"kane\": \"wagon 1\", \"a\": ) }",
        "1:27: found ')', expected a value"),
    ROW("{ \"kane\": \"wagon 1\", \"a\": 1 ) }",
        "1:29: found ')', expected ',' or '}'"),
    ROW("{ \"kane\": \"wagon 1\", \"a\": 5 \"b\": 6 }",
        "1:28: a ',' is missing here"),
    ROW("{ \"kane\": \"wagon 1\", \"a\": \"b\" c }",
        "1:30: a ',' is missing here"),
    ROW("\x7F",
        "1:1: found the control character 0x7f, expected a value"),
    ROW("{ \"kane\": \"wagon 1\", \"name\": \"a\xF5" "b\" }",
        "1:32: the byte 0xf5 is not UTF-8; save the file as UTF-8"),
};
// clang-format on

CHECK_TEST(every_broken_text_is_told_what_is_wrong_and_where)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kane_errors *errors = test_calloc(1, sizeof *errors);
        kane_arena *arena   = kane_arena_create();
        char whole[1024]    = "", expected[1024];

        // the text lies at the end of its memory, so that a sanitizer sees who reads too far
        char *text = test_malloc(rows[i].length + 1);
        memcpy(text, rows[i].text, rows[i].length + 1);
        assert_null(kane_document_parse(arena, "w.json", text, rows[i].length, NULL, errors));
        assert_int_equal(errors->count, 1);
        assert_int_equal(kane_errors_get(errors, 0)->status, KANE_BAD_INPUT);
        sample_list(errors, sizeof whole, whole);
        (void)snprintf(expected, sizeof expected, "w.json:%s", rows[i].message);
        assert_string_equal(whole, expected);
        test_free(text);
        kane_arena_free(arena);
        kane_errors_free(errors);
        test_free(errors);
    }
}

CHECK_TEST(a_file_that_cannot_be_read_says_why)
{
    static const char *const rows_of_files[][2] = {
        {"no/such/file.json", "no/such/file.json: cannot be read: No such file or directory"},
        {"/", "/: cannot be read: Is a directory"},
        {"", "cannot be read: No such file or directory"}};
    for (int i = 0; i < 3; i++) {
        kane_errors *errors = test_calloc(1, sizeof *errors);
        kane_arena *arena   = kane_arena_create();
        char whole[1024];
        assert_null(kane_document_open(arena, rows_of_files[i][0], NULL, errors));
        assert_int_equal(errors->count, 1);
        assert_int_equal(kane_errors_get(errors, 0)->status, KANE_NO_FILE);
        sample_list(errors, sizeof whole, whole);
        assert_string_equal(whole, rows_of_files[i][1]);
        kane_arena_free(arena);
        kane_errors_free(errors);
        test_free(errors);
    }
}

CHECK_MAIN(NULL, NULL)
