// SPDX-License-Identifier: MIT
// What FMI 3.0 says that a unit is asked for (https://fmi-standard.org): types and functions as the standard names
// them. unit.apps.fmu compares them with the standard's headers where these are at hand.

#ifndef KANE_APPS_FMI3_H
#define KANE_APPS_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FMI3_EXPORT __attribute__((visibility("default")))

// Folder of a unit for the binary of this program's architecture and system.
#ifdef __aarch64__
#define KANE_FMU_PLATFORM_3 "aarch64-linux"
#else
#define KANE_FMU_PLATFORM_3 "x86_64-linux"
#endif

#ifndef fmi3FunctionTypes_h // else the standard's own header has them

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                               fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                               fmi3Boolean step_finished, fmi3Boolean can_return_early,
                                               fmi3Boolean *early_return_requested, fmi3Float64 *early_return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

#endif

// X(name, type): all types but those whose functions have other arguments (Binary, Clock).
#define FMI3_TYPES(X)                                                                                                  \
    X(Float32, fmi3Float32)                                                                                            \
    X(Int8, fmi3Int8)                                                                                                  \
    X(UInt8, fmi3UInt8)                                                                                                \
    X(Int16, fmi3Int16)                                                                                                \
    X(UInt16, fmi3UInt16)                                                                                              \
    X(Int32, fmi3Int32)                                                                                                \
    X(UInt32, fmi3UInt32)                                                                                              \
    X(Int64, fmi3Int64)                                                                                                \
    X(UInt64, fmi3UInt64)                                                                                              \
    X(Boolean, fmi3Boolean)                                                                                            \
    X(String, fmi3String)

// Values of variables, and their references: how the functions of every type begin.
#define FMI3_REFERENCES fmi3Instance c, const fmi3ValueReference vr[], size_t vr_count

// X(result, name, arguments, exchange, steps, call): the states of model exchange and of co-simulation in which a
// function may be called (letters and sources: unit_order.c), and what it does; all but those of FMI3_TYPES. These are
// written out in fmu3.c.
#define FMI3_WRITTEN(X)                                                                                                \
    X(const char *, fmi3GetVersion, (void), "", "", written)                                                           \
    X(fmi3Instance, fmi3InstantiateModelExchange,                                                                      \
      (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,              \
       fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger),                                            \
      "", "", written)                                                                                                 \
    X(fmi3Instance, fmi3InstantiateCoSimulation,                                                                       \
      (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,              \
       fmi3Boolean event_mode, fmi3Boolean early_return, const fmi3ValueReference required[], size_t required_count,   \
       fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, fmi3IntermediateUpdateCallback update),     \
      "", "", written)                                                                                                 \
    X(fmi3Instance, fmi3InstantiateScheduledExecution,                                                                 \
      (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,              \
       fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, fmi3ClockUpdateCallback update,             \
       fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock),                                          \
      "", "", written)                                                                                                 \
    X(void, fmi3FreeInstance, (fmi3Instance c), "INECTX", "INSFTX", written)                                           \
    X(fmi3Status, fmi3UpdateDiscreteStates,                                                                            \
      (fmi3Instance c, fmi3Boolean * needs_update, fmi3Boolean * terminate, fmi3Boolean * nominals_changed,            \
       fmi3Boolean * values_changed, fmi3Boolean * has_next, fmi3Float64 * next),                                      \
      "E", "", written)                                                                                                \
    X(fmi3Status, fmi3CompletedIntegratorStep,                                                                         \
      (fmi3Instance c, fmi3Boolean no_state_before, fmi3Boolean * enter_event_mode, fmi3Boolean * terminate), "C", "", \
      written)                                                                                                         \
    X(fmi3Status, fmi3DoStep,                                                                                          \
      (fmi3Instance c, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_state_before, fmi3Boolean * needs_event,     \
       fmi3Boolean * terminate, fmi3Boolean * early_return, fmi3Float64 * last_time),                                  \
      "", "S", written)

// Functions that are one call of the unit.
#define FMI3_CALLS(X)                                                                                                  \
    X(fmi3Status, fmi3SetDebugLogging, (fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[]),  \
      "INECTX", "INSFTX", unit_listen(c, on, count, categories))                                                       \
    X(fmi3Status, fmi3EnterInitializationMode,                                                                         \
      (fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_stop,      \
       fmi3Float64 stop),                                                                                              \
      "I", "I",                                                                                                        \
      unit_set_up(c, has_tolerance, tolerance, start) == UNIT_OK ? unit_enter_initialization(c) : UNIT_ERROR)          \
    X(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance c), "N", "N", unit_exit_initialization(c))                 \
    X(fmi3Status, fmi3EnterEventMode, (fmi3Instance c), "C", "", unit_enter_event(c))                                  \
    X(fmi3Status, fmi3Terminate, (fmi3Instance c), "EC", "S", unit_terminate(c))                                       \
    X(fmi3Status, fmi3Reset, (fmi3Instance c), "INECTX", "INSFTX", unit_reset(c))                                      \
    X(fmi3Status, fmi3GetFloat64, (FMI3_REFERENCES, fmi3Float64 values[], size_t count), "INECTX", "INSTX",            \
      is_scalar(c, vr_count, count) ? unit_get(c, count, vr, values) : UNIT_ERROR)                                     \
    X(fmi3Status, fmi3SetFloat64, (FMI3_REFERENCES, const fmi3Float64 values[], size_t count), "INEC", "INS",          \
      is_scalar(c, vr_count, count) ? unit_set(c, count, vr, values) : UNIT_ERROR)                                     \
    X(fmi3Status, fmi3GetBinary, (FMI3_REFERENCES, size_t sizes[], fmi3Binary values[], size_t count), "INECTX",       \
      "INSTX", unit_take_none(c, vr_count))                                                                            \
    X(fmi3Status, fmi3SetBinary, (FMI3_REFERENCES, const size_t sizes[], const fmi3Binary values[], size_t count),     \
      "INEC", "INS", unit_take_none(c, vr_count))                                                                      \
    X(fmi3Status, fmi3GetClock, (FMI3_REFERENCES, fmi3Clock values[]), "E", "", unit_take_none(c, vr_count))           \
    X(fmi3Status, fmi3SetClock, (FMI3_REFERENCES, const fmi3Clock values[]), "E", "", unit_take_none(c, vr_count))     \
    X(fmi3Status, fmi3GetNumberOfVariableDependencies, (fmi3Instance c, fmi3ValueReference vr, size_t * count), "",    \
      "", unit_lack(c))                                                                                                \
    X(fmi3Status, fmi3GetVariableDependencies,                                                                         \
      (fmi3Instance c, fmi3ValueReference dependent, size_t elements[], fmi3ValueReference independents[],             \
       size_t independent_elements[], fmi3DependencyKind kinds[], size_t count),                                       \
      "", "", unit_lack(c))                                                                                            \
    X(fmi3Status, fmi3GetFMUState, (fmi3Instance c, fmi3FMUState * state), "INECTX", "INSFTX",                         \
      GIVEN(state) ? unit_save(c, (unit_state **)state) : UNIT_ERROR)                                                  \
    X(fmi3Status, fmi3SetFMUState, (fmi3Instance c, fmi3FMUState state), "INECTX", "INSFTX", unit_take_up(c, state))   \
    X(fmi3Status, fmi3FreeFMUState, (fmi3Instance c, fmi3FMUState * state), "INECTX", "INSFTX",                        \
      unit_free_state((unit_state **)state))                                                                           \
    X(fmi3Status, fmi3SerializedFMUStateSize, (fmi3Instance c, fmi3FMUState state, size_t * size), "INECTX", "INSFTX", \
      unit_measure_state(c, state, size))                                                                              \
    X(fmi3Status, fmi3SerializeFMUState, (fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size),          \
      "INECTX", "INSFTX", unit_serialize(c, state, size, bytes))                                                       \
    X(fmi3Status, fmi3DeserializeFMUState, (fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state), \
      "INECTX", "INSFTX", GIVEN(state) ? unit_deserialize(c, size, bytes, (unit_state **)state) : UNIT_ERROR)          \
    X(fmi3Status, fmi3GetDirectionalDerivative,                                                                        \
      (fmi3Instance c, const fmi3ValueReference unknowns[], size_t unknown_count, const fmi3ValueReference knowns[],   \
       size_t known_count, const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],                     \
       size_t sensitivity_count),                                                                                      \
      "NECTX", "NSTX",                                                                                                 \
      is_scalar(c, known_count, seed_count) && is_scalar(c, unknown_count, sensitivity_count)                          \
          ? unit_derive(c, unknown_count, unknowns, known_count, knowns, seed, sensitivity)                            \
          : UNIT_ERROR)                                                                                                \
    X(fmi3Status, fmi3GetAdjointDerivative,                                                                            \
      (fmi3Instance c, const fmi3ValueReference unknowns[], size_t unknown_count, const fmi3ValueReference knowns[],   \
       size_t known_count, const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],                     \
       size_t sensitivity_count),                                                                                      \
      "NECTX", "NSTX", unit_lack(c))                                                                                   \
    X(fmi3Status, fmi3EnterConfigurationMode, (fmi3Instance c), "", "", unit_lack(c))                                  \
    X(fmi3Status, fmi3ExitConfigurationMode, (fmi3Instance c), "", "", unit_lack(c))                                   \
    X(fmi3Status, fmi3GetIntervalDecimal,                                                                              \
      (FMI3_REFERENCES, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]), "NE", "N",                       \
      unit_take_none(c, vr_count))                                                                                     \
    X(fmi3Status, fmi3GetIntervalFraction,                                                                             \
      (FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]), "NE",    \
      "N", unit_take_none(c, vr_count))                                                                                \
    X(fmi3Status, fmi3GetShiftDecimal, (FMI3_REFERENCES, fmi3Float64 shifts[]), "N", "N", unit_take_none(c, vr_count)) \
    X(fmi3Status, fmi3GetShiftFraction, (FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[]), "N", "N",  \
      unit_take_none(c, vr_count))                                                                                     \
    X(fmi3Status, fmi3SetIntervalDecimal, (FMI3_REFERENCES, const fmi3Float64 intervals[]), "N", "N",                  \
      unit_take_none(c, vr_count))                                                                                     \
    X(fmi3Status, fmi3SetIntervalFraction,                                                                             \
      (FMI3_REFERENCES, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]), "N", "N",                        \
      unit_take_none(c, vr_count))                                                                                     \
    X(fmi3Status, fmi3SetShiftDecimal, (FMI3_REFERENCES, const fmi3Float64 shifts[]), "N", "N",                        \
      unit_take_none(c, vr_count))                                                                                     \
    X(fmi3Status, fmi3SetShiftFraction,                                                                                \
      (FMI3_REFERENCES, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]), "N", "N",                        \
      unit_take_none(c, vr_count))                                                                                     \
    X(fmi3Status, fmi3EvaluateDiscreteStates, (fmi3Instance c), "", "", unit_lack(c))                                  \
    X(fmi3Status, fmi3EnterContinuousTimeMode, (fmi3Instance c), "E", "", unit_enter_continuous(c))                    \
    X(fmi3Status, fmi3SetTime, (fmi3Instance c, fmi3Float64 time), "C", "", unit_set_time(c, time))                    \
    X(fmi3Status, fmi3SetContinuousStates, (fmi3Instance c, const fmi3Float64 states[], size_t count), "C", "",        \
      unit_set_states(c, count, states))                                                                               \
    X(fmi3Status, fmi3GetContinuousStateDerivatives, (fmi3Instance c, fmi3Float64 derivatives[], size_t count),        \
      "NECTX", "", unit_get_rates(c, count, derivatives))                                                              \
    X(fmi3Status, fmi3GetEventIndicators, (fmi3Instance c, fmi3Float64 indicators[], size_t count), "NECTX", "",       \
      unit_get_indicators(c, count, indicators))                                                                       \
    X(fmi3Status, fmi3GetContinuousStates, (fmi3Instance c, fmi3Float64 states[], size_t count), "NECTX", "",          \
      unit_get_states(c, count, states))                                                                               \
    X(fmi3Status, fmi3GetNominalsOfContinuousStates, (fmi3Instance c, fmi3Float64 nominals[], size_t count), "NECTX",  \
      "", unit_get_nominals(c, count, nominals))                                                                       \
    X(fmi3Status, fmi3GetNumberOfEventIndicators, (fmi3Instance c, size_t * count), "INECTX", "",                      \
      GIVEN(count) ? give_count(((const unit *)c)->indicator_count, count) : UNIT_ERROR)                               \
    X(fmi3Status, fmi3GetNumberOfContinuousStates, (fmi3Instance c, size_t * count), "INECTX", "",                     \
      GIVEN(count) ? give_count(((const unit *)c)->state_count, count) : UNIT_ERROR)                                   \
    X(fmi3Status, fmi3EnterStepMode, (fmi3Instance c), "", "", unit_lack(c))                                           \
    X(fmi3Status, fmi3GetOutputDerivatives,                                                                            \
      (FMI3_REFERENCES, const fmi3Int32 orders[], fmi3Float64 values[], size_t count), "", "STX",                      \
      vr_count == 0 ? UNIT_OK : unit_lack(c))                                                                          \
    X(fmi3Status, fmi3ActivateModelPartition, (fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time), "", "",    \
      unit_lack(c))

#define FMI3_FUNCTIONS(X) FMI3_WRITTEN(X) FMI3_CALLS(X)

// The functions of FMI3_TYPES: X(name, type) as FMI3_GET(X), FMI3_SET(X).
#define FMI3_GETTER(name, type) fmi3Status fmi3Get##name(FMI3_REFERENCES, type values[], size_t count)
#define FMI3_SETTER(name, type) fmi3Status fmi3Set##name(FMI3_REFERENCES, const type values[], size_t count)

#endif
