// SPDX-License-Identifier: MIT
// What both studies of transitions ask for: a run, what changes it, criteria.

#ifndef KANE_APPS_TRANSITION_OPTIONS_H
#define KANE_APPS_TRANSITION_OPTIONS_H

#include "plan_options.h"

typedef struct transition_options {
    const char *file;
    app_texts settings, omissions, criteria;
} transition_options;

// Options -c, -s, -x and the run file, as a child of a study's own argp; its input is a transition_options.
extern const struct argp transition_options_argp;

// A whole number of an option from least to most; ends the program with a message if it is none.
int transition_take_count(const char *text, int least, int most, const char *what, struct argp_state *state);

// Prints a text file of the study's directory on standard output.
void transition_print(const char *directory, const char *name);

#endif
