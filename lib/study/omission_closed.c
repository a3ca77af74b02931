// SPDX-License-Identifier: MIT
// Closed forms beside effects: what a term displaces its own body by if its largest load acts statically on the springs
// of the body while wheelsets are held.
//
//   torque.rotation.z on yaw    J_z (v^2 kappa' + a kappa)/k     eps of the frame from the line alone: v^2 Omega_s + a Omega
//   torque.rotation.x on roll   J_x eps_x/k
//   force.rotation.y on y       m h eps_x/k                      h: mass centre over the origin of its frame
//
// 1/k is the compliance of the body on all springs that hold it (simulate/linear_parts.h). At kinks of the line the
// load is an impulse, for which this is no closed form.

#include "study/omission.h"

#include "model/model.h"
#include "simulate/linear_parts.h"

#include <kane/steady.h>

#include <math.h>
#include <string.h>

struct kane_omission_closed {
    kane_arena *arena;
    kane_steady *steady;
    const kane_compliance *compliance; // NULL: there is none, nor closed forms
};

kane_omission_closed *kane_omission_closed_create(const kane_run_definition *run)
{
    kane_errors unreported     = {.limit = 1}; // without an equilibrium there are no closed forms, and no error
    kane_arena *arena          = kane_arena_create();
    kane_omission_closed *form = arena ? kane_arena_alloc(arena, 1, sizeof *form) : NULL;
    if (!form) {
        kane_arena_free(arena);
        return NULL;
    }
    form->arena = arena;
    if (run->track)
        form->steady = kane_steady_create(run, &(kane_steady_definition){.speed = run->drive.speed}, &unreported);
    kane_linear *linear = form->steady
                              ? kane_linear_create(kane_steady_model(form->steady), kane_steady_work(form->steady), 0.0,
                                                   kane_steady_state(form->steady), &unreported)
                              : NULL;
    form->compliance    = linear ? kane_compliance_create(linear, arena) : NULL;
    kane_linear_free(linear);
    kane_errors_free(&unreported);
    return form;
}

void kane_omission_closed_free(kane_omission_closed *form)
{
    if (!form)
        return;
    kane_steady_free(form->steady);
    kane_arena_free(form->arena);
}

// --- which ---

typedef struct closed_term {
    const char *term;     // behind "BODY:"
    const char *response; // behind "BODY."
    kane_wrench_kind kind;
    int axis; // of the frame's angular acceleration
    kane_coordinate coordinate;
} closed_term;

static const closed_term known[] = {
    {"torque.rotation.z", "yaw", KANE_TORQUE, 2, KANE_YAW},
    {"torque.rotation.x", "roll", KANE_TORQUE, 0, KANE_ROLL},
    {"force.rotation.y", "y", KANE_FORCE, 0, KANE_Y},
};
enum { KNOWN = sizeof known / sizeof *known };

// The closed form of a term's effect on a channel and the body of both; NULL: there is none.
static const closed_term *find_term(const kane_model *model, const char *term, const char *channel, int *body)
{
    const char *colon   = strrchr(term, ':');
    const size_t length = colon ? (size_t)(colon - term) : 0;
    *body               = -1;
    for (int j = 0; j < model->body_count; j++)
        if (strlen(model->bodies[j].name) == length && strncmp(model->bodies[j].name, term, length) == 0)
            *body = j;
    if (*body < 0 || strncmp(channel, term, length) != 0 || channel[length] != '.')
        return NULL;
    for (int i = 0; i < KNOWN; i++)
        if (strcmp(colon + 1, known[i].term) == 0 && strcmp(channel + length + 1, known[i].response) == 0)
            return &known[i];
    return NULL;
}

// --- how much ---

// Largest angular acceleration of the frame of a body about one of its axes, from the line and the rows of time and
// distance.
static double largest_turning(const kane_run_definition *run, const kane_model *model, const kane_results *rows,
                              int body, int axis)
{
    const double *t    = kane_results_values(rows, 0);
    const double *d    = kane_results_values(rows, kane_omission_progress(rows));
    const double ahead = run->drive.start + model->frames[model->bodies[body].track_frame].offset;
    double most        = 0.0;
    for (int k = 1; k + 1 < kane_results_row_count(rows); k++) {
        const double before = t[k] - t[k - 1], behind = t[k + 1] - t[k];
        if (!(before > 0.0) || !(behind > 0.0))
            continue;
        const double v0 = (d[k] - d[k - 1]) / before, v1 = (d[k + 1] - d[k]) / behind;
        const double v = (v0 * behind + v1 * before) / (before + behind), a = 2.0 * (v1 - v0) / (before + behind);
        kane_track_frame frame;
        kane_track_eval(run->track, kane_track_find(run->track, d[k] + ahead), d[k] + ahead, &frame);
        const double Omega[]   = {frame.Omega.x, frame.Omega.y, frame.Omega.z};
        const double Omega_s[] = {frame.Omega_s.x, frame.Omega_s.y, frame.Omega_s.z};
        most                   = fmax(most, fabs(v * v * Omega_s[axis] + a * Omega[axis]));
    }
    return most;
}

double kane_omission_closed_get(const kane_omission_closed *form, const kane_run_definition *run,
                                const kane_results *rows, const char *term, const char *channel,
                                const double impulse[KANE_WRENCH_KINDS])
{
    int body;
    if (!form || !form->compliance)
        return (double)NAN;
    const kane_model *model  = kane_steady_model(form->steady);
    const closed_term *which = find_term(model, term, channel, &body);
    if (!which || impulse[which->kind] > 0.0 || model->bodies[body].track_frame < 0 ||
        model->frames[model->bodies[body].track_frame].kind != KANE_FRAME_TRACK)
        return (double)NAN;
    const kane_body *b   = &model->bodies[body];
    const double inertia = which->kind == KANE_FORCE ? b->mass * fabs(b->origin.z) : which->axis == 2 ? b->J.z : b->J.x;
    kane_arena *scratch  = kane_arena_create();
    const kane_compliance_place place = {body, which->coordinate};
    const double given = scratch ? kane_compliance_of(form->compliance, place, place, scratch) : (double)NAN;
    kane_arena_free(scratch);
    return given * inertia * largest_turning(run, model, rows, body, which->axis);
}
