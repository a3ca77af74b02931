// SPDX-License-Identifier: MIT
// "anti-roll bar": a torque about x of body a against relative roll, and nothing else.

#include <kane/formula.h>
#include <kane/laws.h>

static const kane_key keys[] = {
    KANE_KEY(kane_anti_roll_bar, stiffness, NUMBER, REQUIRED, NULL, "N m/rad", NOT_NEGATIVE, NULL,
             "torque per relative roll"),
    KANE_KEY(kane_anti_roll_bar, damping, NUMBER, OPTIONAL, "0 N m s/rad", "N m s/rad", NOT_NEGATIVE, NULL,
             "torque per rate of roll"),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_anti_roll_bar, "anti-roll bar", keys,
    "A torque about x of body a against relative roll, between two bodies; rotations are meant to be small.");

// Torque on b about x: -k phi_x - c w_x.
KANE_FORMULA anti_roll_torque(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const kane_anti_roll_bar *p = law;
    out->torque.x               = ks_neg(ks_add(ks_scale(p->stiffness, m->phi.x), ks_scale(p->damping, m->w.x)));
    return 0;
}

KANE_FORMULA_FUNCTIONS(anti_roll_torque, kane_law_always_turns)

static double eval_anti_roll_energy(const void *law, const kane_relative *r)
{
    const kane_anti_roll_bar *p = law;
    return 0.5 * p->stiffness * r->phi.x * r->phi.x;
}

const kane_law kane_law_anti_roll_bar = {
    .name    = "anti-roll bar",
    .help    = "A torque against relative roll.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .eval    = anti_roll_torque_eval,
    .derive  = anti_roll_torque_derive,
    .energy  = eval_anti_roll_energy,
};
