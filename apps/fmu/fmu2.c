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

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])
{
    return status_of(unit_listen(c, on, count, categories));
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    fmi2CallbackFunctions *calls = calloc(1, sizeof *calls);
    (void)visible;
    if (!calls)
        return NULL;
    if (functions)
        *calls = *functions;
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

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop)
{
    (void)has_stop;
    (void)stop;
    return status_of(unit_set_up(c, has_tolerance, tolerance, start));
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    return status_of(unit_enter_initialization(c));
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    return status_of(unit_exit_initialization(c));
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    return status_of(unit_terminate(c));
}

fmi2Status fmi2Reset(fmi2Component c)
{
    return status_of(unit_reset(c));
}

// --- values ---

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Real value[])
{
    return status_of(unit_get(c, count, vr, value));
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Real value[])
{
    return status_of(unit_set(c, count, vr, value));
}

// There are only real variables.
static fmi2Status none(fmi2Component c, size_t count)
{
    return count == 0 ? fmi2OK : status_of(unit_refuse(c, "all variables of this unit are real"));
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Integer value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Boolean value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2String value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Integer value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Boolean value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2String value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

// --- states of the whole unit ---

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    unit_state *kept        = *state;
    const fmi2Status status = status_of(unit_save(c, &kept));
    *state                  = kept;
    return status;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    return status_of(unit_take_up(c, state));
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    const unit_state *s = state;
    if (!s)
        return status_of(unit_refuse(c, "there is no state"));
    *size = s->size;
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    const unit_state *s = state;
    if (!s || size < s->size)
        return status_of(unit_refuse(c, "there is no room for the state"));
    memcpy(bytes, s->bytes, s->size);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    unit_state *kept        = *state;
    const fmi2Status status = status_of(unit_deserialize(c, size, (const unsigned char *)bytes, &kept));
    *state                  = kept;
    return status;
}

// --- derivatives ---

// What modelDescription.xml says that units cannot.
static fmi2Status unable(fmi2Component c)
{
    return status_of(unit_refuse(c, "this unit does not have that; modelDescription.xml says what it has"));
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
                                        const fmi2ValueReference known[], size_t knowns, const fmi2Real d_known[],
                                        fmi2Real d_unknown[])
{
    return status_of(unit_derive(c, unknowns, unknown, knowns, known, d_known, d_unknown));
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return count == 0 ? fmi2OK : unable(c);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                                        const fmi2Integer order[], fmi2Real value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return count == 0 ? fmi2OK : unable(c);
}

// --- model exchange ---

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    return status_of(unit_enter_event(c));
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    unit_event event;
    const fmi2Status status = status_of(unit_do_event(c, &event));
    *info                   = (fmi2EventInfo){.terminateSimulation             = event.ends,
                                              .valuesOfContinuousStatesChanged = event.has_jumped,
                                              .nextEventTimeDefined            = event.has_next,
                                              .nextEventTime                   = event.has_next ? event.next : 0.0};
    return status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    return status_of(unit_enter_continuous(c));
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_state_before, fmi2Boolean *enter_event_mode,
                                       fmi2Boolean *terminate)
{
    (void)no_state_before;
    *terminate = 0;
    return status_of(unit_complete(c, enter_event_mode));
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    return status_of(unit_set_time(c, time));
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t count)
{
    return status_of(unit_set_states(c, count, x));
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t count)
{
    return status_of(unit_get_rates(c, count, derivatives));
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicators[], size_t count)
{
    return status_of(unit_get_indicators(c, count, indicators));
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t count)
{
    return status_of(unit_get_states(c, count, x));
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominals[], size_t count)
{
    return status_of(unit_get_nominals(c, count, nominals));
}

// --- co-simulation ---

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_state_before)
{
    int has_ended = 0;
    (void)no_state_before;
    const unit_status status = unit_step(c, time, step, &has_ended);
    return status == UNIT_OK && has_ended ? fmi2Discard : status_of(status);
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    return unable(c);
}

static fmi2Status unknown_kind(fmi2Component c)
{
    return status_of(
        unit_refuse(c, "steps are never pending: only the last time and whether it has ended can be asked for"));
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)value;
    (void)kind;
    return unknown_kind(c);
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    const unit *u = c;
    if (kind != fmi2LastSuccessfulTime || !u->simulation)
        return unknown_kind(c);
    *value = unit_time(u);
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)value;
    (void)kind;
    return unknown_kind(c);
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    const unit *u = c;
    if (kind != fmi2Terminated || !u->simulation)
        return unknown_kind(c);
    *value = unit_has_ended(u);
    return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)value;
    (void)kind;
    return unknown_kind(c);
}
