// SPDX-License-Identifier: MIT
// Rods with mass in a cluster: what they add to its inertia and to its forces (docs/mechanisms.md, section 4).
//
// With S_1, S_2 the partial velocities of a rod's ends,
//
//   Theta += m_11 S_1' S_1 + m_22 S_2' S_2 + m_12 (S_1' S_2 + S_2' S_1)      f += S_1' F_1 + S_2' F_2
//
// F of ends that accelerate as they do with v_dot = 0 (rows_rod.h). Where accelerations of the ends are known beforehand in part
// (kane_cluster_foresee), their masses are not in Theta, and f has them as they are known.

#include "tree/loops_work.h"

#include <limits.h>
#include <stdlib.h>

// --- where a rod's entries of Theta are ---

// Two speeds, the greater first, and an entry that they have.
typedef struct pair {
    int row, column, entry;
} pair;

static int compare(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    if (p->column != q->column)
        return p->column < q->column ? -1 : 1;
    return (p->entry > q->entry) - (p->entry < q->entry);
}

static pair pair_of(int a, int b, int entry)
{
    return a >= b ? (pair){a, b, entry} : (pair){b, a, entry};
}

// The last entry of a pair, which is the one that counts; -1: it has none.
static int find(const pair *pairs, int count, pair p)
{
    int low = 0, high = count;
    p.entry = INT_MAX; // behind all of its own
    while (low < high) {
        const int middle = (low + high) / 2;
        if (compare(&pairs[middle], &p) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    const int found = low > 0 && pairs[low - 1].row == p.row && pairs[low - 1].column == p.column;
    return found ? pairs[low - 1].entry : -1;
}

static int speed_count(const kane_cluster *c, int rod)
{
    const int *at = c->coefficient_begin + c->row_begin[c->rods[rod]];
    return at[1] - at[0];
}

static const int *speeds_of(const kane_cluster *c, int rod)
{
    return c->coefficient_speed + c->coefficient_begin[c->row_begin[c->rods[rod]]];
}

static int list_rods(kane_cluster *c, kane_arena *arena)
{
    for (int i = 0; i < c->closure_count; i++)
        c->rod_count += c->closures[i]->rod.mass > 0.0;
    c->rods      = kane_arena_alloc(arena, (size_t)c->rod_count, sizeof *c->rods);
    c->rod_begin = kane_arena_alloc(arena, (size_t)c->rod_count + 1, sizeof *c->rod_begin);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0, next = 0; i < c->closure_count; i++)
        if (c->closures[i]->rod.mass > 0.0)
            c->rods[next++] = i;
    for (int i = 0; i < c->rod_count; i++) {
        const int n         = speed_count(c, i);
        c->rod_begin[i + 1] = c->rod_begin[i] + n * (n + 1) / 2;
    }
    c->rod_entry = kane_arena_alloc(arena, (size_t)c->rod_begin[c->rod_count], sizeof *c->rod_entry);
    return c->rod_entry != NULL;
}

static void list_pairs(const kane_cluster *c, pair *out)
{
    for (int i = 0; i < c->rod_count; i++) {
        const int *speed = speeds_of(c, i);
        for (int a = 0; a < speed_count(c, i); a++)
            for (int b = 0; b <= a; b++)
                *out++ = pair_of(speed[a], speed[b], 0);
    }
}

// Numbers the pairs, sorted, that the tree itself does not couple, behind the `known` entries; writes those to `places`, too (NULL:
// not). Returns how many entries there are.
static int number_pairs(pair *pairs, int count, const pair *of_tree, int known, kane_theta_place *places)
{
    int next = known;
    for (int k = 0; k < count; k++) {
        const int again = k > 0 && pairs[k].row == pairs[k - 1].row && pairs[k].column == pairs[k - 1].column;
        const int found = again ? pairs[k - 1].entry : find(of_tree, known, pairs[k]);
        pairs[k].entry  = found >= 0 ? found : next++;
        if (places)
            places[pairs[k].entry] = (kane_theta_place){pairs[k].row, pairs[k].column};
    }
    return next;
}

// Ends of rods as masses in points of links.
static int list_points(const kane_tree *tree, kane_cluster *c, kane_arena *arena)
{
    int count = 0, on_members = 0;
    c->rod_points = kane_arena_alloc(arena, 2 * (size_t)c->rod_count, sizeof *c->rod_points);
    if (!c->rod_points)
        return 0;
    for (int i = 0; i < c->rod_count; i++) {
        const kane_closure *rod = c->closures[c->rods[i]];
        const double mass[2]    = {rod->rod.first, rod->rod.second};
        for (int end = 0; end < 2; end++) {
            const kane_side_marker *side = &rod->side[end];
            if (side->link < 0)
                continue;
            on_members += tree->links[side->link].role == KANE_TIE_MEMBER;
            c->rod_points[count++] = (kane_mass_point){side->link, mass[end], side->point};
        }
    }
    c->rod_point_count = on_members ? 0 : count;
    return 1;
}

int kane_cluster_prepare_rods(const kane_tree *tree, kane_cluster *c, kane_arena *arena)
{
    if (!list_rods(c, arena) || !list_points(tree, c, arena))
        return 0;
    const int known = c->theta_count, count = c->rod_begin[c->rod_count];
    pair *of_tree = kane_arena_alloc(arena, (size_t)known, sizeof *of_tree);
    pair *pairs   = kane_arena_alloc(arena, 2 * (size_t)count, sizeof *pairs);
    if (count == 0 || kane_arena_failed(arena))
        return !kane_arena_failed(arena);
    pair *sorted = pairs + count;
    for (int k = 0; k < known; k++)
        of_tree[k] = pair_of(c->theta_place[k].row, c->theta_place[k].column, k);
    qsort(of_tree, (size_t)known, sizeof *of_tree, compare);
    list_pairs(c, pairs);
    list_pairs(c, sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    c->theta_count           = number_pairs(sorted, count, of_tree, known, NULL);
    kane_theta_place *places = kane_arena_alloc(arena, (size_t)c->theta_count, sizeof *places);
    if (!places)
        return 0;
    for (int k = 0; k < known; k++)
        places[k] = c->theta_place[k];
    for (int k = 0; k < count; k++)
        places[sorted[k].entry] = (kane_theta_place){sorted[k].row, sorted[k].column};
    c->theta_place = places;
    for (int k = 0; k < count; k++)
        c->rod_entry[k] = find(sorted, count, pairs[k]);
    return 1;
}

int kane_cluster_rod_speeds(const kane_cluster *c)
{
    int most = 0;
    for (int i = 0; i < c->rod_count; i++)
        most = speed_count(c, i) > most ? speed_count(c, i) : most;
    return most;
}

// --- Theta ---

// Partial velocities of an end along the axes of the first side's frame, by the speeds of the rod's row: S [3 * count].
static void span(const kane_tree *tree, const kane_closure *c, int end, const kane_transport *frames,
                 const kane_tree_work *work, const int *slot, int count, double *S)
{
    const kane_side_marker *side = &c->side[end];
    for (int k = 0; k < 3 * count; k++)
        S[k] = 0.0;
    if (side->link < 0)
        return;
    const kane_vec3 arm = km3_mulv(work->link[side->link].R, side->point);
    for (int axis = 0; axis < 3; axis++) {
        kane_vec3 e = kv3_unit(axis);
        if (side->frame != c->side[0].frame)
            e = km3_tmulv(frames[side->frame].R, km3_mulv(frames[c->side[0].frame].R, e));
        kane_tree_spread_wrench(tree, slot, work, side->link, (kane_wrench){e, kv3_cross(arm, e)}, S + axis * count);
    }
}

static void add_rod(const kane_rod_share *rod, int count, const double *S_1, const double *S_2, const int *entry,
                    double *theta)
{
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++, entry++)
            for (int axis = 0; axis < 3; axis++) {
                const double *p = S_1 + axis * count, *q = S_2 + axis * count;
                theta[*entry] +=
                    p[a] * (rod->first * p[b] + rod->shared * q[b]) + q[a] * (rod->second * q[b] + rod->shared * p[b]);
            }
}

// What Theta has of a rod's masses.
static kane_rod_share kept_share(const kane_rod *rod, kane_rod_inertia inertia)
{
    const kane_rod_share gone = kane_rod_foreseen(rod, inertia);
    return (kane_rod_share){rod->first - gone.first, rod->second - gone.second, rod->shared - gone.shared};
}

void kane_cluster_add_rods(const kane_tree *tree, const kane_cluster *c, kane_cluster_work *s,
                           const kane_transport *frames, const kane_tree_work *work)
{
    for (int k = 0; k < c->rod_begin[c->rod_count]; k++)
        if (c->rod_entry[k] >= c->theta_of_tree)
            s->theta[c->rod_entry[k]] = 0.0;
    if (s->rod_inertia == KANE_RODS_ALL || (s->rod_inertia == KANE_RODS_PARTITION && c->rod_point_count > 0))
        return;
    for (int i = 0; i < c->rod_count; i++) {
        const int count             = speed_count(c, i);
        const kane_closure *closure = c->closures[c->rods[i]];
        double *S_1 = s->span, *S_2 = s->span + 3 * count;
        kane_cluster_find_slots(c, s, c->rods[i]);
        span(tree, closure, 0, frames, work, s->slot, count, S_1);
        span(tree, closure, 1, frames, work, s->slot, count, S_2);
        const kane_rod_share kept = kept_share(&closure->rod, s->rod_inertia);
        add_rod(&kept, count, S_1, S_2, c->rod_entry + c->rod_begin[i], s->theta);
    }
}

// --- f ---

void kane_cluster_foresee(kane_cluster_work *s, kane_rod_inertia inertia, int rod, const kane_vec3 known[2])
{
    s->rod_inertia = inertia;
    for (int end = 0; end < 2 && known; end++)
        s->rod_known[rod][end] = known[end];
}

void kane_cluster_push_rods(const kane_tree *tree, const kane_cluster *c, kane_cluster_work *s,
                            const kane_transport *frames, const kane_tree_work *work)
{
    for (int i = 0; i < c->rod_count; i++) {
        const kane_closure *closure       = c->closures[c->rods[i]];
        const kane_closure_values *values = &s->values[c->rods[i]];
        kane_wrench load[2]               = {values->load[0], values->load[1]};
        if (s->rod_inertia != KANE_RODS_EXACT)
            kane_rod_foresee(closure, work, frames, s->rod_inertia, s->rod_known[i], values->end, load);
        for (int end = 0; end < 2; end++)
            if (closure->side[end].link >= 0)
                kane_tree_spread_wrench(tree, c->place, work, closure->side[end].link, load[end], s->f);
    }
}
