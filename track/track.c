// SPDX-License-Identifier: MIT
// What a track knows about itself: usual values, extent, pieces, rails.

#include "track/piece.h"

kane_track_definition kane_track_definition_default(void)
{
    return (kane_track_definition){.gauge            = 1.435,
                                   .running_distance = 1.5,
                                   .gauge_height     = 0.014,
                                   .rail             = {kane_profile_60e1(), NULL},
                                   .inclination      = 1.0 / 40.0,
                                   .friction         = 0.3,
                                   .cant_axis        = KANE_CANT_INNER_RAIL,
                                   .transportation   = KANE_TRANSPORTATION_EXACT,
                                   .flexibility      = {.inertia   = {900.0, 850.0, 450.0},
                                                        .stiffness = {20e6, 140e6, 80e6},
                                                        .damping   = {80e3, 260e3, 150e3},
                                                        .place     = {"", 0, 0, ""}},
                                   .name             = "",
                                   .place            = {"", 0, 0, ""}};
}

const kane_track_definition *kane_track_get_definition(const kane_track *track)
{
    return &track->definition;
}

double kane_track_length(const kane_track *track)
{
    return track->length;
}

int kane_track_section_count(const kane_track *track)
{
    return track->section_count;
}

kane_track_section kane_track_get_section(const kane_track *track, int section)
{
    return track->sections[section];
}

int kane_track_piece_count(const kane_track *track)
{
    return track->piece_count;
}

double kane_track_piece_start(const kane_track *track, int piece)
{
    return piece < track->piece_count ? track->pieces[piece].start : track->length;
}

int kane_track_find(const kane_track *track, double s)
{
    int low = 0, high = track->piece_count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (s < track->pieces[middle].start)
            high = middle;
        else
            low = middle;
    }
    return low;
}

kane_vec3 kane_track_anchor(const kane_track *track, int piece)
{
    return track->pieces[piece].anchor;
}

int kane_track_is_irregular(const kane_track *track)
{
    return track->irregularities != NULL;
}

int kane_track_is_rough(const kane_track *track)
{
    return track->irregularities && kane_irregularities_are_rough(track->irregularities);
}

void kane_track_rail(const kane_track *track, kane_side side, double s, kane_rail_offset *offset)
{
    if (track->irregularities)
        kane_irregularities_eval(track->irregularities, side, s, offset);
    else
        *offset = (kane_rail_offset){0};
}

void kane_track_tabulate(const kane_track *track)
{
    if (track->irregularities)
        kane_irregularities_tabulate(track->irregularities);
}

void kane_track_surface(const kane_track *track, double s, double y, double out[6])
{
    const double inverse = 1.0 / track->definition.running_distance;
    kane_rail_offset left, right;
    kane_track_rail(track, KANE_LEFT, s, &left);
    kane_track_rail(track, KANE_RIGHT, s, &right);
    const double tilt = (left.z - right.z) * inverse, tilt_s = (left.z_s - right.z_s) * inverse;
    const double tilt_ss = (left.z_ss - right.z_ss) * inverse;

    out[0] = 0.5 * (left.z + right.z) + tilt * y;
    out[1] = 0.5 * (left.z_s + right.z_s) + tilt_s * y;
    out[2] = tilt;
    out[3] = 0.5 * (left.z_ss + right.z_ss) + tilt_ss * y;
    out[4] = tilt_s;
    out[5] = 0.0;
}

double kane_track_spectrum(const kane_track *track, kane_irregularity_kind kind, double O)
{
    return track->irregularities ? kane_irregularities_spectrum(track->irregularities, kind, O) : 0.0;
}

int kane_track_friction_changes(const kane_track *track)
{
    return track->friction != NULL;
}

double kane_track_friction(const kane_track *track, kane_side side, double s)
{
    return track->friction ? kane_friction_eval(track->friction, side, s) : track->definition.friction;
}

int kane_track_profile_changes(const kane_track *track)
{
    return track->shapes != NULL;
}

int kane_track_profile_has_kinks(const kane_track *track)
{
    return track->shapes && kane_shapes_have_kinks(track->shapes);
}

void kane_track_profile(const kane_track *track, kane_side side, double s, kane_rail_blend *blend)
{
    *blend = (kane_rail_blend){0};
    if (track->shapes)
        kane_shapes_eval(track->shapes, side, s, blend);
}

int kane_track_has_check_rails(const kane_track *track)
{
    return track->flangeways != NULL;
}

const kane_check_rail *kane_track_check_rail(const kane_track *track, kane_side side, double s)
{
    return track->flangeways ? kane_flangeways_at(track->flangeways, side, s) : NULL;
}

double kane_track_ahead(const kane_track *track, double s)
{
    return track->ahead ? kane_ahead_eval(track->ahead, s) : HUGE_VAL;
}
