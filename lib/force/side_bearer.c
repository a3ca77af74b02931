// SPDX-License-Identifier: MIT
// "side bearer": a sliding bearer beside the centre plate, pressed by a given load or behind a gap.

#include "force/surface.h"

typedef struct side_bearer {
    kane_side_bearer in;
    kane_press press;
    kane_surface surface;
    double side; // +1: pushes b up
} side_bearer;

static const char *const directions[] = {"up", "down", NULL};

static const kane_key keys[] = {
    KANE_KEY(kane_side_bearer, direction, CHOICE, OPTIONAL, "up", NULL, ANY, directions,
             "in which direction, along z of body a, it pushes b"),
    KANE_KEY(kane_side_bearer, bearing_load, NUMBER, OPTIONAL, "0 N", "N", NOT_NEGATIVE, NULL,
             "vertical load at rest: constant contact"),
    KANE_KEY(kane_side_bearer, clearance, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "gap at rest, instead of a load"),
    KANE_KEY(kane_side_bearer, stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "vertical; the bearer cannot pull"),
    KANE_KEY(kane_side_bearer, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_press_characteristic_schema,
             "instead of \"stiffness\": force over compression"),
    KANE_KEY(kane_side_bearer, onset, NUMBER, OPTIONAL, "0.1 mm", "m", POSITIVE, NULL,
             "compression over which the stiffness sets in"),
    KANE_KEY(kane_side_bearer, dissipation, NUMBER, OPTIONAL, "0 s/m", "s/m", NOT_NEGATIVE, NULL,
             "h: the load is that of rest times 1 + h times the speed of compression"),
    KANE_KEY(kane_side_bearer, coefficient, NUMBER, REQUIRED, NULL, "1", POSITIVE, NULL, "friction over the load"),
    KANE_DRY_FRICTION_KEYS(kane_side_bearer, friction),
};

static const kane_schema schema =
    KANE_SCHEMA(kane_side_bearer, "side bearer", keys,
                "A sliding bearer across z of body a, pressed by a given load or behind a gap.");

static int press_at_rest(side_bearer *s, kane_errors *errors)
{
    const kane_side_bearer *in = &s->in;
    if (in->bearing_load > 0.0 && in->clearance > 0.0) {
        (void)kane_block_fault(errors, &in->block, "clearance",
                               "a bearer that is pressed by %g N has no clearance; leave one of them out",
                               in->bearing_load);
        return 1;
    }
    if (kane_press_set_load(&s->press, in->bearing_load) != 0) {
        (void)kane_block_fault(errors, &in->characteristic.block, NULL, "reaches the load of %g N nowhere",
                               in->bearing_load);
        return 1;
    }
    if (in->bearing_load == 0.0)
        s->press.start = -in->clearance;
    return 0;
}

static void *prepare_side_bearer(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_side_bearer *in = parameters;
    const double nominal       = in->friction.nominal_load > 0.0 ? in->friction.nominal_load : in->bearing_load;
    side_bearer *s             = kane_law_memory(memory, 1, sizeof *s);
    if (!s)
        return NULL;
    s->in   = *in;
    s->side = in->direction == 0 ? 1.0 : -1.0;
    if (kane_press_prepare(&in->block, &in->characteristic, in->stiffness, in->onset, in->dissipation, memory, errors,
                           &s->press) != 0 ||
        press_at_rest(s, errors) != 0 ||
        kane_surface_prepare(&in->block, &in->friction, kv3(1, 1, 0), errors, &s->surface) != 0)
        return NULL;
    return kane_surface_set_limit(&in->block, &s->surface, in->coefficient * nominal, errors) == 0 ? s : NULL;
}

static int list_side_bearer_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    static const char *const names[] = {"stick_x", "stick_y", NULL};
    return kane_surface_states(&((const side_bearer *)law)->surface, names, info);
}

// Load N of the bearer on b, vertical, and friction in its plane up to mu N.
KANE_FORMULA side_bearer_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const side_bearer *s = law;
    const kane_scalar N  = kane_press_force(&s->press, ks_scale(-s->side, m->d.z), ks_scale(-s->side, m->v.z));
    out->force.z         = ks_scale(s->side, N);
    kane_surface_rub(&s->surface, ks_scale(s->in.coefficient, N), m, 0, out);
    return 0;
}

KANE_FORMULA_FUNCTIONS(side_bearer_force, kane_law_never_turns)

static double eval_side_bearer_energy(const void *law, const kane_relative *r)
{
    const side_bearer *s = law;
    return kane_press_energy(&s->press, -s->side * r->d.z) + kane_surface_energy(&s->surface, r, 0);
}

const kane_law kane_law_side_bearer = {
    .name    = "side bearer",
    .help    = "A sliding bearer pressed by a given load, or behind a gap.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare_side_bearer,
    .turns   = kane_law_never_turns,
    .states  = list_side_bearer_states,
    .eval    = side_bearer_force_eval,
    .rates   = side_bearer_force_rates,
    .derive  = side_bearer_force_derive,
    .energy  = eval_side_bearer_energy,
};
