// SPDX-License-Identifier: MIT
// A worker process: takes a case, carries it out, sends the result.

#include "plan/worker.h"

#include "base/arena.h"
#include "plan/plan.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

// --- results as bytes ---

size_t kane_answer_size(int value_count)
{
    return sizeof(int) + (size_t)value_count * sizeof(double) + KANE_CASE_WHY;
}

void kane_answer_pack(const kane_case *result, int value_count, char *bytes)
{
    const int state     = (int)result->state;
    const size_t values = (size_t)value_count * sizeof(double);
    memcpy(bytes, &state, sizeof state);
    memcpy(bytes + sizeof state, result->values, values);
    memcpy(bytes + sizeof state + values, result->why, KANE_CASE_WHY);
}

void kane_answer_unpack(const char *bytes, int value_count, kane_case *result)
{
    int state;
    const size_t values = (size_t)value_count * sizeof(double);
    memcpy(&state, bytes, sizeof state);
    result->state = (kane_case_state)state;
    memcpy(result->values, bytes + sizeof state, values);
    memcpy(result->why, bytes + sizeof state + values, KANE_CASE_WHY);
    result->why[KANE_CASE_WHY - 1] = '\0';
}

// --- the process ---

// Ctrl-C goes to all processes of a terminal: the parent decides what it means. Whoever ends a worker by its number ends
// it, whatever the parent does with that signal. When the parent dies without a word, so does the worker; where the system
// cannot do that, it notices at the end of its case and writes nothing.
void kane_worker_settle(pid_t parent)
{
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_DFL);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) // it has died already
        _exit(0);
}

// 0: the other end is gone.
static int receive(int from, int *index)
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

_Noreturn void kane_worker_go(int other, kane_case_work work, void *data, int value_count)
{
    const size_t size = kane_answer_size(value_count);
    char *bytes       = kane_allocate(size, 1);
    kane_case result  = {.values = kane_allocate((size_t)value_count, sizeof(double))};
    int index;
    while (bytes && result.values && receive(other, &index)) {
        kane_case_clear(&result, value_count);
        memset(result.why, 0, sizeof result.why);
        work(index, &result, data);
        kane_answer_pack(&result, value_count, bytes);
        if (!send_all(other, bytes, size))
            break;
    }
    _exit(bytes && result.values ? 0 : 1); // and nothing of the parent's is flushed or freed
}
