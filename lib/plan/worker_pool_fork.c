// SPDX-License-Identifier: MIT
// A worker pool of forked processes. Each has a pair of sockets to the parent: numbers of cases go there, results come
// back. A worker has its next case waiting in its socket, so that it never waits for the parent. A process that dies
// loses the case that it carries out, nothing else: another one takes its place and its next case.

#define _GNU_SOURCE // sched_getaffinity

#include "plan/plan.h"

#include "base/arena.h"
#include "base/number.h"

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

#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#endif

// --- results as bytes: state, values, reason ---

size_t kane_result_size(int value_count)
{
    return sizeof(int) + (size_t)value_count * sizeof(double) + KANE_CASE_WHY;
}

void kane_result_encode(const kane_case *result, int value_count, char *bytes)
{
    const int state     = (int)result->state;
    const size_t values = (size_t)value_count * sizeof(double);
    memcpy(bytes, &state, sizeof state);
    memcpy(bytes + sizeof state, result->values, values);
    memcpy(bytes + sizeof state + values, result->why, KANE_CASE_WHY);
}

void kane_result_decode(const char *bytes, int value_count, kane_case *result)
{
    int state;
    const size_t values = (size_t)value_count * sizeof(double);
    memcpy(&state, bytes, sizeof state);
    result->state = (kane_case_state)state;
    memcpy(result->values, bytes + sizeof state, values);
    memcpy(result->why, bytes + sizeof state + values, KANE_CASE_WHY);
    result->why[KANE_CASE_WHY - 1] = '\0';
}

// --- the process of a worker ---

// Ctrl-C and the end of a terminal go to all its processes: the parent decides what they mean. A signal to a worker by
// its number ends it, whatever the parent does with that signal. When the parent dies without a word, so does the
// worker; where the system cannot do that, it notices at the end of its case and writes nothing.
static void set_worker_signals(pid_t parent)
{
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGTERM, SIG_DFL);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) // it has died already
        _exit(0);
}

// 0: the other end is gone.
static int receive_case(int from, int *index)
{
    ssize_t n;
    do
        n = recv(from, index, sizeof *index, MSG_WAITALL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *index;
}

static int send_all(int to, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t n = send(to, bytes, length, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return 0;
        bytes += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return 1;
}

// Takes numbers of cases from the socket and sends results back, until the other end is gone.
static _Noreturn void run_worker_cases(int other, kane_case_work work, void *data, int value_count)
{
    const size_t size = kane_result_size(value_count);
    char *bytes       = kane_allocate(size, 1);
    kane_case result  = {.values = kane_allocate((size_t)value_count, sizeof(double))};
    int index;
    while (bytes && result.values && receive_case(other, &index)) {
        kane_case_clear(&result, value_count);
        memset(result.why, 0, sizeof result.why);
        work(index, &result, data);
        kane_result_encode(&result, value_count, bytes);
        if (!send_all(other, bytes, size))
            break;
    }
    _exit(bytes && result.values ? 0 : 1); // and nothing of the parent's is flushed or freed
}

// --- the worker pool in memory ---

// One place in the worker pool.
typedef struct place {
    pid_t process; // 0: none at the moment
    int socket;
    int queue[1 + KANE_WORKER_POOL_AHEAD], count; // its cases
    char *received;                               // of its answer
    size_t length;
} place;

typedef struct fork_worker_pool {
    kane_worker_pool worker_pool;
    kane_case_work work;
    void *data;
    int value_count;
    size_t answer_size;
    place *places; // [worker_pool.size]
    struct pollfd *polls;
    int turn; // place that is polled first
} fork_worker_pool;

static kane_status begin_pool(kane_worker_pool *worker_pool, kane_case_work work, void *data, int value_count,
                              kane_errors *errors)
{
    fork_worker_pool *f = worker_pool->self;
    f->work             = work;
    f->data             = data;
    f->value_count      = value_count;
    f->answer_size      = kane_result_size(value_count);
    for (int i = 0; i < worker_pool->size; i++) {
        f->places[i].count    = 0;
        f->places[i].received = kane_allocate(f->answer_size, 1);
        if (!f->places[i].received)
            return kane_no_memory(errors);
    }
    return KANE_OK;
}

// --- starting ---

static kane_status report_start_failure(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "a process for a worker cannot be started: %s", kane_system_text(errno));
    return KANE_NO_MEMORY;
}

// In the child: only its own socket stays, so that each sees the end of the parent.
static void become_worker(const fork_worker_pool *f, int socket)
{
    for (int i = 0; i < f->worker_pool.size; i++)
        if (f->places[i].process > 0)
            (void)close(f->places[i].socket);
    run_worker_cases(socket, f->work, f->data, f->value_count);
}

static kane_status start_process(fork_worker_pool *f, place *p, kane_errors *errors)
{
    int pair[2];
    const pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return report_start_failure(errors);
    (void)fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    (void)fflush(NULL); // what waits in buffers is the parent's to write
    const pid_t child = fork();
    if (child == 0) {
        (void)close(pair[0]);
        set_worker_signals(parent);
        become_worker(f, pair[1]);
    }
    const int why = errno;
    (void)close(pair[1]);
    if (child < 0) {
        (void)close(pair[0]);
        errno = why;
        return report_start_failure(errors);
    }
    p->process = child;
    p->socket  = pair[0];
    p->length  = 0;
    return KANE_OK;
}

static void describe_end(int status, size_t size, char *why)
{
    if (WIFSIGNALED(status))
        (void)snprintf(why, size, "ended by signal %d (%s)", WTERMSIG(status), kane_signal_text(WTERMSIG(status)));
    else
        (void)snprintf(why, size, "ended itself with exit code %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

// Kills a process, closes its socket and waits for it. Returns its wait status.
static int end_process(place *p)
{
    int status = 0;
    (void)kill(p->process, SIGKILL);
    (void)close(p->socket);
    while (waitpid(p->process, &status, 0) < 0 && errno == EINTR)
        ;
    p->process = 0;
    return status;
}

// Starts the process of a place, which begins with the cases that the place has.
static kane_status start_with_cases(fork_worker_pool *f, place *p, kane_errors *errors)
{
    const kane_status status = start_process(f, p, errors);
    for (int i = 0; status == KANE_OK && i < p->count; i++)
        (void)send(p->socket, &p->queue[i], sizeof p->queue[i], MSG_NOSIGNAL);
    return status;
}

static kane_status give_case(kane_worker_pool *worker_pool, int worker, int index, kane_errors *errors)
{
    fork_worker_pool *f  = worker_pool->self;
    place *p             = &f->places[worker];
    kane_status status   = KANE_OK;
    p->queue[p->count++] = index;
    if (p->process == 0)
        status = start_with_cases(f, p, errors);
    else
        (void)send(p->socket, &index, sizeof index, MSG_NOSIGNAL); // to one that has just died: `wait` will notice
    p->count -= status != KANE_OK;
    return status;
}

// --- waiting ---

// Reads the available bytes of a result. 1: it is complete; 0: not yet; -1: the process has ended.
static int receive_answer(const fork_worker_pool *f, place *p)
{
    const ssize_t n = recv(p->socket, p->received + p->length, f->answer_size - p->length, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    if (n <= 0)
        return -1;
    p->length += (size_t)n;
    return p->length == f->answer_size;
}

// The first case of a place is over.
static void report_end(fork_worker_pool *f, int worker, kane_worker_pool_event event, kane_worker_pool_report *report)
{
    place *p = &f->places[worker];
    *report  = (kane_worker_pool_report){.event = event, .worker = worker, .index = p->queue[0]};
    p->count--;
    for (int i = 0; i < p->count; i++)
        p->queue[i] = p->queue[i + 1];
}

static void report_answer(fork_worker_pool *f, int worker, kane_worker_pool_report *report, kane_case *result)
{
    report_end(f, worker, KANE_WORKER_POOL_ANSWER, report);
    f->places[worker].length = 0;
    kane_result_decode(f->places[worker].received, f->value_count, result);
}

// A lost case is reported. A process that ends without a case is replaced when its place gets the next case.
static void report_loss(fork_worker_pool *f, int worker, kane_worker_pool_report *report)
{
    place *p         = &f->places[worker];
    const int status = end_process(p);
    if (p->count == 0)
        return;
    report_end(f, worker, KANE_WORKER_POOL_LOSS, report);
    describe_end(status, sizeof report->why, report->why);
}

// A place that has lost its process has cases left: they get a new one, or are lost one by one.
static int replace_lost(fork_worker_pool *f, kane_worker_pool_report *report)
{
    for (int i = 0; i < f->worker_pool.size; i++) {
        kane_errors errors = {.limit = 1};
        place *p           = &f->places[i];
        if (p->process > 0 || p->count == 0 || start_with_cases(f, p, &errors) == KANE_OK)
            continue;
        report_end(f, i, KANE_WORKER_POOL_LOSS, report);
        (void)snprintf(report->why, sizeof report->why, "%.90s", kane_errors_get(&errors, 0)->text);
        return 1;
    }
    return 0;
}

static kane_status wait_for_report(kane_worker_pool *worker_pool, double seconds, kane_worker_pool_report *report,
                                   kane_case *result, kane_errors *errors)
{
    fork_worker_pool *f = worker_pool->self;
    *report             = (kane_worker_pool_report){.event = KANE_WORKER_POOL_NOTHING};
    if (replace_lost(f, report))
        return KANE_OK;
    for (int i = 0; i < worker_pool->size; i++)
        f->polls[i] = (struct pollfd){.fd = f->places[i].process > 0 ? f->places[i].socket : -1, .events = POLLIN};
    const int ready = poll(f->polls, (nfds_t)worker_pool->size, (int)ceil(1e3 * seconds));
    if (ready < 0 && errno != EINTR && errno != EAGAIN) {
        kane_errors_add(errors, KANE_NO_MEMORY, "the workers cannot be waited for: %s", kane_system_text(errno));
        return KANE_NO_MEMORY;
    }
    for (int k = 0; ready > 0 && k < worker_pool->size && report->event == KANE_WORKER_POOL_NOTHING; k++) {
        const int i = (f->turn + k) % worker_pool->size;
        if (!f->polls[i].revents)
            continue;
        const int has = receive_answer(f, &f->places[i]);
        f->turn       = (i + 1) % worker_pool->size;
        if (has > 0)
            report_answer(f, i, report, result);
        else if (has < 0)
            report_loss(f, i, report);
    }
    return KANE_OK;
}

static void end_pool(kane_worker_pool *worker_pool)
{
    fork_worker_pool *f = worker_pool->self;
    for (int i = 0; i < worker_pool->size; i++) {
        if (f->places[i].process > 0)
            (void)end_process(&f->places[i]);
        kane_release(f->places[i].received);
        f->places[i].received = NULL;
    }
}

// --- the worker pool ---

kane_worker_pool *kane_worker_pool_fork_create(int workers)
{
    fork_worker_pool *f = kane_allocate(1, sizeof *f);
    if (!f)
        return NULL;
    f->worker_pool = (kane_worker_pool){
        .self = f, .size = workers, .begin = begin_pool, .give = give_case, .wait = wait_for_report, .end = end_pool};
    f->places = kane_allocate((size_t)workers, sizeof *f->places);
    f->polls  = kane_allocate((size_t)workers, sizeof *f->polls);
    if (f->places && f->polls)
        return &f->worker_pool;
    kane_worker_pool_fork_free(&f->worker_pool);
    return NULL;
}

void kane_worker_pool_fork_free(kane_worker_pool *worker_pool)
{
    if (!worker_pool)
        return;
    fork_worker_pool *f = worker_pool->self;
    kane_release(f->places);
    kane_release(f->polls);
    kane_release(f);
}

// --- how many: what the scheduler gives, or as much of it as the container has ---

static int scheduler_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

// Two numbers, the second one in the same file or in one of its own; 0 if they are not there.
static int read_pair(const char *first, const char *second, long long pair[2])
{
    FILE *file = fopen(first, "r");
    int count  = file ? fscanf(file, "%lld %lld", &pair[0], &pair[1]) : 0;
    if (file)
        (void)fclose(file);
    file = count == 1 && second ? fopen(second, "r") : NULL;
    if (file) {
        count += fscanf(file, "%lld", &pair[1]);
        (void)fclose(file);
    }
    return count == 2 && pair[0] > 0 && pair[1] > 0;
}

// Processor time that a container may use, in processors: quota over period; infinite without a limit ("max", -1).
static double container_processors(void)
{
    long long pair[2];
    if (read_pair("/sys/fs/cgroup/cpu.max", NULL, pair) ||
        read_pair("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us", pair))
        return (double)pair[0] / (double)pair[1];
    return (double)INFINITY;
}

int kane_processors(void)
{
    const double most = ceil(container_processors());
    const int have    = scheduler_processors();
    return most < have ? (int)most : have;
}
