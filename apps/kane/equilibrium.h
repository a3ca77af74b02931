// SPDX-License-Identifier: MIT
// Equilibria as the program shows them: values, tables, a report.

#ifndef KANE_APPS_EQUILIBRIUM_H
#define KANE_APPS_EQUILIBRIUM_H

#include "analysis.h"

// === The quantities of an equilibrium that the program prints.

typedef struct equilibrium_wheel {
    double Q, Y, T;         // vertical force on the rail (down), lateral (to the left), longitudinal on the wheel [N]
    double load;            // static vertical force [N]
    double angle, pressure; // of the patch with the largest normal force [rad], [Pa]
    double lift;            // [m]
    int patches;
} equilibrium_wheel;

// Of everything that presses on the rails, in the axes of the guide's track frame: what the rails do, what gravity and
// the motion want, and the traction. Their sum is zero, unless elements hold on to the track.
typedef struct equilibrium_balance {
    kane_vec3 rails, body, held; // [N]
    double mass;                 // [kg]
    int elements;                // that hold on to the track
} equilibrium_balance;

typedef struct equilibrium_values {
    const kane_vehicle_definition *vehicle;
    const kane_model *model;
    const kane_work *work;
    const kane_equilibrium *found;
    int body_count;                // with panels of track
    double (*displacement)[6];     // from the static position, by body [m], [rad]
    equilibrium_wheel (*wheel)[2]; // by body; of wheelsets
    equilibrium_balance balance;
} equilibrium_values;

// 0 with errors.
int equilibrium_values_get(const app_analysis *analysis, kane_steady *steady, equilibrium_values *values,
                           kane_errors *errors);
void equilibrium_values_clear(equilibrium_values *values);

// Whether a body of the vehicle has wheels.
int equilibrium_has_wheels(const equilibrium_values *values, int body);

// === Channels of one equilibrium after another, against the parameter that changes.

// The first column is the parameter, the second what is left. patterns: of channels. 0 with errors; values without
// equilibrium are only told. After Ctrl-C the rows so far, and an error.
int equilibrium_tabulate(app_analysis *analysis, const app_texts *patterns, kane_table *table, kane_errors *errors);

// === What there is to tell of a vehicle in equilibrium: tables, and what is above and below them.

typedef enum equilibrium_table_kind {
    EQUILIBRIUM_BODIES,
    EQUILIBRIUM_WHEELS,
    EQUILIBRIUM_WHEELSETS,
    EQUILIBRIUM_ELEMENTS,
    EQUILIBRIUM_JOINTS,
    EQUILIBRIUM_CONSTRAINTS,
    EQUILIBRIUM_REACTIONS,
    EQUILIBRIUM_TABLES
} equilibrium_table_kind;

typedef struct equilibrium_report {
    const app_analysis *analysis;
    kane_steady *steady;
    const equilibrium_values *values;
    const kane_table *tables; // [EQUILIBRIUM_TABLES]
    app_stability stability;
} equilibrium_report;

// Writes all of it to the files, or to standard output. 0 with errors.
int equilibrium_write(const app_analysis *analysis, kane_steady *steady, const app_outputs *outputs,
                      kane_errors *errors);

#endif
