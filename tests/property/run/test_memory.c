// SPDX-License-Identifier: MIT
// Runs that lack memory at one place after the other: whatever is said to be a result is the result. Each in a process
// of its own: SUNDIALS 6.4 does not survive the loss of its logger or of a vector that it clones.

#include "allocation.h"

#include "models.h"
#include "runs.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAME = 10, REFUSED, FOREIGN, OTHER, UNSAID }; // exit codes of children

typedef struct sample {
    const char *file;
    int on_disk; // 1: into files, 0: into memory
    const char *settings[8];
} sample;

static char folder[] = "/tmp/kane_memory_XXXXXX";

// The rows, watched: where they are in files, they have yet to be read.
static kane_results *carry_out(const sample *s, const kane_run *run, kane_outcome *outcome, kane_errors *errors)
{
    static const char *const patterns[] = {"*"};
    const kane_execution how            = {.directory = folder};
    if (!s->on_disk)
        return kane_run_to_memory(kane_run_get_definition(run), 1, patterns, outcome, errors);
    (void)kane_run_to_files(kane_run_get_definition(run), &how, outcome, errors);
    return NULL;
}

static kane_results *read_back(const sample *s, kane_results *results, kane_errors *errors)
{
    return s->on_disk ? kane_results_open(folder, errors) : results;
}

static int are_same(const kane_results *a, const kane_results *b)
{
    const int rows = kane_results_row_count(a);
    if (kane_results_row_count(b) != rows || kane_results_column_count(a) != kane_results_column_count(b))
        return 0;
    for (int i = 0; i < kane_results_column_count(a); i++)
        if (memcmp(kane_results_values(a, i), kane_results_values(b, i), (size_t)rows * sizeof(double)) != 0)
            return 0;
    return 1;
}

// Whether it is SUNDIALS that has failed: the first on the stack that is neither the system nor a sanitizer.
static int is_foreign(void)
{
    static const char *const passed[] = {"libasan", "libubsan", "libgcc", "libc.so"};
    void *frames[32];
    const int count = backtrace(frames, 32);
    int own = 0, left = 0; // these functions, which are the first ones of the program
    for (int i = 0; i < count; i++) {
        Dl_info in;
        int pass = 0;
        if (!dladdr(frames[i], &in) || !in.dli_fname)
            continue;
        for (size_t k = 0; k < sizeof passed / sizeof *passed; k++)
            pass |= strstr(in.dli_fname, passed[k]) != NULL;
        if (strstr(in.dli_fname, "libsundials"))
            return 1;
        if (!pass && left)
            return 0;
        own |= !pass;
        left |= pass && own;
    }
    return 0;
}

static void on_fault(int number)
{
    (void)signal(number, SIG_DFL);
    if (is_foreign())
        _exit(FOREIGN);
}

// Of the address sanitizer, where there is one.
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void on_death(void)
{
    if (is_foreign())
        _exit(FOREIGN);
}

// Ends the process with what becomes of the run if allocation k fails; 0: there were fewer.
static void try_without(const sample *s, const kane_run *run, const kane_results *reference, int k)
{
    static kane_errors errors;
    kane_outcome outcome;
    kane_errors_free(&errors);
    (void)signal(SIGABRT, SIG_DFL); // cmocka's would go on
    (void)signal(SIGSEGV, on_fault);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(on_death);
    allocation_fail_at(k);
    kane_results *results = carry_out(s, run, &outcome, &errors);
    if (!allocation_stop())
        _exit(0);
    if (outcome.status == KANE_OK)
        results = read_back(s, results, &errors);
    if (outcome.status != KANE_OK || !results)
        _exit(errors.count > 0 && outcome.status != KANE_OK ? REFUSED : UNSAID);
    _exit(are_same(results, reference) ? SAME : OTHER);
}

// Without every `stride`-th allocation, one at a time.
static void check(const sample *s, int stride)
{
    int counts[UNSAID + 1] = {0}, k = 1, tried = 0;
    CHECK_ERRORS errors = {0};
    kane_outcome outcome;
    char file[512];
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, s->file);
    CHECK_OWNED(kane_run) *run           = run_read(file, s->settings);
    CHECK_OWNED(kane_results) *reference = read_back(s, carry_out(s, run, &outcome, &errors), &errors);
    check_no_errors(&errors);
    for (;; k += stride, tried++) {
        int status;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            try_without(s, run, reference, k);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        if (WIFSIGNALED(status))
            fail_msg("%s: without allocation %d it is killed by signal %d", s->file, k, WTERMSIG(status));
        assert_in_range(WEXITSTATUS(status), SAME, UNSAID);
        counts[WEXITSTATUS(status)]++;
        if (WEXITSTATUS(status) == OTHER || WEXITSTATUS(status) == UNSAID)
            print_error("%s: without allocation %d %s\n", s->file, k,
                        WEXITSTATUS(status) == OTHER ? "another result is said to be good"
                                                     : "nobody says what happened");
    }
    if (getenv("KANE_SHOW"))
        print_message("%s: %d of the allocations, %d refused, %d the same, %d times SUNDIALS dies\n", s->file, tried,
                      counts[REFUSED], counts[SAME], counts[FOREIGN]);
    assert_int_equal(counts[OTHER], 0);
    assert_int_equal(counts[UNSAID], 0);
    assert_true(counts[REFUSED] > 50);
}

CHECK_TEST(no_run_without_memory_is_another_run)
{
    static const sample samples[] = {
        {"wagon-transition", 0, {"until.time=0.02"}},
        {"wagon-transition", 1, {"until.time=0.02", "output.format=csv"}},
        {"wagon-four-bar", 0, {"until.time=0.02", "form=multipliers"}},
        {"mechanism-squeezer", 0, {"until.time=0.004", "form=multipliers"}},
    };
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check(&samples[i], i == 0 ? 1 : 5);
    char command[64];
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

CHECK_MAIN(NULL, NULL)
