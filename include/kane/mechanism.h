// SPDX-License-Identifier: MIT
// Joints and constraints: how bodies hang on each other, and what holds between their coordinates.
//
// Everything is given in the *drawing*: all bodies in vehicle axes, as kane/model.h has it. A joint or constraint joins
// two markers, each fixed to one side. They need not coincide in the drawing; all coordinates of a joint are zero where
// they do.

#ifndef KANE_MECHANISM_H
#define KANE_MECHANISM_H

#include <kane/base.h>
#include <kane/input.h>
#include <kane/joint.h>
#include <kane/math.h>
#include <kane/rows.h>

KANE_C_BEGIN

// --- functions of one variable ---

typedef enum kane_function_kind {
    KANE_FUNCTION_POLYNOMIAL, // sum of coefficients[i] x^i
    KANE_FUNCTION_SINE, // coefficients: mean, amplitude, angular frequency, phase: mean + amplitude sin(frequency x + phase)
                        // and a fifth, X: the sine sets in from x = 0 on, times f(x/X), f(t) = 10 t^3 - 15 t^4 + 6 t^5
    KANE_FUNCTION_TABLE, // natural cubic spline through points; linear beyond the ends
    KANE_FUNCTION_STEP,  // coefficients: p, q, x0, X: p + (q - p) f((x - x0)/X), twice continuously differentiable
    KANE_FUNCTION_USER   // a function of the user's, smooth, without memory
} kane_function_kind;

typedef struct kane_function {
    kane_function_kind kind;
    int count;                                                      // of coefficients or points
    const double *coefficients;                                     // polynomial, sine
    const double *x, *y;                                            // table: x grows
    void (*own)(const void *data, double x, double derivatives[4]); // value and first three derivatives
    const void *data;                                               // of own
} kane_function;

// --- markers ---

// A point with axes on a body, where it is drawn. Position and axes are given relative to another marker, or in the
// drawing; what a marker counts from does not carry it.
typedef struct kane_marker_definition {
    kane_block block;     // name
    const char *on;       // body or given frame; NULL: the frame of the other side (ground, track)
    const char *relative; // marker whose axes and origin the numbers refer to, on any body; NULL: the drawing
    kane_vec3 position;   // [m]
    kane_mat3 axes;       // rotation matrix: marker axes to those it refers to; all zero: parallel
} kane_marker_definition;

// Where one side of a joint or constraint is held: a marker, or a point of the drawing.
typedef struct kane_attachment {
    const char *marker; // NULL: the following two
    kane_vec3 at;       // drawing [m]
    kane_mat3 axes;     // to vehicle axes; all zero: parallel to them
} kane_attachment;

// --- joints ---

typedef enum kane_joint_kind {
    KANE_JOINT_REVOLUTE,    // angle about z
    KANE_JOINT_PRISMATIC,   // travel along z
    KANE_JOINT_CYLINDRICAL, // travel along z, angle about z
    KANE_JOINT_UNIVERSAL,   // roll about the parent's x, then pitch about the body's y
    KANE_JOINT_SPHERICAL,   // four Euler parameters e0 (scalar) .. e3; no singular position
    KANE_JOINT_PLANAR,      // x, y in the parent's plane, angle about z
    KANE_JOINT_FREE,        // x, y, z along the parent's axes, then three turns; any of them may be removed
    KANE_JOINT_WELD,        // nothing
    KANE_JOINT_USER,        // a formula of the user's own (kane/joint.h)
    KANE_JOINT_KINDS
} kane_joint_kind;

enum { KANE_JOINT_COORDINATES = 7, KANE_JOINT_SPEEDS = 6 };

// Motion of one coordinate of a joint that is prescribed over time: q(t), or its rate, from which q follows with
// q(0) = 0 (not by a user-defined function, which has no integral).
typedef struct kane_motion_definition {
    int coordinate;         // index among the joint's
    kane_function function; // of time [s]: [m] or [rad]; of a rate per s
    int is_rate;            // 1: the function gives the rate
    kane_place place;
} kane_motion_definition;

typedef struct kane_joint_definition {
    kane_block block;
    kane_joint_kind kind;
    const char *parent;   // body, or a given frame, which is the body's then; NULL: the frame that the body belongs to
    kane_attachment from; // on the parent; its axes are those of the joint
    kane_attachment to;   // on the body
    unsigned dof;         // of KANE_JOINT_FREE: KANE_DOF(KANE_X ...), with turns by axis: YAW z, ROLL x, PITCH y
    const char *rotation; // of KANE_JOINT_FREE: order of the turns about moving axes; NULL: "zxy" (yaw, roll, pitch)
    const kane_joint_formula *own; // of KANE_JOINT_USER, and struct of its schema
    const void *parameters;
    int motion_count; // of prescribed coordinates
    const kane_motion_definition *motions;
} kane_joint_definition;

// Where a body starts: coordinates of its joint and their rates, in the order of kane_joint_coordinate_name; of a
// spherical joint three components of the relative angular velocity in the body's axes. Of a body without a joint x ..
// pitch, counted from where it is drawn (or rests on its wheels). Constraints move what is not held as little as
// possible.
typedef struct kane_start_definition {
    double q[KANE_JOINT_COORDINATES]; // [m], [rad]; Euler parameters all zero: none turned
    double rate[KANE_JOINT_SPEEDS];   // [m/s], [rad/s]
    unsigned held_q, held_rate;       // 1u << index: exactly this; otherwise a first guess
} kane_start_definition;

// --- constraints: in brackets how many equations each is (docs/mechanisms.md, section 4) ---

typedef enum kane_constraint_kind {
    KANE_CONSTRAINT_LINEAR,      // sum of factor coordinate = offset: gears, racks (1)
    KANE_CONSTRAINT_FUNCTION,    // first coordinate = factor of the second function(second) + offset: cams (1)
    KANE_CONSTRAINT_SPHERICAL,   // the markers' origins coincide (3 equations)
    KANE_CONSTRAINT_REVOLUTE,    // the same, and z axes are parallel (5)
    KANE_CONSTRAINT_CYLINDRICAL, // z axes coincide, as lines (4)
    KANE_CONSTRAINT_PRISMATIC,   // the same, and all axes are parallel (5)
    KANE_CONSTRAINT_UNIVERSAL,   // origins coincide, x of the first is square to y of the second (4)
    KANE_CONSTRAINT_PLANAR,      // the second's xy plane stays in that of the first (3)
    KANE_CONSTRAINT_WELD,        // everything coincides (6)
    KANE_CONSTRAINT_DISTANCE,    // a constant or given length between the origins (1)
    KANE_CONSTRAINT_CURVE,       // the second's origin stays on y = f(x), z = g(x) in the first's axes (2)
    KANE_CONSTRAINT_RATES,       // sum of factor rate = offset; not integrable (1)
    KANE_CONSTRAINT_KNIFE,       // the second's origin does not move along the second's y, seen from the first (1)
    KANE_CONSTRAINT_ROLLING,     // a disc about the second's z rolls without slip on the xy plane of the first (3)
    KANE_CONSTRAINT_ROD,         // a thin rod between the origins, a removed body: length as drawn, with inertia (1)
    KANE_CONSTRAINT_USER,        // rows of the user's own (kane/rows.h)
    KANE_CONSTRAINT_KINDS
} kane_constraint_kind;

// What an evaluation does with the inertia of rods with mass: of their masses m_11, m_22, m_12 on the accelerations of
// their ends (docs/mechanisms.md, section 4) those that are not solved for act with accelerations that are known
// beforehand, as integrators with a fixed step extrapolate them from earlier steps (kane_eval_rods).
typedef enum kane_rod_inertia {
    KANE_RODS_EXACT,     // all of them are solved for: nothing is approximated
    KANE_RODS_PARTITION, // m_11 and m_22 are, as masses at the ends; m_12, which couples the two bodies, is not
    KANE_RODS_ALL        // none is
} kane_rod_inertia;

// Their names: "exact", "partition", "all"; NULL-terminated.
KANE_API extern const char *const kane_rod_inertia_names[];

typedef struct kane_term_definition {
    const char *body;       // whose joint is meant; without a joint x .. pitch
    const char *coordinate; // of its joint, by name; NULL: the only one
    double factor;          // for m and rad; of the first term of a FUNCTION not read
} kane_term_definition;

// Numbers of a constraint that may be functions of time. The marker of the first side moves on its body along the axes
// that it has there, then turns by yaw, roll, pitch about moving axes; a row holds what it does against the marker as
// it moves.
typedef enum kane_given_number {
    KANE_GIVEN_X, // between two sides: of the first side's marker
    KANE_GIVEN_Y,
    KANE_GIVEN_Z,
    KANE_GIVEN_YAW,
    KANE_GIVEN_ROLL,
    KANE_GIVEN_PITCH,
    KANE_GIVEN_LENGTH, // DISTANCE
    KANE_GIVEN_OFFSET, // LINEAR, FUNCTION, RATES
    KANE_GIVEN_FACTOR, // the same: of one term
    KANE_GIVEN_ALONG,  // CURVE: x of the second's origin, which is free else
    KANE_GIVEN_NUMBERS
} kane_given_number;

typedef struct kane_given_definition {
    kane_given_number number;
    int term;               // FACTOR: index among the terms
    kane_function function; // of time [s]: [m], [rad]; smooth (two derivatives enter the equations)
    kane_place place;
} kane_given_definition;

// Dependent coordinates of planar loops in closed form (docs/mechanisms.md, section 5). The motion is the same.
typedef enum kane_closed_form {
    KANE_CLOSED_NONE, // Newton's method
    KANE_CLOSED_FOUR_BAR,
    KANE_CLOSED_SLIDER_CRANK,
    KANE_CLOSED_FOUR_BAR_SLIDER, // four-bar with a sliding link: an inverted slider-crank, as of a cylinder
    KANE_CLOSED_TRANSMISSION,    // a gear: KANE_CONSTRAINT_LINEAR of two coordinates
    KANE_CLOSED_USER             // kane_rows_kind.closed of `own`, for the coordinates in `terms`
} kane_closed_form;

// One of several sides of a constraint.
typedef struct kane_side_definition {
    const char *body; // NULL: the frame of the first one that is on a body
    kane_attachment at;
    kane_place place;
} kane_side_definition;

typedef struct kane_constraint_definition {
    kane_block block;
    kane_constraint_kind kind;
    // between two sides: SPHERICAL .. CURVE, KNIFE, ROLLING
    const char *between[2];    // bodies or given frames; NULL: the frame of the other one
    kane_attachment at[2];     // where on them, and along which axes
    double length;             // DISTANCE [m]; 0: as drawn
    double radius;             // ROLLING [m]
    double mass;               // ROD [kg], 0: none
    double centre;             // ROD: its mass centre, as a part of the length from the first side, 0 .. 1
    double inertia;            // ROD: about the mass centre, square to it [kg m^2]; negative: mass length^2/12
    kane_function function[2]; // FUNCTION: [0]; CURVE: y and z over x, one of them may be left out (0)
    kane_closed_form closed;   // how its dependent coordinates are found
    // USER: its rows, their parameters, and their markers, the first of which sees the others; KANE_CLOSED_USER: the
    // table of the closed form. NULL: it has none
    const kane_rows_kind *own;
    const void *parameters; // struct of the kind's schema
    int side_count;
    const kane_side_definition *sides;
    // relations of coordinates: LINEAR and RATES (up to eight terms), FUNCTION (two), USER, KANE_CLOSED_USER
    int term_count;
    const kane_term_definition *terms;
    double offset;   // for m and rad; RATES: per s
    int given_count; // of its numbers that are functions of time, instead of the constants above
    const kane_given_definition *given;
} kane_constraint_definition;

// How constraints enter the equations; both give the same motion. docs/mechanisms.md, section 5, says which one when.
typedef enum kane_constraint_form {
    KANE_FORM_COEFFICIENTS, // dependent speeds by coefficients: V = A u + C (47), (48)
    KANE_FORM_MULTIPLIERS   // [Theta Phi'; Phi 0], projected after every step
} kane_constraint_form;

// Name of such a number as typed, e.g. "length".
KANE_API const char *kane_given_number_name(kane_given_number number);

// Name of the kind as typed, e.g. "revolute".
KANE_API const char *kane_joint_kind_name(kane_joint_kind kind);
KANE_API const char *kane_constraint_kind_name(kane_constraint_kind kind);

// Coordinates of a joint: how many, and their names ("angle"; "x", "y", "z", "yaw", ...); NULL beyond. No joint (NULL):
// those of a body that is free in its frame.
KANE_API int kane_joint_coordinate_count(const kane_joint_definition *joint);
KANE_API const char *kane_joint_coordinate_name(const kane_joint_definition *joint, int coordinate);

// Unit of a coordinate by its name: "m" (x, y, z, travel) or "rad" (yaw, roll, pitch, angle); NULL: no coordinate has
// this name.
KANE_API const char *kane_coordinate_unit(const char *name);

KANE_C_END

#endif
