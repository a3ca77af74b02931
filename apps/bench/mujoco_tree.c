// SPDX-License-Identifier: MIT
// The trees of `kane bench` beside MuJoCo, in one run: accelerations, exact derivatives, and how the times compare.
//
//   cmake --preset release -DKANE_MUJOCO=ON && cmake --build --preset release --target mujoco_tree
//   build/release/bin/mujoco_tree
//
// Both programs take turns, so that a busy machine slows both; times are the best of all rounds. Every call has another
// state. MuJoCo: mj_forward, without contacts and constraints.

#include "apps/kane/bench.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 200000, STATES_MOST = 256, ROUNDS = 60 };

// --- the same trees for MuJoCo ---

typedef struct text {
    char *at, *end;
} text;

static void put(text *t, const char *words)
{
    const int n = snprintf(t->at, (size_t)(t->end - t->at), "%s", words);
    t->at += n;
}

static void put_body(text *t, double x, double z, double mass, const double J[3])
{
    const int n = snprintf(t->at, (size_t)(t->end - t->at),
                           "<body pos='%.17g 0 %.17g'><inertial pos='.01 .02 .03' mass='%.17g' "
                           "diaginertia='%.17g %.17g %.17g'/>",
                           x, z, mass, J[0], J[1], J[2]);
    t->at += n;
}

static void put_free(text *t, double x, double z, double mass, const double J[3])
{
    put_body(t, x, z, mass, J);
    put(t, "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
           "<joint type='hinge' axis='0 0 1'/><joint type='hinge' axis='0 1 0'/><joint type='hinge' axis='1 0 0'/>");
}

static void put_l15(text *t)
{
    static const double car[3] = {5e4, 1e6, 1e6}, bogie[3] = {5e3, 1e4, 1e4};
    static const double wheelset[3] = {1e3, 200.0, 1e3}, motor[3] = {100.0, 100.0, 100.0};
    put_free(t, 0.0, 0.0, 5e4, car);
    for (int b = 0; b < 2; b++) {
        put_free(t, b ? 6.0 : -6.0, -1.0, 8000.0, bogie);
        for (int w = 0; w < 3; w++) {
            put_free(t, 1.8 * (w - 1), -0.5, 2500.0, wheelset);
            put(t, "</body>");
            put_body(t, 1.8 * (w - 1) + 0.5, -0.3, 1000.0, motor);
            put(t, "<joint type='hinge' axis='0 1 0'/></body>");
        }
        put(t, "</body>");
    }
    put(t, "</body>");
}

static void put_chain(text *t, int count)
{
    static const double J[3] = {0.1, 0.2, 0.3};
    for (int i = 0; i < count; i++) {
        put_body(t, 0.0, -0.3, 1.0 + 0.1 * i, J);
        put(t, i % 2 == 0 ? "<joint type='hinge' axis='1 0 0'/>" : "<joint type='hinge' axis='0 1 0'/>");
    }
    for (int i = 0; i < count; i++)
        put(t, "</body>");
}

static mjModel *load(bench_structure structure, int size)
{
    static char buffer[TEXT_SIZE];
    static mjVFS files;
    char error[500];
    text t = {buffer, buffer + TEXT_SIZE};
    put(&t, "<mujoco><compiler boundmass='0'/><option gravity='0 0 -9.81'><flag contact='disable' "
            "constraint='disable'/></option><worldbody>");
    if (structure == BENCH_L15)
        put_l15(&t);
    else
        put_chain(&t, size);
    put(&t, "</worldbody></mujoco>");
    mj_defaultVFS(&files);
    (void)mj_makeEmptyFileVFS(&files, "tree.xml", (int)(t.at - buffer));
    memcpy(files.filedata[mj_findFileVFS(&files, "tree.xml")], buffer, (size_t)(t.at - buffer));
    mjModel *model = mj_loadXML("tree.xml", &files, error, sizeof error);
    if (!model)
        (void)fprintf(stderr, "MuJoCo: %s\n", error);
    return model;
}

// --- rounds ---

typedef struct pair {
    bench_tree *ours;
    mjModel *model;
    mjData *data;
    double theirs, kernel[BENCH_JACOBIAN + 1]; // best times [s]
} pair;

static void call_theirs(pair *p, long count)
{
    for (long i = 0; i < count; i++) {
        p->data->qpos[i % p->model->nv] += 1e-9;
        mj_forward(p->model, p->data);
    }
}

static void keep_best(double *best, double begin, long count)
{
    const double each = (bench_now() - begin) / (double)count;
    *best             = *best > 0.0 && *best < each ? *best : each;
}

static void take_turns(pair *p)
{
    for (int round = 0; round < ROUNDS; round++) {
        const long count = p->theirs > 0.0 ? (long)fmax(10.0, 5e-3 / p->theirs) : 50;
        double begin     = bench_now();
        call_theirs(p, count);
        keep_best(&p->theirs, begin, count);
        for (int k = 0; k <= BENCH_JACOBIAN; k++) {
            begin = bench_now();
            bench_tree_call(p->ours, k, count);
            keep_best(&p->kernel[k], begin, count);
        }
    }
}

// Largest difference of the accelerations of all coordinates, over the largest of them.
static double difference(pair *p)
{
    double q_ddot[STATES_MOST], most = 0.0, size = 0.0;
    const int n = bench_tree_accelerations(p->ours, q_ddot);
    mj_resetData(p->model, p->data);
    for (int i = 0; i < n; i++) {
        p->data->qpos[i] = bench_tree_coordinate(i);
        p->data->qvel[i] = bench_tree_rate(i);
    }
    mj_forward(p->model, p->data);
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(q_ddot[i] - p->data->qacc[i]));
        size = fmax(size, fabs(p->data->qacc[i]));
    }
    return most / size;
}

static void compare(const char *name, bench_structure structure, int size)
{
    kane_errors errors = {.limit = 1};
    pair p             = {.ours = bench_tree_create(structure, size, &errors), .model = load(structure, size)};
    p.data             = p.model ? mj_makeData(p.model) : NULL;
    if (!p.ours || !p.data) {
        (void)fprintf(stderr, "%s: cannot be made\n", name);
        exit(1);
    }
    const double miss = difference(&p);
    take_turns(&p);
    (void)printf("%-10s %8.2f us |", name, 1e6 * p.theirs);
    for (int k = 0; k <= BENCH_JACOBIAN; k++)
        (void)printf(" %8.2f us %5.3f |", 1e6 * p.kernel[k], p.kernel[k] / p.theirs);
    (void)printf(" %.1e\n", miss);
    (void)fflush(stdout);
    mj_deleteData(p.data);
    mj_deleteModel(p.model);
    bench_tree_free(p.ours);
}

int main(void)
{
    (void)printf("MuJoCo %s: mj_forward; ours, and ratio: evaluation, accelerations alone, with their derivative, "
                 "evaluation and Jacobian; difference of accelerations\n",
                 mj_versionString());
    compare("L15", BENCH_L15, 0);
    compare("chain 5", BENCH_HINGES, 5);
    compare("chain 10", BENCH_HINGES, 10);
    compare("chain 20", BENCH_HINGES, 20);
    compare("chain 40", BENCH_HINGES, 40);
    compare("chain 60", BENCH_HINGES, 60);
    compare("chain 90", BENCH_HINGES, 90); // MuJoCo's reader stops soon after
    return 0;
}
