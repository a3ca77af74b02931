// SPDX-License-Identifier: MIT
// The form of multipliers: sparse equations  [Theta Phi'; Phi 0] [x; -lambda] = [a; b]  by KLU.
//
// Where rows become dependent on each other for a moment (a four-bar whose links are all in line) these equations are
// singular, although the motion continues. So the factored matrix has a small -e in place of the lower 0, and iteration
// on the residual of the true equations removes the change: with sigma^2 the size of a combination of rows,
// Phi Theta^-1 Phi' in scales of one, its relative error is  e/(e + sigma^2)  after a solution and the (k + 1)-th power
// of this after k iterations. For independent rows this is round-off. Combinations with sigma^2 far below e exert no
// force, and inertia carries the motion through. Their true force was sigma lambda, so the error is small.
//
// Projection has a larger e. A displacement along such a combination is residual/sigma: round-off of positions would
// turn the velocity towards another branch of the motion.

#include "tree/loops_derive.h"
#include "tree/loops_work.h"

#include <string.h>

enum { REFINEMENTS = 2 };

// Pattern of [Theta Phi'; Phi -e], [v_count + row_count] square; constant.
static kane_pattern *create_pattern(const kane_cluster *cluster)
{
    const int n             = cluster->v_count;
    kane_pattern_entries *e = kane_pattern_begin(n + cluster->row_count);
    for (int k = 0; k < cluster->theta_count; k++) {
        kane_pattern_add(e, cluster->theta_place[k].row, cluster->theta_place[k].column);
        kane_pattern_add(e, cluster->theta_place[k].column, cluster->theta_place[k].row);
    }
    for (int row = 0; row < cluster->row_count; row++)
        for (int k = cluster->coefficient_begin[row]; k < cluster->coefficient_begin[row + 1]; k++) {
            kane_pattern_add(e, n + row, cluster->coefficient_speed[k]);
            kane_pattern_add(e, cluster->coefficient_speed[k], n + row);
        }
    return kane_pattern_finish(e);
}

// Place of every entry of Theta and Phi in K, with its mirror image, and of -e. 0: memory is short.
static int find_places(kane_arena *arena, kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    const int n = cluster->v_count, m = cluster->row_count;
    const kane_pattern *p = s->pattern;
    s->theta_at           = kane_arena_alloc(arena, 2 * (size_t)cluster->theta_count, sizeof *s->theta_at);
    s->J_at               = kane_arena_alloc(arena, 2 * (size_t)cluster->coefficient_begin[m], sizeof *s->J_at);
    s->corner_at          = kane_arena_alloc(arena, (size_t)m, sizeof *s->corner_at);
    if (kane_arena_failed(arena))
        return 0;
    for (int k = 0; k < cluster->theta_count; k++) {
        s->theta_at[2 * k]     = kane_pattern_find(p, cluster->theta_place[k].row, cluster->theta_place[k].column);
        s->theta_at[2 * k + 1] = kane_pattern_find(p, cluster->theta_place[k].column, cluster->theta_place[k].row);
    }
    for (int row = 0; row < m; row++) {
        s->corner_at[row] = kane_pattern_find(p, n + row, n + row);
        for (int k = cluster->coefficient_begin[row]; k < cluster->coefficient_begin[row + 1]; k++) {
            s->J_at[2 * k]     = kane_pattern_find(p, n + row, cluster->coefficient_speed[k]);
            s->J_at[2 * k + 1] = kane_pattern_find(p, cluster->coefficient_speed[k], n + row);
        }
    }
    return 1;
}

// Takes the pivots of the start for all factorisations, so that results do not depend on earlier ones.
static int store_pivots(kane_cluster_work *s)
{
    if (!s->cluster->pivots)
        return 1;
    if (!kane_sparse_lu_pivot(s->lu, s->cluster->pivots))
        return 0;
    kane_sparse_lu_keep(s->lu);
    return 1;
}

int kane_cluster_sparse_create(kane_arena *arena, kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    const size_t size           = (size_t)cluster->v_count + (size_t)cluster->row_count;
    s->b                        = kane_arena_doubles(arena, size);
    s->r                        = kane_arena_doubles(arena, size);
    s->y                        = kane_arena_doubles(arena, size);
    s->inverse                  = kane_arena_doubles(arena, size);
    if ((s->pattern = create_pattern(cluster)) != NULL) {
        s->K  = kane_arena_doubles(arena, (size_t)s->pattern->count);
        s->lu = kane_sparse_lu_create(s->pattern);
    }
    return s->lu && !kane_arena_failed(arena) && find_places(arena, s) && store_pivots(s);
}

// 1/scale of every speed and row [v_count + row_count]; zero of rows that are not kept.
static void invert_scales(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    for (int k = 0; k < cluster->v_count; k++)
        s->inverse[k] = 1.0 / s->scale[k];
    for (int i = 0; i < cluster->row_count; i++)
        s->inverse[cluster->v_count + i] = cluster->kept[i] ? 1.0 / cluster->row_scale[i] : 0.0;
}

// K = D [Theta Phi'; Phi 0] D with -e on the diagonal of the rows, D the inverse scales; -1 of rows that are not kept.
int kane_cluster_sparse_factor(kane_cluster_work *s, double regularisation)
{
    const kane_cluster *cluster = s->cluster;
    s->regularisation           = regularisation;
    invert_scales(s);
    for (int k = 0; k < cluster->theta_count; k++) {
        const kane_theta_place at = cluster->theta_place[k];
        s->K[s->theta_at[2 * k]]  = s->K[s->theta_at[2 * k + 1]] =
            s->inverse[at.row] * s->inverse[at.column] * s->theta[k];
    }
    for (int row = 0; row < cluster->row_count; row++) {
        const double over       = s->inverse[cluster->v_count + row];
        s->K[s->corner_at[row]] = cluster->kept[row] ? -regularisation : -1.0;
        for (int k = cluster->coefficient_begin[row]; k < cluster->coefficient_begin[row + 1]; k++)
            s->K[s->J_at[2 * k]] = s->K[s->J_at[2 * k + 1]] =
                over * s->inverse[cluster->coefficient_speed[k]] * s->J[k];
    }
    return kane_sparse_lu_factor(s->lu, s->K);
}

int kane_cluster_keep_pivots(kane_cluster *cluster, kane_cluster_work *s, kane_arena *arena)
{
    const size_t count = (size_t)s->pattern->count;
    if (cluster->form == KANE_FORM_COEFFICIENTS && !kane_cluster_sparse_factor(s, KANE_PROJECTION_LOOSE))
        return !kane_cluster_lacks_memory(s);
    cluster->pivots = kane_arena_doubles(arena, count);
    if (cluster->pivots)
        memcpy(cluster->pivots, s->K, count * sizeof *s->K);
    return cluster->pivots != NULL;
}

int kane_cluster_lacks_memory(const kane_cluster_work *s)
{
    return s->lu && kane_sparse_lu_lacks_memory(s->lu);
}

// r = b - (true matrix) y:  that of K, plus the e of the regularisation.
static void find_residual(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    const kane_pattern *p       = s->pattern;
    for (int i = 0; i < p->size; i++)
        s->r[i] = s->b[i];
    for (int k = 0; k < p->size; k++)
        for (int at = p->column_start[k]; at < p->column_start[k + 1]; at++)
            s->r[p->row[at]] -= s->K[at] * s->y[k];
    for (int i = 0; i < cluster->row_count; i++)
        if (cluster->kept[i])
            s->r[cluster->v_count + i] -= s->regularisation * s->y[cluster->v_count + i];
}

// Scaled: y = K^-1 b, then REFINEMENTS times  y += K^-1 (b - (true K) y).
void kane_cluster_sparse_solve(kane_cluster_work *s, const double *a, const double *b)
{
    const int n = s->cluster->v_count, size = n + s->cluster->row_count;
    for (int i = 0; i < size; i++)
        s->y[i] = s->b[i] = s->inverse[i] * (i >= n ? b[i - n] : a ? a[i] : 0.0);
    kane_sparse_lu_solve(s->lu, s->y);
    for (int pass = 0; pass < REFINEMENTS; pass++) {
        find_residual(s);
        kane_sparse_lu_solve(s->lu, s->r);
        for (int i = 0; i < size; i++)
            s->y[i] += s->r[i];
    }
    for (int i = 0; i < size; i++)
        s->y[i] *= i < n ? s->inverse[i] : -s->inverse[i];
}

// --- projection of a state onto the constraints: the smallest displacement, then the smallest change of speeds, in
// kinetic
// energy:  Theta dv = Phi' lambda,  Phi dv = -residual  (docs/mechanisms.md, section 5) ---

enum { MOST_ITERATIONS = 20 };

// After a step of this size the residual is round-off [m], [rad]; a larger final residual is a failure [m], [rad].
static const double last_step = 1e-9, most_left = 1e-9;

static int factor_for_projection(kane_cluster_work *s)
{
    return kane_cluster_sparse_factor(s, KANE_PROJECTION_LOOSE);
}

// dv = Theta^-1 Phi' (Phi Theta^-1 Phi')^-1 (-left) in scratch->y, left [row_count]. Returns its largest component;
// infinite if not finite.
static double solve_correction(kane_cluster_work *s, const double *left)
{
    double most = 0.0;
    for (int i = 0; i < s->cluster->row_count; i++)
        s->g[i] = -left[i];
    kane_cluster_sparse_solve(s, NULL, s->g);
    for (int k = 0; k < s->cluster->v_count; k++) {
        if (!isfinite(s->y[k]))
            return HUGE_VAL;
        most = fmax(most, fabs(s->y[k]));
    }
    return most;
}

// Motion, Theta, scales and rows at the state in work.
static void evaluate_rows(kane_cluster_work *s)
{
    kane_cluster_move(s);
    kane_cluster_theta(s);
    kane_cluster_scale(s);
    kane_cluster_rows(s);
}

// max |Phi|
static double most_open(const kane_cluster_work *s)
{
    double most = 0.0;
    for (int i = 0; i < s->cluster->row_count; i++)
        most = fmax(most, fabs(s->value[i]));
    return most;
}

// Newton's method for coordinates, then one linear step for speeds.
int kane_cluster_project(kane_cluster_work *s)
{
    double step = HUGE_VAL;
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        evaluate_rows(s);
        if (step <= last_step)
            break;
        step = factor_for_projection(s) ? solve_correction(s, s->value) : HUGE_VAL;
        if (!isfinite(step))
            return 0;
        kane_cluster_shift(s, s->y);
    }
    if (!(most_open(s) <= most_left) || !factor_for_projection(s) || !isfinite(solve_correction(s, s->rate)))
        return 0;
    for (int k = 0; k < s->cluster->v_count; k++)
        s->e.work->v[s->cluster->speeds[k]] += s->y[k];
    kane_cluster_move(s);
    return 1;
}

// [Theta Phi'; Phi 0] [dv; -lambda] = [J' impulse; 0], rods included in Theta.
int kane_cluster_apply_impulse(kane_cluster_work *s, const kane_wrench *impulse)
{
    const kane_cluster *cluster = s->cluster;
    kane_cluster_theta(s);
    kane_cluster_scale(s);
    kane_cluster_rows(s);
    if (!factor_for_projection(s))
        return 0;
    memset(s->f, 0, (size_t)cluster->v_count * sizeof *s->f);
    memset(s->g, 0, (size_t)cluster->row_count * sizeof *s->g);
    for (int i = 0; i < cluster->link_count; i++)
        kane_tree_spread_wrench(s->e.tree, cluster->place, s->e.work, cluster->links[i], -1, impulse[cluster->links[i]],
                                s->f);
    kane_cluster_sparse_solve(s, s->f, s->g);
    memcpy(s->v_dot, s->y, (size_t)cluster->v_count * sizeof *s->v_dot);
    return 1;
}

// The changes of speeds of the last kane_cluster_apply_impulse.
void kane_cluster_impulse_response(const kane_cluster_work *s)
{
    for (int k = 0; k < s->cluster->v_count; k++)
        s->e.work->v_dot[s->cluster->speeds[k]] = s->v_dot[k];
}

// Change of the rates of all rows, out [row_count], for a change of the states [state_count].
static void change_of_rates(const kane_cluster *cluster, const kane_cluster_derivative *d, const double *change,
                            double *out)
{
    for (int i = 0; i < cluster->row_count; i++) {
        const kane_constraint_row_set_reading *r = d->reading_of[i];
        out[i]                                   = 0.0;
        for (int k = 0; k < r->moving_count; k++)
            out[i] += d->rate[i * d->state_count + r->moving[k]] * change[r->moving[k]];
    }
}

// Derivative P of kane_cluster_project at a consistent state, by columns: only the residual changes, not the
// correction's matrix,
//   dq = (1 - Q Theta^-1 Phi' (Phi Theta^-1 Phi')^-1 dPhi/dq) dq_0
//
// and the same of speeds, with the derivatives of the rates by all states.
int kane_cluster_derive_projection(kane_cluster_work *s, const kane_cluster_derivative *d, double *P)
{
    const kane_cluster *cluster = s->cluster;
    const int n = d->state_count, v_count = cluster->v_count;
    double *left = d->dphi;
    evaluate_rows(s);
    if (!factor_for_projection(s))
        return 0;
    memset(P, 0, (size_t)n * (size_t)n * sizeof *P);
    for (int c = 0; c < n; c++) {
        double *column = P + (size_t)c * (size_t)n;
        column[c]      = 1.0;
        for (int i = 0; i < cluster->row_count; i++)
            left[i] = d->value[i * n + c];
        if (!isfinite(solve_correction(s, left)))
            return 0;
        for (int k = 0; k < d->q_count; k++)
            for (int n_speed = 0; n_speed < d->rates[k].count; n_speed++)
                column[k] += d->rates[k].slope[n_speed] * s->y[d->rates[k].speed[n_speed]];
        change_of_rates(cluster, d, column, left);
        if (!isfinite(solve_correction(s, left)))
            return 0;
        for (int v = 0; v < v_count; v++)
            column[d->q_count + v] += s->y[v];
    }
    return 1;
}
