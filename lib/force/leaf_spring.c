// SPDX-License-Identifier: MIT
// "leaf spring": the vertical spring of freight wagons, whose leaves rub in proportion to the load.
//
// The load N over the compression is the line half-way between loading and unloading, which are N (1 + mu) and
// N (1 - mu); friction that sticks (surface.h) leads from one to the other. Along and across, springs and dampers.

#include "force/surface.h"

typedef struct leaf_spring {
    kane_leaf_spring in;
    kane_surface leaves; // that rub along z
    kane_press press;
    double side;    // +1: pushes b up
    kane_vec3 k, c; // along and across [N/m], [N s/m]
} leaf_spring;

static const kane_key keys[] = {
    KANE_KEY(kane_leaf_spring, stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "vertical, half-way between loading and unloading"),
    KANE_KEY(kane_leaf_spring, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_press_characteristic_schema,
             "instead of \"stiffness\": load over compression, half-way between loading and unloading"),
    KANE_KEY(kane_leaf_spring, onset, NUMBER, OPTIONAL, "1 mm", "m", POSITIVE, NULL,
             "compression over which the stiffness sets in; the spring cannot pull"),
    KANE_KEY(kane_leaf_spring, coefficient, NUMBER, REQUIRED, NULL, "1", FRACTION, NULL,
             "friction between the leaves over the load: loading takes 1 + mu times the load, unloading 1 - mu"),
    KANE_KEY(kane_leaf_spring, longitudinal_stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "along x of body a"),
    KANE_KEY(kane_leaf_spring, lateral_stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "along y of body a"),
    KANE_KEY(kane_leaf_spring, longitudinal_damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL,
             "along x of body a"),
    KANE_KEY(kane_leaf_spring, lateral_damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL,
             "along y of body a"),
    KANE_DRY_FRICTION_KEYS(kane_leaf_spring, friction),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_leaf_spring, "leaf spring", keys,
    "A vertical spring with friction in proportion to its load, and linear springs along x and y of body a.");

static void *prepare_leaf_spring(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_leaf_spring *in = parameters;
    leaf_spring *s             = kane_law_memory(memory, 1, sizeof *s);
    if (!s || kane_press_prepare(&in->block, &in->characteristic, in->stiffness, in->onset, 0.0, memory, errors,
                                 &s->press) != 0)
        return NULL;
    s->in   = *in;
    s->side = 1.0;
    s->k    = kv3(in->longitudinal_stiffness, in->lateral_stiffness, 0.0);
    s->c    = kv3(in->longitudinal_damping, in->lateral_damping, 0.0);
    return kane_surface_prepare(&in->block, &in->friction, kv3_unit(2), errors, &s->leaves) == 0 ? s : NULL;
}

static int list_leaf_spring_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    static const char *const names[] = {NULL, NULL, "stick"};
    return kane_surface_states(&((const leaf_spring *)law)->leaves, names, info);
}

static kane_vec3 leaf_spring_preload_axes(const void *law)
{
    (void)law;
    return kv3_unit(2);
}

static int set_leaf_spring_load(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    leaf_spring *s       = law;
    const double at_rest = load.z < 0.0 ? -load.z : load.z;
    const double nominal = s->in.friction.nominal_load > 0.0 ? s->in.friction.nominal_load : at_rest;
    (void)d0;
    s->side = load.z < 0.0 ? -1.0 : 1.0;
    if (kane_press_set_load(&s->press, at_rest) != 0) {
        (void)kane_block_fault(errors, &s->in.characteristic.block, NULL, "reaches the static load of %g N nowhere",
                               at_rest);
        return 1;
    }
    return kane_surface_set_limit(&s->in.block, &s->leaves, s->in.coefficient * nominal, errors);
}

// Force on b: -k d - c v along and across; vertically the load N, with friction of its leaves up to mu N.
KANE_FORMULA leaf_spring_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const leaf_spring *s = law;
    const kane_scalar N  = kane_press_force(&s->press, ks_scale(-s->side, m->d.z), ks_scale(-s->side, m->v.z));
    out->force           = ks3_neg(ks3_add(ks3_mul(s->k, m->d), ks3_mul(s->c, m->v)));
    out->force.z         = ks_add(out->force.z, ks_scale(s->side, N));
    kane_surface_rub(&s->leaves, ks_scale(s->in.coefficient, N), m, 0, out);
    return 0;
}

KANE_FORMULA_FUNCTIONS(leaf_spring_force, kane_law_never_turns)

static double eval_leaf_spring_energy(const void *law, const kane_relative *r)
{
    const leaf_spring *s = law;
    return 0.5 * kv3_dot(r->d, kv3_mul(s->k, r->d)) + kane_press_energy(&s->press, -s->side * r->d.z) +
           kane_surface_energy(&s->leaves, r, 0);
}

const kane_law kane_law_leaf_spring = {
    .name         = "leaf spring",
    .help         = "A vertical spring with friction in proportion to its load.",
    .schema       = &schema,
    .preload      = KANE_PRELOAD_AXES,
    .prepare      = prepare_leaf_spring,
    .turns        = kane_law_never_turns,
    .states       = list_leaf_spring_states,
    .preload_axes = leaf_spring_preload_axes,
    .settle       = set_leaf_spring_load,
    .eval         = leaf_spring_force_eval,
    .rates        = leaf_spring_force_rates,
    .derive       = leaf_spring_force_derive,
    .energy       = eval_leaf_spring_energy,
};
