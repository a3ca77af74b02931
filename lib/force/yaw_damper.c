// SPDX-License-Identifier: MIT
// "yaw damper": a damper that blows off, in series with the stiffness of its mountings and its oil (force/series.h).
//
// Up to the speed blow_off/damping the force is that of the damping; beyond it grows by blow_off_damping. The bend between
// them is rounded over a share of that speed on both sides, so that the integrator meets no corner.

#include "force/series.h"

static const kane_key keys[] = {
    KANE_KEY(kane_yaw_damper, stiffness, NUMBER, REQUIRED, NULL, "N/m", POSITIVE, NULL, "in series: mountings and oil"),
    KANE_KEY(kane_yaw_damper, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL,
             "force per speed, until it blows off"),
    KANE_KEY(kane_yaw_damper, blow_off, NUMBER, OPTIONAL, NULL, "N", POSITIVE, NULL,
             "force at which it blows off; not given: never"),
    KANE_KEY(kane_yaw_damper, blow_off_damping, NUMBER, OPTIONAL, NULL, "N s/m", POSITIVE, NULL,
             "force per speed beyond that; needed with \"blow_off\""),
    KANE_KEY(kane_yaw_damper, rounding, NUMBER, OPTIONAL, "0.1", "1", FRACTION, NULL,
             "the bend at blow-off is rounded over this part of its speed on both sides; less than 1; 0: a corner"),
    KANE_KEY(kane_yaw_damper, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_damper_characteristic_schema,
             "instead of all but \"stiffness\": force over speed, growing everywhere, positive where the damper gets "
             "longer"),
};

static const kane_schema schema =
    KANE_SCHEMA(kane_yaw_damper, "yaw damper", keys,
                "A damper that blows off, in series with a stiffness, along the line between two points; it carries no "
                "static load.");

static int refuse(const kane_yaw_damper *in, const char *key, kane_errors *errors, const char *text)
{
    kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&in->block, key, -1), "%s", text);
    return 1;
}

static int check(const kane_yaw_damper *in, int by_points, kane_errors *errors)
{
    if (by_points && (in->damping > 0.0 || in->blow_off > 0.0 || in->blow_off_damping > 0.0))
        return refuse(in, "characteristic", errors,
                      "stands for damping and blow-off; leave \"damping\", \"blow_off\" and \"blow_off_damping\" out");
    if ((in->blow_off > 0.0) != (in->blow_off_damping > 0.0))
        return refuse(in, in->blow_off > 0.0 ? "blow_off" : "blow_off_damping", errors,
                      "\"blow_off\" and \"blow_off_damping\" need each other");
    if (!(in->rounding < 1.0))
        return refuse(in, "rounding", errors,
                      "must be less than 1, so that the bend ends before the damper stands still");
    return 0;
}

static void *prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_yaw_damper *in = parameters;
    kane_series *s            = kane_law_memory(memory, 1, sizeof *s);
    if (!s || kane_curve_prepare(&in->characteristic, in->damping, memory, errors, &s->damper) != 0)
        return NULL;
    const int by_points = s->damper.count > 0;
    if (check(in, by_points, errors) != 0)
        return NULL;
    if (in->blow_off > 0.0 && in->damping > 0.0) {
        const double bend = in->blow_off / in->damping;
        if (kane_curve_bend(in->damping, bend, in->blow_off_damping, in->rounding * bend, memory, errors, &s->damper) !=
            0)
            return NULL;
    }
    s->block                = in->block;
    s->stiffness            = in->stiffness;
    const kane_block *typed = by_points ? &in->characteristic.block : &in->block;
    return kane_series_prepare(s, kane_block_place(typed, NULL, -1), errors) == 0 ? s : NULL;
}

const kane_law kane_law_yaw_damper = {
    .name    = "yaw damper",
    .help    = "A damper that blows off, in series with a stiffness, along the line between two points.",
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
