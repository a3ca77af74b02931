// SPDX-License-Identifier: MIT
// Mechanical energy of absolute motion and the powers that change it.

#include "agem/deformable.h"
#include "agem/element.h"
#include "agem/imaginary.h"
#include "agem/marker.h"
#include "agem/panels.h"

static double kinetic(const kane_body *body, const kane_body_state *b, const kane_transport *T)
{
    const kane_inertia J  = kane_body_inertia(body, b);
    const kane_vec3 theta = kv3_add(T->omega, b->w);
    return 0.5 * (body->mass * kv3_dot(b->v_w, b->v_w) + kv3_dot(theta, kane_inertia_mul(&J, theta)));
}

// Who leaves out an imaginary force does as if a real one of the opposite sign were there.
static double power_of_omitted(const kane_model *model, const kane_work *work, int j)
{
    const kane_body_state *b = &work->body[j];
    const kane_transport *T  = &work->transport[model->bodies[j].frame];
    kane_imaginary terms;
    kane_imaginary_get(model, work, j, &terms);
    const kane_wrench w = kane_imaginary_sum(&model->bodies[j], &terms, KANE_SHARE_OMITTED);
    return -kv3_dot(km3_mulv(T->R, w.force), b->v_w) - kv3_dot(km3_mulv(T->R, w.torque), b->w_w);
}

static void add_bodies(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body    = &model->bodies[j];
        const kane_body_state *b = &work->body[j];
        const kane_transport *T  = &work->transport[body->frame];

        if (body->panel) {
            kane_panel_add_energy(body->panel, b, energy);
            continue;
        }
        energy->kinetic += kinetic(body, b, T);
        energy->gravity += body->mass * model->gravity * kane_work_in_A(model, work, b->r_w).z;
        if (model->separate)
            energy->power_omitted += power_of_omitted(model, work, j);
    }
}

// What an element that acts on an axle itself gives to its spin, besides what its boxes would get.
static double into_axle(const kane_element *element, const kane_body_state *b, kane_vec3 point, kane_wrench w)
{
    const kane_vec3 about = kane_marker_wrench(b, point, w).torque;
    return element->on_axle ? kv3_dot(about, kv3_sub(b->w_w, b->w_box)) : 0.0;
}

static void add_elements(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        kane_element_motion m;
        kane_element_observe(model, work, element, &m);

        const kane_wrench on_b = kane_element_to_world(element, &m.a, work->element[e].on_b);
        const kane_vec3 a_at_b = kv3_add(m.a.velocity, kv3_cross(m.a.omega, kv3_sub(m.b.position, m.a.position)));
        const double into_b    = kv3_dot(on_b.force, m.b.velocity) + kv3_dot(on_b.torque, m.b.omega);
        const double into_a    = -kv3_dot(on_b.force, a_at_b) - kv3_dot(on_b.torque, m.a.omega);

        energy->power_elements += into_a + into_b;
        if (element->b.body >= 0)
            energy->power_elements += into_axle(element, &work->body[element->b.body], m.b.position, on_b);
        if (element->a.body >= 0)
            energy->power_elements -= into_axle(element, &work->body[element->a.body], m.b.position, on_b);
        if (element->a.body < 0) // the track carries this end along
            energy->power_drive -= into_a;
        if (element->b.body < 0)
            energy->power_drive -= into_b;
        if (element->law->energy)
            energy->elements += element->law->energy(element->data, &m.relative);
    }
}

static void add_actuators(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    for (int i = 0; i < model->actuator_count; i++) {
        const kane_actuator *actuator = &model->actuators[i];
        const kane_body_state *b      = &work->body[actuator->on];
        kane_wrench on, reaction;
        kane_actuator_wrench(model, work, actuator, &on, &reaction);
        energy->power_drive += kv3_dot(on.force, b->v_w) + kv3_dot(on.torque, b->w_w);
        if (actuator->reaction >= 0)
            energy->power_drive += kv3_dot(reaction.torque, work->body[actuator->reaction].w_w);
    }
}

static void add_wheels(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels_state *w = &work->wheels[i];
        for (int side = 0; side < 2; side++) {
            const kane_contact_result *c = &w->result[side];
            energy->power_contact += kv3_dot(c->on_wheel.force, w->motion[side].velocity);
            energy->power_contact += kv3_dot(c->on_wheel.torque, w->motion[side].omega);
            for (int p = 0; p < c->patch_count; p++)
                energy->contact += c->patch[p].energy;
        }
    }
}

void kane_get_energy(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    *energy             = (kane_energy){0};
    energy->power_drive = work->constraint_power;
    add_bodies(model, work, energy);
    kane_modes_add_energy(model, work, energy);
    add_elements(model, work, energy);
    add_actuators(model, work, energy);
    add_wheels(model, work, energy);
}
