// SPDX-License-Identifier: MIT
// Directories for results.

#ifndef KANE_BASE_DIRECTORY_H
#define KANE_BASE_DIRECTORY_H

#include <kane/base.h>

// Makes a directory and those above it; one that exists is fine.
kane_status kane_directory_make(const char *path, kane_errors *errors);

#endif
