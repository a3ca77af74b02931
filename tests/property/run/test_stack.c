// SPDX-License-Identifier: MIT
// How much stack the library needs: each step of a run in a thread of the size that docs/user-guide.md states, whose
// stack is painted before and looked at afterwards. Thread-local storage of all libraries lies on it too (29 kB of
// METIS alone).

#include "errors.h"
#include "folder.h"

#include <kane/kane.h>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SMALL = 64 << 10, RAILS = 80 << 10, ROOM = 1 << 20, PAINT = 0xA5 };

// What an empty thread needs of it with Debian's LAPACK: thread-local storage, docs/user-guide.md. OpenBLAS has 60 kB
// more.
enum { EMPTY = 34480 };

typedef struct use {
    const char *file;
    const char *directory;
    kane_file_format format;
    const char *const *settings;
    // what the steps make
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_results *results;
    kane_errors errors;
    int good;
} use;

static void *read_files(void *data)
{
    use *u                      = data;
    const kane_run_options with = {.settings = u->settings};
    u->run                      = kane_run_read(u->file, &with, &u->errors);
    u->good                     = u->run != NULL;
    return NULL;
}

static void *compile(void *data)
{
    use *u   = data;
    u->model = kane_run_create_model(u->run, &u->errors);
    u->good  = u->model != NULL;
    return NULL;
}

static void *simulate(void *data)
{
    use *u        = data;
    u->simulation = kane_run_create_simulation(u->run, u->model, &u->errors);
    u->good       = u->simulation && kane_simulation_advance(u->simulation, 0.05, &u->errors) == KANE_OK;
    return NULL;
}

static void *execute(void *data)
{
    use *u = data;
    kane_outcome outcome;
    const kane_execution how       = {.directory = u->directory};
    kane_run_definition definition = *kane_run_get_definition(u->run);
    definition.output.format       = u->format;
    u->good                        = kane_run_to_files(&definition, &how, &outcome, &u->errors) == KANE_OK;
    return NULL;
}

static void *open_results(void *data)
{
    use *u     = data;
    u->results = kane_results_open(u->directory, &u->errors);
    u->good    = u->results && kane_results_row_count(u->results) > 0;
    return NULL;
}

static void *report_errors(void *data)
{
    use *u = data;
    char text[1200];
    u->good = !kane_run_read("/nowhere/run.json", NULL, &u->errors) && u->errors.count > 0 &&
              kane_error_format(kane_errors_get(&u->errors, 0), sizeof text, text) > 0;
    kane_errors_free(&u->errors);
    return NULL;
}

static void *do_nothing(void *data)
{
    ((use *)data)->good = 1;
    return NULL;
}

// Carries out a step in a thread with a stack of `size`, with a page below it that nothing may touch. Returns how much
// of it was used [byte].
static size_t measure(void *(*step)(void *), use *u, size_t size)
{
    const size_t page    = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *guard = aligned_alloc(page, page + size);
    unsigned char *stack = guard + page;
    pthread_attr_t attributes;
    pthread_t thread;
    size_t unused = 0;
    assert_non_null(guard);
    assert_int_equal(mprotect(guard, page, PROT_NONE), 0);
    memset(stack, PAINT, size);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, step, u), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)pthread_attr_destroy(&attributes);
    while (unused < size && stack[unused] == PAINT)
        unused++;
    assert_int_equal(mprotect(guard, page, PROT_READ | PROT_WRITE), 0);
    free(guard);
    check_no_errors(&u->errors);
    assert_true(u->good);
    return size - unused;
}

// How much more an empty thread needs here.
static size_t beyond_usual(void)
{
    use u              = {.file = NULL};
    const size_t empty = measure(do_nothing, &u, ROOM);
    return empty > EMPTY ? empty - EMPTY : 0;
}

static void check_step(const char *name, void *(*step)(void *), use *u, size_t size)
{
    const size_t needed = measure(step, u, ROOM), most = size + beyond_usual();
    print_message("    %-14s %6zu bytes\n", name, needed);
    if (needed > most)
        fail_msg("%s: %zu bytes of stack, more than %zu", name, needed, most);
}

static void use_end(use *u)
{
    kane_results_free(u->results);
    kane_simulation_free(u->simulation);
    kane_model_free(u->model);
    kane_run_free(u->run);
    u->results    = NULL;
    u->simulation = NULL;
    u->model      = NULL;
    u->run        = NULL;
}

// channels: "output.channels=...", or NULL: as the file says
static void check_run(const char *file, const char *channels, size_t size)
{
    const char *const quick[]             = {"until.time=0.05", channels, NULL};
    static void *(*const steps[])(void *) = {read_files, compile, simulate, execute, open_results};
    static const char *const names[]      = {"reads", "compiles", "simulates", "writes results", "opens results"};
    char path[4096];
    use u             = {.file = path, .directory = "results", .settings = quick};
    const int formats = kane_results_have_hdf5() ? 2 : 1;
    (void)snprintf(path, sizeof path, "%s/data/runs/%s.json", KANE_SOURCE_DIR, file);
    print_message("  %s: an empty thread needs %zu bytes\n", file, measure(do_nothing, &u, ROOM));
    for (int format = 0; format < formats; format++) {
        u.format = format ? KANE_HDF5 : KANE_CSV;
        for (int i = 0; i < (int)(sizeof steps / sizeof *steps); i++)
            check_step(names[i], steps[i], &u, size);
        use_end(&u);
        for (int i = 0; i < (int)(sizeof steps / sizeof *steps); i++)
            (void)measure(steps[i], &u, size + beyond_usual());
        use_end(&u);
    }
    check_step("tells errors", report_errors, &u, size);
}

CHECK_TEST(vehicles_need_64_kilobytes)
{
    check_run("wagon-transition", NULL, SMALL);
    check_run("coach-flexible", NULL, SMALL);
}

// A second in a straight, after which modes that grow are looked for.
CHECK_TEST(modes_that_grow_need_80_kilobytes)
{
    static const char *const longer[] = {"until.time=1.1", NULL};
    use u = {.file = KANE_SOURCE_DIR "/data/runs/wagon-transition.json", .directory = "results", .settings = longer};
    check_step("reads", read_files, &u, SMALL);
    check_step("looks for modes", execute, &u, RAILS);
    use_end(&u);
}

CHECK_TEST(mechanisms_need_64_kilobytes)
{
    check_run("mechanism-squeezer", NULL, SMALL);
    check_run("mechanism-rolling-disc", NULL, SMALL);
}

CHECK_TEST(wheelsets_that_rails_guide_need_80_kilobytes)
{
    check_run("feve-curve", NULL, RAILS);
}

CHECK_TEST(recorded_pressures_need_80_kilobytes)
{
    check_run("coach-irregular", "output.channels=[\"*.patch1.pressure\"]", RAILS);
}

// The need of the program, docs/user-guide.md.
CHECK_TEST(the_program_needs_128_kilobytes)
{
    static const char *const commands[] = {"check '" KANE_SOURCE_DIR "/data/runs/wagon-transition.json'",
                                           "run -q -o out -s until.time=0.05 '" KANE_SOURCE_DIR
                                           "/data/runs/wagon-transition.json'",
                                           "evaluate out", "plot out -o out.svg"};
    for (int i = 0; i < (int)(sizeof commands / sizeof *commands); i++) {
        char text[1200];
        (void)snprintf(text, sizeof text, "ulimit -s 128 && exec '" KANE_PROGRAM "' %s >/dev/null", commands[i]);
        if (system(text) != 0)
            fail_msg("%s", commands[i]);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
