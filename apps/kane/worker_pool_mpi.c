// SPDX-License-Identifier: MIT
// Cases go from rank 0 to the workers of all ranks, its own ones among them, and what becomes of them comes back. The
// only file that calls MPI.

#define _DEFAULT_SOURCE // on_exit

#include "launch.h"

#include "base/machine.h"
#include "plan/plan.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum {
    GIVE,
    LEAVE,
    END
}; // tags: a case for a worker, and the end of the job, from rank 0; what became of a case, to it
enum { SAID = 1024 };

// Time between two looks for messages [s]: it doubles while nothing happens. Workers have a case ahead meanwhile.
static const double SHORTEST = 1e-3, LONGEST = 8e-3;

// What each rank is, as all ranks know when they have met.
typedef struct standing {
    int is_ready; // 0: it has failed before there was anything to do
    int workers, shard;
    uint64_t key; // of the plan
} standing;

typedef struct mpi_worker_pool {
    kane_worker_pool worker_pool; // workers: rank 0's, rank 1's, ...
    app_launch launch;
    kane_worker_pool *local; // workers of this rank
    int each, shard;
    int has_met, is_open; // were the ranks brought together, and has MPI been begun?
    int is_at_work;       // all are ready; others listen until rank 0 dismisses them
    int is_dismissed;
    double pause; // until the next look for messages [s]
    int value_count;
    // Reports that are on their way, each with what became of its case: more than there may be cases, so that none is
    // waited for; rank 0 receives into the first.
    int slots, slot;
    char *messages;        // [slots]
    MPI_Request *requests; // [slots]
} mpi_worker_pool;

static size_t message_size(const mpi_worker_pool *m)
{
    return sizeof(kane_worker_pool_report) + kane_result_size(m->value_count);
}

// --- meeting ---

static int say(const standing *all, int rank, kane_errors *errors)
{
    static const char same[] =
        "is not the same for all ranks: all ranks of one MPI job do one shard with as many workers each";
    const standing *first = &all[0], *own = &all[rank];
    if (!own->is_ready)
        kane_errors_add(errors, KANE_BAD_INPUT, "rank %d has failed, so that no case was carried out", rank);
    else if (own->workers != first->workers)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "--workers %s", same);
    else if (own->shard != first->shard)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "--shard %s", same);
    else if (own->key != first->key)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "rank %d has another request than rank 0, or sees other files: all ranks need the same command "
                        "and the same files",
                        rank);
    else
        return 1;
    return 0;
}

// One of those that fail in the same way speaks, rank 0; what only another rank finds, that one says.
static void speak(const mpi_worker_pool *m, const standing *all)
{
    char said[SAID];
    if (m->launch.rank == 0 || !all[0].is_ready || all[m->launch.rank].is_ready)
        return;
    app_hush_end(sizeof said, said);
    (void)fprintf(stderr, "rank %d: %s\n", m->launch.rank, said);
}

static kane_status begin_mpi(mpi_worker_pool *m, kane_errors *errors)
{
    int count = 0;
    (void)MPI_Init(NULL, NULL);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (count == m->launch.ranks) {
        m->is_open = 1;
        return KANE_OK;
    }
    kane_errors_add(
        errors, KANE_BAD_ARGUMENT,
        "%s has started %d ranks, and MPI finds %d: this program was built with another MPI than the one that "
        "started it",
        m->launch.launcher, m->launch.ranks, count);
    (void)MPI_Finalize();
    return KANE_BAD_ARGUMENT;
}

// All ranks come here once: with work to do, or because they have failed. Rank 0 says why they cannot work together.
static kane_status meet(mpi_worker_pool *m, int is_ready, kane_errors *errors)
{
    const standing own = {is_ready, m->each, m->shard, m->worker_pool.key};
    standing *all      = calloc((size_t)m->launch.ranks, sizeof *all);
    kane_status status = all ? begin_mpi(m, errors) : KANE_NO_MEMORY;
    m->has_met         = 1;
    if (status == KANE_OK) {
        (void)MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
        m->is_at_work = 1;
        for (int rank = 0; rank < m->launch.ranks && m->is_at_work; rank++)
            m->is_at_work = say(all, rank, errors);
        speak(m, all);
        status = m->is_at_work ? KANE_OK : kane_errors_status(errors, 0);
    }
    free(all);
    return status;
}

static kane_status begin(kane_worker_pool *worker_pool, kane_case_work work, void *data, int value_count,
                         kane_errors *errors)
{
    mpi_worker_pool *m = worker_pool->self;
    kane_status status = m->local->begin(m->local, work, data, value_count, errors);
    m->value_count     = value_count;
    m->pause           = SHORTEST;
    m->slots           = (1 + KANE_WORKER_POOL_AHEAD) * m->each + 1;
    m->messages        = calloc((size_t)m->slots, message_size(m));
    m->requests        = calloc((size_t)m->slots, sizeof *m->requests);
    for (int i = 0; m->requests && i < m->slots; i++)
        m->requests[i] = MPI_REQUEST_NULL;
    if (status == KANE_OK && (!m->messages || !m->requests)) {
        (void)kane_no_memory(errors);
        status = KANE_NO_MEMORY;
    }
    return status == KANE_OK ? meet(m, 1, errors) : status;
}

// --- rank 0 ---

static kane_status give(kane_worker_pool *worker_pool, int worker, int index, kane_errors *errors)
{
    mpi_worker_pool *m  = worker_pool->self;
    const int message[] = {worker % m->each, index};
    if (worker < m->each)
        return m->local->give(m->local, worker, index, errors);
    (void)MPI_Send(message, 2, MPI_INT, worker / m->each, GIVE, MPI_COMM_WORLD);
    return KANE_OK;
}

// Takes the end of a case that has come from another rank, if one has.
static int hear(mpi_worker_pool *m, kane_worker_pool_report *report, kane_case *result)
{
    int is_there = 0;
    MPI_Status from;
    (void)MPI_Iprobe(MPI_ANY_SOURCE, END, MPI_COMM_WORLD, &is_there, &from);
    if (!is_there)
        return 0;
    (void)MPI_Recv(m->messages, (int)message_size(m), MPI_BYTE, from.MPI_SOURCE, END, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    memcpy(report, m->messages, sizeof *report);
    report->worker += from.MPI_SOURCE * m->each;
    kane_result_decode(m->messages + sizeof *report, m->value_count, result);
    return 1;
}

static kane_status wait_for(kane_worker_pool *worker_pool, double seconds, kane_worker_pool_report *report,
                            kane_case *result, kane_errors *errors)
{
    mpi_worker_pool *m = worker_pool->self;
    const double begun = kane_clock();
    kane_status status = KANE_OK;
    *report            = (kane_worker_pool_report){.event = KANE_WORKER_POOL_NOTHING};
    m->pause           = SHORTEST;
    while (!hear(m, report, result)) {
        status   = m->local->wait(m->local, m->pause, report, result, errors);
        m->pause = fmin(2.0 * m->pause, LONGEST);
        if (status != KANE_OK || report->event != KANE_WORKER_POOL_NOTHING || kane_clock() - begun >= seconds)
            break;
    }
    return status;
}

static void end(kane_worker_pool *worker_pool)
{
    mpi_worker_pool *m = worker_pool->self;
    m->local->end(m->local);
}

// --- other ranks ---

static void tell(mpi_worker_pool *m, const kane_worker_pool_report *report, const kane_case *result)
{
    char *message = m->messages + (size_t)m->slot * message_size(m);
    (void)MPI_Wait(&m->requests[m->slot], MPI_STATUS_IGNORE); // rank 0 has it, or there would be no case
    memcpy(message, report, sizeof *report);
    kane_result_encode(result, m->value_count, message + sizeof *report);
    (void)MPI_Isend(message, (int)message_size(m), MPI_BYTE, 0, END, MPI_COMM_WORLD, &m->requests[m->slot]);
    m->slot = (m->slot + 1) % m->slots;
}

// Takes what rank 0 says; *is_over: that was all.
static kane_status obey(mpi_worker_pool *m, int *is_over, kane_errors *errors)
{
    kane_status status = KANE_OK;
    int is_there       = 1;
    while (status == KANE_OK && !*is_over) {
        int message[2];
        MPI_Status is;
        (void)MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &is);
        if (!is_there)
            break;
        (void)MPI_Recv(message, 2, MPI_INT, 0, is.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        m->pause = SHORTEST;
        *is_over = is.MPI_TAG == LEAVE;
        if (!*is_over)
            status = m->local->give(m->local, message[0], message[1], errors);
    }
    return status;
}

static kane_status serve(kane_worker_pool *worker_pool, kane_case_work work, void *data, int value_count,
                         kane_errors *errors)
{
    mpi_worker_pool *m = worker_pool->self;
    kane_errors known  = {.limit = 1}; // rank 0 says the same
    kane_case result   = {.values = calloc((size_t)value_count + 1, sizeof(double))};
    int is_over        = !result.values || begin(worker_pool, work, data, value_count, &known) != KANE_OK;
    kane_status status = result.values ? KANE_OK : KANE_NO_MEMORY;
    char said[SAID];
    if (!is_over)
        app_hush_end(sizeof said, said);
    while (status == KANE_OK && !is_over) {
        kane_worker_pool_report report = {.event = KANE_WORKER_POOL_NOTHING};
        status                         = obey(m, &is_over, errors);
        if (status == KANE_OK && !is_over)
            status = m->local->wait(m->local, m->pause, &report, &result, errors);
        m->pause = report.event == KANE_WORKER_POOL_NOTHING ? fmin(2.0 * m->pause, LONGEST) : SHORTEST;
        if (report.event != KANE_WORKER_POOL_NOTHING)
            tell(m, &report, &result);
    }
    m->local->end(m->local);
    m->is_dismissed = m->is_at_work && is_over;
    free(result.values);
    return status;
}

// --- the end of the program ---

// Rank 0 has drawn its pictures or has failed: the others may go, who take leave behind what they still had to say.
static void dismiss_all(const mpi_worker_pool *m)
{
    for (int rank = 1; rank < m->launch.ranks; rank++)
        (void)MPI_Send(NULL, 0, MPI_INT, rank, LEAVE, MPI_COMM_WORLD);
    for (int left = 1; left < m->launch.ranks;) {
        MPI_Status from;
        (void)MPI_Recv(m->messages, (int)message_size(m), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &from);
        left += from.MPI_TAG == LEAVE;
    }
}

// All ranks come to the end by way of here, however early, so that none waits for one that has gone. Not so the
// workers, which are copies of this process.
static void leave(int code, void *worker_pool)
{
    mpi_worker_pool *m = worker_pool;
    kane_errors errors = {.limit = 1};
    (void)fflush(NULL);
    if (!m->has_met)
        (void)meet(m, 0, &errors);
    if (!m->is_open)
        return;
    if (m->is_at_work && m->launch.rank == 0) {
        dismiss_all(m);
    } else if (m->is_dismissed) {
        (void)MPI_Send(NULL, 0, MPI_BYTE, 0, LEAVE, MPI_COMM_WORLD);
        (void)MPI_Waitall(m->slots, m->requests, MPI_STATUSES_IGNORE);
    } else if (m->is_at_work) { // it cannot go on, and rank 0 waits for its cases
        (void)MPI_Abort(MPI_COMM_WORLD, code);
    }
    (void)MPI_Finalize();
}

kane_worker_pool *app_worker_pool_mpi(const app_launch *launch, int workers, int shard, kane_errors *errors)
{
    static mpi_worker_pool m;
    m = (mpi_worker_pool){
        .launch = *launch, .each = workers, .shard = shard, .local = kane_worker_pool_fork_create(workers)};
    m.worker_pool = (kane_worker_pool){.self        = &m,
                                       .size        = workers * launch->ranks,
                                       .is_follower = launch->rank > 0,
                                       .begin       = begin,
                                       .give        = give,
                                       .wait        = wait_for,
                                       .end         = end,
                                       .serve       = serve};
    if (m.local && on_exit(leave, &m) == 0)
        return &m.worker_pool;
    (void)kane_no_memory(errors);
    return NULL;
}
