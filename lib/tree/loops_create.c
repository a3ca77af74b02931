// SPDX-License-Identifier: MIT
// A cluster, and the room that its evaluations take.

#include "tree/loops_work.h"

int kane_cluster_prepare(const kane_tree *tree, kane_cluster *cluster, kane_arena *arena)
{
    kane_cluster *c = cluster;
    int count       = 0;
    for (int i = 0; i < c->link_count; i++)
        count += tree->links[c->links[i]].v_count;
    c->v_count   = count;
    c->speeds    = kane_arena_alloc(arena, (size_t)count, sizeof *c->speeds);
    c->place     = kane_arena_alloc(arena, (size_t)tree->v_count, sizeof *c->place);
    c->row_begin = kane_arena_alloc(arena, (size_t)c->closure_count + 1, sizeof *c->row_begin);
    c->row_count = c->position_count = 0;
    if (kane_arena_failed(arena))
        return 0;
    for (int k = 0; k < tree->v_count; k++)
        c->place[k] = -1;
    for (int i = 0, k = 0; i < c->link_count; i++) {
        const kane_link *link = &tree->links[c->links[i]];
        for (int j = 0; j < link->v_count; j++) {
            c->place[link->v + j] = k;
            c->speeds[k++]        = link->v + j;
        }
    }
    for (int i = 0; i < c->closure_count; i++) {
        c->row_begin[i] = c->row_count;
        c->row_count += c->closures[i]->row_count;
        c->position_count += c->closures[i]->position_count;
    }
    c->row_begin[c->closure_count] = c->row_count;
    c->is_position                 = kane_arena_alloc(arena, (size_t)c->row_count, sizeof *c->is_position);
    c->kept                        = kane_arena_alloc(arena, (size_t)c->row_count, sizeof *c->kept);
    c->row_scale                   = kane_arena_alloc(arena, (size_t)c->row_count, sizeof *c->row_scale);
    c->undetermined                = kane_arena_alloc(arena, (size_t)c->row_count, sizeof *c->undetermined);
    c->link_undetermined           = kane_arena_alloc(arena, (size_t)c->link_count, sizeof *c->link_undetermined);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0; i < c->closure_count; i++)
        for (int k = 0; k < c->closures[i]->position_count; k++)
            c->is_position[c->row_begin[i] + k] = 1;
    return 1;
}

// Links of a cluster that follow each other are one run.
static int create_runs(const kane_cluster *cluster, kane_arena *arena, kane_cluster_work *s)
{
    s->runs = kane_arena_alloc(arena, (size_t)cluster->link_count, sizeof *s->runs);
    for (int i = 0; i < cluster->link_count && s->runs; i++) {
        const int link = cluster->links[i];
        if (i > 0 && s->runs[s->run_count - 1].end == link)
            s->runs[s->run_count - 1].end++;
        else
            s->runs[s->run_count++] = (kane_links){link, link + 1};
    }
    return s->runs != NULL;
}

// Loops with a closed form; what is none was reported when the model was made, and is left to Newton's method.
static void recognise(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s)
{
    for (int i = 0; i < cluster->closure_count; i++)
        if (cluster->closures[i]->closed != KANE_CLOSED_NONE)
            (void)kane_closed_recognise(tree, cluster->closures[i], &s->closed[i]);
}

static void create_coefficients(const kane_cluster *cluster, kane_arena *arena, kane_cluster_work *s)
{
    const size_t n = (size_t)cluster->v_count, m = (size_t)cluster->row_count;
    s->row            = kane_arena_alloc(arena, m, sizeof *s->row);
    s->column         = kane_arena_alloc(arena, n, sizeof *s->column);
    s->row_next       = kane_arena_alloc(arena, m, sizeof *s->row_next);
    s->column_next    = kane_arena_alloc(arena, n, sizeof *s->column_next);
    s->eliminated     = kane_arena_doubles(arena, m * n);
    s->LU             = kane_arena_doubles(arena, m * m);
    s->LU_position    = kane_arena_doubles(arena, m * m);
    s->pivot          = kane_arena_alloc(arena, m, sizeof *s->pivot);
    s->pivot_position = kane_arena_alloc(arena, m, sizeof *s->pivot_position);
    s->B              = kane_arena_doubles(arena, m * n);
    s->g              = kane_arena_doubles(arena, m);
    s->M              = kane_arena_doubles(arena, n * n);
    s->T              = kane_arena_doubles(arena, n * n);
    s->x              = kane_arena_doubles(arena, m + n);
    s->first          = kane_arena_alloc(arena, n, sizeof *s->first);
    s->lacks          = kane_arena_doubles(arena, m);
}

kane_cluster_work *kane_cluster_work_create(const kane_tree *tree, const kane_cluster *cluster, kane_arena *arena)
{
    const size_t n = (size_t)cluster->v_count, m = (size_t)cluster->row_count, links = (size_t)tree->link_count;
    kane_cluster_work *s = kane_arena_alloc(arena, 1, sizeof *s);
    if (!s || !create_runs(cluster, arena, s))
        return NULL;
    s->values      = kane_arena_alloc(arena, (size_t)cluster->closure_count, sizeof *s->values);
    s->closed      = kane_arena_alloc(arena, (size_t)cluster->closure_count, sizeof *s->closed);
    s->J           = kane_arena_doubles(arena, m * n);
    s->value       = kane_arena_doubles(arena, m);
    s->rate        = kane_arena_doubles(arena, m);
    s->bias        = kane_arena_doubles(arena, m);
    s->lambda      = kane_arena_doubles(arena, m);
    s->Theta       = kane_arena_doubles(arena, n * n);
    s->f           = kane_arena_doubles(arena, n);
    s->v_dot       = kane_arena_doubles(arena, n);
    s->scale       = kane_arena_doubles(arena, n);
    s->spatial     = kane_arena_alloc(arena, links, sizeof *s->spatial);
    s->wrench      = kane_arena_alloc(arena, links, sizeof *s->wrench);
    s->delta       = kane_arena_doubles(arena, (size_t)tree->v_count);
    s->dq          = kane_arena_doubles(arena, (size_t)tree->q_count);
    s->dependent   = kane_arena_alloc(arena, (size_t)tree->v_count, sizeof *s->dependent);
    s->independent = kane_arena_alloc(arena, n, sizeof *s->independent);
    s->unknown     = kane_arena_alloc(arena, (size_t)tree->v_count, sizeof *s->unknown);
    create_coefficients(cluster, arena, s);
    if (kane_arena_failed(arena) || !kane_cluster_sparse_create(tree, cluster, arena, s))
        return NULL;
    recognise(tree, cluster, s);
    return s;
}
