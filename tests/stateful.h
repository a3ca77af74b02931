// SPDX-License-Identifier: MIT
// A force law with four states that couples everything with everything, so that nothing about states can be forgotten.
// It stands for no device.

#ifndef KANE_TESTS_STATEFUL_H
#define KANE_TESTS_STATEFUL_H

#include <kane/force.h>

#include <string.h>

enum { REMEMBERED = 4 };

// Rates and wrench are linear in displacement x = (d, v, phi, w) and states s, with one product each.
static inline double stateful_weight(int i, int k)
{
    return (double)((7 * i + 5 * k + 3) % 11) / 11.0 - 0.5;
}

static inline void stateful_see(const kane_relative *r, double x[12])
{
    const kane_vec3 of[] = {r->d, r->v, r->phi, r->w};
    for (int k = 0; k < 12; k++)
        x[k] = kv3_get(of[k / 3], k % 3) * (k < 3 ? 10.0 : 1.0);
}

static inline int stateful_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    static const char *const names[REMEMBERED] = {"first", "second", "third", "fourth"};
    (void)law;
    for (int i = 0; i < REMEMBERED; i++)
        info[i] = (kane_law_state){names[i], "1", "what is remembered", 1.0, 0};
    return REMEMBERED;
}

static inline int stateful_rates(const void *law, const kane_relative *r, double *rates)
{
    double x[12];
    (void)law;
    stateful_see(r, x);
    for (int i = 0; i < REMEMBERED; i++) {
        rates[i] = -3.0 * r->state[i] + 0.5 * x[i] * r->state[(i + 1) % REMEMBERED];
        for (int k = 0; k < 12; k++)
            rates[i] += stateful_weight(i, k) * x[k];
    }
    return 0;
}

static inline int stateful_eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    double x[12], f[6];
    (void)law;
    stateful_see(r, x);
    for (int i = 0; i < 6; i++) {
        f[i] = -400.0 * x[i] + 200.0 * r->state[i % REMEMBERED] * x[2 * i];
        for (int k = 0; k < REMEMBERED; k++)
            f[i] += 900.0 * stateful_weight(i + 2, k) * r->state[k];
    }
    on_b->force  = kv3(f[0], f[1], f[2]);
    on_b->torque = kv3(f[3], f[4], f[5]);
    return 0;
}

// d/dx[k]; x: d, v, phi, w
static inline void stateful_derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    kane_mat3 *const force[]  = {&out->force_d, &out->force_v, &out->force_phi, &out->force_w};
    kane_mat3 *const torque[] = {&out->torque_d, &out->torque_v, &out->torque_phi, &out->torque_w};
    double x[12];
    (void)law;
    stateful_see(r, x);
    for (int k = 0; k < 12; k++) {
        const double size = k < 3 ? 10.0 : 1.0;
        double f[6];
        for (int i = 0; i < 6; i++)
            f[i] = size * ((k == i ? -400.0 : 0.0) + (k == 2 * i ? 200.0 * r->state[i % REMEMBERED] : 0.0));
        km3_set_column(force[k / 3], k % 3, kv3(f[0], f[1], f[2]));
        km3_set_column(torque[k / 3], k % 3, kv3(f[3], f[4], f[5]));
        for (int i = 0; i < REMEMBERED; i++) {
            kane_law_state_derivative *s = &out->state[i];
            kane_vec3 *const row[]       = {&s->rate_d, &s->rate_v, &s->rate_phi, &s->rate_w};
            const double product         = k == i ? 0.5 * r->state[(i + 1) % REMEMBERED] : 0.0;
            *row[k / 3] = kv3_add_scaled(*row[k / 3], size * (stateful_weight(i, k) + product), kv3_unit(k % 3));
        }
    }
    for (int k = 0; k < REMEMBERED; k++) {
        double f[6];
        for (int i = 0; i < 6; i++)
            f[i] = 900.0 * stateful_weight(i + 2, k) + (i % REMEMBERED == k ? 200.0 * x[2 * i] : 0.0);
        out->state[k].force  = kv3(f[0], f[1], f[2]);
        out->state[k].torque = kv3(f[3], f[4], f[5]);
        out->state[k].rate_state[k] -= 3.0;
        out->state[k].rate_state[(k + 1) % REMEMBERED] += 0.5 * x[k];
    }
}

static const kane_law stateful_law = {
    .name   = "stateful",
    .help   = "A law of tests.",
    .states = stateful_states,
    .eval   = stateful_eval,
    .rates  = stateful_rates,
    .derive = stateful_derive,
};

#endif
