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

static void add_push(kane_lanes *lanes, int lane, kane_vec3 r, kane_vec3 force, kane_vec3 torque)
{
    const kane_vec3 t = kv3_add(torque, kv3_cross(r, force));
    lanes->p[0][lane] += t.x;
    lanes->p[1][lane] += t.y;
    lanes->p[2][lane] += t.z;
    lanes->p[3][lane] += force.x;
    lanes->p[4][lane] += force.y;
    lanes->p[5][lane] += force.z;
    lanes->pushed = 1;
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

// --- up ---

static void up_axis(const kane_sweep_axis *x, double p[6][KANE_LANES], double *u)
{
    double w[KANE_LANES];
    for (int lane = 0; lane < KANE_LANES; lane++)
        w[lane] = -(x->over[0] * p[0][lane] + x->over[1] * p[1][lane] + x->over[2] * p[2][lane] +
                    x->over[3] * p[3][lane] + x->over[4] * p[4][lane] + x->over[5] * p[5][lane]);
    for (int k = 0; k < 6; k++)
        for (int lane = 0; lane < KANE_LANES; lane++)
            p[k][lane] += x->U[k] * w[lane];
    memcpy(u, w, sizeof w);
}

static void enter_up(const block *b, unsigned lanes_in, kane_lanes *at)
{
    for (int lane = 0; lane < b->count; lane++)
        if (lanes_in & (1u << lane))
            add_push(at, lane, kv3_zero(), b->direction[lane]->g.force, b->direction[lane]->g.torque);
}

static void up(const kane_group *group, kane_derive_work *scratch, const block *b)
{
    for (int place = group->link_count - 1; place >= group->free; place--) {
        kane_lanes *at             = &scratch->lanes[place];
        const unsigned char *enter = scratch->entered + place;
        for (int k = group->first_axis[place + 1];; k--) {
            if (enter[k])
                enter_up(b, enter[k], at);
            if (k == group->first_axis[place])
                break;
            if (at->pushed)
                up_axis(&scratch->axes[k - 1], at->p, scratch->u[k - 1]);
            else
                memset(scratch->u[k - 1], 0, sizeof scratch->u[k - 1]);
        }
        if (!at->pushed || group->up[place] < 0)
            continue;
        kane_lanes *to = &scratch->lanes[group->up[place]];
        to->pushed     = 1;
        for (int k = 0; k < 6; k++)
            for (int lane = 0; lane < KANE_LANES; lane++)
                to->p[k][lane] += at->p[k][lane];
    }
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
    at->turned = 1;
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

// --- down ---

static void down_axis(const kane_sweep_axis *x, const double *u, kane_lanes *at, double *v_dot)
{
    double w[KANE_LANES];
    for (int lane = 0; lane < KANE_LANES; lane++)
        w[lane] = u[lane] - (x->D[0] * at->y[0][lane] + x->D[1] * at->y[1][lane] + x->D[2] * at->y[2][lane] +
                             x->D[3] * at->y[3][lane] + x->D[4] * at->y[4][lane] + x->D[5] * at->y[5][lane]);
    if (at->turned)
        for (int lane = 0; lane < KANE_LANES; lane++)
            w[lane] -= x->n[0] * at->eta[0][lane] + x->n[1] * at->eta[1][lane] + x->n[2] * at->eta[2][lane];
    for (int k = 0; k < 6; k++)
        for (int lane = 0; lane < KANE_LANES; lane++)
            at->y[k][lane] += x->s[k] * w[lane];
    memcpy(v_dot, w, sizeof w);
}

static void enter_down(const block *b, unsigned lanes_in, kane_lanes *at)
{
    at->turned = 1;
    for (int lane = 0; lane < b->count; lane++) {
        const kane_direction *d = b->direction[lane];
        if (!(lanes_in & (1u << lane)))
            continue;
        set_lane(at->eta, lane, d->eta);
        at->y[0][lane] += d->chi.e.x;
        at->y[1][lane] += d->chi.e.y;
        at->y[2][lane] += d->chi.e.z;
        at->y[3][lane] += d->chi.l.x;
        at->y[4][lane] += d->chi.l.y;
        at->y[5][lane] += d->chi.l.z;
    }
}

static void receive(const kane_group *group, kane_derive_work *scratch, int place)
{
    kane_lanes *at = &scratch->lanes[place];
    if (group->up[place] < 0) {
        memset(at->y, 0, sizeof at->y);
        memset(at->eta, 0, sizeof at->eta);
        at->turned = 0;
        return;
    }
    const kane_lanes *from = &scratch->lanes[group->up[place]];
    memcpy(at->y, from->y, sizeof at->y);
    memcpy(at->eta, from->eta, sizeof at->eta);
    at->turned = from->turned;
}

static void down(const kane_group *group, kane_derive_work *scratch, const block *b, double *out, int stride)
{
    const int axes = group->free ? 6 : 0; // row of the first axis
    for (int place = group->free; place < group->link_count; place++) {
        kane_lanes *at             = &scratch->lanes[place];
        const unsigned char *enter = scratch->entered + place;
        receive(group, scratch, place);
        for (int k = group->first_axis[place];; k++) {
            double v_dot[KANE_LANES];
            if (enter[k])
                enter_down(b, enter[k], at);
            if (k == group->first_axis[place + 1])
                break;
            down_axis(&scratch->axes[k], scratch->u[k], at, v_dot);
            memcpy(out + (size_t)(axes + k) * (size_t)stride, v_dot, (size_t)b->count * sizeof *v_dot);
        }
    }
}

// --- all blocks ---

static void sweep_block(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                        const kane_tree_work *work, const block *b, int own, const kane_wrench *acting,
                        const kane_gradient *gradients, double *out, int stride)
{
    for (int place = 0; place < group->link_count; place++) {
        memset(scratch->lanes[place].p, 0, sizeof scratch->lanes[place].p);
        scratch->lanes[place].pushed = 0;
    }
    for (int lane = 0; own && lane < b->count; lane++)
        if (b->name[lane]->slot >= 0)
            scratch->entered[b->name[lane]->slot] |= (unsigned char)(1u << lane);
    for (int k = 0; k < group->pair_count; k++)
        push_pair(map, scratch, work, b, map->pairs[group->pairs[k]], &gradients[group->pairs[k]]);
    if (own && acting)
        push_acting(map, group, scratch, b, acting);
    up(group, scratch, b);
    if (group->free) {
        memset(scratch->lanes[0].y, 0, sizeof scratch->lanes[0].y);
        memset(scratch->lanes[0].eta, 0, sizeof scratch->lanes[0].eta);
        scratch->lanes[0].turned = 0;
        if (group->held)
            hold_root(group, scratch, b, out, stride);
        else
            solve_root(group, scratch, b, out, stride);
    }
    down(group, scratch, b, out, stride);
    for (int lane = 0; own && lane < b->count; lane++)
        if (b->name[lane]->slot >= 0)
            scratch->entered[b->name[lane]->slot] = 0;
}

void kane_group_sweep(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_wrench *acting, const kane_gradient *gradients,
                      double *local, int stride)
{
    for (int r = 0; r < group->reach_count; r++) {
        const kane_group *other = &map->groups[group->reach[r].group];
        for (int d = 0; d < other->direction_count; d += KANE_LANES) {
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
