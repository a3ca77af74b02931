// SPDX-License-Identifier: MIT
// Results of one wheelset and one accelerometer, as tests of evaluations use them.

#ifndef KANE_TESTS_EVALUATE_STANDING_H
#define KANE_TESTS_EVALUATE_STANDING_H

#include "models.h"
#include "unit/evaluate/rows.h"

#include <kane/signal.h>

#include "evaluate/standard.h"

static const double pi = 3.14159265358979323846;

static const double speed = 20.0, every = 0.005; // [m/s], [s]
enum { ROWS = 6001 };                            // 30 s, 600 m
static const double half = 15.0;                 // [s]

#define FORCE(name)                                                                                                    \
    {                                                                                                                  \
        name, "N", ""                                                                                                  \
    }
#define ACCELERATION(name)                                                                                             \
    {                                                                                                                  \
        name, "m/s^2", ""                                                                                              \
    }

enum { DISTANCE, CURVATURE, LEFT_Q, LEFT_Y, LEFT_T, RIGHT_Q, RIGHT_Y, RIGHT_T, FLOOR_X, FLOOR_Y, FLOOR_Z, COLUMNS };
static const kane_column columns[COLUMNS] = {
    {"distance", "m", ""},
    {"track.curvature", "1/m", ""},
    FORCE("axle.left.Q"),
    FORCE("axle.left.Y"),
    FORCE("axle.left.T_gamma"),
    FORCE("axle.right.Q"),
    FORCE("axle.right.Y"),
    FORCE("axle.right.T_gamma"),
    ACCELERATION("floor.acceleration.x"),
    ACCELERATION("floor.acceleration.y"),
    ACCELERATION("floor.acceleration.z"),
};

static const char manifest[] =
    "{\"kane\": \"manifest 1\", \"wheelsets\": [{\"name\": \"axle\", \"static_load\": [50e3, 40e3]}], "
    "\"sensors\": [\"floor\"]}";

static inline kane_results *make(rows_value value)
{
    kane_results *r = rows_make(ROWS, every, 0, COLUMNS, columns, value);
    r->manifest     = manifest;
    return r;
}

static inline kane_evaluation *evaluate(const kane_results *results, const kane_evaluation_options *options)
{
    kane_evaluation *evaluation = CHECK_GOOD(kane_evaluate, results, options);
    assert_non_null(evaluation);
    return evaluation;
}

static inline const kane_assessment *find(const kane_evaluation *evaluation, const char *of, const char *quantity)
{
    for (int i = 0; i < kane_evaluation_count(evaluation); i++) {
        const kane_assessment *a = kane_evaluation_get(evaluation, i);
        if (strcmp(a->of, of) == 0 && strcmp(a->quantity->name, quantity) == 0)
            return a;
    }
    return NULL;
}

static inline const kane_assessment *get(const kane_evaluation *evaluation, const char *of, const char *quantity)
{
    const kane_assessment *a = find(evaluation, of, quantity);
    if (!a)
        fail_msg("there is no %s of %s", quantity, of);
    return a;
}

static inline int says(const kane_evaluation *evaluation, const char *text)
{
    for (int i = 0; i < kane_evaluation_note_count(evaluation); i++)
        if (strstr(kane_evaluation_note(evaluation, i), text))
            return 1;
    return 0;
}

// Reason why nothing is evaluated.
static inline void refuse(kane_results *r, const kane_evaluation_options *options, const char *why)
{
    CHECK_ERRORS errors = {0};
    assert_null(kane_evaluate(r, options, &errors));
    if (errors.count != 1)
        fail_msg("%d errors, expected one with '%s'", errors.count, why);
    if (!strstr(kane_errors_get(&errors, 0)->text, why))
        fail_msg("'%s' does not say '%s'", kane_errors_get(&errors, 0)->text, why);
    kane_results_free(r);
}

static inline double constant_value(int column, double t)
{
    static const double values[COLUMNS] = {0.0, 0.0, 60e3, 12e3, 100.0, 45e3, -5e3, 200.0, 0.0, 0.0, 0.0};
    return column == DISTANCE ? speed * t : values[column];
}

#endif
