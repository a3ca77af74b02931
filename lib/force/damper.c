// SPDX-License-Identifier: MIT
// "damper": a damper along the line between two points.

#include "force/characteristic.h"
#include "force/line.h"

static const kane_key keys[] = {
    KANE_KEY(kane_damper, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL, "force per speed"),
    KANE_KEY(kane_damper, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_damper_characteristic_schema,
             "instead of \"damping\": force over speed, positive where the damper gets longer"),
};

static const kane_schema schema =
    KANE_SCHEMA(kane_damper, "damper", keys, "A damper along the line between two points; it carries no static load.");

// Prepared: the tension over the rate of the length.
static void *prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_damper *in = parameters;
    kane_curve *tension   = kane_law_memory(memory, 1, sizeof *tension);
    if (!tension || kane_curve_prepare(&in->characteristic, in->damping, memory, errors, tension) != 0)
        return NULL;
    return tension;
}

static int turns(const void *law)
{
    (void)law;
    return 0;
}

static int eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    kane_line line;
    const int status = kane_line_observe(r, &line);
    if (status != 0)
        return status;
    on_b->force = kv3_scale(-kane_curve_value(law, line.rate), line.n);
    return 0;
}

static void derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    kane_line line;
    if (kane_line_observe(r, &line) != 0)
        return;
    kane_line_derive(&line, r, kane_curve_value(law, line.rate), 0.0, kane_curve_slope(law, line.rate), out);
}

const kane_law kane_law_damper = {
    .name    = "damper",
    .help    = "A damper along the line between two points.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare,
    .turns   = turns,
    .eval    = eval,
    .derive  = derive,
};
