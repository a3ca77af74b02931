// SPDX-License-Identifier: MIT
// A run file as typed: the structs behind its keys.

#ifndef KANE_RUN_RUN_FILE_H
#define KANE_RUN_RUN_FILE_H

#include <kane/integrator.h>
#include <kane/run.h>

#include "base/document.h"
#include "vehicles/mechanism_file.h"

typedef struct kane_start_input {
    kane_block block;
    double at;    // [m]
    double speed; // [m/s]
    int equilibrium;
} kane_start_input;

// A piece of constant acceleration; it ends after a time, a distance or at a speed.
typedef struct kane_piece_input {
    kane_block block;
    double acceleration; // [m/s^2]
    double time;         // "for" [s]
    double distance;     // "over" [m]
    double speed;        // "to" [m/s]
} kane_piece_input;

typedef struct kane_speed_table_input {
    kane_block block;
    kane_numbers time, at, speed; // [s], chainage [m], [m/s]
    int smooth;
} kane_speed_table_input;

// Limits of speed along the line, and of what leads from one to the next.
typedef struct kane_speed_limits_input {
    kane_block block;
    kane_numbers at, speed; // chainage [m], [m/s]
    const char *file, *chainage_column, *speed_column;
    double acceleration, braking; // [m/s^2]
} kane_speed_limits_input;

typedef struct kane_actuator_input {
    kane_block block;
    int kind; // kane_actuator_kind
    const char *on, *coordinate, *reaction;
    kane_vec3 at; // [m]
    kane_numbers time, torque, force;
} kane_actuator_input;

typedef struct kane_follower_input {
    kane_block block;
    double rate; // [1/s]
} kane_follower_input;

typedef struct kane_until_input {
    kane_block block;
    double time, distance, lift;
} kane_until_input;

typedef struct kane_rods_input {
    kane_block block;
    int inertia;       // kane_rod_inertia
    int extrapolation; // kane_extrapolation
} kane_rods_input;

typedef struct kane_integrator_input {
    kane_block block;
    kane_rods_input rods;
    int method, order, jacobian_every, normal_forces;
    double step, rtol, position, angle, speed, turning, longest_step;
} kane_integrator_input;

typedef struct kane_output_input {
    kane_block block;
    double every;
    kane_texts channels;
    int format; // kane_file_format
    int compress;
    int work; // integrate work too
} kane_output_input;

typedef struct kane_run_file {
    kane_block block;
    const char *vehicle, *mechanism, *variant, *track; // either a vehicle on a track or a mechanism
    kane_start_input start;
    kane_items speed; // kane_piece_input
    kane_speed_table_input speed_table;
    kane_speed_limits_input speed_limits;
    kane_items drive; // kane_actuator_input
    kane_follower_input follower;
    kane_items inputs; // kane_input_entry
    int formulation;
    int form; // kane_constraint_form
    kane_texts omit;
    int imaginary_as_forces;
    kane_until_input until;
    kane_integrator_input integrator;
    int check_modes;
    kane_output_input output;
} kane_run_file;

extern const kane_schema kane_run_schema;
extern const kane_formats kane_run_formats;

// Fills everything but vehicle and track; arrays are in the reader's arena. Adds to the reader's errors what is wrong.
void kane_run_build(kane_reader *reader, const kane_run_file *file, kane_run_definition *run);

// The speed over place that limits make, as points between which v^2/2 is linear. 0 with errors.
int kane_run_limits(kane_reader *reader, const kane_run_file *file, kane_run_definition *run, kane_numbers *places,
                    kane_numbers *speeds);

// Parts of it: actuators; what a mechanism has to say, and settings that are others than a vehicle's.
void kane_run_actuators(kane_reader *reader, const kane_run_file *file, kane_run_definition *run);
void kane_run_check_joints(const kane_run_definition *run, kane_errors *errors); // when the vehicle is known
void kane_run_check_frames(const kane_run_definition *run, const kane_run_file *file, kane_errors *errors); // likewise
void kane_run_check_settings(const kane_run_file *file, int is_comparison, kane_run_definition *run,
                             kane_errors *errors); // likewise
void kane_run_mechanism(kane_reader *reader, const kane_run_file *file, kane_run_definition *run);

#endif
