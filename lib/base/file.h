// SPDX-License-Identifier: MIT
// Reading a whole file.

#ifndef KANE_BASE_FILE_H
#define KANE_BASE_FILE_H

#include <kane/base.h>

// The bytes of a file with a 0 behind them, to be freed by kane_release. An error stands at `place`, which may be in
// another file, where this one was named. KANE_NO_FILE, KANE_NO_MEMORY.
kane_status kane_file_read(const char *name, kane_place place, char **text, size_t *length, kane_errors *errors);

#endif
