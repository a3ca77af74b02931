// SPDX-License-Identifier: MIT
// The keys of a track file.

#include "track/track_file.h"

static const char *const cant_axes[]       = {"inner_rail", "centre_line", NULL};
static const char *const transportations[] = {"exact", "small_angle", NULL};
static const char *const shapes[]          = {"clothoid", "parabola", "cosine",     "sine",   "bloss",
                                              "helmert",  "wiener",   "polynomial", "spline", NULL};

static const kane_key rail_keys[] = {
    KANE_KEY(kane_rail_input, profile, TEXT, OPTIONAL, "60E1", NULL, ANY, NULL,
             "profile of both rails: \"60E1\", \"round\", or a name in \"profiles\""),
    KANE_KEY(kane_rail_input, right, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "profile of the right rail if it is another one"),
    KANE_KEY(kane_rail_input, inclination, NUMBER, OPTIONAL, "1:40", "1", NOT_NEGATIVE, NULL,
             "of rails that are drawn upright, towards the middle of the track"),
    KANE_KEY(kane_rail_input, head_radius, NUMBER, OPTIONAL, "300 mm", "m", POSITIVE, NULL, "of the profile \"round\""),
    KANE_KEY(kane_rail_input, friction, NUMBER, OPTIONAL, "0.3", "1", NOT_NEGATIVE, NULL,
             "coefficient of friction between wheels and rails"),
};

static const kane_key bend_keys[] = {
    KANE_KEY(kane_bend_input, radius, NUMBER, OPTIONAL, NULL, "m", OR_INFINITE, NULL,
             "positive in a left-hand curve, negative in a right-hand one; straight if it is left out, or \"inf\""),
    KANE_KEY(kane_bend_input, cant, NUMBER, OPTIONAL, "0 m", "m", ANY, NULL,
             "height of the outer rail over the inner one"),
};

static const kane_key measured_keys[] = {
    KANE_KEY(kane_measured_input, at, NUMBERS, REQUIRED, NULL, "m", NOT_NEGATIVE, NULL,
             "places from the beginning of the section, from 0 to its length"),
    KANE_KEY(kane_measured_input, curvature, NUMBERS, REQUIRED, NULL, "1/m", ANY, NULL, "positive to the left"),
    KANE_KEY(kane_measured_input, superelevation, NUMBERS, REQUIRED, NULL, "m", ANY, NULL,
             "height of the right rail over the left one"),
    KANE_KEY(kane_measured_input, grade, NUMBERS, OPTIONAL, NULL, "1", ANY, NULL,
             "tangent of the angle uphill; the track's own grade if it is left out"),
};

static const char *const curvature_signs[] = {"left", "right", NULL};
static const char *const grade_signs[]     = {"up", "down", NULL};
static const char *const cant_rails[]      = {"outer_rail", "right_rail", "left_rail", NULL};

static const kane_key alignment_keys[] = {
    KANE_KEY(kane_alignment_input, file, TEXT, REQUIRED, NULL, NULL, ANY, NULL,
             "columns with a line of names, perhaps one of units, then numbers; relative to this file"),
    KANE_KEY(
        kane_alignment_input, chainage, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
        "name of its column and its unit, \"km [km]\" (the unit may stand in the file instead); needed but with x and y"),
    KANE_KEY(kane_alignment_input, curvature, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "likewise [1/m]; one of curvature, versine, x and y"),
    KANE_KEY(kane_alignment_input, versine, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "height of the arc over the middle of a chord [m]"),
    KANE_KEY(kane_alignment_input, chord, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL, "length of this chord"),
    KANE_KEY(kane_alignment_input, x, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "coordinates of the centre line in the plane [m]: x ..."),
    KANE_KEY(kane_alignment_input, y, TEXT, OPTIONAL, NULL, NULL, ANY, NULL, "... and y to the left of it"),
    KANE_KEY(kane_alignment_input, positive, CHOICE, OPTIONAL, "left", NULL, ANY, curvature_signs,
             "the hand of curves whose curvature or versine is positive"),
    KANE_KEY(kane_alignment_input, cant, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "height of one rail over the other [m]; level if it is left out"),
    KANE_KEY(kane_alignment_input, cant_of, CHOICE, OPTIONAL, "outer_rail", NULL, ANY, cant_rails,
             "the rail that is higher where cant is positive"),
    KANE_KEY(kane_alignment_input, grade, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "tangent of the angle [1]; the track's own grade if it is left out"),
    KANE_KEY(kane_alignment_input, grade_positive, CHOICE, OPTIONAL, "up", NULL, ANY, grade_signs,
             "where the line goes where it is positive"),
    KANE_KEY(kane_alignment_input, smoothing, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "wavelength of which half is left, shorter waves are taken off (formats.md); 0: through all points"),
};

const kane_schema kane_alignment_schema =
    KANE_SCHEMA(kane_alignment_input, "alignment", alignment_keys,
                "A line by points in a file, joined by splines with continuous curvature.");

static const kane_schema bend_schema =
    KANE_SCHEMA(kane_bend_input, "bend", bend_keys, "Radius and cant at the end of a transition.");
static const kane_schema measured_schema =
    KANE_SCHEMA(kane_measured_input, "measured line", measured_keys,
                "A line by points, joined by splines with continuous curvature.");

static const kane_key section_keys[] = {
    KANE_KEY(kane_section_input, straight, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL, "length of a straight section"),
    KANE_KEY(kane_section_input, curve, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL, "length of a circular section"),
    KANE_KEY(kane_section_input, transition, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL, "length of a transition"),
    KANE_KEY(kane_section_input, measured, OBJECT, OPTIONAL, NULL, NULL, ANY, &measured_schema,
             "a line by points; its length is that of the table"),
    KANE_KEY(kane_section_input, alignment, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_alignment_schema,
             "a line by points in a file; its length is theirs"),
    KANE_KEY(
        kane_section_input, radius, NUMBER, OPTIONAL, NULL, "m", OR_INFINITE, NULL,
        "of a curve: positive to the left, negative to the right, \"inf\" straight; that of the section before if it is left out"),
    KANE_KEY(
        kane_section_input, cant, NUMBER, OPTIONAL, NULL, "m", ANY, NULL,
        "of a curve: height of the outer rail over the inner one; that of the section before if it is left out. Of a "
        "straight: as in the curve before; level if it is left out"),
    KANE_KEY(kane_section_input, shape, CHOICE, OPTIONAL, "clothoid", NULL, ANY, shapes,
             "of a transition: how curvature and cant grow (formats.md)"),
    KANE_KEY(kane_section_input, to, OBJECT, OPTIONAL, NULL, NULL, ANY, &bend_schema,
             "of a transition: what it leads to; straight and level if it is left out"),
    KANE_KEY(kane_section_input, height, NUMBER, OPTIONAL, "1.5 m", "m", NOT_NEGATIVE, NULL,
             "of the shape \"wiener\": height of its axis of rotation over the rails"),
    KANE_KEY(
        kane_section_input, small_angle, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
        "of the shape \"wiener\": true: its curvature is that of IFC 4.3 (VIENNESEBEND), which takes cant over the "
        "running distance for the angle itself"),
    KANE_KEY(
        kane_section_input, rounding, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
        "of the shape \"clothoid\": length over which each of its ends is rounded, so that curvature and cant have no "
        "kinks; 0: they have"),
    KANE_KEY(kane_section_input, coefficients, NUMBERS, OPTIONAL, NULL, "1", ANY, NULL,
             "of the shape \"polynomial\": of x^0, x^1, ...; of \"spline\": of its B-splines, from 0 to 1"),
    KANE_KEY(kane_section_input, degree, COUNT, OPTIONAL, "5", NULL, POSITIVE, NULL,
             "of the shape \"spline\": up to 11; has degree + 1 coefficients more than knots"),
    KANE_KEY(kane_section_input, knots, NUMBERS, OPTIONAL, NULL, "1", POSITIVE, NULL,
             "of the shape \"spline\": where its polynomials meet, ascending within 0 and 1; at either end there are "
             "degree + 1 more"),
};

static const kane_key grade_keys[] = {
    KANE_KEY(kane_grade_input, at, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "chainage of the change"),
    KANE_KEY(kane_grade_input, grade, NUMBER, REQUIRED, NULL, "1", ANY, NULL, "from here on, positive uphill"),
    KANE_KEY(kane_grade_input, rounding, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "radius of the vertical arc; 0: a kink"),
};

static const kane_schema rail_schema    = KANE_SCHEMA(kane_rail_input, "rail", rail_keys, "Both rails.");
static const kane_schema section_schema = KANE_SCHEMA(
    kane_section_input, "section", section_keys,
    "A section of the line: one of \"straight\", \"curve\", \"transition\", \"measured\", \"alignment\" and what belongs to it.");
static const kane_schema grade_schema = KANE_SCHEMA(kane_grade_input, "grade", grade_keys, "A change of grade.");

static const kane_key mass_keys[] = {
    KANE_KEY(kane_across_input, lateral, NUMBER, OPTIONAL, "900 kg", "kg", POSITIVE, NULL, "mass that moves sideways"),
    KANE_KEY(kane_across_input, vertical, NUMBER, OPTIONAL, "850 kg", "kg", POSITIVE, NULL,
             "mass that moves up and down"),
};

static const kane_key stiffness_keys[] = {
    KANE_KEY(kane_across_input, lateral, NUMBER, OPTIONAL, "20 MN/m", "N/m", POSITIVE, NULL, "of both rails together"),
    KANE_KEY(kane_across_input, vertical, NUMBER, OPTIONAL, "140 MN/m", "N/m", POSITIVE, NULL,
             "of both rails together"),
    KANE_KEY(kane_across_input, roll, NUMBER, OPTIONAL, "80 MN m/rad", "N m/rad", POSITIVE, NULL, "against roll"),
};

static const kane_key damping_keys[] = {
    KANE_KEY(kane_across_input, lateral, NUMBER, OPTIONAL, "80 kN s/m", "N s/m", NOT_NEGATIVE, NULL,
             "of both rails together"),
    KANE_KEY(kane_across_input, vertical, NUMBER, OPTIONAL, "260 kN s/m", "N s/m", NOT_NEGATIVE, NULL,
             "of both rails together"),
    KANE_KEY(kane_across_input, roll, NUMBER, OPTIONAL, "150 kN m s/rad", "N m s/rad", NOT_NEGATIVE, NULL,
             "against roll"),
};

static const kane_schema mass_schema =
    KANE_SCHEMA(kane_across_input, "track mass", mass_keys, "What of the track moves along with a wheelset.");
static const kane_schema stiffness_schema =
    KANE_SCHEMA(kane_across_input, "track stiffness", stiffness_keys, "Springs between the track and the ground.");
static const kane_schema damping_schema =
    KANE_SCHEMA(kane_across_input, "track damping", damping_keys, "Dampers between the track and the ground.");

static const kane_key flexibility_keys[] = {
    KANE_KEY(kane_flexibility_input, mass, OBJECT, OPTIONAL, "{}", NULL, ANY, &mass_schema,
             "of the panel of track that travels along"),
    KANE_KEY(kane_flexibility_input, inertia, NUMBER, OPTIONAL, "450 kg m^2", "kg m^2", POSITIVE, NULL,
             "its moment of inertia about the middle of the running surface"),
    KANE_KEY(kane_flexibility_input, stiffness, OBJECT, OPTIONAL, "{}", NULL, ANY, &stiffness_schema,
             "of its springs to the ground"),
    KANE_KEY(kane_flexibility_input, damping, OBJECT, OPTIONAL, "{}", NULL, ANY, &damping_schema,
             "of its dampers to the ground"),
};

static const kane_schema flexibility_schema =
    KANE_SCHEMA(kane_flexibility_input, "flexibility", flexibility_keys,
                "How the track gives way under each wheelset (formats.md); {} is a ballasted main line.");

static const kane_key road_keys[] = {
    KANE_KEY(
        kane_road_input, wheel_tracks, NUMBER, OPTIONAL, "1500 mm", "m", POSITIVE, NULL,
        "distance of its two wheel tracks, left and right of the line: they carry cant and unevenness, and the surface is "
        "straight across"),
};

static const kane_schema road_schema = KANE_SCHEMA(
    kane_road_input, "road", road_keys,
    "A road, for vehicles on tyres. It has line, cant and grade as a railway has, with wheel tracks in place of the rails, and "
    "none of the keys of gauge, rails, their friction and flexibility.");

static const kane_key track_keys[] = {
    KANE_KEY(kane_track_file, name, TEXT, OPTIONAL, "track", NULL, ANY, NULL, "what it is"),
    KANE_KEY(kane_track_file, road, OBJECT, OPTIONAL, NULL, NULL, ANY, &road_schema,
             "it is a road, without rails; {} is enough"),
    KANE_KEY(kane_track_file, gauge, NUMBER, OPTIONAL, "1435 mm", "m", POSITIVE, NULL, "between the gauge faces"),
    KANE_KEY(kane_track_file, gauge_height, NUMBER, OPTIONAL, "14 mm", "m", POSITIVE, NULL,
             "how far below the running surface gauge is measured"),
    KANE_KEY(kane_track_file, running_distance, NUMBER, OPTIONAL, "1500 mm", "m", POSITIVE, NULL,
             "between the running points of the rails; carries the cant"),
    KANE_KEY(kane_track_file, profiles, MAP, OPTIONAL, NULL, NULL, ANY, &kane_rail_profile_schema,
             "profiles of rails by name, beside \"60E1\" and \"round\""),
    KANE_KEY(kane_track_file, rail, OBJECT, OPTIONAL, "{}", NULL, ANY, &rail_schema, "the rails"),
    KANE_KEY(kane_track_file, cant_axis, CHOICE, OPTIONAL, "inner_rail", NULL, ANY, cant_axes,
             "about what the track turns where cant changes (formats.md)"),
    KANE_KEY(
        kane_track_file, transportation, CHOICE, OPTIONAL, "exact", NULL, ANY, transportations,
        "how the frames' angular velocity is formed: exactly, or with the small angles of the literature (theory.md)"),
    KANE_KEY(kane_track_file, start, NUMBER, OPTIONAL, "0 m", "m", ANY, NULL, "chainage of the beginning"),
    KANE_KEY(kane_track_file, heading, NUMBER, OPTIONAL, "0 rad", "rad", ANY, NULL,
             "at the beginning, positive to the left"),
    KANE_KEY(kane_track_file, grade, NUMBER, OPTIONAL, "0", "1", ANY, NULL, "at the beginning, positive uphill"),
    KANE_KEY(kane_track_file, sections, LIST, REQUIRED, NULL, NULL, ANY, &section_schema, "one after the other"),
    KANE_KEY(kane_track_file, grades, LIST, OPTIONAL, NULL, NULL, ANY, &grade_schema, "changes of grade, in order"),
    KANE_KEY(kane_track_file, irregularities, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_irregularities_schema,
             "of the rails, or of a road's wheel tracks; none if it is left out"),
    KANE_KEY(kane_track_file, profile_changes, LIST, OPTIONAL, NULL, NULL, ANY, &kane_profile_change_schema,
             "places from which the rails have another profile"),
    KANE_KEY(kane_track_file, check_rails, LIST, OPTIONAL, NULL, NULL, ANY, &kane_check_rail_schema,
             "rails beside the rails, which guide the backs of flanges"),
    KANE_KEY(kane_track_file, friction_changes, LIST, OPTIONAL, NULL, NULL, ANY, &kane_friction_schema,
             "places where the rails' friction is another"),
    KANE_KEY(kane_track_file, flexibility, OBJECT, OPTIONAL, NULL, NULL, ANY, &flexibility_schema,
             "of the track under the wheelsets; rigid if it is left out"),
};

const kane_schema kane_track_schema =
    KANE_SCHEMA(kane_track_file, "track", track_keys, "Where vehicles run: the line, its cant and grade, the rails.");

static const kane_format formats[] = {
    {"track", 1, 1, &kane_track_schema}, {"vehicle", 1, 1, NULL}, {"train", 1, 1, NULL}, {"run", 1, 1, NULL}};
const kane_formats kane_track_formats = {formats, 4};
