// SPDX-License-Identifier: MIT
// Whether a patch is so wide that it is bent.

#ifndef KANE_CONTACT_CONFORMAL_H
#define KANE_CONTACT_CONFORMAL_H

#include "contact/rail.h"
#include "contact/spot.h"
#include "contact/wheel.h"

// Whether the surface of wheel or rail turns by more than 0.2 rad over the width 2 b of a spot: then the normals at its
// edges are 0.1 rad off the one that is used.
int kane_is_conformal(const wheel_table *wheel, const rail_table *rail, const wheel_pose *pose,
                      const contact_spot *spot);

#endif
