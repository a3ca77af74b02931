// SPDX-License-Identifier: MIT
// "damper": a damper along the line between two points. Its input "factor" multiplies the force: a semi-active damper.

#include "force/characteristic.h"

typedef struct damper {
    kane_block block;
    kane_curve tension; // over the rate of the length
} damper;

static const kane_key keys[] = {
    KANE_KEY(kane_damper, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL, "force per speed"),
    KANE_KEY(kane_damper, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_damper_characteristic_schema,
             "instead of \"damping\": force over speed, positive where the damper gets longer"),
};

static const kane_schema schema =
    KANE_SCHEMA(kane_damper, "damper", keys, "A damper along the line between two points; it carries no static load.");

static void *prepare_damper(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_damper *in = parameters;
    damper *p             = kane_law_memory(memory, 1, sizeof *p);
    if (!p || kane_curve_prepare(&in->characteristic, in->damping, memory, errors, &p->tension) != 0)
        return NULL;
    p->block = in->block;
    return p;
}

static int check_damper_length(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    const damper *p = law;
    double length;
    (void)load;
    return kane_line_rest_length(&p->block, d0, &length, errors);
}

// Force on b along the line n from a to b: -factor T(l') n.
KANE_FORMULA damper_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const damper *p = law;
    kane_line line;
    const int status = kane_line_eval(m, &line);
    if (status != 0)
        return status;
    const double factor = kane_formula_input(m, 0, 1.0);
    out->force          = ks3_scale(ks_scale(-factor, kane_curve_at(&p->tension, line.rate)), line.n);
    return 0;
}

static int list_damper_inputs(const void *law, kane_law_input info[KANE_LAW_INPUTS])
{
    (void)law;
    info[0] = (kane_law_input){"factor", "1", "factor of its force", 1.0};
    return 1;
}

KANE_FORMULA_FUNCTIONS(damper_force, kane_law_never_turns)

const kane_law kane_law_damper = {
    .name    = "damper",
    .help    = "A damper along the line between two points.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare_damper,
    .turns   = kane_law_never_turns,
    .settle  = check_damper_length,
    .eval    = damper_force_eval,
    .derive  = damper_force_derive,
    .inputs  = list_damper_inputs,
};
