// SPDX-License-Identifier: MIT
// Mechanisms with loops, gears and bodies that roll: one function each, with a start near a consistent state.

#ifndef KANE_TESTS_MECHANISM_SAMPLES_H
#define KANE_TESTS_MECHANISM_SAMPLES_H

#include "mechanism_tree.h"

// Where the start of a mechanism is set after its links are there.
static inline void mechanism_start(mechanism *m, int count, const double *q, const double *v)
{
    memcpy(m->s.work.q, q, (size_t)count * sizeof *q);
    for (int k = 0; v && k < m->s.tree.v_count; k++)
        m->s.work.v[k] = v[k];
}

// Crank .5, coupler 1.2, rocker .9, ground 1 m in the x-z plane (hinges about y); offsets keep nothing symmetric.
static inline void sample_four_bar(mechanism *m, kane_constraint_form form, kane_constraint_kind closing)
{
    static const double q[3] = {-1.0, 0.7, -1.4}, v[3] = {2.0, 0.0, 0.0};
    mechanism_begin(m);
    const int crank = mechanism_hinge(m, -1, kv3_zero(), 1, 2.0, rod_inertia(2.0, 0.5), kv3(0.25, 0.0, 0.02));
    const int coupler =
        mechanism_hinge(m, crank, kv3(0.5, 0.0, 0.0), 1, 3.0, rod_inertia(3.0, 1.2), kv3(0.6, 0.0, -0.05));
    const int rocker = mechanism_hinge(m, -1, kv3(1.0, 0.0, 0.0), 1, 2.5, rod_inertia(2.5, 0.9), kv3(0.45, 0.0, 0.0));
    (void)mechanism_close(m, "pin", closing, coupler, kv3(1.2, 0.0, 0.0), rocker, kv3(0.9, 0.0, 0.0));
    m->closure[0].side[0].axes = m->closure[0].side[1].axes =
        (kane_mat3){{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}; // z along the hinges
    mechanism_create(m, form);
    mechanism_start(m, 3, q, v);
    m->held_q[0] = m->held_v[0] = 1;
}

// The same with a pendulum whose rate follows the crank's: a redundant row with a value before a row without one.
static inline void sample_rates(mechanism *m, kane_constraint_form form)
{
    static const double q[4] = {-1.0, 0.7, -1.4, 0.4}, v[4] = {2.0, 0.0, 0.0, 0.0};
    sample_four_bar(m, form, KANE_CONSTRAINT_SPHERICAL);
    mechanism_free(m);
    const int pendulum = mechanism_hinge(m, 1, kv3(0.7, 0.0, 0.0), 1, 1.5, rod_inertia(1.5, 0.4), kv3(0.0, 0.05, -0.2));
    (void)mechanism_relate(m, "rates", KANE_CONSTRAINT_RATES, 0, 0.5, pendulum, -1.0, 0.0);
    mechanism_create(m, form);
    mechanism_start(m, 4, q, v);
}

// Crank .3, rod 1, slide along x offset by .1 in z, which the frame holds.
static inline void sample_slider_crank(mechanism *m, kane_constraint_form form)
{
    static const double q[3] = {0.8, -1.0, 1.1}, v[3] = {5.0, 0.0, 0.0};
    mechanism_begin(m);
    const int crank  = mechanism_hinge(m, -1, kv3_zero(), 1, 2.0, rod_inertia(2.0, 0.3), kv3(0.15, 0.0, 0.0));
    const int rod    = mechanism_hinge(m, crank, kv3(0.3, 0.0, 0.0), 1, 1.0, rod_inertia(1.0, 1.0), kv3(0.5, 0.0, 0.0));
    const int slider = mechanism_slide(m, -1, kv3(0.0, 0.0, 0.1), 0, 4.0, kv3(0.1, 0.1, 0.1), kv3(0.05, 0.0, 0.02));
    (void)mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, rod, kv3(1.0, 0.0, 0.0), slider, kv3_zero());
    mechanism_create(m, form);
    mechanism_start(m, 3, q, v);
    m->held_q[0] = m->held_v[0] = 1;
}

// A boom lifted by a cylinder: a hinged tube in which a piston slides, pinned to the boom.
static inline void sample_cylinder(mechanism *m, kane_constraint_form form)
{
    static const double q[3] = {-0.4, -1.1, 0.9}, v[3] = {0.5, 0.0, 0.0};
    mechanism_begin(m);
    const int boom   = mechanism_hinge(m, -1, kv3_zero(), 1, 20.0, rod_inertia(20.0, 2.0), kv3(1.0, 0.0, 0.1));
    const int tube   = mechanism_hinge(m, -1, kv3(0.2, 0.0, -1.9), 1, 3.0, rod_inertia(3.0, 0.6), kv3(0.3, 0.0, 0.0));
    const int piston = mechanism_slide(m, tube, kv3(0.5, 0.0, 0.0), 0, 2.0, rod_inertia(2.0, 0.6), kv3(0.2, 0.0, 0.0));
    (void)mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, piston, kv3(0.3, 0.0, 0.05), boom, kv3(0.9, 0.0, -0.1));
    mechanism_create(m, form);
    mechanism_start(m, 3, q, v);
}

// A spatial loop: crank about x, a rod with a ball joint at each end (its spin is free), and a slider along y.
static inline void sample_spatial(mechanism *m, kane_constraint_form form)
{
    static const double q[6] = {0.6, 1.0, 0.0, 0.1, 0.2, 0.9}, v[5] = {3.0, 0.7, 0.0, 0.0, 0.0};
    mechanism_begin(m);
    const int crank  = mechanism_hinge(m, -1, kv3_zero(), 0, 2.0, kv3(0.02, 0.01, 0.02), kv3(0.0, 0.1, 0.0));
    const int rod    = mechanism_ball(m, crank, kv3(0.1, 0.3, 0.0), 1.0, kv3(0.1, 0.02, 0.1), kv3(0.0, 0.5, 0.01));
    const int slider = mechanism_slide(m, -1, kv3(-0.2, 0.3, 0.2), 1, 3.0, kv3(0.1, 0.1, 0.1), kv3(0.0, 0.0, 0.0));
    (void)mechanism_close(m, "ball", KANE_CONSTRAINT_SPHERICAL, rod, kv3(0.0, 1.0, 0.0), slider, kv3_zero());
    mechanism_create(m, form);
    mechanism_start(m, 6, q, v);
}

// Two pendulums geared 3 to -2, the second one carrying a third that is held to the frame by a rod.
static inline void sample_gear(mechanism *m, kane_constraint_form form)
{
    static const double q[3] = {0.4, 0.6, 0.3}, v[3] = {1.0, 0.0, 0.0};
    mechanism_begin(m);
    const int a = mechanism_hinge(m, -1, kv3_zero(), 1, 2.0, rod_inertia(2.0, 0.5), kv3(0.0, 0.0, -0.3));
    const int b = mechanism_hinge(m, -1, kv3(0.6, 0.0, 0.0), 1, 1.0, rod_inertia(1.0, 0.5), kv3(0.0, 0.0, -0.2));
    const int c = mechanism_hinge(m, b, kv3(0.0, 0.0, -0.5), 1, 1.5, rod_inertia(1.5, 0.5), kv3(0.1, 0.0, -0.2));
    (void)mechanism_relate(m, "gear", KANE_CONSTRAINT_LINEAR, a, 3.0, b, -2.0, 0.05);
    kane_constraint_row_set *rod =
        mechanism_close(m, "rod", KANE_CONSTRAINT_DISTANCE, c, kv3(0.1, 0.05, -0.4), -1, kv3(1.2, 0.3, -0.9));
    rod->length = 0.8;
    mechanism_create(m, form);
    mechanism_start(m, 3, q, v);
}

// A free body that is pinned to a crank: the body's speeds are its own, so that the crank and it share no inertia.
static inline void sample_pinned_body(mechanism *m, kane_constraint_form form)
{
    static const double q[7] = {0.3, 0.5, 0.0, 0.2, 0.4, 0.1, -0.3}, v[7] = {1.0, 0.0, 0.0, 0.0, 0.5, -0.7, 0.9};
    mechanism_begin(m);
    const int crank = mechanism_hinge(m, -1, kv3_zero(), 1, 2.0, rod_inertia(2.0, 0.5), kv3(0.25, 0.0, 0.0));
    const int body  = mechanism_body(m, crank, kv3(0.5, 0.0, 0.0), 5.0, kv3(0.3, 0.4, 0.5));
    (void)mechanism_close(m, "ball", KANE_CONSTRAINT_SPHERICAL, crank, kv3(0.5, 0.0, 0.0), body, kv3(-0.2, 0.1, 0.3));
    mechanism_create(m, form);
    mechanism_start(m, 7, q, v);
}

// A disc of radius .4 about its y that rolls on the plane z = 0.
static inline void sample_disc(mechanism *m, kane_constraint_form form)
{
    static const double q[6] = {0.0, 0.0, 0.39, 0.3, 0.2, 0.0}, v[6] = {0.0, 0.0, 0.0, 0.1, 0.3, 5.0};
    mechanism_begin(m);
    const int disc             = mechanism_body(m, -1, kv3_zero(), 3.0, kv3(0.13, 0.25, 0.13));
    kane_constraint_row_set *c = mechanism_close(m, "disc", KANE_CONSTRAINT_ROLLING, -1, kv3_zero(), disc, kv3_zero());
    c->radius                  = 0.4;
    c->side[1].axes            = (kane_mat3){{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}; // z along the body's y
    mechanism_create(m, form);
    mechanism_start(m, 6, q, v);
}

// A sledge on an inclined plane with a knife edge behind its mass centre.
static inline void sample_knife(mechanism *m, kane_constraint_form form)
{
    static const double q[3] = {0.0, 0.0, 0.5}, v[3] = {1.0, 0.4, 2.0};
    mechanism_begin(m);
    kane_link *l   = sample_add(&m->s, -1, kv3_zero(), 2.0, kv3(0.1, 0.1, 0.2), kv3(0.1, 0.02, 0.0));
    l->kind        = KANE_LINK_STEPS;
    l->slide_count = 2;
    l->turned      = 1;
    l->seat_R      = km3_turn_y(km3_identity(), sin(0.3), cos(0.3));
    sample_step(l, 0);
    sample_step(l, 1);
    sample_step(l, 2);
    sample_end(&m->s, l, 3, 3);
    (void)mechanism_close(m, "knife", KANE_CONSTRAINT_KNIFE, -1, kv3_zero(), 0, kv3(-0.2, 0.0, 0.0));
    mechanism_create(m, form);
    mechanism_start(m, 3, q, v);
}

// N four-bars in a row: N + 1 rockers of 1 m and 1 kg upright, coupled at their tips; all links are in line where the
// rockers lie flat. The first tip moves at 1 m/s, weight acts along -z; x-z plane (IFToMM A02). order: of the
// constraints, as if a file listed them so; NULL: from the first loop to the last one.
static inline void sample_rockers_in_order(mechanism *m, kane_constraint_form form, int N, const int *order)
{
    const kane_vec3 J                = kv3(0.0, 1.0 / 12.0, 1.0 / 12.0);
    static const char *const names[] = {"first", "second", "third", "fourth"};
    int rocker[5], coupler[4] = {0};
    mechanism_begin(m);
    for (int i = 0; i <= N; i++) {
        rocker[i] = mechanism_hinge(m, -1, kv3(i, 0.0, 0.0), 1, 1.0, J, kv3(0.5, 0.0, 0.0));
        if (i < N)
            coupler[i] = mechanism_hinge(m, rocker[i], kv3(1.0, 0.0, 0.0), 1, 1.0, J, kv3(0.5, 0.0, 0.0));
    }
    for (int k = 0; k < N; k++) {
        const int i = order ? order[k] : k;
        (void)mechanism_close(m, names[i], KANE_CONSTRAINT_SPHERICAL, coupler[i], kv3(1.0, 0.0, 0.0), rocker[i + 1],
                              kv3(1.0, 0.0, 0.0));
    }
    mechanism_create(m, form);
    for (int i = 0; i <= N; i++) { // x along the rod: up is a turn by -90 degrees about y
        m->s.work.q[m->s.links[rocker[i]].q] = -1.5707963267948966;
        if (i < N)
            m->s.work.q[m->s.links[coupler[i]].q] = 1.5707963267948966;
    }
    m->held_q[0] = m->held_v[0] = 1;
    m->s.work.v[0]              = 1.0;
}

static inline void sample_rockers(mechanism *m, kane_constraint_form form, int N)
{
    sample_rockers_in_order(m, form, N, NULL);
}

// Bricard's mechanism: a closed path of six edges of a cube, one of them the frame; a hinge square to both edges at
// every corner. Rods of 1 m, 1 kg, .1 m square, weight along -y (IFToMM A04).
static inline void sample_bricard(mechanism *m, kane_constraint_form form)
{
    static const kane_vec3 along[5] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
    static const int axis[5]        = {1, 2, 0, 1, 2};
    int last                        = -1;
    mechanism_begin(m);
    for (int i = 0; i < 5; i++) {
        const kane_vec3 d = along[i], one = kv3(1.0, 1.0, 1.0);
        const kane_vec3 J = kv3_sub(kv3_scale(1.01 / 12.0, one), kv3_scale(1.01 / 12.0 - 0.01 / 6.0, kv3_mul(d, d)));
        last = mechanism_hinge(m, last, i == 0 ? kv3_zero() : along[i - 1], axis[i], 1.0, J, kv3_scale(0.5, d));
    }
    (void)mechanism_close(m, "corner", KANE_CONSTRAINT_REVOLUTE, last, along[4], -1, kv3(0.0, 0.0, 1.0));
    m->closure[0].side[0].axes = m->closure[0].side[1].axes =
        (kane_mat3){{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}}; // z along x
    mechanism_create(m, form);
    m->s.base.a = kv3(0.0, 9.81, 0.0);
}

#endif
