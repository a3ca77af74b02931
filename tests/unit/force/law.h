// SPDX-License-Identifier: MIT
// Trying a force law alone: its wrench, rates and energy at a motion, its derivative against differences, its energy
// against the work it takes, and its states under a given motion.

#ifndef KANE_TESTS_LAW_H
#define KANE_TESTS_LAW_H

#include "models.h"

#include "base/arena.h"

typedef struct prepared {
    kane_arena *arena;
    const kane_law *law;
    void *data;
    kane_vec3 d0;
    int state_count;
    kane_law_state info[KANE_LAW_STATES];
} prepared;

static inline prepared prepare(const kane_law *law, const void *parameters, kane_vec3 d0, kane_vec3 load)
{
    kane_errors errors = {0};
    prepared p         = {.arena = kane_arena_create(), .law = law, .d0 = d0};
    if (law->prepare) {
        p.data = law->prepare(parameters, p.arena, &errors);
    } else {
        p.data = kane_law_memory(p.arena, 1, law->schema->size);
        memcpy(p.data, parameters, law->schema->size);
    }
    check_no_errors(&errors);
    assert_non_null(p.data);
    p.state_count = law->states ? law->states(p.data, p.info) : 0;
    if (law->settle)
        assert_int_equal(law->settle(p.data, d0, load, &errors), 0);
    check_no_errors(&errors);
    return p;
}

static inline void expect_error(const kane_law *law, const void *parameters, const char *text)
{
    kane_errors errors = {0};
    kane_arena *arena  = kane_arena_create();
    assert_null(law->prepare(parameters, arena, &errors));
    assert_true(errors.count >= 1);
    assert_string_equal(errors.kept[0].text, text);
    kane_arena_free(arena);
}

// d, v, phi, w, and the states.
typedef struct law_motion {
    kane_vec3 x[4];
    double state[KANE_LAW_STATES];
} law_motion;

static inline kane_relative law_relative(const prepared *p, const law_motion *m)
{
    return (kane_relative){.d = m->x[0], .v = m->x[1], .phi = m->x[2], .w = m->x[3], .d0 = p->d0, .state = m->state};
}

static inline kane_wrench law_wrench(const prepared *p, const law_motion *m)
{
    const kane_relative r = law_relative(p, m);
    kane_wrench on_b      = {kv3_zero(), kv3_zero()};
    assert_int_equal(p->law->eval(p->data, &r, &on_b), 0);
    return on_b;
}

static inline void law_rates(const prepared *p, const law_motion *m, double rates[KANE_LAW_STATES])
{
    const kane_relative r = law_relative(p, m);
    memset(rates, 0, KANE_LAW_STATES * sizeof *rates);
    if (p->state_count > 0)
        assert_int_equal(p->law->rates(p->data, &r, rates), 0);
}

static inline double law_energy(const prepared *p, const law_motion *m)
{
    const kane_relative r = law_relative(p, m);
    return p->law->energy ? p->law->energy(p->data, &r) : 0.0;
}

static inline kane_wrench at(const prepared *p, kane_vec3 d, kane_vec3 v, kane_vec3 phi, kane_vec3 w)
{
    const law_motion m = {.x = {d, v, phi, w}};
    return law_wrench(p, &m);
}

static inline kane_wrench pushed(const prepared *p, kane_vec3 d, kane_vec3 v)
{
    return at(p, d, v, kv3_zero(), kv3_zero());
}

// Displacements up to `size`, states up to `state_size`.
static inline law_motion law_random(const prepared *p, uint64_t *seed, double size, double state_size)
{
    law_motion m = {
        .x = {random_vector(seed, size), random_vector(seed, 1.0), random_vector(seed, 0.1), random_vector(seed, 1.0)}};
    for (int i = 0; i < p->state_count; i++)
        m.state[i] = state_size * random_number(seed);
    return m;
}

// Motion m with the c-th of d, v, phi, w and the states changed by h.
static inline law_motion law_shifted(const law_motion *m, int c, double h)
{
    law_motion out = *m;
    if (c < 12)
        out.x[c / 3] = kv3_add_scaled(m->x[c / 3], h, kv3_unit(c % 3));
    else
        out.state[c - 12] += h;
    return out;
}

// Derivative of force, torque and rates against central differences at one motion.
static inline void check_derivative_at(const prepared *p, const law_motion *m, double h, double state_h,
                                       double tolerance)
{
    const kane_relative r = law_relative(p, m);
    kane_law_derivative d = {0};
    p->law->derive(p->data, &r, &d);
    const kane_mat3 *force[4]  = {&d.force_d, &d.force_v, &d.force_phi, &d.force_w};
    const kane_mat3 *torque[4] = {&d.torque_d, &d.torque_v, &d.torque_phi, &d.torque_w};
    for (int c = 0; c < 12 + p->state_count; c++) {
        const double step   = c < 12 ? h : state_h;
        const law_motion up = law_shifted(m, c, step), down = law_shifted(m, c, -step);
        const kane_wrench a = law_wrench(p, &up), b = law_wrench(p, &down);
        const kane_vec3 e        = kv3_unit(c % 3);
        const kane_vec3 column_f = c < 12 ? km3_mulv(*force[c / 3], e) : d.state[c - 12].force,
                        column_t = c < 12 ? km3_mulv(*torque[c / 3], e) : d.state[c - 12].torque;
        const kane_vec3 diff_f   = kv3_scale(0.5 / step, kv3_sub(a.force, b.force)),
                        diff_t   = kv3_scale(0.5 / step, kv3_sub(a.torque, b.torque));
        check_vec3(column_f, diff_f, tolerance * (1e5 + kv3_norm(diff_f)));
        check_vec3(column_t, diff_t, tolerance * (1e5 + kv3_norm(diff_t)));
        double rate_up[KANE_LAW_STATES], rate_down[KANE_LAW_STATES];
        law_rates(p, &up, rate_up);
        law_rates(p, &down, rate_down);
        for (int i = 0; i < p->state_count; i++) {
            const kane_law_state_derivative *s = &d.state[i];
            const kane_vec3 row[4]             = {s->rate_d, s->rate_v, s->rate_phi, s->rate_w};
            const double here                  = c < 12 ? kv3_get(row[c / 3], c % 3) : s->rate_state[c - 12];
            const double difference            = 0.5 / step * (rate_up[i] - rate_down[i]);
            check_near(here, difference, tolerance * (1.0 + fabs(difference)));
        }
    }
}

// At random motions; and force against the energy's gradient where it is `conservative` at rest.
static inline void check_derivatives(const prepared *p, uint64_t seed, double size, int conservative)
{
    const double h = 1e-6;
    for (int k = 0; k < 20; k++) {
        const law_motion m = law_random(p, &seed, size, size);
        check_derivative_at(p, &m, h, h, 1e-6);
        if (!conservative)
            continue;
        law_motion rest = m;
        rest.x[1] = rest.x[3]   = kv3_zero();
        const kane_wrench still = law_wrench(p, &rest);
        for (int c = 0; c < 3; c++) {
            const law_motion up = law_shifted(&rest, c, h), down = law_shifted(&rest, c, -h);
            const double slope = (law_energy(p, &up) - law_energy(p, &down)) / (2.0 * h);
            check_near(-slope, kv3_get(still.force, c), 1e-5 * (100.0 + kv3_norm(still.force)));
        }
    }
}

// What is lost [W]: the work b does on the law, less what the stored energy grows by. phi grows by w.
static inline double law_loss(const prepared *p, const law_motion *m)
{
    const kane_wrench on_b = law_wrench(p, m);
    double rates[KANE_LAW_STATES];
    law_rates(p, m, rates);
    const double h    = 1e-6;
    law_motion way[2] = {*m, *m};
    for (int side = 0; side < 2; side++) {
        const double step = side ? h : -h;
        way[side].x[0]    = kv3_add_scaled(m->x[0], step, m->x[1]);
        way[side].x[2]    = kv3_add_scaled(m->x[2], step, m->x[3]);
        for (int i = 0; i < p->state_count; i++)
            way[side].state[i] += step * rates[i];
    }
    const double growth = (law_energy(p, &way[1]) - law_energy(p, &way[0])) / (2.0 * h);
    return -kv3_dot(on_b.force, m->x[1]) - kv3_dot(on_b.torque, m->x[3]) - growth;
}

// Nothing is gained, whatever the motion. Returns how much was lost at most [W].
static inline double check_loss(const prepared *p, uint64_t seed, double size, double state_size, double tolerance)
{
    double most = 0.0;
    for (int k = 0; k < 200; k++) {
        const law_motion m = law_random(p, &seed, size, state_size);
        const double loss  = law_loss(p, &m);
        if (loss < -check_tolerance(tolerance))
            print_error("%g W are gained\n", -loss);
        assert_true(loss >= -check_tolerance(tolerance));
        most = fmax(most, loss);
    }
    return most;
}

// Nothing acts and nothing begins in the static position.
static inline void check_rest(const prepared *p, kane_vec3 load)
{
    const law_motion rest = {.state = {0}};
    double rates[KANE_LAW_STATES];
    law_rates(p, &rest, rates);
    for (int i = 0; i < p->state_count; i++)
        assert_true(rates[i] == 0.0);
    const kane_wrench w = law_wrench(p, &rest);
    check_vec3(w.force, load, 1e-12 * kv3_norm(load));
    check_vec3(w.torque, kv3_zero(), 0.0);
    check_near(law_energy(p, &rest), 0.0, 0.0);
}

// A given motion: fills d, v, phi, w at a time.
typedef void law_drive(double t, const void *how, law_motion *m);

// The states after a given motion from t to t + steps h, by the classical Runge-Kutta method.
static inline void law_follow(const prepared *p, law_drive *drive, const void *how, double t, double h, int steps,
                              double *state)
{
    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int n = 0; n < steps; n++) {
        double k[KANE_LAW_STATES] = {0}, sum[KANE_LAW_STATES] = {0};
        for (int stage = 0; stage < 4; stage++) {
            law_motion m = {.state = {0}};
            drive(t + (n + part[stage]) * h, how, &m);
            for (int i = 0; i < p->state_count; i++)
                m.state[i] = state[i] + part[stage] * h * k[i];
            law_rates(p, &m, k);
            for (int i = 0; i < p->state_count; i++)
                sum[i] += weight[stage] * k[i];
        }
        for (int i = 0; i < p->state_count; i++)
            state[i] += h * sum[i];
    }
}

// Complex stiffness along an axis under small oscillations about a motion at rest, from the law's own derivative; one
// state at most.
typedef struct law_stiffness {
    double real, imaginary; // [N/m]
} law_stiffness;

static inline law_stiffness law_dynamic(const prepared *p, const law_motion *m, int axis, double omega)
{
    const kane_relative r = law_relative(p, m);
    kane_law_derivative d = {0};
    p->law->derive(p->data, &r, &d);
    const kane_vec3 e = kv3_unit(axis);
    law_stiffness k   = {-kv3_dot(e, km3_mulv(d.force_d, e)), -omega * kv3_dot(e, km3_mulv(d.force_v, e))};
    if (p->state_count > 0) {
        // (i omega - a) x = b: x = b (-a - i omega)/(a^2 + omega^2)
        const double a = d.state[0].rate_state[0], b = kv3_dot(e, d.state[0].rate_d);
        const double f = kv3_dot(e, d.state[0].force), size = a * a + omega * omega;
        k.real += f * b * a / size;
        k.imaginary += f * b * omega / size;
    }
    return k;
}

#endif
