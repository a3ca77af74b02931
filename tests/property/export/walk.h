// SPDX-License-Identifier: MIT
// Walks through a run by the same steps with libkane and with what "kane export c" has made of it, and compares them
// bit by bit.

#ifndef KANE_TESTS_EXPORT_WALK_H
#define KANE_TESTS_EXPORT_WALK_H

#include "runs.h"
#include "folder.h"

#include <kane/kane.h>
#include <kane/outside.h>

#include "export/export.h"
#include "simulate/simulation.h"

#include <dlfcn.h>

// An exported model by its names, which all begin with "m_".
typedef struct exported {
    void *library, *memory, *m;
    size_t (*size)(void);
    void *(*begin)(void *memory);
    double (*state)(const void *m, double *y);
    int (*derivative)(void *m, double t, const double *y, double *ydot);
    int (*jacobian)(void *m, double t, const double *y, double *values);
    int (*outputs)(void *m, double t, const double *y, double *values);
    int (*indicators)(void *m, double t, const double *y, double *values);
    double (*next)(const void *m);
    int (*accept)(void *m, double t, const double *y, int *due);
    int (*event)(void *m, double t, double *y, int *jumped);
    const char *(*stopped)(const void *m);
    int (*set_input)(void *m, int input, double value);
    const int *column, *row;
} exported;

// libkane's own: a simulation that is integrated from outside.
typedef struct original {
    kane_run *run;
    kane_model *model;
    kane_work *work; // for kane_eval
    kane_simulation *simulation;
    kane_channels *channels;
    int size, entries, outputs, indicators;
} original;

static inline const char *source_file(const char *name)
{
    static char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, name);
    return path;
}

static inline void export_run(const char *run, const char *const *settings, const char *folder_name)
{
    const kane_export_c_options options = {
        .directory = folder_name, .name = "m", .kernels = KANE_SOURCE_DIR, .settings = settings};
    (void)CHECK_GOOD(kane_export_c, source_file(run), &options);
}

// Whether there is a compiler; tests that need one say so.
static inline int has_compiler(const char *name)
{
    return command_works("%s --version >compiler.txt 2>&1", name);
}

static inline void compile(const char *folder_name, const char *arguments)
{
    command_must("make -s -j2 -C %s %s", folder_name, arguments);
}

static inline void *find(const exported *e, const char *name)
{
    void *found = dlsym(e->library, name);
    if (!found)
        fail_msg("there is no %s", name);
    return found;
}

static inline exported load(const char *folder_name)
{
    char path[512];
    exported e;
    memset(&e, 0, sizeof e);
    (void)snprintf(path, sizeof path, "./%s/libm.so", folder_name);
    e.library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!e.library)
        fail_msg("%s", dlerror());
#define FIND(name)                                                                                                     \
    do {                                                                                                               \
        void *found = find(&e, "m_" #name);                                                                            \
        memcpy(&e.name, &found, sizeof found);                                                                         \
    } while (0)
    FIND(size);
    FIND(begin);
    FIND(state);
    FIND(derivative);
    FIND(jacobian);
    FIND(outputs);
    FIND(indicators);
    FIND(next);
    FIND(accept);
    FIND(event);
    FIND(stopped);
    FIND(set_input);
    FIND(column);
    FIND(row);
#undef FIND
    e.memory = aligned_alloc(64, e.size());
    e.m      = e.begin(e.memory);
    return e;
}

static inline void unload(exported *e)
{
    free(e->memory);
    (void)dlclose(e->library);
}

static inline original open_original(const char *run, const char *const *settings)
{
    original o                   = {.run = run_read(source_file(run), settings)};
    o.model                      = CHECK_GOOD(kane_run_create_model, o.run);
    const kane_run_definition *d = kane_run_get_definition(o.run);
    kane_settings own            = d->settings;
    own.integrator               = kane_outside_integrator();
    own.rods.inertia             = KANE_RODS_EXACT;
    o.simulation                 = CHECK_GOOD(kane_simulation_create, o.model, &own, &d->conditions);
    o.work                       = CHECK_GOOD(kane_work_create, o.model);
    o.channels =
        CHECK_GOOD(kane_channels_create, o.simulation, d->output.pattern_count, d->output.patterns, d->output.places);
    o.size       = kane_outside_size(o.simulation);
    o.entries    = kane_outside_pattern(o.simulation)->count;
    o.outputs    = kane_channels_count(o.channels);
    o.indicators = kane_outside_indicator_count(o.simulation);
    return o;
}

static inline void close_original(original *o)
{
    kane_channels_free(o->channels);
    kane_work_free(o->work);
    kane_simulation_free(o->simulation);
    kane_model_free(o->model);
    kane_run_free(o->run);
}

// Numbers that are not a number are alike, whatever they hold.
static inline void same_bits(const char *what, int step, int count, const double *a, const double *b)
{
    for (int i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            fail_msg("%s %d of %d after %d steps: %.17g, exported %.17g", what, i, count, step, a[i], b[i]);
}

typedef struct scratch {
    double *y, *z, *trial, *k[4], *ydot, *other, *before, *after, *values, *same;
} scratch;

static inline double *numbers(int count)
{
    double *list = calloc((size_t)count + 1, sizeof *list);
    assert_non_null(list);
    return list;
}

// Everything that can be asked for at (t, y). tolerance: 0: the same bits; else relative, where KLU has been replaced.
static inline void compare(const original *o, const exported *e, scratch *s, double t, int step)
{
    CHECK_ERRORS errors = {0};
    kane_work_copy(o->model, kane_simulation_work(o->simulation), o->work);
    const int status = kane_eval(o->model, o->work, t, s->y, s->ydot);
    if (o->size == kane_model_state_count(o->model)) {
        assert_int_equal(e->derivative(e->m, t, s->y, s->other), status);
        same_bits("rate", step, o->size, s->ydot, s->other);
    } else {
        (void)kane_outside_put(o->simulation, t, s->y);
        (void)kane_outside_rates(o->simulation, s->ydot, &errors);
        (void)e->derivative(e->m, t, s->y, s->other);
        same_bits("rate", step, o->size, s->ydot, s->other);
    }
    (void)kane_outside_put(o->simulation, t, s->y);
    assert_int_equal(kane_outside_slopes(o->simulation, s->values, &errors), e->jacobian(e->m, t, s->y, s->same));
    same_bits("entry", step, o->entries, s->values, s->same);
    (void)kane_outside_put(o->simulation, t, s->y);
    assert_int_equal(kane_channels_read(o->channels, o->simulation, s->values), e->outputs(e->m, t, s->y, s->same));
    same_bits("output", step, o->outputs, s->values, s->same);
}

static inline int step_once(const original *o, scratch *s, double t, double h)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < o->size; j++)
            s->z[j] = i == 0 ? s->y[j] : s->y[j] + at[i] * h * s->k[i - 1][j];
        (void)kane_outside_put(o->simulation, t + at[i] * h, s->z);
        if (kane_outside_rates(o->simulation, s->k[i], NULL) != KANE_OK)
            return 0;
    }
    memcpy(s->trial, s->y, (size_t)o->size * sizeof *s->trial);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < o->size; j++)
            s->trial[j] += weight[i] * h / 6.0 * s->k[i][j];
    return 1;
}

static inline int has_crossed(const original *o, scratch *s, double t)
{
    int crossed = 0;
    (void)kane_outside_put(o->simulation, t, s->trial);
    if (kane_outside_indicators(o->simulation, s->after, NULL) != KANE_OK)
        return 1;
    for (int i = 0; i < o->indicators; i++)
        crossed |= (s->before[i] > 0.0) != (s->after[i] > 0.0);
    return crossed;
}

static inline double find_crossing(const original *o, scratch *s, double t, double h)
{
    double low = 0.0, high = h;
    while (high - low > 1e-12 * (1.0 + t)) {
        const double middle = 0.5 * (low + high);
        if (!step_once(o, s, t, middle) || has_crossed(o, s, t + middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

// What happened on the way.
typedef struct walked {
    int steps, events, jumps;
    double time, drift; // drift: largest difference of the states behind events, relative
} walked;

// An event on both sides; states behind it are compared, and go on as libkane's. `exact`: with the same bits.
static inline void pass_event(const original *o, const exported *e, scratch *s, double t, int exact, walked *w)
{
    int jumped, other_jumped;
    CHECK_ERRORS errors = {0};
    memcpy(s->other, s->y, (size_t)o->size * sizeof *s->y);
    (void)kane_outside_put(o->simulation, t, s->y);
    const int status = kane_outside_event(o->simulation, &jumped, &errors);
    assert_int_equal(e->event(e->m, t, s->other, &other_jumped), status);
    assert_int_equal(jumped, other_jumped);
    memcpy(s->y, kane_simulation_state(o->simulation), (size_t)o->size * sizeof *s->y);
    if (exact)
        same_bits("state behind an event", w->steps, o->size, s->y, s->other);
    for (int i = 0; i < o->size; i++)
        w->drift = fmax(w->drift, fabs(s->y[i] - s->other[i]) / (1.0 + fabs(s->y[i])));
    w->events++;
    w->jumps += jumped;
}

// Goes through a run in steps of h, compares at every `every`-th step and behind every event.
static inline walked walk(const original *o, const exported *e, double h, int steps, int every, int exact)
{
    scratch s      = {numbers(o->size), numbers(o->size),       numbers(o->size),       {0},  numbers(o->size),
                      numbers(o->size), numbers(o->indicators), numbers(o->indicators), NULL, NULL};
    const int most = o->entries > o->outputs ? o->entries : o->outputs;
    walked w       = {0};
    int due, other_due;
    for (int i = 0; i < 4; i++)
        s.k[i] = numbers(o->size);
    s.values = numbers(most);
    s.same   = numbers(most);
    assert_true(e->state(e->m, s.other) == kane_simulation_time(o->simulation));
    memcpy(s.y, kane_simulation_state(o->simulation), (size_t)o->size * sizeof *s.y);
    same_bits("state", 0, o->size, s.y, s.other);
    for (int i = 0; i <= o->size; i++)
        assert_int_equal(kane_outside_pattern(o->simulation)->column_start[i], e->column[i]);
    for (int i = 0; i < o->entries; i++)
        assert_int_equal(kane_outside_pattern(o->simulation)->row[i], e->row[i]);
    double t = kane_simulation_time(o->simulation);
    pass_event(o, e, &s, t, exact, &w);
    compare(o, e, &s, t, 0);
    while (w.steps < steps && kane_simulation_stop(o->simulation) == KANE_STOP_NONE) {
        const double next = kane_outside_next(o->simulation);
        assert_true(next == e->next(e->m));
        double length = fmin(h, next - t);
        int event     = 0;
        (void)kane_outside_put(o->simulation, t, s.y);
        (void)kane_outside_indicators(o->simulation, s.before, NULL);
        (void)e->indicators(e->m, t, s.y, s.after);
        same_bits("indicator", w.steps, o->indicators, s.before, s.after);
        if (!step_once(o, &s, t, length))
            break;
        if (has_crossed(o, &s, t + length)) {
            length = find_crossing(o, &s, t, length);
            event  = 1;
            if (!step_once(o, &s, t, length))
                break;
        }
        t = length < h && !event ? next : t + length;
        memcpy(s.y, s.trial, (size_t)o->size * sizeof *s.y);
        w.steps++;
        (void)kane_outside_put(o->simulation, t, s.y);
        const int status = kane_outside_complete(o->simulation, &due, NULL);
        assert_int_equal(e->accept(e->m, t, s.y, &other_due), status);
        assert_int_equal(due, other_due);
        if (status != KANE_OK)
            break;
        if (event || due || t >= next)
            pass_event(o, e, &s, t, exact, &w);
        if (w.steps % every == 0 || event || t >= next)
            compare(o, e, &s, t, w.steps);
    }
    assert_int_equal(kane_simulation_stop(o->simulation) != KANE_STOP_NONE, e->stopped(e->m) != NULL);
    w.time          = t;
    double *lists[] = {s.y,    s.z,     s.trial,  s.k[0],  s.k[1],   s.k[2], s.k[3],
                       s.ydot, s.other, s.before, s.after, s.values, s.same};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]);
    return w;
}

#endif
