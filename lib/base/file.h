// SPDX-License-Identifier: MIT
// Files and directories: reading, replacing in one step, locks.

#ifndef KANE_BASE_FILE_H
#define KANE_BASE_FILE_H

#include <kane/base.h>

#include "base/arena.h"

#include <stdio.h>

// === Files that a user names: their whole text, and names relative to another file.

// The text of a whole file, terminated; its length [bytes] if `length` is not NULL. Returns NULL with an error if the
// file cannot be read or memory is short.
char *kane_file_read(kane_arena *arena, const char *name, size_t *length, kane_errors *errors);

// What the place of a value that was typed on the command line begins with, in place of a file: that of its option.
#define KANE_FILE_TYPED "--"

// A file name written in another file: relative names are relative to that file; typed on the command line, to where
// the program runs. NULL without memory.
const char *kane_file_beside(kane_arena *arena, const char *file, const char *name);

// === Directories for results.

// Makes a directory and those above it; one that exists is fine.
kane_status kane_directory_make(const char *path, kane_errors *errors);

// === Files that are replaced in one step: a reader gets the old content or the new one, never half of it.

typedef struct kane_replacement {
    FILE *file; // to write to
    char name[4096], fresh[4160];
} kane_replacement;

// Begins the new content beside the file, as NAME.PROCESS-NUMBER.new, and removes what killed processes have left of
// the kind. KANE_NO_FILE with an error if it cannot be written. Signals that end the process leave the new file: a
// program that catches them can remove it (its name has the number of the process).
kane_status kane_replacement_open(kane_replacement *r, const char *name, kane_errors *errors);

// Puts it in the place of the file, on the disk too. If not all could be written (a full disk), the file stays what it
// was.
kane_status kane_replacement_close(kane_replacement *r, kane_errors *errors);

// The same, but a file that is there already stays: KANE_RETRY, without an error.
kane_status kane_replacement_close_first(kane_replacement *r, kane_errors *errors);

// Gives up: the file stays what it was.
void kane_replacement_drop(kane_replacement *r);

// Which process made a new file, by its name BASE.PROCESS-NUMBER.new, and how long BASE is; 0 for any other name. Safe
// in a handler of signals.
long kane_replacement_process(const char *name, size_t *base);

// Removes from a directory all new files that killed processes have left. Returns how many.
int kane_replacements_clean(const char *directory);

// Puts a file that has been written by other means, and is closed, in the place of another one, on the disk too. 0, or
// errno.
int kane_replace_by(const char *fresh, const char *name);

// === A cache: files of one folder that spare work, found by all that they were made from. Any of them may be removed
// at any time; nothing fails without them.

enum {
    KANE_CACHE_PATH    = 3900,      // buffer for names [bytes]
    KANE_CACHE_MOST    = 256000000, // of all files together [bytes]; beyond it those not used for the longest time go
    KANE_CACHE_ENTRIES = 1000
};

// The user's: $KANE_CACHE, else kane in $XDG_CACHE_HOME, else .cache/kane in $HOME. 0: none, also if KANE_CACHE is
// empty.
int kane_cache_folder(char folder[KANE_CACHE_PATH]);

// What was written under this key, if it is of this size and as it was written. 0: it is not; `out` may have changed.
int kane_cache_read(const char *folder, const void *key, size_t key_size, void *out, size_t size);

// In one step, so that readers and other writers get the whole of it or nothing. What cannot be written is not.
void kane_cache_write(const char *folder, const void *key, size_t key_size, const void *bytes, size_t size);

typedef struct kane_cache_entry {
    char name[40];
    size_t size; // [bytes]
    double used; // last [s since 1970]
} kane_cache_entry;

// The last used first. Returns how many there are.
int kane_cache_list(const char *folder, kane_cache_entry entries[KANE_CACHE_ENTRIES]);

// Removes those that were not used for the longest time until the rest has `most` bytes, and what writers that were
// killed have left. Returns how many of the former; *freed (or NULL): their bytes.
int kane_cache_limit(const char *folder, size_t most, size_t *freed);

// === Claims: a lock that gives one writer exclusive access to a file or directory. The system holds a claim, and it
// ends with the process, however that ends.

// A writer.
typedef struct kane_claimant {
    char when[32]; // since then; UTC, "2026-11-22T08:00:00Z"
    char host[64];
    long process;
} kane_claimant;

// This process, now.
kane_claimant kane_claimant_now(void);

// Time that `when` of a claimant says [s since 1970]; -1: none.
double kane_claim_time(const char *when);

// Adds the error that another process writes `name`; process 0: unknown. Returns KANE_IN_USE.
kane_status kane_claim_refuse(const char *name, const kane_claimant *by, kane_errors *errors);

// Whose a claim is.
typedef enum kane_claim_owner {
    // The process's alone: children that inherit the open file do not have it. A process does not exclude itself, and
    // loses the claim when it closes the file anywhere.
    KANE_CLAIM_OF_PROCESS,
    // The open file's: threads of a process exclude each other; children that inherit it have it too. Where the system
    // has no such claims (POSIX.1-2017), as above.
    KANE_CLAIM_OF_FILE
} kane_claim_owner;

// Claims a file that is open for writing. Returns 0, EAGAIN if another one has it, or another errno.
int kane_claim_take(int file, kane_claim_owner owner);

// 1 if another process has claimed an open file; *process: its number, 0 if unknown.
int kane_claim_is_taken(int file, long *process);

// A claimed directory. While claimed, and after a kill, it holds the file run.lock with the claim's owner.
typedef struct kane_claim {
    int file;
    char name[4160]; // of the file
} kane_claim;

// KANE_IN_USE with an error if another one has it, KANE_NO_FILE with an error if it cannot be claimed at all.
kane_status kane_claim_directory(kane_claim *claim, const char *directory, kane_errors *errors);

// The same, but waits while another one has it and goes on: until it ends or is killed, or until nothing in the
// directory has changed for `patience` [s] (a process that was stopped, a machine that is gone and whose file server
// does not know it): KANE_IN_USE with an error. *waited: 1 if another one had it.
kane_status kane_claim_directory_wait(kane_claim *claim, const char *directory, double patience, int *waited,
                                      kane_errors *errors);

// Reserves room on the disk for the final status, in the claimed file; kane_claim_free_room releases it for the
// next writer. 0, or errno.
int kane_claim_keep_room(const kane_claim *claim, size_t size);
void kane_claim_free_room(const kane_claim *claim);

// Gives the directory back.
void kane_claim_release(kane_claim *claim);

#endif
