// SPDX-License-Identifier: MIT
// Derivatives of the accelerations, put together from those of elements, contacts and bodies.

#ifndef KANE_AGEM_DERIVE_H
#define KANE_AGEM_DERIVE_H

#include "agem/guided.h"

// Derivatives after one kane_eval. Arrays by pair of the model (row body, column body) or by body.
typedef struct kane_derivative {
    double (*accelerations)[6][KANE_BODY_STATES];   // by pair: d(u_dot of the row body)/d(q, u of the column body)
    double (*coordinates)[6][KANE_BODY_STATES];     // by body: d(q_dot)/d(q, u)
    double (*travel)[6];                            // by body: d(u_dot)/d(a of the frames)
    kane_gradient *wrench;                          // by pair: scratch
    kane_guided_column (*guided)[KANE_BODY_STATES]; // by wheelset: scratch of guided ones
} kane_derivative;

// Fills all blocks for the state of the last kane_eval; the travel s, v, a of the frames is held.
kane_status kane_derive(const kane_model *model, kane_work *work, kane_derivative *out);

#endif
