// SPDX-License-Identifier: MIT
// Inertia and imaginary forces of a deformed body against sums over its masses, each of which is a point that moves.

#include "tree/flex_inertia.h"

#include "check.h"
#include "deformed_body.h"

enum { TERMS = 4, MODES = DEFORMED_MODES };

// A body that moves with v, w and accelerates with a, al; its modes at q, q', q''.
typedef struct motion {
    kane_vec3 r, v, w, a, al;
    double q[MODES], q_dot[MODES], q_ddot[MODES];
} motion;

static kane_flex flex_of(const deformed *d)
{
    return (kane_flex){.count           = MODES,
                       .momentum        = d->momentum,
                       .turning         = d->turning,
                       .gyration        = d->gyration,
                       .inertia         = (const double(*)[6])d->inertia,
                       .second          = (const double(*)[6])d->second,
                       .momentum_second = d->shape.momentum_second,
                       .turning_second  = d->shape.turning_second};
}

// Evenly between -1 and 1.
static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return 2.0 * (double)(*seed >> 11) / 9007199254740992.0 - 1.0;
}

static kane_vec3 some_vec3(uint64_t *seed)
{
    const double x = random_number(seed), y = random_number(seed), z = random_number(seed);
    return kv3(x, y, z);
}

static motion some_motion(uint64_t seed)
{
    motion m;
    m.r  = some_vec3(&seed);
    m.v  = some_vec3(&seed);
    m.w  = some_vec3(&seed);
    m.a  = some_vec3(&seed);
    m.al = some_vec3(&seed);
    for (int i = 0; i < MODES; i++) {
        m.q[i]      = random_number(&seed);
        m.q_dot[i]  = random_number(&seed);
        m.q_ddot[i] = random_number(&seed);
    }
    return m;
}

// Where a mass is from the body's origin, and the sums of its displacements by rates and second derivatives.
typedef struct mass_point {
    kane_vec3 b, rate, second;
} mass_point;

static mass_point point_at(const deformed *d, int k, const motion *m)
{
    mass_point p = {.b = d->x[k]};
    for (int at = 0; at < MODES * MODES; at++) {
        const int i = at / MODES, j = at % MODES;
        p.b      = kv3_add_scaled(p.b, 0.5 * m->q[i] * m->q[j], d->z[k][at]);
        p.rate   = kv3_add_scaled(p.rate, m->q[i] * m->q_dot[j], d->z[k][at]);
        p.second = kv3_add_scaled(p.second, m->q[i] * m->q_ddot[j] + m->q_dot[i] * m->q_dot[j], d->z[k][at]);
    }
    for (int i = 0; i < MODES; i++) {
        p.b      = kv3_add_scaled(p.b, m->q[i], d->s[k][i]);
        p.rate   = kv3_add_scaled(p.rate, m->q_dot[i], d->s[k][i]);
        p.second = kv3_add_scaled(p.second, m->q_ddot[i], d->s[k][i]);
    }
    return p;
}

// Sum of forces on the masses, as a wrench about the origin and on the modes.
typedef struct sum {
    kane_vec3 n, f;
    double mode[MODES];
} sum;

static void add_force(sum *s, const deformed *d, int k, const motion *m, kane_vec3 b, kane_vec3 force)
{
    s->f = kv3_add(s->f, force);
    s->n = kv3_add(s->n, kv3_cross(b, force));
    for (int i = 0; i < MODES; i++) {
        s->mode[i] += kv3_dot(d->s[k][i], force);
        for (int j = 0; j < MODES; j++)
            s->mode[i] += m->q[j] * kv3_dot(d->z[k][j * MODES + i], force);
    }
}

static void check_sum(const sum *s, const flex_wrench *got, const char *what)
{
    check_vec3(ks3_value(got->f), s->f, 1e-11);
    check_vec3(ks3_value(got->n), s->n, 1e-11);
    for (int i = 0; i < MODES; i++)
        if (!(fabs(ks_value(got->mode[i]) - s->mode[i]) <= 1e-11)) {
            print_error("%s, mode %d: %.14g, by masses %.14g\n", what, i, ks_value(got->mode[i]), s->mode[i]);
            fail();
        }
}

// What is not that of the rigid body and not M q''.
static void check_inertia(const deformed *d, const motion *m)
{
    const kane_flex flex = flex_of(d);
    sum whole            = {.n = kv3_zero()};
    kane_scalar mode[MODES];
    flex_wrench got = {.mode = mode};
    for (int k = 0; k < DEFORMED_MASSES; k++) {
        const mass_point p    = point_at(d, k, m);
        const kane_vec3 rel   = kv3_add(p.second, kv3_scale(2.0, kv3_cross(m->w, p.rate)));
        const kane_vec3 turns = kv3_add(kv3_cross(m->al, p.b), kv3_cross(m->w, kv3_cross(m->w, p.b)));
        const kane_vec3 rigid = kv3_add(kv3_cross(m->al, d->x[k]), kv3_cross(m->w, kv3_cross(m->w, d->x[k])));
        add_force(&whole, d, k, m, p.b, kv3_scale(d->m[k], kv3_add(kv3_add(m->a, turns), rel)));
        const kane_vec3 own = kv3_scale(-d->m[k], kv3_add(m->a, rigid)); // as the rigid body does it
        whole.f             = kv3_add(whole.f, own);
        whole.n             = kv3_add(whole.n, kv3_cross(d->x[k], own));
    }
    for (int i = 0; i < MODES; i++)
        for (int j = 0; j < MODES; j++)
            whole.mode[i] -= d->M[j * MODES + i] * m->q_ddot[j];
    flex_need(&flex, ks3_constant(m->w), ks3_constant(m->a), ks3_constant(m->al), m->q, m->q_dot, m->q_ddot, &got);
    check_sum(&whole, &got, "inertia");
}

CHECK_TEST(inertia_is_that_of_the_masses)
{
    static deformed d;
    deformed_build(&d, 3.0);
    for (uint64_t seed = 1; seed < 20; seed++) {
        const motion m = some_motion(seed);
        check_inertia(&d, &m);
    }
}

// Acceleration of a point at R + b of a frame, term by term, with relative velocity u.
static void frame_terms(const motion *frame, kane_vec3 at, kane_vec3 u, kane_vec3 out[TERMS])
{
    out[0] = frame->a;
    out[1] = kv3_cross(frame->w, kv3_cross(frame->w, at));
    out[2] = kv3_cross(frame->al, at);
    out[3] = kv3_scale(2.0, kv3_cross(frame->w, u));
}

// All twelve, beyond those of the rigid body.
static void check_imaginary(const deformed *d, const motion *m, const motion *frame)
{
    static const char *const names[TERMS] = {"translation", "centrifugal", "rotation", "gyroscopic"};
    const kane_flex flex                  = flex_of(d);
    sum whole[TERMS]                      = {{.n = kv3_zero()}};
    kane_scalar mode[TERMS][MODES];
    flex_wrench got[TERMS];
    for (int k = 0; k < DEFORMED_MASSES; k++) {
        const mass_point p = point_at(d, k, m);
        kane_vec3 moves    = kv3_add(kv3_add(m->v, kv3_cross(m->w, p.b)), p.rate);
        kane_vec3 term[TERMS], rigid[TERMS];
        frame_terms(frame, kv3_add(m->r, p.b), moves, term);
        frame_terms(frame, kv3_add(m->r, d->x[k]), kv3_add(m->v, kv3_cross(m->w, d->x[k])), rigid);
        for (int t = 0; t < TERMS; t++) {
            const kane_vec3 own = kv3_scale(d->m[k], rigid[t]);
            add_force(&whole[t], d, k, m, p.b, kv3_scale(-d->m[k], term[t]));
            whole[t].f = kv3_add(whole[t].f, own);
            whole[t].n = kv3_add(whole[t].n, kv3_cross(d->x[k], own));
        }
    }
    for (int t = 0; t < TERMS; t++)
        got[t].mode = mode[t];
    flex_imaginary(&flex, ks3_constant(frame->a), ks3_constant(frame->w), ks3_constant(frame->al), ks3_constant(m->r),
                   ks3_constant(m->v), ks3_constant(m->w), m->q, m->q_dot, got);
    for (int t = 0; t < TERMS; t++)
        check_sum(&whole[t], &got[t], names[t]);
}

CHECK_TEST(imaginary_forces_are_those_of_the_masses)
{
    static deformed d;
    deformed_build(&d, 3.0);
    for (uint64_t seed = 1; seed < 20; seed++) {
        const motion m = some_motion(seed), frame = some_motion(seed + 100);
        check_imaginary(&d, &m, &frame);
    }
}

// Masses that move by squares alone, a little: what is left out is of the third order.
CHECK_TEST(shortening_is_that_of_the_masses)
{
    static deformed d;
    deformed_build(&d, 3.0);
    memset(d.s, 0, sizeof d.s);
    memset(d.M, 0, sizeof d.M);
    memset(d.momentum, 0, sizeof d.momentum);
    memset(d.turning, 0, sizeof d.turning);
    memset(d.gyration, 0, sizeof d.gyration);
    memset(d.inertia, 0, sizeof d.inertia);
    memset(d.second, 0, sizeof d.second);
    deformed_shorten(&d);
    for (uint64_t seed = 1; seed < 20; seed++) {
        motion m           = some_motion(seed);
        const motion frame = some_motion(seed + 100);
        for (int i = 0; i < MODES; i++) {
            m.q[i] *= 1e-4;
            m.q_dot[i] *= 1e-4;
            m.q_ddot[i] *= 1e-4;
        }
        check_inertia(&d, &m);
        check_imaginary(&d, &m, &frame);
    }
}

CHECK_MAIN(NULL, NULL)
