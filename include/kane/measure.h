// SPDX-License-Identifier: MIT
// Measures: one number of a run, as one would type it.
//
//   max(body.y)                       largest value, also min, mean, rms, end (last value), range (largest - smallest),
//                                     peak (largest size), at_max, at_min, at_peak (where), p99.85 (percentile)
//   p99.85(leading.left.Q, 20 Hz)     behind a low-pass filter
//   rms(body.acceleration.y, 0.4-10 Hz)                band-pass
//   max(leading.left.Y, 20 Hz, mean 2 m)               mean that slides over a distance
//   peak(body.yaw, 50 m..150 m)                        rows between two distances travelled; 2 s..5 s: two times
//   max(*.Q)                          of several channels that which is largest (for min: smallest; by size for peak)
//   nmv(body.acceleration.*)          comfort; comfort_y, sperling_z, ...
//
// docs/results.md has them all.

#ifndef KANE_MEASURE_H
#define KANE_MEASURE_H

#include <kane/base.h>
#include <kane/results.h>

KANE_C_BEGIN

typedef struct kane_measure kane_measure;

// NULL with an error that says what is wrong with the text, and where in it.
KANE_API kane_measure *kane_measure_parse(const char *text, kane_errors *errors);
KANE_API void kane_measure_free(kane_measure *measure);

KANE_API const char *kane_measure_text(const kane_measure *measure);     // as it was typed
KANE_API const char *kane_measure_channels(const kane_measure *measure); // its pattern of channels: "*.Q"

// Can the measure be taken of results with these columns and rows every so many seconds (0: not known)? Says its unit,
// which lives as long as the columns. KANE_BAD_ARGUMENT with an error: no channel matches, or channels of several units
// do, there is no distance, a corner is above half the rate of the rows.
KANE_API kane_status kane_measure_check(const kane_measure *measure, int column_count, const kane_column *columns,
                                        double every, const char **unit, kane_errors *errors);

// The value; its unit goes to *unit if that is not NULL and lives as long as the results. The results must have the
// column "time", and "distance" where the measure speaks of metres. NaN with an error where no channel matches or there
// is nothing to measure (no row between two distances, a corner above half the rate of the rows).
KANE_API double kane_measure_eval(const kane_measure *measure, const kane_results *results, const char **unit,
                                  kane_errors *errors);

KANE_C_END

#endif
