// SPDX-License-Identifier: MIT
// One vehicle on one track has the same accelerations whatever frames it is described in.

#include "property/agem/twin.h"

#include "grounded.h"

static void compare(const twin *a, const twin *b, double tolerance)
{
    for (int j = 0; j < a->model->body_count; j++) {
        kane_vec3 v[2], w[2], p[2], e[2];
        double q[2][6], r[2][6];
        kane_get_absolute(a->model, a->work, j, &v[0], &w[0], &p[0], &e[0]);
        kane_get_absolute(b->model, b->work, j, &v[1], &w[1], &p[1], &e[1]);
        kane_get_relative(a->model, a->work, j, q[0], r[0]);
        kane_get_relative(b->model, b->work, j, q[1], r[1]);
        check_vec3(v[0], v[1], 1e-12);
        check_vec3(w[0], w[1], 1e-12);
        check_vec3(p[0], p[1], tolerance);
        check_vec3(e[0], e[1], tolerance);
        for (int i = 0; i < 6; i++) {
            check_near(q[0][i], q[1][i], 1e-12);
            check_near(r[0][i], r[1][i], 1e-11);
        }
    }
    for (int i = 0; i < a->model->state_count - a->model->u_end; i++)
        check_near(a->ydot[a->model->u_end + i], b->ydot[b->model->u_end + i], 1e-11);
}

// Newton and Euler for the free body: what applied forces leave over is the reaction of removed freedoms, and that does
// no work on those that are left.
static void check_reactions(twin *t)
{
    kane_observe(t->model, t->work);
    for (int j = 0; j < t->model->body_count; j++) {
        const kane_body *body    = &t->model->bodies[j];
        const kane_body_state *b = &t->work->body[j];
        const kane_mat3 R        = t->work->transport[body->frame].R;
        const kane_mat3 P        = km3_mul(R, km3_mul(b->R, body->turned ? body->principal : km3_identity()));
        kane_vec3 omega, p, alpha;
        kane_get_absolute(t->model, t->work, j, NULL, &omega, &p, &alpha);
        const kane_mat3 track  = t->work->transport[body->track_frame].R;
        const kane_vec3 w      = km3_mulv(track, omega);
        const kane_vec3 Jw     = km3_mulv(P, kv3_mul(body->J, km3_tmulv(P, w)));
        const kane_vec3 Ja     = km3_mulv(P, kv3_mul(body->J, km3_tmulv(P, km3_mulv(track, alpha))));
        const kane_vec3 weight = kv3_scale(body->mass, t->work->gravity); // comes in by the frames' acceleration
        const kane_vec3 force  = kv3_sub(kv3_scale(body->mass, km3_mulv(track, p)), kv3_add(b->applied.force, weight));
        const kane_vec3 torque = kv3_sub(kv3_add(Ja, kv3_cross(w, Jw)), b->applied.torque);
        const double size      = 1e-9 * (1.0 + kv3_norm(b->applied.force) + kv3_norm(b->applied.torque));
        check_vec3(km3_mulv(R, b->reaction.force), force, size);
        check_vec3(km3_mulv(R, b->reaction.torque), torque, size);
        for (int i = 0; i < 3; i++) {
            if ((body->dof >> i) & 1)
                check_near(kv3_get(b->reaction.force, i), 0.0, size);
            if ((body->dof >> (3 + i)) & 1)
                check_near(kv3_dot(b->turn[i], b->reaction.torque), 0.0, size);
        }
    }
}

static void same_accelerations(parts p, int driven)
{
    for (int shape = KANE_CLOTHOID; shape <= KANE_WIENER; shape++) {
        CHECK_OWNED(kane_track) *track = model_track(shape % 2 ? 1.0 : -1.0, (kane_transition_shape)shape);
        CHECK_END(destroy) twin moving = {0}, imaginary_as_forces = {0}, fixed = {0};
        create(&moving, &p, track, KANE_MOVING, 0, driven);
        create(&imaginary_as_forces, &p, track, KANE_MOVING, 1, driven);
        create(&fixed, &p, track, KANE_FIXED, 0, driven);
        for (uint64_t seed = 1; seed < 20; seed++) {
            const double time = 0.04 * (double)seed;
            scatter(&moving, seed, time);
            scatter(&imaginary_as_forces, seed, time);
            scatter(&fixed, seed, time);
            compare(&moving, &imaginary_as_forces, 1e-11);
            compare(&moving, &fixed, 1e-9);
            check_reactions(&moving);
            check_reactions(&imaginary_as_forces);
            check_reactions(&fixed);
        }
    }
}

CHECK_TEST(prescribed_motion_is_the_same_in_all_frames)
{
    parts p;
    build(&p);
    same_accelerations(p, 0);
}

CHECK_TEST(driven_motion_is_the_same_in_all_frames)
{
    parts p;
    build(&p);
    same_accelerations(p, 1);
}

// What a law sees of absolute motion is the same in all frames, too.
CHECK_TEST(absolute_motion_is_the_same_in_all_frames)
{
    static const int at[] = {0, 1, 2, 6};
    parts p;
    build(&p);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        p.elements[at[i]].law = &grounded_law;
    same_accelerations(p, 0);
    same_accelerations(p, 1);
}

// The order in which bodies and elements are listed means nothing.
CHECK_TEST(renumbering_changes_nothing)
{
    parts p, q;
    build(&p);
    build(&q);
    for (int i = 0; i < 6; i++)
        q.bodies[i] = p.bodies[5 - i];
    for (int i = 0; i < ELEMENTS; i++)
        q.elements[i] = p.elements[ELEMENTS - 1 - i];
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    CHECK_END(destroy) twin a = {0}, b = {0};
    create(&a, &p, track, KANE_MOVING, 0, 0);
    create(&b, &q, track, KANE_MOVING, 0, 0);
    scatter(&a, 3, 0.2);
    kane_work_locate(b.model, b.work, 0.2, b.y);
    kane_frames_eval(b.model, b.work, 0.2, b.y);
    for (int j = 0; j < 6; j++) {
        kane_relative_motion m;
        kane_relative_get(a.model, a.work, j, &m);
        kane_relative_put(b.model, b.work, 5 - j, &m, b.y);
    }
    for (int k = 0; k < REMEMBERED; k++) { // of two elements
        b.y[b.model->u_end + k]              = a.y[a.model->u_end + REMEMBERED + k];
        b.y[b.model->u_end + REMEMBERED + k] = a.y[a.model->u_end + k];
    }
    assert_int_equal(kane_eval(b.model, b.work, 0.2, b.y, b.ydot), KANE_OK);
    for (int j = 0; j < 6; j++) {
        check_vec3(a.work->body[j].a, b.work->body[5 - j].a, 1e-11);
        check_vec3(a.work->body[j].e, b.work->body[5 - j].e, 1e-11);
    }
}

CHECK_MAIN(NULL, NULL)
