// SPDX-License-Identifier: MIT
// "link suspension": a pendulum that carries, with friction in its joints.

#include "unit/force/law_bench.h"

// 50 kN on links of 0.5 m across and 0.25 m along, 2 % and 4 % of friction.
static const kane_link_suspension links = {.stiffness                 = 5e6,
                                           .onset                     = 1e-4,
                                           .longitudinal_length       = 0.25,
                                           .lateral_length            = 0.5,
                                           .longitudinal_coefficient  = 0.04,
                                           .lateral_coefficient       = 0.02,
                                           .longitudinal_displacement = 1e-3,
                                           .lateral_displacement      = 2e-3,
                                           .stick_damping             = 100.0};

static void sideways(const void *data, double t, posture *p)
{
    p->v   = *(const kane_vec3 *)data;
    p->d   = kv3_scale(t, p->v);
    p->d.z = 0.0;
}

CHECK_TEST(it_is_a_pendulum_with_joints_that_stick)
{
    CHECK_FREED(bench) b = bench_create(&kane_law_link_suspension, &links, kv3_zero(), kv3(0, 0, 50e3));
    const posture z = {.d = {0, 0, -1e-3}}, rest = {0};
    assert_int_equal(b.count, 2);
    check_vec3(bench_eval(&b, &rest).force, kv3(0, 0, 50e3), 1e-6);
    check_vec3(bench_eval(&b, &z).force, kv3(0, 0, 55e3), 1e-6);
    // 1 mm across: 100 kN/m of the pendulum and 1 kN/2 mm of the joints
    const kane_vec3 v = {0, 0.01, 0};
    posture p         = bench_move(&b, sideways, &v, 0.0, 0.1, 1000, (posture){0});
    p.v               = kv3_zero();
    // at the same height the links are stretched by d^2/(2 l) = 1 um: 5 N
    check_vec3(bench_eval(&b, &p).force, kv3(0, -50005.0 / 500.0 - 500.0, 50005.0), 1e-6);
    // 20 mm: it slips; stretched by 0.4 mm to 52 kN
    p   = bench_move(&b, sideways, &v, 0.1, 2.0, 40000, p);
    p.v = kv3_zero();
    check_vec3(bench_eval(&b, &p).force, kv3(0, -52e3 * 0.04 - 0.02 * 52e3, 52e3), 1.0);
}

CHECK_TEST(both_ways_have_their_own_joints)
{
    bench b           = bench_create(&kane_law_link_suspension, &links, kv3_zero(), kv3(0, 0, 50e3));
    const kane_vec3 v = {-0.01, 0.01, 0};
    posture p         = bench_move(&b, sideways, &v, 0.0, 1.0, 20000, (posture){0});
    const double N    = 50e3 + 5e6 * 0.5 * (1e-4 / 0.25 + 1e-4 / 0.5);
    p.v               = kv3_zero();
    check_vec3(bench_eval(&b, &p).force, kv3(N * (0.04 + 0.04), -N * (0.02 + 0.02), N), 1.0);
    bench_check_all(&b, 1, 0.005, 0.1, 5e4, 1e3);
    bench_free(&b);
    kane_link_suspension smooth     = links;
    smooth.longitudinal_coefficient = 0.0;
    b                               = bench_create(&kane_law_link_suspension, &smooth, kv3_zero(), kv3(0, 0, -50e3));
    assert_int_equal(b.count, 1);
    const posture down = {.d = {0, 0, 1e-3}};
    check_vec3(bench_eval(&b, &down).force, kv3(0, 0, -55e3), 1e-6);
    bench_check_all(&b, 2, 0.005, 0.1, 5e4, 1e3);
    bench_free(&b);
}

// With the leaf spring in the links: loading takes 10 % more.
CHECK_TEST(the_spring_in_the_links_rubs)
{
    const double at[] = {0.0, 0.02, 0.03}, force[] = {0.0, 40e3, 70e3};
    kane_link_suspension sprung = links;
    sprung.vertical_coefficient = 0.1;
    bench_expect_error(&kane_law_link_suspension, &sprung, 25e3, "\"stick_displacement\" must be positive");
    sprung.vertical_displacement = 1e-3;
    sprung.characteristic        = (kane_characteristic){.at = {at, 3}, .force = {force, 3}};
    CHECK_FREED(bench) b         = bench_create(&kane_law_link_suspension, &sprung, kv3_zero(), kv3(0, 0, 25e3));
    posture p                    = {0};
    assert_int_equal(b.count, 3);
    for (int i = 1; i <= 10000; i++) { // down by 12.5 mm: 55 kN half-way
        double rates[KANE_LAW_STATES];
        p.d.z = -12.5e-7 * i;
        p.v.z = -1.0;
        bench_rates(&b, &p, rates);
        p.state[2] += 12.5e-7 * rates[2];
    }
    p.v = kv3_zero();
    check_near(bench_eval(&b, &p).force.z, 1.1 * 55e3, 25.0);
    bench_check_all(&b, 3, 0.01, 0.1, 5e4, 1e3);
}

CHECK_TEST(what_makes_no_sense_is_refused)
{
    kane_link_suspension bad = links;
    bad.block.name           = "shackle";
    bench_expect_error(
        &kane_law_link_suspension, &bad, 0.0,
        "'shackle' has no friction at rest: how stiff it sticks needs \"nominal_load\", and a coefficient");
    bad.lateral_length = 0.0;
    bench_expect_error(&kane_law_link_suspension, &bad, 0.0, "lengths of the pendulum must be positive");
}

CHECK_MAIN(NULL, NULL)
