// SPDX-License-Identifier: MIT
// The states of the tree as they follow from y: D = d(states)/dy, and the emission of rows through it.
//
// A row of the Jacobian is known by states of the tree (coordinates and speeds of all links). Most of these are entries
// of y. Others follow from a *block* of columns of y, with a row of slopes each: states of a cluster from the columns
// of the cluster, points of a deformable body from its modes, height and roll of a wheelset guided by tables from its
// other states. So
//
//   d(row)/dy = sum over states  d(row)/d(state) D(state)
//
// is one entry for every state in y, and one sum for every block that occurs.

#include "agem/derive_parts.h"

#include "base/machine.h"
#include "tree/flex.h"

#include <string.h>

static kane_column_block *add_block(kane_derivative *d, int count, kane_arena *arena)
{
    kane_column_block *b = &d->blocks[d->block_count++];
    b->count             = count;
    b->columns           = kane_arena_alloc(arena, (size_t)count, sizeof *b->columns);
    b->sum               = kane_arena_doubles(arena, (size_t)count + 1);
    return b;
}

// A row of D that stays.
static void set_row(kane_derivative *d, int state, int block, kane_slope_span own)
{
    d->D[state] = (kane_state_slopes){block, &d->D[state].own, own};
}

// --- clusters ---

// The block of a cluster: its columns of y; rows of D are those of `direction`.
static void map_cluster(kane_derivative *d, int c, kane_arena *arena)
{
    const kane_cluster_derivative *own = d->clusters[c];
    kane_column_block *b               = add_block(d, own->column_count, arena);
    b->active_of                       = own->active_of;
    for (int k = 0; k < own->column_count && b->columns; k++)
        b->columns[k] = kane_derive_column(d, c, k);
    for (int i = 0; i < own->state_count + own->follower_count; i++)
        d->D[own->states[i]] = (kane_state_slopes){.block = d->block_count - 1, .row = &own->direction[i]};
}

// --- deformable bodies that are in no cluster: the coordinates of their modes, then the speeds ---

// The block of a deformable body: coordinates of its modes, then speeds; points have  z = G q, z' = G q'.
static void map_modes(kane_derivative *d, const kane_flex *flex, kane_arena *arena)
{
    const int block = d->block_count, n = flex->count, v = d->model->tree.q_count + flex->v;
    kane_column_block *b = add_block(d, 2 * n, arena);
    for (int k = 0; k < n && b->columns; k++) {
        b->columns[k]     = d->q_place[flex->q + k];
        b->columns[n + k] = d->q_place[v + k];
        set_row(d, flex->q + k, block, (kane_slope_span){.first = k});
        set_row(d, v + k, block, (kane_slope_span){.first = n + k});
    }
    for (int m = 0; m < flex->member_count; m++)
        for (int c = 0; c < 12; c++) {
            const int state = kane_derive_state_of(d, flex->members[m], c);
            set_row(d, state, block, (kane_slope_span){c < 6 ? 0 : n, n, kane_derive_map_share(d->map, state).G});
        }
}

// --- wheelsets that tables guide ---

// The block of a wheelset guided by tables: z, roll, v_z, w_x have slopes by the other states.
static void map_tables(kane_derivative *d, const kane_rails_map *r, kane_arena *arena)
{
    const int block = d->block_count, link = kane_wheels_link(d->model, r->of->wheels[0]);
    kane_column_block *b = add_block(d, r->column_count, arena);
    for (int k = 0; k < r->column_count && b->columns; k++)
        b->columns[k] = d->q_place[r->state[k]];
    for (int local = 0; local < KANE_BODY_STATES; local++) {
        const int column = r->column[local], state = kane_derive_state_of(d, link, local);
        if (column < 0)
            set_row(d, state, block, (kane_slope_span){0, r->column_count, r->slope[-1 - column]});
        else // no column: into the unused last sum
            set_row(d, state, block, (kane_slope_span){.first = column < b->count ? column : b->count});
    }
}

// --- all of them ---

// D: entry of y by default; then tables, deformable bodies outside clusters, clusters.
int kane_derive_map_states(kane_derivative *d, kane_arena *arena)
{
    const kane_model *model = d->model;
    const int states        = model->tree.q_count + model->tree.v_count;
    const size_t most       = (size_t)(model->cluster_count + model->tree.flex_count + d->rails_count);
    d->D                    = kane_arena_alloc(arena, (size_t)states, sizeof *d->D);
    d->blocks               = kane_arena_alloc(arena, most, sizeof *d->blocks);
    d->met                  = kane_arena_alloc(arena, most, sizeof *d->met);
    if (kane_arena_failed(arena))
        return 0;
    for (int state = 0; state < states; state++)
        set_row(d, state, -1, (kane_slope_span){.first = d->q_place[state]});
    for (int i = 0; i < d->rails_count; i++)
        if (d->rails[i].of->is_tabulated)
            map_tables(d, &d->rails[i], arena);
    for (int t = 0; t < model->tree.flex_count; t++)
        if (d->cluster_of[model->tree.flexes[t].mode] < 0)
            map_modes(d, &model->tree.flexes[t], arena);
    for (int c = 0; c < model->cluster_count; c++)
        map_cluster(d, c, arena);
    return !kane_arena_failed(arena);
}

// --- rows ---

// Names the entries of a row: states in y at once, blocks into d->met. Returns how many blocks occur.
static int name_row(kane_derivative *d, int row, int count, const int *states)
{
    int met = 0;
    for (int i = 0; i < count; i++) {
        const kane_state_slopes *s = &d->D[states[i]];
        if (s->block < 0) {
            kane_derive_emit(d, row, s->own.first, 0.0);
        } else if (!d->blocks[s->block].is_met) {
            d->blocks[s->block].is_met = 1;
            d->met[met++]              = s->block;
        }
    }
    return met;
}

// sum += value slope
static inline __attribute__((always_inline)) void add_slopes(double value, int count, const double *restrict slope,
                                                             double *restrict sum)
{
    for (int k = 0; k < count; k++)
        sum[k] += value * slope[k];
}

KANE_WIDE static int sum_row(kane_derivative *d, int count, const int *states, const double *values)
{
    const int *at = d->at + d->next;
    int met       = 0;
    for (int i = 0; i < count; i++) {
        const kane_state_slopes *s = &d->D[states[i]];
        if (s->block < 0) {
            d->values[*at++] += values[i];
            continue;
        }
        kane_column_block *b     = &d->blocks[s->block];
        const kane_slope_span *D = s->row;
        double *sum              = b->sum + D->first;
        if (!b->is_met)
            d->met[met++] = s->block;
        b->is_met = 1;
        if (!D->slope)
            *sum += values[i];
        else if (D->count == 1)
            *sum += values[i] * *D->slope;
        else
            add_slopes(values[i], D->count, D->slope, sum);
    }
    d->next = (int)(at - d->at);
    return met;
}

// The entries of a block, which is then empty again.
static void emit_block(kane_derivative *d, int row, kane_column_block *b)
{
    for (int k = 0; k < b->count; k++) {
        const int slope = b->active_of ? b->active_of[k] : k;
        kane_derive_emit(d, row, b->columns[k], slope < 0 ? 0.0 : b->sum[slope]);
    }
    memset(b->sum, 0, (size_t)(b->count + 1) * sizeof *b->sum);
    b->is_met = 0;
}

// d(row)/dy from the row's derivatives by states of the tree.
void kane_derive_emit_row(kane_derivative *d, int row, int count, const int *states, const double *values)
{
    if (d->values && d->block_count == 0) { // all states stand in y
        for (int i = 0; i < count; i++)
            d->values[d->at[d->next + i]] += values[i];
        d->next += count;
        return;
    }
    const int met = d->values ? sum_row(d, count, states, values) : name_row(d, row, count, states);
    for (int n = 0; n < met; n++)
        emit_block(d, row, &d->blocks[d->met[n]]);
}

// Columns of y, and their slopes times `size`, on which a state of the tree depends. column, slope NULL: not wanted.
// Returns how many.
int kane_derive_trace(const kane_derivative *d, int state, double size, int *column, double *slope)
{
    const kane_state_slopes *s = &d->D[state];
    const kane_slope_span *D   = s->row;
    const kane_column_block *b = s->block < 0 ? NULL : &d->blocks[s->block];
    const int count            = b ? b->count : 1;
    for (int k = 0; k < count; k++) {
        const int at = b && b->active_of ? b->active_of[k] : k;
        if (column)
            column[k] = b ? b->columns[k] : D->first;
        if (slope && D->slope)
            slope[k] = at < D->first || at >= D->first + D->count ? 0.0 : size * D->slope[at - D->first];
        else if (slope)
            slope[k] = !b || at == D->first ? size : 0.0;
    }
    return count;
}
