// SPDX-License-Identifier: MIT
// Words that the track and the contact of wheel and rail share.

#ifndef KANE_RAIL_H
#define KANE_RAIL_H

typedef enum kane_side { KANE_LEFT, KANE_RIGHT } kane_side;

#endif
