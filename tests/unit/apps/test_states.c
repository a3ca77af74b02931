// SPDX-License-Identifier: MIT
// States in files: a run cut in two processes is the run in one; what is read has the bits that were written; states of
// other models are refused.

#include "runs.h"
#include "unit/apps/program.h"

// --- in two processes ---

// Largest difference of places [m] and angles [rad] in the last rows of two result files.
static double last_difference(const char *one, const char *other, double *time)
{
    CHECK_ERRORS errors          = {0};
    CHECK_OWNED(kane_results) *a = kane_results_open(one, &errors), *b = kane_results_open(other, &errors);
    double most = 0.0;
    check_no_errors(&errors);
    const int count    = kane_results_column_count(a);
    const long rows[2] = {kane_results_row_count(a), kane_results_row_count(b)};
    assert_int_equal(count, kane_results_column_count(b));
    for (int i = 0; i < count; i++) {
        const kane_column *column = kane_results_column(a, i);
        const double x = kane_results_values(a, i)[rows[0] - 1], y = kane_results_values(b, i)[rows[1] - 1];
        const int is_place = strcmp(column->unit, "m") == 0 || strcmp(column->unit, "rad") == 0;
        if (strcmp(column->name, "time") == 0) {
            *time = x;
            check_near(y, x, 1e-9);
        } else if (is_place && !strstr(column->name, "pitch") && fabs(x) < 100.0) {
            most = fmax(most, fabs(x - y));
        }
    }
    return most;
}

#define TIGHT                                                                                                          \
    "integrator.rtol=1e-8", "-s", "integrator.atol_position=1e-10", "-s", "integrator.atol_angle=1e-10", "-s",         \
        "integrator.atol_velocity=1e-9", "-s", "integrator.atol_angular_velocity=1e-9"

// Over borders of the track (first ones), with states of dry friction (link wagon), a driven vehicle (motor wagon), and
// independent speeds that have been chosen anew (the last two).
CHECK_TEST(a_run_in_two_processes_is_the_run_in_one)
{
    static const struct {
        const char *run, *cut, *end;
        double tolerance; // as a restart of the integrator has it
    } rows[] = {
        {"soft-wagon-transition", "until.distance=60", "until.distance=100", 0.0}, // both restart at this border
        {"soft-wagon-transition", "until.distance=57", "until.distance=100", 1e-6},
        {"link-wagon-transition", "until.distance=57", "until.distance=110", 1e-6},
        {"motor-wagon", "until.time=4.003", "until.time=8", 1e-6},
        {"wagon-four-bar", "until.time=3", "until.time=5", 1e-6},
        {"mechanism-two-loops", "until.time=4", "until.time=6", 1e-5}, // passes singular positions
    };
    double time;
    char run[512];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)snprintf(run, sizeof run, "%s/data/runs/%s.json", KANE_SOURCE_DIR, rows[i].run);
        assert_int_equal(CALL("run", run, "-q", "-F", "csv", "-o", "whole", "-s", TIGHT, "-s", rows[i].end), 0);
        assert_int_equal(CALL("run", run, "-q", "-F", "csv", "-o", "half", "-s", TIGHT, "-s", rows[i].cut,
                              "--save-state", "cut.state"),
                         0);
        assert_int_equal(CALL("run", run, "-q", "-F", "csv", "-o", "rest", "-s", TIGHT, "-s", rows[i].end,
                              "--from-state", "cut.state"),
                         0);
        const double off = last_difference("whole/results.csv", "rest/results.csv", &time);
        check_near(off, 0.0, rows[i].tolerance);
        assert_non_null(strstr(content("rest/manifest.json"), "\"in\": \"state\""));
    }
}

// --- in one ---

typedef struct way {
    kane_run *run;
    kane_run_definition definition;
    kane_model *model;
    kane_simulation *simulation;
} way;

static way open_run(const char *name, const char *const *settings)
{
    way w                        = {0};
    w.run                        = run_read(name, settings);
    const kane_run_definition *d = kane_run_get_definition(w.run);
    w.definition                 = *d;
    w.model                      = run_model(d);
    w.simulation                 = run_simulation(w.model, d);
    return w;
}

static void close_run(way *w)
{
    kane_simulation_free(w->simulation);
    kane_model_free(w->model);
    kane_run_free(w->run);
}

static void check_bits(const kane_model *model, const kane_state *a, const kane_state *b)
{
    const size_t states = (size_t)kane_model_state_count(model);
    double *rates[2]    = {calloc(states, sizeof(double)), calloc(states, sizeof(double))};
    assert_int_equal(a->count, b->count);
    assert_memory_equal(&a->t, &b->t, sizeof a->t);
    assert_memory_equal(a->y, b->y, (size_t)a->count * sizeof *a->y);
    for (int k = 0; k < 2; k++) {
        CHECK_OWNED(kane_work) *work = kane_work_create(model, NULL);
        const kane_state *of         = k == 0 ? a : b;
        assert_int_equal(kane_work_set_discrete(model, work, of->discrete), KANE_OK);
        assert_int_equal(kane_eval(model, work, of->t, of->y, rates[k]), KANE_OK);
    }
    assert_memory_equal(rates[0], rates[1], states * sizeof(double));
    free(rates[0]);
    free(rates[1]);
}

// With the work of drive, elements and contacts, between two steps, in a model of its own.
CHECK_TEST(a_state_is_read_with_the_bits_that_were_written)
{
    static const char *const runs[]     = {"motor-wagon", "link-wagon-transition", "wagon-four-bar", "mechanism-l15"};
    static const char *const settings[] = {"output.work=true", NULL};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        CHECK_ERRORS errors = {0};
        way one = open_run(runs[i], settings), other = open_run(runs[i], settings);
        assert_int_equal(CHECK_GOOD(kane_simulation_advance, one.simulation, i < 3 ? 5.0123 : 0.3), KANE_OK);
        kane_state *was = CHECK_GOOD(kane_simulation_get_state, one.simulation);
        assert_int_equal(CHECK_GOOD(kane_state_write, "state", one.model, was), KANE_OK);
        kane_state *is = CHECK_GOOD(kane_state_read, "state", other.model);
        assert_int_equal(is->count, kane_model_state_count(one.model) + 4);
        check_bits(other.model, was, is);
        assert_int_equal(kane_simulation_resume(other.simulation, is, &errors), KANE_OK);
        check_near(kane_simulation_time(other.simulation), was->t, 0.0);
        assert_memory_equal(kane_simulation_state(other.simulation), was->y, (size_t)was->count * sizeof *was->y);
        kane_state_free(was);
        kane_state_free(is);
        close_run(&one);
        close_run(&other);
    }
}

// --- what is refused ---

static void check_refusal(const char *run, const char *const *settings, const char *text)
{
    CHECK_ERRORS errors = {0};
    char found[1200];
    way w = open_run(run, settings);
    assert_null(kane_state_read("state", w.model, &errors));
    assert_true(errors.count > 0);
    (void)kane_error_format(kane_errors_get(&errors, 0), sizeof found, found);
    if (strncmp(found, "state:", 6) != 0 || !strstr(found, text))
        fail_msg("'%s' does not say '%s'", found, text);
    close_run(&w);
}

CHECK_TEST(a_state_of_another_model_is_refused)
{
    static const char *const none[] = {NULL}, *const fixed[] = {"formulation=fixed", NULL};
    static const char *const heavy[]  = {"vehicle.bodies.body.mass=31 t", NULL};
    static const char *const slower[] = {"start.speed=15.1", NULL};
    CHECK_ERRORS errors               = {0};
    way w                             = open_run("wagon-transition", none);
    assert_int_equal(kane_simulation_advance(w.simulation, 2.0, &errors), KANE_OK);
    kane_state *saved = kane_simulation_get_state(w.simulation, &errors);
    assert_int_equal(kane_state_write("state", w.model, saved, &errors), KANE_OK);
    kane_state_free(saved);
    close_run(&w);
    check_refusal("wagon-transition", fixed,
                  "formulation: is a state of the formulation \"moving\", the model has \"fixed\"");
    check_refusal("wagon-transition", heavy, "is a state of another model: the rate of '");
    check_refusal("wagon-transition", slower, "is a state of another model: the rate of '");
    check_refusal("motor-wagon", none, "is a state of another model: '");
    check_refusal("mechanism-crane", none, "is a state of another model: '");
}

static void put(const char *text)
{
    FILE *file = fopen("state", "w");
    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

CHECK_TEST(what_is_no_state_is_refused)
{
    static const char *const none[] = {NULL};
    put("{ \"kane\": \"run 1\" }");
    check_refusal("mechanism-pendulum", none, "expected \"state 1\"");
    put("{ \"kane\": \"state 2\" }");
    check_refusal("mechanism-pendulum", none, "version 2 of state files is not known; known: 1");
    put("{ \"kane\": \"state 1\", \"time\": 1 }");
    check_refusal("mechanism-pendulum", none, "'formulation' is missing");
    put("{ \"kane\": \"state 1\", \"time\": 1, \"formulation\": \"moving\", \"constraints\": \"coefficients\", "
        "\"discrete\": { \"pieces\": [0, 0.5] }, \"states\": [] }");
    check_refusal("mechanism-pendulum", none, "is a state of another model: it has 0 numbers, the model has");
    put("{ \"kane\": \"state 1\"");
    check_refusal("mechanism-pendulum", none, "");
}

// The program says so, too, and a run that cannot go on leaves no results behind.
CHECK_TEST(the_program_tells_why_a_state_is_refused)
{
    assert_int_equal(CALL("run", RUN, "-q", "-o", "none", "--from-state", "nowhere.state"), 6);
    assert_non_null(strstr(content("err"), "nowhere.state: cannot be read"));
    assert_int_equal(CALL("run", RUN, "-q", "-F", "csv", "-o", "first", "-s", "until.distance=5", "--save-state", "s"),
                     0);
    assert_int_equal(CALL("run", RUN, "-q", "-o", "none", "-s", "vehicle.bodies.body.mass=31 t", "--from-state", "s"),
                     3);
    assert_non_null(strstr(content("err"), "s:"));
    assert_non_null(strstr(content("err"), "is a state of another model"));
    assert_int_equal(
        CALL("run", RUN, "-q", "-F", "csv", "-o", "first", "-s", "until.distance=5", "--save-state", "/nowhere/s"), 6);
}

CHECK_MAIN(enter_folder, leave_folder)
