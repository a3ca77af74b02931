// SPDX-License-Identifier: MIT
// Recorded equations: what kane_eval computes, operation by operation, as functions of time, state, inputs and
// parameters (docs/equations.md).
//
//   kane_recording *r = kane_record_create(model, &options, &errors);
//   kane_record_emit(r, KANE_EMIT_C, &how, file);

#ifndef KANE_RECORD_RECORD_H
#define KANE_RECORD_RECORD_H

#include <kane/calls.h>

#include <stdio.h>

#include "record/tape.h"

typedef enum kane_record_what {
    KANE_RECORD_ACCELERATIONS, // u_dot [m]
    KANE_RECORD_RATES,         // y_dot [n]
    KANE_RECORD_MASS_MATRIX,   // M [m * m], F [m] of M u_dot = F
    KANE_RECORD_RESIDUAL,      // r [n]: of coordinates y_dot less their rates, of speeds M u_dot - F
    KANE_RECORD_JACOBIAN,      // J [n * n]: of y_dot by y
    KANE_RECORD_COEFFICIENTS,  // A [k * m], C [k] of v = A u + C, A_rate, C_rate
    KANE_RECORD_FUNCTIONS      // M [k * k], delta [k], Phi [r * k], gamma [r], gap [g] of all speeds v
} kane_record_what;

extern const char *const kane_record_whats[]; // "accelerations", ...; NULL-terminated

// What stays a symbol, beside time, state and inputs.
enum { KANE_SYMBOL_GRAVITY = 1, KANE_SYMBOL_MASSES = 2 };

typedef struct kane_record_options {
    kane_record_what what;
    unsigned symbols; // KANE_SYMBOL_... | ...
    int steps;        // of Newton's method for coordinates that close loops, from those in y
    // the definition of the model, for places of what cannot be recorded; NULL: none
    const kane_vehicle_definition *definition;
    const char *const *only;       // names of the outputs that are wanted, NULL-terminated; NULL: all
    int parameter_count;           // further symbols, which kane_record_run puts into the model
    const char *const *parameters; // what they are called
} kane_record_options;

// Accelerations, no symbols, two steps.
kane_record_options kane_record_options_default(void);

// Arguments of the recorded function, in this order; those without numbers are left out but for t and y.
typedef enum kane_record_group {
    KANE_GROUP_TIME,   // t
    KANE_GROUP_STATE,  // y, as in kane/agem.h
    KANE_GROUP_INPUT,  // w: inputs of the model
    KANE_GROUP_SYMBOL, // p: parameters that stay symbols
    KANE_GROUP_RATE,   // y_dot, of a residual
    KANE_GROUP_NORMAL, // N: normal forces of guided wheels, of functions
    KANE_GROUP_COUNT
} kane_record_group;

typedef struct kane_record_argument {
    const char *name; // "t", "y", ...
    const char *help;
    int first, count; // symbols
} kane_record_argument;

typedef struct kane_record_output {
    const char *name, *help;
    int rows, columns; // columns 0: a vector
    int *node;         // by rows [rows * max(columns, 1)]
} kane_record_output;

typedef struct kane_recording {
    kane_arena *arena;
    struct kane_record_subject *subject; // what is evaluated; NULL when that is over
    kane_tape tape;
    const char *model_name;
    kane_record_what what;
    kane_record_argument argument[KANE_GROUP_COUNT];
    int symbol_count;
    int parameter_count; // the last symbols of KANE_GROUP_SYMBOL
    char (*symbol)[96];  // what every symbol is [symbol_count]
    double *start;       // where it was recorded [symbol_count]
    int output_count;    //
    kane_record_output output[6];
    int *used;         // of every node: 1 if an output or a condition depends on it [tape.count]
    char (*label)[48]; // of every node what it is, "": unknown [label_count]
    int label_count;   //
    int operations;    // that are used: all but constants, symbols and calls
    char (*call)[96];  // what is called, of every call of the tape [tape.call_count]
    // answers calls while the tape is carried out: as kane_call and its kane_caller; NULL: no call is answered
    int (*answer)(void *caller, int which, const double *in, double *out);
    void *caller;
    kane_caller given; // who answers them with numbers while they are recorded
    int counts[KANE_OP_COUNT];
} kane_recording;

// Records a model at its start. NULL with errors filled: with the place and the reason where it cannot be recorded.
kane_recording *kane_record_create(const kane_model *model, const kane_record_options *options, kane_errors *errors);
void kane_record_free(kane_recording *recording); // NULL is allowed

// The same in two steps: everything made ready, and recorded (0 with errors). In between numbers of the model and of
// its work, as these two have taken memory, may be replaced by nodes of recording->tape (kane_kernels_box).
kane_recording *kane_record_begin(const kane_model *model, const kane_record_options *options, kane_errors *errors);
int kane_record_finish(kane_recording *recording, const kane_record_options *options, kane_errors *errors);

// The symbol of a further parameter.
int kane_record_parameter(const kane_recording *recording, int parameter);

// Carries the tape out: symbols [symbol_count] -> outputs, one after the other; values: scratch [tape.count]. Returns 0
// if a condition of the recording does not hold or a call fails, else 1.
int kane_record_play(const kane_recording *recording, const double *symbols, double *values, double *outputs);
int kane_record_output_count(const kane_recording *recording); // numbers of all outputs

// --- differentiate.c ---

// Nodes of the derivatives of `nodes` [count] along `seed`: of every symbol the node of its rate, -1: zero. A
// derivative that is zero is the constant 0. Stops (kane_tape_stop) if memory is short.
void kane_tape_differentiate(int count, const int *nodes, const int *seed, int *derivative);

// --- emit.c ---

typedef enum kane_emit_target { KANE_EMIT_C, KANE_EMIT_PYTHON, KANE_EMIT_OCTAVE, KANE_EMIT_MODELICA } kane_emit_target;

extern const char *const kane_emit_targets[]; // "c", "python", "octave", "modelica"; NULL-terminated

typedef struct kane_emit_options {
    const char *function; // its name
    const char *origin;   // of which run, for the head
    int lanes;            // of C: how many states at once, 1, 2, 4 or 8
} kane_emit_options;

void kane_record_emit(const kane_recording *recording, kane_emit_target target, const kane_emit_options *options,
                      FILE *file);

#endif
