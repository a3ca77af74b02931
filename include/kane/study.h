// SPDX-License-Identifier: MIT
// Studies: many runs that differ in one thing, side by side on the cores of a machine, and what differs in the end.

#ifndef KANE_STUDY_H
#define KANE_STUDY_H

#include <kane/base.h>
#include <kane/run.h>

// What does leaving out imaginary terms do? The run is carried out with and without them for every acceleration.
typedef struct kane_omission_study {
    const kane_run_definition *run; // its speed pieces are replaced by one constant acceleration
    const char *omit;               // BODY:KIND.TERM.AXIS
    int acceleration_count;
    const double *accelerations; // [m/s^2]
    int response_count; // channels that are compared; 0: the yaw of the body that `omit` names (or the guide's)
    const char *const *responses;
    int threads;           // 0: one for each processor
    const char *directory; // is created; pictures (.svg and .png), table and series go there
} kane_omission_study;

// One line of the table: the largest difference of one response at one acceleration.
typedef struct kane_omission_effect {
    double acceleration; // [m/s^2]
    const char *response;
    const char *unit;
    double difference;  // largest |omitted - complete|
    double at;          // distance travelled where it occurs [m]
    double rms;         // of the difference over the run
    double range;       // largest - smallest value of the complete run
    double omitted;     // largest value of the omitted term [N] or [N m]
    kane_stop end[2];   // complete, omitted
    double distance[2]; // travelled [m]
} kane_omission_effect;

typedef struct kane_omission_report kane_omission_report;

// Carries out the study: pictures "omitted.svg", "<response>.svg" (and .png), table "differences.csv", one series a run.
// The same input gives the same bits on any number of threads. NULL with errors filled.
KANE_API kane_omission_report *kane_study_omission(const kane_omission_study *study, kane_errors *errors);
KANE_API void kane_omission_report_free(kane_omission_report *report);

KANE_API int kane_omission_report_count(const kane_omission_report *report);
KANE_API const kane_omission_effect *kane_omission_report_effect(const kane_omission_report *report, int index);

#endif
