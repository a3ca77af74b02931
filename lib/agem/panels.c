// SPDX-License-Identifier: MIT
// Panels of flexible track: three linear oscillators, y, z and roll,
//
//   m q'' = wheels - load - k q - c q'
//
// load: force of the wheels at rest, which the ground carries, so that q = 0 at rest (docs/theory.md, section 11).
// Their motion is that of the rails under the wheels (wheels.c).

#include "agem/wheels.h"

static const int coordinate[3] = {KANE_Y, KANE_Z, KANE_ROLL};

// -F and -(T + (r - e) x F) on the panel, above = r - e.
void kane_panel_press(kane_body_state *b, kane_vec3 above, kane_vec3 force, kane_vec3 torque)
{
    b->applied.force  = kv3_sub(b->applied.force, force);
    b->applied.torque = kv3_sub(b->applied.torque, kv3_add(torque, kv3_cross(above, force)));
}

// q = (y, z, phi) [m], [rad] and its rates.
static void read_panel_motion(const kane_body_state *b, double q[3], double u[3])
{
    for (int i = 0; i < 3; i++)
        q[i] = b->q[coordinate[i]];
    u[0] = b->v.y;
    u[1] = b->v.z;
    u[2] = b->w.x;
}

// -load - k q - c q'
void kane_panel_ground(const kane_panel *panel, const kane_body_state *b, double force[3])
{
    double q[3], u[3];
    read_panel_motion(b, q, u);
    for (int i = 0; i < 3; i++)
        force[i] = -panel->load[i] - panel->stiffness[i] * q[i] - panel->damping[i] * u[i];
}

// y, z force and roll torque of the ground on every panel.
void kane_panels_eval(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->panel_count; i++) {
        kane_body_state *b = &work->body[model->wheels[model->panels[i].wheels].panel];
        double ground[3];
        kane_panel_ground(&model->panels[i], b, ground);
        b->applied.force  = kv3_add(b->applied.force, kv3(0.0, ground[0], ground[1]));
        b->applied.torque = kv3_add(b->applied.torque, kv3(ground[2], 0.0, 0.0));
    }
}

// Kinetic 1/2 m q'^2, springs load q + 1/2 k q^2, power of the ground's force.
void kane_panel_add_energy(const kane_panel *panel, const kane_body_state *b, kane_energy *energy)
{
    double q[3], u[3], ground[3];
    read_panel_motion(b, q, u);
    kane_panel_ground(panel, b, ground);
    for (int i = 0; i < 3; i++) {
        energy->kinetic += 0.5 * panel->inertia[i] * u[i] * u[i];
        energy->elements += (panel->load[i] + 0.5 * panel->stiffness[i] * q[i]) * q[i];
        energy->power_elements += ground[i] * u[i];
    }
}

// -k by displacement and rotation, -c by velocity and angular velocity.
void kane_panels_derive(const kane_model *model, kane_gradient *pairs)
{
    for (int i = 0; i < model->panel_count; i++) {
        const kane_panel *panel = &model->panels[i];
        const double *k = panel->stiffness, *c = panel->damping;
        kane_gradient *own = &pairs[model->wheels[panel->wheels].panel];
        kg_sub(&own->force[KANE_MOVES], km3_diag(0.0, k[0], k[1]));
        kg_sub(&own->force[KANE_SPEEDS], km3_diag(0.0, c[0], c[1]));
        kg_sub(&own->torque[KANE_TURNS], km3_diag(k[2], 0.0, 0.0));
        kg_sub(&own->torque[KANE_SPINS], km3_diag(c[2], 0.0, 0.0));
    }
}
