// SPDX-License-Identifier: MIT
// The channels of flexible track: "leading.track..." is the panel under the wheelset "leading".

#include "simulate/channels.h"

#include "agem/panels.h"

static const kane_coordinate coordinate[3] = {KANE_Y, KANE_Z, KANE_ROLL};

static double displacement_value(const kane_reading *r, int body, int part)
{
    return r->coordinate[body][coordinate[part]];
}

static double rate_value(const kane_reading *r, int body, int part)
{
    return r->rate[body][coordinate[part]];
}

static double acceleration_value(const kane_reading *r, int body, int part)
{
    const kane_body_state *b = &r->work->body[body];
    const double values[3]   = {b->a.y, b->a.z, b->e.x};
    return values[part];
}

static double ground_value(const kane_reading *r, int body, int part)
{
    double force[3];
    kane_panel_ground(r->model->bodies[body].panel, &r->work->body[body], force);
    return force[part];
}

void kane_channels_of_panels(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_TRACK);
    static const char *const about[]         = {"displacement of the track under the wheelset to the left, from rest",
                                                "the same upwards; 0 under the static load",
                                                "its turn about the line, from rest"};
    static const char *const accelerations[] = {"acceleration.y", "acceleration.z", "alpha.x"};
    static const char *const forces[]        = {"force.y", "force.z", "torque.x"};
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        for (int part = 0; part < 3 && body->panel; part++) {
            const char *axis = kane_coordinate_name(coordinate[part]);
            const int turns  = part == 2;
            kane_channel_announce(list, turns ? "rad" : "m", about[part], displacement_value, j, part, "%s.%s",
                                  body->name, axis);
            kane_channel_announce(list, turns ? "rad/s" : "m/s", "rate of the coordinate of this name", rate_value, j,
                                  part, "%s.rate.%s", body->name, axis);
            kane_channel_announce(list, turns ? "rad/s^2" : "m/s^2",
                                  "acceleration of the track across the line, without that of the line itself",
                                  acceleration_value, j, part, "%s.%s", body->name, accelerations[part]);
            kane_channel_announce(list, turns ? "N m" : "N", "of springs and dampers of the ground on the track",
                                  ground_value, j, part, "%s.%s", body->name, forces[part]);
        }
    }
}
