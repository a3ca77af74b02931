// SPDX-License-Identifier: MIT
// Rods, which are bodies that have been removed: the same as with the bodies themselves. (Frames, forms, Jacobian,
// energy, reactions and borders of rods are among all other constraints': constrained.h.)

#include "property/mechanism/removed_rods.h"
#include "math/statistics.h"
#include "simulate/simulation.h"

static void compare_bodies(mechanism *a, mechanism *b, double speeds, double accelerations)
{
    for (int j = 0; j < 2; j++) {
        kane_vec3 v[2], w[2], c[2], e[2];
        kane_get_absolute(a->model, a->work, j, &v[0], &w[0], &c[0], &e[0]);
        kane_get_absolute(b->model, b->work, j, &v[1], &w[1], &c[1], &e[1]);
        check_near(kv3_norm(kv3_sub(v[0], v[1])), 0.0, speeds);
        check_near(kv3_norm(kv3_sub(w[0], w[1])), 0.0, speeds);
        check_near(kv3_norm(kv3_sub(c[0], c[1])), 0.0, accelerations);
        check_near(kv3_norm(kv3_sub(e[0], e[1])), 0.0, accelerations);
    }
}

CHECK_TEST(rods_are_bodies)
{
    for (int form = 0; form < 2; form++) {
        CHECK_END(mechanism_close_all) mechanism bodies = {0}, removed = {0};
        rods_build(&bodies, 1);
        rods_build(&removed, 0);
        mechanism_open(&bodies, (kane_constraint_form)form);
        mechanism_open(&removed, (kane_constraint_form)form);
        compare_bodies(&bodies, &removed, 1e-12, 1e-10);
    }
}

// --- at random ---

// Bodies in a chain of joints and a free one, with so many rods between any two of them or the ground, all of random
// numbers.
enum { CHAIN = 3, RODS_MOST = 4 };

static double between(kane_random *g, double least, double greatest)
{
    return least + (greatest - least) * kane_random_even(g);
}

static kane_vec3 random_vec3(kane_random *g, double size)
{
    return kv3(between(g, -size, size), between(g, -size, size), between(g, -size, size));
}

static int build_at_random(mechanism *m, uint64_t seed, int as_bodies)
{
    static const char *const bodies[CHAIN + 1] = {"a", "b", "c", "d"};
    static const char *const own[RODS_MOST]    = {"r0", "r1", "r2", "r3"};
    static const kane_joint_kind joints[CHAIN] = {KANE_JOINT_UNIVERSAL, KANE_JOINT_CYLINDRICAL, KANE_JOINT_SPHERICAL};
    kane_random g                              = kane_random_start(seed, 0);
    mechanism_begin(m, 9.81);
    for (int i = 0; i <= CHAIN; i++) {
        const kane_vec3 at = kv3(0.9 * i, between(&g, -0.2, 0.2), between(&g, -0.2, 0.2));
        const double size  = between(&g, 2.0, 6.0);
        const int body     = mechanism_add(m, bodies[i], size, kv3(0.3 * size, 0.35 * size, 0.4 * size), at);
        const kane_vec3 to = random_vec3(&g, 1.0);
        if (i < CHAIN)
            (void)mechanism_hang(m, body, joints[i], i > 0 ? bodies[i - 1] : NULL, kv3_sub(at, kv3(0.4, 0.0, 0.1)),
                                 axes_along(kv3_add(to, kv3(0.0, 0.0, 1.5))));
        for (int k = 0; k < 2; k++)
            m->starts[i].rate[k] = between(&g, -0.4, 0.4);
    }
    const int count = 1 + (int)(seed % RODS_MOST);
    for (int i = 0; i < count; i++) {
        const int to = 1 + i % CHAIN, from = i == 2 ? -1 : to - 1; // the third one to the ground
        const kane_vec3 center = m->bodies[to].position;
        const rod_numbers r    = {
               from < 0 ? NULL : bodies[from],
            bodies[to],
            kv3_add(from < 0 ? kv3(0.9 * to, 0.0, 2.0) : m->bodies[from].position, random_vec3(&g, 0.3)),
            kv3_add(center, random_vec3(&g, 0.3)),
            between(&g, 0.5, 4.0),
            between(&g, 0.2, 0.8),
            between(&g, 0.05, 0.12)};
        (as_bodies ? rods_add_as_body : rods_add_as_rod)(m, own[i], &r);
    }
    return count;
}

// The start of the bodies, with the speeds that constraints leave, is that of the rods: one takes it over from the
// other.
static void take_motion(const mechanism *from, mechanism *to)
{
    for (int j = 0; j <= CHAIN; j++) {
        double q[KANE_JOINT_COORDINATES], rate[KANE_JOINT_COORDINATES];
        if (to->model->bodies[j].is_free_body) // nothing holds it: it starts as it was told
            continue;
        (void)kane_get_joint(from->model, from->work, j, q, rate, NULL);
        assert_int_equal(kane_put_joint(to->model, to->work, j, q, rate), KANE_OK);
    }
    kane_put_joints_end(to->model, to->work, to->y);
    mechanism_eval(to, 0.0);
}

CHECK_TEST(random_rods_are_bodies)
{
    for (uint64_t seed = 1; seed <= 24; seed++)
        for (int form = 0; form < 2; form++) {
            CHECK_END(mechanism_close_all) mechanism bodies = {0}, removed = {0};
            (void)build_at_random(&bodies, seed, 1);
            (void)build_at_random(&removed, seed, 0);
            mechanism_open(&bodies, (kane_constraint_form)form);
            mechanism_open(&removed, (kane_constraint_form)form);
            take_motion(&bodies, &removed);
            for (int j = 0; j <= CHAIN; j++) {
                kane_vec3 v[2], w[2], a[2], e[2];
                kane_get_absolute(bodies.model, bodies.work, j, &v[0], &w[0], &a[0], &e[0]);
                kane_get_absolute(removed.model, removed.work, j, &v[1], &w[1], &a[1], &e[1]);
                check_vec3(v[1], v[0], 1e-12);
                check_vec3(w[1], w[0], 1e-12);
                check_vec3(a[1], a[0], 1e-10 * (1.0 + kv3_norm(a[0])));
                check_vec3(e[1], e[0], 1e-10 * (1.0 + kv3_norm(e[0])));
            }
        }
}

// Ten seconds without anything that takes energy.
CHECK_TEST(rods_keep_their_energy)
{
    const kane_settings settings               = mechanism_settings(1e-13);
    CHECK_END(mechanism_close_all) mechanism m = {0};
    kane_energy begin, end;
    rods_build(&m, 0);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    kane_get_energy(m.model, m.work, &begin);
    mechanism_run(&m, &settings);
    for (int n = 1; n <= 10; n++) {
        const kane_work *work = mechanism_go(&m, n);
        assert_int_equal(kane_simulation_evaluate(m.simulation, KANE_KNOWS_ALL), KANE_OK);
        kane_get_energy(m.model, work, &end);
        check_near(end.kinetic + end.gravity, begin.kinetic + begin.gravity,
                   1e-9 * (fabs(begin.kinetic) + fabs(begin.gravity)));
    }
}

// Half a second of both, by an integrator that holds 1e-12.
CHECK_TEST(rods_move_as_bodies_do)
{
    const kane_settings settings                    = mechanism_settings(1e-12);
    CHECK_END(mechanism_close_all) mechanism bodies = {0}, removed = {0};
    double force[2], lambda[6];
    rods_build(&bodies, 1);
    rods_build(&removed, 0);
    mechanism_open(&bodies, KANE_FORM_COEFFICIENTS);
    mechanism_open(&removed, KANE_FORM_COEFFICIENTS);
    kane_energy begin, end;
    kane_get_energy(removed.model, removed.work, &begin);
    mechanism_run(&bodies, &settings);
    mechanism_run(&removed, &settings);
    const kane_work *a = mechanism_go(&bodies, 0.5), *b = mechanism_go(&removed, 0.5);
    for (int j = 0; j < 2; j++) {
        double q[2][KANE_COORDINATES], rate[2][KANE_COORDINATES];
        kane_get_relative(bodies.model, a, j, q[0], rate[0]);
        kane_get_relative(removed.model, b, j, q[1], rate[1]);
        for (int k = 0; k < KANE_COORDINATES; k++) {
            check_near(q[0][k], q[1][k], 1e-8);
            check_near(rate[0][k], rate[1][k], 1e-7);
        }
    }
    assert_int_equal(kane_simulation_evaluate(bodies.simulation, KANE_KNOWS_ALL), KANE_OK);
    assert_int_equal(kane_simulation_evaluate(removed.simulation, KANE_KNOWS_ALL), KANE_OK);
    kane_get_energy(removed.model, b, &end);
    check_near(end.kinetic + end.gravity, begin.kinetic + begin.gravity, 1e-8 * fabs(begin.kinetic + begin.gravity));

    // the spherical joint of the body holds it along the rod with what the rod says
    for (int i = 0; i < RODS; i++) {
        kane_get_rod_force(removed.model, b, i, force);
        assert_int_equal(kane_get_constraint(bodies.model, a, i, lambda), 3);
        const int rod            = kane_model_find_body(bodies.model, rod_names[i]);
        const kane_body_state *r = &a->body[rod];
        const kane_vec3 way      = kv3_sub(rod_list[i].on, rod_list[i].at),
                        along    = kv3_scale(1.0 / kv3_norm(way), km3_mulv(r->R_w, way));
        const kane_vec3 on_to    = km3_mulv(r->R_w, kv3(lambda[0], lambda[1], lambda[2]));
        check_near(force[1], kv3_dot(on_to, along), 1e-6 * fabs(force[1]));
        const kane_wrench joint = kane_get_joint_reaction(bodies.model, a, rod); // on the rod
        check_near(force[0], joint.force.z, 1e-6 * fabs(force[0]));
        assert_true(fabs(force[0] - force[1]) > 1.0);
    }
}

// --- in moving frames ---

// Imaginary terms of a rod are those of the body, one by one.
static void check_terms(const ride *body, const ride *removed)
{
    const int rod = kane_model_find_body(body->model, "rod");
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
            const kane_vec3 of_body =
                kane_get_imaginary(body->model, body->work, rod, (kane_wrench_kind)kind, (kane_imaginary_term)term);
            const kane_vec3 of_rod = kane_get_rod_imaginary(removed->model, removed->work, 0, (kane_wrench_kind)kind,
                                                            (kane_imaginary_term)term);
            check_vec3(of_rod, of_body, 1e-9 * (1.0 + kv3_norm(of_body)));
            if (kind == KANE_FORCE || term != KANE_TRANSLATION)
                assert_true(kv3_norm(of_body) > 1e-4);
        }
}

// Who omits one of them omits the same. (Of a torque about one axis alone the universal joint would take the part along
// the rod, which a rod does not have.)
CHECK_TEST(rods_have_the_imaginary_terms_of_bodies)
{
    static const char *const omissions[] = {NULL,
                                            "rod:force.translation.y",
                                            "rod:force.centrifugal.*",
                                            "rod:force.rotation.x",
                                            "rod:force.gyroscopic.*",
                                            "rod:torque.centrifugal.*",
                                            "rod:torque.rotation.*",
                                            "rod:torque.gyroscopic.*",
                                            "*:torque.*.*"};
    CHECK_OWNED(kane_track) *track       = model_track(1.0, KANE_SINE);
    static rig body, removed;
    double whole = 0.0;
    rods_build_ride(&body, 1);
    rods_build_ride(&removed, 0);
    for (size_t i = 0; i < sizeof omissions / sizeof *omissions; i++) {
        const ride_options o        = {.start = 40.0, .omit = omissions[i]};
        CHECK_END(ride_free) ride a = {0}, b = {0};
        ride_create(&a, &body, track, o);
        ride_create(&b, &removed, track, o);
        ride_go(&a, 0.2, 1e-3);
        b.t = a.t;
        ride_copy(&a, &b);
        ride_difference d = ride_compare_what(&b, &a, 0);
        ride_check_difference(d, 1e-12, 1e-11, 1e-9, omissions[i] ? omissions[i] : "complete");
        const double acceleration = b.ydot[b.model->bodies[2].u + 1]; // of the arm
        if (!omissions[i]) {
            whole = acceleration;
            check_terms(&a, &b);
        } else {
            assert_true(acceleration != whole);
        }
    }
}

CHECK_MAIN(NULL, NULL)
