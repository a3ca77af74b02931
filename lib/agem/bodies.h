// SPDX-License-Identifier: MIT
// All bodies as links, as one step of an evaluation: from the state to the tree, from wrenches on
// bodies to accelerations of the tree, and what the tree's motion means for each body (docs/mechanisms.md).

#ifndef KANE_AGEM_BODIES_H
#define KANE_AGEM_BODIES_H

#include "agem/work.h"

// Room in a work. 0 if memory is short.
int kane_bodies_create(const kane_model *model, kane_work *work);
void kane_bodies_free(kane_work *work);

// Coordinates and speeds of the tree from the state, but those that clusters find.
void kane_bodies_read(kane_work *work, const double *y);

// Moves the tree as the state says; fills the motion of those bodies that something acts on. Needs the frames.
kane_status kane_bodies_move(const kane_model *model, kane_work *work, const double *y);

// Hands on what acts on the bodies, and imaginary forces where they are wanted one by one.
void kane_bodies_load(const kane_model *model, kane_work *work);

// Accelerations and rates of all bodies.
kane_status kane_bodies_solve(const kane_model *model, kane_work *work, double *ydot);

// Rates of coordinates under the speeds in work->tree, and accelerations as they are there, of bodies in trees.
void kane_bodies_rates(const kane_model *model, kane_work *work, double *ydot);

// --- pieces that several files need ---

// What the frames' motion is to the links.
void kane_bases_eval(const kane_model *model, kane_work *work);

// Motion of the body of a link relative to its frame and in the world.
void kane_body_show(const kane_model *model, kane_work *work, int link);

// Coordinates x .. pitch of any body, and the axes of its turns; needs its motion.
void kane_body_show_coordinates(const kane_model *model, kane_work *work, int link);

// Its relative accelerations, after kane_bodies_solve.
void kane_body_show_accelerations(const kane_model *model, kane_work *work, int link);

// What acts on the body of a link from outside, about the link's origin, frame axes.
kane_wrench kane_body_acting(const kane_model *model, const kane_work *work, int link);

// What the constraints of a cluster want, by the least change in the sense of kinetic energy in both forms; then, in the form
// of coefficients, with the best choice of independent speeds or the present one.
typedef enum kane_choice { KANE_CHOICE_STAYS, KANE_CHOOSE_ANEW } kane_choice;
kane_status kane_settle_cluster(const kane_model *model, kane_work *work, int cluster, kane_choice choice);

// Multipliers of a cluster's constraints: work->multiplier; `count` of its rows at least.
void kane_find_multipliers(const kane_model *model, kane_work *work, int cluster, int count, const int *rows);

// A wrench on a link about its origin, frame axes, in the axes of its joint on the body.
kane_wrench kane_wrench_in_joint(const kane_model *model, const kane_work *work, int link, kane_wrench wrench);

// How the body of a link moves, and what its joint hands to it (about the link's origin, frame axes) as its reaction.
void kane_body_show_reaction(const kane_model *model, kane_work *work, int link, kane_wrench joint);

// What a rod with mass pushes its sides with, as they are accelerated: as kane_closure_values has it.
void kane_rod_get_load(const kane_model *model, const kane_work *work, const kane_closure *rod, kane_wrench load[2]);

// Its imaginary terms as they act if they are not omitted, as those of a body; zero in the fixed formulation.
void kane_rod_get_imaginary(const kane_model *model, const kane_work *work, const kane_closure *rod,
                            kane_imaginary *terms);

// Adds what rods with mass are accelerated by to what acts on their links; its power is that of their energy.
void kane_rods_push(const kane_model *model, const kane_work *work, kane_wrench *acting);

// Accelerations of the ends that the evaluation takes for a part of the inertia (kane_eval_rods), for kane_bodies_solve; needs the
// frames. And no longer so: what follows is exact, but for what is asked of the evaluation.
void kane_rods_foresee(const kane_model *model, kane_work *work, kane_rod_inertia inertia, const kane_vec3 *ahead);
void kane_rods_forget(const kane_model *model, kane_work *work);

// Adds the wrenches of all constraints, and of rods with mass, to what acts on the links, about their origins, frame
// axes; keeps the multipliers. Returns the power of constraints.
double kane_constraints_push(const kane_model *model, kane_work *work, kane_wrench *acting);

// The coordinates of a root that spins have been put into those of another frame: axes that leave its spin out have turned about
// the axle by what the two frames' levels differ. What hangs on the axle keeps its place. before: those axes as they were, in
// the axes of the new frame.
void kane_axle_follow(const kane_model *model, kane_work *work, int link, kane_mat3 before);

// --- states ---

// Coordinates and speeds of a state from those in work->tree.
void kane_state_put(const kane_model *model, const kane_work *work, double *y);

// The state that bodies start from. Needs the frames. Fails where constraints cannot be held.
kane_status kane_state_start(const kane_model *model, kane_work *work, double *y);

// Whether other independent speeds would serve better than those of the last evaluation.
int kane_choice_is_poor(const kane_model *model, const kane_work *work);

// Takes them where that is so, and writes the state anew; 0: there are no better ones.
int kane_choice_renew(const kane_model *model, kane_work *work, double t, double *y);

// Name of a constraint of those whose position is close to a singular one in the last evaluation; NULL: none.
const char *kane_find_singular(const kane_model *model, kane_work *work);

// Brings a state in the form of multipliers back onto its constraints.
kane_status kane_constraints_project(const kane_model *model, kane_work *work, double t, double *y);

// Maps a state over a border that `frame` has passed: bodies have been shown as they were before, crossings are known.
void kane_bodies_pass_border(const kane_model *model, kane_work *work, int frame, double *y);

// Largest value and rate of all constraints after an evaluation.
void kane_constraints_drift(const kane_model *model, const kane_work *work, double *value, double *rate);

#endif
