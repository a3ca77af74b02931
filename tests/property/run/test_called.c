// SPDX-License-Identifier: MIT
// Vehicles on a line as recorded equations, which call the line and the contact of wheels: carried out along their runs, across borders
// of the line, they are what kane_eval gives; so is the C that is written of them.

#include "check.h"
#include "folder.h"

#include <kane/kane.h>

#include "record/parameters.h"

#include <dlfcn.h>

static kane_errors errors;

static void check_no_errors(const char *what)
{
    char text[900];
    if (errors.count > 0) {
        (void)kane_error_format(&errors.kept[0], sizeof text, text);
        fail_msg("%s: %s", what, text);
    }
}

typedef struct subject {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_work *work;
    kane_caller caller;
    int n;
    double *ydot, *out;
} subject;

static char file[512];

static void subject_open(subject *s, const char *name, const char *const *settings)
{
    const kane_run_options how = {.settings = settings};
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, name);
    s->run        = kane_run_read(file, &how, &errors);
    s->model      = s->run ? kane_run_create_model(s->run, &errors) : NULL;
    s->simulation = s->model ? kane_run_create_simulation(s->run, s->model, &errors) : NULL;
    s->work       = s->model ? kane_work_create(s->model, &errors) : NULL;
    check_no_errors(name);
    s->caller = (kane_caller){s->model, s->work};
    s->n      = kane_model_state_count(s->model);
    s->ydot   = calloc((size_t)s->n, sizeof *s->ydot);
    s->out    = calloc((size_t)s->n, sizeof *s->out);
}

static void subject_close(subject *s)
{
    free(s->out);
    free(s->ydot);
    kane_work_free(s->work);
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

// On to a time, and what kane_eval gives there.
static void go_to(subject *s, double t)
{
    (void)kane_simulation_advance(s->simulation, t, &errors);
    check_no_errors("on the way");
    kane_work_copy(s->model, kane_simulation_work(s->simulation), s->work);
    assert_int_equal(kane_eval(s->model, s->work, kane_simulation_time(s->simulation),
                               kane_simulation_state(s->simulation), s->ydot),
                     KANE_OK);
}

// The largest difference against the largest rate.
static double difference(const subject *s)
{
    double worst = 0.0, size = 1.0;
    for (int i = 0; i < s->n; i++) {
        worst = fmax(worst, isfinite(s->out[i]) ? fabs(s->out[i] - s->ydot[i]) : HUGE_VAL);
        size  = fmax(size, fabs(s->ydot[i]));
    }
    return worst / size;
}

static kane_recording *record(const char *const *parameters, kane_record_what what)
{
    kane_record_options o           = kane_record_options_default();
    const kane_record_source source = {.file = file, .parameters = parameters};
    o.what                          = what;
    return kane_record_run(&source, &o, &errors);
}

static int play(const subject *s, kane_recording *r, const double *parameters)
{
    double *symbols = calloc((size_t)r->symbol_count, sizeof *symbols);
    double *tape    = calloc((size_t)r->tape.count, sizeof *tape);
    symbols[0]      = kane_simulation_time(s->simulation);
    memcpy(symbols + 1, kane_simulation_state(s->simulation), (size_t)s->n * sizeof *symbols);
    for (int i = 0; i < r->argument[KANE_GROUP_INPUT].count; i++)
        symbols[r->argument[KANE_GROUP_INPUT].first + i] = r->start[r->argument[KANE_GROUP_INPUT].first + i];
    for (int i = 0; i < r->parameter_count; i++)
        symbols[kane_record_parameter(r, i)] = parameters[i];
    r->answer      = kane_call;
    r->caller      = (void *)(uintptr_t)&s->caller;
    const int good = kane_record_play(r, symbols, tape, s->out);
    free(tape);
    free(symbols);
    return good;
}

static void tapes_that_call_are_evaluations(void **state)
{
    static const struct {
        const char *name;
        double times[3];
        int calls;
    } runs[] = {
        {"wagon-transition", {0.0, 3.0, 9.0}, 8}, // travel, lines of three frames, four contacts
        {"wagon-irregular", {0.0, 1.0, 2.0}, 12}, // and four rails
        {"wagon-driven", {0.0, 1.0, 3.0}, 7},     // whose travel is in its state
        {"coach-curve", {0.0, 0.5, 1.0}, 16},     {"sedan-circle", {0.0, 0.2, 0.5}, 4},
    };
    (void)state;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        subject s;
        subject_open(&s, runs[k].name, NULL);
        kane_recording *r = record(NULL, KANE_RECORD_RATES);
        check_no_errors(runs[k].name);
        assert_int_equal(r->counts[KANE_OP_CALL], runs[k].calls);
        for (int i = 0; i < 3; i++) {
            go_to(&s, runs[k].times[i]);
            assert_true(play(&s, r, NULL));
            const double gap = difference(&s);
            if (!(gap <= check_tolerance(1e-12)))
                fail_msg("%s at %g s: %g", runs[k].name, runs[k].times[i], gap);
        }
        double *tape = calloc((size_t)r->tape.count, sizeof *tape);
        r->answer    = NULL; // nobody answers
        assert_false(kane_record_play(r, r->start, tape, s.out));
        free(tape);
        kane_record_free(r);
        subject_close(&s);
    }
}

typedef int function(double t, const double *y, int (*call)(void *, int, const double *, double *), void *caller,
                     double *out);

static void c_that_calls_is_an_evaluation(void **state)
{
    static const double times[] = {0.0, 2.0, 5.0, 9.0};
    subject s;
    function *f;
    (void)state;
    subject_open(&s, "wagon-transition", NULL);
    kane_recording *r           = record(NULL, KANE_RECORD_RATES);
    const kane_emit_options how = {.function = "recorded", .lanes = 1};
    check_no_errors("wagon-transition");
    FILE *source = fopen("recorded.c", "w");
    kane_record_emit(r, KANE_EMIT_C, &how, source);
    assert_int_equal(fclose(source), 0);
    assert_non_null(strstr(content("recorded.c"), "and 8 calls"));
    assert_non_null(strstr(content("recorded.c"), "contact of 'leading', left"));
    if (system(
            "cc -std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC -o recorded.so recorded.c -lm >log 2>&1") !=
        0)
        fail_msg("%s", content("log"));
    void *handle = dlopen("./recorded.so", RTLD_NOW | RTLD_LOCAL);
    void *symbol = dlsym(handle, "recorded");
    memcpy(&f, &symbol, sizeof f);
    for (int i = 0; i < 4; i++) {
        go_to(&s, times[i]);
        assert_int_equal(
            f(kane_simulation_time(s.simulation), kane_simulation_state(s.simulation), kane_call, &s.caller, s.out), 1);
        const double gap = difference(&s);
        if (!(gap <= check_tolerance(1e-12)))
            fail_msg("at %g s: %g", times[i], gap);
    }
    (void)dlclose(handle);
    kane_record_free(r);
    subject_close(&s);
}

// Suspension and masses stay symbols beside calls: the tape with other values is another wagon.
static void parameters_stay_symbols_beside_calls(void **state)
{
    static const char *const parameters[] = {"vehicle.patterns.axlebox.stiffness[1]",
                                             "vehicle.patterns.axlebox.damping[2]", "vehicle.bodies.body.inertia[0]",
                                             NULL};
    static const char *const settings[]   = {"vehicle.patterns.axlebox.stiffness[1]=0.9e6",
                                             "vehicle.patterns.axlebox.damping[2]=55e3",
                                             "vehicle.bodies.body.inertia[0]=16000", NULL};
    const double values[]                 = {0.9e6, 55e3, 16000.0};
    subject s;
    (void)state;
    subject_open(&s, "wagon-transition", settings);
    kane_recording *r = record(parameters, KANE_RECORD_RATES);
    check_no_errors("wagon-transition");
    for (int i = 0; i < 2; i++) {
        go_to(&s, 2.0 * i);
        assert_true(play(&s, r, values));
        const double gap = difference(&s);
        if (!(gap <= check_tolerance(1e-12)))
            fail_msg("at %g s: %g", 3.0 * i, gap);
    }
    kane_record_free(r);
    subject_close(&s);
}

// A number that what is called depends on, and derivatives of it, are refused.
static void what_is_called_says_what_it_is_not(void **state)
{
    static const struct {
        const char *parameters[2], *message;
    } wrong[] = {
        {{"start.at"}, "'start.at' cannot stay a symbol: what is called, travel, depends on it"},
        {{"vehicle.patterns.wheelset.radius"}, "'vehicle.patterns.wheelset.radius' cannot stay a symbol"},
        {{"vehicle.bodies.body.mass"}, "how deep wheels sink into their rails at rest depends on it in no closed form"},
        {{"track.rail.friction"}, "'track.rail.friction' is of the line"},
    };
    char text[900];
    (void)state;
    (void)snprintf(file, sizeof file, "%s/data/runs/wagon-transition.json", KANE_SOURCE_DIR);
    errors = (kane_errors){0};
    assert_null(record(NULL, KANE_RECORD_JACOBIAN));
    (void)kane_error_format(&errors.kept[0], sizeof text, text);
    assert_non_null(strstr(text, "calls have no derivatives"));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        errors = (kane_errors){0};
        assert_null(record(wrong[k].parameters, KANE_RECORD_RATES));
        (void)kane_error_format(&errors.kept[0], sizeof text, text);
        if (!strstr(text, wrong[k].message))
            fail_msg("%s: %s", wrong[k].parameters[0], text);
    }
    (void)snprintf(file, sizeof file, "%s/data/runs/feve-curve.json", KANE_SOURCE_DIR);
    errors = (kane_errors){0};
    assert_null(record(NULL, KANE_RECORD_RATES));
    (void)kane_error_format(&errors.kept[0], sizeof text, text);
    assert_non_null(strstr(text, "feve-3000.json:"));
    assert_non_null(strstr(text, "its rails guide it as constraints"));
    errors = (kane_errors){0};
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tapes_that_call_are_evaluations),
        cmocka_unit_test(c_that_calls_is_an_evaluation),
        cmocka_unit_test(parameters_stay_symbols_beside_calls),
        cmocka_unit_test(what_is_called_says_what_it_is_not),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
