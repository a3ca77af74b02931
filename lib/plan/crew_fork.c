// SPDX-License-Identifier: MIT
// A crew of forked processes. Each has a pair of sockets to the parent: the number of a case goes there, its result comes back.
// A process that dies loses the case it has, nothing else; the next case that its place is given starts a new one.

#include "plan/crew_fork.h"

#include "base/arena.h"
#include "plan/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// One place in the crew.
typedef struct place {
    pid_t process; // 0: none at the moment
    int socket;
    int index;      // of its case; -1: none
    char *received; // of its answer
    size_t length;
} place;

typedef struct fork_crew {
    kane_crew crew;
    kane_case_work work;
    void *data;
    int value_count;
    size_t answer_size;
    place *places; // [crew.size]
    struct pollfd *polls;
    int turn; // who is looked at first
} fork_crew;

static kane_status no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return KANE_NO_MEMORY;
}

static kane_status begin(kane_crew *crew, kane_case_work work, void *data, int value_count, kane_errors *errors)
{
    fork_crew *f   = crew->self;
    f->work        = work;
    f->data        = data;
    f->value_count = value_count;
    f->answer_size = kane_answer_size(value_count);
    for (int i = 0; i < crew->size; i++) {
        f->places[i].index    = -1;
        f->places[i].received = kane_allocate(f->answer_size, 1);
        if (!f->places[i].received)
            return no_memory(errors);
    }
    return KANE_OK;
}

// --- starting ---

static kane_status cannot_start(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "a process for a worker cannot be started: %s", strerror(errno));
    return KANE_NO_MEMORY;
}

// In the child: only its own socket stays, so that each sees the end of the parent.
static void become_worker(const fork_crew *f, int socket)
{
    for (int i = 0; i < f->crew.size; i++)
        if (f->places[i].process > 0)
            (void)close(f->places[i].socket);
    kane_worker_go(socket, f->work, f->data, f->value_count);
}

static kane_status start(fork_crew *f, place *p, kane_errors *errors)
{
    int pair[2];
    const pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return cannot_start(errors);
    (void)fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    (void)fflush(NULL); // what waits in buffers is the parent's to write
    const pid_t child = fork();
    if (child == 0) {
        (void)close(pair[0]);
        kane_worker_settle(parent);
        become_worker(f, pair[1]);
    }
    const int why = errno;
    (void)close(pair[1]);
    if (child < 0) {
        (void)close(pair[0]);
        errno = why;
        return cannot_start(errors);
    }
    p->process = child;
    p->socket  = pair[0];
    p->length  = 0;
    return KANE_OK;
}

static void describe_end(int status, size_t size, char *why)
{
    if (WIFSIGNALED(status))
        (void)snprintf(why, size, "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        (void)snprintf(why, size, "ended itself with exit code %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

// Sees a process off, dead or alive.
static int dismiss(place *p)
{
    int status = 0;
    (void)kill(p->process, SIGKILL);
    (void)close(p->socket);
    while (waitpid(p->process, &status, 0) < 0 && errno == EINTR)
        ;
    p->process = 0;
    return status;
}

static kane_status give(kane_crew *crew, int worker, int index, kane_errors *errors)
{
    fork_crew *f = crew->self;
    place *p     = &f->places[worker];
    if (p->process == 0) {
        const kane_status status = start(f, p, errors);
        if (status != KANE_OK)
            return status;
    }
    p->index = index;
    (void)send(p->socket, &index, sizeof index, MSG_NOSIGNAL); // to one that has just died: `wait` will notice
    return KANE_OK;
}

// --- waiting ---

// Takes what is there of an answer. 1: it is whole; 0: not yet; -1: the process is gone.
static int receive(const fork_crew *f, place *p)
{
    const ssize_t n = recv(p->socket, p->received + p->length, f->answer_size - p->length, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    if (n <= 0)
        return -1;
    p->length += (size_t)n;
    return p->length == f->answer_size;
}

static void report_answer(fork_crew *f, int worker, kane_crew_report *report, kane_case *result)
{
    place *p  = &f->places[worker];
    *report   = (kane_crew_report){.event = KANE_CREW_ANSWER, .worker = worker, .index = p->index, .is_replaced = 1};
    p->index  = -1;
    p->length = 0;
    kane_answer_unpack(p->received, f->value_count, result);
}

// One that dies without a case is missed by nobody: its place gets a new one with the next case.
static void report_loss(fork_crew *f, int worker, kane_crew_report *report)
{
    place *p         = &f->places[worker];
    const int status = dismiss(p);
    if (p->index < 0)
        return;
    *report  = (kane_crew_report){.event = KANE_CREW_LOSS, .worker = worker, .index = p->index, .is_replaced = 1};
    p->index = -1;
    describe_end(status, sizeof report->why, report->why);
}

static kane_status wait_for(kane_crew *crew, double seconds, kane_crew_report *report, kane_case *result,
                            kane_errors *errors)
{
    fork_crew *f = crew->self;
    *report      = (kane_crew_report){.event = KANE_CREW_NOTHING};
    for (int i = 0; i < crew->size; i++)
        f->polls[i] = (struct pollfd){.fd = f->places[i].process > 0 ? f->places[i].socket : -1, .events = POLLIN};
    const int ready = poll(f->polls, (nfds_t)crew->size, (int)ceil(1e3 * seconds));
    if (ready < 0 && errno != EINTR && errno != EAGAIN) {
        kane_errors_add(errors, KANE_NO_MEMORY, "the workers cannot be waited for: %s", strerror(errno));
        return KANE_NO_MEMORY;
    }
    for (int k = 0; ready > 0 && k < crew->size && report->event == KANE_CREW_NOTHING; k++) {
        const int i = (f->turn + k) % crew->size;
        if (!f->polls[i].revents)
            continue;
        const int has = receive(f, &f->places[i]);
        f->turn       = (i + 1) % crew->size;
        if (has > 0)
            report_answer(f, i, report, result);
        else if (has < 0)
            report_loss(f, i, report);
    }
    return KANE_OK;
}

static void end(kane_crew *crew)
{
    fork_crew *f = crew->self;
    for (int i = 0; i < crew->size; i++) {
        if (f->places[i].process > 0)
            (void)dismiss(&f->places[i]);
        kane_release(f->places[i].received);
        f->places[i].received = NULL;
    }
}

// --- the crew ---

kane_crew *kane_crew_fork_create(int workers)
{
    fork_crew *f = kane_allocate(1, sizeof *f);
    if (!f)
        return NULL;
    f->crew   = (kane_crew){.self = f, .size = workers, .begin = begin, .give = give, .wait = wait_for, .end = end};
    f->places = kane_allocate((size_t)workers, sizeof *f->places);
    f->polls  = kane_allocate((size_t)workers, sizeof *f->polls);
    if (f->places && f->polls)
        return &f->crew;
    kane_crew_fork_free(&f->crew);
    return NULL;
}

void kane_crew_fork_free(kane_crew *crew)
{
    if (!crew)
        return;
    fork_crew *f = crew->self;
    kane_release(f->places);
    kane_release(f->polls);
    kane_release(f);
}
