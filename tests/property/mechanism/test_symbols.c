// SPDX-License-Identifier: MIT
// Numbers of files that stay symbols: a tape with other values of them is what kane_eval gives of a model that is
// compiled with these, and with those of the files what it was.

#include "folder.h"
#include "runs.h"

#include <kane/kane.h>

#include "record/parameters.h"

#include <dlfcn.h>

static kane_errors errors;

enum { MOST = 5 };

// A run, its parameters, and other values of them: those of the file times `factor`, plus `more`.
static const struct {
    const char *run;
    double time; // of a second state
    const char *parameters[MOST];
    double factor[MOST], more[MOST];
} cases[] = {
    {"mechanism-rear-corner",
     0.02,
     {"elements.spring.stiffness", "elements.spring.damping", "elements.spring.free_length"},
     {1.7, 0.4, 1.05},
     {0}},
    {"mechanism-rear-corner",
     0.02,
     {"elements.spring.at[0]", "elements.spring.to[2]", "elements.spring.stiffness"},
     {1.4, 0.8, 2.0},
     {0}},
    {"mechanism-rear-corner",
     0.01,
     {"constraints.toe.at[0]", "constraints.toe.mass", "bodies.knuckle.mass"},
     {1.02, 3.0, 1.6},
     {0}},
    {"mechanism-rear-corner",
     0.01,
     {"bodies.knuckle.inertia[1]", "bodies.knuckle.at[1]", "bodies.knuckle.mass", "gravity"},
     {1.2, 0.9, 0.5, 0.2},
     {0}},
    {"mechanism-four-bar",
     0.05,
     {"bodies.coupler.joint.at[0]", "constraints.pin.at[0]", "bodies.coupler.mass"},
     {1.05, 1.02, 2.0},
     {0}},
    {"mechanism-two-loops", 0.05, {"mechanism.patterns.upright.mass"}, {1.5}, {0}},
    {"mechanism-bench", 0.5, {"elements.specimen.stiffness", "elements.specimen.coefficient"}, {1.5, 0.7}, {0}},
    {"mechanism-slider-crank", 0.01, {"bodies.crank.mass", "bodies.crank.inertia[0]"}, {1.5, 1.0}, {0, 2e-4}},
    {"mechanism-crane",
     0.3,
     {"bodies.trolley.joint.motion.travel.sine.amplitude", "bodies.trolley.joint.motion.travel.sine.angular_frequency"},
     {1.5, 0.7},
     {0}},
    {"mechanism-ship-crane",
     0.5,
     {"frames.ship.motion.roll.sine.amplitude", "frames.ship.motion.z.sine.amplitude",
      "frames.ship.motion.pitch.sine.phase"},
     {2.0, 0.5, 1.1},
     {0}},
    {"mechanism-hexapod", 0.02, {"bodies.platform.mass", "bodies.platform.inertia[0]"}, {1.6, 1.1}, {0}},
    {"mechanism-sedan", // whose static loads are solved for
     0.02,
     {"bodies.chassis.at[0]", "elements.\"front left spring\".stiffness", "bodies.chassis.mass", "mechanism.gravity"},
     {1.0, 1.3, 1.1, 0.9},
     {0.1}},
    {"mechanism-sedan",
     0.02,
     {"bodies.chassis.mass", "bodies.rack.joint.motion.travel.sine.amplitude"},
     {1.2, 0.5},
     {0}},
};

typedef struct subject {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_work *work;
    double *ydot;
} subject;

static char settings[MOST][300];

static void subject_open(subject *s, const char *name, const double *values, int number)
{
    const char *list[MOST + 1] = {NULL};
    for (int i = 0; values && cases[number].parameters[i]; i++) {
        (void)snprintf(settings[i], sizeof settings[i], "%s=%.17g", cases[number].parameters[i], values[i]);
        list[i] = settings[i];
    }
    s->run        = run_read(name, list);
    s->model      = CHECK_GOOD(kane_run_create_model, s->run);
    s->simulation = CHECK_GOOD(kane_run_create_simulation, s->run, s->model);
    s->work       = CHECK_GOOD(kane_work_create, s->model);
    s->ydot       = calloc((size_t)kane_model_state_count(s->model) + 1, sizeof *s->ydot);
}

static void subject_close(subject *s)
{
    free(s->ydot);
    kane_work_free(s->work);
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

static kane_recording *record(const char *name, const char *const *parameters, kane_record_what what)
{
    char file[512];
    kane_record_options o           = kane_record_options_default();
    const kane_record_source source = {.file = file, .parameters = parameters};
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, name);
    o.what = what;
    return kane_record_run(&source, &o, &errors);
}

// The largest difference of the tape from an evaluation, against the largest number, where the simulation is.
static double gap(const subject *s, const kane_recording *r, const double *values)
{
    const int n    = kane_model_state_count(s->model);
    const double t = kane_simulation_time(s->simulation), *y = kane_simulation_state(s->simulation);
    double *symbols = calloc((size_t)r->symbol_count, sizeof *symbols), worst = 0.0, size = 1.0;
    CHECK_MEMORY double *tape = calloc((size_t)r->tape.count, sizeof *tape);
    CHECK_MEMORY double *out  = calloc((size_t)kane_record_output_count(r) + 1, sizeof *out);
    memcpy(symbols, r->start, (size_t)r->symbol_count * sizeof *symbols);
    symbols[0] = t;
    memcpy(symbols + 1, y, (size_t)n * sizeof *y);
    for (int i = 0; i < r->parameter_count; i++)
        symbols[kane_record_parameter(r, i)] = values[i];
    assert_true(kane_record_play(r, symbols, tape, out));
    kane_work_copy(s->model, kane_simulation_work(s->simulation), s->work);
    assert_int_equal(kane_eval(s->model, s->work, t, y, s->ydot), KANE_OK);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, isfinite(out[i]) ? fabs(out[i] - s->ydot[i]) : HUGE_VAL);
        size  = fmax(size, fabs(s->ydot[i]));
    }
    free(symbols);
    return worst / size;
}

CHECK_TEST(other_values_are_those_of_another_model)
{
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
        subject s;
        double values[MOST], own[MOST];
        int moved         = 0;
        kane_recording *r = record(cases[k].run, cases[k].parameters, KANE_RECORD_RATES);
        check_no_errors(&errors);
        for (int i = 0; i < r->parameter_count; i++) {
            own[i]    = r->start[kane_record_parameter(r, i)];
            values[i] = cases[k].factor[i] * own[i] + cases[k].more[i];
            assert_string_equal(r->symbol[kane_record_parameter(r, i)], cases[k].parameters[i]);
        }
        for (int is_other = 0; is_other < 2; is_other++) {
            subject_open(&s, cases[k].run, is_other ? values : NULL, k);
            for (int at = 0; at < 2; at++) {
                const double time = at * cases[k].time;
                assert_int_equal(kane_simulation_advance(s.simulation, time, &errors), KANE_OK);
                const double found = gap(&s, r, is_other ? values : own);
                if (!(found <= check_tolerance(1e-12)))
                    fail_msg("%s (%s, ...) at %g s, %s values: %g", cases[k].run, cases[k].parameters[0], time,
                             is_other ? "other" : "its own", found);
                moved += is_other && gap(&s, r, own) > 1e-6; // these parameters do something
            }
            subject_close(&s);
        }
        assert_true(moved > 0);
        kane_record_free(r);
    }
}

// More than a number may depend on: all moments of inertia of the sedan.
CHECK_TEST(many_numbers_stay_symbols)
{
    enum { BODIES = 14, MANY = 3 * BODIES };
    static const char *const bodies[BODIES] = {"chassis",
                                               "rack",
                                               "front left arm",
                                               "front left strut",
                                               "front left knuckle",
                                               "front left wheel",
                                               "rear left knuckle",
                                               "rear left wheel",
                                               "front right arm",
                                               "front right strut",
                                               "front right knuckle",
                                               "front right wheel",
                                               "rear right knuckle",
                                               "rear right wheel"};
    static char path[MANY][80], setting[MANY][120];
    const char *paths[MANY + 1] = {NULL}, *list[MANY + 1] = {NULL};
    double values[MANY], own[MANY];
    subject s;
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(path[i], sizeof path[i], "mechanism.bodies.\"%s\".inertia[%d]", bodies[i / 3], i % 3);
        paths[i] = path[i];
    }
    kane_recording *r = record("mechanism-sedan", paths, KANE_RECORD_RATES);
    check_no_errors(&errors);
    for (int i = 0; i < MANY; i++) {
        own[i]    = r->start[kane_record_parameter(r, i)];
        values[i] = own[i] * (1.2 + 0.01 * (i / 3 % 7));
        (void)snprintf(setting[i], sizeof setting[i], "%s=%.17g", path[i], values[i]);
        list[i] = setting[i];
    }
    s.run        = run_read("mechanism-sedan", list);
    s.model      = CHECK_GOOD(kane_run_create_model, s.run);
    s.simulation = CHECK_GOOD(kane_run_create_simulation, s.run, s.model);
    s.work       = CHECK_GOOD(kane_work_create, s.model);
    s.ydot       = calloc((size_t)kane_model_state_count(s.model) + 1, sizeof *s.ydot);
    for (int at = 0; at < 2; at++) {
        assert_int_equal(kane_simulation_advance(s.simulation, 0.01 * at, &errors), KANE_OK);
        check_below(gap(&s, r, values), 1e-12);
    }
    assert_true(gap(&s, r, own) > 1e-6);
    subject_close(&s);
    kane_record_free(r);
}

typedef int function(double t, const double *y, const double *p, double *out);

// The C that is written takes them as an array, and says in its head which they are.
CHECK_TEST(written_source_takes_them)
{
    const int number = 1; // of the cases: a point, another one, stiffness
    const char *name = cases[number].run;
    subject s;
    function *f;
    kane_recording *r           = record(name, cases[number].parameters, KANE_RECORD_RATES);
    const kane_emit_options how = {.function = "recorded", .lanes = 1};
    double other[MOST];
    check_no_errors(&errors);
    FILE *source = fopen("recorded.c", "w");
    kane_record_emit(r, KANE_EMIT_C, &how, source);
    assert_int_equal(fclose(source), 0);
    assert_non_null(strstr(content("recorded.c"), "2  elements.spring.stiffness = 40000 in the files\n"));
    command_must("cc -std=c11 -O0 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC -o symbols.so recorded.c -lm");
    void *handle = dlopen("./symbols.so", RTLD_NOW | RTLD_LOCAL);
    void *symbol = dlsym(handle, "recorded");
    memcpy(&f, &symbol, sizeof f);
    for (int i = 0; i < 3; i++)
        other[i] = r->start[kane_record_parameter(r, i)] + (i == 2 ? 50e3 : 0.05);
    subject_open(&s, name, other, number);
    const int n = kane_model_state_count(s.model);
    double *out = calloc((size_t)n, sizeof *out);
    assert_int_equal(f(0.0, kane_simulation_state(s.simulation), other, out), 1);
    kane_work_copy(s.model, kane_simulation_work(s.simulation), s.work);
    assert_int_equal(kane_eval(s.model, s.work, 0.0, kane_simulation_state(s.simulation), s.ydot), KANE_OK);
    for (int i = 0; i < n; i++)
        if (!(fabs(out[i] - s.ydot[i]) <= check_tolerance(1e-12) * (1.0 + fabs(s.ydot[i]))))
            fail_msg("rate %d: %g, %g", i, out[i], s.ydot[i]);
    free(out);
    subject_close(&s);
    (void)dlclose(handle);
    kane_record_free(r);
}

// What no formula is found for, and what is no number, says so.
CHECK_TEST(what_cannot_stay_says_why)
{
    static const struct {
        const char *run, *parameters[3], *message;
    } wrong[] = {
        {"mechanism-rear-corner", {"elements.spring.lax"}, "'elements.spring.lax' is not in the file"},
        {"mechanism-rear-corner", {"elements.spring.law"}, "is no number or quantity (found the text 'spring')"},
        {"mechanism-rear-corner",
         {"bodies.knuckle.mass", "mechanism.bodies.knuckle.mass"},
         "is the same as 'bodies.knuckle.mass'"},
        {"mechanism-slider-crank", {"bodies.crank.inertia[2]"}, "cannot be made with values near its own"},
        {"mechanism-four-bar",
         {"until.time"},
         "'until.time' cannot stay a symbol: nothing in the equations depends on it"},
        {"mechanism-bench",
         {"bodies.crosshead.joint.motion.travel.table.x[1]"},
         "'bodies.crosshead.joint.motion.travel.table.x[1]' cannot stay a symbol: a number that the equations need"},
    };
    for (int k = 0; k < (int)(sizeof wrong / sizeof *wrong); k++) {
        char text[900] = "";
        int is_told    = 0;
        kane_errors_free(&errors);
        assert_null(record(wrong[k].run, wrong[k].parameters, KANE_RECORD_RATES));
        for (int i = 0; i < errors.kept; i++) {
            (void)kane_error_format(kane_errors_get(&errors, i), sizeof text, text);
            is_told |= strstr(text, wrong[k].message) != NULL;
        }
        if (!is_told)
            fail_msg("%s: %s", wrong[k].parameters[0], text);
    }
    kane_errors_free(&errors);
}

CHECK_MAIN(enter_folder, leave_folder)
