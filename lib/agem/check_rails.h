// SPDX-License-Identifier: MIT
// What check rails do to the backs of flanges, with slopes in any directions.

#ifndef KANE_AGEM_CHECK_RAILS_H
#define KANE_AGEM_CHECK_RAILS_H

#include "agem/wheels.h"
#include "contact/gap_places.h"

// Of a wheel that kane_check_rail_eval has evaluated: force and torque about its centre, rail axes.
//   motion   as the rail sees it, its values those of w->motion[side]
//   s        where the rail is, w->s_at[side] [m]
void kane_check_rail_follow(const kane_model *model, const kane_wheels *wheels, kane_side side,
                            const kane_wheels_state *w, const motion_scalars *motion, kane_scalar s,
                            kane_scalar3 on_wheel[2]);

#endif
