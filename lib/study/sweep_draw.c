// SPDX-License-Identifier: MIT
// Pictures of a sweep.
#include "study/sweep.h"
kane_status kane_sweep_draw(const kane_sweep_study *s, kane_errors *errors)
{
    (void)s;
    (void)errors;
    return KANE_OK;
}
