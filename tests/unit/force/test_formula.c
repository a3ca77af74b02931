// SPDX-License-Identifier: MIT
// A user-defined law, written as one formula (kane/formula.h): what it looks at it has slopes in, and they are exact.

#include "unit/force/law.h"

// --- a law that looks at everything ---
//
// A rope winch on a mast: between the points a spring whose stiffness grows with the rotation, with a damper behind it
// that gives way (state 0) and warms (state 1); beside it a wind on b and a gyroscope in a.

typedef struct winch {
    kane_block block;
    double stiffness, damping, wind, gyro;
    int refuses;
} winch;

static const kane_schema winch_schema = {.name = "winch", .size = sizeof(winch)};

static int winch_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    (void)law;
    info[0] = (kane_law_state){.name = "given way", .unit = "m"};
    info[1] = (kane_law_state){.name = "heat", .unit = "J", .size = 1e3};
    return 2;
}

KANE_FORMULA winch_formula(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const winch *p = law;
    if (p->refuses)
        return KANE_RETRY;
    const kane_scalar x = kane_formula_state(m, 0), heat = kane_formula_state(m, 1);
    const kane_scalar length = ks3_norm(ks3_shift(m->d, m->d0));
    const kane_scalar k      = ks_scale(p->stiffness, ks_exp(ks_scale(0.1, ks3_dot(m->phi, m->phi))));
    const kane_scalar T      = ks_mul(k, ks_sub(ks_shift(length, -kv3_norm(m->d0)), x));
    const kane_scalar yield  = ks_over(T, p->damping);
    const kane_scalar3 n     = ks3_scale(ks_inverse(length), ks3_shift(m->d, m->d0));
    out->force               = ks3_scale(ks_neg(T), n);
    out->torque              = ks3_cross(ks3_constant(kv3(0.0, p->gyro, 0.0)), m->w);
    kane_formula_rate(out, 0, ks_add(yield, ks_scale(0.01, ks3_dot(m->v, n))));

    // wind along x of the ground, stronger higher up, on b; it is seen in the axes of a
    const kane_scalar speed = ks_sub(ks_constant(20.0), m->b.velocity.x);
    const kane_scalar blow  = ks_scale(p->wind, ks_mul(ks_square(speed), ks_sqrt(ks_shift(m->b.position.z, 10.0))));
    const kane_scalar3 wind = ks3(blow, ks_scale(0.1, ks_sin(m->b.position.x)), ks_mul(blow, m->b.axis[2].x));
    const kane_scalar3 gyro = ks3_cross(m->a.omega, ks3_by(p->gyro, m->a.axis[1]));
    const kane_formula_marker *a = &m->a;
    out->force =
        ks3_add(out->force, ks3(ks3_dot(a->axis[0], wind), ks3_dot(a->axis[1], wind), ks3_dot(a->axis[2], wind)));
    out->torque =
        ks3_sub(out->torque, ks3(ks3_dot(a->axis[0], gyro), ks3_dot(a->axis[1], gyro), ks3_dot(a->axis[2], gyro)));
    const kane_scalar warms = ks_sub(ks_mul(T, yield), ks_scale(0.1, ks_tanh(heat)));
    kane_formula_rate(out, 1, ks_add(warms, ks_mul(ks_scale(1e-3, heat), m->b.omega.z)));
    return 0;
}

KANE_FORMULA_FUNCTIONS(winch_formula, kane_law_always_turns)

static const kane_law winch_law = {
    .name     = "winch",
    .help     = "A test.",
    .schema   = &winch_schema,
    .absolute = kane_law_is_absolute,
    .states   = winch_states,
    .eval     = winch_formula_eval,
    .rates    = winch_formula_rates,
    .derive   = winch_formula_derive,
};

// --- the example of docs/elements.md ---

typedef struct rubber {
    double c, c_s, v_s, heating;
} rubber;

KANE_FORMULA rub(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const rubber *p         = law;
    const kane_scalar speed = ks3_norm(m->v), cold = ks_exp(ks_neg(kane_formula_state(m, 0)));
    const kane_scalar slow   = ks_inverse(ks_shift(ks_over(speed, p->v_s), 1.0));
    const kane_scalar factor = ks_mul(ks_shift(ks_scale(p->c_s, slow), p->c), cold);
    out->force               = ks3_scale(ks_neg(factor), m->v);
    kane_formula_rate(out, 0, ks_scale(p->heating, ks_square(speed)));
    return 0;
}
KANE_FORMULA_FUNCTIONS(rub, kane_law_never_turns)

CHECK_TEST(the_example_does_what_its_page_says)
{
    const rubber in       = {.c = 1e3, .c_s = 4e3, .v_s = 0.1, .heating = 0.5};
    const double warmth   = 0.3;
    const kane_relative r = {.v = {0.03, 0.0, 0.04}, .state = &warmth};
    kane_wrench on_b      = {kv3_zero(), kv3_zero()};
    double rate           = 0.0;
    kane_law_derivative d = {.absolute = NULL};
    assert_int_equal(rub_eval(&in, &r, &on_b), 0);
    assert_int_equal(rub_rates(&in, &r, &rate), 0);
    rub_derive(&in, &r, &d);
    const double factor = (1e3 + 4e3 / 1.5) * exp(-0.3);
    check_vec3(on_b.force, kv3_scale(-factor, r.v), 1e-12);
    check_near(rate, 0.5 * 0.05 * 0.05, 1e-15);
    check_vec3(d.state[0].force, kv3_scale(factor, r.v), 1e-12);
    check_vec3(d.state[0].rate_v, r.v, 1e-15);
    check_near(d.force_v.y.y, -factor, 1e-12); // across the motion
    check_near(d.force_d.x.x, 0.0, 0.0);
}

// --- its motion as numbers: 12 of relative motion, 2 states, 12 of each point ---

enum { NUMBERS = 12 + 2 + 24 };

typedef struct scene {
    posture p;
    kane_absolute absolute;
} scene;

static kane_relative relative_of(const scene *s)
{
    return (kane_relative){.d        = s->p.d,
                           .v        = s->p.v,
                           .phi      = s->p.phi,
                           .w        = s->p.w,
                           .d0       = kv3(0.3, 0.1, 0.5),
                           .state    = s->p.state,
                           .absolute = &s->absolute};
}

static void move(scene *s, int i, double h)
{
    if (i < 14) {
        *bench_number(&s->p, i) += h;
        return;
    }
    kane_marker *m = i < 26 ? &s->absolute.a : &s->absolute.b;
    const int kind = (i - 14) % 12 / 3, axis = (i - 14) % 3;
    const kane_vec3 e   = kv3_scale(h, kv3_unit(axis));
    const kane_mat3 one = km3_identity();
    const double s_h = sin(h), c_h = cos(h);
    switch (kind) {
    case 0: m->position = kv3_add(m->position, e); break;
    case 1:
        m->R = km3_mul(axis == 0   ? km3_turn_x(one, s_h, c_h)
                       : axis == 1 ? km3_turn_y(one, s_h, c_h)
                                   : km3_turn_z(one, s_h, c_h),
                       m->R);
        break;
    case 2: m->velocity = kv3_add(m->velocity, e); break;
    default: m->omega = kv3_add(m->omega, e); break;
    }
}

static bench_column slope_of(const kane_law_derivative *d, int i)
{
    if (i < 14)
        return bench_derivative(d, i, 2);
    const kane_law_point_derivative *p = i < 26 ? &d->absolute->a : &d->absolute->b;
    const kane_mat3 *force[]           = {&p->force_position, &p->force_turn, &p->force_velocity, &p->force_omega};
    const kane_mat3 *torque[]          = {&p->torque_position, &p->torque_turn, &p->torque_velocity, &p->torque_omega};
    const kane_vec3 *rate[]            = {p->rate_position, p->rate_turn, p->rate_velocity, p->rate_omega};
    const int kind = (i - 14) % 12 / 3, axis = (i - 14) % 3;
    bench_column c = {.on_b = {km3_mulv(*force[kind], kv3_unit(axis)), km3_mulv(*torque[kind], kv3_unit(axis))}};
    for (int k = 0; k < 2; k++)
        c.rates[k] = kv3_get(rate[kind][k], axis);
    return c;
}

static kane_marker random_marker(uint64_t *seed)
{
    const kane_vec3 turn = random_vector(seed, 0.5);
    kane_mat3 R          = km3_turn_x(km3_identity(), sin(turn.x), cos(turn.x));
    R                    = km3_turn_y(R, sin(turn.y), cos(turn.y));
    return (kane_marker){random_vector(seed, 3.0), km3_turn_z(R, sin(turn.z), cos(turn.z)), random_vector(seed, 5.0),
                         random_vector(seed, 1.0)};
}

CHECK_TEST(every_slope_is_that_of_the_formula)
{
    const winch in = {.stiffness = 1e5, .damping = 2e3, .wind = 0.5, .gyro = 300.0};
    const double h = 1e-6;
    uint64_t seed  = 11;
    for (int n = 0; n < 20; n++) {
        scene s                               = {.p = {.d   = random_vector(&seed, 0.1),
                                                       .v   = random_vector(&seed, 1.0),
                                                       .phi = random_vector(&seed, 0.3),
                                                       .w   = random_vector(&seed, 1.0)}};
        s.p.state[0]                          = 0.01 * random_number(&seed);
        s.p.state[1]                          = random_number(&seed);
        s.absolute                            = (kane_absolute){.a = random_marker(&seed), .b = random_marker(&seed)};
        kane_law_absolute_derivative absolute = {0};
        kane_law_derivative d                 = {.absolute = &absolute};
        const kane_relative at                = relative_of(&s);
        winch_law.derive(&in, &at, &d);
        for (int i = 0; i < NUMBERS; i++) {
            kane_wrench w[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
            double rates[2][KANE_LAW_STATES];
            for (int up = 0; up < 2; up++) {
                scene moved = s;
                move(&moved, i, up ? h : -h);
                const kane_relative r = relative_of(&moved);
                assert_int_equal(winch_law.eval(&in, &r, &w[up]), 0);
                assert_int_equal(winch_law.rates(&in, &r, rates[up]), 0);
            }
            const bench_column c = slope_of(&d, i);
            check_vec3(c.on_b.force, kv3_scale(0.5 / h, kv3_sub(w[1].force, w[0].force)), 1e-2);
            check_vec3(c.on_b.torque, kv3_scale(0.5 / h, kv3_sub(w[1].torque, w[0].torque)), 1e-4);
            check_near(c.rates[0], 0.5 / h * (rates[1][0] - rates[0][0]), 1e-5);
            check_near(c.rates[1], 0.5 / h * (rates[1][1] - rates[0][1]), 1e-1);
        }
    }
}

// What a law does not look at has no slopes: nothing is written there, and nothing is read.
CHECK_TEST(what_is_not_looked_at_is_left_alone)
{
    const kane_spring in  = {.stiffness = 1e5};
    CHECK_FREED(bench) p  = bench_create(&kane_law_spring, &in, kv3(0.3, 0.0, 0.4), kv3_zero());
    const kane_relative r = {.d0 = p.d0, .d = kv3(0.1, 0.0, 0.0)};
    kane_law_derivative d = {.force_phi = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, .state = {{.force = {1, 2, 3}}}};
    p.law->derive(p.data, &r, &d);
    check_vec3(d.force_phi.y, kv3(4, 5, 6), 0.0);
    check_vec3(d.state[0].force, kv3(1, 2, 3), 0.0);
    assert_true(d.force_d.x.x != 0.0);
}

CHECK_TEST(a_law_that_cannot_says_so)
{
    const winch in        = {.refuses = 1};
    const scene s         = {.absolute = {.a = {.R = km3_identity()}, .b = {.R = km3_identity()}}};
    const kane_relative r = relative_of(&s);
    kane_wrench on_b      = {kv3_zero(), kv3_zero()};
    double rates[KANE_LAW_STATES];
    assert_int_equal(winch_law.eval(&in, &r, &on_b), KANE_RETRY);
    assert_int_equal(winch_law.rates(&in, &r, rates), KANE_RETRY);
}

CHECK_MAIN(NULL, NULL)
