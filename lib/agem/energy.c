// SPDX-License-Identifier: MIT
// Mechanical energy of absolute motion and the powers that change it.

#include "agem/bodies.h"
#include "agem/element.h"
#include "agem/wheels.h"

// 1/2 m v.v + 1/2 theta.J theta,   theta = omega + w  [J]
static double body_kinetic_energy(const kane_body *body, const kane_body_state *b, const kane_transport *T)
{
    const kane_inertia J  = kane_body_inertia(body, b);
    const kane_vec3 theta = kv3_add(T->omega, b->w);
    return 0.5 * (body->mass * kv3_dot(b->v_w, b->v_w) + kv3_dot(theta, kane_inertia_mul(&J, theta)));
}

// Power of an omitted imaginary force: that of a real force with opposite sign [W].
static double power_of_omitted(const kane_model *model, const kane_work *work, int j)
{
    const kane_body_state *b = &work->body[j];
    const kane_transport *T  = &work->transport[model->bodies[j].frame];
    kane_imaginary terms;
    kane_imaginary_get(model, work, j, &terms);
    const kane_wrench w = kane_imaginary_sum(&model->bodies[j], &terms, KANE_OMITTED);
    return -kv3_dot(km3_mulv(T->R, w.force), b->v_w) - kv3_dot(km3_mulv(T->R, w.torque), b->w_w);
}

// Position and velocity of a rod's end, world axes:  v = v_link + w x arm, or v_o + omega x point of a frame.
static void rod_end(const kane_model *model, const kane_work *work, const kane_side_marker *side, kane_vec3 *r,
                    kane_vec3 *v)
{
    const kane_transport *T       = &work->transport[side->frame];
    const kane_moving_frame *base = &work->base[side->frame];
    kane_vec3 at = side->point, moves = kv3_add(base->v, kv3_cross(base->w, side->point));
    if (side->link >= 0) {
        const kane_link_state *s = &work->tree.link[side->link];
        const kane_vec3 arm      = km3_mulv(s->R, side->point);
        at                       = kv3_add(s->r, arm);
        moves                    = kv3_add(s->v, kv3_cross(s->w, arm));
    }
    if (model->imaginary_as_forces)
        moves = kv3_add(moves, kv3_add(T->v_o, kv3_cross(T->omega, at)));
    *r = kv3_add(T->r_o, km3_mulv(T->R, at));
    *v = km3_mulv(T->R, moves);
}

// F.v of the force on one end.
static double power_of_end(const kane_work *work, const kane_side_marker *side, kane_wrench load, kane_vec3 v)
{
    return kv3_dot(km3_mulv(work->transport[side->frame].R, load.force), v);
}

// Kinetic 1/2 (m_11 v_1.v_1 + m_22 v_2.v_2) + m_12 v_1.v_2,  gravity m g z of the mass centre; power of frames on their
// ends.
static void add_rods(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    for (int k = 0; k < model->closure_count; k++) {
        const kane_constraint_row_set *c = &model->closures[k];
        const kane_rod *rod              = &c->rod;
        kane_vec3 r[2], v[2];
        kane_wrench load[2], omitted[2];
        if (!(rod->mass > 0.0))
            continue;
        kane_rod_get_load(model, work, c, load);
        kane_rod_omitted(&work->context, c, omitted);
        for (int i = 0; i < 2; i++) {
            rod_end(model, work, &c->side[i], &r[i], &v[i]);
            if (c->side[i].link < 0)
                energy->power_drive -= power_of_end(work, &c->side[i], load[i], v[i]);
            if (model->imaginary_as_forces)
                energy->power_omitted -= power_of_end(work, &c->side[i], omitted[i], v[i]);
        }
        const kane_vec3 centre = kv3_add_scaled(kv3_scale(1.0 - rod->centre, r[0]), rod->centre, r[1]);
        energy->kinetic += 0.5 * (rod->first * kv3_dot(v[0], v[0]) + rod->second * kv3_dot(v[1], v[1])) +
                           rod->shared * kv3_dot(v[0], v[1]);
        energy->gravity += rod->mass * model->gravity * kane_work_in_A(model, work, centre).z;
    }
}

// The constraint that keeps axle boxes level in the track frame carries the moment T of elements about the axle, and
// turns with that frame; its power is  -(axle . T) (level . w_frame).
static double power_of_level_boxes(const kane_body_state *b)
{
    return -kv3_dot(b->axle, b->boxed.torque) * kv3_dot(b->level, b->w_frame);
}

// Kinetic energy and m g z of all bodies; panels have their own.
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
        energy->kinetic += body_kinetic_energy(body, b, T);
        energy->gravity += body->mass * model->gravity * kane_work_in_A(model, work, b->r_w).z;
        if (body->kind == KANE_BODY_SPINNING)
            energy->power_drive += power_of_level_boxes(b);
        if (model->imaginary_as_forces)
            energy->power_omitted += power_of_omitted(model, work, j);
    }
}

// Power of an element that acts on the axle itself, beyond that on its boxes:  T.(w - w_box).
static double into_axle(const kane_element *element, const kane_body_state *b, kane_vec3 point, kane_wrench w)
{
    const kane_vec3 about = kane_marker_wrench(b, point, w).torque;
    return element->on_axle ? kv3_dot(about, kv3_sub(b->w_w, b->w_box)) : 0.0;
}

// Power  F.v_b + T.w_b - F.(v_a + w_a x (r_b - r_a)) - T.w_a  of F, T on b; the part on frames counts as drive.
static void add_elements(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        kane_element_motion m;
        kane_element_observe(model, work, element, &m);

        const kane_wrench on_b = kane_element_to_world(element, &m.a, work->element[e].on_b);
        const kane_vec3 a_at_b = kv3_add(m.a.velocity, kv3_cross(m.a.omega, kv3_sub(m.b.position, m.a.position)));
        const double into_b    = kv3_dot(on_b.force, m.b.velocity) + kv3_dot(on_b.torque, m.b.omega);
        const double carried   = -kv3_dot(on_b.force, a_at_b) - kv3_dot(on_b.torque, m.a.omega);
        const double into_a    = kane_element_is_on_line(model, element) ? 0.0 : carried;

        energy->power_elements += into_a + into_b;
        if (element->b.body >= 0 && !element->b.is_spinning) // else its omega has the spin
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

// Power of actuators on bodies and of their reactions.
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

// Power of contact forces over the rails, and the energy stored in contacts.
static void add_wheels(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels_state *w = &work->wheels[i];
        for (int side = 0; side < 2; side++) {
            const kane_contact_result *c = &w->result[side];
            const kane_wrench on_wheel   = kw_add(c->on_wheel, w->check[side].on_wheel);
            energy->power_contact += kv3_dot(on_wheel.force, w->motion[side].velocity);
            energy->power_contact += kv3_dot(on_wheel.torque, w->motion[side].omega);
            energy->contact += w->check[side].energy;
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
    add_rods(model, work, energy);
    kane_modes_add_energy(model, work, energy);
    add_elements(model, work, energy);
    add_actuators(model, work, energy);
    add_wheels(model, work, energy);
}
