// SPDX-License-Identifier: MIT
// Critical speeds and limit cycles over parameters: of the run, and of the place and the search themselves.

#ifndef KANE_APPS_CRITICAL_MAP_H
#define KANE_APPS_CRITICAL_MAP_H

#include <kane/critical.h>

#include "analysis.h"
#include "launch.h"

// What each case begins with.
typedef struct critical_map {
    kane_critical_study study;
    const app_analysis_choice *choice; // radius and cant as they were typed
    double radius, cant;               // their values [m]
} critical_map;

// through: cycles that are carried along the run's line instead of critical speeds.
exit_code critical_map_carry_out(critical_map *map, int through, const sweep_options *sweep, plan_options *plan,
                                 kane_errors *errors);

#endif
