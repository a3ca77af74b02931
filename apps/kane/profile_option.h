// SPDX-License-Identifier: MIT
// Profiles of wheels and rails as options give them.

#ifndef KANE_APPS_PROFILE_OPTION_H
#define KANE_APPS_PROFILE_OPTION_H

#include "base/arena.h"

#include <kane/profile.h>

// A profile that was typed behind an option: a known name ("S1002", "60E1"), or keys of a file's "profiles" with their
// values, cone=1:40 or file=worn.txt,unit=mm,lateral=outside,vertical=up; of a file whose name has a '.' or a '/' the
// "file=" may be left out. Names of files are relative to the directory of work. NULL with errors.
const kane_profile *app_profile_take(kane_arena *arena, const char *option, const char *text, kane_profile_kind kind,
                                     kane_errors *errors);

#endif
