// SPDX-License-Identifier: MIT
// Theta u_dot = f (41), body by body: a free body's speeds are its own velocity, so that inertia couples no two bodies
// (docs/theory.md, section 3).

#include "agem/reduce.h"
#include "agem/work.h"

kane_inertia kane_body_inertia(const kane_body *body, const kane_body_state *b)
{
    return (kane_inertia){.R = body->turned ? km3_mul(b->R, body->principal) : b->R, .J = body->J};
}

void kane_inertia_solve_turns(const kane_body *body, const kane_inertia *J, const kane_body_state *b, double *f)
{
    const kane_freedom_map *map = &body->map;
    if (map->rotation_count == 1) {
        const kane_vec3 e = b->turn[map->rotation[0]];
        f[0] /= kv3_dot(e, kane_inertia_mul(J, e));
    } else if (map->rotation_count == 2) {
        const kane_vec3 e1 = b->turn[map->rotation[0]], e2 = b->turn[map->rotation[1]];
        const kane_vec3 Je2 = kane_inertia_mul(J, e2);
        const double a = kv3_dot(e1, kane_inertia_mul(J, e1)), c = kv3_dot(e1, Je2), d = kv3_dot(e2, Je2);
        const double f1 = f[0], f2 = f[1], determinant = a * d - c * c;
        f[0] = (d * f1 - c * f2) / determinant;
        f[1] = (a * f2 - c * f1) / determinant;
    }
}

void kane_body_respond(const kane_body *body, const kane_body_state *b, kane_wrench wrench, double *u_dot)
{
    const kane_inertia J = kane_body_inertia(body, b);
    wrench.force         = kv3_scale(1.0 / body->mass, wrench.force);
    if (body->map.rotation_count == 3)
        wrench.torque = kane_inertia_solve_for(&J, wrench.torque);
    kane_reduce_force(body, wrench, b, u_dot);
    kane_inertia_solve_turns(body, &J, b, u_dot + body->map.translation_count);
}

void kane_body_solve(const kane_body *body, kane_body_state *b, double *u_dot)
{
    kane_wrench f = b->free;
    if (body->map.rotation_count < 3) {
        const kane_inertia J = kane_body_inertia(body, b);
        f.torque             = kv3_sub(f.torque, kane_inertia_mul(&J, b->bias));
    }
    kane_body_respond(body, b, f, u_dot);
    kane_reduce_accelerations(body, u_dot, b);
}

void kane_inertia_solve(const kane_model *model, kane_work *work, double *ydot)
{
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        double *u_dot         = ydot + body->u, V_dot[6];
        if (body->link >= 0)
            continue;
        if (!body->follows) {
            kane_body_solve(body, &work->body[j], u_dot);
            continue;
        }
        kane_body_solve(body, &work->body[j], V_dot); // normal forces have seen to it that V_dot = A u_dot + ...
        for (int i = 0; i < body->u_count; i++)
            u_dot[i] = V_dot[body->component[i]];
    }
}
