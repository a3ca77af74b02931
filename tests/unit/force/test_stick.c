// SPDX-License-Identifier: MIT
// Dry friction that sticks: it holds, slips at the limit, loses and never makes energy, under constant and changing
// limits.

#include "models.h"

#include "force/surface.h"

static const kane_stick layer = {.nominal = 1000.0, .displacement = 1e-3};

// Force that resists and rate of zeta, in plain numbers.
typedef struct answer {
    kane_vec3 force, rate;
} answer;

static answer ask(const kane_stick *s, double limit, kane_vec3 v, kane_vec3 zeta)
{
    const kane_stick_state now = kane_stick_eval(s, ks_constant(limit), ks3_constant(v), ks3_constant(zeta));
    return (answer){ks3_value(now.force), ks3_value(now.rate)};
}

// Slides by `way` at a speed under a constant limit, in small steps (Runge-Kutta 2).
static kane_vec3 slide(const kane_stick *s, double limit, kane_vec3 v, double way, int steps, kane_vec3 zeta)
{
    const double h = way / kv3_norm(v) / steps;
    for (int i = 0; i < steps; i++) {
        answer now;
        now  = ask(s, limit, v, zeta);
        now  = ask(s, limit, v, kv3_add_scaled(zeta, 0.5 * h, now.rate));
        zeta = kv3_add_scaled(zeta, h, now.rate);
    }
    return zeta;
}

static kane_vec3 force(const kane_stick *s, double limit, kane_vec3 zeta)
{
    answer now;
    now = ask(s, limit, kv3_zero(), zeta);
    return now.force;
}

// Below 90 % of the limit it is a spring of limit/displacement, both ways.
CHECK_TEST(below_the_limit_it_is_a_spring)
{
    kane_vec3 zeta = slide(&layer, 1000.0, kv3(0.01, 0, 0), 0.8e-3, 100, kv3_zero());
    check_vec3(force(&layer, 1000.0, zeta), kv3(800, 0, 0), 1e-9);
    zeta = slide(&layer, 1000.0, kv3(-0.02, 0, 0), 1.5e-3, 100, zeta);
    check_vec3(force(&layer, 1000.0, zeta), kv3(-700, 0, 0), 1e-9);
    // half the load bears half as much, with the same stiffness
    zeta = slide(&layer, 500.0, kv3(0, 0.01, 0), 0.4e-3, 100, kv3_zero());
    check_vec3(force(&layer, 500.0, zeta), kv3(0, 400, 0), 1e-9);
}

CHECK_TEST(it_slips_at_the_limit_wherever_it_goes)
{
    const double limits[] = {1000.0, 500.0, 2500.0, 60.0};
    for (int i = 0; i < 4; i++) {
        kane_vec3 zeta = slide(&layer, limits[i], kv3(0.3, 0.4, 0), 0.02, 20000, kv3_zero());
        check_vec3(force(&layer, limits[i], zeta), kv3(0.6 * limits[i], 0.8 * limits[i], 0), 1e-6 * limits[i]);
        // turned by a right angle it follows
        zeta = slide(&layer, limits[i], kv3(-0.8, 0.6, 0), 0.05, 20000, zeta);
        check_vec3(force(&layer, limits[i], zeta), kv3(-0.8 * limits[i], 0.6 * limits[i], 0), 1e-6 * limits[i]);
    }
}

// The same way gives the same force at any speed.
CHECK_TEST(the_rate_does_not_matter)
{
    kane_vec3 slow = kv3_zero(), fast = kv3_zero();
    for (int i = 0; i < 5; i++) {
        const kane_vec3 way = kv3(i % 2 ? -0.6 : 1.0, 0.3 * i, 0);
        slow                = slide(&layer, 800.0, kv3_scale(1e-4, way), 1.1e-3, 2000, slow);
        fast                = slide(&layer, 800.0, kv3_scale(10.0, way), 1.1e-3, 2000, fast);
        check_vec3(fast, slow, 1e-12);
    }
}

// Friction never exceeds the limit and never makes energy, whatever the limit is at the moment.
CHECK_TEST(it_never_makes_energy)
{
    uint64_t seed  = 5;
    kane_stick s   = layer;
    double largest = 0.0;
    for (int k = 0; k < 200000; k++) {
        answer now;
        const double exponent = 2.0 * random_number(&seed);
        const double limit    = k % 50 ? 1000.0 * pow(10.0, exponent - 0.5) : 0.0;
        const kane_vec3 v     = random_vector(&seed, 1.0);
        const kane_vec3 zeta  = random_vector(&seed, k % 2 ? 1.5 : 1.2 * limit / s.nominal);
        s.damping             = k % 3 ? 0.0 : 3000.0 * (1.0 + random_number(&seed));
        now                   = ask(&s, limit, v, zeta);
        const double in = kv3_dot(now.force, v), stored = s.nominal * s.displacement * kv3_dot(zeta, now.rate);
        assert_true(kv3_norm(now.force) <= limit * (1.0 + 1e-14));
        assert_true(in - stored >= -1e-11 * (fabs(in) + fabs(stored)));
        largest = fmax(largest, in - stored);
    }
    assert_true(largest > 100.0);
}

// A limit that goes up and down moves nothing that stays below it, and a layer that has been left without load comes
// back as it was.
CHECK_TEST(a_changing_limit_alone_moves_nothing)
{
    const kane_vec3 zeta = kv3(0.4, -0.3, 0.0);
    for (int i = 0; i <= 100; i++) {
        answer now;
        now = ask(&layer, 20.0 * i, kv3_zero(), zeta);
        check_vec3(now.rate, kv3_zero(), 0.0);
        if (i >= 28) // 560 N bear 500 N without yielding
            check_vec3(now.force, kv3(400, -300, 0), 1e-9);
    }
}

// An hour under a small force that alternates on top of a constant one, 80 % of the limit: the displacement stays.
CHECK_TEST(stick_holds_for_an_hour)
{
    const kane_stick s = {.nominal = 1000.0, .displacement = 1e-3, .damping = 2e3};
    const double mass = 100.0, h = 2e-3, constant = 600.0, amplitude = 200.0, pi = 3.14159265358979324;
    double x = 0.6e-3, v = 0.0, zeta = 0.6, lowest[2] = {1.0, 1.0}, highest[2] = {-1.0, -1.0};
    for (long i = 0; i < 1800000; i++) {
        const double t = h * (double)i;
        answer now;
        // mid-point rule, implicit enough for this: half a step of position and state, a step of speed, the other half
        now = ask(&s, 1000.0, kv3(v, 0, 0), kv3(zeta, 0, 0));
        zeta += 0.5 * h * now.rate.x;
        x += 0.5 * h * v;
        now = ask(&s, 1000.0, kv3(v, 0, 0), kv3(zeta, 0, 0));
        v += h / mass * (constant + amplitude * sin(2.0 * pi * (t + 0.5 * h)) - now.force.x);
        now = ask(&s, 1000.0, kv3(v, 0, 0), kv3(zeta, 0, 0));
        zeta += 0.5 * h * now.rate.x;
        x += 0.5 * h * v;
        const int period = t < 20.0 && t > 10.0 ? 0 : t > 3590.0 ? 1 : -1;
        if (period >= 0) {
            lowest[period]  = fmin(lowest[period], x);
            highest[period] = fmax(highest[period], x);
        }
    }
    // swings about 0.6 mm by 0.2 mm, in the first minute as in the last
    check_near(0.5 * (lowest[0] + highest[0]), 0.6e-3, 2e-6);
    check_near(0.5 * (highest[0] - lowest[0]), 0.2e-3, 2e-6);
    check_near(lowest[1], lowest[0], 1e-9);
    check_near(highest[1], highest[0], 1e-9);
}

// Above the limit it goes: the mass of before under 120 % of the limit is accelerated by what is left.
CHECK_TEST(slip_leaves_the_rest)
{
    const double mass = 100.0, h = 2e-5;
    double v = 0.0, before = 0.0;
    kane_vec3 zeta = kv3_zero();
    for (int i = 0; i < 100000; i++) {
        answer now;
        now = ask(&layer, 1000.0, kv3(v, 0, 0), zeta);
        v += h / mass * (1200.0 - now.force.x);
        zeta = kv3_add_scaled(zeta, h, now.rate);
        if (i == 49999)
            before = v;
        if (i >= 49999)
            check_near(now.force.x, 1000.0, 1e-6);
    }
    check_near(v - before, 2.0, 1e-9); // 200 N on 100 kg for 1 s
}

// Slopes in directions 0 to 2 and in 3 to 5, by columns.
static kane_mat3 first(const kane_scalar3 *a)
{
    return km3_transpose(
        (kane_mat3){kane_tangents_first(a->x.t), kane_tangents_first(a->y.t), kane_tangents_first(a->z.t)});
}

static kane_mat3 last(const kane_scalar3 *a)
{
    return km3_transpose(
        (kane_mat3){kane_tangents_last(a->x.t), kane_tangents_last(a->y.t), kane_tangents_last(a->z.t)});
}

CHECK_TEST(derivatives_are_those_of_the_formulas)
{
    uint64_t seed      = 8;
    const kane_stick s = {.nominal = 1000.0, .displacement = 1e-3, .damping = 500.0};
    for (int k = 0; k < 400; k++) {
        const double limit = 1000.0 * (k % 5 ? 1.0 + random_number(&seed) : 0.02 * (1.0 + random_number(&seed)));
        const kane_vec3 v = random_vector(&seed, 1.0), zeta = random_vector(&seed, 1.2 * limit / 1000.0);
        const double h = 1e-7 * limit / 1000.0;
        // directions: zeta, v; then the limit
        kane_scalar3 moved_zeta = ks3_constant(zeta), moved_v = ks3_constant(v);
        kane_scalar moved_limit = ks_constant(limit);
        moved_zeta.x.t.a[0] = moved_zeta.y.t.a[1] = moved_zeta.z.t.b[0] = 1.0;
        moved_v.x.t.b[1] = moved_v.y.t.c[0] = moved_v.z.t.c[1] = 1.0;
        moved_limit.t.a[0]                                     = 1.0;
        const kane_stick_state d = kane_stick_eval(&s, ks_constant(limit), moved_v, moved_zeta);
        const kane_stick_state e = kane_stick_eval(&s, moved_limit, ks3_constant(v), ks3_constant(zeta));
        const kane_mat3 force[2] = {first(&d.force), last(&d.force)}, rate[2] = {first(&d.rate), last(&d.rate)};
        const double size = kv3_norm(force[0].x) + kv3_norm(rate[0].x) + 1e3;
        answer low, high;
        for (int i = 0; i < 3; i++) {
            low  = ask(&s, limit, v, kv3_add_scaled(zeta, -h, kv3_unit(i)));
            high = ask(&s, limit, v, kv3_add_scaled(zeta, h, kv3_unit(i)));
            check_vec3(km3_mulv(force[0], kv3_unit(i)), kv3_scale(0.5 / h, kv3_sub(high.force, low.force)),
                       2e-6 * size);
            check_vec3(km3_mulv(rate[0], kv3_unit(i)), kv3_scale(0.5 / h, kv3_sub(high.rate, low.rate)), 2e-6 * size);
            low  = ask(&s, limit, kv3_add_scaled(v, -1e-7, kv3_unit(i)), zeta);
            high = ask(&s, limit, kv3_add_scaled(v, 1e-7, kv3_unit(i)), zeta);
            check_vec3(km3_mulv(force[1], kv3_unit(i)), kv3_scale(0.5e7, kv3_sub(high.force, low.force)), 1e-4);
            check_vec3(km3_mulv(rate[1], kv3_unit(i)), kv3_scale(0.5e7, kv3_sub(high.rate, low.rate)), 1e-4);
        }
        low  = ask(&s, limit - 1e3 * h, v, zeta);
        high = ask(&s, limit + 1e3 * h, v, zeta);
        check_vec3(first(&e.force).x, kv3_scale(0.5e-3 / h, kv3_sub(high.force, low.force)), 2e-9 * size);
        check_vec3(first(&e.rate).x, kv3_scale(0.5e-3 / h, kv3_sub(high.rate, low.rate)), 2e-9 * size);
    }
}

CHECK_MAIN(NULL, NULL)
