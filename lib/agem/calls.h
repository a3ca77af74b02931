// SPDX-License-Identifier: MIT
// How calls count (kane/calls.h): for who makes them and for who answers.

#ifndef KANE_AGEM_CALLS_H
#define KANE_AGEM_CALLS_H

#include <kane/calls.h>

#include "model/model.h"

// First those of the whole, then a line for each frame, then rails and contacts of each wheelset, left and right, then laws. `index`:
// frame, wheelset or element.
static inline int kane_call_number(const kane_model *model, kane_call_kind kind, int index, int side)
{
    switch (kind) {
    case KANE_CALL_TRAVEL: return 0;
    case KANE_CALL_ROAD: return 1;
    case KANE_CALL_LINE: return 2 + index;
    case KANE_CALL_RAIL: return 2 + model->frame_count + 4 * index + side;
    case KANE_CALL_CONTACT: return 2 + model->frame_count + 4 * index + 2 + side;
    default: return 2 + model->frame_count + 4 * model->wheels_count + index;
    }
}

#endif
