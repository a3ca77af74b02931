// SPDX-License-Identifier: MIT
// "maxwell": a spring and a damper in series along the line between two points (force/series.h has the equations).

#include "force/series.h"

static const kane_key keys[] = {
    KANE_KEY(kane_maxwell, stiffness, NUMBER, REQUIRED, NULL, "N/m", POSITIVE, NULL,
             "of the spring in front of the damper"),
    KANE_KEY(kane_maxwell, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL, "force per speed"),
    KANE_KEY(kane_maxwell, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_damper_characteristic_schema,
             "instead of \"damping\": force over speed, growing everywhere, positive where the damper gets longer"),
    KANE_KEY(kane_maxwell, parallel_stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "of a spring beside both"),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_maxwell, "maxwell", keys,
    "A spring and a damper in series along the line between two points, such as a hydraulic damper in rubber mountings; "
    "it carries no static load.");

static void *prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_maxwell *in = parameters;
    kane_series *s         = kane_law_memory(memory, 1, sizeof *s);
    if (!s)
        return NULL;
    s->block     = in->block;
    s->stiffness = in->stiffness;
    s->parallel  = in->parallel_stiffness;
    if (kane_curve_prepare(&in->characteristic, in->damping, memory, errors, &s->damper) != 0)
        return NULL;
    const kane_block *typed = s->damper.count > 0 ? &in->characteristic.block : &in->block;
    return kane_series_prepare(s, kane_block_place(typed, NULL, -1), errors) == 0 ? s : NULL;
}

const kane_law kane_law_maxwell = {
    .name    = "maxwell",
    .help    = "A spring and a damper in series along the line between two points.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare,
    .turns   = kane_law_never_turns,
    .states  = kane_series_states,
    .settle  = kane_series_settle,
    .eval    = kane_series_eval,
    .rates   = kane_series_rates,
    .derive  = kane_series_derive,
    .energy  = kane_series_energy,
};
