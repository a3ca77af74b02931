// SPDX-License-Identifier: MIT
// Mechanisms that are drawn open are closed to the nearest position: a drawing in other axes, random rotations of the
// same one, becomes the same mechanism in those axes, with the same motion; and one body is where a closed form says.

#include "mechanisms.h"

#include "math/small.h"
#include "tree/spatial.h"

enum { SAMPLES = 40, LOOPS = 2 };

typedef struct sketch {
    mechanism m;
    kane_mat3 turn; // all of the drawing
    uint64_t seed;
} sketch;

static int below(sketch *s, int count)
{
    const int i = (int)(0.5 * (random_number(&s->seed) + 1.0) * count);
    return i < count ? i : count - 1;
}

static kane_vec3 vector(sketch *s, double size)
{
    return km3_mulv(s->turn, random_vector(&s->seed, size));
}

static kane_mat3 axes(sketch *s)
{
    const kane_vec3 a = random_vector(&s->seed, 1.5);
    return km3_mul(s->turn, kane_matrix_from_angles(a.x, a.y, a.z));
}

static void add_body(sketch *s, const char *name)
{
    mechanism *m      = &s->m;
    const double J[6] = {1.0 + 0.3 * random_number(&s->seed), 0.8, 1.2, 0.2 * random_number(&s->seed), 0.1, 0.1};
    const int body    = mechanism_add(m, name, 2.0 + random_number(&s->seed), kv3_zero(), vector(s, 1.0));
    ksym_turn(s->turn, J, m->bodies[body].inertia);
}

static void put(double out[3], kane_vec3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

// Bodies without a joint are free. Rates of yaw, roll and pitch would be others in other axes.
static void hang(sketch *s, int body)
{
    static const kane_joint_kind kinds[] = {KANE_JOINT_SPHERICAL,   KANE_JOINT_REVOLUTE,  KANE_JOINT_PRISMATIC,
                                            KANE_JOINT_CYLINDRICAL, KANE_JOINT_UNIVERSAL, KANE_JOINT_FREE};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    mechanism *m = &s->m;
    const int on = below(s, body + 1) - 1, pick = below(s, KINDS + 2);
    const kane_vec3 at = kv3_add(m->bodies[body].position, vector(s, 0.4));
    double *rate       = m->starts[body].rate;
    if (pick >= KINDS) {
        put(rate, vector(s, 1.0));
        return;
    }
    kane_joint_definition *joint =
        mechanism_hang(m, body, kinds[pick], on < 0 ? NULL : m->bodies[on].block.name, at, axes(s));
    joint->dof = kinds[pick] == KANE_JOINT_FREE ? 1u + (unsigned)below(s, 62) : 0u;
    for (int k = 0; k < kane_joint_coordinate_count(joint) && kinds[pick] != KANE_JOINT_SPHERICAL; k++)
        rate[k] = random_number(&s->seed);
    if (kinds[pick] == KANE_JOINT_SPHERICAL) // in the body's axes
        put(rate, vector(s, 1.0));
}

// A loop that is open by some tenths of a metre.
static void close_loop(sketch *s, const char *name)
{
    static const kane_constraint_kind kinds[] = {KANE_CONSTRAINT_SPHERICAL, KANE_CONSTRAINT_SPHERICAL,
                                                 KANE_CONSTRAINT_DISTANCE, KANE_CONSTRAINT_REVOLUTE};
    mechanism *m                              = &s->m;
    const int a = below(s, m->vehicle.body_count), other = below(s, m->vehicle.body_count), kind = below(s, 4);
    const kane_vec3 at = vector(s, 1.0), to = kv3_add(at, vector(s, 0.25));
    kane_constraint_definition *c =
        mechanism_close_at(m, name, kinds[kind], other == a ? NULL : m->bodies[other].block.name, at,
                           m->bodies[a].block.name, to, axes(s));
    if (kinds[kind] == KANE_CONSTRAINT_DISTANCE)
        c->length = kv3_norm(kv3_sub(to, at)) + 0.2;
}

static void draw(sketch *s, unsigned number, kane_mat3 turn)
{
    static const char *const names[] = {"b0", "b1", "b2", "b3", "b4"}, *const loops[LOOPS] = {"loop 0", "loop 1"};
    *s = (sketch){.turn = turn, .seed = 0x9e3779b97f4a7c15u * (number + 1)};
    (void)random_number(&s->seed);
    const int bodies = 2 + below(s, 4), count = 1 + below(s, LOOPS);
    mechanism_begin(&s->m, 9.81);
    for (int i = 0; i < bodies; i++) {
        add_body(s, names[i]);
        hang(s, i);
    }
    for (int i = 0; i < count; i++)
        close_loop(s, loops[i]);
}

// 0: it cannot be closed.
static int assemble(sketch *s)
{
    CHECK_ERRORS errors = {0};
    s->m.model          = mechanism_compile(&s->m, KANE_FORM_COEFFICIENTS, &errors);
    if (!s->m.model)
        return 0;
    s->m.work = kane_work_create(s->m.model, &errors);
    s->m.y    = calloc((size_t)kane_model_state_count(s->m.model) + 1, sizeof *s->m.y);
    s->m.ydot = calloc((size_t)kane_model_state_count(s->m.model) + 1, sizeof *s->m.ydot);
    assert_int_equal(kane_initial_state(s->m.model, s->m.work, s->m.y, &errors), KANE_OK);
    mechanism_eval(&s->m, 0.0);
    return 1;
}

static kane_mat3 attitude(const double q[6])
{
    return kane_matrix_from_angles(q[KANE_YAW], q[KANE_ROLL], q[KANE_PITCH]);
}

// The same mechanism in axes that are turned.
static void compare(const sketch *plain, const sketch *turned)
{
    const kane_mat3 R = turned->turn;
    for (int j = 0; j < plain->m.vehicle.body_count; j++) {
        double q[2][6], rate[2][6];
        kane_vec3 v[2], w[2];
        kane_get_relative(plain->m.model, plain->m.work, j, q[0], rate[0]);
        kane_get_relative(turned->m.model, turned->m.work, j, q[1], rate[1]);
        kane_get_absolute(plain->m.model, plain->m.work, j, &v[0], &w[0], NULL, NULL);
        kane_get_absolute(turned->m.model, turned->m.work, j, &v[1], &w[1], NULL, NULL);
        check_vec3(kv3(q[1][0], q[1][1], q[1][2]), km3_mulv(R, kv3(q[0][0], q[0][1], q[0][2])), 1e-9);
        check_mat3(km3_mul(attitude(q[1]), R), km3_mul(R, attitude(q[0])), 1e-9);
        check_vec3(v[1], km3_mulv(R, v[0]), 1e-8);
        check_vec3(w[1], km3_mulv(R, w[0]), 1e-8);
    }
}

CHECK_TEST(drawings_in_other_axes_close_alike)
{
    static sketch plain, turned;
    int count = 0;
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t seed     = 77 + i;
        const kane_vec3 a = random_vector(&seed, 3.0);
        draw(&plain, i, km3_identity());
        draw(&turned, i, kane_matrix_from_angles(a.x, 0.4 * a.y, a.z));
        const int closes = assemble(&plain);
        assert_int_equal(assemble(&turned), closes);
        if (closes) {
            compare(&plain, &turned);
            count++;
        }
        mechanism_close_all(&plain.m);
        mechanism_close_all(&turned.m);
    }
    print_message("%d of %d drawings close\n", count, SAMPLES);
    assert_true(count >= SAMPLES / 2);
}

// A body of mass m and the moment of inertia J about every axis, at the origin, is to have its point at s in a point at
// p: it turns by phi from s to p and its mass centre goes to p - R s. Of  D = m/2 |p - R s|^2 + J (1 - cos phi)  the
// least is where
//
//   tan phi = m |s x p| / (m s.p + J)
CHECK_TEST(one_body_is_where_a_closed_form_says)
{
    const double m = 2.0, J = 0.4;
    const kane_vec3 s = kv3(0.5, 0.0, 0.0), p = kv3(0.6, 0.0, 0.5);
    const double phi         = atan2(m * 0.25, m * 0.3 + J);
    const kane_vec3 expected = kv3_sub(p, kv3(0.5 * cos(phi), 0.0, 0.5 * sin(phi)));
    static sketch one;
    double q[6], rate[6];
    one = (sketch){.turn = km3_identity()};
    mechanism_begin(&one.m, 9.81);
    (void)mechanism_add(&one.m, "body", m, kv3(J, J, J), kv3_zero());
    (void)mechanism_close_at(&one.m, "pin", KANE_CONSTRAINT_SPHERICAL, NULL, p, "body", s, km3_identity());
    assert_true(assemble(&one));
    kane_get_relative(one.m.model, one.m.work, 0, q, rate);
    check_vec3(kv3(q[0], q[1], q[2]), expected, 1e-12);
    check_near(q[KANE_PITCH], -phi, 1e-12);
    mechanism_close_all(&one.m);
}

CHECK_MAIN(NULL, NULL)
