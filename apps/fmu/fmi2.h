// SPDX-License-Identifier: MIT
// What FMI 2.0 says that a unit is asked for (https://fmi-standard.org): types and functions as the standard names
// them, of platform "default". unit.apps.fmu compares them with the standard's headers where these are at hand.

#ifndef KANE_APPS_FMI2_H
#define KANE_APPS_FMI2_H

#include <stddef.h>

#define FMI2_EXPORT __attribute__((visibility("default")))

// Folder of a unit for the binary of this program's architecture and system; FMI 2.0 has names for Intel's processors
// alone, on others importers take the 64-bit one.
#define KANE_FMU_PLATFORM_2 "linux64"

#ifndef fmi2FunctionTypes_h // else the standard's own header has them

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String;
typedef char fmi2Byte;

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef struct {
    void (*logger)(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
                   fmi2String message, ...);
    void *(*allocateMemory)(size_t count, size_t size);
    void (*freeMemory)(void *memory);
    void (*stepFinished)(fmi2ComponentEnvironment environment, fmi2Status status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged, valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

#endif

// Values of variables, and their references.
#define FMI2_REFERENCES fmi2Component c, const fmi2ValueReference vr[], size_t count

// X(result, name, arguments, exchange, steps, call): the states of model exchange and of co-simulation in which a
// function may be called (letters and sources: unit_order.c), and what it does. These are written out in fmu2.c.
#define FMI2_WRITTEN(X)                                                                                                \
    X(const char *, fmi2GetTypesPlatform, (void), "", "", written)                                                     \
    X(const char *, fmi2GetVersion, (void), "", "", written)                                                           \
    X(fmi2Component, fmi2Instantiate,                                                                                  \
      (fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions *functions,  \
       fmi2Boolean visible, fmi2Boolean logging),                                                                      \
      "", "", written)                                                                                                 \
    X(void, fmi2FreeInstance, (fmi2Component c), "INECTX", "INSFTX", written)                                          \
    X(fmi2Status, fmi2CompletedIntegratorStep,                                                                         \
      (fmi2Component c, fmi2Boolean no_state_before, fmi2Boolean * enter_event_mode, fmi2Boolean * terminate), "C",    \
      "", written)

// Functions that are one call of the unit.
#define FMI2_CALLS(X)                                                                                                  \
    X(fmi2Status, fmi2SetDebugLogging, (fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]), \
      "INECTX", "INSFTX", unit_listen(c, on, count, categories))                                                       \
    X(fmi2Status, fmi2SetupExperiment,                                                                                 \
      (fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,           \
       fmi2Real stop),                                                                                                 \
      "I", "I", unit_set_up(c, has_tolerance, tolerance, start))                                                       \
    X(fmi2Status, fmi2EnterInitializationMode, (fmi2Component c), "I", "I", unit_enter_initialization(c))              \
    X(fmi2Status, fmi2ExitInitializationMode, (fmi2Component c), "N", "N", unit_exit_initialization(c))                \
    X(fmi2Status, fmi2Terminate, (fmi2Component c), "EC", "SF", unit_terminate(c))                                     \
    X(fmi2Status, fmi2Reset, (fmi2Component c), "INECTX", "INSFTX", unit_reset(c))                                     \
    X(fmi2Status, fmi2GetReal, (FMI2_REFERENCES, fmi2Real value[]), "NECTX", "NSFTX", unit_get(c, count, vr, value))   \
    X(fmi2Status, fmi2GetInteger, (FMI2_REFERENCES, fmi2Integer value[]), "NECTX", "NSFTX", unit_take_none(c, count))  \
    X(fmi2Status, fmi2GetBoolean, (FMI2_REFERENCES, fmi2Boolean value[]), "NECTX", "NSFTX", unit_take_none(c, count))  \
    X(fmi2Status, fmi2GetString, (FMI2_REFERENCES, fmi2String value[]), "NECTX", "NSFTX", unit_take_none(c, count))    \
    X(fmi2Status, fmi2SetReal, (FMI2_REFERENCES, const fmi2Real value[]), "INEC", "INS",                               \
      unit_set(c, count, vr, value))                                                                                   \
    X(fmi2Status, fmi2SetInteger, (FMI2_REFERENCES, const fmi2Integer value[]), "INE", "INS",                          \
      unit_take_none(c, count))                                                                                        \
    X(fmi2Status, fmi2SetBoolean, (FMI2_REFERENCES, const fmi2Boolean value[]), "INE", "INS",                          \
      unit_take_none(c, count))                                                                                        \
    X(fmi2Status, fmi2SetString, (FMI2_REFERENCES, const fmi2String value[]), "INE", "INS", unit_take_none(c, count))  \
    X(fmi2Status, fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate * state), "INECTX", "INSFTX",                        \
      GIVEN(state) ? unit_save(c, (unit_state **)state) : UNIT_ERROR)                                                  \
    X(fmi2Status, fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state), "INECTX", "INSFTX", unit_take_up(c, state))  \
    X(fmi2Status, fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate * state), "INECTX", "INSFTX",                       \
      unit_free_state((unit_state **)state))                                                                           \
    X(fmi2Status, fmi2SerializedFMUstateSize, (fmi2Component c, fmi2FMUstate state, size_t * size), "INECTX",          \
      "INSFTX", unit_measure_state(c, state, size))                                                                    \
    X(fmi2Status, fmi2SerializeFMUstate, (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size),         \
      "INECTX", "INSFTX", unit_serialize(c, state, size, (unsigned char *)bytes))                                      \
    X(fmi2Status, fmi2DeSerializeFMUstate,                                                                             \
      (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state), "INECTX", "INSFTX",                 \
      GIVEN(state) ? unit_deserialize(c, size, (const unsigned char *)bytes, (unit_state **)state) : UNIT_ERROR)       \
    X(fmi2Status, fmi2GetDirectionalDerivative,                                                                        \
      (fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns, const fmi2ValueReference known[],         \
       size_t knowns, const fmi2Real d_known[], fmi2Real d_unknown[]),                                                 \
      "NECTX", "NSFTX", unit_derive(c, unknowns, unknown, knowns, known, d_known, d_unknown))                          \
    X(fmi2Status, fmi2EnterEventMode, (fmi2Component c), "EC", "", unit_enter_event(c))                                \
    X(fmi2Status, fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo * info), "E", "",                             \
      GIVEN(info) ? update_discrete(c, info) : UNIT_ERROR)                                                             \
    X(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component c), "E", "", unit_enter_continuous(c))                   \
    X(fmi2Status, fmi2SetTime, (fmi2Component c, fmi2Real time), "EC", "", unit_set_time(c, time))                     \
    X(fmi2Status, fmi2SetContinuousStates, (fmi2Component c, const fmi2Real x[], size_t count), "C", "",               \
      unit_set_states(c, count, x))                                                                                    \
    X(fmi2Status, fmi2GetDerivatives, (fmi2Component c, fmi2Real derivatives[], size_t count), "NECTX", "",            \
      unit_get_rates(c, count, derivatives))                                                                           \
    X(fmi2Status, fmi2GetEventIndicators, (fmi2Component c, fmi2Real indicators[], size_t count), "NECTX", "",         \
      unit_get_indicators(c, count, indicators))                                                                       \
    X(fmi2Status, fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t count), "NECTX", "",                 \
      unit_get_states(c, count, x))                                                                                    \
    X(fmi2Status, fmi2GetNominalsOfContinuousStates, (fmi2Component c, fmi2Real nominals[], size_t count), "INECTX",   \
      "", unit_get_nominals(c, count, nominals))                                                                       \
    X(fmi2Status, fmi2SetRealInputDerivatives, (FMI2_REFERENCES, const fmi2Integer order[], const fmi2Real value[]),   \
      "", "INS", count == 0 ? UNIT_OK : unit_lack(c))                                                                  \
    X(fmi2Status, fmi2GetRealOutputDerivatives, (FMI2_REFERENCES, const fmi2Integer order[], fmi2Real value[]), "",    \
      "SFTX", count == 0 ? UNIT_OK : unit_lack(c))                                                                     \
    X(fmi2Status, fmi2DoStep, (fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_state_before), "", "S",   \
      do_step(c, time, step))                                                                                          \
    X(fmi2Status, fmi2CancelStep, (fmi2Component c), "", "", unit_lack(c))                                             \
    X(fmi2Status, fmi2GetStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Status *value), "", "SFT",           \
      unknown_kind(c))                                                                                                 \
    X(fmi2Status, fmi2GetRealStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Real *value), "", "SFT",         \
      GIVEN(value) ? get_last_time(c, kind, value) : UNIT_ERROR)                                                       \
    X(fmi2Status, fmi2GetIntegerStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value), "", "SFT",   \
      unknown_kind(c))                                                                                                 \
    X(fmi2Status, fmi2GetBooleanStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value), "", "SFT",   \
      GIVEN(value) ? get_end(c, kind, value) : UNIT_ERROR)                                                             \
    X(fmi2Status, fmi2GetStringStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2String *value), "", "SFT",     \
      unknown_kind(c))

#define FMI2_FUNCTIONS(X) FMI2_WRITTEN(X) FMI2_CALLS(X)

#endif
