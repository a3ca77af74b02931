// SPDX-License-Identifier: MIT
// Scratch of a cluster, and the steps that its two forms share. Speeds are *local* here: numbered within the cluster.

#ifndef KANE_TREE_LOOPS_WORK_H
#define KANE_TREE_LOOPS_WORK_H

#include "math/dense.h"
#include "math/sparse.h"
#include "tree/loops.h"
#include "tree/rows.h"

// A connected set of rows and dependent speeds with its equations (loops_blocks.c). Numbers of rows, of dependent and
// of independent speeds are those of the present choice.
typedef struct kane_loop_block {
    int count, position_count; // of dependent speeds; of those, first, that are solved for where coordinates are
    int *row;       // its rows in the order of P, as they are numbered in use; those with values first [count]
    int *member;    // dependent speeds in the order of P; the same numbers as those of the rows [count]
    int free_count; // independent speeds in its rows
    int *free;      // ascending [free_count]
    kane_envelope P, P_position; // where the entries of P can be; of its first position_count rows and columns
    double *LU, *LU_position;    // of P, of those; one and the same where all rows have values
    int *pivot, *pivot_position; // [count], [position_count]
    double *B;                   // [count * free_count]
} kane_loop_block;

// Parts of P that are factored.
enum { KANE_FACTORED_POSITIONS = 1, KANE_FACTORED_ALL = 2 };

// An entry of Theta between a dependent speed and another one.
typedef struct kane_block_load {
    int entry, dependent, speed;
} kane_block_load;

// Columns of M, from the leaves to the root (loops_inertia.c): a speed of the tree and what it is multiplied by; a link
// on the way, with its own seeds; a rod coupling one end of which is moved; where the lists of a column begin.
typedef struct kane_inertia_seed {
    int speed;
    const double *factor;
} kane_inertia_seed;

typedef struct kane_inertia_visit {
    int link, seed_begin, seed_end;
} kane_inertia_visit;

typedef struct kane_inertia_rod {
    int coupling, end;
} kane_inertia_rod;

typedef struct kane_inertia_column {
    int visit, rod;
} kane_inertia_column;

struct kane_cluster_work {
    const kane_cluster *cluster;
    kane_eval_context e;

    int tree_count, closing_count, other_count;
    kane_links *trees; // of the cluster's links
    kane_links *closing,
        *other;      // of those that constraints look at, with all that carries them, and of the rest [link_count]
    int moved_count; //
    int *moved;      // links with dependent coordinates [link_count]
    kane_constraint_rows_values *values; // [closure_count]
    kane_closed *closed;                 // recognised loops [closure_count]; recognised 0: Newton

    // rows of all constraints
    double *J;                   // coefficients of speeds [cluster's coefficient_begin[row_count]]
    int *slot;                   // of one constraint: place of a speed of the tree in its rows [tree's v_count]
    double *value, *rate, *bias; // bias: accelerations with v_dot = 0 [row_count]
    double *lambda;              // [row_count]

    // equations of the tree
    double *theta;                // entries of Theta [theta_count]
    kane_coupling_sums *coupling; // axes of the first frame [coupling_count]
    // what of its rods' inertia is known beforehand, by accelerations of their ends, less gravity, axes of their frames
    // [rod_count]
    kane_rod_inertia rod_inertia, rod_solved; // of the solutions that follow, of the last one
    kane_vec3 (*rod_known)[2];
    kane_wrench *motion;   // scratch: of a link by its speeds [v_count]
    double *f, *v_dot;     // [v_count]
    kane_spatial *spatial; // [tree's link_count]
    kane_wrench *wrench;   // [tree's link_count]
    double *scale;         // square root of Theta's diagonal [v_count]
    double *delta;         // speeds of a displacement [tree's v_count]

    // the choice of independent speeds: rows that are used, those with values first, and the speeds they determine;
    // the first position_rank of these are solved for where coordinates are
    int chosen;                  // 1: there is one
    int *row;                    // in order of use [row_count]
    int *column;                 // dependent speeds, then the independent ones, ascending [v_count]
    int *row_next, *column_next; // a new choice
    int *position;               // of every local speed in `column` [v_count]
    kane_elimination *elimination;
    double *g;     // dependent accelerations while the independent ones are zero [row_count]
    double *x;     // [row_count + v_count]
    double *lacks; // generalised force that dependent speeds lack; nan: not known [row_count]

    // blocks of the choice
    int block_count;           //
    kane_loop_block *blocks;   // [row_count]
    int *block_row, *member;   // of all blocks [row_count]
    int *block_of;             // of every dependent speed [row_count]
    int *place_in_block;       // [row_count]
    int *rows_begin, *rows_of; // rows of every dependent speed [row_count + 1], [coefficient_begin[row_count]]
    int *order;                // scratch of their search [6 * row_count]
    // of every coefficient: where it stands in a block's P, or p of -Q in B, as ~p; in P of the rows with values, or
    // below zero
    int *coefficient_to, *position_to; // [coefficient_begin[row_count]]
    int load_count;                    //
    kane_block_load *load;             // [2 * theta_count]
    int *block_lists, *marked;         // room for their lists [row_count * v_count], scratch [v_count]
    int *envelope;                     // room for their envelopes, then those of rows with values [6 * row_count]
    double *LU, *LU_position;    // of all blocks [row_count * row_count], the other one where rows without values are
    int *pivot, *pivot_position; // [row_count]
    int factored;                // KANE_FACTORED_..: what has been factored since J was written
    int solved;       // 1: kane_cluster_factor has succeeded, 0: it has not, or the choice is another one since
    double *B;        // [row_count * v_count]
    double *of_block; // scratch [row_count]
    double *M;  // A' Theta A, from the leaves to the root: of the last independent speed first [v_count * v_count]
    int *first; // of every row of M what is not zero [v_count]
    double *reversed; // scratch [v_count]
    // what M is summed from: columns, the last one of what is given, and their lists
    kane_inertia_column *inertia_column; // [v_count + 2]
    int seed_count, visit_count, loading_rod_count;
    kane_inertia_seed *seed;
    kane_inertia_visit *visit;
    kane_inertia_rod *loading_rod;
    double *G;        // of M = G + G' [v_count * v_count]
    int *link_marks;  // scratch [2 * tree's link_count]
    double *factor;   // of every speed of the tree in a column while its rods act, else zero [tree's v_count]
    double *of_modes; // scratch [v_count]
    int *dependent;   // 1: solved for where coordinates are [tree's v_count]
    int *unknown;     // the same, of these what no closed form has found yet
    int *independent; // speeds of the tree, in the order of u [v_count]
    int fixed_steps;  // of Newton's method, where coordinates are not closed forms; 0: as many as it takes

    // multipliers
    kane_pattern *pattern; // of [Theta Phi'; Phi -e]
    kane_sparse_lu *lu;    //
    double *K;             // values [pattern->count]
    int *theta_at, *J_at;  // place of every entry of theta and J in K, each with its mirror image [2 * ...]
    int *corner_at;        // place of the diagonal of the rows in K [row_count]
    double regularisation; // e
    double *inverse;       // of the scales of speeds and rows [v_count + row_count]
    double *df, *dv;       // of wrenches besides, what they accelerate [v_count]
    double *b, *r, *y;     // right-hand side, what is left of it, solution [v_count + row_count]
};

// --- loops_rows.c ---

// Place and motion of all links. In two steps: place of those on which constraints depend; then motion of all.
void kane_cluster_move(const kane_cluster_work *scratch);
void kane_cluster_place(const kane_cluster_work *scratch);
void kane_cluster_move_placed(const kane_cluster_work *scratch);

// Rows for the motion in work: J, value, rate, bias.
void kane_cluster_rows(kane_cluster_work *scratch);

// The same in steps: value, and J if wanted, after kane_cluster_place; rate and bias after kane_cluster_move_placed.
void kane_cluster_rows_placed(kane_cluster_work *scratch, kane_rows_part wanted);
void kane_cluster_rows_moved(kane_cluster_work *scratch);

// Local speeds that a link itself moves by, those of the modes that it follows or its own: the first one; returns how
// many, one after the other.
int kane_cluster_link_speeds(const kane_tree *tree, const kane_cluster *cluster, int link, int *first);

// Slots of a constraint's rows, for kane_tree_spread_wrench.
void kane_cluster_find_slots(kane_cluster_work *scratch, int closure);

// Coefficients of a row by the order of speeds of the present choice, the first `count`; zeros among them.
void kane_cluster_row_by_partition(const kane_cluster_work *scratch, int row, int count, double *out);

// Entries of Theta for links that have been moved; the scale of every speed from it.
void kane_cluster_theta(kane_cluster_work *scratch);
void kane_cluster_scale(kane_cluster_work *scratch);

// Whether all rows are finite.
int kane_cluster_finite(const kane_cluster_work *scratch);

// Moves the coordinates by small displacements dv [v_count]; links are not placed again. kane_cluster_shift_dependent:
// only those of the dependent speeds, in their order.
void kane_cluster_shift(kane_cluster_work *scratch, const double *dv);
void kane_cluster_shift_dependent(kane_cluster_work *scratch, const double *dependent);

// --- loops_rods.c ---

// Finds the rods that have mass, entries of Theta that they add to, with those that the tree itself has not, and which
// entries count. 0 if memory is short.
int kane_cluster_prepare_rods(const kane_tree *tree, kane_cluster *cluster, kane_arena *arena);

// Inertia of rods (loops_rods.c): sums over the rods of every coupling and their part of the inertia of links; coupling
// entries of theta; wrench of one end of a coupling on the other link, or on the apex, for given accelerations of tree
// speeds; wrenches on links at v_dot = 0 [tree's link_count], after kane_cluster_rows.
void kane_cluster_see_rods(kane_cluster_work *scratch, kane_spatial *inertia);
void kane_cluster_couple_rods(kane_cluster_work *scratch);
void kane_cluster_apply_coupling(const kane_cluster_work *scratch, int coupling, int end, const double *speeds,
                                 kane_wrench *load);
void kane_cluster_apply_rods(const kane_cluster_work *scratch, kane_wrench *load);

// --- loops_choose.c ---

// Order of rows and columns by elimination of J: first the rows with values, then the others; `row` holds the rows that
// are used first, `column` the dependent speeds, then the independent ones, ascending. Pivots are those of scaled
// equations. Fills the ranks that were found, *position_most and *most at most. 0 if memory is short, which cannot be
// in the form of coefficients.
int kane_cluster_order(kane_cluster_work *scratch, int *row, int *column, double small, int *position_most, int *most);

// LU of the dependent part of J for the present choice, and B. 0 if it is singular.
int kane_cluster_factor(kane_cluster_work *scratch);

// --- loops_blocks.c: x is by dependent speeds of the choice [rank] ---

// Blocks of a choice that is new.
void kane_blocks_arrange(kane_cluster_work *scratch);

// P from J, of the rows with values alone, or of all of them, B too; its least and greatest pivot. What has been
// factored since J was written is not factored again. 0 if a block is singular.
int kane_blocks_factor_positions(kane_cluster_work *scratch);
int kane_blocks_factor(kane_cluster_work *scratch, double *least, double *most);

// x of P x = b, in place of b; of P' x = b; of the rows with values alone [position_rank]. b by rows, x by dependent
// speeds; of P' the other way round.
void kane_blocks_solve(kane_cluster_work *scratch, double *x);
void kane_blocks_solve_transposed(kane_cluster_work *scratch, double *x);
void kane_blocks_solve_positions(kane_cluster_work *scratch, double *x);

// x of P x = e, the unit vector of row `one`: by the members of the block that it belongs to, in scratch->of_block.
const kane_loop_block *kane_blocks_solve_unit(kane_cluster_work *scratch, int one);

// v += A u, by local speeds [v_count]; u = A' f.
void kane_blocks_solve_position(const kane_cluster_work *scratch, const double *u, double *v);
void kane_blocks_inward_forces(const kane_cluster_work *scratch, const double *f, double *u);

// L of M = A' Theta A, 0 if it is singular; u_dot of M u_dot = f, in place of f.
int kane_blocks_factor_inertia(kane_cluster_work *scratch);
void kane_blocks_accelerate(kane_cluster_work *scratch, double *u_dot);

// f -= Theta v_dot, by local speeds, of accelerations of the dependent ones alone.
void kane_blocks_subtract_inertia(const kane_cluster_work *scratch, const double *dependent, double *f);

// --- loops_inertia.c ---

// Lists of a choice that is new.
void kane_blocks_arrange_inertia(kane_cluster_work *scratch);

// M, and A' Theta g in `given` [v_count - rank], from composite inertias in scratch->spatial and sums of rods.
void kane_blocks_sum_inertia(kane_cluster_work *scratch, double *given);

// --- loops_multipliers.c ---

// A projection ignores combinations of rows whose size squared is below this (loops_multipliers.c).
#define KANE_PROJECTION_LOOSE 1e-8

// The sparse part of a work, for the form of multipliers. 0 if memory is short.
int kane_cluster_sparse_create(kane_arena *arena, kane_cluster_work *scratch);

// Factors [Theta Phi'; Phi -e] from theta, scale and J. 0 if it is singular.
int kane_cluster_sparse_factor(kane_cluster_work *scratch, double regularisation);

// x and lambda of  Theta x - Phi' lambda = a, Phi x = b;  a [v_count], NULL: zero; b [row_count]. Rows that are not
// kept are left out. x, lambda: scratch->y [v_count + row_count].
void kane_cluster_sparse_solve(kane_cluster_work *scratch, const double *a, const double *b);

#endif
