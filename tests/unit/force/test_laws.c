// SPDX-License-Identifier: MIT
// Force laws: values worked by hand, derivatives against differences, energy against work.

#include "unit/force/law.h"

CHECK_TEST(a_spring_pulls_along_its_line)
{
    const kane_spring in = {.stiffness = 1e5, .damping = 2e3};
    CHECK_FREED(bench) p =
        bench_create(&kane_law_spring, &in, kv3(0.3, 0.0, 0.4), kv3(-60.0, 0.0, -80.0)); // tension 100
    check_vec3(pushed(&p, kv3_zero(), kv3_zero()).force, kv3(-60, 0, -80), 1e-9);
    // 0.5 m grow to 0.6 m: tension 100 + 1e5 * 0.1 along (0.6, 0, 0.8)
    check_vec3(pushed(&p, kv3(0.06, 0, 0.08), kv3_zero()).force, kv3(-0.6 * 10100, 0, -0.8 * 10100), 1e-6);
    // lengthening at 2 m/s: 4000 N more; sideways motion does nothing
    check_vec3(pushed(&p, kv3_zero(), kv3(1.2, 7.0, 1.6)).force, kv3(-0.6 * 4100, 0, -0.8 * 4100), 1e-6);
    check_derivatives(&p, 11, 0.1, 1);
}

CHECK_TEST(a_spring_with_a_free_length_knows_its_load)
{
    const kane_spring in = {.stiffness = 1e5, .free_length = 0.55};
    CHECK_FREED(bench) p = bench_create(&kane_law_spring, &in, kv3(0, 0, 0.5), kv3_zero());
    check_vec3(pushed(&p, kv3_zero(), kv3_zero()).force, kv3(0, 0, 5000.0), 1e-6); // compressed by 50 mm: pushes b away
    check_vec3(kane_law_spring.preload_axes(p.data), kv3_zero(), 0.0);
    check_derivatives(&p, 12, 0.1, 1);
}

CHECK_TEST(a_progressive_spring_rests_where_its_load_is)
{
    const double x[] = {-0.1, 0.0, 0.1, 0.2}, f[] = {-1000.0, 0.0, 1000.0, 4000.0};
    kane_spring in = {.characteristic = {.at = {x, 4}, .force = {f, 4}, .from = KANE_FROM_FREE}};
    // tension 2500 is found at an elongation of 0.15 m; 0.01 m more gives 2800
    bench p = bench_create(&kane_law_spring, &in, kv3(0, 0, 1.0), kv3(0, 0, -2500.0));
    check_vec3(pushed(&p, kv3_zero(), kv3_zero()).force, kv3(0, 0, -2500.0), 1e-6);
    check_vec3(pushed(&p, kv3(0, 0, 0.01), kv3_zero()).force, kv3(0, 0, -2800.0), 1e-6);
    check_vec3(pushed(&p, kv3(0, 0, -0.07), kv3_zero()).force, kv3(0, 0, -800.0), 1e-6);
    bench_free(&p);
    in.characteristic.interpolation = KANE_SPLINE;
    p                               = bench_create(&kane_law_spring, &in, kv3(0, 0, 1.0), kv3(0, 0, -2500.0));
    check_vec3(pushed(&p, kv3_zero(), kv3_zero()).force, kv3(0, 0, -2500.0), 1e-6);
    check_derivatives(&p, 13, 0.04, 1);
    bench_free(&p);
}

CHECK_TEST(a_damper_resists_the_rate_of_its_length)
{
    const double v[] = {-0.5, -0.1, 0.0, 0.1, 0.5}, f[] = {-1500.0, -1000.0, 0.0, 800.0, 1200.0};
    const kane_damper in = {.characteristic = {.at = {v, 5}, .force = {f, 5}}};
    bench p              = bench_create(&kane_law_damper, &in, kv3(0.0, 1.0, 0.0), kv3_zero());
    check_vec3(pushed(&p, kv3_zero(), kv3(0, 0.3, 0)).force, kv3(0, -1000, 0), 1e-9);
    check_vec3(pushed(&p, kv3_zero(), kv3(0, -0.3, 0)).force, kv3(0, 1250, 0), 1e-9);
    check_vec3(pushed(&p, kv3_zero(), kv3(0, 1.0, 0)).force, kv3(0, -1700, 0), 1e-9); // goes straight on
    bench_free(&p);
    const kane_damper linear = {.damping = 3e3};
    p                        = bench_create(&kane_law_damper, &linear, kv3(0.4, 1.0, -0.2), kv3_zero());
    check_derivatives(&p, 14, 0.1, 0);
    bench_free(&p);
}

CHECK_TEST(a_bushing_holds_in_six_directions)
{
    const kane_bushing in = {.stiffness            = {1e6, 2e6, 3e6},
                             .damping              = {1e3, 2e3, 3e3},
                             .rotational_stiffness = {1e4, 2e4, 3e4},
                             .rotational_damping   = {10, 20, 30}};
    CHECK_FREED(bench) p  = bench_create(&kane_law_bushing, &in, kv3_zero(), kv3(5, 6, -7000));
    const kane_wrench w   = at(&p, kv3(0.001, 0.002, -0.003), kv3(0.1, 0.2, 0.3), kv3(0.01, 0.02, 0.03), kv3(1, 2, 3));
    check_vec3(w.force, kv3(5 - 1000 - 100, 6 - 4000 - 400, -7000 + 9000 - 900), 1e-9);
    check_vec3(w.torque, kv3(-100 - 10, -400 - 40, -900 - 90), 1e-9);
    assert_int_equal(kane_law_bushing.turns(p.data), 1);
    check_derivatives(&p, 15, 0.01, 1);
}

CHECK_TEST(a_bushing_by_points_takes_its_load_from_the_curve)
{
    const double z[] = {-0.1, -0.05, 0.0, 0.05}, f[] = {-60000.0, -20000.0, 0.0, 10000.0};
    kane_bushing in = {.stiffness = {1e6, 1e6, 1e6}};
    in.spring[2]    = (kane_characteristic){.at = {z, 4}, .force = {f, 4}, .from = KANE_FROM_FREE};
    // carries 40 kN upwards on b: compressed to -75 mm, where the slope is 0.8 MN/m
    CHECK_FREED(bench) p = bench_create(&kane_law_bushing, &in, kv3_zero(), kv3(0, 0, 40000.0));
    check_vec3(pushed(&p, kv3_zero(), kv3_zero()).force, kv3(0, 0, 40000.0), 1e-6);
    check_vec3(pushed(&p, kv3(0, 0, -0.01), kv3_zero()).force, kv3(0, 0, 48000.0), 1e-6);
    assert_int_equal(kane_law_bushing.turns(p.data), 0);
}

CHECK_TEST(a_bump_stop_is_silent_in_its_gap)
{
    const double gap[]      = {0.02, 0.03};
    const kane_bump_stop in = {
        .direction = 1, .clearance = {gap, 2}, .stiffness = 1e6, .onset = 0.002, .dissipation = 0.5};
    CHECK_FREED(bench) p = bench_create(&kane_law_bump_stop, &in, kv3_zero(), kv3_zero());
    check_vec3(pushed(&p, kv3(1, 0.0299, 1), kv3(0, 3, 0)).force, kv3_zero(), 0.0);
    check_vec3(pushed(&p, kv3(0, 0.031, 0), kv3_zero()).force, kv3(0, -250.0, 0), 1e-6);  // k c^2/(2 s)
    check_vec3(pushed(&p, kv3(0, 0.035, 0), kv3_zero()).force, kv3(0, -4000.0, 0), 1e-6); // k (c - s/2)
    check_vec3(pushed(&p, kv3(0, -0.025, 0), kv3_zero()).force, kv3(0, 4000.0, 0), 1e-6);
    check_vec3(pushed(&p, kv3(0, -0.025, 0), kv3(0, -0.4, 0)).force, kv3(0, 4800.0, 0), 1e-6); // 1 + h rate
    assert_true(pushed(&p, kv3(0, -0.025, 0), kv3(0, 50.0, 0)).force.y > 0.0);                 // never pulls
    check_derivatives(&p, 16, 0.05, 1);
}

CHECK_TEST(a_force_without_kinks_has_none)
{
    const double gap[]      = {0.01};
    const kane_bump_stop in = {
        .direction = 0, .clearance = {gap, 1}, .stiffness = 1e6, .onset = 0.001, .dissipation = 1.0};
    CHECK_FREED(bench) p  = bench_create(&kane_law_bump_stop, &in, kv3_zero(), kv3_zero());
    const double places[] = {0.01, 0.011, -0.01, -0.011};
    for (int i = 0; i < 4; i++) {
        kane_law_derivative d[2] = {0};
        for (int side = 0; side < 2; side++) {
            const kane_relative r = {.d = kv3(places[i] + (side ? 1e-12 : -1e-12), 0, 0),
                                     .v = kv3(side ? 1e-12 : -1e-12, 0, 0)};
            p.law->derive(p.data, &r, &d[side]);
        }
        check_near(d[0].force_d.x.x, d[1].force_d.x.x, 0.01);
        check_near(d[0].force_v.x.x, d[1].force_v.x.x, 1e-5); // the force itself grows by k 2e-12 m
    }
}

CHECK_TEST(curves_that_make_no_sense_are_refused)
{
    const double up[] = {0.0, 1.0, 2.0}, back[] = {0.0, 2.0, 1.0}, off[] = {5.0, 6.0, 7.0}, one[] = {0.0};
    kane_spring in = {.characteristic = {.at = {back, 3}, .force = {up, 3}}};
    expect_error(&kane_law_spring, &in, "1 follows 2: places must grow");
    in.characteristic = (kane_characteristic){.at = {up, 3}, .force = {up, 2}};
    expect_error(&kane_law_spring, &in, "has 3 places and 2 forces; needs as many of both, and at least two");
    in.characteristic = (kane_characteristic){.at = {one, 1}, .force = {one, 1}};
    expect_error(&kane_law_spring, &in, "has 1 places and 1 forces; needs as many of both, and at least two");
    in.characteristic = (kane_characteristic){.at = {up, 3}, .force = {off, 3}};
    expect_error(&kane_law_spring, &in, "is 5 at 0; it must be 0 there, a static load comes on top of it");
    in.characteristic = (kane_characteristic){.at = {up, 3}, .force = {back, 3}, .from = KANE_FROM_FREE};
    expect_error(&kane_law_spring, &in, "force 1 follows 2: to find the static position, forces must grow");
    const kane_bump_stop stop = {.clearance = {up, 3}, .stiffness = 1.0, .onset = 1.0};
    expect_error(&kane_law_bump_stop, &stop, "has 3 numbers; needs one for both ways, or two");
}

// libkane takes differences of no law of its own.
CHECK_TEST(every_law_brings_its_derivative)
{
    for (const kane_law *const *law = kane_laws(); *law; law++)
        assert_non_null((*law)->derive);
}

CHECK_MAIN(NULL, NULL)
