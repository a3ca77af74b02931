// SPDX-License-Identifier: MIT
// Where a wheelset stands.

#ifndef KANE_CONTACT_GUIDE_H
#define KANE_CONTACT_GUIDE_H

#include <kane/contact.h>

// Height z of the middle of the axle over the tops of the rails and roll at which both gaps are closed, for a lateral
// shift and a yaw; z and roll come in as a guess. KANE_RETRY where a wheel leaves its rail, KANE_NOT_SOLVED.
kane_status kane_guide_place(const kane_contact *contact, double y, double yaw, double *z, double *roll,
                             kane_gap touch[2]);

#endif
