// SPDX-License-Identifier: MIT
// Poses by formula. One evaluation in numbers (kane/number.h) holds p and the axes r_i with two derivatives in time,
// their slopes by the coordinates, and how all of these change with a state:
//
//   w = 1/2 sum r_i x r_i'    al = 1/2 sum r_i x r_i''    e_k = 1/2 sum r_i x dr_i/dq_k    l_k = dp/dq_k

#include "tree/tree.h"

// Part of a number: value, two derivatives in time, slopes by the coordinates.
static double part_of(kane_number n, int part)
{
    return n.part[part];
}

// The derivative of that part by the chosen state.
static double change_of(kane_number n, int part)
{
    return n.changes ? n.change[part] : 0.0;
}

typedef double (*part_reader)(kane_number n, int part);

// One part of a vector, or its change.
static kane_vec3 read_vector(kane_number3 a, int part, part_reader at)
{
    return kv3(at(a.x, part), at(a.y, part), at(a.z, part));
}

// 1/2 sum r_i x s_i
static kane_vec3 half_cross_sum(const kane_vec3 r[3], const kane_vec3 s[3])
{
    kane_vec3 sum = kv3_zero();
    for (int i = 0; i < 3; i++)
        sum = kv3_add_scaled(sum, 0.5, kv3_cross(r[i], s[i]));
    return sum;
}

// One part of the three axes r_i, or its change, out [3].
static void read_axes(const kane_joint_pose *pose, int part, part_reader at, kane_vec3 out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = read_vector(pose->axis[i], part, at);
}

// 1/2 sum r_i x s_i, with s_i the given part of the axes (1: rate, 2: second derivative, 3 + k: slope by coordinate k);
// this is w, al or e_k. changes 1: its derivative, 1/2 sum (dr_i x s_i + r_i x ds_i).
static kane_vec3 turning_of(const kane_joint_pose *pose, int part, int changes)
{
    kane_vec3 r[3], s[3], dr[3], ds[3];
    read_axes(pose, 0, part_of, r);
    if (!changes) {
        read_axes(pose, part, part_of, s);
        return half_cross_sum(r, s);
    }
    read_axes(pose, part, part_of, s);
    read_axes(pose, 0, change_of, dr);
    read_axes(pose, part, change_of, ds);
    return kv3_add(half_cross_sum(dr, s), half_cross_sum(r, ds));
}

// The pose's motion as vectors in the axes that A leads to: R = A (r_1 r_2 r_3), p, p', p'', omega, alpha, l_k, e_k
// (docs/mechanisms.md, section 2). changes 1: their derivatives by the chosen state.
static void read_pose_motion(const kane_link *link, const kane_joint_pose *pose, kane_mat3 A, int changes,
                             kane_pose_motion *out)
{
    const part_reader at = changes ? change_of : part_of;
    kane_vec3 r[3];
    read_axes(pose, 0, at, r);
    out->R  = km3_mul(A, (kane_mat3){r[0], r[1], r[2]});
    out->p  = km3_mulv(A, read_vector(pose->position, 0, at));
    out->v  = km3_mulv(A, read_vector(pose->position, 1, at));
    out->a  = km3_mulv(A, read_vector(pose->position, 2, at));
    out->w  = km3_mulv(A, turning_of(pose, 1, changes));
    out->al = km3_mulv(A, turning_of(pose, 2, changes));
    for (int k = 0; k < link->step_count; k++) {
        out->l[k] = km3_mulv(A, read_vector(pose->position, 3 + k, at));
        out->e[k] = km3_mulv(A, turning_of(pose, 3 + k, changes));
    }
}

// Calls the user's formula with q, q', q'' as numbers.
//   with_v_dot  0: q'' of free coordinates is zero
//   step        the coordinate by which all is differentiated, or its rate (of_speed 1); -1: none
static void evaluate_joint_pose(const kane_link *link, const kane_tree_work *work, int with_v_dot, int step,
                                int of_speed, kane_joint_pose *pose)
{
    kane_number q[KANE_JOINT_FORMULA_COORDINATES];
    for (int k = 0; k < link->step_count; k++) {
        const kane_step *s = &link->step[k];
        kane_number n      = {.part = {work->q[s->q]}, .changes = k == step};
        double f[4];
        if (s->mode == KANE_STEP_GIVEN) {
            kane_step_given(work, s, f);
            for (int i = 0; i < 3; i++)
                n.part[i] = f[i];
            work->q[s->q] = f[0];
        } else if (s->mode == KANE_STEP_FREE) {
            n.part[1] = work->v[s->v];
            n.part[2] = with_v_dot ? work->v_dot[s->v] : 0.0;
        }
        n.part[3 + k] = 1.0;
        if (k == step)
            n.change[of_speed] = 1.0;
        q[k] = n;
    }
    pose->position = kn3_constant(kv3_zero());
    for (int i = 0; i < 3; i++)
        pose->axis[i] = kn3_constant(kv3_unit(i));
    link->formula->pose(link->formula_data, q, pose);
}

// w, al, e_k, l_k as at the top; q'' = 0 for free coordinates.
void kane_pose_move(const kane_link *link, const kane_tree_work *work, kane_mat3 A, kane_pose_motion *out)
{
    kane_joint_pose pose;
    evaluate_joint_pose(link, work, 0, -1, 0, &pose);
    read_pose_motion(link, &pose, A, 0, out);
}

// With q'' = v_dot, and the derivatives of all but R.
void kane_pose_change(const kane_link *link, const kane_tree_work *work, kane_mat3 A, int step, int of_speed,
                      kane_pose_motion *out, kane_pose_motion *change)
{
    kane_joint_pose pose;
    evaluate_joint_pose(link, work, 1, step, of_speed, &pose);
    read_pose_motion(link, &pose, A, 0, out);
    read_pose_motion(link, &pose, A, 1, change);
}
