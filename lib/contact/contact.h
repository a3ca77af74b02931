// SPDX-License-Identifier: MIT
// A contact as it is prepared: everything its evaluations read.

#ifndef KANE_CONTACT_CONTACT_H
#define KANE_CONTACT_CONTACT_H

#include "contact/cone.h"
#include "contact/creep.h"
#include "contact/hertz.h"
#include "contact/rail.h"
#include "contact/wheel.h"
#include "contact/window.h"

// How the normal contact is found.
typedef enum contact_method { CONTACT_OVERLAP, CONTACT_CONE } contact_method;

struct kane_contact {
    kane_contact_definition definition;
    contact_method method;
    double E_star;         // contact modulus [Pa]
    double wheel_distance; // from the middle of the axle to the running circle [m]
    double rail_distance;  // from the middle of the track to the rail's origin [m]
    creep_law creep;
    cone_pair cone;
    hertz_table hertz;
    wheel_table wheel;
    rail_table rail;
    window_table windows;
};

#endif
