// SPDX-License-Identifier: MIT
// The order of calls, as the standards have it: FMI 2.0.5, the tables of 3.2.3 (model exchange) and 4.2.4
// (co-simulation); FMI 3.0.2, the lists "Allowed Function Calls" of 2.3, 3.2 and 4.2.
//
// Where the tables have a number instead of a mark, the call is allowed and what it may name is checked with its
// arguments. The unit allows more than they do in three places, which cost nothing and which importers rely on: values
// can be read in every state from initialization on, whatever list of the model structure they are in; in FMI 2.0 the
// time can be set in event mode (as in its first edition); in FMI 3.0 the numbers of states and event indicators can be
// asked for in every state. Never allowed: fmi2CancelStep (steps are never in progress); of FMI 3.0 structural
// parameters, the step mode (without an event mode a unit is never out of it), dependencies (modelDescription.xml has
// them), fmi3EvaluateDiscreteStates (providesEvaluateDiscreteStates is false). After an error a unit of FMI 3.0 is
// terminated.

#include "unit_order.h"

#include <string.h>

// In the order of unit_phase.
static const char letters[] = "INECSFTX";

static const char *const phases[UNIT_PHASES] = {
    "before initialization", "in initialization mode",   "in event mode",     "in continuous-time mode",
    "between steps",         "after a step that failed", "after termination", "after an error",
};

static const char *const names[UNIT_CALLS] = {
#define NAME(result, name, ...)  #name,
#define NAME_OF_TYPE(name, type) "fmi3Get" #name, "fmi3Set" #name,
    FMI2_FUNCTIONS(NAME) FMI3_FUNCTIONS(NAME) FMI3_TYPES(NAME_OF_TYPE)};

// I instantiated, N initialization mode, E event mode, C continuous-time mode, S between steps, F step failed, T
// terminated, X error
static const struct {
    const char *exchange, *steps;
} allowed[UNIT_CALLS] = {
#define ROW(result, name, arguments, exchange, steps, call) [UNIT_CALL_##name] = {exchange, steps},
#define ROW_OF_TYPE(name, type)                                                                                        \
    [UNIT_CALL_fmi3Get##name] = {"INECTX", "INSTX"}, [UNIT_CALL_fmi3Set##name] = {"INEC", "INS"},
    FMI2_FUNCTIONS(ROW) FMI3_FUNCTIONS(ROW) FMI3_TYPES(ROW_OF_TYPE)};

const char *unit_call_name(unit_call call)
{
    return names[call];
}

const char *unit_phase_name(unit_phase phase)
{
    return phases[phase];
}

static const char *list_states(unit_call call, int in_exchange)
{
    return in_exchange ? allowed[call].exchange : allowed[call].steps;
}

int unit_call_is_allowed(unit_call call, int in_exchange, unit_phase phase)
{
    return strchr(list_states(call, in_exchange), letters[phase]) != NULL;
}

int unit_call_exists(unit_call call, int in_exchange)
{
    return list_states(call, in_exchange)[0] != '\0';
}
