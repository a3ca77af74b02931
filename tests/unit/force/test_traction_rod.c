// SPDX-License-Identifier: MIT
// A rod in bushes: side by side, one behind the other, with free play; and a bar against roll.

#include "unit/force/law.h"

static bench make(const kane_traction_rod *in)
{
    return bench_create(&kane_law_traction_rod, in, kv3(-1.2, 0.0, 0.0), kv3_zero());
}

// Longer by this and at this speed: the rod points backwards.
static posture longer(double elongation, double rate, double state)
{
    return (posture){.d = kv3(-elongation, 0.0, 0.0), .v = kv3(-rate, 0.0, 0.0), .state = {state}};
}

static double tension(const bench *p, double elongation, double rate)
{
    const posture m = longer(elongation, rate, 0.0);
    return bench_eval(p, &m).force.x; // tension pulls b forward
}

CHECK_TEST(side_by_side_both_add)
{
    const kane_traction_rod in = {.stiffness = 5e6, .damping = 25e3, .onset = 1e-3};
    bench p                    = make(&in);
    assert_int_equal(p.count, 0);
    check_near(tension(&p, 2e-3, 0.1), 10e3 + 2.5e3, 1e-6);
    check_near(tension(&p, -2e-3, 0.1), -10e3 + 2.5e3, 1e-6);
    check_rest(&p, kv3_zero());
    check_derivatives(&p, 41, 0.05, 1);
    assert_true(check_loss(&p, 42, 0.05, 0.0, 0.1) > 1e3);
    bench_free(&p);
    const kane_traction_rod elastic = {.stiffness = 5e6, .onset = 1e-3};
    p                               = make(&elastic);
    check_below(fabs(check_loss(&p, 43, 0.05, 0.0, 0.1)), 0.1);
    bench_free(&p);
}

CHECK_TEST(one_behind_the_other_is_a_maxwell_element)
{
    const kane_traction_rod in = {.stiffness = 5e6, .damping = 25e3, .arrangement = KANE_ROD_SERIES, .onset = 1e-3};
    const kane_maxwell same    = {.stiffness = 5e6, .damping = 25e3};
    CHECK_FREED(bench) p = make(&in), q = bench_create(&kane_law_maxwell, &same, p.d0, kv3_zero());
    uint64_t seed = 44;
    assert_int_equal(p.count, 1);
    for (int k = 0; k < 20; k++) {
        const posture m = law_random(&p, &seed, 0.05, 0.01);
        double a[KANE_LAW_STATES], b[KANE_LAW_STATES];
        bench_rates(&p, &m, a);
        bench_rates(&q, &m, b);
        check_vec3(bench_eval(&p, &m).force, bench_eval(&q, &m).force, 0.0);
        check_near(a[0], b[0], 0.0);
        check_near(bench_energy(&p, &m), bench_energy(&q, &m), 0.0);
    }
    check_rest(&p, kv3_zero());
    check_derivatives(&p, 45, 0.05, 1);
}

// 3 mm each way, an onset of 1 mm.
static const kane_traction_rod loose = {.stiffness = 5e6, .damping = 25e3, .slack = 3e-3, .onset = 1e-3};

CHECK_TEST(free_play_is_free_and_then_holds)
{
    CHECK_FREED(bench) p = make(&loose);
    check_near(tension(&p, 2.99e-3, 5.0), 0.0, 0.0);
    check_near(tension(&p, -2.99e-3, 5.0), 0.0, 0.0);
    // 0.5 mm behind the play: k p^2/(2 s) = 625 N; damping at work: half of it, by the smooth step at 1/2
    check_near(tension(&p, 3.5e-3, 0.0), 625.0, 1e-6);
    check_near(tension(&p, 3.5e-3, 0.1), 625.0 + 1250.0, 1e-6);
    check_near(tension(&p, -3.5e-3, -0.1), -625.0 - 1250.0, 1e-6);
    // 2 mm behind it: k (p - s/2) = 7500 N and all of the damping
    check_near(tension(&p, 5e-3, 0.0), 7500.0, 1e-6);
    check_near(tension(&p, 5e-3, 0.1), 10e3, 1e-6);
    check_near(tension(&p, -5e-3, 0.0), -7500.0, 1e-6);
    // on the way out: S^2/(S + c |rate|), and never the other sign
    check_near(tension(&p, 5e-3, -0.1), 7500.0 * 7500.0 / 10e3, 1e-6);
    assert_true(tension(&p, 5e-3, -50.0) > 0.0 && tension(&p, -5e-3, 50.0) < 0.0);
    assert_true(tension(&p, 3e-3 + 1e-12, -50.0) >= 0.0);
    check_rest(&p, kv3_zero());
}

CHECK_TEST(free_play_has_no_kinks_and_gains_nothing)
{
    bench p = make(&loose);
    for (int side = -1; side <= 1; side += 2) {
        // where the play ends, the onset ends, and at the return
        const double places[][2] = {{3e-3, 0.2}, {3e-3, -0.2}, {4e-3, 0.2}, {4e-3, -0.2}, {3.5e-3, 0.0}, {5e-3, 0.0}};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            kane_law_derivative d[2] = {0};
            for (int k = 0; k < 2; k++) {
                const double step     = k ? 1e-10 : -1e-10;
                const posture m       = longer(side * places[i][0] + step, side * places[i][1] + step, 0.0);
                const kane_relative r = bench_relative(&p, &m);
                p.law->derive(p.data, &r, &d[k]);
            }
            check_near(d[0].force_d.x.x, d[1].force_d.x.x, 5e6 * 1e-5);
            check_near(d[0].force_v.x.x, d[1].force_v.x.x, 25e3 * 1e-5);
        }
    }
    uint64_t seed = 46;
    for (int k = 0; k < 100; k++) {
        posture m = longer(6e-3 * random_number(&seed), 0.3 * random_number(&seed), 0.0);
        m.v       = kv3_add(m.v, random_vector(&seed, 0.1));
        check_derivative_at(&p, &m, 1e-8, 1e-8, 2e-6);
        assert_true(bench_loss(&p, &m) > -0.1);
    }
    bench_free(&p);
    const kane_traction_rod wide = {.stiffness = 5e6, .damping = 25e3, .slack = 0.01, .onset = 0.03};
    p                            = make(&wide);
    check_derivatives(&p, 47, 0.05, 1);
    bench_free(&p);
    const kane_traction_rod elastic = {.stiffness = 5e6, .slack = 3e-3, .onset = 1e-3};
    p                               = make(&elastic);
    check_below(fabs(check_loss(&p, 48, 0.01, 0.0, 0.5)), 0.5);
    bench_free(&p);
}

CHECK_TEST(what_makes_no_sense_is_refused)
{
    kane_traction_rod in = {.stiffness = 5e6, .arrangement = KANE_ROD_SERIES, .onset = 1e-3};
    expect_error(&kane_law_traction_rod, &in, "needs \"damping\" of more than 0 behind the spring");
    in.damping = 25e3;
    in.slack   = 1e-3;
    expect_error(
        &kane_law_traction_rod, &in,
        "free play needs a place to count from, which a rod \"in series\" has not: leave \"slack\" out, or take "
        "\"arrangement\": \"parallel\"");
}

CHECK_TEST(an_anti_roll_bar_resists_roll_alone)
{
    const kane_anti_roll_bar in = {.stiffness = 940e3, .damping = 2e3};
    CHECK_FREED(bench) p        = bench_create(&kane_law_anti_roll_bar, &in, kv3(0.0, 0.0, 0.3), kv3_zero());
    const kane_wrench w         = at(&p, kv3(1, 2, 3), kv3(4, 5, 6), kv3(0.01, 0.02, 0.03), kv3(0.1, 0.2, 0.3));
    check_vec3(w.force, kv3_zero(), 0.0);
    check_vec3(w.torque, kv3(-9400.0 - 200.0, 0.0, 0.0), 1e-9);
    check_rest(&p, kv3_zero());
    check_derivatives(&p, 49, 0.1, 1);
    uint64_t seed = 50;
    for (int k = 0; k < 20; k++) {
        const posture m = law_random(&p, &seed, 0.1, 0.0);
        check_near(bench_loss(&p, &m), 2e3 * m.w.x * m.w.x, 0.1);
    }
}

CHECK_MAIN(NULL, NULL)
