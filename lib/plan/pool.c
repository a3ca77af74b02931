// SPDX-License-Identifier: MIT
// Independent pieces of work on several threads: each takes the next one until none is left.

#include "plan/pool.h"

#include "base/arena.h"

#include <unistd.h>

typedef struct pool {
    kane_lock lock;
    int next, count;
    void (*work)(int index, void *data);
    void *data;
} pool;

static int next_index(pool *p)
{
    kane_lock_take(&p->lock);
    const int index = p->next < p->count ? p->next++ : -1;
    kane_lock_give(&p->lock);
    return index;
}

static void *run_worker(void *argument)
{
    pool *p = argument;
    for (int index = next_index(p); index >= 0; index = next_index(p))
        p->work(index, p->data);
    return NULL;
}

void kane_pool_run(int threads, int count, void (*work)(int index, void *data), void *data)
{
    pool p             = {.count = count, .work = work, .data = data};
    const long present = sysconf(_SC_NPROCESSORS_ONLN);
    const int wanted   = threads > 0 ? threads : present > 0 ? (int)present : 1;
    const int helpers  = (wanted < count ? wanted : count) - 1; // this thread works too
    pthread_t *helper  = kane_allocate(helpers > 0 ? (size_t)helpers : 1, sizeof *helper);
    int started        = 0;

    kane_lock_init(&p.lock);
    while (helper && started < helpers && pthread_create(&helper[started], NULL, run_worker, &p) == 0)
        started++;
    (void)run_worker(&p);
    for (int i = 0; i < started; i++)
        (void)pthread_join(helper[i], NULL);
    kane_lock_end(&p.lock);
    kane_release(helper);
}
