// SPDX-License-Identifier: MIT
// The only file that calls MPI.

#include "crew_mpi_link.h"

#include "base/clock.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 16, GATHERING_MOST = 300, GATHERING_FAILED = 7, LEAVING_MOST = 20 }; // [1], [s], exit code, [s]

static const double patience = 2.0; // with one that takes no messages [s]

// Messages that are on their way to one rank.
typedef struct outbox {
    int next;
    MPI_Request requests[SLOTS];
    link_message messages[SLOTS];
} outbox;

static outbox **outboxes; // [ranks], made when first used
static int is_open, exit_code_of_alarm;

// --- time ---

void link_lengthen(double *pause)
{
    const double shortest = 50e-6, longest = 1e-3;
    *pause = *pause < shortest ? shortest : *pause * 1.5 > longest ? longest : *pause * 1.5;
}

void link_nap(double *pause)
{
    link_lengthen(pause);
    (void)nanosleep(&(struct timespec){.tv_nsec = (long)(*pause * 1e9)}, NULL);
}

// Ends the program: what it waits for will not come. Only what a signal handler may call.
static void give_up(int signal)
{
    static const char text[] = "error: MPI: not all ranks came together in time\n";
    (void)signal;
    if (exit_code_of_alarm && write(2, text, sizeof text - 1) < 0)
        _exit(exit_code_of_alarm);
    _exit(exit_code_of_alarm);
}

static void give_up_after(unsigned seconds, int code)
{
    struct sigaction action = {.sa_handler = give_up};
    exit_code_of_alarm      = code;
    (void)sigaction(SIGALRM, &action, NULL);
    (void)alarm(seconds);
}

// --- beginning and end ---

int link_is_open(void)
{
    return is_open;
}

static kane_status refuse(const app_launch *launch, int count, kane_errors *errors)
{
    kane_errors_add(
        errors, KANE_BAD_ARGUMENT,
        "%s has started %d ranks, and MPI finds %d: this program was built with another MPI than the one that "
        "started it",
        launch->launcher, launch->ranks, count);
    (void)MPI_Finalize();
    (void)alarm(0);
    return KANE_BAD_ARGUMENT;
}

// Do all ranks have the same values? The least of a value and of its negative say so.
static kane_status compare(const char *const options[LINK_OPTIONS], const int values[LINK_OPTIONS], kane_errors *errors)
{
    int mine[2 * LINK_OPTIONS], least[2 * LINK_OPTIONS];
    for (int i = 0; i < LINK_OPTIONS; i++) {
        mine[2 * i]     = values[i];
        mine[2 * i + 1] = -values[i];
    }
    (void)MPI_Allreduce(mine, least, 2 * LINK_OPTIONS, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int i = 0; i < LINK_OPTIONS; i++) {
        if (least[2 * i] == -least[2 * i + 1])
            continue;
        kane_errors_add(
            errors, KANE_BAD_ARGUMENT,
            "%s is not the same for all ranks: all ranks of one MPI job do one shard with as many workers each",
            options[i]);
        return KANE_BAD_ARGUMENT;
    }
    return KANE_OK;
}

kane_status link_open(const app_launch *launch, const char *const options[LINK_OPTIONS], const int values[LINK_OPTIONS],
                      kane_errors *errors)
{
    static int was_tried; // MPI begins once
    int count = 0, rank = -1;
    if (is_open || was_tried)
        return is_open ? KANE_OK : KANE_BAD_ARGUMENT;
    was_tried = 1;
    give_up_after(GATHERING_MOST, GATHERING_FAILED);
    (void)MPI_Init(NULL, NULL);
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &count);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (count != launch->ranks || rank != launch->rank)
        return refuse(launch, count, errors);
    outboxes = calloc((size_t)count, sizeof(outbox *));
    if (!outboxes) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return KANE_NO_MEMORY;
    }
    is_open                  = 1;
    const kane_status status = compare(options, values, errors);
    (void)alarm(0);
    return status;
}

// Gives messages some time to leave.
static void linger(void)
{
    const double begin = kane_clock();
    double pause       = 0.0;
    for (int done; kane_clock() - begin < 0.5; link_nap(&pause))
        (void)MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
}

void link_close(int code, int are_some_lost)
{
    if (!is_open)
        return;
    give_up_after(LEAVING_MOST, code);
    if (are_some_lost) {
        linger();
        (void)MPI_Abort(MPI_COMM_WORLD, code);
    }
    (void)MPI_Finalize();
    (void)alarm(0);
    is_open = 0;
}

// --- messages ---

static size_t length_of(const link_message *message)
{
    switch (message->kind) {
    case LINK_VALUES: return offsetof(link_message, u) + (size_t)message->count * sizeof(double);
    case LINK_ANSWER:
    case LINK_LOSS:
    case LINK_LEFT: return offsetof(link_message, u) + strlen(message->u.why) + 1;
    default: return offsetof(link_message, u);
    }
}

int link_receive(link_message *message, int *from)
{
    int is_there = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS || !is_there)
        return 0;
    *from = status.MPI_SOURCE;
    return MPI_Recv(message, sizeof *message, MPI_BYTE, *from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static outbox *outbox_of(int rank)
{
    if (outboxes[rank])
        return outboxes[rank];
    outbox *box = calloc(1, sizeof *box);
    for (int i = 0; box && i < SLOTS; i++)
        box->requests[i] = MPI_REQUEST_NULL;
    return outboxes[rank] = box;
}

// Waits until a message has left its slot.
static int is_free(MPI_Request *request)
{
    const double begin = kane_clock();
    double pause       = 0.0;
    for (int done = 0;; link_nap(&pause)) {
        if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return 0;
        if (done)
            return 1;
        if (kane_clock() - begin > patience)
            return 0;
    }
}

int link_send(int to, const link_message *message)
{
    outbox *box = outbox_of(to);
    if (!box || !is_free(&box->requests[box->next]))
        return 0;
    link_message *slot   = &box->messages[box->next];
    MPI_Request *request = &box->requests[box->next];
    const size_t length  = length_of(message);
    memcpy(slot, message, length);
    box->next = (box->next + 1) % SLOTS;
    return MPI_Isend(slot, (int)length, MPI_BYTE, to, 0, MPI_COMM_WORLD, request) == MPI_SUCCESS;
}
