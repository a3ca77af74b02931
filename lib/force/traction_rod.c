// SPDX-License-Identifier: MIT
// "traction rod": a rod in bushes along the line between two points.
//
//   parallel           T = k e + c e'                                 e: elongation since rest
//   with free play g   behind it, at the depth p = |e| - g, T = S(p) (1 + h p') on the way in, S(p)/(1 - h p') on the way
//                      out, S the elastic force with its onset s, h = 2 c (3 - 2 p/s)/(k s) up to s, c/(k (p - s/2)) beyond
//   series             a spring and a damper one behind the other (force/series.h)
//
// S h is the damping that is at work: c times the smooth step p^2/s^2 (3 - 2 p/s), from 0 at the end of the play to c.

#include "force/press.h"
#include "force/series.h"

typedef struct traction_rod {
    kane_traction_rod in;
    kane_series series; // its block and length serve both arrangements
} traction_rod;

static const char *const arrangements[] = {"parallel", "series", NULL};

static const kane_key keys[] = {
    KANE_KEY(kane_traction_rod, stiffness, NUMBER, REQUIRED, NULL, "N/m", POSITIVE, NULL, "force per elongation"),
    KANE_KEY(kane_traction_rod, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL, "force per speed"),
    KANE_KEY(kane_traction_rod, arrangement, CHOICE, OPTIONAL, "parallel", NULL, ANY, arrangements,
             "stiffness and damping side by side, or one behind the other; then it carries no lasting force"),
    KANE_KEY(kane_traction_rod, slack, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "free play from rest, each way; only side by side"),
    KANE_KEY(kane_traction_rod, onset, NUMBER, OPTIONAL, "1 mm", "m", POSITIVE, NULL,
             "length over which stiffness and damping set in behind the free play"),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_traction_rod, "traction rod", keys,
    "A rod in bushes along the line between two points, with free play if wanted; it carries no static load.");

static void *prepare_traction_rod(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_traction_rod *in = parameters;
    traction_rod *p             = kane_law_memory(memory, 1, sizeof *p);
    if (!p)
        return NULL;
    p->in                     = *in;
    p->series.block           = in->block;
    p->series.chain.stiffness = in->stiffness;
    if (in->arrangement != KANE_ROD_SERIES)
        return p;
    if (in->slack > 0.0) {
        (void)kane_block_fault(
            errors, &in->block, "slack",
            "free play needs a place to count from, which a rod \"in series\" has not: leave \"slack\" out, or "
            "take \"arrangement\": \"parallel\"");
        return NULL;
    }
    p->series.chain.damper = (kane_curve){.rate = in->damping};
    return kane_chain_prepare(&p->series.chain, kane_block_place(&in->block, "damping", -1), errors) == 0 ? p : NULL;
}

static int in_series(const traction_rod *p)
{
    return p->in.arrangement == KANE_ROD_SERIES;
}

static int list_rod_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    const traction_rod *p = law;
    return in_series(p) ? kane_series_states(&p->series, info) : 0;
}

static int set_rod_load(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    traction_rod *p = law;
    return kane_series_set_load(&p->series, d0, load, errors);
}

// Tension without states.
KANE_INLINE kane_scalar rod_tension(const traction_rod *p, const kane_line *line)
{
    const kane_traction_rod *in  = &p->in;
    const kane_scalar elongation = ks_shift(line->length, -p->series.length);
    if (in->slack == 0.0)
        return ks_add(ks_scale(in->stiffness, elongation), ks_scale(in->damping, line->rate));
    const double side       = ks_value(elongation) < 0.0 ? -1.0 : 1.0;
    const kane_scalar depth = ks_shift(ks_scale(side, elongation), -in->slack);
    if (ks_value(depth) <= 0.0)
        return ks_constant(0.0);
    const kane_scalar elastic = kane_onset_force(in->stiffness, in->onset, depth);
    const kane_scalar into =
        ks_mul(ks_scale(side, kane_onset_loss(in->stiffness, in->damping, in->onset, depth)), line->rate);
    return ks_mul(ks_scale(side, elastic), kane_onset_dissipate(into));
}

KANE_FORMULA rod_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const traction_rod *p = law;
    kane_line line;
    if (in_series(p))
        return kane_series_force(&p->series, m, out);
    const int status = kane_line_eval(m, &line);
    if (status != 0)
        return status;
    out->force = ks3_scale(ks_neg(rod_tension(p, &line)), line.n);
    return 0;
}

KANE_FORMULA_FUNCTIONS(rod_force, kane_law_never_turns)

static double eval_rod_energy(const void *law, const kane_relative *r)
{
    const traction_rod *p       = law;
    const kane_traction_rod *in = &p->in;
    if (in_series(p))
        return kane_series_energy(&p->series, r);
    const double elongation = kv3_norm(kv3_add(r->d0, r->d)) - p->series.length;
    if (in->slack == 0.0)
        return 0.5 * in->stiffness * elongation * elongation;
    return kane_onset_energy(in->stiffness, in->onset, fabs(elongation) - in->slack);
}

const kane_law kane_law_traction_rod = {
    .name    = "traction rod",
    .help    = "A rod in bushes along the line between two points.",
    .schema  = &schema,
    .preload = KANE_PRELOAD_NONE,
    .prepare = prepare_traction_rod,
    .turns   = kane_law_never_turns,
    .states  = list_rod_states,
    .settle  = set_rod_load,
    .eval    = rod_force_eval,
    .rates   = rod_force_rates,
    .derive  = rod_force_derive,
    .energy  = eval_rod_energy,
};
