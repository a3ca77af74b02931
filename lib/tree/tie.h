// SPDX-License-Identifier: MIT
// Deformable bodies in the articulated pass (docs/mechanisms.md): members of a tie follow its modes, and the modes are taken out
// of the carrier's inertia all at once.
//
// With S the axes of a member's steps about its own origin, I its articulated inertia, (n, f) the wrench that it needs and T what
// takes wrenches from its origin to that of the carrier, the modes have
//
//   M = M_own + sum G' S' I S G,   C = sum T I S G,   b = drive - sum G' S' (n, f)
//   M q'' + C' a = b               a: acceleration of the carrier beyond that with v_dot = 0
//
// and the carrier feels  I - C M^-1 C'  and  (n, f) + C M^-1 b  besides what its members are as a rigid body.

#ifndef KANE_TREE_TIE_H
#define KANE_TREE_TIE_H

#include "tree/rows.h"
#include "tree/tree.h"

void kane_tie_work_create(const kane_tie *tie, kane_arena *arena, kane_tie_work *work);

// Factors what never changes. 0 where its own inertia is not positive definite.
int kane_tie_prepare(kane_tie *tie);

// Speeds, or accelerations, of a member or all members from those of the modes: speeds of the tree.
void kane_tie_member_follows(const kane_tie *tie, const kane_link *links, int member, double *speeds);
void kane_tie_members_follow(const kane_tie *tie, const kane_link *links, double *speeds);

// Adds to the modes [count] what is along the six speeds of a member.
void kane_tie_fold(const kane_tie *tie, int member, const double along[6], double *modes);

// The row of G that a speed of the tree follows by, and its tie; NULL: it is no member's.
const double *kane_tie_row_of_speed(const kane_tree *tree, int v, const kane_tie **tie);

// Coordinates and speeds of a member from those of the modes, which have been read.
void kane_tie_read(const kane_tie *tie, const kane_tree_work *work, kane_tie_work *own);
void kane_tie_follow(const kane_tree *tree, int member, kane_tree_work *work);

// In kane_tree_gather: a tie before its members; a member behind what hangs on it; the carrier behind all of them (0: nothing
// resists a mode).
void kane_tie_begin(const kane_tie *tie, const kane_tree_work *work, kane_tie_work *own);
void kane_tie_add_member(const kane_tree *tree, int member, kane_tree_work *work);
int kane_tie_release(const kane_tie *tie, kane_tie_work *own, kane_link_state *carrier);

// In kane_tree_theta: inertia of the modes, W and W_n, W_f, before all members; then with that of a member and all that hangs on it.
void kane_tie_begin_composite(const kane_tie *tie, kane_tie_work *own);
void kane_tie_add_composite(const kane_tree *tree, int member, const kane_tree_work *work, const kane_spatial *I);

// In kane_tree_descend: accelerations of modes from that of the carrier, and of members on which others hang. kane_tie_show: of the
// others, too, and of the links of the modes, for who asks.
void kane_tie_show(const kane_tie *tie, const kane_link *links, kane_tree_work *work);
void kane_tie_descend(const kane_tie *tie, const kane_link *links, kane_tree_work *work);

// The same for other wrenches, with inertias as they are: x becomes what wrenches on members do to the modes; the wrench goes on to
// the carrier; then v_dot of modes and members from its acceleration.
void kane_tie_respond_member(const kane_tree *tree, int member, const kane_tree_work *work, kane_wrench w);
kane_wrench kane_tie_respond_carrier(const kane_tie *tie, kane_tie_work *own);
void kane_tie_respond_modes(const kane_tie *tie, const kane_link *links, const kane_tree_work *work,
                            kane_wrench carrier, double *v_dot);

// Inertia of the deformed body, after kane_tree_place and the motion of the carrier: adds what it needs with v_dot = 0 to the carrier,
// and fills its part of the work. Nothing where there is none.
void kane_tie_weigh(const kane_tie *tie, kane_tie_work *own, const kane_tree_work *work, kane_link_state *carrier);

// What deformation q adds to the inertia about the carrier's origin, carrier's axes; returns the first moment of mass.
kane_vec3 kane_tie_inertia(const kane_tie *tie, const double *q, double J[6]);

// Adds it to that of the rigid body, about the carrier's origin, frame axes.
void kane_tie_add_inertia(const kane_tie *tie, const kane_tree_work *work, kane_spatial *I);

// The wrench that it needs with all accelerations, about the carrier's origin, frame axes; mode [count]: what the modes need of it,
// NULL: not wanted.
kane_wrench kane_tie_needed(const kane_tie *tie, const kane_tie_work *own, const kane_tree_work *work, double *mode);

// Its kinetic energy beyond that of the rigid body and the modes' own, with the absolute velocity of the carrier's origin and the
// angular velocity, frame axes; and its first moment of mass, frame axes.
double kane_tie_energy(const kane_tie *tie, const kane_tie_work *own, const kane_tree_work *work, kane_vec3 v,
                       kane_vec3 w, kane_vec3 *moment);

// States of a batch: each moves the carrier, or is the coordinate or the speed of a mode.
typedef struct kane_tie_changes {
    kane_link_changes carrier;
    int mode[KANE_CHANGES], is_speed[KANE_CHANGES]; // mode: -1: none
} kane_tie_changes;

// How that, and what the modes need, change with the states of a batch, v_dot held. mode [count]. In tie_derive.c.
void kane_tie_need_changes(const kane_tie *tie, const kane_tie_work *own, const kane_tree_work *work,
                           const kane_tie_changes *changes, kane_wrench_changes *wrench, double (*mode)[KANE_CHANGES]);

// Row c of a member's part of G.
static inline const double *kane_tie_row(const kane_tie *tie, int member, int c)
{
    return tie->G + (size_t)(6 * tie->place[member] + c) * (size_t)tie->count;
}

#endif
