// SPDX-License-Identifier: MIT
// Derivatives of the accelerations of groups of links with deformable bodies, by states of the tree:
//
//   d(v_dot) = Theta^-1 d(f - Theta v_dot)

#include "agem/derive_parts.h"

#include "agem/bodies.h"
#include "base/machine.h"
#include "math/dense.h"
#include "tree/flex.h"

#include <string.h>

// Six columns of the map, coordinates or speeds of one point: they follow those of the modes by G.
typedef struct point_columns {
    int column[6];
    kane_state_share to; // G of the first one
} point_columns;

// Rows of the map: those of one point, which are rows of G one after the other, or one of an independent speed; and
// the columns of the map that are not zero in them for good.
typedef struct row_block {
    int count, run_count, point_count;
    kane_links *runs; // of the group's own columns, side by side here and there: columns of the map
    int *points;      // six columns each
} row_block;

struct kane_flex_rows {
    int group;              // of the map
    kane_derived_group map; // its rows there
    int in_cluster;         // 1: the cluster solves for accelerations
    int link_count, *links; // those of the map's group, then its modes
    int count, *speeds;     // independent speeds
    int *place;             // of a speed of the tree among these, -1: of a point, or elsewhere
    int theta_count;        //
    kane_theta_place *theta_place;
    double *theta;                              // entries [theta_count]
    double *M;                                  // Theta, factored [count^2]
    int *first;                                 //
    int column_count, *columns;                 // states of the tree
    double *values;                             // [count * column_count]
    kane_state_share *row_share, *column_share; // rows and columns here that those of the map follow
    int point_count;                            //
    point_columns *points;                      // [2 * links of the tree]
    int own_count, *own;                        // columns of the map that are columns here
    row_block *row_blocks;                      // by their first row [rows of the map]
    int *mode_column; // of its deformable bodies: where the coordinates of the modes are among the columns [flex_count]
    double *line, *row;           // scratch [6 * column_count], [count]
    double *G_transposed;         // scratch [count * 6]
    double (*mode)[KANE_CHANGES]; // scratch [count]
};

// --- constant lists ---

// Links of the map's group, and their speeds but those of points.
static void list_links(const kane_derivative *d, kane_flex_rows *g)
{
    const kane_model *model = d->model;
    const kane_tree *tree   = &model->tree;
    for (int v = 0; v < tree->v_count; v++)
        g->place[v] = -1;
    for (int i = 0; i < tree->link_count; i++) {
        const kane_link *link = &tree->links[i];
        if (kane_derive_map_group(d->map, i) != g->group)
            continue;
        g->links[g->link_count++] = i;
        for (int k = 0; k < link->v_count && link->role != KANE_FLEX_NODE; k++) {
            g->place[link->v + k] = g->count;
            g->speeds[g->count++] = link->v + k;
        }
    }
    for (int c = 0; c < model->cluster_count; c++)
        g->in_cluster |= g->count > 0 && model->clusters[c].place[g->speeds[0]] >= 0;
}

// Columns here of the coordinates or speeds of the points of one deformable body: they follow those of the modes, which
// begin at `first`. Where nothing is attached to a point there are none.
//   at  column of the map of every state, -1: none
static void share_points(const kane_derivative *d, const kane_flex *flex, int first, const int *at, kane_flex_rows *g)
{
    for (int n = 0; n < 2 * flex->member_count; n++) {
        const int is_speed = n % 2, state = kane_derive_state_of(d, flex->members[n / 2], 6 * is_speed);
        if (at[state] < 0)
            continue;
        point_columns *p = &g->points[g->point_count++];
        for (int c = 0; c < 6; c++) {
            kane_state_share *to = &g->column_share[at[state + c]];
            *to                  = kane_derive_map_share(d->map, state + c);
            to->first            = first + is_speed * flex->count;
            p->column[c]         = at[state + c];
        }
        p->to = g->column_share[p->column[0]];
    }
}

// Columns: the modes of its deformable bodies, then the states of the map but for points of these bodies. at: scratch.
static void list_columns(const kane_derivative *d, int *at, kane_flex_rows *g)
{
    const kane_tree *tree = &d->model->tree;
    for (int state = 0; state < tree->q_count + tree->v_count; state++)
        at[state] = -1;
    for (int j = 0; j < g->map.column_count; j++)
        at[g->map.columns[j]] = j;
    for (int i = 0; i < g->link_count; i++) {
        const kane_link *link = &tree->links[g->links[i]];
        const kane_flex *flex = &tree->flexes[link->flex];
        if (link->role != KANE_FLEX_FRAME)
            continue;
        g->mode_column[link->flex] = g->column_count;
        share_points(d, flex, g->column_count, at, g);
        for (int k = 0; k < flex->count; k++)
            g->columns[g->column_count++] = flex->q + k;
        for (int k = 0; k < flex->count; k++)
            g->columns[g->column_count++] = tree->q_count + flex->v + k;
    }
    for (int j = 0; j < g->map.column_count; j++)
        if (!g->column_share[j].G) {
            g->own[g->own_count++]        = j;
            g->column_share[j]            = (kane_state_share){g->column_count, 1, NULL};
            g->columns[g->column_count++] = g->map.columns[j];
        }
}

// Rows here that that of a speed of the tree follows.
static kane_state_share share_of_row(const kane_derivative *d, const kane_flex_rows *g, int v)
{
    const int q_count      = d->model->tree.q_count;
    kane_state_share share = kane_derive_map_share(d->map, q_count + v);
    share.first            = g->place[share.first - q_count];
    return share;
}

// Rows of the map from one on that are those of one point: they are rows of G, one after the other.
// 1: a row of its own.
static int count_point_rows(const kane_state_share *rows, int most)
{
    int count = 1;
    while (rows->G && count < 6 && count < most && rows[count].G == rows->G + count * rows->count)
        count++;
    return count;
}

// Blocks of rows. 0: memory is short.
static int list_row_blocks(const kane_derive_map *map, kane_arena *arena, kane_flex_rows *g)
{
    const kane_derived_group *rows = &g->map;
    g->row_blocks                  = kane_arena_alloc(arena, (size_t)rows->row_count, sizeof *g->row_blocks);
    for (int i = 0; i < rows->row_count && g->row_blocks; i += g->row_blocks[i].count) {
        row_block *b = &g->row_blocks[i];
        b->count     = count_point_rows(g->row_share + i, rows->row_count - i);
        b->runs      = kane_arena_alloc(arena, (size_t)g->own_count, sizeof *b->runs);
        b->points    = kane_arena_alloc(arena, (size_t)g->point_count, sizeof *b->points);
        if (kane_arena_failed(arena))
            return 0;
        for (int k = 0; k < g->own_count; k++) {
            const int column = g->own[k];
            if (!kane_derive_map_depends(map, g->group, rows->rows[i], rows->columns[column]))
                continue;
            if (b->run_count == 0 || b->runs[b->run_count - 1].end != column)
                b->runs[b->run_count++].first = column;
            b->runs[b->run_count - 1].end = column + 1;
        }
        for (int k = 0; k < g->point_count; k++)
            if (kane_derive_map_depends(map, g->group, rows->rows[i], rows->columns[g->points[k].column[0]]))
                b->points[b->point_count++] = k;
    }
    return g->row_blocks != NULL;
}

static int create_group(const kane_derivative *d, int index, kane_arena *arena, kane_flex_rows *g)
{
    const kane_tree *tree         = &d->model->tree;
    const kane_derived_group rows = d->groups[index];
    const size_t v = (size_t)tree->v_count, links = (size_t)tree->link_count;
    int *at         = kane_arena_alloc(arena, (size_t)tree->q_count + v, sizeof *at);
    g->group        = index;
    g->map          = rows;
    g->links        = kane_arena_alloc(arena, links, sizeof *g->links);
    g->place        = kane_arena_alloc(arena, v, sizeof *g->place);
    g->speeds       = kane_arena_alloc(arena, v, sizeof *g->speeds);
    g->columns      = kane_arena_alloc(arena, (size_t)rows.column_count + 2 * links, sizeof *g->columns);
    g->row_share    = kane_arena_alloc(arena, (size_t)rows.row_count, sizeof *g->row_share);
    g->column_share = kane_arena_alloc(arena, (size_t)rows.column_count, sizeof *g->column_share);
    g->mode_column  = kane_arena_alloc(arena, (size_t)tree->flex_count, sizeof *g->mode_column);
    g->points       = kane_arena_alloc(arena, 2 * links, sizeof *g->points);
    g->own          = kane_arena_alloc(arena, (size_t)rows.column_count, sizeof *g->own);
    if (kane_arena_failed(arena))
        return 0;
    list_links(d, g);
    list_columns(d, at, g);
    for (int i = 0; i < rows.row_count; i++)
        g->row_share[i] = share_of_row(d, g, rows.rows[i]);
    g->theta_count  = kane_tree_theta_places(tree, g->link_count, g->links, g->place, NULL);
    const size_t n  = (size_t)g->count;
    g->theta_place  = kane_arena_alloc(arena, (size_t)g->theta_count, sizeof *g->theta_place);
    g->theta        = kane_arena_doubles(arena, (size_t)g->theta_count);
    g->M            = kane_arena_doubles(arena, n * n);
    g->first        = kane_arena_alloc(arena, n, sizeof *g->first);
    g->values       = kane_arena_doubles(arena, n * (size_t)g->column_count);
    g->line         = kane_arena_doubles(arena, 6 * (size_t)g->column_count);
    g->G_transposed = kane_arena_doubles(arena, 6 * n);
    g->row          = kane_arena_doubles(arena, n);
    g->mode         = kane_arena_alloc(arena, n, sizeof *g->mode);
    if (kane_arena_failed(arena))
        return 0;
    (void)kane_tree_theta_places(tree, g->link_count, g->links, g->place, g->theta_place);
    return list_row_blocks(d->map, arena, g);
}

int kane_flex_rows_create(kane_derivative *d, kane_arena *arena)
{
    const kane_tree *tree = &d->model->tree;
    d->flex_rows          = kane_arena_alloc(arena, (size_t)tree->flex_count, sizeof *d->flex_rows);
    if (!d->flex_rows)
        return 0;
    for (int t = 0; t < tree->flex_count; t++) {
        const int group = kane_derive_map_group(d->map, tree->flexes[t].carrier);
        int is_known    = 0;
        for (int i = 0; i < d->flex_rows_count; i++)
            is_known |= d->flex_rows[i].group == group;
        if (!is_known && !create_group(d, group, arena, &d->flex_rows[d->flex_rows_count++]))
            return 0;
    }
    for (int i = 0; i < d->flex_rows_count; i++) {
        const kane_flex_rows *g = &d->flex_rows[i];
        d->groups[g->group]     = (kane_derived_group){g->count, g->column_count, g->speeds, g->columns, g->values};
    }
    return !kane_arena_failed(arena);
}

// --- values ---

// Theta = L L' of the group's speeds, rigid links with the inertia of deformation.
static void factor_inertia_matrix(const kane_model *model, const kane_work *work, kane_flex_rows *g)
{
    const int n = g->count;
    kane_tree_theta_rigid(&model->tree, g->link_count, g->links, &work->tree, g->theta);
    memset(g->M, 0, (size_t)(n * n) * sizeof *g->M);
    for (int e = 0; e < g->theta_count; e++) {
        const kane_theta_place p   = g->theta_place[e];
        g->M[p.row * n + p.column] = g->M[p.column * n + p.row] = g->theta[e];
    }
    (void)kane_cholesky_factor(n, g->M, g->first); // as the accelerations have found it to be positive
}

// Adds a row of the map to one by columns here.
static inline __attribute__((always_inline)) void fold_columns(const kane_flex_rows *g, const row_block *b,
                                                               const double *from, double *line)
{
    for (int r = 0; r < b->run_count; r++) {
        const double *restrict own = from + b->runs[r].first;
        double *restrict to        = line + g->column_share[b->runs[r].first].first;
        for (int k = 0; k < b->runs[r].end - b->runs[r].first; k++)
            to[k] += own[k];
    }
    for (int p = 0; p < b->point_count; p++) {
        const point_columns *point = &g->points[b->points[p]];
        const int *column = point->column, n = point->to.count;
        const double x[6]        = {from[column[0]], from[column[1]], from[column[2]],
                                    from[column[3]], from[column[4]], from[column[5]]};
        const double *restrict G = point->to.G;
        double *restrict to      = line + point->to.first;
        for (int k = 0; k < n; k++)
            to[k] += ((x[0] * G[k] + x[1] * G[n + k]) + (x[2] * G[2 * n + k] + x[3] * G[3 * n + k])) +
                     (x[4] * G[4 * n + k] + x[5] * G[5 * n + k]);
    }
}

// d(f - Theta v_dot) of the independent speeds, G_rows' M G_columns of the map's M: of each point its columns first.
KANE_WIDE static void reduce_map_rows(kane_flex_rows *g)
{
    const kane_derived_group rows = g->map;
    const int columns             = g->column_count;
    for (int i = 0; i < g->count; i++)
        memset(g->values + i * columns, 0, (size_t)columns * sizeof *g->values);
    for (int i = 0; i < rows.row_count; i += g->row_blocks[i].count) {
        const row_block *b        = &g->row_blocks[i];
        const kane_state_share to = g->row_share[i];
        double *line              = to.G ? g->line : g->values + to.first * columns;
        for (int k = 0; k < b->count; k++, line += columns) {
            if (to.G)
                memset(line, 0, (size_t)columns * sizeof *line);
            fold_columns(g, b, rows.values + (i + k) * rows.column_count, line);
            for (int m = 0; m < to.count && to.G; m++)
                g->G_transposed[m * b->count + k] = to.G[k * to.count + m];
        }
        if (to.G)
            kane_add_product(to.count, b->count, b->count, g->G_transposed, columns, g->line,
                             g->values + to.first * columns);
    }
}

// Derivatives of -K q - D q' by the modes' coordinates and speeds.
static void add_modal_forces(const kane_model *model, kane_flex_rows *g)
{
    for (int i = 0; i < g->link_count; i++) {
        const kane_link *mode = &model->tree.links[g->links[i]];
        if (mode->role != KANE_FLEX_MODE)
            continue;
        const kane_deformation *d = &model->deformations[mode->flex];
        const kane_flex *flex     = &model->tree.flexes[mode->flex];
        const int k               = mode->v - flex->v;
        double *to                = g->values + g->place[flex->v] * g->column_count + g->mode_column[mode->flex] + k;
        for (int j = 0; j < d->count; j++, to += g->column_count) {
            to[0] -= d->K[j * d->count + k];
            to[flex->count] -= d->D[j * d->count + k];
        }
    }
}

// --- inertia of the deformed body (tree/flex_inertia.h) ---

// States of a group that are evaluated together: their columns, and how they move the carrier or a mode.
typedef struct batch {
    int count;
    kane_state_share to[KANE_CHANGES];
    kane_flex_changes changes;
} batch;

// Subtracts `sign` times the changes of a wrench on the carrier and of forces on the modes from the rows of independent
// speeds, by the states of a batch.
static void subtract_wrench_rows(const kane_model *model, const kane_tree_work *work, kane_flex_rows *g,
                                 const kane_flex *flex, const batch *b, double sign, const kane_wrench_changes *w)
{
    for (int s = 0; s < b->count; s++) {
        const kane_wrench change = {kane_changes3_get(&w->force, s), kane_changes3_get(&w->torque, s)};
        memset(g->row, 0, (size_t)g->count * sizeof *g->row);
        kane_tree_spread_wrench(&model->tree, g->place, work, flex->carrier, -1, change, g->row);
        for (int k = 0; k < flex->count; k++)
            g->row[g->place[flex->v] + k] += g->mode[k][s];
        for (int k = 0; k < g->count; k++)
            if (g->row[k] != 0.0)
                kane_state_share_add(b->to[s], -sign * g->row[k], 1, g->values + k * g->column_count);
    }
}

// The next states that the inertia of a deformed body depends on: of the map's columns those that move its carrier,
// then coordinates and speeds of its modes. `next`: where to begin, and to go on.
static void see_states(kane_derivative *d, const kane_flex *flex, const kane_flex_rows *g, int *next, batch *b)
{
    const int columns = g->map.column_count, modes = g->mode_column[d->model->tree.links[flex->carrier].flex];
    const kane_link_tangent at_rest = {.turn = kv3_zero()};
    kane_flex_changes *to           = &b->changes;
    for (b->count = 0; *next < columns + 2 * flex->count && b->count < KANE_CHANGES; ++*next) {
        const int s = b->count, mode = *next - columns;
        if (mode < 0 && !kane_derive_map_moves(d->map, g->map.columns[*next], flex->carrier))
            continue;
        const kane_link_tangent t = mode < 0 ? kane_derive_tangent(d, flex->carrier, g->map.columns[*next]) : at_rest;
        kane_link_changes_set(&to->carrier, s, &t);
        to->mode[s]     = mode < 0 ? -1 : mode % flex->count;
        to->is_speed[s] = mode >= flex->count;
        b->to[s]        = mode < 0 ? g->column_share[*next] : (kane_state_share){modes + mode, 1, NULL};
        b->count++;
    }
    for (int s = b->count; s < KANE_CHANGES; s++) {
        to->mode[s] = -1;
        kane_link_changes_set(&to->carrier, s, &at_rest);
    }
}

// Inertia of deformation, and its separate imaginary terms with opposite sign, batch by batch.
static void derive_inertia(kane_derivative *d, const kane_flex *flex, kane_flex_rows *g)
{
    const kane_model *model = d->model;
    const kane_work *work   = d->work;
    const int index         = model->tree.links[flex->carrier].flex;
    const int is_separate   = model->imaginary_as_forces && !model->bodies[model->link_body[flex->carrier]].absolute;
    kane_wrench_changes w;
    batch b;
    int next = 0;
    for (see_states(d, flex, g, &next, &b); b.count > 0; see_states(d, flex, g, &next, &b)) {
        kane_flex_need_changes(flex, &work->tree.flex[index], &work->tree, &b.changes, &w, g->mode);
        subtract_wrench_rows(model, &work->tree, g, flex, &b, 1.0, &w);
        if (!is_separate)
            continue;
        kane_modes_imaginary_changes(model, work, index, &b.changes, &w, g->mode);
        subtract_wrench_rows(model, &work->tree, g, flex, &b, -1.0, &w);
    }
}

// Rows of the map, stiffness and damping, inertia of deformation; then  Theta^-1.
void kane_flex_rows_derive(kane_derivative *d)
{
    const kane_model *model = d->model;
    for (int i = 0; i < d->flex_rows_count; i++) {
        kane_flex_rows *g = &d->flex_rows[i];
        reduce_map_rows(g);
        add_modal_forces(model, g);
        for (int k = 0; k < g->link_count; k++) {
            const kane_link *link = &model->tree.links[g->links[k]];
            if (link->role == KANE_FLEX_FRAME && model->tree.flexes[link->flex].momentum)
                derive_inertia(d, &model->tree.flexes[link->flex], g);
        }
        if (g->in_cluster)
            continue;
        factor_inertia_matrix(model, d->work, g);
        kane_cholesky_solve_columns(g->count, g->M, g->first, g->column_count, g->values);
    }
}

// acting -= kane_flex_needed, of every carrier.
void kane_flex_rows_subtract(const kane_model *model, const kane_work *work, kane_wrench *acting)
{
    const kane_tree *tree = &model->tree;
    for (int t = 0; t < tree->flex_count; t++) {
        kane_wrench *sum = &acting[tree->flexes[t].carrier];
        *sum = kw_add_scaled(*sum, -1.0, kane_flex_needed(&tree->flexes[t], &work->tree.flex[t], &work->tree, NULL));
    }
}
