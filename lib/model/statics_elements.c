// SPDX-License-Identifier: MIT
// Elements of a vehicle at rest: where their ends are, what they carry, and what they exert on their bodies.

#include "model/statics.h"

// Displacement of a body from the place that the definition gives it, by its wheels.
static kane_vec3 sunk(const kane_model *model, const kane_body *body)
{
    if (body->wheels < 0)
        return kv3_zero();
    const kane_wheels *wheels = &model->wheels[body->wheels];
    return kv3(0.0, 0.0, wheels->height - body->position.z);
}

static kane_mat3 rolled(const kane_model *model, const kane_body *body)
{
    const double roll = body->wheels < 0 ? 0.0 : model->wheels[body->wheels].roll;
    return km3_turn_x(km3_identity(), sin(roll), cos(roll));
}

// Where an end of an element is at rest, vehicle axes.
static kane_marker rest_marker(const kane_model *model, const kane_element_end *end)
{
    kane_marker m = {.R = end->axes};
    if (end->body >= 0) {
        const kane_body *body = &model->bodies[end->body];
        const kane_mat3 R     = rolled(model, body);
        m.R                   = km3_mul(R, end->axes);
        m.position            = kv3_add(kv3_add(body->position, sunk(model, body)), km3_mulv(R, end->point));
    } else {
        m.position = kv3_add(model->frames[end->frame].drawn, end->point);
    }
    return m;
}

static kane_vec3 mirror(const kane_element *element, kane_vec3 a)
{
    return element->mirrored ? kane_mirror_polar(a) : a;
}

void kane_statics_measure(const kane_model *model, kane_element *element)
{
    const kane_marker a = rest_marker(model, &element->a);
    const kane_marker b = rest_marker(model, &element->b);
    element->axes_d0    = km3_tmulv(a.R, kv3_sub(b.position, a.position));
    element->d0         = mirror(element, element->axes_d0);
    const kane_mat3 R_b = km3_mul(b.R, km3_transpose(element->b.axes)); // body b to vehicle axes
    element->b.axes     = km3_tmul(R_b, a.R);
}

void kane_statics_spread(const kane_model *model, const kane_element *element, kane_wrench on_b, double *six_per_body)
{
    const kane_marker a    = rest_marker(model, &element->a);
    const kane_marker b    = rest_marker(model, &element->b);
    const double back      = element->mirrored ? -1.0 : 1.0; // axial vectors mirror with the opposite sign
    const kane_vec3 force  = km3_mulv(a.R, mirror(element, on_b.force));
    const kane_vec3 torque = kv3_scale(back, km3_mulv(a.R, mirror(element, on_b.torque)));
    const int body[2]      = {element->b.body, element->a.body};
    for (int i = 0; i < 2; i++) {
        if (body[i] < 0)
            continue;
        const kane_body *at    = &model->bodies[body[i]];
        const kane_vec3 centre = kv3_add(at->position, sunk(model, at));
        const kane_vec3 f      = i == 0 ? force : kv3_neg(force);
        const kane_vec3 free   = i == 0 ? torque : kv3_neg(torque);
        const kane_vec3 t      = kv3_add(free, kv3_cross(kv3_sub(b.position, centre), f));
        const double add[6]    = {f.x, f.y, f.z, t.z, t.x, t.y};
        for (int k = 0; k < 6; k++)
            six_per_body[6 * body[i] + k] += add[k];
    }
}

int kane_statics_directions(const kane_element *element, kane_vec3 direction[3])
{
    if (!element->solved)
        return 0;
    if (element->law->preload == KANE_PRELOAD_LINE) {
        direction[0] = kv3_scale(1.0 / kv3_norm(element->d0), element->d0);
        return 1;
    }
    const kane_vec3 carries =
        element->law->preload_axes ? element->law->preload_axes(element->data) : kv3(1.0, 1.0, 1.0);
    int count = 0;
    for (int axis = 0; axis < 3; axis++)
        if (kv3_get(carries, axis) != 0.0)
            direction[count++] = kv3_unit(axis);
    return count;
}

kane_status kane_statics_exert(const kane_model *model, const kane_element *element, kane_wrench *on_b)
{
    static const double resting[KANE_LAW_STATES] = {0.0};
    const kane_marker a                          = rest_marker(model, &element->a);
    const kane_marker b                          = rest_marker(model, &element->b);
    const kane_absolute absolute                 = {element->mirrored ? kane_mirror_marker(a) : a,
                                    element->mirrored ? kane_mirror_marker(b) : b, element->mirrored};
    const kane_relative r = {.d0 = element->d0, .state = resting, .absolute = element->absolute ? &absolute : NULL};
    *on_b                 = (kane_wrench){kv3_zero(), kv3_zero()};
    return element->law->eval(element->data, &r, on_b) == 0 ? KANE_OK : KANE_NOT_SOLVED;
}
