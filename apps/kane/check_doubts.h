// SPDX-License-Identifier: MIT
// Doubts about a run: what is allowed, but what a careful engineer would ask about.

#ifndef KANE_APPS_CHECK_DOUBTS_H
#define KANE_APPS_CHECK_DOUBTS_H

#include <kane/kane.h>

// Prints a line for each to standard output; nothing where there are none. errors: memory is short.
void kane_check_doubts(const kane_run_definition *run, const kane_model *model, kane_errors *errors);

// The same of a line alone.
void kane_check_line_doubts(const kane_track *track, const char *file);

// The same to standard error of what no vehicle can have and is allowed for comparison: inertias that are not checked, rails that
// hold wheels down.
void kane_check_impossible(const kane_run_definition *run);

#endif
