// SPDX-License-Identifier: MIT
// Profiles of wheels and rails: by definition, from files, and rails whose profile changes.

#ifndef KANE_PROFILE_PROFILE_H
#define KANE_PROFILE_PROFILE_H

#include <kane/profile.h>

#include "base/arena.h"
#include "base/lines.h"

// === Wheel and rail profiles by their definitions: straight lines, arcs and polynomials.

// A point of a profile: height and slope at a lateral place.
typedef struct profile_point {
    double height; // [m]
    double slope;  // [1]
} profile_point;

// Ends of what is described of the S1002 wheel, along the axle from the running circle, positive to the outside [m].
// The inner one lies on the back of the flange, where it is 53 degrees steep; the outer edge is rounded.
#define KANE_S1002_FIRST (-0.067)
#define KANE_S1002_LAST  0.064

// Radius of the wheel S1002 over its running circle (EN 13715-1), s from the running circle, positive to the outside.
// Outside of +60 mm the edge is rounded with 5 mm.
profile_point kane_shape_s1002(double s);

// Height of the upright rail 60E1 (EN 13674-1) over its highest point, y from its plane of symmetry: arcs of 300, 80
// and 13 mm, below them the flank, widening 1:20.
profile_point kane_shape_60e1(double y);

// Radius of a cone over its running circle, and of a wheel whose profile is an arc: of this radius (positive: hollow,
// negative: crowned) and with slope -conicity at the running circle; only where the arc is.
profile_point kane_shape_cone(double conicity, double s);
profile_point kane_shape_arc(double radius, double conicity, double s);

// Height of a round rail over its highest point; only for |y| < radius.
profile_point kane_shape_round(double radius, double y);

// === What the rooms above need of profiles besides kane/profile.h.

// A copy that lives as long as the arena, points, name and place included. NULL without memory.
const kane_profile *kane_profile_copy(kane_arena *arena, const kane_profile *profile);

// kane_profile_read into an arena. NULL with errors (not NULL).
const kane_profile *kane_profile_load(kane_arena *arena, const char *file, const kane_profile_options *options,
                                      kane_errors *errors);

// From the back of the flange to the running circle [m].
double kane_profile_flange_to_circle(const kane_profile *profile);

// kane_profile_check with the words of a reader of files: `read_as` may be NULL.
kane_status kane_profile_inspect(const kane_profile *profile, kane_profile_kind kind,
                                 const kane_profile_options *read_as, kane_errors *errors);

// "a wheel", "a rail".
const char *kane_profile_noun(kane_profile_kind kind);

// === A rail whose profile changes, as CONTACT writes it: a file ".slcs" with the places of slices and their files.

typedef struct kane_slice {
    double at; // along the rail [m]
    const kane_profile *profile;
    kane_place place; // of the slice's line
} kane_slice;

// The slices of a file in order, in the arena; `options` are those of their profiles and say where the file was named.
// NULL with errors (not NULL).
const kane_slice *kane_slices_load(kane_arena *arena, const char *file, const kane_profile_options *options, int *count,
                                   kane_errors *errors);

// === Files of profiles. Their readers fill the points, in the file's own unit and axes.

// Points as they are in the file; room for one in each line.
typedef struct raw_points {
    int count;
    double *y, *z, *weight;
    int *line;
} raw_points;

typedef struct file_says {
    double unit;      // one of its lengths [m]; 0: it does not say
    int wheel;        // 1: a wheel, 0: a rail, -1: it does not say
    double smoothing; // what it asks for, in a measure of its own
} file_says;

void kane_read_simpack(kane_lines *r, raw_points *points, file_says *says);
void kane_read_columns(kane_lines *r, raw_points *points);
void kane_read_miniprof(kane_lines *r, raw_points *points,
                        int profile); // profile: number of the one wanted, 0: there is one

// Adds a point of the present line; one that repeats the last point adds nothing.
void kane_points_add(raw_points *points, const kane_lines *r, double y, double z, double weight);

#endif
