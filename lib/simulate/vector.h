// SPDX-License-Identifier: MIT
// The arithmetic of the integrator's vectors.

#ifndef KANE_SIMULATE_VECTOR_H
#define KANE_SIMULATE_VECTOR_H

#include <nvector/nvector_serial.h>

// Gives a serial vector, and all that will be cloned from it, operations of this library for what CVODE does in every
// step: linear sums, scaling, filling, weighted norms. Results are those of SUNDIALS' own to round-off; a result may stand
// in the place of an argument.
void kane_vector_speed_up(N_Vector v);

#endif
