// SPDX-License-Identifier: MIT
// A force law that looks at all that a law may see: relative and absolute motion of both points, and states. It stands
// for no device.

#ifndef KANE_TESTS_GROUNDED_H
#define KANE_TESTS_GROUNDED_H

#include "stateful.h"

#include <kane/formula.h>

#include <math.h>

enum { GROUNDED_SEEN = 36 }; // d, v, phi, w; position, attitude, velocity, angular velocity of a; of b

// Of an attitude it sees where this vector points.
static const kane_vec3 grounded_arrow = {0.4, -0.7, 0.5};

static inline void grounded_see_point(const kane_marker *m, double x[12])
{
    const kane_vec3 of[] = {kv3_scale(0.02, m->position), km3_mulv(m->R, grounded_arrow), kv3_scale(0.03, m->velocity),
                            m->omega};
    for (int k = 0; k < 12; k++)
        x[k] = kv3_get(of[k / 3], k % 3);
}

static inline void grounded_see(const kane_relative *r, double x[GROUNDED_SEEN])
{
    stateful_see(r, x);
    grounded_see_point(&r->absolute->a, x + 12);
    grounded_see_point(&r->absolute->b, x + 24);
}

static inline double grounded_weight(int i, int k)
{
    return 0.3 * sin(1.0 + 7.0 * i + 0.9 * k * (i + 1));
}

static inline int grounded_eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    double x[GROUNDED_SEEN], f[6];
    (void)law;
    grounded_see(r, x);
    for (int i = 0; i < 6; i++) {
        f[i] = 200.0 * r->state[i % REMEMBERED] * x[5 * i];
        for (int k = 0; k < GROUNDED_SEEN; k++)
            f[i] += 400.0 * grounded_weight(i, k) * (x[k] + 0.5 * x[k] * x[k]);
        for (int k = 0; k < REMEMBERED; k++)
            f[i] += 900.0 * stateful_weight(i + 2, k) * r->state[k];
    }
    on_b->force  = kv3(f[0], f[1], f[2]);
    on_b->torque = kv3(f[3], f[4], f[5]);
    return 0;
}

static inline int grounded_rates(const void *law, const kane_relative *r, double *rates)
{
    double x[GROUNDED_SEEN];
    (void)law;
    grounded_see(r, x);
    for (int i = 0; i < REMEMBERED; i++) {
        rates[i] = -3.0 * r->state[i] + 0.5 * x[7 * i] * r->state[(i + 1) % REMEMBERED];
        for (int k = 0; k < GROUNDED_SEEN; k++)
            rates[i] += grounded_weight(i + 6, k) * (x[k] + 0.5 * x[k] * x[k]);
    }
    return 0;
}

// d(force and torque)/d(x[k]) and d(rates)/d(x[k]), each added times `by`.
static inline void grounded_slope(const kane_relative *r, const double *x, int k, double by, double f[6], double *rates)
{
    for (int i = 0; i < 6; i++)
        f[i] +=
            by * (400.0 * grounded_weight(i, k) * (1.0 + x[k]) + (k == 5 * i ? 200.0 * r->state[i % REMEMBERED] : 0.0));
    for (int i = 0; i < REMEMBERED; i++)
        rates[i] +=
            by * (grounded_weight(i + 6, k) * (1.0 + x[k]) + (k == 7 * i ? 0.5 * r->state[(i + 1) % REMEMBERED] : 0.0));
}

static inline void grounded_derive_point(const kane_relative *r, const double *x, int first, const kane_marker *m,
                                         kane_law_point_derivative *out)
{
    kane_mat3 *const force[]   = {&out->force_position, &out->force_turn, &out->force_velocity, &out->force_omega};
    kane_mat3 *const torque[]  = {&out->torque_position, &out->torque_turn, &out->torque_velocity, &out->torque_omega};
    kane_vec3 *const row[]     = {out->rate_position, out->rate_turn, out->rate_velocity, out->rate_omega};
    static const double size[] = {0.02, 1.0, 0.03, 1.0};
    const kane_vec3 arrow      = km3_mulv(m->R, grounded_arrow);
    for (int k = 0; k < 12; k++) {
        double f[6] = {0.0}, rates[REMEMBERED] = {0.0};
        const kane_vec3 turned = kv3_cross(kv3_unit(k % 3), arrow);
        if (k / 3 == 1)
            for (int j = 0; j < 3; j++)
                grounded_slope(r, x, first + 3 + j, kv3_get(turned, j), f, rates);
        else
            grounded_slope(r, x, first + k, size[k / 3], f, rates);
        km3_set_column(force[k / 3], k % 3, kv3(f[0], f[1], f[2]));
        km3_set_column(torque[k / 3], k % 3, kv3(f[3], f[4], f[5]));
        for (int i = 0; i < REMEMBERED; i++)
            row[k / 3][i] = kv3_add_scaled(row[k / 3][i], rates[i], kv3_unit(k % 3));
    }
}

static inline void grounded_derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    kane_mat3 *const force[]  = {&out->force_d, &out->force_v, &out->force_phi, &out->force_w};
    kane_mat3 *const torque[] = {&out->torque_d, &out->torque_v, &out->torque_phi, &out->torque_w};
    double x[GROUNDED_SEEN];
    (void)law;
    grounded_see(r, x);
    for (int k = 0; k < 12; k++) {
        double f[6] = {0.0}, rates[REMEMBERED] = {0.0};
        grounded_slope(r, x, k, k < 3 ? 10.0 : 1.0, f, rates);
        km3_set_column(force[k / 3], k % 3, kv3(f[0], f[1], f[2]));
        km3_set_column(torque[k / 3], k % 3, kv3(f[3], f[4], f[5]));
        for (int i = 0; i < REMEMBERED; i++) {
            kane_law_state_derivative *s = &out->state[i];
            kane_vec3 *const row[]       = {&s->rate_d, &s->rate_v, &s->rate_phi, &s->rate_w};
            *row[k / 3]                  = kv3_add_scaled(*row[k / 3], rates[i], kv3_unit(k % 3));
        }
    }
    grounded_derive_point(r, x, 12, &r->absolute->a, &out->absolute->a);
    grounded_derive_point(r, x, 24, &r->absolute->b, &out->absolute->b);
    for (int k = 0; k < REMEMBERED; k++) {
        double f[6];
        for (int i = 0; i < 6; i++)
            f[i] = 900.0 * stateful_weight(i + 2, k) + (i % REMEMBERED == k ? 200.0 * x[5 * i] : 0.0);
        out->state[k].force  = kv3(f[0], f[1], f[2]);
        out->state[k].torque = kv3(f[3], f[4], f[5]);
        out->state[k].rate_state[k] -= 3.0;
        out->state[(k + REMEMBERED - 1) % REMEMBERED].rate_state[k] += 0.5 * x[7 * ((k + REMEMBERED - 1) % REMEMBERED)];
    }
}

static const kane_law grounded_law = {
    .name     = "grounded",
    .help     = "A law of tests.",
    .absolute = kane_law_is_absolute,
    .states   = stateful_states,
    .eval     = grounded_eval,
    .rates    = grounded_rates,
    .derive   = grounded_derive,
};

// The same without slopes of its own.
static const kane_law grounded_law_differenced = {
    .name     = "grounded, differenced",
    .help     = "A law of tests.",
    .absolute = kane_law_is_absolute,
    .states   = stateful_states,
    .eval     = grounded_eval,
    .rates    = grounded_rates,
};

// A formula of the absolute motion of both points alone.
KANE_FORMULA grounded_product(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const kane_scalar3 swing = ks3_sub(m->b.velocity, ks3_cross(m->a.omega, m->a.position));
    (void)law;
    out->force  = ks3_add(ks3_scale(ks3_dot(m->a.axis[0], m->b.axis[1]), swing), ks3_cross(m->a.velocity, m->b.omega));
    out->torque = ks3_scale(ks3_dot(m->a.velocity, m->b.axis[2]), m->a.axis[1]);
    return 0;
}

KANE_FORMULA_FUNCTIONS(grounded_product, kane_law_never_turns)

static const kane_law grounded_formula = {
    .name     = "grounded, by formula",
    .help     = "A law of tests.",
    .turns    = kane_law_never_turns,
    .absolute = kane_law_is_absolute,
    .eval     = grounded_product_eval,
    .derive   = grounded_product_derive,
};

#endif
