// SPDX-License-Identifier: MIT
// Units as FMI 3.0 sees them: the functions of the standard, for co-simulation and model exchange.

#include "fmi3.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FMI3_DECLARE(result, name, arguments) FMI3_EXPORT result name arguments;
FMI3_FUNCTIONS(FMI3_DECLARE)
#define FMI3_DECLARE_TYPE(name, type)                                                                                  \
    FMI3_EXPORT FMI3_GETTER(name, type);                                                                               \
    FMI3_EXPORT FMI3_SETTER(name, type);
FMI3_TYPES(FMI3_DECLARE_TYPE)

// Who listens.
typedef struct listener {
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback logger;
} listener;

static fmi3Status status_of(unit_status status)
{
    return (fmi3Status)status;
}

// The answer to a call of function `name`: an error where the order of calls forbids it.
#define ANSWER(name, call) status_of(unit_conclude(c, unit_may(c, UNIT_CALL_##name) ? (call) : UNIT_ERROR))
#define GIVEN(argument)    unit_is_given(c, argument, #argument)

// A function of the standard that is one call. Some have parameters that this unit does not need.
#define FUNCTION(name, parameters, call)                                                                               \
    fmi3Status name parameters                                                                                         \
    {                                                                                                                  \
        return ANSWER(name, call);                                                                                     \
    }                                                                                                                  \
    _Static_assert(1, #name)
#pragma GCC diagnostic ignored "-Wunused-parameter"

static void log_message(const unit *u, unit_status status, const char *category, const char *text)
{
    const listener *to = u->front;
    if (to->logger)
        to->logger(to->environment, status_of(status), category, text);
}

// What modelDescription.xml says that units cannot.
static unit_status unable(const unit *u)
{
    return unit_refuse(u, "this unit does not have that; modelDescription.xml says what it has");
}

// --- instances ---

const char *fmi3GetVersion(void)
{
    return "3.0";
}

FUNCTION(fmi3SetDebugLogging, (fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[]),
         unit_listen(c, on, count, categories));

static fmi3Instance instantiate(const unit_wish *asked, fmi3InstanceEnvironment environment,
                                fmi3LogMessageCallback logger)
{
    unit_wish wish = *asked;
    listener *to   = calloc(1, sizeof *to);
    if (!to)
        return NULL;
    *to        = (listener){environment, logger};
    wish.front = to;
    wish.log   = log_message;
    unit *u    = unit_create(&wish);
    if (!u)
        free(to);
    return u;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback logger)
{
    const unit_wish wish = {
        .name = name, .guid = token, .resources = resources, .kind = UNIT_EXCHANGE, .logs = logging};
    return instantiate(&wish, environment, logger);
}

// Nothing happens between communication points that would need an event or an earlier return.
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t required_count,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                                         fmi3IntermediateUpdateCallback update)
{
    const unit_wish wish = {.name = name, .guid = token, .resources = resources, .kind = UNIT_STEPS, .logs = logging};
    if (event_mode) {
        if (logger)
            logger(environment, fmi3Error, unit_category_names[UNIT_LOG_ERROR],
                   "in co-simulation this unit has no event mode");
        return NULL;
    }
    return instantiate(&wish, environment, logger);
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                               fmi3Boolean visible, fmi3Boolean logging,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                                               fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
                                               fmi3UnlockPreemptionCallback unlock)
{
    if (logger)
        logger(environment, fmi3Error, unit_category_names[UNIT_LOG_ERROR],
               "this unit is for co-simulation and model exchange, not for scheduled execution");
    return NULL;
}

void fmi3FreeInstance(fmi3Instance c)
{
    unit *u = c;
    if (!u)
        return;
    free(u->front);
    unit_free(u);
}

FUNCTION(fmi3EnterInitializationMode,
         (fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_stop,
          fmi3Float64 stop),
         unit_set_up(c, has_tolerance, tolerance, start) == UNIT_OK ? unit_enter_initialization(c) : UNIT_ERROR);
FUNCTION(fmi3ExitInitializationMode, (fmi3Instance c), unit_exit_initialization(c));
FUNCTION(fmi3Terminate, (fmi3Instance c), unit_terminate(c));
FUNCTION(fmi3Reset, (fmi3Instance c), unit_reset(c));

// There are no structural parameters.
FUNCTION(fmi3EnterConfigurationMode, (fmi3Instance c), unable(c));
FUNCTION(fmi3ExitConfigurationMode, (fmi3Instance c), unable(c));

// --- values ---

// All variables are scalars.
static int is_scalar(const unit *u, size_t references, size_t values)
{
    return references == values || unit_refuse(u, "all variables are scalars: as many values as references") == UNIT_OK;
}

FUNCTION(fmi3GetFloat64, (FMI3_REFERENCES, fmi3Float64 values[], size_t count),
         is_scalar(c, vr_count, count) ? unit_get(c, count, vr, values) : UNIT_ERROR);
FUNCTION(fmi3SetFloat64, (FMI3_REFERENCES, const fmi3Float64 values[], size_t count),
         is_scalar(c, vr_count, count) ? unit_set(c, count, vr, values) : UNIT_ERROR);

// There are no others.
static unit_status none(const unit *u, size_t count)
{
    return count == 0 ? UNIT_OK : unit_refuse(u, "all variables of this unit are Float64");
}

#define FMI3_DEFINE_TYPE(name, type)                                                                                   \
    FMI3_GETTER(name, type)                                                                                            \
    {                                                                                                                  \
        return ANSWER(fmi3Get##name, none(c, vr_count));                                                               \
    }                                                                                                                  \
    FMI3_SETTER(name, type)                                                                                            \
    {                                                                                                                  \
        return ANSWER(fmi3Set##name, none(c, vr_count));                                                               \
    }
FMI3_TYPES(FMI3_DEFINE_TYPE)

FUNCTION(fmi3GetBinary, (FMI3_REFERENCES, size_t sizes[], fmi3Binary values[], size_t count), none(c, vr_count));
FUNCTION(fmi3SetBinary, (FMI3_REFERENCES, const size_t sizes[], const fmi3Binary values[], size_t count),
         none(c, vr_count));
FUNCTION(fmi3GetClock, (FMI3_REFERENCES, fmi3Clock values[]), none(c, vr_count));
FUNCTION(fmi3SetClock, (FMI3_REFERENCES, const fmi3Clock values[]), none(c, vr_count));

// Dependencies do not change: modelDescription.xml has them.
FUNCTION(fmi3GetNumberOfVariableDependencies, (fmi3Instance c, fmi3ValueReference vr, size_t *count), unable(c));
FUNCTION(fmi3GetVariableDependencies,
         (fmi3Instance c, fmi3ValueReference dependent, size_t elements[], fmi3ValueReference independents[],
          size_t independent_elements[], fmi3DependencyKind kinds[], size_t count),
         unable(c));

// --- states of the whole unit ---

FUNCTION(fmi3GetFMUState, (fmi3Instance c, fmi3FMUState *state),
         GIVEN(state) ? unit_save(c, (unit_state **)state) : UNIT_ERROR);
FUNCTION(fmi3SetFMUState, (fmi3Instance c, fmi3FMUState state), unit_take_up(c, state));
FUNCTION(fmi3FreeFMUState, (fmi3Instance c, fmi3FMUState *state), unit_free_state((unit_state **)state));
FUNCTION(fmi3SerializedFMUStateSize, (fmi3Instance c, fmi3FMUState state, size_t *size),
         unit_measure_state(c, state, size));
FUNCTION(fmi3SerializeFMUState, (fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size),
         unit_serialize(c, state, size, bytes));
FUNCTION(fmi3DeserializeFMUState, (fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state),
         GIVEN(state) ? unit_deserialize(c, size, bytes, (unit_state **)state) : UNIT_ERROR);

// --- derivatives ---

FUNCTION(fmi3GetDirectionalDerivative,
         (fmi3Instance c, const fmi3ValueReference unknowns[], size_t unknown_count, const fmi3ValueReference knowns[],
          size_t known_count, const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],
          size_t sensitivity_count),
         is_scalar(c, known_count, seed_count) && is_scalar(c, unknown_count, sensitivity_count)
             ? unit_derive(c, unknown_count, unknowns, known_count, knowns, seed, sensitivity)
             : UNIT_ERROR);
FUNCTION(fmi3GetAdjointDerivative,
         (fmi3Instance c, const fmi3ValueReference unknowns[], size_t unknown_count, const fmi3ValueReference knowns[],
          size_t known_count, const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],
          size_t sensitivity_count),
         unable(c));
FUNCTION(fmi3GetOutputDerivatives, (FMI3_REFERENCES, const fmi3Int32 orders[], fmi3Float64 values[], size_t count),
         vr_count == 0 ? UNIT_OK : unable(c));

// --- clocks: there are none ---

FUNCTION(fmi3GetIntervalDecimal, (FMI3_REFERENCES, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]),
         none(c, vr_count));
FUNCTION(fmi3GetIntervalFraction,
         (FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]),
         none(c, vr_count));
FUNCTION(fmi3GetShiftDecimal, (FMI3_REFERENCES, fmi3Float64 shifts[]), none(c, vr_count));
FUNCTION(fmi3GetShiftFraction, (FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[]), none(c, vr_count));
FUNCTION(fmi3SetIntervalDecimal, (FMI3_REFERENCES, const fmi3Float64 intervals[]), none(c, vr_count));
FUNCTION(fmi3SetIntervalFraction, (FMI3_REFERENCES, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]),
         none(c, vr_count));
FUNCTION(fmi3SetShiftDecimal, (FMI3_REFERENCES, const fmi3Float64 shifts[]), none(c, vr_count));
FUNCTION(fmi3SetShiftFraction, (FMI3_REFERENCES, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]),
         none(c, vr_count));
FUNCTION(fmi3ActivateModelPartition, (fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time), unable(c));

// --- events and model exchange ---

FUNCTION(fmi3EnterEventMode, (fmi3Instance c), unit_enter_event(c));
FUNCTION(fmi3EvaluateDiscreteStates, (fmi3Instance c), unable(c));

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *needs_update, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals_changed, fmi3Boolean *values_changed, fmi3Boolean *has_next,
                                    fmi3Float64 *next)
{
    unit_event event = {0};
    const fmi3Status status =
        ANSWER(fmi3UpdateDiscreteStates, GIVEN(needs_update) && GIVEN(terminate) && GIVEN(nominals_changed) &&
                                                 GIVEN(values_changed) && GIVEN(has_next) && GIVEN(next)
                                             ? unit_do_event(c, &event)
                                             : UNIT_ERROR);
    if (status != fmi3OK)
        return status;
    *needs_update     = false;
    *terminate        = event.ends != 0;
    *nominals_changed = false;
    *values_changed   = event.has_jumped != 0;
    *has_next         = event.has_next != 0;
    *next             = event.has_next ? event.next : 0.0;
    return fmi3OK;
}

FUNCTION(fmi3EnterContinuousTimeMode, (fmi3Instance c), unit_enter_continuous(c));

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_state_before, fmi3Boolean *enter_event_mode,
                                       fmi3Boolean *terminate)
{
    int is_due = 0;
    const fmi3Status status =
        ANSWER(fmi3CompletedIntegratorStep,
               GIVEN(enter_event_mode) && GIVEN(terminate) ? unit_complete(c, &is_due) : UNIT_ERROR);
    if (enter_event_mode)
        *enter_event_mode = is_due != 0;
    if (terminate)
        *terminate = false;
    return status;
}

FUNCTION(fmi3SetTime, (fmi3Instance c, fmi3Float64 time), unit_set_time(c, time));
FUNCTION(fmi3SetContinuousStates, (fmi3Instance c, const fmi3Float64 states[], size_t count),
         unit_set_states(c, count, states));
FUNCTION(fmi3GetContinuousStateDerivatives, (fmi3Instance c, fmi3Float64 derivatives[], size_t count),
         unit_get_rates(c, count, derivatives));
FUNCTION(fmi3GetEventIndicators, (fmi3Instance c, fmi3Float64 indicators[], size_t count),
         unit_get_indicators(c, count, indicators));
FUNCTION(fmi3GetContinuousStates, (fmi3Instance c, fmi3Float64 states[], size_t count),
         unit_get_states(c, count, states));
FUNCTION(fmi3GetNominalsOfContinuousStates, (fmi3Instance c, fmi3Float64 nominals[], size_t count),
         unit_get_nominals(c, count, nominals));

static unit_status give_count(int value, size_t *count)
{
    *count = (size_t)value;
    return UNIT_OK;
}

FUNCTION(fmi3GetNumberOfEventIndicators, (fmi3Instance c, size_t *count),
         GIVEN(count) ? give_count(((const unit *)c)->indicator_count, count) : UNIT_ERROR);
FUNCTION(fmi3GetNumberOfContinuousStates, (fmi3Instance c, size_t *count),
         GIVEN(count) ? give_count(((const unit *)c)->state_count, count) : UNIT_ERROR);

// --- co-simulation ---

// Without an event mode a unit is in step mode from initialization on.
FUNCTION(fmi3EnterStepMode, (fmi3Instance c), unable(c));

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_state_before,
                      fmi3Boolean *needs_event, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_time)
{
    int has_ended = 0;
    const fmi3Status status =
        ANSWER(fmi3DoStep, GIVEN(needs_event) && GIVEN(terminate) && GIVEN(early_return) && GIVEN(last_time)
                               ? unit_step(c, time, step, &has_ended)
                               : UNIT_ERROR);
    if (status != fmi3OK)
        return status;
    *needs_event  = false;
    *terminate    = has_ended != 0;
    *early_return = false;
    *last_time    = unit_time(c);
    return fmi3OK;
}
