// SPDX-License-Identifier: MIT
// More of a law on the bench: forces of plain displacements, gradients of the energy, rest, and the stiffness under
// oscillations.

#ifndef KANE_TESTS_LAW_H
#define KANE_TESTS_LAW_H

#include "unit/force/law_bench.h"

static inline void expect_error(const kane_law *law, const void *parameters, const char *text)
{
    CHECK_ERRORS errors            = {0};
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    assert_null(law->prepare(parameters, arena, &errors));
    assert_true(errors.count >= 1);
    assert_string_equal(kane_errors_get(&errors, 0)->text, text);
}

static inline kane_wrench at(const bench *p, kane_vec3 d, kane_vec3 v, kane_vec3 phi, kane_vec3 w)
{
    const posture m = {.d = d, .v = v, .phi = phi, .w = w};
    return bench_eval(p, &m);
}

static inline kane_wrench pushed(const bench *p, kane_vec3 d, kane_vec3 v)
{
    return at(p, d, v, kv3_zero(), kv3_zero());
}

// Displacements up to `size`, states up to `state_size`.
static inline posture law_random(const bench *b, uint64_t *seed, double size, double state_size)
{
    posture m = bench_scatter(b, seed, size, 0.1);
    for (int i = 0; i < b->count; i++)
        m.state[i] = state_size * random_number(seed);
    return m;
}

static inline posture law_shifted(const posture *m, int number, double h)
{
    posture out = *m;
    *bench_number(&out, number) += h;
    return out;
}

// Derivative of force, torque and rates against central differences at one motion.
static inline void check_derivative_at(const bench *p, const posture *m, double h, double state_h, double tolerance)
{
    const kane_relative r = bench_relative(p, m);
    kane_law_derivative d = {0};
    p->law->derive(p->data, &r, &d);
    for (int i = 0; i < 12 + p->count; i++) {
        const double step = i < 12 ? h : state_h;
        const posture up = law_shifted(m, i, step), down = law_shifted(m, i, -step);
        const kane_wrench a = bench_eval(p, &up), b = bench_eval(p, &down);
        const kane_vec3 force  = kv3_scale(0.5 / step, kv3_sub(a.force, b.force)),
                        torque = kv3_scale(0.5 / step, kv3_sub(a.torque, b.torque));
        const bench_column c   = bench_derivative(&d, i, p->count);
        check_vec3(c.on_b.force, force, tolerance * (1e5 + kv3_norm(force)));
        check_vec3(c.on_b.torque, torque, tolerance * (1e5 + kv3_norm(torque)));
        double rate_up[KANE_LAW_STATES], rate_down[KANE_LAW_STATES];
        bench_rates(p, &up, rate_up);
        bench_rates(p, &down, rate_down);
        for (int k = 0; k < p->count; k++) {
            const double difference = 0.5 / step * (rate_up[k] - rate_down[k]);
            check_near(c.rates[k], difference, tolerance * (1.0 + fabs(difference)));
        }
    }
}

// At random motions; and force against the energy's gradient where it is `conservative` at rest.
static inline void check_derivatives(const bench *p, uint64_t seed, double size, int conservative)
{
    const double h = 1e-6;
    for (int k = 0; k < 20; k++) {
        const posture m = law_random(p, &seed, size, size);
        check_derivative_at(p, &m, h, h, 1e-6);
        if (!conservative)
            continue;
        posture rest = m;
        rest.v = rest.w         = kv3_zero();
        const kane_wrench still = bench_eval(p, &rest);
        for (int c = 0; c < 3; c++) {
            const posture up = law_shifted(&rest, c, h), down = law_shifted(&rest, c, -h);
            const double slope = (bench_energy(p, &up) - bench_energy(p, &down)) / (2.0 * h);
            check_near(-slope, kv3_get(still.force, c), 1e-5 * (100.0 + kv3_norm(still.force)));
        }
    }
}

// Nothing is gained, whatever the motion. Returns how much was lost at most [W].
static inline double check_loss(const bench *p, uint64_t seed, double size, double state_size, double tolerance)
{
    double most = 0.0;
    for (int k = 0; k < 200; k++) {
        const posture m   = law_random(p, &seed, size, state_size);
        const double loss = bench_loss(p, &m);
        check_figure(fmax(-loss, 0.0), "power gained");
        if (loss < -check_tolerance(tolerance))
            print_error("%g W are gained\n", -loss);
        assert_true(loss >= -check_tolerance(tolerance));
        most = fmax(most, loss);
    }
    return most;
}

// Nothing acts and nothing begins in the static position.
static inline void check_rest(const bench *p, kane_vec3 load)
{
    const posture rest = {.state = {0}};
    double rates[KANE_LAW_STATES];
    bench_rates(p, &rest, rates);
    for (int i = 0; i < p->count; i++)
        assert_true(rates[i] == 0.0);
    const kane_wrench w = bench_eval(p, &rest);
    check_vec3(w.force, load, 1e-12 * kv3_norm(load));
    check_vec3(w.torque, kv3_zero(), 0.0);
    check_near(bench_energy(p, &rest), 0.0, 0.0);
}

// Complex stiffness along an axis under small oscillations about a motion at rest, from the law's own derivative; one
// state at most.
typedef struct law_stiffness {
    double real, imaginary; // [N/m]
} law_stiffness;

static inline law_stiffness law_dynamic(const bench *p, const posture *m, int axis, double omega)
{
    const kane_relative r = bench_relative(p, m);
    kane_law_derivative d = {0};
    p->law->derive(p->data, &r, &d);
    const kane_vec3 e = kv3_unit(axis);
    law_stiffness k   = {-kv3_dot(e, km3_mulv(d.force_d, e)), -omega * kv3_dot(e, km3_mulv(d.force_v, e))};
    if (p->count > 0) {
        // (i omega - a) x = b: x = b (-a - i omega)/(a^2 + omega^2)
        const double a = d.state[0].rate_state[0], b = kv3_dot(e, d.state[0].rate_d);
        const double f = kv3_dot(e, d.state[0].force), size = a * a + omega * omega;
        k.real += f * b * a / size;
        k.imaginary += f * b * omega / size;
    }
    return k;
}

#endif
