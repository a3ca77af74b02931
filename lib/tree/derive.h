// SPDX-License-Identifier: MIT
// Exact derivatives of the accelerations of trees, d(v_dot)/d(q, v), and of the rates of coordinates
// (docs/mechanisms.md).
//
// A *group* is what inertia couples: a root (a link on the frame, or any KANE_LINK_BODY) and the links attached to it
// by joints. Its accelerations depend on its own coordinates and speeds, on those coordinates of its ancestors that
// carry its root along, and on the states of links whose motion changes forces on its links. The pattern is constant;
// each group has one dense matrix of values.

#ifndef KANE_TREE_DERIVE_H
#define KANE_TREE_DERIVE_H

#include "tree/gradient.h"
#include "tree/tree.h"
#include "tree/rows.h"

// The wrench on link `row` depends on the motion of link `column`.
typedef struct kane_link_pair {
    int row, column;
} kane_link_pair;

typedef struct kane_group kane_group;             // derive_group.h
typedef struct kane_derive_map kane_derive_map;   // immutable
typedef struct kane_derive_work kane_derive_work; // scratch of one thread

// Rows of one group: accelerations of speeds rows[i] by states columns[j]: coordinates 0 .. q_count - 1 of the tree,
// then q_count + speed. values[i * column_count + j].
typedef struct kane_derived_group {
    int row_count, column_count;
    const int *rows, *columns;
    double *values;
} kane_derived_group;

// What depends on what. Groups of the runs (whole trees) have rows of v_dot; all others, which constraints couple, have
// rows of f - Theta v_dot. NULL if memory is short.
kane_derive_map *kane_derive_map_create(const kane_tree *tree, const kane_links *trees, int tree_count,
                                        const kane_link_pair *pairs, int pair_count, kane_arena *arena);
int kane_derive_map_count(const kane_derive_map *map);
kane_derived_group kane_derive_map_rows(const kane_derive_map *map, int group, double *values); // values of all groups
int kane_derive_map_group(const kane_derive_map *map, int link);

// What a state of the tree (coordinate, or q_count + speed) follows: itself. One of an interface node of a flexible
// body follows those of the modes, `first` .. first + count - 1, by a row of G.
typedef struct kane_state_share {
    int first, count;
    const double *G; // [count]; NULL: itself
} kane_state_share;

kane_state_share kane_derive_map_share(const kane_derive_map *map, int state);

// row += value d(state)/d(what it follows), by states of the tree, `stride` apart.
static inline void kane_state_share_add(kane_state_share share, double value, int stride, double *row)
{
    for (int k = 0; k < share.count; k++)
        row[(share.first + k) * stride] += share.G ? value * share.G[k] : value;
}

// Whether a state (coordinate, or q_count + speed) is one of a link or of what carries it.
int kane_derive_map_moves(const kane_derive_map *map, int state, int link);

// 0: the row of a speed is zero for good in the column of a state. Of a group that is held.
int kane_derive_map_depends(const kane_derive_map *map, int group, int speed, int state);
size_t kane_derive_map_values(const kane_derive_map *map);

kane_derive_work *kane_derive_work_create(const kane_derive_map *map, kane_arena *arena);

// Fields of links and directions of states (derive_group.h), of which tangents are made. Needs v_dot, da, dal in work.
// kane_tree_derive calls it.
void kane_derive_move(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work,
                      const kane_moving_frame *bases);

// d(v_dot)/d(q, v) after kane_tree_solve, and d(f - Theta v_dot)/d(q, v) of links that constraints couple, whose
// v_dot, da and dal are those of their own solution.
//   bases      of the frames, as kane_tree_move had them
//   acting     wrench that acts on every link, torque about its origin [link_count]; NULL: none
//   gradients  of those wrenches by the motion of links, in the order of the map's pairs: displacement of the origin,
//              rotation, velocity and angular velocity as the link states have them; frame axes
//   values     [kane_derive_map_values]
// Needs, for each uneven link, kane_derive_spin: the change of the torque that acts on it, by its spin angle, frame
// axes.
void kane_derive_spin(kane_derive_work *scratch, int link, kane_vec3 torque);

void kane_tree_derive(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work,
                      const kane_moving_frame *bases, const kane_wrench *acting, const kane_gradient *gradients,
                      double *values);

// --- rates of coordinates ---

typedef struct kane_rates_map kane_rates_map; // immutable

// The rate of a coordinate by states of the tree: values[at + k] by columns[k]. No columns: it is held or given.
typedef struct kane_rate_row {
    int column_count;
    const int *columns;
    size_t at;
} kane_rate_row;

// What the rates of all coordinates depend on (kane_tree_rates); NULL if memory is short.
kane_rates_map *kane_rates_map_create(const kane_derive_map *map, kane_arena *arena);
const kane_rate_row *kane_rates_map_rows(const kane_rates_map *map); // of every coordinate
size_t kane_rates_map_values(const kane_rates_map *map);

// d(q_dot)/d(q, v) of all links, after kane_derive_move.
void kane_tree_derive_rates(const kane_rates_map *map, const kane_derive_work *scratch, const kane_tree_work *work,
                            const kane_moving_frame *bases, double *values);

// How links move when one state of the tree changes, with v_dot held.

// The tangent of a link by one state: a coordinate, or q_count + speed; zero where it does not move it. After
// kane_derive_move.
//   bases    of the frames, as kane_tree_move had them
kane_link_tangent kane_tree_tangent(const kane_derive_map *map, const kane_derive_work *scratch,
                                    const kane_tree_work *work, const kane_moving_frame *bases, int state, int link);

#endif
