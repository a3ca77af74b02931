// SPDX-License-Identifier: MIT
// "bump stop": a gap in one direction of body a, and what is met behind it.
//
// Behind the gap the force over the compression c is that of the characteristic or, without one, of a spring whose
// stiffness sets in over a short length s: k c^2/(2 s) up to s, k (c - s/2) beyond, so that the force has no kink.

#include "force/characteristic.h"
#include "force/onset.h"

typedef struct bump_stop {
    kane_bump_stop in;
    kane_vec3 axis; // of body a, unit vector
    double gap[2];  // towards minus and plus [m]
    kane_curve curve;
} bump_stop;

static const char *const directions[] = {"x", "y", "z", NULL};

static const kane_key keys[] = {
    KANE_KEY(kane_bump_stop, direction, CHOICE, REQUIRED, NULL, NULL, ANY, directions, "axis of body a"),
    KANE_KEY(kane_bump_stop, clearance, NUMBERS, REQUIRED, NULL, "m", NOT_NEGATIVE, NULL,
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

static void *prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_bump_stop *in = parameters;
    bump_stop *p             = kane_law_memory(memory, 1, sizeof *p);
    if (!p)
        return NULL;
    if (in->clearance.count < 1 || in->clearance.count > 2) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&in->block, "clearance", -1),
                              "has %d numbers; needs one for both ways, or two", in->clearance.count);
        return NULL;
    }
    if (in->characteristic.from != KANE_FROM_STATIC) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&in->characteristic.block, "from", -1),
                              "a bump stop carries no static load: leave \"from\" out");
        return NULL;
    }
    if (in->stiffness == 0.0 && in->characteristic.at.count == 0 && !kane_block_has(&in->block, "stiffness")) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&in->block, NULL, -1),
                              "needs a \"stiffness\" or a \"characteristic\" behind the gap");
        return NULL;
    }
    p->in     = *in;
    p->axis   = kv3_unit(in->direction);
    p->gap[0] = in->clearance.values[0];
    p->gap[1] = in->clearance.values[in->clearance.count - 1];
    return kane_curve_prepare(&in->characteristic, 0.0, memory, errors, &p->curve) == 0 ? p : NULL;
}

// Elastic force and its slope at a compression [N], [N/m].
static double press(const bump_stop *p, double c, double *slope)
{
    if (p->curve.count == 0 || c <= 0.0)
        return kane_onset_force(p->in.stiffness, p->in.onset, c, slope);
    *slope = kane_curve_slope(&p->curve, c);
    return kane_curve_value(&p->curve, c);
}

static double stored(const bump_stop *p, double c)
{
    if (p->curve.count == 0 || c <= 0.0)
        return kane_onset_energy(p->in.stiffness, p->in.onset, c);
    return kane_curve_energy(&p->curve, c);
}

// Force on b along the axis and its derivatives.
static double push(const bump_stop *p, double d, double v, double *stiffness, double *damping)
{
    double k, c;
    const double side    = d < 0.0 ? -1.0 : 1.0; // compression grows with side d
    const double elastic = press(p, side * d - p->gap[d < 0.0 ? 0 : 1], &k);
    const double factor  = kane_onset_dissipate(p->in.dissipation * side * v, &c);
    *stiffness           = -k * factor;
    *damping             = -elastic * p->in.dissipation * c;
    return -side * elastic * factor;
}

static int eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    const bump_stop *p = law;
    double stiffness, damping;
    on_b->force = kv3_scale(push(p, kv3_dot(p->axis, r->d), kv3_dot(p->axis, r->v), &stiffness, &damping), p->axis);
    return 0;
}

static void derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    const bump_stop *p = law;
    double stiffness, damping;
    (void)push(p, kv3_dot(p->axis, r->d), kv3_dot(p->axis, r->v), &stiffness, &damping);
    out->force_d = km3_scale(stiffness, km3_outer(p->axis, p->axis));
    out->force_v = km3_scale(damping, km3_outer(p->axis, p->axis));
}

static double energy(const void *law, const kane_relative *r)
{
    const bump_stop *p = law;
    const double d     = kv3_dot(p->axis, r->d);
    return stored(p, (d < 0.0 ? -d : d) - p->gap[d < 0.0 ? 0 : 1]);
}

const kane_law kane_law_bump_stop = {
    .name    = "bump stop",
    .help    = "A gap in one direction and a stop behind it.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare,
    .turns   = kane_law_never_turns,
    .eval    = eval,
    .derive  = derive,
    .energy  = energy,
};
