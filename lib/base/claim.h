// SPDX-License-Identifier: MIT
// Claims: who writes a file or a directory has it for himself. The system holds a claim, and it ends with the process, however
// that ends.

#ifndef KANE_BASE_CLAIM_H
#define KANE_BASE_CLAIM_H

#include <kane/base.h>

// Who writes.
typedef struct kane_claimant {
    char when[32]; // since then; UTC, "2026-11-22T08:00:00Z"
    char host[64];
    long process;
} kane_claimant;

// This process, now.
kane_claimant kane_claimant_now(void);

// Adds the error that `name` is being written by another one. process 0: nobody knows who. Returns KANE_IN_USE.
kane_status kane_claim_refuse(const char *name, const kane_claimant *by, kane_errors *errors);

// Whose a claim is.
typedef enum kane_claim_owner {
    // The process's alone: children that inherit the open file do not have it. A process does not exclude itself, and loses the
    // claim when it closes the file anywhere.
    KANE_CLAIM_OF_PROCESS,
    // The open file's: threads of a process exclude each other; children that inherit it have it too. Where the system has no
    // such claims (POSIX.1-2017), as above.
    KANE_CLAIM_OF_FILE
} kane_claim_owner;

// Claims a file that is open for writing. Returns 0, EAGAIN if another one has it, or another errno.
int kane_claim_take(int file, kane_claim_owner owner);

// Whether another process has claimed an open file; *process: who, 0 if nobody knows.
int kane_claim_is_taken(int file, long *process);

// A claimed directory. It holds the file run.lock, which says who has it, as long as it is claimed, and after a kill.
typedef struct kane_claim {
    int file;
    char name[4160]; // of the file
} kane_claim;

// KANE_IN_USE with an error if another one has it, KANE_NO_FILE with an error if it cannot be claimed at all.
kane_status kane_claim_directory(kane_claim *claim, const char *directory, kane_errors *errors);

// The same, but waits while another one has it and goes on: until it ends or is killed, or until nothing in the directory has changed for
// `patience` [s] (a process that was stopped, a machine that is gone and whose file server does not know it): KANE_IN_USE with an error.
// *waited: 1 if another one had it.
kane_status kane_claim_directory_wait(kane_claim *claim, const char *directory, double patience, int *waited,
                                      kane_errors *errors);

// Keeps room on the disk for what is to be said at the end, in the claimed file; kane_claim_free_room gives it to whoever writes
// next. 0, or errno.
int kane_claim_keep_room(const kane_claim *claim, size_t size);
void kane_claim_free_room(const kane_claim *claim);

// Gives the directory back.
void kane_claim_release(kane_claim *claim);

#endif
