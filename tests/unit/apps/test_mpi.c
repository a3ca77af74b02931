// SPDX-License-Identifier: MIT
// Studies on the ranks of an MPI job: the same bits on any number of them, whatever ends the job on the way. All ranks
// are on this machine. A program without MPI says that it has none.

#include "unit/apps/program.h"

#include <dirent.h>

#ifndef KANE_MPIEXEC
#define KANE_MPIEXEC ""
#endif

#define STUDY(directory)                                                                                               \
    "study", "omit", RUN, "--omit=body:torque.rotation.z", "--omit=body:force.*.y", "--set=until.distance=80",         \
        "--accelerations=-0.5,-0.25,0,0.25,0.5,0.75,1", "--strongest=0", "-q", "-o", directory

enum { CASES = 3 * 7, PROCESSES_MOST = 64 };

// --- starting and watching ---

// Starts a command (NULL-terminated) with outputs as those of the program.
static pid_t start_command(const char *const *argv)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666), 1);
        (void)dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
        (void)execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(99);
    }
    return child;
}

#define START_RANKS(...) start_command((const char *const[]){KANE_MPIEXEC, __VA_ARGS__, NULL})
#define CALL_RANKS(...)  wait_for(START_RANKS(__VA_ARGS__))

static void doze(double seconds)
{
    (void)nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))}, NULL);
}

// Numbers of the processes whose parent is `parent`.
static int children_of(pid_t parent, pid_t *children)
{
    int count      = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes)) != NULL;) {
        char name[300], text[512];
        int its_parent;
        (void)snprintf(name, sizeof name, "/proc/%s/stat", entry->d_name);
        FILE *file = fopen(name, "r");
        if (!file)
            continue;
        const char *end = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
        (void)fclose(file);
        if (end && sscanf(end, ") %*c %d", &its_parent) == 1 && its_parent == (int)parent && count < PROCESSES_MOST)
            children[count++] = (pid_t)atoi(entry->d_name);
    }
    if (processes)
        (void)closedir(processes);
    return count;
}

// The process that is a rank of the job; 0 if there is none.
static pid_t rank_process(pid_t job, int rank)
{
    pid_t children[PROCESSES_MOST];
    const int count = children_of(job, children);
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "OMPI_COMM_WORLD_RANK=%d", rank);
    for (int i = 0; i < count; i++) {
        static char text[1 << 16];
        char name[64];
        (void)snprintf(name, sizeof name, "/proc/%d/environ", (int)children[i]);
        FILE *file          = fopen(name, "r");
        const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
        text[length]        = '\0';
        if (file)
            (void)fclose(file);
        for (const char *at = text; at < text + length; at += strlen(at) + 1)
            if (strcmp(at, wanted) == 0)
                return children[i];
    }
    return 0;
}

static int count_lines(const char *name)
{
    FILE *file = fopen(name, "r");
    int lines  = 0;
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        (void)fclose(file);
    return lines;
}

// Waits until that many lines of a journal are written.
static void await_lines(const char *directory, int lines)
{
    char name[128];
    (void)snprintf(name, sizeof name, "%s/journal.jsonl", directory);
    for (int i = 0; i < 3000 && count_lines(name) < lines; i++)
        doze(0.01);
    assert_true(count_lines(name) >= lines);
}

// Ranks outlive their launcher for a moment, and hold the journal.
static void await_end(const pid_t *processes, int count)
{
    for (int i = 0; i < count; i++)
        for (int tries = 0; tries < 2000 && kill(processes[i], 0) == 0; tries++)
            doze(0.01);
}

// --- comparing ---

static const char *const tables[] = {"effects.csv", "effects.json", "ranking.csv", "ranking.json"};
static char undisturbed[4][1 << 20];

static size_t read_table(const char *directory, int table, size_t size, char *text)
{
    char name[128];
    (void)snprintf(name, sizeof name, "%s/%s", directory, tables[table]);
    FILE *file = fopen(name, "r");
    if (!file)
        print_error("there is no %s\n", name);
    assert_non_null(file);
    const size_t length = fread(text, 1, size - 1, file);
    text[length]        = '\0';
    assert_true(feof(file) || length < size - 1);
    (void)fclose(file);
    return length;
}

static void check_tables(const char *directory)
{
    static char text[1 << 20];
    for (int i = 0; i < 4; i++) {
        assert_true(read_table(directory, i, sizeof text, text) > 100);
        assert_string_equal(text, undisturbed[i]);
    }
}

static int prepare(void **state)
{
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    (void)setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    (void)setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
    (void)setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1); // containers forbid it
    if (enter_folder(state) != 0)
        return -1;
    if (!KANE_MPIEXEC[0])
        return 0;
    if (CALL(STUDY("one"), "-j", "1") != 0)
        return -1;
    for (int i = 0; i < 4; i++)
        (void)read_table("one", i, sizeof undisturbed[i], undisturbed[i]);
    return 0;
}

static void need_mpi(void)
{
    if (!KANE_MPIEXEC[0])
        check_skip("this kane was built without MPI");
}

// --- tests ---

CHECK_TEST(any_number_of_ranks_and_workers_gives_the_same_bits)
{
    need_mpi();
    assert_int_equal(CALL(STUDY("two"), "-j", "2"), 0);
    check_tables("two");
    static const char *const numbers[] = {"1", "2", "4"};
    for (int i = 0; i < 3; i++) {
        char directory[16];
        (void)snprintf(directory, sizeof directory, "ranks%s", numbers[i]);
        assert_int_equal(CALL_RANKS("-n", numbers[i], KANE_PROGRAM, STUDY(directory)), 0);
        check_tables(directory);
    }
    assert_int_equal(CALL_RANKS("-n", "2", KANE_PROGRAM, STUDY("mixed"), "-j", "2"), 0);
    check_tables("mixed");
    assert_int_equal(CALL_RANKS("-n", "2", KANE_PROGRAM, STUDY("mixed")), 0); // nothing is left to do
    check_tables("mixed");
}

CHECK_TEST(shards_of_two_jobs_make_one_table)
{
    need_mpi();
    assert_int_equal(CALL_RANKS("-n", "2", KANE_PROGRAM, STUDY("shards"), "--shard=1/2"), 0);
    assert_int_equal(CALL_RANKS("-n", "2", KANE_PROGRAM, STUDY("shards"), "--shard=2/2"), 0);
    check_tables("shards");
}

// A worker that dies is replaced by its rank, and no rank is lost.
CHECK_TEST(a_lost_worker_costs_only_its_case)
{
    need_mpi();
    const pid_t job = START_RANKS("-n", "2", KANE_PROGRAM, STUDY("worker"));
    await_lines("worker", CASES / 4);
    for (int rank = 0; rank < 2; rank++) {
        pid_t workers[PROCESSES_MOST];
        assert_int_equal(children_of(rank_process(job, rank), workers), 1);
        assert_int_equal(kill(workers[0], SIGKILL), 0);
    }
    assert_int_equal(wait_for(job), 0);
    check_tables("worker");
}

static void kill_and_go_on(const char *directory, int lines, int rank)
{
    pid_t processes[PROCESSES_MOST];
    const pid_t job = START_RANKS("-n", "3", KANE_PROGRAM, STUDY(directory));
    await_lines(directory, lines);
    const int count    = children_of(job, processes);
    const pid_t victim = rank < 0 ? job : rank_process(job, rank);
    assert_true(victim > 0);
    assert_int_equal(kill(victim, SIGKILL), 0);
    assert_int_not_equal(wait_for(job), 0);
    await_end(processes, count);
    assert_int_equal(CALL_RANKS("-n", "2", KANE_PROGRAM, STUDY(directory)), 0);
    check_tables(directory);
}

CHECK_TEST(what_ends_the_whole_job_is_gone_on_with)
{
    need_mpi();
    kill_and_go_on("rank0", CASES / 4, 0);
    kill_and_go_on("rank2", CASES / 3, 2);
    kill_and_go_on("launcher", CASES / 3, -1);
}

static int count_in(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

CHECK_TEST(what_is_wrong_is_said_once)
{
    need_mpi();
    assert_int_equal(CALL_RANKS("-n", "3", KANE_PROGRAM, "study", "omit", RUN, "--all", "-o", "one", "-q"), 3);
    assert_int_equal(count_in(content("err"), "error: one/plan.json"), 1);
    assert_int_equal(CALL_RANKS("-n", "3", KANE_PROGRAM, "study", "omit", "none.json", "--all", "-o", "none"), 6);
    assert_int_equal(count_in(content("err"), "error: none.json"), 1);
    assert_int_equal(CALL_RANKS("-n", "3", KANE_PROGRAM, "study", "omit", RUN, "--tall", "-o", "none"), 2);
    assert_int_equal(count_in(content("err"), "--tall"), 1);
    // what only one of them finds, that one says, and nothing is done
    assert_int_not_equal(CALL_RANKS("-n", "1", KANE_PROGRAM, STUDY("none"), ":", "-n", "1", KANE_PROGRAM, "study",
                                    "omit", "none.json", "--all", "-o", "none"),
                         0);
    assert_int_equal(count_in(content("err"), "rank 1: error: none.json"), 1);
    assert_int_equal(count_in(content("err"), "rank 1 has failed, so that no case was carried out"), 1);
    assert_int_equal(count_lines("none/journal.jsonl"), 0);
}

CHECK_TEST(ranks_do_the_same)
{
    need_mpi();
    assert_int_equal(CALL_RANKS("-n", "1", KANE_PROGRAM, STUDY("none"), "--shard=1/2", ":", "-n", "1", KANE_PROGRAM,
                                STUDY("none"), "--shard=2/2"),
                     3);
    assert_int_equal(count_in(content("err"), "--shard is not the same for all ranks"), 1);
    assert_int_equal(
        CALL_RANKS("-n", "1", KANE_PROGRAM, STUDY("none"), ":", "-n", "1", KANE_PROGRAM, STUDY("none"), "-j", "2"), 3);
    assert_int_equal(count_in(content("err"), "--workers is not the same for all ranks"), 1);
    assert_int_equal(CALL_RANKS("-n", "1", KANE_PROGRAM, STUDY("differ"), ":", "-n", "1", KANE_PROGRAM, STUDY("differ"),
                                "-s", "vehicle.bodies.body.mass=9 t"),
                     3);
    assert_int_equal(count_in(content("err"), "rank 1 has another request than rank 0, or sees other files"), 1);
    assert_int_equal(count_lines("differ/journal.jsonl"), 0);
}

// What cannot share the work is not started twice.
CHECK_TEST(processes_that_cannot_talk_are_refused)
{
    (void)setenv("SLURM_STEP_NUM_TASKS", "4", 1);
    (void)setenv("SLURM_PROCID", "1", 1);
    assert_int_equal(CALL(STUDY("srun")), 3);
    assert_non_null(strstr(content("err"),
                           "srun has started 4 of this program, which cannot talk to each other: each "
                           "would do all cases; start them by srun --mpi=pmix, or give each its --shard"));
    (void)unsetenv("SLURM_STEP_NUM_TASKS");
    (void)unsetenv("SLURM_PROCID");
    (void)setenv("OMPI_COMM_WORLD_SIZE", "2", 1); // as another MPI than that of this program might
    assert_int_equal(CALL(STUDY("mpirun")), 3);
    assert_non_null(strstr(content("err"), KANE_MPIEXEC[0]
                                               ? "mpirun has started 2 ranks, and MPI finds 1"
                                               : "mpirun has started 2 of this program, which was built without MPI"));
    (void)unsetenv("OMPI_COMM_WORLD_SIZE");
}

CHECK_MAIN(prepare, leave_folder)
