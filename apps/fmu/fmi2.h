// SPDX-License-Identifier: MIT
// What FMI 2.0 says that a unit is asked for (https://fmi-standard.org): types and functions as the standard names
// them, of platform "default". unit.apps.fmu compares them with the standard's headers where these are at hand.

#ifndef KANE_APPS_FMI2_H
#define KANE_APPS_FMI2_H

#include <stddef.h>

#define FMI2_EXPORT __attribute__((visibility("default")))

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

// X(result, name, arguments)
#define FMI2_FUNCTIONS(X)                                                                                              \
    X(const char *, fmi2GetTypesPlatform, (void))                                                                      \
    X(const char *, fmi2GetVersion, (void))                                                                            \
    X(fmi2Status, fmi2SetDebugLogging, (fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])) \
    X(fmi2Component, fmi2Instantiate,                                                                                  \
      (fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions *functions,  \
       fmi2Boolean visible, fmi2Boolean logging))                                                                      \
    X(void, fmi2FreeInstance, (fmi2Component c))                                                                       \
    X(fmi2Status, fmi2SetupExperiment,                                                                                 \
      (fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,           \
       fmi2Real stop))                                                                                                 \
    X(fmi2Status, fmi2EnterInitializationMode, (fmi2Component c))                                                      \
    X(fmi2Status, fmi2ExitInitializationMode, (fmi2Component c))                                                       \
    X(fmi2Status, fmi2Terminate, (fmi2Component c))                                                                    \
    X(fmi2Status, fmi2Reset, (fmi2Component c))                                                                        \
    X(fmi2Status, fmi2GetReal, (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Real value[]))       \
    X(fmi2Status, fmi2GetInteger, (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Integer value[])) \
    X(fmi2Status, fmi2GetBoolean, (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Boolean value[])) \
    X(fmi2Status, fmi2GetString, (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2String value[]))   \
    X(fmi2Status, fmi2SetReal, (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Real value[])) \
    X(fmi2Status, fmi2SetInteger,                                                                                      \
      (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Integer value[]))                       \
    X(fmi2Status, fmi2SetBoolean,                                                                                      \
      (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Boolean value[]))                       \
    X(fmi2Status, fmi2SetString,                                                                                       \
      (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2String value[]))                        \
    X(fmi2Status, fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate * state))                                            \
    X(fmi2Status, fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state))                                              \
    X(fmi2Status, fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate * state))                                           \
    X(fmi2Status, fmi2SerializedFMUstateSize, (fmi2Component c, fmi2FMUstate state, size_t * size))                    \
    X(fmi2Status, fmi2SerializeFMUstate, (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size))         \
    X(fmi2Status, fmi2DeSerializeFMUstate,                                                                             \
      (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state))                                     \
    X(fmi2Status, fmi2GetDirectionalDerivative,                                                                        \
      (fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns, const fmi2ValueReference known[],         \
       size_t knowns, const fmi2Real d_known[], fmi2Real d_unknown[]))                                                 \
    X(fmi2Status, fmi2EnterEventMode, (fmi2Component c))                                                               \
    X(fmi2Status, fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo * info))                                      \
    X(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component c))                                                      \
    X(fmi2Status, fmi2CompletedIntegratorStep,                                                                         \
      (fmi2Component c, fmi2Boolean no_state_before, fmi2Boolean * enter_event_mode, fmi2Boolean * terminate))         \
    X(fmi2Status, fmi2SetTime, (fmi2Component c, fmi2Real time))                                                       \
    X(fmi2Status, fmi2SetContinuousStates, (fmi2Component c, const fmi2Real x[], size_t count))                        \
    X(fmi2Status, fmi2GetDerivatives, (fmi2Component c, fmi2Real derivatives[], size_t count))                         \
    X(fmi2Status, fmi2GetEventIndicators, (fmi2Component c, fmi2Real indicators[], size_t count))                      \
    X(fmi2Status, fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t count))                              \
    X(fmi2Status, fmi2GetNominalsOfContinuousStates, (fmi2Component c, fmi2Real nominals[], size_t count))             \
    X(fmi2Status, fmi2SetRealInputDerivatives,                                                                         \
      (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Integer order[],                        \
       const fmi2Real value[]))                                                                                        \
    X(fmi2Status, fmi2GetRealOutputDerivatives,                                                                        \
      (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Integer order[], fmi2Real value[]))     \
    X(fmi2Status, fmi2DoStep, (fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_state_before))            \
    X(fmi2Status, fmi2CancelStep, (fmi2Component c))                                                                   \
    X(fmi2Status, fmi2GetStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Status *value))                      \
    X(fmi2Status, fmi2GetRealStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Real *value))                    \
    X(fmi2Status, fmi2GetIntegerStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value))              \
    X(fmi2Status, fmi2GetBooleanStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value))              \
    X(fmi2Status, fmi2GetStringStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2String *value))

#endif
