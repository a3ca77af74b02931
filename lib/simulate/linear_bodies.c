// SPDX-License-Identifier: MIT
// Displacements of bodies for unit moves of a linear model, and their rates, relative to the track frames: central
// differences of evaluations. Shapes are drawn and named by them; eigenvalues do not depend on them.

#include "simulate/linear_parts.h"

#include "agem/bodies.h"

#include <string.h>

static const double STEP = 1e-6; // [m], [rad], [m/s], [rad/s], sizes of states

// Coordinates and rates of all bodies [2 * KANE_SHAPE each].
static kane_status observe_bodies(const kane_model *model, kane_work *work, double t, const double *y, double *ydot,
                                  double *out)
{
    const kane_status status = kane_eval(model, work, t, y, ydot);
    if (status != KANE_OK)
        return status;
    kane_observe(model, work);
    for (int j = 0; j < model->body_count; j++)
        kane_get_relative(model, work, j, out + 2 * KANE_SHAPE * j, out + 2 * KANE_SHAPE * j + KANE_SHAPE);
    return KANE_OK;
}

// Rotation vector of small changes of yaw, roll, pitch in axes of the frame:
//   w = yaw' e_z + roll' R e_x + pitch' R e_y,   R: orientation by yaw and roll
// in the places of yaw (z), roll (x), pitch (y); translations are copied.
static void rotation_from_angles(const double q[KANE_SHAPE], const double change[KANE_SHAPE], double out[KANE_SHAPE])
{
    const kane_mat3 R = kane_matrix_from_angles(q[KANE_YAW], q[KANE_ROLL], 0.0);
    kane_vec3 w       = kv3(0.0, 0.0, change[KANE_YAW]);
    w                 = kv3_add_scaled(w, change[KANE_ROLL], R.x);
    w                 = kv3_add_scaled(w, change[KANE_PITCH], R.y);
    memcpy(out, change, 3 * sizeof *out);
    out[KANE_YAW]   = w.z;
    out[KANE_ROLL]  = w.x;
    out[KANE_PITCH] = w.y;
}

// Mass of one body in the order of its coordinates.
static void fill_mass(const kane_model *model, const kane_work *work, int j, double *mass)
{
    static const int place[3] = {KANE_ROLL, KANE_PITCH, KANE_YAW}; // of turns about x, y, z
    const kane_body *body     = &model->bodies[j];
    const kane_mat3 R =
        kane_body_is_in_section(body) ? km3_identity() : work->transport[body->track_frame].R; // track frame to world
    const kane_mat3 own  = kane_body_is_in_section(body) ? km3_identity() : work->transport[body->frame].R;
    const kane_inertia J = kane_body_inertia(body, &work->body[j]);
    for (int i = 0; i < 3; i++) {
        mass[i * KANE_SHAPE + i] = body->panel ? 0.0 : body->mass;
        const kane_vec3 axis     = km3_tmulv(own, km3_mulv(R, kv3_unit(i)));
        const kane_vec3 column   = km3_tmulv(R, km3_mulv(own, kane_inertia_mul(&J, axis)));
        for (int k = 0; k < 3; k++)
            mass[place[k] * KANE_SHAPE + place[i]] = body->panel ? 0.0 : kv3_get(column, k);
    }
    if (body->part == KANE_PART_MODE)
        mass[KANE_Z * KANE_SHAPE + KANE_Z] = kane_link_armature(&model->tree.links[body->link], 0);
    if (body->panel) {
        mass[KANE_Y * KANE_SHAPE + KANE_Y]       = body->panel->inertia[0];
        mass[KANE_Z * KANE_SHAPE + KANE_Z]       = body->panel->inertia[1];
        mass[KANE_ROLL * KANE_SHAPE + KANE_ROLL] = body->panel->inertia[2];
    }
}

typedef struct scratch {
    double *y, *ydot;       // [state_count]
    double *at, *up, *down; // [body_count * 2 * KANE_SHAPE]
} scratch;

// Columns of one move: (places(y + h dy) - places(y - h dy))/(2 h), h = STEP.
static kane_status fill_move(kane_linear *linear, kane_work *work, double t, const double *y, int move, scratch *s)
{
    const kane_model *model = linear->model;
    const double *dy        = linear->basis + (size_t)move * (size_t)model->state_count;
    const size_t rows       = (size_t)model->body_count * KANE_SHAPE;
    for (int side = 0; side < 2; side++) {
        const double h = side ? -STEP : STEP;
        for (int i = 0; i < model->state_count; i++)
            s->y[i] = y[i] + h * dy[i];
        const kane_status status = observe_bodies(model, work, t, s->y, s->ydot, side ? s->down : s->up);
        if (status != KANE_OK)
            return status;
    }
    for (int j = 0; j < model->body_count; j++) {
        double change[2][KANE_SHAPE];
        const int first = 2 * KANE_SHAPE * j;
        for (int k = 0; k < 2 * KANE_SHAPE; k++)
            change[k / KANE_SHAPE][k % KANE_SHAPE] = (s->up[first + k] - s->down[first + k]) / (2.0 * STEP);
        const size_t out = (size_t)move * rows + (size_t)(KANE_SHAPE * j);
        rotation_from_angles(s->at + first, change[0], linear->places + out);
        rotation_from_angles(s->at + first, change[1], linear->rates + out);
    }
    return KANE_OK;
}

int kane_linear_find_bodies(kane_linear *linear, kane_work *work, double t, const double *y, kane_errors *errors)
{
    const kane_model *model = linear->model;
    kane_arena *arena       = linear->arena;
    const size_t bodies = (size_t)model->body_count, n = (size_t)model->state_count, rows = bodies * KANE_SHAPE;
    scratch s      = {kane_arena_alloc(arena, n, sizeof(double)), kane_arena_alloc(arena, n, sizeof(double)),
                      kane_arena_alloc(arena, 2 * rows, sizeof(double)), kane_arena_alloc(arena, 2 * rows, sizeof(double)),
                      kane_arena_alloc(arena, 2 * rows, sizeof(double))};
    linear->places = kane_arena_alloc(arena, rows * (size_t)linear->size, sizeof *linear->places);
    linear->rates  = kane_arena_alloc(arena, rows * (size_t)linear->size, sizeof *linear->rates);
    linear->mass   = kane_arena_alloc(arena, rows * KANE_SHAPE, sizeof *linear->mass);
    if (kane_arena_failed(arena))
        return 0;
    kane_status status = observe_bodies(model, work, t, y, s.ydot, s.at);
    for (int j = 0; j < model->body_count && status == KANE_OK; j++)
        fill_mass(model, work, j, linear->mass + (size_t)j * KANE_SHAPE * KANE_SHAPE);
    for (int move = 0; move < linear->size && status == KANE_OK; move++)
        status = fill_move(linear, work, t, y, move, &s);
    if (status == KANE_OK) // the work is left at y
        status = observe_bodies(model, work, t, y, s.ydot, s.at);
    if (status == KANE_OK)
        return 1;
    kane_work_fault(model, work, errors);
    return 0;
}
