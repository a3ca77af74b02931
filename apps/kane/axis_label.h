// SPDX-License-Identifier: MIT
// What the axis of several channels is called.

#ifndef KANE_APPS_AXIS_LABEL_H
#define KANE_APPS_AXIS_LABEL_H

#include <stddef.h>

// What two names end in: "left.Q" of "a.left.Q" and "b.left.Q"; "" if their last parts differ. Points into `a`.
const char *app_common_end(const char *a, const char *b);

// "Q [N]" of channels whose names have the end in common; "force [N]" if that is "".
void app_axis_label(const char *common, const char *unit, size_t size, char *label);

#endif
