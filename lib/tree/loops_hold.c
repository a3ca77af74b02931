// SPDX-License-Identifier: MIT
// Steps of an assembly: what may change, and the step that closes rows best.

#include "math/least_squares.h"
#include "tree/loops_assemble.h"

#include <string.h>

// Singular values below this part of the greatest are none.
static const double no_direction = 1e-10;

// Rows below this part of the greatest are not brought to its size: they may be round-off.
static const double smallest_row = 1e-10;

int kane_assembler_create(kane_assembler *a)
{
    const size_t n = (size_t)a->cluster->v_count, m = (size_t)a->cluster->row_count, q = (size_t)a->tree->q_count;
    a->fixed    = kane_arena_alloc(a->arena, n, sizeof *a->fixed);
    a->held_q   = kane_arena_alloc(a->arena, q, sizeof *a->held_q);
    a->held_row = kane_arena_alloc(a->arena, q, sizeof *a->held_row);
    a->H        = kane_arena_doubles(a->arena, q * n);
    a->G        = kane_arena_doubles(a->arena, m * n);
    a->left     = kane_arena_doubles(a->arena, m);
    a->A        = kane_arena_doubles(a->arena, (m + n) * n);
    a->x        = kane_arena_doubles(a->arena, m + n);
    a->dv       = kane_arena_doubles(a->arena, n);
    a->q        = kane_arena_doubles(a->arena, q);
    a->try      = kane_arena_doubles(a->arena, q);
    a->random   = kane_random_start(1, 0);
    return !kane_arena_failed(a->arena);
}

void kane_assembler_hold_coordinates(kane_assembler *a, const int *held_q)
{
    const kane_cluster *c = a->cluster;
    a->held_count         = 0;
    memset(a->fixed, 0, (size_t)c->v_count * sizeof *a->fixed);
    memset(a->held_q, 0, (size_t)a->tree->q_count * sizeof *a->held_q);
    for (int i = 0; i < c->link_count && held_q; i++) {
        const kane_link *l = &a->tree->links[c->links[i]];
        for (int k = 0; k < l->q_count; k++) {
            if (!held_q[l->q + k])
                continue;
            a->held_q[l->q + k] = 1;
            if (l->kind == KANE_LINK_BODY)
                a->held_row[a->held_count++] = l->q + k;
            else if (l->kind == KANE_LINK_STEPS && l->step[k].mode == KANE_STEP_FREE)
                a->fixed[c->place[l->step[k].v]] = 1;
            for (int axis = 0; axis < 3 && l->kind == KANE_LINK_BALL; axis++)
                a->fixed[c->place[l->v + axis]] = 1;
        }
    }
}

void kane_assembler_hold_speeds(kane_assembler *a, const int *held_v)
{
    a->held_count = 0;
    for (int k = 0; k < a->cluster->v_count; k++)
        a->fixed[k] = held_v && held_v[a->cluster->speeds[k]];
}

// y less its part along direction h.
static void leave_out(int n, const double *h, double *y)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += h[k] * y[k];
    for (int k = 0; k < n; k++)
        y[k] -= sum * h[k];
}

static double length(int n, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += y[k] * y[k];
    return sqrt(sum);
}

// Directions that would change a held coordinate: its rates for a unit of every speed, made orthonormal.
static void find_directions(kane_assembler *a)
{
    const int n        = a->cluster->v_count;
    a->direction_count = 0;
    for (int k = 0; k < n && a->held_count > 0; k++) {
        memset(a->dv, 0, (size_t)n * sizeof *a->dv);
        a->dv[k] = a->fixed[k] ? 0.0 : 1.0 / a->s->scale[k];
        kane_cluster_spread(a->tree, a->cluster, a->s, a->dv, a->work);
        for (int i = 0; i < a->held_count; i++)
            a->H[i * n + k] = a->s->dq[a->held_row[i]];
    }
    for (int i = 0; i < a->held_count; i++) {
        double *h = a->H + a->direction_count * n;
        memmove(h, a->H + i * n, (size_t)n * sizeof *h);
        const double before = length(n, h);
        for (int twice = 0; twice < 2; twice++)
            for (int k = 0; k < a->direction_count; k++)
                leave_out(n, a->H + k * n, h);
        const double size = length(n, h);
        if (!(size > no_direction * before))
            continue;
        for (int k = 0; k < n; k++)
            h[k] /= size;
        a->direction_count++;
    }
}

double kane_assembler_look(kane_assembler *a, int rates)
{
    const kane_cluster *c = a->cluster;
    const int n           = c->v_count;
    double sum            = 0.0;
    kane_cluster_move(a->tree, a->s, a->bases, a->work);
    kane_cluster_theta(a->tree, c, a->s, a->work);
    kane_cluster_scale(c, a->s);
    kane_cluster_rows(a->tree, c, a->s, a->frames, a->bases, a->work);
    if (!kane_cluster_finite(c, a->s))
        return HUGE_VAL;
    find_directions(a);
    for (int i = 0; i < c->row_count; i++) {
        double *g  = a->G + i * n;
        a->left[i] = rates ? a->s->rate[i] : a->s->value[i];
        sum += a->left[i] * a->left[i];
        for (int k = 0; k < n; k++)
            g[k] = a->fixed[k] || (!rates && !c->is_position[i]) ? 0.0 : a->s->J[i * n + k] / a->s->scale[k];
        for (int k = 0; k < a->direction_count; k++)
            leave_out(n, a->H + k * n, g);
    }
    return sqrt(sum);
}

// Rows in scales of one: those between heavy bodies count as much as those that move light ones. A row that hardly depends
// on anything stays small.
static void even_rows(kane_assembler *a, int rows)
{
    const int m = a->cluster->row_count, n = a->cluster->v_count;
    double most = 0.0;
    for (int i = 0; i < m; i++)
        most = fmax(most, length(n, a->G + i * n));
    for (int i = 0; i < m && most > 0.0; i++) {
        const double over = 1.0 / fmax(length(n, a->G + i * n), smallest_row * most);
        for (int k = 0; k < n; k++)
            a->A[k * rows + i] *= over;
        a->x[i] *= over;
    }
}

double kane_assembler_step(kane_assembler *a, double damping)
{
    const int m = a->cluster->row_count, n = a->cluster->v_count, rows = m + n;
    double most = 0.0;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < m; i++)
            a->A[k * rows + i] = a->G[i * n + k];
        for (int i = 0; i < n; i++)
            a->A[k * rows + m + i] = i == k ? damping : 0.0;
    }
    for (int i = 0; i < rows; i++)
        a->x[i] = i < m ? -a->left[i] : 0.0;
    if (a->even)
        even_rows(a, rows);
    const int failed = n == 0 ? 1 : kane_least_squares(rows, n, a->A, a->x, no_direction);
    a->no_memory     = a->no_memory || failed == -1;
    if (failed)
        memset(a->x, 0, (size_t)rows * sizeof *a->x);
    for (int k = 0; k < n; k++) {
        a->dv[k] = a->fixed[k] ? 0.0 : a->x[k] / a->s->scale[k];
        most     = fmax(most, fabs(a->dv[k]));
    }
    return most;
}

void kane_assembler_scatter(kane_assembler *a, double size)
{
    const int n = a->cluster->v_count;
    for (int k = 0; k < n; k++)
        a->x[k] = a->fixed[k] ? 0.0 : (2.0 * kane_random_even(&a->random) - 1.0) * size * a->s->scale[k];
    for (int k = 0; k < a->direction_count; k++)
        leave_out(n, a->H + k * n, a->x);
    for (int k = 0; k < n; k++)
        a->dv[k] = a->x[k] / a->s->scale[k];
}

void kane_assembler_shift(kane_assembler *a)
{
    const size_t q = (size_t)a->tree->q_count;
    memcpy(a->try, a->work->q, q * sizeof *a->try);
    kane_cluster_shift(a->tree, a->cluster, a->s, a->dv, a->work);
    for (size_t i = 0; i < q; i++)
        if (a->held_q[i])
            a->work->q[i] = a->try[i];
}
