// SPDX-License-Identifier: MIT
// Vehicles as figures of lines.

#include "modes.h"

#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DISPLACED = 0.15;   // the largest displacement that is drawn, of the vehicle's height
static const double ALONE     = 0.08;   // the same of a body alone, of its largest extent
static const double LEAST     = 0.08;   // half a side of a box that nothing else makes larger [m]
static const double RIM       = 0.0675; // half the width of a wheel [m]
static const double SPRING    = 0.06;   // half the height of a spring whose ends are one point, of the vehicle's height

enum { OUTLINE = 16, CIRCLE = 33, WHEEL_STROKES = 4 };

// A box drawn as one line: its bottom, up, its top, and the other edges between.
static const unsigned char corner[OUTLINE] = {0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4};

// --- how large bodies are ---

typedef struct extent {
    kane_vec3 low, high; // from the mass centre [m]
} extent;

static void include(extent *box, kane_vec3 point)
{
    box->low  = kv3(fmin(box->low.x, point.x), fmin(box->low.y, point.y), fmin(box->low.z, point.z));
    box->high = kv3(fmax(box->high.x, point.x), fmax(box->high.y, point.y), fmax(box->high.z, point.z));
}

// A body reaches beyond the points of its elements: at least as far as a homogeneous block of its mass and inertia.
static void include_mass(extent *box, const kane_body *body)
{
    if (!(body->mass > 0.0))
        return;
    const double sum = 0.5 * (body->J.x + body->J.y + body->J.z);
    const kane_vec3 h =
        kv3(sqrt(3.0 * fmax(0.0, sum - body->J.x) / body->mass), sqrt(3.0 * fmax(0.0, sum - body->J.y) / body->mass),
            sqrt(3.0 * fmax(0.0, sum - body->J.z) / body->mass));
    include(box, km3_mulv(body->principal, h));
    include(box, km3_mulv(body->principal, kv3_neg(h)));
}

static extent find_extent(const kane_model *model, int j)
{
    extent box = {kv3(-LEAST, -LEAST, -LEAST), kv3(LEAST, LEAST, LEAST)};
    for (int e = 0; e < model->element_count; e++) {
        const kane_fixed_marker *ends[2] = {&model->elements[e].a, &model->elements[e].b};
        for (int i = 0; i < 2; i++)
            if (ends[i]->body == j)
                include(&box, ends[i]->point);
    }
    include_mass(&box, &model->bodies[j]);
    return box;
}

// --- lines ---

// Where bodies are and how the mode moves them.
typedef struct pose {
    kane_vec3 rest; // mass centre, all track frames laid out in line [m]
    kane_mat3 R;    // body axes to vehicle axes
    kane_vec3 move, turn;
} pose;

typedef struct drawing {
    const kane_model *model;
    const pose *poses; // [bodies]
    modes_figure *figure;
} drawing;

static pose pose_of(const modes_found *found, const kane_model *model, int mode, int j)
{
    double q[KANE_COORDINATES], rates[KANE_COORDINATES], re[KANE_COORDINATES], im[KANE_COORDINATES];
    const kane_body *body = &model->bodies[j];
    pose p;
    kane_get_relative(model, kane_steady_work(found->steady), j, q, rates);
    p.R = km3_turn_z(km3_identity(), sin(q[KANE_YAW]), cos(q[KANE_YAW]));
    p.R = km3_turn_x(p.R, sin(q[KANE_ROLL]), cos(q[KANE_ROLL]));
    if (body->kind != KANE_BODY_SPINNING)
        p.R = km3_turn_y(p.R, sin(q[KANE_PITCH]), cos(q[KANE_PITCH]));
    p.rest = kv3_add(kv3_sub(body->position, body->origin), kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]));
    kane_modes_shape(found->modes, mode, j, re, im);
    p.move = kv3(re[KANE_X], re[KANE_Y], re[KANE_Z]);
    p.turn =
        kv3(re[KANE_ROLL], body->wheels >= 0 ? 0.0 : re[KANE_PITCH], re[KANE_YAW]); // a wheel's spin is not visible
    return p;
}

static void begin(const drawing *d, modes_stroke_kind kind)
{
    d->figure->strokes[d->figure->stroke_count++] = (modes_stroke){.kind = kind, .begin = d->figure->point_count};
}

// A point of a body; where it is displaced to is a rate for now: for 1 m of the mode's largest displacement.
static void add(const drawing *d, int body, kane_vec3 at)
{
    modes_figure *f            = d->figure;
    const pose *p              = &d->poses[body];
    const kane_vec3 r          = km3_mulv(p->R, at);
    f->at[0][f->point_count]   = kv3_add(p->rest, r);
    f->at[1][f->point_count++] = kv3_add(p->move, kv3_cross(p->turn, r));
    f->strokes[f->stroke_count - 1].count++;
}

static void add_box(const drawing *d, int body)
{
    const extent box = find_extent(d->model, body);
    begin(d, MODES_BODY);
    for (int k = 0; k < OUTLINE; k++) {
        const int i = corner[k];
        add(d, body,
            kv3(i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y, i & 4 ? box.high.z : box.low.z));
    }
}

// A disc: both rims, and its outline as seen from the front and from above.
static void add_wheel(const drawing *d, int body, double y, double r)
{
    const double pi = 3.14159265358979323846;
    for (int rim = 0; rim < 2; rim++) {
        begin(d, MODES_WHEEL);
        for (int i = 0; i < CIRCLE; i++) {
            const double angle = 2.0 * pi * i / (CIRCLE - 1);
            add(d, body, kv3(r * cos(angle), y + (rim ? RIM : -RIM), r * sin(angle)));
        }
    }
    for (int way = 0; way < 2; way++) {
        const double x = way ? r : 0.0, z = way ? 0.0 : r;
        begin(d, MODES_WHEEL);
        add(d, body, kv3(x, y - RIM, z));
        add(d, body, kv3(x, y + RIM, z));
        add(d, body, kv3(-x, y + RIM, -z));
        add(d, body, kv3(-x, y - RIM, -z));
        add(d, body, kv3(x, y - RIM, z));
    }
}

static void add_wheelset(const drawing *d, const kane_wheels *w)
{
    begin(d, MODES_WHEEL);
    add(d, w->body, kv3(0.0, w->wheel_distance[KANE_LEFT], 0.0));
    add(d, w->body, kv3(0.0, -w->wheel_distance[KANE_RIGHT], 0.0));
    add_wheel(d, w->body, w->wheel_distance[KANE_LEFT], w->radius[KANE_LEFT]);
    add_wheel(d, w->body, -w->wheel_distance[KANE_RIGHT], w->radius[KANE_RIGHT]);
}

static int is_spring(const kane_element *e)
{
    static const char *const words[] = {"spring", "bushing", "suspension", "maxwell"};
    for (int i = 0; i < 4; i++)
        if (strstr(e->law->name, words[i]))
            return 1;
    return 0;
}

// From end to end; a spring whose ends are one point stands upright there, its lower end on the lower body.
static void add_element(const drawing *d, const kane_element *e)
{
    const kane_fixed_marker *a = &e->a, *b = &e->b;
    if (a->body < 0 || b->body < 0)
        return;
    const pose *pa = &d->poses[a->body], *pb = &d->poses[b->body];
    const kane_vec3 from = kv3_add(pa->rest, km3_mulv(pa->R, a->point)),
                    to   = kv3_add(pb->rest, km3_mulv(pb->R, b->point));
    const double half    = SPRING * d->figure->height;
    const int is_point   = kv3_norm(kv3_sub(to, from)) < half;
    if (is_point && !is_spring(e))
        return;
    const double up = !is_point ? 0.0 : pa->rest.z < pb->rest.z ? half : -half;
    begin(d, is_spring(e) ? MODES_SPRING : MODES_ROD);
    add(d, a->body, kv3_sub(a->point, kv3(0.0, 0.0, up)));
    add(d, b->body, kv3_add(b->point, kv3(0.0, 0.0, up)));
}

// Where a node of a deformable body is, and where it is displaced to.
typedef void (*stroke_place)(const void *data, int node, kane_vec3 *rest, kane_vec3 *moved);

// --- the figure ---

static double height_of(const modes_figure *f)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < f->point_count; i++) {
        low  = fmin(low, f->at[0][i].z);
        high = fmax(high, f->at[0][i].z);
    }
    return high - low;
}

// Lines between two nodes, or the nodes.
static int stroke_count(const kane_deformable_figure *shape)
{
    return shape->line_count > 0 ? shape->line_count : shape->node_count;
}

static void add_strokes(modes_figure *f, const kane_deformable_figure *shape, stroke_place place, const void *data)
{
    for (int i = 0; i < stroke_count(shape); i++) {
        f->strokes[f->stroke_count++] =
            (modes_stroke){.kind = shape->line_count > 0 ? MODES_BODY : MODES_NODE, .begin = f->point_count};
        for (int end = 0; end < (shape->line_count > 0 ? 2 : 1); end++) {
            const int node = shape->line_count > 0 ? shape->lines[i][end] : i;
            place(data, node, &f->at[0][f->point_count], &f->at[1][f->point_count]);
            f->point_count++;
            f->strokes[f->stroke_count - 1].count++;
        }
    }
}

// A deformable body in the mode of a vehicle.
typedef struct deformed {
    const drawing *drawing;
    const kane_deformation *body;
    int carrier; // the body
} deformed;

static void place_node(const void *data, int node, kane_vec3 *rest, kane_vec3 *moved)
{
    const deformed *own                 = data;
    const kane_deformable_figure *shape = &own->body->figure;
    const pose *p                       = &own->drawing->poses[own->carrier];
    const kane_vec3 r                   = km3_mulv(p->R, kv3_sub(shape->nodes[node], shape->centre));
    kane_vec3 u                         = kv3_zero();
    int mode                            = 0;
    for (int j = 0; j < own->drawing->model->body_count; j++)
        if (own->drawing->model->bodies[j].part == KANE_PART_MODE &&
            own->drawing->model->bodies[j].part_of == own->carrier)
            u = kv3_add_scaled(u, own->drawing->poses[j].move.z, shape->shapes[node * own->body->count + mode++]);
    *rest  = kv3_add(p->rest, r);
    *moved = kv3_add(kv3_add(p->move, kv3_cross(p->turn, r)), km3_mulv(p->R, u));
}

// How a body deforms; NULL: it does not, or its shape is not known.
static const kane_deformation *deformation_of(const kane_model *model, int body)
{
    for (int i = 0; i < model->deformation_count; i++) {
        const kane_deformation *d = &model->deformations[i];
        if (model->link_body[model->tree.flexes[d->flex].carrier] == body && d->figure.node_count > 0)
            return d;
    }
    return NULL;
}

// Interfaces and modes of a deformable body are not drawn: it is.
static int is_part(const kane_model *model, int body)
{
    return model->bodies[body].part != KANE_PART_NONE && deformation_of(model, model->bodies[body].part_of);
}

static void draw(const drawing *d)
{
    const kane_model *model = d->model;
    modes_figure *f         = d->figure;
    for (int j = 0; j < model->body_count; j++) {
        const kane_deformation *deformation = deformation_of(model, j);
        if (deformation)
            add_strokes(f, &deformation->figure, place_node, &(deformed){d, deformation, j});
        else if (model->bodies[j].wheels < 0 && !is_part(model, j))
            add_box(d, j);
    }
    for (int i = 0; i < model->wheels_count; i++)
        add_wheelset(d, &model->wheels[i]);
    f->height = height_of(f);
    for (int e = 0; e < model->element_count; e++)
        add_element(d, &model->elements[e]);
    for (int i = 0; i < f->point_count; i++)
        f->at[1][i] = kv3_add_scaled(f->at[0][i], DISPLACED * f->height, f->at[1][i]);
}

static int allocate(modes_figure *f, size_t points, size_t strokes)
{
    *f         = (modes_figure){.point_count = 0};
    f->at[0]   = calloc(points + 1, sizeof *f->at[0]);
    f->at[1]   = calloc(points + 1, sizeof *f->at[1]);
    f->strokes = calloc(strokes + 1, sizeof *f->strokes);
    return f->at[0] && f->at[1] && f->strokes;
}

static int reserve(const kane_model *model, modes_figure *f)
{
    size_t lines = 0;
    for (int i = 0; i < model->deformation_count; i++)
        lines += (size_t)stroke_count(&model->deformations[i].figure);
    const size_t bodies = (size_t)model->body_count, wheels = 2 * (size_t)model->wheels_count,
                 elements = (size_t)model->element_count;
    return allocate(f, OUTLINE * bodies + (1 + 2 * CIRCLE + 10) * wheels + 2 * (elements + lines),
                    bodies + (WHEEL_STROKES + 1) * wheels + elements + lines);
}

int modes_figure_make(const modes_found *found, int mode, modes_figure *figure, kane_errors *errors)
{
    const kane_model *model = kane_steady_model(found->steady);
    pose *poses             = calloc((size_t)model->body_count + 1, sizeof *poses);
    if (!reserve(model, figure) || !poses) {
        (void)kane_no_memory(errors);
        modes_figure_free(figure);
        free(poses);
        return 0;
    }
    for (int j = 0; j < model->body_count; j++)
        poses[j] = pose_of(found, model, mode, j);
    draw(&(drawing){model, poses, figure});
    free(poses);
    return 1;
}

// One mode of a body alone.
typedef struct single_body {
    const kane_deformable *shape;
    int mode;
    double most; // displacement
} single_body;

static void place_alone(const void *data, int node, kane_vec3 *rest, kane_vec3 *moved)
{
    const single_body *own              = data;
    const kane_deformable_figure *shape = &own->shape->figure;
    *rest                               = shape->nodes[node];
    *moved = kv3_scale(1.0 / own->most, shape->shapes[node * own->shape->mode_count + own->mode]);
}

int modes_figure_make_alone(const kane_deformable *shape, int mode, modes_figure *figure, kane_errors *errors)
{
    const size_t strokes = (size_t)stroke_count(&shape->figure);
    single_body own      = {.shape = shape, .mode = mode};
    kane_vec3 low = kv3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = kv3_neg(low);
    if (!allocate(figure, 2 * strokes, strokes)) {
        (void)kane_no_memory(errors);
        modes_figure_free(figure);
        return 0;
    }
    for (int k = 0; k < shape->figure.node_count; k++) {
        const kane_vec3 x = shape->figure.nodes[k];
        own.most          = fmax(own.most, kv3_norm(shape->figure.shapes[k * shape->mode_count + mode]));
        low               = kv3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high              = kv3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    add_strokes(figure, &shape->figure, place_alone, &own);
    for (int i = 0; i < figure->point_count; i++)
        figure->at[1][i] = kv3_add_scaled(figure->at[0][i], ALONE * kv3_norm(kv3_sub(high, low)), figure->at[1][i]);
    return 1;
}

void modes_figure_free(modes_figure *figure)
{
    free(figure->at[0]);
    free(figure->at[1]);
    free(figure->strokes);
    *figure = (modes_figure){.point_count = 0};
}
