// SPDX-License-Identifier: MIT
// All bodies as links, as one step of an evaluation: from the state to the tree, from wrenches on
// bodies to accelerations of the tree, and what the tree's motion means for each body (docs/mechanisms.md).

#ifndef KANE_AGEM_BODIES_H
#define KANE_AGEM_BODIES_H

#include <kane/calls.h>

#include "agem/work.h"
#include "math/small.h"
#include "model/model.h"
#include "tree/flex.h"
#include "tree/gradient.h"

// Room in a work. 0 if memory is short.
int kane_bodies_create(const kane_model *model, kane_work *work);
void kane_bodies_free(kane_work *work);

// Coordinates and speeds of the tree from the state, but those that clusters find.
void kane_bodies_read(kane_work *work, const double *y);

// Motion of the tree at a state, and of all bodies with forces. Needs kane_frames_eval.
kane_status kane_bodies_move(const kane_model *model, kane_work *work, const double *y);

// Applies the wrenches on bodies, and separate imaginary forces, to the links.
void kane_bodies_load(const kane_model *model, kane_work *work);

// Accelerations and rates of all bodies.
kane_status kane_bodies_solve(const kane_model *model, kane_work *work, double *ydot);

// Rates of coordinates under the speeds in work->tree, and accelerations as they are there, of bodies in trees.
void kane_bodies_rates(const kane_model *model, kane_work *work, double *ydot);

// --- pieces that several files need ---

// Base motion of the links in every frame: work->base. Needs kane_frames_eval.
void kane_moving_frames_eval(const kane_model *model, kane_work *work);

// Motion of the body of a link relative to its frame and in the world.
void kane_body_kinematics(const kane_model *model, kane_work *work, int link);

// Coordinates x .. pitch of any body, and the axes of its turns; needs its motion.
void kane_body_kinematics_coordinates(const kane_model *model, kane_work *work, int link);

// Its relative accelerations, after kane_bodies_solve.
void kane_body_kinematics_accelerations(const kane_model *model, kane_work *work, int link);

// Applied wrench on the body of a link, about the link's origin, frame axes.
kane_wrench kane_body_acting(const kane_model *model, const kane_work *work, int link);

// Says that a cluster has no solution, or that its memory is short. text: why.
kane_status kane_cluster_fail(const kane_model *model, kane_work *work, int cluster, const char *text);

// Moves the state of a cluster onto its constraints by the smallest change in kinetic energy, in both forms; then, in
// the form of coefficients, with the best choice of independent speeds or the present one.
typedef enum kane_partition { KANE_KEEP_PARTITION, KANE_NEW_PARTITION } kane_partition;
kane_status kane_cluster_project_state(const kane_model *model, kane_work *work, int cluster, kane_partition choice);

// Multipliers of a cluster's constraints: work->multiplier; `count` of its rows at least.
void kane_find_multipliers(const kane_model *model, kane_work *work, int cluster, int count, const int *rows);

// A wrench on a link about its origin, frame axes, in the axes of its joint on the body.
kane_wrench kane_wrench_in_joint(const kane_model *model, const kane_work *work, int link, kane_wrench wrench);

// Motion of the body of a link, and the wrench of its joint (about the link's origin, frame axes) as its reaction.
void kane_body_kinematics_reaction(const kane_model *model, kane_work *work, int link, kane_wrench joint);

// Wrenches of a rod with mass on its two sides: kane_constraint_rows_values.load.
void kane_rod_get_load(const kane_model *model, const kane_work *work, const kane_constraint_row_set *rod,
                       kane_wrench load[2]);

// Its imaginary terms, omitted or not, as those of a body; zero in the fixed formulation.
void kane_rod_get_imaginary(const kane_model *model, const kane_work *work, const kane_constraint_row_set *rod,
                            kane_imaginary *terms);

// Adds the wrenches of rods with mass to those on their links. Their power is the change of the rods' energy.
void kane_rods_apply(const kane_model *model, const kane_work *work, kane_wrench *acting);

// Extrapolated accelerations of the ends of rods (kane_eval_rods) for the next kane_bodies_solve; needs the frames.
// kane_rods_clear_extrapolated: later solutions are exact again.
void kane_rods_set_extrapolated(const kane_model *model, kane_work *work, kane_rod_inertia inertia,
                                const kane_vec3 *ahead);
void kane_rods_clear_extrapolated(const kane_model *model, kane_work *work);

// Adds the wrenches of all constraints, and of rods with mass, to what acts on the links, about their origins, frame
// axes; keeps the multipliers. Returns the power of constraints.
double kane_constraints_apply(const kane_model *model, kane_work *work, kane_wrench *acting);

// The coordinates of a spinning root have been changed to another frame: its axes, which leave the spin out, have
// turned about the axle by the difference of the two frames' levels. Links on the axle keep their place.
//   before  the former axes, in the axes of the new frame
void kane_axle_follow(const kane_model *model, kane_work *work, int link, kane_mat3 before);

// --- states ---

// Coordinates and speeds of a state from those in work->tree: of one link that no constraint couples (of others the
// coordinates), and all.
void kane_link_put(const kane_model *model, const kane_work *work, int link, double *y);
void kane_state_put(const kane_model *model, const kane_work *work, double *y);

// The state that bodies start from. Needs the frames. Fails where constraints cannot be held.
kane_status kane_state_start(const kane_model *model, kane_work *work, double *y);

// Whether the independent speeds of the last evaluation have a poor quality (KANE_PARTITION_POOR).
int kane_partition_is_poor(const kane_model *model, const kane_work *work);

// Selects better ones if so, and writes the state again; 0: there are no better ones.
int kane_partition_renew(const kane_model *model, kane_work *work, double t, double *y);

// Name of a constraint of those whose position is close to a singular one in the last evaluation; NULL: none.
const char *kane_find_singular(const kane_model *model, kane_work *work);

// Moves a state in the form of multipliers back onto its constraints.
kane_status kane_constraints_project(const kane_model *model, kane_work *work, double t, double *y);

// Maps a state over a section joint that `frame` has passed. Needs the bodies' motion before it, and work->crossing.
void kane_bodies_cross_joint(const kane_model *model, kane_work *work, int frame, double *y);

// === Motion of a body relative to its track frame, whatever frame it is described in, and the way back into a state.

typedef struct kane_relative_motion {
    double q[KANE_COORDINATES]; // x y z [m], yaw roll pitch [rad]
    kane_vec3 v, w;             // velocity [m/s], angular velocity [rad/s], track frame axes
} kane_relative_motion;

// Reads it from the last evaluation.
void kane_relative_get(const kane_model *model, const kane_work *work, int body, kane_relative_motion *motion);

// The same in terms of the frame that the body is described in.
void kane_relative_describe(const kane_model *model, const kane_work *work, int body, kane_relative_motion *motion);

// The same motion in terms of another frame.
void kane_relative_change(const kane_body *body, const kane_transport *from, const kane_transport *to,
                          kane_relative_motion *motion);

// Writes it into a state; the transports in work must be those of the state. Speeds of removed freedoms are left out.
void kane_relative_put(const kane_model *model, const kane_work *work, int body, const kane_relative_motion *motion,
                       double *y);

// === Forces on the modes of deformable bodies: stiffness, damping and static loads.

// The imaginary terms of deformation `i` beyond those of the rigid body: on its carrier, about the origin of its link,
// frame axes; and on the modes, mode[term][mode], which last until the next call. 0: there are none.
int kane_modes_imaginary(const kane_model *model, const kane_work *work, int i, kane_imaginary *terms,
                         double *mode[KANE_IMAGINARY_TERMS]);

// The same forces for one more m/s^2 of the frame along the track: those on the modes go where the next
// kane_tree_respond finds them; returns the wrench on the carrier.
kane_wrench kane_modes_gain(const kane_model *model, kane_work *work, int i);

// Changes of the sum of the kept terms with the states of a batch, in the form of kane_flex_need_changes; in
// derive_deformable.c.
void kane_modes_imaginary_changes(const kane_model *model, const kane_work *work, int i,
                                  const kane_flex_changes *changes, kane_wrench_changes *wrench,
                                  double (*mode)[KANE_CHANGES]);

// Accelerations of points without attached links, and of modes, which an evaluation leaves out.
void kane_modes_kinematics(const kane_model *model, kane_work *work);

// Forces on all modes, along their speeds in the tree.
void kane_modes_apply(const kane_model *model, kane_work *work);

// Adds their energy, and the power of damping.
void kane_modes_add_energy(const kane_model *model, const kane_work *work, kane_energy *energy);

// Power of the joints of its points on a mode: all of its power except that of its own forces.
double kane_mode_power(const kane_model *model, const kane_work *work, const kane_link *mode);

// === Equations (kane/equations.h) of models whose wheels rails guide: what recording needs besides.

struct kane_equations;

// Gaps [m]; returns how many rows rails have.
int kane_equations_gaps(const struct kane_equations *equations, const double **gap);

// Normal forces [N] by which creep forces are found, in the order of rows, read at each evaluation; NULL: those of the
// solution.
void kane_equations_set_normal_forces(struct kane_equations *equations, const double *N);

// === Numbering of calls (kane/calls.h), used by both sides: those that record calls and those that evaluate them.

// Calls of a wheelset: rail, contact, gap, creep, check rail of each wheel, left and right, then its tables.
enum { KANE_CALLS_OF_SIDES = 5, KANE_CALLS_OF_WHEELS = 2 * KANE_CALLS_OF_SIDES + 1 };

// 0: output number `output` of a call never depends on its input number `input`.
int kane_call_depends(const kane_model *model, int call, int output, int input);

// First those of the whole, then a line for each frame, then those of each wheelset, then laws. `index`: frame,
// wheelset or element.
static inline int kane_call_number(const kane_model *model, kane_call_kind kind, int index, int side)
{
    const int wheels = 2 + model->frame_count;
    switch (kind) {
    case KANE_CALL_TRAVEL: return 0;
    case KANE_CALL_ROAD: return 1;
    case KANE_CALL_LINE: return 2 + index;
    case KANE_CALL_LAW: return wheels + KANE_CALLS_OF_WHEELS * model->wheels_count + index;
    default: return wheels + KANE_CALLS_OF_WHEELS * index + 2 * (int)(kind - KANE_CALL_RAIL) + side;
    }
}

// === The seven imaginary terms of one free body in a moving frame.

typedef enum kane_selection { KANE_INCLUDED, KANE_OMITTED } kane_selection;

// force at the mass centre:  -m a_o   -m w x (w x r)   -m e x r   -2 m w x v
// torque:                             -w x (J w)       -J e       -((tr J E - 2 J) w) x w_rel
//   f      transportation of the body's frame (a_o [m/s^2], omega [rad/s], epsilon [rad/s^2])
//   m, J   mass [kg]; inertia about the mass centre, frame axes [kg m^2]
//   r, v   position and velocity of the mass centre relative to the frame [m], [m/s]
//   w_rel  angular velocity of the body relative to the frame [rad/s]
//   out    force [N] and torque [N m] of each term, frame axes
// (46) of the source for one free body; docs/theory.md, section 2.
void kane_imaginary_eval(const kane_transport *f, double m, const kane_inertia *J, kane_vec3 r, kane_vec3 v,
                         kane_vec3 w_rel, kane_imaginary *out);

// Sum of those terms of a body that are kept, or that are omitted: wrench at its mass centre, frame axes.
kane_wrench kane_imaginary_sum(const kane_body *body, const kane_imaginary *terms, kane_selection share);

// All terms of a body as they act if they are not omitted; zero of one whose inertia is that of absolute motion.
void kane_imaginary_get(const kane_model *model, const kane_work *work, int body, kane_imaginary *terms);

// Adds to g, the derivative of a wrench by relative motion (frame axes), those of the imaginary terms of one body that
// are kept.
void kane_imaginary_derive(const kane_body *body, const kane_transport *T, const kane_body_state *b, kane_gradient *g);

#endif
