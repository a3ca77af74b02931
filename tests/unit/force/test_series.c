// SPDX-License-Identifier: MIT
// Dampers behind springs in a bushing, whose points may coincide: the closed form of their complex stiffness in all six
// directions, and dampers that saturate.

#include "unit/force/law.h"

static const double k_series[6] = {6e6, 1e9, 3e5, 2e5, 4e4, 5e6}, c_series[6] = {32e3, 60e3, 5e3, 1e3, 2e2, 9e4};
static const double k_beside[6] = {1e5, 0.0, 2e5, 3e3, 0.0, 1e4};

static kane_vec3 three(const double *a)
{
    return kv3(a[0], a[1], a[2]);
}

static kane_bushing all_six(void)
{
    return (kane_bushing){.stiffness                   = three(k_beside),
                          .rotational_stiffness        = three(k_beside + 3),
                          .damping                     = three(c_series),
                          .rotational_damping          = three(c_series + 3),
                          .series_stiffness            = three(k_series),
                          .rotational_series_stiffness = three(k_series + 3)};
}

static double component(kane_wrench w, int direction)
{
    return kv3_get(direction < 3 ? w.force : w.torque, direction % 3);
}

CHECK_TEST(values_by_hand)
{
    static const char *const names[6] = {"damper_x",    "damper_y",     "damper_z",
                                         "damper_roll", "damper_pitch", "damper_yaw"};
    const kane_bushing in             = all_six();
    CHECK_FREED(bench) p              = bench_create(&kane_law_bushing, &in, kv3_zero(), kv3(0.0, 0.0, 500.0));
    assert_int_equal(p.count, 6);
    for (int i = 0; i < 6; i++)
        assert_string_equal(p.info[i].name, names[i]);
    // 1 mm (or mrad), 0.4 of it by the damper; no speed of the points acts at once
    for (int i = 0; i < 6; i++) {
        posture m                            = {.v = kv3(1.0, 2.0, 3.0), .w = kv3(0.1, 0.2, 0.3)};
        *bench_number(&m, i < 3 ? i : 3 + i) = 1e-3;
        m.state[i]                           = 0.4e-3;
        const double chain                   = 0.6e-3 * k_series[i];
        double rates[KANE_LAW_STATES];
        bench_rates(&p, &m, rates);
        check_relative(-component(bench_eval(&p, &m), i) + (i == 2 ? 500.0 : 0.0), chain + 1e-3 * k_beside[i], 1e-12);
        check_relative(rates[i], chain / c_series[i], 1e-12);
        check_relative(bench_energy(&p, &m) + (i == 2 ? 0.5 : 0.0),
                       0.5 * k_series[i] * 0.36e-6 + 0.5 * k_beside[i] * 1e-6, 1e-12);
    }
    check_rest(&p, kv3(0.0, 0.0, 500.0));
}

// k_p + k i w c/(k + i w c) of each direction alone, from the law's derivative: F = -F_d e - F_x x, i w x = x_d e + x_x
// x.
CHECK_TEST(its_complex_stiffness_is_the_closed_form)
{
    const kane_bushing in = all_six();
    CHECK_FREED(bench) p  = bench_create(&kane_law_bushing, &in, kv3_zero(), kv3_zero());
    const posture rest    = {.state = {0}};
    const kane_relative r = bench_relative(&p, &rest);
    kane_law_derivative d = {0};
    p.law->derive(p.data, &r, &d);
    for (int i = 0; i < 6; i++)
        for (int n = -2; n <= 2; n++) {
            const double omega = pow(10.0, n) * k_series[i] / c_series[i], k = k_series[i], wc = omega * c_series[i];
            // k i w c/(k + i w c) = k w c (w c + i k)/(k^2 + w^2 c^2)
            const double real       = k_beside[i] + k * wc * wc / (k * k + wc * wc),
                         imaginary  = k * wc * k / (k * k + wc * wc);
            const bench_column by_e = bench_derivative(&d, i < 3 ? i : 3 + i, 6),
                               by_x = bench_derivative(&d, 12 + i, 6);
            const double a = by_x.rates[i], b = by_e.rates[i], f = component(by_x.on_b, i),
                         size = a * a + omega * omega;
            check_relative(-component(by_e.on_b, i) + f * b * a / size, real, 1e-12);
            check_relative(f * b * omega / size, imaginary, 1e-12);
        }
}

static void swing(const void *how, double t, posture *m)
{
    const double omega = *(const double *)how;
    m->d               = kv3(0.0, 1e-4 * sin(omega * t), 0.0);
    m->v               = kv3(0.0, 1e-4 * omega * cos(omega * t), 0.0);
}

// The same by integration, between points that coincide, of a damper that would saturate at more than it meets.
CHECK_TEST(an_oscillation_between_coincident_points_has_that_stiffness)
{
    enum { STEPS = 400, PERIODS = 12 };
    static const double at[] = {-0.02, -0.01, 0.01, 0.02}, force[] = {-320.0, -320.0, 320.0, 320.0};
    const kane_bushing in = {.series_stiffness = {0.0, 6e6, 0.0}, .damper[1] = {.at = {at, 4}, .force = {force, 4}}};
    CHECK_FREED(bench) p  = bench_create(&kane_law_bushing, &in, kv3_zero(), kv3_zero());
    const double c = 32e3, k = 6e6, omega = 60.0, wc = omega * c, h = 2.0 * acos(-1.0) / omega / STEPS;
    posture m   = {.state = {0}};
    double sine = 0.0, cosine = 0.0;
    m = bench_move(&p, swing, &omega, 0.0, STEPS * PERIODS * h, STEPS * PERIODS, m);
    for (int i = 0; i < STEPS; i++) {
        const double t = (STEPS * PERIODS + i) * h, f = -bench_eval(&p, &m).force.y;
        sine += 2.0 / STEPS * f * sin(omega * t) / 1e-4;
        cosine += 2.0 / STEPS * f * cos(omega * t) / 1e-4;
        m = bench_move(&p, swing, &omega, t, t + h, 1, m);
    }
    check_relative(sine, k * wc * wc / (k * k + wc * wc), 1e-6);
    check_relative(cosine, k * wc * k / (k * k + wc * wc), 1e-6);
}

// --- saturation ---

static const double points[] = {-0.04, -0.02, 0.0, 0.02, 0.04}, saturated[] = {-12e3, -12e3, 0.0, 12e3, 12e3};

static bench saturating(double stiffness)
{
    const kane_bushing in = {.series_stiffness = {stiffness, 0.0, 0.0},
                             .damper[0]        = {.at = {points, 5}, .force = {saturated, 5}}};
    return bench_create(&kane_law_bushing, &in, kv3_zero(), kv3_zero());
}

static void pull(const void *how, double t, posture *m)
{
    const double speed = *(const double *)how;
    m->d               = kv3(speed * t, 0.0, 0.0);
    m->v               = kv3(speed, 0.0, 0.0);
}

// At a constant speed v the force tends to c v (1 - exp(-k t/c)) below saturation, and to 12 kN above it. Up to 90 % of
// that it is the exponential whatever v.
CHECK_TEST(a_constant_speed_is_met_by_the_characteristic)
{
    static const double speeds[] = {0.001, 0.019, -0.015, 0.02, 0.05, -1.0};
    const double k = 8e6, c = 600e3;
    for (int i = 0; i < 6; i++) {
        CHECK_FREED(bench) p = saturating(k);
        posture m            = {.state = {0}};
        const double v = speeds[i], step = 0.002;
        for (int n = 0; n < 1000; n++) {
            m                    = bench_move(&p, pull, &v, n * step, (n + 1) * step, 40, m);
            const double tension = -bench_eval(&p, &m).force.x, free = c * v * (1.0 - exp(-k * (n + 1) * step / c));
            check_below(fabs(tension), 12e3 * (1.0 + 1e-9));
            if (fabs(free) < 0.9 * 12e3)
                check_near(tension, free, 1e-3);
        }
        // the last tenth is reached algebraically where v is the speed at which it begins to saturate
        const double tension = -bench_eval(&p, &m).force.x, end = c * v;
        check_near(tension, fabs(end) < 12e3 ? end : copysign(12e3, v), fabs(fabs(end) - 12e3) < 1.0 ? 60.0 : 1e-2);
    }
}

CHECK_TEST(a_level_end_is_where_it_was_typed)
{
    // behind a maxwell element and a yaw damper too, one side alone, and several level pieces
    static const double at[] = {-0.1, 0.0, 0.01, 0.03, 0.05}, force[] = {-5e3, 0.0, 2e3, 2e3, 2e3};
    const kane_maxwell one    = {.stiffness = 1e6, .characteristic = {.at = {at, 5}, .force = {force, 5}}};
    const kane_yaw_damper two = {.stiffness = 1e6, .characteristic = {.at = {at, 5}, .force = {force, 5}}};
    bench p[2]                = {bench_create(&kane_law_maxwell, &one, kv3(1.0, 0.0, 0.0), kv3_zero()),
                                 bench_create(&kane_law_yaw_damper, &two, kv3(1.0, 0.0, 0.0), kv3_zero())};
    for (int i = 0; i < 2; i++) {
        double rates[KANE_LAW_STATES];
        // at 2 kN it gives way as fast as its ends part; below 90 % of that, and on the other side, its own speed alone
        posture m = {.v = kv3(0.7, 0.0, 0.0), .state = {-2e-3}};
        bench_rates(&p[i], &m, rates);
        check_near(rates[0], 0.7, 1e-12);
        m.state[0] = -1e-3;
        bench_rates(&p[i], &m, rates);
        check_near(rates[0], 0.005, 1e-14);
        m.state[0] = 7e-3;
        bench_rates(&p[i], &m, rates);
        check_near(rates[0], -0.14, 1e-12);
        // it does not hold back what goes the other way
        m = (posture){.v = kv3(-0.7, 0.0, 0.0), .state = {-2e-3}};
        bench_rates(&p[i], &m, rates);
        check_near(rates[0], 0.01, 1e-14);
        bench_free(&p[i]);
    }
}

CHECK_TEST(derivatives_are_exact_and_nothing_is_gained)
{
    const kane_bushing in = all_six();
    bench p               = bench_create(&kane_law_bushing, &in, kv3_zero(), kv3_zero());
    check_derivatives(&p, 61, 1e-3, 1);
    assert_true(check_loss(&p, 62, 1e-3, 1e-3, 1e-2) > 1.0);
    bench_free(&p);
    p             = saturating(8e6);
    uint64_t seed = 63;
    int slipping  = 0;
    for (int n = 0; n < 400; n++) { // tensions up to 24 kN, speeds up to 0.1 m/s
        posture m = law_random(&p, &seed, 1.5e-3, 1.5e-3);
        double rates[KANE_LAW_STATES];
        bench_rates(&p, &m, rates);
        slipping += fabs(rates[0] - 8e6 * (m.d.x - m.state[0]) / 600e3) > 1e-6;
        bench_check_derivative(&p, &m, 1e5, 1.0);
    }
    assert_in_range(slipping, 50, 350);
    assert_true(check_loss(&p, 64, 1.5e-3, 1.5e-3, 1e-6) > 10.0);
    bench_free(&p);
}

CHECK_TEST(mistakes_are_refused)
{
    kane_bushing in = {.series_stiffness = {0.0, 1e6, 0.0}};
    expect_error(&kane_law_bushing, &in, "needs \"damping\" of more than 0 behind the spring");
    in = (kane_bushing){.rotational_series_stiffness = {0.0, 0.0, 1e6}, .damping = {1.0, 1.0, 1.0}};
    expect_error(&kane_law_bushing, &in, "needs \"damping\" of more than 0 behind the spring");
}

CHECK_MAIN(NULL, NULL)
