// SPDX-License-Identifier: MIT
// Parts of an evaluation that branch on their data, as functions of numbers alone: what recorded equations call
// (docs/equations.md, "kane export equations").

#ifndef KANE_CALLS_H
#define KANE_CALLS_H

#include <kane/base.h>
#include <kane/agem.h>

KANE_C_BEGIN

typedef enum kane_call_kind {
    KANE_CALL_TRAVEL, // t [s], s [m] -> s [m], v [m/s], a [m/s^2] of the frames, as the drive prescribes; s is read where it is a state
    KANE_CALL_ROAD, // s, y [m] -> kane_track_surface [6]
    KANE_CALL_LINE, // s [m] -> kane_track_frame: R by columns [9], origin, Omega, Omega_s [3 each], twist_ss; the start point of its
                    // piece against that of frame 0 (KANE_MOVING) or in A (KANE_FIXED), and in A [3 each]
    KANE_CALL_RAIL, // s [m] -> kane_rail_offset [8]
    KANE_CALL_CONTACT, // centre, axle, velocity, omega, turn of a kane_wheel_motion [3 each], s [m] -> force, torque on the wheel about
                       // its centre, rail axes [3 each]; friction and profile of the rail are those at s
    KANE_CALL_LAW, // d, v, phi, w, d0 of a kane_relative [3 each], t [s], states of the law, its inputs -> force, torque on b as the
    // law has them [3 each], rates of its states; of laws with more ways than can be recorded, or of the user's own
    KANE_CALL_KINDS
} kane_call_kind;

enum { KANE_CALL_INPUTS = 16 + KANE_LAW_STATES + KANE_LAW_INPUTS, KANE_CALL_OUTPUTS = 25 }; // at most

typedef struct kane_call_info {
    kane_call_kind kind;
    int inputs, outputs; // numbers
    char name[96];       // "contact of 'leading', left"
} kane_call_info;

// Calls of a model count from 0; those that it has no use for (a mechanism: all) are counted, too.
KANE_API int kane_model_call_count(const kane_model *model);
KANE_API kane_call_info kane_model_call(const kane_model *model, int call);

// The caller: the pieces of the line and of the speed are those of the work (kane_work_locate).
typedef struct kane_caller {
    const kane_model *model;
    kane_work *work;
} kane_caller;

// in [inputs] -> out [outputs] of a call. caller: a kane_caller; untyped, so that recorded equations need not know
// libkane. Returns 1, or 0 where a wheel is far from any place on the rail, where a law fails, or for a call that there
// is none of.
KANE_API int kane_call(void *caller, int call, const double *in, double *out);

KANE_C_END

#endif
