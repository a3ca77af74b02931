// SPDX-License-Identifier: MIT
// Joined bodies at borders of the track (border.c).
//
// A body that hangs by all six freedoms keeps its absolute motion, and so does what hangs on it; what is omitted is taken back.
// What a frame holds by fewer cannot: there the impulses act, those that are kept. Constraints then take their share by the
// least change in the sense of kinetic energy, which is what their own impulses do.

#include "agem/border.h"
#include "agem/joined.h"
#include "agem/relative.h"
#include "tree/respond.h"

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

// Motion of the body of a link in terms of the new frame: its place, if that is relative to the frame, and, where it has all its
// freedoms, its speeds.
static void carry_link(const kane_model *model, kane_work *work, int i)
{
    const kane_link *link       = &model->tree.links[i];
    const kane_crossing *border = &work->crossing[link->frame];
    const kane_body *body       = &model->bodies[model->link_body[i]];
    const kane_body_state *b    = &work->body[model->link_body[i]];
    const int in_frame          = kane_joined_is_in_frame(link);
    double *q                   = work->tree.q + link->q;
    kane_relative_motion motion = {.q = {b->r.x, b->r.y, b->r.z}, .v = b->v, .w = b->w};
    kane_angles_from_matrix(b->R, &motion.q[KANE_YAW]);
    for (int k = KANE_YAW; k < KANE_COORDINATES && in_frame; k++)
        motion.q[k] = q[k];
    kane_relative_change(body, &border->before, &border->after, &motion);
    if (in_frame)
        memcpy(q, motion.q, sizeof motion.q);
    else if (link->parent < 0)
        set_pose(model, work, i, kv3(motion.q[KANE_X], motion.q[KANE_Y], motion.q[KANE_Z]),
                 km3_mul(km3_tmul(border->after.R, border->before.R), work->tree.link[i].R));
    const double v[6] = {motion.v.x, motion.v.y, motion.v.z, motion.w.x, motion.w.y, motion.w.z};
    for (int k = 0; k < 6 && link->kind == KANE_LINK_BODY; k++)
        if (!kane_link_holds(link, k))
            work->tree.v[link->v + k] = v[k];
}

// --- impulses ---

// The link that a link moves with: the nearest one that hangs by all freedoms, or the root.
static const kane_link *head_of(const kane_tree *tree, int i)
{
    while (tree->links[i].kind != KANE_LINK_BODY && tree->links[i].parent >= 0)
        i = tree->links[i].parent;
    return &tree->links[i];
}

static const kane_link *root_of(const kane_tree *tree, int i)
{
    while (tree->links[i].parent >= 0)
        i = tree->links[i].parent;
    return &tree->links[i];
}

// What is still to act on a link: all that is kept, or where its motion has been carried the opposite of what is omitted.
static kane_wrench left_over(const kane_body *body, const kane_imaginary *terms, int is_carried)
{
    const kane_wrench w = kane_imaginary_sum(body, terms, is_carried ? KANE_SHARE_OMITTED : KANE_SHARE_KEPT);
    const double sign   = is_carried ? -1.0 : 1.0;
    return (kane_wrench){kv3_scale(sign, w.force), kv3_scale(sign, w.torque)};
}

typedef enum effect { STRIKE, DISPLACE } effect;

// Pushes on all links, about their origins; 0: there are none.
static int collect(const kane_model *model, kane_work *work, int frame, effect what)
{
    const kane_tree *tree = &model->tree;
    double any            = 0.0;
    for (int i = 0; i < tree->link_count; i++) {
        const int j              = model->link_body[i];
        const kane_body *body    = &model->bodies[j];
        const kane_body_state *b = &work->body[j];
        kane_wrench *push        = &work->acting[i];
        *push                    = (kane_wrench){kv3_zero(), kv3_zero()};
        if (model->frames[tree->links[i].frame].carrier != frame)
            continue;
        const kane_frame_jump *jump = &work->crossing[tree->links[i].frame].jump;
        if (what == STRIKE) {
            const kane_imaginary impulse = kane_jump_strike(jump, body, b);
            kane_border_record(model, work, j, &impulse);
            *push = left_over(body, &impulse, head_of(tree, i)->kind == KANE_LINK_BODY);
        } else {
            const kane_link *root         = root_of(tree, i);
            const kane_imaginary displace = kane_jump_displace(jump, body, b);
            *push = left_over(body, &displace, root->kind == KANE_LINK_BODY || kane_joined_is_in_frame(root));
        }
        any += kv3_norm(push->force) + kv3_norm(push->torque);
        const kane_vec3 arm = km3_mulv(work->tree.link[i].R, tree->links[i].c);
        push->torque        = kv3_add(push->torque, kv3_cross(arm, push->force));
    }
    return any > 0.0;
}

// Changes of speeds that the pushes bring about, in work->tree.v_dot.
static int respond(const kane_model *model, kane_work *work)
{
    const kane_links all = {0, model->tree.link_count};
    if (kane_tree_solve(&model->tree, all, &work->tree) >= 0)
        return 0; // inertia is singular, as the next evaluation will say
    kane_tree_respond(&model->tree, all, &work->tree, work->acting, work->joint, work->tree.v_dot);
    return 1;
}

static void apply(const kane_model *model, kane_work *work, int frame, effect what)
{
    const kane_tree *tree = &model->tree;
    kane_tree_move(tree, (kane_links){0, tree->link_count}, work->base, &work->tree);
    for (int i = 0; i < tree->link_count; i++)
        kane_joined_show(model, work, i);
    if (!collect(model, work, frame, what) || !respond(model, work))
        return;
    for (int k = 0; k < tree->v_count && what == STRIKE; k++)
        work->tree.v[k] += work->tree.v_dot[k];
    for (int i = 0; i < tree->link_count && what == DISPLACE; i++)
        kane_tree_shift(tree, i, work->tree.v_dot, &work->tree);
}

void kane_joined_pass_border(const kane_model *model, kane_work *work, int frame, double *y)
{
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        const int hangs_free  = link->kind == KANE_LINK_BODY || kane_joined_is_in_frame(link);
        if (model->frames[link->frame].carrier == frame && hangs_free)
            carry_link(model, work, i);
    }
    kane_joined_carry(model, work);
    const kane_frame_jump *jump = &work->crossing[frame].jump; // frames that it carries jump when it does
    if (kv3_norm(jump->turn) > 0.0)
        apply(model, work, frame, DISPLACE);
    if (jump->any)
        apply(model, work, frame, STRIKE);
    for (int c = 0; c < model->cluster_count; c++)
        (void)kane_joined_settle(model, work, c, KANE_CHOICE_STAYS);
    kane_joined_put(model, work, y);
}
