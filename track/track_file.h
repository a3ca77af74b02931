// SPDX-License-Identifier: MIT
// A track file as typed: the structs behind its keys.

#ifndef KANE_TRACK_TRACK_FILE_H
#define KANE_TRACK_TRACK_FILE_H

#include <kane/track.h>

#include "base/document.h"
#include "profile/input.h"

typedef struct kane_rail_input {
    kane_block block;
    const char *profile, *right; // names of profiles; right: NULL if it is the same
    double inclination;          // [1]
    double head_radius;          // [m]
    double friction;             // [1]
} kane_rail_input;

// Curvature and cant at the end of a transition.
typedef struct kane_bend_input {
    kane_block block;
    double radius; // [m], negative in a right-hand curve; not given: straight
    double cant;   // outer rail over inner one [m]
} kane_bend_input;

typedef struct kane_measured_input {
    kane_block block;
    kane_numbers at, curvature, superelevation, grade;
} kane_measured_input;

// A line by points in a file: "NAME [UNIT]" of its columns.
typedef struct kane_alignment_input {
    kane_block block;
    const char *file;
    const char *chainage, *curvature, *versine, *x, *y, *cant, *grade;
    double chord;                          // of the versine [m]
    int positive, cant_of, grade_positive; // indices of their names
    double smoothing;                      // wavelength of which half is left [m]
} kane_alignment_input;

typedef struct kane_section_input {
    kane_block block;
    double straight, curve, transition; // lengths; one of them is given, or `measured`, or `alignment`
    kane_measured_input measured;
    kane_alignment_input alignment;
    double radius, cant; // of a curve
    int shape;           // kane_transition_shape
    kane_bend_input to;
    double height; // [m]
    int small_angle;
    double rounding; // [m]
    kane_numbers coefficients;
    int degree;
    kane_numbers knots;
} kane_section_input;

typedef struct kane_grade_input {
    kane_block block;
    double at, grade, rounding;
} kane_grade_input;

typedef struct kane_sine_input {
    kane_block block;
    int kind; // kane_irregularity_kind
    double amplitude, wavelength, phase;
} kane_sine_input;

typedef struct kane_spectrum_input {
    kane_block block;
    int standard; // 0: its own numbers; else 1 + kane_spectrum_standard
    int kind;     // 0: all that the standard has; else 1 + kane_irregularity_kind
    double roughness, corner, low_corner, cross_corner;
    double shortest, longest, scale;
    int waves, seed;
} kane_spectrum_input;

// Which columns of a file are what: "NAME [UNIT]".
typedef struct kane_record_columns_input {
    kane_block block;
    const char *chainage;
    const char *kinds[KANE_IRREGULARITY_KINDS];
} kane_record_columns_input;

typedef struct kane_record_input {
    kane_block block;
    const char *file;
    double scale;
    kane_texts ignore;
    kane_record_columns_input columns;
    double from, step;                                             // of a file without chainage [m]
    int lateral_positive, vertical_positive, cross_level_positive; // indices of their names
    double nominal_gauge;                                          // [m]
    double shortest, longest;                                      // wavelengths that are kept; 0: all [m]
} kane_record_input;

typedef struct kane_defect_input {
    kane_block block;
    int kind, shape; // kane_irregularity_kind, kane_defect_shape
    double at, length, height;
} kane_defect_input;

typedef struct kane_friction_input {
    kane_block block;
    double from, to, friction, over;
    int rail; // kane_rails
} kane_friction_input;

typedef struct kane_profile_change_input {
    kane_block block;
    double from, over;
    int rail;                     // kane_rails
    const char *profile, *slices; // one of them
    int lies;                     // index of its name
    int unit;                     // likewise
    double smoothing;             // [m]
} kane_profile_change_input;

typedef struct kane_check_rail_input {
    kane_block block;
    double from, to, flare, flangeway, opening, height; // [m]
    double stiffness, onset, damping, friction;         // [N/m], [m], [N s/m], [1]
    int rail;                                           // kane_rails
} kane_check_rail_input;

typedef struct kane_fade_input {
    kane_block block;
    double from, length;
} kane_fade_input;

typedef struct kane_irregularities_input {
    kane_block block;
    kane_items sines;   // kane_sine_input
    kane_items spectra; // kane_spectrum_input
    kane_items files;   // kane_record_input
    kane_items defects; // kane_defect_input
    kane_fade_input fade_in;
} kane_irregularities_input;

// One number in each direction; of a mass there is none for roll.
typedef struct kane_across_input {
    kane_block block;
    double lateral, vertical, roll;
} kane_across_input;

typedef struct kane_flexibility_input {
    kane_block block;
    kane_across_input mass;
    double inertia; // [kg m^2]
    kane_across_input stiffness, damping;
} kane_flexibility_input;

// A track without rails.
typedef struct kane_road_input {
    kane_block block;
    double wheel_tracks; // [m]
} kane_road_input;

typedef struct kane_track_file {
    kane_block block;
    const char *name;
    kane_road_input road;
    double gauge, gauge_height, running_distance; // [m]
    kane_items profiles;                          // kane_profile_input
    kane_rail_input rail;
    int cant_axis;         // kane_cant_axis
    int transportation;    // kane_transportation
    double start, heading; // [m], [rad]
    double grade;          // [1]
    kane_items sections;   // kane_section_input
    kane_items grades;     // kane_grade_input
    kane_irregularities_input irregularities;
    kane_items friction_changes; // kane_friction_input
    kane_items profile_changes;  // kane_profile_change_input
    kane_items check_rails;      // kane_check_rail_input
    kane_flexibility_input flexibility;
} kane_track_file;

extern const kane_schema kane_track_schema;
extern const kane_schema kane_irregularities_schema;
extern const kane_schema kane_friction_schema;
extern const kane_schema kane_profile_change_schema;
extern const kane_schema kane_check_rail_schema;

// Names of the kinds of irregularity, NULL-terminated.
extern const char *const kane_irregularity_names[];

extern const kane_schema kane_alignment_schema;

extern const kane_formats kane_track_formats;

// A section whose line stands in a file. Fills the section and where the line begins: its chainage [m] and its heading
// [rad] (of points in the plane; else NaN). 0 with errors.
int kane_alignment_read(kane_reader *reader, const kane_alignment_input *in, kane_section_definition *section,
                        double *start, double *heading);

// The definition of a file; arrays are in the reader's arena. Adds to the reader's errors what is wrong.
kane_track_definition kane_track_build(kane_reader *reader, const kane_track_file *file);

// Its part: irregularities and changes of friction.
void kane_track_build_rails(kane_reader *reader, const kane_track_file *file, kane_track_definition *d);

// Reads the columns of a file that a track file names as records, at most KANE_IRREGULARITY_KINDS of them; returns
// their number. Adds to the reader's errors what is wrong.
int kane_record_read(kane_reader *reader, const kane_record_input *in, kane_record_definition *records);

#endif
