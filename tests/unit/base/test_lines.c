// SPDX-License-Identifier: MIT
// Lines of text files: their ends and numbers, words, settings and places of errors; arrays that grow.

#include "check.h"

#include "base/arena.h"
#include "base/lines.h"

CHECK_TEST(lines_end_as_all_systems_have_it)
{
    kane_lines r = {.file = "f",
                    .at   = "\xef\xbb\xbf"
                            "a\r\n\r\n b ! c\rd\n\n! e\nlast"};
    static const struct {
        const char *text;
        int line, column;
    } expected[] = {{"a", 1, 1}, {"b", 3, 2}, {"d", 4, 1}, {"last", 7, 1}};
    assert_int_equal(kane_lines_count(r), 7);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(kane_lines_next(&r, "!"));
        assert_int_equal(r.end - r.begin, strlen(expected[i].text));
        assert_memory_equal(r.begin, expected[i].text, strlen(expected[i].text));
        const kane_place place = kane_lines_place(&r, r.begin);
        assert_int_equal(place.line, expected[i].line);
        assert_int_equal(place.column, expected[i].column);
    }
    assert_false(kane_lines_next(&r, "!"));
}

CHECK_TEST(numbers_are_read_to_the_first_fault)
{
    kane_errors errors = {.limit = 10};
    double n[KANE_LINE_NUMBERS];
    kane_lines r = {.file = "f", .at = "1, 2.;3D1\n4 5x 6\n7 8y\n9", .errors = &errors, .faults_most = 2};
    assert_true(kane_lines_next(&r, ""));
    assert_int_equal(kane_lines_numbers(&r, ",;", n), 3);
    check_near(n[0] + n[1] + n[2], 33.0, 0.0);
    assert_true(kane_lines_next(&r, ""));
    assert_int_equal(kane_lines_numbers(&r, "", n), -1);
    assert_int_equal(kane_errors_get(&errors, 0)->line, 2);
    assert_int_equal(kane_errors_get(&errors, 0)->column, 3);
    assert_true(kane_lines_next(&r, ""));
    assert_int_equal(kane_lines_numbers(&r, "", n), -1);
    assert_false(kane_lines_next(&r, "")); // after two faults
    kane_errors_free(&errors);
}

CHECK_TEST(settings_are_a_key_and_a_value)
{
    char key[16], value[8];
    kane_lines r = {.file = "f", .at = "'name' =  \"a value that is long\"\nnone"};
    assert_true(kane_lines_next(&r, ""));
    const char *at = kane_lines_setting(&r, sizeof value, key, value);
    assert_non_null(at);
    assert_int_equal(kane_lines_place(&r, at).column, 11);
    assert_string_equal(key, "name");
    assert_string_equal(value, "a value");
    assert_true(kane_lines_next(&r, ""));
    assert_null(kane_lines_setting(&r, sizeof value, key, value));
}

CHECK_TEST(arrays_grow_and_keep_what_they_have)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    int room = 0, *array = NULL;
    for (int i = 0; i < 1000; i++) {
        array = kane_arena_grow(arena, array, i, &room, sizeof *array);
        assert_non_null(array);
        assert_true(room > i);
        array[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(array[i], i);
    assert_null(kane_arena_grow(NULL, array, room, &room, sizeof *array));
}

CHECK_MAIN(NULL, NULL)
