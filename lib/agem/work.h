// SPDX-License-Identifier: MIT
// The scratch of one thread. Its order is the data flow of an evaluation: each step reads the parts above and fills its
// own.

#ifndef KANE_AGEM_WORK_H
#define KANE_AGEM_WORK_H

#include <kane/agem.h>

#include "model/model.h"

// Inertia of a body in the axes of its frame as an operator: J x.
typedef struct kane_inertia {
    kane_mat3 R; // principal axes to frame axes
    kane_vec3 J; // principal moments [kg m^2]
} kane_inertia;

// J x = R diag(J) R' x
static inline kane_vec3 kane_inertia_mul(const kane_inertia *J, kane_vec3 x)
{
    return km3_mulv(J->R, kv3_mul(J->J, km3_tmulv(J->R, x)));
}

// A brake's torque fades in below about this spin [rad/s], so that a wheel can come to rest smoothly.
#define KANE_BRAKE_SPIN 0.1

// One body on its way through an evaluation. "frame axes" are those of the frame it is described in. Of a panel of
// track all is relative to the section under its wheelset, in the section's axes.
typedef struct kane_body_state {
    // bodies.c: relative motion (q, u), frame axes
    double q[KANE_COORDINATES]; // x y z [m], yaw roll pitch [rad]
    double uneven_spin; // of a body that spins and is not symmetric about its axle, which R leaves out; else 0 [rad]
    kane_vec3 r, v, w;  // position, velocity of the mass centre [m], [m/s]; angular velocity [rad/s]
    kane_mat3 R;        // body axes to frame axes; a spinning body's axes do not spin (pitch left out)

    // bodies.c: absolute motion, world axes
    kane_mat3 R_w;      // body axes to world axes; of a spinning body: its axle boxes, level in the track frame
    kane_vec3 r_w;      // mass centre [m]
    kane_vec3 v_w, w_w; // its velocity [m/s], angular velocity [rad/s]
    kane_vec3 w_box;    // angular velocity of the axes R_w [rad/s]; w_w for a body that does not spin
    // of a spinning body only
    kane_vec3 w_frame; // angular velocity of its track frame [rad/s]
    kane_vec3 axle;    // unit vector along the axle
    kane_vec3 level;   // vector n with  axle.n = 1  for which  w_box = w - axle (n.(w - w_frame))

    // applied.c: wrench at the mass centre, world axes [N], [N m]
    kane_wrench boxed;   // of elements; acts on a spinning body through its axle boxes
    kane_wrench direct;  // of elements that act on the axle itself
    kane_wrench applied; // everything but weight: elements, actuators, contact

    // observe.c: frame axes
    kane_vec3 turn[3]; // axes of yaw, roll, pitch (44)
    kane_vec3 a, e;    // relative accelerations a' [m/s^2], eps' [rad/s^2]

    kane_wrench reaction; // of the removed freedoms [N], [N m]
} kane_body_state;

// The section of the line whose plane holds a point.
typedef struct kane_section {
    double d;        // how far ahead of the frame [m]
    kane_mat3 R;     // its axes to those of the frame
    kane_vec3 r;     // the point, its axes [m]
    kane_vec3 Omega; // Darboux vector there [rad/m]
} kane_section;

// Section Q of a rail, or that between both rails, relative to the section of the line (wheels.h).
typedef struct kane_rail_view {
    kane_vec3 origin; // section axes, on flexible track from the middle of the panel [m]
    kane_mat3 R;      // Q's axes to section axes
    kane_vec3 K;      // turn of Q per metre of the line, Q's axes [rad/m]
    kane_vec3 K_s;    // its derivative, of rails that guide alone [rad/m^2]
    double length;    // of the way of the origin per metre of the line [1]
} kane_rail_view;

// Position of a wheelset guided by tables (rail_constraint_rails.c), relative to the section between the rails.
typedef struct kane_table_pose {
    kane_section section;                // of the line
    kane_rail_view view;                 // section between both rails
    kane_wheelset_values table;          // what the tables say there
    kane_wheelset_function height, roll; // of these on rails that twist as they do there
    double twist_s, twist_ss;            // derivatives of the twist along the line [rad/m^2], [rad/m^3]
    double rolled, across, tangent;      // of the axle: roll [rad], length of its level part [1], their ratio [1]
    kane_vec3 axle;                      // section axes
    kane_vec3 ahead;                     // unit vector 90 degrees from its level part, axes of the view
    kane_vec3 about_yaw, about_roll;     // d(yaw), d(roll) by a rotation
    kane_wrench by_height, by_roll;      // rates of height and roll over the tables by V, frame axes
    double up[2], tilt[2];               // generalised force of 1 N on a wheel along height [1] and roll [m]
} kane_table_pose;

// Wheels that their rails guide as constraints (rail_constraint.c). Constraint i, of wheel i:
//   bias_i + direction_i . V_dot = 0,   V_dot the relative accelerations (a', eps') of the body
typedef struct kane_guidance {
    kane_gap contact_point[2];
    kane_mat3 R[2];           // section axes to frame axes
    kane_table_pose on;       // of tables only
    kane_wrench direction[2]; // wrench at the mass centre of a normal force of 1 N, frame axes
    double gap[2], rate[2];   // along the normals [m], [m/s]
    double bias[2];           // accelerations of the gaps at V_dot = 0 [m/s^2]
    double N[2];              // normal forces [N]
    double creep_load[2];     // of the discrete state: normal forces in creep forces, if ...
    int is_lagged;            // ... 1; 0: N itself
} kane_guidance;

// Normal force by which a wheel creeps [N].
static inline double kane_guidance_creep_load(const kane_guidance *g, int side)
{
    return g->is_lagged ? g->creep_load[side] : g->N[side];
}

// Force of a check rail on the back of a wheel's flange; all zero without contact.
typedef struct kane_check_rail_force {
    kane_wrench on_wheel; // about the wheel's centre, rail axes [N], [N m]
    double N;             // force of the face, to the outside [N]
    double T_x, T_z;      // friction on the wheel along the rail and up [N]
    double lead;          // how far ahead of the wheel's centre it acts [m]
    double energy;        // stored in the check rail [J]
} kane_check_rail_force;

// The two wheels of a body on their rails: each has a section of the line, whose plane holds its centre. Where tables
// guide them, both have that of the mass centre.
typedef struct kane_wheels_state {
    double s;            // where the wheelset is on the line [m]
    double s_at[2];      // where they cut the line [m]
    double offset_at[2]; // s of `offset` [m]; NaN: not evaluated yet
    kane_section section[2];
    kane_mat3 R_s[2]; // axes of the sections to world axes
    kane_vec3 arm[2]; // wheel centre from the mass centre, section axes [m]
    kane_rail_offset offset[2];
    kane_rail_view rail[2];
    // on flexible track only, section axes
    kane_vec3 above[2];          // wheel centre from the middle of the panel [m]
    kane_vec3 rail_v[2];         // velocity of the rail, carried on to the wheel centre [m/s]
    kane_vec3 rail_w;            // its angular velocity [rad/s]
    kane_wheel_motion motion[2]; // as the rails see them
    kane_contact_result result[2];
    kane_check_rail_force check[2];
    kane_guidance guidance; // of guided wheels only
} kane_wheels_state;

typedef struct kane_rails_work kane_rails_work; // rail_constraint.c

// The largest omitted impulse at one section joint, of forces and of torques.
typedef struct kane_lost_impulse {
    double size; // [N s], [N m s]
    int body, term, axis;
} kane_lost_impulse;

typedef struct kane_element_state {
    kane_wrench on_b;              // law axes [N], [N m]
    double state[KANE_LAW_STATES]; // of its law, as in y
    double rate[KANE_LAW_STATES];  // their rates [1/s]
    double input[KANE_LAW_INPUTS]; // inputs of its law
} kane_element_state;

// The error of the last evaluation; points to names of the model.
typedef struct kane_fault {
    kane_status status;
    const char *subject;
    const char *text;
} kane_fault;

// Jump of a frame where it, or the track frame that carries it, passes a section joint; axes of the frame after it.
typedef struct kane_frame_jump {
    kane_vec3 turn;  // of the frame, small [rad]
    kane_vec3 v_o;   // v_o+ - D v_o- [m/s]; D = R+' R-
    kane_vec3 omega; // omega+ - D omega- [rad/s]
    int any;         // 0: none of them but for round-off; then they are zero
} kane_frame_jump;

// The frame by the formulas of both pieces, R and r_o in the same axes at rest.
typedef struct kane_crossing {
    kane_transport before, after;
    kane_frame_jump jump;
} kane_crossing;

// Numbers that are contiguous both in y and in the tree.
typedef struct kane_index_range {
    int y, tree, count;
} kane_index_range;

struct kane_work {
    kane_arena *arena;
    kane_discrete *copy; // scratch of kane_work_copy

    // the discrete state, with the choices of clusters; kept until the next kane_work_locate
    int speed_piece;
    int *piece;        // of every frame
    kane_vec3 *anchor; // start point of the piece against that of frame 0 (moving) or in A (fixed), axes of A [m]

    // section_joint.c: of the section joints that frames have passed since then
    kane_imaginary *impulse;                   // of every body, as they would act if nothing were omitted; summed
    kane_lost_impulse lost[KANE_WRENCH_KINDS]; //
    double omitted_work;                       // that omissions have done at the last section joint [J]
    kane_wrench *omitted;                      // of every body: impulses left out there, frame axes
    kane_vec3 (*approach)[2];                  // of every body: absolute velocity and angular velocity before it

    double *input; // values of inputs; those of laws stand with their elements, too

    int steady; // 1: frames do not accelerate, whatever the drive says (equilibrium)
    int frozen; // 1: prescribed motions of joints and numbers of constraints have zero rates
    // of iterations for normal forces, and for height and roll by tables; 0: until nothing changes (recorded equations)
    int fixed_steps;

    // creep_step.c: rails require zero gap rates after this time [s]; 0: zero accelerations of gaps
    double gap_horizon;

    // frames.c
    double t;                      // [s]
    double s, v, a;                // travel of frame 0 [m], [m/s], [m/s^2]
    double b, b_dot;               // of a driven vehicle: the follower's state [m/s^2] and its rate [m/s^3]
    kane_track_frame *track_frame; // of the line, for frames that move along it
    kane_transport *transport;
    kane_carried carried;
    kane_crossing *crossing; // of every frame, while one passes a section joint
    kane_vec3 gravity;       // world axes [m/s^2]

    kane_body_state *body;
    kane_element_state *element;
    kane_wheels_state *wheels;
    kane_rails_work **rails; // of every group of guided wheelsets (rail_constraint.c)
    kane_fault fault;

    // bodies.c
    kane_tree_work tree;
    kane_moving_frame *base;   // of every frame
    kane_eval_context context; // of constraints
    int cluster_count;
    kane_cluster_work **cluster;             // of every cluster
    double (*rates)[KANE_JOINT_COORDINATES]; // scratch by link
    double *q_dot;                           // of the tree
    int q_range_count, v_range_count;        // ranges of coordinates and speeds in y
    kane_index_range *q_ranges, *v_ranges;
    // rods.c: extrapolated inertia of rods with mass, and accelerations of their ends, less gravity, axes of the frames
    // of the sides, by constraint
    kane_rod_inertia rod_inertia;
    kane_vec3 (*rod_known)[2];
    // observe.c
    kane_wrench *acting, *joint;          // by link, about its origin, frame axes: from outside, from its joint
    double (*multiplier)[KANE_ROWS_MOST]; // by constraint
    double constraint_power;              // of joints and constraints [W]
};

// --- the steps of an evaluation, in order (docs/theory.md, sections 1 to 3) ---

// Frames: travel and transportation.
void kane_frames_eval(const kane_model *model, kane_work *work, double t, const double *y);

// Place and motion of all frames at another time t, track frames as in the last evaluation.
void kane_frames_given(const kane_model *model, kane_work *work, double t, kane_transport *frames);

// Derivatives of a frame's motion by the acceleration of the track frames along the line: acceleration of its origin
// [1], angular acceleration [1/m] (force, torque), frame axes. Zero for frames that no track frame carries.
kane_wrench kane_frame_gain(const kane_model *model, const kane_work *work, int frame);

// Acceleration of the frames if the guide's speeds belong to a cluster, after kane_cluster_solve_speeds. 0: they do
// not.
int kane_frames_follow(const kane_model *model, kane_work *work);

// Motion of an evaluation: frames, all bodies with forces, and wheels relative to their rails.
kane_status kane_motion_eval(const kane_model *model, kane_work *work, double t, const double *y);

// External wrenches at the mass centres, and rates of the states of elements. Needs kane_motion_eval at the same y.
kane_status kane_applied_eval(const kane_model *model, kane_work *work, const double *y);

// kane_eval in two steps: motion and forces; accelerations and rates.
kane_status kane_load_eval(const kane_model *model, kane_work *work, double t, const double *y);
kane_status kane_accelerate_eval(const kane_model *model, kane_work *work, double *ydot);

// --- pieces of steps that more than one file needs ---

// Inertia of a body in the axes of its frame.
kane_inertia kane_body_inertia(const kane_body *body, const kane_body_state *b);

// Sum of those imaginary terms of one body that are kept, at its mass centre, frame axes.
kane_wrench kane_imaginary_kept(const kane_body *body, const kane_transport *T, const kane_body_state *b);

// Motion of a body in the world, from its place in its frame, absolute velocity v of its mass centre and angular
// velocity w, frame axes. T: the frame; track: the frame in which its axle boxes stay level.
void kane_body_to_world(const kane_body *body, const kane_transport *T, const kane_transport *track, kane_vec3 v,
                        kane_vec3 w, kane_body_state *b);

// Rates of coordinates q from velocity v and angular velocity w in the axes they refer to (44).
void kane_rates_from_velocity(const double *q, kane_vec3 v, kane_vec3 w, double *q_dot);

// Torque or force of an actuator at the mass centres of its bodies, world axes.
void kane_actuator_wrench(const kane_model *model, const kane_work *work, const kane_actuator *actuator,
                          kane_wrench *on, kane_wrench *reaction);

// Chainage of the guide's frame [m], NaN without a track.
double kane_work_place(const kane_model *model, const kane_work *work);

// The axes of the world in A: R takes components to those of A, r_o is the origin [m]. Nothing else is filled.
kane_transport kane_work_world(const kane_model *model, const kane_work *work);

// A point of the world in A [m].
kane_vec3 kane_work_in_A(const kane_model *model, const kane_work *work, kane_vec3 r_w);

// Chooses the pieces of track and speed by the places of the frames (kane_work_locate: also by those of the wheelsets).
void kane_work_locate_frames(const kane_model *model, kane_work *work, double t, const double *y);

// Distance of a frame beyond the end of its piece, or of the wheelset with which it passes section joints [m]; needs
// its motion.
double kane_work_beyond(const kane_model *model, const kane_work *work, int frame);

// Start points of the pieces in work->piece.
void kane_work_anchor(const kane_model *model, kane_work *work);

// Normal forces in creep forces from now on: those of each evaluation; static ones; those of the last evaluation.
typedef enum kane_lag { KANE_LAG_NONE, KANE_LAG_STATIC, KANE_LAG_LAST } kane_lag;
void kane_work_lag_normal_forces(const kane_model *model, kane_work *work, kane_lag lag);

// Start values of all inputs.
void kane_work_begin_inputs(const kane_model *model, kane_work *work);

// Room for the discrete state of a model (work.c). 0 if memory is short.
int kane_discrete_fill(const kane_model *model, kane_arena *arena, kane_discrete *discrete);

// No frame has passed a section joint yet.
void kane_section_joint_begin(const kane_model *model, kane_work *work);

// Records the first fault of an evaluation and returns its status.
kane_status kane_work_fail(kane_work *work, kane_status status, const char *subject, const char *text);

#endif
