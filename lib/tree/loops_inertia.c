// SPDX-License-Identifier: MIT
// M = A' Theta A and A' Theta g of a cluster in the form of coefficients, column by column, without Theta.
//
// One independent speed moves links by itself and by its dependent speeds: its column of A. The wrench that the
// accelerated links need, composite inertia included, passes inward, and is projected on every speed on the way. This
// counts a pair of speeds once, where one carries the other; a speed with itself, and with those of its own link,
// counts by half:
//
//   M = G + G'      G_fg: wrench of column f on its way to the root, projected on column g
//
// Loops on one body add up in its wrench: beyond their apex a column costs the same, however many links it moves. The
// dependent accelerations g at u_dot = 0 are one more column. Rods with mass between links of the cluster load one link
// when the other accelerates; the links that carry both ends have them in their inertia (loops_rods.c).

#include "tree/loops_work.h"
#include "tree/spatial.h"
#include "tree/flex.h"

#include <string.h>

// === Structure, once for each choice.

static const double one = 1.0;

static void add_seed(kane_cluster_work *s, int local, const double *factor)
{
    s->seed[s->seed_count++] = (kane_inertia_seed){s->cluster->speeds[local], factor};
}

// Speeds of a column of A with their factors: 1 for the independent speed, entries of B for dependent ones; of column u
// the dependent accelerations g.
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

// Marks a link and all links that get its wrench.
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

// Rod couplings with an end that the column moves. A moving second end loads the first link, a moving first end the
// apex.
static void list_rods(kane_cluster_work *s, const int *moving, int *marks)
{
    for (int k = 0; k < s->cluster->coupling_count; k++) {
        const kane_rod_coupling *own = &s->cluster->coupling[k];
        const int on[2]              = {own->both > 0 && own->first > 0 ? own->apex : -1, own->link[0]};
        for (int end = 0; end < 2; end++)
            if (on[end] >= 0 && is_moved(s->e.tree, own->link[end], own->apex, moving)) {
                s->loading_rod[s->loading_rod_count++] = (kane_inertia_rod){k, end};
                mark_way(s->e.tree, on[end], marks);
            }
    }
}

// Links of a column from the leaves to the root, each with its own seeds.
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

// Seeds, rods and visits of all columns.
void kane_blocks_arrange_inertia(kane_cluster_work *s)
{
    const kane_tree *tree = s->e.tree;
    const kane_cluster *c = s->cluster;
    const int u           = c->v_count - c->rank;
    int *moving = s->link_marks, *marks = s->link_marks + tree->link_count;
    s->seed_count = s->visit_count = s->loading_rod_count = 0;
    for (int column = 0; column <= u; column++) {
        const int first_seed = s->seed_count;
        memset(s->link_marks, 0, 2 * (size_t)tree->link_count * sizeof *s->link_marks);
        s->inertia_column[column] = (kane_inertia_column){.visit = s->visit_count, .rod = s->loading_rod_count};
        list_seeds(s, column);
        for (int k = first_seed; k < s->seed_count; k++) {
            const int link = c->link_of_speed[c->place[s->seed[k].speed]];
            moving[link]   = 1;
            mark_way(tree, link, marks);
        }
        list_rods(s, moving, marks);
        list_visits(s, first_seed, marks);
    }
    s->inertia_column[u + 1] = (kane_inertia_column){.visit = s->visit_count, .rod = s->loading_rod_count};
}

// === Values.

typedef struct sums {
    const kane_tree *tree;
    const kane_cluster *c;
    kane_cluster_work *s;
    const kane_tree_work *work;
    double *row;   // of G, for the column that is summed; of what is given, `given` itself
    double *given; // what that column adds to A' Theta g; of column u: not read
} sums;

// Adds a generalised force along a speed of the tree to the row of G: itself if it is independent, else by its row of
// B, and g times it to `given`.
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

// The same for speeds that follow one another.
static void add_values(const sums *a, int first, int count, const double *values)
{
    for (int k = 0; k < count; k++)
        add_to_reduced_row(a, first + k, values[k]);
}

// A point of a deformable body: generalised forces along its speeds, then along the modes by G'.
static void visit_member(const sums *a, int i, kane_wrench w)
{
    const kane_link *link = &a->tree->links[i];
    const kane_flex *flex = &a->tree->flexes[link->flex];
    double along[6], *modes = a->s->of_modes;
    composite_project(link, a->work, w, along);
    memset(modes, 0, (size_t)flex->count * sizeof *modes);
    kane_flex_fold(flex, i, along, modes);
    add_values(a, flex->v, flex->count, modes);
}

// An accelerated mode: its row of W on the modes, half of it on itself; returns its wrench on the carrier.
static kane_wrench visit_mode(const sums *a, const kane_inertia_seed *seed, const kane_flex *flex)
{
    const kane_flex_work *own = &a->work->flex[flex - a->tree->flexes];
    const int k               = seed->speed - flex->v;
    const double factor       = *seed->factor;
    for (int m = 0; m <= k; m++)
        add_to_reduced_row(a, flex->v + m, (m == k ? 0.5 : 1.0) * factor * own->W[k * flex->count + m]);
    return (kane_wrench){kv3_scale(factor, own->W_f[k]), kv3_scale(factor, own->W_n[k])};
}

// Wrench  I a  of a link accelerated by its own seeds, I composite. Modes of a deformable body add theirs to w;
// armatures count by half.
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

// Generalised forces of a wrench along the speeds of a link.
static inline void add_along_link(const sums *a, const kane_link *link, kane_wrench w)
{
    double along[6];
    composite_project(link, a->work, w, along);
    add_values(a, link->v, link->v_count, along);
}

// One link on the way to the root: projects the wrench from beyond, and half of its own seeds' wrench, on its speeds;
// adds both to its parent.
static inline void visit_link(const sums *a, const kane_inertia_visit *visit)
{
    const kane_link *link = &a->tree->links[visit->link];
    kane_cluster_work *s  = a->s;
    kane_wrench w         = s->wrench[visit->link];
    if (link->role == KANE_FLEX_NODE) {
        visit_member(a, visit->link, w);
    } else if (visit->seed_end > visit->seed_begin) {
        const kane_wrench own = find_seed_wrench(a, visit, &w);
        add_along_link(
            a, link, (kane_wrench){kv3_add_scaled(w.force, 0.5, own.force), kv3_add_scaled(w.torque, 0.5, own.torque)});
        w = kw_add(w, own);
    } else {
        add_along_link(a, link, w);
    }
    if (composite_loads_parent(link)) {
        kane_wrench *to = &s->wrench[link->parent];
        *to             = kw_add(*to, kane_tree_at_parent(visit->link, a->work, w));
    }
}

// Wrenches of rods on links, as a column accelerates one of their ends.
static void apply_rods(const sums *a, int column)
{
    kane_cluster_work *s             = a->s;
    const kane_inertia_column *lists = &s->inertia_column[column];
    if (lists[1].rod == lists[0].rod || s->rod_inertia != KANE_RODS_EXACT)
        return;
    const int first = s->visit[lists[0].visit].seed_begin, end = s->visit[lists[1].visit - 1].seed_end;
    for (int k = first; k < end; k++)
        s->factor[s->seed[k].speed] = *s->seed[k].factor;
    for (int k = lists[0].rod; k < lists[1].rod; k++)
        kane_cluster_apply_coupling(s, s->loading_rod[k].coupling, s->loading_rod[k].end, s->factor, s->wrench);
    for (int k = first; k < end; k++)
        s->factor[s->seed[k].speed] = 0.0;
}

// A row of G.
static void sum_column(const sums *a, int column)
{
    kane_cluster_work *s             = a->s;
    const kane_inertia_column *lists = &s->inertia_column[column];
    for (int v = lists[0].visit; v < lists[1].visit; v++)
        s->wrench[s->visit[v].link] = (kane_wrench){kv3_zero(), kv3_zero()};
    apply_rods(a, column);
    for (int v = lists[0].visit; v < lists[1].visit; v++)
        visit_link(a, &s->visit[v]);
}

// M = G + G' in reversed order of the independent speeds, lower half (fill-in stays small), and given = A' Theta g.
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
