// SPDX-License-Identifier: MIT
// Profiles of wheels and rails: by their definitions, by arcs and lines, or by points that are typed or read from a
// file.
//
// Both are drawn across the track: y positive to the outside (away from the middle of the track), z up. A wheel's y is
// counted along the axle from its running circle: the flange is at negative y and negative z. A constant height of
// all points means nothing: the running circle, or the rail's top, is where heights count from in the end. A rail's y
// is counted from its plane of symmetry; its gauge face is at negative y. docs/formats.md says more, and which files
// are read.

#ifndef KANE_PROFILE_H
#define KANE_PROFILE_H

#include <kane/base.h>

KANE_C_BEGIN

typedef enum kane_profile_kind { KANE_PROFILE_WHEEL, KANE_PROFILE_RAIL } kane_profile_kind;

typedef enum kane_profile_shape {
    KANE_SHAPE_S1002, // wheel, EN 13715-1
    KANE_SHAPE_CONE,  // wheel: a straight line of slope `conicity`
    KANE_SHAPE_ARC,   // wheel: a circular arc of `radius` through the running circle, hollow, of slope `conicity` there
    KANE_SHAPE_60E1,  // rail, EN 13674-1, upright
    KANE_SHAPE_ROUND, // rail: a circular arc of `radius`
    KANE_SHAPE_POINTS, // a smooth curve through points or near them
    KANE_SHAPE_PIECES  // arcs and straight lines that touch each other
} kane_profile_shape;

// A piece of a profile. Neighbours have point and direction in common: centres, which drawings round, are moved by up
// to 0.02 mm until they have, from the arc at y = 0 on to both sides.
typedef struct kane_profile_piece {
    double
        radius; // of an arc; positive where its centre is below the curve (a hollow wheel, a round rail), else negative;
                // 0: a line [m]
    double y, z;      // of an arc: its centre [m]
    double angle;     // of a line: how steep it rises to the outside [rad]; its place follows from its neighbours
    kane_place place; // where it was typed
} kane_profile_piece;

// Plain data; a user copies what is needed. Points run from the inside to the outside, along the surface.
typedef struct kane_profile {
    kane_profile_kind kind;
    kane_profile_shape shape;
    double conicity;         // cone, arc: the wheel's radius falls by this per metre to the outside [1]
    double radius;           // arc, round [m]
    double flange_to_circle; // wheel: from the back of the flange to the running circle [m]; 0: 70 mm
    int inclined;            // rail: 1: it is drawn as it lies in the track, the track's inclination is in it
    int slice; // rail by points: 1: a slice of a switch or crossing, which may have several heads beside each other
    int count; // points: at least 8; pieces
    const double *y, *z;  // points [m]
    const double *weight; // points: of each in the smoothing [1]; NULL: all 1
    const int *line;      // points: line of each in place.file; NULL: not known
    double smoothing;     // points: the curve's rms distance from them that is allowed [m]; 0: it goes through them
    const kane_profile_piece *pieces; // pieces, from the inside to the outside: one of them at least an arc
    double from, to;                  // pieces: y at which the first one begins and the last one ends [m]
    int left_out;                     // points: of the file that were left out since they went back by measuring noise
    int left_out_line;                // ... and the line of the first
    const char *name;                 // NULL: none
    kane_place place;                 // where the points begin
} kane_profile;

// S1002 and 60E1 (they are always there), a cone, a hollow arc (of negative radius: a crowned one), a round head.
KANE_API const kane_profile *kane_profile_s1002(void);
KANE_API const kane_profile *kane_profile_60e1(void);
KANE_API kane_profile kane_profile_cone(double conicity);
KANE_API kane_profile kane_profile_arc(double radius, double conicity);
KANE_API kane_profile kane_profile_round(double radius);

// Is it a profile of that kind? KANE_OK, or KANE_BAD_ARGUMENT (KANE_BAD_INPUT if it has a place) with all that is
// wrong: values out of range; points that are not finite, out of order, too few, of impossible size, upside down or on
// the wrong side; a tread, flange or gauge face that is missing.
KANE_API kane_status kane_profile_check(const kane_profile *profile, kane_profile_kind kind, kane_errors *errors);

// Kinks of a profile by points: places where the curve turns by more than `angle` [rad] from one point to the next,
// after smoothing. Adds a remark of status KANE_OK with its place for each to `remarks`. Returns their number, negative
// if memory is short.
KANE_API int kane_profile_kinks(const kane_profile *profile, double angle, kane_errors *remarks);

// Were points of its file left out, since they lay behind their neighbours by measuring noise? Returns 1 with a remark
// of status KANE_OK, else 0.
KANE_API int kane_profile_left_out(const kane_profile *profile, kane_errors *remarks);

// A rail by points that is said to stand upright, but whose head leans to the middle of the track as if it had been
// drawn as it lies: returns 1 with a remark of status KANE_OK, else 0.
KANE_API int kane_profile_leans(const kane_profile *profile, kane_errors *remarks);

// 1 if two profiles are alike: same shape and values, or the same points. Names and places do not count.
KANE_API int kane_profile_same(const kane_profile *a, const kane_profile *b);

// The curve of a profile as used: `count` points from the inside to the outside, at equal distances along y for
// shapes, along the curve for points and pieces. An inclined rail stays as drawn. KANE_NO_MEMORY,
// KANE_BAD_ARGUMENT (count below 2).
KANE_API kane_status kane_profile_draw(const kane_profile *profile, int count, double *y, double *z);

// --- files ---

typedef enum kane_profile_format {
    KANE_PROFILE_BY_NAME, // .prw and .prr: SIMPACK; .ban, .whl and .mpt: MiniProf; all others: columns
    KANE_PROFILE_SIMPACK, //
    KANE_PROFILE_COLUMNS, // two columns y, z; lines that begin with # or ! are comments
    KANE_PROFILE_MINIPROF // lines KEY=VALUE, then columns of which X and Y (in "ColumnDef", else the first two) are y, z
} kane_profile_format;

typedef enum kane_profile_lateral {
    KANE_LATERAL_NOT_SAID,
    KANE_LATERAL_OUTSIDE,
    KANE_LATERAL_INSIDE
} kane_profile_lateral;
typedef enum kane_profile_vertical {
    KANE_VERTICAL_NOT_SAID,
    KANE_VERTICAL_UP,
    KANE_VERTICAL_DOWN
} kane_profile_vertical;

// What the numbers of a file mean. Columns and MiniProf files need unit, lateral and vertical; a SIMPACK
// file says its unit, and its processed points go outside and down.
typedef struct kane_profile_options {
    kane_profile_kind kind;
    kane_profile_format format;
    double unit;                    // of its lengths [m]; 0: not said
    kane_profile_lateral lateral;   // where the file's y is positive
    kane_profile_vertical vertical; // where its z is positive
    double origin;           // y of the running circle or of the rail's axis, in the file's axes and direction [m]
    double smoothing;        // [m]
    double flange_to_circle; // [m]; 0: 70 mm
    int inclined, slice;     //
    int profile;             // MiniProf: of several in a file the one of this number, from 1; 0: the file has one
    kane_place place;        // where the file was named: of errors that concern no line of it
} kane_profile_options;

// Reads and checks a profile. NULL with all errors: KANE_NO_FILE, KANE_BAD_INPUT, KANE_NO_MEMORY.
KANE_API kane_profile *kane_profile_read(const char *file, const kane_profile_options *options, kane_errors *errors);
KANE_API void kane_profile_free(kane_profile *profile); // what kane_profile_read returned; NULL is allowed

KANE_C_END

#endif
