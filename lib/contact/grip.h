// SPDX-License-Identifier: MIT
// A wheel that touches its rail, prepared to be asked for its tangential forces under many normal forces: the ellipse of
// the patch keeps its shape, a and b grow with the cube root of N, and so do Kalker's coefficients stay.

#ifndef KANE_CONTACT_GRIP_H
#define KANE_CONTACT_GRIP_H

#include "contact/contact.h"

typedef struct kane_grip {
    const creep_law *law;
    side_motion motion;
    creepage creepage;
    contact_spot spot; // under 1 N
    kane_kalker kalker;
    double friction; // [1]
} kane_grip;

// Forces that kane_own_force holds: T_x, T_y, M_z, T_n. Only a law of one's own has the last one.
enum { KANE_GRIP_FORCES = 4 };

// KANE_RETRY for a motion that no vehicle reaches, as kane_contact_eval.
kane_status kane_grip_prepare(const kane_contact *contact, kane_side side, const kane_gap *touch,
                              const kane_wheel_motion *motion, kane_grip *grip);

// Forces under N [N], side axes; none where N is not positive. The status is KANE_OK or that of a law of one's own.
kane_status kane_grip_eval(const kane_grip *grip, double N, double force[KANE_GRIP_FORCES]);

// How many of the forces there may be.
int kane_grip_count(const kane_grip *grip);

// Wrench about the wheel's centre, rail axes, that a force of one newton (moment of one newton metre) is.
kane_wrench kane_grip_unit(const kane_grip *grip, int force);

// Everything that is reported, rail axes.
void kane_grip_report(const kane_grip *grip, double N, const double force[KANE_GRIP_FORCES], kane_patch *patch);

#endif
