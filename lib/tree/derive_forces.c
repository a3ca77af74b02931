// SPDX-License-Identifier: MIT
// What forces between links of one group do to its directions.
//
// A link that hangs on the joint of a direction moves by what is linear in twelve numbers,
//
//   a = s of a coordinate, 0 of a speed;   b = psi of a coordinate, s of a speed
//
// and so does the wrench W (a, b) that it needs: forces do not turn along by themselves, and they change with its
// motion. W goes up through joints as Coriolis forces do: an axis takes w = s'W / (s'I s), and hands on W - U w'. It
// counts the motion of link j for every direction that moves the link i that feels it; where only one of them is
// moved, blocks have entries that put it right (derive_blocks.c).

#include "tree/derive_group.h"

#include <string.h>

enum { A_ANGULAR = 0, A_LINEAR = 3, B_ANGULAR = 6, B_LINEAR = 9 };

void kane_direction_parts(const kane_direction *d, kane_direction_kind kind, double out[KANE_PARTS])
{
    const int turns      = kane_direction_turns(kind);
    const kane_twist b   = turns ? d->psi : d->s;
    const kane_vec3 p[4] = {turns ? d->s.e : kv3_zero(), turns ? d->s.l : kv3_zero(), b.e, b.l};
    for (int k = 0; k < 4; k++) {
        out[3 * k]     = p[k].x;
        out[3 * k + 1] = p[k].y;
        out[3 * k + 2] = p[k].z;
    }
}

// Takes a column of force and torque about an origin at r from the needed wrench.
static inline void take_column(double W[6][KANE_PARTS], int c, kane_vec3 force, kane_vec3 torque, kane_vec3 r)
{
    const kane_vec3 t = kv3_add(torque, kv3_cross(r, force));
    W[0][c] -= t.x;
    W[1][c] -= t.y;
    W[2][c] -= t.z;
    W[3][c] -= force.x;
    W[4][c] -= force.y;
    W[5][c] -= force.z;
}

static inline void take_matrix(double W[6][KANE_PARTS], int first, kane_mat3 force, kane_mat3 torque, kane_vec3 r)
{
    take_column(W, first, force.x, torque.x, r);
    take_column(W, first + 1, force.y, torque.y, r);
    take_column(W, first + 2, force.z, torque.z, r);
}

// What acts, F, does not turn: a turn e takes  -e x F  away from it.
static void hold_still(double W[6][KANE_PARTS], const kane_wrench *acting, kane_vec3 r)
{
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k);
        take_column(W, A_ANGULAR + k, kv3_cross(acting->force, e), kv3_cross(acting->torque, e), r);
    }
}

// By the motion of a link with origin r, v, w (kane_direction_motion):
//   shift a.l + a.e x r,   turn a.e,   velocity a.e x v + b.l + b.e x r,   angular velocity a.e x w + b.e
static kane_mat3 by_turn(const kane_mat3 G[KANE_MOTIONS], kane_vec3 r, const kane_link_state *s)
{
    kane_mat3 A = G[KANE_TURNS];
    kg_sub(&A, kg_times_skew(G[KANE_MOVES], r));
    kg_sub(&A, kg_times_skew(G[KANE_SPEEDS], s->v));
    kg_sub(&A, kg_times_skew(G[KANE_SPINS], s->w));
    return A;
}

static void feel(double W[6][KANE_PARTS], const kane_gradient *g, kane_vec3 row_r, kane_vec3 r,
                 const kane_link_state *s)
{
    const kane_mat3 *F = g->force, *T = g->torque;
    take_matrix(W, A_ANGULAR, by_turn(F, r, s), by_turn(T, r, s), row_r);
    take_matrix(W, A_LINEAR, F[KANE_MOVES], T[KANE_MOVES], row_r);
    take_matrix(W, B_ANGULAR, km3_sub(F[KANE_SPINS], kg_times_skew(F[KANE_SPEEDS], r)),
                km3_sub(T[KANE_SPINS], kg_times_skew(T[KANE_SPEEDS], r)), row_r);
    take_matrix(W, B_LINEAR, F[KANE_SPEEDS], T[KANE_SPEEDS], row_r);
}

// One axis takes its share; what hangs behind gives way.
static void pass_axis(double W[6][KANE_PARTS], kane_sweep_axis *x)
{
    for (int c = 0; c < KANE_PARTS; c++)
        x->w[c] = x->over[0] * W[0][c] + x->over[1] * W[1][c] + x->over[2] * W[2][c] + x->over[3] * W[3][c] +
                  x->over[4] * W[4][c] + x->over[5] * W[5][c];
    for (int k = 0; k < 6; k++)
        for (int c = 0; c < KANE_PARTS; c++)
            W[k][c] -= x->U[k] * x->w[c];
}

static void add_all(double to[6][KANE_PARTS], double W[6][KANE_PARTS])
{
    for (int k = 0; k < 6; k++)
        for (int c = 0; c < KANE_PARTS; c++)
            to[k][c] += W[k][c];
}

int kane_group_is_forced(const kane_group *group, const kane_wrench *acting)
{
    int forced = group->pair_count > 0;
    for (int place = 0; acting && !forced && place < group->link_count; place++) {
        const kane_wrench *w = &acting[group->links[place]];
        forced               = kv3_dot(w->force, w->force) + kv3_dot(w->torque, w->torque) != 0.0;
    }
    return forced;
}

void kane_group_force(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_wrench *acting, const kane_gradient *gradients)
{
    memset(scratch->feel, 0, (size_t)group->link_count * sizeof *scratch->feel);
    for (int place = 0; acting && place < group->link_count; place++)
        hold_still(scratch->feel[place].W, &acting[group->links[place]], scratch->field[group->links[place]].r);
    for (int k = 0; k < group->pair_count; k++) {
        const kane_link_pair pair = map->pairs[group->pairs[k]];
        if (map->group_of[pair.row] == map->group_of[pair.column])
            feel(scratch->feel[map->place_of[pair.row]].W, &gradients[group->pairs[k]], scratch->field[pair.row].r,
                 scratch->field[pair.column].r, &work->link[pair.column]);
    }
    for (int place = group->link_count - 1; place >= group->free; place--) {
        for (int k = group->first_axis[place + 1] - 1; k >= group->first_axis[place]; k--)
            pass_axis(scratch->feel[place].W, &scratch->axes[k]);
        if (group->up[place] >= 0)
            add_all(scratch->feel[group->up[place]].W, scratch->feel[place].W);
    }
}
