// SPDX-License-Identifier: MIT
// Where joined bodies start: coordinates and speeds of the tree, and constraints with their sides on links.

#include "model/compile.h"
#include "tree/closed.h"

#include <string.h>

kane_transport kane_compile_frame_at_rest(const kane_model *model, int frame)
{
    const kane_frame *f = &model->frames[frame];
    kane_transport T    = kane_transport_rest();
    if (f->kind == KANE_FRAME_GIVEN)
        f->given.motion(f->given.data, 0.0, &T);
    else
        T.r_o = kv3(f->offset, 0.0, 0.0);
    return T;
}

// --- constraints ---

// The first side that is on a body; one is.
static const kane_drawn *first_on_a_body(const kane_drawn *side)
{
    while (side->body < 0)
        side++;
    return side;
}

// A marker in the drawing as one on a link, or on the track frame of the body of another side.
static kane_side_marker side_of(const kane_compiler *c, const kane_drawn *drawn, const kane_drawn *other)
{
    const kane_body *bodies = c->model->bodies;
    if (drawn->body < 0) {
        const kane_body *body = &bodies[other->body];
        return (kane_side_marker){.link  = -1,
                                  .frame = body->track_frame,
                                  .point = kv3_sub(drawn->at, kane_compile_frame_origin(body)),
                                  .axes  = drawn->axes};
    }
    const kane_hinge *hinge = &c->hinges[drawn->body];
    const kane_body *body   = &bodies[drawn->body];
    return (kane_side_marker){.link  = body->link,
                              .frame = body->frame,
                              .point = km3_tmulv(hinge->link_axes, kv3_sub(drawn->at, hinge->link_origin)),
                              .axes  = km3_tmul(hinge->link_axes, drawn->axes)};
}

// A closed form that was asked for must be one.
static void check_closed_form(kane_compiler *c, int i)
{
    const kane_closure *closure = &c->model->closures[i];
    kane_closed closed;
    const char *why =
        closure->closed != KANE_CLOSED_NONE ? kane_closed_recognise(&c->model->tree, closure, &closed) : NULL;
    if (why)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT,
                              kane_block_place(&c->vehicle->constraints[i].block, "closed_form", -1),
                              "the loop of '%s' %s, so it has not this closed form; leave it out", closure->name, why);
}

void kane_compile_closures(kane_compiler *c)
{
    for (int i = 0; i < c->model->closure_count; i++) {
        kane_closure *closure               = &c->model->closures[i];
        const kane_constraint_definition *d = &c->vehicle->constraints[i];
        const kane_drawn *side              = &c->sides[KANE_SIDES_MOST * i];
        for (int k = 0; k < closure->term_count; k++) {
            const int body        = kane_names_find(kane_compile_body_names(c), d->terms[k].body);
            closure->term[k].link = c->model->bodies[body].link;
        }
        for (int k = 0; k < closure->side_count; k++)
            closure->side[k] = side_of(c, &side[k], first_on_a_body(side));
        check_closed_form(c, i);
    }
}

// --- coordinates and rates at the start ---

// A wheelset that is joined by all its freedoms rests on its wheels: as they let it down from where it is drawn.
static void let_down(const kane_compiler *c, int j, const kane_link *link, double *q)
{
    const kane_body *body   = &c->model->bodies[j];
    const kane_hinge *hinge = &c->hinges[j];
    if (body->wheels < 0)
        return;
    const kane_wheels *wheels = &c->model->wheels[body->wheels];
    const kane_mat3 rolled    = km3_turn_x(km3_identity(), sin(wheels->roll), cos(wheels->roll));
    const kane_vec3 arm       = kv3_sub(hinge->to.at, body->position);
    const kane_vec3 sunk      = kv3(0.0, 0.0, wheels->height - body->position.z);
    const kane_vec3 moved     = kv3_add(sunk, kv3_sub(km3_mulv(rolled, arm), arm));
    const kane_vec3 in_seat   = km3_tmulv(hinge->from.axes, moved);
    q[KANE_X] += in_seat.x;
    q[KANE_Y] += in_seat.y;
    q[KANE_Z] += in_seat.z;
    for (int k = 3; k < 6; k++)
        if (link->step[k].axis == 0)
            q[k] += wheels->roll;
}

static void start_coordinates(const kane_compiler *c, int i, double *q)
{
    const kane_model *model            = c->model;
    const int j                        = model->link_body[i];
    const kane_link *link              = &model->tree.links[i];
    const kane_body *body              = &model->bodies[j];
    const kane_start_definition *start = c->vehicle->bodies[j].start;
    const kane_joint_definition *joint = c->hinges[j].joint;
    for (int k = 0; k < link->q_count; k++)
        q[k] = start ? start->q[k] : 0.0;
    if (link->kind == KANE_LINK_BALL && q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0)
        q[0] = 1.0;
    if (!joint) {
        q[KANE_X] += body->origin.x;
        q[KANE_Y] += body->origin.y;
        q[KANE_Z] += body->origin.z;
        if (body->frame != body->track_frame)
            q[KANE_X] += model->frames[body->track_frame].offset;
    }
    if (link->kind == KANE_LINK_BODY)
        let_down(c, j, link, q);
    for (int k = 0; k < link->step_count; k++)
        if (link->step[k].mode == KANE_STEP_GIVEN) {
            double f[4];
            kane_course_eval(link->step[k].function, 0.0, f);
            q[k] = f[0];
        }
}

// Rates of the coordinates; wheelsets roll.
static void start_rates(const kane_compiler *c, int i, double *q_dot)
{
    const kane_model *model            = c->model;
    const int j                        = model->link_body[i];
    const kane_link *link              = &model->tree.links[i];
    const kane_body *body              = &model->bodies[j];
    const kane_start_definition *start = c->vehicle->bodies[j].start;
    for (int k = 0; k < KANE_JOINT_SPEEDS; k++)
        q_dot[k] = start ? start->rate[k] : 0.0;
    for (int k = 3; k < 6 && body->wheels >= 0 && link->kind == KANE_LINK_BODY; k++)
        if (link->step[k].axis == 1)
            q_dot[k] += model->wheels[body->wheels].spin * model->speed;
}

void kane_compile_start(kane_compiler *c)
{
    kane_model *model     = c->model;
    const kane_tree *tree = &model->tree;
    kane_tree_work work;
    kane_base *rest = kane_arena_alloc(model->arena, (size_t)model->frame_count, sizeof *rest);
    model->start_q  = kane_arena_alloc(model->arena, (size_t)tree->q_count, sizeof *model->start_q);
    model->start_v  = kane_arena_alloc(model->arena, (size_t)tree->v_count, sizeof *model->start_v);
    if (!rest || !model->start_q || !model->start_v || !kane_tree_work_create(tree, model->arena, &work))
        return;
    for (int i = 0; i < tree->link_count; i++) {
        const kane_link *link  = &tree->links[i];
        const kane_links alone = {i, i + 1};
        double rate[KANE_JOINT_COORDINATES];
        start_coordinates(c, i, work.q + link->q);
        start_rates(c, i, rate);
        kane_tree_place(tree, alone, &work);
        if (link->kind == KANE_LINK_BALL) {
            const kane_vec3 w   = km3_mulv(link->body_R, kv3(rate[0], rate[1], rate[2]));
            work.v[link->v]     = w.x;
            work.v[link->v + 1] = w.y;
            work.v[link->v + 2] = w.z;
        } else {
            kane_tree_speeds(tree, i, &rest[link->frame], &work, rate);
        }
        kane_tree_move(tree, alone, rest, &work);
    }
    memcpy(model->start_q, work.q, (size_t)tree->q_count * sizeof *work.q);
    memcpy(model->start_v, work.v, (size_t)tree->v_count * sizeof *work.v);
}
