// SPDX-License-Identifier: MIT
// Two runs that should be the same: how far apart they are.

#include "study/omission_compare.h"

#include "results/results.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

enum { TIME, DISTANCE }; // columns of a run on a track; of others the first one

static const double same = 1e-9; // times [s] and distances [m] that are one

double kane_omission_nothing(const char *unit)
{
    static const struct {
        const char *unit;
        double nothing;
    } table[] = {{"m", 1e-5},   {"rad", 1e-5},   {"N", 10.0},     {"N m", 10.0},
                 {"m/s", 1e-4}, {"rad/s", 1e-4}, {"m/s^2", 1e-3}, {"rad/s^2", 1e-3}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(unit, table[i].unit) == 0)
            return table[i].nothing;
    return 1e-9;
}

int kane_omission_progress(const kane_results *run)
{
    const int is_on_track =
        kane_results_column_count(run) > DISTANCE && strcmp(kane_results_column(run, DISTANCE)->name, "distance") == 0;
    return is_on_track ? DISTANCE : TIME;
}

// Value of a run at a distance travelled; *row: a row from which to search on. NaN where it has not been.
static double at_distance(const kane_results *run, const double *values, double distance, int *row)
{
    const double *x = kane_results_values(run, kane_omission_progress(run));
    const int last  = kane_results_row_count(run) - 1;
    while (*row < last && x[*row + 1] < distance)
        ++*row;
    const int k = *row;
    if (fabs(x[k] - distance) <= same)
        return values[k];
    if (k == last || distance < x[k])
        return NAN;
    const double part = (distance - x[k]) / (x[k + 1] - x[k]);
    return values[k] + part * (values[k + 1] - values[k]);
}

// Rows that both have at the same times.
static int common_rows(const kane_results *a, const kane_results *b)
{
    const double *ta = kane_results_values(a, TIME), *tb = kane_results_values(b, TIME);
    const int rows =
        kane_results_row_count(a) < kane_results_row_count(b) ? kane_results_row_count(a) : kane_results_row_count(b);
    int k = 0;
    while (k < rows && fabs(ta[k] - tb[k]) <= same)
        k++;
    return k;
}

// 1 if frames are at the same places at the same times, as a prescribed speed has it.
static int travel_alike(const kane_results *a, const kane_results *b, int rows)
{
    const double *xa = kane_results_values(a, kane_omission_progress(a));
    const double *xb = kane_results_values(b, kane_omission_progress(b));
    for (int k = 0; k < rows; k++)
        if (fabs(xa[k] - xb[k]) > same)
            return 0;
    return 1;
}

void kane_omission_unwrap(kane_results *run)
{
    const double half = acos(-1.0), end = half * (1.0 + 1e-12);
    for (int c = 0; c < run->column_count; c++) {
        double *values = run->values[c], turns = 0.0, last = 0.0;
        int ends = strcmp(run->columns[c].unit, "rad") == 0;
        for (int k = 0; k < run->row_count && ends; k++)
            ends = fabs(values[k]) <= end;
        for (int k = 0; k < run->row_count && ends; k++) {
            const double value = values[k];
            if (k > 0 && fabs(value - last) > half)
                turns += value < last ? 1.0 : -1.0;
            values[k] = value + 2.0 * half * turns;
            last      = value;
        }
    }
}

static double range_of(const double *values, int rows)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < rows; k++) {
        low  = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    return rows > 0 ? high - low : 0.0;
}

// Column `own` of the run that omits something, `column` of the complete one.
static kane_omission_difference compare(const kane_results *complete, int column, const kane_results *omitting, int own)
{
    const double *a            = kane_results_values(complete, column);
    const double *b            = kane_results_values(omitting, own);
    const double *x            = kane_results_values(complete, kane_omission_progress(complete));
    const int all              = kane_results_row_count(complete);
    const int common           = common_rows(complete, omitting);
    const int alike            = travel_alike(complete, omitting, common);
    const int rows             = alike ? common : all;
    kane_omission_difference d = {.column = column, .range = range_of(a, all)};
    double squares             = 0.0;
    int count = 0, row = 0;
    for (int k = 0; k < rows; k++) {
        const double difference = (alike ? b[k] : at_distance(omitting, b, x[k], &row)) - a[k];
        if (isnan(difference))
            continue;
        squares += difference * difference;
        count++;
        if (fabs(difference) > d.difference) {
            d.difference = fabs(difference);
            d.at         = x[k];
        }
    }
    d.rms = count > 0 ? sqrt(squares / count) : 0.0;
    return d;
}

int kane_omission_matches(const char *pattern, const char *channel)
{
    static const char *const own[] = {"imaginary.", "impulse."};
    int is_meant                   = 1;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const size_t length = strlen(own[i]);
        if (strncmp(channel, own[i], length) == 0)
            is_meant = strncmp(pattern, own[i], length) == 0;
    }
    return is_meant && fnmatch(pattern, channel, 0) == 0;
}

static int find(const kane_results *run, const char *name)
{
    for (int c = 0; c < kane_results_column_count(run); c++)
        if (strcmp(kane_results_column(run, c)->name, name) == 0)
            return c;
    return -1;
}

kane_omission_difference kane_omission_compare(const kane_results *complete, const kane_results *omitting,
                                               const char *pattern)
{
    kane_omission_difference worst = {.column = -1};
    double range                   = 0.0;
    for (int c = kane_omission_progress(omitting) + 1; c < kane_results_column_count(omitting); c++) {
        const char *name = kane_results_column(omitting, c)->name;
        const int column = kane_omission_matches(pattern, name) ? find(complete, name) : -1;
        if (column < 0)
            continue;
        const kane_omission_difference d = compare(complete, column, omitting, c);
        range                            = fmax(range, d.range);
        if (worst.column < 0 || d.difference > worst.difference)
            worst = d;
    }
    worst.range = range;
    return worst;
}
