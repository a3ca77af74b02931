// SPDX-License-Identifier: MIT
// Going through a simulation row by row.

#ifndef KANE_RUN_ROWS_H
#define KANE_RUN_ROWS_H

#include <kane/simulate.h>

// Calls `row` at the present time, at multiples of `every` [s], and where the simulation ends, until it ends or `row` does
// not return KANE_OK. Returns what the simulation or `row` said.
kane_status kane_rows_go(kane_simulation *simulation, double every, kane_status (*row)(void *data), void *data,
                         kane_errors *errors);

#endif
