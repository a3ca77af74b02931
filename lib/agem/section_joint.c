// SPDX-License-Identifier: MIT
// A frame passes a section joint of the track (docs/theory.md, section 5).
//
// If no term is omitted, absolute motion continues. Where the frame's velocity jumps by [v_o] and its angular velocity
// by [w], a_o and epsilon have impulses, and so have the imaginary terms:
//   m [v'] = -m [v_o] - m [w] x r        J [w'] = -J [w]
// The impulse of an omitted term is subtracted. So is its displacement where the frame's attitude jumps, epsilon
// integrated twice:
//   m [r] = -m turn x r          J [rotation] = -J turn

#include "agem/bodies.h"
#include "tree/tree.h"

#include <stdio.h>
#include <string.h>

// Differences of attitudes [rad] and of angular velocities, relative to their size, below this are round-off of the
// formulas of two pieces of the line, not a jump.
static const double round_off = 1e-10;

// D = R+' R-,   turn: its small rotation, D = 1 - turn x,   [v_o] = v_o+ - D v_o-,   [omega] = omega+ - D omega-, axes
// of R+.
static kane_frame_jump jump_of(const kane_transport *before, const kane_transport *after)
{
    const kane_mat3 D     = km3_tmul(after->R, before->R);
    const kane_vec3 omega = km3_mulv(D, before->omega);
    kane_frame_jump jump  = {
         .turn  = kv3_scale(0.5, kv3(D.z.y - D.y.z, D.x.z - D.z.x, D.y.x - D.x.y)), // R+ = R- D', and D' = 1 + turn x
         .v_o   = kv3_sub(after->v_o, km3_mulv(D, before->v_o)),
         .omega = kv3_sub(after->omega, omega),
    };
    if (kv3_norm(jump.turn) <= round_off)
        jump.turn = jump.v_o = kv3_zero();
    if (kv3_norm(jump.omega) <= round_off * (kv3_norm(after->omega) + kv3_norm(omega)))
        jump.omega = kv3_zero();
    jump.any = kv3_norm(jump.turn) + kv3_norm(jump.omega) > 0.0;
    return jump;
}

// Impulses of the terms, to first order in `turn` (docs/theory.md, section 5), while the frame turns by `turn` and
// gains v_o and omega. Then omega is a pulse and epsilon its derivative, so that epsilon also meets the motion of r and
// J meanwhile:
//   -m int(epsilon x r) = -m [w] x r + m turn x v          -int(J epsilon) = -J [w] + int(J' w),   J' = w' x J - J w' x
static kane_imaginary impulses_of(const kane_frame_jump *jump, const kane_body *body, const kane_body_state *b)
{
    const kane_vec3 turn       = jump->turn;
    const kane_inertia J       = kane_body_inertia(body, b);
    const kane_transport gains = {.a_o = jump->v_o, .epsilon = jump->omega}, turns = {.omega = turn};
    const kane_vec3 J_dot_turn =
        kv3_sub(kv3_cross(b->w, kane_inertia_mul(&J, turn)), kane_inertia_mul(&J, kv3_cross(b->w, turn)));
    kane_imaginary impulse, other;
    kane_imaginary_eval(&gains, body->mass, &J, b->r, kv3_zero(), kv3_zero(), &impulse);
    kane_imaginary_eval(&turns, body->mass, &J, b->r, b->v, b->w, &other);
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        impulse.term[kind][KANE_GYROSCOPIC] = other.term[kind][KANE_GYROSCOPIC];
    kane_vec3 *force  = &impulse.term[KANE_FORCE][KANE_ROTATION];
    kane_vec3 *torque = &impulse.term[KANE_TORQUE][KANE_ROTATION];
    *force            = kv3_add_scaled(*force, body->mass, kv3_cross(turn, b->v));
    *torque           = kv3_add(*torque, J_dot_turn);
    return impulse;
}

// -m turn x r [kg m],  -J turn [kg m^2]: terms of epsilon integrated twice.
static kane_imaginary displacements_of(const kane_frame_jump *jump, const kane_body *body, const kane_body_state *b)
{
    const kane_transport turns = {.epsilon = jump->turn};
    const kane_inertia J       = kane_body_inertia(body, b);
    kane_imaginary moment;
    kane_imaginary_eval(&turns, body->mass, &J, b->r, kv3_zero(), kv3_zero(), &moment);
    return moment;
}

// --- records ---

// Recorded impulses are zero.
void kane_section_joint_begin(const kane_model *model, kane_work *work)
{
    memset(work->impulse, 0, (size_t)model->body_count * sizeof *work->impulse);
    memset(work->lost, 0, sizeof work->lost);
}

// Adds the impulses of body j to work->impulse; keeps the sum of the omitted ones and the largest omitted component.
static void record_section_impulse(const kane_model *model, kane_work *work, int j, const kane_imaginary *impulse)
{
    const kane_body *body = &model->bodies[j];
    if (body->absolute) // has no imaginary terms
        return;
    work->omitted[j] = kane_imaginary_sum(body, impulse, KANE_OMITTED);
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
            kane_vec3 *sum = &work->impulse[j].term[kind][term];
            *sum           = kv3_add(*sum, impulse->term[kind][term]);
            for (int axis = 0; axis < 3; axis++) {
                const double size = fabs(kv3_get(impulse->term[kind][term], axis));
                if (kv3_get(body->keep[kind][term], axis) == 0.0 && size > work->lost[kind].size)
                    work->lost[kind] = (kane_lost_impulse){size, j, term, axis};
            }
        }
}

kane_vec3 kane_get_impulse(const kane_model *model, const kane_work *work, int j, kane_wrench_kind kind,
                           kane_imaginary_term term)
{
    (void)model;
    return work->impulse[j].term[kind][term];
}

double kane_get_omitted_impulse(const kane_model *model, const kane_work *work, kane_wrench_kind kind, size_t size,
                                char *term)
{
    const kane_lost_impulse *lost = &work->lost[kind];
    (void)snprintf(term, size, "%s", "");
    if (lost->size > 0.0)
        (void)snprintf(term, size, "%s:%s.%s.%s", model->bodies[lost->body].name, kane_wrench_kind_name(kind),
                       kane_imaginary_term_name((kane_imaginary_term)lost->term), kane_axis_name(lost->axis));
    return lost->size;
}

// v_o + v' + omega x r, frame axes [m/s].
static kane_vec3 absolute_velocity(const kane_transport *T, const kane_body_state *b)
{
    return kv3_add(kv3_add(T->v_o, b->v), kv3_cross(T->omega, b->r));
}

// Bodies described in a frame, or in a frame that it carries: they pass section joints with it. Panels of track are
// described in their section.
static int is_carried_by_frame(const kane_model *model, int j, int frame)
{
    return model->frames[model->bodies[j].frame].carrier == frame && !kane_body_is_in_section(&model->bodies[j]);
}

// Whether nothing is omitted.
static int is_complete(const kane_wrench *omitted)
{
    return kv3_norm(omitted->force) + kv3_norm(omitted->torque) == 0.0;
}

// Work of the omitted impulses with opposite sign [J]:  -impulse . (mean of the velocities before and after).
static double work_left_out(const kane_model *model, kane_work *work, int frame, const double *y)
{
    double sum = 0.0;
    int any    = 0;
    for (int j = 0; j < model->body_count; j++)
        any = any || (is_carried_by_frame(model, j, frame) && !is_complete(&work->omitted[j]));
    if (!any)
        return 0.0;
    (void)kane_bodies_move(model, work, y);
    for (int i = 0; i < model->tree.link_count; i++)
        kane_body_kinematics(model, work, i);
    for (int j = 0; j < model->body_count; j++) {
        const kane_body_state *b = &work->body[j];
        const kane_transport *T  = &work->transport[model->bodies[j].frame];
        if (!is_carried_by_frame(model, j, frame))
            continue;
        const kane_vec3 v = kv3_add(work->approach[j][0], absolute_velocity(T, b));
        const kane_vec3 w = kv3_add(work->approach[j][1], kv3_add(T->omega, b->w));
        sum -= 0.5 * (kv3_dot(work->omitted[j].force, v) + kv3_dot(work->omitted[j].torque, w));
    }
    return sum;
}

// --- a section joint ---

void kane_work_skip_joint(const kane_model *model, kane_work *work, int frame)
{
    work->piece[frame]++;
    kane_work_anchor(model, work);
}

// Place and motion of a frame by the present pieces, in axes at rest: those of A, from the start point of piece
// `from` of the line, which is near; in the fixed formulation the world's.
static kane_transport frame_at_rest(const kane_model *model, const kane_work *work, int f, int from)
{
    const kane_track_frame *g = &work->track_frame[0];
    kane_transport T          = work->transport[f];
    if (model->formulation != KANE_MOVING)
        return T;
    const kane_vec3 start =
        kv3_sub(kane_track_anchor(model->track, work->piece[0]), kane_track_anchor(model->track, from));
    T.r_o = kv3_add(kv3_add(start, g->origin), km3_mulv(g->R, T.r_o));
    T.R   = km3_mul(g->R, T.R);
    return T;
}

// Absolute motion continues, the frame changes. A frame that passes with its wheelset is not exactly at the joint, so
// the two pieces' formulas also differ in its place.
void kane_work_cross_joint(const kane_model *model, kane_work *work, int frame, double t, double *y)
{
    const int piece = work->piece[0];
    kane_frames_eval(model, work, t, y);
    (void)kane_bodies_move(model, work, y);
    for (int i = 0; i < model->tree.link_count; i++)
        kane_body_kinematics(model, work, i);
    for (int f = 0; f < model->frame_count; f++)
        if (model->frames[f].carrier == frame)
            work->crossing[f].before = frame_at_rest(model, work, f, piece);

    kane_work_skip_joint(model, work, frame);
    kane_frames_eval(model, work, t, y);
    for (int f = 0; f < model->frame_count; f++) {
        kane_crossing *crossing = &work->crossing[f];
        if (model->frames[f].carrier != frame)
            continue;
        crossing->after = frame_at_rest(model, work, f, piece);
        crossing->jump  = jump_of(&crossing->before, &crossing->after);
    }
    for (int j = 0; j < model->body_count; j++) {
        const kane_body_state *b      = &work->body[j];
        const kane_crossing *crossing = &work->crossing[model->bodies[j].frame];
        work->omitted[j]              = (kane_wrench){kv3_zero(), kv3_zero()};
        if (!is_carried_by_frame(model, j, frame))
            continue;
        const kane_mat3 D    = km3_tmul(crossing->after.R, crossing->before.R);
        work->approach[j][0] = km3_mulv(D, absolute_velocity(&crossing->before, b));
        work->approach[j][1] = km3_mulv(D, kv3_add(crossing->before.omega, b->w));
    }
    kane_bodies_cross_joint(model, work, frame, y);
    work->omitted_work = work_left_out(model, work, frame, y);
}

// === Links at section joints of the track
//
// A body with all six freedoms keeps its absolute motion, with all links attached to it; omitted impulses are
// subtracted. A body with fewer freedoms in its frame cannot: there the impulses act that are kept. Constraints then
// take their share by the smallest change in kinetic energy, which is the effect of their own impulses.

// Coordinates of a root with all six freedoms, in any order of turns, for a given origin r and axes R: Newton's method
// from the present ones, which are near.
static void set_pose(const kane_model *model, kane_work *work, int i, kane_vec3 r, kane_mat3 R)
{
    static const kane_moving_frame rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const kane_link *link               = &model->tree.links[i];
    kane_tree_work *tree                = &work->tree;
    kane_link_state *s                  = &tree->link[i];
    double kept[6], q_dot[KANE_COORDINATES];
    memcpy(kept, tree->v + link->v, sizeof kept);
    for (int iteration = 0; iteration < 6; iteration++) {
        kane_tree_place(&model->tree, (kane_links){i, i + 1}, tree);
        const kane_mat3 E = km3_mul(R, km3_transpose(s->R)); // what is left to turn
        s->v              = kv3_sub(r, s->r);
        s->w              = kv3_scale(0.5, kv3(E.y.z - E.z.y, E.z.x - E.x.z, E.x.y - E.y.x));
        if (link->is_spinning) // its axes leave the last turn out
            s->w = kv3_add_scaled(s->w, -kv3_dot(s->w, s->R.y), s->R.y);
        const double step[6] = {s->v.x, s->v.y, s->v.z, s->w.x, s->w.y, s->w.z};
        memcpy(tree->v + link->v, step, sizeof step);
        kane_tree_rates(&model->tree, i, &rest, tree, q_dot);
        for (int k = 0; k < link->q_count; k++)
            tree->q[link->q + k] += q_dot[k];
    }
    memcpy(tree->v + link->v, kept, sizeof kept);
}

// Motion of the body of a link relative to the new frame: its coordinates, if they are relative to the frame, and its
// speeds, if it has all six freedoms.
static void carry_link(const kane_model *model, kane_work *work, int i)
{
    const kane_link *link         = &model->tree.links[i];
    const kane_crossing *crossing = &work->crossing[link->frame];
    const kane_body *body         = &model->bodies[model->link_body[i]];
    const kane_body_state *b      = &work->body[model->link_body[i]];
    const int in_frame            = link->in_frame;
    double *q                     = work->tree.q + link->q;
    kane_relative_motion motion   = {.q = {b->r.x, b->r.y, b->r.z}, .v = b->v, .w = b->w};
    kane_angles_from_matrix(b->R, &motion.q[KANE_YAW]);
    for (int k = KANE_YAW; k < KANE_COORDINATES && in_frame; k++)
        motion.q[k] = q[k];
    kane_relative_change(body, &crossing->before, &crossing->after, &motion);
    if (in_frame)
        memcpy(q, motion.q, sizeof motion.q);
    else if (link->parent < 0)
        set_pose(model, work, i, kv3(motion.q[KANE_X], motion.q[KANE_Y], motion.q[KANE_Z]),
                 km3_mul(km3_tmul(crossing->after.R, crossing->before.R), work->tree.link[i].R));
    const double v[6] = {motion.v.x, motion.v.y, motion.v.z, motion.w.x, motion.w.y, motion.w.z};
    for (int k = 0; k < 6 && link->kind == KANE_LINK_BODY; k++)
        if (!kane_link_holds(link, k))
            work->tree.v[link->v + k] = v[k];
    if (link->is_spinning && link->coupled && link->parent < 0)
        kane_axle_follow(model, work, i,
                         km3_mul(km3_tmul(crossing->after.R, crossing->before.R), work->tree.link[i].R));
}

// --- impulses ---

// The nearest link with all six freedoms on the way to the root, or the root.
static const kane_link *head_of(const kane_tree *tree, int i)
{
    while (tree->links[i].kind != KANE_LINK_BODY && tree->links[i].parent >= 0)
        i = tree->links[i].parent;
    return &tree->links[i];
}

// The root of a link's tree.
static const kane_link *root_of(const kane_tree *tree, int i)
{
    while (tree->links[i].parent >= 0)
        i = tree->links[i].parent;
    return &tree->links[i];
}

// Impulses or displacements that still act on a link: the kept terms, or, if absolute motion has been continued, the
// omitted terms with opposite sign.
static kane_wrench left_over(const kane_body *body, const kane_imaginary *terms, int is_carried)
{
    const kane_wrench w = kane_imaginary_sum(body, terms, is_carried ? KANE_OMITTED : KANE_INCLUDED);
    const double sign   = is_carried ? -1.0 : 1.0;
    return (kane_wrench){kv3_scale(sign, w.force), kv3_scale(sign, w.torque)};
}

typedef enum effect { STRIKE, DISPLACE } effect;

// Impulses, or displacements times inertia, on all links, about their origins, into work->acting; 0: all are zero.
static int set_link_wrenches(const kane_model *model, kane_work *work, int frame, effect what)
{
    const kane_tree *tree = &model->tree;
    double any            = 0.0;
    for (int i = 0; i < tree->link_count; i++) {
        const int j              = model->link_body[i];
        const kane_body *body    = &model->bodies[j];
        const kane_body_state *b = &work->body[j];
        kane_wrench *wrench      = &work->acting[i];
        *wrench                  = (kane_wrench){kv3_zero(), kv3_zero()};
        if (model->frames[tree->links[i].frame].carrier != frame)
            continue;
        const kane_frame_jump *jump = &work->crossing[tree->links[i].frame].jump;
        if (what == STRIKE) {
            const kane_imaginary impulse = impulses_of(jump, body, b);
            record_section_impulse(model, work, j, &impulse);
            *wrench = left_over(body, &impulse, head_of(tree, i)->kind == KANE_LINK_BODY);
        } else {
            const kane_link *root         = root_of(tree, i);
            const kane_imaginary displace = displacements_of(jump, body, b);
            *wrench                       = left_over(body, &displace, root->kind == KANE_LINK_BODY || root->in_frame);
        }
        any += kv3_norm(wrench->force) + kv3_norm(wrench->torque);
        const kane_vec3 arm = km3_mulv(work->tree.link[i].R, tree->links[i].c);
        wrench->torque      = kv3_add(wrench->torque, kv3_cross(arm, wrench->force));
    }
    return any > 0.0;
}

// The same of rods with mass. Ends on links whose absolute motion continues do not jump; all others jump with their
// frame.
static int collect_rods(const kane_model *model, kane_work *work, int frame, effect what)
{
    const kane_tree *tree = &model->tree;
    double any            = 0.0;
    for (int k = 0; k < model->closure_count; k++) {
        const kane_constraint_row_set *rod = &model->closures[k];
        kane_rod_jump jump[2];
        kane_wrench load[2];
        if (!(rod->rod.mass > 0.0))
            continue;
        for (int i = 0; i < 2; i++) {
            const kane_side_marker *side    = &rod->side[i];
            const kane_frame_jump none      = {.any = 0};
            const int passes                = model->frames[side->frame].carrier == frame;
            const kane_frame_jump *of_frame = passes ? &work->crossing[side->frame].jump : &none;
            const kane_link *head           = side->link < 0   ? NULL
                                              : what == STRIKE ? head_of(tree, side->link)
                                                               : root_of(tree, side->link);
            const int in_frame              = what == DISPLACE && head && head->in_frame;
            const int is_carried            = head && (head->kind == KANE_LINK_BODY || in_frame);
            jump[i] = (kane_rod_jump){of_frame->v_o, of_frame->omega, of_frame->turn, what == DISPLACE, is_carried};
        }
        kane_rod_apply_impulse(&work->context, rod, jump, load);
        for (int i = 0; i < 2; i++) {
            any += kv3_norm(load[i].force);
            if (rod->side[i].link >= 0)
                work->acting[rod->side[i].link] = kw_add(work->acting[rod->side[i].link], load[i]);
        }
    }
    return any > 0.0;
}

// Changes of speeds under work->acting, in work->tree.v_dot. 0: the inertia is singular.
static int solve_impulse_response(const kane_model *model, kane_work *work)
{
    const kane_links all = {0, model->tree.link_count};
    for (int c = 0; c < model->cluster_count; c++) // trees know no rods
        if (model->clusters[c].rod_count > 0 && !kane_cluster_apply_impulse(work->cluster[c], work->acting))
            return 0;
    if (kane_tree_solve(&model->tree, all, &work->tree) >= 0)
        return 0; // inertia is singular, as the next evaluation will say
    kane_tree_respond(&model->tree, all, &work->tree, work->acting, work->joint, work->tree.v_dot);
    for (int c = 0; c < model->cluster_count; c++)
        if (model->clusters[c].rod_count > 0)
            kane_cluster_impulse_response(work->cluster[c]);
    return 1;
}

// Impulses change speeds by  Theta^-1 J' wrench,  displacements change coordinates likewise.
static void apply_section_jump(const kane_model *model, kane_work *work, int frame, effect what)
{
    const kane_tree *tree = &model->tree;
    kane_tree_move(tree, (kane_links){0, tree->link_count}, work->base, &work->tree);
    for (int i = 0; i < tree->link_count; i++)
        kane_body_kinematics(model, work, i);
    const int on_links = set_link_wrenches(model, work, frame, what), on_rods = collect_rods(model, work, frame, what);
    if ((!on_links && !on_rods) || !solve_impulse_response(model, work))
        return;
    for (int k = 0; k < tree->v_count && what == STRIKE; k++)
        work->tree.v[k] += work->tree.v_dot[k];
    for (int i = 0; i < tree->link_count && what == DISPLACE; i++)
        kane_tree_shift(tree, i, work->tree.v_dot, &work->tree);
}

// Order: continued absolute motion, displacements, impulses, constraints. Then the new state.
void kane_bodies_cross_joint(const kane_model *model, kane_work *work, int frame, double *y)
{
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        const int is_root     = link->kind == KANE_LINK_BODY || link->in_frame;
        if (model->frames[link->frame].carrier == frame && is_root)
            carry_link(model, work, i);
    }
    kane_moving_frames_eval(model, work);
    const kane_frame_jump *jump = &work->crossing[frame].jump; // frames that it carries jump when it does
    if (kv3_norm(jump->turn) > 0.0)
        apply_section_jump(model, work, frame, DISPLACE);
    if (jump->any)
        apply_section_jump(model, work, frame, STRIKE);
    for (int c = 0; c < model->cluster_count; c++)
        (void)kane_cluster_project_state(model, work, c, KANE_KEEP_PARTITION);
    kane_state_put(model, work, y);
}
