// SPDX-License-Identifier: MIT
// Rank 0: gives cases to the workers of all ranks, its own ones among them, and is told what becomes of them.

#define _DEFAULT_SOURCE // on_exit

#include "crew_mpi.h"

#include "app.h"
#include "base/clock.h"
#include "crew_mpi_parts.h"
#include "plan/crew_fork.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double LEAVING_MOST =
    10.0; // time that other ranks have to answer in the end, when nothing is at stake [s]

static int rank_of(const mpi_crew *m, int worker)
{
    return worker / m->each;
}

static void lose(mpi_crew *m, int rank, const char *why)
{
    mpi_peer *peer = &m->peers[rank];
    if (peer->is_lost)
        return;
    peer->is_lost = 1;
    m->is_bereft  = 1;
    (void)snprintf(peer->why, sizeof peer->why, "rank %d %s", rank, why);
    app_progress_end();
    (void)fprintf(stderr, "rank %d %s\n", rank, why);
}

static void tell(mpi_crew *m, int rank, link_message message)
{
    message.plan = m->plan;
    message.key  = m->crew.key;
    if (!m->peers[rank].is_lost && !link_send(rank, &message))
        lose(m, rank, "takes no messages any more");
}

static void tell_all(mpi_crew *m, link_kind kind)
{
    for (int rank = 1; rank < m->launch.ranks; rank++)
        tell(m, rank, (link_message){.kind = kind});
    m->spoken = kane_clock();
}

// --- beginning ---

kane_status mpi_crew_meet(mpi_crew *m, kane_errors *errors)
{
    static const char *const options[LINK_OPTIONS] = {"--workers", "--shard"};
    const int values[LINK_OPTIONS]                 = {m->each, m->shard};
    return link_open(&m->launch, options, values, errors);
}

static kane_status begin(kane_crew *crew, kane_case_work work, void *data, int value_count, kane_errors *errors)
{
    mpi_crew *m        = crew->self;
    kane_status status = m->local->begin(m->local, work, data, value_count, errors);
    if (status == KANE_OK)
        status = mpi_crew_meet(m, errors);
    if (status != KANE_OK)
        return status;
    m->value_count = value_count;
    m->plan++;
    for (int i = 0; i < crew->size; i++)
        m->running[i] = -1;
    for (int rank = 1; rank < m->launch.ranks; rank++) {
        double *values = realloc(m->peers[rank].values, ((size_t)value_count + 1) * sizeof(double));
        if (!values) {
            kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
            return KANE_NO_MEMORY;
        }
        m->peers[rank].values   = values;
        m->peers[rank].received = 0;
        m->peers[rank].heard    = kane_clock();
    }
    tell_all(m, LINK_BEAT);
    return KANE_OK;
}

// What is given to a lost rank is lost: `wait` says so.
static kane_status give(kane_crew *crew, int worker, int index, kane_errors *errors)
{
    mpi_crew *m        = crew->self;
    kane_status status = KANE_OK;
    if (worker < m->each)
        status = m->local->give(m->local, worker, index, errors);
    else
        tell(m, rank_of(m, worker), (link_message){.kind = LINK_GIVE, .worker = worker % m->each, .index = index});
    m->running[worker] = status == KANE_OK ? index : -1;
    return status;
}

// --- hearing ---

// Values come in order, those of one case before those of the next one.
static void take_values(mpi_crew *m, int from, const link_message *message)
{
    mpi_peer *peer = &m->peers[from];
    if (message->first != peer->received || message->count > m->value_count - peer->received)
        return;
    memcpy(peer->values + peer->received, message->u.values, (size_t)message->count * sizeof(double));
    peer->received += message->count;
}

static void report_loss(const link_message *message, kane_crew_report *report)
{
    report->event       = KANE_CREW_LOSS;
    report->is_replaced = message->what;
    (void)snprintf(report->why, sizeof report->why, "%s", message->u.why);
}

// An answer whose values have not all come (a network that drops them) is none.
static void report_answer(const mpi_crew *m, const mpi_peer *peer, const link_message *message,
                          kane_crew_report *report, kane_case *result)
{
    report->is_replaced = 1;
    if (peer->received != m->value_count) {
        report->event = KANE_CREW_LOSS;
        (void)snprintf(report->why, sizeof report->why, "its answer was lost on the way");
        return;
    }
    report->event = KANE_CREW_ANSWER;
    result->state = (kane_case_state)message->what;
    memcpy(result->values, peer->values, (size_t)m->value_count * sizeof(double));
    (void)snprintf(result->why, sizeof result->why, "%s", message->u.why);
}

// The end of a case: 0 if that worker did not have it.
static int take_end(mpi_crew *m, int from, const link_message *message, kane_crew_report *report, kane_case *result)
{
    const int worker = from * m->each + message->worker;
    const int is_his = message->worker >= 0 && message->worker < m->each && m->running[worker] == message->index;
    if (is_his) {
        m->running[worker] = -1;
        report->worker     = worker;
        report->index      = message->index;
        if (message->kind == LINK_LOSS)
            report_loss(message, report);
        else
            report_answer(m, &m->peers[from], message, report, result);
    }
    if (message->kind == LINK_ANSWER)
        m->peers[from].received = 0;
    return is_his;
}

static void take_leave(mpi_crew *m, int from, const char *said)
{
    char why[KANE_CASE_WHY + 32];
    (void)snprintf(why, sizeof why, "has ended early%s%s", said[0] ? ": " : "", said);
    lose(m, from, why);
}

// Takes all messages up to one that the plan wants to know of: 1.
static int hear(mpi_crew *m, kane_crew_report *report, kane_case *result)
{
    link_message message;
    for (int from; link_receive(&message, &from);) {
        m->peers[from].heard = kane_clock();
        if (m->peers[from].is_lost)
            continue;
        if (message.kind == LINK_LEFT)
            take_leave(m, from, message.u.why);
        if (message.plan != m->plan)
            continue;
        if (message.kind == LINK_VALUES)
            take_values(m, from, &message);
        if ((message.kind == LINK_ANSWER || message.kind == LINK_LOSS) && take_end(m, from, &message, report, result))
            return 1;
    }
    return 0;
}

// --- losses ---

static void look_for_silence(mpi_crew *m)
{
    const double now = kane_clock();
    char why[64];
    (void)snprintf(why, sizeof why, "has been silent for %g s", m->silence);
    for (int rank = 1; rank < m->launch.ranks; rank++)
        if (now - m->peers[rank].heard > m->silence)
            lose(m, rank, why);
}

// A worker of a lost rank that had a case: 1.
static int find_lost_case(mpi_crew *m, kane_crew_report *report)
{
    for (int i = m->each; i < m->crew.size; i++) {
        const mpi_peer *peer = &m->peers[rank_of(m, i)];
        if (!peer->is_lost || m->running[i] < 0)
            continue;
        *report       = (kane_crew_report){.event = KANE_CREW_LOSS, .worker = i, .index = m->running[i]};
        m->running[i] = -1;
        (void)snprintf(report->why, sizeof report->why, "%s", peer->why);
        return 1;
    }
    return 0;
}

static kane_status wait_for(kane_crew *crew, double seconds, kane_crew_report *report, kane_case *result,
                            kane_errors *errors)
{
    mpi_crew *m        = crew->self;
    const double begun = kane_clock();
    double pause       = 0.0;
    *report            = (kane_crew_report){.event = KANE_CREW_NOTHING};
    for (;; link_lengthen(
             &pause)) { // what comes from a worker of this rank ends the pause, what comes from others does not
        if (hear(m, report, result) || find_lost_case(m, report))
            return KANE_OK;
        const kane_status status = m->local->wait(m->local, pause, report, result, errors);
        if (status != KANE_OK)
            return status;
        if (report->event != KANE_CREW_NOTHING) {
            m->running[report->worker] = -1;
            return KANE_OK;
        }
        if (kane_clock() - m->spoken > MPI_BEAT) {
            tell_all(m, LINK_BEAT);
            look_for_silence(m);
        }
        if (kane_clock() - begun >= seconds)
            return KANE_OK;
    }
}

static void end(kane_crew *crew)
{
    mpi_crew *m = crew->self;
    m->local->end(m->local);
    if (link_is_open())
        tell_all(m, LINK_END);
}

// --- the end of the program ---

// Has every rank said that it exits? A rank that is silent for too long is lost.
static int have_all_left(mpi_crew *m)
{
    link_message message;
    int missing = 0;
    for (int from; link_receive(&message, &from);) {
        m->peers[from].heard = kane_clock();
        m->peers[from].has_left |= message.kind == LINK_LEFT;
    }
    look_for_silence(m);
    for (int rank = 1; rank < m->launch.ranks; rank++)
        missing += !m->peers[rank].has_left && !m->peers[rank].is_lost;
    return missing == 0;
}

// Rank 0 has drawn its pictures or has failed: the others may go. Those that are lost are told, too: they may have been
// asleep. Who does not answer would be waited for in vain by MPI.
static void dismiss_all(mpi_crew *m, int code)
{
    const link_message home = {.kind = LINK_HOME};
    double pause            = 0.0;
    m->silence              = fmin(m->silence, LEAVING_MOST);
    for (int rank = 1; rank < m->launch.ranks; rank++) {
        m->peers[rank].heard = kane_clock();
        (void)link_send(rank, &home);
    }
    while (!have_all_left(m))
        link_nap(&pause);
    link_close(code, m->is_bereft);
}

// All ranks come to the end by way of here, however early, so that none waits for one that has gone. Not so the workers,
// which are copies of this process.
static void leave(int code, void *crew)
{
    mpi_crew *m        = crew;
    kane_errors errors = {0};
    (void)fflush(NULL);
    if (mpi_crew_meet(m, &errors) != KANE_OK)
        return;
    if (m->launch.rank == 0)
        dismiss_all(m, code);
    else
        mpi_crew_leave(m, code);
}

// --- the crew ---

// KANE_MPI_SILENCE: seconds; a minute if it is not set.
static int read_silence(mpi_crew *m, kane_errors *errors)
{
    const char *text = getenv("KANE_MPI_SILENCE");
    char *end;
    m->silence = text ? strtod(text, &end) : 60.0;
    if (!text || (end != text && !*end && isfinite(m->silence) && m->silence >= 2.0 * MPI_BEAT))
        return 1;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "KANE_MPI_SILENCE=%s: must be a number of seconds, at least %g", text,
                    2.0 * MPI_BEAT);
    return 0;
}

kane_crew *app_crew_mpi(const app_launch *launch, int workers, int shard, kane_errors *errors)
{
    static mpi_crew m;
    m         = (mpi_crew){.launch = *launch, .each = workers, .shard = shard, .local = kane_crew_fork_create(workers)};
    m.peers   = calloc((size_t)launch->ranks, sizeof *m.peers);
    m.crew    = (kane_crew){.self        = &m,
                            .size        = workers * launch->ranks,
                            .is_follower = launch->rank > 0,
                            .begin       = begin,
                            .give        = give,
                            .wait        = wait_for,
                            .end         = end,
                            .serve       = mpi_crew_serve};
    m.running = calloc((size_t)m.crew.size, sizeof *m.running);
    if (!m.local || !m.peers || !m.running || on_exit(leave, &m) != 0) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return NULL;
    }
    return read_silence(&m, errors) ? &m.crew : NULL;
}
