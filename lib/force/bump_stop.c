// SPDX-License-Identifier: MIT
// "bump stop": a gap in one direction of body a, and what is met behind it.
//
// Behind the gap the force over the compression c is that of the characteristic or, without one, of a spring whose
// stiffness sets in over a short length s: k c^2/(2 s) up to s, k (c - s/2) beyond, so that the force has no kink.

#include "force/press.h"

#include "base/document.h"

typedef struct bump_stop {
    kane_bump_stop in;
    kane_vec3 axis;      // of body a, unit vector
    kane_press press[2]; // towards minus and plus
} bump_stop;

static const char *const directions[] = {"x", "y", "z", NULL};

static const kane_key keys[] = {
    KANE_KEY(kane_bump_stop, direction, CHOICE, REQUIRED, NULL, NULL, ANY, directions, "axis of body a"),
    KANE_KEY(kane_bump_stop, clearance, NUMBERS, REQUIRED, NULL, "m", NOT_NEGATIVE, KANE_OR_ONE,
             "free travel of b from rest: one number for both ways, or towards minus and towards plus"),
    KANE_KEY(kane_bump_stop, stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL, "behind the gap"),
    KANE_KEY(kane_bump_stop, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_spring_characteristic_schema,
             "instead of \"stiffness\": force over compression, from 0"),
    KANE_KEY(kane_bump_stop, onset, NUMBER, OPTIONAL, "1 mm", "m", POSITIVE, NULL,
             "compression over which the stiffness sets in"),
    KANE_KEY(kane_bump_stop, dissipation, NUMBER, OPTIONAL, "0 s/m", "s/m", NOT_NEGATIVE, NULL,
             "h: the force is that of rest times 1 + h times the speed of compression"),
};

static const kane_schema schema = KANE_SCHEMA(
    bump_stop, "bump stop", keys, "A gap in one direction of body a and a stop behind it, on one or both sides.");

static void *prepare_bump_stop(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_bump_stop *in = parameters;
    bump_stop *p             = kane_law_memory(memory, 1, sizeof *p);
    if (!p)
        return NULL;
    if (in->clearance.count < 1 || in->clearance.count > 2) {
        (void)kane_block_fault(errors, &in->block, "clearance", "has %d numbers; needs one for both ways, or two",
                               in->clearance.count);
        return NULL;
    }
    if (in->characteristic.from != KANE_FROM_STATIC) {
        (void)kane_block_fault(errors, &in->characteristic.block, "from",
                               "a bump stop carries no static load: leave \"from\" out");
        return NULL;
    }
    if (in->stiffness == 0.0 && in->characteristic.at.count == 0 && !kane_block_has(&in->block, "stiffness")) {
        (void)kane_block_fault(errors, &in->block, NULL,
                               "needs a \"stiffness\" or a \"characteristic\" behind the gap");
        return NULL;
    }
    p->in           = *in;
    p->axis         = kv3_unit(in->direction);
    kane_press stop = {.stiffness = in->stiffness, .onset = in->onset, .dissipation = in->dissipation};
    if (kane_curve_prepare(&in->characteristic, 0.0, memory, errors, &stop.curve) != 0)
        return NULL;
    for (int i = 0; i < 2; i++) {
        p->press[i]       = stop;
        p->press[i].start = -in->clearance.values[i == 0 ? 0 : in->clearance.count - 1];
    }
    return p;
}

// Force on b along the axis n, against the displacement d = n.d: -sign(d) N(|d|), N of the stop on that side.
KANE_FORMULA bump_stop_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const bump_stop *p  = law;
    const kane_scalar d = ks3_along(m->d, p->axis), v = ks3_along(m->v, p->axis);
    const int plus          = ks_value(d) >= 0.0;
    const double side       = plus ? 1.0 : -1.0; // compression grows with side d
    const kane_scalar force = kane_press_force(&p->press[plus], ks_scale(side, d), ks_scale(side, v));
    out->force              = ks3_times(ks_scale(-side, force), p->axis);
    return 0;
}

KANE_FORMULA_FUNCTIONS(bump_stop_force, kane_law_never_turns)

static double eval_bump_stop_energy(const void *law, const kane_relative *r)
{
    const bump_stop *p = law;
    const double d     = kv3_dot(p->axis, r->d);
    return d < 0.0 ? kane_press_energy(&p->press[0], -d) : kane_press_energy(&p->press[1], d);
}

const kane_law kane_law_bump_stop = {
    .name    = "bump stop",
    .help    = "A gap in one direction and a stop behind it.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare_bump_stop,
    .turns   = kane_law_never_turns,
    .eval    = bump_stop_force_eval,
    .derive  = bump_stop_force_derive,
    .energy  = eval_bump_stop_energy,
};
