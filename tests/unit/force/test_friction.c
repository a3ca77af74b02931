// SPDX-License-Identifier: MIT
// "friction": limits along axes and in planes, given or from the normal force.

#include "unit/force/law_bench.h"

static const kane_dry_friction stick = {.stick_displacement = 1e-3, .stick_damping = 200.0, .slip_speed = 1e-3};

// Away from rest at a constant velocity.
static void straight(const void *data, double t, posture *p)
{
    p->v = *(const kane_vec3 *)data;
    p->d = kv3_scale(t, p->v);
}

CHECK_TEST(one_axis_feels_nothing_of_the_others)
{
    const kane_friction in = {.directions = 1, .force = 2000.0, .friction = stick};
    const kane_vec3 v      = {0.3, -0.02, 0.5};
    CHECK_FREED(bench) b   = bench_create(&kane_law_friction, &in, kv3_zero(), kv3_zero());
    posture p              = bench_move(&b, straight, &v, 0.0, 1.0, 20000, (posture){0});
    assert_int_equal(b.count, 1);
    check_vec3(bench_eval(&b, &p).force, kv3(0, 2000, 0), 1e-3); // against the motion, the limit
    // back by half a millimetre at rest: half of the limit less, 2 MN/m
    const kane_vec3 back = {0.0, 0.02, 0.0};
    p                    = bench_move(&b, straight, &back, 0.0, 0.025, 1000, p);
    p.v                  = kv3_zero();
    // slipping it had u = 1, r = 1.1
    check_vec3(bench_eval(&b, &p).force, kv3(0, 2000.0 * (1.1 - 0.5), 0), 1e-3);
    bench_check_all(&b, 1, 0.01, 0.1, 2000.0, 1e3);
}

CHECK_TEST(the_plane_is_alike_in_all_directions)
{
    const kane_friction in = {.directions = 4, .force = 2000.0, .friction = stick};
    const kane_vec3 v      = {0.03, 7.0, -0.04};
    CHECK_FREED(bench) b   = bench_create(&kane_law_friction, &in, kv3_zero(), kv3_zero());
    const posture p        = bench_move(&b, straight, &v, 0.0, 1.0, 20000, (posture){0});
    assert_int_equal(b.count, 2);
    check_vec3(bench_eval(&b, &p).force, kv3(-1200, 0, 1600), 1e-3);
    bench_check_all(&b, 2, 0.01, 0.1, 2000.0, 1e3);
}

// b rests on a: 50 kN on 100 MN/m, of which 0.1 mm are the onset.
CHECK_TEST(the_normal_force_makes_the_limit)
{
    const kane_friction in = {
        .directions = 3, .coefficient = 0.3, .stiffness = 1e8, .onset = 1e-4, .dissipation = 0.5, .friction = stick};
    bench b   = bench_create(&kane_law_friction, &in, kv3_zero(), kv3(0, 0, 50e3));
    posture p = {0};
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, 50e3), 1e-6);
    check_vec3(kane_law_friction.preload_axes(b.data), kv3(0, 0, 1), 0.0);
    p.d = kv3(0, 0, -2e-4); // 20 kN more
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, 70e3), 1e-6);
    p.v = kv3(0, 0, -0.2); // 1 + 0.5 * 0.2
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, 77e3), 1e-6);
    p.v        = kv3_zero();
    p.state[0] = 5.0; // yields: 0.3 * 70 kN
    check_vec3(bench_eval(&b, &p).force, kv3(-21e3, 0, 70e3), 1e-6);
    p.d = kv3(0, 0, 1e-3); // lifted off
    check_vec3(bench_eval(&b, &p).force, kv3_zero(), 0.0);
    bench_check_all(&b, 3, 4e-4, 0.1, 50e3, 1e3);
    bench_free(&b);
    // the other way round: a rests on b
    b = bench_create(&kane_law_friction, &in, kv3_zero(), kv3(0, 0, -50e3));
    p = (posture){.d = kv3(0, 0, 2e-4)};
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, -70e3), 1e-6);
    bench_check_all(&b, 4, 4e-4, 0.1, 50e3, 1e3);
    bench_free(&b);
}

CHECK_TEST(the_smooth_model_has_no_memory)
{
    kane_friction in  = {.directions = 0, .force = 1000.0, .friction = stick};
    in.friction.model = KANE_FRICTION_SMOOTH;
    bench b           = bench_create(&kane_law_friction, &in, kv3_zero(), kv3_zero());
    posture p         = {.v = {1e-3, 0, 0}};
    assert_int_equal(b.count, 0);
    check_vec3(bench_eval(&b, &p).force, kv3(-1000.0 / sqrt(2.0), 0, 0), 1e-9);
    p.v.x = -1.0;
    check_vec3(bench_eval(&b, &p).force, kv3(1000.0, 0, 0), 1e-3);
    bench_check_all(&b, 5, 0.01, 0.1, 1000.0, 1e3);
    bench_free(&b);
    in.directions  = 5;
    in.force       = 0.0;
    in.coefficient = 0.2;
    in.stiffness   = 1e6;
    in.onset       = 1e-3;
    b              = bench_create(&kane_law_friction, &in, kv3_zero(), kv3(10e3, 0, 0));
    bench_check_all(&b, 6, 0.01, 0.1, 1000.0, 1e3);
    bench_free(&b);
}

// On an incline that is less steep than the friction an alternating load rocks the normal force as well: the block
// stays where it is for an hour.
CHECK_TEST(a_block_stays_on_an_incline_for_an_hour)
{
    const kane_friction in = {
        .directions = 0, .coefficient = 0.3, .normal = 3, .stiffness = 1e7, .onset = 1e-4, .friction = stick};
    CHECK_FREED(bench) b = bench_create(&kane_law_friction, &in, kv3_zero(), kv3(0, 0, 10e3));
    const double mass = 1000.0, h = 5e-3, pi = 3.14159265358979324, down = 2000.0;
    // where it rests: 2000 of the 3000 N of the limit; the normal force is prescribed, so that its place is
    posture p    = {.d = {2.0 / 3.0 * 1e-3, 0, 0}, .state = {2.0 / 3.0}};
    double first = 0.0, last = 0.0;
    for (long i = 0; i < 720000; i++) {
        double rates[KANE_LAW_STATES];
        const double t = h * (double)i, wave = sin(2.0 * pi * 0.5 * (t + 0.5 * h));
        p.d.x += 0.5 * h * p.v.x;
        p.d.z = -1e-4 * sin(2.0 * pi * 0.7 * t); // 10 kN up and down by 1 kN
        bench_rates(&b, &p, rates);
        p.state[0] += 0.5 * h * rates[0];
        p.v.x += h / mass * (down + 100.0 * wave + bench_eval(&b, &p).force.x);
        bench_rates(&b, &p, rates);
        p.state[0] += 0.5 * h * rates[0];
        p.d.x += 0.5 * h * p.v.x;
        if (i >= 18000 && i < 20000)
            first += h * p.d.x / 10.0;
        if (i >= 718000)
            last += h * p.d.x / 10.0;
    }
    check_near(first, 2.0 / 3.0 * 1e-3, 1e-6);
    check_near(last, first, 1e-9);
}

CHECK_TEST(what_makes_no_sense_is_refused)
{
    kane_friction in = {.directions = 0, .friction = stick};
    bench_expect_error(&kane_law_friction, &in, 0.0, "needs either a \"force\" or a \"coefficient\"");
    in.force = in.coefficient = 1.0;
    bench_expect_error(&kane_law_friction, &in, 0.0, "needs either a \"force\" or a \"coefficient\"");
    in.force = 0.0;
    bench_expect_error(&kane_law_friction, &in, 0.0,
                       "a coefficient needs \"normal\", the axis along which the bodies press");
    in.normal = 1;
    bench_expect_error(&kane_law_friction, &in, 0.0, "the bodies cannot press along an axis in which they rub");
    in.normal     = 3;
    in.block.name = "wedge";
    bench_expect_error(&kane_law_friction, &in, 0.0,
                       "'wedge' needs a stiffness and an onset that are positive, or a characteristic");
    in.stiffness = 1e6;
    in.onset     = 1e-3;
    bench_expect_error(
        &kane_law_friction, &in, 0.0,
        "'wedge' has no friction at rest: how stiff it sticks needs \"nominal_load\", and a coefficient");
    in.friction.stick_displacement = 0.0;
    bench_expect_error(&kane_law_friction, &in, 0.0, "\"stick_displacement\" must be positive");
}

CHECK_MAIN(NULL, NULL)
