// SPDX-License-Identifier: MIT
// A run as a functional mock-up unit, whatever version of the standard it is seen through: fmu2.c and fmu3.c say the
// same in the words of FMI 2.0 and 3.0. Either it is stepped by the run's integrator (co-simulation), or its state is
// integrated outside (model exchange).
//
// All variables are real numbers. Value references count parameters, inputs, the time, outputs, states, their rates and
// event indicators, in this order.

#ifndef KANE_APPS_FMU_UNIT_H
#define KANE_APPS_FMU_UNIT_H

#include <kane/kane.h>

#include "unit_order.h"

#include "base/arena.h"

// As both standards number them.
typedef enum unit_status { UNIT_OK, UNIT_WARNING, UNIT_DISCARD, UNIT_ERROR, UNIT_FATAL } unit_status;

typedef enum unit_kind { UNIT_STEPS, UNIT_EXCHANGE } unit_kind;

// What is logged. Errors always are, events on request.
typedef enum unit_category {
    UNIT_LOG_ERROR,
    UNIT_LOG_DISCARD,
    UNIT_LOG_WARNING,
    UNIT_LOG_EVENT,
    UNIT_CATEGORIES
} unit_category;
extern const char *const unit_category_names[];

typedef struct unit {
    kane_arena *arena;
    unit_kind kind;
    unit_phase phase;
    char *name;
    // who listens
    void (*log)(const struct unit *u, unit_status status, const char *category, const char *text);
    void *front; // of fmu2.c or fmu3.c
    int logs_events;
    // resources/kane.json
    char guid[64];
    const char *folder, *run_file;
    int setting_count, omit_count, parameter_count, input_count, output_count, state_count, indicator_count;
    const char *
        *settings;      // of the run: those that it was written with, parameters, tolerance [setting_count + ... + 2]
    const char **omit;  // NULL-terminated
    const char **paths; // of parameters [parameter_count]
    double *start, *parameters;  // [parameter_count]
    const char **inputs;         // names [input_count]
    double *input_start, *input; // [input_count]
    const char **outputs;        // names of channels [output_count]
    double tolerance;            // 0: the run's own
    // what is simulated; NULL before it is asked for
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_channels *channels;
    int *input_place;                                              // of every input in the model [input_count]
    int *place;                                                    // of every output among the channels [output_count]
    double *values;                                                // of channels [..]
    double *rates;                                                 // [state_count]
    double *nominals;                                              // of states at the start [state_count]
    double *indicators;                                            // [indicator_count]
    double *slopes;                                                // of the Jacobian, in the order of its pattern
    int knows_values, knows_rates, knows_indicators, knows_slopes; // 1: at the present time
} unit;

// --- messages (unit.c) ---

void unit_tell(const unit *u, unit_status status, unit_category category, const char *text);

// Logs all errors, each with its place, and frees them; an error of the unit.
unit_status unit_fail(const unit *u, kane_errors *errors);
unit_status unit_refuse(const unit *u, const char *text);

// Chooses what is logged: names of categories, none: all of them. An error if there is no such category.
unit_status unit_listen(unit *u, int on, size_t count, const char *const *categories);

// --- the order of calls (unit_order.h) ---

// Whether the unit may be called so where it is; else 0, and it has been logged. u NULL: 0.
int unit_may(const unit *u, unit_call call);

// Whether an argument that is needed is there; else 0, and it has been logged.
int unit_is_given(const unit *u, const void *argument, const char *name);

// The end of a call: after an error the unit is of no use any more until it is reset or put into a saved state, as both
// standards say.
unit_status unit_conclude(unit *u, unit_status status);

// An error: modelDescription.xml says that units do not have that; they have real variables alone.
unit_status unit_lack(const unit *u);
unit_status unit_take_none(const unit *u, size_t count); // no error of none

// What functions of both standards, on the unit c, answer to a call; a function that is one call.
#define GIVEN(argument) unit_is_given(c, argument, #argument)
#define UNIT_ANSWER(result, name, ...)                                                                                 \
    ((result)unit_conclude(c, unit_may(c, UNIT_CALL_##name) ? (__VA_ARGS__) : UNIT_ERROR))
#define UNIT_FUNCTION(result, name, parameters, exchange, steps, ...)                                                  \
    result name parameters                                                                                             \
    {                                                                                                                  \
        return UNIT_ANSWER(result, name, __VA_ARGS__);                                                                 \
    }

// --- instances ---

typedef struct unit_wish {
    const char *name, *guid;
    const char *resources; // URI or path of the folder
    unit_kind kind;
    void (*log)(const unit *u, unit_status status, const char *category, const char *text);
    void *front;
    int logs;
} unit_wish;

// NULL, and everything has been logged.
unit *unit_create(const unit_wish *wish);
void unit_free(unit *u); // NULL is allowed

unit_status unit_set_up(unit *u, int has_tolerance, double tolerance, double start);
unit_status unit_enter_initialization(unit *u);
unit_status unit_exit_initialization(unit *u);
unit_status unit_terminate(unit *u);
unit_status unit_reset(unit *u);

// Makes the simulation at its start, unless it is there.
unit_status unit_prepare(unit *u);

// The same for a call that asks for a value of the simulation: an error once a simulation that was there is lost.
unit_status unit_have_simulation(unit *u);
void unit_drop_simulation(unit *u);

// What is known of the present state is of an older one.
void unit_forget(unit *u);

// --- values ---

typedef enum unit_group {
    UNIT_PARAMETER,
    UNIT_INPUT,
    UNIT_TIME,
    UNIT_OUTPUT,
    UNIT_STATE,
    UNIT_RATE,
    UNIT_INDICATOR,
    UNIT_NOTHING
} unit_group;

// What a value reference stands for, and its place within its group.
unit_group unit_find(const unit *u, unsigned reference, int *place);

unit_status unit_get(unit *u, size_t count, const unsigned *references, double *values);
unit_status unit_set(unit *u, size_t count, const unsigned *references, const double *values);

// --- co-simulation ---

// Up to time + step, or to where the run ends: then *has_ended, and the reason has been logged.
unit_status unit_step(unit *u, double time, double step, int *has_ended);
double unit_time(const unit *u);
int unit_has_ended(const unit *u);

// --- model exchange ---

unit_status unit_enter_event(unit *u);
unit_status unit_enter_continuous(unit *u);

typedef struct unit_event {
    int ends, has_jumped, has_next;
    double next; // time of the next event [s]
} unit_event;

unit_status unit_do_event(unit *u, unit_event *event);
unit_status unit_complete(unit *u, int *is_due);
unit_status unit_set_time(unit *u, double time);
unit_status unit_set_states(unit *u, size_t count, const double *states);
unit_status unit_get_states(unit *u, size_t count, double *states);
unit_status unit_get_rates(unit *u, size_t count, double *rates);
unit_status unit_get_indicators(unit *u, size_t count, double *indicators);
unit_status unit_get_nominals(unit *u, size_t count, double *nominals);

// Directional derivative (unit_derive.c): sensitivity = d(unknowns)/d(knowns) . seed. Rates with respect to states from
// the exact Jacobian, all else by central differences along the seed.
unit_status unit_derive(unit *u, size_t unknown_count, const unsigned *unknowns, size_t known_count,
                        const unsigned *knowns, const double *seed, double *sensitivity);

// --- states of the whole unit (unit_state.c): bytes that say everything ---

typedef struct unit_state {
    size_t size;
    unsigned char bytes[];
} unit_state;

// The unit goes on with the same bits as one that takes the state up. Bytes may come from anywhere: all of them are
// checked before they are used, beyond their hash. *state: NULL, or one that is replaced. To be freed with free.
unit_status unit_save(unit *u, unit_state **state);
unit_status unit_take_up(unit *u, const unit_state *state);
unit_status unit_deserialize(unit *u, size_t size, const unsigned char *bytes, unit_state **state);
unit_status unit_measure_state(const unit *u, const unit_state *state, size_t *size);
unit_status unit_serialize(const unit *u, const unit_state *state, size_t size, unsigned char *bytes);
unit_status unit_free_state(unit_state **state); // NULL, or of NULL, is allowed

#endif
