// SPDX-License-Identifier: MIT
// Going through a simulation row by row.

#include "run/rows.h"

#include <math.h>

kane_status kane_rows_go(kane_simulation *simulation, double every, kane_status (*row)(void *data), void *data,
                         kane_errors *errors)
{
    kane_status status = row(data);
    long i             = (long)floor(kane_simulation_time(simulation) / every); // of a state that it goes on from
    while ((double)i * every <= kane_simulation_time(simulation))
        i++;
    for (; status == KANE_OK && kane_simulation_stop(simulation) == KANE_STOP_NONE; i++) {
        const double before     = kane_simulation_time(simulation);
        status                  = kane_simulation_advance(simulation, (double)i * every, errors);
        const kane_status wrote = kane_simulation_time(simulation) > before ? row(data) : KANE_OK;
        if (status == KANE_OK)
            status = wrote;
    }
    return status;
}
