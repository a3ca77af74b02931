// SPDX-License-Identifier: MIT
// The derivative of the accelerations: local derivatives of elements, contacts and bodies, mapped by how the motion of
// a body depends on its coordinates and speeds, and by how it responds to a wrench.
//
//   u_dot = B (F(x) + F**(q, u) - ...),   d(u_dot) = B (dF/dx dx/d(q, u) + dF**/d(q, u) - ...)
//
// x: displacement, rotation, velocity, angular velocity of the bodies; B: response of a body's speeds to a wrench, frame
// axes. Nothing is differenced but laws that bring no derivative.

#include "agem/derive.h"

#include "agem/derive_body.h"
#include "agem/derive_states.h"
#include "agem/guided.h"
#include "agem/joined_derive.h"
#include "agem/panels.h"
#include "agem/reduce.h"

#include <string.h>

// Columns of a derivative by the states of a body: x, y, z | yaw, roll, pitch | speeds.
typedef struct state_gradient {
    kane_wrench q[KANE_COORDINATES];
    kane_wrench u[6];
} state_gradient;

static kane_wrench columns(const kane_mat3 *force, const kane_mat3 *torque, kane_vec3 x)
{
    return (kane_wrench){km3_mulv(*force, x), km3_mulv(*torque, x)};
}

// From the motion of a body, axes of its frame, to its states: r' and v' are components of both; a turn of an angle is a
// rotation about its axis; with removed turns the speeds are rates about axes that turn themselves.
static void by_states(const kane_body *body, const kane_body_state *b, const kane_gradient *g, state_gradient *s)
{
    const kane_freedom_map *map = &body->map;
    for (int i = 0; i < 3; i++) {
        s->q[i]            = columns(&g->force[KANE_MOVES], &g->torque[KANE_MOVES], kv3_unit(i));
        s->q[KANE_YAW + i] = columns(&g->force[KANE_TURNS], &g->torque[KANE_TURNS], b->turn[i]);
    }
    for (int i = 0; i < map->translation_count; i++)
        s->u[i] = columns(&g->force[KANE_SPEEDS], &g->torque[KANE_SPEEDS], kv3_unit(map->translation[i]));
    kane_wrench *turning = s->u + map->translation_count;
    for (int i = 0; i < map->rotation_count; i++) {
        const kane_vec3 axis = map->rotation_count == 3 ? kv3_unit(i) : b->turn[map->rotation[i]];
        turning[i]           = columns(&g->force[KANE_SPINS], &g->torque[KANE_SPINS], axis);
    }
    if (map->rotation_count == 3)
        return;
    for (int angle = 0; angle < 3; angle++) { // axes behind an angle turn with it, and w with them
        kane_vec3 w = kv3_zero();
        for (int i = 0; i < map->rotation_count; i++)
            if (angle < map->rotation[i])
                w = kv3_add_scaled(w, b->rate[i], kv3_cross(b->turn[angle], b->turn[map->rotation[i]]));
        s->q[KANE_YAW + angle] =
            kw_add(s->q[KANE_YAW + angle], columns(&g->force[KANE_SPINS], &g->torque[KANE_SPINS], w));
    }
}

// The wheels that guide a body as a constraint; NULL if none do.
static const kane_wheels_state *guides_of(const kane_model *model, const kane_work *work, const kane_body *body)
{
    if (body->wheels < 0 || model->wheels[body->wheels].way == KANE_CONTACT_ELASTIC)
        return NULL;
    return &work->wheels[body->wheels];
}

// The same of a body whose height and roll follow from the rails: every state moves it as `own` says.
static void by_motions(const kane_body *body, const kane_guided_column *own, const kane_gradient *g, state_gradient *s)
{
    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++) {
        kane_wrench *w = c < KANE_COORDINATES ? &s->q[c] : &s->u[c - KANE_COORDINATES];
        *w             = (kane_wrench){kv3_zero(), kv3_zero()};
        for (int k = 0; k < KANE_MOTIONS; k++)
            *w = kw_add(*w, columns(&g->force[k], &g->torque[k], own[c].motion[k]));
    }
}

// What a body makes of a wrench; if it is guided, normal forces answer. bias: change of what its gaps accelerate.
static void respond_to(const kane_model *model, const kane_work *work, int row, kane_wrench wrench,
                       const double bias[2], double u_dot[6])
{
    const kane_body *body           = &model->bodies[row];
    const kane_wheels_state *guides = guides_of(model, work, body);
    if (guides)
        wrench = kane_guided_pass(&guides->guidance, wrench, bias);
    kane_body_respond(body, &work->body[row], wrench, u_dot);
}

// Writes what a body makes of each column. own: columns of its own rails, NULL if there are none.
static void respond(const kane_model *model, const kane_work *work, kane_pair pair, const state_gradient *s,
                    const kane_guided_column *own, double out[6][KANE_BODY_STATES])
{
    const kane_body *row = &model->bodies[pair.row], *column = &model->bodies[pair.column];
    static const double none[2] = {0.0, 0.0};
    for (int c = 0; c < KANE_COORDINATES + column->u_count; c++) {
        kane_wrench w = c < KANE_COORDINATES ? s->q[c] : s->u[c - KANE_COORDINATES];
        double u_dot[6];
        if (own)
            w = kw_add(w, own[c].wrench);
        respond_to(model, work, pair.row, w, own ? own[c].bias : none, u_dot);
        for (int i = 0; i < row->u_count; i++)
            out[i][c] = u_dot[row->follows ? row->component[i] : i];
    }
}

kane_mat3 kane_derive_axes(const kane_work *work, const kane_body *body)
{
    return work->transport[body->frame].R;
}

// A derivative by the motion of the column's body, world axes -> by its motion relative to its frame.
static void to_column(const kane_work *work, const kane_body *column, kane_gradient *g)
{
    const kane_mat3 R         = kane_derive_axes(work, column);
    kane_mat3 *const kinds[2] = {g->force, g->torque};
    for (int kind = 0; kind < 2; kind++) {
        kane_mat3 *G = kinds[kind];
        for (int k = 0; k < KANE_MOTIONS; k++)
            G[k] = km3_mul(G[k], R);
        // v = v' + omega x r'
        kg_add(&G[KANE_MOVES], kg_times_skew(G[KANE_SPEEDS], work->transport[column->frame].omega));
    }
}

// The same, and the wrench in the axes of the row's frame.
static void to_frames(const kane_work *work, const kane_body *row, const kane_body *column, kane_gradient *g)
{
    const kane_mat3 R = kane_derive_axes(work, row);
    to_column(work, column, g);
    for (int k = 0; k < KANE_MOTIONS; k++) {
        g->force[k]  = km3_tmul(R, g->force[k]);
        g->torque[k] = km3_tmul(R, g->torque[k]);
    }
}

// By its states. g: by its motion relative to its frame.
static void list_columns(const kane_model *model, const kane_work *work, int j, const kane_gradient *g,
                         kane_guided_column (*guided)[KANE_BODY_STATES], kane_wrench columns[KANE_BODY_STATES])
{
    const kane_body *column = &model->bodies[j];
    state_gradient s;
    if (column->follows)
        by_motions(column, guided[column->wheels], g, &s);
    else
        by_states(column, &work->body[j], g, &s);
    for (int c = 0; c < KANE_COORDINATES + column->u_count; c++)
        columns[c] = c < KANE_COORDINATES ? s.q[c] : s.u[c - KANE_COORDINATES];
}

void kane_derive_columns(const kane_model *model, const kane_work *work, int p, const kane_gradient *g,
                         kane_guided_column (*guided)[KANE_BODY_STATES], kane_wrench columns[KANE_BODY_STATES])
{
    const kane_pair pair   = model->pairs[p];
    kane_gradient relative = *g;
    to_frames(work, &model->bodies[pair.row], &model->bodies[pair.column], &relative);
    list_columns(model, work, pair.column, &relative, guided, columns);
}

void kane_derive_quantities(const kane_model *model, const kane_work *work, int column, const kane_gradient *g,
                            kane_guided_column (*guided)[KANE_BODY_STATES], kane_wrench columns[KANE_BODY_STATES])
{
    kane_gradient relative = *g;
    to_column(work, &model->bodies[column], &relative);
    list_columns(model, work, column, &relative, guided, columns);
}

void kane_derive_respond(const kane_model *model, const kane_work *work, int j, kane_wrench wrench, double u_dot[6])
{
    static const double none[2] = {0.0, 0.0};
    const kane_body *body       = &model->bodies[j];
    double V_dot[6];
    respond_to(model, work, j, wrench, none, V_dot);
    for (int i = 0; i < body->u_count; i++)
        u_dot[i] = V_dot[body->follows ? body->component[i] : i];
}

static void derive_pair(const kane_model *model, const kane_work *work, int p, kane_derivative *out)
{
    const kane_pair pair = model->pairs[p];
    const kane_body *row = &model->bodies[pair.row], *column = &model->bodies[pair.column];
    const kane_body_state *b = &work->body[pair.column];
    state_gradient s;

    to_frames(work, row, column, &out->wrench[p]);
    if (pair.row == pair.column)
        kane_body_derive(row, &work->transport[row->frame], b, &out->wrench[p]);
    const kane_guided_column *own = guides_of(model, work, column) ? out->guided[column->wheels] : NULL;
    if (column->follows)
        by_motions(column, own, &out->wrench[p], &s);
    else
        by_states(column, b, &out->wrench[p], &s);
    respond(model, work, pair, &s, pair.row == pair.column ? own : NULL, out->accelerations[p]);
    if (pair.row == pair.column && row->map.rotation_count < 3)
        kane_body_derive_turns(row, b, out->accelerations[p]);
}

// q_dot = Q(q) u: kinematics.c. With removed turns the rates are speeds themselves.
static void derive_coordinates(const kane_body *body, const kane_body_state *b, double out[6][KANE_BODY_STATES])
{
    const kane_freedom_map *map = &body->map;
    for (int i = 0; i < map->translation_count; i++)
        out[map->translation[i]][6 + i] = 1.0;
    double(*const turn)[KANE_BODY_STATES] = out + KANE_YAW;
    const int w                           = 6 + map->translation_count;
    if (map->rotation_count < 3) {
        for (int i = 0; i < map->rotation_count; i++)
            turn[map->rotation[i]][w + i] = 1.0;
        return;
    }
    const double sy = b->sin_yaw, cy = b->cos_yaw, sr = b->sin_roll, cr = b->cos_roll;
    const double roll = cy * b->w.x + sy * b->w.y, pitch = (cy * b->w.y - sy * b->w.x) / cr;

    turn[2][w]     = -sy / cr; // pitch
    turn[2][w + 1] = cy / cr;
    turn[2][3]     = -roll / cr;
    turn[2][4]     = pitch * sr / cr;
    turn[1][w]     = cy; // roll
    turn[1][w + 1] = sy;
    turn[1][3]     = pitch * cr;
    turn[0][w]     = sy * sr / cr; // yaw
    turn[0][w + 1] = -cy * sr / cr;
    turn[0][w + 2] = 1.0;
    turn[0][3]     = roll * sr / cr;
    turn[0][4]     = -pitch / cr;
}

static void copy_rates(const kane_body *body, const kane_guided_column *own, double out[6][KANE_BODY_STATES])
{
    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++)
        for (int i = 0; i < KANE_COORDINATES; i++)
            out[i][c] = own[c].rates[i];
}

kane_wrench kane_derive_inertial(const kane_model *model, const kane_work *work, int j)
{
    const kane_body *body     = &model->bodies[j];
    const kane_body_state *b  = &work->body[j];
    const kane_inertia J      = kane_body_inertia(body, b);
    const kane_wrench gain    = kane_frame_gain(model, work, body->frame);
    const kane_vec3 straight  = kv3_mul(body->keep[KANE_FORCE][KANE_TRANSLATION], gain.force);
    const kane_vec3 turning   = kv3_mul(body->keep[KANE_FORCE][KANE_ROTATION], kv3_cross(gain.torque, b->r));
    const kane_vec3 resisting = kv3_mul(body->keep[KANE_TORQUE][KANE_ROTATION], kane_inertia_mul(&J, gain.torque));
    return (kane_wrench){kv3_scale(-body->mass, kv3_add(straight, turning)), kv3_neg(resisting)};
}

// What one more m/s^2 of the frames does to a body.
static void derive_travel(const kane_model *model, const kane_work *work, int j, double out[6])
{
    const kane_body *body    = &model->bodies[j];
    const kane_body_state *b = &work->body[j];
    const kane_wrench gain   = kane_frame_gain(model, work, body->frame);
    double bias[2]           = {0.0, 0.0}, V_dot[6];

    // gaps of guided wheels feel all of it, whatever is omitted
    const kane_wheels_state *guides = guides_of(model, work, body);
    for (int i = 0; guides && i < 2; i++)
        bias[i] = kv3_dot(guides->guidance.push[i].force, kv3_add(gain.force, kv3_cross(gain.torque, b->r))) +
                  kv3_dot(guides->guidance.push[i].torque, gain.torque);
    respond_to(model, work, j, kane_derive_inertial(model, work, j), bias, V_dot);
    for (int i = 0; i < body->u_count; i++)
        out[i] = V_dot[body->follows ? body->component[i] : i];
}

static kane_status derive_wrenches(const kane_model *model, const kane_work *work, kane_gradient *pairs,
                                   kane_state_gradient *states)
{
    memset(pairs, 0, (size_t)model->pair_count * sizeof *pairs);
    int next = 0; // of the elements with states
    for (int e = 0; e < model->element_count; e++) {
        kane_state_gradient *own = model->elements[e].state_count > 0 ? &states[next++] : NULL;
        const kane_status status = kane_element_derive(model, work, e, pairs, own);
        if (status != KANE_OK)
            return status;
    }
    for (int i = 0; i < model->actuator_count; i++)
        kane_actuator_derive(model, work, i, pairs);
    kane_panels_derive(model, pairs);
    return kane_wheels_derive(model, work, pairs);
}

kane_status kane_derive(const kane_model *model, kane_work *work, kane_derivative *out)
{
    kane_status status = derive_wrenches(model, work, out->wrench, out->states);
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        if (wheels->way == KANE_CONTACT_ELASTIC)
            continue;
        status = kane_guided_derive(model, work, wheels, out->guided[i]);
        if (status != KANE_OK)
            return kane_guided_lose(work, status, wheels, &model->bodies[wheels->body]);
    }
    kane_status joined = KANE_OK;
    if (out->joined)
        joined =
            kane_joined_derive(model, work, out->joined, out->wrench, out->states, out->guided, out->joined_values);
    kane_states_derive(model, work, out->states, out->guided, out->state_entries);
    for (int p = 0; p < model->pair_count; p++)
        if (model->bodies[model->pairs[p].row].link < 0 && model->bodies[model->pairs[p].column].link < 0)
            derive_pair(model, work, p, out);
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (body->link >= 0)
            continue;
        memset(out->coordinates[j], 0, sizeof out->coordinates[j]);
        if (body->follows)
            copy_rates(body, out->guided[body->wheels], out->coordinates[j]);
        else
            derive_coordinates(body, &work->body[j], out->coordinates[j]);
        if (kane_model_is_driven(model))
            derive_travel(model, work, j, out->travel[j]);
    }
    return joined;
}
