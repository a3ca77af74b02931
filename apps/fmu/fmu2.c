// SPDX-License-Identifier: MIT
// Units as FMI 2.0 sees them: the functions of the standard, for co-simulation and model exchange.

#include "fmi2.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define FMI2_DECLARE(result, name, arguments) FMI2_EXPORT result name arguments;
FMI2_FUNCTIONS(FMI2_DECLARE)

static fmi2Status status_of(unit_status status)
{
    return (fmi2Status)status;
}

// The answer to a call of function `name`: an error where the order of calls forbids it.
#define ANSWER(name, call) status_of(unit_conclude(c, unit_may(c, UNIT_CALL_##name) ? (call) : UNIT_ERROR))
#define GIVEN(argument)    unit_is_given(c, argument, #argument)

// A function of the standard that is one call. Some have parameters that this unit does not need.
#define FUNCTION(name, parameters, call)                                                                               \
    fmi2Status name parameters                                                                                         \
    {                                                                                                                  \
        return ANSWER(name, call);                                                                                     \
    }                                                                                                                  \
    _Static_assert(1, #name)
#pragma GCC diagnostic ignored "-Wunused-parameter"

static void log_message(const unit *u, unit_status status, const char *category, const char *text)
{
    const fmi2CallbackFunctions *calls = u->front;
    if (calls->logger)
        calls->logger(calls->componentEnvironment, u->name, status_of(status), category, "%s", text);
}

// --- instances ---

const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

const char *fmi2GetVersion(void)
{
    return "2.0";
}

FUNCTION(fmi2SetDebugLogging, (fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]),
         unit_listen(c, on, count, categories));

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    fmi2CallbackFunctions *calls = calloc(1, sizeof *calls);
    if (!calls)
        return NULL;
    if (functions)
        *calls = *functions;
    if (type != fmi2ModelExchange && type != fmi2CoSimulation) {
        if (calls->logger)
            calls->logger(calls->componentEnvironment, name ? name : "", fmi2Error, unit_category_names[UNIT_LOG_ERROR],
                          "%s", "a unit is for model exchange or co-simulation");
        free(calls);
        return NULL;
    }
    const unit_wish wish = {.name      = name,
                            .guid      = guid,
                            .resources = resources,
                            .kind      = type == fmi2ModelExchange ? UNIT_EXCHANGE : UNIT_STEPS,
                            .log       = log_message,
                            .front     = calls,
                            .logs      = logging};
    unit *u              = unit_create(&wish);
    if (!u)
        free(calls);
    return u;
}

void fmi2FreeInstance(fmi2Component c)
{
    unit *u = c;
    if (!u)
        return;
    free(u->front);
    unit_free(u);
}

FUNCTION(fmi2SetupExperiment,
         (fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
          fmi2Real stop),
         unit_set_up(c, has_tolerance, tolerance, start));
FUNCTION(fmi2EnterInitializationMode, (fmi2Component c), unit_enter_initialization(c));
FUNCTION(fmi2ExitInitializationMode, (fmi2Component c), unit_exit_initialization(c));
FUNCTION(fmi2Terminate, (fmi2Component c), unit_terminate(c));
FUNCTION(fmi2Reset, (fmi2Component c), unit_reset(c));

// --- values ---

FUNCTION(fmi2GetReal, (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Real value[]),
         unit_get(c, count, vr, value));
FUNCTION(fmi2SetReal, (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Real value[]),
         unit_set(c, count, vr, value));

// There are only real variables.
static unit_status none(const unit *u, size_t count)
{
    return count == 0 ? UNIT_OK : unit_refuse(u, "all variables of this unit are real");
}

FUNCTION(fmi2GetInteger, (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Integer value[]),
         none(c, count));
FUNCTION(fmi2GetBoolean, (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Boolean value[]),
         none(c, count));
FUNCTION(fmi2GetString, (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2String value[]),
         none(c, count));
FUNCTION(fmi2SetInteger, (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Integer value[]),
         none(c, count));
FUNCTION(fmi2SetBoolean, (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Boolean value[]),
         none(c, count));
FUNCTION(fmi2SetString, (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2String value[]),
         none(c, count));

// --- states of the whole unit ---

FUNCTION(fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate *state),
         GIVEN(state) ? unit_save(c, (unit_state **)state) : UNIT_ERROR);
FUNCTION(fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state), unit_take_up(c, state));
FUNCTION(fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate *state), unit_free_state((unit_state **)state));
FUNCTION(fmi2SerializedFMUstateSize, (fmi2Component c, fmi2FMUstate state, size_t *size),
         unit_measure_state(c, state, size));
FUNCTION(fmi2SerializeFMUstate, (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size),
         unit_serialize(c, state, size, (unsigned char *)bytes));
FUNCTION(fmi2DeSerializeFMUstate, (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state),
         GIVEN(state) ? unit_deserialize(c, size, (const unsigned char *)bytes, (unit_state **)state) : UNIT_ERROR);

// --- derivatives ---

// What modelDescription.xml says that units cannot.
static unit_status unable(const unit *u)
{
    return unit_refuse(u, "this unit does not have that; modelDescription.xml says what it has");
}

FUNCTION(fmi2GetDirectionalDerivative,
         (fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns, const fmi2ValueReference known[],
          size_t knowns, const fmi2Real d_known[], fmi2Real d_unknown[]),
         unit_derive(c, unknowns, unknown, knowns, known, d_known, d_unknown));
FUNCTION(fmi2SetRealInputDerivatives,
         (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Integer order[],
          const fmi2Real value[]),
         count == 0 ? UNIT_OK : unable(c));
FUNCTION(fmi2GetRealOutputDerivatives,
         (fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Integer order[], fmi2Real value[]),
         count == 0 ? UNIT_OK : unable(c));

// --- model exchange ---

FUNCTION(fmi2EnterEventMode, (fmi2Component c), unit_enter_event(c));

static unit_status update_discrete(unit *u, fmi2EventInfo *info)
{
    unit_event event;
    const unit_status status = unit_do_event(u, &event);
    *info                    = (fmi2EventInfo){.terminateSimulation             = event.ends,
                                               .valuesOfContinuousStatesChanged = event.has_jumped,
                                               .nextEventTimeDefined            = event.has_next,
                                               .nextEventTime                   = event.has_next ? event.next : 0.0};
    return status;
}

FUNCTION(fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo *info),
         GIVEN(info) ? update_discrete(c, info) : UNIT_ERROR);
FUNCTION(fmi2EnterContinuousTimeMode, (fmi2Component c), unit_enter_continuous(c));

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_state_before, fmi2Boolean *enter_event_mode,
                                       fmi2Boolean *terminate)
{
    if (terminate)
        *terminate = 0;
    return ANSWER(fmi2CompletedIntegratorStep,
                  GIVEN(enter_event_mode) && GIVEN(terminate) ? unit_complete(c, enter_event_mode) : UNIT_ERROR);
}

FUNCTION(fmi2SetTime, (fmi2Component c, fmi2Real time), unit_set_time(c, time));
FUNCTION(fmi2SetContinuousStates, (fmi2Component c, const fmi2Real x[], size_t count), unit_set_states(c, count, x));
FUNCTION(fmi2GetDerivatives, (fmi2Component c, fmi2Real derivatives[], size_t count),
         unit_get_rates(c, count, derivatives));
FUNCTION(fmi2GetEventIndicators, (fmi2Component c, fmi2Real indicators[], size_t count),
         unit_get_indicators(c, count, indicators));
FUNCTION(fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t count), unit_get_states(c, count, x));
FUNCTION(fmi2GetNominalsOfContinuousStates, (fmi2Component c, fmi2Real nominals[], size_t count),
         unit_get_nominals(c, count, nominals));

// --- co-simulation ---

// Where the run has ended the step is discarded, and there is none after it.
static unit_status do_step(unit *u, double time, double step)
{
    int has_ended            = 0;
    const unit_status status = unit_step(u, time, step, &has_ended);
    if (status != UNIT_OK || !has_ended)
        return status;
    u->phase = UNIT_STEP_FAILED;
    return UNIT_DISCARD;
}

FUNCTION(fmi2DoStep, (fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_state_before),
         do_step(c, time, step));
FUNCTION(fmi2CancelStep, (fmi2Component c), unable(c));

static unit_status unknown_kind(const unit *u)
{
    unit_tell(u, UNIT_DISCARD, UNIT_LOG_DISCARD,
              "steps are never pending: only the last time and whether the run has ended can be asked for");
    return UNIT_DISCARD;
}

FUNCTION(fmi2GetStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Status *value), unknown_kind(c));

static unit_status get_last_time(const unit *u, fmi2StatusKind kind, double *value)
{
    if (kind != fmi2LastSuccessfulTime)
        return unknown_kind(u);
    *value = unit_time(u);
    return UNIT_OK;
}

FUNCTION(fmi2GetRealStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Real *value),
         GIVEN(value) ? get_last_time(c, kind, value) : UNIT_ERROR);
FUNCTION(fmi2GetIntegerStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value), unknown_kind(c));

static unit_status get_end(const unit *u, fmi2StatusKind kind, fmi2Boolean *value)
{
    if (kind != fmi2Terminated)
        return unknown_kind(u);
    *value = unit_has_ended(u);
    return UNIT_OK;
}

FUNCTION(fmi2GetBooleanStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value),
         GIVEN(value) ? get_end(c, kind, value) : UNIT_ERROR);
FUNCTION(fmi2GetStringStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2String *value), unknown_kind(c));
