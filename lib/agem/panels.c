// SPDX-License-Identifier: MIT
// Panels of flexible track: three linear oscillators, y, z and roll,
//
//   m q'' = wheels + load0 ... - k q - c q'        with the static load of the wheels taken by the ground: q = 0 at rest
//
// whose motion the wheels see as the motion of their rails (wheels.c).

#include "agem/panels.h"

static const int coordinate[3] = {KANE_Y, KANE_Z, KANE_ROLL};

void kane_panel_move(const kane_body *body, const double *q, const double *u, kane_body_state *b)
{
    const kane_transport rest       = kane_transport_rest();
    double across[KANE_COORDINATES] = {0.0};
    for (int i = 0; i < 3; i++)
        across[coordinate[i]] = q[coordinate[i]];
    kane_body_move(body, &rest, &rest, across, u, b);
}

void kane_panel_press(kane_body_state *b, kane_vec3 above, kane_vec3 force, kane_vec3 torque)
{
    b->applied.force  = kv3_sub(b->applied.force, force);
    b->applied.torque = kv3_sub(b->applied.torque, kv3_add(torque, kv3_cross(above, force)));
}

static void motion(const kane_body_state *b, double q[3], double u[3])
{
    for (int i = 0; i < 3; i++)
        q[i] = b->q[coordinate[i]];
    u[0] = b->v.y;
    u[1] = b->v.z;
    u[2] = b->w.x;
}

void kane_panel_ground(const kane_panel *panel, const kane_body_state *b, double force[3])
{
    double q[3], u[3];
    motion(b, q, u);
    for (int i = 0; i < 3; i++)
        force[i] = -panel->load[i] - panel->stiffness[i] * q[i] - panel->damping[i] * u[i];
}

void kane_panel_force(const kane_panel *panel, kane_body_state *b)
{
    double ground[3];
    kane_panel_ground(panel, b, ground);
    b->free = kw_add(b->applied, (kane_wrench){kv3(0.0, ground[0], ground[1]), kv3(ground[2], 0.0, 0.0)});
}

void kane_panel_respond(const kane_panel *panel, kane_wrench wrench, double u_dot[3])
{
    u_dot[0] = wrench.force.y / panel->inertia[0];
    u_dot[1] = wrench.force.z / panel->inertia[1];
    u_dot[2] = wrench.torque.x / panel->inertia[2];
}

void kane_panel_add_energy(const kane_panel *panel, const kane_body_state *b, kane_energy *energy)
{
    double q[3], u[3], ground[3];
    motion(b, q, u);
    kane_panel_ground(panel, b, ground);
    for (int i = 0; i < 3; i++) {
        energy->kinetic += 0.5 * panel->inertia[i] * u[i] * u[i];
        energy->elements += (panel->load[i] + 0.5 * panel->stiffness[i] * q[i]) * q[i];
        energy->power_elements += ground[i] * u[i];
    }
}

void kane_panel_derive(const kane_panel *panel, double accelerations[6][KANE_BODY_STATES])
{
    for (int i = 0; i < 3; i++) {
        accelerations[i][coordinate[i]] -= panel->stiffness[i] / panel->inertia[i];
        accelerations[i][KANE_COORDINATES + i] -= panel->damping[i] / panel->inertia[i];
    }
}
