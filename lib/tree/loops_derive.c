// SPDX-License-Identifier: MIT
// Derivatives of a cluster: rows and forces by every state of its links, directions that keep the constraints, and what the
// factored equations make of changes:
//
//   Theta d(v_dot) - Phi' d(lambda) = d(f + Phi' lambda - Theta v_dot),   Phi d(v_dot) = -d(Phi'' with v_dot held)

#include "tree/loops_derive.h"

#include "tree/loops_work.h"
#include "tree/derive.h"

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

// States of a constraint's links and of all that carries them, ascending; out NULL: counted only. seen: of links, set to `now`.
static int find_moving(const kane_tree *tree, const kane_closure *c, const int *local, int *seen, int now, int *out)
{
    int link[KANE_LINKS_READ], states = 0;
    const int count = links_of(tree, c, link);
    for (int k = 0; k < count; k++)
        for (int i = link[k]; i >= 0 && seen[i] != now; i = tree->links[i].parent) {
            const kane_link *l = &tree->links[i];
            seen[i]            = now;
            for (int q = 0; q < l->q_count; q++, states++)
                if (out)
                    out[states] = local[l->q + q];
            for (int v = 0; v < l->v_count; v++, states++)
                if (out)
                    out[states] = local[tree->q_count + l->v + v];
        }
    if (out && states > 0)
        qsort(out, (size_t)states, sizeof *out, compare);
    return states;
}

static int create_moving(const kane_tree *tree, const kane_cluster *cluster, kane_arena *arena,
                         kane_cluster_derivative *d)
{
    int *seen       = kane_arena_alloc(arena, (size_t)tree->link_count, sizeof *seen);
    d->moving_begin = kane_arena_alloc(arena, (size_t)cluster->closure_count + 1, sizeof *d->moving_begin);
    if (kane_arena_failed(arena))
        return 0;
    for (int c = 0; c < cluster->closure_count; c++)
        d->moving_begin[c + 1] =
            d->moving_begin[c] + find_moving(tree, cluster->closures[c], d->local, seen, 2 * c + 1, NULL);
    d->moving = kane_arena_alloc(arena, (size_t)d->moving_begin[cluster->closure_count], sizeof *d->moving);
    for (int c = 0; c < cluster->closure_count && d->moving; c++)
        (void)find_moving(tree, cluster->closures[c], d->local, seen, 2 * c + 2, d->moving + d->moving_begin[c]);
    return d->moving != NULL;
}

// Local speeds that the rates of a link's coordinates depend on; out NULL: counted only.
static int find_rating(const kane_tree *tree, const kane_cluster *cluster, int link, int *out)
{
    int count = 0, i = link;
    for (int left = kane_tree_rate_path(tree, link, NULL); left > 0; left--, i = tree->links[i].parent)
        for (int v = 0; v < tree->links[i].v_count; v++, count++)
            if (out)
                out[count] = cluster->place[tree->links[i].v + v];
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
        for (int k = 0; k < tree->links[cluster->links[i]].q_count; k++, next++)
            d->rating_begin[next + 1] = d->rating_begin[next] + find_rating(tree, cluster, cluster->links[i], NULL);
    d->rating = kane_arena_alloc(arena, (size_t)d->rating_begin[next], sizeof *d->rating);
    next      = 0;
    for (int i = 0; i < cluster->link_count && d->rating; i++)
        for (int k = 0; k < tree->links[cluster->links[i]].q_count; k++, next++)
            (void)find_rating(tree, cluster, cluster->links[i], d->rating + d->rating_begin[next]);
    return d->rating != NULL;
}

kane_cluster_derivative *kane_cluster_derivative_create(const kane_tree *tree, const kane_cluster *cluster,
                                                        kane_arena *arena)
{
    kane_cluster_derivative *d = kane_arena_alloc(arena, 1, sizeof *d);
    if (!d)
        return NULL;
    for (int i = 0; i < cluster->link_count; i++)
        d->q_count += tree->links[cluster->links[i]].q_count;
    d->state_count  = d->q_count + cluster->v_count;
    d->column_count = d->q_count + cluster->u_count;
    const size_t n = (size_t)d->state_count, rows = (size_t)cluster->row_count, v = (size_t)cluster->v_count;
    const size_t all = (size_t)(tree->q_count + tree->v_count);
    d->states        = kane_arena_alloc(arena, n, sizeof *d->states);
    d->local         = kane_arena_alloc(arena, all, sizeof *d->local);
    d->value         = kane_arena_doubles(arena, rows * n);
    d->rate          = kane_arena_doubles(arena, rows * n);
    d->acceleration  = kane_arena_doubles(arena, rows * n);
    d->force         = kane_arena_doubles(arena, v * n);
    d->direction     = kane_arena_doubles(arena, n * (size_t)d->column_count);
    d->Q             = kane_arena_doubles(arena, (size_t)d->q_count * v);
    d->df            = kane_arena_doubles(arena, v);
    d->dphi          = kane_arena_doubles(arena, rows + v);
    d->dv            = kane_arena_doubles(arena, v);
    d->projection    = kane_arena_doubles(arena, n * n);
    d->dq_tree       = kane_arena_doubles(arena, (size_t)tree->q_count);
    d->dv_tree       = kane_arena_doubles(arena, (size_t)tree->v_count);
    d->tangent       = kane_arena_alloc(arena, (size_t)tree->link_count, sizeof *d->tangent);
    if (kane_arena_failed(arena))
        return NULL;
    for (size_t i = 0; i < all; i++)
        d->local[i] = -1;
    int next = 0;
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *link = &tree->links[cluster->links[i]];
        for (int k = 0; k < link->q_count; k++)
            d->states[next++] = link->q + k;
    }
    for (int k = 0; k < cluster->v_count; k++)
        d->states[next++] = tree->q_count + cluster->speeds[k];
    for (int i = 0; i < next; i++)
        d->local[d->states[i]] = i;
    for (int i = 0; i < next && cluster->form == KANE_FORM_MULTIPLIERS; i++)
        d->direction[i * d->column_count + i] = 1.0; // for good
    return create_moving(tree, cluster, arena, d) && create_rating(tree, cluster, arena, d) ? d : NULL;
}

void kane_cluster_push(const kane_tree *tree, const kane_cluster *cluster, const kane_tree_work *work, int link,
                       kane_wrench wrench, double *df)
{
    kane_tree_spread_wrench(tree, cluster->place, work, link, wrench, df);
}

// --- by states of the tree ---

// Forces that are no constraints': rows of the groups that the cluster's links make.
static void copy_forces(const kane_cluster *cluster, const kane_tree_derived *t, kane_cluster_derivative *d)
{
    memset(d->force, 0, (size_t)(cluster->v_count * d->state_count) * sizeof *d->force);
    for (int group = 0; group < kane_derive_map_count(t->map); group++) {
        const kane_derive_rows rows = kane_derive_map_rows(t->map, group);
        for (int i = 0; i < rows.row_count && cluster->place[rows.rows[i]] >= 0; i++)
            for (int j = 0; j < rows.column_count; j++) {
                const int state = d->local[rows.columns[j]];
                if (state >= 0)
                    d->force[cluster->place[rows.rows[i]] * d->state_count + state] =
                        t->values[rows.at + (size_t)(i * rows.column_count + j)];
            }
    }
}

// One constraint by one state, which tangents of its links show: its rows change, and so do the directions in which its
// multipliers push.
static void derive_closure(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                           const kane_transport *frames, const kane_base *bases, const kane_tree_work *work, int c,
                           int state, kane_cluster_derivative *d)
{
    const kane_closure *closure       = cluster->closures[c];
    const kane_closure_values *values = &s->values[c];
    const int begin = cluster->row_begin[c], *at = cluster->coefficient_begin + begin;
    double *df = d->df; // by the speeds that move it
    kane_closure_tangent t;
    kane_closure_derive(tree, closure, work, frames, bases, d->tangent, d->dq_tree, d->dv_tree, &t);
    for (int k = 0; k < closure->row_count; k++) {
        const int place        = (begin + k) * d->state_count + state;
        d->value[place]        = k < closure->position_count ? t.value[k] : 0.0;
        d->rate[place]         = t.rate[k];
        d->acceleration[place] = t.acceleration[k];
    }
    memset(df, 0, (size_t)(at[1] - at[0]) * sizeof *df);
    for (int p = 0; p < values->push_count; p++) {
        const double lambda      = s->lambda[begin + values->push[p].row];
        const kane_wrench change = {kv3_scale(lambda, t.push[p].force), kv3_scale(lambda, t.push[p].torque)};
        kane_tree_spread_wrench(tree, s->slot, work, values->push[p].link, change, df);
    }
    for (int e = 0; e < values->entry_count; e++)
        df[s->slot[values->entry[e].v]] += s->lambda[begin + values->entry[e].row] * t.entry[e];
    for (int k = at[0]; k < at[1]; k++)
        d->force[cluster->coefficient_speed[k] * d->state_count + state] += df[k - at[0]];
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
        kane_cluster_find_slots(cluster, s, c);
        for (int k = d->moving_begin[c]; k < d->moving_begin[c + 1]; k++) {
            const int state = d->moving[k], of_tree = d->states[state];
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
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_derive_rows rows = kane_rates_map_rows(t->rates, cluster->links[i]);
        for (int k = 0; k < rows.row_count; k++)
            for (int j = 0; j < rows.column_count; j++) {
                if (rows.columns[j] < tree->q_count)
                    continue;
                const int v = cluster->place[rows.columns[j] - tree->q_count];
                d->Q[d->local[rows.rows[k]] * cluster->v_count + v] =
                    t->rates_values[rows.at + (size_t)(k * rows.column_count + j)];
            }
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
    kane_lu_solve(position, s->LU_position, s->pivot_position, 1, rest);
    for (int i = 0; i < position; i++)
        displace(cluster, s->column[i], rest[i], column, d);
    for (int i = 0; i < rank; i++) {
        double sum = 0.0;
        for (int k = 0; k < d->q_count; k++)
            sum -= d->rate[s->row[i] * n + k] * d->direction[k * d->column_count + column];
        rest[i] = sum;
    }
    kane_lu_solve(rank, s->LU, s->pivot, 1, rest);
    for (int i = 0; i < rank; i++)
        d->direction[(d->q_count + s->column[i]) * d->column_count + column] = rest[i];
}

static void find_directions(const kane_cluster *cluster, kane_cluster_work *s, kane_cluster_derivative *d)
{
    const int rank = cluster->rank, position = cluster->position_rank, count = cluster->u_count;
    if (cluster->form == KANE_FORM_MULTIPLIERS) // states are columns
        return;
    memset(d->direction, 0, (size_t)(d->state_count * d->column_count) * sizeof *d->direction);
    for (int i = 0; i < position; i++)
        kane_cluster_row_by_choice(cluster, s, s->row[i], position, s->LU_position + i * position);
    (void)kane_lu_factor(position, s->LU_position, s->pivot_position); // as follow has found it to be regular
    for (int column = 0; column < d->q_count; column++)
        direct_coordinate(cluster, s, column, d);
    for (int j = 0; j < count; j++) {
        double *to                                = d->direction + d->q_count * d->column_count + d->q_count + j;
        to[s->column[rank + j] * d->column_count] = 1.0;
        for (int i = 0; i < rank; i++)
            to[s->column[i] * d->column_count] = s->B[i * count + j];
    }
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

// --- responses ---

static void respond_coefficients(const kane_cluster *cluster, kane_cluster_work *s, const double *df,
                                 const double *dacceleration, double *du_dot)
{
    const int n = cluster->v_count, rank = cluster->rank, count = n - rank;
    for (int i = 0; i < rank; i++)
        s->g[i] = -dacceleration[s->row[i]];
    kane_lu_solve(rank, s->LU, s->pivot, 1, s->g);
    for (int k = 0; k < n; k++) {
        double sum = df[k];
        for (int i = 0; i < rank; i++)
            sum -= s->Theta[k * n + s->column[i]] * s->g[i];
        s->x[k] = sum;
    }
    for (int j = 0; j < count; j++) {
        du_dot[j] = s->x[s->column[rank + j]];
        for (int i = 0; i < rank; i++)
            du_dot[j] += s->B[i * count + j] * s->x[s->column[i]];
    }
    kane_cholesky_solve(count, s->M, s->first, du_dot);
}

void kane_cluster_respond(const kane_cluster *cluster, kane_cluster_work *s, const double *df,
                          const double *dacceleration, double *du_dot)
{
    if (cluster->form == KANE_FORM_COEFFICIENTS) {
        respond_coefficients(cluster, s, df, dacceleration, du_dot);
        return;
    }
    for (int i = 0; i < cluster->row_count; i++)
        s->g[i] = -dacceleration[i];
    kane_cluster_sparse_solve(cluster, s, df, s->g);
    memcpy(du_dot, s->y, (size_t)cluster->v_count * sizeof *du_dot);
}
