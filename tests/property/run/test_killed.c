// SPDX-License-Identifier: MIT
// A run that begins where another one has left its results, and is killed: what is found there afterwards is rows with
// the manifest of their own run, or no rows, at whatever moment the kill came. Two runs never write into one directory
// at once.
//
// Static loads of the manifest against the wheel forces in the first row say whether both are of one vehicle: a wagon
// that stands in equilibrium, laden before, empty now.

#include "runs.h"
#include "folder.h"
#include "file_calls.h"
#include "models.h"

#include "base/json.h"
#include "base/machine.h"
#include "math/statistics.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUN KANE_SOURCE_DIR "/data/runs/wagon-transition.json"

// --- a process that is killed at its k-th call of the file system ---

static int calls, last_call; // counted; before this one it is killed, 0: never

static void before_file_call(file_call call)
{
    if (last_call && call == FILE_CALL_CHANGES && ++calls == last_call)
        (void)raise(SIGKILL);
}

// --- runs ---

enum { LADEN, TARE };
static const char *const variants[]   = {"start.speed=15", "variant=tare"}; // laden as it stands
static const double static_loads[]    = {89488.0, 29430.0};                 // of each wheel, about [N]
static const char *const formats[]    = {"output.format=csv", "output.format=hdf5"};
static char folder[]                  = "/tmp/kane_killed_XXXXXX";
static const char *const until_time[] = {"until.time=0.2", "until.time=0.25"};

static int format_count(void)
{
    return kane_results_have_hdf5() ? 2 : 1;
}

static kane_tables *tables;  // what contacts share: made once
static kane_run *runs[2][2]; // vehicle, format

static kane_run *read_run(int vehicle, int format)
{
    const char *const settings[] = {variants[vehicle],     formats[format],
                                    "until.distance=1000", "output.channels=[\"*.left.Q\",\"body.y\"]",
                                    until_time[vehicle],   NULL};
    return run_read(RUN, settings, .tables = tables);
}

static kane_status execute(int vehicle, int format, const char *directory)
{
    CHECK_ERRORS errors = {0};
    kane_outcome outcome;
    const kane_execution how = {.directory = directory};
    return kane_run_to_files(kane_run_get_definition(runs[vehicle][format]), &how, &outcome, &errors);
}

// Static load of the first wheel in a manifest, and the state it tells.
static double manifest_load(const char *text, char state[32])
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    const kane_node *root          = CHECK_GOOD(kane_json_parse, arena, "manifest", text, strlen(text));
    const kane_node *node          = kane_node_find(root, "state");
    (void)snprintf(state, 32, "%s", node ? node->text : "none");
    const double load = kane_node_find(kane_node_find(root, "wheelsets")->child, "static_load")->child->number;
    return load;
}

// How many kills have left what.
static int repaired;
typedef struct harvest {
    int nothing, old, part, whole;
} harvest;

// A repair keeps every row, says what became of the run, and leaves nothing that another one would change.
static void check_repair(const char *directory, int k, int rows, const char *state)
{
    static const char *const names[] = {"results.csv", "results.h5"};
    CHECK_ERRORS errors              = {0};
    kane_repair first, second;
    char now[32], told[200];
    if (kane_results_repair(directory, &first, &errors) != KANE_OK)
        fail_msg("kill %d: %s", k, kane_errors_get(&errors, 0)->text);
    kane_results *results = kane_results_open(directory, &errors);
    check_no_errors(&errors);
    (void)manifest_load(kane_results_manifest(results), now);
    assert_int_equal(first.rows, rows);
    assert_int_equal(kane_results_row_count(results), rows);
    assert_string_equal(now, strcmp(state, "running") == 0 ? "killed" : state);
    if (kane_results_format(results, sizeof told, told))
        assert_string_equal(told, "the run did not come to its end: killed");
    kane_results_free(results);
    for (int format = 0; format < 2; format++) {
        char name[128], flags = 1;
        (void)snprintf(name, sizeof name, "%s/%s", directory, names[format]);
        const int file = open(name, O_RDONLY);
        if (file < 0)
            continue;
        if (format == KANE_HDF5) // no mark of a writer: every program opens it
            assert_true(pread(file, &flags, 1, 11) == 1 && flags == 0);
        (void)close(file);
    }
    command_must("! ls %s | grep -q new", directory);
    assert_int_equal(kane_results_repair(directory, &second, &errors), KANE_OK);
    assert_true(!second.is_changed && second.removed == 0 && second.rows == rows);
    repaired++;
}

// What lies in a directory after a kill of the second run, which would have written `rows_of_tare`.
static void inspect(const char *directory, int k, int rows_of_tare, harvest *h)
{
    CHECK_ERRORS errors                = {0};
    CHECK_OWNED(kane_results) *results = kane_results_open(directory, &errors);
    char state[32], told[200];
    if (!results) {
        // none at all, or a file that has just been begun; rows of another run would be told differently
        if (strstr(kane_errors_get(&errors, 0)->text, "these rows are of run"))
            fail_msg("kill %d: %s", k, kane_errors_get(&errors, 0)->text);
        h->nothing++;
        return;
    }
    if (!kane_results_manifest(results))
        fail_msg("kill %d: rows without a manifest", k);
    const double load = manifest_load(kane_results_manifest(results), state);
    const int rows    = kane_results_row_count(results);
    const int vehicle = fabs(load - static_loads[TARE]) < 1000.0 ? TARE : LADEN;
    check_near(load, static_loads[vehicle], 1000.0);
    if (rows > 0) {
        const int Q = kane_results_find(results, "leading.left.Q", &errors);
        if (fabs(kane_results_values(results, Q)[0] - load) > 0.02 * load)
            fail_msg("kill %d: a wheel stands with %g N, the manifest says %g N", k, kane_results_values(results, Q)[0],
                     load);
    }
    // 5 ms each, with both ends
    const int all = vehicle == TARE ? rows_of_tare : 41, is_told = kane_results_format(results, sizeof told, told);
    if (strcmp(state, "done") == 0)
        assert_int_equal(rows, all);
    else
        assert_string_equal(state, "running");
    assert_int_equal(is_told, strcmp(state, "done") != 0);
    check_repair(directory, k, rows, state);
    h->old += vehicle == LADEN;
    h->part += vehicle == TARE && is_told;
    h->whole += vehicle == TARE && !is_told;
}

static void begin_laden(const char *directory, int format)
{
    assert_int_equal(execute(LADEN, format, directory), KANE_OK);
    command_must("rm -rf kept && cp -r %s kept", directory);
}

// --- kills ---

CHECK_TEST(every_call_of_the_file_system_may_be_the_last)
{
    for (int pair = 0; pair < format_count() * format_count(); pair++) {
        const int before = pair % format_count(), after = pair / format_count();
        harvest h = {0};
        int k     = 1, status;
        begin_laden("all", before);
        for (;; k++) {
            command_must("rm -rf all && cp -r kept all");
            const pid_t child = fork();
            if (child == 0) {
                last_call = k;
                _exit(execute(TARE, after, "all") == KANE_OK ? 0 : 1);
            }
            assert_int_equal(waitpid(child, &status, 0), child);
            if (WIFEXITED(status))
                break;
            assert_int_equal(WTERMSIG(status), SIGKILL);
            inspect("all", k, 51, &h);
        }
        assert_int_equal(WEXITSTATUS(status), 0);
        if (h.nothing == 0 || h.old == 0 || h.part == 0 || h.whole == 0)
            fail_msg("%d calls: %d of nothing, %d of old rows, %d of a part, %d of all", k - 1, h.nothing, h.old,
                     h.part, h.whole);
        inspect("all", 0, 51, &h);
        assert_int_equal(access("all/run.lock", F_OK), -1);
    }
}

// Starts the program on a longer run, killed after so many seconds. Returns how long it took where it came to its end
// first.
static double run_program(int format, double seconds)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        (void)execl(KANE_PROGRAM, KANE_PROGRAM, "run", "-q", RUN, "-o", "any", "-s", variants[TARE], "-s",
                    formats[format], "-s", "until.time=4", "-s", "integrator.rtol=1e-8", "-s",
                    "integrator.atol_velocity=1e-9", (char *)NULL);
        _exit(99);
    }
    const double begin           = kane_clock();
    const struct timespec moment = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    if (seconds < 100.0) {
        (void)nanosleep(&moment, NULL);
        (void)kill(child, SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return kane_clock() - begin;
}

// The same with the program, at moments of chance.
CHECK_TEST(any_moment_may_be_the_last)
{
    const char *given   = getenv("KANE_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    kane_random moments = kane_random_start(seed, 0);
    print_message("KANE_SEED=%llu\n", (unsigned long long)seed);
    for (int format = 0; format < format_count(); format++) {
        harvest h = {0};
        begin_laden("any", format);
        const double takes = run_program(format, HUGE_VAL);
        for (int k = 1; k <= 8; k++) {
            command_must("rm -rf any && cp -r kept any");
            (void)run_program(format, 1.1 * takes * kane_random_even(&moments));
            inspect("any", k, 801, &h);
        }
        print_message("%s: %d times nothing, %d the old rows, %d a part, %d all\n", formats[format], h.nothing, h.old,
                      h.part, h.whole);
    }
}

// --- two at once ---

typedef struct rival {
    int calls, refused;
    char said[512];
} rival;

// In the middle of a run another one of the same process wants the directory, and gets nothing of it.
static int intrude(const kane_progress *progress, void *data)
{
    rival *r            = data;
    CHECK_ERRORS errors = {0};
    kane_outcome outcome;
    (void)progress;
    if (r->calls++ > 0)
        return 0;
    const kane_run_definition *run = kane_run_get_definition(runs[TARE][KANE_CSV]);
    const kane_execution how       = {.directory = "two"};
    r->refused                     = kane_run_to_files(run, &how, &outcome, &errors) == KANE_IN_USE;
    r->refused &= outcome.status == KANE_IN_USE && outcome.rows == 0 && errors.count == 1;
    (void)snprintf(r->said, sizeof r->said, "%s", kane_errors_get(&errors, 0)->text);
    // other processes are kept out still
    const pid_t child = fork();
    int status;
    if (child == 0)
        _exit(execute(TARE, KANE_CSV, "two") == KANE_IN_USE ? 0 : 1);
    r->refused &= waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return 0;
}

CHECK_TEST(a_directory_has_one_writer)
{
    CHECK_ERRORS errors = {0};
    kane_outcome outcome;
    rival r   = {0};
    harvest h = {0};
    char expected[128];
    // long enough for a look at its progress, which is taken every tenth of a second
    const char *const settings[] = {"until.time=10", "integrator.rtol=1e-9", "integrator.atol_velocity=1e-10",
                                    variants[TARE],  formats[KANE_CSV],      NULL};
    kane_run *run                = run_read(RUN, settings);
    const kane_execution how     = {.directory = "two", .progress = intrude, .data = &r};
    assert_int_equal(kane_run_to_files(kane_run_get_definition(run), &how, &outcome, &errors), KANE_OK);
    kane_run_free(run);
    assert_true(r.calls > 0 && r.refused);
    (void)snprintf(expected, sizeof expected, "two is being written by process %ld on ", (long)getpid());
    if (strncmp(r.said, expected, strlen(expected)) != 0)
        fail_msg("%s", r.said);
    assert_int_equal(access("two/run.lock", F_OK), -1);
    assert_int_equal(execute(TARE, KANE_CSV, "two"), KANE_OK); // it is free again
    inspect("two", 0, 51, &h);
    assert_int_equal(h.whole, 1);
}

// --- rows and manifests that somebody has mixed ---

static const char *refusal(const char *directory)
{
    static kane_errors errors;
    kane_errors_free(&errors);
    kane_results *results = kane_results_open(directory, &errors);
    kane_results_free(results);
    return results ? "" : kane_errors_get(&errors, 0)->text;
}

CHECK_TEST(rows_of_another_run_are_refused)
{
    char key[2][32];
    for (int format = 0; format < format_count(); format++) {
        const char *name = format == KANE_CSV ? "results.csv" : "results.h5";
        assert_int_equal(execute(LADEN, format, "one"), KANE_OK);
        assert_int_equal(execute(TARE, format, "other"), KANE_OK);
        for (int i = 0; i < 2; i++) {
            CHECK_OWNED(kane_results) *results = CHECK_GOOD(kane_results_open, i ? "other" : "one");
            (void)snprintf(key[i], sizeof key[i], "%s", kane_results_key(results));
            assert_int_equal(strlen(key[i]), 16);
            assert_string_equal(kane_results_column(results, 0)->unit, "s");
        }
        assert_string_not_equal(key[0], key[1]);
        command_must("grep -q '\"key\": \"%s\"' one/manifest.json && grep -q '\"key\": \"%s\"' one/status.json", key[0],
                     key[0]);
        command_must("cp one/manifest.json keep.json && cp other/manifest.json one");
        const char *why = refusal("one");
        if (!strstr(why, "these rows are of run ") || !strstr(why, key[0]) || !strstr(why, key[1]))
            fail_msg("%s", why);
        // rows that say nothing beside a manifest that does, and the other way round
        command_must("sed -i '/\"key\"/d' one/manifest.json");
        assert_non_null(strstr(refusal("one"), "is of run (not known)"));
        if (format == KANE_CSV) {
            command_must("cp keep.json one/manifest.json && sed -i '/^# run/d' one/results.csv");
            assert_non_null(strstr(refusal("one"), "these rows are of run (not known)"));
            command_must("sed -i '/\"key\"/d' one/manifest.json"); // neither: as it ever was
            assert_string_equal(refusal("one"), "");
        }
        // HDF5 has its manifest in the file; CSV needs one beside it, under whatever name, unless it says that it is
        // nobody's
        command_must("rm one/manifest.json");
        const int has_own = format == KANE_HDF5;
        if (has_own != (refusal("one")[0] == '\0'))
            fail_msg("%s", refusal("one"));
        command_must("mkdir -p away && rm -f away/manifest.json && cp other/%s away/rows", name);
        assert_int_equal(has_own, refusal("away/rows")[0] == '\0');
        if (!has_own) {
            assert_non_null(
                strstr(refusal("one"), "these rows are of run (not known), whose manifest is not with them"));
            assert_string_equal(refusal("one/results.csv"), "");
            assert_non_null(strstr(refusal("away/rows"), key[1]));
            command_must("cp keep.json away/manifest.json");
            assert_non_null(strstr(refusal("away/rows"), key[0]));
            command_must("cp other/manifest.json away");
            assert_string_equal(refusal("away/rows"), "");
        }
        // a link leads to who knows whose rows
        command_must("rm -rf linked && cp -r other linked && mv linked/%s linked/file && ln -s file linked/%s", name,
                     name);
        assert_non_null(strstr(refusal("linked"), "is a link, which is not followed here"));
        command_must("rm linked/%s && mv linked/file linked/%s && mv linked/manifest.json linked/file", name, name);
        command_must("ln -s file linked/manifest.json");
        assert_non_null(strstr(refusal("linked"), "is a link, which is not followed here"));
    }
}

// Links in the directory of a run lead nowhere: what they point to stays as it is.
CHECK_TEST(a_run_writes_through_no_link)
{
    static const char *const files[] = {"results.csv", "results.h5", "results.h5.new", "manifest.json", "status.json"};
    CHECK_ERRORS errors              = {0};
    kane_outcome outcome;
    for (int format = 0; format < format_count(); format++) {
        command_must("rm -rf trap && mkdir trap && echo mine >victim");
        for (size_t i = 0; i < sizeof files / sizeof *files; i++)
            command_must("ln -s ../victim trap/%s", files[i]);
        assert_int_equal(execute(TARE, format, "trap"), KANE_OK);
        command_must("test \"$(cat victim)\" = mine && test ! -L trap/manifest.json && test ! -L trap/status.json");
        command_must("test ! -L trap/results.%s", format == KANE_CSV ? "csv" : "h5");
        command_must("ln -s ../victim trap/run.lock");
        const kane_execution how = {.directory = "trap"};
        assert_int_equal(kane_run_to_files(kane_run_get_definition(runs[TARE][format]), &how, &outcome, &errors),
                         KANE_NO_FILE);
        command_must("test \"$(cat victim)\" = mine");
    }
}

// The same run twice: the same rows, but not the same run.
CHECK_TEST(every_start_has_a_key_of_its_own)
{
    char key[2][32];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(execute(TARE, KANE_CSV, "again"), KANE_OK);
        kane_results *results = CHECK_GOOD(kane_results_open, "again");
        (void)snprintf(key[i], sizeof key[i], "%s", kane_results_key(results));
        kane_results_free(results);
        command_must("tail -n +3 again/results.csv >rows%d.csv", i);
    }
    command_must("cmp rows0.csv rows1.csv");
    assert_string_not_equal(key[0], key[1]);
}

static int enter(void **state)
{
    (void)state;
    tables = kane_tables_create(8);
    for (int vehicle = 0; vehicle < 2; vehicle++)
        for (int format = 0; format < format_count(); format++)
            runs[vehicle][format] = read_run(vehicle, format);
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    print_message("%d directories repaired\n", repaired);
    if (chdir("/") != 0)
        return -1;
    command_must("rm -rf %s", folder);
    for (int vehicle = 0; vehicle < 2; vehicle++)
        for (int format = 0; format < format_count(); format++)
            kane_run_free(runs[vehicle][format]);
    kane_tables_free(tables);
    return 0;
}

CHECK_MAIN(enter, leave)
