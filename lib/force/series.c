// SPDX-License-Identifier: MIT
// A spring and a damper in series along a line: "maxwell" and "yaw damper".

#include "force/series.h"

int kane_chain_prepare(kane_chain *c, kane_place at, kane_errors *errors)
{
    if (kane_curve_is_zero(&c->damper)) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, at, "needs \"damping\" of more than 0 behind the spring");
        return 1;
    }
    kane_curve_cut_level_ends(&c->damper, c->limit);
    if (!kane_curve_grows(&c->damper)) {
        kane_errors_add_input(
            errors, KANE_BAD_INPUT, at,
            "the damper behind the spring needs a force that grows with speed everywhere between its points, and beyond "
            "them too or, in straight lines, is constant there (it saturates), so that its speed follows from the force");
        return 1;
    }
    c->rest = kane_curve_find(&c->damper, 0.0);
    return 0;
}

int kane_series_states(const void *series, kane_law_state info[KANE_LAW_STATES])
{
    (void)series;
    info[0] = (kane_law_state){.name = "damper", .unit = "m", .help = "elongation of the damper behind the spring"};
    return 1;
}

int kane_series_set_load(void *series, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    kane_series *s = series;
    (void)load;
    return kane_line_rest_length(&s->block, d0, &s->length, errors);
}

double kane_series_energy(const void *series, const kane_relative *r)
{
    const kane_series *s    = series;
    const double elongation = kv3_norm(kv3_add(r->d0, r->d)) - s->length;
    return kane_chain_energy(&s->chain, elongation, r->state[0]) + 0.5 * s->parallel * elongation * elongation;
}

KANE_FORMULA_FUNCTIONS(kane_series_force, kane_law_never_turns)

// --- "maxwell" ---

static const kane_key maxwell_keys[] = {
    KANE_KEY(kane_maxwell, stiffness, NUMBER, REQUIRED, NULL, "N/m", POSITIVE, NULL,
             "of the spring in front of the damper"),
    KANE_KEY(kane_maxwell, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL, "force per speed"),
    KANE_KEY(
        kane_maxwell, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_damper_characteristic_schema,
        "instead of \"damping\": force over speed, growing everywhere or level at its ends, positive where the damper gets "
        "longer"),
    KANE_KEY(kane_maxwell, parallel_stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "of a spring beside both"),
};

static const kane_schema maxwell_schema = KANE_SCHEMA(
    kane_maxwell, "maxwell", maxwell_keys,
    "A spring and a damper in series along the line between two points, such as a hydraulic damper in rubber mountings; "
    "it carries no static load.");

static void *maxwell_prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_maxwell *in = parameters;
    kane_series *s         = kane_law_memory(memory, 1, sizeof *s);
    if (!s)
        return NULL;
    s->block           = in->block;
    s->chain.stiffness = in->stiffness;
    s->parallel        = in->parallel_stiffness;
    if (kane_curve_prepare(&in->characteristic, in->damping, memory, errors, &s->chain.damper) != 0)
        return NULL;
    const kane_block *typed = s->chain.damper.count > 0 ? &in->characteristic.block : &in->block;
    return kane_chain_prepare(&s->chain, kane_block_place(typed, NULL, -1), errors) == 0 ? s : NULL;
}

const kane_law kane_law_maxwell = {
    .name    = "maxwell",
    .help    = "A spring and a damper in series along the line between two points.",
    .schema  = &maxwell_schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = maxwell_prepare,
    .turns   = kane_law_never_turns,
    .states  = kane_series_states,
    .settle  = kane_series_set_load,
    .eval    = kane_series_force_eval,
    .rates   = kane_series_force_rates,
    .derive  = kane_series_force_derive,
    .energy  = kane_series_energy,
};

// --- "yaw damper": with a valve ---
//
// Up to the speed blow_off/damping the force is that of the damping; beyond it grows by blow_off_damping. The bend
// between them is rounded over a share of that speed on both sides, so that the integrator meets no corner.

static const kane_key yaw_keys[] = {
    KANE_KEY(kane_yaw_damper, stiffness, NUMBER, REQUIRED, NULL, "N/m", POSITIVE, NULL, "in series: mountings and oil"),
    KANE_KEY(kane_yaw_damper, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL,
             "force per speed, until it blows off"),
    KANE_KEY(kane_yaw_damper, blow_off, NUMBER, OPTIONAL, NULL, "N", POSITIVE, NULL,
             "force at which it blows off; not given: never"),
    KANE_KEY(kane_yaw_damper, blow_off_damping, NUMBER, OPTIONAL, NULL, "N s/m", POSITIVE, NULL,
             "force per speed beyond that; needed with \"blow_off\""),
    KANE_KEY(kane_yaw_damper, rounding, NUMBER, OPTIONAL, "0.1", "1", FRACTION, NULL,
             "the bend at blow-off is rounded over this part of its speed on both sides; less than 1; 0: a corner"),
    KANE_KEY(
        kane_yaw_damper, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_damper_characteristic_schema,
        "instead of all but \"stiffness\": force over speed, growing everywhere or level at its ends, positive where the "
        "damper gets longer"),
};

static const kane_schema yaw_schema =
    KANE_SCHEMA(kane_yaw_damper, "yaw damper", yaw_keys,
                "A damper that blows off, in series with a stiffness, along the line between two points; it carries no "
                "static load.");

static int yaw_refuse(const kane_yaw_damper *in, const char *key, kane_errors *errors, const char *text)
{
    (void)kane_block_fault(errors, &in->block, key, "%s", text);
    return 1;
}

static int yaw_check(const kane_yaw_damper *in, int by_points, kane_errors *errors)
{
    if (by_points && (in->damping > 0.0 || in->blow_off > 0.0 || in->blow_off_damping > 0.0))
        return yaw_refuse(
            in, "characteristic", errors,
            "stands for damping and blow-off; leave \"damping\", \"blow_off\" and \"blow_off_damping\" out");
    if ((in->blow_off > 0.0) != (in->blow_off_damping > 0.0))
        return yaw_refuse(in, in->blow_off > 0.0 ? "blow_off" : "blow_off_damping", errors,
                          "\"blow_off\" and \"blow_off_damping\" need each other");
    if (!(in->rounding < 1.0))
        return yaw_refuse(in, "rounding", errors,
                          "must be less than 1, so that the rounded corner ends before the damper is at rest");
    return 0;
}

static void *yaw_prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_yaw_damper *in = parameters;
    kane_series *s            = kane_law_memory(memory, 1, sizeof *s);
    if (!s || kane_curve_prepare(&in->characteristic, in->damping, memory, errors, &s->chain.damper) != 0)
        return NULL;
    const int by_points = s->chain.damper.count > 0;
    if (yaw_check(in, by_points, errors) != 0)
        return NULL;
    if (in->blow_off > 0.0 && in->damping > 0.0) {
        const double bend = in->blow_off / in->damping;
        if (kane_curve_bend(in->damping, bend, in->blow_off_damping, in->rounding * bend, memory, errors,
                            &s->chain.damper) != 0)
            return NULL;
    }
    s->block                = in->block;
    s->chain.stiffness      = in->stiffness;
    const kane_block *typed = by_points ? &in->characteristic.block : &in->block;
    return kane_chain_prepare(&s->chain, kane_block_place(typed, NULL, -1), errors) == 0 ? s : NULL;
}

const kane_law kane_law_yaw_damper = {
    .name    = "yaw damper",
    .help    = "A damper that blows off, in series with a stiffness, along the line between two points.",
    .schema  = &yaw_schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = yaw_prepare,
    .turns   = kane_law_never_turns,
    .states  = kane_series_states,
    .settle  = kane_series_set_load,
    .eval    = kane_series_force_eval,
    .rates   = kane_series_force_rates,
    .derive  = kane_series_force_derive,
    .energy  = kane_series_energy,
};
