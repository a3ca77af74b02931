// SPDX-License-Identifier: MIT
// Laws in place, in the vehicle of a twin: the same in all frames, and the Jacobian is the derivative.

#ifndef KANE_TESTS_IN_PLACE_H
#define KANE_TESTS_IN_PLACE_H

#include "property/agem/jacobian.h"

static inline void compare_in_place(const twin *a, const twin *b, double tolerance)
{
    const int states = a->model->state_count - a->model->u_end;
    for (int j = 0; j < a->model->body_count; j++) {
        kane_vec3 p[2], e[2];
        kane_get_absolute(a->model, a->work, j, NULL, NULL, &p[0], &e[0]);
        kane_get_absolute(b->model, b->work, j, NULL, NULL, &p[1], &e[1]);
        check_vec3(p[0], p[1], tolerance * (1.0 + kv3_norm(p[0])));
        check_vec3(e[0], e[1], tolerance * (1.0 + kv3_norm(e[0])));
    }
    assert_true(states > 5);
    assert_int_equal(b->model->state_count - b->model->u_end, states);
    for (int i = 0; i < states; i++)
        check_near(a->ydot[a->model->u_end + i], b->ydot[b->model->u_end + i], tolerance * 100.0);
}

// states: how large those of the laws are.
static inline void check_frames_in_place(const parts *p, double states)
{
    for (int driven = 0; driven < 2; driven++) {
        CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_BLOSS);
        twin of[3]; // moving, separate, fixed
        for (int i = 0; i < 3; i++) {
            create(&of[i], p, track, i == 2 ? KANE_FIXED : KANE_MOVING, i == 1, driven);
            of[i].states = states;
        }
        for (uint64_t seed = 1; seed < 20; seed++) {
            for (int i = 0; i < 3; i++)
                scatter(&of[i], seed, 0.04 * (double)seed);
            compare_in_place(&of[0], &of[1], 1e-10);
            compare_in_place(&of[0], &of[2], 1e-9);
        }
        for (int i = 0; i < 3; i++)
            destroy(&of[i]);
    }
}

static inline void check_jacobian_in_place(const parts *p, double states, double tolerance)
{
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_BLOSS);
    for (int variant = 0; variant < 6; variant++) {
        CHECK_END(destroy) twin t = {0};
        create(&t, p, track, variant % 3 == 2 ? KANE_FIXED : KANE_MOVING, variant % 3 == 1, variant / 3);
        t.states = states;
        for (uint64_t seed = 1; seed < 6; seed++) {
            scatter(&t, seed, 0.1 * (double)seed);
            check_jacobian(&t, 0.1 * (double)seed, tolerance);
        }
    }
}

#endif
