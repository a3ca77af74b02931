// SPDX-License-Identifier: MIT
// Initial coordinates and speeds of the tree, and constraints with their sides on links.

#include "math/small.h"
#include "model/compile.h"

#include "tree/tree.h"
#include "tree/rows.h"

#include <string.h>

// --- constraints ---

// The first side that is on a body; one is.
static const kane_drawn *first_on_a_body(const kane_drawn *side)
{
    while (side->body < 0)
        side++;
    return side;
}

// A marker in the drawing as one on a link, on its axle box, whose axes are level there, or on a frame: that of the
// body of another side, or one by its name.
static kane_side_marker side_of(const kane_compiler *c, const kane_drawn *drawn, const kane_drawn *other, int on_box)
{
    const kane_body *bodies = c->model->bodies;
    if (drawn->body < 0) {
        const int named = kane_compile_held_frame(drawn->body);
        const int frame = named >= 0 ? named : bodies[other->body].track_frame;
        return (kane_side_marker){.link  = -1,
                                  .frame = frame,
                                  .point = kv3_sub(drawn->at, c->model->frames[frame].drawn),
                                  .axes  = drawn->axes};
    }
    const kane_hinge *hinge = &c->hinges[drawn->body];
    const kane_body *body   = &bodies[drawn->body];
    if (on_box)
        return (kane_side_marker){.link        = body->link,
                                  .frame       = body->frame,
                                  .on_box      = 1,
                                  .level_frame = body->level_frame,
                                  .point       = kv3_sub(drawn->at, body->position),
                                  .axes        = drawn->axes};
    return (kane_side_marker){.link  = body->link,
                              .frame = body->frame,
                              .point = km3_tmulv(hinge->link_axes, kv3_sub(drawn->at, hinge->link_origin)),
                              .axes  = km3_tmul(hinge->link_axes, drawn->axes)};
}

// A closed form that was asked for must be one.
static void check_closed_form(kane_compiler *c, int i)
{
    const kane_constraint_row_set *closure = &c->model->closures[i];
    kane_closed closed;
    const char *why =
        closure->closed != KANE_CLOSED_NONE ? kane_closed_recognise(&c->model->tree, closure, &closed) : NULL;
    if (why)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT,
                              kane_block_place(&c->vehicle->constraints[i].block, "closed_form", -1),
                              "the loop of '%s' %s, so it has not this closed form; leave it out", closure->name, why);
}

static void set_term_links(const kane_compiler *c, const kane_constraint_definition *d, int count, kane_term *terms)
{
    for (int k = 0; k < count; k++)
        terms[k].link = c->model->bodies[kane_names_find(kane_compile_body_names(c), d->terms[k].body)].link;
}

void kane_compile_closures(kane_compiler *c)
{
    for (int i = 0; i < c->model->closure_count; i++) {
        kane_constraint_row_set *closure    = &c->model->closures[i];
        const kane_constraint_definition *d = &c->vehicle->constraints[i];
        const kane_drawn *side              = &c->sides[KANE_SIDES_MOST * i];
        set_term_links(c, d, closure->term_count, closure->term);
        if (closure->formula)
            set_term_links(c, d, closure->formula->term_count, closure->formula->term);
        for (int k = 0; k < closure->side_count; k++)
            closure->side[k] = side_of(c, &side[k], first_on_a_body(side), closure->side[k].on_box);
        check_closed_form(c, i);
    }
}

// --- coordinates and rates at the start ---

// Coordinates from one frame to another:  r <- r_o + R r,  and the attitude R R'. Track frames are drawn parallel to A:
// angles do not change, also beyond a turn.
static void change_place(const kane_link *link, kane_mat3 R, kane_vec3 r_o, int are_parallel, double *q)
{
    const kane_vec3 at = kv3_add(r_o, km3_mulv(R, kv3(q[KANE_X], q[KANE_Y], q[KANE_Z])));
    const double spin  = link->is_spinning ? q[KANE_PITCH] : 0.0;
    q[KANE_X]          = at.x;
    q[KANE_Y]          = at.y;
    q[KANE_Z]          = at.z;
    if (are_parallel)
        return;
    kane_angles_from_matrix(km3_mul(R, kane_matrix_from_angles(q[KANE_YAW], q[KANE_ROLL], q[KANE_PITCH] - spin)),
                            &q[KANE_YAW]);
    q[KANE_PITCH] += spin;
}

// six = (a, b)
static void store_vectors(kane_vec3 a, kane_vec3 b, double six[6])
{
    for (int k = 0; k < 6; k++)
        six[k] = kv3_get(k < 3 ? a : b, k % 3);
}

// From the frame T to A:  v <- R (v_o + v + omega x r),   w <- R (omega + w),   and the coordinates.
static void leave_frame(const kane_compiler *c, int i, const kane_transport *T, double *q, double *v)
{
    const kane_link *link = &c->model->tree.links[i];
    const kane_frame *own = &c->model->frames[c->model->bodies[c->model->link_body[i]].track_frame];
    const kane_vec3 r     = kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]);
    const kane_vec3 speed = kv3_add(kv3_add(T->v_o, kv3(v[0], v[1], v[2])), kv3_cross(T->omega, r));
    store_vectors(km3_mulv(T->R, speed), km3_mulv(T->R, kv3_add(T->omega, kv3(v[3], v[4], v[5]))), v);
    change_place(link, T->R, T->r_o, own->kind == KANE_FRAME_TRACK, q);
}

// From A to the frame T:  v <- R' v - v_o - omega x r,   w <- R' w - omega;   coordinates of roots only.
void kane_compile_enter_frame(const kane_model *model, int i, const kane_transport *T, const kane_tree_work *work,
                              double *q, double *v)
{
    const kane_link *link = &model->tree.links[i];
    const kane_frame *own = &model->frames[model->bodies[model->link_body[i]].track_frame];
    const kane_vec3 r     = km3_tmulv(T->R, kv3_sub(work->link[i].r, T->r_o));
    const kane_vec3 speed = kv3_sub(km3_tmulv(T->R, kv3(v[0], v[1], v[2])), kv3_add(T->v_o, kv3_cross(T->omega, r)));
    store_vectors(speed, kv3_sub(km3_tmulv(T->R, kv3(v[3], v[4], v[5])), T->omega), v);
    if (link->parent < 0)
        change_place(link, km3_transpose(T->R), kv3_neg(km3_tmulv(T->R, T->r_o)), own->kind == KANE_FRAME_TRACK, q);
}

// Start values, plus the changes of lowered wheelsets; prescribed coordinates at t = 0.
static void start_coordinates(const kane_compiler *c, int i, double *q)
{
    const kane_model *model            = c->model;
    const int j                        = model->link_body[i];
    const kane_link *link              = &model->tree.links[i];
    const kane_body *body              = &model->bodies[j];
    const kane_start_definition *start = body->start;
    const kane_joint_definition *joint = c->hinges[j].joint;
    for (int k = 0; k < link->q_count; k++)
        q[k] = start ? start->q[k] : 0.0;
    if (link->kind == KANE_LINK_BALL && q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0)
        q[0] = 1.0;
    if (!joint) {
        q[KANE_X] += body->origin.x;
        q[KANE_Y] += body->origin.y;
        q[KANE_Z] += body->origin.z;
    }
    for (int k = 0; k < link->q_count && c->rest_q && (link->kind != KANE_LINK_BALL || !start); k++)
        q[k] += c->rest_q[link->q + k];
    for (int k = 0; k < link->step_count; k++)
        if (link->step[k].mode == KANE_STEP_GIVEN) {
            double f[4];
            kane_line_function_eval(link->step[k].function, 0.0, f);
            q[k] = f[0];
        }
}

// Rates of the coordinates. Wheelsets and wheels on tyres roll:  spin rate times speed.
static void start_rates(const kane_compiler *c, int i, double *q_dot)
{
    const kane_model *model            = c->model;
    const int j                        = model->link_body[i];
    const kane_link *link              = &model->tree.links[i];
    const kane_body *body              = &model->bodies[j];
    const kane_start_definition *start = body->start;
    for (int k = 0; k < KANE_JOINT_SPEEDS; k++)
        q_dot[k] = start ? start->rate[k] : 0.0;
    if (body->wheels >= 0 && link->is_spinning)
        q_dot[kane_link_spin(link)] += model->wheels[body->wheels].spin * model->speed;
    if (body->rolls != 0.0 && link->is_spinning) // its coordinate may count about the other direction of the axle
        q_dot[kane_link_spin(link)] += c->hinges[j].link_axes.y.y * body->rolls * model->speed;
}

// rolls = 1/radius of wheels on tyres under their static load [rad/m].
static void find_rolling(kane_model *model)
{
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        kane_vec3 axle;
        if (element->law->rolls && model->bodies[element->b.body].kind == KANE_BODY_SPINNING)
            model->bodies[element->b.body].rolls = 1.0 / element->law->rolls(element->data, &axle);
    }
}

// The pose of a user-defined joint must be finite and its axes orthonormal, at the start at least.
static void check_pose(kane_compiler *c, int i, const kane_tree_work *work)
{
    const kane_link *link              = &c->model->tree.links[i];
    const kane_joint_definition *joint = c->hinges[c->model->link_body[i]].joint;
    kane_pose_motion pose;
    kane_pose_move(link, work, km3_identity(), &pose);
    const kane_mat3 E = km3_sub(km3_tmul(pose.R, pose.R), km3_identity());
    const double off = sqrt(kv3_dot(E.x, E.x) + kv3_dot(E.y, E.y) + kv3_dot(E.z, E.z)), at = kv3_norm(pose.p);
    if (!isfinite(off) || !isfinite(at))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&joint->block, "formula", -1),
                              "joint '%s' of '%s' gives no finite pose where it begins", joint->own->name, link->name);
    else if (off > 1e-9)
        kane_errors_add_input(
            c->errors, KANE_BAD_ARGUMENT, kane_block_place(&joint->block, "formula", -1),
            "the axes that joint '%s' of '%s' gives are not unit vectors square to each other: off by %.2g",
            joint->own->name, link->name, off);
}

// Parents first: coordinates, placement, speeds from rates with frames at rest; roots described in A are moved there.
void kane_compile_start(kane_compiler *c)
{
    kane_model *model     = c->model;
    const kane_tree *tree = &model->tree;
    kane_tree_work work;
    kane_moving_frame *rest = kane_arena_alloc(model->arena, (size_t)model->frame_count, sizeof *rest);
    kane_transport *frames  = kane_arena_alloc(model->arena, (size_t)model->frame_count, sizeof *frames);
    model->start_q          = kane_arena_alloc(model->arena, (size_t)tree->q_count, sizeof *model->start_q);
    model->start_v          = kane_arena_alloc(model->arena, (size_t)tree->v_count, sizeof *model->start_v);
    if (!rest || !frames || !model->start_q || !model->start_v || !kane_tree_work_create(tree, model->arena, &work) ||
        !kane_compile_frames_at_start(model, model->arena, frames))
        return;
    find_rolling(model);
    for (int i = 0; i < tree->link_count; i++) {
        const kane_link *link = &tree->links[i];
        const kane_body *body = &model->bodies[model->link_body[i]];
        const kane_links own  = {i, i + 1};
        double rate[KANE_JOINT_COORDINATES];
        start_coordinates(c, i, work.q + link->q);
        start_rates(c, i, rate);
        if (link->kind == KANE_LINK_FORMULA)
            check_pose(c, i, &work);
        kane_tree_place(tree, own, &work);
        if (link->kind == KANE_LINK_BALL) {
            const kane_vec3 w   = km3_mulv(link->body_R, kv3(rate[0], rate[1], rate[2]));
            work.v[link->v]     = w.x;
            work.v[link->v + 1] = w.y;
            work.v[link->v + 2] = w.z;
        } else {
            kane_tree_speeds(tree, i, &rest[link->frame], &work, rate);
        }
        if (link->parent < 0 && body->frame != body->track_frame)
            leave_frame(c, i, &frames[body->track_frame], work.q + link->q, work.v + link->v);
        kane_tree_move(tree, own, rest, &work);
    }
    memcpy(model->start_q, work.q, (size_t)tree->q_count * sizeof *work.q);
    memcpy(model->start_v, work.v, (size_t)tree->v_count * sizeof *work.v);
}
