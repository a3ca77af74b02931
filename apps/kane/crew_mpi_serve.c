// SPDX-License-Identifier: MIT
// Ranks other than 0: take cases for their workers, and send back what becomes of them.

#include "app.h"
#include "base/clock.h"
#include "crew_mpi_parts.h"
#include "hush.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double DRAWING_MOST = 3600.0; // rank 0 writes tables and draws pictures, and is silent meanwhile [s]
static const double GRACE        = 3.0;    // for rank 0 to end the plan when all are interrupted [s]
static const double FORBEARANCE  = 5.0;    // rank 0 may wait for a disk: how much longer than others it may be silent

typedef struct server {
    mpi_crew *m;
    int busy; // workers that have a case
    int is_over;
    double heard;       // when the last message came [s]
    double interrupted; // when this process was, 0 if it was not [s]
    kane_case *result;
    kane_errors *errors;
} server;

// --- sending ---

// What cannot be sent is missed by nobody: then rank 0 is gone, which is noticed by its silence.
static void say(mpi_crew *m, link_message *message)
{
    message->plan = m->plan;
    (void)link_send(0, message);
    m->spoken = kane_clock();
}

static void send_values(mpi_crew *m, const double *values)
{
    for (int first = 0; first < m->value_count; first += LINK_VALUES_MOST) {
        const int left       = m->value_count - first;
        link_message message = {.kind = LINK_VALUES, .first = first};
        message.count        = left < LINK_VALUES_MOST ? left : LINK_VALUES_MOST;
        memcpy(message.u.values, values + first, (size_t)message.count * sizeof(double));
        say(m, &message);
    }
}

static void send_end(server *s, const kane_crew_report *report)
{
    const int is_answer  = report->event == KANE_CREW_ANSWER;
    link_message message = {.kind   = is_answer ? LINK_ANSWER : LINK_LOSS,
                            .worker = report->worker,
                            .index  = report->index,
                            .what   = is_answer ? (int)s->result->state : report->is_replaced};
    if (is_answer)
        send_values(s->m, s->result->values);
    (void)snprintf(message.u.why, sizeof message.u.why, "%s", is_answer ? s->result->why : report->why);
    say(s->m, &message);
    s->busy--;
}

// --- hearing ---

static kane_status obey(server *s, const link_message *message)
{
    kane_crew *local   = s->m->local;
    kane_status status = KANE_OK;
    if (message->kind == LINK_HOME)
        s->is_over = s->m->is_dismissed = 1;
    if (message->plan != s->m->plan)
        return KANE_OK;
    s->is_over = s->is_over || message->kind == LINK_END;
    if (message->kind != LINK_GIVE)
        return KANE_OK;
    if (message->key != s->m->crew.key) {
        kane_errors_add(s->errors, KANE_BAD_INPUT,
                        "rank %d has another request than rank 0, or sees other files: all ranks need the same command "
                        "and the same files",
                        s->m->launch.rank);
        return KANE_BAD_INPUT;
    }
    if (message->worker < 0 || message->worker >= local->size) {
        kane_errors_add(s->errors, KANE_BAD_ARGUMENT, "rank %d has no worker %d", s->m->launch.rank, message->worker);
        return KANE_BAD_ARGUMENT;
    }
    status = local->give(local, message->worker, message->index, s->errors);
    s->busy += status == KANE_OK;
    return status;
}

// Whoever interrupts a job does so with all ranks, and rank 0 ends it in good order: if it still can.
static int is_orphaned_by_interrupt(server *s)
{
    if (s->interrupted == 0.0 && app_is_interrupted())
        s->interrupted = kane_clock();
    return s->interrupted > 0.0 && kane_clock() - s->interrupted > GRACE;
}

static kane_status hear(server *s)
{
    kane_status status = KANE_OK;
    link_message message;
    for (int from; status == KANE_OK && !s->is_over && link_receive(&message, &from);) {
        s->heard = kane_clock();
        status   = obey(s, &message);
    }
    if (status == KANE_OK && kane_clock() - s->heard > FORBEARANCE * s->m->silence) {
        kane_errors_add(s->errors, KANE_INTERRUPTED, "rank %d: rank 0 has been silent for %g s", s->m->launch.rank,
                        FORBEARANCE * s->m->silence);
        status          = KANE_INTERRUPTED;
        s->m->is_orphan = 1;
    }
    if (status == KANE_OK && is_orphaned_by_interrupt(s)) {
        status          = KANE_INTERRUPTED;
        s->m->is_orphan = 1;
    }
    return status;
}

// --- working ---

// Until something comes: from a worker if all are busy; else a case may come at any moment.
static kane_status go(server *s)
{
    kane_crew *local   = s->m->local;
    kane_status status = hear(s);
    for (double pause = 0.0; status == KANE_OK && !s->is_over; status = hear(s)) {
        kane_crew_report report = {.event = KANE_CREW_NOTHING};
        const int all_busy      = s->busy == local->size;
        status                  = local->wait(local, all_busy ? 0.05 : 0.0, &report, s->result, s->errors);
        if (status != KANE_OK)
            return status;
        if (kane_clock() - s->m->spoken > MPI_BEAT)
            say(s->m, &(link_message){.kind = LINK_BEAT});
        if (report.event != KANE_CREW_NOTHING) {
            send_end(s, &report);
            pause = 0.0;
        } else if (!all_busy) {
            link_nap(&pause);
        }
    }
    return status;
}

kane_status mpi_crew_serve(kane_crew *crew, kane_case_work work, void *data, int value_count, kane_errors *errors)
{
    mpi_crew *m        = crew->self;
    kane_case result   = {.values = calloc((size_t)value_count + 1, sizeof(double))};
    server s           = {.m = m, .result = &result, .errors = errors};
    kane_status status = m->local->begin(m->local, work, data, value_count, errors);
    if (status == KANE_OK)
        status = mpi_crew_meet(m, errors);
    m->value_count = value_count;
    m->plan++;
    s.heard = kane_clock() + (m->plan > 1 ? DRAWING_MOST : 0.0);
    if (status == KANE_OK && result.values) {
        char said[8]; // of no interest: rank 0 has said the same
        app_hush_end(sizeof said, said);
        status = go(&s);
    }
    m->local->end(m->local);
    free(result.values);
    return status;
}

// Only messages of rank 0 come here, and only its last one counts.
static void await_dismissal(mpi_crew *m)
{
    const double begun = kane_clock();
    double pause       = 0.0;
    link_message message;
    for (int from; !m->is_dismissed && kane_clock() - begun < DRAWING_MOST; link_nap(&pause))
        while (!m->is_dismissed && link_receive(&message, &from))
            m->is_dismissed = message.kind == LINK_HOME;
}

void mpi_crew_leave(mpi_crew *m, int code)
{
    link_message message = {.kind = LINK_LEFT};
    if (m->is_orphan)
        _exit(code);
    app_hush_end(sizeof message.u.why, message.u.why);
    say(m, &message);
    await_dismissal(m);
    link_close(code, 0);
}
