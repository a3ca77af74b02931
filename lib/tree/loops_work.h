// SPDX-License-Identifier: MIT
// Scratch of a cluster, and the steps that its two forms share. Speeds are *local* here: numbered within the cluster.

#ifndef KANE_TREE_LOOPS_WORK_H
#define KANE_TREE_LOOPS_WORK_H

#include "math/dense.h"
#include "math/eliminate.h"
#include "math/sparse_lu.h"
#include "tree/closed.h"
#include "tree/loops.h"

struct kane_cluster_work {
    int run_count;
    kane_links *runs;            // of the cluster's links
    kane_closure_values *values; // [closure_count]
    kane_closed *closed;         // recognised loops [closure_count]; recognised 0: Newton

    // rows of all constraints
    double *J;                   // coefficients of speeds [cluster's coefficient_begin[row_count]]
    int *slot;                   // of one constraint: where a speed of the tree stands in its rows [tree's v_count]
    double *value, *rate, *bias; // bias: accelerations with v_dot = 0 [row_count]
    double *lambda;              // [row_count]

    // equations of the tree
    double *theta; // entries of Theta [theta_count]
    double *span;  // scratch: partial velocities of a rod's ends [6 * most speeds of a rod]
    kane_rod_inertia
        rod_inertia; // what of its rods' inertia is known beforehand, by accelerations of their ends, less that of
    kane_vec3 (*rod_known)[2]; // gravity, axes of the frames of the sides [rod_count]
    double *f, *v_dot;         // [v_count]
    kane_spatial *spatial;     // [tree's link_count]
    kane_wrench *wrench;       // [tree's link_count]
    double *scale;             // square root of Theta's diagonal [v_count]
    double *delta;             // speeds of a displacement [tree's v_count]

    // the choice of independent speeds: rows that are used, those with values first, and the speeds they determine;
    // the first position_rank of these are solved for where coordinates are
    int chosen;                  // 1: there is one
    int *row;                    // in order of use [row_count]
    int *column;                 // dependent speeds, then the independent ones, ascending [v_count]
    int *row_next, *column_next; // a new choice
    int *position;               // of every local speed in `column` [v_count]
    kane_elimination *elimination;
    double *Theta;               // in full [v_count * v_count]
    double *LU, *LU_position;    // of the dependent part [row_count * row_count]
    int *pivot, *pivot_position; // [row_count]
    double *B;                   // dependent speeds by independent ones [row_count * v_count]
    double *g;                   // dependent accelerations while the independent ones are zero [row_count]
    double *M, *T, *x;           // [v_count * v_count], [v_count * v_count], [row_count + v_count]
    double *lacks;               // generalised force that dependent speeds lack; nan: not known [row_count]
    int *first;                  // of every row of M what is not zero [v_count]
    int *dependent;              // 1: solved for where coordinates are [tree's v_count]
    int *unknown;                // the same, of these what no closed form has found yet
    int *independent;            // speeds of the tree, in the order of u [v_count]
    double quality;              //

    // multipliers
    kane_pattern *pattern; // of [Theta Phi'; Phi -e]
    kane_sparse_lu *lu;    //
    double *K;             // values [pattern->count]
    int *theta_at, *J_at;  // where every entry of theta and J stands in K, and again its mirror image [2 * ...]
    int *corner_at;        // where the diagonal of the rows stands in K [row_count]
    double regularisation; // e
    double *inverse;       // of the scales of speeds and rows [v_count + row_count]
    double *b, *r, *y;     // right-hand side, what is left of it, solution [v_count + row_count]
};

// --- loops_rows.c ---

// Where the links are; the same and how they move.
void kane_cluster_place(const kane_tree *tree, const kane_cluster_work *scratch, kane_tree_work *work);
void kane_cluster_move(const kane_tree *tree, const kane_cluster_work *scratch, const kane_base *bases,
                       kane_tree_work *work);

// Rows for the motion in work: J, value, rate, bias.
void kane_cluster_rows(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *scratch,
                       const kane_transport *frames, const kane_base *bases, const kane_tree_work *work);

// Local speeds that a link itself moves by, those of the modes that it follows or its own: the first one; returns how many, one
// after the other.
int kane_cluster_link_speeds(const kane_tree *tree, const kane_cluster *cluster, int link, int *first);

// Slots of a constraint's rows, for kane_tree_spread_wrench.
void kane_cluster_find_slots(const kane_cluster *cluster, kane_cluster_work *scratch, int closure);

// Coefficients of a row by the order of speeds of the present choice, the first `count`; zeros among them.
void kane_cluster_row_by_choice(const kane_cluster *cluster, const kane_cluster_work *scratch, int row, int count,
                                double *out);

// Entries of Theta for links that have been moved; the scale of every speed from it; Theta in full.
void kane_cluster_theta(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *scratch,
                        const kane_transport *frames, const kane_tree_work *work);
void kane_cluster_scale(const kane_cluster *cluster, kane_cluster_work *scratch);
void kane_cluster_full_theta(const kane_cluster *cluster, kane_cluster_work *scratch);

// Whether all rows are finite.
int kane_cluster_finite(const kane_cluster *cluster, const kane_cluster_work *scratch);

// Moves the coordinates by small displacements dv, as if they were speeds. Links are where they were afterwards.
void kane_cluster_shift(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *scratch,
                        const double *dv, kane_tree_work *work);

// --- loops_rods.c ---

// Finds the rods that have mass, and entries of Theta that they add to, with those that the tree itself has not. 0 if memory is
// short.
int kane_cluster_prepare_rods(const kane_tree *tree, kane_cluster *cluster, kane_arena *arena);

// Most speeds that a rod's row has.
int kane_cluster_rod_speeds(const kane_cluster *cluster);

// Their part of Theta, behind kane_tree_theta; of f, after kane_cluster_rows.
void kane_cluster_add_rods(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *scratch,
                           const kane_transport *frames, const kane_tree_work *work);
void kane_cluster_push_rods(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *scratch,
                            const kane_transport *frames, const kane_tree_work *work);

// --- loops_choose.c ---

// Order of rows and columns by elimination of J: first the rows with values, then the others; `row` holds the rows that
// are used first, `column` the dependent speeds, then the independent ones, ascending. Pivots are those of scaled
// equations. Fills the ranks that were found, *position_most and *most at most. 0 if memory is short, which cannot be in the
// form of coefficients.
int kane_cluster_order(const kane_cluster *cluster, kane_cluster_work *scratch, int *row, int *column, double small,
                       int *position_most, int *most);

// LU of the dependent part of J for the present choice, B, and the quality of the choice. 0 if it is singular.
int kane_cluster_factor(const kane_cluster *cluster, kane_cluster_work *scratch);

// --- loops_multipliers.c ---

// A projection lets combinations of rows go whose size squared is below this (loops_multipliers.c).
#define KANE_PROJECTION_LOOSE 1e-8

// The sparse part of a work, for the form of multipliers. 0 if memory is short.
int kane_cluster_sparse_create(const kane_cluster *cluster, kane_arena *arena, kane_cluster_work *scratch);

// Factors [Theta Phi'; Phi -e] from theta, scale and J. 0 if it is singular.
int kane_cluster_sparse_factor(const kane_cluster *cluster, kane_cluster_work *scratch, double regularisation);

// x and lambda of  Theta x - Phi' lambda = a, Phi x = b;  a [v_count], NULL: zero; b [row_count]. Rows that are not kept
// are left out. x, lambda: scratch->y [v_count + row_count].
void kane_cluster_sparse_solve(const kane_cluster *cluster, kane_cluster_work *scratch, const double *a,
                               const double *b);

#endif
