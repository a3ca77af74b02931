// SPDX-License-Identifier: MIT
// How bodies hang together: joints, coordinates, equations.

#ifndef KANE_APPS_CHECK_TOPOLOGY_H
#define KANE_APPS_CHECK_TOPOLOGY_H

#include <kane/kane.h>

// Prints the counts to standard output; nothing where no joint and no constraint holds bodies.
void kane_check_topology(const kane_run_definition *run, const kane_model *model);

#endif
