// SPDX-License-Identifier: MIT
// The channels of gauges on flexible bodies, "car.weld.torque.y", and of their principal axes, "car.principal.z".

#include "simulate/channels.h"

static double gauge_value(const kane_reading *r, int deformation, int part)
{
    const kane_deformation *d = &r->model->deformations[deformation];
    const double *q           = r->work->tree.q + r->model->tree.ties[d->tie].q;
    double sum                = 0.0;
    for (int i = 0; i < d->count; i++)
        sum += d->gauges[part].by[i] * q[i];
    return sum;
}

// Of the turn that takes the principal axes of the undeformed body to those of the deformed one: a small one.
static double principal_turn(const kane_reading *r, int deformation, int axis)
{
    const int body = r->model->link_body[r->model->tree.ties[r->model->deformations[deformation].tie].carrier];
    double moments[3];
    const kane_mat3 P     = kane_get_principal_axes(r->model, r->work, body, moments),
                    P0    = r->model->bodies[body].principal;
    const kane_vec3 sines = kv3_add(kv3_add(kv3_cross(P0.x, P.x), kv3_cross(P0.y, P.y)), kv3_cross(P0.z, P.z));
    return 0.5 * kv3_get(sines, axis);
}

void kane_channels_of_gauges(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_ELEMENTS);
    static const char *const about[3] = {"turn of the principal axes of inertia as the body deforms, about its x",
                                         "the same about its y", "the same about its z"};
    for (int k = 0; k < model->deformation_count; k++) {
        for (int axis = 0; axis < 3; axis++)
            kane_channel_announce(list, "rad", about[axis], principal_turn, k, axis, "%s.principal.%c",
                                  model->tree.ties[model->deformations[k].tie].name, "xyz"[axis]);
        for (int i = 0; i < model->deformations[k].gauge_count; i++) {
            const kane_deformable_gauge *g = &model->deformations[k].gauges[i];
            kane_channel_announce(list, g->unit, g->description, gauge_value, k, i, "%s.%s",
                                  model->tree.ties[model->deformations[k].tie].name, g->name);
        }
    }
}
