// SPDX-License-Identifier: MIT
// Joined bodies at borders of the track: the absolute motion stays, the frame changes.

#include "agem/joined.h"

#include "agem/relative.h"

#include <string.h>

int kane_joined_is_in_frame(const kane_link *link)
{
    return link->parent < 0 && link->step_count == KANE_COORDINATES && !link->turned && !link->body_turned &&
           link->step[KANE_YAW].axis == 2 && link->step[KANE_ROLL].axis == 0 && link->step[KANE_PITCH].axis == 1 &&
           kv3_norm(link->seat) + kv3_norm(link->at) + kv3_norm(link->c) == 0.0;
}

// Coordinates of a root that hangs by all its freedoms, however they are counted, such that its origin and axes are these:
// by Newton's method from where it is, which is near.
static void set_pose(const kane_model *model, kane_work *work, int i, kane_vec3 r, kane_mat3 R)
{
    static const kane_base rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const kane_link *link       = &model->tree.links[i];
    kane_tree_work *tree        = &work->tree;
    kane_link_state *s          = &tree->link[i];
    double kept[6], q_dot[KANE_COORDINATES];
    memcpy(kept, tree->v + link->v, sizeof kept);
    for (int iteration = 0; iteration < 6; iteration++) {
        kane_tree_place(&model->tree, (kane_links){i, i + 1}, tree);
        const kane_mat3 E = km3_mul(R, km3_transpose(s->R)); // what is left to turn
        s->v              = kv3_sub(r, s->r);
        s->w              = kv3_scale(0.5, kv3(E.y.z - E.z.y, E.z.x - E.x.z, E.x.y - E.y.x));
        if (link->spins) // its axes leave the last turn out
            s->w = kv3_add_scaled(s->w, -kv3_dot(s->w, s->R.y), s->R.y);
        const double step[6] = {s->v.x, s->v.y, s->v.z, s->w.x, s->w.y, s->w.z};
        memcpy(tree->v + link->v, step, sizeof step);
        kane_tree_rates(&model->tree, i, &rest, tree, q_dot);
        for (int k = 0; k < link->q_count; k++)
            tree->q[link->q + k] += q_dot[k];
    }
    memcpy(tree->v + link->v, kept, sizeof kept);
}

// Motion of the body of a link that hangs by all its freedoms in terms of the new frame: its place, if that is relative to the
// frame, and its speeds.
static void carry_link(const kane_model *model, kane_work *work, int i)
{
    const kane_link *link       = &model->tree.links[i];
    const kane_crossing *border = &work->crossing[link->frame];
    const kane_body *body       = &model->bodies[model->link_body[i]];
    const kane_body_state *b    = &work->body[model->link_body[i]];
    const int in_frame          = kane_joined_is_in_frame(link);
    double *q                   = work->tree.q + link->q;
    kane_relative_motion motion = {.q = {b->r.x, b->r.y, b->r.z}, .v = b->v, .w = b->w};
    double rates[KANE_COORDINATES];
    kane_angles_from_matrix(b->R, &motion.q[KANE_YAW]);
    for (int k = KANE_YAW; k < KANE_COORDINATES && in_frame; k++)
        motion.q[k] = q[k];
    kane_relative_carry(border, body, &motion);
    if (in_frame)
        memcpy(q, motion.q, sizeof motion.q);
    else if (link->parent < 0)
        set_pose(model, work, i, kv3_add(km3_mulv(border->D, b->r), border->shift),
                 km3_mul(border->D, work->tree.link[i].R));
    if (link->kind == KANE_LINK_BODY) {
        const double v[6] = {motion.v.x, motion.v.y, motion.v.z, motion.w.x, motion.w.y, motion.w.z};
        memcpy(work->tree.v + link->v, v, sizeof v);
        return;
    }
    kane_rates_from_velocity(motion.q, motion.v, motion.w, rates);
    kane_tree_speeds(&model->tree, i, &work->base[link->frame], &work->tree, rates);
}

void kane_joined_pass_border(const kane_model *model, kane_work *work, int frame, double *y)
{
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        if (model->frames[link->frame].carrier == frame &&
            (link->kind == KANE_LINK_BODY || kane_joined_is_in_frame(link)))
            carry_link(model, work, i);
    }
    // what a frame holds cannot keep its absolute motion where the frame's jumps: that is an impact
    kane_joined_carry(model, work);
    for (int c = 0; c < model->cluster_count; c++)
        (void)kane_joined_settle(model, work, c, KANE_CHOICE_STAYS);
    kane_joined_put(model, work, y);
}
