// SPDX-License-Identifier: MIT
// Sweeps: a run over values of its parameters, a few numbers of each case in one table.

#ifndef KANE_SWEEP_H
#define KANE_SWEEP_H

#include <kane/base.h>
#include <kane/plan.h>
#include <kane/run.h>

#include <stdio.h>

KANE_C_BEGIN

enum { KANE_AXIS_VALUES_MOST = 100000 };

typedef enum kane_distribution_kind {
    KANE_DISTRIBUTION_NONE,
    KANE_DISTRIBUTION_UNIFORM, // between least and greatest
    KANE_DISTRIBUTION_NORMAL,  // cut off at least and greatest, which may be infinite
    KANE_DISTRIBUTION_TABLE    // sample i is row i of a table, so that axes of one table vary together
} kane_distribution_kind;

typedef struct kane_distribution {
    kane_distribution_kind kind;
    double mean, deviation; // of a normal distribution before it is cut off
    double least, greatest;
} kane_distribution;

// A parameter and the values that it takes, as they would be typed behind "--set PATH=".
typedef struct kane_axis {
    const char *path;         // as typed: a path of the run file, "vehicle.PATH", "track.PATH", or a short name (below)
    int count;                //
    const char *const *texts; // [count] values
    const double *numbers;    // [count] for drawings and tables; NaN where a value is a word
    const char *unit;         // of the numbers, "" if none was typed and none is known
    int is_range;             // 1: typed as A:B:N or A:B:step=S, so that what lies between two values is a value, too
    kane_distribution distribution; // in `unit`; its axis has one text, the distribution, and no number
    int row_count;                  // of a table ...
    const char *const *row_texts;   // [row_count] ... values as they would be typed
    const double *row_numbers;      // [row_count]
} kane_axis;

// Short names and what they stand for:
//   speed -> start.speed; acceleration -> the run's `speed`, one piece of it; radius, cant, shape -> those of every
//   transition of the track; friction -> track.rail.friction
// What only a vehicle file or only a track file begins with needs no "vehicle." or "track." before it.
// The setting for one value of an axis, "start.speed=30 m/s"; its length as snprintf says.
KANE_API int kane_axis_setting(const kane_axis *axis, int index, size_t size, char *text);

// Reads one of
//   PATH=A:B:N          N values from A to B          speed=10:50:5, "vehicle.bodies.body.mass=8 t:12 t:3"
//   PATH=A:B:step=S     A, A + S, ... up to B        speed=10:120:step=2, "speed=36:144:step=7.2 km/h"
//   PATH=V,V,...        these values                  track.sections[1].shape=bloss,cosine
//   PATH=uniform(A,B)                                 "vehicle.bodies.body.mass=uniform(8, 12 t)"
//   PATH=normal(MEAN,DEVIATION), normal(MEAN,DEVIATION,A,B), which is cut off at A and B; kane_sweep samples them
// Values may be JSON texts: commas and colons in quotes and brackets belong to them. A unit behind the last number is
// that of all. Between A and B stand short decimal texts; A and B stay as they were typed. NULL with an error. To be
// freed with kane_axis_free.
KANE_API kane_axis *kane_axis_parse(const char *text, kane_errors *errors);
KANE_API void kane_axis_free(kane_axis *axis);

// Reads an axis as above, or the axes of a table, whose rows are joint samples of their values:
//   {"table": "FILE.csv", "columns": {"PATH": "COLUMN", "PATH": "COLUMN [UNIT]"}}
// FILE: numbers in columns as kane/results.h reads them, with units or without. Without "columns" all columns are axes,
// and their names are paths. Fills at most `most` axes and returns how many; 0 with an error. The caller frees each.
KANE_API int kane_axes_parse(const char *text, int most, kane_axis **axes, kane_errors *errors);

typedef enum kane_sweep_kind {
    KANE_SWEEP_GRID,           // every value of every axis with each other, the last axis fastest
    KANE_SWEEP_LIST,           // the first values of all axes, the second ones, ...: as many of each
    KANE_SWEEP_LATIN_HYPERCUBE // `samples` cases between the first and the last value of every axis
} kane_sweep_kind;

// How distributions are sampled. All of them together are one dimension of a grid, the fastest: sample i has value i
// of each.
typedef enum kane_sweep_sampling {
    KANE_SAMPLING_LATIN, // one sample in each of so many parts of the same probability; depends on seed, axis and N
    KANE_SAMPLING_RANDOM // value i depends on seed, axis and i alone: more samples keep the first ones
} kane_sweep_sampling;

enum { KANE_SWEEP_CASES_MOST = 1000000, KANE_SWEEP_AXES_MOST = 16 };

typedef struct kane_sweep_study kane_sweep_study;

enum { KANE_SWEEP_PARAMETERS_MOST = 16 };

// What a case finds instead of measures: numbers of the run that it has read.
typedef struct kane_sweep_finder {
    const char *name;                        // in the plan
    int count;                               // of numbers
    const char *const *names, *const *units; // [count]
    const char *const *settings;             // what decides the numbers besides the run, for the plan; NULL-terminated
    const char *const *ignored;              // axes that change none of them and are refused; NULL-terminated, or NULL
    // Axes that are no settings of the run but numbers of the search: names and SI units of their values.
    int parameter_count;
    const char *const *parameters, *const *parameter_units; // [parameter_count]
    // Whether they can be, before the first case. parameters [parameter_count]: NaN where there is no such axis.
    int (*check)(const double *parameters, const void *data, kane_errors *errors);
    // Fills values [count], NaN where there is none, and a remark. directory: for files of the case. Called in
    // separate processes.
    kane_status (*find)(const kane_run_definition *run, const double *parameters, const char *directory, double *values,
                        char remark[KANE_CASE_WHY], const void *data, kane_errors *errors);
    // When all cases have ended: further files. 0 with errors. NULL: there are none
    int (*finish)(const kane_sweep_study *sweep, const char *directory, const void *data, kane_errors *errors);
    const void *data;
} kane_sweep_finder;

typedef struct kane_sweep_definition {
    const char *file;               // run file
    const kane_run_options *common; // what every case has; NULL: nothing
    int axis_count;
    const kane_axis *const *axes;
    kane_sweep_kind kind;
    int samples; // of a Latin hypercube, or of the distributions among the axes (0: rows of the table) ...
    int seed;    // ... and what their order comes from
    kane_sweep_sampling sampling; // of distributions
    int with_sobol;               // 1: sensitivity indices, from samples x (distributions + 2) cases
    int percentile_count;
    const double *percentiles; // [percentile_count], 0 .. 100, of each measure over the samples; NULL: 5, 50, 95
    int measure_count;
    const char *const *measures;     // kane/measure.h
    const kane_sweep_finder *finder; // NULL: measures; else there are none
    int keep_results;                // 1: the rows of every case stay in case-N/results.*
} kane_sweep_definition;

// Lays out the cases and checks all that can be known before the first one starts: axes and measures, the run with the
// first and the last value of every axis (with every value that is a word), channels and their units. Keeps a copy of
// the measures; files, options, axes and percentiles must live as long as the sweep. NULL with all errors.
KANE_API kane_sweep_study *kane_sweep_create(const kane_sweep_definition *definition, kane_errors *errors);
KANE_API void kane_sweep_free(kane_sweep_study *sweep);

KANE_API int kane_sweep_case_count(const kane_sweep_study *sweep);

// The setting of one axis in a case (from 0), "start.speed=30 m/s", of a finder's parameter "radius=300 m"; its length
// as snprintf says. With the common
// settings and those of the other axes, kane run repeats the case.
KANE_API int kane_sweep_setting(const kane_sweep_study *sweep, int index, int axis, size_t size, char *text);

// Carries out the cases and, when all have ended, writes sweep.csv, sweep.json and pictures; of distributions also
// sweep-summary.csv and, with indices, sweep-sobol.csv. *complete says whether that was so (not so of one shard among
// others, or of a follower). Failed cases are rows of the table. A derailment is no failure: measures are those up to
// it, and the table says so.
KANE_API kane_status kane_sweep_run_cases(kane_sweep_study *sweep, const kane_plan_execution *execution, int *complete,
                                          kane_errors *errors);

// The table: case (from 1), axes, state ("done", "derailed", "failed"), end, time, distance, steps, measures, remark;
// with a finder its numbers in the place of measures, and no end, time, distance and steps.
// Cells have so many digits, 0: all of them; "" where there is no value. They are known once the sweep is complete.
KANE_API int kane_sweep_column_count(const kane_sweep_study *sweep);
KANE_API void kane_sweep_cell(const kane_sweep_study *sweep, int index, int column, int digits, size_t size,
                              char *text);

// Writes the table as text, at most `most` cases (0: all), numbers with six digits, without the remarks. Of
// distributions summary and indices follow.
KANE_API void kane_sweep_print(const kane_sweep_study *sweep, int most, FILE *out);

// Writes how distributions are sampled, "100 samples, Latin hypercube, seed 1"; nothing without them.
KANE_API void kane_sweep_print_sampling(const kane_sweep_study *sweep, FILE *out);

KANE_C_END

#endif
