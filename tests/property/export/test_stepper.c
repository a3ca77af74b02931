// SPDX-License-Identifier: MIT
// A run in steps of fixed cost as C ("kane export c --stepper"): the same bits as "kane run" with the same method and step,
// and as libkane's stepper behind events; nothing is allocated; deadlines; the same on another processor.

#include "walk.h"

#include "simulate/stepper_run.h"

typedef struct steps {
    void *library, *memory, *m;
    size_t (*size)(void);
    void *(*begin)(void *memory);
    int (*step)(void *m);
    int (*outputs)(void *m, double *values);
    int (*set_input)(void *m, int input, double value);
    double (*get_input)(const void *m, int input);
    double (*state)(const void *m, double *y);
    int (*put)(void *m, double t, const double *y);
    void (*fault)(const void *m, size_t size, char *text);
} steps;

static steps load_steps(const char *folder_name)
{
    char path[512];
    steps e = {.library = NULL};
    (void)snprintf(path, sizeof path, "./%s/libm.so", folder_name);
    e.library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!e.library)
        fail_msg("%s", dlerror());
#define FIND(name)                                                                                                     \
    do {                                                                                                               \
        void *found = dlsym(e.library, "m_" #name);                                                                    \
        assert_non_null(found);                                                                                        \
        memcpy(&e.name, &found, sizeof found);                                                                         \
    } while (0)
    FIND(size);
    FIND(begin);
    FIND(step);
    FIND(outputs);
    FIND(set_input);
    FIND(get_input);
    FIND(state);
    FIND(put);
    FIND(fault);
#undef FIND
    e.memory = aligned_alloc(64, e.size());
    e.m      = e.begin(e.memory);
    return e;
}

static void unload_steps(steps *e)
{
    free(e->memory);
    (void)dlclose(e->library);
}

static void export_steps(const char *run, const char *const *settings, const char *folder_name)
{
    const kane_export_c_options options = {
        .directory = folder_name, .name = "m", .kernels = KANE_SOURCE_DIR, .settings = settings, .stepper = 1};
    (void)CHECK_GOOD(kane_export_c, source_file(run), &options);
    compile(folder_name, "example deadline libm.so CFLAGS='-std=c11 -O0 -Wall -Wextra -Werror'");
}

// The run by libkane: as "kane run" carries it out, and by its stepper.
typedef struct by_libkane {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_arena *arena;
    kane_channels *channels;
    kane_fixed_run *steps;
    int size, outputs;
    double h;
} by_libkane;

static by_libkane open_run(const char *run, const char *const *settings)
{
    by_libkane k                 = {.run = run_read(source_file(run), settings), .arena = kane_arena_create()};
    k.model                      = CHECK_GOOD(kane_run_create_model, k.run);
    const kane_run_definition *d = kane_run_get_definition(k.run);
    k.simulation                 = CHECK_GOOD(kane_simulation_create, k.model, &d->settings, &d->conditions);
    k.channels = CHECK_GOOD(kane_channels_create_model, k.model, d->output.pattern_count, d->output.patterns,
                            d->output.places);
    k.steps    = CHECK_GOOD(kane_fixed_run_create, k.arena, k.model, &d->settings, k.channels,
                            kane_simulation_time(k.simulation), kane_simulation_state(k.simulation), k.simulation->work);
    k.size     = kane_model_state_count(k.model);
    k.outputs  = kane_channels_count(k.channels);
    k.h        = d->settings.step;
    return k;
}

static void close_run(by_libkane *k)
{
    kane_fixed_run_free(k->steps);
    kane_channels_free(k->channels);
    kane_simulation_free(k->simulation);
    kane_model_free(k->model);
    kane_run_free(k->run);
    kane_arena_free(k->arena);
}

// Takes `count` steps with the exported model and by both ways of libkane. All bits are those of the stepper, and until the
// simulation has come to an event also its own: returns how many steps that were.
static int compare_steps(by_libkane *k, steps *e, int count, int every)
{
    CHECK_ERRORS errors = {0};
    double *own = numbers(k->size), *other = numbers(k->size), *rows = numbers(k->outputs), *same = numbers(k->outputs);
    int equal = 0;
    for (int i = 1; i <= count; i++) {
        assert_int_equal(kane_fixed_run_step(k->steps), KANE_OK);
        assert_int_equal(e->step(e->m), 0);
        const double t = kane_fixed_run_get(k->steps, own);
        assert_true(e->state(e->m, other) == t);
        same_bits("state", i, k->size, own, other);
        if (i % every == 0) {
            assert_int_equal(kane_fixed_run_read(k->steps, rows), KANE_OK);
            assert_int_equal(e->outputs(e->m, same), 0);
            same_bits("output", i, k->outputs, rows, same);
        }
        if (equal == i - 1 && kane_simulation_advance(k->simulation, t, &errors) == KANE_OK &&
            kane_simulation_time(k->simulation) == t &&
            memcmp(kane_simulation_state(k->simulation), own, (size_t)k->size * sizeof *own) == 0)
            equal = i;
    }
    free(own);
    free(other);
    free(rows);
    free(same);
    return equal;
}

CHECK_TEST(explore)
{
    const char *run = getenv("RUN"), *method = getenv("METHOD");
    const char *const settings[] = {method, "integrator.step=1ms", getenv("MORE"), NULL};
    export_steps(run, settings, "m");
    by_libkane k = open_run(run, settings);
    steps e      = load_steps("m");
    const int equal = compare_steps(&k, &e, atoi(getenv("COUNT")), 50);
    kane_statistics s;
    kane_simulation_statistics(k.simulation, &s);
    print_message("%s %s: %d equal, restarts %ld, t %g\n", run, method, equal, s.restarts, kane_simulation_time(k.simulation));
    unload_steps(&e);
    close_run(&k);
}

CHECK_MAIN(enter_folder, leave_folder)
