// SPDX-License-Identifier: MIT
// What the files of joined_derive share.

#ifndef KANE_AGEM_JOINED_PARTS_H
#define KANE_AGEM_JOINED_PARTS_H

#include "agem/joined_derive.h"

#include "tree/derive.h"
#include "tree/loops_derive.h"
#include "tree/respond.h"
#include "tree/tangent.h"

struct kane_joined_derivative {
    const kane_model *model;
    kane_work *work;
    // derivatives of trees, with pairs of links of which one's wrench depends on the other's motion
    kane_derive_map *map;
    kane_derive_work *sweep;
    kane_rates_map *rates;
    double *rates_values;
    int pair_count;
    kane_link_pair *pairs;
    int *pair_of; // pair of the model
    kane_gradient *gradients;
    kane_guided_column (*guided)[KANE_BODY_STATES]; // of free wheelsets that rails guide
    double *map_values;
    // scratch by link, by speed; where links and states stand
    kane_wrench *acting, *push, *answer;
    kane_link_tangent *tangent;
    double *v_dot;
    int *q_place, *v_place; // in y; v of clusters -1
    int *run_of;            // run of every link, -1: in a cluster
    int *cluster_of;        // cluster of every link, -1: in a run
    int *root_of;           // link that inertia couples it to
    kane_cluster_derivative **clusters;
    int **felt, *felt_count; // by cluster: states of other links that its links feel by forces
    int *state_cluster;      // of every state of the tree (coordinate, or q_count + speed), -1: in a run
    double *row;             // by columns of a cluster
    int *row_states;         // states and values of rows that are gathered
    double *row_values;      // [6 * states of the tree]
    double *du_dot;
    // entries: counted, then named, then valued, all by the same walk
    int next, entry_count;
    kane_entry *entries;
    double *values;
};

// The next entry. Values count only while there is a place for them.
static inline void kane_joined_emit(kane_joined_derivative *d, int row, int column, double value)
{
    if (d->values)
        d->values[d->next] = value;
    else if (d->entries)
        d->entries[d->next] = (kane_entry){row, column};
    d->next++;
}

// Goes through all entries: counts them, names them, or gives them values.
void kane_joined_walk(kane_joined_derivative *d, const kane_gradient *pairs, const kane_state_gradient *states);

// States of the tree that move a link, coordinates or q_count + speed: how many; those of its own, then of what carries it.
// Speeds of what carries a body with all six freedoms do not move it.
int kane_joined_states(const kane_joined_derivative *d, int link, int *states);

// Emits a row: values by states of the tree. Those of clusters are taken to the columns of y that they follow from.
void kane_joined_emit_row(kane_joined_derivative *d, int row, int count, const int *states, const double *values);

// Change of the motion of a link's body at its mass centre that one of the states that move it makes, world axes.
void kane_joined_motion(kane_joined_derivative *d, int link, int state, kane_vec3 motion[KANE_MOTIONS]);

// Accelerations of the speeds of a free body, or of the group or cluster of a link, for a wrench at a body's mass centre, axes
// of its frame: emits them in a column of y.
void kane_joined_respond(kane_joined_derivative *d, int body, kane_wrench wrench, int column);

// Column of y that a column of a cluster's matrices is.
static inline int kane_joined_column(const kane_joined_derivative *d, int cluster, int column)
{
    const kane_cluster_derivative *own = d->clusters[cluster];
    return column < own->q_count ? d->q_place[own->states[column]]
                                 : d->model->cluster_u[cluster] + column - own->q_count;
}

// --- joined_clusters.c ---

// Rows of a cluster in kane_joined_derive_travel, under the wrenches in push.
void kane_joined_travel_cluster(kane_joined_derivative *d, int cluster, double *by_a);

// Matrices of all clusters.
void kane_joined_derive_clusters(kane_joined_derivative *d);

// States of other links that a cluster's links feel by forces: how many; felt may be NULL.
int kane_joined_find_felt(const kane_joined_derivative *d, int cluster, int *felt);

// All entries in rows of a cluster that its own states or those of other links make.
void kane_joined_walk_cluster(kane_joined_derivative *d, int cluster);

#endif
