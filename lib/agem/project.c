// SPDX-License-Identifier: MIT
// What an integrator has to do between steps, besides integrating.

#include "agem/guided.h"
#include "agem/joined.h"

kane_status kane_project(const kane_model *model, kane_work *work, double t, double *y)
{
    const kane_status status = kane_guided_project(model, work, t, y);
    return status == KANE_OK ? kane_joined_project(model, work, t, y) : status;
}

int kane_choose(const kane_model *model, kane_work *work, double t, double *y)
{
    return kane_joined_is_poor(model, work) && kane_joined_choose(model, work, t, y);
}
