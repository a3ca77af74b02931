// SPDX-License-Identifier: MIT
// A vehicle set aside.

#ifndef KANE_STUDY_SHIFT_H
#define KANE_STUDY_SHIFT_H

#include <kane/agem.h>

// Moves the whole vehicle of a state by `shift` [m] to the left; each wheelset takes the height and the roll that it has there
// on rigid rails over those where it was. KANE_BAD_INPUT with an error where it does not stand so far aside.
kane_status kane_shift_vehicle(const kane_model *model, kane_work *work, double shift, double *y, kane_errors *errors);

#endif
