// SPDX-License-Identifier: MIT
// "traction rod": a rod in bushes along the line between two points.
//
//   parallel           T = k e + c e'                                 e: elongation since rest
//   with free play g   behind it, at the depth p = |e| - g, T = S(p) (1 + h p') on the way in, S(p)/(1 - h p') on the way
//                      out, S the elastic force with its onset s, h = 2 c (3 - 2 p/s)/(k s) up to s, c/(k (p - s/2)) beyond
//   series             a spring and a damper one behind the other (force/series.h)
//
// S h is the damping that is at work: c times the smooth step p^2/s^2 (3 - 2 p/s), from 0 at the end of the play to c.

#include "force/line.h"
#include "force/onset.h"
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

static void *prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_traction_rod *in = parameters;
    traction_rod *p             = kane_law_memory(memory, 1, sizeof *p);
    if (!p)
        return NULL;
    p->in               = *in;
    p->series.block     = in->block;
    p->series.stiffness = in->stiffness;
    if (in->arrangement != KANE_ROD_SERIES)
        return p;
    if (in->slack > 0.0) {
        kane_errors_add_input(
            errors, KANE_BAD_INPUT, kane_block_place(&in->block, "slack", -1),
            "free play needs a place to count from, which a rod \"in series\" has not: leave \"slack\" out, or "
            "take \"arrangement\": \"parallel\"");
        return NULL;
    }
    p->series.damper = (kane_curve){.rate = in->damping};
    return kane_series_prepare(&p->series, kane_block_place(&in->block, "damping", -1), errors) == 0 ? p : NULL;
}

static int in_series(const traction_rod *p)
{
    return p->in.arrangement == KANE_ROD_SERIES;
}

static int states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    const traction_rod *p = law;
    return in_series(p) ? kane_series_states(&p->series, info) : 0;
}

static int settle(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    traction_rod *p = law;
    return kane_series_settle(&p->series, d0, load, errors);
}

// The constant h at a depth p > 0 and its slope.
static double lossy(const kane_traction_rod *in, double depth, double *slope)
{
    if (depth < in->onset) {
        const double full = 2.0 * in->damping / (in->stiffness * in->onset);
        *slope            = -2.0 * full / in->onset;
        return full * (3.0 - 2.0 * depth / in->onset);
    }
    const double length = depth - 0.5 * in->onset, h = in->damping / (in->stiffness * length);
    *slope = -h / length;
    return h;
}

// Tension without states, and what it grows by.
static double tension(const traction_rod *p, const kane_line *line, double *stiffness, double *damping)
{
    const kane_traction_rod *in = &p->in;
    const double elongation     = line->length - p->series.length;
    if (in->slack == 0.0) {
        *stiffness = in->stiffness;
        *damping   = in->damping;
        return in->stiffness * elongation + in->damping * line->rate;
    }
    const double side = elongation < 0.0 ? -1.0 : 1.0, depth = side * elongation - in->slack;
    *stiffness = *damping = 0.0;
    if (depth <= 0.0)
        return 0.0;
    double k, h_slope, f_slope;
    const double elastic = kane_onset_force(in->stiffness, in->onset, depth, &k);
    const double h       = lossy(in, depth, &h_slope);
    const double factor  = kane_onset_dissipate(h * side * line->rate, &f_slope);
    *stiffness           = k * factor + elastic * f_slope * h_slope * side * line->rate;
    *damping             = elastic * f_slope * h;
    return side * elastic * factor;
}

static int eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    const traction_rod *p = law;
    kane_line line;
    double stiffness, damping;
    if (in_series(p))
        return kane_series_eval(&p->series, r, on_b);
    const int status = kane_line_observe(r, &line);
    if (status != 0)
        return status;
    on_b->force = kv3_scale(-tension(p, &line, &stiffness, &damping), line.n);
    return 0;
}

static int rates(const void *law, const kane_relative *r, double *rate)
{
    const traction_rod *p = law;
    return kane_series_rates(&p->series, r, rate);
}

static void derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    const traction_rod *p = law;
    kane_line line;
    double stiffness, damping;
    if (in_series(p)) {
        kane_series_derive(&p->series, r, out);
        return;
    }
    if (kane_line_observe(r, &line) != 0)
        return;
    const double T = tension(p, &line, &stiffness, &damping);
    kane_line_derive(&line, r, T, stiffness, damping, out);
}

static double energy(const void *law, const kane_relative *r)
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
    .prepare = prepare,
    .turns   = kane_law_never_turns,
    .states  = states,
    .settle  = settle,
    .eval    = eval,
    .rates   = rates,
    .derive  = derive,
    .energy  = energy,
};
