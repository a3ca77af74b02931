// SPDX-License-Identifier: MIT
// Modes that grow while a vehicle runs along a steady stretch of its line.
//
// Rows say where the run was, how fast, and in which state in a stretch. At its end the vehicle's equilibrium is found
// there, from that state, and its eigenvalues: a method that damps what grows shows nothing of it as long as that is
// smaller than the tolerances, for its steps are long then.

#include "run/growing.h"

#include <kane/integrator.h>
#include <kane/linear.h>
#include <kane/report.h>

#include "base/number.h"
#include "base/text.h"
#include "model/model.h"
#include "simulate/linear_parts.h"
#include "simulate/simulation.h"

#include <math.h>
#include <string.h>

static const double STAY   = 1.0;  // a stretch that is left earlier says little [s]
static const double POINT  = 5.0;  // between two points of a line that is given by a table [m]
static const double SAME   = 1e-3; // speeds that differ by less, over the speed, are the same
static const double SLOWER = 0.01; // a vehicle that has lost less of its speed is analysed at its present speed

// --- stretches of the line ---

static int add_stretch(kane_growth_watch *w, double from, double to, double curvature, double superelevation)
{
    kane_stretch *last = w->count > 0 ? &w->stretches[w->count - 1] : NULL;
    if (last && last->to == from && last->curvature == curvature && last->superelevation == superelevation) {
        last->to = to;
        return 1;
    }
    kane_stretch *stretches = kane_arena_grow(w->arena, w->stretches, w->count, &w->room, sizeof *stretches);
    if (!stretches)
        return 0;
    w->stretches = stretches;
    w->stretches[w->count++] =
        (kane_stretch){.from = from, .to = to, .curvature = curvature, .superelevation = superelevation};
    return 1;
}

// Of measured points: as long as curvature and cant stay within the tolerances of a section (docs/analyses.md), at
// their means.
static int add_table(kane_growth_watch *w, const kane_track_section *section)
{
    const kane_track *track              = w->run->track;
    const kane_section_tolerance allowed = kane_section_tolerance_get();
    const int points                     = (int)ceil(section->length / POINT);
    double from = section->start, k[2] = {0.0, 0.0}, u[2] = {0.0, 0.0}, mean_k = 0.0, mean_u = 0.0;
    for (int i = 0, n = 0; i <= points; i++) {
        const double s = section->start + section->length * i / points;
        kane_track_state at;
        kane_track_describe(track, kane_track_find(track, s), s, &at);
        const double least_k = fmin(k[0], at.curvature), most_k = fmax(k[1], at.curvature);
        const double least_u = fmin(u[0], at.superelevation), most_u = fmax(u[1], at.superelevation);
        const int fits = n == 0 || (most_u - least_u <= allowed.superelevation &&
                                    most_k - least_k <= allowed.curvature * fmax(fabs(most_k), fabs(least_k)));
        if (!fits || i == points) {
            const double to = fits ? s : s - section->length / points;
            if (n > 1 && !add_stretch(w, from, to, mean_k / n, mean_u / n))
                return 0;
            from   = s;
            n      = 0;
            mean_k = mean_u = 0.0;
        }
        k[0] = n == 0 ? at.curvature : least_k;
        k[1] = n == 0 ? at.curvature : most_k;
        u[0] = n == 0 ? at.superelevation : least_u;
        u[1] = n == 0 ? at.superelevation : most_u;
        mean_k += at.curvature;
        mean_u += at.superelevation;
        n++;
    }
    return 1;
}

int kane_growth_watch_begin(kane_growth_watch *w, const kane_run_definition *run, const kane_model *model)
{
    *w = (kane_growth_watch){.run = run, .model = model};
    if (!run->check_modes || !run->track || model->wheels_count == 0 || model->state_count == 0)
        return 1;
    const double reach = kane_vehicle_reach(run->vehicle, KANE_OF_ONE_VEHICLE);
    int good           = (w->arena = kane_arena_create()) != NULL;
    w->beyond          = kane_vehicle_reach(run->vehicle, KANE_OF_ALL) - reach;
    for (int i = 0; good && i < kane_track_section_count(run->track); i++) {
        const kane_track_section section = kane_track_get_section(run->track, i);
        if (section.kind == KANE_TABLE)
            good = add_table(w, &section);
        else if (section.curvature[0] == section.curvature[1] && section.superelevation[0] == section.superelevation[1])
            good = add_stretch(w, section.start, section.start + section.length, section.curvature[0],
                               section.superelevation[0]);
    }
    for (int i = 0; i < w->count; i++) {
        w->stretches[i].from += reach;
        w->stretches[i].to -= reach;
    }
    return good;
}

void kane_growth_watch_free(kane_growth_watch *w)
{
    kane_arena_free(w->arena);
    w->arena = NULL;
}

// --- along the line ---

int kane_growth_watch_row(kane_growth_watch *w, kane_simulation *simulation)
{
    double s, v, a;
    if (w->count == 0 || kane_simulation_evaluate(simulation, KANE_KNOWS_MOTION) != KANE_OK)
        return 1;
    kane_get_travel(simulation->work, &s, &v, &a);
    while (w->at < w->count && s > w->stretches[w->at].to)
        w->at++;
    if (w->at == w->count || s < w->stretches[w->at].from)
        return 1;
    kane_stretch *here  = &w->stretches[w->at];
    const size_t states = (size_t)w->model->state_count;
    kane_statistics statistics;
    kane_simulation_statistics(simulation, &statistics);
    const int is_first = !here->y;
    if (is_first) {
        here->y            = kane_arena_alloc(w->arena, states, sizeof *here->y);
        here->entered      = kane_simulation_time(simulation);
        here->steps_before = statistics.steps;
    }
    if (!here->y)
        return 0;
    if (is_first || (s >= here->from + w->beyond && s <= here->to - w->beyond)) {
        memcpy(here->y, kane_simulation_state(simulation), states * sizeof *here->y);
        here->speed = v;
    }
    here->left    = kane_simulation_time(simulation);
    here->reached = s;
    here->steps   = statistics.steps;
    here->order   = statistics.last_order;
    here->most    = fmax(here->most, v);
    return 1;
}

// --- at the end ---

// Where it was left, unless it was faster there before.
static double speed_of(const kane_stretch *s)
{
    return s->most > (1.0 + SLOWER) * s->speed ? s->most : s->speed;
}

static int is_like(const kane_stretch *a, const kane_stretch *b)
{
    return a->curvature == b->curvature && a->superelevation == b->superelevation &&
           fabs(speed_of(a) - speed_of(b)) <= SAME * speed_of(a);
}

// 1: modes of a stretch must be computed: the vehicle was in it for STAY, and no similar one has been judged.
static int is_to_be_judged(const kane_growth_watch *w, int i)
{
    const kane_stretch *one = &w->stretches[i];
    int is_new              = one->y && one->left - one->entered >= STAY;
    for (int k = 0; k < i && is_new; k++)
        is_new = !(w->stretches[k].is_judged && is_like(&w->stretches[k], one));
    return is_new;
}

// "the curve from 120 m to 240 m (radius -300 m, cant 0.12 m, 16.7 m/s)"
static void format_position(const kane_growing *g, kane_text *text)
{
    kane_text_add(text, "the %s from %.6g m to %.6g m (", g->curvature != 0.0 ? "curve" : "straight", g->from, g->to);
    if (g->curvature != 0.0)
        kane_text_add(text, "radius %.4g m, ", 1.0 / g->curvature);
    if (g->superelevation != 0.0)
        kane_text_add(text, "cant %.4g mm, ", 1e3 * copysign(1.0, g->curvature) * g->superelevation);
    kane_text_add(text, "%.4g m/s)", g->speed);
}

// Growth of the mode as the integrator computes it, if less than half, and a step or method that shows it.
static void format_method_advice(const kane_growth_watch *w, const kane_growing *g, int order, kane_text *text)
{
    const kane_settings *settings     = &w->run->settings;
    const kane_integrator *integrator = kane_settings_integrator(settings);
    if (!(g->integrated < 0.5 * g->growth))
        return;
    kane_text_add(text, "; %s", integrator->name);
    if (integrator->orders > 0)
        kane_text_add(text, " of order %d", order);
    kane_text_add(text, g->integrated < 0.0 ? " damps it by %.3g 1/s" : " lets it grow by %.3g 1/s only",
                  fabs(g->integrated));
    kane_text_add(text, " in its steps of %.3g s there and may not show it", g->step);
    if (g->step <= g->longest) { // a lower order serves where nothing moves
        kane_text_add(text, " until something sets it off");
        return;
    }
    kane_text_add(text, ". Once something sets it off, ");
    if (g->longest > 0.0)
        kane_text_add(text, "steps of up to %.2g s show it (integrator.%s)", g->longest,
                      integrator->fixed_step ? "step" : "max_step");
    if (settings->method != KANE_ADAMS && !kane_model_is_projected(w->model))
        kane_text_add(text, "%s the trapezoidal rule%s, which damps nothing (integrator.method=adams, of order 2)",
                      g->longest > 0.0 ? ", and so does" : "", g->longest > 0.0 ? "" : " shows it");
    else if (g->longest == 0.0)
        kane_text_add(text, "other methods show it");
}

static void format_growth(const kane_growth_watch *w, kane_growing *g, int order, int sticking)
{
    kane_text text = kane_text_start(sizeof g->text, g->text);
    kane_text_add(&text, "%s in ", g->modes > 1 ? "modes grow" : "a mode grows");
    format_position(g, &text);
    kane_text_add(&text, ": ");
    if (g->modes > 1)
        kane_text_add(&text, "of %d the fastest one is ", g->modes);
    kane_text_add(&text, "%s, %.4g Hz, growing by %.3g 1/s, most in '%s'", g->name, g->frequency, g->growth, g->body);
    if (sticking > 0)
        kane_text_add(&text, " (dry friction sticks in it: what slides may be damped)");
    format_method_advice(w, g, order, &text);
}

// The body with the most kinetic energy.
static int find_body(const kane_modes *modes, int mode, const kane_model *model)
{
    double most = 0.0;
    int body    = 0;
    for (int j = 0; j < model->body_count; j++) {
        double share = 0.0;
        for (int c = 0; c < KANE_COORDINATES; c++)
            share += kane_modes_share(modes, mode, j, (kane_coordinate)c);
        if (share > most) {
            most = share;
            body = j;
        }
    }
    return body;
}

static double find_step(const kane_stretch *s)
{
    const long steps = s->steps - s->steps_before;
    return (s->left - s->entered) / (double)(steps > 0 ? steps : 1);
}

// The one that grows fastest.
static void select_fastest_mode(const kane_growth_watch *w, const kane_stretch *s, const kane_modes *modes,
                                const kane_model *model, kane_growing *g)
{
    const kane_settings *settings = &w->run->settings;
    const kane_mode *fastest      = NULL;
    g->modes                      = kane_modes_count(modes);
    for (int i = 0; i < g->modes; i++) {
        const kane_mode *mode = kane_modes_get(modes, i);
        if (fastest && mode->re <= fastest->re)
            continue;
        fastest = mode;
        (void)kane_snprintf(g->body, sizeof g->body, "%s", kane_model_body_name(model, find_body(modes, i, model)));
    }
    (void)kane_snprintf(g->name, sizeof g->name, "%s", fastest->name);
    g->frequency  = fastest->frequency;
    g->growth     = fastest->re;
    g->step       = find_step(s);
    g->integrated = g->longest = (double)NAN;
    if (!settings->integrator) {
        const double highest = kane_modes_highest(modes);
        g->integrated = kane_method_growth(settings->method, s->order, g->step, highest, fastest->re, fastest->im);
        g->longest    = kane_method_step(settings->method, settings->order, highest, fastest->re, fastest->im);
    }
    format_growth(w, g, s->order, kane_modes_sticking(modes));
}

// What decays by itself, but less than by the method: from which frequency on.
static void find_damped(const kane_growth_watch *w, const kane_stretch *s, const kane_modes *modes, kane_growth *growth)
{
    const kane_settings *settings = &w->run->settings;
    for (int i = 0; i < modes->swing_count && !settings->integrator; i++) {
        const double re = modes->swing_re[i], im = modes->swing_im[i], frequency = im / (2.0 * KANE_PI);
        if (re >= 0.0 || (growth->damped_from > 0.0 && frequency >= growth->damped_from))
            continue;
        if (kane_method_growth(settings->method, s->order, find_step(s), kane_modes_highest(modes), re, im) < 2.0 * re)
            growth->damped_from = frequency;
    }
}

static void copy_fault(kane_growing *g, const char *why)
{
    kane_text text = kane_text_start(sizeof g->text, g->text);
    kane_text_add(&text, "modes that grow cannot be looked for in ");
    format_position(g, &text);
    kane_text_add(&text, ": %s", why);
}

// KANE_NO_MEMORY with an error, or KANE_OK: then *found says whether something is.
static kane_status judge_stretch(const kane_growth_watch *w, const kane_stretch *s, kane_growth *growth,
                                 kane_growing *g, int *found, kane_errors *errors)
{
    const kane_steady_definition where = {
        .speed = speed_of(s), .curvature = s->curvature, .superelevation = s->superelevation};
    const int may_be_near  = !kane_track_is_irregular(w->run->track) && w->model->formulation == KANE_MOVING;
    const kane_nearby near = {.model = w->model, .y = may_be_near ? s->y : NULL};
    const double start     = kane_track_get_definition(w->run->track)->start;
    const int has_ended    = w->at < w->count && s == &w->stretches[w->at]; // the run, in this stretch
    const int before       = errors->count;
    kane_steady *steady    = kane_steady_create_near(w->run, &where, &near, errors);
    kane_modes *modes      = steady ? kane_steady_find_growing(steady, errors) : NULL;
    kane_status status     = modes ? KANE_OK : kane_errors_status(errors, before);
    *g                     = (kane_growing){.from           = start + s->from,
                                            .to             = start + (has_ended ? s->reached : s->to),
                                            .speed          = where.speed,
                                            .curvature      = s->curvature,
                                            .superelevation = s->superelevation};
    *found                 = !modes || kane_modes_count(modes) > 0;
    if (!modes && status != KANE_NO_MEMORY) { // no error of the run
        copy_fault(g, before < errors->kept ? kane_errors_get(errors, before)->text : kane_status_text(status));
        kane_errors_truncate(errors, before);
        status = KANE_OK;
    } else if (modes && *found) {
        select_fastest_mode(w, s, modes, kane_steady_model(steady), g);
    }
    if (modes)
        find_damped(w, s, modes, growth);
    kane_modes_free(modes);
    kane_steady_free(steady);
    return status;
}

// Among those that are kept: the faster it grows the further ahead, stretches without an equilibrium behind.
static void keep_fastest(kane_growth *growth, const kane_growing *one)
{
    int at = growth->count < KANE_GROWING_MOST ? growth->count : KANE_GROWING_MOST;
    growth->count++;
    for (; at > 0 && growth->stretch[at - 1].growth < one->growth; at--)
        if (at < KANE_GROWING_MOST)
            growth->stretch[at] = growth->stretch[at - 1];
    if (at < KANE_GROWING_MOST)
        growth->stretch[at] = *one;
}

kane_status kane_growth_watch_judge(kane_growth_watch *w, kane_growth *growth, kane_errors *errors)
{
    kane_growing *one =
        w->count > 0 ? kane_arena_alloc(w->arena, 1, sizeof *one) : NULL; // not on the stack of a small thread
    kane_status status = w->count > 0 && !one ? KANE_NO_MEMORY : KANE_OK;
    growth->checked = growth->count = 0;
    growth->damped_from             = 0.0;
    if (status != KANE_OK)
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    for (int i = 0; i < w->count && status == KANE_OK; i++) {
        int found = 0;
        if (!is_to_be_judged(w, i))
            continue;
        w->stretches[i].is_judged = 1;
        status                    = judge_stretch(w, &w->stretches[i], growth, one, &found, errors);
        growth->checked++;
        if (status == KANE_OK && found)
            keep_fastest(growth, one);
    }
    return status;
}
