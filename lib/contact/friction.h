// SPDX-License-Identifier: MIT
// What multiplies: dissipation of the normal force, the coefficient of friction of a place.

#ifndef KANE_CONTACT_FRICTION_H
#define KANE_CONTACT_FRICTION_H

#include <kane/contact.h>

// Normal force over the elastic one at the rate of approach w [m/s], and its slope by w.
double kane_creep_dissipation(const kane_contact_laws *laws, double w, double *slope);

// Coefficient of friction on one side before it falls. normal_y: of the contact's normal.
double kane_creep_friction(const kane_contact_laws *laws, kane_side side, double change, double normal_y);

// Factor by which it falls at a velocity of slip (x, y) [m/s], slow [m/s] rounding the corner at rest; its slopes by x, y.
double kane_creep_fall(const kane_contact_laws *laws, double x, double y, double slopes[2]);

#endif
