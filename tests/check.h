// SPDX-License-Identifier: MIT
// What every test includes: cmocka, and comparisons of numbers.
//
// KANE_TOLERANCE scales every tolerance; 0 makes every comparison that is not exact print its residual and fail.
// KANE_FIGURES, which CTest sets, names a file for what was measured: of every comparison of numbers, in every test,
// the largest difference beside its tolerance, the value and what was expected. tests/figures.sh lists them,
// house.figures compares pages with them.
//
// What a machine lacks is skipped, not passed: check_skip ends a test, check_skip_part leaves out a part of one. Each
// prints why. A program whose tests were all skipped ends with KANE_SKIPPED_ALL, by which CTest knows it. KANE_SKIPPED,
// which CTest sets, names a file for the reasons: tests/run.sh counts them behind CTest's own last lines.

#ifndef KANE_TESTS_CHECK_H
#define KANE_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kane/base.h>
#include <kane/math.h>

#include "c_locale.h"
#include "owned.h"

// Errors of a block, which are freed where it ends: CHECK_ERRORS errors = {0};
#define CHECK_ERRORS __attribute__((cleanup(kane_errors_free))) kane_errors

static inline double check_tolerance(double tolerance)
{
    const char *scale = getenv("KANE_TOLERANCE");
    return scale ? atof(scale) * tolerance : tolerance;
}

typedef struct check_figures_row {
    const char *file, *test, *what;
    double difference, tolerance, value, expected;
} check_figures_row;

enum { CHECK_FIGURES = 4000, CHECK_TESTS = 100, CHECK_NAMES = 200 };

static struct {
    const char *path; // NULL: nobody wants to know
    int is_known, count;
    check_figures_row at[CHECK_FIGURES];
} check_figures;

// The tests of the program in the order of their lines.
static struct {
    struct CMUnitTest tests[CHECK_TESTS];
    int lines[CHECK_TESTS], count, current; // 0: none yet
} check_group;

static inline const char *check_test(void)
{
    const int i = check_group.current - 1;
    return i >= 0 && i < check_group.count ? check_group.tests[i].name : "-";
}

static inline void check_write_figures(void)
{
    FILE *f = fopen(check_figures.path, "w");
    for (int i = 0; f && i < check_figures.count; i++) {
        const check_figures_row *c = &check_figures.at[i];
        if (c->difference < 0.0) // it never was
            continue;
        const char *file = strstr(c->file, "tests/");
        (void)fprintf(f, "%s\t%s\t%.4g\t%.4g\t%s\t%.10g\t%.10g\n", file ? file : c->file, c->what, c->difference,
                      c->tolerance, c->test, c->value, c->expected);
    }
    if (f)
        (void)fclose(f);
}

// The row of this text in this test, new with a difference of -1; NULL: nobody wants to know.
static inline check_figures_row *check_find_figure(const char *file, const char *what)
{
    const char *test = check_test();
    int i            = 0;
    if (!check_figures.is_known) {
        check_figures.path     = getenv("KANE_FIGURES");
        check_figures.is_known = 1;
    }
    if (!check_figures.path)
        return NULL;
    while (i < check_figures.count &&
           (check_figures.at[i].what != what || check_figures.at[i].file != file || check_figures.at[i].test != test))
        i++;
    if (i == CHECK_FIGURES)
        return NULL;
    if (i == check_figures.count) {
        if (i == 0)
            (void)atexit(check_write_figures);
        check_figures.at[check_figures.count++] =
            (check_figures_row){.file = file, .test = test, .what = what, .difference = -1.0, .tolerance = 1.0};
    }
    return &check_figures.at[i];
}

// Keeps the largest difference, as a part of its tolerance, of all comparisons of this text in this test.
static inline void check_keep_figure(const char *file, const char *what, double value, double expected,
                                     double difference, double tolerance)
{
    check_figures_row *row = check_find_figure(file, what);
    if (!row || (row->difference >= 0.0 && !(difference * row->tolerance > row->difference * tolerance)))
        return;
    row->value      = value;
    row->expected   = expected;
    row->difference = difference;
    row->tolerance  = tolerance;
}

// A number that a page shows and that no comparison has as it stands there, under a name that is printed as printf does
// it. Of several of one name the largest and the least are kept.
static inline void check_figure(double value, const char *format, ...)
{
    static char names[CHECK_NAMES][64];
    char name[64];
    va_list arguments;
    int i = 0;
    va_start(arguments, format);
    (void)vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    while (i < CHECK_NAMES - 1 && names[i][0] && strcmp(names[i], name) != 0)
        i++;
    (void)strcpy(names[i], name);
    check_figures_row *row = check_find_figure("tests/", names[i]);
    if (!row)
        return;
    row->expected   = row->difference < 0.0 || fabs(value) < fabs(row->expected) ? value : row->expected; // the least
    row->value      = row->difference < fabs(value) ? value : row->value;
    row->difference = fmax(row->difference, fabs(value));
}

static inline void check_near_at(double value, double expected, double tolerance, const char *what, const char *file,
                                 int line)
{
    const double difference = fabs(value - expected);
    check_keep_figure(file, what, value, expected, difference, tolerance);
    if (!(difference <= check_tolerance(tolerance))) {
        print_error("%s: %.17g, expected %.17g, difference %.3g, tolerance %.3g\n", what, value, expected, difference,
                    tolerance);
        _fail(file, line);
    }
}

// value < bound
static inline void check_below_at(double value, double bound, const char *what, const char *file, int line)
{
    check_keep_figure(file, what, value, NAN, fabs(value), fabs(bound));
    if (!(value < check_tolerance(bound))) {
        print_error("%s: %.17g, should be below %.3g\n", what, value, bound);
        _fail(file, line);
    }
}

#define check_below(value, bound) check_below_at((value), (bound), #value, __FILE__, __LINE__)

// |value - expected| <= tolerance
#define check_near(value, expected, tolerance)                                                                         \
    check_near_at((value), (expected), (tolerance), #value, __FILE__, __LINE__)

// |value - expected| <= tolerance |expected|
#define check_relative(value, expected, tolerance)                                                                     \
    check_near_at((value), (expected), (tolerance)*fabs(expected), #value, __FILE__, __LINE__)

#define check_vec3(value, expected, tolerance)                                                                         \
    do {                                                                                                               \
        const kane_vec3 check_a = (value), check_b = (expected);                                                       \
        check_near_at(check_a.x, check_b.x, (tolerance), #value ".x", __FILE__, __LINE__);                             \
        check_near_at(check_a.y, check_b.y, (tolerance), #value ".y", __FILE__, __LINE__);                             \
        check_near_at(check_a.z, check_b.z, (tolerance), #value ".z", __FILE__, __LINE__);                             \
    } while (0)

#define check_mat3(value, expected, tolerance)                                                                         \
    do {                                                                                                               \
        const kane_mat3 check_A = (value), check_B = (expected);                                                       \
        check_vec3(check_A.x, check_B.x, (tolerance));                                                                 \
        check_vec3(check_A.y, check_B.y, (tolerance));                                                                 \
        check_vec3(check_A.z, check_B.z, (tolerance));                                                                 \
    } while (0)

// --- what cannot be tested here ---

enum { KANE_SKIPPED_ALL = 77 };

static int check_skipped_tests;

// Prints and keeps the reason why the current test, or a part of it, is not carried out.
static inline void check_keep_skipped(const char *what, const char *format, va_list arguments)
{
    const char *path = getenv("KANE_SKIPPED");
    FILE *kept       = path ? fopen(path, "a") : NULL;
    char reason[1200];
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    print_message("SKIPPED: %s\n", reason);
    if (!kept)
        return;
    (void)fprintf(kept, "%s\t%s\t%s\n", what, check_test(), reason);
    (void)fclose(kept);
}

static inline void check_skip_part(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    check_keep_skipped("part", format, arguments);
    va_end(arguments);
}

// Of a whole program: its main returns this.
static inline int check_skip_all(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    check_keep_skipped("all", format, arguments);
    va_end(arguments);
    return KANE_SKIPPED_ALL;
}

// Whether another processor carries this out in software (tests/machines).
static inline int check_is_emulated(void)
{
    return getenv("KANE_EMULATED") != NULL;
}

static inline void check_skip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    check_keep_skipped("test", format, arguments);
    va_end(arguments);
    check_skipped_tests++;
    skip();
}

// A test, which enters itself into the list of its program: CHECK_TEST(springs_pull) { ... }
#define CHECK_TEST(name) CHECK_TEST_IN(name, NULL, NULL)

// The same with functions that run before and after it.
#define CHECK_TEST_IN(name, setup, teardown)                                                                           \
    static void name(void **state);                                                                                    \
    __attribute__((constructor)) static void name##_is_listed(void)                                                    \
    {                                                                                                                  \
        check_list_test(__LINE__, (struct CMUnitTest){#name, name, setup, teardown, NULL});                            \
    }                                                                                                                  \
    static void name(void **state __attribute__((unused)))

static inline void check_list_test(int line, struct CMUnitTest test)
{
    int i = check_group.count++;
    if (i >= CHECK_TESTS) {
        print_error("%s is one test too many: CHECK_TESTS in tests/check.h\n", test.name);
        exit(1);
    }
    for (; i > 0 && check_group.lines[i - 1] > line; i--) {
        check_group.tests[i] = check_group.tests[i - 1];
        check_group.lines[i] = check_group.lines[i - 1];
    }
    check_group.tests[i] = test;
    check_group.lines[i] = line;
}

// Tests one after the other, as cmocka runs them, so that figures know theirs.
static inline void check_run_test(void **state)
{
    check_group.tests[check_group.current++].test_func(state);
}

// All tests of the program between functions that run once, each of which may be NULL; returns what main does.
static inline int check_run_tests(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    struct CMUnitTest run[CHECK_TESTS];
    for (int i = 0; i < check_group.count; i++) {
        run[i]           = check_group.tests[i];
        run[i].test_func = check_run_test;
    }
    if (!check_set_locale())
        return -1;
    const int failed = _cmocka_run_group_tests("tests", run, (size_t)check_group.count, setup, teardown);
    return failed == 0 && check_skipped_tests == check_group.count ? KANE_SKIPPED_ALL : failed;
}

#define CHECK_MAIN(setup, teardown)                                                                                    \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        return check_run_tests((setup), (teardown));                                                                   \
    }

#endif
