// SPDX-License-Identifier: MIT
// Rods with mass in a cluster: what they add to its inertia and to its forces (docs/mechanisms.md, section 4).
//
// With S_1, S_2 the partial velocities of a rod's ends,
//
//   Theta += m_11 S_1' S_1 + m_22 S_2' S_2 + m_12 (S_1' S_2 + S_2' S_1)      f += S_1' F_1 + S_2' F_2
//
// F with accelerations of the ends at v_dot = 0 (rows_kinds.h). The first two parts of Theta are point masses on the
// links of the two ends. The third couples the motions of two links: rods between the same two are one *coupling*, with
// sums s of m_12, s_1, s_2 of m_12 times the arms a_1, a_2 of their ends about the links' origins, and S of m_12 a_1
// a_2'. For accelerations (al, a) of the second link the first one needs the wrench
//
//   f = s a + al x s_2      n = s_1 x a + (tr S) al - S' al      S = sum m_12 a_1 a_2'
//
// and vice versa. For speeds that move both alike, from the apex to the root, the coupling is an inertia of the apex,
// with the places rho of the ends relative to its origin:
//
//   M = 2 s E,  H = [sum m_12 (rho_1 + rho_2)],  J = (2 tr P) E - P - P'      P = sum m_12 rho_1 rho_2'
//
// Extrapolated accelerations of ends (kane_cluster_set_extrapolated): their masses are not in Theta, and f has them
// with these accelerations (docs/mechanisms.md, section 4).

#include "tree/loops_work.h"
#include "tree/spatial.h"
#include "tree/flex.h"

#include <stdlib.h>

// --- structure ---

// Local speeds that move a link, from itself to a link that is left out; of a body with all six freedoms no further.
// out NULL: counted only.
static int list_path(const kane_tree *tree, const kane_cluster *c, int link, int above, int *out)
{
    int count = 0;
    for (int i = link; i != above && i >= 0; i = tree->links[i].parent) {
        int first;
        for (int left = kane_cluster_link_speeds(tree, c, i, &first); left > 0; left--, count++, first++)
            if (out)
                out[count] = first;
        if (tree->links[i].kind == KANE_LINK_BODY)
            break;
    }
    return count;
}

// Index of the coupling of a rod's two links, new if need be; -1: one end is on a frame.
static int find_coupling(kane_cluster *c, int closure)
{
    const kane_side_marker *side = c->closures[closure]->side;
    if (side[0].link < 0 || side[1].link < 0)
        return -1;
    for (int k = 0; k < c->coupling_count; k++)
        if (c->coupling[k].link[0] == side[0].link && c->coupling[k].link[1] == side[1].link)
            return k;
    c->coupling[c->coupling_count] = (kane_rod_coupling){
        .link = {side[0].link, side[1].link}, .frame = {side[0].frame, side[1].frame}, .apex = c->apex[closure]};
    return c->coupling_count++;
}

// Adds a point mass m at `at` [m], link axes: mass, first moment m at, inertia  m (at.at E - at at').
static void add_point(double m, kane_vec3 at, kane_rod_points *sum)
{
    const kane_vec3 ma  = kv3_scale(m, at);
    const double square = kv3_dot(ma, at);
    sum->mass += m;
    sum->moment = kv3_add(sum->moment, ma);
    sum->J[0] += square - ma.x * at.x;
    sum->J[1] += square - ma.y * at.y;
    sum->J[2] += square - ma.z * at.z;
    sum->J[3] -= ma.x * at.y;
    sum->J[4] -= ma.x * at.z;
    sum->J[5] -= ma.y * at.z;
}

// The point masses of a link, new if need be.
static kane_rod_points *points_of(kane_cluster *c, int link)
{
    int k = 0;
    while (k < c->points_count && c->points[k].link != link)
        k++;
    if (k == c->points_count)
        c->points[c->points_count++] = (kane_rod_points){.link = link};
    return &c->points[k];
}

// Adds a rod's m_11, m_22 to its two links and m_12 to its coupling (-1: none).
static void add_rod(kane_cluster *c, const kane_constraint_row_set *closure, int coupling)
{
    const kane_rod *rod           = &closure->rod;
    const double own[2]           = {rod->first, rod->second};
    const kane_vec3 shared_arm    = kv3_scale(rod->shared, closure->side[0].point);
    kane_coupling_sums *const sum = coupling >= 0 ? &c->coupling[coupling].sum : NULL;
    for (int end = 0; end < 2; end++)
        if (closure->side[end].link >= 0)
            add_point(own[end], closure->side[end].point, points_of(c, closure->side[end].link));
    if (!sum)
        return;
    sum->mass += rod->shared;
    sum->first  = kv3_add(sum->first, shared_arm);
    sum->second = kv3_add_scaled(sum->second, rod->shared, closure->side[1].point);
    sum->both   = km3_add(sum->both, km3_outer(shared_arm, closure->side[1].point));
}

// The paths of a coupling one after the other: of its second and of its first link up to the apex, and from there on
// up.
static void list_paths(const kane_tree *tree, const kane_cluster *c, kane_rod_coupling *own, int *out)
{
    own->second = list_path(tree, c, own->link[1], own->apex, out);
    own->first  = list_path(tree, c, own->link[0], own->apex, out ? out + own->second : NULL);
    own->both   = list_path(tree, c, own->apex, -1, out ? out + own->second + own->first : NULL);
}

// Entries of Theta that a coupling adds to.
static int count_pairs(const kane_rod_coupling *own)
{
    return own->second * (own->first + own->both) + own->first * own->both;
}

// Rods with mass, their couplings, points and paths. 0: memory is short.
static int list_rods(const kane_tree *tree, kane_cluster *c, kane_arena *arena)
{
    for (int i = 0; i < c->closure_count; i++)
        c->rod_count += c->closures[i]->rod.mass > 0.0;
    const size_t count = (size_t)c->rod_count;
    c->rods            = kane_arena_alloc(arena, count, sizeof *c->rods);
    c->coupling        = kane_arena_alloc(arena, count, sizeof *c->coupling);
    c->points          = kane_arena_alloc(arena, 2 * count, sizeof *c->points);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0, next = 0; i < c->closure_count; i++)
        if (c->closures[i]->rod.mass > 0.0) {
            add_rod(c, c->closures[i], find_coupling(c, i));
            c->rods[next++] = i;
        }
    for (int k = 0; k < c->coupling_count; k++) {
        kane_rod_coupling *own = &c->coupling[k];
        list_paths(tree, c, own, NULL);
        own->path  = kane_arena_alloc(arena, (size_t)(own->second + own->first + own->both), sizeof *own->path);
        own->entry = kane_arena_alloc(arena, (size_t)count_pairs(own), sizeof *own->entry);
        own->twice = kane_arena_alloc(arena, (size_t)own->second, sizeof *own->twice);
        if (kane_arena_failed(arena))
            return 0;
        list_paths(tree, c, own, own->path);
    }
    return 1;
}

// Two speeds, the larger index first, with their entry of Theta (-1: none yet) or the place where its number belongs.
typedef struct pair {
    int row, column, entry;
    int *wanted;
} pair;

// By speeds, those that have an entry first.
static int compare_pairs(const void *a, const void *b)
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

static pair pair_of(int a, int b, int entry, int *wanted)
{
    return a >= b ? (pair){a, b, entry, wanted} : (pair){b, a, entry, wanted};
}

static int is_same_pair(const pair *a, const pair *b)
{
    return a->row == b->row && a->column == b->column;
}

// Pairs of the tree's entries, then those of all couplings.
static void list_pairs(const kane_cluster *c, pair *out)
{
    for (int k = 0; k < c->theta_count; k++)
        *out++ = pair_of(c->theta_place[k].row, c->theta_place[k].column, k, NULL);
    for (int i = 0; i < c->coupling_count; i++) {
        const kane_rod_coupling *own = &c->coupling[i];
        const int ends = own->second + own->first, all = ends + own->both;
        int *entry = own->entry;
        for (int a = 0; a < ends; a++)
            for (int b = a < own->second ? own->second : ends; b < all; b++)
                *out++ = pair_of(own->path[a], own->path[b], -1, entry++);
    }
}

// Numbers the entries after sorting: of equal pairs the last entry of the tree counts; pairs that only rods couple come
// after those of the tree. Returns how many there are.
static int number_entries(kane_cluster *c, int count, pair *pairs, kane_theta_place *places, int *counts)
{
    int next = c->theta_count;
    for (int k = 0; k < count; k++) {
        const int again = k > 0 && is_same_pair(&pairs[k], &pairs[k - 1]);
        if (!pairs[k].wanted) {
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
        *pairs[k].wanted = pairs[k].entry;
    }
    return next;
}

// Speeds that move both ends (modes of one deformable body): their entry with themselves counts twice.
static void find_shared(kane_rod_coupling *own)
{
    for (int b = 0; b < own->second; b++) {
        own->twice[b] = -1;
        for (int a = 0; a < own->first; a++)
            if (own->path[own->second + a] == own->path[b])
                own->twice[b] = own->entry[b * (own->first + own->both) + a];
    }
}

int kane_cluster_prepare_rods(const kane_tree *tree, kane_cluster *c, kane_arena *arena)
{
    if (!list_rods(tree, c, arena))
        return 0;
    int count = c->theta_count;
    for (int k = 0; k < c->coupling_count; k++)
        count += count_pairs(&c->coupling[k]);
    pair *pairs              = kane_arena_alloc(arena, (size_t)count, sizeof *pairs);
    kane_theta_place *places = kane_arena_alloc(arena, (size_t)count, sizeof *places);
    int *counts              = kane_arena_alloc(arena, (size_t)count, sizeof *counts);
    if (kane_arena_failed(arena))
        return 0;
    list_pairs(c, pairs);
    qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
    for (int k = 0; k < c->theta_count; k++)
        places[k] = c->theta_place[k];
    c->theta_count  = number_entries(c, count, pairs, places, counts);
    c->theta_place  = places;
    c->theta_counts = counts;
    for (int k = 0; k < c->coupling_count; k++)
        find_shared(&c->coupling[k]);
    return 1;
}

// --- Theta ---

// Partial velocities of a link's origin by the speeds of its path: velocity as force, angular velocity as torque.
static void list_motions(const kane_tree *tree, int of, int apex, const kane_tree_work *work, kane_wrench *out)
{
    kane_vec3 arm = kv3_zero();
    for (int i = of; i != apex && i >= 0; i = tree->links[i].parent) {
        const kane_link *link = &tree->links[i];
        const kane_flex *flex = link->role == KANE_FLEX_NODE ? &tree->flexes[link->flex] : NULL;
        if (link->kind == KANE_LINK_BODY) {
            for (int k = 0; k < 3; k++) {
                out[k]     = (kane_wrench){kv3_unit(k), kv3_zero()};
                out[3 + k] = (kane_wrench){kv3_cross(kv3_unit(k), arm), kv3_unit(k)};
            }
            return;
        }
        for (int k = 0; flex && k < flex->count; k++)
            out[k] = (kane_wrench){kv3_zero(), kv3_zero()};
        for (int k = 0; k < link->v_count; k++) {
            const kane_axis_state *x = &work->axis[link->v + k];
            const kane_wrench moves  = {kv3_add(x->l, kv3_cross(x->e, arm)), x->e};
            if (!flex)
                out[k] = moves;
            for (int m = 0; flex && m < flex->count; m++) {
                out[m].force  = kv3_add_scaled(out[m].force, kane_flex_row(flex, i, k)[m], moves.force);
                out[m].torque = kv3_add_scaled(out[m].torque, kane_flex_row(flex, i, k)[m], moves.torque);
            }
        }
        out += flex ? flex->count : link->v_count;
        arm = kv3_add(arm, work->link[i].rho);
    }
}

// Adds the projection of a wrench about a link's origin on the speeds of its path to entries of Theta; returns the next
// entry.
static const int *add_wrench_to_theta(int of, kane_wrench w, const int *entry, kane_cluster_work *s)
{
    const kane_tree *tree      = s->e.tree;
    const kane_tree_work *work = s->e.work;
    for (int i = of; i >= 0; i = tree->links[i].parent) {
        const kane_link *link = &tree->links[i];
        const kane_flex *flex = link->role == KANE_FLEX_NODE ? &tree->flexes[link->flex] : NULL;
        double along[6]       = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
        for (int k = 0; k < link->v_count && link->kind != KANE_LINK_BODY; k++)
            along[k] = kv3_dot(work->axis[link->v + k].l, w.force) + kv3_dot(work->axis[link->v + k].e, w.torque);
        for (int k = 0; k < link->v_count && !flex; k++)
            s->theta[*entry++] += along[k];
        for (int k = 0; flex && k < flex->count; k++)
            for (int axis = 0; axis < 6; axis++)
                s->theta[entry[k]] += kane_flex_row(flex, i, axis)[k] * along[axis];
        entry += flex ? flex->count : 0;
        if (link->kind == KANE_LINK_BODY)
            break;
        w.torque = kv3_add(w.torque, kv3_cross(work->link[i].rho, w.force));
    }
    return entry;
}

// Adds the coupling to the inertia of its apex (top of this file).
static void add_to_apex(const kane_rod_coupling *own, const kane_coupling_sums *sum, const kane_tree_work *work,
                        kane_spatial *I)
{
    const kane_vec3 at = work->link[own->apex].r;
    const kane_vec3 d1 = kv3_sub(work->link[own->link[0]].r, at), d2 = kv3_sub(work->link[own->link[1]].r, at);
    const kane_vec3 rho = kv3_add(kv3_add(sum->first, sum->second), kv3_scale(sum->mass, kv3_add(d1, d2)));
    const kane_mat3 P   = km3_add(km3_add(sum->both, km3_outer(sum->first, d2)),
                                  km3_outer(d1, kv3_add_scaled(sum->second, sum->mass, d2)));
    const double trace  = P.x.x + P.y.y + P.z.z;
    for (int k = 0; k < 3; k++)
        I->M[k] += 2.0 * sum->mass;
    I->H = km3_add(I->H, km3_skew(rho));
    I->J[0] += 2.0 * (trace - P.x.x);
    I->J[1] += 2.0 * (trace - P.y.y);
    I->J[2] += 2.0 * (trace - P.z.z);
    I->J[3] -= P.x.y + P.y.x;
    I->J[4] -= P.x.z + P.z.x;
    I->J[5] -= P.y.z + P.z.y;
}

// Adds point masses to links and couplings to their apexes. Leaves s->coupling in axes of the first link's frame.
void kane_cluster_see_rods(kane_cluster_work *s, kane_spatial *inertia)
{
    const kane_cluster *c      = s->cluster;
    const kane_tree_work *work = s->e.work;
    for (int i = 0; i < c->points_count && s->rod_inertia != KANE_RODS_ALL; i++) {
        const kane_rod_points *points = &c->points[i];
        const kane_mat3 R             = work->link[points->link].R;
        kane_spatial *I               = &inertia[points->link];
        double J[6];
        ksym_turn(R, points->J, J);
        for (int k = 0; k < 6; k++) {
            I->M[k] += k < 3 ? points->mass : 0.0;
            I->J[k] += J[k];
        }
        I->H = km3_add(I->H, km3_skew(km3_mulv(R, points->moment)));
    }
    for (int k = 0; k < c->coupling_count && s->rod_inertia == KANE_RODS_EXACT; k++) {
        const kane_rod_coupling *own = &c->coupling[k];
        const kane_mat3 R_1          = work->link[own->link[0]].R;
        kane_mat3 R_2                = work->link[own->link[1]].R;
        if (own->frame[0] != own->frame[1])
            R_2 = km3_mul(km3_tmul(s->e.frames[own->frame[0]].R, s->e.frames[own->frame[1]].R), R_2);
        s->coupling[k] =
            (kane_coupling_sums){own->sum.mass, km3_mulv(R_1, own->sum.first), km3_mulv(R_2, own->sum.second),
                                 km3_mul(R_1, km3_mul(own->sum.both, km3_transpose(R_2)))};
        if (own->apex >= 0)
            add_to_apex(own, &s->coupling[k], work, &inertia[own->apex]);
    }
}

// f = s a + al x arm,   n = on x a + (tr S) al - turned
//   arm     sum of m_12 times the arms on the accelerated link;   on: on the loaded one
//   turned  S' al if the second link accelerates, S al if the first
static kane_wrench coupling_wrench(const kane_coupling_sums *sum, kane_wrench a, kane_vec3 arm, kane_vec3 on,
                                   kane_vec3 turned)
{
    const double trace = sum->both.x.x + sum->both.y.y + sum->both.z.z;
    kane_wrench w;
    w.force  = kv3_add_scaled(kv3_cross(a.torque, arm), sum->mass, a.force);
    w.torque = kv3_add(kv3_cross(on, a.force), kv3_sub(kv3_scale(trace, a.torque), turned));
    return w;
}

// Adds m_12 (S_1' S_2 + S_2' S_1) to Theta, column by column. Needs kane_cluster_see_rods and Theta of the tree.
void kane_cluster_couple_rods(kane_cluster_work *s)
{
    const kane_cluster *c      = s->cluster;
    const kane_tree_work *work = s->e.work;
    for (int k = c->theta_of_tree; k < c->theta_count; k++)
        s->theta[k] = 0.0;
    for (int i = 0; i < c->coupling_count && s->rod_inertia == KANE_RODS_EXACT; i++) {
        const kane_rod_coupling *own  = &c->coupling[i];
        const kane_coupling_sums *sum = &s->coupling[i];
        const int *entry              = own->entry;
        const int apart               = own->frame[0] != own->frame[1];
        list_motions(s->e.tree, own->link[1], own->apex, work, s->motion);
        for (int b = 0; b < own->second; b++) {
            kane_wrench a = s->motion[b];
            if (apart) {
                const kane_mat3 R = km3_tmul(s->e.frames[own->frame[0]].R, s->e.frames[own->frame[1]].R);
                a                 = (kane_wrench){km3_mulv(R, a.force), km3_mulv(R, a.torque)};
            }
            const kane_wrench w = coupling_wrench(sum, a, sum->second, sum->first, km3_tmulv(sum->both, a.torque));
            const double before = own->twice[b] >= 0 ? s->theta[own->twice[b]] : 0.0;
            entry               = add_wrench_to_theta(own->link[0], w, entry, s);
            if (own->twice[b] >= 0)
                s->theta[own->twice[b]] += s->theta[own->twice[b]] - before;
        }
        if (own->both == 0 || own->first == 0)
            continue;
        list_motions(s->e.tree, own->link[0], own->apex, work, s->motion);
        const kane_vec3 d = kv3_sub(work->link[own->link[1]].r, work->link[own->apex].r);
        for (int b = 0; b < own->first; b++) {
            const kane_wrench a = s->motion[b];
            kane_wrench w       = coupling_wrench(sum, a, sum->first, sum->second, km3_mulv(sum->both, a.torque));
            w.torque            = kv3_add(w.torque, kv3_cross(d, w.force));
            entry               = add_wrench_to_theta(own->apex, w, entry, s);
        }
    }
}

// Acceleration (a, al) of a link's origin by accelerations `speeds` [tree's v_count] beyond the apex.
static kane_wrench sum_motion(const kane_tree *tree, int of, int apex, const kane_tree_work *work, const double *speeds)
{
    kane_wrench sum = {kv3_zero(), kv3_zero()};
    kane_vec3 arm   = kv3_zero();
    for (int i = of; i != apex && i >= 0; i = tree->links[i].parent) {
        const kane_link *link = &tree->links[i];
        const kane_flex *flex = link->role == KANE_FLEX_NODE ? &tree->flexes[link->flex] : NULL;
        kane_vec3 v = kv3_zero(), w = kv3_zero();
        for (int k = 0; k < link->v_count; k++) {
            const kane_wrench moves = composite_motion(link, work, k);
            double speed            = flex ? 0.0 : speeds[link->v + k];
            for (int m = 0; flex && m < flex->count; m++)
                speed += kane_flex_row(flex, i, k)[m] * speeds[flex->v + m];
            v = kv3_add_scaled(v, speed, moves.force);
            w = kv3_add_scaled(w, speed, moves.torque);
        }
        sum.force  = kv3_add(sum.force, kv3_add(v, kv3_cross(w, arm)));
        sum.torque = kv3_add(sum.torque, w);
        if (link->kind == KANE_LINK_BODY)
            break;
        arm = kv3_add(arm, work->link[i].rho);
    }
    return sum;
}

// Wrench on the first link when the second accelerates (end 1), or on the apex when the first does (end 0): links
// beyond the apex have this pair from end 1 already.
void kane_cluster_apply_coupling(const kane_cluster_work *s, int coupling, int end, const double *speeds,
                                 kane_wrench *load)
{
    const kane_tree_work *work    = s->e.work;
    const kane_rod_coupling *own  = &s->cluster->coupling[coupling];
    const kane_coupling_sums *sum = &s->coupling[coupling];
    kane_wrench a                 = sum_motion(s->e.tree, own->link[end], own->apex, work, speeds);
    if (end == 0) { // all below the apex have had it from the other end
        const kane_vec3 d = kv3_sub(work->link[own->link[1]].r, work->link[own->apex].r);
        kane_wrench w     = coupling_wrench(sum, a, sum->first, sum->second, km3_mulv(sum->both, a.torque));
        w.torque          = kv3_add(w.torque, kv3_cross(d, w.force));
        load[own->apex]   = kw_add(load[own->apex], w);
        return;
    }
    if (own->frame[0] != own->frame[1]) {
        const kane_mat3 R = km3_tmul(s->e.frames[own->frame[0]].R, s->e.frames[own->frame[1]].R);
        a                 = (kane_wrench){km3_mulv(R, a.force), km3_mulv(R, a.torque)};
    }
    load[own->link[0]] =
        kw_add(load[own->link[0]], coupling_wrench(sum, a, sum->second, sum->first, km3_tmulv(sum->both, a.torque)));
}

// --- f ---

void kane_cluster_set_extrapolated(kane_cluster_work *s, kane_rod_inertia inertia, int rod, const kane_vec3 known[2])
{
    s->rod_inertia = inertia;
    for (int end = 0; end < 2 && known; end++)
        s->rod_known[rod][end] = known[end];
}

// S_1' F_1 + S_2' F_2 as wrenches on the links. Needs kane_cluster_rows.
void kane_cluster_apply_rods(const kane_cluster_work *s, kane_wrench *load)
{
    const kane_cluster *c = s->cluster;
    for (int i = 0; i < c->rod_count; i++) {
        const kane_constraint_row_set *closure    = c->closures[c->rods[i]];
        const kane_constraint_rows_values *values = &s->values[c->rods[i]];
        kane_wrench on_end[2]                     = {values->load[0], values->load[1]};
        if (s->rod_inertia != KANE_RODS_EXACT)
            kane_rod_set_extrapolated(closure, s->e.work, s->e.frames, s->rod_inertia, s->rod_known[i], values->end,
                                      on_end);
        for (int end = 0; end < 2; end++)
            if (closure->side[end].link >= 0)
                load[closure->side[end].link] = kw_add(load[closure->side[end].link], on_end[end]);
    }
}
