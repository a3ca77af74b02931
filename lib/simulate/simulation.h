// SPDX-License-Identifier: MIT
// A simulation on its way: integrator, state, and what it waits for. The only room that knows SUNDIALS.

#ifndef KANE_SIMULATE_SIMULATION_H
#define KANE_SIMULATE_SIMULATION_H

#include <kane/simulate.h>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_types.h>

#include "agem/work.h"
#include "simulate/jacobian.h"

// The work of drive, elements, contacts and omissions, integrated with the state when it is asked for.
enum { KANE_WORK_INTEGRALS = 4 };

// Speeds of a driven vehicle [m/s]: so slow at the start it does not count as moving yet; so fast backwards it rolls back.
#define KANE_CREEPING     0.02
#define KANE_ROLLING_BACK 0.01

// What the work knows of the state where the user stands, each more than the one before.
typedef enum kane_knowledge {
    KANE_KNOWS_NOTHING,
    KANE_KNOWS_MOTION,     // how frames and free bodies move; forces may be older
    KANE_KNOWS_EVALUATION, // kane_eval
    KANE_KNOWS_BODIES,     // kane_observe_motion
    KANE_KNOWS_ALL         // kane_observe
} kane_knowledge;

struct kane_simulation {
    kane_arena *arena;
    const kane_model *model;
    kane_settings settings;
    kane_conditions conditions;
    kane_work *work;
    kane_jacobian *jacobian;
    int size;     // of y: states of the model and integrals
    int projects; // 1: rails guide wheels as constraints

    SUNContext context;
    N_Vector y;             // at time t, where the integrator stands
    N_Vector y_out;         // at time t_out, where the user stands: t_out <= t
    N_Vector error, weight; // scratch: of the last step
    double *slopes;         // the Jacobian as it was last evaluated, entries of its pattern
    int *diagonal;          // places of the diagonal among them
    SUNMatrix matrix;       // 1 - gamma J
    SUNLinearSolver solver;
    void *cvode;
    char message[256]; // the integrator's last words

    double t, t_out;
    int arrived;              // 1: something happens at t
    int no_better;            // 1: independent speeds are poor, but there are no better ones
    int at_root;              // 1: the step that ended at t ended at a root
    int moving;               // of a driven vehicle, 1: it has been faster than KANE_CREEPING since it started
    double next_event;        // time of the next event that is known beforehand [s]
    double *ydot;             // scratch
    int *roots;               // scratch: which roots were found
    kane_knowledge evaluated; // what of the work belongs to y_out
    kane_start_kind began;
    char began_why[512]; // there is no equilibrium
    kane_stop stop;
    char stop_subject[96];
    kane_statistics before; // of integrations that ended at restarts
    long restarts;
};

// advance.c: lets the work at y_out know at least this, and computes no more (KANE_KNOWS_...).
kane_status kane_simulation_know(kane_simulation *simulation, kane_knowledge least);

// create.c: 1: the last matrix could not be factored for want of memory
int kane_solver_lacks_memory(const kane_simulation *simulation);

// rhs.c: callbacks of CVODE; data is the simulation
int kane_rhs(realtype t, N_Vector y, N_Vector ydot, void *data);
int kane_rhs_system(realtype t, N_Vector y, N_Vector ydot, SUNMatrix M, booleantype is_fresh, booleantype *evaluated,
                    realtype gamma, void *data, N_Vector a, N_Vector b, N_Vector c);
int kane_rhs_roots(realtype t, N_Vector y, realtype *g, void *data);
int kane_rhs_weights(N_Vector y, N_Vector weights, void *data);
int kane_rhs_project(realtype t, N_Vector y, N_Vector correction, realtype tolerance, N_Vector error, void *data);
int kane_rhs_root_count(const kane_simulation *simulation);

// events.c: what happens at known times and at roots
void kane_events_plan(kane_simulation *simulation); // what comes next: fills next_event and arrived
void kane_events_handle(kane_simulation *simulation);

// How far the next step may go so that no wheelset passes over anything short on its rails unseen [s]. HUGE_VAL: as far as
// the integrator likes.
double kane_events_reach(const kane_simulation *simulation);

#endif
