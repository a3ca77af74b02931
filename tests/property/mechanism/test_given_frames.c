// SPDX-License-Identifier: MIT
// A mechanism described in a frame that tumbles moves in the world as the same mechanism described at rest.

#include "property/mechanism/ride.h"

// R = Rz(a) Ry(b) Rx(c) with a, b, c and the origin sines and polynomials of time; rates by the axes of the turns.
static void tumble(const void *data, double t, kane_transport *T)
{
    const double n = *(const double *)data;
    const double a = 0.3 + 0.4 * t + 0.3 * sin(n * t), a1 = 0.4 + 0.3 * n * cos(n * t), a2 = -0.3 * n * n * sin(n * t);
    const double b = 0.5 * sin(0.9 * t), b1 = 0.45 * cos(0.9 * t), b2 = -0.405 * sin(0.9 * t);
    const double c = 0.2 + 0.1 * t * t, c1 = 0.2 * t, c2 = 0.2;
    const kane_mat3 Rx = km3_turn_x(km3_identity(), sin(c), cos(c));
    const kane_mat3 Ry = km3_turn_y(km3_identity(), sin(b), cos(b));
    const kane_mat3 Rz = km3_turn_z(km3_identity(), sin(a), cos(a));
    T->R               = km3_mul(Rz, km3_mul(Ry, Rx));

    // the axes of the earlier turns move against the frame with the later ones
    const kane_vec3 y = km3_tmulv(Rx, kv3(0, 1, 0)), z = km3_tmulv(km3_mul(Ry, Rx), kv3(0, 0, 1));
    const kane_vec3 wx = kv3(c1, 0, 0), wy = kv3_scale(b1, y), wz = kv3_scale(a1, z);
    T->omega   = kv3_add(wx, kv3_add(wy, wz));
    T->epsilon = kv3_add(kv3(c2, 0, 0), kv3_add(kv3_scale(b2, y), kv3_scale(a2, z)));
    T->epsilon = kv3_sub(T->epsilon, kv3_add(kv3_cross(wx, wy), kv3_cross(kv3_add(wx, wy), wz)));

    T->r_o = kv3(sin(t), 0.3 * t * t, cos(2.0 * t));
    T->v_o = km3_tmulv(T->R, kv3(cos(t), 0.6 * t, -2.0 * sin(2.0 * t)));
    T->a_o = km3_tmulv(T->R, kv3(-sin(t), 0.6, -4.0 * cos(2.0 * t)));
}

// A hub that is free, an arm and a tail on it, a rod back to the hub, a disc that spins on the tail, and a mass on the
// hub by six freedoms that a spring holds.
static void build(rig *r, int in_frame)
{
    static const double n = 1.7;
    rig_begin(r);
    const int hub = rig_body(r, "hub", 60.0, kv3(0.2, 0.1, 0.3));
    const int arm =
        rig_link(r, "arm", 12.0, kv3(0.9, 0.1, 0.2), "hub", KANE_JOINT_UNIVERSAL, kv3(0.5, 0.2, 0.2), rig_turned());
    const int tail =
        rig_link(r, "tail", 8.0, kv3(1.4, 0.4, 0.1), "arm", KANE_JOINT_SPHERICAL, kv3(1.2, 0.2, 0.2), km3_identity());
    const int disc =
        rig_link(r, "disc", 5.0, kv3(1.6, 0.5, 0.2), "tail", KANE_JOINT_REVOLUTE, kv3(1.6, 0.5, 0.2), rig_turned());
    const int mass =
        rig_link(r, "mass", 9.0, kv3(-0.4, 0.2, 0.9), "hub", KANE_JOINT_FREE, kv3(-0.3, 0.1, 0.8), km3_identity());
    rig_start(r, hub, 1, 0.1, 0.7);
    rig_start(r, hub, 3, 0.4, 0.6);
    rig_start(r, hub, 5, -0.3, -0.9);
    rig_start(r, arm, 0, 0.2, 1.1);
    rig_start(r, tail, 0, 0.9, 0.8);
    rig_start(r, tail, 2, 0.2, -0.7);
    rig_start(r, disc, 0, 0.3, 12.0);
    rig_start(r, mass, 4, 0.1, 0.4);
    rig_bushing(r, "spring", "hub", "mass", kv3(-0.3, 0.1, 0.8), 4e3, 3e2, 0.0);
    kane_constraint_definition *rod =
        rig_close(r, "rod", KANE_CONSTRAINT_DISTANCE, "hub", "tail", kv3(0.3, 0.7, 0.4), km3_identity());
    rod->at[1].at = kv3(1.5, 0.5, 0.0);
    if (in_frame) {
        r->frame                     = (kane_given_frame){.block = {"tumbling", NULL}, .motion = tumble, .data = &n};
        r->vehicle.given_frame_count = 1;
        r->bodies[hub].frame         = "tumbling";
    }
}

// The hub as it moves in the world, in terms of the frame of the other ride; joints as they are.
static void copy_world(const ride *from, ride *to)
{
    const kane_transport *T          = &to->work->transport[to->model->bodies[0].frame];
    const kane_body_state *b         = &from->work->body[0];
    const kane_vec3 r                = km3_tmulv(T->R, kv3_sub(b->r_w, T->r_o));
    const kane_vec3 v                = kv3_sub(kv3_sub(km3_tmulv(T->R, b->v_w), T->v_o), kv3_cross(T->omega, r));
    const kane_vec3 w                = kv3_sub(km3_tmulv(T->R, b->w_w), T->omega);
    double q[KANE_JOINT_COORDINATES] = {r.x, r.y, r.z}, rate[KANE_JOINT_COORDINATES];
    kane_angles_from_matrix(km3_tmul(T->R, b->R_w), q + 3);
    kane_rates_from_velocity(q, v, w, rate);
    kane_put_joint(to->model, to->work, 0, q, rate);
    for (int j = 1; j < kane_model_body_count(to->model); j++) {
        (void)kane_get_joint(from->model, from->work, j, q, rate, NULL);
        kane_put_joint(to->model, to->work, j, q, rate);
    }
    kane_put_joints_end(to->model, to->work, to->y);
    ride_see(to);
}

static void check_world(const ride *a, const ride *b, double place, double speed)
{
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        const kane_body_state *one = &a->work->body[j], *other = &b->work->body[j];
        check_vec3(other->r_w, one->r_w, place);
        check_vec3(other->R_w.x, one->R_w.x, place);
        check_vec3(other->R_w.y, one->R_w.y, place);
        check_vec3(other->v_w, one->v_w, speed);
        check_vec3(other->w_w, one->w_w, speed);
    }
}

CHECK_TEST(a_tumbling_frame_changes_nothing_in_the_world)
{
    static rig rest, moving;
    build(&rest, 0);
    build(&moving, 1);
    for (int form = 0; form < 2; form++) {
        const kane_constraint_form f = (kane_constraint_form)form;
        ride at_rest, rides[3];
        ride_create(&at_rest, &rest, NULL, (ride_options){.form = f});
        ride_create(&rides[0], &moving, NULL, (ride_options){.form = f});
        ride_create(&rides[1], &moving, NULL, (ride_options){.form = f, .imaginary_as_forces = 1});
        ride_create(&rides[2], &moving, NULL, (ride_options){.form = f, .formulation = KANE_FIXED});
        for (int i = 0; i < 3; i++) {
            copy_world(&at_rest, &rides[i]);
            check_world(&at_rest, &rides[i], 1e-13, 1e-12);
        }
        ride_go(&at_rest, 1.5, 5e-4);
        for (int i = 0; i < 3; i++) {
            ride_go(&rides[i], 1.5, 5e-4);
            check_world(&at_rest, &rides[i], 1e-10, 1e-9);
            ride_free(&rides[i]);
        }
        ride_free(&at_rest);
    }
}

// Without gravity nothing acts from outside: momentum and its moment stay as they are.
CHECK_TEST(momentum_is_kept)
{
    static rig r;
    build(&r, 1);
    r.vehicle.gravity           = 0.0;
    CHECK_END(ride_free) ride a = {0};
    kane_vec3 sum[2][2];
    ride_create(&a, &r, NULL, (ride_options){.imaginary_as_forces = 1});
    for (int i = 0; i < 2; i++) {
        sum[i][0] = sum[i][1] = kv3_zero();
        for (int j = 0; j < kane_model_body_count(a.model); j++) {
            const kane_body *body    = &a.model->bodies[j];
            const kane_body_state *b = &a.work->body[j];
            const kane_mat3 P        = km3_mul(b->R_w, body->turned ? body->principal : km3_identity());
            const kane_vec3 p        = kv3_scale(body->mass, b->v_w);
            sum[i][0]                = kv3_add(sum[i][0], p);
            sum[i][1] =
                kv3_add(sum[i][1], kv3_add(kv3_cross(b->r_w, p), km3_mulv(P, kv3_mul(body->J, km3_tmulv(P, b->w_w)))));
        }
        if (i == 0)
            ride_go(&a, 1.5, 5e-4);
    }
    check_vec3(sum[1][0], sum[0][0], 1e-8);
    check_vec3(sum[1][1], sum[0][1], 1e-8);
}

CHECK_MAIN(NULL, NULL)
