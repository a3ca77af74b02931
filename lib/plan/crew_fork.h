// SPDX-License-Identifier: MIT
// The plan's own crew: processes of this machine.

#ifndef KANE_PLAN_CREW_FORK_H
#define KANE_PLAN_CREW_FORK_H

#include <kane/plan.h>

// A crew of that many processes; NULL without memory. They are made by fork() when they get their first case and see the
// memory as it was then. To be freed with kane_crew_fork_free.
kane_crew *kane_crew_fork_create(int workers);
void kane_crew_fork_free(kane_crew *crew);

// Processors that this process may use, at least 1.
int kane_processors(void);

#endif
