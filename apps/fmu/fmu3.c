// SPDX-License-Identifier: MIT
// Units as FMI 3.0 sees them: the functions of the standard, for co-simulation and model exchange.

#include "fmi3.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FMI3_DECLARE(result, name, arguments, ...) FMI3_EXPORT result name arguments;
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

// Some functions have parameters that this unit does not need.
#pragma GCC diagnostic ignored "-Wunused-parameter"

static void log_message(const unit *u, unit_status status, const char *category, const char *text)
{
    const listener *to = u->front;
    if (to->logger)
        to->logger(to->environment, (fmi3Status)status, category, text);
}

// --- instances ---

const char *fmi3GetVersion(void)
{
    return "3.0";
}

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

// --- values ---

// All variables are scalars.
static int is_scalar(const unit *u, size_t references, size_t values)
{
    return references == values || unit_refuse(u, "all variables are scalars: as many values as references") == UNIT_OK;
}

#define FMI3_DEFINE_TYPE(name, type)                                                                                   \
    FMI3_GETTER(name, type)                                                                                            \
    {                                                                                                                  \
        return UNIT_ANSWER(fmi3Status, fmi3Get##name, unit_take_none(c, vr_count));                                    \
    }                                                                                                                  \
    FMI3_SETTER(name, type)                                                                                            \
    {                                                                                                                  \
        return UNIT_ANSWER(fmi3Status, fmi3Set##name, unit_take_none(c, vr_count));                                    \
    }
FMI3_TYPES(FMI3_DEFINE_TYPE)

// --- events and model exchange ---

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *needs_update, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals_changed, fmi3Boolean *values_changed, fmi3Boolean *has_next,
                                    fmi3Float64 *next)
{
    unit_event event        = {0};
    const fmi3Status status = UNIT_ANSWER(fmi3Status, fmi3UpdateDiscreteStates,
                                          GIVEN(needs_update) && GIVEN(terminate) && GIVEN(nominals_changed) &&
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

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_state_before, fmi3Boolean *enter_event_mode,
                                       fmi3Boolean *terminate)
{
    int is_due = 0;
    const fmi3Status status =
        UNIT_ANSWER(fmi3Status, fmi3CompletedIntegratorStep,
                    GIVEN(enter_event_mode) && GIVEN(terminate) ? unit_complete(c, &is_due) : UNIT_ERROR);
    if (enter_event_mode)
        *enter_event_mode = is_due != 0;
    if (terminate)
        *terminate = false;
    return status;
}

static unit_status give_count(int value, size_t *count)
{
    *count = (size_t)value;
    return UNIT_OK;
}

// --- co-simulation ---

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_state_before,
                      fmi3Boolean *needs_event, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_time)
{
    int has_ended = 0;
    const fmi3Status status =
        UNIT_ANSWER(fmi3Status, fmi3DoStep,
                    GIVEN(needs_event) && GIVEN(terminate) && GIVEN(early_return) && GIVEN(last_time)
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

FMI3_CALLS(UNIT_FUNCTION)
