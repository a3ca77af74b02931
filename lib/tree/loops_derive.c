// SPDX-License-Identifier: MIT
// Derivatives of a cluster: rows and forces by every state of its links, directions that keep the constraints, and what
// the factored equations make of changes:
//
//   Theta d(v_dot) - Phi' d(lambda) = d(f + Phi' lambda - Theta v_dot),   Phi d(v_dot) = -d(Phi'' with v_dot held)

#include "tree/loops_derive.h"

#include "tree/loops_work.h"
#include "base/machine.h"
#include "math/dense.h"
#include "tree/derive_group.h"
#include "tree/flex.h"

#include <string.h>

// --- what constraints read ---

// Where a number stands in a list, -1: nowhere.
static int place_in(int count, const int *list, int number)
{
    for (int i = 0; i < count; i++)
        if (list[i] == number)
            return i;
    return -1;
}

// Those of `count` numbers that are marked, ascending; marks are taken away. NULL: memory is short.
static int *list_marked(int count, char *is_marked, int *listed, kane_arena *arena)
{
    int marks = 0;
    for (int i = 0; i < count; i++)
        marks += is_marked[i];
    int *list = kane_arena_alloc(arena, (size_t)marks, sizeof *list);
    *listed   = 0;
    for (int i = 0; i < count && list; i++)
        if (is_marked[i])
            list[(*listed)++] = i;
    memset(is_marked, 0, (size_t)count);
    return list;
}

// Links whose motion a constraint reads: those of its sides, of its coordinates, and what these count against.
static int links_of(const kane_tree *tree, const kane_constraint_row_set *c, int link[KANE_LINKS_READ])
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

// Marks a state of the tree here; of a member, if wanted, those of the modes that it follows.
static void mark_state(const kane_derive_map *map, int state, int with_members, kane_cluster_derivative *d)
{
    const kane_state_share share =
        with_members ? (kane_state_share){state, 1, NULL} : kane_derive_map_share(map, state);
    for (int k = 0; k < share.count; k++)
        d->is_marked[d->local[share.first + k]] = 1;
}

// Marks the states of links and of all that carries them.
static void mark_moving(const kane_derive_map *map, int count, const int *link, int with_members,
                        kane_cluster_derivative *d)
{
    const kane_tree *tree = map->tree;
    for (int n = 0; n < count; n++)
        for (int i = link[n]; i >= 0; i = tree->links[i].parent) {
            for (int k = 0; k < tree->links[i].q_count; k++)
                mark_state(map, tree->links[i].q + k, with_members, d);
            for (int k = 0; k < tree->links[i].v_count; k++)
                mark_state(map, tree->q_count + tree->links[i].v + k, with_members, d);
        }
}

// The coordinate whose rate a speed is and by which it moves links: what holonomic rows do by the speed follows from
// what they do by that coordinate (derive_by_rates). Of a follower that of its first mode. -1: there is none.
static int find_twin(const kane_derive_map *map, const kane_cluster_derivative *d, int state)
{
    const int own = state < d->state_count ? state : d->follower[state - d->state_count].first;
    const int k   = own < d->q_count ? -1 : d->own_coordinate[own - d->q_count];
    if (k < 0)
        return -1;
    const kane_link *link = &map->tree->links[map->link_of[d->states[k]]];
    return kane_link_moves_by(link, d->states[k] - link->q) ? k : -1;
}

// States of a reading from the marks: inner ones first, then those by which rows are not evaluated: they move all sides
// alike, or are rates of inner ones. Of these, speeds change nothing but loads of rods.
static int list_read_states(const kane_derive_map *map, int apex, kane_arena *arena, const kane_cluster_derivative *d,
                            kane_constraint_row_set_reading *r)
{
    int count, *all = list_marked(d->state_count + d->follower_count, d->is_marked, &count, arena);
    r->state = kane_arena_alloc(arena, (size_t)count, sizeof *r->state);
    for (int is_outer = 0; is_outer < 2 && r->state; is_outer++) {
        r->inner_count = r->count;
        for (int k = 0; k < count; k++) {
            const int state = all[k], name = d->states[state];
            if (((apex >= 0 && kane_derive_map_moves(map, name, apex)) ||
                 (r->is_holonomic && find_twin(map, d, state) >= 0)) == is_outer &&
                (!is_outer || r->has_loads || name < map->tree->q_count))
                r->state[r->count++] = state;
        }
    }
    return r->state != NULL;
}

// Whether two constraints have sides alone, of the same links; an axle box moves against what its axle carries.
static int are_between_same_links(const kane_constraint_row_set *a, const kane_constraint_row_set *b)
{
    int alike = a->term_count == 0 && b->term_count == 0 && a->side_count == b->side_count &&
                kane_constraint_row_set_has_box(a) == kane_constraint_row_set_has_box(b);
    for (int i = 0; i < a->side_count && alike; i++)
        alike = a->side[i].link == b->side[i].link;
    return alike;
}

// The reading that has a constraint, too: an earlier one between the same links, or a new one. NULL: memory is short.
static kane_constraint_row_set_reading *find_reading(const kane_cluster *cluster, int c, kane_arena *arena,
                                                     kane_cluster_derivative *d)
{
    for (int i = 0; i < d->reading_count; i++)
        if (are_between_same_links(cluster->closures[d->reading[i].constraint[0]], cluster->closures[c]))
            return &d->reading[i];
    kane_constraint_row_set_reading *r = &d->reading[d->reading_count++];
    *r                                 = (kane_constraint_row_set_reading){.is_holonomic = 1};
    r->constraint                      = kane_arena_alloc(arena, (size_t)(cluster->closure_count - c), sizeof(int));
    return r->constraint ? r : NULL;
}

// Constraints by what they read.
static int group_constraints(const kane_cluster *cluster, kane_arena *arena, kane_cluster_derivative *d)
{
    for (int c = 0; c < cluster->closure_count; c++) {
        const kane_constraint_row_set *closure = cluster->closures[c];
        kane_constraint_row_set_reading *r     = find_reading(cluster, c, arena, d);
        if (!r)
            return 0;
        r->constraint[r->constraint_count++] = c;
        r->is_holonomic &= closure->position_count == closure->row_count;
        r->has_loads |= closure->rod.mass > 0.0;
        r->has_imaginary |= closure->rod.mass > 0.0 && closure->rod.imaginary_as_forces;
        for (int row = cluster->row_begin[c]; row < cluster->row_begin[c + 1]; row++)
            d->reading_of[row] = r;
    }
    return 1;
}

static int list_reading(const kane_derive_map *map, const kane_cluster *cluster, kane_constraint_row_set_reading *r,
                        kane_arena *arena, kane_cluster_derivative *d)
{
    int link[KANE_LINKS_READ];
    const int count = links_of(map->tree, cluster->closures[r->constraint[0]], link);
    r->link         = kane_arena_alloc(arena, (size_t)count, sizeof *r->link);
    for (int k = 0; k < count && r->link; k++)
        if (place_in(r->link_count, r->link, link[k]) < 0)
            r->link[r->link_count++] = link[k];
    mark_moving(map, count, link, 0, d);
    r->moving = list_marked(d->state_count, d->is_marked, &r->moving_count, arena);
    mark_moving(map, count, link, 1, d);
    if (!list_read_states(map, cluster->apex[r->constraint[0]], arena, d, r))
        return 0;
    r->tangent = kane_arena_alloc(arena, (size_t)(r->count * r->link_count), sizeof *r->tangent);
    return !kane_arena_failed(arena);
}

// Tangents of a link by all states that it is read by; that of a link at rest is behind all others.
//   place  scratch: of every state, or follower, that moves it
static void list_tangents(const kane_derive_map *map, int link, int *place, kane_cluster_derivative *d)
{
    for (int state = 0; state < d->state_count + d->follower_count; state++)
        place[state] = -1;
    for (int i = 0; i < d->reading_count; i++) {
        kane_constraint_row_set_reading *r = &d->reading[i];
        const int n                        = place_in(r->link_count, r->link, link);
        for (int k = 0; k < r->count && n >= 0; k++) {
            const int state = r->state[k];
            if (place[state] < 0 && kane_derive_map_moves(map, d->states[state], link)) {
                place[state]                      = d->tangent_count;
                d->tangent_by[d->tangent_count++] = (kane_tangent_name){link, d->states[state]};
            }
            r->tangent[k * r->link_count + n] = place[state];
        }
    }
}

static int create_readings(const kane_derive_map *map, const kane_cluster *cluster, kane_arena *arena,
                           kane_cluster_derivative *d)
{
    int *place = kane_arena_alloc(arena, (size_t)(d->state_count + d->follower_count), sizeof *place), most = 0;
    d->changes = kane_arena_alloc(arena, (size_t)map->tree->link_count, sizeof *d->changes);
    d->reading = kane_arena_alloc(arena, (size_t)cluster->closure_count, sizeof *d->reading);
    if (kane_arena_failed(arena) || !group_constraints(cluster, arena, d))
        return 0;
    for (int i = 0; i < d->reading_count; i++) {
        if (!list_reading(map, cluster, &d->reading[i], arena, d))
            return 0;
        most += d->reading[i].count * d->reading[i].link_count;
    }
    d->tangent_by = kane_arena_alloc(arena, (size_t)most, sizeof *d->tangent_by);
    for (int link = 0; link < map->tree->link_count && d->tangent_by; link++)
        list_tangents(map, link, place, d);
    d->tangents = kane_arena_alloc(arena, (size_t)d->tangent_count + 1, sizeof *d->tangents);
    return !kane_arena_failed(arena);
}

// Coordinates of a link that are states of their own.
static int own_coordinates(const kane_tree *tree, int link)
{
    return tree->links[link].role == KANE_FLEX_NODE ? 0 : tree->links[link].q_count;
}

// Local speeds, one after the other, that a state of the tree is or follows: first is negative where it is none.
static kane_state_share share_of_speed(const kane_derive_map *map, const kane_cluster_derivative *d, int state)
{
    kane_state_share share = kane_derive_map_share(map, state);
    const int v            = d->local[share.first] - d->q_count;
    share.first            = v < d->state_count - d->q_count ? v : -1;
    return share;
}

// Local speeds that the rates of coordinates depend on.
static int create_rates(const kane_derive_map *map, const kane_rates_map *rates, kane_arena *arena,
                        kane_cluster_derivative *d)
{
    d->rates = kane_arena_alloc(arena, (size_t)d->q_count, sizeof *d->rates);
    for (int k = 0; k < d->q_count && !kane_arena_failed(arena); k++) {
        const kane_rate_row row = kane_rates_map_rows(rates)[d->states[k]];
        for (int c = 0; c < row.column_count; c++) {
            const kane_state_share share = share_of_speed(map, d, row.columns[c]);
            for (int n = 0; n < share.count && share.first >= 0; n++)
                d->is_marked[share.first + n] = 1;
        }
        d->rates[k].speed = list_marked(d->state_count - d->q_count, d->is_marked, &d->rates[k].count, arena);
        d->rates[k].slope = kane_arena_doubles(arena, (size_t)d->rates[k].count);
    }
    return !kane_arena_failed(arena);
}

// --- rows of D ---

static const double one = 1.0;

// The least span that has all of another one, too.
static void widen_span(kane_slope_span *span, int first, int count)
{
    const int begin = span->count > 0 && span->first < first ? span->first : first;
    const int end   = span->first + span->count > first + count ? span->first + span->count : first + count;
    if (count > 0)
        *span = (kane_slope_span){.first = begin, .count = end - begin};
}

// row += s span
static inline __attribute__((always_inline)) void add_span(double s, const kane_slope_span *span, double *row)
{
    const double *restrict slope = span->slope;
    double *restrict to          = row + span->first;
    if (span->count == 1) { // most of them
        *to += s * *slope;
        return;
    }
    for (int k = 0; k < span->count; k++)
        to[k] += s * slope[k];
}

// In place of a number in `local`: of a link elsewhere; of one of the cluster's, but held.
enum { ELSEWHERE = -1, NO_STATE = -2 };

static void name_states(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_derivative *d)
{
    int next = 0;
    for (int i = 0; i < cluster->link_count; i++)
        for (int k = 0; k < own_coordinates(tree, cluster->links[i]); k++)
            d->states[next++] = tree->links[cluster->links[i]].q + k;
    for (int k = 0; k < cluster->v_count; k++)
        d->states[next++] = tree->q_count + cluster->speeds[k];
    for (int i = 0; i < tree->q_count + tree->v_count; i++)
        d->local[i] = ELSEWHERE;
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *link = &tree->links[cluster->links[i]];
        for (int k = 0; k < link->q_count; k++)
            d->local[link->q + k] = NO_STATE;
        for (int k = 0; k < link->v_count; k++)
            d->local[tree->q_count + link->v + k] = NO_STATE;
    }
    for (int i = 0; i < next; i++)
        d->local[d->states[i]] = i;
}

// A term that is a state of the cluster.
static void add_term(int state, kane_cluster_derivative *d)
{
    d->term_of[d->local[state]] = d->term_count;
    d->by_term[d->local[state]] = (kane_slope_span){d->term_count, 1, &one};
    d->term[d->term_count++]    = state;
}

// Terms: states in the order of their links, then others, which get their numbers here.
static void name_terms(const kane_tree *tree, const kane_cluster *cluster, const kane_derive_map *map,
                       kane_cluster_derivative *d)
{
    const int other = d->state_count + d->follower_count;
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *link = &tree->links[cluster->links[i]];
        for (int k = 0; k < link->q_count && link->role != KANE_FLEX_NODE; k++)
            add_term(link->q + k, d);
        for (int k = 0; k < link->v_count && link->role != KANE_FLEX_NODE; k++)
            add_term(tree->q_count + link->v + k, d);
    }
    for (int group = 0; group < kane_derive_map_count(map); group++) {
        const kane_derived_group rows = kane_derive_map_rows(map, group, NULL);
        for (int j = 0; j < rows.column_count && rows.row_count > 0 && cluster->place[rows.rows[0]] >= 0; j++) {
            const int state = rows.columns[j];
            if (d->local[state] != ELSEWHERE)
                continue;
            d->local[state]          = other + d->term_count - d->state_count;
            d->term[d->term_count++] = state;
        }
    }
}

static void name_followers(const kane_derive_map *map, const kane_cluster *cluster, kane_cluster_derivative *d)
{
    int next = 0;
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *link = &map->tree->links[cluster->links[i]];
        for (int c = 0; c < 12 && link->role == KANE_FLEX_NODE; c++, next++) {
            const int state                  = c % 2 ? map->tree->q_count + link->v + c / 2 : link->q + c / 2;
            const kane_state_share share     = kane_derive_map_share(map, state);
            d->states[d->state_count + next] = state;
            d->local[state]                  = d->state_count + next;
            d->follower[next]                = (kane_state_share){d->local[share.first], share.count, share.G};
        }
    }
}

// Followers go where their modes do. free: room for slopes.
KANE_WIDE static void direct_followers(kane_cluster_derivative *d, double *free)
{
    for (int i = 0; i < d->follower_count; i++) {
        const kane_state_share *f   = &d->follower[i];
        const kane_slope_span *mode = &d->direction[f->first];
        kane_slope_span *to         = &d->direction[d->state_count + i];
        *to                         = (kane_slope_span){.count = 0};
        for (int k = 0; k < f->count; k++)
            widen_span(to, mode[k].first, mode[k].count);
        to->slope = memset(free, 0, (size_t)to->count * sizeof *free);
        for (int k = 0; k < f->count; k++)
            add_span(f->G[k], &mode[k], free - to->first);
        free += to->count;
    }
}

// A coordinate whose rate is one speed of its own that no other coordinate depends on: what it is by a dependent speed
// follows from the others alone (find_active).
static void find_own_coordinates(const kane_derive_map *map, const kane_cluster *cluster, kane_cluster_derivative *d)
{
    for (int v = 0; v < cluster->v_count; v++)
        d->own_coordinate[v] = -1;
    for (int k = 0; k < d->q_count; k++)
        for (int n = 0; n < d->rates[k].count; n++) {
            int *own = &d->own_coordinate[d->rates[k].speed[n]];
            *own     = *own == -1 && d->rates[k].count == 1 ? k : -2;
        }
    for (int v = 0; v < cluster->v_count; v++)
        d->twin[v] = find_twin(map, d, d->q_count + v);
}

static int make_room(const kane_tree *tree, const kane_cluster *cluster, kane_arena *arena, kane_cluster_derivative *d)
{
    const size_t n = (size_t)d->state_count, rows = (size_t)cluster->row_count, v = (size_t)cluster->v_count;
    const size_t followers = (size_t)d->follower_count, columns = (size_t)d->column_count;
    const size_t all  = (size_t)(tree->q_count + tree->v_count);
    d->states         = kane_arena_alloc(arena, n + followers, sizeof *d->states);
    d->local          = kane_arena_alloc(arena, all, sizeof *d->local);
    d->term_of        = kane_arena_alloc(arena, n, sizeof *d->term_of);
    d->term           = kane_arena_alloc(arena, all, sizeof *d->term);
    d->by_term        = kane_arena_alloc(arena, n, sizeof *d->by_term);
    d->follower       = kane_arena_alloc(arena, followers, sizeof *d->follower);
    d->own_coordinate = kane_arena_alloc(arena, v, sizeof *d->own_coordinate);
    d->twin           = kane_arena_alloc(arena, v, sizeof *d->twin);
    d->active_of      = kane_arena_alloc(arena, columns, sizeof *d->active_of);
    d->value          = kane_arena_doubles(arena, rows * n);
    d->rate           = kane_arena_doubles(arena, rows * n);
    d->acceleration   = kane_arena_doubles(arena, rows * n);
    d->direction      = kane_arena_alloc(arena, n + followers, sizeof *d->direction);
    d->slopes         = kane_arena_doubles(arena, (n + followers) * columns);
    d->reading_of     = kane_arena_alloc(arena, rows, sizeof *d->reading_of);
    d->is_marked      = kane_arena_alloc(arena, n + followers, sizeof *d->is_marked);
    d->solved         = kane_arena_alloc(arena, rows, sizeof *d->solved);
    d->by_rows        = kane_arena_doubles(arena, rows * n); // columns are no more than states
    d->df             = kane_arena_doubles(arena, v);
    d->df_batch       = kane_arena_alloc(arena, v, sizeof *d->df_batch);
    d->dphi           = kane_arena_doubles(arena, rows + v);
    d->projection     = kane_arena_doubles(arena, n * n);
    d->dq_tree        = kane_arena_alloc(arena, (size_t)tree->q_count, sizeof *d->dq_tree);
    d->dv_tree        = kane_arena_alloc(arena, (size_t)tree->v_count, sizeof *d->dv_tree);
    d->sum_change     = kane_arena_alloc(arena, KANE_LINKS_READ, sizeof *d->sum_change);
    d->sum            = kane_arena_alloc(arena, KANE_LINKS_READ, sizeof *d->sum);
    d->room           = kane_constraint_row_set_room_create(arena);
    return !kane_arena_failed(arena);
}

// Matrices by terms.
static int make_room_by_terms(const kane_cluster *cluster, kane_arena *arena, kane_cluster_derivative *d)
{
    const size_t terms = (size_t)d->term_count;
    d->force           = kane_arena_doubles(arena, (size_t)cluster->v_count * terms);
    d->du_dot          = kane_arena_doubles(arena, (size_t)cluster->u_count * terms);
    d->v_dot           = kane_arena_doubles(arena, (size_t)cluster->v_count * terms);
    return !kane_arena_failed(arena);
}

// In the form of multipliers states are columns, for good.
static void make_columns_states(kane_cluster_derivative *d)
{
    for (int i = 0; i < d->column_count; i++) {
        d->active_of[i] = i;
        d->direction[i] = (kane_slope_span){i, 1, &one};
    }
    direct_followers(d, d->slopes);
}

kane_cluster_derivative *kane_cluster_derivative_create(const kane_tree *tree, const kane_cluster *cluster,
                                                        const kane_derive_map *map, const kane_rates_map *rates,
                                                        kane_arena *arena)
{
    kane_cluster_derivative *d = kane_arena_alloc(arena, 1, sizeof *d);
    if (!d)
        return NULL;
    for (int i = 0; i < cluster->link_count; i++) {
        d->q_count += own_coordinates(tree, cluster->links[i]);
        d->follower_count += tree->links[cluster->links[i]].role == KANE_FLEX_NODE ? 12 : 0;
    }
    d->state_count  = d->q_count + cluster->v_count;
    d->column_count = d->q_count + cluster->u_count;
    if (!make_room(tree, cluster, arena, d))
        return NULL;
    name_states(tree, cluster, d);
    name_followers(map, cluster, d);
    name_terms(tree, cluster, map, d);
    if (!make_room_by_terms(cluster, arena, d) || !create_rates(map, rates, arena, d))
        return NULL;
    find_own_coordinates(map, cluster, d);
    if (!create_readings(map, cluster, arena, d))
        return NULL;
    if (cluster->form == KANE_FORM_MULTIPLIERS)
        make_columns_states(d);
    return d;
}

// --- by states of the tree ---

// Puts a derivative by a state or a follower into a row by states. Where there are followers the row has been cleared.
static inline void put_row(const kane_cluster_derivative *d, int state, double value, double *row)
{
    if (state < d->state_count) {
        row[state] = d->follower_count > 0 ? row[state] + value : value;
        return;
    }
    const kane_state_share *f = &d->follower[state - d->state_count];
    for (int k = 0; k < f->count; k++)
        row[f->first + k] += value * f->G[k];
}

// Adds it to a row by terms, or by one of the others.
static inline void add_to_force(const kane_cluster_derivative *d, int state, double value, double *row)
{
    const int other = state - d->follower_count; // its term
    if (state < d->state_count) {
        row[d->term_of[state]] += value;
        return;
    }
    if (other >= d->state_count) {
        row[other] += value;
        return;
    }
    const kane_state_share *f = &d->follower[state - d->state_count];
    for (int k = 0; k < f->count; k++)
        row[d->term_of[f->first + k]] += value * f->G[k];
}

// Rows of one group.
static void copy_group(const kane_cluster *cluster, const kane_derived_group *g, kane_cluster_derivative *d)
{
    for (int i = 0; i < g->row_count; i++) {
        double *row = d->force + cluster->place[g->rows[i]] * d->term_count;
        for (int j = 0; j < g->column_count; j++)
            if (d->local[g->columns[j]] >= 0)
                add_to_force(d, d->local[g->columns[j]], g->values[i * g->column_count + j], row);
    }
}

// Forces that are no constraints': rows of the groups that the cluster's links make.
static void copy_forces(const kane_cluster *cluster, const kane_tree_derived *t, kane_cluster_derivative *d)
{
    for (int group = 0; group < kane_derive_map_count(t->map); group++)
        if (t->groups[group].row_count > 0 && cluster->place[t->groups[group].rows[0]] >= 0)
            copy_group(cluster, &t->groups[group], d);
}

// Tangents of all links that constraints read.
static void find_tangents(const kane_tree_derived *t, const kane_moving_frame *bases, const kane_tree_work *work,
                          kane_cluster_derivative *d)
{
    for (int k = 0; k < d->tangent_count; k++)
        d->tangents[k] =
            kane_tree_tangent(t->map, t->scratch, work, bases, d->tangent_by[k].state, d->tangent_by[k].link);
}

// States of a reading that are seen together: their places in it.
typedef struct batch {
    int count, at[KANE_CHANGES];
} batch;

// How they move its links; lanes that are not used are at rest.
static void move_links(const kane_constraint_row_set_reading *r, const batch *b, kane_cluster_derivative *d)
{
    for (int n = 0; n < r->link_count; n++)
        for (int k = 0; k < KANE_CHANGES; k++) {
            const int at = k < b->count ? r->tangent[b->at[k] * r->link_count + n] : -1;
            kane_link_changes_set(&d->changes[r->link[n]], k, &d->tangents[at < 0 ? d->tangent_count : at]);
        }
}

static void set_states(const kane_tree *tree, const kane_constraint_row_set_reading *r, const batch *b, double size,
                       kane_cluster_derivative *d)
{
    for (int k = 0; k < b->count; k++) {
        const int state = d->states[r->state[b->at[k]]];
        if (state < tree->q_count)
            d->dq_tree[state][k] = size;
        else
            d->dv_tree[state - tree->q_count][k] = size;
    }
}

// Adds to df what the changes of a wrench on a link push along speeds of the tree.
static inline __attribute__((always_inline)) void spread_changes(const kane_tree *tree, const kane_cluster *cluster,
                                                                 const kane_tree_work *work, int link,
                                                                 const kane_wrench_changes *change,
                                                                 double (*df)[KANE_CHANGES])
{
    kane_changes3 torque = change->torque;
    for (int i = link; i >= 0; i = tree->links[i].parent) {
        const kane_link *l        = &tree->links[i];
        const kane_flex *flex     = l->role == KANE_FLEX_NODE ? &tree->flexes[l->flex] : NULL;
        double(*to)[KANE_CHANGES] = l->v_count > 0 ? df + cluster->place[flex ? flex->v : l->v] : NULL;
        if (l->kind == KANE_LINK_BODY) {
            for (int k = 0; k < 3; k++) {
                kane_changes3_add_dot(to[k], kv3_unit(k), &change->force);
                kane_changes3_add_dot(to[3 + k], kv3_unit(k), &torque);
            }
            return;
        }
        for (int k = 0; k < l->v_count; k++) {
            const kane_axis_state *a   = &work->axis[l->v + k];
            double along[KANE_CHANGES] = {0.0};
            kane_changes3_add_dot(flex ? along : to[k], a->l, &change->force);
            kane_changes3_add_dot(flex ? along : to[k], a->e, &torque);
            for (int m = 0; flex && m < flex->count; m++)
                for (int n = 0; n < KANE_CHANGES; n++)
                    to[m][n] += along[n] * kane_flex_row(flex, i, k)[m];
        }
        kane_changes3_add_cross(&torque, work->link[i].rho, &change->force);
    }
}

// Adds what is along one speed of the tree, by one state of a batch; of a member along those of its modes.
static void add_at_speed(const kane_tree *tree, const kane_cluster *cluster, int speed, int state, double value,
                         double (*df)[KANE_CHANGES])
{
    const kane_flex *flex;
    if (cluster->place[speed] >= 0) {
        df[cluster->place[speed]][state] += value;
        return;
    }
    const double *G = kane_flex_row_of_speed(tree, speed, &flex);
    for (int k = 0; k < flex->count; k++)
        df[cluster->place[flex->v + k]][state] += value * G[k];
}

// Before the rows of a constraint are summed: followers share the columns of modes.
static void clear_rows(const kane_cluster *cluster, int c, kane_cluster_derivative *d)
{
    for (int row = cluster->row_begin[c]; row < cluster->row_begin[c + 1]; row++)
        for (int k = 0; k < d->reading_of[row]->moving_count; k++) {
            const int place = row * d->state_count + d->reading_of[row]->moving[k];
            d->value[place] = d->rate[place] = d->acceleration[place] = 0.0;
        }
}

// What the multipliers of a reading push its links with, all rows together: d->sum. Outer states turn it.
static void begin_reading(kane_cluster_work *s, const kane_constraint_row_set_reading *r, kane_cluster_derivative *d)
{
    for (int n = 0; n < r->link_count; n++)
        d->sum[n] = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int k = 0; k < r->constraint_count; k++) {
        const int c                               = r->constraint[k];
        kane_constraint_rows_values *const values = &s->values[c];
        if (d->follower_count > 0)
            clear_rows(s->cluster, c, d);
        if (r->count == r->inner_count)
            continue;
        kane_constraint_row_set_eval(&s->e, s->cluster->closures[c], 1, values);
        for (int p = 0; p < values->direction_count; p++) {
            const double lambda = s->lambda[s->cluster->row_begin[c] + values->direction[p].row];
            kane_wrench *to     = &d->sum[place_in(r->link_count, r->link, values->direction[p].link)];
            to->force           = kv3_add_scaled(to->force, lambda, values->direction[p].wrench.force);
            to->torque          = kv3_add_scaled(to->torque, lambda, values->direction[p].wrench.torque);
        }
    }
}

// Adds changes of what a rod with mass pushes its sides with.
static void add_loads(const kane_constraint_row_set *closure, const kane_constraint_row_set_reading *r,
                      const kane_wrench_changes *load, kane_wrench_changes *sum_change)
{
    for (int end = 0; end < 2; end++) {
        if (closure->side[end].link < 0)
            continue;
        kane_wrench_changes *to = &sum_change[place_in(r->link_count, r->link, closure->side[end].link)];
        kane_changes3_add_scaled(&to->force, 1.0, &load[end].force);
        kane_changes3_add_scaled(&to->torque, 1.0, &load[end].torque);
    }
}

// One constraint by states that move its sides against each other: its rows change, and so do the directions in which
// its multipliers push.
static void derive_inner(const kane_cluster_work *s, int c, const kane_constraint_row_set_reading *r, const batch *b,
                         kane_cluster_derivative *d)
{
    const kane_constraint_row_set *closure   = s->cluster->closures[c];
    const int begin                          = s->cluster->row_begin[c];
    const kane_row_changes changes           = {b->count, d->changes, (const double(*)[KANE_CHANGES])d->dq_tree,
                                                (const double(*)[KANE_CHANGES])d->dv_tree, s->lambda + begin};
    const kane_constraint_row_set_changes *t = kane_constraint_row_set_derive(&s->e, closure, &changes, d->room);
    for (int i = 0; i < closure->row_count; i++) {
        const int row = (begin + i) * d->state_count;
        for (int k = 0; k < b->count; k++) {
            const int state = r->state[b->at[k]];
            if (i < closure->position_count)
                put_row(d, state, t->value[i][k], d->value + row);
            put_row(d, state, t->rate[i][k], d->rate + row);
            put_row(d, state, t->acceleration[i][k], d->acceleration + row);
        }
    }
    for (int p = 0; p < t->reaction_count; p++) {
        kane_wrench_changes *to = &d->sum_change[place_in(r->link_count, r->link, t->reaction[p].link)];
        kane_changes3_add_scaled(&to->force, 1.0, &t->reaction[p].wrench.force);
        kane_changes3_add_scaled(&to->torque, 1.0, &t->reaction[p].wrench.torque);
    }
    for (int e = 0; e < t->entry_count; e++)
        for (int k = 0; k < b->count; k++)
            add_at_speed(s->e.tree, s->cluster, t->entry[e].v, k, t->entry[e].force[k], d->df_batch);
    if (closure->rod.mass > 0.0)
        add_loads(closure, r, t->load, d->sum_change);
}

// All of a reading by states that move all its sides alike: rows do not see them, pushes turn along; a rod with mass is
// accelerated.
static void derive_outer(const kane_cluster_work *s, const kane_constraint_row_set_reading *r, const batch *b,
                         kane_cluster_derivative *d)
{
    const kane_row_changes changes = {b->count, d->changes, NULL, NULL, NULL};
    for (int n = 0; n < r->link_count; n++) {
        kane_changes3_add_turned(&d->sum_change[n].force, &d->changes[r->link[n]].turn, d->sum[n].force);
        kane_changes3_add_turned(&d->sum_change[n].torque, &d->changes[r->link[n]].turn, d->sum[n].torque);
    }
    for (int k = 0; k < r->constraint_count && r->has_loads; k++) {
        const kane_constraint_row_set *closure = s->cluster->closures[r->constraint[k]];
        if (closure->rod.mass > 0.0)
            add_loads(closure, r, kane_constraint_row_set_derive_load(&s->e, closure, &changes, d->room)->load,
                      d->sum_change);
    }
}

// Adds what d->sum_change, the changes of the multipliers' pushes and of loads, is along the speeds of the sides to the
// forces by the states.
KANE_WIDE static void add_forces(const kane_cluster_work *s, const kane_constraint_row_set_reading *r, const batch *b,
                                 kane_cluster_derivative *d)
{
    for (int n = 0; n < r->link_count; n++)
        spread_changes(s->e.tree, s->cluster, s->e.work, r->link[n], &d->sum_change[n], d->df_batch);
    for (int k = r->moving_count - 1; k >= 0 && r->moving[k] >= d->q_count; k--) {
        const int v = r->moving[k] - d->q_count;
        double *df  = d->df_batch[v];
        for (int n = 0; n < b->count; n++)
            add_to_force(d, r->state[b->at[n]], df[n], d->force + v * d->term_count);
        memset(df, 0, sizeof d->df_batch[0]);
    }
}

// Whether an outer state changes pushes or loads: by shifts and velocities alone it does only where imaginary terms are
// forces.
static int changes_links(const kane_constraint_row_set_reading *r, const kane_cluster_derivative *d, int k)
{
    double size = r->has_imaginary;
    for (int n = 0; n < r->link_count && size == 0.0; n++) {
        const int at               = r->tangent[k * r->link_count + n];
        const kane_link_tangent *t = &d->tangents[at < 0 ? d->tangent_count : at];
        size = kv3_dot(t->turn, t->turn) + kv3_dot(t->w, t->w) + kv3_dot(t->a, t->a) + kv3_dot(t->al, t->al);
    }
    return size != 0.0;
}

// The next states from place k on, up to `end`; returns where it has come to.
static int fill_batch(const kane_constraint_row_set_reading *r, const kane_cluster_derivative *d, int k, int end,
                      batch *b)
{
    for (b->count = 0; k < end && b->count < KANE_CHANGES; k++)
        if (k < r->inner_count || changes_links(r, d, k))
            b->at[b->count++] = k;
    return k;
}

// Holonomic rows by a speed that is the rate of coordinate q (its twin):
//   dPhi'/dq' = dPhi/dq,   dPhi''/dq' = 2 dPhi'/dq
static void derive_by_rates(const kane_cluster *cluster, const kane_constraint_row_set_reading *r,
                            kane_cluster_derivative *d)
{
    for (int i = 0; i < r->constraint_count && r->is_holonomic; i++) {
        const int c = r->constraint[i];
        for (int k = 0; k < r->moving_count; k++) {
            const int state = r->moving[k], twin = state < d->q_count ? -1 : d->twin[state - d->q_count];
            const int first = cluster->row_begin[c] * d->state_count, end = cluster->row_begin[c + 1] * d->state_count;
            for (int row = first; row < end && twin >= 0; row += d->state_count) {
                d->rate[row + state]         = d->value[row + twin];
                d->acceleration[row + state] = 2.0 * d->rate[row + twin];
            }
        }
    }
}

// Rows by those states that change them; what others would do is zero for good.
static void derive_rows(kane_cluster_work *s, kane_cluster_derivative *d)
{
    for (int i = 0; i < d->reading_count; i++) {
        const kane_constraint_row_set_reading *r = &d->reading[i];
        batch b                                  = {0}; // compilers may load places behind its count, too
        begin_reading(s, r, d);
        for (int k = 0; k < r->count;) {
            const int is_inner = k < r->inner_count;
            k                  = fill_batch(r, d, k, is_inner ? r->inner_count : r->count, &b);
            if (b.count == 0)
                continue;
            move_links(r, &b, d);
            memset(d->sum_change, 0, (size_t)r->link_count * sizeof *d->sum_change);
            if (is_inner) {
                set_states(s->e.tree, r, &b, 1.0, d);
                for (int n = 0; n < r->constraint_count; n++)
                    derive_inner(s, r->constraint[n], r, &b, d);
                set_states(s->e.tree, r, &b, 0.0, d);
            } else {
                derive_outer(s, r, &b, d);
            }
            add_forces(s, r, &b, d);
        }
        derive_by_rates(s->cluster, r, d);
    }
}

// --- directions: what one state of y moves in the tree ---

static void copy_rates(const kane_cluster *cluster, const kane_tree_derived *t, kane_cluster_derivative *d)
{
    memset(d->df, 0, (size_t)cluster->v_count * sizeof *d->df);
    for (int k = 0; k < d->q_count; k++) {
        const kane_rate_row row = kane_rates_map_rows(t->rates)[d->states[k]];
        for (int c = 0; c < row.column_count; c++) {
            const kane_state_share share = share_of_speed(t->map, d, row.columns[c]);
            if (share.first >= 0)
                kane_state_share_add(share, t->rates_values[row.at + (size_t)c], 1, d->df);
        }
        for (int n = 0; n < d->rates[k].count; n++) {
            d->rates[k].slope[n]        = d->df[d->rates[k].speed[n]];
            d->df[d->rates[k].speed[n]] = 0.0;
        }
    }
}

// X of P X = A D, block by block, of the rows with values alone or of all: d->solved, by dependent speeds.
//   A, D  [row_count * state_count], [state_count], of which states below `end` count
KANE_WIDE static void solve_blocks(const kane_cluster_work *s, int of_positions, const double *A, int end,
                                   const kane_slope_span *D, kane_cluster_derivative *d)
{
    double *X = d->by_rows;
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b                    = &s->blocks[k];
        const int n                                 = of_positions ? b->position_count : b->count;
        kane_slope_span all                         = {.count = 0};
        const kane_constraint_row_set_reading *seen = NULL;
        for (int m = 0; m < n; m++) {
            const kane_constraint_row_set_reading *r = d->reading_of[s->row[b->row[m]]];
            for (int i = 0; r != seen && i < r->moving_count && r->moving[i] < end; i++)
                widen_span(&all, D[r->moving[i]].first, D[r->moving[i]].count);
            seen = r;
        }
        memset(X, 0, (size_t)(n * all.count) * sizeof *X);
        for (int m = 0; m < n; m++) {
            const kane_constraint_row_set_reading *r = d->reading_of[s->row[b->row[m]]];
            const double *A_row                      = A + s->row[b->row[m]] * d->state_count;
            double *to                               = X + m * all.count - all.first;
            for (int i = 0; i < r->moving_count && r->moving[i] < end; i++)
                add_span(A_row[r->moving[i]], &D[r->moving[i]], to);
        }
        if (of_positions)
            kane_envelope_solve(&b->P_position, b->LU_position, b->pivot_position, all.count, X);
        else
            kane_envelope_solve(&b->P, b->LU, b->pivot, all.count, X);
        for (int m = 0; m < n; m++, X += all.count)
            d->solved[b->member[m]] = (kane_slope_span){all.first, all.count, X};
    }
}

// Columns that are not zero. A dependent speed makes good what its own coordinate is off, all of it: that coordinate
// moves nothing.
static void find_active(const kane_cluster_work *s, kane_cluster_derivative *d)
{
    const int rank = s->cluster->rank;
    int count      = 0;
    for (int k = 0; k < d->column_count; k++)
        d->active_of[k] = 0;
    for (int i = 0; i < s->cluster->position_rank; i++) {
        const int k = d->own_coordinate[s->column[i]];
        if (k >= 0 && d->rates[k].slope[0] == 1.0)
            d->active_of[k] = -1;
    }
    for (int t = 0; t < d->state_count; t++) {
        const int state = d->local[d->term[t]], v = state - d->q_count;
        const int column = v < 0 ? state : d->q_count + s->position[v] - rank;
        if ((v < 0 || s->position[v] >= rank) && d->active_of[column] >= 0)
            d->active_of[column] = count++;
    }
}

// Rows of coordinates and speeds that are columns.
static void direct_columns(const kane_cluster_work *s, kane_cluster_derivative *d)
{
    for (int k = 0; k < d->q_count; k++)
        d->direction[k] = (kane_slope_span){d->active_of[k] < 0 ? 0 : d->active_of[k], d->active_of[k] >= 0, &one};
    for (int j = s->cluster->rank; j < s->cluster->v_count; j++)
        d->direction[d->q_count + s->column[j]] =
            (kane_slope_span){d->active_of[d->q_count + j - s->cluster->rank], 1, &one};
}

// Coordinates, by those of y: dependent ones follow.
//   dq = dq_0 - Q_d P^-1 dPhi/dq dq_0
// free: room for slopes; returns what is left of it.
KANE_WIDE static double *direct_coordinates(kane_cluster_work *s, double *free, kane_cluster_derivative *d)
{
    solve_blocks(s, 1, d->value, d->q_count, d->direction, d);
    for (int k = 0; k < d->q_count; k++) {
        const kane_rate_by_speeds *rate = &d->rates[k];
        const kane_slope_span own       = d->direction[k];
        kane_slope_span to              = own;
        for (int n = 0; n < rate->count; n++) {
            const int place = s->position[rate->speed[n]];
            if (place < s->cluster->position_rank)
                widen_span(&to, d->solved[place].first, d->solved[place].count);
        }
        to.slope = memset(free, 0, (size_t)to.count * sizeof *free);
        add_span(1.0, &own, free - to.first);
        for (int n = 0; n < rate->count; n++) {
            const int place = s->position[rate->speed[n]];
            if (place < s->cluster->position_rank)
                add_span(-rate->slope[n], &d->solved[place], free - to.first);
        }
        d->direction[k] = to;
        free += to.count;
    }
    return free;
}

// Dependent speeds, by coordinates and by independent speeds.
KANE_WIDE static double *direct_speeds(kane_cluster_work *s, double *free, kane_cluster_derivative *d)
{
    solve_blocks(s, 0, d->rate, d->q_count, d->direction, d);
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        const int *column        = d->active_of + d->q_count;
        for (int m = 0; m < b->count; m++) {
            const kane_slope_span *by_coordinates = &d->solved[b->member[m]];
            kane_slope_span *to                   = &d->direction[d->q_count + s->column[b->member[m]]];
            *to                                   = *by_coordinates;
            for (int f = 0; f < b->free_count; f++)
                widen_span(to, column[b->free[f]], 1);
            to->slope = memset(free, 0, (size_t)to->count * sizeof *free);
            add_span(-1.0, by_coordinates, free - to->first);
            for (int f = 0; f < b->free_count; f++)
                free[column[b->free[f]] - to->first] += b->B[m * b->free_count + f];
            free += to->count;
        }
    }
    return free;
}

static void find_directions(kane_cluster_work *s, kane_cluster_derivative *d)
{
    if (s->cluster->form == KANE_FORM_MULTIPLIERS) // states are columns
        return;
    find_active(s, d);
    direct_columns(s, d);
    (void)kane_blocks_factor_positions(s); // as follow has found it to be regular
    direct_followers(d, direct_speeds(s, direct_coordinates(s, d->slopes, d), d));
}

// --- accelerations by terms ---

//   M du_dot = A' (F + Theta P^-1 acceleration),   F = f + Phi' lambda - Theta v_dot
KANE_WIDE static void accelerate_by_coefficients(const kane_cluster_work *s, kane_cluster_derivative *d)
{
    const int n = d->term_count, rank = s->cluster->rank, u = s->cluster->u_count;
    double *F = d->force, *U = d->du_dot;
    solve_blocks(s, 0, d->acceleration, d->state_count, d->by_term, d);
    for (int k = 0; k < s->load_count; k++)
        add_span(s->theta[s->load[k].entry], &d->solved[s->load[k].dependent], F + s->load[k].speed * n);
    for (int j = 0; j < u; j++) // M is ordered from the last independent speed to the first
        memcpy(U + (u - 1 - j) * n, F + s->column[rank + j] * n, (size_t)n * sizeof *U);
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        for (int m = 0; m < b->count; m++)
            for (int i = 0; i < b->free_count; i++)
                add_span(b->B[m * b->free_count + i], &(kane_slope_span){0, n, F + s->column[b->member[m]] * n},
                         U + (u - 1 - b->free[i]) * n);
    }
    kane_cholesky_solve_columns(u, s->M, s->first, n, U);
    for (int i = 0, j = u - 1; i < j; i++, j--)
        for (int k = 0; k < n; k++) {
            const double x = U[i * n + k];
            U[i * n + k]   = U[j * n + k];
            U[j * n + k]   = x;
        }
}

static void accelerate_by_multipliers(kane_cluster_work *s, kane_cluster_derivative *d)
{
    const kane_cluster *cluster = s->cluster;
    const int n                 = d->term_count;
    double *v_dot               = d->by_rows;
    for (int t = 0; t < n; t++) {
        const int state = d->local[d->term[t]];
        for (int k = 0; k < cluster->v_count; k++)
            d->df[k] = d->force[k * n + t];
        for (int k = 0; k < cluster->row_count; k++)
            d->dphi[k] = state < d->state_count ? d->acceleration[k * d->state_count + state] : 0.0;
        kane_cluster_respond(s, d->df, d->dphi, v_dot);
        for (int k = 0; k < cluster->u_count; k++)
            d->du_dot[k * n + t] = v_dot[k];
    }
}

KANE_WIDE void kane_cluster_derive_speeds(const kane_cluster_work *s, kane_cluster_derivative *d)
{
    const int n = d->term_count, rank = s->cluster->form == KANE_FORM_MULTIPLIERS ? 0 : s->cluster->rank;
    memset(d->v_dot, 0, (size_t)(s->cluster->v_count * n) * sizeof *d->v_dot);
    for (int j = rank; j < s->cluster->v_count; j++) {
        const int v = s->cluster->form == KANE_FORM_MULTIPLIERS ? j : s->column[j];
        memcpy(d->v_dot + v * n, d->du_dot + (j - rank) * n, (size_t)n * sizeof *d->v_dot);
    }
    for (int k = 0; k < s->block_count && rank > 0; k++) {
        const kane_loop_block *b = &s->blocks[k];
        for (int m = 0; m < b->count; m++) {
            double *row = d->v_dot + s->column[b->member[m]] * n;
            add_span(-1.0, &d->solved[b->member[m]], row);
            for (int i = 0; i < b->free_count; i++)
                add_span(b->B[m * b->free_count + i], &(kane_slope_span){0, n, d->du_dot + b->free[i] * n}, row);
        }
    }
}

void kane_cluster_derive(kane_cluster_work *s, const kane_tree_derived *derived, kane_cluster_derivative *d)
{
    copy_forces(s->cluster, derived, d);
    find_tangents(derived, s->e.bases, s->e.work, d);
    derive_rows(s, d);
    copy_rates(s->cluster, derived, d);
    find_directions(s, d);
    if (s->cluster->form == KANE_FORM_MULTIPLIERS)
        accelerate_by_multipliers(s, d);
    else
        accelerate_by_coefficients(s, d);
    for (int k = 0; k < s->cluster->v_count; k++)
        memset(d->force + k * d->term_count, 0, (size_t)d->term_count * sizeof *d->force);
}
