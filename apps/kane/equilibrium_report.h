// SPDX-License-Identifier: MIT
// What there is to tell of a vehicle in equilibrium: as a table, or as JSON with all digits.

#ifndef KANE_APPS_EQUILIBRIUM_REPORT_H
#define KANE_APPS_EQUILIBRIUM_REPORT_H

#include "analysis.h"

// 0 with errors.
int equilibrium_print(const app_analysis *analysis, kane_steady *steady, kane_errors *errors);
int equilibrium_print_json(const app_analysis *analysis, kane_steady *steady, kane_errors *errors);

#endif
