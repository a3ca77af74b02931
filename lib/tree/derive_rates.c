// SPDX-License-Identifier: MIT
// Derivatives of the rates of coordinates, q_dot = Q(q) v (44).
//
// Speeds of a joint are the rates of its coordinates. A body with all six freedoms has speeds relative to the frame;
// with its joint point at `at` from its origin and `arm` from that of its parent p, and axes A of the joint on the
// parent,
//
//   slides  A' (v + w x at - v_p - w_p x arm),   turns  sum of axis_k rate_k = w - w_p
//
// They depend on its own coordinates and on all states that move its parent. A common shift of both changes nothing, so
// only turns count of the coordinates that carry both along. The first turn of a link on an axle also has the rate of
// its parent's spin, with all dependences of that.

#include "tree/derive_group.h"

#include "tree/derive.h"

#include <string.h>

enum { KANE_RATES_USER = 12 }; // columns of a body that are its own coordinates and speeds

struct kane_rates_map {
    const kane_derive_map *map;
    kane_rate_row *rows; // of every coordinate
    size_t value_count;
};

// --- what depends on what ---

// Row of the coordinate that is a link's spin: its last one that has a row.
static const kane_rate_row *row_of_spin(const kane_rates_map *map, int i)
{
    const kane_link *link = &map->map->tree->links[i];
    int k                 = link->q + link->q_count - 1;
    while (map->rows[k].column_count == 0)
        k--;
    return &map->rows[k];
}

// Whether a coordinate of a link rotates what it carries.
static int is_rotation(const kane_link *link, int index)
{
    return kane_link_moves_by(link, index) && (link->kind == KANE_LINK_BALL || index >= link->slide_count);
}

// Columns of the parent's motion: states of its group that move it, and coordinates that turn the root of that group.
static int list_parent(const kane_derive_map *map, int parent, int *columns)
{
    const kane_tree *tree   = map->tree;
    const kane_group *group = &map->groups[map->group_of[parent]];
    int count               = 0;
    for (int d = group->direction; d < group->direction + group->direction_count; d++)
        if (map->names[d].state >= 0 && kane_derive_above(map, map->names[d].link, parent))
            columns[count++] = map->names[d].state;
    for (int i = group->root; group->free && i >= 0; i = tree->links[i].parent)
        for (int k = 0; k < tree->links[i].q_count; k++)
            if (is_rotation(&tree->links[i], k))
                columns[count++] = tree->links[i].q + k;
    return count;
}

// States along the path to the frame: as many as there can be columns.
static size_t most_columns(const kane_tree *tree, int i)
{
    size_t count = 0;
    for (; i >= 0; i = tree->links[i].parent)
        count += (size_t)(tree->links[i].q_count + tree->links[i].v_count);
    return count;
}

// Coordinates of a link from `first` on that depend on the same states, their values one after the other.
static void add_rows(kane_rates_map *map, int first, int count, int column_count, const int *columns)
{
    for (int k = 0; k < count; k++) {
        map->rows[first + k] = (kane_rate_row){column_count, columns, map->value_count};
        map->value_count += (size_t)column_count;
    }
}

// The steps of a joint: their own speeds. On an axle the first turn also has the rate of its parent's spin.
static void list_steps(kane_rates_map *map, const kane_link *link, int *columns)
{
    const kane_tree *tree = map->map->tree;
    for (int k = 0; k < link->step_count; k++) {
        int count = 1;
        if (link->step[k].mode != KANE_STEP_FREE)
            continue;
        columns[0] = tree->q_count + link->step[k].v;
        if (link->on_axle && k == link->slide_count) {
            const kane_rate_row *spin = row_of_spin(map, link->parent);
            memcpy(columns + 1, spin->columns, (size_t)spin->column_count * sizeof *columns);
            count += spin->column_count;
        }
        add_rows(map, link->step[k].q, 1, count, columns);
        columns += count;
    }
}

// Rows and columns of the rates of link i; 0: memory is short. Parents come first.
static int list_rates(kane_rates_map *map, int i, kane_arena *arena)
{
    const kane_tree *tree = map->map->tree;
    const kane_link *link = &tree->links[i];
    const int u           = tree->q_count + link->v;
    int *columns = kane_arena_alloc(arena, most_columns(tree, i) + 1, sizeof *columns), count = 0;
    if (!columns)
        return 0;
    if (kane_link_has_steps(link)) {
        list_steps(map, link, columns);
    } else if (link->is_free_body) { // places grow as its velocity says, angles by yaw, roll and w
        for (int k = 0; k < 3; k++) {
            columns[k] = u + k;
            add_rows(map, link->q + k, kane_link_holds(link, k) ? 0 : 1, 1, columns + k);
        }
        for (int k = 0; k < 5; k++)
            columns[3 + k] = k < 2 ? link->q + 3 + k : u + 1 + k;
        add_rows(map, link->q + 3, 3, 5, columns + 3);
    } else {
        for (int k = 0; k < link->q_count; k++)
            columns[count++] = link->q + k;
        for (int k = 0; k < link->v_count; k++)
            columns[count++] = u + k;
        if (link->kind == KANE_LINK_BODY && link->parent >= 0)
            count += list_parent(map->map, link->parent, columns + count);
        add_rows(map, link->q, link->q_count, count, columns);
    }
    return 1;
}

kane_rates_map *kane_rates_map_create(const kane_derive_map *map, kane_arena *arena)
{
    kane_rates_map *rates = kane_arena_alloc(arena, 1, sizeof *rates);
    if (!rates)
        return NULL;
    rates->map  = map;
    rates->rows = kane_arena_alloc(arena, (size_t)map->tree->q_count + 1, sizeof *rates->rows);
    for (int i = 0; rates->rows && i < map->tree->link_count; i++)
        if (!list_rates(rates, i, arena))
            return NULL;
    return rates->rows ? rates : NULL;
}

const kane_rate_row *kane_rates_map_rows(const kane_rates_map *map)
{
    return map->rows;
}

size_t kane_rates_map_values(const kane_rates_map *map)
{
    return map->value_count;
}

// --- a body with all six freedoms ---

typedef struct body {
    kane_mat3 A;                 // axes of the joint on the parent
    kane_vec3 axis[3], share[3]; // of the turns; their rates from w - w_p
    double rate[3];              //
    kane_vec3 at, arm, w, w_p, slides;
    kane_vec3 base_w;
    double *out; // first column
    int stride;
} body;

// slides = v + w x at - v_p - w_p x arm, the joint point's velocity against the seat, and the turn rates
//   rate_k = share_k.(w - w_p),   share_1 = (e2 x e3)/e1.(e2 x e3),   share_2 = e2,   share_3 = e3 - (e1.e3) share_1
static void read_body_motion(const kane_tree *tree, const kane_tree_work *work, const kane_moving_frame *base, int i,
                             body *b)
{
    const kane_link *link    = &tree->links[i];
    const kane_link_state *s = &work->link[i];
    kane_vec3 v_p            = base->v;
    b->A                     = link->seat_R;
    b->w_p                   = base->w;
    if (link->parent >= 0) {
        const kane_link_state *p = &work->link[link->parent];
        b->A                     = link->turned ? km3_mul(p->R, link->seat_R) : p->R;
        b->w_p                   = p->w;
        v_p                      = p->v;
    }
    b->base_w = base->w;
    b->w      = s->w;
    b->at     = km3_mulv(s->R, link->at);
    b->arm    = kv3_add(s->rho, b->at);
    b->slides = kv3_sub(kv3_add(s->v, kv3_cross(b->w, b->at)), kv3_add(v_p, kv3_cross(b->w_p, b->arm)));
    for (int k = 0; k < 3; k++)
        b->axis[k] = work->axis[link->v + 3 + k].e;
    const kane_vec3 k = kv3_cross(b->axis[1], b->axis[2]);
    b->share[0]       = kv3_scale(1.0 / kv3_dot(b->axis[0], k), k);
    b->share[1]       = b->axis[1];
    b->share[2]       = kv3_add_scaled(b->axis[2], -kv3_dot(b->axis[0], b->axis[2]), b->share[0]);
    for (int turn = 0; turn < 3; turn++)
        b->rate[turn] = kv3_dot(b->share[turn], kv3_sub(b->w, b->w_p));
}

// One column: changes of slides (frame axes) and of the angular velocity behind the rates, as rates of the six
// coordinates.
static void store_rate_column(const body *b, int column, kane_vec3 slides, kane_vec3 w)
{
    double *out      = b->out + column;
    const int stride = b->stride;
    out[0]           = kv3_dot(b->A.x, slides);
    out[stride]      = kv3_dot(b->A.y, slides);
    out[2 * stride]  = kv3_dot(b->A.z, slides);
    out[3 * stride]  = kv3_dot(b->share[0], w);
    out[4 * stride]  = kv3_dot(b->share[1], w);
    out[5 * stride]  = kv3_dot(b->share[2], w);
}

// Turn axes from `first` on turn by `turn`; with w - w_p constant the rates change as if by  - sum rate_k (turn x e_k).
static kane_vec3 turned_axes(const body *b, kane_vec3 turn, int first)
{
    kane_vec3 w = kv3_zero();
    for (int k = first; k < 3; k++)
        w = kv3_add_scaled(w, -b->rate[k], kv3_cross(turn, b->axis[k]));
    return w;
}

// By its own coordinates, speeds constant. A slide along A_k moves the origin, and the frame's part of the velocity:
//   (omega - w_p) x A_k
// A turn about e_k moves the origin by  at x e_k  about the joint point:
//   (w - omega) x (e_k x at),   and the later axes turn
static void by_coordinates(const body *b, const kane_link *link)
{
    const kane_vec3 less = kv3_sub(b->base_w, b->w_p);
    for (int k = 0; k < 3; k++)
        store_rate_column(b, k, kv3_cross(less, km3_column(b->A, k)), kv3_zero());
    for (int k = 0; k < 3; k++) {
        if (k == 2 && link->is_spinning) {
            store_rate_column(b, 5, kv3_zero(), kv3_zero());
            continue;
        }
        const kane_vec3 swings = kv3_cross(b->axis[k], b->at); // of the joint point about the origin
        store_rate_column(b, 3 + k, kv3_cross(kv3_sub(b->w, b->base_w), swings), turned_axes(b, b->axis[k], k + 1));
    }
}

// By its own speeds: velocity e gives e; angular velocity e gives e x at, and the turn rates.
static void by_speeds(const body *b)
{
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k);
        store_rate_column(b, 6 + k, e, kv3_zero());
        store_rate_column(b, 9 + k, kv3_cross(e, b->at), e);
    }
}

// By a motion x of the parent (shift, turn, velocity, angular velocity) that carries the body along as a rigid part,
// its speeds constant. A shift of both together has been left out.
static void by_parent(const body *b, int column, const kane_link_tangent *x)
{
    const kane_vec3 turn    = x->turn;
    const kane_vec3 carried = kv3_cross(turn, kv3_sub(b->arm, b->at)); // of its origin, beyond the parent's
    const kane_vec3 swings  = kv3_cross(turn, b->at);
    kane_vec3 v             = kv3_sub(kv3_cross(b->base_w, kv3_add(x->shift, carried)), x->v);
    v                       = kv3_add(v, kv3_cross(b->w, swings));
    v                       = kv3_sub(v, kv3_cross(x->w, b->arm));
    v                       = kv3_sub(v, kv3_cross(b->w_p, kv3_add(carried, swings)));
    v                       = kv3_sub(v, kv3_cross(turn, b->slides));
    store_rate_column(b, column, v, kv3_sub(turned_axes(b, turn, 0), x->w));
}

// d(q')/d(q, v) of link i: its coordinates (6), its speeds (6), then states that move its parent.
static void body_rates(const kane_derive_map *map, const kane_rate_row *row, int i, const kane_derive_work *scratch,
                       const kane_tree_work *work, const kane_moving_frame *bases, double *values)
{
    body b;
    read_body_motion(map->tree, work, &bases[map->tree->links[i].frame], i, &b);
    b.out    = values;
    b.stride = row->column_count;
    by_coordinates(&b, &map->tree->links[i]);
    by_speeds(&b);
    for (int k = KANE_RATES_USER; k < row->column_count; k++) {
        const kane_link_tangent t =
            kane_tree_tangent(map, scratch, work, bases, row->columns[k], map->tree->links[i].parent);
        by_parent(&b, k, &t);
    }
}

// --- a free body ---

// Rows x, y, z by their speeds; then yaw, roll, pitch, columns yaw, roll, w_x, w_y, w_z: derivatives of
// (docs/theory.md, section 3)
//   roll' = cy w_x + sy w_y,   pitch' = (cy w_y - sy w_x)/cr,   yaw' = w_z - sr pitch'
static void free_body_rates(const kane_link *link, const kane_axis_state *turn, const double *v, double *out)
{
    const double cy = turn[1].e.x, sy = turn[1].e.y, sr = turn[2].e.z, cr = turn[2].e.y * cy - turn[2].e.x * sy;
    const double roll = cy * v[3] + sy * v[4], pitch = (cy * v[4] - sy * v[3]) / cr;
    const double rows[3][5] = {{sr * roll / cr, -pitch / cr, sy * sr / cr, -cy * sr / cr, 1.0},
                               {pitch * cr, 0.0, cy, sy, 0.0},
                               {-roll / cr, pitch * sr / cr, -sy / cr, cy / cr, 0.0}};
    for (int k = 0; k < 3; k++)
        if (!kane_link_holds(link, k))
            *out++ = 1.0;
    memcpy(out, rows, sizeof rows);
}

// --- other joints ---

// Speeds are rates; on an axle the first turn also has the parent's spin rate.
static void step_rates(const kane_rates_map *map, const kane_link *link, double *values)
{
    for (int k = 0; k < link->step_count; k++) {
        const kane_rate_row *row = &map->rows[link->step[k].q];
        if (link->step[k].mode != KANE_STEP_FREE)
            continue;
        values[row->at] = 1.0;
        for (int c = 1; c < row->column_count; c++)
            values[row->at + (size_t)c] = link->on_axle * values[row_of_spin(map, link->parent)->at + (size_t)(c - 1)];
    }
}

// Derivatives of  e' = 1/2 e o (0, w): rows e0 .. e3, columns e0 .. e3, w_x, w_y, w_z.
static void ball_rates(const double e[4], const double w[3], double *out)
{
    const double by_e[4][4] = {
        {0.0, -w[0], -w[1], -w[2]}, {w[0], 0.0, w[2], -w[1]}, {w[1], -w[2], 0.0, w[0]}, {w[2], w[1], -w[0], 0.0}};
    const double by_w[4][3] = {{-e[1], -e[2], -e[3]}, {e[0], -e[3], e[2]}, {e[3], e[0], -e[1]}, {-e[2], e[1], e[0]}};
    for (int row = 0; row < 4; row++) {
        for (int k = 0; k < 4; k++)
            out[7 * row + k] = 0.5 * by_e[row][k];
        for (int k = 0; k < 3; k++)
            out[7 * row + 4 + k] = 0.5 * by_w[row][k];
    }
}

// Derivatives of kane_tree_rates. Needs kane_derive_move.
void kane_tree_derive_rates(const kane_rates_map *map, const kane_derive_work *scratch, const kane_tree_work *work,
                            const kane_moving_frame *bases, double *values)
{
    const kane_tree *tree = map->map->tree;
    for (int i = 0; i < tree->link_count; i++) {
        const kane_link *link    = &tree->links[i];
        const kane_rate_row *row = &map->rows[link->q];
        switch (link->kind) {
        case KANE_LINK_BODY:
            if (link->is_free_body)
                free_body_rates(link, work->axis + link->v + 3, work->v + link->v, values + row->at);
            else
                body_rates(map->map, row, i, scratch, work, bases, values + row->at);
            break;
        case KANE_LINK_BALL: ball_rates(work->q + link->q, work->v + link->v, values + row->at); break;
        case KANE_LINK_STEPS:
        case KANE_LINK_FORMULA: step_rates(map, link, values); break;
        }
    }
}

// === Tangents of links: by directions of their own group, or by how their group's root is carried along.

// Change of a link's motion in a direction (derive_group.h), at its origin, from the fields:
//   v = V + w x r,  a = A + al x r + w x v
static kane_link_tangent find_link_tangent(const kane_direction *d, kane_direction_kind kind, const kane_field *f,
                                           const kane_link_state *s)
{
    kane_vec3 x[KANE_MOTIONS];
    kane_direction_motion(d, kind, f, s, x);
    kane_link_tangent t = {.shift = x[KANE_MOVES], .turn = x[KANE_TURNS], .v = x[KANE_SPEEDS], .w = x[KANE_SPINS]};
    kane_twist A        = d->chi;
    if (!kane_direction_turns(kind)) {
        A = ktw_add_scaled(A, 1.0, ktw_cross(d->s, f->V));
    } else {
        A = ktw_add_scaled(A, 1.0, ktw_cross(d->s, f->A));
        A = ktw_add_scaled(A, 1.0, ktw_cross(d->psi, f->V));
    }
    t.al = A.e;
    t.a  = kv3_add(A.l, kv3_add(kv3_cross(A.e, f->r), kv3_cross(f->A.e, t.shift)));
    t.a  = kv3_add(t.a, kv3_add(kv3_cross(t.w, s->v), kv3_cross(s->w, t.v)));
    return t;
}

// By a state of its own group in its direction; by a coordinate outside, whose twist moves the origin of the root.
kane_link_tangent kane_tree_tangent(const kane_derive_map *map, const kane_derive_work *scratch,
                                    const kane_tree_work *work, const kane_moving_frame *bases, int state, int i)
{
    const int from = map->link_of[state], speed = state >= map->tree->q_count, own = map->direction_of[state];
    const kane_group *group       = &map->groups[map->group_of[i]];
    const kane_moving_frame *base = &bases[map->tree->links[i].frame];
    const kane_field *root        = &scratch->field[group->root];
    kane_direction carried;
    if (!kane_derive_above(map, from, i))
        return (kane_link_tangent){.turn = kv3_zero()};
    if (own >= 0 && map->group_of[from] == map->group_of[i])
        return find_link_tangent(&scratch->directions[own], map->names[own].kind, &scratch->field[i], &work->link[i]);
    if (speed || !kane_link_moves_by(&map->tree->links[from], state - map->tree->links[from].q))
        return (kane_link_tangent){.turn = kv3_zero()};
    kane_group_pose(base, root, kane_root_twist(map, scratch, work, group->root, state), &carried);
    return find_link_tangent(&carried, KANE_DIRECTION_TURN, &scratch->field[i], &work->link[i]);
}
