// SPDX-License-Identifier: MIT
// Deformable bodies in the articulated pass: interface nodes follow the modes, and the carrier's inertia is reduced by
// all modes at once.
//
// With S the axes of a member's steps about its own origin, I its articulated inertia, (n, f) the wrench that it needs
// and T the shift of wrenches from its origin to that of the carrier, the modes have
//
//   M = M_own + sum G' S' I S G,   C = sum T I S G,   b = drive - sum G' S' (n, f)
//   M q'' + C' a = b               a: acceleration of the carrier beyond that with v_dot = 0
//
// and the carrier has  I - C M^-1 C'  and  (n, f) + C M^-1 b, with those of its members as rigid parts.

#ifndef KANE_TREE_FLEX_H
#define KANE_TREE_FLEX_H

#include "tree/rows.h"
#include "tree/tree.h"

void kane_flex_work_create(const kane_flex *flex, kane_arena *arena, kane_flex_work *work);

// Factors what never changes. 0 where its own inertia is not positive definite.
int kane_flex_prepare(kane_flex *flex);

// Speeds, or accelerations, of a member or all members from those of the modes: speeds of the tree.
void kane_flex_node_follows(const kane_flex *flex, const kane_link *links, int member, double *speeds);
void kane_flex_nodes_follow(const kane_flex *flex, const kane_link *links, double *speeds);

// Adds generalised forces along the six speeds of a member to those of the modes [count].
void kane_flex_fold(const kane_flex *flex, int member, const double along[6], double *modes);

// The row of G that a speed of the tree follows by, and its flexible body; NULL: it is no member's.
const double *kane_flex_row_of_speed(const kane_tree *tree, int v, const kane_flex **flex);

// Coordinates and speeds of a member from those of the modes, which have been read.
void kane_flex_read(const kane_flex *flex, const kane_tree_work *work, kane_flex_work *own);
void kane_flex_move_node(const kane_tree *tree, int member, kane_tree_work *work);

// In kane_tree_inward: begin before the first member; a member after the links attached to it; the carrier after all
// members (0: a mode without inertia).
void kane_flex_begin(const kane_flex *flex, const kane_tree_work *work, kane_flex_work *own);
void kane_flex_add_node(const kane_tree *tree, int member, kane_tree_work *work);
int kane_flex_release(const kane_flex *flex, kane_flex_work *own, kane_link_state *carrier);

// In kane_tree_theta: inertia of the modes, W and W_n, W_f, before all members; then with the composite inertia of a
// member.
void kane_flex_begin_composite(const kane_flex *flex, kane_flex_work *own);
void kane_flex_add_composite(const kane_tree *tree, int member, const kane_tree_work *work, const kane_spatial *I);

// In kane_tree_outward: accelerations of modes from that of the carrier, and of members with attached links.
// kane_flex_accelerations: of other members, too, and of mode links, on request.
void kane_flex_accelerations(const kane_flex *flex, const kane_link *links, kane_tree_work *work);
void kane_flex_outward(const kane_flex *flex, const kane_link *links, kane_tree_work *work);

// The same for other wrenches, with the inertia of the last solution: x, generalised forces of wrenches on members
// along the modes; the reduced wrench on the carrier; then v_dot of modes and members from its acceleration.
void kane_flex_respond_node(const kane_tree *tree, int member, const kane_tree_work *work, kane_wrench w);
kane_wrench kane_flex_respond_frame(const kane_flex *flex, kane_flex_work *own);
void kane_flex_respond_modes(const kane_flex *flex, const kane_link *links, const kane_tree_work *work,
                             kane_wrench carrier, double *v_dot);

// Adds wrenches at nodes (kane_flex_respond_node) to what the modes have been released with, for kane_flex_outward.
// Returns what the carrier gets in addition to them.
kane_wrench kane_flex_apply_frame(const kane_flex *flex, kane_flex_work *own);

// Inertia of deformation (flex_inertia.h). Needs the motion of the carrier. Adds the wrench needed at v_dot = 0 and the
// inertia to the carrier, and fills its part of the work. Without such inertia it does nothing.
void kane_flex_weigh(const kane_flex *flex, kane_flex_work *own, const kane_tree_work *work, kane_link_state *carrier);

// Inertia of deformation q about the carrier's origin, carrier's axes; returns the first moment of mass.
kane_vec3 kane_flex_inertia(const kane_flex *flex, const double *q, double J[6]);

// Adds it to that of the rigid body, about the carrier's origin, frame axes.
void kane_flex_add_inertia(const kane_flex *flex, const kane_tree_work *work, kane_spatial *I);

// The wrench that deformation needs with all accelerations, about the carrier's origin, frame axes; mode [count]:
// generalised forces needed along the modes, NULL: not wanted.
kane_wrench kane_flex_needed(const kane_flex *flex, const kane_flex_work *own, const kane_tree_work *work,
                             double *mode);

// Its kinetic energy beyond that of the rigid body and the modes' own, with the absolute velocity of the carrier's
// origin and the angular velocity, frame axes; and its first moment of mass, frame axes.
double kane_flex_energy(const kane_flex *flex, const kane_tree_work *work, kane_vec3 v, kane_vec3 w, kane_vec3 *moment);

// States of a batch: each moves the carrier, or is the coordinate or the speed of a mode.
typedef struct kane_flex_changes {
    kane_link_changes carrier;
    int mode[KANE_CHANGES], is_speed[KANE_CHANGES]; // mode: -1: none
} kane_flex_changes;

// Changes of kane_flex_needed and of its `mode` [count] with the states of a batch, v_dot held. In rows_derive.c.
void kane_flex_need_changes(const kane_flex *flex, const kane_flex_work *own, const kane_tree_work *work,
                            const kane_flex_changes *changes, kane_wrench_changes *wrench,
                            double (*mode)[KANE_CHANGES]);

// Row c of a member's part of G.
static inline const double *kane_flex_row(const kane_flex *flex, int member, int c)
{
    return flex->G + (size_t)(6 * flex->place[member] + c) * (size_t)flex->count;
}

#endif
