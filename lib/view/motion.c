// SPDX-License-Identifier: MIT
// Where bodies are in every row of a result.

#include "view/scene.h"

#include <kane/agem.h>

#include "agem/work.h"
#include "math/small.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TURN (2.0 * 3.14159265358979323846)

// Numbers that the model finds are kept for so many at most; rows are left out until they are.
enum { NUMBERS_MOST = 6000000 };

typedef struct finding {
    kane_arena *arena;
    const kane_model *model;
    const kane_results *results;
    kane_motion *motion;
    kane_motion_of *body;
    // of every body: the columns of its coordinates, -1: not recorded; those of a free body are x .. pitch
    int (*column)[KANE_JOINT_COORDINATES];
    int time, distance, speed; // columns, -1: none
    kane_work *work;
    double *y;
} finding;

static int no_memory(kane_errors *errors)
{
    (void)kane_no_memory(errors);
    return 0;
}

int kane_motion_column(const kane_results *results, const char *name)
{
    for (int i = 0; results && i < kane_results_column_count(results); i++)
        if (strcmp(kane_results_column(results, i)->name, name) == 0)
            return i;
    return -1;
}

// --- what was recorded ---

static int coordinate_count(const kane_body *body)
{
    return body->is_free_body ? (int)KANE_COORDINATES : body->q_count;
}

static void find_columns(finding *f)
{
    f->time     = kane_motion_column(f->results, "time");
    f->distance = kane_motion_column(f->results, "distance");
    f->speed    = kane_motion_column(f->results, "speed");
    for (int j = 0; j < f->model->body_count; j++) {
        const kane_body *body = &f->model->bodies[j];
        for (int k = 0; k < coordinate_count(body); k++) {
            char name[256];
            if (body->is_free_body)
                (void)snprintf(name, sizeof name, "%s.%s", body->name, kane_coordinate_name((kane_coordinate)k));
            else
                (void)snprintf(name, sizeof name, "%s.joint.%s", body->name, body->coordinate[k]);
            f->column[j][k] = kane_motion_column(f->results, name);
        }
    }
}

static int is_recorded(const finding *f, int j)
{
    for (int k = 0; k < coordinate_count(&f->model->bodies[j]); k++)
        if (f->column[j][k] < 0)
            return 0;
    return 1;
}

// --- where a body is, as the last evaluation has it ---

// Coordinates relative to the body's reference: its track frame, or the inertial frame for a given frame.
static void place_body(const finding *f, int j, double q[KANE_COORDINATES])
{
    const kane_body *body   = &f->model->bodies[j];
    const kane_frame *frame = &f->model->frames[body->track_frame];
    const kane_transport *T = &f->work->transport[body->track_frame];
    double rate[KANE_COORDINATES], angle[3];
    kane_get_relative(f->model, f->work, j, q, rate);
    if (frame->kind != KANE_FRAME_GIVEN)
        return;
    const kane_vec3 r = kv3_add(T->r_o, km3_mulv(T->R, kv3(q[KANE_X], q[KANE_Y], q[KANE_Z])));
    kane_angles_from_matrix(km3_mul(T->R, kane_matrix_from_angles(q[KANE_YAW], q[KANE_ROLL], q[KANE_PITCH])), angle);
    const double all[KANE_COORDINATES] = {r.x, r.y, r.z, angle[0], angle[1], angle[2]};
    memcpy(q, all, sizeof all);
}

// Given frames of the moving formulation are seen from the guide's frame (agem/frames.c).
static void set_reference(finding *f, int j)
{
    const kane_model *m     = f->model;
    const kane_frame *frame = &m->frames[m->bodies[j].track_frame];
    kane_motion_of *of      = &f->body[j];
    if (frame->kind == KANE_FRAME_TRACK) {
        of->reference = KANE_AGAINST_LINE;
        of->offset    = frame->offset;
        of->beside    = frame->beside;
    } else if (frame->kind == KANE_FRAME_GIVEN && m->formulation == KANE_MOVING &&
               m->frames[0].kind == KANE_FRAME_TRACK) {
        of->reference = KANE_AGAINST_LINE;
    } else {
        of->reference = KANE_AGAINST_WORLD;
    }
}

static void take_rest(finding *f)
{
    for (int j = 0; j < f->model->body_count; j++) {
        if (f->model->bodies[j].panel)
            continue;
        set_reference(f, j);
        place_body(f, j, f->body[j].rest);
    }
}

static int find_rest(finding *f, kane_errors *errors)
{
    double *ydot = kane_arena_doubles(f->arena, (size_t)f->model->state_count + 1);
    if (!ydot)
        return no_memory(errors);
    if (kane_initial_state(f->model, f->work, f->y, errors) != KANE_OK)
        return 0;
    if (kane_eval(f->model, f->work, 0.0, f->y, ydot) != KANE_OK) {
        kane_work_fault(f->model, f->work, errors);
        return 0;
    }
    kane_observe_motion(f->model, f->work);
    take_rest(f);
    return 1;
}

// --- rows ---

// Bodies that stand alone on the line move as the columns say.
static void take_columns(finding *f, int j)
{
    for (int k = 0; k < KANE_COORDINATES; k++) {
        f->body[j].values[k] = kane_results_values(f->results, f->column[j][k]);
        f->body[j].step[k]   = f->motion->stride;
    }
}

static int needs_model(const kane_model *model)
{
    for (int j = 0; j < model->body_count; j++)
        if (!model->bodies[j].panel &&
            (!model->bodies[j].is_free_body || model->frames[model->bodies[j].track_frame].kind == KANE_FRAME_GIVEN))
            return 1;
    return 0;
}

static double column_value(const finding *f, int column, int row)
{
    return column < 0 ? 0.0 : kane_results_values(f->results, column)[row];
}

static void read_row(const finding *f, int j, int row, double *q)
{
    for (int k = 0; k < coordinate_count(&f->model->bodies[j]); k++)
        q[k] = column_value(f, f->column[j][k], row);
}

// Writes a row's values into the state, those of free bodies last: joints write all of y. Frames must be those of the
// row.
static void put_row(finding *f, int row)
{
    static const double still[KANE_JOINT_COORDINATES] = {0.0};
    const kane_model *m                               = f->model;
    double q[KANE_JOINT_COORDINATES];
    for (int i = 0; i < m->tree.link_count; i++) { // parents before their children
        const int j = m->link_body[i];
        if (m->bodies[j].is_free_body || m->bodies[j].panel || m->bodies[j].part == KANE_PART_POINT ||
            !is_recorded(f, j))
            continue;
        read_row(f, j, row, q);
        (void)kane_put_joint(m, f->work, j, q, still);
    }
    kane_put_joints_end(m, f->work, f->y);
    for (int j = 0; j < m->body_count; j++) {
        if (!m->bodies[j].is_free_body || m->bodies[j].panel || !is_recorded(f, j))
            continue;
        read_row(f, j, row, q);
        (void)kane_put_relative(m, f->work, j, q, still, f->y);
    }
}

// Evaluates the model in the state of a row. Returns 0 if that fails.
static int go_to(finding *f, int row, double *ydot)
{
    const kane_model *m = f->model;
    const double t      = column_value(f, f->time, row);
    if (m->travel_count > 0)
        f->y[0] = m->start + column_value(f, f->distance, row);
    if (m->travel_count > 1)
        f->y[1] = column_value(f, f->speed, row);
    kane_work_locate(m, f->work, t, f->y);
    if (m->formulation == KANE_FIXED) // coordinates against A need to know where frames are now
        (void)kane_eval(m, f->work, t, f->y, ydot);
    put_row(f, row);
    if (kane_eval(m, f->work, t, f->y, ydot) < 0)
        return 0;
    kane_observe_motion(m, f->work);
    return 1;
}

// Adds the multiple of a full turn that brings the angle nearest to that of the row before.
static void unwind_angle(double *angle, double before)
{
    if (isfinite(before) && isfinite(*angle))
        *angle += TURN * round((before - *angle) / TURN);
}

static int evaluate_rows(finding *f, kane_errors *errors)
{
    const int bodies = f->model->body_count, width = bodies * (int)KANE_COORDINATES;
    const int rows   = kane_results_row_count(f->results);
    const int stride = rows / (NUMBERS_MOST / (width > 0 ? width : 1) + 1) + 1;
    const int count  = rows > 0 ? (rows - 1) / stride + 1 : 0;
    double *all      = kane_arena_doubles(f->arena, (size_t)count * (size_t)width + 1);
    double *ydot     = kane_arena_doubles(f->arena, (size_t)f->model->state_count + 1);
    if (!all || !ydot)
        return no_memory(errors);
    for (int i = 0; i < count; i++) {
        const int good = go_to(f, i * stride, ydot);
        for (int j = 0; j < bodies; j++) {
            double *q = all + (size_t)i * (size_t)width + (size_t)j * KANE_COORDINATES;
            if (f->model->bodies[j].panel)
                continue;
            if (good)
                place_body(f, j, q);
            for (int k = 0; k < KANE_COORDINATES; k++)
                q[k] = good ? q[k] : (double)NAN;
            for (int k = KANE_YAW; k <= KANE_PITCH && i > 0; k++)
                unwind_angle(&q[k], q[k - width]);
        }
    }
    f->motion->stride = stride;
    f->motion->count  = count;
    for (int j = 0; j < bodies; j++)
        for (int k = 0; k < KANE_COORDINATES && !f->model->bodies[j].panel; k++) {
            f->body[j].values[k] = all + (size_t)j * KANE_COORDINATES + (size_t)k;
            f->body[j].step[k]   = width;
        }
    return 1;
}

static int find_rows(finding *f, kane_errors *errors)
{
    f->motion->stride = 1;
    f->motion->count  = kane_results_row_count(f->results);
    for (int j = 0; j < f->model->body_count; j++) {
        const kane_body *body = &f->model->bodies[j];
        const int moves       = body->panel || body->part == KANE_PART_POINT || is_recorded(f, j);
        f->motion->still += !moves;
    }
    if (needs_model(f->model))
        return evaluate_rows(f, errors);
    for (int j = 0; j < f->model->body_count; j++)
        if (!f->model->bodies[j].panel && is_recorded(f, j))
            take_columns(f, j);
    return 1;
}

const kane_motion *kane_motion_find(kane_arena *arena, const kane_model *model, const kane_results *results,
                                    kane_errors *errors)
{
    const size_t bodies = (size_t)model->body_count;
    finding f           = {.arena = arena, .model = model, .results = results};
    f.motion            = kane_arena_alloc(arena, 1, sizeof *f.motion);
    f.body              = kane_arena_alloc(arena, bodies, sizeof *f.body);
    f.column            = kane_arena_alloc(arena, bodies, sizeof *f.column);
    f.y                 = kane_arena_doubles(arena, (size_t)model->state_count + 1);
    if (kane_arena_failed(arena)) {
        (void)no_memory(errors);
        return NULL;
    }
    f.motion->body = f.body;
    f.work         = kane_work_create(model, errors);
    find_columns(&f);
    const int good = f.work && find_rest(&f, errors) && find_rows(&f, errors);
    kane_work_free(f.work);
    return good ? f.motion : NULL;
}

const kane_motion *kane_motion_at_rest(kane_arena *arena, const kane_model *model, kane_work *work)
{
    finding f = {.arena = arena, .model = model, .work = work};
    f.motion  = kane_arena_alloc(arena, 1, sizeof *f.motion);
    f.body    = kane_arena_alloc(arena, (size_t)model->body_count, sizeof *f.body);
    if (kane_arena_failed(arena))
        return NULL;
    f.motion->stride = 1;
    f.motion->body   = f.body;
    take_rest(&f);
    return f.motion;
}
