// SPDX-License-Identifier: MIT
// The channels of accelerometers, and of the track under the guide.

#include "agem/element.h"
#include "agem/wheels.h"
#include "simulate/channels.h"

// --- accelerometers ---

// Reading of an accelerometer: specific force, acceleration of its point less that of gravity, in its own axes; g is
// subtracted from z, so that it is zero at rest on level track.
//   f = R' (a + alpha x r + w x (w x r) + g e_z) - g (0, 0, 1)
static double specific_force(const kane_reading *r, int sensor, int axis)
{
    const kane_model *model     = r->model;
    const kane_fixed_marker *at = &model->sensors[sensor].at;
    const kane_vec3 force       = kv3_sub(kane_marker_acceleration(model, r->work, at), r->work->gravity);
    kane_marker m;
    kane_marker_see(r->work, at, &m);
    return kv3_get(kv3_sub(km3_tmulv(m.R, force), kv3(0.0, 0.0, model->gravity)), axis);
}

void kane_channels_of_sensors(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_ACCELERATIONS);
    static const char *const about[] = {"what the accelerometer shows along its x axis (forward)",
                                        "the same along y (to the left)", "the same along z (up), 0 at rest"};
    for (int i = 0; i < model->sensor_count; i++)
        for (int axis = 0; axis < 3; axis++)
            kane_channel_add(list, "m/s^2", about[axis], specific_force, i, axis, "%s.acceleration.%s",
                             model->sensors[i].name, kane_axis_name(axis));
}

// --- the track at the origin of the guide's frame ---

static double line_value(const kane_reading *r, int which, int part)
{
    kane_track_state state;
    (void)which;
    kane_track_describe(r->model->track, r->work->piece[0], r->work->s, &state);
    const double values[] = {state.curvature, state.superelevation};
    return values[part];
}

static double irregularity_value(const kane_reading *r, int which, int kind)
{
    kane_rail_offset rail[2];
    (void)which;
    for (int side = 0; side < 2; side++)
        kane_track_rail(r->model->track, (kane_side)side, r->work->s, &rail[side]);
    return kane_irregularity_measure((kane_irregularity_kind)kind, &rail[KANE_LEFT], &rail[KANE_RIGHT]);
}

void kane_channels_of_track(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_TRACK);
    static const char *const kinds[] = {"lateral", "vertical", "cross_level", "gauge"};
    static const char *const about[] = {"irregularity under the guide's track frame: both rails to the left, mean",
                                        "the same, both rails up, mean", "the same, left rail over the right one",
                                        "the same, widening of the gauge"};
    if (!model->track)
        return;
    kane_channel_add(list, "1/m", "curvature of the line under the guide's track frame, positive to the left",
                     line_value, 0, 0, "track.curvature");
    kane_channel_add(list, "m", "height of the right rail over the left one there", line_value, 0, 1,
                     "track.superelevation");
    for (int kind = KANE_LATERAL; kind <= KANE_GAUGE && kane_track_is_irregular(model->track); kind++)
        kane_channel_add(list, "m", about[kind], irregularity_value, 0, kind, "track.%s", kinds[kind]);
}

// === The channels of gauges on flexible bodies, "car.weld.torque.y", and of their principal axes, "car.principal.z".

static double gauge_value(const kane_reading *r, int deformation, int part)
{
    const kane_deformation *d = &r->model->deformations[deformation];
    const double *q           = r->work->tree.q + r->model->tree.flexes[d->flex].q;
    double sum                = 0.0;
    for (int i = 0; i < d->count; i++)
        sum += d->gauges[part].by[i] * q[i];
    return sum;
}

// Of the turn that takes the principal axes of the undeformed body to those of the deformed one: a small one.
static double principal_turn(const kane_reading *r, int deformation, int axis)
{
    const int body = r->model->link_body[r->model->tree.flexes[r->model->deformations[deformation].flex].carrier];
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
            kane_channel_add(list, "rad", about[axis], principal_turn, k, axis, "%s.principal.%c",
                             model->tree.flexes[model->deformations[k].flex].name, "xyz"[axis]);
        for (int i = 0; i < model->deformations[k].gauge_count; i++) {
            const kane_deformable_gauge *g = &model->deformations[k].gauges[i];
            kane_channel_add(list, g->unit, g->description, gauge_value, k, i, "%s.%s",
                             model->tree.flexes[model->deformations[k].flex].name, g->name);
        }
    }
}

// === The channels of flexible track: "leading.track..." is the panel under the wheelset "leading".

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
            kane_channel_add(list, turns ? "rad" : "m", about[part], displacement_value, j, part, "%s.%s", body->name,
                             axis);
            kane_channel_add(list, turns ? "rad/s" : "m/s", "rate of the coordinate of this name", rate_value, j, part,
                             "%s.rate.%s", body->name, axis);
            kane_channel_add(list, turns ? "rad/s^2" : "m/s^2",
                             "acceleration of the track across the line, without that of the line itself",
                             acceleration_value, j, part, "%s.%s", body->name, accelerations[part]);
            kane_channel_add(list, turns ? "N m" : "N", "of springs and dampers of the ground on the track",
                             ground_value, j, part, "%s.%s", body->name, forces[part]);
        }
    }
}
