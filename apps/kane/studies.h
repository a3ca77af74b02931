// SPDX-License-Identifier: MIT
// The studies of the program.

#ifndef KANE_APPS_STUDIES_H
#define KANE_APPS_STUDIES_H

#include "app.h"

// Studies; each gets its own arguments, argv[0] is "kane study <name>".
int study_omit(int argc, char **argv);
int study_transitions(int argc, char **argv);
int study_optimise(int argc, char **argv);
int study_rods(int argc, char **argv);

#endif
