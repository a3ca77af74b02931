// SPDX-License-Identifier: MIT
// Shared parts of the Jacobian's files.

#ifndef KANE_AGEM_DERIVE_PARTS_H
#define KANE_AGEM_DERIVE_PARTS_H

#include "agem/bodies.h"
#include "agem/gradient.h"
#include "agem/rail_constraint.h"
#include "agem/work.h"
#include "tree/derive.h"
#include "tree/loops_derive.h"

#include <string.h>

typedef struct kane_flex_rows kane_flex_rows; // a group of links in which there are deformable bodies

// A kane_rail_group.
typedef struct kane_rails_map {
    const kane_rail_group *of;
    int gaps;  // two a wheelset
    int group; // of the map: where its first wheelset is
    int row_count;
    const int *rows;          // speeds of the tree that normal forces accelerate: those of its cluster, or of its group
    double *direction;        // accelerations of gaps by those of rows [gaps * row_count]
    double *gain;             // accelerations of rows by normal forces, creep forces with them [gaps * row_count]
    double *inverse;          // of direction gain [gaps^2]
    double *missing, *change; // scratch [gaps]
    double *lu;               // ... [gaps^2]
    int *pivot;               // ... [gaps]
    kane_derived_group tree;  // outside loops: its group's rows, before those of panels of flexible track joined them
    // of a wheelset that tables guide: columns are those states that move it on its rails, its own, then its panel's
    int column_count, own_count;
    int state[2 * KANE_BODY_STATES];                           // of every column: state of the tree
    int column[KANE_BODY_STATES];                              // of every state of its link; -1 - k: slope k; or none
    double slope[KANE_TABULATED_STATES][2 * KANE_BODY_STATES]; // of these, by columns
} kane_rails_map;

// Columns of y from which some states of the tree follow together.
typedef struct kane_column_block {
    int count, *columns;  // in y
    const int *active_of; // of every column: which one it is among slopes, -1: none of them; NULL: they are all there
    double
        *sum;   // values of the row that is emitted, by slopes; the last one is for states without a column [count + 1]
    int is_met; // 1: its states are in that row
} kane_column_block;

// A row of D: the derivatives of a state of the tree by y.
typedef struct kane_state_slopes {
    int block;                  // of columns; -1: none, it is entry own.first of y
    const kane_slope_span *row; // among these; slope NULL: it is column `first`
    kane_slope_span own;        // the row, but for states of clusters, whose rows depend on the choice
} kane_state_slopes;

struct kane_derivative {
    const kane_model *model;
    kane_work *work;
    kane_gradient *wrench;               // of wrenches at mass centres by the motion of bodies, world axes, by pair
    kane_state_gradient *states;         // by element with states
    kane_rail_constraint_slopes *slopes; // by wheelset
    int rails_count;
    kane_rails_map *rails;
    int *rails_of;         // of every group of the map, -1: none
    int *rails_of_cluster; // -1: none
    // scratch of rails: slopes of gaps and of their rates, by states of the tree, then by y
    double *gap[2], *gap_by_y[2]; // [states * gaps]
    double *rows;                 // [speeds of the tree]
    int *column_of;               // of every state of the tree: column of a group, -1: none
    // derivatives of trees, with pairs of links of which one's wrench depends on the other's motion
    kane_derive_map *map;
    kane_derived_group *groups; // of the map, as they enter the Jacobian
    kane_derive_work *sweep;
    kane_rates_map *rates;
    double *rates_values;
    int pair_count;
    kane_link_pair *pairs;
    int *pair_of; // pair of the model
    kane_gradient *gradients;
    double *map_values;
    // scratch by link, by speed; where links and states stand
    kane_wrench *acting, *applied, *response;
    double *v_dot;
    int *q_place, *v_place; // in y, of every state of the tree; v of clusters -1
    int *tree_of;           // run of every link, -1: in a cluster
    int *cluster_of;        // cluster of every link, -1: in a run
    kane_cluster_derivative **clusters;
    kane_state_slopes *D;      // of every state of the tree
    int block_count;           //
    kane_column_block *blocks; //
    int *met;                  // blocks that a row meets
    int *row_states;           // states and values of rows that are gathered
    double *row_values;        // [6 * states of the tree]
    double *du_dot;
    int flex_rows_count;
    kane_flex_rows *flex_rows;
    // entries: counted, then named, then valued, all by the same walk
    int next, entry_count;
    kane_entry *entries;
    const int *at;  // where each entry is among the values of the matrix
    double *values; // to which they are added
};

// The next entry. Values count only while there is a place for them.
static inline void kane_derive_emit(kane_derivative *d, int row, int column, double value)
{
    if (d->values)
        d->values[d->at[d->next]] += value;
    else if (d->entries)
        d->entries[d->next] = (kane_entry){row, column};
    d->next++;
}

// A wrench at the mass centre of a link's body as one about the link's origin.
static inline kane_wrench kane_derive_about_origin(const kane_derivative *d, int link, kane_wrench w)
{
    return kane_link_about_origin(&d->model->tree.links[link], &d->work->tree.link[link], w);
}

// Visits all entries in a fixed order: counts them, names them, or gives them values.
void kane_derive_walk(kane_derivative *d);

// States of the tree that move a link (coordinates, or q_count + speed): its own, then those of its carriers. Speeds of
// the carriers of a body with all six freedoms do not move it. Returns how many.
int kane_derive_states(const kane_derivative *d, int link, int *states);

// Tangent of a link by one of the states of the tree, axes of its frame, about its origin.
kane_link_tangent kane_derive_tangent(const kane_derivative *d, int link, int state);

// Change of the motion of a link's body at its mass centre that one of the states that move it makes, world axes.
void kane_derive_motion(kane_derivative *d, int link, int state, kane_vec3 motion[KANE_MOTIONS]);

// Accelerations of the speeds of the group or cluster of a body for a wrench at its mass centre, axes of its frame:
// emits them in a column of y.
void kane_derive_respond(kane_derivative *d, int body, kane_wrench wrench, int column);

// Changes of forces and of rows of a cluster, to which columns are added.
static inline void kane_derive_clear_cluster(const kane_derivative *d, int cluster)
{
    const kane_cluster *loops          = &d->model->clusters[cluster];
    const kane_cluster_derivative *own = d->clusters[cluster];
    memset(own->df, 0, (size_t)loops->v_count * sizeof *own->df);
    memset(own->dphi, 0, (size_t)loops->row_count * sizeof *own->dphi);
}

// Column of y that a column of a cluster's matrices is.
static inline int kane_derive_column(const kane_derivative *d, int cluster, int column)
{
    const kane_cluster_derivative *own = d->clusters[cluster];
    return column < own->q_count ? d->q_place[own->states[column]]
                                 : d->model->cluster_u[cluster] + column - own->q_count;
}

// --- rows of deformable bodies, in derive_flexes.c ---
//
// Their groups of links are derived with v_dot held, with rows for all speeds of points. These become rows of modes, by
// G', and the accelerations follow:
//
//   d(v_dot) = Theta^-1 d(f - Theta v_dot)

// Their rows in d->groups. 0 if memory is short.
int kane_flex_rows_create(kane_derivative *d, kane_arena *arena);

// Values of these rows, after kane_tree_derive. For groups in clusters d(f - Theta v_dot) only: the cluster solves for
// accelerations.
void kane_flex_rows_derive(kane_derivative *d);

// Subtracts the wrench that deformation needs beyond that of rigid bodies from the wrenches on the carriers, about the
// links' origins, frame axes: kane_tree_derive has rigid bodies only.
void kane_flex_rows_subtract(const kane_model *model, const kane_work *work, kane_wrench *acting);

// --- derive_rails.c ---

// Constant lists of guided wheelsets. 0 if memory is short.
int kane_rails_index(kane_derivative *d, kane_arena *arena);

// State of the tree of a local state of a link with six freedoms: coordinates, then speeds.
static inline int kane_derive_state_of(const kane_derivative *d, int link, int local)
{
    const kane_tree *tree = &d->model->tree;
    return local < KANE_COORDINATES ? tree->links[link].q + local
                                    : tree->q_count + tree->links[link].v + local - KANE_COORDINATES;
}

// Columns, directions and gains of all of them.
kane_status kane_rails_derive(kane_derivative *d);

// Adds the response of normal forces to a change v_dot of the accelerations of a group of the map and of its panels, in
// place; other groups do not change.
//   bias  further accelerations of its gaps; NULL: none
void kane_rails_correct(const kane_derivative *d, int group, const double *bias, double *v_dot);

// The same of all groups for one more m/s^2 of the track frames, which accelerates the gaps whatever is omitted.
void kane_rails_correct_travel(const kane_derivative *d, double *v_dot);

// The same of all rows of guided wheelsets in map_values, and slopes of those guided by tables.
kane_status kane_rails_correct_rows(kane_derivative *d);

// du_dot of a cluster for own->df, own->dphi, with the response of its rails.
//   bias  further accelerations of its gaps; NULL: none
void kane_rails_respond_cluster(kane_derivative *d, int cluster, const double *bias, double *du_dot);

// Adds the response of its normal forces to own->du_dot of a cluster, column by column. Without rails it does nothing.
void kane_rails_correct_cluster(kane_derivative *d, int cluster);

// Accelerations of the gaps of a cluster, v_dot held, for one more m/s^2 of the track frames. NULL: it has no gaps.
const double *kane_rails_cluster_travel(kane_derivative *d, int cluster);

// Rows and columns of P of guided wheelsets, P[column * state_count + row].
kane_status kane_rails_derive_projection(kane_derivative *d, double *P);

// --- D, in derive_states.c ---

// After all that it maps. 0 if memory is short.
int kane_derive_map_states(kane_derivative *d, kane_arena *arena);

// Emits a row by columns of y: values by states of the tree.
void kane_derive_emit_row(kane_derivative *d, int row, int count, const int *states, const double *values);

// --- clusters, in derive_rows.c ---

// Rows of a cluster in kane_derive_travel, under the wrenches in applied.
void kane_derive_travel_cluster(kane_derivative *d, int cluster, double *by_a);

// Matrices of all clusters.
void kane_derive_clusters(kane_derivative *d);

// All entries in rows of a cluster.
void kane_derive_walk_cluster(kane_derivative *d, int cluster);

#endif
