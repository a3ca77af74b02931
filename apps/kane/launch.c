// SPDX-License-Identifier: MIT
// Who started this process: read from the environment, so that a program alone never begins with MPI.

#include "launch.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// The whole number of a variable, or `otherwise`.
static int number_of(const char *variable, int otherwise)
{
    const char *text = getenv(variable);
    char *end;
    if (!text)
        return otherwise;
    const long value = strtol(text, &end, 10);
    return end == text || *end || value < 0 || value > 1 << 24 ? otherwise : (int)value;
}

// Open MPI's mpirun | mpiexec of MPICH and its relatives, srun --mpi=pmi2 | srun with or without PMIx. A step of srun
// has a number of tasks also where an mpirun inside of it has its own, and so stands last.
app_launch app_launch_read(void)
{
    const int open_mpi = number_of("OMPI_COMM_WORLD_SIZE", 0), pmi = number_of("PMI_SIZE", 0);
    const int step = number_of("SLURM_STEP_NUM_TASKS", 0);
    if (open_mpi > 0)
        return (app_launch){number_of("OMPI_COMM_WORLD_RANK", 0), open_mpi, "mpirun", 1};
    if (pmi > 0)
        return (app_launch){number_of("PMI_RANK", 0), pmi, step ? "srun" : "mpiexec", 1};
    if (step > 1)
        return (app_launch){number_of("SLURM_PROCID", 0), step, "srun", getenv("PMIX_RANK") != NULL};
    return (app_launch){0, 1, "", 0};
}

static kane_status refuse(const app_launch *launch, const char *why, const char *instead, kane_errors *errors)
{
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s has started %d of this program, %s: each would do all cases; %s",
                    launch->launcher, launch->ranks, why, instead);
    return KANE_BAD_ARGUMENT;
}

kane_status app_worker_pool_find(int workers, int shard, int shards, kane_worker_pool **worker_pool,
                                 kane_errors *errors)
{
    const app_launch launch = app_launch_read();
    *worker_pool            = NULL;
    if (launch.ranks == 1 || (!launch.can_talk && shards > 1))
        return KANE_OK;
    if (!launch.can_talk)
        return refuse(&launch, "which cannot talk to each other",
                      "start them by srun --mpi=pmix, or give each its --shard", errors);
#ifdef KANE_HAVE_MPI
    *worker_pool = app_worker_pool_mpi(&launch, workers > 0 ? workers : 1, shard, errors);
    return *worker_pool ? KANE_OK : kane_errors_status(errors, 0);
#else
    (void)workers;
    (void)shard;
    return refuse(&launch, "which was built without MPI", "build it with -DKANE_MPI=ON, or start it alone", errors);
#endif
}

// --- of many processes that do the same, one speaks ---

static FILE *said;     // NULL: this process speaks
static int error = -1; // what standard error was

static void exit_later(void)
{
    if (said)
        (void)nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
}

void app_hush(void)
{
    const app_launch launch = app_launch_read();
    if (launch.rank == 0 || !launch.can_talk || !freopen("/dev/null", "w", stdout))
        return;
    said  = tmpfile();
    error = dup(STDERR_FILENO);
    if (said && error >= 0 && dup2(fileno(said), STDERR_FILENO) >= 0)
        (void)atexit(exit_later);
}

void app_hush_end(size_t size, char *text)
{
    text[0] = '\0';
    if (!said)
        return;
    (void)fseek(said, 0, SEEK_SET);
    size_t length = fread(text, 1, size - 1, said);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    text[length] = '\0';
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    (void)dup2(error, STDERR_FILENO);
    (void)close(error);
    (void)fclose(said);
    said = NULL;
}
