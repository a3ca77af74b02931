// SPDX-License-Identifier: MIT
// The equations of motion as matrices (docs/mechanisms.md, "The equations as matrices"): Theta, f of runs and clusters
// together, coefficients, and their rates.

#include <kane/equations.h>

#include "agem/bodies.h"
#include "agem/rail_constraint.h"
#include "tree/spatial.h"

#include <stdio.h>
#include <string.h>

// Extrapolated differences: steps, each so much shorter than the one before it.
enum { STEPS = 10 };
static const double shorter = 1.4;

// The first step changes coordinates, or time, by this much [m], [rad], [s].
static const double first_way = 0.05;

struct kane_equations {
    kane_arena *arena;
    const kane_model *model;
    kane_equation_values values;
    int *speed;      // of the tree [n]
    int *local;      // of every speed of the tree among these, -1: none [tree's v_count]
    int *state;      // index in y of every independent one [m]
    int *own;        // of every independent one that is a speed by itself: which one, -1: a cluster's [m]
    int *row_of;     // constraint of every row, -1: of rails [r]
    int *part_of;    // its equation; of rails 2 wheels + side [r]
    int run_links;   // links that no constraint couples
    int *links;      // [run_links]
    int *all;        // place of a speed of the tree among all of them [tree's v_count]
    int theta_count; // of those links
    kane_theta_place *place;
    double *entries;         // [theta_count]
    kane_spatial *inertia;   // [link_count]
    kane_wrench *wrench;     // [link_count]
    double *tree_Q, *tree_f; // [tree's v_count]
    double *v, *v_dot, *u, *u_dot, *Theta, *Q, *h, *Phi, *phi, *gamma, *lambda, *A, *C, *G, *M, *F;
    double *product;                         // Theta A [n * m]
    double *rest;                            // Q + Phi_r' N - h - Theta G [n]
    double *cluster_matrix, *cluster_vector; // of the largest cluster [v_count^2], [v_count]
    int *rows;                               // used rows of one cluster
    int gap_count;                           // rows of rails, behind those of constraints
    double *gap, *N;                         // of each [gap_count]
    double *tree_row;                        // by speeds of the tree [v_count]
    const double *given_N;                   // normal forces that creep forces are of; NULL: those of the solution
    // rates
    double t, *y, *ydot;                   // of the last evaluation [states]
    kane_work *aside;                      // evaluates beside the state
    double *y_aside;                       //
    double *side[2];                       // A on both sides [n * m]
    double *table;                         // of extrapolation, the last two rows [2 * STEPS * n * m]
    double *A_rate, *C_rate, *uncertainty; // [n * m], [n], [n * m]
};

// --- constant lists ---

static int cluster_of_speed(const kane_model *model, int v)
{
    for (int c = 0; c < model->cluster_count; c++)
        if (model->clusters[c].place[v] >= 0)
            return c;
    return -1;
}

// Index in y of speed k of a body that is in no cluster; -1: it has none.
static int find_state(const kane_body *body, int k)
{
    for (int u = 0; u < body->u_count; u++)
        if (body->component[u] == k)
            return body->u + u;
    return -1;
}

// All speeds of the tree that are not removed, with their numbers among v.
static void list_speeds(kane_equations *e)
{
    const kane_model *model = e->model;
    for (int v = 0; v < model->tree.v_count; v++) {
        e->local[v] = -1;
        e->all[v]   = v;
    }
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        for (int k = 0; k < link->v_count && link->role != KANE_FLEX_NODE; k++) {
            const int state = find_state(&model->bodies[model->link_body[i]], k);
            if (state < 0 && cluster_of_speed(model, link->v + k) < 0)
                continue; // removed
            e->local[link->v + k]             = e->values.speed_count;
            e->speed[e->values.speed_count++] = link->v + k;
            if (state >= 0)
                e->own[state - model->u_begin] = e->local[link->v + k];
        }
    }
}

static void list_links(kane_equations *e)
{
    const kane_model *model = e->model;
    for (int r = 0; r < model->tree_count; r++)
        for (int i = model->trees[r].first; i < model->trees[r].end; i++)
            e->links[e->run_links++] = i;
}

static int count_gaps(const kane_model *model)
{
    int count = 0;
    for (int r = 0; r < model->rails_count; r++)
        count += 2 * model->rails[r].count;
    return count;
}

static int count_rows(const kane_model *model)
{
    int count = count_gaps(model);
    for (int c = 0; c < model->cluster_count; c++)
        count += model->clusters[c].rank;
    return count;
}

// Number of speeds of the largest cluster.
static size_t largest_cluster(const kane_model *model)
{
    int most = 0;
    for (int c = 0; c < model->cluster_count; c++)
        most = model->clusters[c].v_count > most ? model->clusters[c].v_count : most;
    return (size_t)most;
}

static void allocate_lists(kane_equations *e)
{
    const kane_model *model = e->model;
    const size_t links = (size_t)model->tree.link_count, speeds = (size_t)model->tree.v_count;
    const size_t m = (size_t)e->values.independent_count, r = (size_t)e->values.row_count;
    size_t rows = 0;
    for (int c = 0; c < model->cluster_count; c++)
        rows += (size_t)model->clusters[c].row_count;
    e->speed   = kane_arena_alloc(e->arena, speeds, sizeof *e->speed);
    e->local   = kane_arena_alloc(e->arena, speeds, sizeof *e->local);
    e->all     = kane_arena_alloc(e->arena, speeds, sizeof *e->all);
    e->state   = kane_arena_alloc(e->arena, m, sizeof *e->state);
    e->own     = kane_arena_alloc(e->arena, m, sizeof *e->own);
    e->row_of  = kane_arena_alloc(e->arena, r, sizeof *e->row_of);
    e->part_of = kane_arena_alloc(e->arena, r, sizeof *e->part_of);
    e->links   = kane_arena_alloc(e->arena, links, sizeof *e->links);
    e->inertia = kane_arena_alloc(e->arena, links, sizeof *e->inertia);
    e->wrench  = kane_arena_alloc(e->arena, links, sizeof *e->wrench);
    e->tree_Q  = kane_arena_doubles(e->arena, speeds);
    e->tree_f  = kane_arena_doubles(e->arena, speeds);
    e->rows    = kane_arena_alloc(e->arena, rows, sizeof *e->rows);
}

static void allocate_matrices(kane_equations *e)
{
    const size_t n = (size_t)e->values.speed_count, m = (size_t)e->values.independent_count;
    const size_t r = (size_t)e->values.row_count, most = largest_cluster(e->model);
    const size_t states = (size_t)e->model->state_count;
    const struct {
        double **to;
        size_t count;
    } list[] = {{&e->v, n},
                {&e->v_dot, n},
                {&e->u, m},
                {&e->u_dot, m},
                {&e->Theta, n * n},
                {&e->Q, n},
                {&e->h, n},
                {&e->gap, (size_t)e->gap_count},
                {&e->N, (size_t)e->gap_count},
                {&e->tree_row, (size_t)e->model->tree.v_count},
                {&e->Phi, r * n},
                {&e->phi, r},
                {&e->gamma, r},
                {&e->lambda, r},
                {&e->A, n * m},
                {&e->C, n},
                {&e->G, n},
                {&e->M, m * m},
                {&e->F, m},
                {&e->product, n * m},
                {&e->rest, n},
                {&e->cluster_matrix, most * most},
                {&e->cluster_vector, most},
                {&e->y, states},
                {&e->ydot, states},
                {&e->y_aside, states},
                {&e->side[0], n * m},
                {&e->side[1], n * m},
                {&e->table, 2 * STEPS * n * m},
                {&e->A_rate, n * m},
                {&e->C_rate, n},
                {&e->uncertainty, n * m}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        *list[i].to = kane_arena_doubles(e->arena, list[i].count);
    e->entries = kane_arena_doubles(e->arena, (size_t)e->theta_count);
    e->place   = kane_arena_alloc(e->arena, (size_t)e->theta_count, sizeof *e->place);
}

static void show_values(kane_equations *e)
{
    kane_equation_values *v = &e->values;
    v->v                    = e->v;
    v->v_dot                = e->v_dot;
    v->u                    = e->u;
    v->u_dot                = e->u_dot;
    v->Theta                = e->Theta;
    v->Q                    = e->Q;
    v->h                    = e->h;
    v->Phi                  = e->Phi;
    v->phi                  = e->phi;
    v->gamma                = e->gamma;
    v->lambda               = e->lambda;
    v->A                    = e->A;
    v->C                    = e->C;
    v->G                    = e->G;
    v->M                    = e->M;
    v->F                    = e->F;
}

static int fill_equations(kane_equations *e, const kane_model *model, kane_errors *errors)
{
    const kane_tree *tree       = &model->tree;
    e->model                    = model;
    e->values.independent_count = model->u_end - model->u_begin;
    e->values.row_count         = count_rows(model);
    e->gap_count                = count_gaps(model);
    allocate_lists(e);
    if (kane_arena_failed(e->arena))
        return 0;
    for (int i = 0; i < e->values.independent_count; i++) {
        e->state[i] = model->u_begin + i;
        e->own[i]   = -1;
    }
    list_speeds(e);
    list_links(e);
    e->theta_count = kane_tree_theta_places(tree, e->run_links, e->links, e->all, NULL);
    allocate_matrices(e);
    e->aside = kane_arena_failed(e->arena) ? NULL : kane_work_create(model, errors);
    if (!e->aside)
        return 0;
    (void)kane_tree_theta_places(tree, e->run_links, e->links, e->all, e->place);
    show_values(e);
    return 1;
}

kane_equations *kane_equations_create(const kane_model *model, kane_errors *errors)
{
    const int before = errors ? errors->count : 0;
    for (int r = 0; r < model->rails_count; r++)
        if (model->rails[r].is_tabulated || model->rails[r].cluster >= 0) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT,
                            "%s; \"model\": \"constraint\" of free wheelsets or of wheelsets on joints has rows",
                            model->rails[r].is_tabulated
                                ? "tables guide wheels of this model, whose height and roll are "
                                  "no coordinates of their own"
                                : "loops couple wheels that rails guide");
            return NULL;
        }
    kane_arena *arena;
    kane_equations *e = kane_arena_object(&arena, sizeof *e, errors);
    if (!e)
        return NULL;
    e->arena = arena;
    if (fill_equations(e, model, errors))
        return e;
    if (!errors || errors->count == before)
        (void)kane_no_memory(errors);
    kane_arena_free(arena);
    return NULL;
}

void kane_equations_free(kane_equations *e)
{
    if (!e)
        return;
    kane_work_free(e->aside);
    kane_arena_free(e->arena);
}

// --- forces and inertia ---

// Q = drive + J' acting: generalised forces on bodies, of motors and of modes, by speeds of the tree.
static void find_forces(kane_equations *e, const kane_work *work)
{
    const kane_model *model = e->model;
    for (int v = 0; v < model->tree.v_count; v++)
        e->tree_Q[v] = work->tree.drive[v];
    for (int k = 0; k < model->loaded_count; k++)
        kane_tree_spread_wrench(&model->tree, e->all, &work->tree, model->loaded[k], -1,
                                kane_body_acting(model, work, model->loaded[k]), e->tree_Q);
}

// Theta and f of links in no cluster. The inertia of free bodies in frame axes is not part of an evaluation: it is
// filled first.
static void find_run_inertia(kane_equations *e, kane_work *work)
{
    const kane_tree *tree = &e->model->tree;
    const int n           = e->values.speed_count;
    for (int k = 0; k < e->run_links; k++)
        if (tree->links[e->links[k]].is_free_body)
            work->tree.link[e->links[k]].I = ksp_of_link(&tree->links[e->links[k]], work->tree.link[e->links[k]].R);
    kane_tree_inertia(tree, e->run_links, e->links, &work->tree, e->inertia);
    kane_tree_theta(tree, e->run_links, e->links, &work->tree, e->inertia, e->entries);
    for (int k = 0; k < e->theta_count; k++) {
        const int row = e->local[e->place[k].row], column = e->local[e->place[k].column];
        if (row >= 0 && column >= 0)
            e->Theta[row * n + column] = e->Theta[column * n + row] = e->entries[k];
    }
    for (int k = 0; k < e->run_links; k++)
        e->wrench[e->links[k]] = (kane_wrench){kv3_zero(), kv3_zero()};
    kane_tree_forces(tree, e->run_links, e->links, e->all, &work->tree, e->wrench, e->tree_f);
}

// Theta and f of a cluster, at their places.
static void find_cluster_inertia(kane_equations *e, const kane_work *work, int c)
{
    const kane_cluster *cluster = &e->model->clusters[c];
    const int n = e->values.speed_count, count = cluster->v_count;
    kane_cluster_find_theta(work->cluster[c]);
    kane_cluster_get_equations(work->cluster[c], e->cluster_matrix, e->cluster_vector);
    for (int i = 0; i < count; i++) {
        const int row = e->local[cluster->speeds[i]];
        for (int j = 0; j < count; j++)
            e->Theta[row * n + e->local[cluster->speeds[j]]] = e->cluster_matrix[i * count + j];
        e->tree_f[cluster->speeds[i]] = e->cluster_vector[i];
    }
}

// --- constraints and coefficients ---

// Constraint of the definition that a row of a cluster is of.
static void name_row(kane_equations *e, const kane_cluster *cluster, int row, int to)
{
    int closure = 0;
    while (row >= cluster->row_begin[closure + 1])
        closure++;
    e->row_of[to]  = (int)(cluster->closures[closure] - e->model->closures);
    e->part_of[to] = row - cluster->row_begin[closure];
}

// Phi, phi = rate - Phi v, gamma and lambda of the rows in use.
static void find_rows(kane_equations *e, const kane_work *work)
{
    const kane_model *model = e->model;
    const int n             = e->values.speed_count;
    int to                  = 0;
    memset(e->Phi, 0, (size_t)e->values.row_count * (size_t)n * sizeof *e->Phi);
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *cluster = &model->clusters[c];
        const int count             = kane_cluster_get_rows(work->cluster[c], e->rows);
        const double *lambda        = kane_cluster_multipliers(work->cluster[c]);
        for (int i = 0; i < count; i++, to++) {
            memset(e->cluster_vector, 0, (size_t)cluster->v_count * sizeof *e->cluster_vector);
            kane_cluster_get_row(work->cluster[c], e->rows[i], e->cluster_vector, &e->phi[to], &e->gamma[to]);
            for (int k = 0; k < cluster->v_count; k++) {
                e->Phi[to * n + e->local[cluster->speeds[k]]] = e->cluster_vector[k];
                e->phi[to] -= e->cluster_vector[k] * work->tree.v[cluster->speeds[k]];
            }
            e->lambda[to] = lambda[e->rows[i]];
            name_row(e, cluster, e->rows[i], to);
        }
    }
}

// --- rails ---

// Accelerations of a body at its mass centre with v_dot = 0, relative to its frame.
static kane_wrench accelerations_at_rest(const kane_model *model, kane_work *work, int link)
{
    kane_link_state *s         = &work->tree.link[link];
    const kane_body_state *b   = &work->body[model->link_body[link]];
    const kane_link_state kept = *s;
    s->da = s->dal = kv3_zero();
    kane_body_kinematics_accelerations(model, work, link);
    const kane_wrench at_rest = {b->a, b->e};
    *s                        = kept;
    kane_body_kinematics_accelerations(model, work, link);
    return at_rest;
}

// Adds the generalised forces of a wrench at the mass centre of a wheelset, frame axes, and of its reaction on the
// panel under it.
static void spread_rail_wrench(const kane_equations *e, const kane_work *work, int wheels, kane_side side,
                               kane_wrench on_body, double *row)
{
    const kane_model *model = e->model;
    const int link = kane_wheels_link(model, wheels), panel = model->wheels[wheels].panel;
    const kane_wrench at_origin = kane_link_about_origin(&model->tree.links[link], &work->tree.link[link], on_body);
    kane_tree_spread_wrench(&model->tree, e->all, &work->tree, link, -1, at_origin, row);
    if (panel >= 0)
        kane_tree_spread_wrench(&model->tree, e->all, &work->tree, model->bodies[panel].link, -1,
                                kane_rail_reaction(&work->wheels[wheels], side, on_body), row);
}

// One rail: its row of Phi, gamma, gap and rate; lambda is its normal force.
//   gamma = bias + direction . (acceleration of the wheelset, less that of its panel, with v_dot = 0)
static void find_gap(kane_equations *e, kane_work *work, int wheels, kane_side side, int to)
{
    const kane_model *model  = e->model;
    const kane_wheels *on    = &model->wheels[wheels];
    const kane_guidance *g   = &work->wheels[wheels].guidance;
    const kane_wrench push   = g->direction[side];
    const int n              = e->values.speed_count;
    const int first          = e->values.row_count - e->gap_count;
    kane_wrench acceleration = accelerations_at_rest(model, work, model->bodies[on->body].link);
    if (on->panel >= 0)
        acceleration = kane_rail_relative(&work->wheels[wheels], side, acceleration,
                                          accelerations_at_rest(model, work, model->bodies[on->panel].link));
    memset(e->tree_row, 0, (size_t)model->tree.v_count * sizeof *e->tree_row);
    spread_rail_wrench(e, work, wheels, side, push, e->tree_row);
    e->phi[first + to] = g->rate[side];
    for (int k = 0; k < n; k++) {
        e->Phi[(first + to) * n + k] = e->tree_row[e->speed[k]];
        e->phi[first + to] -= e->tree_row[e->speed[k]] * work->tree.v[e->speed[k]];
    }
    e->gamma[first + to] =
        g->bias[side] + kv3_dot(push.force, acceleration.force) + kv3_dot(push.torque, acceleration.torque);
    e->row_of[first + to]  = -1;
    e->part_of[first + to] = 2 * wheels + (int)side;
    e->gap[to]             = g->gap[side];
    e->N[to] = e->lambda[first + to] = g->N[side];
}

// Rows of all rails, and their creep forces, added to Q.
static void find_gaps(kane_equations *e, kane_work *work)
{
    const kane_model *model = e->model;
    int to                  = 0;
    memset(e->tree_Q, 0, (size_t)model->tree.v_count * sizeof *e->tree_Q);
    for (int r = 0; r < model->rails_count; r++)
        for (int k = 0; k < 2 * model->rails[r].count; k++, to++) {
            const int wheels = model->rails[r].wheels[k / 2], side = k % 2;
            find_gap(e, work, wheels, (kane_side)side, to);
            const double N = e->given_N ? e->given_N[to] : e->N[to];
            spread_rail_wrench(
                e, work, wheels, (kane_side)side,
                kane_rail_constraint_creep(&model->wheels[wheels], &work->wheels[wheels], (kane_side)side, N),
                e->tree_Q);
        }
    for (int k = 0; k < e->values.speed_count && to > 0; k++)
        e->Q[k] += e->tree_Q[e->speed[k]];
}

int kane_equations_gaps(const kane_equations *e, const double **gap)
{
    *gap = e->gap;
    return e->gap_count;
}

void kane_equations_set_normal_forces(kane_equations *e, const double *N)
{
    e->given_N = N;
}

// A [n * m] at the motion in a work: 1 for independent speeds, coefficients of clusters.
static void find_A(kane_equations *e, const kane_work *work, double *A)
{
    const kane_model *model = e->model;
    const int m             = e->values.independent_count;
    memset(A, 0, (size_t)e->values.speed_count * (size_t)m * sizeof *A);
    for (int i = 0; i < m; i++)
        if (e->own[i] >= 0)
            A[e->own[i] * m + i] = 1.0;
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *cluster = &model->clusters[c];
        const int first             = model->cluster_u[c] - model->u_begin;
        kane_cluster_get_coefficients(work->cluster[c], e->cluster_matrix);
        for (int i = 0; i < cluster->v_count; i++)
            for (int k = 0; k < cluster->u_count; k++)
                A[e->local[cluster->speeds[i]] * m + first + k] = e->cluster_matrix[i * cluster->u_count + k];
    }
}

// u, u_dot, v, v_dot, G.
static void find_motion(kane_equations *e, const kane_work *work)
{
    const kane_model *model = e->model;
    for (int i = 0; i < e->values.independent_count; i++) {
        e->u[i]     = e->y[e->state[i]];
        e->u_dot[i] = e->ydot[e->state[i]];
    }
    for (int k = 0; k < e->values.speed_count; k++) {
        e->v[k]     = work->tree.v[e->speed[k]];
        e->v_dot[k] = work->tree.v_dot[e->speed[k]];
        e->G[k]     = 0.0;
    }
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *cluster = &model->clusters[c];
        kane_cluster_get_bias(work->cluster[c], e->cluster_vector);
        for (int i = 0; i < cluster->v_count; i++)
            e->G[e->local[cluster->speeds[i]]] = e->cluster_vector[i];
    }
}

// C = v - A u, zero of independent speeds.
static void find_C(kane_equations *e)
{
    const int m = e->values.independent_count;
    for (int k = 0; k < e->values.speed_count; k++) {
        e->C[k] = e->v[k];
        for (int i = 0; i < m; i++)
            e->C[k] -= e->A[k * m + i] * e->u[i];
    }
}

// M = A' Theta A, F = A' (Q + Phi_r' N - h - Theta G) with the rows Phi_r of rails
static void reduce_to_independent(kane_equations *e)
{
    const int n = e->values.speed_count, m = e->values.independent_count;
    const double *Phi_r = e->Phi + (size_t)(e->values.row_count - e->gap_count) * (size_t)n;
    memset(e->product, 0, (size_t)n * (size_t)m * sizeof *e->product);
    memset(e->M, 0, (size_t)m * (size_t)m * sizeof *e->M);
    memset(e->F, 0, (size_t)m * sizeof *e->F);
    for (int k = 0; k < n; k++) {
        e->rest[k] = e->Q[k] - e->h[k];
        for (int i = 0; i < e->gap_count; i++)
            e->rest[k] += Phi_r[i * n + k] * e->N[i];
        for (int l = 0; l < n; l++) {
            const double theta = e->Theta[k * n + l];
            e->rest[k] -= theta * e->G[l];
            for (int i = 0; i < m && theta != 0.0; i++)
                e->product[k * m + i] += theta * e->A[l * m + i];
        }
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < m; i++) {
            const double a = e->A[k * m + i];
            e->F[i] += a * e->rest[k];
            for (int j = 0; j < m && a != 0.0; j++)
                e->M[i * m + j] += a * e->product[k * m + j];
        }
}

// Order: forces and the inertia of runs before the solution, which overwrites them; clusters and rows after it.
//   h = Q - f
kane_status kane_equations_eval(kane_equations *e, kane_work *work, double t, const double *y)
{
    const kane_model *model = e->model;
    kane_status status      = kane_load_eval(model, work, t, y);
    if (status != KANE_OK)
        return status;
    memset(e->Theta, 0, (size_t)e->values.speed_count * (size_t)e->values.speed_count * sizeof *e->Theta);
    find_forces(e, work);
    find_run_inertia(e, work); // the solution consumes it
    status = kane_accelerate_eval(model, work, e->ydot);
    if (status != KANE_OK)
        return status;
    e->t = t;
    memcpy(e->y, y, (size_t)model->state_count * sizeof *e->y);
    for (int c = 0; c < model->cluster_count; c++)
        find_cluster_inertia(e, work, c);
    for (int k = 0; k < e->values.speed_count; k++) {
        e->Q[k] = e->tree_Q[e->speed[k]];
        e->h[k] = e->Q[k] - e->tree_f[e->speed[k]];
    }
    find_rows(e, work);
    find_gaps(e, work);
    find_A(e, work, e->A);
    find_motion(e, work);
    find_C(e);
    reduce_to_independent(e);
    kane_work_copy(model, work, e->aside);
    return KANE_OK;
}

const kane_equation_values *kane_equations_get(const kane_equations *e)
{
    return &e->values;
}

// --- rates of coefficients ---

// A at y + way dy/dt, t + way. 0: no motion there.
static int evaluate_perturbed(kane_equations *e, double way, double *A)
{
    for (int i = 0; i < e->model->state_count; i++)
        e->y_aside[i] = e->y[i] + way * e->ydot[i];
    if (kane_motion_eval(e->model, e->aside, e->t + way, e->y_aside) != KANE_OK)
        return 0;
    find_A(e, e->aside, A);
    return 1;
}

// One more row of the table of extrapolated central differences (Ridders); keeps the value with the smallest estimated
// error.
static void extrapolate_difference(kane_equations *e, int step, double way)
{
    const size_t count = (size_t)e->values.speed_count * (size_t)e->values.independent_count;
    double *now = e->table + (step % 2 ? STEPS * count : 0), *before = e->table + (step % 2 ? 0 : STEPS * count);
    for (size_t i = 0; i < count; i++) {
        double gain    = shorter * shorter;
        now[i * STEPS] = (e->side[1][i] - e->side[0][i]) / (2.0 * way);
        if (step == 0) {
            e->A_rate[i]      = now[i * STEPS];
            e->uncertainty[i] = HUGE_VAL;
        }
        for (int j = 1; j <= step; j++, gain *= shorter * shorter) {
            const double shallow = now[i * STEPS + j - 1], old = before[i * STEPS + j - 1];
            const double deep   = (gain * shallow - old) / (gain - 1.0);
            const double unsure = fmax(fabs(deep - shallow), fabs(deep - old));
            now[i * STEPS + j]  = deep;
            if (unsure <= e->uncertainty[i]) {
                e->uncertainty[i] = unsure;
                e->A_rate[i]      = deep;
            }
        }
    }
}

// A first step over which A exists on both sides.
static double find_way(kane_equations *e)
{
    double fastest = 1.0;
    for (int i = e->model->travel_count; i < e->model->u_begin; i++)
        fastest = fmax(fastest, fabs(e->ydot[i]));
    double way = first_way / fastest;
    for (int i = 0; i < 30 && !(evaluate_perturbed(e, way, e->side[1]) && evaluate_perturbed(e, -way, e->side[0])); i++)
        way *= 0.5;
    return way;
}

// C_rate = G - A_rate u.
kane_status kane_get_coefficients(kane_equations *e, kane_coefficients *out)
{
    const int n = e->values.speed_count, m = e->values.independent_count;
    double way = find_way(e);
    for (int step = 0; step < STEPS && e->values.row_count > e->gap_count; step++, way /= shorter) {
        if (!evaluate_perturbed(e, way, e->side[1]) || !evaluate_perturbed(e, -way, e->side[0]))
            return KANE_NOT_SOLVED;
        extrapolate_difference(e, step, way);
    }
    for (int k = 0; k < n; k++) {
        e->C_rate[k] = e->G[k];
        for (int i = 0; i < m; i++)
            e->C_rate[k] -= e->A_rate[k * m + i] * e->u[i];
    }
    *out = (kane_coefficients){e->A, e->C, e->A_rate, e->C_rate};
    return KANE_OK;
}

// --- what they are ---

int kane_equations_state(const kane_equations *e, int independent)
{
    return e->state[independent];
}

int kane_equations_independent(const kane_equations *e, int independent)
{
    const kane_model *model = e->model;
    int c                   = 0;
    if (e->own[independent] >= 0)
        return e->own[independent];
    while (independent + model->u_begin >= model->cluster_u[c] + model->clusters[c].u_count)
        c++;
    const int *speeds = kane_cluster_independent(e->aside->cluster[c]);
    return e->local[speeds[independent + model->u_begin - model->cluster_u[c]]];
}

int kane_equations_speed(const kane_equations *e, int speed)
{
    return e->speed[speed];
}

int kane_equations_constraint(const kane_equations *e, int row, int *part)
{
    *part = e->part_of[row];
    return e->row_of[row];
}

void kane_equations_row_name(const kane_equations *e, int row, size_t size, char *name)
{
    const kane_model *model = e->model;
    if (e->row_of[row] >= 0) {
        (void)snprintf(name, size, "%s.%d", model->closures[e->row_of[row]].name, e->part_of[row] + 1);
        return;
    }
    const int wheels = e->part_of[row] / 2;
    (void)snprintf(name, size, "%s.%s", model->bodies[model->wheels[wheels].body].name,
                   e->part_of[row] % 2 ? "right" : "left");
}

const char *kane_model_constraint_name(const kane_model *model, int constraint)
{
    return model->closures[constraint].name;
}
