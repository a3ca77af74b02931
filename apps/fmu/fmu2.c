// SPDX-License-Identifier: MIT
// Units as FMI 2.0 sees them: the functions of the standard, for co-simulation and model exchange.

#include "fmi2.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define FMI2_DECLARE(result, name, arguments, ...) FMI2_EXPORT result name arguments;
FMI2_FUNCTIONS(FMI2_DECLARE)

// Some functions have parameters that this unit does not need.
#pragma GCC diagnostic ignored "-Wunused-parameter"

static void log_message(const unit *u, unit_status status, const char *category, const char *text)
{
    const fmi2CallbackFunctions *calls = u->front;
    if (calls->logger)
        calls->logger(calls->componentEnvironment, u->name, (fmi2Status)status, category, "%s", text);
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

// --- model exchange ---

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

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_state_before, fmi2Boolean *enter_event_mode,
                                       fmi2Boolean *terminate)
{
    if (terminate)
        *terminate = 0;
    return UNIT_ANSWER(fmi2Status, fmi2CompletedIntegratorStep,
                       GIVEN(enter_event_mode) && GIVEN(terminate) ? unit_complete(c, enter_event_mode) : UNIT_ERROR);
}

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

static unit_status unknown_kind(const unit *u)
{
    unit_tell(u, UNIT_DISCARD, UNIT_LOG_DISCARD,
              "steps are never pending: only the last time and whether the run has ended can be asked for");
    return UNIT_DISCARD;
}

static unit_status get_last_time(const unit *u, fmi2StatusKind kind, double *value)
{
    if (kind != fmi2LastSuccessfulTime)
        return unknown_kind(u);
    *value = unit_time(u);
    return UNIT_OK;
}

static unit_status get_end(const unit *u, fmi2StatusKind kind, fmi2Boolean *value)
{
    if (kind != fmi2Terminated)
        return unknown_kind(u);
    *value = unit_has_ended(u);
    return UNIT_OK;
}

FMI2_CALLS(UNIT_FUNCTION)
