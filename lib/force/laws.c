// SPDX-License-Identifier: MIT
// The list of libkane's force laws.

#include <kane/laws.h>

#include "base/arena.h"

const kane_law *const *kane_laws(void)
{
    static const kane_law *const laws[] = {
        &kane_law_spring,
        &kane_law_damper,
        &kane_law_bushing,
        &kane_law_bump_stop,
        &kane_law_maxwell,
        &kane_law_yaw_damper,
        &kane_law_traction_rod,
        &kane_law_anti_roll_bar,
        &kane_law_air_spring,
        &kane_law_actuator,
        // drives
        &kane_law_gear,
        &kane_law_motor,
        // dry friction
        &kane_law_friction,
        &kane_law_drawgear,
        &kane_law_leaf_spring,
        &kane_law_link_suspension,
        &kane_law_centre_plate,
        &kane_law_side_bearer,
        // roads
        &kane_law_tyre,
        NULL,
    };
    return laws;
}

int kane_law_never_turns(const void *law)
{
    (void)law;
    return 0;
}

int kane_law_always_turns(const void *law)
{
    (void)law;
    return 1;
}

int kane_law_is_absolute(const void *law)
{
    (void)law;
    return 1;
}

void *kane_law_memory(kane_arena *memory, size_t count, size_t size)
{
    return kane_arena_alloc(memory, count, size);
}
