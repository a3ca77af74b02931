// SPDX-License-Identifier: MIT
// A disk that is full ends a run. What manifest and status say of its rows is what the file holds, whenever the disk is
// full. Limits on the size of files stand for the disk.

#include "folder.h"
#include "models.h"

#include "base/json.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define RUN KANE_SOURCE_DIR "/data/runs/wagon-transition.json"

static const char *const formats[] = {"output.format=csv", "output.format=hdf5"};

static kane_run *read_run(int format)
{
    kane_errors errors             = {.limit = 1};
    const char *const settings[]   = {formats[format], "until.time=1.5", NULL};
    const kane_run_options options = {.settings = settings};
    kane_run *run                  = kane_run_read(RUN, &options, &errors);
    check_no_errors(&errors);
    return run;
}

// Carries out the run with files of so many bytes at most. Returns its status and what it says of its rows.
static kane_status execute(const kane_run *run, rlim_t bytes, long *rows)
{
    int pipes[2], status;
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {bytes, bytes};
        kane_errors errors        = {.limit = 1};
        kane_outcome outcome;
        (void)signal(SIGXFSZ, SIG_IGN);
        (void)setrlimit(RLIMIT_FSIZE, &limit);
        const kane_execution how = {.directory = "d"};
        (void)kane_run_to_files(kane_run_get_definition(run), &how, &outcome, &errors);
        const long said[] = {outcome.status, outcome.rows};
        _exit(write(pipes[1], said, sizeof said) == (ssize_t)sizeof said ? 0 : 1);
    }
    long said[2] = {0};
    (void)close(pipes[1]);
    assert_int_equal(read(pipes[0], said, sizeof said), sizeof said);
    (void)close(pipes[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    *rows = said[1];
    return (kane_status)said[0];
}

static long rows_said(const char *name)
{
    kane_errors errors             = {.limit = 1};
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    const kane_node *root          = kane_json_read(arena, name, &errors);
    check_no_errors(&errors);
    const long rows = (long)kane_node_find(root, "rows")->number;
    return rows;
}

CHECK_TEST(rows_that_are_told_are_in_the_file)
{
    for (int format = 0; format < (kane_results_have_hdf5() ? 2 : 1); format++) {
        CHECK_OWNED(kane_run) *run = read_run(format);
        int partial = 0, failed = 0;
        kane_status status = KANE_NO_FILE;
        for (rlim_t bytes = 66000; status != KANE_OK; bytes += bytes / 4) {
            kane_errors errors = {.limit = 1};
            long rows;
            assert_int_equal(system("rm -rf d"), 0);
            status                = execute(run, bytes, &rows);
            kane_results *results = kane_results_open("d", &errors);
            const long held       = results ? kane_results_row_count(results) : 0;
            kane_results_free(results);
            if (rows != held || rows_said("d/manifest.json") != held || rows_said("d/status.json") != held)
                fail_msg("%s, %lu bytes: %ld rows are told, %ld are in the file", formats[format], (unsigned long)bytes,
                         rows, held);
            failed += status == KANE_NO_FILE;
            partial += status == KANE_NO_FILE && held > 0;
        }
        print_message("%s: %d disks are full, %d with rows\n", formats[format], failed, partial);
        assert_true(failed > 1);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
