// SPDX-License-Identifier: MIT
// Scratch of a cluster, and the steps that its two forms share. Speeds are *local* here: numbered within the cluster.

#ifndef KANE_TREE_LOOPS_WORK_H
#define KANE_TREE_LOOPS_WORK_H

#include "math/sparse_lu.h"
#include "tree/closed.h"
#include "tree/loops.h"

struct kane_cluster_work {
    int run_count;
    kane_links *runs; // of the cluster's links
    kane_closure_values *values; // [closure_count]
    kane_closed *closed;         // recognised loops [closure_count]; recognised 0: Newton

    // rows of all constraints
    double *J;                   // coefficients of speeds [row_count * v_count]
    double *value, *rate, *bias; // bias: accelerations with v_dot = 0 [row_count]
    double *lambda;              // [row_count]

    // equations of the tree
    double *Theta;            // [v_count * v_count]
    double *f, *v_dot;        // [v_count]
    kane_spatial *spatial;    // [tree's link_count]
    kane_wrench *wrench;      // [tree's link_count]
    double *scale;            // square root of Theta's diagonal [v_count]
    double *delta, *old, *dq; // [tree's v_count], [tree's v_count], [tree's q_count]

    // the choice of independent speeds: rows that are used, those with values first, and the speeds they determine;
    // the first position_rank of these are solved for where coordinates are
    int chosen;                   // 1: there is one
    int *row;                     // in order of use [row_count]
    int *column;                  // dependent speeds, then the independent ones, ascending [v_count]
    int *row_next, *column_next;  // a new choice
    double *eliminated;           // [row_count * v_count]
    double *LU, *LU_position;     // of the dependent part [row_count * row_count]
    int *pivot, *pivot_position;  // [row_count]
    double *B;                    // dependent speeds by independent ones [row_count * v_count]
    double *g;                    // dependent accelerations while the independent ones are zero [row_count]
    double *M, *T, *x;            // [v_count * v_count], [v_count * v_count], [row_count + v_count]
    double quality;               //

    // multipliers
    kane_pattern *pattern; // of [Theta Phi'; Phi -e]
    kane_sparse_lu *lu;    //
    double *K;             // values [pattern->count]
    double *b, *r;         // right-hand side, what is left of it [v_count + row_count]

    kane_arena *arena; // who frees pattern and lu
};

// --- loops_rows.c ---

// Where the links are; the same and how they move.
void kane_cluster_place(const kane_tree *tree, const kane_cluster_work *scratch, kane_tree_work *work);
void kane_cluster_move(const kane_tree *tree, const kane_cluster_work *scratch, const kane_base *bases,
                       kane_tree_work *work);

// Rows for the motion in work: J, value, rate, bias.
void kane_cluster_rows(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *scratch,
                       const kane_transport *frames, const kane_base *bases, const kane_tree_work *work);

// Theta, and the scale of every speed. Links have been moved.
void kane_cluster_inertia(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *scratch,
                          const kane_tree_work *work);

// Whether all rows are finite.
int kane_cluster_finite(const kane_cluster *cluster, const kane_cluster_work *scratch);

// --- loops_shift.c ---

// Rates of all coordinates that local speeds dv alone make: scratch->dq. Links have been placed; v and w of the links are
// overwritten.
void kane_cluster_spread(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *scratch,
                         const double *dv, kane_tree_work *work);

// Moves the coordinates by small displacements dv, as if they were speeds. Links are where they were afterwards.
void kane_cluster_shift(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *scratch,
                        const double *dv, kane_tree_work *work);

#endif
