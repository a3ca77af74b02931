// SPDX-License-Identifier: MIT
// Rods, which are bodies that have been removed: the same as with the bodies themselves.

#include "mechanisms.h"

// Two bodies in space, one of them on a joint that turns, the other free; rods between them and to the ground. Bodies of a rod hang
// by universal joints, and have no inertia about their axes.
enum { RODS = 3 };

typedef struct rod_numbers {
    const char *from, *to;
    kane_vec3 at, on;
    double mass, centre, inertia; // of m L^2
} rod_numbers;

static const rod_numbers rods[RODS] = {
    {"arm", "block", {0.9, 0.1, 0.2}, {1.6, 0.4, 0.5}, 3.0, 0.5, 1.0 / 12.0},
    {"arm", "block", {0.5, -0.3, 0.1}, {1.7, -0.2, -0.3}, 2.0, 0.3, 0.05},
    {NULL, "block", {2.6, 0.5, 0.6}, {2.0, 0.1, 0.2}, 4.0, 0.8, 0.11},
};

static const char *const names[RODS] = {"rod 1", "rod 2", "rod 3"};

static kane_mat3 axes_along(kane_vec3 way)
{
    const kane_vec3 z = kv3_scale(1.0 / kv3_norm(way), way);
    const kane_vec3 x = kv3_cross(kv3(0.2, 1.0, -0.3), z);
    const kane_vec3 e = kv3_scale(1.0 / kv3_norm(x), x);
    return (kane_mat3){e, kv3_cross(z, e), z};
}

static void add_as_body(mechanism *m, int i)
{
    const rod_numbers *r = &rods[i];
    const kane_vec3 way  = kv3_sub(r->on, r->at);
    const double J       = r->inertia * r->mass * kv3_dot(way, way);
    const kane_mat3 axes = axes_along(way);
    const kane_vec3 e    = axes.z;
    const int body       = mechanism_add(m, names[i], r->mass, kv3(J, J, J), kv3_add_scaled(r->at, r->centre, way));
    const double thin[6] = {J * (1.0 - e.x * e.x), J * (1.0 - e.y * e.y), J * (1.0 - e.z * e.z),
                            -J * e.x * e.y,        -J * e.x * e.z,        -J * e.y * e.z};
    memcpy(m->bodies[body].inertia, thin, sizeof thin);
    (void)mechanism_hang(m, body, KANE_JOINT_UNIVERSAL, r->from, r->at, axes);
    (void)mechanism_close(m, names[i], KANE_CONSTRAINT_SPHERICAL, names[i], r->to, r->on, km3_identity());
}

static void add_as_rod(mechanism *m, int i)
{
    const rod_numbers *r = &rods[i];
    const kane_vec3 way  = kv3_sub(r->on, r->at);
    kane_constraint_definition *d =
        mechanism_close_at(m, names[i], KANE_CONSTRAINT_ROD, r->from, r->at, r->to, r->on, km3_identity());
    d->mass    = r->mass;
    d->centre  = r->centre;
    d->inertia = r->inertia * r->mass * kv3_dot(way, way);
}

static void build(mechanism *m, int as_bodies)
{
    mechanism_begin(m, 9.81);
    const int arm = mechanism_add(m, "arm", 5.0, kv3(0.3, 0.5, 0.6), kv3(0.5, 0.0, 0.1));
    (void)mechanism_hang(m, arm, KANE_JOINT_UNIVERSAL, NULL, kv3_zero(), km3_identity());
    (void)mechanism_add(m, "block", 8.0, kv3(0.4, 0.7, 0.6), kv3(1.9, 0.1, 0.1));
    const double turns[2][3] = {{0.8, -0.5}, {0.7, -0.4, 0.9}}; // all freedoms that are left
    memcpy(m->starts[0].rate, turns[0], 2 * sizeof *turns[0]);
    memcpy(m->starts[1].rate + KANE_YAW, turns[1], sizeof turns[1]);
    m->starts[0].held_rate = 1u | 2u;
    m->starts[1].held_rate = KANE_FREEDOM(KANE_YAW) | KANE_FREEDOM(KANE_ROLL) | KANE_FREEDOM(KANE_PITCH);
    for (int i = 0; i < RODS; i++)
        (as_bodies ? add_as_body : add_as_rod)(m, i);
}

static void compare_bodies(mechanism *a, mechanism *b, double speeds, double accelerations)
{
    for (int j = 0; j < 2; j++) {
        kane_vec3 v[2], w[2], c[2], e[2];
        kane_get_absolute(a->model, a->work, j, &v[0], &w[0], &c[0], &e[0]);
        kane_get_absolute(b->model, b->work, j, &v[1], &w[1], &c[1], &e[1]);
        check_near(kv3_norm(kv3_sub(v[0], v[1])), 0.0, speeds);
        check_near(kv3_norm(kv3_sub(w[0], w[1])), 0.0, speeds);
        check_near(kv3_norm(kv3_sub(c[0], c[1])), 0.0, accelerations);
        check_near(kv3_norm(kv3_sub(e[0], e[1])), 0.0, accelerations);
    }
}

static void rods_are_bodies(void **state)
{
    (void)state;
    for (int form = 0; form < 2; form++) {
        static mechanism bodies, removed;
        build(&bodies, 1);
        build(&removed, 0);
        mechanism_open(&bodies, (kane_constraint_form)form);
        mechanism_open(&removed, (kane_constraint_form)form);
        compare_bodies(&bodies, &removed, 1e-12, 1e-10);
        mechanism_close_all(&bodies);
        mechanism_close_all(&removed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_are_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
