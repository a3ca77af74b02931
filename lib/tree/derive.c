// SPDX-License-Identifier: MIT
// Derivatives of accelerations, group by group: by directions first, then by coordinates, which carry roots along.

#include "tree/derive_group.h"

#include "base/machine.h"

#include <string.h>

// Derivatives of one row by coordinates that carry roots along. Let (e, l) be the row's derivatives by turns and shifts
// of a root. With twist s of a coordinate about the root's origin,
//   d row/dq = e.s.e + l.s.l
//   still  1: shifts change nothing, l = 0
static void carry_row(const kane_derive_map *map, const kane_group *group, const kane_derive_work *scratch,
                      const double *from, int still, double *to)
{
    for (int r = 0; r < group->reach_count; r++) {
        const kane_reach *reach = &group->reach[r];
        const kane_group *moved = &map->groups[reach->group];
        const kane_twist *pose  = scratch->pose + moved->carried_at;
        if (!moved->free)
            continue;
        const double *turns = from + reach->first + KANE_ROOT_TURNS, *shifts = from + reach->first + KANE_ROOT_SHIFTS;
        const kane_vec3 e = kv3(turns[0], turns[1], turns[2]), l = kv3(shifts[0], shifts[1], shifts[2]);
        for (int k = 0; k < moved->carried_count; k++)
            to[reach->column[k]] += kv3_dot(e, pose[k].e) + (still ? 0.0 : kv3_dot(l, pose[k].l));
    }
}

// Columns of all rows of a group: copies of its directions, then coordinates of ancestors, which move the poses of
// roots.
static void spread_group_rows(const kane_derive_map *map, const kane_group *group, const kane_derive_work *scratch,
                              const double *local, int still, double *values)
{
    for (int row = 0; row < group->row_count; row++) {
        const double *from = local + (size_t)row * (size_t)group->local_count;
        double *to         = values + (size_t)row * (size_t)group->column_count;
        int c              = group->side_by_side > 16 ? group->side_by_side : 0; // a call costs more than a few numbers
        if (c > 0)
            memcpy(to, from + group->copied[0], (size_t)c * sizeof *to);
        for (; c < group->copied_count; c++)
            to[c] = from[group->copied[c]];
        for (; c < group->column_count; c++)
            to[c] = 0.0;
        if (still && group->is_free_body && row < 3) // its attitude does not affect its mass centre
            continue;
        carry_row(map, group, scratch, from, still, to);
    }
}

// Whether the frame neither turns nor has an angular acceleration: a shift then changes no frame motion.
static int is_still(const kane_moving_frame *base)
{
    return kv3_dot(base->w, base->w) + kv3_dot(base->al, base->al) == 0.0;
}

// Twists, fields and directions, before the forces.
void kane_derive_move(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work,
                      const kane_moving_frame *bases)
{
    kane_coordinate_twists(map, work, scratch);
    for (int g = 0; g < map->group_count; g++) {
        const kane_group *group = &map->groups[g];
        if (group->is_sought)
            kane_group_move(map, group, scratch, work, &bases[map->tree->links[group->root].frame]);
    }
}

// Stores the change of the torque that acts on an uneven link, by its spin angle [N m].
void kane_derive_spin(kane_derive_work *scratch, int link, kane_vec3 torque)
{
    scratch->spun[link] = torque;
}

// docs/mechanisms.md, section 6. Needs kane_tree_solve and kane_derive_spin of uneven links.
void kane_tree_derive(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work,
                      const kane_moving_frame *bases, const kane_wrench *acting, const kane_gradient *gradients,
                      double *values)
{
    kane_derive_move(map, scratch, work, bases);
    for (int g = 0; g < map->group_count; g++) {
        const kane_group *group       = &map->groups[g];
        const kane_moving_frame *base = &bases[map->tree->links[group->root].frame];
        double *out                   = values + group->at;
        if (group->is_free_body && !group->held) {
            kane_free_body_derive(map, group, scratch, work, bases, acting, gradients, scratch->local,
                                  group->local_count);
        } else {
            double *to       = group->direct ? out : scratch->local;
            const int stride = group->direct ? group->column_count : group->local_count;
            kane_group_weigh(map, group, scratch, work, acting, gradients);
            kane_group_sweep(map, group, scratch, work, gradients, kane_group_parts(group, acting), to, stride);
        }
        if (!group->direct)
            spread_group_rows(map, group, scratch, scratch->local, group->pair_count == 0 && is_still(base), out);
    }
}

// === Eight directions at once: loops of a fixed length over arrays that do not overlap, so that compilers take several
// lanes in one instruction.

// --- single lanes ---

// Room for wrenches on a link.
static inline void open_lanes(kane_lanes *lanes)
{
    if (!lanes->has_wrench)
        for (int k = 0; k < 6; k++)
            for (int lane = 0; lane < KANE_LANES; lane++)
                lanes->p[k][lane] = 0.0;
    lanes->has_wrench = 1;
}

// x += (a, b) in one lane.
static inline void add_lane(double x[6][KANE_LANES], int lane, kane_vec3 a, kane_vec3 b)
{
    x[0][lane] += a.x;
    x[1][lane] += a.y;
    x[2][lane] += a.z;
    x[3][lane] += b.x;
    x[4][lane] += b.y;
    x[5][lane] += b.z;
}

// x = a in one lane, three rows.
static inline void set_lane(double x[][KANE_LANES], int lane, kane_vec3 a)
{
    x[0][lane] = a.x;
    x[1][lane] = a.y;
    x[2][lane] = a.z;
}

// The three rows of one lane.
static inline kane_vec3 get_lane(double x[][KANE_LANES], int lane)
{
    return kv3(x[0][lane], x[1][lane], x[2][lane]);
}

// --- all lanes ---

// Rows one by one: a call to copy them all costs more than copying.
static inline void copy_lanes(double (*to)[KANE_LANES], const double (*from)[KANE_LANES], int count)
{
    for (int k = 0; k < count; k++)
        memcpy(to[k], from[k], sizeof to[k]);
}

// --- axes ---

// Inward through an axis, all lanes:  u = -(s/d).p,   to = p + U u, or added to what the carrier has already.
static inline __attribute__((always_inline)) void pass_inward(const kane_sweep_axis *restrict x,
                                                              const double p[restrict 6][KANE_LANES], int is_first,
                                                              double to[restrict 6][KANE_LANES], double *restrict u)
{
    const double a = x->over[0], b = x->over[1], c = x->over[2], d = x->over[3], e = x->over[4], f = x->over[5];
    const double U0 = x->U[0], U1 = x->U[1], U2 = x->U[2], U3 = x->U[3], U4 = x->U[4], U5 = x->U[5];
    for (int lane = 0; lane < KANE_LANES; lane++) {
        const double p0 = p[0][lane], p1 = p[1][lane], p2 = p[2][lane];
        const double p3 = p[3][lane], p4 = p[4][lane], p5 = p[5][lane];
        const double w = -((a * p0 + b * p1 + c * p2) + (d * p3 + e * p4 + f * p5));
        to[0][lane]    = is_first ? p0 + U0 * w : to[0][lane] + (p0 + U0 * w);
        to[1][lane]    = is_first ? p1 + U1 * w : to[1][lane] + (p1 + U1 * w);
        to[2][lane]    = is_first ? p2 + U2 * w : to[2][lane] + (p2 + U2 * w);
        to[3][lane]    = is_first ? p3 + U3 * w : to[3][lane] + (p3 + U3 * w);
        to[4][lane]    = is_first ? p4 + U4 * w : to[4][lane] + (p4 + U4 * w);
        to[5][lane]    = is_first ? p5 + U5 * w : to[5][lane] + (p5 + U5 * w);
        u[lane]        = w;
    }
}

// Outward through an axis, all lanes:  v_dot = u - D.y - n.eta,   to = y + s v_dot    (y: `from`, eta: `turns`).
static inline void down_axis(const kane_sweep_axis *x, const double *restrict u,
                             const double from[restrict 6][KANE_LANES], const double turns[restrict 3][KANE_LANES],
                             double to[restrict 6][KANE_LANES], double v_dot[restrict KANE_LANES])
{
    const double a = x->D[0], b = x->D[1], c = x->D[2], d = x->D[3], e = x->D[4], f = x->D[5];
    const double n0 = x->n[0], n1 = x->n[1], n2 = x->n[2];
    const double s0 = x->s[0], s1 = x->s[1], s2 = x->s[2], s3 = x->s[3], s4 = x->s[4], s5 = x->s[5];
    for (int lane = 0; lane < KANE_LANES; lane++) {
        const double y0 = from[0][lane], y1 = from[1][lane], y2 = from[2][lane];
        const double y3 = from[3][lane], y4 = from[4][lane], y5 = from[5][lane];
        const double gives   = (a * y0 + b * y1 + c * y2) + (d * y3 + e * y4 + f * y5);
        const double turning = n0 * turns[0][lane] + n1 * turns[1][lane] + n2 * turns[2][lane];
        const double w       = (u[lane] - gives) - turning;
        to[0][lane]          = y0 + s0 * w;
        to[1][lane]          = y1 + s1 * w;
        to[2][lane]          = y2 + s2 * w;
        to[3][lane]          = y3 + s3 * w;
        to[4][lane]          = y4 + s4 * w;
        to[5][lane]          = y5 + s5 * w;
        v_dot[lane]          = w;
    }
}

// With forces:  v_dot = u - D.y - w.parts, parts [count] of the directions instead of eta.
static inline void down_forced(const kane_sweep_axis *x, const double *restrict u,
                               const double from[restrict 6][KANE_LANES], int count,
                               const double parts[restrict KANE_PARTS][KANE_LANES], double to[restrict 6][KANE_LANES],
                               double v_dot[restrict KANE_LANES])
{
    double rest[KANE_LANES];
    for (int lane = 0; lane < KANE_LANES; lane++)
        rest[lane] = u[lane];
    for (int c = 0; c < count; c += 6) {
        const double w0 = x->w[c], w1 = x->w[c + 1], w2 = x->w[c + 2];
        const double w3 = x->w[c + 3], w4 = x->w[c + 4], w5 = x->w[c + 5];
        for (int lane = 0; lane < KANE_LANES; lane++)
            rest[lane] -= ((w0 * parts[c][lane] + w1 * parts[c + 1][lane]) +
                           (w2 * parts[c + 2][lane] + w3 * parts[c + 3][lane])) +
                          (w4 * parts[c + 4][lane] + w5 * parts[c + 5][lane]);
    }
    for (int lane = 0; lane < KANE_LANES; lane++) {
        const double *D = x->D;
        v_dot[lane]     = rest[lane] - ((D[0] * from[0][lane] + D[1] * from[1][lane] + D[2] * from[2][lane]) +
                                    (D[3] * from[3][lane] + D[4] * from[4][lane] + D[5] * from[5][lane]));
    }
    for (int k = 0; k < 6; k++) {
        const double s = x->s[k];
        for (int lane = 0; lane < KANE_LANES; lane++)
            to[k][lane] = from[k][lane] + s * v_dot[lane];
    }
}

// === Accelerations of a group by its directions, eight at a time: wrenches go up to the root, accelerations come down.
//
// Behind the joint where a direction enters, all is relative to axes that turn along: there the acceleration y grows by
// chi, and eta acts. With p the wrench that a link needs besides I y + N eta, an axis s with inertia d has
//
//   up    u = -s.p / d,   p += U u,   and the carrier of the joint gets g besides (derive_group.c)
//   down  dv_dot = u - D.y - n.eta,   y += s dv_dot
//
// Where v_dot is held the same sums give the generalised force along the axis: over = s, U = 0, D and n are not divided
// by d, and y does not grow.

// Directions of one block.
typedef struct block {
    int count;
    int own;   // 1: of the group itself
    int parts; // that change forces; 0: none
    int rows;  // of lanes that say how links move
    const kane_direction *direction[KANE_LANES];
    const kane_axis_change *axis_change[KANE_LANES]; // where there are joints by formula
    const kane_direction_name *name[KANE_LANES];
} block;

// --- forces ---

// Adds a wrench about a point at r to what a link needs, in one lane:  p += (torque + r x force, force).
static void add_lane_wrench(kane_lanes *lanes, int lane, kane_vec3 r, kane_vec3 force, kane_vec3 torque)
{
    open_lanes(lanes);
    add_lane(lanes->p, lane, kv3_add(torque, kv3_cross(r, force)), force);
}

// The wrench on a link by the motion x of another one (or itself) in a direction, needed = - sum G_k x_k.
static void add_gradient_wrench(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work,
                                const block *b, const kane_wrench_entry *entry, const kane_gradient *g)
{
    const kane_link_pair pair = map->pairs[entry->pair];
    kane_vec3 x[KANE_MOTIONS], force = kv3_zero(), torque = kv3_zero();
    kane_direction_motion(b->direction[entry->lane], b->name[entry->lane]->kind, &scratch->field[pair.column],
                          &work->link[pair.column], x);
    for (int k = 0; k < KANE_MOTIONS; k++) {
        force  = kv3_sub(force, km3_mulv(g->force[k], x[k]));
        torque = kv3_sub(torque, km3_mulv(g->torque[k], x[k]));
    }
    add_lane_wrench(&scratch->lanes[map->place_of[pair.row]], entry->lane, scratch->field[pair.row].r,
                    kv3_scale(entry->sign, force), kv3_scale(entry->sign, torque));
}

// How a direction moves links: eta for inertia alone, all twelve parts (a, b) where forces act.
static void set_moves(const block *b, int lane, kane_lanes *at)
{
    if (!b->parts) {
        at->eta[0][lane] = b->direction[lane]->eta.x;
        at->eta[1][lane] = b->direction[lane]->eta.y;
        at->eta[2][lane] = b->direction[lane]->eta.z;
        return;
    }
    double parts[KANE_PARTS];
    kane_direction_parts(b->direction[lane], b->name[lane]->kind, parts);
    for (int c = 0; c < b->parts; c++)
        at->eta[c][lane] = parts[c];
}

// --- up ---

// One axis inward.
//   to  the link itself, if it has more axes; the carrier of its joint; NULL: the frame
static inline __attribute__((always_inline)) void up_axis(const kane_sweep_axis *x, kane_lanes *at, double *u,
                                                          kane_lanes *to)
{
    const double(*p)[KANE_LANES] = (const double(*)[KANE_LANES])at->p;
    if (to && to != at && to->has_wrench) {
        pass_inward(x, p, 0, to->p, u);
        return;
    }
    if (to && to != at) {
        pass_inward(x, p, 1, to->p, u);
        to->has_wrench = 1;
        return;
    }
    pass_inward(x, p, 1, at->y, u); // y is free on the way up
    if (to)
        copy_lanes(at->p, (const double(*)[KANE_LANES])at->y, 6);
}

// Adds g of the directions in these lanes (bits).
static void enter_up(const block *b, unsigned lanes_in, kane_lanes *at)
{
    for (int lane = 0; lane < b->count; lane++)
        if (lanes_in & (1u << lane))
            add_lane_wrench(at, lane, kv3_zero(), b->direction[lane]->g.force, b->direction[lane]->g.torque);
}

// Adds the accelerations of bent axes (accelerate_changed_axes) of a joint by formula.
static void add_axis_change(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                            const block *b, int place, unsigned lanes_in)
{
    const kane_link *link = &map->tree->links[group->links[place]];
    for (int lane = 0; lane < b->count; lane++)
        for (int k = 0; k < link->v_count && lanes_in & 1u << lane && b->name[lane]->kind == KANE_DIRECTION_COORDINATE;
             k++)
            scratch->u[group->first_axis[place] + k][lane] += b->axis_change[lane]->u[k];
}

// Axes of a link from the outermost inward, with directions that enter between them. Nothing pushed: u = 0.
static inline __attribute__((always_inline)) void up_link(const kane_derive_map *map, const kane_group *group,
                                                          kane_derive_work *scratch, const block *b, int place)
{
    const int first = group->first_axis[place], end = group->first_axis[place + 1];
    kane_lanes *at             = &scratch->lanes[place];
    kane_lanes *to             = group->up[place] < 0 ? NULL : &scratch->lanes[group->up[place]];
    const unsigned char *enter = scratch->entered + place;
    if (!at->has_wrench && !at->enters) { // its axes need nothing
        memset(scratch->u[first], 0, (size_t)(end - first) * sizeof *scratch->u);
        return;
    }
    for (int k = end; k > first; k--) {
        if (enter[k])
            enter_up(b, enter[k], at);
        if (!at->has_wrench)
            memset(scratch->u[k - 1], 0, sizeof scratch->u[k - 1]);
        else
            up_axis(&scratch->axes[k - 1], at, scratch->u[k - 1], k > first + 1 ? at : to);
    }
    if (end == first && at->has_wrench && to) {
        open_lanes(to);
        for (int k = 0; k < 6; k++)
            for (int lane = 0; lane < KANE_LANES; lane++)
                to->p[k][lane] += at->p[k][lane];
    }
    if (map->any_formula && enter[first] && map->tree->links[group->links[place]].kind == KANE_LINK_FORMULA)
        add_axis_change(map, group, scratch, b, place, enter[first]);
    if (to && enter[first])
        enter_up(b, enter[first], to);
}

// --- the root ---

// What a free root needs besides I y, and how it begins: with chi if its own direction enters, else at rest.
typedef struct root_lane {
    kane_vec3 n, f;
    kane_twist chi;
} root_lane;

// p of a lane at the root, plus N eta of the root's own direction, and chi of that.
static root_lane enter_root(const kane_group *group, kane_derive_work *scratch, const block *b, int lane)
{
    kane_lanes *at          = &scratch->lanes[0];
    const kane_field *f     = &scratch->field[group->root];
    const kane_direction *d = b->direction[lane];
    root_lane x             = {.n = get_lane(at->p, lane), .f = get_lane(at->p + 3, lane)};
    if (b->name[lane]->slot >= 0 || b->name[lane]->link != group->root)
        return x;
    at->rests = 0;
    if (b->name[lane]->kind == KANE_DIRECTION_COORDINATE) // its inertia turns, nothing moves
        x.n = kv3_add(x.n, d->g.torque);
    x.n   = kv3_add(x.n, km3_mulv(f->N_n, d->eta));
    x.f   = kv3_add(x.f, km3_mulv(f->N_f, d->eta));
    x.chi = d->chi;
    set_moves(b, lane, at);
    if (b->parts) {
        double w[6];
        for (int k = 0; k < 6; k++) {
            w[k] = 0.0;
            for (int c = 0; c < b->parts; c++)
                w[k] += scratch->force_change[0].W[k][c] * at->eta[c][lane];
        }
        x.n = kv3_add(x.n, kv3(w[0], w[1], w[2]));
        x.f = kv3_add(x.f, kv3(w[3], w[4], w[5]));
    }
    return x;
}

// Six rows of one column: linear, then angular.
static void put_root(double *out, int stride, kane_vec3 force, kane_vec3 torque)
{
    out[0]          = force.x;
    out[stride]     = force.y;
    out[2 * stride] = force.z;
    out[3 * stride] = torque.x;
    out[4 * stride] = torque.y;
    out[5 * stride] = torque.z;
}

// Body with six freedoms:  I y = -(p + N eta). Its speeds change by y - chi.
static void solve_root(const kane_group *group, kane_derive_work *scratch, const block *b, double *out, int stride)
{
    kane_lanes *at = &scratch->lanes[0];
    for (int lane = 0; lane < b->count; lane++) {
        const root_lane x  = enter_root(group, scratch, b, lane);
        const kane_vec3 al = ksym_mulv(scratch->root.S, kv3_sub(km3_tmulv(scratch->root.K, x.f), x.n));
        const kane_vec3 a  = kv3_neg(kv3_add(ksym_mulv(scratch->root.M, x.f), km3_mulv(scratch->root.K, al)));
        set_lane(at->y, lane, al);
        set_lane(at->y + 3, lane, a);
        put_root(out + lane, stride, kv3_sub(a, x.chi.l), kv3_sub(al, x.chi.e));
    }
}

// v_dot held: rows are  -(p + N eta + I chi),  of a turn  -(p + N eta + I chi + s.e x carried): speeds of the root are
// along axes of the frame, which do not turn along.
static void hold_root(const kane_group *group, kane_derive_work *scratch, const block *b, double *out, int stride)
{
    kane_lanes *at      = &scratch->lanes[0];
    const kane_field *f = &scratch->field[group->root];
    for (int lane = 0; lane < b->count; lane++) {
        root_lane x = enter_root(group, scratch, b, lane);
        set_lane(at->y, lane, x.chi.e);
        set_lane(at->y + 3, lane, x.chi.l);
        x.n = kv3_add(x.n, ksp_torque(&f->I, x.chi.e, x.chi.l));
        x.f = kv3_add(x.f, ksp_force(&f->I, x.chi.e, x.chi.l));
        if (b->name[lane]->kind == KANE_DIRECTION_TURN && b->name[lane]->link == group->root) {
            x.n = kv3_add(x.n, kv3_cross(b->direction[lane]->s.e, f->carried.torque));
            x.f = kv3_add(x.f, kv3_cross(b->direction[lane]->s.e, f->carried.force));
        }
        put_root(out + lane, stride, kv3_neg(x.f), kv3_neg(x.n));
    }
}

// y and eta of the root, where the outward pass starts.
static void start_root(const kane_group *group, kane_derive_work *scratch, const block *b, double *out, int stride)
{
    kane_lanes *at = &scratch->lanes[0];
    open_lanes(at);
    memset(at->y, 0, sizeof at->y);
    memset(at->eta, 0, sizeof at->eta);
    at->rests = 1; // until a direction of its own enters
    at->now   = (const double(*)[KANE_LANES])at->y;
    at->turns = (const double(*)[KANE_LANES])at->eta;
    if (group->held)
        hold_root(group, scratch, b, out, stride);
    else
        solve_root(group, scratch, b, out, stride);
}

// --- down ---

static const double nothing[KANE_PARTS][KANE_LANES];

// Directions that enter before an axis:  y += chi, and their eta. Links behind get copies.
static void enter_down(const block *b, unsigned lanes_in, kane_lanes *at)
{
    double(*y)[KANE_LANES] = at->now == (const double(*)[KANE_LANES])at->y ? at->p : at->y;
    copy_lanes(y, at->now, 6);
    if (at->turns != (const double(*)[KANE_LANES])at->eta)
        copy_lanes(at->eta, at->turns, b->rows);
    for (int lane = 0; lane < b->count; lane++) {
        const kane_direction *d = b->direction[lane];
        if (!(lanes_in & (1u << lane)))
            continue;
        set_moves(b, lane, at);
        add_lane(y, lane, d->chi.e, d->chi.l);
    }
    at->now   = (const double(*)[KANE_LANES])y;
    at->turns = (const double(*)[KANE_LANES])at->eta;
}

// One row of a block: count lanes.
static inline void put_lanes(const double from[KANE_LANES], int count, double *to)
{
    if (count == KANE_LANES)
        memcpy(to, from, KANE_LANES * sizeof *to);
    else
        for (int lane = 0; lane < count; lane++)
            to[lane] = from[lane];
}

// Axes of a link outward; fills their rows of out. Held, and no direction moves it: u alone.
static inline __attribute__((always_inline)) void down_link(const kane_group *group, kane_derive_work *scratch,
                                                            const block *b, int place, double *out, int stride)
{
    const int axes  = group->free ? 6 : 0; // row of the first axis
    const int first = group->first_axis[place], end = group->first_axis[place + 1];
    kane_lanes *at             = &scratch->lanes[place];
    const kane_lanes *from     = group->up[place] < 0 ? NULL : &scratch->lanes[group->up[place]];
    const unsigned char *enter = scratch->entered + place;
    at->now                    = from ? from->now : nothing;
    at->turns                  = from ? from->turns : nothing;
    at->rests                  = group->held && (from ? from->rests : 1) && !at->enters;
    if (at->rests) { // so that axes resist what is pushed alone
        for (int k = first; k < end; k++)
            put_lanes(scratch->u[k], b->count, out + (size_t)(axes + k) * (size_t)stride);
        return;
    }
    for (int k = first;; k++) {
        double v_dot[KANE_LANES];
        if (enter[k])
            enter_down(b, enter[k], at);
        if (k == end)
            break;
        double(*y)[KANE_LANES] = at->now == (const double(*)[KANE_LANES])at->y ? at->p : at->y;
        if (b->parts)
            down_forced(&scratch->axes[k], scratch->u[k], at->now, b->parts, at->turns, y, v_dot);
        else
            down_axis(&scratch->axes[k], scratch->u[k], at->now, at->turns, y, v_dot);
        at->now = (const double(*)[KANE_LANES])y;
        put_lanes(v_dot, b->count, out + (size_t)(axes + k) * (size_t)stride);
    }
}

// --- all blocks ---

// Up to eight directions: forces of entries, inward pass, root, outward pass.
KANE_WIDE static void sweep_block(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                                  const kane_tree_work *work, const block *b, const kane_block_of *of,
                                  const kane_gradient *gradients, double *out, int stride)
{
    for (int place = 0; place < group->link_count; place++)
        scratch->lanes[place].has_wrench = scratch->lanes[place].enters = 0;
    for (int lane = 0; b->own && lane < b->count; lane++)
        if (b->name[lane]->slot >= 0) {
            scratch->entered[b->name[lane]->slot] |= (unsigned char)(1u << lane);
            scratch->lanes[map->place_of[b->name[lane]->link]].enters = 1;
        }
    for (int k = of->entry; k < of->entry + of->entry_count; k++)
        add_gradient_wrench(map, scratch, work, b, &group->entries[k], &gradients[group->entries[k].pair]);
    for (int place = group->link_count - 1; place >= group->free; place--)
        up_link(map, group, scratch, b, place);
    if (group->free)
        start_root(group, scratch, b, out, stride);
    for (int place = group->free; place < group->link_count; place++)
        down_link(group, scratch, b, place, out, stride);
    for (int lane = 0; b->own && lane < b->count; lane++)
        if (b->name[lane]->slot >= 0)
            scratch->entered[b->name[lane]->slot] = 0;
}

// Columns of shifts and velocities of a free root on which no force depends:  -chi, from the frame's motion alone.
static void shift_freely(const kane_group *group, const kane_derive_work *scratch, double *local, int stride)
{
    for (int row = 0; row < group->row_count; row++)
        for (int c = KANE_ROOT_SHIFTS; c < KANE_ROOT_TURNS; c++)
            local[(size_t)row * (size_t)stride + (size_t)c] = 0.0;
    for (int c = KANE_ROOT_SHIFTS; c < KANE_ROOT_TURNS; c++)
        put_root(local + c, stride, kv3_neg(scratch->directions[group->direction + c].chi.l), kv3_zero());
}

// All blocks of a group. Directions of other groups act through forces (entries) alone.
void kane_group_sweep(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_gradient *gradients, int parts, double *local, int stride)
{
    if (group->free && group->blocks[0].first > 0)
        shift_freely(group, scratch, local, stride);
    for (int k = 0; k < group->block_count; k++) {
        const kane_block_of *of = &group->blocks[k];
        const int first         = map->groups[group->reach[of->reach].group].direction + of->first;
        // other groups' directions come in by entries alone
        block b = {.count = of->count, .own = of->reach == 0, .parts = of->reach == 0 ? parts : 0};
        b.rows  = b.parts ? b.parts : 3;
        for (int lane = 0; lane < b.count; lane++) {
            b.direction[lane] = &scratch->directions[first + lane];
            b.name[lane]      = &map->names[first + lane];
        }
        for (int lane = 0; map->any_formula && lane < b.count; lane++)
            b.axis_change[lane] = &scratch->axis_change[first + lane];
        sweep_block(map, group, scratch, work, &b, of, gradients, local + group->reach[of->reach].first + of->first,
                    stride);
    }
}

// === Derivatives of the accelerations of a free body: translation and rotation are independent, speeds relative to the
// frame.
//
//   v_dot = F/m - (a_o - g + epsilon x r + omega x (omega x r) + 2 omega x v')
//   w_dot = J^-1 (T - w x J w) - (epsilon + omega x w')
//
// With al = J^-1 (T - w x J w) and its change G x = -J^-1 (x x J w + w x J x) by w, a turn e, which T does not follow,
// changes al by  e x al - G (e x w) - J^-1 (e x T).

typedef struct response {
    double by_mass;
    double by_J[6];
} response;

// By its own pose and speeds, with forces constant (formulas above); w absolute:
//   shift  -(epsilon x e + omega x (omega x e)),   velocity  -2 omega x e,   spin  G e - omega x e
//   axes  in which its inertia is constant, to frame axes
static void own_motion(const kane_link *link, const kane_link_state *s, kane_mat3 axes, const kane_moving_frame *base,
                       const response *to, const kane_wrench *acting, double *local, int stride)
{
    const kane_vec3 w = s->w, zero = kv3_zero(), al = kv3_add(s->al, s->dal), torque = acting ? acting->torque : zero;
    double J[6];
    ksym_turn(axes, link->J, J);
    const kane_vec3 L = ksym_mulv(J, w);
    kane_mat3 G = km3_zero(), turns = km3_zero(); // gcc does not see that the loops fill them
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k);
        const kane_vec3 g = kv3_add(kv3_cross(e, L), kv3_cross(w, ksym_mulv(J, e)));
        km3_set_column(&G, k, kv3_neg(ksym_mulv(to->by_J, g)));
    }
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k);
        kane_vec3 turn    = kv3_sub(kv3_cross(e, al), km3_mulv(G, kv3_cross(e, w)));
        if (acting)
            turn = kv3_sub(turn, ksym_mulv(to->by_J, kv3_cross(e, torque)));
        km3_set_column(&turns, k, turn);
    }
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k), goes = kv3_cross(base->w, e);
        const kane_vec3 there = kv3_add(kv3_cross(base->al, e), kv3_cross(base->w, goes));
        put_root(local + KANE_ROOT_SHIFTS + k, stride, kv3_neg(there), zero);
        put_root(local + KANE_ROOT_VELOCITIES + k, stride, kv3_scale(-2.0, goes), zero);
        put_root(local + KANE_ROOT_TURNS + k, stride, zero, km3_column(turns, k));
        put_root(local + KANE_ROOT_SPINS + k, stride, zero, kv3_sub(km3_column(G, k), goes));
    }
}

// Adds 1/m force and J^-1 torque to the column of one direction.
static inline void add_column(const response *to, kane_vec3 force, kane_vec3 torque, double *out, int stride)
{
    const kane_vec3 a = kv3_scale(to->by_mass, force), al = ksym_mulv(to->by_J, torque);
    out[0] += a.x;
    out[stride] += a.y;
    out[2 * stride] += a.z;
    out[3 * stride] += al.x;
    out[4 * stride] += al.y;
    out[5 * stride] += al.z;
}

// By the root of another group, or its own: columns of the gradient g. A shift also changes the absolute velocity, by
// omega x e.
static void by_root(const kane_moving_frame *base, const response *to, const kane_gradient *g, double *local,
                    int stride)
{
    for (int k = 0; k < 3; k++) {
        const kane_vec3 goes = kv3_cross(base->w, kv3_unit(k));
        add_column(to, kv3_add(km3_column(g->force[KANE_MOVES], k), km3_mulv(g->force[KANE_SPEEDS], goes)),
                   kv3_add(km3_column(g->torque[KANE_MOVES], k), km3_mulv(g->torque[KANE_SPEEDS], goes)),
                   local + KANE_ROOT_SHIFTS + k, stride);
        add_column(to, km3_column(g->force[KANE_SPEEDS], k), km3_column(g->torque[KANE_SPEEDS], k),
                   local + KANE_ROOT_VELOCITIES + k, stride);
        add_column(to, km3_column(g->force[KANE_TURNS], k), km3_column(g->torque[KANE_TURNS], k),
                   local + KANE_ROOT_TURNS + k, stride);
        add_column(to, km3_column(g->force[KANE_SPINS], k), km3_column(g->torque[KANE_SPINS], k),
                   local + KANE_ROOT_SPINS + k, stride);
    }
}

// By a link of another group: every direction that moves it, through kane_direction_motion.
static void by_link(const kane_derive_map *map, const kane_derive_work *scratch, const kane_tree_work *work,
                    const response *to, int link, const kane_gradient *g, double *local, int stride)
{
    const kane_group *other = &map->groups[map->group_of[link]];
    for (int d = 0; d < other->direction_count; d++) {
        const kane_direction_name *name = &map->names[other->direction + d];
        kane_vec3 x[KANE_MOTIONS], force = kv3_zero(), torque = force;
        if (!kane_derive_above(map, name->link, link))
            continue;
        kane_direction_motion(&scratch->directions[other->direction + d], name->kind, &scratch->field[link],
                              &work->link[link], x);
        for (int k = 0; k < KANE_MOTIONS; k++) {
            force  = kv3_add(force, km3_mulv(g->force[k], x[k]));
            torque = kv3_add(torque, km3_mulv(g->torque[k], x[k]));
        }
        add_column(to, force, torque, local + d, stride);
    }
}

// First column of a group's directions among the local ones.
static double *columns_of(const kane_group *group, int other, double *local)
{
    int k = 0;
    while (group->reach[k].group != other)
        k++;
    return local + group->reach[k].first;
}

// Rows v_dot (3), w_dot (3). Needs kane_group_move.
void kane_free_body_derive(const kane_derive_map *map, const kane_group *group, const kane_derive_work *scratch,
                           const kane_tree_work *work, const kane_moving_frame *bases, const kane_wrench *acting,
                           const kane_gradient *gradients, double *local, int stride)
{
    const int i              = group->root;
    const kane_link *link    = &map->tree->links[i];
    const kane_link_state *s = &work->link[i];
    response to              = {.by_mass = 1.0 / link->mass};
    const kane_mat3 axes     = kane_link_inertia_axes(link, work->q, s->R);
    ksym_turn(axes, link->J_inverse, to.by_J);
    own_motion(link, s, axes, &bases[link->frame], &to, acting ? &acting[i] : NULL, local, stride);
    for (int row = 0; row < 6; row++)
        for (int c = KANE_ROOT_ALL; c < group->local_count; c++)
            local[row * stride + c] = 0.0;
    if (group->uneven)
        add_column(&to, kv3_zero(), kv3_neg(kane_link_spin_effort(link, work, i, scratch)), local + KANE_ROOT_ALL,
                   stride);
    for (int k = 0; k < group->pair_count; k++) {
        const int column       = map->pairs[group->pairs[k]].column;
        const kane_gradient *g = &gradients[group->pairs[k]];
        const int other        = map->group_of[column];
        double *out            = columns_of(group, other, local);
        if (map->groups[other].free && map->groups[other].root == column)
            by_root(&bases[map->tree->links[column].frame], &to, g, out, stride);
        else
            by_link(map, scratch, work, &to, column, g, out, stride);
    }
}
