// SPDX-License-Identifier: MIT
// Shared parts of the assembly of consistent states.

#ifndef KANE_TREE_LOOPS_ASSEMBLE_H
#define KANE_TREE_LOOPS_ASSEMBLE_H

#include "math/statistics.h"
#include "tree/loops_work.h"

// Rows below this are closed [m], [rad].
#define KANE_CLOSED 1e-10

// A held coordinate of a body with all six freedoms, and the local speeds that move it: its own and those on its
// parent's way.
typedef struct kane_held {
    int link, coordinate;    // of the tree; which of the link's
    int path_count, *path;   // links that move it, from the first one on
    int speed_count, *speed; //
    int begin;               // of its coefficients among those of all
} kane_held;

typedef struct kane_assembler {
    const kane_tree *tree;
    kane_cluster *cluster;
    kane_cluster_work *s;
    kane_tree_work *work;
    kane_arena *arena; // of the assembly alone

    // what is held: speeds that may not change, and coordinates of bodies with all six freedoms, whose rates are
    // combinations of speeds
    int *fixed;                // 1: by itself [v_count]
    int *held_q;               // 1: coordinate of the tree does not change
    int held_count, held_most; // held coordinates of such bodies, now and at most
    kane_held *held;           // [held_most]

    // the equations of a step, by KLU: [Theta G' H'; G -w 0; H 0 -e] in kinetic scales, all rows in scales of one
    kane_pattern *pattern;
    kane_sparse_lu *lu;
    double *K;                 // [pattern->count]
    int *speed_at, *corner_at; // places of the diagonal in K, of speeds and of all rows
    int *theta_at;             // and the entries of Theta with their mirror images
    int *G_at, *H_at;          // and coefficients and their mirror images, in the order of their rows
    double *H;                 // rates of held coordinates by speeds [all of held[].speed_count]
    double *over;              // one over the size of a row, 0: it is left out [row_count + held_most]
    double *missing;           // what the diagonal of a row has too much of regularisation [row_count + held_most]
    double *b, *r, *x;         // right-hand side, residual, solution [v_count + row_count + held_most]

    const double
        *pull;       // generalised forces that drive a step back to the drawing [v_count]; NULL: none (loops_nearest.c)
    int even;        // 1: steps take rows in scales of one, where bodies are of very different inertia
    int rates;       // 1: rows are rates, all of them; else values
    double *left;    // residual of the rows in the last evaluated state [row_count]
    double *dv;      // [v_count]
    double *q, *try; // coordinates to come back to [tree's q_count]
    kane_random random;
    int no_memory; // 1: memory was short on the way
} kane_assembler;

// Coordinates with held_q = 1, or speeds with held_v = 1, do not change from here on; NULL: none.
void kane_assembler_hold_coordinates(kane_assembler *a, const int *held_q);
void kane_assembler_hold_speeds(kane_assembler *a, const int *held_v);

// Evaluates the rows of the state in work, and their residual `left`. Returns its norm, or not finite.
double kane_assembler_evaluate(kane_assembler *a, int rates);

// A random displacement of at most `size` of every speed that may change, as dv.
void kane_assembler_scatter(kane_assembler *a, double size);

// Moves coordinates by dv, held ones not at all.
void kane_assembler_shift(kane_assembler *a);

// Moves the coordinates until all rows are closed. Returns the norm of the residual.
double kane_assembler_close(kane_assembler *a);

// Moves closed coordinates along the constraints to the position nearest to `start` [tree's q_count]: the mean square
// displacement of all mass points is a minimum. 0 if memory is short.
int kane_assembler_approach(kane_assembler *a, const double *start);

// One step from the last evaluated state, as dv; returns its largest component. damping 0: closes all rows to first
// order.
double kane_assembler_find_step(kane_assembler *a, double damping);

// Fills rank, kept and row_scale of the cluster from states near that in work, and what is undetermined.
void kane_assembler_rank(kane_assembler *a);

#endif
