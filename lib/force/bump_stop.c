// SPDX-License-Identifier: MIT
// "bump stop": a gap along one axis of body a, round in a plane or round in space, and what is met behind it; with
// friction it is a horn guide, a pin in its bush or a ball in its socket.
//
// With e, the displacement in the directions of the gap, and n = e/|e|: force -N n on b, N of the compression |e| -
// clearance by press.h, friction up to mu N against the motion of the surfaces across n by surface.h. Surfaces touch at
// R n from b's point, R: radius of the pin, so that friction has the torque R n x F.

#include "force/surface.h"

#include "base/document.h"

typedef struct bump_stop {
    kane_bump_stop in;
    kane_vec3 gap;        // 1 for axes of body a along which there is a gap
    int is_round;         // along several
    kane_press press[2];  // towards minus and plus; round: the same
    kane_surface surface; // with a coefficient
} bump_stop;

static const char *const directions[] = {"x", "y", "z", "xy", "xz", "yz", "xyz", NULL};

static const kane_key keys[] = {
    KANE_KEY(kane_bump_stop, direction, CHOICE, REQUIRED, NULL, NULL, ANY, directions,
             "axis of body a; plane in which the gap is round, as of a pin; \"xyz\": round in space, as of a ball"),
    KANE_KEY(kane_bump_stop, clearance, NUMBERS, REQUIRED, NULL, "m", NOT_NEGATIVE, KANE_OR_ONE,
             "free travel of b from rest: one number for all ways, or along an axis towards minus and towards plus"),
    KANE_KEY(kane_bump_stop, stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL, "behind the gap"),
    KANE_KEY(kane_bump_stop, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_spring_characteristic_schema,
             "instead of \"stiffness\": force over compression, from 0"),
    KANE_KEY(kane_bump_stop, hertz, NUMBER, OPTIONAL, NULL, "N/m^1.5", POSITIVE, NULL,
             "instead of \"stiffness\": K of Hertz' contact, K compression^1.5"),
    KANE_KEY(kane_bump_stop, onset, NUMBER, OPTIONAL, "1 mm", "m", POSITIVE, NULL,
             "compression over which the stiffness sets in"),
    KANE_KEY(kane_bump_stop, dissipation, NUMBER, OPTIONAL, "0 s/m", "s/m", NOT_NEGATIVE, NULL,
             "h: the force is that of rest times 1 + h times the speed of compression"),
    KANE_KEY(kane_bump_stop, radius, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "of the pin or ball b, at which friction resists its rotation; a round gap only"),
    KANE_KEY(kane_bump_stop, coefficient, NUMBER, OPTIONAL, "0", "1", NOT_NEGATIVE, NULL,
             "friction over the force of the stop, which it presses with"),
    KANE_DRY_FRICTION_KEYS(kane_bump_stop, friction),
};

static const kane_schema schema =
    KANE_SCHEMA(bump_stop, "bump stop", keys,
                "A gap in one direction of body a and a stop behind it, on one or both sides, or round about.");

// What is behind the gap. Returns 0, or not 0 with errors filled.
static int prepare_press(const kane_bump_stop *in, kane_arena *memory, kane_errors *errors, kane_press *stop)
{
    const int curved = in->characteristic.at.count > 0, linear = kane_block_has(&in->block, "stiffness");
    if (in->characteristic.from != KANE_FROM_STATIC)
        return kane_block_fault(errors, &in->characteristic.block, "from",
                                "a bump stop carries no static load: leave \"from\" out");
    if (in->stiffness == 0.0 && in->hertz == 0.0 && !curved && !linear)
        return kane_block_fault(errors, &in->block, NULL,
                                "needs a \"stiffness\", a \"characteristic\" or \"hertz\" behind the gap");
    if (in->hertz > 0.0 && (curved || in->stiffness > 0.0))
        return kane_block_fault(errors, &in->block, "hertz",
                                "is instead of \"stiffness\" and \"characteristic\": leave one of them out");
    if ((in->hertz > 0.0 || curved) && kane_block_has(&in->block, "onset"))
        return kane_block_fault(errors, &in->block, "onset", "has no effect without a \"stiffness\"");
    *stop = (kane_press){
        .hertz = in->hertz, .stiffness = in->stiffness, .onset = in->onset, .dissipation = in->dissipation};
    return kane_curve_prepare(&in->characteristic, 0.0, memory, errors, &stop->curve);
}

// Friction across the gap: across its axis, or everywhere across a direction that turns. Returns 0, or not 0 with
// errors filled.
static int prepare_friction(bump_stop *p, kane_errors *errors)
{
    static const char *const of_friction[] = {"model",      "stick_displacement", "stick_damping",
                                              "slip_speed", "nominal_load",       NULL};
    const kane_bump_stop *in               = &p->in;
    const kane_vec3 across                 = p->is_round ? kv3(1.0, 1.0, 1.0) : kv3_sub(kv3(1.0, 1.0, 1.0), p->gap);
    const int may_rub                      = in->coefficient > 0.0 || kane_block_has(&in->block, "coefficient");
    for (int i = 0; !may_rub && of_friction[i]; i++)
        if (kane_block_has(&in->block, of_friction[i]))
            return kane_block_fault(errors, &in->block, of_friction[i],
                                    "has no effect without a \"coefficient\" of friction");
    if (in->radius > 0.0 && !(p->is_round && may_rub))
        return kane_block_fault(errors, &in->block, "radius",
                                "has no effect without a round gap and a \"coefficient\" of friction");
    if (in->coefficient == 0.0)
        return 0;
    if (kane_surface_prepare(&in->block, &in->friction, across, errors, &p->surface) != 0)
        return 1;
    return kane_surface_set_limit(&in->block, &p->surface, in->coefficient * in->friction.nominal_load, errors);
}

static void *prepare_bump_stop(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_bump_stop *in = parameters;
    bump_stop *p             = kane_law_memory(memory, 1, sizeof *p);
    kane_press stop;
    if (!p)
        return NULL;
    p->in       = *in;
    p->gap      = kane_direction_axes(in->direction);
    p->is_round = kv3_dot(p->gap, p->gap) > 1.0;
    if (in->clearance.count < 1 || in->clearance.count > (p->is_round ? 1 : 2)) {
        (void)kane_block_fault(errors, &in->block, "clearance", "has %d numbers; needs one%s", in->clearance.count,
                               p->is_round ? ", for all directions" : " for both ways, or two");
        return NULL;
    }
    if (prepare_press(in, memory, errors, &stop) != 0)
        return NULL;
    for (int i = 0; i < 2; i++) {
        p->press[i]       = stop;
        p->press[i].start = -in->clearance.values[i == 0 ? 0 : in->clearance.count - 1];
    }
    return prepare_friction(p, errors) == 0 ? p : NULL;
}

static int bump_stop_turns(const void *law)
{
    return ((const bump_stop *)law)->in.radius > 0.0;
}

static int list_bump_stop_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    static const char *const names[] = {"stick_x", "stick_y", "stick_z"};
    const bump_stop *p               = law;
    return p->in.coefficient > 0.0 ? kane_surface_states(&p->surface, names, info) : 0;
}

// Along an axis: d = n.d, pressed against the side on which b is.
KANE_INLINE kane_press_contact press_side(const bump_stop *p, const kane_formula_motion *m)
{
    const kane_scalar d = ks3_along(m->d, p->gap), v = ks3_along(m->v, p->gap);
    const int plus    = ks_value(d) >= 0.0;
    const double side = plus ? 1.0 : -1.0; // compression grows with side d
    kane_press_contact c;
    c.force = kane_press_force(&p->press[plus], ks_scale(side, d), ks_scale(side, v));
    c.n     = ks3_constant(kv3_scale(side, p->gap));
    return c;
}

KANE_FORMULA bump_stop_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const bump_stop *p = law;
    const kane_press_contact contact =
        p->is_round ? kane_press_around(&p->press[0], ks3_mul(p->gap, m->d), ks3_mul(p->gap, m->v)) : press_side(p, m);
    out->force = ks3_neg(ks3_scale(contact.force, contact.n));
    if (p->in.coefficient > 0.0)
        kane_surface_rub_across(&p->surface, p->in.coefficient, &contact, p->in.radius, m, out);
    return 0;
}

KANE_FORMULA_FUNCTIONS(bump_stop_force, bump_stop_turns)

static double eval_bump_stop_energy(const void *law, const kane_relative *r)
{
    const bump_stop *p = law;
    const kane_vec3 e  = kv3(p->gap.x * r->d.x, p->gap.y * r->d.y, p->gap.z * r->d.z);
    const int plus     = p->is_round || kv3_dot(p->gap, r->d) >= 0.0;
    const double layer = p->in.coefficient > 0.0 ? kane_surface_energy(&p->surface, r, 0) : 0.0;
    return kane_press_energy(&p->press[plus], kv3_norm(e)) + layer;
}

const kane_law kane_law_bump_stop = {
    .name   = "bump stop",
    .help   = "A gap in one direction or round about, a stop behind it; with friction a horn guide, a pin in its bush.",
    .schema = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare_bump_stop,
    .turns   = bump_stop_turns,
    .states  = list_bump_stop_states,
    .eval    = bump_stop_force_eval,
    .rates   = bump_stop_force_rates,
    .derive  = bump_stop_force_derive,
    .energy  = eval_bump_stop_energy,
};
