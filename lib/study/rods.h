// SPDX-License-Identifier: MIT
// Removed rods: methods side by side, and what has been found of them.

#ifndef KANE_STUDY_RODS_H
#define KANE_STUDY_RODS_H

#include <kane/rods.h>

#include "study/study.h"

// --- methods ---

// The exact form, then partition and all, each by point, linear and quadratic.
enum { ROD_METHODS = 1 + 2 * KANE_ROD_EXTRAPOLATIONS };

kane_rod_settings rods_method(int method);
int rods_number(kane_rod_inertia inertia,
                kane_extrapolation extrapolation);   // the other way round; not of the exact form
void rods_name(int method, size_t size, char *name); // "exact", "partition linear"

// --- what a case records ---

typedef struct rods_record {
    double greatest,
        norm;  // of differences of accelerations from the exact ones: the greatest of one speed, and the greatest root
               // of the sum of squares of all [m/s^2], [rad/s^2]; NaN: it has not come to the end
    double at; // when the greatest one was [s]
    double seconds, calls; // processor time of all steps [s], evaluations
    double end;            // how far it came [s]
} rods_record;

typedef struct rods_values {
    double lambda[2][2]; // partition, all: least and greatest at the start
    double size;         // greatest acceleration of a speed by the exact form [m/s^2], [rad/s^2]
    rods_record method[ROD_METHODS];
} rods_values;

enum { ROD_VALUES = sizeof(rods_values) / sizeof(double) };

// --- the study ---

typedef struct rods_report {
    kane_study study;
    const kane_rod_study *asked;
    int step_count, factor_count;
    const double *steps, *factors;
    double time; // [s]
    int rod_count;
    const kane_case **record; // of every factor, step by step [factor_count * step_count]
} rods_report;

// What a case has recorded, NULL: it has failed.
const rods_values *rods_at(const rods_report *r, int factor, int step);

// Slope of the greatest difference over the step in logarithms, by least squares over all steps that it came to the end with and
// where it is more than round-off and has not run away; NaN: there are fewer than two.
double rods_order(const rods_report *r, int factor, int method);

// Processor time of an evaluation, of all cases with a step (-1: with all of them) [s].
double rods_call(const rods_report *r, int step, int method);

// rods_draw.c: errors.* over the step, masses.* over the factor, as .svg and .png.
int rods_draw(const rods_report *r); // 0 with an error

#endif
