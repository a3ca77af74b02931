// SPDX-License-Identifier: MIT
// Has an oscillation become periodic, has it died, or neither? Judged stretch by stretch.

#ifndef KANE_STABILITY_SETTLING_H
#define KANE_STABILITY_SETTLING_H

#include "stability/oscillation.h"

#include <kane/critical.h>

enum { KANE_SETTLING_STRETCHES = 3 }; // that are compared

// What has been seen of the oscillations of several coordinates: the last stretches, the latest first.
typedef struct kane_settling {
    int coordinates; // that are judged
    int watched;     // these and further ones, which only must not move when the others have died
    int stretches;   // so far
    kane_oscillation *stretch[KANE_SETTLING_STRETCHES]; // [watched]
} kane_settling;

// Forgets everything.
void kane_settling_start(kane_settling *settling);

// Where to measure the next stretch, [watched]; it then is the latest.
kane_oscillation *kane_settling_next(kane_settling *settling);

// What the stretches so far say; KANE_MOTION_OPEN: nothing yet.
//   died     everything that is watched swings by less than `quiet`, and by less than in the stretch before
//   settled  of every coordinate that takes part: stretches differ by less than `tolerance` of their amplitude, the cycles of
//            the latest one by less than five times that; and if changes go on as they do, each by a constant factor of the
//            one before, all of them together come to less than `tolerance`
kane_motion kane_settling_judge(const kane_settling *settling, const kane_critical_rules *rules);

// GROWING or DECAYING if the largest oscillation has done so twice, by more than a hundredth of `tolerance`, or if that is not known
// yet: there is something to wait for. Else OPEN.
kane_motion kane_settling_drift(const kane_settling *settling, double tolerance);

// The coordinate that swings most in the latest stretch.
int kane_settling_largest(const kane_settling *settling);

// Least and largest amplitude of the cycles of one coordinate in the stretches that are kept.
void kane_settling_range(const kane_settling *settling, int coordinate, double *least, double *most);

#endif
