// SPDX-License-Identifier: MIT
// A damper that blows off behind a stiffness: values by hand on both sides of the bend, the bend itself, what it holds
// at a constant speed, energy, and input that makes no sense.

#include "unit/force/law.h"

// 500 kN s/m up to 12 kN at 24 mm/s, then 10 kN s/m.
static const kane_yaw_damper kinked = {.stiffness = 8e6, .damping = 500e3, .blow_off = 12e3, .blow_off_damping = 10e3};

static bench make(const kane_yaw_damper *in)
{
    return bench_create(&kane_law_yaw_damper, in, kv3(0.8, 0.0, 0.0), kv3_zero());
}

// Speed of the damper under a tension.
static double speed_under(const bench *p, double tension)
{
    const posture m = {.state = {-tension / 8e6}};
    double rates[KANE_LAW_STATES];
    bench_rates(p, &m, rates);
    return rates[0];
}

CHECK_TEST(values_by_hand)
{
    bench p = make(&kinked);
    for (int side = -1; side <= 1; side += 2) {
        check_near(speed_under(&p, side * 5e3), side * 0.01, 1e-14);
        check_near(speed_under(&p, side * 12e3), side * 0.024, 1e-14);
        check_near(speed_under(&p, side * 12.5e3), side * 0.074, 1e-14);
        check_near(speed_under(&p, side * 14e3), side * 0.224, 1e-13);
    }
    // 2 mm longer, 0.5 mm of it by the damper
    const posture m = {.d = kv3(0.002, 0.0, 0.0), .state = {0.0005}};
    check_vec3(bench_eval(&p, &m).force, kv3(-12e3, 0.0, 0.0), 1e-6);
    check_near(bench_energy(&p, &m), 0.5 * 8e6 * 0.0015 * 0.0015, 1e-9);
    check_near(bench_loss(&p, &m), 12e3 * 0.024, 0.1);
    check_rest(&p, kv3_zero());
    bench_free(&p);
    kane_yaw_damper never = kinked;
    never.blow_off = never.blow_off_damping = 0.0;
    p                                       = make(&never);
    check_near(speed_under(&p, 30e3), 0.06, 1e-14);
    bench_free(&p);
}

CHECK_TEST(the_bend_is_rounded_and_nothing_else_changes)
{
    kane_yaw_damper round = kinked;
    round.rounding        = 0.25; // 18 .. 30 mm/s
    CHECK_FREED(bench) p = make(&round), k = make(&kinked);
    static const double outside[] = {1e3, 8.999e3, 12.061e3, 15e3};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        check_near(speed_under(&p, outside[i]), speed_under(&k, outside[i]), 1e-13);
        check_near(speed_under(&p, -outside[i]), speed_under(&k, -outside[i]), 1e-13);
    }
    // at the speed of the corner the force is that of the corner less (c - c2) r/4: 490e3 * 6e-3/4 = 735 N
    check_near(speed_under(&p, 12e3 - 735.0), 0.024, 1e-12);
    check_near(speed_under(&p, -12e3 + 735.0), -0.024, 1e-12);
    check_rest(&p, kv3_zero());
    // no kink: the rate's derivative is continuous at both ends of the bend, 9 kN and 12.06 kN
    static const double ends[] = {9e3, 12.06e3, -9e3, -12.06e3};
    for (int i = 0; i < 4; i++) {
        double slope[2];
        for (int side = 0; side < 2; side++) {
            const posture m       = {.state = {-ends[i] * (side ? 1.0 + 1e-9 : 1.0 - 1e-9) / 8e6}};
            const kane_relative r = bench_relative(&p, &m);
            kane_law_derivative d = {0};
            p.law->derive(p.data, &r, &d);
            slope[side] = d.state[0].rate_state[0];
        }
        check_near(slope[0] / slope[1], 1.0, 1e-5);
    }
    uint64_t seed = 31;
    for (int i = 0; i < 50; i++) { // short differences: the bend is sharp where it ends
        const posture m = law_random(&p, &seed, 0.01, 0.01);
        check_derivative_at(&p, &m, 1e-7, 1e-7, 1e-6);
    }
}

static void pull(const void *how, double t, posture *m)
{
    m->d = kv3(*(const double *)how * t, 0.0, 0.0);
}

// At a constant speed the spring is stretched until the damper takes all of it.
CHECK_TEST(a_constant_speed_is_met_by_the_damper_alone)
{
    static const double rows[][2] = {{0.01, 5e3}, {0.1, 12760.0}, {-0.5, -16760.0}};
    CHECK_FREED(bench) p          = make(&kinked);
    for (int i = 0; i < 3; i++) {
        const posture rest = {.state = {0}}, m = bench_move(&p, pull, &rows[i][0], 0.0, 1.2, 12000, rest);
        check_near(-bench_eval(&p, &m).force.x, rows[i][1], 1e-4);
    }
}

CHECK_TEST(points_say_the_same)
{
    static const double speed[] = {-0.124, -0.024, 0.024, 0.124}, force[] = {-13e3, -12e3, 12e3, 13e3};
    const kane_yaw_damper in = {.stiffness = 8e6, .characteristic = {.at = {speed, 4}, .force = {force, 4}}};
    CHECK_FREED(bench) p = make(&in), k = make(&kinked);
    for (int i = -40; i <= 40; i++)
        check_near(speed_under(&p, 500.0 * i), speed_under(&k, 500.0 * i), 1e-13);
    check_rest(&p, kv3_zero());
}

CHECK_TEST(nothing_is_gained)
{
    kane_yaw_damper in = kinked;
    for (int i = 0; i < 2; i++) {
        in.rounding          = 0.2 * i;
        CHECK_FREED(bench) p = make(&in);
        assert_true(check_loss(&p, 32, 0.002, 0.002, 5e-2) > 100.0);
    }
}

CHECK_TEST(what_makes_no_sense_is_refused)
{
    static const double speed[] = {-1.0, 1.0}, force[] = {-1.0, 1.0};
    kane_yaw_damper in = {.stiffness = 8e6};
    expect_error(&kane_law_yaw_damper, &in, "needs \"damping\" of more than 0 behind the spring");
    in.damping  = 500e3;
    in.blow_off = 12e3;
    expect_error(&kane_law_yaw_damper, &in, "\"blow_off\" and \"blow_off_damping\" need each other");
    in.blow_off         = 0.0;
    in.blow_off_damping = 10e3;
    expect_error(&kane_law_yaw_damper, &in, "\"blow_off\" and \"blow_off_damping\" need each other");
    in.blow_off = 12e3;
    in.rounding = 1.0;
    expect_error(&kane_law_yaw_damper, &in,
                 "must be less than 1, so that the rounded corner ends before the damper is at rest");
    in.characteristic = (kane_characteristic){.at = {speed, 2}, .force = {force, 2}};
    expect_error(&kane_law_yaw_damper, &in,
                 "stands for damping and blow-off; leave \"damping\", \"blow_off\" and \"blow_off_damping\" out");
}

CHECK_MAIN(NULL, NULL)
