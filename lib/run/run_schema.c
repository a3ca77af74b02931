// SPDX-License-Identifier: MIT
// The keys of a run file.

#include "run/run_file.h"

static const char *const actuator_kinds[] = {"torque", "brake", "force", "joint", NULL}; // as kane_actuator_kind
static const char *const forms[]          = {"coefficients", "multipliers", NULL};       // as kane_constraint_form
static const char *const formulations[]   = {"moving", "fixed", NULL};
static const char *const file_formats[]   = {"csv", "hdf5", NULL};

static const kane_key start_keys[] = {
    KANE_KEY(kane_start_input, at, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "chainage of the guide"),
    KANE_KEY(kane_start_input, speed, NUMBER, REQUIRED, NULL, "m/s", NOT_NEGATIVE, NULL, "speed along the line"),
    KANE_KEY(kane_start_input, equilibrium, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: in equilibrium also in a curve or with cant, where the line does not change under the vehicle; "
             "false: so on straight level track, elsewhere in the static position"),
};

static const kane_key piece_keys[] = {
    KANE_KEY(kane_piece_input, acceleration, NUMBER, REQUIRED, NULL, "m/s^2", ANY, NULL, "constant; negative: braking"),
    KANE_KEY_NAMED(kane_piece_input, time, "for", NUMBER, OPTIONAL, NULL, "s", POSITIVE, NULL, "ends after this time"),
    KANE_KEY_NAMED(kane_piece_input, distance, "over", NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL,
                   "ends after this distance"),
    KANE_KEY_NAMED(kane_piece_input, speed, "to", NUMBER, OPTIONAL, NULL, "m/s", NOT_NEGATIVE, NULL,
                   "ends at this speed"),
};

static const kane_key table_keys[] = {
    KANE_KEY(kane_speed_table_input, time, NUMBERS, OPTIONAL, NULL, "s", NOT_NEGATIVE, NULL, "from 0, growing"),
    KANE_KEY(kane_speed_table_input, at, NUMBERS, OPTIONAL, NULL, "m", ANY, NULL,
             "instead of times: chainages of the guide, growing, the first one at or before the start"),
    KANE_KEY(kane_speed_table_input, speed, NUMBERS, REQUIRED, NULL, "m/s", NOT_NEGATIVE, NULL,
             "at these times or places; constant after the last"),
    KANE_KEY(kane_speed_table_input, smooth, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "false: constant acceleration from point to point; true: a curve on which it does not jump, level at both "
             "ends"),
};

static const kane_key limits_keys[] = {
    KANE_KEY(kane_speed_limits_input, at, NUMBERS, OPTIONAL, NULL, "m", ANY, NULL,
             "chainages of the guide from which the limits hold, growing, the first one at or before the start"),
    KANE_KEY(kane_speed_limits_input, speed, NUMBERS, OPTIONAL, NULL, "m/s", NOT_NEGATIVE, NULL,
             "the limits; the last one holds to the end, 0: it stops there"),
    KANE_KEY(kane_speed_limits_input, file, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "instead of both: a file of columns with a line of names, relative to this file"),
    KANE_KEY(kane_speed_limits_input, chainage_column, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "of the file: name and unit of the places, \"km [km]\""),
    KANE_KEY(kane_speed_limits_input, speed_column, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "of the file: name and unit of the limits, \"v [km/h]\""),
    KANE_KEY(kane_speed_limits_input, acceleration, NUMBER, OPTIONAL, "0.5 m/s^2", "m/s^2", POSITIVE, NULL,
             "where the limit is higher than the speed"),
    KANE_KEY(kane_speed_limits_input, braking, NUMBER, OPTIONAL, "0.5 m/s^2", "m/s^2", POSITIVE, NULL,
             "deceleration before a lower limit"),
};

static const kane_key actuator_keys[] = {
    KANE_KEY(kane_actuator_input, kind, CHOICE, REQUIRED, NULL, NULL, ANY, actuator_kinds,
             "torque about the axle of a wheelset, brake torque against its spin, force on a body along the track, or "
             "force or torque along a coordinate of a body's joint"),
    KANE_KEY(kane_actuator_input, on, TEXT, REQUIRED, NULL, NULL, ANY, NULL, "wheelset or body it acts on"),
    KANE_KEY(kane_actuator_input, coordinate, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "of a joint: one of its coordinates; may be left out where it has only one"),
    KANE_KEY(kane_actuator_input, reaction, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "body that takes the opposite torque"),
    KANE_KEY(kane_actuator_input, at, VECTOR, OPTIONAL, NULL, "m", ANY, NULL,
             "of a force: its point at rest; the mass centre if it is left out"),
    KANE_KEY(kane_actuator_input, time, NUMBERS, OPTIONAL, "[0]", "s", NOT_NEGATIVE, NULL,
             "times of the values; linear between them, constant outside"),
    KANE_KEY(kane_actuator_input, torque, NUMBERS, OPTIONAL, NULL, "N m", ANY, NULL,
             "of a torque, a brake or a joint that turns, at these times"),
    KANE_KEY(kane_actuator_input, force, NUMBERS, OPTIONAL, NULL, "N", ANY, NULL,
             "of a force or a joint that slides, at these times"),
};

static const kane_key follower_keys[] = {
    KANE_KEY(kane_follower_input, rate, NUMBER, OPTIONAL, "10 1/s", "1/s", POSITIVE, NULL,
             "how fast they catch up with it; the motion of the vehicle does not depend on it"),
};

static const kane_key until_keys[] = {
    KANE_KEY(kane_until_input, time, NUMBER, OPTIONAL, NULL, "s", POSITIVE, NULL, "ends at this time"),
    KANE_KEY(kane_until_input, distance, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL, "ends after this distance"),
    KANE_KEY(kane_until_input, lift, NUMBER, OPTIONAL, "15 mm", "m", POSITIVE, NULL,
             "derailment: ends when a wheel is so far over its rail or below it"),
};

static const kane_key rods_keys[] = {
    KANE_KEY(
        kane_rods_input, inertia, CHOICE, OPTIONAL, "exact", NULL, ANY, kane_rod_inertia_names,
        "exact: all of it is solved for; partition: that of masses at both ends is, what couples the two bodies is "
        "extrapolated; all: all of it is extrapolated"),
    KANE_KEY(
        kane_rods_input, extrapolation, CHOICE, OPTIONAL, "quadratic", NULL, ANY, kane_extrapolation_names,
        "how accelerations of earlier steps go on: as the last one, along the line through two, along the parabola "
        "through three of them"),
};

static const kane_schema rods_schema = KANE_SCHEMA(
    kane_rods_input, "rods", rods_keys,
    "Inertia of rods with mass, of rk4 alone: approximations for comparison with the exact form, which costs no more.");

static const kane_key integrator_keys[] = {
    KANE_KEY(
        kane_integrator_input, method, CHOICE, OPTIONAL, "bdf", NULL, ANY, kane_method_names,
        "backward differentiation formulas, Adams-Moulton (order 2: trapezoidal rule), or the classical Runge-Kutta "
        "method of order 4 with a fixed step, which needs \"step\" and takes none of the other keys; imex and bdf2, linearly "
        "implicit with a fixed step and the same work in every step, for real time: wheels that rails guide, wheels in "
        "elastic contact; semi_implicit: wheels as constraints, implicit in creep alone, without a Jacobian; "
        "bdf_alpha: steps by tolerances, with formulas that follow the step, the default (unless an order is given) where "
        "wheels in elastic contact run on rails with sines, spectra or files of irregularities"),
    KANE_KEY(kane_integrator_input, step, NUMBER, OPTIONAL, NULL, "s", POSITIVE, NULL,
             "length of the steps of rk4, imex, bdf2, semi_implicit; steps that end at an event are shorter"),
    KANE_KEY_NAMED(
        kane_integrator_input, jacobian_every, "jacobian_interval", COUNT, OPTIONAL, "5", NULL, POSITIVE, NULL,
        "steps of imex or bdf2 that a Jacobian serves; of semi_implicit what wheelsets accelerate under unit forces (20)"),
    KANE_KEY(
        kane_integrator_input, order, COUNT, OPTIONAL, "2", NULL, POSITIVE, NULL,
        "largest order: up to 5 (bdf) or 12 (adams); beyond 2 contact modes limit the step. If it is left out, bdf "
        "takes 4 where rails guide all wheels without giving way, and 5 without wheels on rails (adams: 12). "
        "bdf_alpha has 2 to 4, and takes 4"),
    KANE_KEY(
        kane_integrator_input, rtol, NUMBER, OPTIONAL, "1e-6", "1", POSITIVE, NULL,
        "tolerance relative to deviations from rest, 1e-14 to 1e-3. This and the next four are five times coarser "
        "if they are left out where all wheels are on tables, a hundred times finer of a mechanism, and 3.16 times "
        "coarser where bdf_alpha is the default. A finer one makes "
        "those of the next four that are left out finer by the same factor; a coarser one does not make them coarser"),
    KANE_KEY_NAMED(
        kane_integrator_input, position, "atol_position", NUMBER, OPTIONAL, "1e-8 m", "m", POSITIVE, NULL,
        "absolute tolerance of positions; at most 1e-6 m with wheels in elastic contact, 1e-4 m with wheels that "
        "rails guide, 1e-3 m without wheels"),
    KANE_KEY_NAMED(kane_integrator_input, angle, "atol_angle", NUMBER, OPTIONAL, "1e-8 rad", "rad", POSITIVE, NULL,
                   "absolute tolerance of angles; at most 1e-6 rad, 1e-4 rad, 1e-3 rad, likewise"),
    KANE_KEY_NAMED(kane_integrator_input, speed, "atol_velocity", NUMBER, OPTIONAL, "1e-6 m/s", "m/s", POSITIVE, NULL,
                   "absolute tolerance of velocities; at most 1e-3 m/s, 1e-2 m/s, 0.1 m/s, likewise"),
    KANE_KEY_NAMED(kane_integrator_input, turning, "atol_angular_velocity", NUMBER, OPTIONAL, "1e-6 rad/s", "rad/s",
                   POSITIVE, NULL,
                   "absolute tolerance of angular velocities; at most 1e-3 rad/s, 1e-2 rad/s, 0.1 rad/s, likewise"),
    KANE_KEY_NAMED(kane_integrator_input, longest_step, "max_step", NUMBER, OPTIONAL, NULL, "s", POSITIVE, NULL,
                   "no longer step is taken"),
    KANE_KEY(
        kane_integrator_input, normal_forces, CHOICE, OPTIONAL, "coupled", NULL, ANY, kane_normal_forces_names,
        "normal forces in creep forces of wheels with contact as a constraint: coupled: those of the same "
        "evaluation; lagged: those of the step before, of fixed length, for comparison: an error of first order in "
        "the step"),
    KANE_KEY(kane_integrator_input, rods, OBJECT, OPTIONAL, "{}", NULL, ANY, &rods_schema,
             "of rk4: what is done with the inertia of rods with mass"),
};

static const kane_key output_keys[] = {
    KANE_KEY_NAMED(kane_output_input, every, "interval", NUMBER, OPTIONAL, "5 ms", "s", POSITIVE, NULL,
                   "time between two rows"),
    KANE_KEY(
        kane_output_input, channels, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
        "names of channels, with * and ?, or groups of them: default (also if it is left out), all, travel, motions, speeds, "
        "accelerations, reactions, frames, elements, wheels, contact, track, imaginary, energy. Time and distance are "
        "always there"),
    KANE_KEY(kane_output_input, format, CHOICE, OPTIONAL, NULL, NULL, ANY, file_formats,
             "of the result file; hdf5 if the library was built with it, else csv"),
    KANE_KEY(kane_output_input, compress, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: the HDF5 file is compressed when the run ends, to about three quarters; CSV never is"),
    KANE_KEY(kane_output_input, work, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: the work of drive, elements and contacts is integrated too (channels work.*)"),
};

static const kane_schema start_schema =
    KANE_SCHEMA(kane_start_input, "start", start_keys, "Where and how fast it begins.");
static const kane_schema piece_schema =
    KANE_SCHEMA(kane_piece_input, "speed piece", piece_keys,
                "Constant acceleration up to one of \"for\", \"over\", \"to\"; the last piece may go on for ever.");
static const kane_schema table_schema =
    KANE_SCHEMA(kane_speed_table_input, "speed table", table_keys, "Speed over time, or over place.");
static const kane_schema limits_schema = KANE_SCHEMA(
    kane_speed_limits_input, "speed limits", limits_keys,
    "As fast as limits along the line allow: from each it accelerates to the next higher one where that begins, and "
    "brakes so that it is at a lower one in time.");
static const kane_schema actuator_schema =
    KANE_SCHEMA(kane_actuator_input, "actuator", actuator_keys, "A drive, a brake or a force at the coupling.");
static const kane_schema follower_schema =
    KANE_SCHEMA(kane_follower_input, "follower", follower_keys, "How the frames of a driven vehicle follow its guide.");
static const kane_schema until_schema =
    KANE_SCHEMA(kane_until_input, "until", until_keys,
                "When it ends; the end of the track always ends it. A mechanism needs a time.");
static const kane_schema integrator_schema =
    KANE_SCHEMA(kane_integrator_input, "integrator", integrator_keys, "How it is integrated.");
static const kane_schema output_schema = KANE_SCHEMA(kane_output_input, "output", output_keys, "What is recorded.");

static const kane_key run_keys[] = {
    KANE_KEY(kane_run_file, vehicle, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "vehicle or train file, relative to this file; needs \"track\" and \"start\""),
    KANE_KEY(kane_run_file, mechanism, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "mechanism file, relative to this file, instead of a vehicle on a track"),
    KANE_KEY(kane_run_file, variant, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "one of the variants of the vehicle, train or mechanism"),
    KANE_KEY(kane_run_file, track, TEXT, OPTIONAL, NULL, NULL, ANY, NULL, "track file, relative to this file"),
    KANE_KEY(kane_run_file, start, OBJECT, OPTIONAL, NULL, NULL, ANY, &start_schema, "where and how fast it begins"),
    KANE_KEY(kane_run_file, speed, LIST, OPTIONAL, NULL, NULL, ANY, &piece_schema,
             "prescribed speed in pieces; constant if it is left out"),
    KANE_KEY(kane_run_file, speed_table, OBJECT, OPTIONAL, NULL, NULL, ANY, &table_schema,
             "prescribed speed by a table"),
    KANE_KEY(kane_run_file, speed_limits, OBJECT, OPTIONAL, NULL, NULL, ANY, &limits_schema,
             "prescribed speed by limits along the line"),
    KANE_KEY(kane_run_file, drive, MAP, OPTIONAL, NULL, NULL, ANY, &actuator_schema,
             "actuators by name: they act, and a vehicle finds its speed (instead of a prescribed speed)"),
    KANE_KEY(kane_run_file, follower, OBJECT, OPTIONAL, "{}", NULL, ANY, &follower_schema,
             "with \"drive\": how the track frames follow the guide"),
    KANE_KEY(kane_run_file, inputs, MAP, OPTIONAL, NULL, NULL, ANY, &kane_input_schema,
             "numbers that a program sets while it goes on, by name, beside those of the vehicle or mechanism"),
    KANE_KEY(kane_run_file, formulation, CHOICE, OPTIONAL, "moving", NULL, ANY, formulations,
             "moving track frames, or fixed axes (a check: no imaginary forces)"),
    KANE_KEY(kane_run_file, form, CHOICE, OPTIONAL, "coefficients", NULL, ANY, forms,
             "how constraints enter the equations: by dependent speeds, or by multipliers and projection"),
    KANE_KEY(
        kane_run_file, omit, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
        "imaginary terms to leave out: BODY:KIND.TERM.AXIS, any part may be *; BODY may be a pattern such as \"coach 1 *\""),
    KANE_KEY_NAMED(kane_run_file, imaginary_as_forces, "imaginary_as_forces", SWITCH, OPTIONAL, "false", NULL, ANY,
                   NULL, "true: imaginary terms are evaluated one by one even if none is omitted"),
    KANE_KEY(kane_run_file, until, OBJECT, OPTIONAL, "{}", NULL, ANY, &until_schema, "when it ends"),
    KANE_KEY(kane_run_file, integrator, OBJECT, OPTIONAL, "{}", NULL, ANY, &integrator_schema, "how it is integrated"),
    KANE_KEY(kane_run_file, check_modes, SWITCH, OPTIONAL, "true", NULL, ANY, NULL,
             "false: kane run does not look for modes that grow in the straights and curves that it has run along"),
    KANE_KEY(kane_run_file, output, OBJECT, OPTIONAL, "{}", NULL, ANY, &output_schema, "what is recorded"),
};

const kane_schema kane_run_schema = KANE_SCHEMA(
    kane_run_file, "run", run_keys, "How a vehicle runs on a track, or a mechanism by itself, and what is recorded.");

static const kane_format formats[]  = {{"run", 1, 1, &kane_run_schema},
                                       {"vehicle", 1, 1, NULL},
                                       {"mechanism", 1, 1, NULL},
                                       {"train", 1, 1, NULL},
                                       {"track", 1, 1, NULL}};
const kane_formats kane_run_formats = {formats, 5};
