// SPDX-License-Identifier: MIT
// Equilibrium at the start: on straight level track a vehicle that rolls at constant speed shall not accelerate at all.
//
// Newton's method on the wrenches of all bodies; unknown are the coordinates relative to the track frames, and of a
// spinning body its spin speed instead of its spin angle. Derivatives are central differences: this is done once. Where
// a coordinate is indifferent (a cylindrical wheelset moved sideways) the smallest step is taken.

#include "simulate/simulation.h"

#include "agem/relative.h"
#include "math/least_squares.h"

#include <string.h>

typedef struct unknown {
    int body;
    int coordinate; // KANE_PITCH of a spinning body: its spin speed
} unknown;

typedef struct problem {
    const kane_model *model;
    kane_work *work;
    double *y, *ydot;             // states
    kane_relative_motion *motion; // of every body; a spinning one does nothing but spin about its axle, w.y is how fast
    unknown *unknowns;            //
    int count;                    // unknowns and equations
    double *residual, *up, *down; // [count]
    double *matrix;               // [count x count] by columns
} problem;

static int is_straight(const kane_model *model, const kane_work *work)
{
    for (int f = 0; f < model->frame_count; f++) {
        if (model->frames[f].kind != KANE_FRAME_TRACK)
            continue;
        const kane_track_frame *g = &work->track_frame[f];
        if (kv3_norm(g->Omega) > 0.0 || kv3_norm(g->Omega_s) > 0.0 || g->R.z.z != 1.0)
            return 0;
    }
    return model->track != NULL && !kane_track_is_irregular(model->track) && model->guide >= 0;
}

// The guide of a driven vehicle is free along the track: nothing holds it against what little resists rolling.
static int is_unknown(const kane_model *model, int j, int coordinate)
{
    if (model->travel_count && j == model->guide && coordinate == KANE_X)
        return 0;
    const int w = model->bodies[j].wheels;
    if (w >= 0 && model->wheels[w].way != KANE_CONTACT_ELASTIC && (coordinate == KANE_Z || coordinate == KANE_ROLL))
        return 0; // the rails say
    return (model->bodies[j].freedoms & KANE_FREEDOM(coordinate)) != 0;
}

static double *value_of(problem *p, int i)
{
    const unknown *u        = &p->unknowns[i];
    kane_relative_motion *m = &p->motion[u->body];
    const int spins         = p->model->bodies[u->body].kind == KANE_BODY_SPINNING;
    return spins && u->coordinate == KANE_PITCH ? &m->w.y : &m->q[u->coordinate];
}

static kane_vec3 axle(const kane_relative_motion *m)
{
    return kane_matrix_from_angles(m->q[KANE_YAW], m->q[KANE_ROLL], 0.0).y;
}

// Accelerations that the applied wrenches would give, in the order of the unknowns.
static kane_status evaluate(problem *p, double *residual)
{
    const kane_model *model = p->model;
    for (int j = 0; j < model->body_count; j++) {
        kane_relative_motion m = p->motion[j];
        if (model->bodies[j].kind == KANE_BODY_SPINNING)
            m.w = kv3_scale(m.w.y, axle(&m));
        kane_relative_put(model, p->work, j, &m, p->y);
    }
    const kane_status status = kane_eval(model, p->work, 0.0, p->y, p->ydot);
    for (int i = 0; i < p->count && status == KANE_OK; i++) {
        const unknown *u         = &p->unknowns[i];
        const kane_body *body    = &model->bodies[u->body];
        const kane_body_state *b = &p->work->body[u->body];
        if (body->panel) { // moves in the section: y, z, roll
            residual[i] = p->ydot[body->u + (u->coordinate == KANE_ROLL ? 2 : u->coordinate - KANE_Y)];
            continue;
        }
        const kane_mat3 R = p->work->transport[body->track_frame].R;
        const kane_vec3 f = km3_tmulv(R, b->applied.force), t = km3_tmulv(R, b->applied.torque);
        const double a[KANE_COORDINATES] = {f.x / body->mass, f.y / body->mass, f.z / body->mass,
                                            t.z / body->J.z,  t.x / body->J.x,  t.y / body->J.y};
        residual[i]                      = a[u->coordinate];
    }
    return status;
}

static double largest(const problem *p)
{
    double most = 0.0;
    for (int i = 0; i < p->count; i++)
        most = fmax(most, fabs(p->residual[i]));
    return most;
}

// Goes `part` of the step in p->up.
static kane_status go(problem *p, double part)
{
    for (int k = 0; k < p->count; k++)
        *value_of(p, k) -= part * p->up[k];
    return evaluate(p, p->residual);
}

// One Newton step, shortened until it makes things better. 0 if nothing does; then nothing has changed.
static int newton_step(problem *p)
{
    for (int k = 0; k < p->count; k++) {
        const int is_spin  = p->unknowns[k].coordinate == KANE_PITCH;
        const double h     = is_spin ? 1e-6 : 1e-9;
        double *x          = value_of(p, k);
        const double at    = *x;
        *x                 = at + h;
        kane_status status = evaluate(p, p->up);
        *x                 = at - h;
        if (status == KANE_OK)
            status = evaluate(p, p->down);
        *x = at;
        if (status != KANE_OK)
            return 0;
        for (int i = 0; i < p->count; i++)
            p->matrix[(size_t)k * (size_t)p->count + (size_t)i] = (p->up[i] - p->down[i]) / (2.0 * h);
    }
    memcpy(p->up, p->residual, (size_t)p->count * sizeof *p->up);
    if (kane_least_squares(p->count, p->count, p->matrix, p->up, 1e-13) != 0)
        return 0;
    const double before = largest(p);
    for (double part = 1.0; part > 1e-3; part *= 0.5) {
        if (go(p, part) == KANE_OK && largest(p) < before)
            return 1;
        (void)go(p, -part);
    }
    return 0;
}

static int prepare(problem *p, kane_arena *arena)
{
    const kane_model *model = p->model;
    const size_t states = (size_t)model->state_count, most = 6 * (size_t)model->body_count;
    p->y        = kane_arena_alloc(arena, states, sizeof *p->y);
    p->ydot     = kane_arena_alloc(arena, states, sizeof *p->ydot);
    p->motion   = kane_arena_alloc(arena, (size_t)model->body_count, sizeof *p->motion);
    p->unknowns = kane_arena_alloc(arena, most, sizeof *p->unknowns);
    p->residual = kane_arena_alloc(arena, most, sizeof *p->residual);
    p->up       = kane_arena_alloc(arena, most, sizeof *p->up);
    p->down     = kane_arena_alloc(arena, most, sizeof *p->down);
    p->matrix   = kane_arena_alloc(arena, most * most, sizeof *p->matrix);
    if (kane_arena_failed(arena))
        return 0;
    for (int j = 0; j < model->body_count; j++)
        for (int c = 0; c < KANE_COORDINATES; c++)
            if (is_unknown(model, j, c))
                p->unknowns[p->count++] = (unknown){j, c};
    return 1;
}

static double solve(problem *p, const double *from)
{
    const kane_model *model = p->model;
    memcpy(p->y, from, (size_t)model->state_count * sizeof *from);
    if (kane_eval(model, p->work, 0.0, p->y, p->ydot) != KANE_OK)
        return -1.0;
    for (int j = 0; j < model->body_count; j++) {
        kane_relative_motion *m = &p->motion[j];
        kane_relative_get(model, p->work, j, m);
        if (model->bodies[j].kind == KANE_BODY_SPINNING)
            m->w.y = kv3_dot(m->w, axle(m));
    }
    if (evaluate(p, p->residual) != KANE_OK)
        return -1.0;

    for (int i = 0; i < 50 && largest(p) > 1e-12; i++)
        if (!newton_step(p)) // down to round-off, or stuck
            break;
    return largest(p);
}

double kane_equilibrium_improve(const kane_model *model, kane_work *work, double *y)
{
    kane_arena *arena = kane_arena_create();
    problem p         = {.model = model, .work = work};
    double left       = -1.0;
    kane_frames_eval(model, work, 0.0, y);
    // joints and constraints stay in the static position
    if (arena && model->tree.link_count == 0 && is_straight(model, work) && prepare(&p, arena)) {
        const double before = p.count > 0 ? solve(&p, y) : -1.0;
        if (before >= 0.0 && before < 1e-3) {
            memcpy(y, p.y, (size_t)model->state_count * sizeof *y);
            left = before;
        }
    }
    kane_arena_free(arena);
    return left;
}

kane_status kane_equilibrium_solve(const kane_model *model, kane_work *work, double *y, kane_equilibrium *found,
                                   kane_errors *errors)
{
    *found = (kane_equilibrium){.residual = kane_equilibrium_improve(model, work, y)};
    if (found->residual >= 0.0)
        return KANE_OK;
    kane_errors_add(errors, KANE_NOT_SOLVED, "no equilibrium was found");
    return KANE_NOT_SOLVED;
}
