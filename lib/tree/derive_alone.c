// SPDX-License-Identifier: MIT
// Derivatives of the accelerations of a body that nothing is joined to: three and three freedoms that do not feel each
// other, speeds relative to the frame.
//
//   v_dot = F / m - what the frame's motion is at r,   w_dot = J^-1 (T - w x J w) - what it is for w
//
// With al = J^-1 (T - w x J w) and its change G x = -J^-1 (x x J w + w x J x) by w, a turn e, which T does not follow,
// changes al by  e x al - G (e x w) - J^-1 (e x T).

#include "tree/derive_group.h"

#include <string.h>

typedef struct response {
    double by_mass;
    double by_J[6];
} response;

static inline void put_column(double *out, int stride, kane_vec3 top, kane_vec3 bottom)
{
    out[0]          = top.x;
    out[stride]     = top.y;
    out[2 * stride] = top.z;
    out[3 * stride] = bottom.x;
    out[4 * stride] = bottom.y;
    out[5 * stride] = bottom.z;
}

static inline kane_vec3 column(const kane_mat3 *A, int axis)
{
    return axis == 0 ? A->x : axis == 1 ? A->y : A->z;
}

// Its own motion.
static void own_motion(const kane_link *link, const kane_link_state *s, const kane_base *base, const response *to,
                       const kane_wrench *acting, double *local, int stride)
{
    const kane_vec3 w = s->w, zero = kv3_zero(), al = kv3_add(s->al, s->dal), torque = acting ? acting->torque : zero;
    double J[6];
    ksym_turn(s->R, link->J, J);
    const kane_vec3 L = ksym_mulv(J, w);
    kane_mat3 G = km3_zero(), turns = km3_zero(); // gcc does not see that the loops fill them
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k);
        const kane_vec3 g = kv3_add(kv3_cross(e, L), kv3_cross(w, ksym_mulv(J, e)));
        km3_set_column(&G, k, kv3_neg(ksym_mulv(to->by_J, g)));
    }
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k);
        kane_vec3 turn    = kv3_sub(kv3_cross(e, al), km3_mulv(G, kv3_cross(e, w)));
        if (acting)
            turn = kv3_sub(turn, ksym_mulv(to->by_J, kv3_cross(e, torque)));
        km3_set_column(&turns, k, turn);
    }
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k), goes = kv3_cross(base->w, e);
        const kane_vec3 there = kv3_add(kv3_cross(base->al, e), kv3_cross(base->w, goes));
        put_column(local + KANE_ROOT_SHIFTS + k, stride, kv3_neg(there), zero);
        put_column(local + KANE_ROOT_VELOCITIES + k, stride, kv3_scale(-2.0, goes), zero);
        put_column(local + KANE_ROOT_TURNS + k, stride, zero, column(&turns, k));
        put_column(local + KANE_ROOT_SPINS + k, stride, zero, kv3_sub(column(&G, k), goes));
    }
}

// Adds what it makes of the wrenches by one direction.
static inline void add_column(const response *to, kane_vec3 force, kane_vec3 torque, double *out, int stride)
{
    const kane_vec3 a = kv3_scale(to->by_mass, force), al = ksym_mulv(to->by_J, torque);
    out[0] += a.x;
    out[stride] += a.y;
    out[2 * stride] += a.z;
    out[3 * stride] += al.x;
    out[4 * stride] += al.y;
    out[5 * stride] += al.z;
}

// By the motion of a body whose own root it is: columns of the gradient, and where it shifts to the frame moves
// otherwise.
static void by_root(const kane_base *base, const response *to, const kane_gradient *g, double *local, int stride)
{
    for (int k = 0; k < 3; k++) {
        const kane_vec3 goes = kv3_cross(base->w, kv3_unit(k));
        add_column(to, kv3_add(column(&g->force[KANE_MOVES], k), km3_mulv(g->force[KANE_SPEEDS], goes)),
                   kv3_add(column(&g->torque[KANE_MOVES], k), km3_mulv(g->torque[KANE_SPEEDS], goes)),
                   local + KANE_ROOT_SHIFTS + k, stride);
        add_column(to, column(&g->force[KANE_SPEEDS], k), column(&g->torque[KANE_SPEEDS], k),
                   local + KANE_ROOT_VELOCITIES + k, stride);
        add_column(to, column(&g->force[KANE_TURNS], k), column(&g->torque[KANE_TURNS], k), local + KANE_ROOT_TURNS + k,
                   stride);
        add_column(to, column(&g->force[KANE_SPINS], k), column(&g->torque[KANE_SPINS], k), local + KANE_ROOT_SPINS + k,
                   stride);
    }
}

// By the motion of any link.
static void by_link(const kane_derive_map *map, const kane_derive_work *scratch, const kane_tree_work *work,
                    const response *to, int link, const kane_gradient *g, double *local, int stride)
{
    const kane_group *other = &map->groups[map->group_of[link]];
    for (int d = 0; d < other->direction_count; d++) {
        const kane_direction_name *name = &map->names[other->direction + d];
        kane_vec3 x[KANE_MOTIONS], force = kv3_zero(), torque = force;
        if (!kane_derive_above(map, name->link, link))
            continue;
        kane_direction_motion(&scratch->directions[other->direction + d], name->kind, &scratch->field[link],
                              &work->link[link], x);
        for (int k = 0; k < KANE_MOTIONS; k++) {
            force  = kv3_add(force, km3_mulv(g->force[k], x[k]));
            torque = kv3_add(torque, km3_mulv(g->torque[k], x[k]));
        }
        add_column(to, force, torque, local + d, stride);
    }
}

static double *columns_of(const kane_group *group, int other, double *local)
{
    int k = 0;
    while (group->reach[k].group != other)
        k++;
    return local + group->reach[k].first;
}

void kane_alone_derive(const kane_derive_map *map, const kane_group *group, const kane_derive_work *scratch,
                       const kane_tree_work *work, const kane_base *bases, const kane_wrench *acting,
                       const kane_gradient *gradients, double *local, int stride)
{
    const int i              = group->root;
    const kane_link *link    = &map->tree->links[i];
    const kane_link_state *s = &work->link[i];
    response to              = {.by_mass = 1.0 / link->mass};
    ksym_turn(s->R, link->J_inverse, to.by_J);
    own_motion(link, s, &bases[link->frame], &to, acting ? &acting[i] : NULL, local, stride);
    for (int row = 0; row < 6; row++)
        for (int c = KANE_ROOT_ALL; c < group->local_count; c++)
            local[row * stride + c] = 0.0;
    for (int k = 0; k < group->pair_count; k++) {
        const int column       = map->pairs[group->pairs[k]].column;
        const kane_gradient *g = &gradients[group->pairs[k]];
        const int other        = map->group_of[column];
        double *out            = columns_of(group, other, local);
        if (map->groups[other].free && map->groups[other].root == column)
            by_root(&bases[map->tree->links[column].frame], &to, g, out, stride);
        else
            by_link(map, scratch, work, &to, column, g, out, stride);
    }
}
