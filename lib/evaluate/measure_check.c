// SPDX-License-Identifier: MIT
// Which channels a measure is about, and whether it can be taken of them: known before there are rows.

#include "evaluate/measure.h"

#include "base/machine.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

int kane_measure_fail(const kane_measure *measure, kane_errors *errors, kane_status status, const char *format, ...)
{
    char what[384];
    kane_text t = kane_text_start(sizeof what, what);
    va_list arguments;
    va_start(arguments, format);
    kane_text_add_list(&t, format, arguments);
    va_end(arguments);
    kane_errors_add(errors, status, "%s: %s", measure->text, what);
    return 0;
}

// --- channels ---

int kane_columns_named(kane_columns c, const char *name)
{
    for (int i = 0; i < c.count; i++)
        if (strcmp(c.columns[i].name, name) == 0)
            return i;
    return -1;
}

int kane_columns_sibling(kane_columns c, int column, char letter)
{
    const char *name    = c.columns[column].name;
    const size_t length = strlen(name);
    for (int i = 0; i < c.count; i++)
        if (strlen(c.columns[i].name) == length && strncmp(c.columns[i].name, name, length - 1) == 0 &&
            c.columns[i].name[length - 1] == letter)
            return i;
    return -1;
}

static int is_direction(const char *name, char letter)
{
    const size_t length = strlen(name);
    return length > 2 && name[length - 2] == '.' && name[length - 1] == letter;
}

// The first existing channel of mean comfort represents all three.
static int is_first_direction(kane_columns c, int column)
{
    const char *name = c.columns[column].name;
    return is_direction(name, 'x') || (is_direction(name, 'y') && kane_columns_sibling(c, column, 'x') < 0) ||
           (is_direction(name, 'z') && kane_columns_sibling(c, column, 'x') < 0 &&
            kane_columns_sibling(c, column, 'y') < 0);
}

int kane_measure_is_about(const kane_measure *measure, kane_columns c, int column)
{
    return kane_name_matches(measure->channels, c.columns[column].name) &&
           (measure->reduction != KANE_REDUCE_NMV || is_first_direction(c, column));
}

static int no_channel(const kane_measure *m, kane_columns c, kane_errors *errors)
{
    kane_near near = kane_near_start(m->channels);
    for (int i = 0; i < c.count; i++)
        kane_near_offer(&near, c.columns[i].name);
    const char *why =
        m->reduction == KANE_REDUCE_NMV ? "there are no three channels .x, .y and .z of" : "no channel is called";
    return kane_measure_fail(m, errors, KANE_BAD_ARGUMENT, "%s '%s'%s%s%s", why, m->channels,
                             near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
}

// --- what a channel must be ---

// Units, each the rate of the one before it.
static const char *const rates[][7] = {{"m s", "m", "m/s", "m/s^2", "m/s^3", "m/s^4"},
                                       {"mm s", "mm", "mm/s", "mm/s^2", "mm/s^3"},
                                       {"rad s", "rad", "rad/s", "rad/s^2", "rad/s^3", "rad/s^4"},
                                       {"s^2", "s", "1", "1/s", "1/s^2", "1/s^3"},
                                       {"N s", "N", "N/s", "N/s^2"},
                                       {"kN s", "kN", "kN/s", "kN/s^2"},
                                       {"N m s", "N m", "N m/s", "N m/s^2"},
                                       {"J s", "J", "W", "W/s", "W/s^2"},
                                       {"Pa s", "Pa", "Pa/s", "Pa/s^2"},
                                       {"MPa s", "MPa", "MPa/s", "MPa/s^2"},
                                       {"s/m", "1/m", "1/(m s)", "1/(m s^2)"},
                                       {"s/m^2", "1/m^2", "1/(m^2 s)", "1/(m^2 s^2)"},
                                       {"m^2 s", "m^2", "m^2/s", "m^2/s^2"},
                                       {"C", "A", "A/s", "A/s^2"}};

// Unit of the rate (by = 1) or of the integral over time (by = -1). NULL: not known, also of NULL.
static const char *unit_of_rate(const char *unit, int by)
{
    for (size_t k = 0; unit && k < sizeof rates / sizeof *rates; k++)
        for (int i = 0; rates[k][i]; i++)
            if (strcmp(rates[k][i], unit) == 0)
                return i + by >= 0 ? rates[k][i + by] : NULL;
    return NULL;
}

// Of a channel's rows behind all steps; NULL: not known.
static const char *unit_of_rows(const kane_measure *m, kane_columns c, int column)
{
    const char *unit = c.columns[column].unit;
    for (int i = 0; i < m->step_count; i++)
        unit = m->steps[i].kind == KANE_STEP_RATE ? unit_of_rate(unit, 1) : unit;
    return unit;
}

static int check_acceleration(const kane_measure *m, kane_columns c, int column, kane_errors *errors)
{
    const char *unit = unit_of_rows(m, c, column);
    return (unit && strcmp(unit, "m/s^2") == 0) ||
           kane_measure_fail(m, errors, KANE_BAD_ARGUMENT, "'%s' [%s] is no acceleration [m/s^2]",
                             c.columns[column].name, unit ? unit : c.columns[column].unit);
}

static int check_channel(const kane_measure *m, kane_columns c, int column, kane_errors *errors)
{
    if (m->reduction != KANE_REDUCE_NMV)
        return kane_reduction_weighting(m->reduction) == KANE_WEIGHTINGS || check_acceleration(m, c, column, errors);
    for (int i = 0; i < 3; i++) {
        const int k = kane_columns_sibling(c, column, "xyz"[i]);
        if (k < 0)
            return kane_measure_fail(m, errors, KANE_BAD_ARGUMENT, "beside '%s' there is no channel of direction %c",
                                     c.columns[column].name, "xyz"[i]);
        if (!check_acceleration(m, c, k, errors))
            return 0;
    }
    return 1;
}

// NULL: not known.
static const char *unit_of(const kane_measure *m, kane_columns c, int column)
{
    switch (m->reduction) {
    case KANE_REDUCE_AT_MAX:
    case KANE_REDUCE_AT_MIN:
    case KANE_REDUCE_AT_PEAK: return kane_columns_named(c, "distance") >= 0 ? "m" : "s";
    case KANE_REDUCE_NMV:
    case KANE_REDUCE_SPERLING_Y:
    case KANE_REDUCE_SPERLING_Z:
    case KANE_REDUCE_SPERLING_QUALITY: return "1";
    case KANE_REDUCE_INTEGRAL: return unit_of_rate(unit_of_rows(m, c, column), -1);
    default: return unit_of_rows(m, c, column);
    }
}

// Values are compared, so they must have one unit; also if the result is their place.
static int check_channels(const kane_measure *m, kane_columns c, const char **unit, kane_errors *errors)
{
    int first = -1;
    for (int i = 0; i < c.count; i++) {
        if (!kane_measure_is_about(m, c, i))
            continue;
        if (!check_channel(m, c, i, errors))
            return 0;
        if (first < 0)
            first = i;
        else if (strcmp(c.columns[i].unit, c.columns[first].unit) != 0)
            return kane_measure_fail(m, errors, KANE_BAD_ARGUMENT, "the channels of '%s' have several units, %s and %s",
                                     m->channels, c.columns[first].unit, c.columns[i].unit);
    }
    if (first < 0)
        return no_channel(m, c, errors);
    const char *made = unit_of(m, c, first);
    if (unit && made)
        *unit = made;
    return made || kane_measure_fail(m, errors, KANE_BAD_ARGUMENT, "no unit is known for this rate or integral of [%s]",
                                     c.columns[first].unit);
}

// --- what rows must have ---

static int speaks_of_distance(const kane_measure *m)
{
    for (int i = 0; i < m->step_count; i++)
        if (m->steps[i].kind == KANE_STEP_SLIDING && m->steps[i].axis == KANE_WINDOW_DISTANCE)
            return 1;
    return m->axis == KANE_WINDOW_DISTANCE;
}

static int check_rows(const kane_measure *m, kane_columns c, kane_errors *errors)
{
    if (kane_columns_named(c, "time") < 0)
        return kane_measure_fail(m, errors, KANE_BAD_ARGUMENT, "the results have no column 'time'");
    if (speaks_of_distance(m) && kane_columns_named(c, "distance") < 0)
        return kane_measure_fail(m, errors, KANE_BAD_ARGUMENT,
                                 "there is no column 'distance'; windows of these results are of time");
    return 1;
}

// Designs the filters to check them; a sliding value before one may leave fewer rows, which is checked with the rows.
static int check_rate(const kane_measure *m, double every, kane_errors *errors)
{
    const int before = errors ? errors->count : 0;
    const kane_weighting at_last =
        m->reduction == KANE_REDUCE_NMV ? KANE_WEIGHTING_WD : kane_reduction_weighting(m->reduction);
    kane_status status = KANE_OK;
    for (int i = 0; i < m->step_count && status == KANE_OK && m->steps[i].kind != KANE_STEP_SLIDING; i++)
        status = kane_measure_check_step(&m->steps[i], every, errors);
    if (status == KANE_OK && at_last != KANE_WEIGHTINGS)
        status = kane_weighting_check(every, errors);
    return status == KANE_OK || kane_measure_report(m, errors, before, NULL);
}

int kane_measure_report(const kane_measure *m, kane_errors *errors, int before, const char *channel)
{
    if (errors && channel)
        kane_errors_prefix(errors, before, "%s: '%s': ", m->text, channel);
    else if (errors)
        kane_errors_prefix(errors, before, "%s: ", m->text);
    return 0;
}

kane_status kane_measure_check(const kane_measure *measure, int count, const kane_column *columns, double every,
                               const char **unit, kane_errors *errors)
{
    const kane_columns c = {count, columns};
    const int is_good    = check_rows(measure, c, errors) && check_channels(measure, c, unit, errors) &&
                        (!(every > 0.0) || check_rate(measure, every, errors));
    return is_good ? KANE_OK : KANE_BAD_ARGUMENT;
}
