// SPDX-License-Identifier: MIT
// "motor": a torque between two bodies about the y of the law's axes, as far as a characteristic over speed allows:
// rotor and stator, or a brake between a wheelset and its frame. On b acts
//
//   u T(w) y     w = y.(w_b - w_a),   u the input "level", -1 to 1 as a rule
//
// and the opposite on a. A table over speed goes on with its last value beyond its ends, so that what is given for one
// direction of running serves both if it is given from -w to w. With "against" the torque resists the motion: u T(|w|)
// tanh(w/w_0), w_0 = .1 rad/s.

#include "base/document.h"

#include <kane/formula.h>
#include <kane/laws.h>

#include <math.h>

// Below about this speed a brake's torque fades, so that a wheel can come to rest smoothly [rad/s].
static const double FADE = 0.1;

typedef struct motor {
    kane_motor in;
    int count;
    const double *speed, *torque; // [rad/s], [N m]
} motor;

static const kane_key keys[] = {
    KANE_KEY(kane_motor, torque, NUMBERS, REQUIRED, NULL, "N m", ANY, KANE_OR_ONE,
             "at full level: constant, or at the speeds of \"speed\"; positive: forward on the second body"),
    KANE_KEY(kane_motor, speed, NUMBERS, OPTIONAL, NULL, "rad/s", ANY, NULL,
             "of the second body against the first one, growing; linear between them, constant outside"),
    KANE_KEY(kane_motor, against, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: the torque resists the motion, as that of a brake; speeds are then sizes"),
    KANE_KEY(kane_motor, level, NUMBER, OPTIONAL, "1", "1", ANY, NULL, "factor until the input of this name is set"),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_motor, "motor", keys,
    "A torque between two bodies about the law's y, over their speed against each other; its input \"level\" multiplies it. On "
    "wheelsets it acts on the axle.");

static void *prepare_motor(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_motor *in = parameters;
    motor *p             = kane_law_memory(memory, 1, sizeof *p);
    const size_t count   = (size_t)in->torque.count;
    double *speed        = kane_law_memory(memory, count, sizeof *speed),
           *torque       = kane_law_memory(memory, count, sizeof *torque);
    if (!p || !speed || !torque)
        return NULL;
    if (count < 1 || (in->speed.count != in->torque.count && !(count == 1 && in->speed.count == 0))) {
        (void)kane_block_fault(errors, &in->block, "torque",
                               "has %d torques and %d speeds; needs as many of both, or one torque alone",
                               in->torque.count, in->speed.count);
        return NULL;
    }
    for (int i = 0; i < in->torque.count; i++) {
        torque[i] = in->torque.values[i];
        speed[i]  = in->speed.count > 0 ? in->speed.values[i] : 0.0;
        if ((i > 0 && !(speed[i] > speed[i - 1])) || (in->against && speed[i] < 0.0)) {
            kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&in->block, "speed", i),
                                  in->against && speed[i] < 0.0
                                      ? "%g rad/s is no size of a speed"
                                      : "%g rad/s is not after the one before: speeds must grow",
                                  speed[i]);
            return NULL;
        }
    }
    *p = (motor){*in, in->torque.count, speed, torque};
    return p;
}

// Torque [N m] at the speed w [rad/s] and its slope dT/dw, linear between points, constant beyond them.
static double interpolate_torque(const motor *p, double w, double *slope)
{
    *slope = 0.0;
    if (w <= p->speed[0])
        return p->torque[0];
    for (int i = 1; i < p->count; i++)
        if (w < p->speed[i]) {
            *slope = (p->torque[i] - p->torque[i - 1]) / (p->speed[i] - p->speed[i - 1]);
            return p->torque[i - 1] + *slope * (w - p->speed[i - 1]);
        }
    return p->torque[p->count - 1];
}

KANE_FORMULA motor_torque(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const motor *p      = law;
    const double level  = kane_formula_input(m, 0, p->in.level);
    const kane_scalar w = ks3_dot(m->a.axis[1], ks3_sub(m->b.omega, m->a.omega));
    double slope        = 0.0;
    if (!p->in.against) {
        const double torque = interpolate_torque(p, ks_value(w), &slope);
        out->torque.y       = ks_chain(w, level * torque, level * slope);
        return 0;
    }
    const double size = fabs(ks_value(w)), torque = interpolate_torque(p, size, &slope),
                 fade = tanh(ks_value(w) / FADE);
    const double sign = ks_value(w) < 0.0 ? -1.0 : 1.0;
    out->torque.y =
        ks_chain(w, -level * torque * fade, -level * (slope * sign * fade + torque * (1.0 - fade * fade) / FADE));
    return 0;
}

KANE_FORMULA_FUNCTIONS(motor_torque, kane_law_never_turns)

static int list_motor_inputs(const void *law, kane_law_input info[KANE_LAW_INPUTS])
{
    const motor *p = law;
    info[0]        = (kane_law_input){"level", "1", "factor of its torque", p->in.level};
    return 1;
}

static int list_motor_quantities(const void *law, kane_law_quantity info[KANE_LAW_QUANTITIES])
{
    (void)law;
    info[0] = (kane_law_quantity){"speed", "rad/s", "of the second body against the first one"};
    return 1;
}

static void eval_motor_quantities(const void *law, const kane_relative *r, double *values)
{
    (void)law;
    values[0] = kv3_dot(r->absolute->a.R.y, kv3_sub(r->absolute->b.omega, r->absolute->a.omega));
}

const kane_law kane_law_motor = {
    .name       = "motor",
    .help       = "A torque between two bodies over their speed.",
    .schema     = &schema,
    .preload    = KANE_PRELOAD_NONE,
    .prepare    = prepare_motor,
    .turns      = kane_law_never_turns,
    .absolute   = kane_law_is_absolute,
    .spins      = kane_law_is_absolute,
    .eval       = motor_torque_eval,
    .derive     = motor_torque_derive,
    .quantities = list_motor_quantities,
    .observe    = eval_motor_quantities,
    .inputs     = list_motor_inputs,
};
