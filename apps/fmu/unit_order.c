// SPDX-License-Identifier: MIT
// The order of calls, as the standards have it: FMI 2.0.5, the tables of 3.2.3 (model exchange) and 4.2.4
// (co-simulation); FMI 3.0.2, the lists "Allowed Function Calls" of 2.3, 3.2 and 4.2.
//
// Where the tables have a number instead of a mark, the call is allowed and what it may name is checked with its
// arguments. The unit allows more than they do in three places, which cost nothing and which importers rely on: values
// can be read in every state from initialization on, whatever list of the model structure they are in; in FMI 2.0 the
// time can be set in event mode (as in its first edition); in FMI 3.0 the numbers of states and event indicators can be
// asked for in every state.

#include "unit_order.h"

#include <string.h>

// In the order of unit_phase.
static const char letters[] = "INECSFTX";

static const char *const phases[UNIT_PHASES] = {
    "before initialization", "in initialization mode",   "in event mode",     "in continuous-time mode",
    "between steps",         "after a step that failed", "after termination", "after an error",
};

static const char *const names[UNIT_CALLS] = {
#define NAME(result, name, arguments) #name,
#define NAME_OF_TYPE(name, type)      "fmi3Get" #name, "fmi3Set" #name,
    FMI2_FUNCTIONS(NAME) FMI3_FUNCTIONS(NAME) FMI3_TYPES(NAME_OF_TYPE)};

#define ALL_EXCHANGE "INECTX"
#define ALL_STEPS    "INSFTX"
#define ALWAYS                                                                                                         \
    {                                                                                                                  \
        ALL_EXCHANGE, ALL_STEPS                                                                                        \
    }

// I instantiated, N initialization mode, E event mode, C continuous-time mode, S between steps, F step failed, T
// terminated, X error
static const struct {
    const char *exchange, *steps;
} allowed[UNIT_CALLS] = {
#define ROW(name, exchange, steps) [UNIT_CALL_##name] = {exchange, steps},
    // --- FMI 2.0 ---
    [UNIT_CALL_fmi2SetDebugLogging] = ALWAYS,
    [UNIT_CALL_fmi2FreeInstance]    = ALWAYS,
    [UNIT_CALL_fmi2Reset]           = ALWAYS,
    // clang-format off
    ROW(fmi2SetupExperiment,              "I",      "I")
    ROW(fmi2EnterInitializationMode,      "I",      "I")
    ROW(fmi2ExitInitializationMode,       "N",      "N")
    ROW(fmi2Terminate,                    "EC",     "SF")
    ROW(fmi2GetReal,                      "NECTX",  "NSFTX")
    ROW(fmi2GetInteger,                   "NECTX",  "NSFTX")
    ROW(fmi2GetBoolean,                   "NECTX",  "NSFTX")
    ROW(fmi2GetString,                    "NECTX",  "NSFTX")
    ROW(fmi2SetReal,                      "INEC",   "INS")
    ROW(fmi2SetInteger,                   "INE",    "INS")
    ROW(fmi2SetBoolean,                   "INE",    "INS")
    ROW(fmi2SetString,                    "INE",    "INS")
    ROW(fmi2GetFMUstate,                  ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi2SetFMUstate,                  ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi2FreeFMUstate,                 ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi2SerializedFMUstateSize,       ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi2SerializeFMUstate,            ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi2DeSerializeFMUstate,          ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi2GetDirectionalDerivative,     "NECTX",  "NSFTX")
    ROW(fmi2EnterEventMode,               "EC",     "")
    ROW(fmi2NewDiscreteStates,            "E",      "")
    ROW(fmi2EnterContinuousTimeMode,      "E",      "")
    ROW(fmi2CompletedIntegratorStep,      "C",      "")
    ROW(fmi2SetTime,                      "EC",     "")
    ROW(fmi2SetContinuousStates,          "C",      "")
    ROW(fmi2GetEventIndicators,           "NECTX",  "")
    ROW(fmi2GetContinuousStates,          "NECTX",  "")
    ROW(fmi2GetDerivatives,               "NECTX",  "")
    ROW(fmi2GetNominalsOfContinuousStates, "INECTX", "")
    ROW(fmi2SetRealInputDerivatives,      "",       "INS")
    ROW(fmi2GetRealOutputDerivatives,     "",       "SFTX")
    ROW(fmi2DoStep,                       "",       "S")
    ROW(fmi2CancelStep,                   "",       "") // steps are never in progress
    ROW(fmi2GetStatus,                    "",       "SFT")
    ROW(fmi2GetRealStatus,                "",       "SFT")
    ROW(fmi2GetIntegerStatus,             "",       "SFT")
    ROW(fmi2GetBooleanStatus,             "",       "SFT")
    ROW(fmi2GetStringStatus,              "",       "SFT")
    // --- FMI 3.0: after an error a unit is terminated ---
    [UNIT_CALL_fmi3SetDebugLogging] = ALWAYS,
    [UNIT_CALL_fmi3FreeInstance]    = ALWAYS,
    [UNIT_CALL_fmi3Reset]           = ALWAYS,
    ROW(fmi3EnterInitializationMode,      "I",      "I")
    ROW(fmi3ExitInitializationMode,       "N",      "N")
    ROW(fmi3EnterEventMode,               "C",      "") // no event mode in co-simulation
    ROW(fmi3Terminate,                    "EC",     "S")
    ROW(fmi3GetFloat64,                   "INECTX", "INSTX")
    ROW(fmi3SetFloat64,                   "INEC",   "INS")
#define ROW_OF_TYPE(name, type) ROW(fmi3Get##name, "INECTX", "INSTX") ROW(fmi3Set##name, "INEC", "INS")
    FMI3_TYPES(ROW_OF_TYPE)
    ROW(fmi3GetBinary,                    "INECTX", "INSTX")
    ROW(fmi3SetBinary,                    "INEC",   "INS")
    ROW(fmi3GetClock,                     "E",      "")
    ROW(fmi3SetClock,                     "E",      "")
    ROW(fmi3GetNumberOfVariableDependencies, "",    "") // dependencies are those of modelDescription.xml
    ROW(fmi3GetVariableDependencies,      "",       "")
    ROW(fmi3GetFMUState,                  ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi3SetFMUState,                  ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi3FreeFMUState,                 ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi3SerializedFMUStateSize,       ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi3SerializeFMUState,            ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi3DeserializeFMUState,          ALL_EXCHANGE, ALL_STEPS)
    ROW(fmi3GetDirectionalDerivative,     "NECTX",  "NSTX")
    ROW(fmi3GetAdjointDerivative,         "NECTX",  "NSTX")
    ROW(fmi3EnterConfigurationMode,       "",       "") // no structural parameters
    ROW(fmi3ExitConfigurationMode,        "",       "")
    ROW(fmi3GetIntervalDecimal,           "NE",     "N")
    ROW(fmi3GetIntervalFraction,          "NE",     "N")
    ROW(fmi3GetShiftDecimal,              "N",      "N")
    ROW(fmi3GetShiftFraction,             "N",      "N")
    ROW(fmi3SetIntervalDecimal,           "N",      "N")
    ROW(fmi3SetIntervalFraction,          "N",      "N")
    ROW(fmi3SetShiftDecimal,              "N",      "N")
    ROW(fmi3SetShiftFraction,             "N",      "N")
    ROW(fmi3EvaluateDiscreteStates,       "",       "") // providesEvaluateDiscreteStates is false
    ROW(fmi3UpdateDiscreteStates,         "E",      "")
    ROW(fmi3EnterContinuousTimeMode,      "E",      "")
    ROW(fmi3CompletedIntegratorStep,      "C",      "")
    ROW(fmi3SetTime,                      "C",      "")
    ROW(fmi3SetContinuousStates,          "C",      "")
    ROW(fmi3GetContinuousStateDerivatives, "NECTX", "")
    ROW(fmi3GetEventIndicators,           "NECTX",  "")
    ROW(fmi3GetContinuousStates,          "NECTX",  "")
    ROW(fmi3GetNominalsOfContinuousStates, "NECTX", "")
    ROW(fmi3GetNumberOfEventIndicators,   ALL_EXCHANGE, "")
    ROW(fmi3GetNumberOfContinuousStates,  ALL_EXCHANGE, "")
    ROW(fmi3EnterStepMode,                "",       "") // without an event mode a unit is never out of it
    ROW(fmi3GetOutputDerivatives,         "",       "STX")
    ROW(fmi3DoStep,                       "",       "S")
    ROW(fmi3ActivateModelPartition,       "",       "")
    // clang-format on
};

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
    const char *states = in_exchange ? allowed[call].exchange : allowed[call].steps;
    return states ? states : "";
}

int unit_call_is_allowed(unit_call call, int in_exchange, unit_phase phase)
{
    return strchr(list_states(call, in_exchange), letters[phase]) != NULL;
}

int unit_call_exists(unit_call call, int in_exchange)
{
    return list_states(call, in_exchange)[0] != '\0';
}
