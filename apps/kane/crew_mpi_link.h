// SPDX-License-Identifier: MIT
// Messages between rank 0 and the other ranks: small, so that sending never waits for the receiver, and receiving never
// for a sender that may have died.

#ifndef KANE_APPS_CREW_MPI_LINK_H
#define KANE_APPS_CREW_MPI_LINK_H

#include "launch.h"

typedef enum link_kind {
    LINK_BEAT, // "I am there"
    // to a rank
    LINK_GIVE, // case `index` to its worker `worker`
    LINK_END,  // of a plan
    LINK_HOME, // rank 0 is about to exit
    // to rank 0
    LINK_VALUES, // `count` values of a case, from `first` on
    LINK_ANSWER, // ... and what else is known of it: `what` is its state, `why` its reason
    LINK_LOSS,   // a worker was lost with its case, `what`: 1 if it is replaced
    LINK_LEFT    // this rank is about to exit
} link_kind;

enum { LINK_VALUES_MOST = 16 };

typedef struct link_message {
    link_kind kind;
    int plan;     // 1, 2, ...: messages of an earlier one are none
    uint64_t key; // of rank 0's plan
    int worker, index, what;
    int first, count;
    union {
        double values[LINK_VALUES_MOST]; // few, so that all studies have several messages and none is a rare thing
        char why[KANE_CASE_WHY];
    } u;
} link_message;

enum { LINK_OPTIONS = 2 };

// Begins with MPI if that was not done before: waits for all ranks. An error if an option has not the same value for all
// of them.
kane_status link_open(const app_launch *launch, const char *const options[LINK_OPTIONS], const int values[LINK_OPTIONS],
                      kane_errors *errors);
int link_is_open(void);

// Takes the next message, if there is one.
int link_receive(link_message *message, int *from);

// Sends a message. 0 if the other side has taken none for some time.
int link_send(int to, const link_message *message);

// Ends with MPI; waits for all ranks, but not for ever: then the program ends with `code`. If some are lost (they might
// only be asleep) all ranks are ended instead.
void link_close(int code, int are_some_lost);

// Pauses between looking for messages: *pause begins at 0 and grows each time, up to a millisecond [s]. The second one
// sleeps for it.
void link_lengthen(double *pause);
void link_nap(double *pause);

#endif
