// SPDX-License-Identifier: MIT
// The order of calls: which function of FMI 2.0 and 3.0 is allowed in which state of a unit.

#ifndef KANE_APPS_UNIT_ORDER_H
#define KANE_APPS_UNIT_ORDER_H

#include "fmi2.h"
#include "fmi3.h"

// The states of both standards; FMI 3.0 knows all but UNIT_STEP_FAILED, and has no state of its own for errors.
typedef enum unit_phase {
    UNIT_INSTANTIATED,
    UNIT_INITIALIZING,
    UNIT_EVENT,       // model exchange ...
    UNIT_CONTINUOUS,  // ... between events
    UNIT_STEPPING,    // co-simulation: stepComplete of 2.0, step mode of 3.0
    UNIT_STEP_FAILED, // of 2.0: a step was discarded, for the run has ended
    UNIT_TERMINATED,
    UNIT_FAILED, // a function has returned an error
    UNIT_PHASES
} unit_phase;

typedef enum unit_call {
#define UNIT_CALL(result, name, ...) UNIT_CALL_##name,
#define UNIT_CALL_TYPE(name, type)   UNIT_CALL_fmi3Get##name, UNIT_CALL_fmi3Set##name,
    FMI2_FUNCTIONS(UNIT_CALL) FMI3_FUNCTIONS(UNIT_CALL) FMI3_TYPES(UNIT_CALL_TYPE)
#undef UNIT_CALL
#undef UNIT_CALL_TYPE
        UNIT_CALLS
} unit_call;

const char *unit_call_name(unit_call call);
const char *unit_phase_name(unit_phase phase);

// Whether a call is allowed in a state, in model exchange or in co-simulation.
int unit_call_is_allowed(unit_call call, int in_exchange, unit_phase phase);

// Whether it is allowed in any state there.
int unit_call_exists(unit_call call, int in_exchange);

#endif
