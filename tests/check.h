// SPDX-License-Identifier: MIT
// What every test includes: cmocka, and comparisons of numbers.
//
// KANE_TOLERANCE scales every tolerance; 0 makes every comparison that is not exact print its residual and fail. KANE_FIGURES names a
// file to which every comparison of numbers adds its largest difference, beside what it compares and its tolerance
// (tests/figures.sh).

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

#include <kane/math.h>

static inline double check_tolerance(double tolerance)
{
    const char *scale = getenv("KANE_TOLERANCE");
    return scale ? atof(scale) * tolerance : tolerance;
}

typedef struct check_figure {
    const char *file, *what;
    double difference, tolerance;
} check_figure;

enum { CHECK_FIGURES = 1000 };

static struct {
    int count;
    check_figure at[CHECK_FIGURES];
} check_figures;

static inline void check_write_figures(void)
{
    FILE *f = fopen(getenv("KANE_FIGURES"), "a");
    for (int i = 0; f && i < check_figures.count; i++) {
        const check_figure *c = &check_figures.at[i];
        (void)fprintf(f, "%s\t%s\t%.3g\t%.3g\n", strstr(c->file, "tests/"), c->what, c->difference, c->tolerance);
    }
    if (f)
        (void)fclose(f);
}

// Keeps the largest difference, as a part of its tolerance, of all comparisons of this text in this file.
static inline void check_keep_figure(const char *file, const char *what, double difference, double tolerance)
{
    int i = 0;
    if (!getenv("KANE_FIGURES"))
        return;
    while (i < check_figures.count && (check_figures.at[i].what != what || check_figures.at[i].file != file))
        i++;
    if (i == CHECK_FIGURES)
        return;
    check_figure *c = &check_figures.at[i];
    if (i == check_figures.count) {
        if (i == 0)
            (void)atexit(check_write_figures);
        *c = (check_figure){file, what, difference, tolerance};
        check_figures.count++;
    } else if (difference * c->tolerance > c->difference * tolerance) {
        c->difference = difference;
        c->tolerance  = tolerance;
    }
}

static inline void check_near_at(double value, double expected, double tolerance, const char *what, const char *file,
                                 int line)
{
    const double difference = fabs(value - expected);
    check_keep_figure(file, what, difference, tolerance);
    if (!(difference <= check_tolerance(tolerance))) {
        print_error("%s: %.17g, expected %.17g, difference %.3g, tolerance %.3g\n", what, value, expected, difference,
                    tolerance);
        _fail(file, line);
    }
}

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

#endif
