// SPDX-License-Identifier: MIT
// Paths of parameters as they are typed behind --set and --over: short names, and parts of files without saying which.

#ifndef KANE_RUN_PARAMETER_H
#define KANE_RUN_PARAMETER_H

#include <kane/run.h>

#include <stddef.h>

// A short name and the path of the run file that it stands for.
typedef struct kane_parameter {
    const char *name, *path;
    const char *unit; // of its numbers; "" if it has none
} kane_parameter;

// By its short name or by its path; NULL: any other path.
const kane_parameter *kane_parameter_find(const char *name);

// A setting "PATH=VALUE" with the whole path as the run file and its parts know it; its length as snprintf says. What begins
// with a key of the run file is a path of the run file; else a short name is what it stands for; else what begins with a
// key that only a vehicle, train or mechanism file (or only a track file) has gets `vehicle`, which is "vehicle." or
// "mechanism." ("track."), before it. Anything else stays as it is.
int kane_parameter_setting(const char *setting, const char *vehicle, size_t size, char *text);

// The number that a path leads to, as a setting of it would change it, in SI units: in the run file, the vehicle, the train or the
// mechanism. `typed`: what messages give as its place. 0 with an error where there is none.
int kane_run_number(const kane_run *run, const char *path, const char *typed, double *value, kane_errors *errors);

// Whether two settings, or paths, set the same.
int kane_parameter_is_same(const char *a, const char *b);

#endif
