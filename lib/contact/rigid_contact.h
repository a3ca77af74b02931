// SPDX-License-Identifier: MIT
// Wheel and rail as rigid bodies that touch (docs/contact.md): where a wheelset has both gaps closed, and the forces on a wheel
// that rolls under whatever normal force others find.

#ifndef KANE_CONTACT_RIGID_CONTACT_H
#define KANE_CONTACT_RIGID_CONTACT_H

#include "contact/creep.h"

// Position of a wheelset, for a lateral shift and a yaw: height z of the middle of the axle over the tops of the rails and
// roll at which both gaps are closed; they come in as a guess. KANE_RETRY where a wheel leaves its rail, KANE_NOT_SOLVED.
kane_status kane_rigid_position(const kane_contact *contact, double y, double yaw, double *z, double *roll,
                                kane_gap gap[2]);

// A wheel that touches its rail and rolls, under whatever normal force others find: what does not depend on that force is
// prepared once.
typedef struct rigid_contact {
    const kane_contact *contact;
    double sign; // of y in side axes
    side_motion motion;
    contact_spot spot;    // without a load
    double root_per_N;    // cube of it: approach^(3/2) over the normal force [m^1.5/N]
    double along, across; // semi-axes over the root of the approach [m^0.5]
    creep_basis basis;
} rigid_contact;

// KANE_RETRY for a motion that no vehicle reaches.
kane_status kane_rigid_prepare(const kane_contact *contact, kane_side side, const kane_gap *gap,
                               const kane_wheel_motion *motion, rigid_contact *wheel);

// Forces in side axes under N [N]; KANE_RETRY for an N that is not finite, or what a law of one's own returns.
kane_status kane_rigid_forces(const rigid_contact *wheel, double N, kane_own_force *out);

// The slope of these forces by N, exact but for a law of one's own without slopes; zero where N is not positive.
kane_status kane_rigid_slope(const rigid_contact *wheel, double N, kane_own_force *slope);

// Their wrench about the wheel's centre, rail axes, without the normal force itself. N: only what dissipates counts of it.
kane_wrench kane_rigid_wrench(const rigid_contact *wheel, double N, const kane_own_force *f);

// What is reported of the contact under N.
void kane_rigid_report(const rigid_contact *wheel, double N, const kane_own_force *f, kane_patch *patch);

#endif
