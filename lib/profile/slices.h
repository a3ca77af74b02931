// SPDX-License-Identifier: MIT
// A rail whose profile changes, as CONTACT writes it: a file ".slcs" with the places of slices and their files.

#ifndef KANE_PROFILE_SLICES_H
#define KANE_PROFILE_SLICES_H

#include "profile/profile.h"

typedef struct kane_slice {
    double at; // along the rail [m]
    const kane_profile *profile;
    kane_place place; // of the slice's line
} kane_slice;

// The slices of a file in order, in the arena; `options` are those of their profiles and say where the file was named. NULL with
// errors (not NULL).
const kane_slice *kane_slices_load(kane_arena *arena, const char *file, const kane_profile_options *options, int *count,
                                   kane_errors *errors);

#endif
