// SPDX-License-Identifier: MIT
// What takes the place of every integrator without states to integrate: a model whose bodies all follow from the
// time has no states, but reactions. A step ends at the latest time that is allowed.

#include "base/arena.h"
#include "simulate/integrators.h"

typedef struct still {
    kane_arena *arena;
    double t;
    long steps; // since the last restart
} still;

static void still_free(void *self)
{
    kane_arena_free(((still *)self)->arena);
}

static void *still_create(const kane_system *system, const kane_settings *settings)
{
    (void)system;
    (void)settings;
    kane_arena *arena;
    still *s = kane_arena_object(&arena, sizeof *s, NULL);
    if (!s)
        return NULL;
    s->arena = arena;
    return s;
}

static kane_status still_restart(void *self, double t, const double *y)
{
    still *s = self;
    (void)y;
    s->t     = t;
    s->steps = 0;
    return KANE_OK;
}

static kane_status still_step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                              int *roots)
{
    still *s = self;
    (void)goal;
    (void)y;
    (void)roots;
    s->t = *t = latest;
    *end      = KANE_STEP_LATEST;
    s->steps++;
    return KANE_OK;
}

static void still_interpolate(void *self, double t, double *y)
{
    (void)self;
    (void)t;
    (void)y;
}

static void still_count(const void *self, kane_statistics *statistics)
{
    statistics->steps += ((const still *)self)->steps;
}

static const char *still_message(const void *self)
{
    (void)self;
    return "";
}

const kane_integrator kane_integrator_still = {.name         = "still",
                                               .help         = "a model without states",
                                               .extrapolates = 1,
                                               .projects     = 1,
                                               .create       = still_create,
                                               .free         = still_free,
                                               .restart      = still_restart,
                                               .step         = still_step,
                                               .interpolate  = still_interpolate,
                                               .count        = still_count,
                                               .message      = still_message};
