// SPDX-License-Identifier: MIT
// What drives the frames: prescribed travel in pieces of constant acceleration, and values of actuators over time.

#include "model/model.h"

int kane_model_speed_piece(const kane_model *model, double t)
{
    int piece = 0;
    while (piece + 1 < model->piece_count && t >= model->pieces[piece + 1].time)
        piece++;
    return piece;
}

void kane_model_travel(const kane_model *model, int piece, double t, double *s, double *v, double *a)
{
    const kane_speed_state *p = &model->pieces[piece];
    const double dt           = t - p->time;

    *s = model->start + (p->travelled + dt * (p->speed + 0.5 * p->acceleration * dt));
    *v = p->speed + p->acceleration * dt;
    *a = p->acceleration;
}

double kane_actuator_value(const kane_actuator *actuator, double t)
{
    const int n = actuator->point_count;
    if (t <= actuator->time[0])
        return actuator->value[0];
    for (int i = 1; i < n; i++) {
        if (t < actuator->time[i]) {
            const double x = (t - actuator->time[i - 1]) / (actuator->time[i] - actuator->time[i - 1]);
            return actuator->value[i - 1] + x * (actuator->value[i] - actuator->value[i - 1]);
        }
    }
    return actuator->value[n - 1];
}
