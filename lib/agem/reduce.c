// SPDX-License-Identifier: MIT
// From the free system to the one with chosen freedoms and back (docs/theory.md, section 3).
//
// A free body has six speeds V = (v', w'). Independent ones u give  V = A u  and  V_dot = A u_dot + bias  (47);
// generalised forces of any kind come back as  F_r = F~_r + sum_s F~_s A_sr  (60). Translations that are free are copied
// (A holds ones and zeros, which nobody multiplies by); so are rotations when all three are free, otherwise u holds the
// rates of the angles that are and A their axes.

#include "agem/reduce.h"

void kane_reduce_expand(const kane_body *body, const double *u, kane_body_state *b)
{
    const kane_freedom_map *map = &body->map;
    b->bias                     = kv3_zero();
    if (body->freedoms == KANE_ALL_FREEDOMS) {
        b->v = kv3(u[0], u[1], u[2]);
        b->w = kv3(u[3], u[4], u[5]);
        return;
    }

    double v[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < map->translation_count; i++)
        v[map->translation[i]] = *u++;
    b->v = kv3(v[0], v[1], v[2]);
    if (map->rotation_count == 3) {
        b->w = kv3(u[0], u[1], u[2]);
        return;
    }

    b->w = kv3_zero();
    for (int i = 0; i < map->rotation_count; i++) { // in the order of the turns: each axis turns with those before it
        const kane_vec3 turn = kv3_scale(u[i], b->turn[map->rotation[i]]);
        b->rate[i]           = u[i];
        b->bias              = kv3_add(b->bias, kv3_cross(b->w, turn));
        b->w                 = kv3_add(b->w, turn);
    }
}

void kane_reduce_speeds(const kane_body *body, const kane_body_state *b, double *u)
{
    const kane_freedom_map *map = &body->map;
    if (body->follows) {
        const double V[6] = {b->v.x, b->v.y, b->v.z, b->w.x, b->w.y, b->w.z};
        for (int i = 0; i < body->u_count; i++)
            u[i] = V[body->component[i]];
        return;
    }
    for (int i = 0; i < map->translation_count; i++)
        *u++ = kv3_get(b->v, map->translation[i]);
    for (int i = 0; i < map->rotation_count; i++)
        u[i] = map->rotation_count == 3 ? kv3_get(b->w, i) : b->rate[i];
}

void kane_reduce_force(const kane_body *body, kane_wrench free, const kane_body_state *b, double *f)
{
    const kane_freedom_map *map = &body->map;
    const double force[3]       = {free.force.x, free.force.y, free.force.z};

    for (int i = 0; i < map->translation_count; i++)
        *f++ = force[map->translation[i]];
    if (map->rotation_count == 3) {
        f[0] = free.torque.x;
        f[1] = free.torque.y;
        f[2] = free.torque.z;
    } else {
        for (int i = 0; i < map->rotation_count; i++)
            f[i] = kv3_dot(b->turn[map->rotation[i]], free.torque);
    }
}

void kane_reduce_accelerations(const kane_body *body, const double *u_dot, kane_body_state *b)
{
    const kane_freedom_map *map = &body->map;
    double a[3]                 = {0.0, 0.0, 0.0};

    for (int i = 0; i < map->translation_count; i++)
        a[map->translation[i]] = *u_dot++;
    b->a = kv3(a[0], a[1], a[2]);
    if (map->rotation_count == 3) {
        b->e = kv3(u_dot[0], u_dot[1], u_dot[2]);
    } else {
        b->e = b->bias;
        for (int i = 0; i < map->rotation_count; i++)
            b->e = kv3_add_scaled(b->e, u_dot[i], b->turn[map->rotation[i]]);
    }
}
