// SPDX-License-Identifier: MIT
// What only one thread at a time may touch.

#ifndef KANE_PLAN_LOCK_H
#define KANE_PLAN_LOCK_H

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

#endif
