// SPDX-License-Identifier: MIT
// Mechanisms for `kane bench`: what is measured of them, and how the cost of chains grows with their length.

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct tree_part {
    const char *name;
    bench_structure structure;
    int size;
    tree_kernel kernel;
    const char *about;
} tree_part;

#define WHOLE(name, structure, size, what)                                                                             \
    {name, structure, size, TREE_EVALUATION, "one evaluation of " what},                                               \
    {                                                                                                                  \
        name "-jacobian", structure, size, TREE_JACOBIAN, "one evaluation and the sparse Jacobian of all of it"        \
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

// Best time of a call of several rounds of a few milliseconds [s].
static double time_tree(bench_tree *b, tree_kernel kernel)
{
    double best = 1e9;
    long count  = 16;
    for (int round = 0; round < 25; round++) {
        const double begin = bench_now();
        bench_tree_call(b, kernel, count);
        const double each = (bench_now() - begin) / (double)count;
        best              = each < best ? each : best;
        count             = (long)fmax(16.0, 2e-3 / best);
    }
    return best;
}

static int measure(const tree_part *p, long repeat, bench_growth *growth, kane_writer *json, kane_errors *errors)
{
    bench_tree *b = bench_tree_create(p->structure, p->size, errors);
    if (!b)
        return 0;
    if (repeat > 0) {
        bench_tree_call(b, p->kernel, repeat);
    } else {
        const double time = time_tree(b, p->kernel);
        bench_report(p->name, p->about, time, json);
        if (p->kernel == TREE_EVALUATION && p->size >= 10)
            bench_growth_add(&growth[p->structure], (double)p->size, time);
    }
    bench_tree_free(b);
    return 1;
}

int bench_trees(const char *only, long repeat, kane_writer *json, kane_errors *errors)
{
    bench_growth growth[BENCH_LOOPS_MULTIPLIERS + 1] = {{0.0, 0.0, 0.0, 0.0, 0.0}}; // of every structure
    for (int i = 0; i < PARTS; i++) {
        if (only && strcmp(only, parts[i].name) != 0)
            continue;
        if (!measure(&parts[i], repeat, growth, json, errors))
            return 0;
    }
    bench_growth_report(&growth[BENCH_HINGES], "chain-exponent", "cost of an evaluation ~ length^this, 10 to 200",
                        json);
    bench_growth_report(&growth[BENCH_LOOPS], "loops-exponent", "cost of an evaluation ~ loops^this, 10 to 80", json);
    return 1;
}

const char *bench_tree_name(int i)
{
    return i < PARTS ? parts[i].name : NULL;
}
