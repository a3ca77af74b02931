// SPDX-License-Identifier: MIT
// Derivatives of what guided wheels get from their rails.

#ifndef KANE_AGEM_GUIDED_DERIVE_H
#define KANE_AGEM_GUIDED_DERIVE_H

#include "agem/guided.h"
#include "agem/wheels.h"

// Columns of all states of a wheelset that rails guide as a constraint, where the last evaluation left it. Needs the accelerations
// of its body.
kane_status kane_guided_columns(const kane_model *model, const kane_work *work, int wheels,
                                kane_guided_column columns[KANE_BODY_STATES]);

#endif
