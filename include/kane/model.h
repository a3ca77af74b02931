// SPDX-License-Identifier: MIT
// What is computed: bodies, their track frames, joints and constraints, what acts between them, wheels, and what drives
// them. A definition is plain data; kane_model_create turns it into an immutable model that threads may share.
//
// Vehicle axes: x forward, y to the left, z up; origin on the rails' running surface in the middle of the track. On
// straight level track they are parallel to every track frame.

#ifndef KANE_MODEL_H
#define KANE_MODEL_H

#include <kane/base.h>
#include <kane/contact.h>
#include <kane/deformable.h>
#include <kane/force.h>
#include <kane/input.h>
#include <kane/math.h>
#include <kane/mechanism.h>
#include <kane/profile.h>
#include <kane/track.h>
#include <kane/transport.h>

KANE_C_BEGIN

// Coordinates of a body relative to its track frame, in this order everywhere. Orientation: R' = Rz(yaw) Rx(roll)
// Ry(pitch).
typedef enum kane_coordinate {
    KANE_X,
    KANE_Y,
    KANE_Z,
    KANE_YAW,
    KANE_ROLL,
    KANE_PITCH,
    KANE_COORDINATES
} kane_coordinate;

#define KANE_DOF(coordinate) (1u << (coordinate))
enum { KANE_ALL_DOF = 63 };

// Whether a body is any rigid body, or one that spins about its own y axis, a principal axis. It is solved in closed
// form, and its spin limits no steps, if it is symmetric about it: Ixx = Izz, Ixz = 0.
typedef enum kane_body_kind { KANE_BODY_RIGID, KANE_BODY_SPINNING } kane_body_kind;

// How wheels are held on their rails.
typedef enum kane_contact_model {
    KANE_CONTACT_ELASTIC,    // overlap of wheel and rail gives the normal force
    KANE_CONTACT_CONSTRAINT, // the gap stays zero, the normal force is a multiplier; projected after every step
    KANE_CONTACT_TABLE // height and roll of the wheelset follow from lateral shift and yaw (rigid contact functions)
} kane_contact_model;

// Two wheels on a spinning body, the left one first; NULL or 0 on the right means that it is as on the left.
typedef struct kane_wheels_definition {
    kane_contact_model contact_model;
    kane_contact_geometry geometry;
    const kane_profile *profile[2];
    double radius[2];       // of the running circle [m]
    double flange_back;     // distance between the flange backs [m]
    double back_depth;      // so far below the running circle a flange's back is plane, for check rails [m]
    double friction[2];     // coefficient of the left and the right wheel over that of the track [1]
    kane_contact_laws laws; // its friction is ignored: the track's times `friction` takes its place
} kane_wheels_definition;

// S1002, r = .46 m, flange back 1.36 m, plane 9.5 mm down, the track's friction, the contact's default laws.
KANE_API kane_wheels_definition kane_wheels_definition_default(void);

// The contact that these wheels have with the rails of a track, as kane_model_create makes it.
KANE_API kane_contact_definition kane_wheels_pair(const kane_wheels_definition *wheels,
                                                  const kane_track_definition *track);

typedef struct kane_body_definition {
    kane_block block; // name; where it was typed
    kane_body_kind kind;
    double mass;                          // [kg]
    double inertia[6];                    // xx yy zz xy xz yz about the mass centre, body axes [kg m^2]
    kane_vec3 position;                   // of the mass centre at rest, vehicle axes [m]
    unsigned dof;                         // KANE_DOF(...) | ..., usually KANE_ALL_DOF
    const char *frame;                    // the body whose frame it shares, or a given frame; NULL: its own track
                                          // frame (without a track: A), with a parent that of the parent
    double frame_offset[2];               // of the origin of its track frame from the line's, or from that of the frame
                                          // it shares: to the left, up, axes of the line [m]
    const kane_wheels_definition *wheels; // NULL: none
    const kane_joint_definition *joint;   // that attaches it; NULL: free in its frame
    const kane_start_definition *start;   // NULL: at rest, as drawn
    const kane_deformable
        *deformable;     // NULL: it is rigid. Else its points are bodies without mass, "NAME.POINT", that hang on it,
                         // and its modes are "NAME.mode K"; an element at a point acts on that body
    const char *vehicle; // of a train which one it is of (bodies of one stand together); NULL: there is only one
    int impossible_inertia; // 1: a moment of inertia may be larger than the sum of the others, for comparison
} kane_body_definition;

// How the static load of an element comes about.
typedef enum kane_preload {
    KANE_PRELOAD_SOLVED, // such that the vehicle rests on straight level track
    KANE_PRELOAD_GIVEN   // `load`
} kane_preload;

typedef struct kane_element_definition {
    kane_block block;
    const kane_law *law;
    const void *parameters; // the law's struct; copied
    const char *between[2]; // bodies a and b, or given frames; "track" or NULL: the frame of the other one
    kane_vec3 at[2];        // their points, vehicle axes at rest [m]
    const char *marker[2];  // markers instead of points; NULL: none
    kane_mat3 axes;         // law axes to vehicle axes, at rest; all zero: those of a's marker, or parallel
    int on_axle;  // 1: spinning bodies themselves get its torque about their axle, which axle boxes would not pass
    int mirrored; // 1: the law sees the mirror image (left and right exchanged)
    kane_preload preload; // where its static load comes from
    kane_vec3 load;       // given static load on b, law axes [N]
} kane_element_definition;

// An accelerometer that is fixed to a body. Its axes are parallel to the vehicle's at rest and go along with the body;
// one on a spinning body is on its axle and moves with the axle boxes.
typedef struct kane_sensor_definition {
    kane_block block; // name
    const char *on;   // body
    kane_vec3 at;     // its point, vehicle axes at rest [m]
} kane_sensor_definition;

// A frame whose motion is given over time, for bodies that name it as their frame, and to hold elements, constraints
// and markers (docs/mechanisms.md). It moves against another frame as a body attached there by a joint, all of
// whose coordinates are prescribed; those without a motion stay zero. As everything else it is drawn once: its origin
// is the joint's point, and where coordinates are zero its axes are those of the drawing.
typedef struct kane_given_frame {
    kane_block block;     // name; where it was typed
    const char *relative; // what it moves against: a given frame, or a body: that one's track frame; NULL: A
    const kane_joint_definition *joint; // its parent is not read; of a free joint all freedoms are meant
    // instead of a joint, against A: R and r_o in A, the rest in frame axes; a function of t alone
    void (*motion)(const void *data, double t, kane_transport *transport);
    const void *data;
} kane_given_frame;

// --- inputs: numbers that a program sets during a simulation (kane_simulation_set_input) ---

// What an input is the value of: the first four as those of an actuator (kane_actuator_kind).
typedef enum kane_input_kind {
    KANE_INPUT_TORQUE, // on a body about `direction`, or about the axle of a spinning body [N m]
    KANE_INPUT_BRAKE,  // about the axle of a spinning body, against the spin [N m]
    KANE_INPUT_FORCE,  // on a body along `direction` [N]
    KANE_INPUT_JOINT,  // along a coordinate of a body's joint, between the body and its parent [N] or [N m]
    KANE_INPUT_ELEMENT // a number that the law of an element lets change (kane_law_input)
} kane_input_kind;

typedef struct kane_input_definition {
    kane_block block;       // name; where it was typed
    kane_input_kind kind;   //
    const char *on;         // body, or element
    const char *reaction;   // body that takes the opposite torque; NULL: none
    const char *coordinate; // of a joint: its name; NULL: the only one
    const char *parameter;  // of an element: the name of its law's input; NULL: the only one
    kane_vec3 at;           // of a force: its point, vehicle axes [m] ...
    int at_centre;          // ... or 1: the mass centre
    kane_vec3
        direction; // of a force or torque, axes of the body's track frame; made a unit vector. Zero: the frame's x
                   // (force), the axle (torque)
    const double *value; // that it begins with; NULL: 0, of an element what the law says
} kane_input_definition;

// A vehicle, or a mechanism.
typedef struct kane_vehicle_definition {
    kane_block block;
    const char *name;
    const char *guide; // the body that the frames go with; NULL: none (a mechanism)
    double gravity;    // against z [m/s^2]
    int body_count;
    const kane_body_definition *bodies;
    int element_count;
    const kane_element_definition *elements;
    int given_frame_count;
    const kane_given_frame *given_frames;
    int marker_count;
    const kane_marker_definition *markers;
    int constraint_count;
    const kane_constraint_definition *constraints;
    int sensor_count;
    const kane_sensor_definition *sensors;
    int input_count;
    const kane_input_definition *inputs;
} kane_vehicle_definition;

// Frames in which bodies are described.
typedef enum kane_formulation {
    KANE_MOVING, // every body relative to its track frame, imaginary forces
    KANE_FIXED   // in A; a body with removed freedoms, or on a joint to its frame, through V = A u + C
} kane_formulation;

// --- drive ---

// From `time` on the speed changes at a constant rate; the last piece has no end.
typedef struct kane_speed_piece {
    double time;         // [s], ascending, the first one 0
    double acceleration; // [m/s^2]
    kane_place place;    // where it was typed
} kane_speed_piece;

// A prescribed speed that is smooth, so that the acceleration does not jump: points joined by a twice continuously
// differentiable curve that is level at both ends and constant beyond them. Over time the curve is that of the speed v,
// over place that of v^2/2, whose slope is the acceleration; there all speeds must be positive, for a place that is not
// left does not say for how long.
typedef enum kane_speed_over { KANE_SPEED_OVER_TIME, KANE_SPEED_OVER_PLACE } kane_speed_over;

typedef struct kane_speed_curve {
    kane_speed_over over;
    int point_count;     // 0: there is no curve; else 2 or more
    const double *at;    // ascending: time [s], or place of the guide's frame from the beginning of the line [m]
    const double *speed; // [m/s]
    kane_place place;    // where it was typed
} kane_speed_curve;

// A prescribed speed that the user computes: speed v [m/s] of the guide's frame at time t [s] and place s [m] from the
// beginning of the line, and its rate a = dv/dt (with v a function of s: a = v dv/ds) [m/s^2]. v is continuous, a at
// least piecewise so. A function of t, s and data alone.
typedef struct kane_speed_function {
    void (*eval)(const void *data, double t, double s, double *v, double *a); // NULL: there is none
    const void *data;
} kane_speed_function;

typedef enum kane_actuator_kind {
    KANE_ACTUATOR_TORQUE, // about the axle of a spinning body, positive: forward
    KANE_ACTUATOR_BRAKE,  // about the axle, against the spin
    KANE_ACTUATOR_FORCE,  // on a body along its track frame's x
    KANE_ACTUATOR_JOINT   // force or torque along a coordinate of a body's joint, between the body and its parent
} kane_actuator_kind;

// Drives or brakes; value against time, linear between the points and constant outside.
typedef struct kane_actuator_definition {
    kane_block block;
    kane_actuator_kind kind;
    const char *on;         // body
    const char *reaction;   // body that takes the opposite torque; NULL: none. In a joint the parent takes it
    const char *coordinate; // of a joint: its name; NULL: the only one
    kane_vec3 at;           // of a force: its point, vehicle axes [m] ...
    int at_centre;          // ... or 1: the mass centre
    int point_count;
    const double *time;  // [s]
    const double *value; // [N m] or [N]
    kane_vec3 direction; // of a force or torque, as of an input; zero: as its kind says
    const char *input;   // the input that is its value; NULL: `time` and `value` say it
} kane_actuator_definition;

typedef enum kane_drive_kind {
    KANE_DRIVE_PRESCRIBED, // speed given; the guide's longitudinal freedom is removed, its reaction is the traction
    KANE_DRIVE_DRIVEN      // actuators act and the frames follow the guide (docs/theory.md, section 4)
} kane_drive_kind;

typedef struct kane_drive_definition {
    kane_drive_kind kind;
    double start;     // s of the guide's frame at time 0, from the beginning of the line [m]
    kane_place place; // where that was typed
    double speed;     // at time 0 [m/s]
    int piece_count;
    const kane_speed_piece *pieces; // prescribed: by pieces of constant acceleration ...
    kane_speed_curve curve;         // ... or by a curve ...
    kane_speed_function function;   // ... or by a function; the speed that these have at the start must be `speed`
    int actuator_count;
    const kane_actuator_definition *actuators; // of a driven vehicle, or of a mechanism
    double follow_rate;                        // of the frames of a driven vehicle [1/s]
    int input_count;                           // beside those of the vehicle
    const kane_input_definition *inputs;
} kane_drive_definition;

// At rest at s = 0: no pieces, no actuators; frames that follow at 10 1/s.
KANE_API kane_drive_definition kane_drive_definition_default(void);

// --- imaginary terms ---

// Names as they are typed and written: "force", "torque"; "translation", ...; "x", "y", "z"; "x", ..., "pitch".
KANE_API const char *kane_wrench_kind_name(kane_wrench_kind kind);
KANE_API const char *kane_imaginary_term_name(kane_imaginary_term term);
KANE_API const char *kane_axis_name(int axis);
KANE_API const char *kane_coordinate_name(kane_coordinate coordinate);

// Which imaginary terms to leave out: BODY:KIND.TERM.AXIS, any part may be "*"; BODY may be a pattern with "*" and "?".
typedef struct kane_omission {
    const char *text; // e.g. "body:torque.rotation.z", "coach 1 *:force.*.y"
    kane_place place;
} kane_omission;

typedef struct kane_model_options {
    kane_formulation formulation;
    int imaginary_as_forces;   // 1: imaginary terms one by one even where nothing is omitted
    kane_constraint_form form; // how constraints enter the equations
    int omission_count;
    const kane_omission *omissions;
    kane_tables *tables; // contact tables shared with other models (kane/contact.h); NULL: none
} kane_model_options;

KANE_API kane_model_options kane_model_options_default(void);

// --- model ---

typedef struct kane_model kane_model; // immutable

// Compiles a definition. track may be NULL for a mechanism: bodies are then described in given frames or in A, and of
// the drive only actuators count. Coordinates at the start are brought onto the constraints here. The track, and what
// `data` of functions and given frames point to, must outlive the model; the definition need not. Returns NULL with
// errors filled.
KANE_API kane_model *kane_model_create(const kane_vehicle_definition *vehicle, const kane_track *track,
                                       const kane_drive_definition *drive, const kane_model_options *options,
                                       kane_errors *errors);
KANE_API void kane_model_free(kane_model *model);

KANE_API int kane_model_body_count(const kane_model *model);
KANE_API const char *kane_model_body_name(const kane_model *model, int body);
KANE_API int kane_model_find_body(const kane_model *model, const char *name); // -1 if there is none

// 1: it is described in a frame that moves, or that is given one, so that imaginary terms act on it.
KANE_API int kane_model_has_imaginary(const kane_model *model, int body);

// Names of rods with mass on which imaginary terms act; NULL beyond the last one.
KANE_API const char *kane_model_moving_rod_name(const kane_model *model, int i);

KANE_API int kane_model_state_count(const kane_model *model); // length of y

// Degrees of freedom: independent speeds, without what joints, constraints and rails that guide take.
KANE_API int kane_model_dof_count(const kane_model *model);

// Constraints that say, in part at least, what others have said already (as far as can be seen near the start): how
// many, and their names; NULL beyond. The motion is the same without them, but how they share reactions is
// undetermined.
KANE_API int kane_model_redundant_count(const kane_model *model);
KANE_API const char *kane_model_redundant_name(const kane_model *model, int i);

// How many equations a constraint is (counted as in the definition).
KANE_API int kane_model_equation_count(const kane_model *model, int constraint);

// Static load that an element carries, on b, in the axes of its law [N] (not mirrored, also of a mirrored element);
// static vertical load of a wheelset's wheels on the rail [N] (left, right). Elements and bodies count as in the
// definition.
KANE_API kane_vec3 kane_model_static_load(const kane_model *model, int element);
KANE_API kane_status kane_model_wheel_load(const kane_model *model, int body, double load[2]);

// Accelerometers, as in the definition.
KANE_API int kane_model_sensor_count(const kane_model *model);
KANE_API const char *kane_model_sensor_name(const kane_model *model, int sensor);

// Inputs: first those of the vehicle, then those of the drive.
typedef struct kane_input_info {
    const char *name, *unit, *help; // e.g. "gust", "N", "force on 'body'"
    double start;                   // its value at the start
} kane_input_info;

KANE_API int kane_model_input_count(const kane_model *model);
KANE_API kane_input_info kane_model_input_info(const kane_model *model, int input);

// Index of an input; -1 with an error that says which there are.
KANE_API int kane_model_find_input(const kane_model *model, const char *name, kane_errors *errors);

KANE_C_END

#endif
