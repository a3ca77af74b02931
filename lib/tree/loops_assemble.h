// SPDX-License-Identifier: MIT
// What the steps of an assembly share.

#ifndef KANE_TREE_LOOPS_ASSEMBLE_H
#define KANE_TREE_LOOPS_ASSEMBLE_H

#include "math/random.h"
#include "tree/loops_work.h"

// Rows that are left open by less are closed [m], [rad].
#define KANE_CLOSED 1e-10

typedef struct kane_assembler {
    const kane_tree *tree;
    kane_cluster *cluster;
    kane_cluster_work *s;
    const kane_transport *frames;
    const kane_base *bases;
    kane_tree_work *work;
    kane_arena *arena; // of the assembly alone

    // what is held: speeds that may not change, and combinations of speeds that would change a coordinate of a body
    int *fixed;             // 1: by itself [v_count]
    int held_count;         // coordinates of bodies with all six freedoms
    int *held_q, *held_row; // coordinates of the tree
    double *H;              // orthonormal combinations, kinetic scales [held_count * v_count]
    int direction_count;    // of H

    int even;        // 1: steps take rows in scales of one, where bodies are of very different inertia
    double *G;       // J of the directions that are allowed, kinetic scales [row_count * v_count]
    double *left;    // values of the rows where G was found [row_count]
    double *A, *x;   // least squares [(row_count + v_count) * v_count], [row_count + v_count]
    double *dv;      // [v_count]
    double *q, *try; // coordinates to come back to [tree's q_count]
    kane_random random;
    int no_memory; // 1: memory was short on the way
} kane_assembler;

// Room for it; nothing is held. 0 if memory is short.
int kane_assembler_create(kane_assembler *a);

// Coordinates with held_q = 1, or speeds with held_v = 1, do not change from here on; NULL: none.
void kane_assembler_hold_coordinates(kane_assembler *a, const int *held_q);
void kane_assembler_hold_speeds(kane_assembler *a, const int *held_v);

// Rows of the state in work, G and left (values, or rates where `rates` is 1). Returns the root of the sum of squares of
// what is left, or not finite.
double kane_assembler_look(kane_assembler *a, int rates);

// dv of least squares with damping: | G y + left |^2 + | damping y |^2, y: dv in kinetic scales. Returns the greatest
// dv.
double kane_assembler_step(kane_assembler *a, double damping);

// A random displacement of at most `size` of every speed that may change, as dv.
void kane_assembler_scatter(kane_assembler *a, double size);

// Moves coordinates by dv, held ones not at all.
void kane_assembler_shift(kane_assembler *a);

// Moves the coordinates until all rows are closed. Returns what is left: root of the sum of squares.
double kane_assembler_close(kane_assembler *a);

// Fills rank, kept and row_scale of the cluster from states near that in work, which stays.
void kane_assembler_rank(kane_assembler *a);

// Marks rows and joints whose loads redundant rows leave undetermined, as the position in work shows it.
void kane_assembler_mark_undetermined(kane_assembler *a);

#endif
