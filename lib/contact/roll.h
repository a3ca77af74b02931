// SPDX-License-Identifier: MIT
// A wheel that touches its rail and rolls, under whatever normal force others find: what does not depend on that force is
// prepared once.

#ifndef KANE_CONTACT_ROLL_H
#define KANE_CONTACT_ROLL_H

#include "contact/creep.h"

typedef struct contact_roll {
    const kane_contact *contact;
    double sign; // of y in side axes
    side_motion motion;
    contact_spot spot;    // without a load
    double root_per_N;    // cube of it: approach^(3/2) over the normal force [m^1.5/N]
    double along, across; // semi-axes over the root of the approach [m^0.5]
    creep_basis basis;
} contact_roll;

// KANE_RETRY for a motion that no vehicle reaches.
kane_status kane_roll_start(const kane_contact *contact, kane_side side, const kane_gap *touch,
                            const kane_wheel_motion *motion, contact_roll *roll);

// Forces in side axes under N [N]; KANE_RETRY for an N that is not finite, or what a law of one's own returns.
kane_status kane_roll_under(const contact_roll *roll, double N, kane_own_force *out);

// The slope of these forces by N, exact but for a law of one's own without slopes; zero where N is not positive.
kane_status kane_roll_slope(const contact_roll *roll, double N, kane_own_force *slope);

// Their wrench about the wheel's centre, rail axes, without the normal force itself. N: only what dissipates counts of it.
kane_wrench kane_roll_wrench(const contact_roll *roll, double N, const kane_own_force *f);

// What is reported of the contact under N.
void kane_roll_report(const contact_roll *roll, double N, const kane_own_force *f, kane_patch *patch);

#endif
