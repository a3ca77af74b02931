// SPDX-License-Identifier: MIT
// Equilibrium: errors with the reason why none was found.

#include "simulate/equilibrium.h"

#include "agem/wheels.h"
#include "base/number.h"

#include <stdio.h>

static const double LIFT_MOST = 0.015; // a wheel further from its rail has derailed [m]

static int has_lifted(const kane_wheels *wheels, const kane_wheels_state *w, int side)
{
    return !kane_wheels_are_guided(wheels) && fabs(kane_wheels_lift(wheels, w, side)) > LIFT_MOST;
}

static int is_pulled(const kane_wheels *wheels, const kane_wheels_state *w, int side)
{
    return kane_wheels_are_guided(wheels) && !wheels->two_sided && w->guidance.N[side] < 0.0;
}

const kane_wheels *kane_search_find_lost_wheel(const kane_search *s, kane_search_stage stage, int *side)
{
    for (int i = 0; i < s->model->wheels_count; i++) {
        const kane_wheels *wheels = &s->model->wheels[i];
        for (*side = 0; *side < 2; ++*side)
            if (has_lifted(wheels, &s->work->wheels[i], *side) ||
                (stage == KANE_SEARCH_ENDED && is_pulled(wheels, &s->work->wheels[i], *side)))
                return wheels;
    }
    return NULL;
}

static void format_line_position(const kane_search *s, size_t size, char *text)
{
    kane_track_state line;
    if (!s->model->track) {
        (void)snprintf(text, size, "no equilibrium near the start");
        return;
    }
    kane_track_describe(s->model->track, s->work->piece[0], s->work->s, &line);
    const double k = line.curvature;
    const int used = kane_snprintf(text, size, "no equilibrium at %.6g m/s on ", s->work->v);
    if (k == 0.0)
        (void)kane_snprintf(text + used, size - (size_t)used, "a straight with a cant of %.6g m",
                            line.superelevation + 0.0);
    else
        (void)kane_snprintf(text + used, size - (size_t)used, "a curve of radius %.6g m with a cant of %.6g m", 1.0 / k,
                            copysign(1.0, k) * line.superelevation + 0.0);
}

// The largest residual in words: "'leading' still accelerates by 2 m/s^2 along y".
static void format_residual(const kane_search *s, size_t size, char *text)
{
    static const char *const axes[] = {"along x", "along y", "along z", "about x", "about y", "about z"};
    const kane_model *model         = s->model;
    const int i                     = s->found->worst;
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        const int u           = i - body->u;
        if (!body->is_free_body || body->map.rotation_count != 3 || body->is_tabulated || u < 0 || u >= body->u_count)
            continue;
        const int turns = u >= body->map.translation_count;
        const int axis  = turns ? 3 + u - body->map.translation_count : body->map.translation[u];
        (void)kane_snprintf(text, size, "'%s' still accelerates by %.3g %s %s", body->name, s->rate[i],
                            turns ? "rad/s^2" : "m/s^2", axes[axis]);
        return;
    }
    char name[200];
    kane_state_name(model, i, sizeof name, name);
    (void)kane_snprintf(text, size, "'%s' still changes by %.3g a second", name, s->rate[i]);
}

void kane_search_add_error(const kane_search *s, kane_status status, kane_errors *errors)
{
    static const char *const sides[] = {"left", "right"};
    char where[200], left[400];
    int side;
    format_line_position(s, sizeof where, where);
    const kane_wheels *lost =
        status == KANE_NOT_SOLVED ? kane_search_find_lost_wheel(s, KANE_SEARCH_ENDED, &side) : NULL;
    if (lost)
        kane_errors_add(errors, KANE_NOT_SOLVED, "%s: the %s wheel of '%s' leaves its rail", where, sides[side],
                        s->model->bodies[lost->body].name);
    if (lost)
        return;
    if (status == KANE_NOT_SOLVED && s->is_periodic) {
        kane_errors_add(
            errors, KANE_NOT_SOLVED,
            "no steady motion: how it reacts to a disturbance depends on how far what goes on has turned or gone; "
            "is something out of round or out of balance?");
        return;
    }
    format_residual(s, sizeof left, left);
    kane_errors_add(errors, KANE_NOT_SOLVED, "%s: %s after %d steps of the search", where, left, s->found->iterations);
    if (status != KANE_NOT_SOLVED && s->work->fault.status != KANE_OK)
        kane_work_fault(s->model, s->work, errors);
}
