// SPDX-License-Identifier: MIT
// "anti-roll bar": a torque about x of body a against relative roll, and nothing else.

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

static int eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    const kane_anti_roll_bar *p = law;
    on_b->torque.x              = -(p->stiffness * r->phi.x + p->damping * r->w.x);
    return 0;
}

static void derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    const kane_anti_roll_bar *p = law;
    (void)r;
    out->torque_phi = km3_diag(-p->stiffness, 0.0, 0.0);
    out->torque_w   = km3_diag(-p->damping, 0.0, 0.0);
}

static double energy(const void *law, const kane_relative *r)
{
    const kane_anti_roll_bar *p = law;
    return 0.5 * p->stiffness * r->phi.x * r->phi.x;
}

const kane_law kane_law_anti_roll_bar = {
    .name    = "anti-roll bar",
    .help    = "A torque against relative roll.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .eval    = eval,
    .derive  = derive,
    .energy  = energy,
};
