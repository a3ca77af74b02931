// SPDX-License-Identifier: MIT
// Forces on one spot of a rolling wheel: dissipation, creepages, Kalker's linear theory, saturation.

#ifndef KANE_CONTACT_CREEP_H
#define KANE_CONTACT_CREEP_H

#include "contact/kalker.h"
#include "contact/spot.h"

typedef struct creep_law {
    double shear_modulus; // [Pa]
    double friction;      // [1]
    double dissipation;   // [s/m]
    double slow;          // [m/s]
    kalker_table kalker;
} creep_law;

// Forces on the wheel, torque about its centre, and, unless patch is NULL, everything that is reported. velocity of the
// wheel's centre [m/s] and angular velocity [rad/s] in side axes, as all the rest.
kane_wrench kane_creep_eval(const creep_law *law, const contact_spot *spot, kane_vec3 velocity, kane_vec3 omega,
                            kane_patch *patch);

// Adds the derivative of the wrench (6 rows: force, torque) with respect to velocity and angular velocity (6 columns).
void kane_creep_derive(const creep_law *law, const contact_spot *spot, kane_vec3 velocity, kane_vec3 omega,
                       double d[6][6]);

#endif
