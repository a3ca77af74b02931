// SPDX-License-Identifier: MIT
// How the accelerations of a cluster depend on the states that are integrated (docs/mechanisms.md, section 6).

#ifndef KANE_TREE_LOOPS_DERIVE_H
#define KANE_TREE_LOOPS_DERIVE_H

#include "tree/derive.h"
#include "tree/loops.h"

// What constraints between the same links read: links, and the states that move them, members in place of the modes
// that they follow. By *inner* states rows are evaluated: they move the sides against each other. The others, behind
// them, move all alike, or are rates of inner coordinates of holonomic rows: only loads of rods and turns of pushes
// need them.
typedef struct kane_constraint_row_set_reading {
    int constraint_count, *constraint;
    int is_holonomic;             // all rows have values, of which they are the derivatives in time
    int has_loads, has_imaginary; // rods with mass; and imaginary terms of their frames are forces
    int link_count, *link;
    int count, inner_count, *state;
    int *tangent;              // of every state and link: where it is in `tangents`, -1: at rest [count * link_count]
    int moving_count, *moving; // states by which rows may change, ascending, modes in place of members
} kane_constraint_row_set_reading;

// The tangent of a link by a state of the tree.
typedef struct kane_tangent_name {
    int link, state;
} kane_tangent_name;

// The rate of a coordinate by local speeds [count].
typedef struct kane_rate_by_speeds {
    int count, *speed;
    double *slope;
} kane_rate_by_speeds;

// A row of D: slopes by the active columns first .. first + count - 1; by all others they are zero.
typedef struct kane_slope_span {
    int first, count;
    const double *slope; // [count]
} kane_slope_span;

// *States* are those of the tree: coordinates of the cluster's links, then their speeds, but for interface nodes of
// flexible bodies; *followers*, numbered behind them, are the states of those; behind these again *others*, states of
// links elsewhere that its forces depend on. *Terms* are what its accelerations are by: states, in the order of links,
// then others. *Columns* are those of y: coordinates as above, then independent speeds. *Active* columns are those that
// may be other than zero with the present choice, in the order of links, so that those that follow from one loop are
// side by side. Matrices by rows.
typedef struct kane_cluster_derivative {
    int q_count, state_count, column_count, follower_count, term_count;
    int *states;                         // coordinate of the tree, or its q_count + speed, of states, followers, others
    int *local;                          // of every state of the tree: which one it is here; negative: none
    kane_state_share *follower;          // states `first` .. of the modes that it follows [follower_count]
    int *term_of;                        // of every state [state_count]
    int *term;                           // of every term: the state of the tree [term_count]
    int *active_of;                      // of every column: which active one it is, -1: none [column_count]
    double *value, *rate, *acceleration; // of the rows, by states [row_count * state_count]
    double *force;                       // f + Phi' lambda - Theta v_dot, by states [v_count * state_count]
    kane_slope_span *direction;          // D: rows of states and followers [state_count + follower_count]
    double *du_dot;                      // independent accelerations by active columns [u_count * active_count]
    // what is not zero for good
    int reading_count;
    kane_constraint_row_set_reading *reading;     // [reading_count]
    kane_constraint_row_set_reading **reading_of; // of every row [row_count]
    kane_rate_by_speeds *rates;                   // of coordinates [q_count]
    int *own_coordinate; // of every local speed: the coordinate whose rate it alone is; negative: none, or more
    int *twin;           // the same if the coordinate moves links, else -1 [v_count]
    // tangents of links that constraints read, by states, and one of what is at rest
    int tangent_count;
    kane_tangent_name *tangent_by; // [tangent_count]
    kane_link_tangent *tangents;   // [tangent_count + 1]
    // scratch
    char *is_marked;                    // [state_count + follower_count]
    double *df, *dphi;                  // [v_count], [row_count]
    double *slopes;                     // of all rows of D [(state_count + follower_count) * column_count]
    kane_slope_span *by_term;           // of every state: 1 at its term [state_count]
    kane_slope_span *solved;            // rows by dependent speeds, P^-1 A D [row_count]
    double *by_rows;                    // their slopes [row_count * most of column_count, state_count]
    double *v_dot;                      // all accelerations by terms [v_count * term_count]
    double *projection;                 // room for kane_cluster_derive_projection [state_count^2]
    double (*df_batch)[KANE_CHANGES];   // zeros between batches [v_count]
    double (*dq_tree)[KANE_CHANGES];    // likewise [tree's q_count]
    double (*dv_tree)[KANE_CHANGES];    // [tree's v_count]
    kane_link_changes *changes;         // [tree's link_count]
    kane_wrench *sum;                   // what multipliers push the links of a constraint with
    kane_wrench_changes *sum_change;    // and its changes
    kane_constraint_row_set_room *room; // of kane_constraint_row_set_derive
} kane_cluster_derivative;

// NULL if memory is short.
kane_cluster_derivative *kane_cluster_derivative_create(const kane_tree *tree, const kane_cluster *cluster,
                                                        const kane_derive_map *map, const kane_rates_map *rates,
                                                        kane_arena *arena);

// What kane_tree_derive and kane_tree_derive_rates have found.
typedef struct kane_tree_derived {
    const kane_derive_map *map;
    const kane_derive_work *scratch;
    const kane_derived_group *groups; // of the map, or what has been made of these: modes in place of points
    const kane_rates_map *rates;
    const double *rates_values;
} kane_tree_derived;

// All matrices after kane_cluster_solve, kane_cluster_multipliers and kane_tree_derive, with constraint forces among
// what acts.
void kane_cluster_derive(kane_cluster_work *scratch, const kane_tree_derived *derived, kane_cluster_derivative *out);

// v_dot by terms, of all speeds, after it.
void kane_cluster_derive_speeds(const kane_cluster_work *scratch, kane_cluster_derivative *derivative);

// Change of the independent accelerations [u_count] for changes of generalised forces [v_count] and of what the rows
// accelerate with v_dot held [row_count].
void kane_cluster_respond(kane_cluster_work *scratch, const double *df, const double *dacceleration, double *du_dot);

// How kane_cluster_project answers a change of a state that keeps the constraints, of a cluster held by multipliers: P
// [state_count * state_count] by columns, in the order of the states. After kane_cluster_derive. 0 where it cannot be
// projected.
int kane_cluster_derive_projection(kane_cluster_work *scratch, const kane_cluster_derivative *derivative, double *P);

// Adds what is along one speed of the tree, place as in the cluster or among slots of a row; of a member along those of
// its modes.
void kane_cluster_apply_force(const kane_tree *tree, const kane_cluster *cluster, const int *place, int speed,
                              double value, double *row);

#endif
