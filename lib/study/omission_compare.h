// SPDX-License-Identifier: MIT
// Two runs that should be the same: how far apart they are.

#ifndef KANE_STUDY_OMISSION_COMPARE_H
#define KANE_STUDY_OMISSION_COMPARE_H

#include <kane/results.h>

// Of one response over the distance that both runs have travelled, or, without a track, over time.
typedef struct kane_omission_difference {
    int column;        // of the complete run: the channel that changes most; -1: none matches
    double difference; // largest |omitting - complete|
    double at;         // distance travelled there [m], or time [s]
    double rms;        // of the difference, over the rows
    double range;      // largest - smallest value of the complete run, all of it: of that channel that has the largest
} kane_omission_difference;

// The column that tells how far a run is: of distance, without a track of time.
int kane_omission_progress(const kane_results *run);

// What counts as nothing, by unit: 1e-5 m, 1e-5 rad, 10 N, 10 N m, 1e-4 m/s, 1e-4 rad/s, 1e-3 m/s^2, 1e-3 rad/s^2; 1e-9
// of any other.
double kane_omission_nothing(const char *unit);

// 1 if a channel belongs to a response; the imaginary terms themselves and their impulses only if the pattern says so
// ("imaginary.*", "impulse.*").
int kane_omission_matches(const char *pattern, const char *channel);

// Angles of an attitude end half a turn to either side and go on at the other: here they are followed over that end, so that
// differences and ranges are not those of whole turns. An angle that goes beyond half a turn by itself stays as it is.
void kane_omission_unwrap(kane_results *run);

// Of the channels that match a pattern that one which changes most, measured by the largest range that any of them has: what
// happens to one wheel counts by what happens on all. Both runs begin with a column "time" and, on a track, "distance". Rows are compared
// that are at the same time; where frames do not travel alike then (a driven vehicle), omitting is read between its rows at the
// distance of complete.
kane_omission_difference kane_omission_compare(const kane_results *complete, const kane_results *omitting,
                                               const char *pattern);

#endif
