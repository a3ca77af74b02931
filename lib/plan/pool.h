// SPDX-License-Identifier: MIT
// Independent pieces of work on several threads, and what only one of them at a time may touch.

#ifndef KANE_PLAN_POOL_H
#define KANE_PLAN_POOL_H

#include <pthread.h>

typedef struct kane_lock {
    pthread_mutex_t mutex;
} kane_lock;

static inline void kane_lock_init(kane_lock *lock)
{
    (void)pthread_mutex_init(&lock->mutex, NULL);
}

static inline void kane_lock_take(kane_lock *lock)
{
    (void)pthread_mutex_lock(&lock->mutex);
}

static inline void kane_lock_give(kane_lock *lock)
{
    (void)pthread_mutex_unlock(&lock->mutex);
}

static inline void kane_lock_end(kane_lock *lock)
{
    (void)pthread_mutex_destroy(&lock->mutex);
}

// Calls work(i, data) once for every i of 0 .. count - 1, on `threads` threads (0: one for each processor) in any
// order, and returns when all are done.
void kane_pool_run(int threads, int count, void (*work)(int index, void *data), void *data);

#endif
