// SPDX-License-Identifier: MIT
// What the rooms above need of profiles besides kane/profile.h.

#ifndef KANE_PROFILE_PROFILE_H
#define KANE_PROFILE_PROFILE_H

#include <kane/profile.h>

#include "base/arena.h"

// A copy that lives as long as the arena, points, name and place included. NULL without memory.
const kane_profile *kane_profile_copy(kane_arena *arena, const kane_profile *profile);

// kane_profile_read into an arena. NULL with errors (not NULL).
const kane_profile *kane_profile_load(kane_arena *arena, const char *file, const kane_profile_options *options,
                                      kane_errors *errors);

// From the back of the flange to the running circle [m].
double kane_profile_flange_to_circle(const kane_profile *profile);

// kane_profile_check with the words of who reads a file: `read_as` may be NULL.
kane_status kane_profile_inspect(const kane_profile *profile, kane_profile_kind kind,
                                 const kane_profile_options *read_as, kane_errors *errors);

// "a wheel", "a rail".
const char *kane_profile_noun(kane_profile_kind kind);

#endif
