// SPDX-License-Identifier: MIT
// How inertial parameters enter the equations of motion, and base parameters (kane/regressor.h).

#include <kane/regressor.h>

#include "agem/bodies.h"
#include "math/dense.h"

#include <stdio.h>
#include <string.h>

// Change of a speed in a difference [m/s], [rad/s]: velocities are linear in speeds.
static const double speed_change = 1.0;

// Least length that a radius of gyration is taken for [m].
static const double least_radius = 1e-3;

// Places among the parameters of a body: moments of inertia come first, then static moments.
enum { MOMENTS = 6, MASS = 9 };

// Absolute motion of a body, body axes.
typedef struct body_motion {
    kane_mat3 axes;    // world axes to body axes
    kane_vec3 arm;     // from O to the mass centre as drawn
    kane_vec3 a, w, e; // acceleration of O less gravity, angular velocity, angular acceleration
} body_motion;

struct kane_regressor {
    kane_arena *arena;
    const kane_model *model;
    int rows, body_count;
    int *body;            // numbers in the model [body_count]
    double *y, *ydot;     // [states]
    body_motion *motion;  // [body_count]
    kane_wrench *partial; // v_j in the place of the force, w_j of the torque [rows][body_count]
};

// Rigid, and not of the track.
static int is_listed(const kane_model *model, const kane_body *body)
{
    return body->mass > 0.0 && body->part == KANE_PART_NONE && !body->panel &&
           model->tree.links[body->link].role == KANE_FLEX_NONE;
}

static const char *find_obstacle(const kane_model *model)
{
    if (kane_model_is_held(model))
        return "constraints are held by multipliers: \"form\": \"coefficients\" has independent speeds";
    for (int i = 0; i < model->wheels_count; i++)
        if (model->wheels[i].contact_model == KANE_CONTACT_CONSTRAINT)
            return "rails guide wheels by constraints: \"model\": \"table\" or \"elastic\" has independent speeds";
    return NULL;
}

static void list_bodies(kane_regressor *r)
{
    for (int i = 0; i < r->model->body_count; i++) {
        const kane_link *link = &r->model->tree.links[r->model->bodies[i].link];
        if (!is_listed(r->model, &r->model->bodies[i]))
            continue;
        r->motion[r->body_count].arm = link->body_turned ? km3_tmulv(link->body_R, link->c) : link->c;
        r->body[r->body_count++]     = i;
    }
}

kane_regressor *kane_regressor_create(const kane_model *model, kane_errors *errors)
{
    const char *obstacle = find_obstacle(model);
    if (obstacle) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "base parameters: %s", obstacle);
        return NULL;
    }
    kane_arena *arena;
    kane_regressor *r = kane_arena_object(&arena, sizeof *r, errors);
    const size_t most = (size_t)model->body_count, states = (size_t)model->state_count;
    if (!r)
        return NULL;
    r->arena   = arena;
    r->model   = model;
    r->rows    = model->u_end - model->u_begin;
    r->body    = kane_arena_alloc(arena, most, sizeof *r->body);
    r->y       = kane_arena_doubles(arena, states);
    r->ydot    = kane_arena_doubles(arena, states);
    r->motion  = kane_arena_alloc(arena, most, sizeof *r->motion);
    r->partial = kane_arena_alloc(arena, most * (size_t)r->rows, sizeof *r->partial);
    if (kane_arena_failed(arena)) {
        kane_arena_free(arena);
        (void)kane_no_memory(errors);
        return NULL;
    }
    list_bodies(r);
    if (r->body_count > 0 && r->rows > 0)
        return r;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "base parameters: %s",
                    r->rows > 0 ? "no rigid body has mass" : "nothing moves");
    kane_arena_free(arena);
    return NULL;
}

void kane_regressor_free(kane_regressor *regressor)
{
    if (regressor)
        kane_arena_free(regressor->arena);
}

int kane_regressor_rows(const kane_regressor *regressor)
{
    return regressor->rows;
}

int kane_regressor_columns(const kane_regressor *regressor)
{
    return regressor->body_count * KANE_BODY_PARAMETERS;
}

// --- names and values ---

static const kane_body *body_of(const kane_regressor *r, int column)
{
    return &r->model->bodies[r->body[column / KANE_BODY_PARAMETERS]];
}

void kane_regressor_name(const kane_regressor *regressor, int column, size_t size, char *name)
{
    static const char *const parts[KANE_BODY_PARAMETERS] = {"J_xx", "J_yy",  "J_zz",  "J_xy",  "J_xz",
                                                            "J_yz", "m c_x", "m c_y", "m c_z", "m"};
    (void)snprintf(name, size, "%s.%s", body_of(regressor, column)->name, parts[column % KANE_BODY_PARAMETERS]);
}

// Of a moment of inertia 2, of a static moment 1, of the mass 0.
static int power_of_length(int column)
{
    const int part = column % KANE_BODY_PARAMETERS;
    return part < MOMENTS ? 2 : part < MASS ? 1 : 0;
}

const char *kane_regressor_unit(const kane_regressor *regressor, int column)
{
    static const char *const units[3] = {"kg", "kg m", "kg m^2"};
    (void)regressor;
    return units[power_of_length(column)];
}

double kane_regressor_scale(const kane_regressor *regressor, int column)
{
    const kane_body *body = body_of(regressor, column);
    const double radius   = sqrt(0.5 * (body->J.x + body->J.y + body->J.z) / body->mass);
    return pow(fmax(radius, least_radius), power_of_length(column));
}

double kane_regressor_value(const kane_regressor *regressor, int column)
{
    const kane_body *body = body_of(regressor, column);
    const kane_vec3 arm   = regressor->motion[column / KANE_BODY_PARAMETERS].arm;
    const int part        = column % KANE_BODY_PARAMETERS;
    if (part == MASS)
        return body->mass;
    if (part >= MOMENTS)
        return body->mass * kv3_get(arm, part - MOMENTS);
    const kane_mat3 P      = body->turned ? body->principal : km3_identity();
    const kane_mat3 J_mass = km3_mul(km3_mul(P, km3_diag(body->J.x, body->J.y, body->J.z)), km3_transpose(P));
    const kane_mat3 arms   = km3_sub(km3_scale(kv3_dot(arm, arm), km3_identity()), km3_outer(arm, arm));
    const kane_mat3 J      = km3_add(J_mass, km3_scale(body->mass, arms)); // about O
    const double values[6] = {J.x.x, J.y.y, J.z.z, J.y.x, J.z.x, J.z.y};
    return values[part];
}

// --- one state ---

// World axes to body axes, which turn with the body: those of a spinning body leave its spin out.
static kane_mat3 body_axes(const kane_model *model, const kane_work *work, const kane_body *body,
                           const kane_body_state *b)
{
    const kane_link *link = &model->tree.links[body->link];
    if (!link->is_spinning)
        return km3_transpose(b->R_w);
    const double spin = work->tree.q[link->q + kane_link_spin(link)];
    return km3_transpose(km3_turn_y(b->R_w, sin(spin), cos(spin)));
}

// Matrix of J_xx, J_yy, J_zz, J_xy, J_xz or J_yz alone, as 1.
static kane_mat3 unit_moment(int k)
{
    static const int row[MOMENTS] = {0, 1, 2, 0, 0, 1}, column[MOMENTS] = {0, 1, 2, 1, 2, 2};
    const kane_mat3 E       = km3_identity();
    const kane_vec3 axis[3] = {E.x, E.y, E.z};
    const kane_mat3 J       = km3_outer(axis[row[k]], axis[column[k]]);
    return row[k] == column[k] ? J : km3_add(J, km3_transpose(J));
}

// F and T by each parameter as 1: acceleration less gravity a, w and e in body axes.
static void fill_columns(kane_vec3 a, kane_vec3 w, kane_vec3 e, double *columns)
{
    for (int k = 0; k < KANE_BODY_PARAMETERS; k++) {
        kane_vec3 F = kv3_zero(), T = kv3_zero();
        if (k < MOMENTS) {
            const kane_mat3 J = unit_moment(k);
            T                 = kv3_add(km3_mulv(J, e), kv3_cross(w, km3_mulv(J, w)));
        } else if (k < MASS) {
            const kane_vec3 c = kv3(k == MOMENTS, k == MOMENTS + 1, k == MOMENTS + 2);
            F                 = kv3_add(kv3_cross(e, c), kv3_cross(w, kv3_cross(w, c)));
            T                 = kv3_cross(c, a);
        } else {
            F = a;
        }
        const double both[6] = {F.x, F.y, F.z, T.x, T.y, T.z};
        memcpy(columns + (size_t)k * 6, both, sizeof both);
    }
}

// Axes and absolute motion of all bodies at the state, body axes.
static void see_motion(kane_regressor *r, const kane_work *work)
{
    for (int k = 0; k < r->body_count; k++) {
        const int i              = r->body[k];
        const kane_body *body    = &r->model->bodies[i];
        const kane_body_state *b = &work->body[i];
        const kane_mat3 R_track  = work->transport[body->track_frame].R;
        body_motion *m           = &r->motion[k];
        kane_vec3 a, e;
        kane_get_absolute(r->model, work, i, NULL, NULL, &a, &e);
        m->axes = body_axes(r->model, work, body, b);
        m->w    = km3_mulv(m->axes, b->w_w);
        m->e    = km3_mulv(m->axes, km3_mulv(R_track, e));
        m->a    = km3_mulv(m->axes, kv3_sub(km3_mulv(R_track, a), work->gravity));
        m->a    = kv3_sub(m->a, kv3_add(kv3_cross(m->e, m->arm), kv3_cross(m->w, kv3_cross(m->w, m->arm))));
    }
}

// Adds `per` times the velocities of all bodies with one speed changed to the partial velocities of that speed.
static kane_status add_velocities(kane_regressor *r, kane_work *work, double t, int j, double change, double per)
{
    const int state          = r->model->u_begin + j;
    const double kept        = r->y[state];
    r->y[state]              = kept + change;
    const kane_status status = kane_motion_eval(r->model, work, t, r->y);
    r->y[state]              = kept;
    if (status != KANE_OK)
        return status;
    kane_observe_motion(r->model, work);
    for (int k = 0; k < r->body_count; k++) {
        const kane_body_state *b = &work->body[r->body[k]];
        kane_wrench *partial     = &r->partial[(size_t)j * (size_t)r->body_count + (size_t)k];
        const body_motion *m     = &r->motion[k];
        const kane_vec3 w        = km3_mulv(m->axes, b->w_w);
        const kane_vec3 v        = kv3_sub(km3_mulv(m->axes, b->v_w), kv3_cross(w, m->arm));
        partial->force           = kv3_add_scaled(partial->force, per, v);
        partial->torque          = kv3_add_scaled(partial->torque, per, w);
    }
    return KANE_OK;
}

// v_j and w_j of all bodies by all independent speeds: central differences.
static kane_status see_partial_velocities(kane_regressor *r, kane_work *work, double t)
{
    const double per   = 0.5 / speed_change;
    kane_status status = KANE_OK;
    memset(r->partial, 0, (size_t)r->rows * (size_t)r->body_count * sizeof *r->partial);
    for (int j = 0; j < r->rows && status == KANE_OK; j++) {
        status = add_velocities(r, work, t, j, speed_change, per);
        if (status == KANE_OK)
            status = add_velocities(r, work, t, j, -speed_change, -per);
    }
    return status;
}

// Accelerations of bodies with those of the speeds changed by u_more:  a + sum v_j u_more_j
static void add_accelerations(kane_regressor *r, const double *u_more)
{
    for (int j = 0; j < r->rows; j++)
        for (int k = 0; k < r->body_count; k++) {
            const kane_wrench *partial = &r->partial[(size_t)j * (size_t)r->body_count + (size_t)k];
            r->motion[k].a             = kv3_add_scaled(r->motion[k].a, u_more[j], partial->force);
            r->motion[k].e             = kv3_add_scaled(r->motion[k].e, u_more[j], partial->torque);
        }
}

// Columns of one body in all rows: v_j.F + w_j.T.
static void fill_body(const kane_regressor *r, int k, double *Y)
{
    double columns[KANE_BODY_PARAMETERS * 6];
    fill_columns(r->motion[k].a, r->motion[k].w, r->motion[k].e, columns);
    for (int j = 0; j < r->rows; j++) {
        const kane_wrench *p = &r->partial[(size_t)j * (size_t)r->body_count + (size_t)k];
        double *row          = Y + (size_t)(j * r->body_count + k) * KANE_BODY_PARAMETERS;
        for (int i = 0; i < KANE_BODY_PARAMETERS; i++) {
            const double *c = columns + (size_t)i * 6;
            row[i]          = kv3_dot(p->force, kv3(c[0], c[1], c[2])) + kv3_dot(p->torque, kv3(c[3], c[4], c[5]));
        }
    }
}

kane_status kane_regressor_eval(kane_regressor *r, kane_work *work, double t, const double *y, const double *u_more,
                                double *Y)
{
    kane_status status = kane_eval(r->model, work, t, y, r->ydot);
    if (status != KANE_OK)
        return status;
    memcpy(r->y, y, (size_t)r->model->state_count * sizeof *y);
    kane_observe_motion(r->model, work);
    see_motion(r, work);
    status = see_partial_velocities(r, work, t);
    if (status != KANE_OK)
        return status;
    if (u_more)
        add_accelerations(r, u_more);
    for (int k = 0; k < r->body_count; k++)
        fill_body(r, k, Y);
    return KANE_OK;
}
