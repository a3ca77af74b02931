// SPDX-License-Identifier: MIT
// The channels of accelerometers, and of the track under the guide.

#include "simulate/channels.h"

#include "agem/marker.h"

// --- accelerometers ---

// What an accelerometer shows is the specific force on it: the acceleration of its point less that of gravity, in its own
// axes. Zero is where it stands at rest on level track, so that g is taken off z.
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
            kane_channel_announce(list, "m/s^2", about[axis], specific_force, i, axis, "%s.acceleration.%s",
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
    kane_channel_announce(list, "1/m", "curvature of the line under the guide's track frame, positive to the left",
                          line_value, 0, 0, "track.curvature");
    kane_channel_announce(list, "m", "height of the right rail over the left one there", line_value, 0, 1,
                          "track.superelevation");
    for (int kind = KANE_LATERAL; kind <= KANE_GAUGE && kane_track_is_irregular(model->track); kind++)
        kane_channel_announce(list, "m", about[kind], irregularity_value, 0, kind, "track.%s", kinds[kind]);
}
