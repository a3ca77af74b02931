// SPDX-License-Identifier: MIT
// Mechanisms for `kane bench`.

#include "bench.h"

#include "agem/work.h"
#include "tree/derive.h"

#include <math.h>
#include <stdlib.h>

enum { BODIES_MOST = 200, LOOPS_MOST = 80, NAME_SIZE = 16 };

// --- definitions ---

typedef struct drawing {
    kane_vehicle_definition vehicle;
    int states; // coordinates so far
    kane_body_definition bodies[BODIES_MOST];
    kane_joint_definition joints[BODIES_MOST];
    kane_start_definition starts[BODIES_MOST];
    char names[BODIES_MOST][NAME_SIZE];
    kane_vec3 origins[BODIES_MOST]; // joint points of the bodies [m]
    kane_constraint_definition closures[LOOPS_MOST];
    char closure_names[LOOPS_MOST][NAME_SIZE];
} drawing;

// A body whose mass centre is off its joint point by (.01, .02, .03) m; `seat` from the parent's.
static int add_body(drawing *d, int parent, kane_vec3 seat, double mass, kane_vec3 J, kane_joint_definition joint,
                    int dof)
{
    const int i                  = d->vehicle.body_count++;
    const kane_vec3 origin       = parent < 0 ? seat : kv3_add(d->origins[parent], seat);
    kane_start_definition *start = &d->starts[i];
    (void)snprintf(d->names[i], NAME_SIZE, "body %d", i);
    d->origins[i]        = origin;
    d->joints[i]         = joint;
    d->joints[i].parent  = parent < 0 ? NULL : d->names[parent];
    d->joints[i].from.at = d->joints[i].to.at = origin;
    for (int k = 0; k < dof; k++, d->states++) {
        start->q[k]    = bench_tree_coordinate(d->states);
        start->rate[k] = bench_tree_rate(d->states);
    }
    d->bodies[i] = (kane_body_definition){.block    = {d->names[i], NULL},
                                          .mass     = mass,
                                          .inertia  = {J.x, J.y, J.z},
                                          .position = kv3_add(origin, kv3(0.01, 0.02, 0.03)),
                                          .dof      = KANE_ALL_DOF,
                                          .joint    = &d->joints[i],
                                          .start    = start};
    return i;
}

// By x, y, z, then turns about z, y, x.
static int add_free(drawing *d, int parent, kane_vec3 seat, double mass, kane_vec3 J)
{
    const kane_joint_definition joint = {.kind = KANE_JOINT_FREE, .dof = KANE_ALL_DOF, .rotation = "zyx"};
    return add_body(d, parent, seat, mass, J, joint, 6);
}

// By a hinge about x (0) or y (1).
static int add_hinge(drawing *d, int parent, kane_vec3 seat, int axis, double mass, kane_vec3 J)
{
    const kane_mat3 about[2] = {{kv3_unit(1), kv3_unit(2), kv3_unit(0)}, {kv3_unit(2), kv3_unit(0), kv3_unit(1)}};
    const kane_joint_definition joint = {
        .kind = KANE_JOINT_REVOLUTE, .from = {.axes = about[axis]}, .to = {.axes = about[axis]}};
    return add_body(d, parent, seat, mass, J, joint, 1);
}

static void draw_l15(drawing *d)
{
    const int car = add_free(d, -1, kv3_zero(), 5e4, kv3(5e4, 1e6, 1e6));
    for (int b = 0; b < 2; b++) {
        const int bogie = add_free(d, car, kv3(b ? 6.0 : -6.0, 0.0, -1.0), 8000.0, kv3(5e3, 1e4, 1e4));
        for (int w = 0; w < 3; w++) {
            const double x = 1.8 * (w - 1);
            (void)add_free(d, bogie, kv3(x, 0.0, -0.5), 2500.0, kv3(1000.0, 200.0, 1000.0));
            (void)add_hinge(d, bogie, kv3(x + 0.5, 0.0, -0.3), 1, 1000.0, kv3(100.0, 100.0, 100.0));
        }
    }
}

static void draw_chain(drawing *d, int count)
{
    for (int i = 0; i < count; i++)
        (void)add_hinge(d, i - 1, kv3(0.0, 0.0, -0.3), i % 2, 1.0 + 0.1 * i, kv3(0.1, 0.2, 0.3));
}

// A bar of 1 m and 1 kg on a hinge about y at its lower end; `way`: to its other end [m].
static int add_bar(drawing *d, int parent, kane_vec3 seat, kane_vec3 way)
{
    const int i           = add_hinge(d, parent, seat, 1, 1.0, kv3(1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0));
    d->bodies[i].position = kv3_add(d->origins[i], kv3_scale(0.5, way));
    d->bodies[i].start    = NULL;
    return i;
}

// N + 1 parallel rockers, N couplers between their tips; the first rocker turns at -2 rad/s (IFToMM A02).
static void draw_loops(drawing *d, int count)
{
    const kane_vec3 up = kv3(cos(1.1), 0.0, sin(1.1)), along = kv3(1.0, 0.0, 0.0);
    int coupler = -1;
    for (int i = 0; i <= count; i++) {
        const int rocker         = add_bar(d, -1, kv3(i, 0.0, 0.0), up);
        const kane_vec3 tip      = kv3_add(d->origins[rocker], up);
        const kane_attachment at = {.at = tip};
        if (i > 0) {
            (void)snprintf(d->closure_names[i - 1], NAME_SIZE, "tip %d", i);
            d->closures[i - 1] = (kane_constraint_definition){.block   = {d->closure_names[i - 1], NULL},
                                                              .kind    = KANE_CONSTRAINT_SPHERICAL,
                                                              .between = {d->names[coupler], d->names[rocker]},
                                                              .at      = {at, at}};
        }
        if (i < count)
            coupler = add_bar(d, rocker, up, along);
    }
    d->starts[0]                = (kane_start_definition){.rate = {-2.0}, .held_q = 1u, .held_rate = 1u};
    d->bodies[0].start          = &d->starts[0];
    d->vehicle.constraint_count = count;
    d->vehicle.constraints      = d->closures;
}

static void draw_chain_of_loops(drawing *d, bench_structure structure, int size)
{
    switch (structure) {
    case BENCH_L15: draw_l15(d); break;
    case BENCH_HINGES: draw_chain(d, size < BODIES_MOST ? size : BODIES_MOST); break;
    case BENCH_LOOPS:
    case BENCH_LOOPS_MULTIPLIERS: draw_loops(d, size < LOOPS_MOST ? size : LOOPS_MOST); break;
    }
}

static kane_model *compile(bench_structure structure, int size, kane_errors *errors)
{
    drawing *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->vehicle = (kane_vehicle_definition){.name = "tree", .gravity = 9.81, .bodies = d->bodies};
    draw_chain_of_loops(d, structure, size);
    const kane_drive_definition drive = kane_drive_definition_default();
    kane_model_options options        = kane_model_options_default();
    if (structure == BENCH_LOOPS_MULTIPLIERS)
        options.form = KANE_FORM_MULTIPLIERS;
    kane_model *model = kane_model_create(&d->vehicle, NULL, &drive, &options, errors);
    free(d);
    return model;
}

// --- kernels ---

struct bench_tree {
    bench_model of;
    double *start; // state
    kane_arena *arena;
    kane_derive_map *map;
    kane_derive_work *sweep;
    double *slopes;
};

static int prepare_tree(bench_tree *b, bench_structure structure, int size, kane_errors *errors)
{
    b->of.model = compile(structure, size, errors);
    b->arena    = kane_arena_create();
    if (!b->of.model || !b->arena || !bench_model_prepare(&b->of, errors))
        return 0;
    const kane_model *m = b->of.model;
    b->start            = kane_arena_doubles(b->arena, (size_t)kane_model_state_count(m));
    b->map              = kane_derive_map_create(&m->tree, m->trees, m->tree_count, NULL, 0, b->arena);
    b->sweep            = b->map ? kane_derive_work_create(b->map, b->arena) : NULL;
    b->slopes           = b->map ? kane_arena_alloc(b->arena, kane_derive_map_values(b->map), sizeof *b->slopes) : NULL;
    return b->start && b->sweep && b->slopes && kane_initial_state(m, b->of.work, b->start, errors) == KANE_OK &&
           kane_eval(m, b->of.work, 0.0, b->start, b->of.ydot) == KANE_OK;
}

bench_tree *bench_tree_create(bench_structure structure, int size, kane_errors *errors)
{
    bench_tree *b = calloc(1, sizeof *b);
    if (b && prepare_tree(b, structure, size, errors))
        return b;
    if (errors->count == 0)
        kane_errors_add(errors, KANE_NO_MEMORY, "no memory for a mechanism");
    bench_tree_free(b);
    return NULL;
}

void bench_tree_free(bench_tree *b)
{
    if (!b)
        return;
    kane_arena_free(b->arena);
    bench_model_close(&b->of);
    free(b);
}

// The tree's own part of an evaluation.
static void solve_trees(bench_tree *b)
{
    const kane_model *m = b->of.model;
    kane_work *work     = b->of.work;
    for (int k = 0; k < m->tree_count; k++) {
        kane_tree_move(&m->tree, m->trees[k], work->base, &work->tree);
        (void)kane_tree_solve(&m->tree, m->trees[k], &work->tree);
    }
}

static void call_once(bench_tree *b, int kernel)
{
    if (kernel < BENCH_MODEL_KERNELS)
        bench_model_call_once(&b->of, kernel);
    else
        solve_trees(b);
    if (kernel == TREE_DERIVATIVE)
        kane_tree_derive(b->map, b->sweep, &b->of.work->tree, b->of.work->base, NULL, NULL, b->slopes);
}

void bench_tree_call(void *tree, int kernel, long count)
{
    bench_tree *b   = tree;
    bench_model *of = &b->of;
    double *q       = kernel < BENCH_MODEL_KERNELS ? of->y : of->work->tree.q;
    const int n     = of->model->tree.q_count;
    const int all   = kane_model_state_count(of->model);
    for (int i = 0; i < all; i++)
        of->y[i] = b->start[i];
    (void)kane_eval(of->model, of->work, 0.0, of->y, of->ydot);
    for (long i = 0; i < count; i++) {
        q[i % n] += 1e-9;
        call_once(b, kernel);
    }
}

int bench_tree_accelerations(bench_tree *b, double *q_ddot)
{
    bench_model *of = &b->of;
    int count       = 0;
    (void)kane_eval(of->model, of->work, 0.0, b->start, of->ydot);
    kane_observe(of->model, of->work);
    for (int j = 0; j < kane_model_body_count(of->model); j++)
        count += kane_get_joint(of->model, of->work, j, NULL, NULL, q_ddot + count);
    return count;
}
