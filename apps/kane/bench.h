// SPDX-License-Identifier: MIT
// What `kane bench` measures without a vehicle.

#ifndef KANE_APPS_BENCH_H
#define KANE_APPS_BENCH_H

#include "app.h"

#include <kane/kane.h>

#include "base/json.h"

// A part of the library in a loop. create: NULL with errors filled if it cannot be made.
typedef struct bench_part {
    const char *name, *about;
    void *(*create)(kane_errors *errors);
    void (*call)(void *part, long count); // `count` calls, each with other arguments
    void (*free)(void *part);
} bench_part;

double bench_now(void); // seconds from some moment

// Writes what a call takes [s], as a line or as JSON.
void bench_report(const char *name, const char *about, double time, kane_writer *json);

// Best time of a call of several rounds [s].
double bench_time(const bench_part *p, void *part);

// Cost over size: least squares through the logarithms. Start from zeros; nothing is reported of less than two points.
typedef struct bench_growth {
    double n, x, y, xx, xy;
} bench_growth;

void bench_growth_add(bench_growth *g, double size, double cost);
double bench_growth_exponent(const bench_growth *g);
void bench_growth_report(const bench_growth *g, const char *name, const char *about, kane_writer *json);

// A wheel on its rail (bench_contact.c).
enum { BENCH_CONTACT_PARTS = 7 };
extern const bench_part bench_contact[BENCH_CONTACT_PARTS];

// Creep forces of one patch (bench_creep.c).
enum { BENCH_CREEP_PARTS = 5 };
extern const bench_part bench_creep[BENCH_CREEP_PARTS];

// Mechanisms (bench_trees.c): measures all, or `only` one, or calls that `repeat` times. Returns 0 after an error.
int bench_trees(const char *only, long repeat, kane_writer *json, kane_errors *errors);
const char *bench_tree_name(int i); // NULL beyond

// Trains of 1 to 100 coaches (bench_train.c), with files of this folder: in the same way.
int bench_trains(const char *folder, const char *only, long repeat, kane_writer *json, kane_errors *errors);
const char *bench_train_name(int i); // NULL beyond

// Cases of studies (bench_study.c): in the same way; "study" is all of them.
int bench_studies(const char *folder, const char *only, long repeat, kane_writer *json, kane_errors *errors);
const char *bench_study_name(int i); // NULL beyond

// === Work against precision: methods and tolerances on one run (kane bench --precision RUN.json).

typedef struct bench_precision_options {
    const char *file;            // the run file
    const char *const *settings; // NULL-terminated; NULL: none
    double until;                // so long at most [s]; 0: 10 s
    int json;                    // on standard output, instead of text
    app_outputs outputs;         // files besides
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
