// SPDX-License-Identifier: MIT
// Spring and damper in series: values by hand, relaxation, frequency response, energy, and dampers that cannot be
// inverted.

#include "unit/force/law.h"

static const kane_maxwell linear = {.stiffness = 6e6, .damping = 32e3, .parallel_stiffness = 1e5};

// Along (0.6, 0, 0.8), half a metre long.
static bench make(const kane_maxwell *in)
{
    return bench_create(&kane_law_maxwell, in, kv3(0.3, 0.0, 0.4), kv3_zero());
}

static posture longer(double elongation, double state)
{
    return (posture){.d = kv3(0.6 * elongation, 0.0, 0.8 * elongation), .state = {state}};
}

static double rate_of(const bench *p, const posture *m)
{
    double rates[KANE_LAW_STATES];
    bench_rates(p, m, rates);
    return rates[0];
}

CHECK_TEST(values_by_hand)
{
    CHECK_FREED(bench) p = make(&linear);
    assert_int_equal(p.count, 1);
    assert_string_equal(p.info[0].name, "damper");
    assert_int_equal(p.info[0].memory, 0);
    // 1 mm longer, 0.4 mm of them by the damper: chain 6e6 * 0.6e-3 = 3600 N, beside it 1e5 * 1e-3 = 100 N
    posture m = longer(1e-3, 0.4e-3);
    check_vec3(bench_eval(&p, &m).force, kv3(-0.6 * 3700.0, 0.0, -0.8 * 3700.0), 1e-6);
    check_near(rate_of(&p, &m), 3600.0 / 32e3, 1e-9);
    check_near(bench_energy(&p, &m), 0.5 * 6e6 * 0.36e-6 + 0.5 * 1e5 * 1e-6, 1e-9);
    check_near(bench_loss(&p, &m), 3600.0 * 3600.0 / 32e3, 1e-3);
    // no speed of the points acts at once
    m.v = kv3(3.0, 2.0, 1.0);
    check_vec3(bench_eval(&p, &m).force, kv3(-0.6 * 3700.0, 0.0, -0.8 * 3700.0), 1e-6);
    check_rest(&p, kv3_zero());
}

static void hold(const void *how, double t, posture *m)
{
    (void)t;
    m->d = longer(*(const double *)how, 0.0).d;
}

CHECK_TEST(a_step_relaxes_by_the_exponential)
{
    CHECK_FREED(bench) p = make(&linear);
    const double tau = 32e3 / 6e6, elongation = 2e-3;
    posture m = {.state = {0}};
    for (int k = 0; k < 4; k++) {
        m                     = bench_move(&p, hold, &elongation, k * tau, (k + 1) * tau, 200, m);
        const double expected = 6e6 * elongation * exp(-k - 1.0) + 1e5 * elongation;
        check_vec3(bench_eval(&p, &m).force, kv3(-0.6 * expected, 0.0, -0.8 * expected), 1e-6);
    }
}

static void swing(const void *how, double t, posture *m)
{
    m->d = longer(1e-4 * sin(*(const double *)how * t), 0.0).d;
}

// The force behind 0.1 mm sin(omega t), after it has become periodic, in parts that go with the motion and its rate.
static law_stiffness measure(const bench *p, double omega)
{
    enum { STEPS = 400, PERIODS = 30 };
    const double h  = 2.0 * acos(-1.0) / omega / STEPS;
    law_stiffness k = {0.0, 0.0};
    posture m       = {.state = {0}};
    m               = bench_move(p, swing, &omega, 0.0, STEPS * PERIODS * h, STEPS * PERIODS, m);
    for (int i = 0; i < STEPS; i++) {
        const double t       = (STEPS * PERIODS + i) * h;
        const double tension = -kv3_dot(bench_eval(p, &m).force, kv3(0.6, 0.0, 0.8));
        k.real += 2.0 / STEPS * tension * sin(omega * t) / 1e-4;
        k.imaginary += 2.0 / STEPS * tension * cos(omega * t) / 1e-4;
        m = bench_move(p, swing, &omega, t, t + h, 1, m);
    }
    return k;
}

// k_p + k i w tau/(1 + i w tau): elastic at high frequencies, a damper at low ones.
CHECK_TEST(its_frequency_response_is_the_closed_form)
{
    bench p          = make(&linear);
    const double tau = 32e3 / 6e6;
    for (int k = -1; k <= 1; k++) {
        const double x = pow(4.0, k), omega = x / tau; // omega tau
        const double real = 1e5 + 6e6 * x * x / (1.0 + x * x), imaginary = 6e6 * x / (1.0 + x * x);
        const law_stiffness found = measure(&p, omega);
        check_relative(found.real, real, 1e-6);
        check_relative(found.imaginary, imaginary, 1e-6);
    }
    bench_free(&p);
    // the same from the derivative, along z
    p                     = bench_create(&kane_law_maxwell, &linear, kv3(0.0, 0.0, 0.4), kv3_zero());
    const posture rest    = {.state = {0}};
    const law_stiffness k = law_dynamic(&p, &rest, 2, 1.0 / tau);
    check_relative(k.real, 1e5 + 3e6, 1e-12);
    check_relative(k.imaginary, 3e6, 1e-12);
    bench_free(&p);
}

// The second row of forces grows as a spline too.
static const double speeds[] = {-0.3, -0.1, 0.0, 0.05, 0.2}, forces[] = {-5000.0, -4000.0, 0.0, 3000.0, 4000.0},
                    bent[] = {-6000.0, -3000.0, 0.0, 1500.0, 4500.0};

CHECK_TEST(a_piecewise_linear_damper_is_inverted_exactly)
{
    const kane_maxwell in = {.stiffness = 1e6, .characteristic = {.at = {speeds, 5}, .force = {forces, 5}}};
    CHECK_FREED(bench) p  = make(&in);
    // force [N] and the speed that goes with it, at points, between them and beyond the ends
    static const double rows[][2] = {{3000.0, 0.05},   {3500.0, 0.125}, {1500.0, 0.025}, {5000.0, 0.35},
                                     {-2000.0, -0.05}, {-4500.0, -0.2}, {-6000.0, -0.5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const posture m = longer(0.0, -rows[i][0] / 1e6);
        check_near(rate_of(&p, &m), rows[i][1], 1e-13);
    }
    check_rest(&p, kv3_zero());
}

CHECK_TEST(a_spline_damper_is_inverted_to_round_off)
{
    kane_maxwell in          = {.stiffness      = 1e6,
                                .characteristic = {.at = {speeds, 5}, .force = {bent, 5}, .interpolation = KANE_SPLINE}};
    const kane_damper damper = {.characteristic = in.characteristic};
    CHECK_FREED(bench) p = make(&in), d = bench_create(&kane_law_damper, &damper, kv3(0.0, 0.0, 1.0), kv3_zero());
    for (int k = -60; k <= 60; k++) {
        const double tension = 100.0 * k;
        const posture m      = longer(0.0, -tension / 1e6);
        check_near(-pushed(&d, kv3_zero(), kv3(0.0, 0.0, rate_of(&p, &m))).force.z, tension, 1e-9);
    }
    check_rest(&p, kv3_zero());
    check_derivatives(&p, 21, 0.003, 0);
}

// Curves with nearly flat and with steep ends, and one that misses 0 by round-off.
CHECK_TEST(steep_and_flat_dampers_are_inverted_too)
{
    static const double at[] = {-1.0, -0.5, 0.0, 0.5, 1.0}, flat[] = {-40.0, -16.0, 0.0, 3.0, 16.0},
                        off[] = {-0.7, -0.6, 0.4, 0.8, 0.9}, by[] = {-700.0, -600.0, 400.0, 800.0 + 1e-7, 900.0};
    const kane_maxwell in[] = {
        {.stiffness = 1.0, .characteristic = {.at = {at, 5}, .force = {flat, 5}, .interpolation = KANE_SPLINE}},
        {.stiffness = 1.0, .characteristic = {.at = {off, 5}, .force = {by, 5}, .interpolation = KANE_SPLINE}}};
    for (int i = 0; i < 2; i++) {
        const kane_damper damper = {.characteristic = in[i].characteristic};
        CHECK_FREED(bench) p     = make(&in[i]),
                           d     = bench_create(&kane_law_damper, &damper, kv3(0.0, 0.0, 1.0), kv3_zero());
        for (int k = -300; k <= 300; k++) {
            const posture m = longer(0.0, -0.1 * k);
            check_near(-pushed(&d, kv3_zero(), kv3(0.0, 0.0, rate_of(&p, &m))).force.z, 0.1 * k, i ? 1e-7 : 1e-12);
        }
        check_rest(&p, kv3_zero());
    }
}

CHECK_TEST(its_derivative_is_that_of_force_and_rate)
{
    CHECK_FREED(bench) p = make(&linear);
    check_derivatives(&p, 22, 0.01, 1);
}

CHECK_TEST(nothing_is_gained)
{
    bench p = make(&linear);
    assert_true(check_loss(&p, 23, 0.02, 0.02, 1e-2) > 1e4);
    // a spring alone, while the damper does not move, loses nothing
    uint64_t seed = 24;
    for (int k = 0; k < 20; k++) {
        posture m          = law_random(&p, &seed, 0.02, 0.0);
        const kane_vec3 to = kv3_add(p.d0, m.d);
        m.state[0]         = kv3_norm(to) - kv3_norm(p.d0); // no force in the chain
        check_near(bench_loss(&p, &m), 0.0, 1e-2);
    }
    bench_free(&p);
    const kane_maxwell in = {.stiffness      = 1e6,
                             .characteristic = {.at = {speeds, 5}, .force = {bent, 5}, .interpolation = KANE_SPLINE}};
    p                     = make(&in);
    assert_true(check_loss(&p, 25, 0.02, 0.02, 1e-2) > 1e3);
    bench_free(&p);
}

static const char grows[] =
    "the damper behind the spring needs a force that grows with speed everywhere between its points, "
    "and beyond them too or, in straight lines, is constant there (it saturates), so that its speed follows from the force";

CHECK_TEST(dampers_whose_speed_does_not_follow_are_refused)
{
    static const double flat[] = {-4000.0, -3000.0, 0.0, 0.0, 4000.0}, one_way[] = {0.0, 0.0, 0.0, 3000.0, 4000.0};
    static const double at[] = {-1.0, 0.0, 1.0, 2.0, 3.0}, steep[] = {-0.01, 0.0, 0.01, 5.0, 5.01};
    kane_maxwell in = {.stiffness = 1e6};
    expect_error(&kane_law_maxwell, &in, "needs \"damping\" of more than 0 behind the spring");
    in.characteristic = (kane_characteristic){.at = {speeds, 5}, .force = {flat, 5}};
    expect_error(&kane_law_maxwell, &in, grows);
    in.characteristic.force = (kane_numbers){one_way, 5};
    expect_error(&kane_law_maxwell, &in, grows);
    // points that grow, a spline between them that does not
    in.characteristic = (kane_characteristic){.at = {at, 5}, .force = {steep, 5}};
    bench p           = make(&in);
    bench_free(&p);
    in.characteristic.interpolation = KANE_SPLINE;
    expect_error(&kane_law_maxwell, &in, grows);
    // a slope that is negative only in the middle of a piece, -0.83 there
    static const double odd[] = {-1.5, -0.5, 0.5, 1.5}, far[] = {-20.0, -1.0, 1.0, 20.0};
    in.characteristic = (kane_characteristic){.at = {odd, 4}, .force = {far, 4}, .interpolation = KANE_SPLINE};
    expect_error(&kane_law_maxwell, &in, grows);
}

CHECK_TEST(a_line_without_direction_is_refused)
{
    CHECK_ERRORS errors            = {0};
    const kane_maxwell in          = {.block = {"damper left", NULL}, .stiffness = 6e6, .damping = 32e3};
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    void *law                      = kane_law_maxwell.prepare(&in, arena, &errors);
    assert_int_not_equal(kane_law_maxwell.settle(law, kv3(0.0, 1e-17, 0.0), kv3_zero(), &errors), 0);
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "both points of 'damper left' are the same, so that its line has no "
                        "direction; give that of the second body in \"to\", or a coupler of a "
                        "train a \"length\"");
}

CHECK_MAIN(NULL, NULL)
