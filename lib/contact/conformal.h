// SPDX-License-Identifier: MIT
// Whether a patch is so wide that it is bent.

#ifndef KANE_CONTACT_CONFORMAL_H
#define KANE_CONTACT_CONFORMAL_H

#include "contact/rail.h"
#include "contact/spot.h"
#include "contact/wheel.h"

// Tangent of the angle by which the surface of wheel or rail, whichever bends more, turns over the width 2 b of a spot.
double kane_conformal_turn(const wheel_table *wheel, const rail_table *rail, const wheel_pose *pose,
                           const contact_spot *spot);

// From 0.2 rad on a patch is called conformal: there the normals at its edges are 0.1 rad off the one that is used.
#define KANE_CONFORMAL_TURN 0.20271003550867248

#endif
