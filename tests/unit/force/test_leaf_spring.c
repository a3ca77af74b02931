// SPDX-License-Identifier: MIT
// "leaf spring": branches of loading and unloading in proportion to the load, and no creep at rest.

#include "unit/force/law_bench.h"

// 1 MN/m under 100 kN: compressed by 100 mm and half the onset; 8 % of friction.
static const kane_leaf_spring spring = {.stiffness              = 1e6,
                                        .onset                  = 1e-3,
                                        .coefficient            = 0.08,
                                        .longitudinal_stiffness = 5e6,
                                        .lateral_stiffness      = 2e6,
                                        .longitudinal_damping   = 3e3,
                                        .lateral_damping        = 1e3,
                                        .friction               = {.stick_displacement = 0.5e-3, .stick_damping = 1e3}};

// Down by data[0] at 10 mm/s and back.
static void down_and_up(const void *data, double t, posture *p)
{
    const double reach = *(const double *)data, way = 0.01 * t;
    const int back = way > reach;
    p->d.z         = -(back ? 2.0 * reach - way : way);
    p->v.z         = back ? 0.01 : -0.01;
}

static double lift(const bench *b, posture p)
{
    p.v = kv3_zero();
    return bench_eval(b, &p).force.z;
}

CHECK_TEST(loading_takes_more_than_unloading)
{
    CHECK_FREED(bench) b = bench_create(&kane_law_leaf_spring, &spring, kv3_zero(), kv3(0, 0, 100e3));
    const double reach   = 0.02;
    posture p            = {0};
    check_near(lift(&b, p), 100e3, 1e-6);
    p = bench_move(&b, down_and_up, &reach, 0.0, 2.0, 20000, p);
    check_relative(lift(&b, p), 1.08 * 120e3, 1e-6);
    p = bench_move(&b, down_and_up, &reach, 2.0 + 1e-9, 3.0, 10000, p);
    check_relative(lift(&b, p), 0.92 * 110e3, 1e-6);
    p = bench_move(&b, down_and_up, &reach, 3.0, 5.0, 20000, p); // on, 10 mm above rest
    check_relative(lift(&b, p), 0.92 * 90e3, 1e-6);
}

// At other speeds the same way takes the same force: nothing here is viscous while it slips, and little while it
// sticks.
CHECK_TEST(the_rate_does_not_matter)
{
    kane_leaf_spring dry       = spring;
    dry.friction.stick_damping = 0.0;
    CHECK_FREED(bench) b       = bench_create(&kane_law_leaf_spring, &dry, kv3_zero(), kv3(0, 0, 100e3));
    posture slow = {0}, fast = {0};
    for (int i = 0; i < 4000; i++) {
        double k[2][KANE_LAW_STATES];
        const double way = (i / 1000 % 2 ? 1.0 : -1.0) * 2e-6;
        for (int n = 0; n < 2; n++) { // one step of Euler's, of the same way
            posture *p       = n == 0 ? &slow : &fast;
            const double run = n == 0 ? 1e-3 : 10.0;
            p->v.z           = way < 0.0 ? -run : run;
            bench_rates(&b, p, k[n]);
            p->state[0] += fabs(way) / run * k[n][0];
            p->d.z += way;
        }
        check_near(fast.state[0], slow.state[0], 1e-12);
    }
    check_near(bench_eval(&b, &fast).force.z, bench_eval(&b, &slow).force.z, 1e-6);
}

CHECK_TEST(other_directions_are_linear)
{
    bench b   = bench_create(&kane_law_leaf_spring, &spring, kv3_zero(), kv3(0, 0, 100e3));
    posture p = {.d = {0.001, -0.002, 0}, .v = {0.1, 0.2, 0}};
    check_vec3(bench_eval(&b, &p).force, kv3(-5300, 3800, 100e3), 1e-6);
    check_vec3(kane_law_leaf_spring.preload_axes(b.data), kv3(0, 0, 1), 0.0);
    p = (posture){.d = {0, 0, 0.2}}; // it cannot pull
    check_near(bench_eval(&b, &p).force.z, 0.0, 0.0);
    bench_check_all(&b, 1, 0.02, 0.1, 1e5, 1e3);
    bench_free(&b);
    b = bench_create(&kane_law_leaf_spring, &spring, kv3_zero(), kv3(0, 0, -100e3)); // listed the other way round
    p = (posture){.d = {0, 0, 0.01}};
    check_near(bench_eval(&b, &p).force.z, -110e3, 1e-6);
    bench_check_all(&b, 2, 0.02, 0.1, 1e5, 1e3);
    bench_free(&b);
}

// Two stages: 1 MN/m up to 60 kN, 3 MN/m beyond.
CHECK_TEST(a_second_stage_comes_in)
{
    const double at[] = {0.0, 0.06, 0.16}, force[] = {0.0, 60e3, 360e3};
    kane_leaf_spring staged = spring;
    staged.characteristic   = (kane_characteristic){.at = {at, 3}, .force = {force, 3}};
    bench b                 = bench_create(&kane_law_leaf_spring, &staged, kv3_zero(), kv3(0, 0, 90e3));
    const posture p = {.d = {0, 0, -0.01}}, up = {.d = {0, 0, 0.02}};
    check_near(bench_eval(&b, &p).force.z, 120e3, 1e-3);
    check_near(bench_eval(&b, &up).force.z, 50e3, 1e-3);
    bench_check_all(&b, 3, 0.009, 0.1, 1e5, 1e3);
    bench_free(&b);
    bench_expect_error(&kane_law_leaf_spring, &staged, 0.0,
                       "'' has no friction at rest: how stiff it sticks needs \"nominal_load\", and a coefficient");
}

// 10 t on the spring, the ground shaken by a tenth of a millimetre for an hour: it stays where it stuck, below the
// middle.
CHECK_TEST(it_does_not_creep_for_an_hour)
{
    const double weight = 100e3, mass = weight / 9.81, h = 2e-3, pi = 3.14159265358979324;
    CHECK_FREED(bench) b = bench_create(&kane_law_leaf_spring, &spring, kv3_zero(), kv3(0, 0, weight));
    // the spring has 300 N too much, which its leaves hold back
    posture p = {.d = {0, 0, -0.3e-3}, .state = {300.0 / 8000.0}};
    double z = p.d.z, speed = 4e-4 * pi, mean[2] = {0.0, 0.0};
    for (long i = 0; i < 1800000; i++) {
        double rates[KANE_LAW_STATES];
        const double at = 4.0 * pi * h * ((double)i + 0.5), rise = 4e-4 * pi * cos(at);
        z += 0.5 * h * speed;
        p.d.z = z - 1e-4 * sin(at);
        p.v.z = speed - rise;
        bench_rates(&b, &p, rates);
        p.state[0] += 0.5 * h * rates[0];
        speed += h * (bench_eval(&b, &p).force.z / mass - 9.81);
        p.v.z = speed - rise;
        bench_rates(&b, &p, rates);
        p.state[0] += 0.5 * h * rates[0];
        z += 0.5 * h * speed;
        if (i >= 100000 && i < 200000)
            mean[0] += p.d.z / 100000.0;
        if (i >= 1700000)
            mean[1] += p.d.z / 100000.0;
    }
    check_near(mean[0], -0.3e-3, 1e-7);
    check_near(mean[1], mean[0], 1e-9);
}

CHECK_MAIN(NULL, NULL)
