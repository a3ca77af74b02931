// SPDX-License-Identifier: MIT
// The compiled model: everything an evaluation needs that does not change, by index instead of by name.

#ifndef KANE_MODEL_MODEL_H
#define KANE_MODEL_MODEL_H

#include <kane/model.h>

#include "base/arena.h"
#include "math/spline.h"
#include "tree/loops.h"

typedef enum kane_frame_kind {
    KANE_FRAME_REST, // at rest in A
    KANE_FRAME_TRACK,
    KANE_FRAME_GIVEN,
    KANE_FRAME_SECTION // of panels of track: moves, but only what happens against it counts
} kane_frame_kind;

typedef struct kane_frame {
    kane_frame_kind kind;
    kane_vec3 drawn;  // its origin in the drawing, vehicle axes [m]
    int carrier;      // the track frame that carries it, itself if it is one; -1: none
    double offset;    // track: s ahead of the guide's frame [m]
    kane_vec3 beside; // track: its origin from the line's, line axes, x = 0 [m]
    int wheels;       // track: the wheels whose rails it finds; it passes a section joint when they do. -1: none
    // given
    const char *name;
    int link; // in kane_model.carried; -1: `motion` says how it moves
    void (*motion)(const void *data, double t, kane_transport *transport);
    const void *data;
} kane_frame;

// Whether it moves along the track and passes section joints at its own position, not with a wheelset.
static inline int kane_frame_passes_alone(const kane_frame *frame)
{
    return frame->kind == KANE_FRAME_TRACK && frame->wheels < 0;
}

// How the speeds V = (v', omega') of a free body follow from its independent ones: V = A u, column by column
// (docs/theory.md, section 3). Translations are copied; rotations are copied when all three are free, otherwise u holds
// the rates of the angles that are.
typedef struct kane_freedom_map {
    int translation_count;
    int translation[3]; // axes
    int rotation_count;
    int rotation[3]; // 0 yaw, 1 roll, 2 pitch
} kane_freedom_map;

// A panel of flexible track that travels along under a wheelset, on springs and dampers to the ground. Its state is
// that of a body with the freedoms y, z and roll, relative to the section of the line under the wheelset, in the
// section's axes and about the middle of the running surface. It does not really travel: its inertia is that of this
// relative motion, it has no imaginary terms and no weight. Three numbers each: y, z, roll.
typedef struct kane_panel {
    int wheels;          // on it
    double inertia[3];   // [kg], [kg], [kg m^2]
    double stiffness[3]; // [N/m], [N/m], [N m/rad]
    double damping[3];   // [N s/m], [N s/m], [N m s/rad]
    double load[3];      // of the wheels at rest, where displacements are zero [N], [N], [N m]
} kane_panel;

// What a body is of a deformable one.
typedef enum kane_body_part {
    KANE_PART_NONE,
    KANE_PART_POINT, // moves as the modes say: no states of its own
    KANE_PART_MODE   // a coordinate: a slide against a section that rests
} kane_body_part;

// A deformable body: what acts on its modes. Immutable.
typedef struct kane_deformation {
    int flex;                           // of the tree
    int count;                          // of modes
    int is_diagonal;                    // 1: stiffness and damping are
    const double *K, *D;                // [count * count]
    double *load;                       // holds them at rest, where they are zero [count]
    double *shift, *turn;               // what one of a mode moves [m] and turns [rad] at most (its tolerances) [count]
    double *keep[KANE_IMAGINARY_TERMS]; // 1 or 0: imaginary terms of its modes that are kept [count]
    int gauge_count;                    // what channels read from its modes
    kane_deformable_gauge *gauges;
    kane_deformable_figure figure; // for pictures
} kane_deformation;

typedef struct kane_body {
    const char *name;
    kane_body_part part;
    int part_of; // the deformable body
    kane_body_kind kind;
    const kane_panel *panel; // a panel of track; NULL: a body of the vehicle
    double rolls;            // its spin per speed on the tyre that it has [rad/m]; 0: none
    double mass;             // [kg]; of a panel 0, and so are J
    kane_mat3 principal;     // principal axes of inertia to body axes
    int turned;              // 0: they are the body axes
    kane_vec3 J;             // principal moments of inertia [kg m^2]
    kane_vec3 position;      // mass centre at rest, vehicle axes [m]
    kane_vec3 origin;        // the same relative to its track frame [m]
    kane_vec3 rest;          // where wheels have let it down to: mass centre, vehicle axes [m]
    kane_mat3 rest_R;        // ... and body axes to vehicle axes
    int frame;               // the frame that q and u refer to
    int track_frame;         // the frame that results refer to
    int level_frame;         // the frame in which its axle boxes stay level: that of its wheels, or track_frame
    int absolute;            // 1: its inertia is that of absolute motion, whatever the frame
    unsigned dof;            // KANE_DOF(...)
    kane_freedom_map map;
    int q;            // index of its first coordinate in y; q_count of them
    int u;            // index of its first speed in y; of a link in a cluster that of the cluster
    int u_count;      // of a link in a cluster 0: the cluster's speeds are in their place
    int u_turns;      // index of the first of its speeds that is one of rotation
    int component[6]; // place of every speed in y among those of its link
    int is_tabulated; // 1: v_z and w_x follow from its other speeds and its rails, by tables or by gaps
    int wheels;       // index of its wheels, -1: none
    int link;         // in the tree of all bodies
    int is_free_body; // 1: no joint to its frame, no attached bodies, no constraint, no uneven inertia
    int q_count;      // coordinates in y: those of its joint, or six
    const char *coordinate[KANE_JOINT_COORDINATES];          // their names
    const kane_start_definition *start;                      // of its joint, or from where it rests; NULL: at rest
    kane_vec3 keep[KANE_WRENCH_KINDS][KANE_IMAGINARY_TERMS]; // 1 or 0 by axis: imaginary terms that are kept
} kane_body;

// Whether its link moves against a section of its own, whatever its frame does: a panel of track, a mode.
static inline int kane_body_is_in_section(const kane_body *body)
{
    return body->panel || body->part == KANE_PART_MODE;
}

// A marker that is fixed to a body or a frame: a point with axes.
typedef struct kane_fixed_marker {
    int body;        // -1: a frame
    int frame;       // which one, if body is -1
    kane_vec3 point; // from the mass centre, body axes; or in the frame [m]
    kane_mat3 axes;  // law axes to body axes, or to frame axes
    int turned;      // 0: they are the same
    int is_spinning; // 1: it shows a spinning body itself, not its axle boxes
} kane_fixed_marker;

typedef struct kane_element {
    const char *name;
    int index; // among the elements
    const kane_law *law;
    void *data; // of the law, prepared
    kane_fixed_marker a, b;
    kane_vec3 axes_d0; // static position of b relative to a, law axes [m]
    kane_vec3 d0;      // the same as the law sees it, mirrored if the element is [m]
    kane_vec3 load;    // static load on b, law axes [N]
    int on_axle;       // 1: it holds spinning bodies themselves, not their axle boxes
    int mirrored;      //
    int turns;         // 1: the law uses the relative rotation
    int absolute;      // 1: the law uses the absolute motion of its points
    int is_spinning;   // 1: of spinning bodies with their spin
    int solved;        // 1: its static load is found such that the vehicle rests
    int pair[2][2];    // Jacobian blocks: rows of a, b; columns of a, b; -1: none
    int state_count;   // states of its law
    int state;         // index of the first one in y
    const kane_law_state *states;
    int input_count; // inputs of its law
    const kane_law_input *inputs;
} kane_element;

// The back of a flange, which check rails may touch.
typedef struct kane_flange_back {
    double inside;     // of the running circle, along the axle [m]
    double reach;      // radius up to which it is plane [m]
    double gauge_face; // of the running rail's own profile, inside of its origin [m]
} kane_flange_back;

typedef struct kane_wheels {
    int body;
    int frame; // the frame that finds their rails: at their place on the line, whatever frame the body is described in
    kane_contact_model contact_model;
    int two_sided; // 1: rails hold wheels down (kane/creep.h)
    kane_contact *contact;
    kane_wheelset_table *guide; // rigid contact functions; NULL: not needed
    int shared;                 // 1: contact and guide belong to other wheels of the same kind
    double rail_distance[2];    // from the middle of the track to the rails' origins, left and right [m]
    double wheel_distance[2];   // from the middle of the axle to the running circles [m]
    double radius[2];           // of the running circles [m]
    kane_flange_back flange[2];
    double load[2];      // static vertical load on the rail, left and right [N]
    double height, roll; // static position of the mass centre and roll [m], [rad]
    double spin;         // static spin per speed [rad/m]
    int panel;           // body: the panel of track under them; -1: the track is rigid
    int rails;           // group of guided wheelsets (kane_model.rails); -1: elastic contact
    int pair[2];         // Jacobian blocks: row of the wheelset, column of the panel; row of the panel, of the wheelset
} kane_wheels;

// Guided wheelsets that inertia couples: one that is free in its frame, all attached by joints to the same body, or all
// of a cluster. Their normal forces are solved for together.
typedef struct kane_rail_group {
    kane_links run;   // all links that inertia couples
    int cluster;      // whose loops couple them, too; -1: no loop does
    int root;         // the link that carries them where no loop does
    int is_tabulated; // 1: height and roll of its wheelset follow from its rails: no gap can open
    int count;
    int *wheels; // [count]
} kane_rail_group;

typedef struct kane_actuator {
    const char *name;
    kane_actuator_kind kind;
    int on, reaction;     // bodies; reaction -1: none
    int speed;            // of a joint: tree speed that it drives; -1: none
    int coordinate;       // the same among the coordinates of the joint
    kane_fixed_marker at; // of a force: where it acts
    int point_count;      //
    const double *time;   // [s]
    const double *value;  // [N m], [N]
    int pair;             // Jacobian block: row of reaction, column of on; -1: none
    int input;            // that is its value; -1: time says it
    int directed;         // 1: force or torque along `direction`, not along the track or about the axle
    kane_vec3 direction;  // unit vector, axes of the body's track frame
} kane_actuator;

// A number that is set from outside.
typedef struct kane_input {
    const char *name, *unit, *help;
    double start;
    int element, slot; // the element that it is an input of, and which one; -1: an actuator follows it
} kane_input;

typedef struct kane_sensor {
    const char *name;
    kane_fixed_marker at;
} kane_sensor;

// Rows of one body against columns of another in the Jacobian.
typedef struct kane_pair {
    int row, column;
} kane_pair;

// A smooth prescribed speed: v over time, v^2/2 over place.
typedef struct kane_speed_spline {
    int point_count;
    const double *at;        // [s], or [m] from the beginning of the line
    const kane_cubic *cubic; // [m/s], or [m^2/s^2]
    const double *travelled; // over time: at every point, since time 0 [m]; NULL over place
} kane_speed_spline;

// A piece of prescribed speed with what was reached at its beginning.
typedef struct kane_speed_state {
    double time, travelled, speed, acceleration; // [s], [m], [m/s], [m/s^2]
} kane_speed_state;

struct kane_model {
    kane_arena *arena;
    const char *name;
    const kane_track *track; // NULL: none
    kane_formulation formulation;
    double gravity; // [m/s^2]
    int guide;      // body, -1: none

    int frame_count; // frame 0: of the guide, or A
    kane_frame *frames;
    int section;        // the frame of panels of track and of modes; 0: there is none
    kane_tree carried;  // given frames that move by joints, as links without mass; all coordinates are prescribed
    int *carried_frame; // frame of every such link
    int body_count;     // those of the vehicle, points and modes of deformable ones, then panels of track
    int joined_count;   // of these that are not free bodies
    kane_body *bodies;
    int panel_count;
    kane_panel *panels;
    int deformation_count;
    kane_deformation *deformations;
    int element_count;
    kane_element *elements;
    int stateful_count; // elements whose laws have states
    int *stateful;      //
    int wheels_count;
    kane_wheels *wheels;
    int rails_count;
    kane_rail_group *rails;
    int sensor_count;
    kane_sensor *sensors;

    kane_drive_kind drive;
    double start;    // s of frame 0 at time 0 [m]
    double speed;    // at time 0 [m/s]
    int departs;     // 1: the start of a body differs from its static position or has rates
    int piece_count; //
    kane_speed_state *pieces;
    int actuator_count;
    kane_actuator *actuators;
    double follow_rate; // of the frames of a driven vehicle [1/s]
    int input_count;
    kane_input *inputs;

    const kane_speed_spline *spline; // prescribed speed over time by a curve; NULL: by pieces or a function
    kane_speed_function travel;      // prescribed speed by a function, a curve over place included; eval NULL: none

    // 0: s and v are known functions of time (kane_model_travel); 1: v is a function of time and s, which is a state
    // (y[0]); 3: driven, s, v and the follower's acceleration are states (y[0..2])
    int travel_count;
    int u_begin; // index of the first speed in y
    int u_end;   // behind the last one; states of elements follow
    int state_count;

    int pair_count; // the first body_count are the diagonal
    kane_pair *pairs;

    // bodies as links, and constraints
    kane_tree tree;
    int *link_body;    // body of every link
    int loaded_count;  // links whose bodies elements, actuators, wheels or imaginary forces act on
    int *loaded;       //
    int tree_count;    // runs of links that no constraint couples: solved as articulated bodies
    kane_links *trees; //
    int closure_count; //
    kane_constraint_row_set *closures;
    int cluster_count; //
    kane_cluster *clusters;
    int *cluster_u;          // index in y of the first independent speed of every cluster
    int imaginary_as_forces; // 1: imaginary terms as wrenches, one by one; 0: in the motion of the links' bases
    double *start_q;         // assembled coordinates of the tree at the start; of roots relative to their track frame
    double *start_v;         // and speeds, all relative to the frames
    int redundant_count;     // constraints with redundant rows
    const char **redundant;  // their names
    unsigned *undetermined;  // of every constraint, bits of the rows whose loads redundant rows leave undetermined
    unsigned *joint_undetermined; // of every link's joint (kane_cluster.link_undetermined)
};

static inline int kane_model_is_driven(const kane_model *model)
{
    return model->travel_count == 3;
}

// The piece of the prescribed speed that holds t; at a boundary the one that begins there.
int kane_model_speed_piece(const kane_model *model, double t);

// Where the guide's frame is on the track at time t, how fast, and how its speed grows, by the formula of `piece`.
void kane_model_travel(const kane_model *model, int piece, double t, double *s, double *v, double *a);

// Time at which the guide's frame has covered `distance` [m] since time 0, in the present piece of speed; infinite if
// it does not get there, long ago if it has been there.
double kane_model_time_of(const kane_model *model, int piece, double distance);

// Speed of the guide's frame at time t in state y, whatever drives it.
double kane_model_speed(const kane_model *model, int piece, double t, const double *y);

// Scratch for the motion of given frames.
typedef struct kane_carried {
    kane_tree_work tree;     // of kane_model.carried
    kane_moving_frame *base; // of every frame
} kane_carried;

// 0 if memory is short.
int kane_carried_create(const kane_model *model, kane_arena *arena, kane_carried *work);

// Transportation of all frames that move by joints at time t; that of the others is there already.
void kane_carried_move(const kane_model *model, double t, kane_transport *frames, kane_carried *work);

// Height of a wheelset's mass centre at rest over the origin of its track frame [m].
static inline double kane_model_wheel_height(const kane_model *model, const kane_body *body)
{
    return model->wheels[body->wheels].height - model->frames[body->track_frame].drawn.z;
}

// Value of an actuator at time t [N m] or [N]; inputs: their values.
double kane_actuator_value(const kane_actuator *actuator, double t, const double *inputs);

// Position of a wheelset that rolls straight ahead on straight level track at `speed` [m/s] under a static force on its
// mass centre (vertical, [N]) and a torque about x [N m]: fills height, roll, spin and load. Returns 0, or not 0 where
// there is none.
int kane_wheels_rest(kane_wheels *wheels, double speed, double vertical, double torque);

// Link of the body of wheels.
static inline int kane_wheels_link(const kane_model *model, int wheels)
{
    return model->bodies[model->wheels[wheels].body].link;
}

// Whether rails guide them, as constraints or by tables: no overlap gives their normal forces.
static inline int kane_wheels_are_guided(const kane_wheels *wheels)
{
    return wheels->contact_model != KANE_CONTACT_ELASTIC;
}

// Whether rails guide any wheels of it as constraints.
static inline int kane_model_is_guided(const kane_model *model)
{
    for (int i = 0; i < model->wheels_count; i++)
        if (kane_wheels_are_guided(&model->wheels[i]))
            return 1;
    return 0;
}

// Whether constraints are held by multipliers.
static inline int kane_model_is_held(const kane_model *model)
{
    for (int c = 0; c < model->cluster_count; c++)
        if (model->clusters[c].form == KANE_FORM_MULTIPLIERS)
            return 1;
    return 0;
}

// Whether rails guide them as constraints that a state may leave: tables say height and roll of wheelsets that are
// free.
static inline int kane_wheels_are_held(const kane_model *model, const kane_wheels *wheels)
{
    return kane_wheels_are_guided(wheels) && !model->bodies[wheels->body].is_tabulated;
}

// Whether a state must be projected onto the rails or other constraints.
static inline int kane_model_is_projected(const kane_model *model)
{
    if (kane_model_is_held(model))
        return 1;
    for (int i = 0; i < model->wheels_count; i++)
        if (kane_wheels_are_held(model, &model->wheels[i]))
            return 1;
    return 0;
}

// Mirror images of vectors (left and right exchanged): polar ones such as forces, axial ones such as torques.
static inline kane_vec3 kane_mirror_polar(kane_vec3 a)
{
    return kv3(a.x, -a.y, a.z);
}

static inline kane_vec3 kane_mirror_axial(kane_vec3 a)
{
    return kv3(-a.x, a.y, -a.z);
}

// Of a matrix between polar vectors, or an attitude: S A S, S = diag(1, -1, 1).
static inline kane_mat3 kane_mirror_matrix(kane_mat3 A)
{
    return (kane_mat3){kane_mirror_polar(A.x), kv3_neg(kane_mirror_polar(A.y)), kane_mirror_polar(A.z)};
}

static inline kane_marker kane_mirror_marker(kane_marker m)
{
    return (kane_marker){kane_mirror_polar(m.position), kane_mirror_matrix(m.R), kane_mirror_polar(m.velocity),
                         kane_mirror_axial(m.omega)};
}

// Whether a constraint is a rod with mass, and a frame moves that it is described in.
int kane_rod_is_moving(const kane_model *model, const kane_constraint_row_set *closure);

#endif
