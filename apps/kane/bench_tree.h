// SPDX-License-Identifier: MIT
// Mechanisms to measure: a locomotive-like tree, chains of hinges, chains of four-bars; built as a user would
// (kane/mechanism.h).

#ifndef KANE_APPS_BENCH_TREE_H
#define KANE_APPS_BENCH_TREE_H

#include <kane/kane.h>

typedef enum bench_structure {
    BENCH_L15, // 15 bodies and 60 freedoms: a car on two bogies, each with three wheelsets and three motors on hinges
    BENCH_HINGES,           // a chain of `size` hinges
    BENCH_LOOPS,            // `size` four-bars in a row (IFToMM A02), in the form of coefficients
    BENCH_LOOPS_MULTIPLIERS // the same in the form of multipliers
} bench_structure;

// What is called.
typedef enum tree_kernel {
    TREE_EVALUATION, // kane_eval: from the state to its derivative
    TREE_BARE,       // of that, motion, inertia and accelerations of the tree alone
    TREE_DERIVATIVE, // these and their exact derivative by all coordinates and speeds
    TREE_JACOBIAN    // kane_jacobian_eval: evaluation and the sparse Jacobian of all of it
} tree_kernel;

typedef struct bench_tree bench_tree;

// NULL with errors filled if it cannot be made. size: of BENCH_L15 not read, else at most 200 hinges, 80 four-bars.
bench_tree *bench_tree_create(bench_structure structure, int size, kane_errors *errors);
void bench_tree_free(bench_tree *b);

// Calls a kernel; every call has another state.
void bench_tree_call(bench_tree *b, tree_kernel kernel, long count);

// Second derivatives of the coordinates of all joints in the state that it starts from, in the order of the bodies. Returns
// how many there are.
int bench_tree_accelerations(bench_tree *b, double *q_ddot);

// What the coordinates and rates of a tree start with, by their number.
static inline double bench_tree_coordinate(int i)
{
    return 0.1 * ((7 * i) % 11 - 5) / 5.0;
}

static inline double bench_tree_rate(int i)
{
    return 0.1 * ((5 * i) % 13 - 6) / 6.0;
}

#endif
