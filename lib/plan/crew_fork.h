// SPDX-License-Identifier: MIT
// The plan's own crew: processes of this machine.

#ifndef KANE_PLAN_CREW_FORK_H
#define KANE_PLAN_CREW_FORK_H

#include <kane/plan.h>

// A crew of that many processes; NULL without memory. They are made by fork() when they get their first case and see the
// memory as it was then. To be freed with kane_crew_fork_free.
kane_crew *kane_crew_fork_create(int workers);
void kane_crew_fork_free(kane_crew *crew);

// What became of a case as bytes, so that it can be sent: state, values, reason.
size_t kane_answer_size(int value_count);
void kane_answer_pack(const kane_case *result, int value_count, char *bytes);
void kane_answer_unpack(const char *bytes, int value_count, kane_case *result);

// Processors that this process may use, at least 1.
int kane_processors(void);

#endif
