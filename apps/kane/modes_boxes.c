// SPDX-License-Identifier: MIT
// Bodies as boxes.

#include "modes_boxes.h"

#include "model/model.h"

#include <math.h>
#include <stdlib.h>

static const double DISPLACED = 0.15; // the largest displacement that is drawn, of the vehicle's height
static const double LEAST     = 0.08; // half a side of a box that nothing else makes larger [m]

// A box drawn as one line: its bottom, up, its top, and the other edges between.
static const unsigned char corner[MODES_OUTLINE] = {0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4};

static void include(modes_box *box, kane_vec3 point)
{
    box->low  = kv3(fmin(box->low.x, point.x), fmin(box->low.y, point.y), fmin(box->low.z, point.z));
    box->high = kv3(fmax(box->high.x, point.x), fmax(box->high.y, point.y), fmax(box->high.z, point.z));
}

static void include_end(modes_boxes *boxes, const kane_fixed_marker *end)
{
    if (end->body >= 0)
        include(&boxes->box[end->body], end->point);
}

static void find_extents(const kane_model *model, modes_boxes *boxes)
{
    for (int j = 0; j < model->body_count; j++) {
        include(&boxes->box[j], kv3(LEAST, LEAST, LEAST));
        include(&boxes->box[j], kv3(-LEAST, -LEAST, -LEAST));
    }
    for (int e = 0; e < model->element_count; e++) {
        include_end(boxes, &model->elements[e].a);
        include_end(boxes, &model->elements[e].b);
    }
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *w = &model->wheels[i];
        for (int side = 0; side < 2; side++) {
            const double y = side == KANE_LEFT ? w->wheel_distance[side] : -w->wheel_distance[side];
            include(&boxes->box[w->body], kv3(w->radius[side], y, w->radius[side]));
            include(&boxes->box[w->body], kv3(-w->radius[side], y, -w->radius[side]));
        }
    }
}

// A body reaches beyond the points of its elements: at least as far as a homogeneous block of its mass and inertia.
static void fill_up(const kane_model *model, modes_boxes *boxes)
{
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (!(body->mass > 0.0) || body->wheels >= 0)
            continue;
        const double sum  = 0.5 * (body->J.x + body->J.y + body->J.z);
        const kane_vec3 h = kv3(sqrt(3.0 * fmax(0.0, sum - body->J.x) / body->mass),
                                sqrt(3.0 * fmax(0.0, sum - body->J.y) / body->mass),
                                sqrt(3.0 * fmax(0.0, sum - body->J.z) / body->mass));
        include(&boxes->box[j], km3_mulv(body->principal, h));
        include(&boxes->box[j], km3_mulv(body->principal, kv3_neg(h)));
    }
}

static kane_vec3 corner_of(const modes_box *box, int i)
{
    return kv3(i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y, i & 4 ? box->high.z : box->low.z);
}

// Where a body is in equilibrium, all track frames laid out in line: mass centre and axes.
static kane_vec3 place_of(const modes_found *found, const kane_model *model, int j, kane_mat3 *R)
{
    double q[KANE_COORDINATES], rates[KANE_COORDINATES];
    const kane_body *body = &model->bodies[j];
    kane_get_relative(model, kane_steady_work(found->steady), j, q, rates);
    *R = km3_turn_z(km3_identity(), sin(q[KANE_YAW]), cos(q[KANE_YAW]));
    *R = km3_turn_x(*R, sin(q[KANE_ROLL]), cos(q[KANE_ROLL]));
    if (body->kind != KANE_BODY_SPINNING)
        *R = km3_turn_y(*R, sin(q[KANE_PITCH]), cos(q[KANE_PITCH]));
    return kv3_add(kv3_sub(body->position, body->origin), kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]));
}

// Outlines at rest, and moved on by what the mode does, `size` metres for its largest displacement.
static void displace(const modes_found *found, const kane_model *model, int mode, double size, modes_boxes *boxes)
{
    for (int j = 0; j < model->body_count; j++) {
        double re[KANE_COORDINATES], im[KANE_COORDINATES];
        modes_box *box = &boxes->box[j];
        kane_mat3 R;
        kane_modes_shape(found->modes, mode, j, re, im);
        const kane_vec3 move = kv3(re[KANE_X], re[KANE_Y], re[KANE_Z]);
        const kane_vec3 turn = kv3(re[KANE_ROLL], re[KANE_PITCH], re[KANE_YAW]);
        const kane_vec3 rest = place_of(found, model, j, &R);
        for (int i = 0; i < MODES_OUTLINE; i++) {
            const kane_vec3 p  = km3_mulv(R, corner_of(box, corner[i]));
            box->outline[0][i] = kv3_add(rest, p);
            box->outline[1][i] = kv3_add_scaled(box->outline[0][i], size, kv3_add(move, kv3_cross(turn, p)));
        }
    }
}

static double height_of(const modes_boxes *boxes)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int j = 0; j < boxes->count; j++) {
        for (int i = 0; i < MODES_OUTLINE; i++) {
            low  = fmin(low, boxes->box[j].outline[0][i].z);
            high = fmax(high, boxes->box[j].outline[0][i].z);
        }
    }
    return high - low;
}

int modes_boxes_make(const modes_found *found, int mode, modes_boxes *boxes, kane_errors *errors)
{
    const kane_model *model = kane_steady_model(found->steady);
    *boxes                  = (modes_boxes){.count = model->body_count};
    boxes->box              = calloc((size_t)boxes->count + 1, sizeof *boxes->box);
    if (!boxes->box) {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
        return 0;
    }
    find_extents(model, boxes);
    fill_up(model, boxes);
    displace(found, model, mode, 0.0, boxes);
    displace(found, model, mode, DISPLACED * height_of(boxes), boxes);
    return 1;
}

void modes_boxes_free(modes_boxes *boxes)
{
    free(boxes->box);
    *boxes = (modes_boxes){.count = 0};
}
