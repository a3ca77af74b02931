// SPDX-License-Identifier: MIT
// Integration of a model over time: an integrator takes the steps (CVODE with a sparse Jacobian, unless the settings
// name another); the simulation stops and maps the state at section joints of the track, keeps constraints and takes
// other independent speeds where these serve better, ends at given conditions. Output channels read what a state means.
// docs/analyses.md says how to choose settings.

#ifndef KANE_SIMULATE_H
#define KANE_SIMULATE_H

#include <kane/agem.h>
#include <kane/base.h>
#include <kane/model.h>

KANE_C_BEGIN

// libkane's own integrators; what each can do is in its table (kane_method_integrator, kane/integrator.h).
typedef enum kane_method {
    KANE_BDF,   // backward differentiation formulas; the safe choice
    KANE_ADAMS, // Adams-Moulton with Newton's method; at order 2 the trapezoidal rule
    KANE_RK4,   // classical Runge-Kutta method of order 4 with a fixed step, for smooth motion without stiff contact
    KANE_IMEX, // linearly implicit Euler with a fixed step, every step at the same cost: wheels that rails guide, in real time
    KANE_BDF2, // two-step BDF with a fixed step and one iteration, likewise: wheels in elastic contact, in real time
    KANE_SEMI_IMPLICIT, // Euler's method with a fixed step, implicit in creep alone: rigid wheels on their rails, in real time
    KANE_BDF_ALPHA // BDF with generalised-alpha formulas of order 2 that follow the step: wheels in elastic contact on rough track
} kane_method;

// The highest order that a method has; 0: it has one only.
KANE_API int kane_method_orders(kane_method method);

// Names of the methods as a run file has them, NULL-terminated.
KANE_API extern const char *const kane_method_names[];

typedef struct kane_integrator kane_integrator; // a table of functions: kane/integrator.h

// How accelerations are continued from those at earlier steps, at the distances that times have: as the last one, along
// the line through the last two, along the parabola through the last three. Their errors are of the order of h, h^2,
// h^3.
typedef enum kane_extrapolation {
    KANE_EXTRAPOLATION_POINT,
    KANE_EXTRAPOLATION_LINEAR,
    KANE_EXTRAPOLATION_QUADRATIC
} kane_extrapolation;

// Their names: "point", "linear", "quadratic"; NULL-terminated.
KANE_API extern const char *const kane_extrapolation_names[];

// Rods with mass of which a part of the inertia is not solved for but extrapolated (docs/mechanisms.md, section 4): for
// comparison with the exact form, and in integrators that extrapolate.
typedef struct kane_rod_settings {
    kane_rod_inertia inertia;
    kane_extrapolation extrapolation; // unless it is exact
} kane_rod_settings;

// Which normal forces rigid wheels have in their creep forces. Coupled: those of the same evaluation, found together.
// Lagged: those at the end of the step before, so that normal forces follow from linear equations: a scheme of first
// order in the step, for comparison, of integrators with a fixed step.
typedef enum kane_normal_forces { KANE_NORMAL_FORCES_COUPLED, KANE_NORMAL_FORCES_LAGGED } kane_normal_forces;

// Their names: "coupled", "lagged"; NULL-terminated.
KANE_API extern const char *const kane_normal_forces_names[];

typedef struct kane_settings {
    kane_method method;
    const kane_integrator *integrator; // NULL: that of `method`; else this one, which need not be libkane's
    double step;            // of integrators with a fixed step: its length [s]; they read neither order nor tolerances
    kane_rod_settings rods; // KANE_RODS_EXACT by default
    kane_normal_forces normal_forces;
    // of imex and bdf2: steps that a Jacobian and its factors serve; of semi_implicit: that what wheelsets answer to
    // forces does; 0: as the method likes
    int jacobian_every;
    int order;       // maximum order. Beyond 2 the contact modes limit the step (docs/analyses.md)
    double relative; // tolerance relative to deviations from the static position; of joined bodies to coordinates [1]
    double position; // absolute tolerances: coordinates [m] ...
    double angle;    // ... angles [rad]
    double speed;    // ... speeds [m/s]
    double turning;  // ... angular velocities [rad/s]
    double longest_step; // [s]; 0: no limit
    long most_steps;     // in one kane_simulation_advance
    int energy;          // 1: integrate the work of drive, elements and contacts too
    int settle;          // 1: starts in equilibrium wherever the line lets it, and nowhere else
    int remap;           // 0: do not map the state at section joints (wrong; for comparison)
} kane_settings;

// BDF of order 2, relative 1e-6, position 1e-8 m, angle 1e-8 rad, speed 1e-6 m/s, turning 1e-6 rad/s: for wheels in
// elastic contact.
KANE_API kane_settings kane_settings_default(void);

// What serves this vehicle or mechanism: the default, with an order for this method (BDF: 2 for wheels in elastic
// contact, 4 where rails guide all wheels, 5 without wheels), and all tolerances five times coarser where all wheels
// are on tables, a hundred times finer for a mechanism. Run files begin with these.
KANE_API kane_settings kane_settings_usual(const kane_vehicle_definition *vehicle, kane_method method);

// The same for a vehicle on this track: on rough rails (kane_track_is_rough) with wheels in elastic contact bdf_alpha
// with all tolerances 3.16 times coarser, and *reason says so; else as above by BDF, *reason NULL. Run files that name
// neither method nor order begin with these (docs/analyses.md). track may be NULL.
KANE_API kane_settings kane_settings_on_track(const kane_vehicle_definition *vehicle, const kane_track *track,
                                              const char **reason);

// The coarsest tolerances that a simulation of this vehicle or mechanism accepts (the rest is the default):
//   wheels in elastic contact   1e-3   1e-6 m   1e-6 rad   1e-3 m/s   1e-3 rad/s
//   wheels that rails guide     1e-3   1e-4     1e-4       1e-2       1e-2
//   no wheels                   1e-3   1e-3     1e-3       1e-1       1e-1
KANE_API kane_settings kane_settings_coarsest(const kane_vehicle_definition *vehicle);

// The same with tolerances of a tenth (`relative` not below 1e-14) and steps of half the length: to see what the
// integration does.
KANE_API kane_settings kane_settings_finer(const kane_settings *settings);

// When a simulation ends by itself. A condition with a value of 0 is not watched, except where said.
typedef struct kane_conditions {
    double time;     // end of the simulation [s]
    double distance; // travelled by the guide's frame [m]
    double lift;     // derailment: height of a wheel over its rail, or depth below it [m]; 0: .015 m
} kane_conditions;

typedef enum kane_stop {
    KANE_STOP_NONE, // continues
    KANE_STOP_TIME,
    KANE_STOP_DISTANCE,
    KANE_STOP_END_OF_TRACK,
    KANE_STOP_STANDSTILL,
    KANE_STOP_ROLL_BACK,    // a driven vehicle rolls backwards; frames only go forward
    KANE_STOP_WHEEL_LIFT,   // a wheel has lost its rail
    KANE_STOP_FLANGE_CLIMB, // a wheel has climbed its rail
    KANE_STOP_WHEEL_DROP,   // a wheel has fallen beside its rail
    KANE_STOP_FAILED        // the integrator gave up; errors say why
} kane_stop;

static inline int kane_stop_is_derailment(kane_stop stop)
{
    return stop == KANE_STOP_WHEEL_LIFT || stop == KANE_STOP_FLANGE_CLIMB || stop == KANE_STOP_WHEEL_DROP;
}

// One word or two for it, e.g. "end of track".
KANE_API const char *kane_stop_name(kane_stop stop);

typedef struct kane_statistics {
    long steps, evaluations, jacobians, factorisations, newton_iterations;
    long error_test_failures, newton_failures, restarts;
    int last_order;
    double last_step; // [s]
    double
        last_error; // estimate of its error, weighted by the tolerances: 1 is the most that is accepted. Not a number
                    // where the integrator estimates none, nor is the next one
    double
        last_wheel_error; // the same of the places of wheelsets, without their roll: the greatest lateral or vertical one [m]
} kane_statistics;

typedef struct kane_simulation kane_simulation; // of one thread

// The model must outlive the simulation. NULL with errors filled: settings that are not possible, tolerances beyond
// kane_settings_coarsest, no start.
KANE_API kane_simulation *kane_simulation_create(const kane_model *model, const kane_settings *settings,
                                                 const kane_conditions *conditions, kane_errors *errors);
KANE_API void kane_simulation_free(kane_simulation *simulation);

// Puts the vehicle at the start: on straight level track (or as settings.settle says) in equilibrium at the drive's
// speed, elsewhere in its static position; a mechanism as its bodies start. A vehicle that has no equilibrium there, as
// one whose drive and brakes do not balance, starts in its static position too (kane_simulation_began); everything else
// that keeps it from its equilibrium is an error. Called by create; call it again to start over.
KANE_API kane_status kane_simulation_start(kane_simulation *simulation, kane_errors *errors);

// How a simulation has started.
typedef enum kane_start_kind {
    KANE_START_GIVEN,       // from a state that was given to it (kane_simulation_start_from)
    KANE_START_STATIC,      // in the static position, the default; a mechanism as its bodies start
    KANE_START_EQUILIBRIUM, // in equilibrium at the drive's speed
    KANE_START_UNBALANCED   // in the static position, for there is no equilibrium on this straight level track
} kane_start_kind;

// *why, if it is not NULL: of KANE_START_UNBALANCED the reason in words, else "".
KANE_API kane_start_kind kane_simulation_began(const kane_simulation *simulation, const char **why);

// Right after the start, on irregular rails: 1 if the vertical force of a wheel differs from its static load by more
// than half of that, with the worst of them in words. The wheels stand at their static height, which the rails are not
// at; irregularities that set in behind the start (fade_in) keep them from being hit.
KANE_API int kane_simulation_start_is_rough(const kane_simulation *simulation, size_t size, char *text);

// Starts from a given state instead. Its independent speeds must be those that the simulation has at present
// (kane/agem.h): so it is with a state of its own since they last changed, and right after kane_simulation_start.
KANE_API kane_status kane_simulation_start_from(kane_simulation *simulation, double t, const double *y,
                                                kane_errors *errors);

// Integrates up to time t [s], not before the present one, or to the first condition that ends the simulation;
// kane_simulation_time is the time reached then, kane_simulation_stop why. Returns KANE_OK, or a negative status with
// errors filled.
KANE_API kane_status kane_simulation_advance(kane_simulation *simulation, double t, kane_errors *errors);

// Integrates by h [s]. The integrator's last step ends there, too: inputs may change without a restart of the step. For
// programs that drive a simulation step by step. Otherwise as kane_simulation_advance; costs more, since steps of the
// integrator end with those of the caller.
KANE_API kane_status kane_simulation_step(kane_simulation *simulation, double h, kane_errors *errors);

// The value of an input (kane_model_find_input), and a new one, from the present time on; it stays until it is set
// again or the simulation starts anew. An integrator that looks back on earlier steps goes on as if the motion so far
// had had the rates that the new value brings (docs/analyses.md): it does not begin anew unless it has gone beyond the
// present time (kane_simulation_advance). KANE_BAD_ARGUMENT, and nothing is done, for a value that is not finite or an
// input that there is none of.
KANE_API double kane_simulation_get_input(const kane_simulation *simulation, int input);
KANE_API kane_status kane_simulation_set_input(kane_simulation *simulation, int input, double value);

KANE_API double kane_simulation_time(const kane_simulation *simulation);
KANE_API kane_stop kane_simulation_stop(const kane_simulation *simulation);

// Name of the wheel that a stop came from ("leading.left"), or of the body whose frame it was; "" if none.
KANE_API const char *kane_simulation_stop_subject(const kane_simulation *simulation);

// State at the present time: as in kane/agem.h, followed by the work of drive, elements and contacts [J] if asked for.
KANE_API const double *kane_simulation_state(const kane_simulation *simulation);

// Work of one thread, evaluated with the present state: kane_get_... tell what it means.
KANE_API const kane_work *kane_simulation_work(kane_simulation *simulation);

KANE_API void kane_simulation_statistics(const kane_simulation *simulation, kane_statistics *statistics);

// Largest difference between the Jacobian that the integrator uses and plain central differences at the present state,
// in units of the largest entry of the row; row and column say where (names of states are in kane_state_name).
KANE_API kane_status kane_simulation_check_jacobian(kane_simulation *simulation, double *difference, int *row,
                                                    int *column, int *entries, kane_errors *errors);

// Name of an element of y, e.g. "leading.yaw" or "leading.omega.y", "crank.angle" or "crank.rate.angle"; of independent
// speeds "pin.u.0", with the first constraint of those that join the bodies.
KANE_API void kane_state_name(const kane_model *model, int index, size_t size, char *name);

// Unit of an element of y, "rad/s"; of its rate per second. "" of independent speeds of joined bodies, which are of
// several kinds.
KANE_API const char *kane_state_unit(const kane_model *model, int index);

// Name of a speed of a body or joint, dependent or not (kane_equations_speed), as that of a state.
KANE_API void kane_speed_name(const kane_model *model, int speed, size_t size, char *name);

// --- equilibrium ---

// How an equilibrium was found.
typedef struct kane_equilibrium {
    int iterations;
    double residual; // largest rate of a state that is left [m/s^2], [rad/s^2], [m/s], [rad/s]
    int worst;       // the element of y that it belongs to
} kane_equilibrium;

// Brings a state into equilibrium: at constant speed on track that does not change along the line nothing accelerates,
// wheels roll, states of force laws rest. Stable or not; states of dry friction stay as they are (kane_law_state). y
// comes in as a rough guess, e.g. from kane_initial_state. In frames with a given motion it is a relative one, and
// refused where what their bodies feel of them changes. Track frames do not accelerate, whatever the drive says; the
// guide of a driven vehicle stays in its place. Motions of joints and numbers of constraints that are functions of time
// stand still with their values at t = 0 (kane_work_freeze). Returns KANE_NOT_SOLVED with errors filled if there is
// none nearby: body or wheel, and how far it got; then y is where it stopped. Another negative status if something else
// failed (memory, a state that is not finite).
KANE_API kane_status kane_equilibrium_solve(const kane_model *model, kane_work *work, double *y,
                                            kane_equilibrium *found, kane_errors *errors);

// --- channels: quantities by name ---

typedef struct kane_channels kane_channels;

typedef struct kane_channel_info {
    const char *name;        // e.g. "leading.left.N"
    const char *unit;        // e.g. "N"
    const char *description; // one sentence
    const char *group;       // that records it with others of its kind, e.g. "wheels"
} kane_channel_info;

// Groups of channels. Each channel is of one of them.
typedef enum kane_channel_group {
    KANE_GROUP_TRAVEL,
    KANE_GROUP_MOTIONS,
    KANE_GROUP_SPEEDS,
    KANE_GROUP_ACCELERATIONS,
    KANE_GROUP_REACTIONS,
    KANE_GROUP_FRAMES,
    KANE_GROUP_ELEMENTS,
    KANE_GROUP_WHEELS,
    KANE_GROUP_CONTACT,
    KANE_GROUP_TRACK,
    KANE_GROUP_IMAGINARY,
    KANE_GROUP_ENERGY,
    KANE_CHANNEL_GROUPS
} kane_channel_group;

KANE_API const char *kane_channel_group_name(kane_channel_group group);
KANE_API const char *kane_channel_group_help(kane_channel_group group); // what is in it

// Whether "default" has a group: what people draw. On the ground: of a mechanism that runs on no track.
KANE_API int kane_channel_group_is_default(kane_channel_group group, int on_the_ground);

// All channels of a simulation whose names match one of the patterns ("*" and "?" as in file names). A pattern may be
// the name of a group, "default" or "all", too. One that matches nothing is an error with the nearest names. places:
// where the patterns were typed, may be NULL.
KANE_API kane_channels *kane_channels_create(const kane_simulation *simulation, int pattern_count,
                                             const char *const *patterns, const kane_place *places,
                                             kane_errors *errors);

// The same without a simulation, for states of a model such as an equilibrium (no "work.*").
KANE_API kane_channels *kane_channels_create_model(const kane_model *model, int pattern_count,
                                                   const char *const *patterns, const kane_place *places,
                                                   kane_errors *errors);
KANE_API void kane_channels_free(kane_channels *channels);
KANE_API int kane_channels_count(const kane_channels *channels);
KANE_API const kane_channel_info *kane_channels_info(const kane_channels *channels, int index);

// Whether a channel follows from time and state alone: positions, speeds, the way. Inputs change it only as they change
// the state, so that a loop that is closed by it is not algebraic. 0: it may depend on inputs at once.
KANE_API int kane_channels_follow_state(const kane_channels *channels, const kane_model *model, int index);

// Index of a channel of a choice by its full name; -1 if it is not among them.
KANE_API int kane_channels_find(const kane_channels *channels, const char *name);

// Values of all channels at the present time of the simulation; allocates nothing. A status that is not KANE_OK: the
// state there cannot be evaluated (kane_work_fault says why), and they are not a number.
KANE_API kane_status kane_channels_read(const kane_channels *channels, kane_simulation *simulation, double *values);

// The same of a state, with which the work has been evaluated (kane_eval, kane_observe).
KANE_API void kane_channels_read_state(const kane_channels *channels, const kane_model *model, const kane_work *work,
                                       const double *y, double *values);

KANE_C_END

#endif
