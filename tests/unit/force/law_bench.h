// SPDX-License-Identifier: MIT
// A law on the bench: prepared and settled, moved by hand, with its states integrated.

#ifndef KANE_TESTS_LAW_BENCH_H
#define KANE_TESTS_LAW_BENCH_H

#include "models.h"

#include "base/arena.h"

typedef struct bench {
    kane_arena *arena;
    const kane_law *law;
    void *data;
    kane_vec3 d0;
    int count; // of states
    kane_law_state info[KANE_LAW_STATES];
} bench;

// Where the law is: motion and states.
typedef struct posture {
    kane_vec3 d, v, phi, w;
    double state[KANE_LAW_STATES];
} posture;

static inline bench bench_create(const kane_law *law, const void *parameters, kane_vec3 d0, kane_vec3 load)
{
    CHECK_ERRORS errors = {0};
    bench b             = {.arena = kane_arena_create(), .law = law, .d0 = d0};
    if (law->prepare) {
        b.data = law->prepare(parameters, b.arena, &errors);
    } else {
        b.data = kane_law_memory(b.arena, 1, law->schema->size);
        memcpy(b.data, parameters, law->schema->size);
    }
    check_no_errors(&errors);
    assert_non_null(b.data);
    if (law->settle)
        assert_int_equal(law->settle(b.data, d0, load, &errors), 0);
    check_no_errors(&errors);
    b.count = law->states ? law->states(b.data, b.info) : 0;
    return b;
}

static inline void bench_free(bench *b)
{
    kane_arena_free(b->arena);
}

static inline kane_relative bench_relative(const bench *b, const posture *p)
{
    return (kane_relative){.d = p->d, .v = p->v, .phi = p->phi, .w = p->w, .d0 = b->d0, .state = p->state};
}

static inline kane_wrench bench_eval(const bench *b, const posture *p)
{
    const kane_relative r = bench_relative(b, p);
    kane_wrench on_b      = {kv3_zero(), kv3_zero()};
    assert_int_equal(b->law->eval(b->data, &r, &on_b), 0);
    return on_b;
}

static inline void bench_rates(const bench *b, const posture *p, double rates[KANE_LAW_STATES])
{
    const kane_relative r = bench_relative(b, p);
    memset(rates, 0, KANE_LAW_STATES * sizeof *rates);
    if (b->count > 0)
        assert_int_equal(b->law->rates(b->data, &r, rates), 0);
}

static inline double bench_energy(const bench *b, const posture *p)
{
    const kane_relative r = bench_relative(b, p);
    return b->law->energy ? b->law->energy(b->data, &r) : 0.0;
}

// Power that goes into the law [W].
static inline double bench_power(const bench *b, const posture *p)
{
    const kane_wrench on_b = bench_eval(b, p);
    return -kv3_dot(on_b.force, p->v) - kv3_dot(on_b.torque, p->w);
}

// The numbers of a posture, 12 of motion and then the states.
enum { BENCH_NUMBERS = 12 + KANE_LAW_STATES };

static inline double *bench_number(posture *p, int i)
{
    kane_vec3 *const vectors[] = {&p->d, &p->v, &p->phi, &p->w};
    if (i >= 12)
        return &p->state[i - 12];
    kane_vec3 *v = vectors[i / 3];
    return i % 3 == 0 ? &v->x : i % 3 == 1 ? &v->y : &v->z;
}

// A column of the derivative: forces, torques, rates.
typedef struct bench_column {
    kane_wrench on_b;
    double rates[KANE_LAW_STATES];
} bench_column;

static inline bench_column bench_derivative(const kane_law_derivative *d, int i, int count)
{
    const kane_mat3 *force[]  = {&d->force_d, &d->force_v, &d->force_phi, &d->force_w};
    const kane_mat3 *torque[] = {&d->torque_d, &d->torque_v, &d->torque_phi, &d->torque_w};
    bench_column c            = {0};
    if (i < 12) {
        c.on_b.force  = km3_mulv(*force[i / 3], kv3_unit(i % 3));
        c.on_b.torque = km3_mulv(*torque[i / 3], kv3_unit(i % 3));
    } else {
        c.on_b.force  = d->state[i - 12].force;
        c.on_b.torque = d->state[i - 12].torque;
    }
    for (int k = 0; k < count; k++) {
        const kane_law_state_derivative *s = &d->state[k];
        const kane_vec3 by[]               = {s->rate_d, s->rate_v, s->rate_phi, s->rate_w};
        c.rates[k]                         = i < 12 ? kv3_get(by[i / 3], i % 3) : s->rate_state[i - 12];
    }
    return c;
}

// The derivative against central differences at one posture. `force`, `rate`: what counts as one of each.
static inline void bench_check_derivative(const bench *b, const posture *p, double force, double rate)
{
    const double h        = 2e-9; // second derivatives have corners
    const kane_relative r = bench_relative(b, p);
    kane_law_derivative d = {0};
    b->law->derive(b->data, &r, &d);
    for (int i = 0; i < 12 + b->count; i++) {
        posture side[2] = {*p, *p};
        double rates[2][KANE_LAW_STATES];
        *bench_number(&side[0], i) -= h;
        *bench_number(&side[1], i) += h;
        const kane_wrench low = bench_eval(b, &side[0]), high = bench_eval(b, &side[1]);
        const bench_column c   = bench_derivative(&d, i, b->count);
        const kane_vec3 forces = kv3_scale(0.5 / h, kv3_sub(high.force, low.force));
        const kane_vec3 turns  = kv3_scale(0.5 / h, kv3_sub(high.torque, low.torque));
        check_vec3(c.on_b.force, forces, 1e-5 * (force + kv3_norm(forces)));
        check_vec3(c.on_b.torque, turns, 1e-5 * (force + kv3_norm(turns)));
        bench_rates(b, &side[0], rates[0]);
        bench_rates(b, &side[1], rates[1]);
        for (int k = 0; k < b->count; k++) {
            const double slope = (rates[1][k] - rates[0][k]) / (2.0 * h);
            check_near(c.rates[k], slope, 1e-5 * (rate + fabs(slope)));
        }
    }
}

// Postures at random: displacements and turns of these sizes, speeds of 1, states up to 1.3.
static inline posture bench_scatter(const bench *b, uint64_t *seed, double size, double angle)
{
    posture p = {.d   = random_vector(seed, size),
                 .v   = random_vector(seed, 1.0),
                 .phi = random_vector(seed, angle),
                 .w   = random_vector(seed, 1.0)};
    for (int k = 0; k < b->count; k++)
        p.state[k] = 1.3 * random_number(seed);
    return p;
}

// What is lost: power into the law less what its energy gains, which is taken from the derivative of the energy.
static inline double bench_loss(const bench *b, const posture *p)
{
    double rates[KANE_LAW_STATES];
    const double h  = 1e-7;
    posture side[2] = {*p, *p};
    bench_rates(b, p, rates);
    for (int i = 0; i < 2; i++) {
        const double s = i == 0 ? -h : h;
        side[i].d      = kv3_add_scaled(p->d, s, p->v);
        side[i].phi    = kv3_add_scaled(p->phi, s, p->w);
        for (int k = 0; k < b->count; k++)
            side[i].state[k] = p->state[k] + s * rates[k];
    }
    return bench_power(b, p) - (bench_energy(b, &side[1]) - bench_energy(b, &side[0])) / (2.0 * h);
}

// At many postures the derivative is right and nothing makes energy. `force`, `rate`: what counts as one of each.
static inline void bench_check_all(const bench *b, uint64_t seed, double size, double angle, double force, double rate)
{
    double most = 0.0;
    for (int k = 0; k < 200; k++) {
        const posture p   = bench_scatter(b, &seed, size, angle);
        const double lost = bench_loss(b, &p);
        bench_check_derivative(b, &p, force, rate);
        assert_true(lost >= -1e-6 * check_tolerance(1.0) * (force + fabs(bench_power(b, &p))));
        most = fmax(most, lost);
    }
    assert_true(most > 0.01 * force);
}

// What a law says about input that makes no sense.
static inline void bench_expect_error(const kane_law *law, const void *parameters, double load, const char *text)
{
    CHECK_ERRORS errors            = {0};
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    void *data                     = law->prepare(parameters, arena, &errors);
    if (data && law->settle)
        assert_int_not_equal(law->settle(data, kv3_zero(), kv3(0, 0, load), &errors), 0);
    assert_true(errors.count >= 1);
    assert_string_equal(kane_errors_get(&errors, 0)->text, text);
}

// Moves along `path(t)` for a time, states by the classical Runge-Kutta method; the posture of the end.
typedef void bench_path(const void *data, double t, posture *p);

static inline posture bench_move(const bench *b, bench_path *path, const void *data, double t0, double t1, int steps,
                                 posture p)
{
    const double h = (t1 - t0) / steps;
    for (int i = 0; i < steps; i++) {
        static const double at[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        double k[5][KANE_LAW_STATES] = {{0}}, sum[KANE_LAW_STATES] = {0};
        for (int s = 0; s < 4; s++) {
            posture q = p;
            path(data, t0 + (i + at[s]) * h, &q);
            for (int n = 0; n < b->count; n++)
                q.state[n] = p.state[n] + h * at[s] * k[s][n];
            bench_rates(b, &q, k[s + 1]);
            for (int n = 0; n < b->count; n++)
                sum[n] += weight[s] * h * k[s + 1][n];
        }
        for (int n = 0; n < b->count; n++)
            p.state[n] += sum[n];
    }
    path(data, t1, &p);
    return p;
}

#endif
