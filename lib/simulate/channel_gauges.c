// SPDX-License-Identifier: MIT
// The channels of gauges on flexible bodies: "car.weld.torque.y".

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

void kane_channels_of_gauges(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_ELEMENTS);
    for (int k = 0; k < model->deformation_count; k++)
        for (int i = 0; i < model->deformations[k].gauge_count; i++) {
            const kane_deformable_gauge *g = &model->deformations[k].gauges[i];
            kane_channel_announce(list, g->unit, g->description, gauge_value, k, i, "%s.%s",
                                  model->tree.ties[model->deformations[k].tie].name, g->name);
        }
}
