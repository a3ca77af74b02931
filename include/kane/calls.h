// SPDX-License-Identifier: MIT
// Parts of an evaluation that branch on their data, as functions of numbers alone: what recorded equations call
// (docs/equations.md, "kane export equations").

#ifndef KANE_CALLS_H
#define KANE_CALLS_H

#include <kane/base.h>
#include <kane/agem.h>

KANE_C_BEGIN

typedef enum kane_call_kind {
    // t [s], s [m] -> s [m], v [m/s], a [m/s^2] of the frames, as the drive prescribes; s is read where it is a state
    KANE_CALL_TRAVEL,
    // s, y [m] -> kane_track_surface [6]
    KANE_CALL_ROAD,
    // s [m] -> kane_track_frame: R by columns [9], origin, Omega, Omega_s [3 each], twist_ss; the start point of its
    // piece against that of frame 0 (KANE_MOVING) or in A (KANE_FIXED), and in A [3 each]
    KANE_CALL_LINE,
    // s [m] -> kane_rail_offset [8]
    KANE_CALL_RAIL,
    // centre, axle, velocity, omega, turn of a kane_wheel_motion [3 each], s [m] -> force, torque on the wheel about
    // its centre, rail axes [3 each]; friction and profile of the rail are those at s
    KANE_CALL_CONTACT,
    // of guided wheels: centre, axle of a kane_wheel_path, each with rate and acceleration [9 each], s [m], its rate
    // and acceleration -> kane_gap: size, rate, accel, direction, twist, along, point, normal, A, B, radius, wheel_y,
    // rail_y [21]
    KANE_CALL_GAP,
    // point, normal, along, A, B, radius, wheel_y, rail_y of a kane_gap [12], motion and s as KANE_CALL_CONTACT [16],
    // N [N] -> T_x, T_y, M_z, T_n of the tangential forces, side axes, and their derivatives by N [4 each]
    KANE_CALL_CREEP,
    // motion and s as KANE_CALL_CONTACT [16], metres of the rail per metre of line -> force, torque of the check rail
    // on the wheel about its centre, rail axes [3 each]
    KANE_CALL_CHECK_RAIL,
    // lateral shift [m], yaw [rad] -> height, roll and what they gain by twist, as kane_wheelset_function [6 each];
    // point, normal, A, B, radius, wheel_y, rail_y of the left, of the right contact point [11 each]
    KANE_CALL_TABLE,
    // d, v, phi, w, d0 of a kane_relative [3 each], t [s], states of the law, its inputs -> force, torque on b as the
    // law has them [3 each], rates of its states; of user-defined laws, or with more ways than can be recorded
    KANE_CALL_LAW,
    KANE_CALL_KINDS
} kane_call_kind;

enum { KANE_CALL_INPUTS = 29, KANE_CALL_OUTPUTS = 46 }; // at most

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

// Calls from kane_model_call_count on are the derivatives of the first ones, d(out)/d(in) by rows [outputs * inputs].
// They are exact but for what is known by value alone, which is differenced: the line's Omega'', speeds prescribed by
// time, static positions and inputs of laws, user-defined laws without slopes.
enum { KANE_CALL_DERIVATIVES = 464 }; // at most

// in [inputs] -> out [outputs] of a call. caller: a kane_caller; untyped, so that recorded equations need not know
// libkane. Returns 1, or 0 where a wheel is far from any place on the rail, where a law fails, or for a call that there
// is none of.
KANE_API int kane_call(void *caller, int call, const double *in, double *out);

KANE_C_END

#endif
