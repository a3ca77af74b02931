// SPDX-License-Identifier: MIT
// "drawgear": draft gear, buffers and coupler in one, along the line between two vehicles.
//
// Behind half the slack on either side stands an elastic force F(travel); the friction in it is in proportion, so that
// loading follows F (1 + friction) and unloading F (1 - friction), and one goes over into the other through a layer that
// sticks (stick.h). The tension is their sum, and a damper's.

#include "force/line.h"
#include "force/press.h"
#include "force/stick.h"

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

static void *prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_drawgear *in = parameters;
    drawgear *g             = kane_law_memory(memory, 1, sizeof *g);
    if (!g)
        return NULL;
    g->in    = *in;
    g->stick = (kane_stick){.nominal = in->nominal_force, .displacement = in->stick_displacement};
    if (!(in->nominal_force > 0.0 && in->stick_displacement > 0.0)) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&in->block, NULL, -1),
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

static int settle(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    drawgear *g = law;
    (void)load;
    return kane_line_settle(&g->in.block, d0, &g->length, errors);
}

static int states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    const drawgear *g = law;
    info[0]           = (kane_law_state){.name   = "stick",
                                         .unit   = "1",
                                         .help   = "elastic displacement over that under the nominal force",
                                         .size   = 1.0 / g->in.stick_displacement,
                                         .memory = 1};
    return 1;
}

// Elastic tension, the limit of the friction, and their slopes at an elongation since rest.
typedef struct pull {
    double tension, stiffness, limit, limit_slope;
} pull;

static pull stretch(const drawgear *g, double elongation)
{
    const int side     = elongation < 0.0 ? COMPRESSION : TENSION;
    const double sign  = side == TENSION ? 1.0 : -1.0;
    const double share = side == TENSION ? g->in.tension.friction : g->in.compression.friction;
    double slope, none;
    const double force = kane_press_force(&g->press[side], sign * elongation, 0.0, &slope, &none);
    return (pull){sign * force, slope, share * force, share * slope * sign};
}

typedef struct moment {
    kane_line line;
    pull pull;
    kane_stick_state stick;
} moment;

static int observe(const drawgear *g, const kane_relative *r, int derivatives, moment *now)
{
    const double zeta = r->state ? r->state[0] : 0.0;
    const int status  = kane_line_observe(r, &now->line);
    if (status != 0)
        return status;
    now->pull = stretch(g, now->line.length - g->length);
    kane_stick_eval(&g->stick, now->pull.limit, kv3(now->line.rate, 0, 0), kv3(zeta, 0, 0), derivatives, &now->stick);
    return 0;
}

static double tension(const drawgear *g, const moment *now)
{
    return now->pull.tension + now->stick.force.x + g->in.damping * now->line.rate;
}

static int eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    const drawgear *g = law;
    moment now;
    const int status = observe(g, r, 0, &now);
    if (status != 0)
        return status;
    on_b->force = kv3_scale(-tension(g, &now), now.line.n);
    return 0;
}

static int rates(const void *law, const kane_relative *r, double *out)
{
    moment now;
    const int status = observe(law, r, 0, &now);
    if (status != 0)
        return status;
    out[0] = now.stick.rate.x;
    return 0;
}

static void derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    const drawgear *g = law;
    moment now;
    if (observe(g, r, 1, &now) != 0)
        return;
    const kane_line *line         = &now.line;
    const kane_stick_state *stick = &now.stick;
    const double stiffness        = now.pull.stiffness + stick->force_limit.x * now.pull.limit_slope;
    kane_line_derive(line, r, tension(g, &now), stiffness, stick->force_v.x.x + g->in.damping, out);

    // d(rate of the length) = n.dv + (v - rate n).dd/length
    const kane_vec3 turning = kv3_scale(1.0 / line->length, kv3_add_scaled(r->v, -line->rate, line->n));
    out->state[0].force     = kv3_scale(-stick->force_zeta.x.x, line->n);
    out->state[0].rate_v    = kv3_scale(stick->rate_v.x.x, line->n);
    out->state[0].rate_d =
        kv3_add_scaled(kv3_scale(stick->rate_v.x.x, turning), stick->rate_limit.x * now.pull.limit_slope, line->n);
    out->state[0].rate_state[0] = stick->rate_zeta.x.x;
}

static double energy(const void *law, const kane_relative *r)
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
    .prepare = prepare,
    .turns   = kane_law_never_turns,
    .states  = states,
    .settle  = settle,
    .eval    = eval,
    .rates   = rates,
    .derive  = derive,
    .energy  = energy,
};
