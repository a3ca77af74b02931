// SPDX-License-Identifier: MIT
// Accelerations of a group by its directions, eight at a time: wrenches go up to the root, accelerations come down.
//
// Behind the joint where a direction enters everything is seen as it turns along: there the acceleration y grows by
// chi, and eta acts. With p the wrench that a link needs besides I y + N eta, an axis s with inertia d gives way by
//
//   up    u = -s.p / d,   p += U u,   and the carrier of the joint feels g besides (derive_inertia.c)
//   down  dv_dot = u - D.y - n.eta,   y += s dv_dot
//
// Where v_dot is held the same sums give what the axis resists: there over = s, U = 0, D and n are not divided by d,
// and y does not grow.

#include "tree/derive_lanes.h"

// Directions of one block.
typedef struct block {
    int count;
    int own, forced; // 1: of the group itself; forces act
    int rows;        // of lanes that say how links move
    const kane_direction *direction[KANE_LANES];
    const kane_direction_name *name[KANE_LANES];
} block;

// --- forces ---

static void add_push(kane_lanes *lanes, int lane, kane_vec3 r, kane_vec3 force, kane_vec3 torque)
{
    open_lanes(lanes);
    add_lane(lanes->p, lane, kv3_add(torque, kv3_cross(r, force)), force);
}

// The wrench on a link by how a direction moves another, or the same.
static void push_entry(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work,
                       const block *b, const kane_entry *entry, const kane_gradient *g)
{
    const kane_link_pair pair = map->pairs[entry->pair];
    kane_vec3 x[KANE_MOTIONS], force = kv3_zero(), torque = kv3_zero();
    kane_direction_motion(b->direction[entry->lane], b->name[entry->lane]->kind, &scratch->field[pair.column],
                          &work->link[pair.column], x);
    for (int k = 0; k < KANE_MOTIONS; k++) {
        force  = kv3_sub(force, km3_mulv(g->force[k], x[k]));
        torque = kv3_sub(torque, km3_mulv(g->torque[k], x[k]));
    }
    add_push(&scratch->lanes[map->place_of[pair.row]], entry->lane, scratch->field[pair.row].r,
             kv3_scale(entry->sign, force), kv3_scale(entry->sign, torque));
}

// How a direction moves links, for forces of inertia alone or for all.
static void set_moves(const block *b, int lane, kane_lanes *at)
{
    if (!b->forced) {
        at->eta[0][lane] = b->direction[lane]->eta.x;
        at->eta[1][lane] = b->direction[lane]->eta.y;
        at->eta[2][lane] = b->direction[lane]->eta.z;
        return;
    }
    double parts[KANE_PARTS];
    kane_direction_parts(b->direction[lane], b->name[lane]->kind, parts);
    for (int c = 0; c < KANE_PARTS; c++)
        at->eta[c][lane] = parts[c];
}

// --- up ---

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
    set_moves(b, lane, at);
    if (b->forced) {
        double w[6];
        for (int k = 0; k < 6; k++) {
            w[k] = 0.0;
            for (int c = 0; c < KANE_PARTS; c++)
                w[k] += scratch->feel[0].W[k][c] * at->eta[c][lane];
        }
        x.n = kv3_add(x.n, kv3(w[0], w[1], w[2]));
        x.f = kv3_add(x.f, kv3(w[3], w[4], w[5]));
    }
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
        const kane_vec3 al = ksym_mulv(scratch->root.S, kv3_sub(km3_tmulv(scratch->root.K, x.f), x.n));
        const kane_vec3 a  = kv3_neg(kv3_add(ksym_mulv(scratch->root.M, x.f), km3_mulv(scratch->root.K, al)));
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

static const double nothing[KANE_PARTS][KANE_LANES];

// Directions that enter before axis k: the accelerations behind are copies.
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
        if (b->forced)
            down_forced(&scratch->axes[k], scratch->u[k], at->now, at->turns, y, v_dot);
        else
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
                        const kane_tree_work *work, const block *b, const kane_block_of *of,
                        const kane_gradient *gradients, double *out, int stride)
{
    for (int place = 0; place < group->link_count; place++)
        scratch->lanes[place].pushed = 0;
    for (int lane = 0; b->own && lane < b->count; lane++)
        if (b->name[lane]->slot >= 0)
            scratch->entered[b->name[lane]->slot] |= (unsigned char)(1u << lane);
    for (int k = of->entry; k < of->entry + of->entry_count; k++)
        push_entry(map, scratch, work, b, &group->entries[k], &gradients[group->entries[k].pair]);
    for (int place = group->link_count - 1; place >= group->free; place--)
        up_link(group, scratch, b, place);
    if (group->free)
        start_root(group, scratch, b, out, stride);
    for (int place = group->free; place < group->link_count; place++)
        down_link(group, scratch, b, place, out, stride);
    for (int lane = 0; b->own && lane < b->count; lane++)
        if (b->name[lane]->slot >= 0)
            scratch->entered[b->name[lane]->slot] = 0;
}

// Shifts and velocities of a free root without forces that feel them: the frame's motion is another one, and nothing
// else.
static void shift_freely(const kane_group *group, const kane_derive_work *scratch, double *local, int stride)
{
    for (int row = 0; row < group->row_count; row++)
        for (int c = KANE_ROOT_SHIFTS; c < KANE_ROOT_TURNS; c++)
            local[(size_t)row * (size_t)stride + (size_t)c] = 0.0;
    for (int c = KANE_ROOT_SHIFTS; c < KANE_ROOT_TURNS; c++)
        put_root(local + c, stride, kv3_neg(scratch->directions[group->direction + c].chi.l), kv3_zero());
}

void kane_group_sweep(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_gradient *gradients, int forced, double *local, int stride)
{
    if (group->free && group->blocks[0].first > 0)
        shift_freely(group, scratch, local, stride);
    for (int k = 0; k < group->block_count; k++) {
        const kane_block_of *of = &group->blocks[k];
        const int first         = map->groups[group->reach[of->reach].group].direction + of->first;
        // other groups' directions come in by entries alone
        block b = {.count = of->count, .own = of->reach == 0, .forced = forced && of->reach == 0};
        b.rows  = b.forced ? KANE_PARTS : 3;
        for (int lane = 0; lane < b.count; lane++) {
            b.direction[lane] = &scratch->directions[first + lane];
            b.name[lane]      = &map->names[first + lane];
        }
        sweep_block(map, group, scratch, work, &b, of, gradients, local + group->reach[of->reach].first + of->first,
                    stride);
    }
}
