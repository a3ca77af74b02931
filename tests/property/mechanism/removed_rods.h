// SPDX-License-Identifier: MIT
// Mechanisms with rods that are bodies, or have been removed.

#ifndef KANE_TESTS_REMOVED_RODS_H
#define KANE_TESTS_REMOVED_RODS_H

#include "mechanisms.h"

#include "property/mechanism/ride.h"

// Two bodies in space, one of them on a joint that turns, the other free; rods between them and to the ground. Bodies
// of a rod hang by universal joints, and have no inertia about their axes.
enum { RODS = 3 };

typedef struct rod_numbers {
    const char *from, *to;
    kane_vec3 at, on;
    double mass, centre, inertia; // of m L^2
} rod_numbers;

static const rod_numbers rod_list[RODS] = {
    {"arm", "block", {0.9, 0.1, 0.2}, {1.6, 0.4, 0.5}, 3.0, 0.5, 1.0 / 12.0},
    {"arm", "block", {0.5, -0.3, 0.1}, {1.7, -0.2, -0.3}, 2.0, 0.3, 0.05},
    {NULL, "block", {2.6, 0.5, 0.6}, {2.0, 0.1, 0.2}, 4.0, 0.8, 0.11},
};

static const char *const rod_names[RODS] = {"rod 1", "rod 2", "rod 3"};

static inline kane_mat3 axes_along(kane_vec3 way)
{
    const kane_vec3 z = kv3_scale(1.0 / kv3_norm(way), way);
    const kane_vec3 x = kv3_cross(kv3(0.2, 1.0, -0.3), z);
    const kane_vec3 e = kv3_scale(1.0 / kv3_norm(x), x);
    return (kane_mat3){e, kv3_cross(z, e), z};
}

static inline void rods_add_as_body(mechanism *m, const char *name, const rod_numbers *r)
{
    const kane_vec3 way  = kv3_sub(r->on, r->at);
    const double J       = r->inertia * r->mass * kv3_dot(way, way);
    const kane_mat3 axes = axes_along(way);
    const kane_vec3 e    = axes.z;
    const int body       = mechanism_add(m, name, r->mass, kv3(J, J, J), kv3_add_scaled(r->at, r->centre, way));
    const double thin[6] = {J * (1.0 - e.x * e.x), J * (1.0 - e.y * e.y), J * (1.0 - e.z * e.z),
                            -J * e.x * e.y,        -J * e.x * e.z,        -J * e.y * e.z};
    memcpy(m->bodies[body].inertia, thin, sizeof thin);
    (void)mechanism_hang(m, body, KANE_JOINT_UNIVERSAL, r->from, r->at, axes);
    (void)mechanism_close(m, name, KANE_CONSTRAINT_SPHERICAL, name, r->to, r->on, km3_identity());
}

static inline void rods_add_as_rod(mechanism *m, const char *name, const rod_numbers *r)
{
    const kane_vec3 way = kv3_sub(r->on, r->at);
    kane_constraint_definition *d =
        mechanism_close_at(m, name, KANE_CONSTRAINT_ROD, r->from, r->at, r->to, r->on, km3_identity());
    d->mass    = r->mass;
    d->centre  = r->centre;
    d->inertia = r->inertia * r->mass * kv3_dot(way, way);
}

static inline void rods_build(mechanism *m, int as_bodies)
{
    mechanism_begin(m, 9.81);
    const int arm = mechanism_add(m, "arm", 5.0, kv3(0.3, 0.5, 0.6), kv3(0.5, 0.0, 0.1));
    (void)mechanism_hang(m, arm, KANE_JOINT_UNIVERSAL, NULL, kv3_zero(), km3_identity());
    (void)mechanism_add(m, "block", 8.0, kv3(0.4, 0.7, 0.6), kv3(1.9, 0.1, 0.1));
    const double turns[2][3] = {{0.8, -0.5}, {0.7, -0.4, 0.9}}; // all freedoms that are left
    memcpy(m->starts[0].rate, turns[0], 2 * sizeof *turns[0]);
    memcpy(m->starts[1].rate + KANE_YAW, turns[1], sizeof turns[1]);
    m->starts[0].held_rate = 1u | 2u;
    m->starts[1].held_rate = KANE_DOF(KANE_YAW) | KANE_DOF(KANE_ROLL) | KANE_DOF(KANE_PITCH);
    for (int i = 0; i < RODS; i++)
        (as_bodies ? rods_add_as_body : rods_add_as_rod)(m, rod_names[i], &rod_list[i]);
}

// --- on a wagon ---

static const kane_vec3 rod_ends[2] = {{3.3, 0.4, 0.9}, {3.5, -0.6, 1.3}};

// An arm that springs hold on the bogie, and a rod between the two.
static inline void rods_build_ride(rig *r, int as_body)
{
    const kane_vec3 way = kv3_sub(rod_ends[1], rod_ends[0]);
    const double mass = 60.0, g = 0.35, J = 9.0;
    rig_begin_vehicle(r);
    const int arm        = rig_body(r, "arm", 200.0, kv3(3.3, 0.2, 0.8));
    r->bodies[arm].frame = "bogie";
    rig_bushing(r, "arm held", "bogie", "arm", kv3(3.1, 0.1, 0.8), 3e4, 6e3, 200.0 * 9.81);
    for (int k = 0; k < 6; k++)
        rig_start(r, arm, k, 0.01 * (k - 2), 0.2 - 0.1 * k);
    if (as_body) {
        const kane_vec3 e    = kv3_scale(1.0 / kv3_norm(way), way);
        const double thin[6] = {J * (1.0 - e.x * e.x), J * (1.0 - e.y * e.y), J * (1.0 - e.z * e.z),
                                -J * e.x * e.y,        -J * e.x * e.z,        -J * e.y * e.z};
        const int rod = rig_link(r, "rod", mass, kv3_add_scaled(rod_ends[0], g, way), "bogie", KANE_JOINT_UNIVERSAL,
                                 rod_ends[0], axes_along(way));
        memcpy(r->bodies[rod].inertia, thin, sizeof thin);
        (void)rig_close(r, "end", KANE_CONSTRAINT_SPHERICAL, "rod", "arm", rod_ends[1], km3_identity());
        return;
    }
    kane_constraint_definition *c =
        rig_close(r, "rod", KANE_CONSTRAINT_ROD, "bogie", "arm", rod_ends[0], km3_identity());
    c->at[1].at = rod_ends[1];
    c->mass     = mass;
    c->centre   = g;
    c->inertia  = J;
}

#endif
