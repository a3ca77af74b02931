// SPDX-License-Identifier: MIT
// "spring": a spring, with a damper beside it if wanted, along the line between two points.

#include "force/characteristic.h"

typedef struct spring {
    kane_spring in;
    kane_curve tension;    // over the elongation since rest
    double static_tension; // what comes on top of it [N]
    double static_length;  // [m]
} spring;

static const kane_key keys[] = {
    KANE_KEY(kane_spring, stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL, "force per elongation"),
    KANE_KEY(kane_spring, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_spring_characteristic_schema,
             "instead of \"stiffness\": tension over elongation"),
    KANE_KEY(kane_spring, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL, "force per speed"),
    KANE_KEY(kane_spring, free_length, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL,
             "length without tension; if it is given, the static load follows from it and is not solved for"),
};

static const kane_schema schema =
    KANE_SCHEMA(kane_spring, "spring", keys,
                "A spring and a damper along the line between two points; tension pulls them together.");

static void *prepare_spring(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_spring *in = parameters;
    spring *s             = kane_law_memory(memory, 1, sizeof *s);
    if (!s)
        return NULL;
    s->in = *in;
    return kane_curve_prepare(&in->characteristic, in->stiffness, memory, errors, &s->tension) == 0 ? s : NULL;
}

static kane_vec3 spring_preload_axes(const void *law)
{
    const spring *s    = law;
    const double solve = s->in.free_length > 0.0 || kane_curve_is_zero(&s->tension) ? 0.0 : 1.0;
    return kv3(solve, solve, solve);
}

static int set_spring_load(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    spring *s = law;
    if (kane_line_rest_length(&s->in.block, d0, &s->static_length, errors) != 0)
        return 1;
    if (s->in.free_length > 0.0) {
        s->tension.shift  = s->static_length - s->in.free_length;
        s->static_tension = 0.0;
        if (s->tension.count == 0) {
            s->static_tension = s->in.stiffness * s->tension.shift;
            s->tension.shift  = 0.0;
        }
        return 0;
    }
    s->static_tension = -kv3_dot(load, d0) / s->static_length;
    if (s->in.characteristic.from != KANE_FROM_FREE)
        return 0;
    if (kane_curve_set_load(&s->tension, s->static_tension) != 0) {
        (void)kane_block_fault(errors, &s->in.characteristic.block, NULL, "reaches the static load of %g N nowhere",
                               s->static_tension);
        return 1;
    }
    s->static_tension = 0.0;
    return 0;
}

// Force on b along the line n from a to b: -(T_0 + T(e) + c e') n, e: elongation from the static length, T_0: static
// tension.
KANE_FORMULA spring_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const spring *s = law;
    kane_line line;
    const int status = kane_line_eval(m, &line);
    if (status != 0)
        return status;
    const kane_scalar elastic = kane_curve_at(&s->tension, ks_shift(line.length, -s->static_length));
    const kane_scalar tension = ks_add(ks_shift(elastic, s->static_tension), ks_scale(s->in.damping, line.rate));
    out->force                = ks3_scale(ks_neg(tension), line.n);
    return 0;
}

KANE_FORMULA_FUNCTIONS(spring_force, kane_law_never_turns)

static double eval_spring_energy(const void *law, const kane_relative *r)
{
    const spring *s         = law;
    const double elongation = kv3_norm(kv3_add(r->d0, r->d)) - s->static_length;
    return s->static_tension * elongation + kane_curve_energy(&s->tension, elongation);
}

const kane_law kane_law_spring = {
    .name         = "spring",
    .help         = "A spring with a damper along the line between two points.",
    .schema       = &schema,
    .preload      = KANE_PRELOAD_LINE,
    .prepare      = prepare_spring,
    .turns        = kane_law_never_turns,
    .preload_axes = spring_preload_axes,
    .settle       = set_spring_load,
    .eval         = spring_force_eval,
    .derive       = spring_force_derive,
    .energy       = eval_spring_energy,
};
