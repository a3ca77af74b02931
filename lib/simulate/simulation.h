// SPDX-License-Identifier: MIT
// A running simulation: integrator, state, next event.

#ifndef KANE_SIMULATE_SIMULATION_H
#define KANE_SIMULATE_SIMULATION_H

#include <kane/integrator.h>
#include <kane/jacobian.h>

#include "agem/gradient.h"
#include "agem/work.h"
#include "math/sparse.h"

// The work of drive, elements, contacts and omissions, integrated with the state when it is asked for.
enum { KANE_WORK_INTEGRALS = 4 };

// Speeds of a driven vehicle [m/s]: so slow at the start it does not count as moving yet; so fast backwards it rolls
// back.
#define KANE_CREEPING     0.02
#define KANE_ROLLING_BACK 0.01

// What of the work is evaluated at the output state; each includes the ones before.
typedef enum kane_knowledge {
    KANE_KNOWS_NOTHING,
    KANE_KNOWS_MOTION,     // how frames and free bodies move; forces may be older
    KANE_KNOWS_EVALUATION, // kane_eval
    KANE_KNOWS_BODIES,     // kane_observe_motion
    KANE_KNOWS_ALL         // kane_observe
} kane_knowledge;

// What is integrated beside the state (sensitivity.c); NULL: nothing.
typedef struct kane_beside {
    kane_status (*step)(double begin, void *data, kane_errors *errors); // after a step from `begin` to the present t
    kane_status (*event)(void *data, kane_errors *errors);              // after an event and the restart behind it
    void *data;
} kane_beside;

struct kane_simulation {
    kane_arena *arena;
    const kane_model *model;
    kane_settings settings;
    kane_conditions conditions;
    kane_work *work;
    kane_jacobian *jacobian;
    int size; // of y: states of the model and integrals

    struct kane_relaxation *relaxation; // of an integrator that relaxes creep; NULL: none
    kane_system system;                 // what the equations say, for y
    kane_system seen;                   // what the integrator sees
    const kane_integrator *integrator;
    void *integration;
    double *y;              // state of the integrator, at time t
    double *y_out;          // output state, at time t_out <= t
    double *error, *weight; // scratch: of the last step

    double t, t_out;
    int arrived;              // 1: something happens at t
    int no_better;            // 1: independent speeds are poor, but there are no better ones
    int at_root;              // 1: the step that ended at t ended at a root
    int moving;               // of a driven vehicle, 1: it has been faster than KANE_CREEPING since it started
    double next_event;        // time of the next event that is known beforehand [s]
    double *ydot;             // scratch
    double *look;             // scratch: what the integrator looks ahead to [system.ahead_count]
    kane_vec3 *ends;          // scratch: the same for kane_eval_rods [system.ahead_count / 3]
    int *roots;               // which roots were found: 1 upwards, -1 downwards, 0 not
    int knows_roots;          // 1: roots_before are those at t, of an integrator that finds none itself
    double *roots_before;     // their values at the beginning of a step ...
    double *roots_after;      // ... and at its end; scratch
    kane_knowledge evaluated; // what of the work belongs to y_out
    double target;            // no step goes beyond it [s]

    // input_jump.c: a multistep integrator integrates z = y - w, whose rates do not jump where inputs do
    int inputs_changed;        // inputs have changed since the last step: 1: where it has ended; 2: before that
    double *rates_before_jump; // scratch: rates [size]
    int shifted;               // 0: w is zero
    double shifted_at;         // w = shift + slope (t - shifted_at)
    double *shift, *slope;     // [size]
    double *unshifted;         // scratch: y of an evaluation [size]
    kane_start_kind began;
    char began_why[512]; // there is no equilibrium
    kane_stop stop;
    char stop_subject[96];
    kane_beside beside;
    kane_statistics before; // of integrations that ended at restarts
    long restarts;
};

// advance.c: lets the work at y_out know at least this, and computes no more (KANE_KNOWS_...).
kane_status kane_simulation_evaluate(kane_simulation *simulation, kane_knowledge least);

// create.c: begins at (t, y) as if nothing had been before.
kane_status kane_simulation_reinitialize(kane_simulation *simulation, kane_errors *errors);

// create.c: normal forces that creep forces of the next step have, if they are lagged: those at (t, y)
kane_status kane_simulation_lag_normal_forces(kane_simulation *simulation);

// input_jump.c: y at time t from what the integrator has, in place
void kane_input_jump_unshift(const kane_simulation *simulation, double t, double *y);

// Takes over inputs that have changed since the last step. 0: the integrator must be restarted at (t, y).
int kane_input_jump_absorb(kane_simulation *simulation);

// The system as an integrator sees it, of that which the equations make.
kane_system kane_input_jump_system(kane_simulation *simulation);

// rhs.c: what the equations say
kane_system kane_simulation_system(kane_simulation *simulation);
int kane_simulation_root_count(const kane_simulation *simulation);

// What an integrator looks ahead to, for kane_eval_rods.
const kane_vec3 *kane_simulation_set_rod_ends(kane_simulation *simulation, const double *ahead);

// roots.c: in place of an integrator that finds no roots. `begin`: where the last step began. Looks for the first root
// within it; where there is one fills roots and takes t and y back to just behind it. Returns 1 if there was one;
// negative status if the state cannot be evaluated.
int kane_roots_find(kane_simulation *simulation, double begin);

// events.c: what happens at known times and at roots

// Next event where none is known [s]: a time that integrators can go for and that is no event.
#define KANE_NO_EVENT 1e12

void kane_events_plan(kane_simulation *simulation); // what comes next: fills next_event and arrived
void kane_events_handle(kane_simulation *simulation);

// How far the next step may go so that no wheelset passes over anything short on its rails unseen [s]. HUGE_VAL: as far
// as the integrator likes.
double kane_events_reach(const kane_simulation *simulation);

// === How the frames of a driven vehicle follow its guide, in the Jacobian: their acceleration a depends on where the
// guide is and how fast, and a acts on every body in a track frame.

typedef struct kane_follower {
    int count;             // columns on which a depends; one may occur twice
    int *column;           // in y [count]
    double *slope;         // d(a)/d(column) [count]
    double *jerk;          // d(db/dt)/d(column) [count]
    unsigned char *is_row; // 1: a acts on it [state_count]
    double *by_a;          // d(rate)/d(a) [state_count]
} kane_follower;

// NULL if memory is short.
kane_follower *kane_follower_create(const kane_model *model, const kane_derivative *derivative, kane_arena *arena);

// Entries that it has.
void kane_follower_name(const kane_follower *follower, const kane_model *model, kane_pattern_entries *entries);

// Adds its part to the values of a Jacobian, after kane_derive.
void kane_follower_fill(kane_follower *follower, const kane_model *model, kane_work *work, kane_derivative *derivative,
                        const kane_pattern *pattern, double *values);

#endif
