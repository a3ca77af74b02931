// SPDX-License-Identifier: MIT
// Bag, orifice and reservoir: what it carries, its stiffness with the orifice closed and open, the flow, relaxation,
// the frequency response, and that nothing is gained.

#include "unit/force/law.h"

// 80 kN on 0.2 m^2: 4 bar over the atmosphere.
static const kane_air_spring bag = {.area              = 0.2,
                                    .area_change       = 0.1,
                                    .bag_volume        = 0.03,
                                    .exponent          = 1.4,
                                    .atmosphere        = 101325.0,
                                    .shear_stiffness   = 150e3,
                                    .shear_damping     = 3e3,
                                    .tilting_stiffness = 10e3};
#define LOAD     80e3
#define PRESSURE (101325.0 + LOAD / 0.2)

static kane_air_spring with_reservoir(double orifice, double quadratic)
{
    kane_air_spring in   = bag;
    in.reservoir_volume  = 0.05;
    in.orifice           = orifice;
    in.orifice_quadratic = quadratic;
    return in;
}

// b above a, pushed up; or below, pushed down (up = -1).
static bench make(const kane_air_spring *in, double up)
{
    return bench_create(&kane_law_air_spring, in, kv3(0.0, 0.0, 0.3 * up), kv3(0.0, 0.0, LOAD * up));
}

static posture squeezed(double up, double z, double gone)
{
    return (posture){.d = kv3(0.0, 0.0, -up * z), .state = {gone}};
}

CHECK_TEST(a_closed_bag_follows_the_gas)
{
    for (int side = 0; side < 2; side++) {
        const double up      = side ? 1.0 : -1.0;
        CHECK_FREED(bench) p = make(&bag, up);
        assert_int_equal(p.count, 0);
        check_vec3(p.law->preload_axes(p.data), kv3(0, 0, 1), 0.0);
        check_rest(&p, kv3(0.0, 0.0, up * LOAD));
        // 20 mm: area 0.202, volume 0.03 - 0.2 * 0.02 - 0.05 * 0.0004 = 0.02598
        posture m             = squeezed(up, 0.02, 0.0);
        const double pressure = PRESSURE * pow(0.03 / 0.02598, 1.4);
        check_near(bench_eval(&p, &m).force.z, up * (pressure - 101325.0) * 0.202, 1e-6);
        // n p A^2/V + (p - p_a) dA/dz, from the derivative
        const posture rest = squeezed(up, 0.0, 0.0);
        check_relative(law_dynamic(&p, &rest, 2, 0.0).real, 1.4 * PRESSURE * 0.04 / 0.03 + 4e5 * 0.1, 1e-12);
        // the other directions
        m.d                 = kv3(0.01, -0.02, 0.0);
        m.v                 = kv3(0.1, 0.2, 5.0);
        m.phi               = kv3(0.01, 0.02, 0.03);
        const kane_wrench w = bench_eval(&p, &m);
        check_vec3(w.force, kv3(-1500.0 - 300.0, 3000.0 - 600.0, up * LOAD), 1e-6);
        check_vec3(w.torque, kv3(-100.0, -200.0, 0.0), 1e-9);
    }
}

// One to one with and without rubber: then it need not look at rotation.
CHECK_TEST(without_tilting_stiffness_it_does_not_look_at_rotation)
{
    kane_air_spring in = bag;
    bench p            = make(&in, 1.0);
    assert_int_equal(p.law->turns(p.data), 1);
    bench_free(&p);
    in.tilting_stiffness = 0.0;
    p                    = make(&in, 1.0);
    assert_int_equal(p.law->turns(p.data), 0);
    bench_free(&p);
}

CHECK_TEST(the_reservoir_softens_it_when_the_orifice_lets_it)
{
    const kane_air_spring in = with_reservoir(2e6, 0.0);
    const double change = 4e5 * 0.1, closed = 1.4 * PRESSURE * 0.04 / 0.03 + change,
                 open = 1.4 * PRESSURE * 0.04 / 0.08 + change;
    for (int side = 0; side < 2; side++) {
        const double up      = side ? 1.0 : -1.0;
        CHECK_FREED(bench) p = make(&in, up);
        assert_int_equal(p.count, 1);
        check_near(p.info[0].size, 0.2, 0.0);
        check_rest(&p, kv3(0.0, 0.0, up * LOAD));
        const posture rest = squeezed(up, 0.0, 0.0);
        check_relative(law_dynamic(&p, &rest, 2, 0.0).real, open, 1e-12);
        check_relative(law_dynamic(&p, &rest, 2, 1e9).real, closed, 1e-9);
        // between them: (closed - open) i w tau/(1 + i w tau), tau = a V R/(n p (V + R))
        const double tau      = 2e6 * 0.03 * 0.05 / (1.4 * PRESSURE * 0.08);
        const law_stiffness k = law_dynamic(&p, &rest, 2, 2.0 / tau);
        check_relative(k.real, open + 0.8 * (closed - open), 1e-12);
        check_relative(k.imaginary, 0.4 * (closed - open), 1e-12);
        // far from rest, when the pressures are equal: one gas in both volumes
        const double z = 0.05, volume = 0.03 - 0.2 * z - 0.05 * z * z, density = 0.08 / (volume + 0.05);
        const posture m = squeezed(up, z, 0.03 - density * volume);
        double rates[KANE_LAW_STATES];
        bench_rates(&p, &m, rates);
        check_near(rates[0], 0.0, 1e-12);
        check_near(bench_eval(&p, &m).force.z, up * (PRESSURE * pow(density, 1.4) - 101325.0) * (0.2 + 0.1 * z), 1e-6);
    }
}

CHECK_TEST(the_flow_has_two_losses)
{
    const kane_air_spring in = with_reservoir(2e6, 5e7);
    CHECK_FREED(bench) p     = make(&in, 1.0);
    for (int k = -5; k <= 5; k++) {
        const posture m = squeezed(1.0, 0.01 * k, 1e-4);
        const double z = 0.01 * k, volume = 0.03 - 0.2 * z - 0.05 * z * z;
        const double difference = PRESSURE * (pow((0.03 - 1e-4) / volume, 1.4) - pow((0.05 + 1e-4) / 0.05, 1.4));
        double rates[KANE_LAW_STATES];
        bench_rates(&p, &m, rates);
        check_near(2e6 * rates[0] + 5e7 * fabs(rates[0]) * rates[0], difference, 1e-6);
        assert_true(rates[0] * difference > 0.0);
    }
    check_derivative_at(&p, &(posture){.d = kv3(0.01, 0.0, -0.03), .state = {-0.002}}, 1e-6, 1e-7, 1e-5);
}

static void hold(const void *how, double t, posture *m)
{
    (void)t;
    m->d = squeezed(1.0, *(const double *)how, 0.0).d;
}

// A small step: the force falls from the closed stiffness to the open one by exp(-t/tau).
CHECK_TEST(a_small_step_relaxes_by_the_exponential)
{
    const kane_air_spring in = with_reservoir(2e6, 0.0);
    CHECK_FREED(bench) p     = make(&in, 1.0);
    const double change = 4e5 * 0.1, closed = 1.4 * PRESSURE * 0.04 / 0.03 + change,
                 open = 1.4 * PRESSURE * 0.04 / 0.08 + change;
    const double tau = 2e6 * 0.03 * 0.05 / (1.4 * PRESSURE * 0.08), z = 1e-6;
    posture m = {.state = {0}};
    for (int k = 1; k <= 4; k++) {
        m = bench_move(&p, hold, &z, 0.0, tau, 100, m);
        check_relative((bench_eval(&p, &m).force.z - LOAD) / z, open + (closed - open) * exp(-k), 1e-4);
    }
}

// Random motions over the whole stroke, with pressures far apart.
CHECK_TEST(nothing_is_gained)
{
    static const double exponents[] = {1.0, 1.2, 1.4};
    for (int i = 0; i < 6; i++) {
        kane_air_spring in = with_reservoir(2e6, i < 3 ? 0.0 : 5e7);
        in.exponent        = exponents[i % 3];
        bench p            = make(&in, i % 2 ? 1.0 : -1.0);
        assert_true(check_loss(&p, 61, 0.06, 0.008, 1e-2) > 1e4);
        bench_free(&p);
    }
    kane_air_spring closed = bag;
    closed.shear_damping   = 0.0;
    bench p                = make(&closed, 1.0);
    check_below(fabs(check_loss(&p, 62, 0.06, 0.0, 1e-2)), 1e-2); // of some 1e5 W
    check_derivatives(&p, 63, 0.05, 1);
    bench_free(&p);
}

// What the orifice loses follows from n/(n - 1) p/s on both sides.
CHECK_TEST(the_loss_is_that_of_the_orifice)
{
    const kane_air_spring in = with_reservoir(2e6, 5e7);
    CHECK_FREED(bench) p     = make(&in, 1.0);
    const posture m          = {.d = kv3(0.0, 0.0, -0.02), .v = kv3(0.0, 0.0, 0.3), .state = {0.001}};
    const double s = 0.029 / 0.02598, S = 0.051 / 0.05;
    double rates[KANE_LAW_STATES];
    bench_rates(&p, &m, rates);
    check_relative(bench_loss(&p, &m), 3.5 * PRESSURE * (pow(s, 0.4) - pow(S, 0.4)) * rates[0], 1e-6);
}

CHECK_TEST(where_there_is_no_air_the_step_is_too_long)
{
    const kane_air_spring in = with_reservoir(2e6, 0.0);
    bench p                  = make(&in, 1.0);
    // no volume; no area; no air in the bag; none behind it
    const posture none[] = {squeezed(1.0, 0.2, 0.0), squeezed(1.0, -2.1, 0.0), squeezed(1.0, 0.0, 0.03),
                            squeezed(1.0, 0.0, -0.05)};
    for (int i = 0; i < 4; i++) {
        const kane_relative r = bench_relative(&p, &none[i]);
        kane_wrench w         = {kv3_zero(), kv3_zero()};
        double rates[KANE_LAW_STATES];
        assert_int_equal(p.law->eval(p.data, &r, &w), KANE_RETRY);
        assert_int_equal(p.law->rates(p.data, &r, rates), KANE_RETRY);
    }
    bench_free(&p);
    const kane_air_spring open = with_reservoir(0.0, 5e7);
    expect_error(&kane_law_air_spring, &open,
                 "needs \"orifice\" of more than 0 before the reservoir; without any loss give both volumes as "
                 "\"bag_volume\"");
}

CHECK_MAIN(NULL, NULL)
