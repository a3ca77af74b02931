// SPDX-License-Identifier: MIT
// Accelerations of a group by its directions, eight at a time: wrenches go up to the root, accelerations come down.
//
// Behind the joint where a direction enters everything is seen as it turns along: there the acceleration y grows by chi,
// and eta acts. With p the wrench that a link needs besides I y + N eta, an axis s with inertia d gives way by
//
//   up    u = -s.p / d,   p += U u,   and the carrier of the joint feels g besides (derive_inertia.c)
//   down  dv_dot = u - D.y - n.eta,   y += s dv_dot
//
// Where v_dot is held the same sums give what the axis resists: there over = s, U = 0, D and n are not divided by d, and y
// does not grow.

#include "tree/derive_group.h"

#include <string.h>

// Directions of one block.
typedef struct block {
    int count;
    const kane_direction *direction[KANE_LANES];
    const kane_direction_name *name[KANE_LANES];
} block;

// --- forces ---

// Room for wrenches on a link.
static inline void open_lanes(kane_lanes *lanes)
{
    if (!lanes->pushed)
        for (int k = 0; k < 6; k++)
            for (int lane = 0; lane < KANE_LANES; lane++)
                lanes->p[k][lane] = 0.0;
    lanes->pushed = 1;
}

static inline void add_lane(double x[6][KANE_LANES], int lane, kane_vec3 a, kane_vec3 b)
{
    x[0][lane] += a.x;
    x[1][lane] += a.y;
    x[2][lane] += a.z;
    x[3][lane] += b.x;
    x[4][lane] += b.y;
    x[5][lane] += b.z;
}

static void add_push(kane_lanes *lanes, int lane, kane_vec3 r, kane_vec3 force, kane_vec3 torque)
{
    open_lanes(lanes);
    add_lane(lanes->p, lane, kv3_add(torque, kv3_cross(r, force)), force);
}

static void push_pair(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work, const block *b,
                      kane_link_pair pair, const kane_gradient *g)
{
    kane_lanes *lanes = &scratch->lanes[map->place_of[pair.row]];
    for (int lane = 0; lane < b->count; lane++) {
        const kane_direction_name *name = b->name[lane];
        if (map->group_of[name->link] != map->group_of[pair.column] || !kane_derive_above(map, name->link, pair.column))
            continue;
        kane_vec3 x[KANE_MOTIONS], force = kv3_zero(), torque = kv3_zero();
        kane_direction_motion(b->direction[lane], name->kind, &scratch->field[pair.column], &work->link[pair.column],
                              x);
        for (int k = 0; k < KANE_MOTIONS; k++) {
            force  = kv3_sub(force, km3_mulv(g->force[k], x[k]));
            torque = kv3_sub(torque, km3_mulv(g->torque[k], x[k]));
        }
        add_push(lanes, lane, scratch->field[pair.row].r, force, torque);
    }
}

// What acts does not turn along by itself.
static void push_acting(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch, const block *b,
                        const kane_wrench *acting)
{
    for (int lane = 0; lane < b->count; lane++) {
        const kane_direction_name *name = b->name[lane];
        const kane_vec3 e               = b->direction[lane]->s.e;
        if (name->kind != KANE_DIRECTION_TURN && name->kind != KANE_DIRECTION_COORDINATE)
            continue;
        for (int place = 0; place < group->link_count; place++) {
            const int i = group->links[place];
            if (kane_derive_above(map, name->link, i))
                add_push(&scratch->lanes[place], lane, scratch->field[i].r, kv3_cross(e, acting[i].force),
                         kv3_cross(e, acting[i].torque));
        }
    }
}

// Rows one by one: a call to copy them all costs more than copying.
static inline void copy_lanes(double (*to)[KANE_LANES], const double (*from)[KANE_LANES], int count)
{
    for (int k = 0; k < count; k++)
        memcpy(to[k], from[k], sizeof to[k]);
}

// --- up ---

// An axis: what is behind it, p, goes on to what carries it; alone, or besides what is there already.
static void up_first(const kane_sweep_axis *restrict x, const double p[restrict 6][KANE_LANES],
                     double to[restrict 6][KANE_LANES], double *restrict u)
{
    const double a = x->over[0], b = x->over[1], c = x->over[2], d = x->over[3], e = x->over[4], f = x->over[5];
    const double U0 = x->U[0], U1 = x->U[1], U2 = x->U[2], U3 = x->U[3], U4 = x->U[4], U5 = x->U[5];
    for (int lane = 0; lane < KANE_LANES; lane++) {
        const double p0 = p[0][lane], p1 = p[1][lane], p2 = p[2][lane];
        const double p3 = p[3][lane], p4 = p[4][lane], p5 = p[5][lane];
        const double w = -((a * p0 + b * p1 + c * p2) + (d * p3 + e * p4 + f * p5));
        to[0][lane]    = p0 + U0 * w;
        to[1][lane]    = p1 + U1 * w;
        to[2][lane]    = p2 + U2 * w;
        to[3][lane]    = p3 + U3 * w;
        to[4][lane]    = p4 + U4 * w;
        to[5][lane]    = p5 + U5 * w;
        u[lane]        = w;
    }
}

static void up_more(const kane_sweep_axis *restrict x, const double p[restrict 6][KANE_LANES],
                    double to[restrict 6][KANE_LANES], double *restrict u)
{
    const double a = x->over[0], b = x->over[1], c = x->over[2], d = x->over[3], e = x->over[4], f = x->over[5];
    const double U0 = x->U[0], U1 = x->U[1], U2 = x->U[2], U3 = x->U[3], U4 = x->U[4], U5 = x->U[5];
    for (int lane = 0; lane < KANE_LANES; lane++) {
        const double p0 = p[0][lane], p1 = p[1][lane], p2 = p[2][lane];
        const double p3 = p[3][lane], p4 = p[4][lane], p5 = p[5][lane];
        const double w = -((a * p0 + b * p1 + c * p2) + (d * p3 + e * p4 + f * p5));
        to[0][lane] += p0 + U0 * w;
        to[1][lane] += p1 + U1 * w;
        to[2][lane] += p2 + U2 * w;
        to[3][lane] += p3 + U3 * w;
        to[4][lane] += p4 + U4 * w;
        to[5][lane] += p5 + U5 * w;
        u[lane] = w;
    }
}

// to: the link itself, which has more axes; what carries its joint; or the frame, NULL.
static void up_axis(const kane_sweep_axis *x, kane_lanes *at, double *u, kane_lanes *to)
{
    const double(*p)[KANE_LANES] = (const double(*)[KANE_LANES])at->p;
    if (to && to != at && to->pushed) {
        up_more(x, p, to->p, u);
        return;
    }
    if (to && to != at) {
        up_first(x, p, to->p, u);
        to->pushed = 1;
        return;
    }
    up_first(x, p, at->y, u); // y is free on the way up
    if (to)
        copy_lanes(at->p, (const double(*)[KANE_LANES])at->y, 6);
}

static void enter_up(const block *b, unsigned lanes_in, kane_lanes *at)
{
    for (int lane = 0; lane < b->count; lane++)
        if (lanes_in & (1u << lane))
            add_push(at, lane, kv3_zero(), b->direction[lane]->g.force, b->direction[lane]->g.torque);
}

static void up_link(const kane_group *group, kane_derive_work *scratch, const block *b, int place)
{
    const int first = group->first_axis[place], end = group->first_axis[place + 1];
    kane_lanes *at             = &scratch->lanes[place];
    kane_lanes *to             = group->up[place] < 0 ? NULL : &scratch->lanes[group->up[place]];
    const unsigned char *enter = scratch->entered + place;
    for (int k = end; k > first; k--) {
        if (enter[k])
            enter_up(b, enter[k], at);
        if (!at->pushed)
            memset(scratch->u[k - 1], 0, sizeof scratch->u[k - 1]);
        else
            up_axis(&scratch->axes[k - 1], at, scratch->u[k - 1], k > first + 1 ? at : to);
    }
    if (end == first && at->pushed && to) {
        open_lanes(to);
        for (int k = 0; k < 6; k++)
            for (int lane = 0; lane < KANE_LANES; lane++)
                to->p[k][lane] += at->p[k][lane];
    }
    if (to && enter[first])
        enter_up(b, enter[first], to);
}

// --- the root ---

static void set_lane(double x[][KANE_LANES], int lane, kane_vec3 a)
{
    x[0][lane] = a.x;
    x[1][lane] = a.y;
    x[2][lane] = a.z;
}

static kane_vec3 get_lane(double x[][KANE_LANES], int lane)
{
    return kv3(x[0][lane], x[1][lane], x[2][lane]);
}

// What a free root needs besides I y, and how it begins: with chi if its own direction enters, else at rest.
typedef struct root_lane {
    kane_vec3 n, f;
    kane_twist chi;
} root_lane;

static root_lane enter_root(const kane_group *group, kane_derive_work *scratch, const block *b, int lane)
{
    kane_lanes *at          = &scratch->lanes[0];
    const kane_field *f     = &scratch->field[group->root];
    const kane_direction *d = b->direction[lane];
    root_lane x             = {.n = get_lane(at->p, lane), .f = get_lane(at->p + 3, lane)};
    if (b->name[lane]->slot >= 0 || b->name[lane]->link != group->root)
        return x;
    x.n   = kv3_add(x.n, km3_mulv(f->N_n, d->eta));
    x.f   = kv3_add(x.f, km3_mulv(f->N_f, d->eta));
    x.chi = d->chi;
    set_lane(at->eta, lane, d->eta);
    return x;
}

static void put_root(double *out, int stride, kane_vec3 force, kane_vec3 torque)
{
    out[0]          = force.x;
    out[stride]     = force.y;
    out[2 * stride] = force.z;
    out[3 * stride] = torque.x;
    out[4 * stride] = torque.y;
    out[5 * stride] = torque.z;
}

// A body with six freedoms gives way by all of them: I y = -(p + N eta); its speeds grow by what is beyond chi.
static void solve_root(const kane_group *group, kane_derive_work *scratch, const block *b, double *out, int stride)
{
    kane_lanes *at = &scratch->lanes[0];
    for (int lane = 0; lane < b->count; lane++) {
        const root_lane x  = enter_root(group, scratch, b, lane);
        const kane_vec3 al = ksym_mulv(scratch->root_S, kv3_sub(km3_tmulv(scratch->root_K, x.f), x.n));
        const kane_vec3 a  = kv3_neg(kv3_add(ksym_mulv(scratch->root_M, x.f), km3_mulv(scratch->root_K, al)));
        set_lane(at->y, lane, al);
        set_lane(at->y + 3, lane, a);
        put_root(out + lane, stride, kv3_sub(a, x.chi.l), kv3_sub(al, x.chi.e));
    }
}

// It does not give way: what it needs is the answer. Its speeds are along axes that do not turn with it.
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

// Accelerations of the root, of which all others are made.
static void start_root(const kane_group *group, kane_derive_work *scratch, const block *b, double *out, int stride)
{
    kane_lanes *at = &scratch->lanes[0];
    open_lanes(at);
    memset(at->y, 0, sizeof at->y);
    memset(at->eta, 0, sizeof at->eta);
    at->now   = (const double(*)[KANE_LANES])at->y;
    at->turns = (const double(*)[KANE_LANES])at->eta;
    if (group->held)
        hold_root(group, scratch, b, out, stride);
    else
        solve_root(group, scratch, b, out, stride);
}

// --- down ---

static const double nothing[6][KANE_LANES];

// Accelerations `from` become `to` behind an axis.
static void down_axis(const kane_sweep_axis *x, const double *restrict u, const double from[restrict 6][KANE_LANES],
                      const double turns[restrict 3][KANE_LANES], double to[restrict 6][KANE_LANES],
                      double v_dot[restrict KANE_LANES])
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

// Directions that enter before axis k: the accelerations behind are copies.
static void enter_down(const block *b, unsigned lanes_in, kane_lanes *at)
{
    double(*y)[KANE_LANES] = at->now == (const double(*)[KANE_LANES])at->y ? at->p : at->y;
    copy_lanes(y, at->now, 6);
    if (at->turns != (const double(*)[KANE_LANES])at->eta)
        copy_lanes(at->eta, at->turns, 3);
    for (int lane = 0; lane < b->count; lane++) {
        const kane_direction *d = b->direction[lane];
        if (!(lanes_in & (1u << lane)))
            continue;
        set_lane(at->eta, lane, d->eta);
        add_lane(y, lane, d->chi.e, d->chi.l);
    }
    at->now   = (const double(*)[KANE_LANES])y;
    at->turns = (const double(*)[KANE_LANES])at->eta;
}

static void down_link(const kane_group *group, kane_derive_work *scratch, const block *b, int place, double *out,
                      int stride)
{
    const int axes  = group->free ? 6 : 0; // row of the first axis
    const int first = group->first_axis[place], end = group->first_axis[place + 1];
    kane_lanes *at             = &scratch->lanes[place];
    const kane_lanes *from     = group->up[place] < 0 ? NULL : &scratch->lanes[group->up[place]];
    const unsigned char *enter = scratch->entered + place;
    at->now                    = from ? from->now : nothing;
    at->turns                  = from ? from->turns : nothing;
    for (int k = first;; k++) {
        double v_dot[KANE_LANES];
        if (enter[k])
            enter_down(b, enter[k], at);
        if (k == end)
            break;
        double(*y)[KANE_LANES] = at->now == (const double(*)[KANE_LANES])at->y ? at->p : at->y;
        down_axis(&scratch->axes[k], scratch->u[k], at->now, at->turns, y, v_dot);
        at->now   = (const double(*)[KANE_LANES])y;
        double *w = out + (size_t)(axes + k) * (size_t)stride;
        if (b->count == KANE_LANES)
            memcpy(w, v_dot, sizeof v_dot);
        else
            for (int lane = 0; lane < b->count; lane++)
                w[lane] = v_dot[lane];
    }
}

// --- all blocks ---

static void sweep_block(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                        const kane_tree_work *work, const block *b, int own, const kane_wrench *acting,
                        const kane_gradient *gradients, double *out, int stride)
{
    for (int place = 0; place < group->link_count; place++)
        scratch->lanes[place].pushed = 0;
    for (int lane = 0; own && lane < b->count; lane++)
        if (b->name[lane]->slot >= 0)
            scratch->entered[b->name[lane]->slot] |= (unsigned char)(1u << lane);
    for (int k = 0; k < group->pair_count; k++)
        push_pair(map, scratch, work, b, map->pairs[group->pairs[k]], &gradients[group->pairs[k]]);
    if (own && acting)
        push_acting(map, group, scratch, b, acting);
    for (int place = group->link_count - 1; place >= group->free; place--)
        up_link(group, scratch, b, place);
    if (group->free)
        start_root(group, scratch, b, out, stride);
    for (int place = group->free; place < group->link_count; place++)
        down_link(group, scratch, b, place, out, stride);
    for (int lane = 0; own && lane < b->count; lane++)
        if (b->name[lane]->slot >= 0)
            scratch->entered[b->name[lane]->slot] = 0;
}

// Shifts and velocities of a free root without forces that feel them: the frame's motion is another one, and nothing else.
static void shift_freely(const kane_group *group, const kane_derive_work *scratch, double *local, int stride)
{
    for (int row = 0; row < group->row_count; row++)
        for (int c = KANE_ROOT_SHIFTS; c < KANE_ROOT_TURNS; c++)
            local[(size_t)row * (size_t)stride + (size_t)c] = 0.0;
    for (int c = KANE_ROOT_SHIFTS; c < KANE_ROOT_TURNS; c++)
        put_root(local + c, stride, kv3_neg(scratch->directions[group->direction + c].chi.l), kv3_zero());
}

void kane_group_sweep(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_wrench *acting, const kane_gradient *gradients,
                      double *local, int stride)
{
    for (int r = 0; r < group->reach_count; r++) {
        const kane_group *other = &map->groups[group->reach[r].group];
        int first               = 0;
        if (r == 0 && group->free && !group->held && !group->pair_count) {
            shift_freely(group, scratch, local, stride);
            first = KANE_ROOT_TURNS;
        }
        for (int d = first; d < other->direction_count; d += KANE_LANES) {
            block b = {0};
            for (; b.count < KANE_LANES && d + b.count < other->direction_count; b.count++) {
                b.direction[b.count] = &scratch->directions[other->direction + d + b.count];
                b.name[b.count]      = &map->names[other->direction + d + b.count];
            }
            sweep_block(map, group, scratch, work, &b, r == 0, acting, gradients, local + group->reach[r].first + d,
                        stride);
        }
    }
}
