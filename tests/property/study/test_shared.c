// SPDX-License-Identifier: MIT
// Two workers that need the same complete run at once: one makes it, the other one waits and reads it. The first worker
// is stopped before each of its calls that change or open a file, the second one goes on as far as it gets; and the
// other way round. At each place both have the rows of the run, and in the directory lies one run.

#include "file_calls.h"

#include "folder.h"
#include "models.h"

#include "study/study.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define RUN KANE_SOURCE_DIR "/data/runs/mechanism-pendulum.json"

// Why a worker has stopped.
typedef enum stop_reason { AT_CALL = 1, BLOCKED } stop_reason;

// --- a worker that stops before its k-th call ---

// What all processes see of a worker.
typedef struct standing {
    stop_reason reason;
    int calls;
} standing;

static standing *seen; // [2], shared
static int number;     // of the worker that this process is
static int stop_at;    // 0: nowhere

static void stop(stop_reason why)
{
    seen[number].reason = why;
    (void)raise(SIGSTOP);
}

static void before_file_call(file_call call)
{
    (void)call;
    if (seen && ++seen[number].calls == stop_at)
        stop(AT_CALL);
}

// A claim that another one has: the worker stops, and tries again when it goes on.
FILE_CALL_EXPORT int fcntl(int file, int command, ...)
{
    typedef int function(int, int, ...);
    FILE_CALL_NEXT(function, "fcntl")
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    const int failed = next(file, command, argument), why = errno;
    if (failed && command == F_OFD_SETLK && (why == EAGAIN || why == EACCES))
        stop(BLOCKED);
    errno = why;
    return failed;
}

// --- the run that both need ---

static const char *const formats[]  = {"output.format=csv", "output.format=hdf5"};
static const char *const patterns[] = {"bob.y", "bob.joint.angle"};
static kane_run *runs[2];
static int call_count[2]; // of one that makes the run and reads it
static kane_results *expected;

static int format_count(void)
{
    return kane_results_have_hdf5() ? 2 : 1;
}

static int are_expected(const kane_results *rows)
{
    int same = kane_results_row_count(rows) == kane_results_row_count(expected);
    for (int i = 0; same && i < kane_results_column_count(expected); i++) {
        const int column = kane_column_named(rows, kane_results_column(expected, i)->name);
        same             = column >= 0 && memcmp(kane_results_values(rows, column), kane_results_values(expected, i),
                                                 (size_t)kane_results_row_count(rows) * sizeof(double)) == 0;
    }
    return same;
}

// What a worker has found goes to the file of its name: the key of the run, or what is wrong.
static _Noreturn void work(const char *name, int format)
{
    const kane_study study = {.directory = "s", .keep = 1};
    kane_errors errors     = {.limit = 1};
    kane_outcome outcome;
    const int at = stop_at;
    const kane_results *rows =
        kane_study_rows(&study, "complete-0001", kane_run_get_definition(runs[format]), 2, patterns, &outcome, &errors);
    stop_at   = 0;
    FILE *out = fopen(name, "w");
    if (!rows || !out || outcome.status != KANE_OK || outcome.stop != KANE_STOP_TIME || outcome.time != 0.05 ||
        outcome.statistics.steps < 1 || errors.count > 0 || !are_expected(rows)) {
        (void)fprintf(stderr, "%s, stopped at %d: %s\n", name, at,
                      errors.count > 0 ? errors.first.text
                      : rows           ? "other rows or another end"
                                       : "no rows");
        _exit(1);
    }
    (void)fprintf(out, "%s", kane_results_key(rows));
    (void)fclose(out);
    _exit(0);
}

// Reads the run.
static _Noreturn void read_rows(const char *name, int format)
{
    kane_errors errors       = {0};
    const kane_results *rows = kane_results_open("s/complete-0001", &errors);
    (void)name, (void)format;
    if (rows && are_expected(rows))
        _exit(0);
    (void)fprintf(stderr, "a reader, stopped at %d: %s\n", stop_at,
                  errors.count > 0 ? errors.first.text : "other rows");
    _exit(1);
}

// Makes the run once more, whatever lies there.
static _Noreturn void make_again(const char *name, int format)
{
    kane_errors errors = {0};
    kane_outcome outcome;
    const kane_execution how = {.directory = "s/complete-0001"};
    (void)name;
    _exit(kane_run_to_files(kane_run_get_definition(runs[format]), &how, &outcome, &errors) == KANE_OK ? 0 : 1);
}

// --- two of them ---

typedef struct worker {
    const char *name;
    int number;
    pid_t process;
    int has_ended, status;
} worker;

static worker start_as(void (*role)(const char *name, int format), const char *name, int format, int at)
{
    worker w = {.name = name, .number = strcmp(name, "first") != 0, .process = fork()};
    assert_true(w.process >= 0);
    if (w.process == 0) {
        stop_at            = at;
        number             = w.number;
        seen[number].calls = 0;
        role(name, format);
    }
    return w;
}

static worker start(const char *name, int format, int at)
{
    return start_as(work, name, format, at);
}

// Until it ends or stops.
static void watch(worker *w)
{
    if (w->has_ended)
        return;
    assert_int_equal(waitpid(w->process, &w->status, WUNTRACED), w->process);
    w->has_ended = !WIFSTOPPED(w->status);
}

static void resume(worker *w)
{
    if (!w->has_ended)
        assert_int_equal(kill(w->process, SIGCONT), 0);
    watch(w);
}

static int has_stopped(const worker *w, stop_reason why)
{
    return WIFSTOPPED(w->status) && seen[w->number].reason == why;
}

static void check_end(const worker *w, int first, int second)
{
    if (!WIFEXITED(w->status) || WEXITSTATUS(w->status) != 0)
        fail_msg("stopped before call %d and %d: the worker %s has not the rows of the run", first, second, w->name);
}

static void clear(void)
{
    assert_int_equal(system("rm -rf s first second && mkdir s"), 0);
}

// One whole run, and nothing besides it.
static void check_directory(int format, int first, int second)
{
    kane_errors errors    = {.limit = 1};
    kane_results *results = kane_results_open("s/complete-0001", &errors);
    if (!results || errors.count > 0 || !are_expected(results))
        fail_msg("stopped before call %d and %d: %s", first, second, errors.first.text);
    assert_string_equal(kane_results_key(results), content("second"));
    kane_results_free(results);
    if (!command_works("test \"$(ls -A s/complete-0001 | tr '\\n' ' ')\" = \"manifest.json %s status.json \"",
                       format == KANE_CSV ? "results.csv" : "results.h5"))
        fail_msg("stopped before call %d and %d: other files are left", first, second);
}

// Calls of one that makes the run and reads it.
static int count_calls(int format)
{
    clear();
    worker a = start("first", format, 0);
    watch(&a);
    check_end(&a, 0, 0);
    assert_true(seen[0].calls > 20);
    return seen[0].calls - 1; // but for the file that tells of it
}

// The first worker is stopped before call `first`, then the second one before call `second`, 0: nowhere; then they go
// on in turns. Returns 0 if one of them has not come to that call.
static int meet(int format, int first, int second)
{
    clear();
    worker a = start("first", format, first);
    watch(&a);
    worker b = start("second", format, second);
    watch(&b);
    const int is_met = (!first || has_stopped(&a, AT_CALL)) && (!second || has_stopped(&b, AT_CALL));
    while (!a.has_ended || !b.has_ended) {
        resume(&a);
        resume(&b);
    }
    check_end(&a, first, second);
    check_end(&b, first, second);
    char key[32];
    (void)snprintf(key, sizeof key, "%s", content("first"));
    assert_int_equal(strlen(key), 16);
    if (strcmp(key, content("second")) != 0)
        fail_msg("stopped before call %d and %d: both have made the run", first, second);
    check_directory(format, first, second);
    return is_met;
}

CHECK_TEST(one_makes_it_wherever_the_first_is_stopped)
{
    for (int format = 0; format < format_count(); format++) {
        for (int first = 1; first <= call_count[format]; first++)
            assert_true(meet(format, first, 0));
        print_message("%s: stopped before each of %d calls\n", formats[format], call_count[format]);
    }
}

// The first one has written all and has not read it yet: from here on the second one may find it, and must not make it
// again.
CHECK_TEST(it_is_not_made_again_before_it_is_read)
{
    for (int format = 0; format < format_count(); format++) {
        int pairs = 0;
        for (int first = call_count[format]; first > call_count[format] - 6; first--)
            for (int second = 1; meet(format, first, second); second++)
                pairs++;
        print_message("%s: %d pairs\n", formats[format], pairs);
        assert_true(pairs >= 12);
    }
}

// A worker that is killed wherever it may be leaves the run to the other one, which waits for it meanwhile.
CHECK_TEST(a_maker_that_is_killed_is_replaced)
{
    for (int format = 0; format < format_count(); format++) {
        for (int first = 1; first <= call_count[format]; first++) {
            clear();
            worker a = start("first", format, first);
            watch(&a);
            assert_true(has_stopped(&a, AT_CALL));
            worker b = start("second", format, 0);
            watch(&b);
            assert_int_equal(kill(a.process, SIGKILL), 0);
            watch(&a);
            while (!b.has_ended)
                resume(&b);
            check_end(&b, first, 0);
            check_directory(format, first, 0);
        }
    }
}

// A reader that is stopped anywhere while the run is made once more has the rows of one of both.
CHECK_TEST(a_reader_never_mixes_two_runs)
{
    for (int format = 0; format < format_count(); format++) {
        clear();
        worker first = start("first", format, 0);
        watch(&first);
        check_end(&first, 0, 0);
        int is_met = 1;
        for (int at = 1; is_met; at++) {
            worker reader = start_as(read_rows, "first", format, at);
            watch(&reader);
            is_met       = has_stopped(&reader, AT_CALL);
            worker maker = start_as(make_again, "second", format, 0);
            watch(&maker);
            check_end(&maker, at, 0);
            while (!reader.has_ended)
                resume(&reader);
            check_end(&reader, at, 0);
            assert_true(is_met || at > 3);
        }
    }
}

// --- what is made again ---

static void read_key(char key[32])
{
    worker w = start("second", KANE_CSV, 0);
    watch(&w);
    check_end(&w, 0, 0);
    (void)snprintf(key, 32, "%s", content("second"));
}

// What lies there is taken only if it is the same run and whole.
CHECK_TEST(another_run_or_a_part_of_it_is_made_again)
{
    static const char *const damages[] = {
        "sed -i s/until.time=0.05/until.time=0.06/ s/complete-0001/manifest.json",            // of another run
        "sed -i 's/\"state\": \"done\"/\"state\": \"running\"/' s/complete-0001/status.json", // it did not end
        "rm s/complete-0001/status.json",
        "sed -i '$d' s/complete-0001/results.csv",                           // a row less than the manifest says
        "sed -i 's/bob.y/bob.w/' s/complete-0001/results.csv",               // other columns
        "sed -i 's/\"key\": \"./\"key\": \"x/' s/complete-0001/status.json", // the status of another start
        "echo '{' >s/complete-0001/manifest.json",
    };
    char before[32], now[32];
    clear();
    read_key(before);
    read_key(now);
    assert_string_equal(now, before); // it is read
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        assert_int_equal(system(damages[i]), 0);
        read_key(now);
        if (strcmp(now, before) == 0)
            fail_msg("%s: the rows were taken", damages[i]);
        (void)snprintf(before, sizeof before, "%s", now);
        read_key(now);
        assert_string_equal(now, before);
    }
}

static int enter(void **state)
{
    kane_errors errors = {.limit = 1};
    kane_outcome outcome;
    void *shared = mmap(NULL, 2 * sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    seen = shared;
    for (int format = 0; format < format_count(); format++) {
        const char *const settings[]   = {formats[format], "until.time=0.05",
                                          "output.channels=[\"bob.y\",\"bob.joint.angle\"]", NULL};
        const kane_run_options options = {.settings = settings};
        runs[format]                   = kane_run_read(RUN, &options, &errors);
        check_no_errors(&errors);
    }
    const kane_run_definition *run = kane_run_get_definition(runs[0]);
    expected = CHECK_GOOD(kane_run_to_memory, run, run->output.pattern_count, run->output.patterns, &outcome);
    if (enter_folder(state) != 0)
        return -1;
    for (int format = 0; format < format_count(); format++)
        call_count[format] = count_calls(format);
    return 0;
}

static int leave(void **state)
{
    kane_results_free(expected);
    for (int format = 0; format < format_count(); format++)
        kane_run_free(runs[format]);
    return leave_folder(state);
}

CHECK_MAIN(enter, leave)
