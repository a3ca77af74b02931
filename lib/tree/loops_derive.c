// SPDX-License-Identifier: MIT
// Derivatives of a cluster: rows and forces by every state of its links, directions that keep the constraints, and what the
// factored equations make of changes:
//
//   Theta d(v_dot) - Phi' d(lambda) = d(f + Phi' lambda - Theta v_dot),   Phi d(v_dot) = -d(Phi'' with v_dot held)

#include "tree/loops_derive.h"

#include "tree/loops_work.h"
#include "tree/derive.h"
#include "tree/tie.h"

#include <stdlib.h>
#include <string.h>

// --- room ---

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Links whose motion a constraint reads: those of its sides, of its coordinates, and what these count against.
static int links_of(const kane_tree *tree, const kane_closure *c, int link[KANE_LINKS_READ])
{
    int count = 0;
    for (int side = 0; side < c->side_count; side++)
        if (c->side[side].link >= 0)
            link[count++] = c->side[side].link;
    for (int k = 0; k < c->term_count; k++) {
        link[count++]    = c->term[k].link;
        const int parent = tree->links[c->term[k].link].parent, on_axle = tree->links[c->term[k].link].on_axle;
        if (parent >= 0)
            link[count++] = parent;
        if (on_axle && tree->links[parent].parent >= 0)
            link[count++] = tree->links[parent].parent;
    }
    return count;
}

// States of a link here; out NULL: counted only.
static int list_states(const kane_tree *tree, int i, const int *local, int *out)
{
    const kane_link *l = &tree->links[i];
    for (int q = 0; q < l->q_count && out; q++)
        out[q] = local[l->q + q];
    for (int v = 0; v < l->v_count && out; v++)
        out[l->q_count + v] = local[tree->q_count + l->v + v];
    return l->q_count + l->v_count;
}

// States of a constraint's links and of all that carries them, ascending; out NULL: counted only. seen: of links, set to `now`.
// Members are there themselves, or their modes.
static int find_moving(const kane_tree *tree, const kane_closure *c, const int *local, int with_members, int *seen,
                       int now, int *out)
{
    int link[KANE_LINKS_READ], states = 0;
    const int count = links_of(tree, c, link);
    for (int k = 0; k < count; k++)
        for (int i = link[k]; i >= 0; i = tree->links[i].parent) {
            const int follows   = tree->links[i].role == KANE_TIE_MEMBER && !with_members;
            const kane_tie *tie = follows ? &tree->ties[tree->links[i].tie] : NULL;
            const int first = tie ? tie->mode : i, end = tie ? tie->mode + tie->count : i + 1;
            for (int own = first; own < end && seen[own] != now; own++) {
                seen[own] = now;
                states += list_states(tree, own, local, out ? out + states : NULL);
            }
        }
    if (out && states > 0)
        qsort(out, (size_t)states, sizeof *out, compare);
    return states;
}

// Such lists of all constraints, one after the other. NULL if memory is short.
static int *create_lists(const kane_tree *tree, const kane_cluster *cluster, const int *local, int with_members,
                         kane_arena *arena, int **begin)
{
    int *seen = kane_arena_alloc(arena, (size_t)tree->link_count, sizeof *seen);
    *begin    = kane_arena_alloc(arena, (size_t)cluster->closure_count + 1, sizeof **begin);
    if (kane_arena_failed(arena))
        return NULL;
    for (int c = 0; c < cluster->closure_count; c++)
        (*begin)[c + 1] =
            (*begin)[c] + find_moving(tree, cluster->closures[c], local, with_members, seen, 2 * c + 1, NULL);
    int *list = kane_arena_alloc(arena, (size_t)(*begin)[cluster->closure_count], sizeof *list);
    for (int c = 0; c < cluster->closure_count && list; c++)
        (void)find_moving(tree, cluster->closures[c], local, with_members, seen, 2 * c + 2, list + (*begin)[c]);
    return list;
}

static int create_moving(const kane_tree *tree, const kane_cluster *cluster, kane_arena *arena,
                         kane_cluster_derivative *d)
{
    d->moving  = create_lists(tree, cluster, d->local, 0, arena, &d->moving_begin);
    d->reading = create_lists(tree, cluster, d->local, 1, arena, &d->reading_begin);
    return d->moving && d->reading;
}

// Speeds that move the sides of each constraint, and whose forces its multipliers change.
static int create_pushed(const kane_tree *tree, const kane_cluster *cluster, kane_arena *arena,
                         kane_cluster_derivative *d)
{
    int *seen       = kane_arena_alloc(arena, (size_t)cluster->v_count, sizeof *seen);
    d->pushed_begin = kane_arena_alloc(arena, (size_t)cluster->closure_count + 1, sizeof *d->pushed_begin);
    if (kane_arena_failed(arena))
        return 0;
    for (int c = 0; c < cluster->closure_count; c++)
        d->pushed_begin[c + 1] =
            d->pushed_begin[c] + kane_cluster_list_speeds(tree, cluster, cluster->closures[c], seen, NULL);
    d->pushed = kane_arena_alloc(arena, (size_t)d->pushed_begin[cluster->closure_count], sizeof *d->pushed);
    for (int c = 0; c < cluster->closure_count && d->pushed; c++)
        (void)kane_cluster_list_speeds(tree, cluster, cluster->closures[c], seen, d->pushed + d->pushed_begin[c]);
    return d->pushed != NULL;
}

// Coordinates of a link that are states of their own.
static int own_coordinates(const kane_tree *tree, int link)
{
    return tree->links[link].role == KANE_TIE_MEMBER ? 0 : tree->links[link].q_count;
}

// Local speeds that the rates of a link's coordinates depend on; out NULL: counted only.
static int find_rating(const kane_tree *tree, const kane_cluster *cluster, int link, int *out)
{
    int count = 0, i = link, first;
    for (int left = kane_tree_rate_path(tree, link, NULL); left > 0; left--, i = tree->links[i].parent)
        for (int own = kane_cluster_link_speeds(tree, cluster, i, &first); own > 0; own--, first++, count++)
            if (out)
                out[count] = first;
    if (out && count > 0)
        qsort(out, (size_t)count, sizeof *out, compare);
    return count;
}

static int create_rating(const kane_tree *tree, const kane_cluster *cluster, kane_arena *arena,
                         kane_cluster_derivative *d)
{
    int next        = 0;
    d->rating_begin = kane_arena_alloc(arena, (size_t)d->q_count + 1, sizeof *d->rating_begin);
    if (!d->rating_begin)
        return 0;
    for (int i = 0; i < cluster->link_count; i++)
        for (int k = 0; k < own_coordinates(tree, cluster->links[i]); k++, next++)
            d->rating_begin[next + 1] = d->rating_begin[next] + find_rating(tree, cluster, cluster->links[i], NULL);
    d->rating = kane_arena_alloc(arena, (size_t)d->rating_begin[next], sizeof *d->rating);
    next      = 0;
    for (int i = 0; i < cluster->link_count && d->rating; i++)
        for (int k = 0; k < own_coordinates(tree, cluster->links[i]); k++, next++)
            (void)find_rating(tree, cluster, cluster->links[i], d->rating + d->rating_begin[next]);
    return d->rating != NULL;
}

static void name_states(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_derivative *d)
{
    int next = 0;
    for (int i = 0; i < cluster->link_count; i++)
        for (int k = 0; k < own_coordinates(tree, cluster->links[i]); k++)
            d->states[next++] = tree->links[cluster->links[i]].q + k;
    for (int k = 0; k < cluster->v_count; k++)
        d->states[next++] = tree->q_count + cluster->speeds[k];
    for (int i = 0; i < tree->q_count + tree->v_count; i++)
        d->local[i] = -1;
    for (int i = 0; i < next; i++)
        d->local[d->states[i]] = i;
}

static void add_follower(int state, int first_mode, const kane_tie *tie, const double *G, int index,
                         kane_cluster_derivative *d)
{
    d->states[d->state_count + index] = state;
    d->local[state]                   = d->state_count + index;
    d->follower[index]                = (kane_state_follower){G, d->local[first_mode], tie->count};
}

static void name_followers(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_derivative *d)
{
    int next = 0;
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *link = &tree->links[cluster->links[i]];
        if (link->role != KANE_TIE_MEMBER)
            continue;
        const kane_tie *tie = &tree->ties[link->tie];
        for (int c = 0; c < 6; c++) {
            const double *G = kane_tie_row(tie, cluster->links[i], c);
            add_follower(link->q + c, tie->q, tie, G, next++, d);
            add_follower(tree->q_count + link->v + c, tree->q_count + tie->v, tie, G, next++, d);
        }
    }
}

// Followers go where their modes do.
static void direct_followers(kane_cluster_derivative *d)
{
    for (int i = 0; i < d->follower_count; i++) {
        const kane_state_follower *f = &d->follower[i];
        double *to                   = d->direction + (d->state_count + i) * d->column_count;
        memset(to, 0, (size_t)d->column_count * sizeof *to);
        for (int k = 0; k < f->count; k++)
            for (int c = 0; c < d->column_count; c++)
                to[c] += f->G[k] * d->direction[(f->first + k) * d->column_count + c];
    }
}

kane_cluster_derivative *kane_cluster_derivative_create(const kane_tree *tree, const kane_cluster *cluster,
                                                        kane_arena *arena)
{
    kane_cluster_derivative *d = kane_arena_alloc(arena, 1, sizeof *d);
    if (!d)
        return NULL;
    for (int i = 0; i < cluster->link_count; i++) {
        d->q_count += own_coordinates(tree, cluster->links[i]);
        d->follower_count += tree->links[cluster->links[i]].role == KANE_TIE_MEMBER ? 12 : 0;
    }
    d->state_count  = d->q_count + cluster->v_count;
    d->column_count = d->q_count + cluster->u_count;
    const size_t n = (size_t)d->state_count, rows = (size_t)cluster->row_count, v = (size_t)cluster->v_count;
    const size_t followers = (size_t)d->follower_count;
    d->states              = kane_arena_alloc(arena, n + followers, sizeof *d->states);
    d->local               = kane_arena_alloc(arena, (size_t)(tree->q_count + tree->v_count), sizeof *d->local);
    d->follower            = kane_arena_alloc(arena, followers, sizeof *d->follower);
    d->value               = kane_arena_doubles(arena, rows * n);
    d->rate                = kane_arena_doubles(arena, rows * n);
    d->acceleration        = kane_arena_doubles(arena, rows * n);
    d->force               = kane_arena_doubles(arena, v * n);
    d->direction           = kane_arena_doubles(arena, (n + followers) * (size_t)d->column_count);
    d->Q                   = kane_arena_doubles(arena, (size_t)d->q_count * v);
    d->df                  = kane_arena_doubles(arena, v);
    d->dphi                = kane_arena_doubles(arena, rows + v);
    d->dv                  = kane_arena_doubles(arena, v);
    d->projection          = kane_arena_doubles(arena, n * n);
    d->dq_tree             = kane_arena_doubles(arena, (size_t)tree->q_count);
    d->dv_tree             = kane_arena_doubles(arena, (size_t)tree->v_count);
    d->tangent             = kane_arena_alloc(arena, (size_t)tree->link_count, sizeof *d->tangent);
    d->room                = kane_closure_room_create(arena);
    if (kane_arena_failed(arena))
        return NULL;
    name_states(tree, cluster, d);
    name_followers(tree, cluster, d);
    for (int i = 0; i < d->state_count && cluster->form == KANE_FORM_MULTIPLIERS; i++)
        d->direction[i * d->column_count + i] = 1.0; // for good
    direct_followers(d);
    return create_moving(tree, cluster, arena, d) && create_pushed(tree, cluster, arena, d) &&
                   create_rating(tree, cluster, arena, d)
               ? d
               : NULL;
}

void kane_cluster_push(const kane_tree *tree, const kane_cluster *cluster, const kane_tree_work *work, int link,
                       kane_wrench wrench, double *df)
{
    kane_tree_spread_wrench(tree, cluster->place, work, link, -1, wrench, df);
}

// --- by states of the tree ---

// Adds a derivative by a state or a follower to a row.
static void add_to(const kane_cluster_derivative *d, int state, double value, double *row)
{
    if (state < d->state_count) {
        row[state] += value;
        return;
    }
    const kane_state_follower *f = &d->follower[state - d->state_count];
    for (int k = 0; k < f->count; k++)
        row[f->first + k] += value * f->G[k];
}

// Those of a group with deformable bodies are there in another shape.
static int has_members(const kane_cluster *cluster, const kane_derive_rows *rows)
{
    for (int i = 0; i < rows->row_count; i++)
        if (cluster->place[rows->rows[i]] < 0)
            return 1;
    return 0;
}

// Rows of one group.
static void copy_group(const kane_cluster *cluster, const kane_derived_group *g, kane_cluster_derivative *d)
{
    for (int i = 0; i < g->row_count; i++) {
        double *row = d->force + cluster->place[g->rows[i]] * d->state_count;
        for (int j = 0; j < g->column_count; j++)
            if (d->local[g->columns[j]] >= 0)
                add_to(d, d->local[g->columns[j]], g->values[i * g->column_count + j], row);
    }
}

// Forces that are no constraints': rows of the groups that the cluster's links make.
static void copy_forces(const kane_cluster *cluster, const kane_tree_derived *t, kane_cluster_derivative *d)
{
    memset(d->force, 0, (size_t)(cluster->v_count * d->state_count) * sizeof *d->force);
    for (int group = 0; group < kane_derive_map_count(t->map); group++) {
        const kane_derive_rows rows = kane_derive_map_rows(t->map, group);
        const kane_derived_group g  = {rows.row_count, rows.column_count, rows.rows, rows.columns, t->values + rows.at};
        if (!has_members(cluster, &rows))
            copy_group(cluster, &g, d);
    }
    for (int group = 0; group < t->group_count; group++)
        if (t->groups[group].row_count > 0 && cluster->place[t->groups[group].rows[0]] >= 0)
            copy_group(cluster, &t->groups[group], d);
}

// One constraint by one state, which tangents of its links show: its rows change, and so do the directions in which its
// multipliers push.
static void derive_closure(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                           const kane_transport *frames, const kane_base *bases, const kane_tree_work *work, int c,
                           int state, kane_cluster_derivative *d)
{
    const kane_closure *closure       = cluster->closures[c];
    const kane_closure_values *values = &s->values[c];
    const int begin = cluster->row_begin[c], count = d->pushed_begin[c + 1] - d->pushed_begin[c];
    const int *pushed = d->pushed + d->pushed_begin[c]; // speeds that move its sides
    double *df        = d->df;
    const kane_closure_tangent *t =
        kane_closure_derive(tree, closure, work, frames, bases, d->tangent, d->dq_tree, d->dv_tree, d->room);
    for (int k = 0; k < closure->row_count; k++) {
        const int row = (begin + k) * d->state_count;
        if (k < closure->position_count)
            add_to(d, state, t->value[k], d->value + row);
        add_to(d, state, t->rate[k], d->rate + row);
        add_to(d, state, t->acceleration[k], d->acceleration + row);
    }
    for (int k = 0; k < count; k++)
        df[pushed[k]] = 0.0;
    for (int p = 0; p < values->push_count; p++) {
        const double lambda      = s->lambda[begin + values->push[p].row];
        const kane_wrench change = {kv3_scale(lambda, t->push[p].force), kv3_scale(lambda, t->push[p].torque)};
        kane_cluster_push(tree, cluster, work, values->push[p].link, change, df);
    }
    for (int e = 0; e < values->entry_count; e++)
        kane_cluster_push_speed(tree, cluster, cluster->place, values->entry[e].v,
                                s->lambda[begin + values->entry[e].row] * t->entry[e], df);
    for (int end = 0; end < 2 && closure->rod.mass > 0.0; end++)
        kane_cluster_push(tree, cluster, work, closure->side[end].link, t->load[end], df);
    for (int k = 0; k < count; k++)
        add_to(d, state, df[pushed[k]], d->force + pushed[k] * d->state_count);
}

// Before the rows of a constraint are summed.
static void clear_rows(const kane_cluster *cluster, int c, kane_cluster_derivative *d)
{
    for (int row = cluster->row_begin[c]; row < cluster->row_begin[c + 1]; row++)
        for (int k = d->moving_begin[c]; k < d->moving_begin[c + 1]; k++) {
            const int place = row * d->state_count + d->moving[k];
            d->value[place] = d->rate[place] = d->acceleration[place] = 0.0;
        }
}

// Rows by those states that change them; what others would do is zero for good.
static void derive_rows(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                        const kane_transport *frames, const kane_base *bases, const kane_tree_work *work,
                        const kane_tree_derived *t, kane_cluster_derivative *d)
{
    for (int c = 0; c < cluster->closure_count; c++) {
        int link[KANE_LINKS_READ];
        const int count = links_of(tree, cluster->closures[c], link);
        kane_closure_eval(tree, cluster->closures[c], work, frames, bases, 1, &s->values[c]);
        clear_rows(cluster, c, d);
        for (int k = d->reading_begin[c]; k < d->reading_begin[c + 1]; k++) {
            const int state = d->reading[k], of_tree = d->states[state];
            double *one = of_tree < tree->q_count ? &d->dq_tree[of_tree] : &d->dv_tree[of_tree - tree->q_count];
            *one        = 1.0;
            kane_tree_tangent(t->map, t->scratch, work, bases, of_tree, count, link, d->tangent);
            derive_closure(tree, cluster, s, frames, bases, work, c, state, d);
            *one = 0.0;
        }
    }
}

// --- directions: what one state of y moves in the tree ---

static void copy_rates(const kane_tree *tree, const kane_cluster *cluster, const kane_tree_derived *t,
                       kane_cluster_derivative *d)
{
    memset(d->Q, 0, (size_t)(d->q_count * cluster->v_count) * sizeof *d->Q);
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_derive_rows rows = kane_rates_map_rows(t->rates, cluster->links[i]);
        for (int k = 0; k < rows.row_count && own_coordinates(tree, cluster->links[i]) > 0; k++)
            for (int j = 0; j < rows.column_count; j++)
                if (rows.columns[j] >= tree->q_count)
                    kane_cluster_push_speed(tree, cluster, cluster->place, rows.columns[j] - tree->q_count,
                                            t->rates_values[rows.at + (size_t)(k * rows.column_count + j)],
                                            d->Q + d->local[rows.rows[k]] * cluster->v_count);
    }
}

// Adds a displacement of a local speed to the coordinates of a direction.
static void displace(const kane_cluster *cluster, int v, double size, int column, kane_cluster_derivative *d)
{
    for (int k = 0; k < d->q_count; k++)
        d->direction[k * d->column_count + column] += size * d->Q[k * cluster->v_count + v];
}

// A coordinate: dependent coordinates follow, then dependent speeds.
static void direct_coordinate(const kane_cluster *cluster, kane_cluster_work *s, int column, kane_cluster_derivative *d)
{
    const int n = d->state_count, rank = cluster->rank, position = cluster->position_rank;
    double *rest                                    = d->dphi;
    d->direction[column * d->column_count + column] = 1.0;
    for (int i = 0; i < position; i++)
        rest[i] = -d->value[s->row[i] * n + column];
    kane_blocks_solve_positions(s, rest);
    for (int i = 0; i < position; i++)
        displace(cluster, s->column[i], rest[i], column, d);
    for (int i = 0; i < rank; i++) {
        double sum = 0.0;
        for (int k = 0; k < d->q_count; k++)
            sum -= d->rate[s->row[i] * n + k] * d->direction[k * d->column_count + column];
        rest[i] = sum;
    }
    kane_blocks_solve(s, rest);
    for (int i = 0; i < rank; i++)
        d->direction[(d->q_count + s->column[i]) * d->column_count + column] = rest[i];
}

// The independent speeds: dependent ones follow.
static void direct_speeds(const kane_cluster *cluster, const kane_cluster_work *s, kane_cluster_derivative *d)
{
    double *to = d->direction + d->q_count * d->column_count + d->q_count;
    for (int j = cluster->rank; j < cluster->v_count; j++)
        to[s->column[j] * d->column_count + j - cluster->rank] = 1.0;
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        for (int m = 0; m < b->count; m++)
            for (int f = 0; f < b->free_count; f++)
                to[s->column[b->member[m]] * d->column_count + b->free[f]] = b->B[m * b->free_count + f];
    }
}

static void find_directions(const kane_cluster *cluster, kane_cluster_work *s, kane_cluster_derivative *d)
{
    if (cluster->form == KANE_FORM_MULTIPLIERS) // states are columns
        return;
    memset(d->direction, 0, (size_t)(d->state_count * d->column_count) * sizeof *d->direction);
    (void)kane_blocks_factor_positions(cluster, s); // as follow has found it to be regular
    for (int column = 0; column < d->q_count; column++)
        direct_coordinate(cluster, s, column, d);
    direct_speeds(cluster, s, d);
    direct_followers(d);
}

void kane_cluster_derive(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                         const kane_transport *frames, const kane_base *bases, const kane_tree_work *work,
                         const kane_tree_derived *derived, kane_cluster_derivative *d)
{
    copy_forces(cluster, derived, d);
    derive_rows(tree, cluster, s, frames, bases, work, derived, d);
    copy_rates(tree, cluster, derived, d);
    find_directions(cluster, s, d);
}
