// SPDX-License-Identifier: MIT
// Motions that are known at any time, two turning frames, and links in them: to hold formulas against differences.

#ifndef KANE_TESTS_TREE_MOTION_H
#define KANE_TESTS_TREE_MOTION_H

#include "check.h"
#include "models.h"
#include "base/arena.h"
#include "tree/rows.h"

// Of axes in other axes, with components in those.
typedef struct motion {
    kane_mat3 R;
    kane_vec3 r, v, w, a, al;
} motion;

// A number that swings, with two derivatives.
typedef struct swing {
    double mean, size, frequency, phase;
} swing;

static inline swing random_swing(uint64_t *seed, double mean, double size)
{
    const double frequency = 1.5 + 0.7 * random_number(seed), phase = 3.0 * random_number(seed);
    return (swing){mean, size * (0.6 + 0.4 * random_number(seed)), frequency, phase};
}

static inline void swing_eval(const swing *s, double t, double out[3])
{
    const double w = s->frequency, x = w * t + s->phase;
    out[0] = s->mean + s->size * sin(x);
    out[1] = s->size * w * cos(x);
    out[2] = -s->size * w * w * sin(x);
}

static inline motion motion_rest(kane_mat3 R, kane_vec3 r)
{
    return (motion){.R = R, .r = r};
}

// Motion of `inner`, which is given in the axes that move as `outer`.
static inline motion motion_in(motion outer, motion inner)
{
    const kane_vec3 arm = km3_mulv(outer.R, inner.r), u = km3_mulv(outer.R, inner.v), w = km3_mulv(outer.R, inner.w);
    const kane_vec3 turn = kv3_cross(outer.w, arm);
    motion m;
    m.R  = km3_mul(outer.R, inner.R);
    m.r  = kv3_add(outer.r, arm);
    m.v  = kv3_add(outer.v, kv3_add(turn, u));
    m.w  = kv3_add(outer.w, w);
    m.a  = kv3_add(kv3_add(outer.a, kv3_cross(outer.al, arm)), km3_mulv(outer.R, inner.a));
    m.a  = kv3_add(m.a, kv3_cross(outer.w, kv3_add_scaled(turn, 2.0, u)));
    m.al = kv3_add(kv3_add(outer.al, kv3_cross(outer.w, w)), km3_mulv(outer.R, inner.al));
    return m;
}

static inline motion motion_turn(int axis, const double q[3])
{
    const kane_vec3 e = kv3_unit(axis);
    const double s = sin(q[0]), c = cos(q[0]);
    const kane_mat3 E = km3_identity();
    motion m          = motion_rest(axis == 0   ? km3_turn_x(E, s, c)
                                    : axis == 1 ? km3_turn_y(E, s, c)
                                                : km3_turn_z(E, s, c),
                           kv3_zero());
    m.w  = kv3_scale(q[1], e);
    m.al = kv3_scale(q[2], e);
    return m;
}

static inline motion motion_slide(int axis, const double q[3])
{
    const kane_vec3 e = kv3_unit(axis);
    motion m          = motion_rest(km3_identity(), kv3_scale(q[0], e));
    m.v               = kv3_scale(q[1], e);
    m.a               = kv3_scale(q[2], e);
    return m;
}

// A body that slides along x, y, z and turns about three moving axes, by six swings.
static inline motion motion_swing(const swing s[6], const int turns[3], double t)
{
    motion m = motion_rest(km3_identity(), kv3_zero());
    for (int i = 0; i < 6; i++) {
        double q[3];
        swing_eval(&s[i], t, q);
        m = motion_in(m, i < 3 ? motion_slide(i, q) : motion_turn(turns[i - 3], q));
    }
    return m;
}

static inline kane_mat3 random_rotation(uint64_t *seed)
{
    motion m = motion_rest(km3_identity(), kv3_zero());
    for (int axis = 0; axis < 3; axis++)
        m = motion_in(m, motion_turn(axis, (double[3]){2.0 * random_number(seed), 0.0, 0.0}));
    return m.R;
}

// --- frames and links ---

enum { RIG_LINKS = 6, RIG_NUMBERS = 40 };

typedef struct rig {
    kane_tree tree;
    kane_link links[RIG_LINKS];
    kane_tree_work work;
    double q[RIG_NUMBERS], v[RIG_NUMBERS], v_dot[RIG_NUMBERS];
    kane_link_state states[RIG_LINKS];
    kane_transport frames[2];
    kane_moving_frame bases[2];
    int absolute[2]; // what the bases are
    swing frame_swing[2][6], link_swing[RIG_LINKS][6];
    motion relative[RIG_LINKS]; // to their frames, at the last rig_move
} rig;

static const int rig_turns[3] = {2, 0, 1};

// A marker on a link, -1: on frame 0.
static inline kane_side_marker rig_side(int link, kane_vec3 point, kane_mat3 axes)
{
    return (kane_side_marker){.link = link, .point = point, .axes = axes};
}

static inline void rig_init(rig *r, uint64_t *seed, int links)
{
    *r            = (rig){.tree = {.link_count = links, .q_count = RIG_NUMBERS, .v_count = RIG_NUMBERS}};
    r->tree.links = r->links;
    r->work.q     = r->q;
    r->work.v     = r->v;
    r->work.v_dot = r->v_dot;
    r->work.link  = r->states;
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < 6; i++)
            r->frame_swing[f][i] = random_swing(seed, 0.4 * random_number(seed), i < 3 ? 4.0 : 0.7);
    for (int k = 0; k < links; k++)
        for (int i = 0; i < 6; i++)
            r->link_swing[k][i] = random_swing(seed, 0.5 * random_number(seed), i < 3 ? 0.4 : 0.5);
}

static inline void rig_move_frames(rig *r, double t)
{
    const kane_vec3 up = kv3(0.0, 0.0, 9.81);
    r->work.t          = t;
    for (int f = 0; f < 2; f++) {
        const motion m    = motion_swing(r->frame_swing[f], rig_turns, t);
        kane_transport *T = &r->frames[f];
        T->R              = m.R;
        T->r_o            = m.r;
        T->v_o            = km3_tmulv(m.R, m.v);
        T->a_o            = km3_tmulv(m.R, m.a);
        T->omega          = km3_tmulv(m.R, m.w);
        T->epsilon        = km3_tmulv(m.R, m.al);
        r->bases[f]       = (kane_moving_frame){.v = kv3_zero()};
        if (r->absolute[f])
            r->bases[f] = (kane_moving_frame){T->v_o, T->omega, km3_tmulv(m.R, kv3_add(m.a, up)), T->epsilon};
    }
}

// State of a link from its motion in its frame, as its base makes it.
static inline void rig_put(rig *r, int link, int frame, motion m)
{
    kane_link_state *s = &r->states[link];
    r->relative[link]  = m;
    if (r->absolute[frame]) {
        const kane_moving_frame *b = &r->bases[frame];
        m                          = motion_in((motion){km3_identity(), kv3_zero(), b->v, b->w, b->a, b->al}, m);
    }
    *s = (kane_link_state){.R = m.R, .r = m.r, .v = m.v, .w = m.w, .a = m.a, .al = m.al};
}

// Every link swings freely in its frame.
static inline void rig_move(rig *r, double t)
{
    rig_move_frames(r, t);
    for (int k = 0; k < r->tree.link_count; k++)
        rig_put(r, k, r->links[k].frame, motion_swing(r->link_swing[k], rig_turns, t));
}

static inline void rig_eval(const rig *r, const kane_constraint_row_set *c, int beyond,
                            kane_constraint_rows_values *out)
{
    kane_tree_work work = r->work;
    kane_constraint_row_set_eval(&(kane_eval_context){&r->tree, &work, r->frames, r->bases}, c, beyond, out);
}

// d/dt of what `move` and `read` give, of fourth order.
typedef void (*rig_mover)(rig *r, double t);

static inline void rig_differences(const rig *r, rig_mover move, const kane_constraint_row_set *c, double t, double h,
                                   double value_rate[KANE_ROWS_MOST], double rate_rate[KANE_ROWS_MOST])
{
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    rig other        = *r;
    other.tree.links = other.links;
    other.work.q     = other.q;
    other.work.v     = other.v;
    other.work.v_dot = other.v_dot;
    other.work.link  = other.states;
    for (int i = 0; i < KANE_ROWS_MOST; i++)
        value_rate[i] = rate_rate[i] = 0.0;
    for (int k = 0; k < 4; k++) {
        kane_constraint_rows_values out;
        move(&other, t + at[k] * h);
        rig_eval(&other, c, 1, &out);
        for (int i = 0; i < c->row_count; i++) {
            value_rate[i] += weight[k] * out.value[i] / (12.0 * h);
            rate_rate[i] += weight[k] * out.rate[i] / (12.0 * h);
        }
    }
}

// Values belong to rates, and rates to accelerations, along the motion.
static inline void rig_check_in_time(rig *r, rig_mover move, const kane_constraint_row_set *c, double t)
{
    kane_constraint_rows_values out;
    double value_rate[KANE_ROWS_MOST], rate_rate[KANE_ROWS_MOST];
    rig_differences(r, move, c, t, 2e-4, value_rate, rate_rate);
    move(r, t);
    rig_eval(r, c, 1, &out);
    for (int i = 0; i < c->row_count; i++) {
        if (i < c->position_count)
            check_near(out.rate[i], value_rate[i], 2e-9);
        check_near(out.acceleration[i], rate_rate[i], 1e-8);
    }
}

// What pushes and entries make of changes of velocities (or accelerations) of all links and of speeds.
static inline double rig_pushed(const kane_constraint_rows_values *out, int row, const kane_vec3 *dv,
                                const kane_vec3 *dw, const double *dspeed)
{
    double sum = 0.0;
    for (int i = 0; i < out->direction_count; i++) {
        const int k = out->direction[i].link;
        if (out->direction[i].row == row)
            sum += kv3_dot(out->direction[i].wrench.force, dv[k]) + kv3_dot(out->direction[i].wrench.torque, dw[k]);
    }
    for (int i = 0; i < out->entry_count; i++)
        if (out->entry[i].row == row)
            sum += out->entry[i].value * dspeed[out->entry[i].v];
    return sum;
}

// Pushes are the gradient of rates by velocities, and of accelerations by accelerations, exactly.
static inline void rig_check_pushes(rig *r, const kane_constraint_row_set *c, uint64_t *seed)
{
    kane_constraint_rows_values before, faster, bent, beyond;
    kane_vec3 dv[RIG_LINKS], dw[RIG_LINKS];
    double speed[RIG_NUMBERS];
    rig_eval(r, c, 0, &before);
    rig other = *r, later = *r;
    other.work.v = other.v, other.work.link = other.states;
    later.work.v_dot = later.v_dot, later.work.link = later.states;
    for (int i = 0; i < RIG_NUMBERS; i++) {
        speed[i] = random_number(seed);
        other.v[i] += speed[i];
        later.v_dot[i] = speed[i];
    }
    for (int k = 0; k < r->tree.link_count; k++) {
        dv[k] = random_vector(seed, 1.0), dw[k] = random_vector(seed, 1.0);
        other.states[k].v  = kv3_add(other.states[k].v, dv[k]);
        other.states[k].w  = kv3_add(other.states[k].w, dw[k]);
        later.states[k].da = dv[k], later.states[k].dal = dw[k];
    }
    rig_eval(&other, c, 0, &faster);
    rig_eval(&later, c, 1, &beyond);
    for (int k = 0; k < r->tree.link_count; k++) {
        later.states[k].a  = kv3_add(later.states[k].a, dv[k]);
        later.states[k].al = kv3_add(later.states[k].al, dw[k]);
    }
    rig_eval(&later, c, 0, &bent);
    const double none[RIG_NUMBERS] = {0.0};
    for (int i = 0; i < c->row_count; i++) {
        check_near(faster.rate[i] - before.rate[i], rig_pushed(&before, i, dv, dw, speed), 1e-12);
        check_near(beyond.acceleration[i] - before.acceleration[i], rig_pushed(&before, i, dv, dw, speed), 1e-11);
        check_near(bent.acceleration[i] - before.acceleration[i], rig_pushed(&before, i, dv, dw, none), 1e-11);
    }
}

// The rig with all links and numbers moved on by h times the tangents.
static inline void rig_displaced(const rig *r, const kane_link_tangent *tangent, const double *dq, const double *dv,
                                 double h, rig *out)
{
    *out           = *r;
    out->work.q    = out->q;
    out->work.v    = out->v;
    out->work.link = out->states;
    for (int k = 0; k < r->tree.link_count; k++) {
        const kane_link_tangent *t = &tangent[k];
        kane_link_state *s         = &out->states[k];
        const double angle         = h * kv3_norm(t->turn);
        const kane_vec3 e          = kv3_scale(1.0 / kv3_norm(t->turn), t->turn);
        kane_mat3 turn             = km3_scale(1.0 - cos(angle), km3_outer(e, e)); // Rodrigues' formula
        turn  = km3_add(turn, km3_add(km3_scale(cos(angle), km3_identity()), km3_scale(sin(angle), km3_skew(e))));
        s->R  = km3_mul(turn, s->R);
        s->r  = kv3_add_scaled(s->r, h, t->shift);
        s->v  = kv3_add_scaled(s->v, h, t->v);
        s->w  = kv3_add_scaled(s->w, h, t->w);
        s->a  = kv3_add_scaled(s->a, h, t->a);
        s->al = kv3_add_scaled(s->al, h, t->al);
    }
    for (int i = 0; i < RIG_NUMBERS; i++) {
        out->q[i] += h * dq[i];
        out->v[i] += h * dv[i];
    }
}

// To parts of the size of what is compared.
static inline void check_change(double exact, double difference, double tolerance)
{
    check_near(exact, difference, tolerance * (1.0 + fabs(difference)));
}

// States that move all links and numbers of a rig, a batch at a time.
typedef struct rig_batch {
    kane_link_tangent tangent[KANE_CHANGES][RIG_LINKS];
    double dq[KANE_CHANGES][RIG_NUMBERS], dv[KANE_CHANGES][RIG_NUMBERS];
    kane_link_changes links[RIG_LINKS];
    double dq_batch[RIG_NUMBERS][KANE_CHANGES], dv_batch[RIG_NUMBERS][KANE_CHANGES];
} rig_batch;

static inline void rig_batch_draw(rig_batch *b, double size_of_numbers, uint64_t *seed)
{
    for (int state = 0; state < KANE_CHANGES; state++) {
        for (int k = 0; k < RIG_LINKS; k++) {
            kane_vec3 part[6];
            for (int i = 0; i < 6; i++)
                part[i] = random_vector(seed, 1.0);
            b->tangent[state][k] = (kane_link_tangent){part[0], part[1], part[2], part[3], part[4], part[5]};
            kane_link_changes_set(&b->links[k], state, &b->tangent[state][k]);
        }
        for (int i = 0; i < RIG_NUMBERS; i++) {
            b->dq[state][i] = b->dq_batch[i][state] = size_of_numbers * random_number(seed);
            b->dv[state][i] = b->dv_batch[i][state] = size_of_numbers * random_number(seed);
        }
    }
}

static inline kane_row_changes rig_batch_changes(const rig_batch *b, int count)
{
    static const double multiplier[KANE_ROWS_MOST] = {1.3, -.7, 2.1, .4, -1.9, .9};
    return (kane_row_changes){count, b->links, b->dq_batch, b->dv_batch, multiplier};
}

// Exact changes by one state of a batch against differences of fourth order.
static inline void rig_check_state(const rig *r, const kane_constraint_row_set *c, const rig_batch *b, int state,
                                   const double *multiplier, const kane_constraint_row_set_changes *exact)
{
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const double h = 1.25e-4;
    kane_constraint_rows_values out[4];
    for (int k = 0; k < 4; k++) {
        rig other;
        rig_displaced(r, b->tangent[state], b->dq[state], b->dv[state], at[k] * h, &other);
        rig_eval(&other, c, 1, &out[k]);
    }
#define DIFFERENCE(member)                                                                                             \
    ((weight[0] * out[0].member + weight[1] * out[1].member + weight[2] * out[2].member + weight[3] * out[3].member) / \
     (12.0 * h))
    for (int i = 0; i < c->row_count; i++) {
        if (i < c->position_count)
            check_change(exact->value[i][state], DIFFERENCE(value[i]), 1e-9);
        check_change(exact->rate[i][state], DIFFERENCE(rate[i]), 3e-9);
        check_change(exact->acceleration[i][state], DIFFERENCE(acceleration[i]), 3e-8);
    }
    for (int p = 0; p < exact->reaction_count; p++) {
        kane_vec3 force  = kane_changes3_get(&exact->reaction[p].wrench.force, state);
        kane_vec3 torque = kane_changes3_get(&exact->reaction[p].wrench.torque, state), size = kv3_zero();
        for (int i = 0; i < out[0].direction_count; i++) {
            const double by =
                out[0].direction[i].link == exact->reaction[p].link ? multiplier[out[0].direction[i].row] : 0.0;
            const kane_vec3 df = kv3(DIFFERENCE(direction[i].wrench.force.x), DIFFERENCE(direction[i].wrench.force.y),
                                     DIFFERENCE(direction[i].wrench.force.z));
            const kane_vec3 dn = kv3(DIFFERENCE(direction[i].wrench.torque.x), DIFFERENCE(direction[i].wrench.torque.y),
                                     DIFFERENCE(direction[i].wrench.torque.z));
            force              = kv3_add_scaled(force, -by, df);
            torque             = kv3_add_scaled(torque, -by, dn);
            size.x += fabs(by) * kv3_norm(df);
            size.y += fabs(by) * kv3_norm(dn);
        }
        check_near(kv3_norm(force), 0.0, 2e-9 * (1.0 + size.x)); // three components
        check_near(kv3_norm(torque), 0.0, 2e-9 * (1.0 + size.y));
    }
    for (int i = 0; i < out[0].entry_count; i++)
        check_change(exact->entry[i].force[state], multiplier[out[0].entry[i].row] * DIFFERENCE(entry[i].value), 3e-9);
#undef DIFFERENCE
}

// A whole batch, and one that is not full.
static inline void rig_check_derivatives(rig *r, const kane_constraint_row_set *c, uint64_t *seed)
{
    static rig_batch b;
    CHECK_OWNED(kane_arena) *arena     = kane_arena_create();
    kane_constraint_row_set_room *room = kane_constraint_row_set_room_create(arena);
    for (int count = KANE_CHANGES; count > 0; count -= 3) {
        rig_batch_draw(&b, 1.0, seed);
        const kane_row_changes changes               = rig_batch_changes(&b, count);
        const kane_constraint_row_set_changes *exact = kane_constraint_row_set_derive(
            &(kane_eval_context){&r->tree, &r->work, r->frames, r->bases}, c, &changes, room);
        for (int state = 0; state < count; state++)
            rig_check_state(r, c, &b, state, changes.multiplier, exact);
    }
}

#endif
