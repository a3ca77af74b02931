// SPDX-License-Identifier: MIT
// M = A' Theta A and A' Theta g of a cluster in the form of coefficients, column by column, without Theta.
//
// One independent speed moves links by itself and by the dependent speeds that go with it: its column of A. What these need, with
// all that hangs on them, is handed up as one wrench, and every speed on the way takes from it what is along it. That counts a
// pair of speeds where one carries the other; a speed meets itself, and those of its own link, by half:
//
//   M = G + G'      G_fg: of what column f needs on its way up, along column g
//
// Loops that hang on one body meet in its wrench: beyond their apex a column costs the same, however many links moved below. What
// is given, the dependent accelerations g while the independent ones are zero, is one more column. Rods between links of the
// cluster push one of them as the other one is accelerated; what carries both is in its own inertia (loops_rods.c).

#include "tree/loops_work.h"
#include "tree/spatial.h"
#include "tree/flex.h"

#include <string.h>

// === Structure, once a choice.

static const double one = 1.0;

static void add_seed(kane_cluster_work *s, int local, const double *factor)
{
    s->seed[s->seed_count++] = (kane_inertia_seed){s->cluster->speeds[local], factor};
}

// Speeds of a column and what they are multiplied by.
static void list_seeds(kane_cluster_work *s, int column)
{
    const kane_cluster *c = s->cluster;
    const int u           = c->v_count - c->rank;
    if (column < u)
        add_seed(s, s->column[c->rank + column], &one);
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        for (int m = 0; m < b->count; m++) {
            if (column == u)
                add_seed(s, s->column[b->member[m]], &s->g[b->member[m]]);
            for (int f = 0; f < b->free_count && column < u; f++)
                if (b->free[f] == column)
                    add_seed(s, s->column[b->member[m]], &b->B[m * b->free_count + f]);
        }
    }
}

static void mark_way(const kane_tree *tree, int link, int *marks)
{
    for (int i = link; i >= 0; i = composite_loads_parent(&tree->links[i]) ? tree->links[i].parent : -1)
        marks[i] = 1;
}

// Whether a column moves a link against the apex.
static int is_moved(const kane_tree *tree, int link, int apex, const int *moving)
{
    for (int i = link; i != apex && i >= 0; i = tree->links[i].parent) {
        const kane_link *own = &tree->links[i];
        if (moving[own->role == KANE_FLEX_NODE ? tree->flexes[own->flex].carrier : i])
            return 1;
        if (own->kind == KANE_LINK_BODY)
            break;
    }
    return 0;
}

// Rods that a column accelerates at one end, and where their pushes go: of the second end's motion to the first link, of the first
// one's to the apex.
static void list_rods(kane_cluster_work *s, const int *moving, int *marks)
{
    for (int k = 0; k < s->cluster->coupling_count; k++) {
        const kane_rod_coupling *own = &s->cluster->coupling[k];
        const int on[2]              = {own->both > 0 && own->first > 0 ? own->apex : -1, own->link[0]};
        for (int end = 0; end < 2; end++)
            if (on[end] >= 0 && is_moved(s->e.tree, own->link[end], own->apex, moving)) {
                s->pushing[s->pushing_count++] = (kane_inertia_rod){k, end};
                mark_way(s->e.tree, on[end], marks);
            }
    }
}

// The seeds of a column in the order of its visits, each with those of its link.
static void list_visits(kane_cluster_work *s, int first_seed, const int *marks)
{
    const kane_cluster *c   = s->cluster;
    kane_inertia_seed *seed = s->seed + first_seed;
    const int count         = s->seed_count - first_seed;
    int next                = 0;
    for (int n = c->link_count - 1; n >= 0; n--) {
        const int i = c->links[n];
        if (!marks[i])
            continue;
        const int begin = next;
        for (int k = next; k < count; k++)
            if (c->link_of_speed[c->place[seed[k].speed]] == i) {
                const kane_inertia_seed now = seed[k];
                seed[k]                     = seed[next];
                seed[next++]                = now;
            }
        s->visit[s->visit_count++] = (kane_inertia_visit){i, first_seed + begin, first_seed + next};
    }
}

void kane_blocks_arrange_inertia(kane_cluster_work *s)
{
    const kane_tree *tree = s->e.tree;
    const kane_cluster *c = s->cluster;
    const int u           = c->v_count - c->rank;
    int *moving = s->link_marks, *marks = s->link_marks + tree->link_count;
    s->seed_count = s->visit_count = s->pushing_count = 0;
    for (int column = 0; column <= u; column++) {
        const int first_seed = s->seed_count;
        memset(s->link_marks, 0, 2 * (size_t)tree->link_count * sizeof *s->link_marks);
        s->inertia_column[column] = (kane_inertia_column){.visit = s->visit_count, .rod = s->pushing_count};
        list_seeds(s, column);
        for (int k = first_seed; k < s->seed_count; k++) {
            const int link = c->link_of_speed[c->place[s->seed[k].speed]];
            moving[link]   = 1;
            mark_way(tree, link, marks);
        }
        list_rods(s, moving, marks);
        list_visits(s, first_seed, marks);
    }
    s->inertia_column[u + 1] = (kane_inertia_column){.visit = s->visit_count, .rod = s->pushing_count};
}

// === Values.

typedef struct sums {
    const kane_tree *tree;
    const kane_cluster *c;
    kane_cluster_work *s;
    const kane_tree_work *work;
    double *row;   // of G, for the column that is summed; of what is given, `given` itself
    double *given; // what that column adds to A' Theta g; of what is given, a number that nobody reads
} sums;

// What a speed of the tree takes, by the columns that it belongs to.
static inline void add_to_reduced_row(const sums *a, int speed, double value)
{
    const kane_cluster_work *s = a->s;
    const int position = s->position[a->c->place[speed]], rank = a->c->rank;
    if (position >= rank) {
        a->row[position - rank] += value;
        return;
    }
    const kane_loop_block *b = &s->blocks[s->block_of[position]];
    const double *B          = b->B + s->place_in_block[position] * b->free_count;
    for (int f = 0; f < b->free_count; f++)
        a->row[b->free[f]] += B[f] * value;
    *a->given += s->g[position] * value;
}

static void take_all(const sums *a, int first, int count, const double *values)
{
    for (int k = 0; k < count; k++)
        add_to_reduced_row(a, first + k, values[k]);
}

// A point of a deformable body hands what is along its speeds to the modes.
static void visit_member(const sums *a, int i, kane_wrench w)
{
    const kane_link *link = &a->tree->links[i];
    const kane_flex *flex = &a->tree->flexes[link->flex];
    double along[6], *modes = a->s->of_modes;
    composite_project(link, a->work, w, along);
    memset(modes, 0, (size_t)flex->count * sizeof *modes);
    kane_flex_fold(flex, i, along, modes);
    take_all(a, flex->v, flex->count, modes);
}

// A mode that is accelerated: what the others take, itself by half; what the carrier feels.
static kane_wrench visit_mode(const sums *a, const kane_inertia_seed *seed, const kane_flex *flex)
{
    const kane_flex_work *own = &a->work->flex[flex - a->tree->flexes];
    const int k               = seed->speed - flex->v;
    const double factor       = *seed->factor;
    for (int m = 0; m <= k; m++)
        add_to_reduced_row(a, flex->v + m, (m == k ? 0.5 : 1.0) * factor * own->W[k * flex->count + m]);
    return (kane_wrench){kv3_scale(factor, own->W_f[k]), kv3_scale(factor, own->W_n[k])};
}

// What a link is accelerated with by its own seeds; modes of a deformable body have been added to w.
static kane_wrench find_seed_wrench(const sums *a, const kane_inertia_visit *visit, kane_wrench *w)
{
    const kane_link *link = &a->tree->links[visit->link];
    kane_wrench moves     = {kv3_zero(), kv3_zero()};
    for (int k = visit->seed_begin; k < visit->seed_end; k++) {
        const kane_inertia_seed *seed = &a->s->seed[k];
        const int own                 = seed->speed - link->v;
        if (own < 0 || own >= link->v_count) {
            *w = kw_add(*w, visit_mode(a, seed, &a->tree->flexes[link->flex]));
            continue;
        }
        const double factor      = *seed->factor;
        const kane_wrench motion = composite_motion(link, a->work, own);
        moves.force              = kv3_add_scaled(moves.force, factor, motion.force);
        moves.torque             = kv3_add_scaled(moves.torque, factor, motion.torque);
        if (kane_link_armature(link, own) != 0.0)
            add_to_reduced_row(a, seed->speed, 0.5 * factor * kane_link_armature(link, own));
    }
    return composite_needs(&a->s->spatial[visit->link], moves);
}

// Along the speeds of a link.
static inline void take_along(const sums *a, const kane_link *link, kane_wrench w)
{
    double along[6];
    composite_project(link, a->work, w, along);
    take_all(a, link->v, link->v_count, along);
}

// A link with what it has been handed.
static inline void visit_link(const sums *a, const kane_inertia_visit *visit)
{
    const kane_link *link = &a->tree->links[visit->link];
    kane_cluster_work *s  = a->s;
    kane_wrench w         = s->wrench[visit->link];
    if (link->role == KANE_FLEX_NODE) {
        visit_member(a, visit->link, w);
    } else if (visit->seed_end > visit->seed_begin) {
        const kane_wrench own = find_seed_wrench(a, visit, &w);
        take_along(a, link,
                   (kane_wrench){kv3_add_scaled(w.force, 0.5, own.force), kv3_add_scaled(w.torque, 0.5, own.torque)});
        w = kw_add(w, own);
    } else {
        take_along(a, link, w);
    }
    if (composite_loads_parent(link)) {
        kane_wrench *to = &s->wrench[link->parent];
        *to             = kw_add(*to, kane_tree_at_parent(visit->link, a->work, w));
    }
}

// What rods push as a column accelerates one of their ends.
static void push_rods(const sums *a, int column)
{
    kane_cluster_work *s             = a->s;
    const kane_inertia_column *lists = &s->inertia_column[column];
    if (lists[1].rod == lists[0].rod || s->rod_inertia != KANE_RODS_EXACT)
        return;
    const int first = s->visit[lists[0].visit].seed_begin, end = s->visit[lists[1].visit - 1].seed_end;
    for (int k = first; k < end; k++)
        s->factor[s->seed[k].speed] = *s->seed[k].factor;
    for (int k = lists[0].rod; k < lists[1].rod; k++)
        kane_cluster_push_coupling(s, s->pushing[k].coupling, s->pushing[k].end, s->factor, s->wrench);
    for (int k = first; k < end; k++)
        s->factor[s->seed[k].speed] = 0.0;
}

static void sum_column(const sums *a, int column)
{
    kane_cluster_work *s             = a->s;
    const kane_inertia_column *lists = &s->inertia_column[column];
    for (int v = lists[0].visit; v < lists[1].visit; v++)
        s->wrench[s->visit[v].link] = (kane_wrench){kv3_zero(), kv3_zero()};
    push_rods(a, column);
    for (int v = lists[0].visit; v < lists[1].visit; v++)
        visit_link(a, &s->visit[v]);
}

void kane_blocks_sum_inertia(kane_cluster_work *s, double *given)
{
    const kane_cluster *c = s->cluster;
    const int u           = c->v_count - c->rank;
    sums a                = {.tree = s->e.tree, .c = c, .s = s, .work = s->e.work};
    double unused         = 0.0;
    memset(s->G, 0, (size_t)(u * u) * sizeof *s->G);
    memset(given, 0, (size_t)u * sizeof *given);
    for (int column = 0; column < u; column++) {
        a.row   = s->G + column * u;
        a.given = given + column;
        sum_column(&a, column);
    }
    a.row   = given;
    a.given = &unused;
    sum_column(&a, u);
    for (int f = 0; f < u; f++)
        for (int k = 0; k <= f; k++)
            s->M[(u - 1 - k) * u + u - 1 - f] = s->G[f * u + k] + s->G[k * u + f];
}
