// SPDX-License-Identifier: MIT
// A step that is linearly implicit in creep and explicit in all else. With the accelerations a_w of the wheelsets of a
// group at their mass centres (6 numbers each), A those under unit wrenches there, B the slopes of creep wrenches by
// velocity and h the step,
//
//   a_w+ = a_w + A_r B h a_w+,    A_r = A - (A G) (P' A G)^-1 (P' A)
//
// Columns of P are the wrenches of unit normal forces, those of G have the change of creep forces as well: normal
// forces keep the gaps closed. They are evaluated at the position predicted with the speeds at the start, and such that
// gaps do not open with the new speeds: a flange contact within the step is the impulse that stops the approach,
// whatever its duration (J.-J. Moreau's time-stepping). The wrenches  w = B h a_w+  and  -G (P' A G)^-1 P' A w  are
// then applied to the tree. A is that of articulated bodies: it contains everything coupled by joints and constraints,
// but not by springs. On flexible track a_w is the acceleration against the rails: A has the response of panels, too.

#include "agem/rail_constraint.h"

#include "agem/bodies.h"
#include "base/machine.h"
#include "math/dense.h"
#include "math/small.h"

#include <string.h>

enum { SIX = 6 };

struct kane_relaxation {
    double **A_found; // of every group: accelerations under unit wrenches, as they were last found [36 * count^2]
    // scratch, of the largest group: m = 6 wheelsets, n = 2 wheelsets
    double *A, *system;               // [m * m]
    double (*tangents)[SIX][SIX];     // B, of each wheelset
    double *P, *G, *AG, *PA, *answer; // by gap: [6 * n] of its own wheelset each; [m * n], [n * m], [n * n]
    double *a, *w, *left;             // [m], [m], [n]
    int *pivot, *answer_pivot;        // [m], [n]
    kane_wrench *applied, *response;  // by link
    double *v_dot, *v, *back;         // of the tree; back: what speeds lack to close the gaps within the step
    double *y;                        // [states]
};

// NULL, or why this method does not apply to a model.
const char *kane_relaxation_obstacle(const kane_model *model)
{
    if (model->wheels_count == 0)
        return "there are no wheels on rails";
    for (int i = 0; i < model->wheels_count; i++)
        if (!kane_wheels_are_guided(&model->wheels[i]))
            return "wheels touch their rails elastically, which is as stiff as creep";
    return NULL;
}

kane_relaxation *kane_relaxation_create(const kane_model *model, kane_arena *arena)
{
    kane_relaxation *r = kane_arena_alloc(arena, 1, sizeof *r);
    if (!r)
        return NULL;
    size_t most = 1;
    r->A_found  = kane_arena_alloc(arena, (size_t)model->rails_count, sizeof *r->A_found);
    for (int k = 0; k < model->rails_count && r->A_found; k++) {
        const size_t count = (size_t)model->rails[k].count;
        r->A_found[k]      = kane_arena_doubles(arena, SIX * SIX * count * count);
        most               = count > most ? count : most;
    }
    const size_t m = SIX * most, n = 2 * most;
    r->A            = kane_arena_doubles(arena, m * m);
    r->system       = kane_arena_doubles(arena, m * m);
    r->tangents     = kane_arena_alloc(arena, most, sizeof *r->tangents);
    r->P            = kane_arena_doubles(arena, n * SIX);
    r->G            = kane_arena_doubles(arena, n * SIX);
    r->AG           = kane_arena_doubles(arena, m * n);
    r->PA           = kane_arena_doubles(arena, n * m);
    r->answer       = kane_arena_doubles(arena, n * n);
    r->a            = kane_arena_doubles(arena, m);
    r->w            = kane_arena_doubles(arena, m);
    r->left         = kane_arena_doubles(arena, n);
    r->back         = kane_arena_doubles(arena, (size_t)model->tree.v_count);
    r->pivot        = kane_arena_alloc(arena, m, sizeof *r->pivot);
    r->answer_pivot = kane_arena_alloc(arena, n, sizeof *r->answer_pivot);
    r->applied      = kane_arena_alloc(arena, (size_t)model->tree.link_count, sizeof *r->applied);
    r->response     = kane_arena_alloc(arena, (size_t)model->tree.link_count, sizeof *r->response);
    r->v_dot        = kane_arena_doubles(arena, (size_t)model->tree.v_count);
    r->v            = kane_arena_doubles(arena, (size_t)model->tree.v_count);
    r->y            = kane_arena_doubles(arena, (size_t)model->state_count);
    return kane_arena_failed(arena) ? NULL : r;
}

// Six numbers of a wrench: force, torque.
static void put_six(kane_wrench w, double *out)
{
    const double six[SIX] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
    memcpy(out, six, sizeof six);
}

// The wrench of six numbers.
static kane_wrench six_of(const double *x)
{
    return (kane_wrench){kv3(x[0], x[1], x[2]), kv3(x[3], x[4], x[5])};
}

// Accelerations of everything that is coupled under wrenches x at the mass centres of the wheelsets, frame axes, and
// under their reactions on panels, in the section of the left wheel: r->response, r->v_dot.
static void solve_wrench_response(const kane_model *model, const kane_work *work, const kane_rail_group *g,
                                  const double *x, kane_relaxation *r)
{
    kane_rail_group_clear(model, g, r->applied);
    for (int k = 0; k < g->count; k++) {
        const int i   = kane_wheels_link(model, g->wheels[k]);
        r->applied[i] = kane_link_about_origin(&model->tree.links[i], &work->tree.link[i], six_of(x + SIX * k));
        const kane_links panel = kane_panel_links(model, g->wheels[k]);
        if (panel.first < panel.end)
            r->applied[panel.first] = kane_rail_reaction(&work->wheels[g->wheels[k]], KANE_LEFT, six_of(x + SIX * k));
    }
    kane_rail_group_respond(model, work, g, 0, r->applied, r->response, r->v_dot);
}

// Against the rails, of which panels move.
static kane_wrench against_rails(const kane_model *model, const kane_work *work, int wheels, kane_wrench of_body,
                                 kane_wrench of_panel)
{
    return model->wheels[wheels].panel < 0 ? of_body
                                           : kane_rail_relative(&work->wheels[wheels], KANE_LEFT, of_body, of_panel);
}

// Accelerations of the wheelsets at their mass centres against the rails, out [6 * count], from r->response.
static void read_response(const kane_model *model, const kane_work *work, const kane_rail_group *g,
                          const kane_relaxation *r, double *out)
{
    for (int k = 0; k < g->count; k++) {
        const int i         = kane_wheels_link(model, g->wheels[k]);
        const kane_wrench a = kane_link_at_centre(&model->tree.links[i], &work->tree.link[i], r->response[i]);
        put_six(against_rails(model, work, g->wheels[k], a, r->response[kane_panel_links(model, g->wheels[k]).first]),
                out + SIX * k);
    }
}

// A [m * m], column by column: accelerations under unit wrenches.
static void find_inertia(const kane_model *model, const kane_work *work, const kane_rail_group *g, double *A,
                         kane_relaxation *r)
{
    const int m = SIX * g->count;
    for (int j = 0; j < m; j++) {
        memset(r->w, 0, (size_t)m * sizeof *r->w);
        r->w[j] = 1.0;
        solve_wrench_response(model, work, g, r->w, r);
        read_response(model, work, g, r, A + j * m);
    }
}

// P, G, B of every wheelset, and a_w. Needs kane_eval at the predicted position.
static kane_status find_forces(const kane_model *model, kane_work *work, const kane_rail_group *g, kane_relaxation *r)
{
    for (int k = 0; k < g->count; k++) {
        const int i               = g->wheels[k];
        const kane_wheels *wheels = &model->wheels[i];
        kane_wheels_state *w      = &work->wheels[i];
        const kane_body_state *b  = &work->body[wheels->body];
        kane_wrench gain[2];
        kane_body_kinematics_accelerations(model, work, kane_wheels_link(model, i));
        kane_wrench of_panel = {kv3_zero(), kv3_zero()};
        if (wheels->panel >= 0) {
            kane_body_kinematics_accelerations(model, work, model->bodies[wheels->panel].link);
            of_panel = (kane_wrench){work->body[wheels->panel].a, work->body[wheels->panel].e};
        }
        put_six(against_rails(model, work, i, (kane_wrench){b->a, b->e}, of_panel), r->a + SIX * k);
        kane_status status = kane_rail_constraint_linearise(wheels, w, gain);
        if (status == KANE_OK)
            status = kane_rail_constraint_derive_creep(wheels, w, r->tangents[k]);
        if (status != KANE_OK)
            return kane_rail_constraint_report(work, status, wheels, &model->bodies[wheels->body]);
        for (int side = 0; side < 2; side++) {
            put_six(w->guidance.direction[side], r->P + SIX * (2 * k + side));
            put_six(gain[side], r->G + SIX * (2 * k + side));
        }
    }
    return KANE_OK;
}

// a -= x b
static inline void subtract_scaled(int m, double x, const double *restrict b, double *restrict a)
{
    for (int i = 0; i < m; i++)
        a[i] -= x * b[i];
}

// out [m] = A(:, 0..5) x
static inline void combine_columns(int m, const double *restrict A, const double x[SIX], double *restrict out)
{
    for (int i = 0; i < m; i++)
        out[i] = (A[i] * x[0] + A[m + i] * x[1]) + (A[2 * m + i] * x[2] + A[3 * m + i] * x[3]) +
                 (A[4 * m + i] * x[4] + A[5 * m + i] * x[5]);
}

// A G [m * n], P' A [n * m], and the LU factors of P' A G [n * n]. A is symmetric. 0: singular.
KANE_WIDE static int find_answers(const kane_rail_group *g, kane_relaxation *r)
{
    const int m = SIX * g->count, n = 2 * g->count;
    for (int j = 0; j < n; j++) {
        const double *block = r->A + SIX * (j / 2) * m;
        combine_columns(m, block, r->G + SIX * j, r->AG + j * m);
        combine_columns(m, block, r->P + SIX * j, r->PA + j * m);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            r->answer[i * n + j] = kane_dot(SIX, r->P + SIX * i, r->AG + j * m + SIX * (i / 2));
    return kane_lu_factor(n, r->answer, r->answer_pivot);
}

// A <- A_r = A - (A G) (P' A G)^-1 P' A,   P' A <- (P' A G)^-1 P' A,   and the LU factors of 1 - h A_r B. 0: singular.
KANE_WIDE static int find_system(const kane_rail_group *g, double h, kane_relaxation *r)
{
    const int m = SIX * g->count, n = 2 * g->count;
    kane_lu_solve(n, r->answer, r->answer_pivot, m, r->PA);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            subtract_scaled(m, r->PA[j * m + i], r->AG + j * m, r->A + i * m);
    for (int k = 0; k < g->count; k++)
        for (int c = 0; c < SIX; c++) {
            double *column = r->system + (SIX * k + c) * m, slope[SIX];
            for (int d = 0; d < SIX; d++)
                slope[d] = -h * r->tangents[k][d][c];
            combine_columns(m, r->A + SIX * k * m, slope, column);
            column[SIX * k + c] += 1.0;
        }
    return kane_lu_factor(m, r->system, r->pivot);
}

// a_w+ = (1 - h A_r B)^-1 a_w,   w = h B a_w+ - G (P' A G)^-1 P' A (h B a_w+), into r->w.
static void find_wrenches(const kane_rail_group *g, double h, kane_relaxation *r)
{
    const int m = SIX * g->count, n = 2 * g->count;
    kane_lu_solve_transposed(m, r->system, r->pivot, r->a);
    for (int k = 0; k < g->count; k++)
        for (int d = 0; d < SIX; d++)
            r->w[SIX * k + d] = h * kane_dot(SIX, r->tangents[k][d], r->a + SIX * k);
    for (int i = 0; i < m; i++)
        r->a[i] = r->w[i];
    for (int j = 0; j < n; j++) {
        const double answer = -kane_dot(m, r->PA + j * m, r->a);
        for (int c = 0; c < SIX; c++)
            r->w[SIX * (j / 2) + c] += answer * r->G[SIX * j + c];
    }
}

// to += from, for the speeds of the group.
static void add_speeds(const kane_model *model, const kane_rail_group *g, const double *from, double *to)
{
    for (int k = 0; g->cluster >= 0 && k < model->clusters[g->cluster].v_count; k++)
        to[model->clusters[g->cluster].speeds[k]] += from[model->clusters[g->cluster].speeds[k]];
    for (int k = 0; k <= g->count && g->cluster < 0; k++) {
        const kane_links links = kane_rail_group_links(model, g, k);
        for (int i = links.first; i < links.end; i++)
            for (int v = model->tree.links[i].v; v < model->tree.links[i].v + model->tree.links[i].v_count; v++)
                to[v] += from[v];
    }
}

// Speeds that close the gaps within the step, added to r->back: response to  w = -G (P' A G)^-1 (gap/h - rate).
static void close_gaps(kane_relaxation *r, const kane_model *model, const kane_work *work, const kane_rail_group *g,
                       double h)
{
    const int n = 2 * g->count;
    for (int j = 0; j < n; j++) {
        const kane_guidance *at = &work->wheels[g->wheels[j / 2]].guidance;
        r->left[j]              = at->gap[j % 2] / h - at->rate[j % 2];
    }
    kane_lu_solve(n, r->answer, r->answer_pivot, 1, r->left);
    memset(r->w, 0, (size_t)(SIX * g->count) * sizeof *r->w);
    for (int j = 0; j < n; j++)
        for (int c = 0; c < SIX; c++)
            r->w[SIX * (j / 2) + c] -= r->left[j] * r->G[SIX * j + c];
    solve_wrench_response(model, work, g, r->w, r);
    add_speeds(model, g, r->v_dot, r->back);
}

// fresh  1: A is found anew, 0: that of an earlier step serves
static kane_status creep_step_group(kane_relaxation *r, const kane_model *model, kane_work *work, int k, double h,
                                    int fresh)
{
    const kane_rail_group *g = &model->rails[k];
    const kane_status status = find_forces(model, work, g, r);
    if (status != KANE_OK)
        return status;
    if (fresh)
        find_inertia(model, work, g, r->A_found[k], r);
    memcpy(r->A, r->A_found[k], (size_t)(SIX * SIX * g->count * g->count) * sizeof *r->A);
    if (!find_answers(g, r) || !find_system(g, h, r))
        return kane_work_fail(work, KANE_RETRY, model->bodies[model->wheels[g->wheels[0]].body].name,
                              "no normal forces keep its wheels on the rails");
    find_wrenches(g, h, r);
    solve_wrench_response(model, work, g, r->w, r);
    add_speeds(model, g, r->v_dot, work->tree.v_dot);
    if (!g->is_tabulated) // whose height and roll close the gaps
        close_gaps(r, model, work, g, h);
    return KANE_OK;
}

// r->y = y with coordinates and travel  q + h Q(q) v.
static void predict_positions(kane_relaxation *r, const kane_model *model, kane_work *work, double h, const double *y,
                              double *ydot)
{
    memcpy(r->y, y, (size_t)model->state_count * sizeof *y);
    kane_bodies_rates(model, work, ydot);
    for (int j = 0; j < model->body_count; j++)
        for (int q = model->bodies[j].q; q < model->bodies[j].q + model->bodies[j].q_count; q++)
            r->y[q] += h * ydot[q];
    if (model->travel_count)
        r->y[0] += h * work->v;
}

// ydot with q' = Q(q) (v + h v_dot + back): rates of coordinates at the new speeds.
static void speed_up(kane_relaxation *r, const kane_model *model, kane_work *work, double h, double *ydot)
{
    const int count = model->tree.v_count;
    memcpy(r->v, work->tree.v, (size_t)count * sizeof *r->v);
    for (int v = 0; v < count; v++)
        work->tree.v[v] += h * work->tree.v_dot[v] + r->back[v];
    kane_bodies_rates(model, work, ydot);
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *loops = &model->clusters[c];
        const int *from           = kane_cluster_independent(work->cluster[c]);
        for (int k = 0; k < loops->u_count; k++)
            ydot[model->cluster_u[c] + k] = work->tree.v_dot[from[k]];
    }
    memcpy(work->tree.v, r->v, (size_t)count * sizeof *r->v);
    if (kane_model_is_driven(model))
        ydot[0] += h * ydot[1];
}

// predict, evaluate at t + h, correct every group, rates at the new speeds.
kane_status kane_creep_step(kane_relaxation *r, const kane_model *model, kane_work *work, double t, double h, int fresh,
                            const double *y, double *ydot)
{
    predict_positions(r, model, work, h, y, ydot);
    work->gap_horizon = h;
    memset(r->back, 0, (size_t)model->tree.v_count * sizeof *r->back);
    kane_status status = kane_eval(model, work, t + h, r->y, ydot);
    for (int k = 0; k < model->rails_count && status == KANE_OK; k++)
        status = creep_step_group(r, model, work, k, h, fresh);
    work->gap_horizon = 0.0;
    if (status == KANE_OK)
        speed_up(r, model, work, h, ydot);
    return status;
}
