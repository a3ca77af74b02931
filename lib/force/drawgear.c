// SPDX-License-Identifier: MIT
// "drawgear": draft gear, buffers and coupler in one, along the line between two vehicles.
//
// Beyond half the slack on either side acts an elastic force F(travel); the friction in it is in proportion, so that
// loading follows F (1 + friction) and unloading F (1 - friction), and one goes over into the other through a layer
// that sticks (surface.h). The tension is their sum, and a damper's.

#include "force/characteristic.h"
#include "force/surface.h"

enum { TENSION, COMPRESSION, SIDES };

typedef struct drawgear {
    kane_drawgear in;
    kane_press press[SIDES];
    kane_stick stick;
    double length; // at rest [m]
} drawgear;

static const kane_key draft_keys[] = {
    KANE_KEY(kane_draft, stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL, "behind the slack"),
    KANE_KEY(kane_draft, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_press_characteristic_schema,
             "instead of \"stiffness\": force over travel, half-way between loading and unloading"),
    KANE_KEY(kane_draft, friction, NUMBER, OPTIONAL, "0", "1", FRACTION, NULL,
             "share f of the elastic force: loading takes 1 + f of it, unloading gives 1 - f back"),
};

static const kane_schema draft_schema =
    KANE_SCHEMA(kane_draft, "draft", draft_keys, "One direction of a drawgear: elastic, with friction in proportion.");

static const kane_key keys[] = {
    KANE_KEY(kane_drawgear, tension, OBJECT, REQUIRED, NULL, NULL, ANY, &draft_schema, "where the vehicles pull"),
    KANE_KEY(kane_drawgear, compression, OBJECT, REQUIRED, NULL, NULL, ANY, &draft_schema, "where they push"),
    KANE_KEY(kane_drawgear, slack, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "free travel in all; at rest the coupling stands in its middle"),
    KANE_KEY(kane_drawgear, onset, NUMBER, OPTIONAL, "1 mm", "m", POSITIVE, NULL,
             "travel over which a stiffness sets in"),
    KANE_KEY(kane_drawgear, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL,
             "of a damper beside it, in the slack too"),
    KANE_KEY(kane_drawgear, stick_displacement, NUMBER, OPTIONAL, "1 mm", "m", POSITIVE, NULL,
             "elastic displacement of the friction under \"nominal_force\""),
    KANE_KEY(kane_drawgear, nominal_force, NUMBER, OPTIONAL, "100 kN", "N", POSITIVE, NULL,
             "friction force for which \"stick_displacement\" is meant"),
};

static const kane_schema schema =
    KANE_SCHEMA(kane_drawgear, "drawgear", keys,
                "Draft gear, buffers and coupler in one, along the line between two points on neighbouring vehicles; "
                "it carries no static load.");

static void *prepare_drawgear(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_drawgear *in = parameters;
    drawgear *g             = kane_law_memory(memory, 1, sizeof *g);
    if (!g)
        return NULL;
    g->in    = *in;
    g->stick = (kane_stick){.nominal = in->nominal_force, .displacement = in->stick_displacement};
    if (!(in->nominal_force > 0.0 && in->stick_displacement > 0.0)) {
        (void)kane_block_fault(errors, &in->block, NULL,
                               "\"nominal_force\" and \"stick_displacement\" must be positive");
        return NULL;
    }
    for (int side = 0; side < SIDES; side++) {
        const kane_draft *draft = side == TENSION ? &in->tension : &in->compression;
        if (kane_press_prepare(&in->block, &draft->characteristic, draft->stiffness, in->onset, 0.0, memory, errors,
                               &g->press[side]) != 0)
            return NULL;
        g->press[side].start = -0.5 * in->slack;
    }
    return g;
}

static int set_drawgear_length(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    drawgear *g = law;
    (void)load;
    return kane_line_rest_length(&g->in.block, d0, &g->length, errors);
}

static int list_drawgear_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    const drawgear *g = law;
    info[0]           = (kane_law_state){.name   = "stick",
                                         .unit   = "1",
                                         .help   = "elastic displacement over that under the nominal force",
                                         .size   = 1.0 / g->in.stick_displacement,
                                         .memory = 1};
    return 1;
}

KANE_FORMULA drawgear_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const drawgear *g = law;
    kane_line line;
    const int status = kane_line_eval(m, &line);
    if (status != 0)
        return status;
    // elastic, and the limit of the friction
    const kane_scalar elongation = ks_shift(line.length, -g->length), none = ks_constant(0.0);
    const int side               = ks_value(elongation) < 0.0 ? COMPRESSION : TENSION;
    const double sign            = side == TENSION ? 1.0 : -1.0;
    const double share           = side == TENSION ? g->in.tension.friction : g->in.compression.friction;
    const kane_scalar force      = kane_press_force(&g->press[side], ks_scale(sign, elongation), none);
    const kane_stick_state stick = kane_stick_eval(&g->stick, ks_scale(share, force), ks3(line.rate, none, none),
                                                   ks3(kane_formula_state(m, 0), none, none));

    const kane_scalar pull    = ks_add(ks_scale(sign, force), stick.force.x);
    const kane_scalar tension = ks_add(pull, ks_scale(g->in.damping, line.rate));
    out->force                = ks3_scale(ks_neg(tension), line.n);
    kane_formula_rate(out, 0, stick.rate.x);
    return 0;
}

KANE_FORMULA_FUNCTIONS(drawgear_force, kane_law_never_turns)

static double eval_drawgear_energy(const void *law, const kane_relative *r)
{
    const drawgear *g       = law;
    const double elongation = kv3_norm(kv3_add(r->d0, r->d)) - g->length;
    const kane_vec3 zeta    = kv3(r->state ? r->state[0] : 0.0, 0.0, 0.0);
    return kane_press_energy(&g->press[TENSION], elongation) + kane_press_energy(&g->press[COMPRESSION], -elongation) +
           kane_stick_energy(&g->stick, zeta);
}

const kane_law kane_law_drawgear = {
    .name    = "drawgear",
    .help    = "Draft gear, buffers and coupler in one, along the line between two vehicles.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare_drawgear,
    .turns   = kane_law_never_turns,
    .states  = list_drawgear_states,
    .settle  = set_drawgear_length,
    .eval    = drawgear_force_eval,
    .rates   = drawgear_force_rates,
    .derive  = drawgear_force_derive,
    .energy  = eval_drawgear_energy,
};
