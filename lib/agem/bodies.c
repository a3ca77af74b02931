// SPDX-License-Identifier: MIT
// Bodies in an evaluation: state -> motion of links -> motion of loaded bodies -> wrenches on links -> accelerations.

#include "agem/bodies.h"

#include "agem/rail_constraint.h"

// Base motion of the links of every frame, frame axes: v_o, omega, a_o - g, epsilon, so that inertia includes the
// imaginary forces (34), (46). With separate imaginary terms (imaginary.c) the base is at rest, and -g alone remains.
void kane_moving_frames_eval(const kane_model *model, kane_work *work)
{
    for (int f = 0; f < model->frame_count; f++) {
        if (model->frames[f].kind == KANE_FRAME_SECTION)
            continue; // stays zero
        const kane_transport *T = &work->transport[f];
        const kane_vec3 g       = km3_tmulv(T->R, work->gravity);
        if (model->imaginary_as_forces)
            work->base[f] = (kane_moving_frame){.a = kv3_neg(g)};
        else
            work->base[f] = (kane_moving_frame){T->v_o, T->omega, kv3_sub(T->a_o, g), T->epsilon};
    }
}

// Index ranges from y to the tree. Ranges are short or the whole state: a loop is faster than memcpy for the former.
static void copy_to_tree(const kane_index_range *list, int count, const double *y, double *tree)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < list[k].count; i++)
            tree[list[k].tree + i] = y[list[k].y + i];
}

// The same from the tree to y.
static void copy_from_tree(const kane_index_range *list, int count, const double *tree, double *y)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < list[k].count; i++)
            y[list[k].y + i] = tree[list[k].tree + i];
}

// Coordinates and speeds of y that are in no cluster, time and `frozen`.
void kane_bodies_read(kane_work *work, const double *y)
{
    copy_to_tree(work->q_ranges, work->q_range_count, y, work->tree.q);
    copy_to_tree(work->v_ranges, work->v_range_count, y, work->tree.v); // none where constraints choose
    work->tree.t      = work->t;
    work->tree.frozen = work->frozen;
}

kane_status kane_cluster_fail(const kane_model *model, kane_work *work, int c, const char *text)
{
    const int lacks_memory = kane_cluster_lacks_memory(work->cluster[c]);
    return kane_work_fail(work, lacks_memory ? KANE_NO_MEMORY : KANE_RETRY, model->clusters[c].closures[0]->name,
                          lacks_memory ? kane_status_text(KANE_NO_MEMORY) : text);
}

// Relative motion of a free body: its coordinates and speeds themselves.
static void copy_motion(const kane_work *work, const kane_link *link, const kane_link_state *s, kane_body_state *b)
{
    const double *q = work->tree.q + link->q, *v = work->tree.v + link->v;
    for (int k = 0; k < KANE_COORDINATES; k++)
        b->q[k] = q[k];
    b->R = s->R;
    b->r = s->r;
    b->v = kv3(v[0], v[1], v[2]);
    b->w = kv3(v[3], v[4], v[5]);
}

// Motion of the body of link i, with arm = R c from the link's origin to the mass centre:
//   r = r_link + arm,   w' = w - omega,   v' = v + w x arm - v_o - omega x r        frame axes
// then absolute, world axes. Link states are absolute, or relative with separate imaginary terms.
void kane_body_kinematics(const kane_model *model, kane_work *work, int i)
{
    const kane_link *link         = &model->tree.links[i];
    const kane_link_state *s      = &work->tree.link[i];
    const kane_body *body         = &model->bodies[model->link_body[i]];
    kane_body_state *b            = &work->body[model->link_body[i]];
    const kane_moving_frame *base = &work->base[link->frame];
    const kane_transport *T       = &work->transport[link->frame];
    kane_vec3 v = s->v, w = s->w;
    b->uneven_spin = link->uneven ? work->tree.q[link->q + kane_link_spin(link)] : 0.0;
    if (link->is_free_body) {
        copy_motion(work, link, s, b);
    } else {
        const kane_vec3 arm = km3_mulv(s->R, link->c);
        b->R                = link->body_turned ? km3_mul(s->R, link->body_R) : s->R;
        b->r                = kv3_add(s->r, arm);
        v                   = kv3_add(v, kv3_cross(w, arm));
        b->w                = kv3_sub(w, base->w);
        b->v                = kv3_sub(v, kv3_add(base->v, kv3_cross(base->w, b->r)));
    }
    if (model->imaginary_as_forces) {
        v = kv3_add(v, kv3_add(T->v_o, kv3_cross(T->omega, b->r)));
        w = kv3_add(w, T->omega);
    }
    kane_body_to_world(body, T, &work->transport[body->level_frame], v, w, b);
    if (body->is_free_body && !link->is_free_body)
        kane_body_kinematics_coordinates(model, work, i);
}

// Lengths over time must stay positive (docs/mechanisms.md, section 4).
static kane_status check_lengths(const kane_model *model, kane_work *work)
{
    for (int c = 0; c < model->closure_count; c++) {
        const kane_line_function *given = model->closures[c].length_given;
        if (given && !(kane_tree_number(&work->tree, 0.0, given) > 0.0))
            return kane_work_fail(work, KANE_RETRY, model->closures[c].name,
                                  "its length over time is not positive here");
    }
    return KANE_OK;
}

// Coordinates and speeds of clusters first: the acceleration of the frames may depend on them. Then motion of their
// links.
static kane_status solve_cluster_motion(const kane_model *model, kane_work *work, const double *y)
{
    static const char not_closed[] = "no dependent coordinates close the loops that it belongs to";
    kane_status status             = check_lengths(model, work);
    kane_moving_frames_eval(model, work);
    for (int c = 0; c < model->cluster_count && status == KANE_OK; c++)
        if (!kane_cluster_solve_speeds(work->cluster[c], y + model->cluster_u[c]))
            status = kane_cluster_fail(model, work, c, not_closed);
    if (status == KANE_OK && kane_frames_follow(model, work))
        kane_moving_frames_eval(model, work);
    for (int c = 0; c < model->cluster_count && status == KANE_OK; c++)
        if (!kane_cluster_solve_motion(work->cluster[c]))
            status = kane_cluster_fail(model, work, c, not_closed);
    return status;
}

// Steps: y to the tree, clusters, guided wheels by tables, runs (kane_tree_move), bodies with forces.
kane_status kane_bodies_move(const kane_model *model, kane_work *work, const double *y)
{
    kane_bodies_read(work, y);
    kane_status status = solve_cluster_motion(model, work, y);
    if (status == KANE_OK)
        status = kane_rail_constraint_follow(model, work);
    if (status != KANE_OK)
        return status;
    for (int k = 0; k < model->tree_count; k++)
        kane_tree_move(&model->tree, model->trees[k], work->base, &work->tree);
    for (int k = 0; k < model->loaded_count; k++)
        kane_body_kinematics(model, work, model->loaded[k]);
    return KANE_OK;
}

// Sum of the kept imaginary terms of deformation, about the link's origin.
static kane_wrench imaginary_of_modes(const kane_model *model, const kane_work *work, const kane_link *link)
{
    kane_imaginary terms;
    double *mode[KANE_IMAGINARY_TERMS];
    if (!kane_modes_imaginary(model, work, link->flex, &terms, mode))
        return (kane_wrench){kv3_zero(), kv3_zero()};
    return kane_imaginary_sum(&model->bodies[model->link_body[link - model->tree.links]], &terms, KANE_INCLUDED);
}

// Applied wrench at the mass centre, with the kept imaginary terms if they are separate; torque + R c x force about the
// link's origin.
kane_wrench kane_body_acting(const kane_model *model, const kane_work *work, int i)
{
    const kane_link *link    = &model->tree.links[i];
    const kane_body *body    = &model->bodies[model->link_body[i]];
    const kane_body_state *b = &work->body[model->link_body[i]];
    const kane_transport *T  = &work->transport[link->frame];
    kane_wrench w            = {km3_tmulv(T->R, b->applied.force), km3_tmulv(T->R, b->applied.torque)};
    if (model->imaginary_as_forces)
        w = kw_add(w, kane_imaginary_kept(body, T, b));
    if (kane_link_has_arm(link))
        w.torque = kv3_add(w.torque, kv3_cross(km3_mulv(work->tree.link[i].R, link->c), w.force));
    if (model->imaginary_as_forces && link->role == KANE_FLEX_FRAME)
        w = kw_add(w, imaginary_of_modes(model, work, link));
    return w;
}

// Motors in joints: drive of their speeds [N], [N m].
static void set_joint_drives(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->actuator_count; i++)
        if (model->actuators[i].speed >= 0)
            work->tree.drive[model->actuators[i].speed] = 0.0;
    for (int i = 0; i < model->actuator_count; i++)
        if (model->actuators[i].speed >= 0)
            work->tree.drive[model->actuators[i].speed] +=
                kane_actuator_value(&model->actuators[i], work->t, work->input);
}

// Applies drives, forces on modes, and wrenches on links (kane_tree_apply_wrench). Needs kane_applied_eval.
void kane_bodies_load(const kane_model *model, kane_work *work)
{
    set_joint_drives(model, work);
    kane_modes_apply(model, work);
    for (int k = 0; k < model->loaded_count; k++) {
        const int i         = model->loaded[k];
        const kane_wrench w = kane_body_acting(model, work, i);
        kane_tree_apply_wrench(&work->tree, i, w.force, w.torque);
    }
}

// The error of a joint without an acceleration: not finite values, locked turns, or a singular inertia.
static kane_status fail_singular(const kane_model *model, kane_work *work, int i)
{
    const kane_link *link = &model->tree.links[i];
    double sum            = 0.0; // not finite if any term is not
    for (int k = 0; k < model->tree.q_count; k++)
        sum += 0.0 * work->tree.q[k];
    for (int k = 0; k < model->tree.v_count; k++)
        sum += 0.0 * work->tree.v[k];
    if (sum != 0.0)
        return kane_work_fail(work, KANE_NOT_FINITE, link->name, "its motion is not finite");
    return kane_work_fail(work, KANE_RETRY, link->name,
                          kane_link_is_locked(link, work->tree.q)
                              ? "the middle one of its three turns is a right angle, where the other two are one and "
                                "the same; a spherical joint has no such place"
                              : "nothing resists its joint: its inertia is singular here");
}

// q' = Q(q) v of all links (kane_tree_rates) and v_dot, to their places in ydot.
void kane_bodies_rates(const kane_model *model, kane_work *work, double *ydot)
{
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        if (link->role != KANE_FLEX_NODE) // they have no states of their own
            kane_tree_rates(&model->tree, i, &work->base[link->frame], &work->tree, work->q_dot + link->q);
    }
    copy_from_tree(work->q_ranges, work->q_range_count, work->q_dot, ydot);
    copy_from_tree(work->v_ranges, work->v_range_count, work->tree.v_dot, ydot);
}

// Inward pass, normal forces of guided wheels, outward pass; then clusters, each with its guided wheels; then rates.
kane_status kane_bodies_solve(const kane_model *model, kane_work *work, double *ydot)
{
    for (int k = 0; k < model->tree_count; k++) {
        const int singular = kane_tree_inward(&model->tree, model->trees[k], &work->tree);
        if (singular >= 0)
            return fail_singular(model, work, singular);
    }
    const kane_status answered = kane_rail_groups_solve(model, work, -1, NULL);
    if (answered != KANE_OK)
        return answered;
    for (int k = 0; k < model->tree_count; k++)
        kane_tree_outward(&model->tree, model->trees[k], &work->tree);
    for (int c = 0; c < model->cluster_count; c++) {
        double *u_dot = ydot + model->cluster_u[c];
        if (!kane_cluster_solve(work->cluster[c], u_dot))
            return kane_cluster_fail(model, work, c, "no accelerations keep the constraints that it belongs to");
        const kane_status status = kane_rail_groups_solve(model, work, c, u_dot);
        if (status != KANE_OK)
            return status;
    }
    for (int i = 0; i < model->tree.link_count; i++)
        if (model->tree.links[i].role != KANE_FLEX_NODE && model->bodies[model->link_body[i]].is_free_body)
            kane_body_kinematics_accelerations(model, work, i);
    kane_bodies_rates(model, work, ydot);
    return KANE_OK;
}

// === From relative to absolute motion of a body, and rates of its coordinates (docs/theory.md, sections 2, 3).

// Axle boxes of a spinning body, world axes: y along the axle, x level in the track frame, x = axle x up/|..|. Their
// angular velocity is the body's without its spin:
//   spin = level.(w - w_frame),   w_box = w - spin axle,   level = up x x/((up x x).axle)
// Both are the same in any formulation.
static void mark_axle_boxes(const kane_transport *T, kane_body_state *b)
{
    const kane_vec3 up      = T->R.z;
    b->w_frame              = km3_mulv(T->R, T->omega);
    b->axle                 = b->R_w.y;
    const kane_vec3 forward = kv3_cross(b->axle, up);
    b->R_w.x                = kv3_scale(1.0 / kv3_norm(forward), forward);
    b->R_w.z                = kv3_cross(b->R_w.x, b->axle);
    const kane_vec3 left    = kv3_cross(up, b->R_w.x);
    b->level                = kv3_scale(1.0 / kv3_dot(left, b->axle), left);
    const double spin       = kv3_dot(b->level, kv3_sub(b->w_w, b->w_frame));
    b->w_box                = kv3_add_scaled(b->w_w, -spin, b->axle);
}

// World axes:  R_w = T R,  r_w = r_o + T r,  v_w = T v,  w_w = T w;  v, w absolute, frame axes.
void kane_body_to_world(const kane_body *body, const kane_transport *T, const kane_transport *track, kane_vec3 v,
                        kane_vec3 w, kane_body_state *b)
{
    b->R_w   = km3_mul(T->R, b->R);
    b->r_w   = kv3_add(T->r_o, km3_mulv(T->R, b->r));
    b->v_w   = km3_mulv(T->R, v);
    b->w_w   = km3_mulv(T->R, w);
    b->w_box = b->w_w;
    if (body->kind == KANE_BODY_SPINNING)
        mark_axle_boxes(track, b);
}

// q_dot = Q(q) u (44) of a free body, w = yaw_dot z + roll_dot x1 + pitch_dot y2 (docs/theory.md, section 3).
void kane_rates_from_velocity(const double *q, kane_vec3 v, kane_vec3 w, double *q_dot)
{
    const double sy = sin(q[KANE_YAW]), cy = cos(q[KANE_YAW]), sr = sin(q[KANE_ROLL]), cr = cos(q[KANE_ROLL]);
    const double pitch = (cy * w.y - sy * w.x) / cr;
    q_dot[KANE_X]      = v.x;
    q_dot[KANE_Y]      = v.y;
    q_dot[KANE_Z]      = v.z;
    q_dot[KANE_YAW]    = w.z - sr * pitch;
    q_dot[KANE_ROLL]   = cy * w.x + sy * w.y;
    q_dot[KANE_PITCH]  = pitch;
}
