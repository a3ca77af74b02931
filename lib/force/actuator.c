// SPDX-License-Identifier: MIT
// "actuator": a cylinder or spindle along the line between two points. Its inputs are a force F and the elongation e_s
// that it is set to; it pushes its ends apart with
//
//   F + k (e_s - e) - c e'     e: elongation since rest
//
// With k = c = 0 it exerts F alone (force control). With k > 0, the stiffness of its oil or spindle, it holds a length
// (position control). Energy k (e - e_s)^2/2 while e_s stays.

#include "force/characteristic.h"

#include <kane/laws.h>

enum { FORCE, ELONGATION };

typedef struct actuator {
    kane_actuator_law in;
    double length; // at rest [m]
} actuator;

static const kane_key keys[] = {
    KANE_KEY(kane_actuator_law, stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "force per elongation beyond the one that it is set to"),
    KANE_KEY(kane_actuator_law, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL, "force per speed"),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_actuator_law, "actuator", keys,
    "A cylinder or spindle along the line between two points. Inputs: the force with which it pushes them apart, and "
    "the elongation that it is set to; it carries no static load.");

static void *prepare_actuator(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_actuator_law *in = parameters;
    actuator *p                 = kane_law_memory(memory, 1, sizeof *p);
    (void)errors;
    if (p)
        p->in = *in;
    return p;
}

static int set_actuator_length(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    actuator *p = law;
    (void)load;
    return kane_line_rest_length(&p->in.block, d0, &p->length, errors);
}

// Force on b along the line n from a to b: (F - k (e - e_s) - c e') n.
KANE_FORMULA actuator_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const actuator *p = law;
    kane_line line;
    const int status = kane_line_eval(m, &line);
    if (status != 0)
        return status;
    const kane_scalar elongation = ks_shift(line.length, -p->length - kane_formula_input(m, ELONGATION, 0.0));
    const kane_scalar resisted   = ks_add(ks_scale(p->in.stiffness, elongation), ks_scale(p->in.damping, line.rate));
    out->force                   = ks3_scale(ks_shift(ks_neg(resisted), kane_formula_input(m, FORCE, 0.0)), line.n);
    return 0;
}

KANE_FORMULA_FUNCTIONS(actuator_force, kane_law_never_turns)

static int list_actuator_inputs(const void *law, kane_law_input info[KANE_LAW_INPUTS])
{
    (void)law;
    info[FORCE]      = (kane_law_input){"force", "N", "force that pushes both ends apart", 0.0};
    info[ELONGATION] = (kane_law_input){"elongation", "m", "elongation since rest that it is set to", 0.0};
    return 2;
}

static double eval_actuator_energy(const void *law, const kane_relative *r)
{
    const actuator *p       = law;
    const double elongation = kv3_norm(kv3_add(r->d0, r->d)) - p->length - (r->input ? r->input[ELONGATION] : 0.0);
    return 0.5 * p->in.stiffness * elongation * elongation;
}

const kane_law kane_law_actuator = {
    .name    = "actuator",
    .help    = "A cylinder or spindle along the line between two points, set from outside.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare_actuator,
    .turns   = kane_law_never_turns,
    .settle  = set_actuator_length,
    .eval    = actuator_force_eval,
    .derive  = actuator_force_derive,
    .energy  = eval_actuator_energy,
    .inputs  = list_actuator_inputs,
};
