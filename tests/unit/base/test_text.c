// SPDX-License-Identifier: MIT
// Text for messages, and names that people mistype.

#include "check.h"

#include "base/text.h"

CHECK_TEST(text_that_does_not_fit_ends_in_three_points)
{
    char buffer[10];
    kane_text t = kane_text_start(sizeof buffer, buffer);
    assert_string_equal(buffer, "");
    kane_text_add(&t, "%s", "123456");
    kane_text_add(&t, "%d", 789);
    assert_string_equal(buffer, "123456789"); // just fits
    kane_text_add(&t, "%s", "");
    assert_string_equal(buffer, "123456789");
    t = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&t, "%s", "1234567890");
    assert_string_equal(buffer, "123456...");
    kane_text_add(&t, "%s", "x");
    assert_string_equal(buffer, "123456...");
}

CHECK_TEST(what_is_cut_stays_utf8)
{
    // characters of 1 to 4 bytes, cut at every length
    static const char all[] = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x9A\x83z\xC3\xA4\xE2\x82\xAC\xF0\x9F\x9A\x83";
    for (size_t size = 4; size < sizeof all; size++) {
        char buffer[sizeof all];
        kane_text_copy(size, buffer, all);
        assert_true(strlen(buffer) < size);
        for (const char *p = buffer; *p;) {
            const int length = kane_text_utf8(p);
            assert_true(length > 0);
            p += length;
        }
    }
}

CHECK_TEST(utf8_is_what_the_standard_says)
{
    static const struct {
        const char *text;
        int length;
    } rows[] = {
        {"a", 1},
        {"", 0},
        {"\x7F", 1},
        {"\xC2\x80", 2},
        {"\xE0\xA0\x80", 3},
        {"\xED\x9F\xBF", 3},
        {"\xEF\xBF\xBF", 3},
        {"\xF0\x90\x80\x80", 4},
        {"\xF4\x8F\xBF\xBF", 4},
        {"\x80", 0},             // continues nothing
        {"\xC1\x80", 0},         // has a shorter form
        {"\xE0\x9F\x80", 0},     //
        {"\xF0\x8F\x80\x80", 0}, //
        {"\xED\xA0\x80", 0},     // surrogate
        {"\xF4\x90\x80\x80", 0}, // beyond the last character
        {"\xF5\x80\x80\x80", 0}, //
        {"\xC3", 0},             // truncated
        {"\xE2\x82", 0},         //
        {"\xF0\x9F\x9A", 0},     //
        {"\xE2\x82z", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(kane_text_utf8(rows[i].text), rows[i].length);
}

CHECK_TEST(quoted_text_stays_on_one_line_and_is_short)
{
    char buffer[200];
    kane_text t = kane_text_start(sizeof buffer, buffer);
    kane_text_quote(&t, '\'',
                    "a\nb\tc\x01"
                    "d\xC3\xA4\xFF");
    assert_string_equal(buffer, "'a\\nb\\tc\\x01d\xC3\xA4\\xff'");
    t = kane_text_start(sizeof buffer, buffer);
    kane_text_quote(&t, 0, "0123456789012345678901234567890123456789rest");
    assert_string_equal(buffer, "0123456789012345678901234567890123456789...");
}

// Characters that names, XML and terminals may have; the limits are those of Unicode and XML 1.0.
CHECK_TEST(characters_that_cannot_be_printed_are_known)
{
    static const struct {
        const char *text;
        int length; // of the first character, 0: it cannot be printed
    } rows[] = {
        {"a", 1},
        {" ", 1},
        {"\x7E", 1},
        {"\x1F", 0},
        {"\x7F", 0},
        {"\n", 0},
        {"\xC2\x80", 0},
        {"\xC2\x9F", 0},
        {"\xC2\xA0", 2},
        {"\xE2\x80\xA7", 3},
        {"\xE2\x80\xA8", 0},
        {"\xE2\x80\xAE", 0},
        {"\xE2\x80\xAF", 3},
        {"\xE2\x81\xA5", 3},
        {"\xE2\x81\xA6", 0},
        {"\xE2\x81\xA9", 0},
        {"\xE2\x81\xAA", 3},
        {"\xEF\xBF\xBD", 3},
        {"\xEF\xBF\xBE", 0},
        {"\xEF\xBF\xBF", 0},
        {"\xF0\x9F\x9A\x82", 4},
        {"\xFF", 0},
        {"\xC3", 0},
    };
    char buffer[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (kane_text_character(rows[i].text) != rows[i].length)
            fail_msg("row %zu: %d, expected %d", i, kane_text_character(rows[i].text), rows[i].length);
    assert_int_equal(kane_text_printable("good"), 4);
    assert_int_equal(kane_text_printable("\xC3\xA9\x07 bell"), 2);
    kane_text t = kane_text_start(sizeof buffer, buffer);
    kane_text_blame(&t, "\xC3\xA9\xC2\x9B");
    assert_string_equal(buffer, "U+009B at byte 3");
    kane_text_copy_printable(sizeof buffer, buffer, "a\x1b[31m\nb\xFF", 1);
    assert_string_equal(buffer, "a\\x1b[31m\nb\\xff");
    kane_text_copy_printable(sizeof buffer, buffer, "a\nb\xC2\x9B", 0);
    assert_string_equal(buffer, "a\\x0ab\\xc2\\x9b");
}

static void expect_written(void (*write)(FILE *file, const char *text), const char *text, const char *expected)
{
    CHECK_MEMORY char *found = NULL;
    size_t size              = 0;
    FILE *file               = open_memstream(&found, &size);
    assert_non_null(file);
    write(file, text);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(found, expected);
}

CHECK_TEST(texts_are_escaped_in_other_languages)
{
    expect_written(kane_write_markup, "]]> <a b=\"c\"> & d", "]]&gt; &lt;a b=&quot;c&quot;&gt; &amp; d");
    expect_written(kane_write_markup, "\x07\xFF\xC2\x9B\xC3\xA9", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xC3\xA9");
    expect_written(kane_write_comment, "a\nb\xFF", "a\\x0ab\\xff");
    expect_written(kane_write_comment, "C:\\x\\", "C:\\x\\x5c"); // or the next line were comment, too
    expect_written(kane_write_comment,
                   "??"
                   "/",
                   "??\\x2f");
    expect_written(kane_write_comment, "a/", "a/");
}

CHECK_TEST(names_of_other_languages_are_known)
{
    static const char *const reserved[]  = {"int",  "class", "def",   "lambda",    "der",  "endif",   "memcpy",
                                            "sinf", "sinl",  "main",  "size_t",    "NULL", "MODEL",   "kane",
                                            "np",   "_x",    "stdin", "pthread_x", "true", "restrict"};
    static const char *const free_ones[] = {"wagon", "m",         "wagon_transition", "integer",
                                            "sing",  "model_int", "L15_tree"};
    static const struct {
        const char *file, *name;
    } files[] = {{"runs/wagon-a.json", "wagon_a"},
                 {"1.json", "m1"},
                 {"\xC3\xA9.json", "m__"},
                 {"/.json", "m"},
                 {"a b.c.json", "a_b"}};
    char name[32];
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!kane_identifier_reserved(reserved[i]))
            fail_msg("%s is not reserved", reserved[i]);
    for (size_t i = 0; i < sizeof free_ones / sizeof *free_ones; i++)
        if (kane_identifier_reserved(free_ones[i]) || !kane_identifier_valid(free_ones[i]))
            fail_msg("%s is reserved", free_ones[i]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        kane_identifier_of_file(files[i].file, sizeof name, name);
        assert_string_equal(name, files[i].name);
        assert_true(kane_identifier_valid(name));
    }
    assert_false(kane_identifier_valid(""));
    assert_false(kane_identifier_valid("a-b"));
    assert_false(kane_identifier_valid("1a"));
}

CHECK_TEST(edits_are_counted)
{
    static const struct {
        const char *a, *b;
        int distance;
    } rows[] = {
        {"", "", 0},
        {"mass", "mass", 0},
        {"mass", "", 4},
        {"mass", "mas", 1},
        {"mass", "masss", 1},
        {"mass", "muss", 1},
        {"mass", "amss", 1},
        {"clothoid", "clotoid", 1},
        {"Mass", "mass", 0},
        {"cant_axis", "cant axis", 0},
        {"cant-axis", "CANT_AXIS", 0},
        {"kitten", "sitting", 3},
        {"ca", "abc", 3}, // each place is edited once
        {"stiffness", "stifness", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(kane_names_distance(rows[i].a, rows[i].b), rows[i].distance);
        assert_int_equal(kane_names_distance(rows[i].b, rows[i].a), rows[i].distance);
    }
    char a[100] = "", b[100] = ""; // longer than what is compared letter by letter
    memset(a, 'a', 80);
    memset(b, 'A', 80);
    assert_int_equal(kane_names_distance(a, b), 0);
    b[79] = 'b';
    assert_int_equal(kane_names_distance(a, b), 80);
}

static const char *nearest(const char *wanted)
{
    static const char *const known[] = {"mass", "inertia", "stiffness", "damping", "at", "preload", "base"};
    kane_near near                   = kane_near_start(wanted);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        kane_near_offer(&near, known[i]);
    return near.best ? near.best : "";
}

CHECK_TEST(a_mistyped_name_is_recognised_and_a_strange_one_is_not)
{
    assert_string_equal(nearest("mas"), "mass");
    assert_string_equal(nearest("MASS"), "mass");
    assert_string_equal(nearest("intertia"), "inertia");
    assert_string_equal(nearest("stifness"), "stiffness");
    assert_string_equal(nearest("stiff"), "stiffness"); // its beginning
    assert_string_equal(nearest("mass_of_it"), "mass"); // and more
    assert_string_equal(nearest("dampnig"), "damping");
    assert_string_equal(nearest("bass"), "mass"); // the first of two that are as near
    assert_string_equal(nearest("wheel"), "");
    assert_string_equal(nearest("x"), "");
    assert_string_equal(nearest("to"), "");
    assert_string_equal(nearest(""), "");
}

CHECK_TEST(a_name_that_is_not_there_is_an_error_with_all_that_are)
{
    typedef struct thing {
        const char *name;
        double other;
    } thing;
    static const thing things[] = {{"body", 1.0}, {"leading", 2.0}, {"trailing", 3.0}};
    const kane_names names      = {things, 3, sizeof things[0]};
    const kane_place place      = {"w.json", 3, 7, "guide"};
    CHECK_ERRORS errors         = {0};
    char text[600];

    assert_int_equal(kane_names_resolve(names, "body", "leading", place, &errors), 1);
    assert_int_equal(kane_names_find(names, "Leading"), -1); // case matters
    assert_int_equal(errors.count, 0);
    assert_int_equal(kane_names_resolve(names, "body", "bodi", place, &errors), -1);
    assert_int_equal(kane_names_resolve(names, "body", "wheel", place, &errors), -1);
    assert_int_equal(kane_names_resolve((kane_names){0}, "body", "wheel", place, &errors), -1);
    (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
    assert_string_equal(text, "w.json:3:7: guide: no body is called 'bodi'; did you mean 'body'? known: body, leading, "
                              "trailing");
    (void)kane_error_format(kane_errors_get(&errors, 1), sizeof text, text);
    assert_string_equal(text, "w.json:3:7: guide: no body is called 'wheel'; known: body, leading, trailing");
    (void)kane_error_format(kane_errors_get(&errors, 2), sizeof text, text);
    assert_string_equal(text, "w.json:3:7: guide: no body is called 'wheel'; there is none");
}

CHECK_MAIN(NULL, NULL)
