// SPDX-License-Identifier: MIT
// plan.json as it is read.

#ifndef KANE_PLAN_PLAN_FILE_H
#define KANE_PLAN_PLAN_FILE_H

#include "base/node.h"

// The tree of a plan.json that has all that every plan has; NULL with an error.
kane_node *kane_plan_file_read(kane_arena *arena, const char *name, kane_errors *errors);

#endif
