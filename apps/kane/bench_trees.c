// SPDX-License-Identifier: MIT
// Mechanisms for `kane bench`: what is measured of them, and how the cost of chains grows with their length.

#include "bench.h"

typedef struct tree_part {
    const char *name;
    bench_structure structure;
    int size;
    int kernel;
    const char *about;
} tree_part;

#define WHOLE(name, structure, size, what)                                                                             \
    {name, structure, size, BENCH_EVALUATION, "one evaluation of " what},                                              \
    {                                                                                                                  \
        name "-jacobian", structure, size, BENCH_JACOBIAN, "one evaluation and the sparse Jacobian of all of it"       \
    }
#define TREE(name, structure, size, what)                                                                              \
    WHOLE(name, structure, size, what),                                                                                \
        {name "-bare", structure, size, TREE_BARE, "of that, the accelerations alone"},                                \
    {                                                                                                                  \
        name "-derivative", structure, size, TREE_DERIVATIVE, "these and their exact derivative"                       \
    }
#define CHAIN(length) TREE("chain-" #length, BENCH_HINGES, length, "a chain of " #length " hinges")
#define LOOPS(count)                                                                                                   \
    WHOLE("loops-" #count, BENCH_LOOPS, count, #count " four-bars in a row (A02), coefficients"),                      \
        WHOLE("loops-" #count "-multipliers", BENCH_LOOPS_MULTIPLIERS, count, "the same, multipliers")

static const tree_part parts[] = {
    TREE("l15", BENCH_L15, 0, "15 bodies with 60 freedoms, a locomotive (L15)"),
    CHAIN(5),
    CHAIN(10),
    CHAIN(20),
    CHAIN(40),
    CHAIN(60),
    CHAIN(100),
    CHAIN(200),
    LOOPS(10),
    LOOPS(20),
    LOOPS(40),
    LOOPS(80),
};
enum { PARTS = sizeof parts / sizeof *parts };

static int measure_trees(bench *b, kane_errors *errors)
{
    bench_growth growth[BENCH_LOOPS_MULTIPLIERS + 1] = {{0.0, 0.0, 0.0, 0.0, 0.0}}; // of every structure
    for (int i = 0; i < PARTS; i++) {
        const tree_part *p = &parts[i];
        if (!bench_wants(b, p->name))
            continue;
        bench_tree *tree = bench_tree_create(p->structure, p->size, errors);
        if (!tree)
            return 0;
        const double time = bench_measure(b, p->name, p->about, bench_tree_call, tree, p->kernel);
        if (time > 0.0 && p->kernel == BENCH_EVALUATION && p->size >= 10)
            bench_growth_add(&growth[p->structure], (double)p->size, time);
        bench_tree_free(tree);
    }
    bench_growth_put(b, &growth[BENCH_HINGES], "chain-exponent", "cost of an evaluation ~ length^this, 10 to 200");
    bench_growth_put(b, &growth[BENCH_LOOPS], "loops-exponent", "cost of an evaluation ~ loops^this, 10 to 80");
    return 1;
}

static const char *tree_name(int i)
{
    return i < PARTS ? parts[i].name : NULL;
}

const bench_list bench_trees = {.name = tree_name, .measure = measure_trees};
