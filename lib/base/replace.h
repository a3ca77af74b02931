// SPDX-License-Identifier: MIT
// Files that are replaced in one step: who reads them sees the old content or the new one, never half of it.

#ifndef KANE_BASE_REPLACE_H
#define KANE_BASE_REPLACE_H

#include <kane/base.h>

#include <stdio.h>

typedef struct kane_replacement {
    FILE *file; // to write to
    char name[4096], fresh[4160];
} kane_replacement;

// Begins the new content beside the file, as NAME.PROCESS-NUMBER.new, and removes what killed processes have left of the kind.
// KANE_NO_FILE with an error if it cannot be written. Signals that end the process leave the new file: a program that catches them
// can remove it (its name has the number of the process).
kane_status kane_replacement_open(kane_replacement *r, const char *name, kane_errors *errors);

// Puts it in the place of the file, on the disk too. If not all could be written (a full disk), the file stays what it was.
kane_status kane_replacement_close(kane_replacement *r, kane_errors *errors);

// The same, but a file that is there already stays: KANE_RETRY, without an error.
kane_status kane_replacement_close_first(kane_replacement *r, kane_errors *errors);

// Gives up: the file stays what it was.
void kane_replacement_drop(kane_replacement *r);

// Which process made a new file, by its name BASE.PROCESS-NUMBER.new, and how long BASE is; 0 for any other name. Safe in a handler of
// signals.
long kane_replacement_process(const char *name, size_t *base);

// Removes from a directory all new files that killed processes have left. Returns how many.
int kane_replacements_clean(const char *directory);

// Puts a file that has been written by other means, and is closed, in the place of another one, on the disk too. 0, or errno.
int kane_replace_by(const char *fresh, const char *name);

#endif
