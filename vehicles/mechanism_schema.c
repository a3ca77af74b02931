// SPDX-License-Identifier: MIT
// The keys of joints, markers and constraints.

#include "vehicles/mechanism_file.h"

// as kane_joint_kind, kane_constraint_kind, kane_closed_form
static const char *const joints[]       = {"revolute", "prismatic", "cylindrical", "universal", "spherical",
                                           "planar",   "free",      "weld",        "user",      NULL};
static const char *const frame_joints[] = {"revolute", "prismatic", "cylindrical", "universal", "spherical",
                                           "planar",   "free",      "weld",        NULL};
static const char *const constraints[]  = {"linear",    "function", "spherical", "revolute", "cylindrical", "prismatic",
                                           "universal", "planar",   "weld",      "distance", "curve",       "rates",
                                           "knife",     "rolling",  "rod",       "user",     NULL};
static const char *const closed_forms[] = {"none", "four-bar", "slider-crank", "four-bar-slider", "transmission",
                                           "user", NULL};

// --- functions ---

static const kane_key sine_keys[] = {
    KANE_KEY(kane_harmonic_input, mean, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
             "about which it swings; 0 if it is left out"),
    KANE_KEY(kane_harmonic_input, amplitude, RAW, REQUIRED, NULL, NULL, ANY, NULL, "of the same unit"),
    KANE_KEY(kane_harmonic_input, angular_frequency, RAW, REQUIRED, NULL, NULL, ANY, NULL,
             "angle of the sine per argument, over time [rad/s]"),
    KANE_KEY(kane_harmonic_input, phase, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
             "angle of the sine where the argument is 0 [rad]; 0 if it is left out"),
    KANE_KEY(
        kane_harmonic_input, fade_in, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
        "it sets in where the argument is 0 and has its full amplitude after this, by 10 t^3 - 15 t^4 + 6 t^5; there from "
        "the beginning if it is left out"),
};

static const kane_key step_keys[] = {
    KANE_KEY(kane_step_input, from, RAW, OPTIONAL, NULL, NULL, ANY, NULL, "value before; 0 if it is left out"),
    KANE_KEY(kane_step_input, to, RAW, REQUIRED, NULL, NULL, ANY, NULL, "value behind"),
    KANE_KEY(kane_step_input, at, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
             "argument where it begins; 0 if it is left out"),
    KANE_KEY(kane_step_input, over, RAW, REQUIRED, NULL, NULL, ANY, NULL,
             "how much of the argument it takes, positive"),
};

static const kane_key points_keys[] = {
    KANE_KEY(kane_points_input, x, RAW, REQUIRED, NULL, NULL, ANY, NULL, "list of arguments, growing"),
    KANE_KEY(kane_points_input, y, RAW, REQUIRED, NULL, NULL, ANY, NULL, "list of values, as many"),
};

static const kane_schema sine_schema =
    KANE_SCHEMA(kane_harmonic_input, "sine", sine_keys, "mean + amplitude sin(angular_frequency x + phase).");
static const kane_schema step_schema =
    KANE_SCHEMA(kane_step_input, "step", step_keys,
                "From one value to another by 10 t^3 - 15 t^4 + 6 t^5, twice continuously differentiable.");
static const kane_schema points_schema =
    KANE_SCHEMA(kane_points_input, "points", points_keys,
                "A natural cubic spline through points, at least two; linear beyond the ends.");

static const kane_key function_keys[] = {
    KANE_KEY(kane_function_input, polynomial, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
             "list of coefficients: of the power 0 first"),
    KANE_KEY(kane_function_input, sine, OBJECT, OPTIONAL, NULL, NULL, ANY, &sine_schema, "a sine"),
    KANE_KEY(kane_function_input, table, OBJECT, OPTIONAL, NULL, NULL, ANY, &points_schema, "a curve through points"),
    KANE_KEY(kane_function_input, step, OBJECT, OPTIONAL, NULL, NULL, ANY, &step_schema,
             "a smooth step from one value to another"),
};

const kane_schema kane_function_schema =
    KANE_SCHEMA(kane_function_input, "function", function_keys,
                "A function of one variable, smooth: one of the four keys. Numbers are in the SI units of the two "
                "quantities that it relates, and take others as texts: a polynomial of time for an angle has "
                "[rad], [rad/s], [rad/s^2], ...");

// --- axes: the same three keys wherever axes are given ---

// clang-format off
#define AXES_KEYS(type)                                                                                                \
    KANE_KEY_NAMED(type, axes.axis, "axis", VECTOR, OPTIONAL, NULL, "1", ANY, NULL,                                    \
                   "direction of its z axis, of any length; its other axes lie where the shortest turn leads them"),   \
    KANE_KEY_NAMED(type, axes.x_axis, "x_axis", VECTOR, OPTIONAL, NULL, "1", ANY, NULL,                                \
                   "with \"axis\": direction of its x axis; what of it is not square to \"axis\" does not count"),     \
    KANE_KEY_NAMED(type, axes.turned, "orientation", VECTOR, OPTIONAL, NULL, "rad", ANY, NULL,                              \
                   "instead of \"axis\": yaw, roll, pitch of its axes")
// clang-format on

// --- joints ---

// clang-format off
#define MOTION(type, member, name_, help_)                                                                             \
    KANE_KEY_NAMED(type, member, name_, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_function_schema, help_)
#define MOTION_KEYS(type, prefix)                                                                                      \
    MOTION(type, prefix x, "x", "of a planar or free joint"),                                                          \
    MOTION(type, prefix y, "y", "of a planar or free joint"),                                                          \
    MOTION(type, prefix z, "z", "of a free joint"),                                                                    \
    MOTION(type, prefix travel, "travel", "of a prismatic or cylindrical joint"),                                      \
    MOTION(type, prefix yaw, "yaw", "of a free joint"),                                                                \
    MOTION(type, prefix roll, "roll", "of a universal or free joint"),                                                 \
    MOTION(type, prefix pitch, "pitch", "of a universal or free joint"),                                               \
    MOTION(type, prefix angle, "angle", "of a revolute, cylindrical or planar joint")
// clang-format on

static const kane_key motion_rate_keys[] = {MOTION_KEYS(kane_motion_functions, )};

static const kane_schema motion_rate_schema =
    KANE_SCHEMA(kane_motion_functions, "prescribed rates", motion_rate_keys,
                "Coordinates whose rates are functions of time; they begin at 0.");

static const kane_key motion_keys[] = {
    MOTION_KEYS(kane_motion_input, own.),
    KANE_KEY(kane_motion_input, rates, OBJECT, OPTIONAL, NULL, NULL, ANY, &motion_rate_schema,
             "coordinates of which the rates are given instead, as of what turns steadily"),
};

static const kane_schema motion_schema =
    KANE_SCHEMA(kane_motion_input, "motion", motion_keys, "Coordinates of a joint that are functions of time.");

static const kane_key formula_keys[] = {
    KANE_KEY(kane_formula_file, kind, VARIANT, REQUIRED, NULL, NULL, ANY, "formula",
             "which joint, by the name that the program gives it; its parameters stand beside it"),
};

static const kane_schema formula_schema = KANE_SCHEMA(
    kane_formula_file, "user joint", formula_keys,
    "A joint that is a formula of the program that reads this file (kane/joint.h); kane itself brings none.");

static const kane_key joint_keys[] = {
    KANE_KEY(kane_joint_input, type, CHOICE, REQUIRED, NULL, NULL, ANY, joints, "which freedoms it has"),
    KANE_KEY(kane_joint_input, parent, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "body that it is attached to, or a frame by its name; \"ground\", or left out: its frame"),
    KANE_KEY(kane_joint_input, at, VECTOR, OPTIONAL, NULL, "m", ANY, NULL,
             "its point in the drawing; needed unless markers say it"),
    AXES_KEYS(kane_joint_input),
    KANE_KEY(kane_joint_input, from, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "marker on the parent that it begins at, instead of a point and axes"),
    KANE_KEY(kane_joint_input, to, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "marker on the body; of a joint with only one marker the other side lies there too, in the drawing"),
    KANE_KEY_NAMED(kane_joint_input, dof, "dof", TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
                   "of a free joint: those it has, of x, y, z, yaw, roll, pitch; all if it is left out"),
    KANE_KEY_NAMED(
        kane_joint_input, rotation, "rotation_order", TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
        "of a free joint: order of its turns about moving axes; \"zxy\" if it is left out: yaw, roll, pitch"),
    KANE_KEY(kane_joint_input, formula, OBJECT, OPTIONAL, NULL, NULL, ANY, &formula_schema,
             "of user: which joint it is"),
    KANE_KEY(kane_joint_input, motion, OBJECT, OPTIONAL, NULL, NULL, ANY, &motion_schema,
             "coordinates that are prescribed over time"),
};

const kane_schema kane_joint_schema = KANE_SCHEMA(
    kane_joint_input, "joint", joint_keys,
    "How a body is attached to another one. A revolute joint has an angle about z, a prismatic one a travel along z, a "
    "cylindrical one both; a universal one a roll about the parent's x, then a pitch about the body's y; a "
    "spherical one any rotation; a planar one x, y and an angle about z; a free one any of x, y, z, yaw, roll, "
    "pitch; a weld none. Coordinates are zero where both sides coincide: in the drawing, unless two markers say "
    "otherwise.");

// --- frames ---

static const kane_key frame_keys[] = {
    KANE_KEY(kane_frame_input, relative_to, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "frame that it moves against, or body of a vehicle: that one's frame; left out: A, which is at rest"),
    KANE_KEY(kane_frame_input, type, CHOICE, OPTIONAL, "free", NULL, ANY, frame_joints,
             "the joint by which a body would move so; any but a spherical one"),
    KANE_KEY(kane_frame_input, at, VECTOR, OPTIONAL, "[0, 0, 0]", "m", ANY, NULL,
             "its origin in the drawing, about which it turns"),
    AXES_KEYS(kane_frame_input),
    KANE_KEY_NAMED(kane_frame_input, rotation, "rotation_order", TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
                   "of a free one: order of its turns about moving axes; \"zxy\" if it is left out: yaw, roll, pitch"),
    KANE_KEY(kane_frame_input, motion, OBJECT, OPTIONAL, NULL, NULL, ANY, &motion_schema,
             "its coordinates over time; those that are left out stay 0"),
};

const kane_schema kane_frame_schema = KANE_SCHEMA(
    kane_frame_input, "frame", frame_keys,
    "A frame whose motion is given, for bodies that name it as their \"frame\", and to hold elements, constraints and "
    "markers. It moves as a body attached by a joint with all coordinates prescribed: along and about the axes "
    "given here. Where they are zero it lies as drawn, with axes parallel to those of the drawing.");

// --- where a body begins ---

static const kane_key rates_keys[] = {
    KANE_KEY(kane_rates_input, x, NUMBER, OPTIONAL, NULL, "m/s", ANY, NULL, "rate of the coordinate"),
    KANE_KEY(kane_rates_input, y, NUMBER, OPTIONAL, NULL, "m/s", ANY, NULL, "rate of the coordinate"),
    KANE_KEY(kane_rates_input, z, NUMBER, OPTIONAL, NULL, "m/s", ANY, NULL, "rate of the coordinate"),
    KANE_KEY(kane_rates_input, travel, NUMBER, OPTIONAL, NULL, "m/s", ANY, NULL, "rate of the coordinate"),
    KANE_KEY(kane_rates_input, yaw, NUMBER, OPTIONAL, NULL, "rad/s", ANY, NULL, "rate of the coordinate"),
    KANE_KEY(kane_rates_input, roll, NUMBER, OPTIONAL, NULL, "rad/s", ANY, NULL, "rate of the coordinate"),
    KANE_KEY(kane_rates_input, pitch, NUMBER, OPTIONAL, NULL, "rad/s", ANY, NULL, "rate of the coordinate"),
    KANE_KEY(kane_rates_input, angle, NUMBER, OPTIONAL, NULL, "rad/s", ANY, NULL, "rate of the coordinate"),
    KANE_KEY(kane_rates_input, omega, VECTOR, OPTIONAL, NULL, "rad/s", ANY, NULL,
             "of a spherical joint: relative angular velocity, in the body's axes"),
};

static const kane_schema rates_schema =
    KANE_SCHEMA(kane_rates_input, "rates", rates_keys, "Rates of coordinates at the start; 0 if they are left out.");

static const kane_key begin_keys[] = {
    KANE_KEY(kane_begin_input, x, NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "coordinate"),
    KANE_KEY(kane_begin_input, y, NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "coordinate"),
    KANE_KEY(kane_begin_input, z, NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "coordinate"),
    KANE_KEY(kane_begin_input, travel, NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "coordinate"),
    KANE_KEY(kane_begin_input, yaw, NUMBER, OPTIONAL, NULL, "rad", ANY, NULL, "coordinate"),
    KANE_KEY(kane_begin_input, roll, NUMBER, OPTIONAL, NULL, "rad", ANY, NULL, "coordinate"),
    KANE_KEY(kane_begin_input, pitch, NUMBER, OPTIONAL, NULL, "rad", ANY, NULL, "coordinate"),
    KANE_KEY(kane_begin_input, angle, NUMBER, OPTIONAL, NULL, "rad", ANY, NULL, "coordinate"),
    KANE_KEY_NAMED(kane_begin_input, turned, "orientation", VECTOR, OPTIONAL, NULL, "rad", ANY, NULL,
                   "of a spherical joint: yaw, roll, pitch"),
    KANE_KEY(kane_begin_input, rates, OBJECT, OPTIONAL, NULL, NULL, ANY, &rates_schema, "rates of coordinates"),
    KANE_KEY_NAMED(kane_begin_input, hold, "fixed", TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
                   "coordinates that are exactly so; others are first guesses, which constraints may move"),
    KANE_KEY_NAMED(kane_begin_input, hold_rates, "fixed_rates", TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
                   "coordinates whose rates are exactly so"),
};

const kane_schema kane_begin_schema =
    KANE_SCHEMA(kane_begin_input, "body's start", begin_keys,
                "Coordinates of a body's joint where a run begins (of a body without one x .. pitch, relative to where "
                "it is drawn); 0 if they are left out.");

// --- markers ---

static const kane_key marker_keys[] = {
    KANE_KEY(kane_marker_input, on, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "body or frame it is fixed to; \"ground\", or left out: the frame of what it is used with"),
    KANE_KEY(kane_marker_input, relative_to, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "marker from whose origin and in whose axes the numbers count, on any body; left out: the drawing"),
    KANE_KEY(kane_marker_input, at, VECTOR, OPTIONAL, "[0, 0, 0]", "m", ANY, NULL, "its point"),
    AXES_KEYS(kane_marker_input),
};

const kane_schema kane_marker_schema =
    KANE_SCHEMA(kane_marker_input, "marker", marker_keys, "A point with axes, fixed to a body where that is drawn.");

// --- constraints ---

static const kane_key term_keys[] = {
    KANE_KEY(kane_term_input, body, TEXT, REQUIRED, NULL, NULL, ANY, NULL, "body whose joint is meant"),
    KANE_KEY(kane_term_input, coordinate, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "coordinate of its joint; may be left out where it has only one"),
    KANE_KEY(kane_term_input, factor, NUMBER, OPTIONAL, "1", "1", ANY, NULL,
             "it counts with, for coordinates in m and rad"),
    KANE_KEY(kane_term_input, varying_factor, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_function_schema,
             "instead of \"factor\": the same over time"),
};

static const kane_schema term_schema =
    KANE_SCHEMA(kane_term_input, "term", term_keys, "A coordinate in a relation of coordinates.");

#define GIVEN(member, help_)                                                                                           \
    KANE_KEY(kane_given_input, member, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_function_schema, help_)

static const kane_key given_keys[] = {
    GIVEN(x, "place of the first side's marker along its x axis [m]"),
    GIVEN(y, "along its y axis [m]"),
    GIVEN(z, "along its z axis [m]"),
    GIVEN(yaw, "turn of the marker, moved like this, about z [rad]"),
    GIVEN(roll, "then about x [rad]"),
    GIVEN(pitch, "then about y [rad]"),
    GIVEN(length, "of a distance [m]"),
    GIVEN(offset, "of linear, function and rates"),
    GIVEN(along, "of a curve: x of the second side's point, which is free else [m]"),
};

static const kane_schema given_schema = KANE_SCHEMA(
    kane_given_input, "constraint motion", given_keys,
    "Numbers of a constraint that are functions of time. Between bodies the marker of the first side may move "
    "on its body; the second side is held to it as it moves.");

static const kane_key rows_keys[] = {
    KANE_KEY(kane_rows_file, kind, VARIANT, REQUIRED, NULL, NULL, ANY, "rows",
             "which rows, by the name that the program gives them; their parameters stand beside it"),
};

static const kane_schema rows_schema =
    KANE_SCHEMA(kane_rows_file, "user rows", rows_keys,
                "Rows that are a formula of the program that reads this file (kane/rows.h); kane itself brings none.");

static const kane_key constraint_keys[] = {
    KANE_KEY(kane_constraint_input, type, CHOICE, REQUIRED, NULL, NULL, ANY, constraints, "what holds"),
    KANE_KEY(kane_constraint_input, between, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
             "two bodies, one of them may be a frame by its name, or \"ground\": the frame of the other one"),
    KANE_KEY(kane_constraint_input, at, VECTOR, OPTIONAL, NULL, "m", ANY, NULL, "its point in the drawing"),
    KANE_KEY(kane_constraint_input, to, VECTOR, OPTIONAL, NULL, "m", ANY, NULL,
             "its point on the second body; the same as \"at\" if it is left out"),
    AXES_KEYS(kane_constraint_input),
    KANE_KEY(
        kane_constraint_input, markers, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
        "two markers, instead of bodies, points and axes; of \"user\" as many as its rows take, the first of which sees "
        "the others"),
    KANE_KEY(kane_constraint_input, length, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL,
             "of a distance; as drawn if it is left out"),
    KANE_KEY(kane_constraint_input, radius, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL, "of a rolling disc"),
    KANE_KEY(kane_constraint_input, mass, NUMBER, OPTIONAL, NULL, "kg", NOT_NEGATIVE, NULL, "of a rod; 0: none"),
    KANE_KEY(kane_constraint_input, centre, NUMBER, OPTIONAL, "0.5", "1", FRACTION, NULL,
             "of a rod: where its mass centre is, as a part of its length from the first side"),
    KANE_KEY(kane_constraint_input, inertia, NUMBER, OPTIONAL, NULL, "kg m^2", NOT_NEGATIVE, NULL,
             "of a rod: about its mass centre, square to it; mass length^2/12 if it is left out"),
    KANE_KEY_NAMED(kane_constraint_input, curve_y, "y", OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_function_schema,
                   "of a curve: y over x, in the axes of the first side; 0 if it is left out"),
    KANE_KEY_NAMED(kane_constraint_input, curve_z, "z", OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_function_schema,
                   "of a curve: z over x"),
    KANE_KEY(
        kane_constraint_input, terms, LIST, OPTIONAL, NULL, NULL, ANY, &term_schema,
        "of linear and rates: the sum of factor times coordinate (or its rate) is \"offset\"; of a function two: "
        "the first coordinate follows from the second; of user-defined rows and closed forms as many as these take"),
    KANE_KEY(kane_constraint_input, offset, NUMBER, OPTIONAL, "0", "1", ANY, NULL,
             "the sum, or what is added to the function; for coordinates in m and rad"),
    KANE_KEY(kane_constraint_input, function, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_function_schema,
             "of a function: first coordinate = factor of the second times function(second coordinate) + offset"),
    KANE_KEY(kane_constraint_input, motion, OBJECT, OPTIONAL, NULL, NULL, ANY, &given_schema,
             "its numbers that are prescribed over time"),
    KANE_KEY(kane_constraint_input, rows, OBJECT, OPTIONAL, NULL, NULL, ANY, &rows_schema,
             "of user: its rows; of closed_form user: its table"),
    KANE_KEY(kane_constraint_input, closed_form, CHOICE, OPTIONAL, "none", NULL, ANY, closed_forms,
             "formula for the dependent coordinates of a planar loop, instead of Newton's method; of \"user\" that of "
             "\"rows\" for the coordinates in \"terms\", dependent ones first"),
};

const kane_schema kane_constraint_schema = KANE_SCHEMA(
    kane_constraint_input, "constraint", constraint_keys,
    "What must hold between bodies or between coordinates of joints, beside the joints themselves. \"linear\", "
    "\"function\" and \"rates\" relate coordinates; \"spherical\" to \"weld\" close a loop as the joint of that "
    "name would; a \"distance\" holds two points apart, as a massless rod does; a \"rod\" does so and has mass, "
    "which the bodies that it joins have to move, too; a \"curve\" of the first side guides a "
    "point of the second; a \"knife\" does not move along the second's y, seen from the first; a \"rolling\" disc "
    "about the second's z rolls on the first's xy plane without slip; \"user\" rows come from the program that "
    "reads the file (kane/rows.h).");
