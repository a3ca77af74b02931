// SPDX-License-Identifier: MIT
// Files as the system gives them: whole writes, and reasons in words.

#ifndef KANE_RESULTS_FILE_H
#define KANE_RESULTS_FILE_H

#include <kane/base.h>

// Creates a file or empties the one that exists, open for writing. -1 with an error "cannot be written: ...".
int kane_file_create(const char *file, kane_errors *errors);

// Writes all of it. 0, or errno.
int kane_file_write(int descriptor, size_t length, const char *bytes);

// The first bytes of a regular file, `most` of them or all, and a 0 behind them, to be released. KANE_NO_FILE or
// KANE_NO_MEMORY with an error "cannot be read: ...".
kane_status kane_file_load(const char *file, size_t most, char **bytes, size_t *length, kane_errors *errors);

// Removes from the directory of a run, which the caller has claimed, the new files that a killed run has left beside its own:
// "results.h5.new", "manifest.json.1234-5678.new". Returns how many.
int kane_file_remove_left(const char *directory);

// Takes room on the disk for `size` bytes from `from` on, where the file system can do that. 0, or errno.
int kane_file_reserve(int descriptor, size_t from, size_t size);

// Copies what is left of one open file to another. 0, or errno.
int kane_file_copy(int from, int to);

// Adds an error  file: what: reason  with the system's words for an errno. Returns its status.
kane_status kane_file_error(kane_errors *errors, const char *file, const char *what, int reason);

#endif
