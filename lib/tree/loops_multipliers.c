// SPDX-License-Identifier: MIT
// The form of multipliers: sparse equations  [Theta Phi'; Phi 0] [x; -lambda] = [a; b]  by KLU.
//
// Where rows become dependent on each other for a moment (a four-bar whose links are all in line) these equations are
// singular, although the motion goes on. So the matrix that is factored has a small -e in place of the lower 0, and what
// this changes is taken away again by iterating on the residual of the true equations: with sigma^2 the size of a
// combination of rows, Phi Theta^-1 Phi' in scales of one, its error is  e / (e + sigma^2)  after a solution and the
// (k + 1)-th power of this after k iterations. That is nothing for all rows that are rows, and leaves those alone whose
// sigma^2 is far below e: they push nothing, and inertia carries the motion over. Their true push was sigma lambda, so
// that little is missing.
//
// Projection has a greater e. A displacement along such a combination is what is left over sigma, so that round-off in the
// place would turn the velocity towards another branch of the motion.

#include "tree/loops_work.h"

#include <string.h>

enum { REFINEMENTS = 2 };

// Speeds of a link that a row may have: those on its way to the frame, of a body with all six freedoms no further.
static void add_path(const kane_tree *tree, const kane_cluster *cluster, kane_pattern_entries *e, int row, int link)
{
    for (int i = link; i >= 0; i = tree->links[i].parent) {
        const kane_link *l = &tree->links[i];
        for (int k = 0; k < l->v_count; k++) {
            kane_pattern_add(e, row, cluster->place[l->v + k]);
            kane_pattern_add(e, cluster->place[l->v + k], row);
        }
        if (l->kind == KANE_LINK_BODY)
            break;
    }
}

static void add_row(const kane_tree *tree, const kane_cluster *cluster, kane_pattern_entries *e, int row,
                    const kane_closure *c)
{
    for (int side = 0; side < c->side_count; side++)
        if (c->side[side].link >= 0)
            add_path(tree, cluster, e, row, c->side[side].link);
    for (int k = 0; k < c->term_count; k++) {
        const kane_link *l = &tree->links[c->term[k].link];
        add_path(tree, cluster, e, row, c->term[k].link);
        if (l->kind == KANE_LINK_BODY && l->parent >= 0) // coordinates against the parent
            add_path(tree, cluster, e, row, l->parent);
    }
}

static kane_pattern *create_pattern(const kane_tree *tree, const kane_cluster *cluster)
{
    const int n             = cluster->v_count;
    kane_pattern_entries *e = kane_pattern_begin(n + cluster->row_count);
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *l = &tree->links[cluster->links[i]];
        for (int k = 0; k < l->v_count; k++)
            add_path(tree, cluster, e, cluster->place[l->v + k], cluster->links[i]);
    }
    for (int i = 0; i < cluster->closure_count; i++)
        for (int row = cluster->row_begin[i]; row < cluster->row_begin[i + 1]; row++)
            add_row(tree, cluster, e, n + row, cluster->closures[i]);
    return kane_pattern_finish(e);
}

// Pivots of the start, for good.
static int take_pivots(const kane_cluster *cluster, kane_cluster_work *s)
{
    if (!cluster->pivots)
        return 1;
    if (!kane_sparse_lu_pivot(s->lu, cluster->pivots))
        return 0;
    kane_sparse_lu_keep(s->lu);
    return 1;
}

int kane_cluster_sparse_create(const kane_tree *tree, const kane_cluster *cluster, kane_arena *arena,
                               kane_cluster_work *s)
{
    const size_t size = (size_t)cluster->v_count + (size_t)cluster->row_count;
    s->b              = kane_arena_doubles(arena, size);
    s->r              = kane_arena_doubles(arena, size);
    s->y              = kane_arena_doubles(arena, size);
    s->inverse        = kane_arena_doubles(arena, size);
    if ((s->pattern = create_pattern(tree, cluster)) != NULL) {
        s->K  = kane_arena_doubles(arena, (size_t)s->pattern->count);
        s->lu = kane_sparse_lu_create(s->pattern);
    }
    if (s->lu && !kane_arena_failed(arena) && take_pivots(cluster, s))
        return 1;
    kane_cluster_work_free(s);
    return 0;
}

void kane_cluster_work_free(kane_cluster_work *s)
{
    if (!s)
        return;
    kane_sparse_lu_free(s->lu);
    kane_pattern_free(s->pattern);
    s->lu      = NULL;
    s->pattern = NULL;
}

static double entry(const kane_cluster *cluster, const kane_cluster_work *s, int i, int k)
{
    const int n        = cluster->v_count;
    const double scale = s->inverse[i] * s->inverse[k];
    if (i < n && k < n)
        return scale * s->Theta[i * n + k];
    if (i < n)
        return scale * s->J[(k - n) * n + i];
    if (k < n)
        return scale * s->J[(i - n) * n + k];
    return i != k ? 0.0 : cluster->kept[i - n] ? -s->regularisation : -1.0;
}

// One over the scale of every speed and row; zero of rows that are not kept.
static void invert_scales(const kane_cluster *cluster, kane_cluster_work *s)
{
    for (int k = 0; k < cluster->v_count; k++)
        s->inverse[k] = 1.0 / s->scale[k];
    for (int i = 0; i < cluster->row_count; i++)
        s->inverse[cluster->v_count + i] = cluster->kept[i] ? 1.0 / cluster->row_scale[i] : 0.0;
}

int kane_cluster_sparse_factor(const kane_cluster *cluster, kane_cluster_work *s, double regularisation)
{
    const kane_pattern *p = s->pattern;
    s->regularisation     = regularisation;
    invert_scales(cluster, s);
    for (int k = 0; k < p->size; k++)
        for (int at = p->column_start[k]; at < p->column_start[k + 1]; at++)
            s->K[at] = entry(cluster, s, p->row[at], k);
    return kane_sparse_lu_factor(s->lu, s->K);
}

int kane_cluster_keep_pivots(kane_cluster *cluster, kane_cluster_work *s, kane_arena *arena)
{
    const size_t count = (size_t)s->pattern->count;
    if (cluster->form == KANE_FORM_COEFFICIENTS && !kane_cluster_sparse_factor(cluster, s, KANE_PROJECTION_LOOSE))
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

// r = b - (true matrix) y
static void find_residual(const kane_cluster *cluster, kane_cluster_work *s)
{
    const kane_pattern *p = s->pattern;
    for (int i = 0; i < p->size; i++)
        s->r[i] = s->b[i];
    for (int k = 0; k < p->size; k++)
        for (int at = p->column_start[k]; at < p->column_start[k + 1]; at++)
            s->r[p->row[at]] -= s->K[at] * s->y[k];
    for (int i = 0; i < cluster->row_count; i++)
        if (cluster->kept[i])
            s->r[cluster->v_count + i] -= s->regularisation * s->y[cluster->v_count + i];
}

void kane_cluster_sparse_solve(const kane_cluster *cluster, kane_cluster_work *s, const double *a, const double *b)
{
    const int n = cluster->v_count, size = n + cluster->row_count;
    for (int i = 0; i < size; i++)
        s->y[i] = s->b[i] = s->inverse[i] * (i >= n ? b[i - n] : a ? a[i] : 0.0);
    kane_sparse_lu_solve(s->lu, s->y);
    for (int pass = 0; pass < REFINEMENTS; pass++) {
        find_residual(cluster, s);
        kane_sparse_lu_solve(s->lu, s->r);
        for (int i = 0; i < size; i++)
            s->y[i] += s->r[i];
    }
    for (int i = 0; i < size; i++)
        s->y[i] *= i < n ? s->inverse[i] : -s->inverse[i];
}
