// SPDX-License-Identifier: MIT
// A vehicle set aside from its equilibrium, so that it begins to swing.

#ifndef KANE_STABILITY_ASIDE_H
#define KANE_STABILITY_ASIDE_H

#include <kane/steady.h>

// How a vehicle is set aside.
typedef enum kane_aside {
    KANE_ASIDE_MODE, // along the mode that grows fastest or decays slowest, of those in which wheelsets move to the side
    KANE_ASIDE_WHOLE // the whole vehicle to the left: no spring is strained
} kane_aside;

// Adds it to a state y of the steady motion's model. amount [m]: lateral amplitude of the wheelset that swings most; or how far.
// Wheelsets take the height and the roll that they then have on rigid rails over those at y. KANE_BAD_INPUT with an error where
// one does not stand so far aside.
kane_status kane_set_aside(kane_steady *steady, kane_aside way, double amount, double *y, kane_errors *errors);

#endif
