// SPDX-License-Identifier: MIT
// What the derivatives of joined bodies know beforehand: who feels whom, and which entries there are.

#include "agem/derive_parts.h"

// Places of coordinates and speeds in y, runs and groups of links.
static void index_links(kane_derivative *d)
{
    const kane_model *model = d->model;
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        const kane_body *body = &model->bodies[model->link_body[i]];
        for (int k = 0; k < link->q_count; k++)
            d->q_place[link->q + k] = body->q + k;
        for (int k = 0; k < link->v_count; k++)
            d->v_place[link->v + k] = -1;
        for (int k = 0; k < body->u_count; k++)
            d->v_place[link->v + (link->alone ? body->component[k] : k)] = body->u + k;
        const int coupled = link->parent >= 0 && link->kind != KANE_LINK_BODY;
        d->root_of[i]     = coupled ? d->root_of[link->parent] : i;
        d->run_of[i]      = -1;
        d->cluster_of[i]  = -1;
    }
    for (int c = 0; c < model->cluster_count; c++)
        for (int k = 0; k < model->clusters[c].link_count; k++)
            d->cluster_of[model->clusters[c].links[k]] = c;
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        for (int k = 0; k < link->q_count; k++)
            d->state_cluster[link->q + k] = d->cluster_of[i];
        for (int k = 0; k < link->v_count; k++)
            d->state_cluster[model->tree.q_count + link->v + k] = d->cluster_of[i];
    }
    for (int r = 0; r < model->run_count; r++)
        for (int i = model->runs[r].first; i < model->runs[r].end; i++)
            d->run_of[i] = r;
}

static int is_watched(const kane_model *model, int link)
{
    for (int k = 0; k < model->watched_count; k++)
        if (model->watched[k] == link)
            return 1;
    return 0;
}

// Pairs of links whose wrenches depend on each other.
static void find_pairs(kane_derivative *d)
{
    const kane_model *model = d->model;
    for (int p = 0; p < model->pair_count; p++) {
        const int row = model->bodies[model->pairs[p].row].link, column = model->bodies[model->pairs[p].column].link;
        if (row == column && !is_watched(model, row))
            continue;
        d->pairs[d->pair_count]     = (kane_link_pair){row, column};
        d->pair_of[d->pair_count++] = p;
    }
}

static int allocate(kane_derivative *d, kane_arena *arena)
{
    const kane_model *model = d->model;
    const size_t links = (size_t)model->tree.link_count, pairs = (size_t)model->pair_count;
    const size_t q = (size_t)model->tree.q_count, v = (size_t)model->tree.v_count;
    d->wrench        = kane_arena_alloc(arena, pairs, sizeof *d->wrench);
    d->states        = kane_arena_alloc(arena, (size_t)model->remembering_count, sizeof *d->states);
    d->guided        = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *d->guided);
    d->pairs         = kane_arena_alloc(arena, pairs, sizeof *d->pairs);
    d->pair_of       = kane_arena_alloc(arena, pairs, sizeof *d->pair_of);
    d->gradients     = kane_arena_alloc(arena, pairs, sizeof *d->gradients);
    d->acting        = kane_arena_alloc(arena, links, sizeof *d->acting);
    d->push          = kane_arena_alloc(arena, links, sizeof *d->push);
    d->answer        = kane_arena_alloc(arena, links, sizeof *d->answer);
    d->tangent       = kane_arena_alloc(arena, links, sizeof *d->tangent);
    d->v_dot         = kane_arena_alloc(arena, v, sizeof *d->v_dot);
    d->q_place       = kane_arena_alloc(arena, q, sizeof *d->q_place);
    d->v_place       = kane_arena_alloc(arena, v, sizeof *d->v_place);
    d->run_of        = kane_arena_alloc(arena, links, sizeof *d->run_of);
    d->root_of       = kane_arena_alloc(arena, links, sizeof *d->root_of);
    d->cluster_of    = kane_arena_alloc(arena, links, sizeof *d->cluster_of);
    d->state_cluster = kane_arena_alloc(arena, q + v, sizeof *d->state_cluster);
    d->clusters      = kane_arena_alloc(arena, (size_t)model->cluster_count, sizeof *d->clusters);
    d->felt          = kane_arena_alloc(arena, (size_t)model->cluster_count, sizeof *d->felt);
    d->felt_count    = kane_arena_alloc(arena, (size_t)model->cluster_count, sizeof *d->felt_count);
    d->row           = kane_arena_alloc(arena, q + v, sizeof *d->row);
    d->row_states    = kane_arena_alloc(arena, q + v, sizeof *d->row_states);
    d->row_values    = kane_arena_alloc(arena, 6 * (q + v), sizeof *d->row_values);
    d->du_dot        = kane_arena_alloc(arena, v, sizeof *d->du_dot);
    return !kane_arena_failed(arena);
}

kane_derivative *kane_derivative_create(const kane_model *model, kane_arena *arena)
{
    kane_derivative *d = kane_arena_alloc(arena, 1, sizeof *d);
    if (!d)
        return NULL;
    d->model = model;
    if (!allocate(d, arena))
        return NULL;
    index_links(d);
    find_pairs(d);
    d->map = kane_derive_map_create(&model->tree, model->runs, model->run_count, d->pairs, d->pair_count, arena);
    if (!d->map || !kane_rails_index(d, arena))
        return NULL;
    d->sweep = kane_derive_work_create(d->map, arena);
    d->rates = kane_rates_map_create(d->map, arena);
    if (!d->rates)
        return NULL;
    d->rates_values = kane_arena_alloc(arena, kane_rates_map_values(d->rates), sizeof *d->rates_values);
    d->map_values   = kane_arena_alloc(arena, kane_derive_map_values(d->map), sizeof *d->map_values);
    for (int c = 0; c < model->cluster_count; c++) {
        d->clusters[c]   = kane_cluster_derivative_create(&model->tree, &model->clusters[c], arena);
        d->felt_count[c] = kane_derive_find_felt(d, c, NULL);
        d->felt[c]       = kane_arena_alloc(arena, (size_t)d->felt_count[c], sizeof *d->felt[c]);
        if (d->felt[c])
            (void)kane_derive_find_felt(d, c, d->felt[c]);
    }
    if (kane_arena_failed(arena))
        return NULL;
    kane_derive_walk(d);
    d->entry_count = d->next;
    d->entries     = kane_arena_alloc(arena, (size_t)d->entry_count, sizeof *d->entries);
    if (kane_arena_failed(arena))
        return NULL;
    kane_derive_walk(d);
    return d;
}

int kane_derivative_entry_count(const kane_derivative *d)
{
    return d->entry_count;
}

const kane_entry *kane_derivative_entries(const kane_derivative *d)
{
    return d->entries;
}
