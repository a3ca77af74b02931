// SPDX-License-Identifier: MIT
// Trees of all kinds of links at random: branches, deep groups, held and given coordinates, a frame that moves.

#ifndef KANE_TESTS_TREE_RANDOM_H
#define KANE_TESTS_TREE_RANDOM_H

#include "tree/spatial.h"

#include "check.h"

enum { RANDOM_LINKS = 40 };

typedef struct random_tree {
    kane_tree tree;
    kane_link links[RANDOM_LINKS];
    kane_tree_work work;
    kane_arena *arena;
    kane_moving_frame base;
    kane_line_function given;
    double coefficients[4];
    unsigned seed;
} random_tree;

// Evenly between -1 and 1.
static inline double random_one(random_tree *s)
{
    s->seed = s->seed * 1664525u + 1013904223u;
    return 2.0 * (double)(s->seed >> 8) / 16777216.0 - 1.0;
}

static inline int random_below(random_tree *s, int count)
{
    const int i = (int)(0.5 * (random_one(s) + 1.0) * count);
    return i < count ? i : count - 1;
}

static inline kane_vec3 random_vec3(random_tree *s)
{
    const double x = random_one(s), y = random_one(s), z = random_one(s);
    return kv3(x, y, z);
}

static inline kane_mat3 random_turned(random_tree *s)
{
    const kane_vec3 a = random_vec3(s);
    return km3_turn_x(km3_turn_y(km3_turn_z(km3_identity(), sin(a.x), cos(a.x)), sin(a.y), cos(a.y)), sin(a.z),
                      cos(a.z));
}

static inline void random_inertia(random_tree *s, kane_link *link)
{
    const double a = 0.4 + 0.2 * random_one(s), b = 0.4 + 0.2 * random_one(s), m = 1.5 + random_one(s);
    const double own[6] = {a, b, 0.5 * (a + b), 0.0, 0.0, 0.0};
    const kane_vec3 c   = link->c;
    link->mass          = m;
    ksym_turn(random_turned(s), own, link->J);
    link->J[0] += m * (c.y * c.y + c.z * c.z);
    link->J[1] += m * (c.x * c.x + c.z * c.z);
    link->J[2] += m * (c.x * c.x + c.y * c.y);
    link->J[3] -= m * c.x * c.y;
    link->J[4] -= m * c.x * c.z;
    link->J[5] -= m * c.y * c.z;
    ksym_inverse(link->J, link->J_inverse);
}

static inline void random_steps(random_tree *s, kane_link *link)
{
    const int slides = random_below(s, 3), turns = slides ? random_below(s, 3) : 1 + random_below(s, 3);
    link->slide_count = slides;
    for (int k = 0; k < slides + turns; k++) {
        kane_step *step = &link->step[link->step_count++];
        const int mode  = random_below(s, 8);
        *step           = (kane_step){.axis = k < slides ? k : random_below(s, 3), .v = -1, .q = link->q + k};
        if (k > slides && step->axis == link->step[k - 1].axis) // two turns about one axis are singular
            step->axis = (step->axis + 1) % 3;
        if (turns == 3 && k == slides + 2 && step->axis == link->step[slides].axis)
            step->axis = 3 - link->step[slides].axis - link->step[slides + 1].axis;
        if (mode == 0 && k > 0) {
            step->mode = KANE_STEP_HELD;
        } else if (mode == 1) {
            step->mode     = KANE_STEP_GIVEN;
            step->function = &s->given;
        } else {
            step->v = link->v + link->v_count++;
        }
    }
    link->q_count = slides + turns;
}

static inline void random_body(random_tree *s, kane_link *link)
{
    static const int orders[4][3] = {{2, 0, 1}, {2, 1, 0}, {0, 1, 2}, {2, 0, 2}};
    const int order               = random_below(s, 4);
    link->slide_count             = 3;
    link->step_count              = 6;
    for (int k = 0; k < 6; k++)
        link->step[k] = (kane_step){.axis = k < 3 ? k : orders[order][k - 3], .q = link->q + k, .v = link->v + k};
    link->q_count = link->v_count = 6;
    link->at                      = kv3_scale(0.3, random_vec3(s));
    link->c                       = kv3_zero();
}

// Symmetric about y, which it spins about; its axes do not.
static inline void random_spin(kane_link *link)
{
    link->is_spinning = 1;
    link->c           = link->kind == KANE_LINK_BODY ? kv3_zero() : kv3(0.0, 0.1, 0.0);
    link->J[0] = link->J[2] = 0.4 + link->mass * link->c.y * link->c.y;
    link->J[1]              = 0.7;
    link->J[3] = link->J[4] = link->J[5] = 0.0;
    ksym_inverse(link->J, link->J_inverse);
}

// A body that spins.
static inline void random_spinning(random_tree *s, kane_link *link)
{
    random_body(s, link);
    random_spin(link);
    link->step[3].axis = 2;
    link->step[4].axis = 0;
    link->step[5].axis = 1;
    link->at           = kv3(0.0, 0.2, 0.0);
}

// The same on a joint whose last step is a turn that is free.
static inline void random_spinning_steps(kane_link *link)
{
    kane_step *last = &link->step[link->step_count - 1];
    if (link->step_count == link->slide_count || last->mode != KANE_STEP_FREE)
        return;
    last->axis = 1;
    for (int k = link->step_count - 2; k >= link->slide_count; k--) // three turns stay what they can be
        link->step[k].axis = (link->step_count - 1 - k) % 2 ? 0 : 2;
    random_spin(link);
}

// Its joint lets it turn about the axle of its parent first, at a point of the axle.
static inline void random_on_axle(random_tree *s, kane_link *link)
{
    static const kane_mat3 upside_down = {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}};
    link->on_axle                      = random_below(s, 2) ? 1 : -1;
    link->turned                       = link->on_axle < 0;
    link->seat_R                       = link->turned ? upside_down : km3_identity();
    link->seat                         = kv3(0.0, link->seat.y, 0.0);
    link->slide_count = link->step_count = link->v_count = 0;
    const int slides = random_below(s, 2), turns = 1 + random_below(s, 3);
    for (int k = 0; k < slides + turns; k++) {
        static const int axes[3] = {1, 2, 0};
        link->step[k] = (kane_step){.axis = k < slides ? 1 : axes[k - slides], .q = link->q + k, .v = link->v + k};
    }
    link->slide_count = slides;
    link->q_count = link->v_count = link->step_count = slides + turns;
}

// kinds: KANE_LINK_BODY, ...: which of them may come; 0: all.
static inline void random_add(random_tree *s, int parent, int kind)
{
    kane_link *link   = &s->links[s->tree.link_count++];
    *link             = (kane_link){.name = "link", .parent = parent, .q = s->tree.q_count, .v = s->tree.v_count};
    const int on_axle = parent >= 0 && s->links[parent].is_spinning;
    link->kind = on_axle ? KANE_LINK_STEPS : kind == 0 ? KANE_LINK_BODY : kind == 1 ? KANE_LINK_BALL : KANE_LINK_STEPS;
    link->seat = random_vec3(s);
    link->seat_R = km3_identity();
    link->body_R = km3_identity();
    link->c      = kv3_scale(0.2, random_vec3(s));
    if (random_below(s, 2)) {
        link->turned = 1;
        link->seat_R = random_turned(s);
    }
    if (link->kind == KANE_LINK_BODY)
        random_body(s, link);
    random_inertia(s, link);
    if (link->kind == KANE_LINK_BALL) {
        link->q_count = 4;
        link->v_count = 3;
    } else if (link->kind == KANE_LINK_STEPS && on_axle) {
        random_on_axle(s, link);
    } else if (link->kind == KANE_LINK_STEPS) {
        random_steps(s, link);
        if (random_below(s, 2))
            random_spinning_steps(link);
    } else if (random_below(s, 3) == 0) {
        random_spinning(s, link);
    }
    link->hinge = kane_link_is_hinge(link);
    s->tree.q_count += link->q_count;
    s->tree.v_count += link->v_count;
    if (parent >= 0 && link->kind != KANE_LINK_BODY)
        s->links[parent].coupled = 1;
}

static inline int random_parent(random_tree *s)
{
    return random_below(s, s->tree.link_count + 1) - 1;
}

// A tree with its state: `moving`: a frame that turns and accelerates.
static inline void random_create(random_tree *s, unsigned seed, int link_count, int moving)
{
    *s            = (random_tree){.seed = seed};
    s->tree.links = s->links;
    for (int i = 0; i < 4; i++)
        s->coefficients[i] = random_one(s);
    s->given =
        (kane_line_function){.function = {.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = s->coefficients}};
    for (int i = 0; i < link_count; i++) {
        const int parent = random_parent(s), kind = random_below(s, 5);
        random_add(s, parent, kind);
    }
    s->base = (kane_moving_frame){.a = {0.0, 0.0, 9.81}};
    if (moving) {
        s->base.v  = random_vec3(s);
        s->base.w  = random_vec3(s);
        s->base.al = random_vec3(s);
        s->base.a  = kv3_add(s->base.a, random_vec3(s));
    }
    s->arena = kane_arena_create();
    assert_non_null(s->arena);
    assert_true(kane_tree_work_create(&s->tree, s->arena, &s->work));
    s->work.t = 0.3;
    for (int i = 0; i < s->tree.q_count; i++)
        s->work.q[i] = 0.7 * random_one(s);
    for (int i = 0; i < s->tree.v_count; i++)
        s->work.v[i] = random_one(s);
    kane_tree_move(&s->tree, (kane_links){0, link_count}, &s->base, &s->work);
}

static inline void random_free(random_tree *s)
{
    kane_arena_free(s->arena);
}

#endif
