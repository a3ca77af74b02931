// SPDX-License-Identifier: MIT
// Independent pieces of work on several threads.

#ifndef KANE_PLAN_POOL_H
#define KANE_PLAN_POOL_H

// Calls work(i, data) once for every i of 0 .. count - 1, on `threads` threads (0: one for each processor) in any
// order, and returns when all are done.
void kane_pool_run(int threads, int count, void (*work)(int index, void *data), void *data);

#endif
