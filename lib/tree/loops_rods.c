// SPDX-License-Identifier: MIT
// Rods with mass in a cluster: what they add to its inertia and to its forces (docs/mechanisms.md, section 4).
//
// With S_1, S_2 the partial velocities of a rod's ends,
//
//   Theta += m_11 S_1' S_1 + m_22 S_2' S_2 + m_12 (S_1' S_2 + S_2' S_1)      f += S_1' F_1 + S_2' F_2
//
// F of ends that accelerate as they do with v_dot = 0 (rows_rod.h). The first two parts of Theta are point masses on the links of
// the two ends; the third couples the speeds that move the one with those that move the other.

#include "tree/loops_work.h"
#include "tree/spatial.h"
#include "tree/tie.h"

#include <stdlib.h>

// --- structure ---

// Speeds that move a link, from itself on up, of a body with all six freedoms no further; out NULL: counted only.
static int list_path(const kane_tree *tree, const kane_cluster *c, int link, int *out)
{
    int count = 0;
    for (int i = link; i >= 0; i = tree->links[i].parent) {
        int first;
        for (int left = kane_cluster_link_speeds(tree, c, i, &first); left > 0; left--, count++, first++)
            if (out)
                out[count] = first;
        if (tree->links[i].kind == KANE_LINK_BODY)
            break;
    }
    return count;
}

static int list_rods(const kane_tree *tree, kane_cluster *c, kane_arena *arena)
{
    for (int i = 0; i < c->closure_count; i++)
        c->rod_count += c->closures[i]->rod.mass > 0.0;
    const size_t count = (size_t)c->rod_count;
    c->rods            = kane_arena_alloc(arena, count, sizeof *c->rods);
    c->path_begin      = kane_arena_alloc(arena, 2 * count + 1, sizeof *c->path_begin);
    c->rod_begin       = kane_arena_alloc(arena, count + 1, sizeof *c->rod_begin);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0, next = 0; i < c->closure_count; i++)
        if (c->closures[i]->rod.mass > 0.0)
            c->rods[next++] = i;
    for (int i = 0; i < 2 * c->rod_count; i++)
        c->path_begin[i + 1] =
            c->path_begin[i] + list_path(tree, c, c->closures[c->rods[i / 2]]->side[i % 2].link, NULL);
    for (int i = 0; i < c->rod_count; i++) {
        const int *begin    = c->path_begin + 2 * i;
        c->rod_begin[i + 1] = c->rod_begin[i] + (begin[1] - begin[0]) * (begin[2] - begin[1]);
    }
    c->path      = kane_arena_alloc(arena, (size_t)c->path_begin[2 * c->rod_count], sizeof *c->path);
    c->rod_entry = kane_arena_alloc(arena, (size_t)c->rod_begin[c->rod_count], sizeof *c->rod_entry);
    for (int i = 0; i < 2 * c->rod_count && c->path; i++)
        (void)list_path(tree, c, c->closures[c->rods[i / 2]]->side[i % 2].link, c->path + c->path_begin[i]);
    return !kane_arena_failed(arena);
}

// Two speeds, the greater first, and an entry that they have, or a pair of the ends of rods that wants one.
typedef struct pair {
    int row, column, entry, wanted;
} pair;

// By speeds, those that have an entry first.
static int compare(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    if (p->column != q->column)
        return p->column < q->column ? -1 : 1;
    if ((p->entry < 0) != (q->entry < 0))
        return p->entry < 0 ? 1 : -1;
    return (p->entry > q->entry) - (p->entry < q->entry);
}

static pair pair_of(int a, int b, int entry, int wanted)
{
    return a >= b ? (pair){a, b, entry, wanted} : (pair){b, a, entry, wanted};
}

static int same(const pair *a, const pair *b)
{
    return a->row == b->row && a->column == b->column;
}

static void list_pairs(const kane_cluster *c, pair *out)
{
    for (int k = 0; k < c->theta_count; k++)
        *out++ = pair_of(c->theta_place[k].row, c->theta_place[k].column, k, -1);
    for (int i = 0; i < c->rod_count; i++) {
        const int *begin = c->path_begin + 2 * i;
        int at           = c->rod_begin[i];
        for (int a = begin[0]; a < begin[1]; a++)
            for (int b = begin[1]; b < begin[2]; b++)
                *out++ = pair_of(c->path[a], c->path[b], -1, at++);
    }
}

// Of those that stand there twice the last entry counts; what the tree itself does not couple comes behind. Returns how many there are.
static int number_entries(kane_cluster *c, int count, pair *pairs, kane_theta_place *places, int *counts)
{
    int next = c->theta_count;
    for (int k = 0; k < count; k++) {
        const int again = k > 0 && same(&pairs[k], &pairs[k - 1]);
        if (pairs[k].wanted < 0) {
            if (again)
                counts[pairs[k - 1].entry] = 0;
            counts[pairs[k].entry] = 1;
            continue;
        }
        pairs[k].entry = again ? pairs[k - 1].entry : next++;
        if (!again) {
            places[pairs[k].entry] = (kane_theta_place){pairs[k].row, pairs[k].column};
            counts[pairs[k].entry] = 1;
        }
        c->rod_entry[pairs[k].wanted] = pairs[k].entry;
    }
    return next;
}

int kane_cluster_prepare_rods(const kane_tree *tree, kane_cluster *c, kane_arena *arena)
{
    if (!list_rods(tree, c, arena))
        return 0;
    const int count          = c->theta_count + c->rod_begin[c->rod_count];
    pair *pairs              = kane_arena_alloc(arena, (size_t)count, sizeof *pairs);
    kane_theta_place *places = kane_arena_alloc(arena, (size_t)count, sizeof *places);
    int *counts              = kane_arena_alloc(arena, (size_t)count, sizeof *counts);
    if (kane_arena_failed(arena))
        return 0;
    list_pairs(c, pairs);
    qsort(pairs, (size_t)count, sizeof *pairs, compare);
    for (int k = 0; k < c->theta_count; k++)
        places[k] = c->theta_place[k];
    c->theta_count  = number_entries(c, count, pairs, places, counts);
    c->theta_place  = places;
    c->theta_counts = counts;
    return 1;
}

int kane_cluster_rod_speeds(const kane_cluster *c)
{
    int most = 0;
    for (int i = 0; i < 2 * c->rod_count; i++)
        most = c->path_begin[i + 1] - c->path_begin[i] > most ? c->path_begin[i + 1] - c->path_begin[i] : most;
    return most;
}

// --- Theta ---

// From the origin of its link to the end of a rod.
static kane_vec3 arm_of(const kane_side_marker *side, const kane_tree_work *work)
{
    return km3_mulv(work->link[side->link].R, side->point);
}

// Partial velocities of an end, in the order of list_path: S.
static void reach(const kane_tree *tree, const kane_side_marker *side, const kane_tree_work *work, kane_vec3 *S)
{
    kane_vec3 arm = side->link < 0 ? kv3_zero() : arm_of(side, work);
    for (int i = side->link; i >= 0; i = tree->links[i].parent) {
        const kane_link *link = &tree->links[i];
        const kane_tie *tie   = link->role == KANE_TIE_MEMBER ? &tree->ties[link->tie] : NULL;
        if (link->kind == KANE_LINK_BODY) {
            for (int k = 0; k < 3; k++) {
                S[k]     = kv3_unit(k);
                S[3 + k] = kv3_cross(kv3_unit(k), arm);
            }
            return;
        }
        for (int k = 0; tie && k < tie->count; k++)
            S[k] = kv3_zero();
        for (int k = 0; k < link->v_count; k++) {
            const kane_axis_state *x = &work->axis[link->v + k];
            const kane_vec3 moves    = kv3_add(x->l, kv3_cross(x->e, arm));
            if (!tie)
                S[k] = moves;
            for (int m = 0; tie && m < tie->count; m++)
                S[m] = kv3_add_scaled(S[m], kane_tie_row(tie, i, k)[m], moves);
        }
        S += tie ? tie->count : link->v_count;
        arm = kv3_add(arm, work->link[i].rho);
    }
}

static void add_point(double m, kane_vec3 arm, kane_spatial *I)
{
    const kane_vec3 ma  = kv3_scale(m, arm);
    const double square = kv3_dot(ma, arm);
    for (int k = 0; k < 3; k++)
        I->M[k] += m;
    I->H = km3_add(I->H, km3_skew(ma));
    I->J[0] += square - ma.x * arm.x;
    I->J[1] += square - ma.y * arm.y;
    I->J[2] += square - ma.z * arm.z;
    I->J[3] -= ma.x * arm.y;
    I->J[4] -= ma.x * arm.z;
    I->J[5] -= ma.y * arm.z;
}

void kane_cluster_add_rod_points(const kane_cluster *c, const kane_tree_work *work, kane_spatial *inertia)
{
    for (int i = 0; i < c->rod_count; i++) {
        const kane_closure *closure = c->closures[c->rods[i]];
        const double own[2]         = {closure->rod.first, closure->rod.second};
        for (int end = 0; end < 2; end++)
            if (closure->side[end].link >= 0)
                add_point(own[end], arm_of(&closure->side[end], work), &inertia[closure->side[end].link]);
    }
}

void kane_cluster_couple_rods(const kane_tree *tree, const kane_cluster *c, kane_cluster_work *s,
                              const kane_transport *frames, const kane_tree_work *work)
{
    for (int k = c->theta_of_tree; k < c->theta_count; k++)
        s->theta[k] = 0.0;
    for (int i = 0; i < c->rod_count; i++) {
        const kane_closure *closure = c->closures[c->rods[i]];
        const int *begin = c->path_begin + 2 * i, *path = c->path + begin[0], *entry = c->rod_entry + c->rod_begin[i];
        const int first = begin[1] - begin[0], second = begin[2] - begin[1];
        kane_vec3 *S_1 = s->span, *S_2 = s->span + first;
        reach(tree, &closure->side[0], work, S_1);
        reach(tree, &closure->side[1], work, S_2);
        if (closure->side[0].frame != closure->side[1].frame) {
            const kane_mat3 R = km3_tmul(frames[closure->side[0].frame].R, frames[closure->side[1].frame].R);
            for (int b = 0; b < second; b++)
                S_2[b] = km3_mulv(R, S_2[b]);
        }
        for (int a = 0; a < first; a++) {
            const kane_vec3 pushes = kv3_scale(closure->rod.shared, S_1[a]);
            for (int b = 0; b < second; b++, entry++) {
                const double both = kv3_dot(pushes, S_2[b]);
                s->theta[*entry] += path[a] == path[first + b] ? 2.0 * both : both;
            }
        }
    }
}

// --- f ---

void kane_cluster_push_rods(const kane_cluster *c, const kane_cluster_work *s, kane_wrench *load)
{
    for (int i = 0; i < c->rod_count; i++)
        for (int end = 0; end < 2; end++) {
            const int link = c->closures[c->rods[i]]->side[end].link;
            if (link >= 0)
                load[link] = kw_add(load[link], s->values[c->rods[i]].load[end]);
        }
}
