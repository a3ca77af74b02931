// SPDX-License-Identifier: MIT
// What `kane bench` measures.

#ifndef KANE_APPS_BENCH_H
#define KANE_APPS_BENCH_H

#include "app.h"

#include <kane/jacobian.h>
#include <kane/kane.h>

// What is asked for, and a row for each measurement.
typedef struct bench {
    const char *folder; // with data/ and vehicles/
    const char *only;   // the measurement, or a group of them; NULL: all
    long repeat;        // > 0: calls of a kernel that are made instead of measuring it
    kane_table table;
} bench;

int bench_wants(const bench *b, const char *name);

void bench_put(bench *b, const char *name, double value, const char *unit, const char *about);

// Of the kernel of a part that count calls are made of, each with another state.
typedef void (*bench_call)(void *part, int kernel, long count);

// Puts the best time of a call, which it returns; or makes the calls that are asked for: 0.
double bench_measure(bench *b, const char *name, const char *about, bench_call call, void *part, int kernel);

// A model with what its kernels need.
typedef struct bench_model {
    kane_run *run; // NULL: made otherwise
    kane_model *model;
    kane_work *work;
    kane_jacobian *jacobian;
    double time;
    double *y, *ydot, *values; // [states], [states], of the Jacobian
} bench_model;

// Kernels of a model: the derivative of its state (kane_eval); that and its sparse Jacobian (kane_jacobian_eval).
enum { BENCH_EVALUATION, BENCH_JACOBIAN, BENCH_MODEL_KERNELS };

// The model of data/runs/RUN.json; work and state of a model that is there. 0 with errors. To be closed in any case.
int bench_model_read(bench_model *b, const char *folder, const char *run, const char *const *settings,
                     kane_errors *errors);
int bench_model_prepare(bench_model *b, kane_errors *errors);
void bench_model_close(bench_model *b);

void bench_model_call_once(bench_model *b, int kernel);

double bench_now(void); // seconds from some moment

// Best time of a call of several rounds of 10 ms [s].
double bench_best(bench_call call, void *part, int kernel);

// Cost over size: least squares through the logarithms. Start from zeros; nothing is put of less than two points.
typedef struct bench_growth {
    double n, x, y, xx, xy;
} bench_growth;

void bench_growth_add(bench_growth *g, double size, double cost);
double bench_growth_exponent(const bench_growth *g);
void bench_growth_put(bench *b, const bench_growth *g, const char *name, const char *about);

// A part of the library in a loop. create: NULL with errors filled if it cannot be made.
typedef struct bench_part {
    const char *name, *about;
    void *(*create)(int choice, kane_errors *errors);
    int choice; // of what is created
    bench_call call;
    void (*free)(void *part);
} bench_part;

// What there is to measure: parts, or by names (NULL beyond) and a function for all that is wanted (0 after an error). A
// wheel on its rail, creep forces of one patch, mechanisms, trains of 1 to 100 coaches ("trains" is all of them), cases
// of studies ("study").
typedef struct bench_list {
    int count;
    const bench_part *parts;
    const char *(*name)(int i);
    int (*measure)(bench *b, kane_errors *errors);
} bench_list;

extern const bench_list bench_contact, bench_creep, bench_trees, bench_trains, bench_studies;

// === Work against precision: methods and tolerances on one run (kane bench --precision RUN.json).

typedef struct bench_precision_options {
    const char *file;            // the run file
    const char *const *settings; // NULL-terminated; NULL: none
    double until;                // so long at most [s]; 0: 10 s
    const app_outputs *outputs;
} bench_precision_options;

// 0 with errors.
int bench_precision(const bench_precision_options *options, kane_errors *errors);

// === Mechanisms to measure: a locomotive-like tree, chains of hinges, chains of four-bars; built as a user would
// (kane/mechanism.h).

typedef enum bench_structure {
    BENCH_L15, // 15 bodies and 60 freedoms: a car on two bogies, each with three wheelsets and three motors on hinges
    BENCH_HINGES,           // a chain of `size` hinges
    BENCH_LOOPS,            // `size` four-bars in a row (IFToMM A02), in the form of coefficients
    BENCH_LOOPS_MULTIPLIERS // the same in the form of multipliers
} bench_structure;

// Kernels of trees, besides those of models.
enum {
    TREE_BARE = BENCH_MODEL_KERNELS, // of an evaluation, motion, inertia and accelerations of the tree alone
    TREE_DERIVATIVE                  // these and their exact derivative by all coordinates and speeds
};

typedef struct bench_tree bench_tree;

// NULL with errors filled if it cannot be made. size: of BENCH_L15 not read, else at most 200 hinges, 80 four-bars.
bench_tree *bench_tree_create(bench_structure structure, int size, kane_errors *errors);
void bench_tree_free(bench_tree *b);

// Calls a kernel; every call has another state.
void bench_tree_call(void *tree, int kernel, long count);

// Second derivatives of the coordinates of all joints in the state that it starts from, in the order of the bodies.
// Returns how many there are.
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
