// SPDX-License-Identifier: MIT
// Names of modes: the freedom that has most of the kinetic energy, and the bodies that share in it.
//
//   "car body bounce"                             one body has most of it
//   "front bogie, rear bogie yaw (opposed)"       others have at least half as much in the same freedom; how they go together
//   "car body longitudinal and pitch"             another freedom of the same body has at least half as much
//   "car body lower sway"                         lateral and roll together, about a point below the mass centre (upper: above)
//   "car body.mode 1"                             a flexible body deforms
//   "leading lateral (hunting)"                   wheelsets take part and steer as they go: yaw a quarter before or after lateral

#include "simulate/linear_parts.h"

#include "base/text.h"

#include <math.h>

static const double ALSO    = 0.5; // of the largest share: named, too
static const double SWAYS   = 0.1; // of lateral and roll together: the smaller one counts
static const double STEERS  = 0.2; // of the largest displacement: wheelsets take part
static const double QUARTER = 0.7; // |sin| of the phase between what is called a quarter apart
static const double FADES   = 0.7; // damping ratio above which nothing is called hunting

static double energy_share(const kane_modes *modes, int mode, int body, int freedom)
{
    return kane_modes_share(modes, mode, body, (kane_coordinate)freedom);
}

static const char *freedom_name(const kane_modes *modes, int body, int freedom)
{
    static const char *const words[] = {"longitudinal", "lateral", "vertical", "yaw", "roll", "pitch"};
    const kane_model *model          = modes->model;
    if (freedom == KANE_Z && model->guide >= 0)
        return "bounce";
    if (freedom == KANE_PITCH && model->bodies[body].kind == KANE_BODY_SPINNING)
        return "spin";
    return words[freedom];
}

// Phase of b against a: its cosine and sine.
typedef struct phase {
    double cosine, sine;
} phase;

static phase phase_between(const kane_modes *modes, int mode, size_t a, size_t b)
{
    const size_t first = (size_t)mode * (size_t)modes->rows;
    const double ar = modes->shape[0][first + a], ai = modes->shape[1][first + a];
    const double br = modes->shape[0][first + b], bi = modes->shape[1][first + b];
    const double size = hypot(ar, ai) * hypot(br, bi);
    if (!(size > 0.0))
        return (phase){1.0, 0.0};
    return (phase){(ar * br + ai * bi) / size, (ar * bi - ai * br) / size};
}

static size_t shape_index(int body, int freedom)
{
    return (size_t)body * KANE_SHAPE + (size_t)freedom;
}

static double displacement_size(const kane_modes *modes, int mode, int body, int freedom)
{
    const size_t k = (size_t)mode * (size_t)modes->rows + shape_index(body, freedom);
    return hypot(modes->shape[0][k], modes->shape[1][k]) * kane_mode_lever(modes, body, freedom);
}

// A word for lateral and roll of one body together, NULL if it is not so. Heights above the mass centre move by y -
// roll h.
static const char *sway_word(const kane_modes *modes, int mode, int body)
{
    static const char *const upper = "upper sway", *const lower = "lower sway";
    const double lateral = energy_share(modes, mode, body, KANE_Y), roll = energy_share(modes, mode, body, KANE_ROLL);
    if (!(fmin(lateral, roll) > SWAYS * (lateral + roll)))
        return NULL;
    const phase p = phase_between(modes, mode, shape_index(body, KANE_ROLL), shape_index(body, KANE_Y));
    return p.cosine > 0.0 ? upper : lower;
}

// The same for all bodies that are named, NULL where they differ.
static const char *common_sway(const kane_modes *modes, int mode, int count, const int *bodies)
{
    const char *word = sway_word(modes, mode, bodies[0]);
    for (int i = 1; i < count; i++)
        if (sway_word(modes, mode, bodies[i]) != word)
            return NULL;
    return word;
}

static int is_hunting(const kane_modes *modes, int mode)
{
    for (int j = 0; j < modes->model->body_count; j++) {
        if (modes->model->bodies[j].wheels < 0 || !(displacement_size(modes, mode, j, KANE_Y) > STEERS))
            continue;
        const phase p = phase_between(modes, mode, shape_index(j, KANE_Y), shape_index(j, KANE_YAW));
        if (fabs(p.sine) > QUARTER)
            return 1;
    }
    return 0;
}

static void find_largest(const kane_modes *modes, int mode, int *body, int *freedom)
{
    *body = *freedom = 0;
    for (int j = 0; j < modes->model->body_count; j++)
        for (int c = 0; c < KANE_SHAPE; c++)
            if (energy_share(modes, mode, j, c) > energy_share(modes, mode, *body, *freedom) * (1.0 + 1e-6)) {
                *body    = j;
                *freedom = c;
            }
}

// How the bodies named go together: in words for two, by signs for more.
static void add_phases(kane_text *text, int count, const phase *phases)
{
    const int opposed = phases[count - 1].cosine<-QUARTER, together = phases[count - 1].cosine> QUARTER;
    if (count == 2) {
        kane_text_add(text, " (%s)", opposed ? "opposed" : together ? "in phase" : "a quarter apart");
        return;
    }
    kane_text_add(text, " (");
    for (int i = 0; i < count; i++) {
        const double c = phases[i].cosine;
        kane_text_add(text, "%s%s", i ? " " : "",
                      c > QUARTER            ? "+"
                      : c < -QUARTER         ? "-"
                      : phases[i].sine > 0.0 ? "i"
                                             : "-i");
    }
    kane_text_add(text, ")");
}

enum { NAMED = 8 };

void kane_mode_name(const kane_modes *modes, int mode, size_t size, char *name)
{
    kane_text text = kane_text_start(size, name);
    int body, freedom, bodies[NAMED], count = 0, more = 0;
    phase phases[NAMED];
    find_largest(modes, mode, &body, &freedom);
    const double largest = energy_share(modes, mode, body, freedom);
    if (!(largest > 0.0)) {
        kane_text_add(&text, "forces only, no body moves");
        return;
    }
    for (int j = 0; j < modes->model->body_count; j++) {
        if (energy_share(modes, mode, j, freedom) < ALSO * largest)
            continue;
        if (count == NAMED) {
            more++;
            continue;
        }
        bodies[count] = j;
        phases[count] = phase_between(modes, mode, shape_index(bodies[0], freedom), shape_index(j, freedom));
        kane_text_add(&text, "%s%s", count++ ? ", " : "", modes->model->bodies[j].name);
    }
    if (more > 0)
        kane_text_add(&text, " and %d more", more);
    const char *swaying = freedom == KANE_Y || freedom == KANE_ROLL ? common_sway(modes, mode, count, bodies) : NULL;
    if (modes->model->bodies[bodies[0]].part != KANE_PART_MODE) // which is a freedom of its own
        kane_text_add(&text, " %s", swaying ? swaying : freedom_name(modes, bodies[0], freedom));
    for (int c = 0; c < KANE_SHAPE; c++)
        if (c != freedom && !(swaying && (c == KANE_Y || c == KANE_ROLL)) &&
            energy_share(modes, mode, bodies[0], c) >= ALSO * largest)
            kane_text_add(&text, " and %s", freedom_name(modes, bodies[0], c));
    if (count > 1)
        add_phases(&text, count, phases);
    const int sideways = freedom == KANE_Y || freedom == KANE_ROLL || freedom == KANE_YAW;
    if (sideways && modes->modes[mode].kind == KANE_MODE_OSCILLATES && modes->modes[mode].damping < FADES &&
        is_hunting(modes, mode))
        kane_text_add(&text, " (hunting)");
}
