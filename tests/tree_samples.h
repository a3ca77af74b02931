// SPDX-License-Identifier: MIT
// Trees that others have computed too: a locomotive-like tree of 15 bodies and 60 freedoms (L15), and chains of hinges.

#ifndef KANE_TESTS_TREE_SAMPLES_H
#define KANE_TESTS_TREE_SAMPLES_H

#include "tree/spatial.h"

#include "check.h"
#include "l15.h"

enum { SAMPLE_LINKS = 200, SAMPLE_FREEDOMS = 260 };

typedef struct sample_tree {
    kane_tree tree;
    kane_link links[SAMPLE_LINKS];
    kane_tree_work work;
    kane_arena *arena;
    kane_moving_frame base; // gravity 9.81 m/s^2 along -z
} sample_tree;

// A link of mass m, moments of inertia J about its mass centre, which is c from the joint.
static inline kane_link *sample_add(sample_tree *s, int parent, kane_vec3 seat, double m, kane_vec3 J, kane_vec3 c)
{
    kane_link *link = &s->links[s->tree.link_count++];
    *link           = (kane_link){.name = "link", .parent = parent, .mass = m, .seat = seat};
    link->c         = c;
    link->seat_R = link->body_R = km3_identity();
    link->J[0]                  = J.x + m * (c.y * c.y + c.z * c.z);
    link->J[1]                  = J.y + m * (c.x * c.x + c.z * c.z);
    link->J[2]                  = J.z + m * (c.x * c.x + c.y * c.y);
    link->J[3]                  = -m * c.x * c.y;
    link->J[4]                  = -m * c.x * c.z;
    link->J[5]                  = -m * c.y * c.z;
    link->q                     = s->tree.q_count;
    link->v                     = s->tree.v_count;
    if (parent >= 0 && s->links[parent].kind == KANE_LINK_BODY) // its origin is the mass centre
        link->seat = kv3_add(seat, s->links[parent].at);
    return link;
}

static inline void sample_end(sample_tree *s, kane_link *link, int q_count, int v_count)
{
    link->q_count = q_count;
    link->v_count = v_count;
    link->hinge   = kane_link_is_hinge(link);
    s->tree.q_count += q_count;
    s->tree.v_count += v_count;
    if (link->parent >= 0 && link->kind != KANE_LINK_BODY)
        s->links[link->parent].coupled = 1;
}

static inline void sample_step(kane_link *link, int axis)
{
    const int k   = link->step_count++;
    link->step[k] = (kane_step){.axis = axis, .q = link->q + k, .v = link->v + k};
}

static inline int sample_add_revolute(sample_tree *s, int parent, kane_vec3 seat, int axis, double m, kane_vec3 J,
                                      kane_vec3 c)
{
    kane_link *link = sample_add(s, parent, seat, m, J, c);
    link->kind      = KANE_LINK_STEPS;
    sample_step(link, axis);
    sample_end(s, link, 1, 1);
    return s->tree.link_count - 1;
}

// Hangs by x, y, z and turns in the order z, y, x.
static inline int sample_add_body(sample_tree *s, int parent, kane_vec3 seat, double m, kane_vec3 J, kane_vec3 c)
{
    static const int axes[6] = {0, 1, 2, 2, 1, 0};
    kane_link *link          = sample_add(s, parent, seat, m, J, kv3_zero());
    link->kind               = KANE_LINK_BODY;
    link->slide_count        = 3;
    link->at                 = kv3_neg(c);
    ksym_inverse(link->J, link->J_inverse);
    for (int k = 0; k < 6; k++)
        sample_step(link, axes[k]);
    sample_end(s, link, 6, 6);
    return s->tree.link_count - 1;
}

static inline void sample_create(sample_tree *s)
{
    s->tree.links = s->links;
    s->base       = (kane_moving_frame){.a = {0.0, 0.0, 9.81}};
    s->arena      = kane_arena_create();
    assert_non_null(s->arena);
    assert_true(kane_tree_work_create(&s->tree, s->arena, &s->work));
}

static inline kane_links sample_all(const sample_tree *s)
{
    return (kane_links){0, s->tree.link_count};
}

// Coordinates and their rates as the references have them.
static inline void sample_start(sample_tree *s)
{
    double rate[SAMPLE_FREEDOMS];
    for (int i = 0; i < s->tree.q_count; i++) {
        s->work.q[i] = 0.1 * ((7 * i) % 11 - 5) / 5.0;
        rate[i]      = 0.1 * ((5 * i) % 13 - 6) / 6.0;
    }
    for (int i = 0; i < s->tree.link_count; i++) { // parents must move before their children's speeds are known
        const kane_links one = {i, i + 1};
        kane_tree_place(&s->tree, one, &s->work);
        kane_tree_speeds(&s->tree, i, &s->base, &s->work, rate + s->links[i].q);
        kane_tree_move(&s->tree, one, &s->base, &s->work);
    }
}

static inline void sample_l15(sample_tree *s)
{
    const kane_vec3 c = {0.01, 0.02, 0.03};
    *s                = (sample_tree){0};
    const int car     = sample_add_body(s, -1, kv3_zero(), 5e4, kv3(5e4, 1e6, 1e6), c);
    for (int b = 0; b < 2; b++) {
        const int bogie = sample_add_body(s, car, kv3(b ? 6.0 : -6.0, 0.0, -1.0), 8000.0, kv3(5e3, 1e4, 1e4), c);
        for (int w = 0; w < 3; w++) {
            const double x = 1.8 * (w - 1);
            (void)sample_add_body(s, bogie, kv3(x, 0.0, -0.5), 2500.0, kv3(1000.0, 200.0, 1000.0), c);
            (void)sample_add_revolute(s, bogie, kv3(x + 0.5, 0.0, -0.3), 1, 1000.0, kv3(100.0, 100.0, 100.0), c);
        }
    }
    sample_create(s);
}

// Hinges about x and y in turn, .3 m apart.
static inline void sample_chain(sample_tree *s, int count)
{
    *s = (sample_tree){0};
    for (int i = 0; i < count; i++)
        (void)sample_add_revolute(s, i - 1, kv3(0.0, 0.0, -0.3), i % 2 == 0 ? 0 : 1, 1.0 + 0.1 * i, kv3(0.1, 0.2, 0.3),
                                  kv3(0.01, 0.02, 0.03));
    sample_create(s);
}

static inline void sample_free(sample_tree *s)
{
    kane_arena_free(s->arena);
}

#endif
