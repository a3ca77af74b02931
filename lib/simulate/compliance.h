// SPDX-License-Identifier: MIT
// How far static loads displace bodies on their springs while wheelsets are held: 1/k of closed forms such as J eps/k, springs in series
// and coupled motions included.

#ifndef KANE_SIMULATE_COMPLIANCE_H
#define KANE_SIMULATE_COMPLIANCE_H

#include <kane/linear.h>

#include "base/arena.h"

typedef struct kane_compliance kane_compliance; // immutable, in the arena

// NULL: no body is held, springs do not hold all others, or memory is short. It does not need the linear model afterwards.
const kane_compliance *kane_compliance_create(const kane_linear *linear, kane_arena *arena);

// Displacement of a body along a coordinate under a unit load along it [m/N], [rad/(N m)]; NaN: it is held. scratch: memory of the call.
double kane_compliance_of(const kane_compliance *compliance, int body, kane_coordinate coordinate, kane_arena *scratch);

#endif
