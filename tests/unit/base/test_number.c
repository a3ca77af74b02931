// SPDX-License-Identifier: MIT
// Numbers as text, both ways.

#include "check.h"

#include "base/json.h"
#include "base/number.h"

#include <float.h>
#include <locale.h>

CHECK_TEST(the_length_of_a_number_is_found)
{
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {
        {"0", 1},     {"12", 2},    {"-1.5", 4}, {"+1.5", 4}, {".5", 2},   {"-.5 mm", 3}, {"5.", 1},  {"1e3", 3},
        {"1e-3x", 4}, {"1E+30", 5}, {"1e", 1},   {"1e+", 1},  {"3 mm", 1}, {"", 0},       {"-", 0},   {".", 0},
        {"e3", 0},    {"1.2.3", 3}, {"1,2", 1},  {"nan", 0},  {"inf", 0},  {"0x10", 1},   {"1em", 1}, {"- 1", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(kane_number_length(rows[i].text), rows[i].length);
}

static double value(const char *text, int ten)
{
    return kane_number_value(text, strlen(text), ten);
}

CHECK_TEST(values_are_those_of_the_compiler)
{
    assert_true(value("0.1", 0) == 0.1);
    assert_true(value("-1.5e-3", 0) == -1.5e-3);
    assert_true(value("+2.25", 0) == 2.25);
    assert_true(value(".5", 0) == 0.5);
    assert_true(value("1.7976931348623157e308", 0) == DBL_MAX);
    assert_true(value("5e-324", 0) > 0.0);
    assert_true(value("1e-400", 0) == 0.0);
    assert_true(isinf(value("1e400", 0)));
    assert_true(isinf(value("1e99999999999999999999", 0)));
    assert_true(value("1e-99999999999999999999", 0) == 0.0);
    assert_true(value("0.1000000000000000055511151231257827021181583404541015625", 0) == 0.1);
}

CHECK_TEST(a_shifted_number_is_the_one_typed_with_that_exponent)
{
    unsigned seed = 20240501;
    for (int i = 0; i < 20000; i++) {
        char plain[40], shifted[40];
        seed               = seed * 1103515245u + 12345u;
        const unsigned raw = seed >> 8;
        const int ten      = (int)(raw % 25) - 12;
        (void)snprintf(plain, sizeof plain, "%u.%ue%d", raw % 1000, raw % 7919, (int)(raw % 5));
        (void)snprintf(shifted, sizeof shifted, "%u.%ue%d", raw % 1000, raw % 7919, (int)(raw % 5) + ten);
        assert_true(value(plain, ten) == strtod(shifted, NULL));
    }
    assert_true(value("25", -3) == 0.025);
    assert_true(value("1.22", 6) == 1.22e6);
}

CHECK_TEST(what_is_written_reads_back_as_the_same_bits)
{
    char text[KANE_NUMBER_SIZE];
    unsigned long long seed = 88172645463325252ull;
    for (int i = 0; i < 50000; i++) {
        double x;
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        memcpy(&x, &seed, sizeof x);
        if (!isfinite(x))
            continue;
        kane_number_format(x, text);
        assert_true(strlen(text) < KANE_NUMBER_SIZE);
        assert_true(value(text, 0) == x);
    }
}

CHECK_TEST(what_is_written_is_short)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.1, "0.1"},
                {1.0 / 3.0, "0.3333333333333333"},
                {1e-300, "1e-300"},
                {0.0, "0"},
                {-0.0, "-0"},
                {34000.0, "34000"},
                {1e22, "1e+22"},
                {0.1 + 0.2, "0.30000000000000004"},
                {(double)NAN, "nan"},
                {(double)INFINITY, "inf"},
                {-(double)INFINITY, "-inf"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[KANE_NUMBER_SIZE];
        kane_number_format(rows[i].value, text);
        assert_string_equal(text, rows[i].text);
    }
    char text[KANE_NUMBER_SIZE];
    kane_number_round(1234.5678, 3, text);
    assert_string_equal(text, "1.23e+03");
    kane_number_round(0.0523598, 3, text);
    assert_string_equal(text, "0.0524");
}

CHECK_TEST(the_locale_changes_nothing)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                        "fr_FR.UTF-8", "fr_FR.utf8", "pl_PL.UTF-8"};
    const char *found                = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++)
        found = setlocale(LC_ALL, names[i]);
    if (!found || strcmp(localeconv()->decimal_point, ",") != 0) {
        (void)check_set_locale();
        check_skip("no locale with a decimal comma is here (Debian: locales-all)");
    }
    values_are_those_of_the_compiler(state);
    what_is_written_is_short(state);
    what_is_written_reads_back_as_the_same_bits(state);

    static const char text[] = "[0.5, -1.25e1, \"0.5 mm\"]";
    kane_errors *errors      = test_calloc(1, sizeof *errors);
    kane_arena *arena        = kane_arena_create();
    const kane_node *list    = kane_json_parse(arena, "x", text, strlen(text), errors);
    assert_non_null(list);
    assert_true(list->child->number == 0.5);
    assert_true(list->child->next->number == -12.5);
    kane_arena_free(arena);
    kane_errors_free(errors);
    test_free(errors);
    (void)check_set_locale();
}

CHECK_MAIN(NULL, NULL)
