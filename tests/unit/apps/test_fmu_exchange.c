// SPDX-License-Identifier: MIT
// Units in model exchange, FMI 2.0 and 3.0: integrated by integrators of the test, Euler's method and CVODE, across
// borders of the line and changes of independent speeds; derivatives; states; ends. They are compared with simulations
// of libkane.

#include "runs.h"
#include "importer.h"

#include <kane/kane.h>

#include "simulate/sundials.h"

#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#define FOUR_BAR "data/runs/mechanism-four-bar.json"
#define SKYHOOK  "data/runs/coach-skyhook.json"
#define MOTOR    "data/runs/motor-wagon.json"
#define WAGON    "data/runs/wagon-transition.json"

// A transition of 8 m: the wagon passes both of its ends within a second.
#define SHORT    "track.sections[1].transition=8"
#define START    "start.at=43"
#define FAST     "start.speed=20"
#define STEADILY "speed=[]"
#define TABLES   "vehicle.patterns.wheelset.contact.model=table"
#define RAILS    "vehicle.patterns.wheelset.contact.model=constraint"

static const char *const versions[] = {"2", "3"};

// --- what it should be ---

// A simulation of the same run with fine tolerances.
typedef struct exact {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
} exact;

static exact begin_exact(const char *file, const char *const *settings, double tolerance)
{
    exact e;
    e.run                        = run_read(file, settings);
    const kane_run_definition *d = kane_run_get_definition(e.run);
    kane_settings set            = d->settings;
    kane_conditions conditions   = d->conditions;
    conditions.time = conditions.distance = 0.0;
    set.relative                          = tolerance;
    set.position = set.angle = 1e-2 * tolerance;
    set.speed = set.turning = tolerance;
    set.order               = 5;
    set.most_steps          = 100000000;
    e.model                 = CHECK_GOOD(kane_run_create_model, e.run);
    e.simulation            = CHECK_GOOD(kane_simulation_create, e.model, &set, &conditions);
    return e;
}

static void end_exact(exact *e)
{
    kane_simulation_free(e->simulation);
    kane_model_free(e->model);
    kane_run_free(e->run);
}

static void advance(const exact *e, double t)
{
    assert_int_equal(CHECK_GOOD(kane_simulation_advance, e->simulation, t), KANE_OK);
}

// --- the state of a unit on its way ---

typedef struct journey {
    const importer *m;
    void *c;
    double t, *x, *rates, *before, *after; // states, their rates, event indicators at both ends of a step
    event next;
    int events, jumps, wishes; // how many; wishes: that were due for no indicator and no time
} journey;

static journey depart(const importer *m, void *c)
{
    journey j = {.m = m, .c = c};
    j.x       = calloc((size_t)m->states, sizeof *j.x);
    j.rates   = calloc((size_t)m->states, sizeof *j.rates);
    j.before  = calloc((size_t)m->indicators + 1, sizeof *j.before);
    j.after   = calloc((size_t)m->indicators + 1, sizeof *j.after);
    begin(m, c);
    j.next = handle_event(m, c, 1);
    get_continuous(m, c, j.x);
    DO(try_indicators(m, c, j.before));
    return j;
}

static void arrive(journey *j)
{
    free(j->x);
    free(j->rates);
    free(j->before);
    free(j->after);
}

static int has_crossed(const journey *j)
{
    for (int i = 0; i < j->m->indicators; i++)
        if ((j->before[i] > 0.0) != (j->after[i] > 0.0))
            return 1;
    return 0;
}

// A step has ended at (t, x), at a root or not. Returns 1 if the integrator has to begin anew from there.
static int settle(journey *j, int at_root)
{
    set_time(j->m, j->c, j->t);
    set_continuous(j->m, j->c, j->x);
    const int wishes = complete(j->m, j->c);
    DO(try_indicators(j->m, j->c, j->after));
    const int due = at_root || has_crossed(j) || j->t >= j->next.next;
    if (!wishes && !due)
        return 0;
    j->events++;
    j->wishes += wishes && !due;
    j->next = handle_event(j->m, j->c, 0);
    j->jumps += j->next.has_jumped;
    get_continuous(j->m, j->c, j->x);
    DO(try_indicators(j->m, j->c, j->before));
    return 1;
}

// --- Euler's method ---

static void go_by_euler(journey *j, double end, double h)
{
    while (j->t < end && !j->next.ends) {
        const double goal = fmin(fmin(j->t + h, j->next.next), end);
        set_time(j->m, j->c, j->t);
        set_continuous(j->m, j->c, j->x);
        DO(try_rates(j->m, j->c, j->rates));
        for (int i = 0; i < j->m->states; i++)
            j->x[i] += (goal - j->t) * j->rates[i];
        j->t = goal;
        (void)settle(j, 0);
    }
}

// --- CVODE ---

static int cvode_rates(sunrealtype t, N_Vector y, N_Vector ydot, void *data)
{
    const journey *j = data;
    set_time(j->m, j->c, t);
    set_continuous(j->m, j->c, N_VGetArrayPointer(y));
    const int status = try_rates(j->m, j->c, N_VGetArrayPointer(ydot));
    return status == fmi2OK ? 0 : status == fmi2Discard ? 1 : -1;
}

static int cvode_roots(sunrealtype t, N_Vector y, sunrealtype *values, void *data)
{
    const journey *j = data;
    set_time(j->m, j->c, t);
    set_continuous(j->m, j->c, N_VGetArrayPointer(y));
    return try_indicators(j->m, j->c, values) == fmi2OK ? 0 : -1;
}

// A column of the Jacobian for each direction.
static int cvode_slopes(sunrealtype t, N_Vector y, N_Vector ydot, SUNMatrix J, void *data, N_Vector a, N_Vector b,
                        N_Vector c)
{
    const journey *j   = data;
    const size_t n     = (size_t)j->m->states;
    const double one   = 1.0;
    unsigned *unknowns = calloc(n, sizeof *unknowns);
    (void)ydot;
    (void)a;
    (void)b;
    (void)c;
    for (size_t i = 0; i < n; i++)
        unknowns[i] = j->m->first_rate + (unsigned)i;
    set_time(j->m, j->c, t);
    set_continuous(j->m, j->c, N_VGetArrayPointer(y));
    for (size_t i = 0; i < n; i++) {
        const unsigned known = j->m->first_state + (unsigned)i;
        DO(derive(j->m, j->c, n, unknowns, 1, &known, &one, SUNDenseMatrix_Column(J, (sunindextype)i)));
    }
    free(unknowns);
    return 0;
}

static void go_by_cvode(journey *j, double end, double tolerance)
{
    const int n        = j->m->states;
    SUNContext context = kane_sundials_context();
    double *nominal    = calloc((size_t)n, sizeof *nominal), reached;
    assert_non_null(context);
    N_Vector y = N_VMake_Serial(n, j->x, context), absolute = N_VNew_Serial(n, context);
    SUNMatrix J            = SUNDenseMatrix(n, n, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, J, context);
    void *cvode            = CVodeCreate(CV_BDF, context);
    get_nominals(j->m, j->c, nominal);
    for (int i = 0; i < n; i++)
        NV_Ith_S(absolute, i) = nominal[i] * tolerance;
    assert_int_equal(CVodeInit(cvode, cvode_rates, j->t, y), 0);
    assert_int_equal(CVodeSVtolerances(cvode, tolerance, absolute), 0);
    assert_int_equal(CVodeSetUserData(cvode, j), 0);
    assert_int_equal(CVodeSetLinearSolver(cvode, solver, J), 0);
    assert_int_equal(CVodeSetJacFn(cvode, cvode_slopes), 0);
    assert_int_equal(CVodeSetMaxNumSteps(cvode, 1000000), 0);
    assert_int_equal(CVodeRootInit(cvode, j->m->indicators, cvode_roots), 0);
    while (j->t < end && !j->next.ends) {
        assert_int_equal(CVodeSetStopTime(cvode, fmin(j->next.next, end)), 0);
        const int flag = CVode(cvode, end, y, &reached, CV_ONE_STEP);
        if (flag < 0)
            fail_msg("CVODE gives %d at %g: %s", flag, reached, logged);
        j->t = reached;
        if (settle(j, flag == CV_ROOT_RETURN))
            assert_int_equal(CVodeReInit(cvode, j->t, y), 0);
    }
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(J);
    N_VDestroy(y);
    N_VDestroy(absolute);
    SUNContext_Free(&context);
    free(nominal);
}

// The largest difference to the state of a simulation, in parts of the nominal values.
static double differ(const journey *j, const exact *e)
{
    const double *y = kane_simulation_state(e->simulation);
    double *nominal = calloc((size_t)j->m->states, sizeof *nominal), most = 0.0;
    get_nominals(j->m, j->c, nominal);
    for (int i = 0; i < j->m->states; i++)
        most = fmax(most, nominal[i] < 1e5 ? fabs(j->x[i] - y[i]) / nominal[i] : 0.0);
    free(nominal);
    return most;
}

// --- across borders of the line ---

static importer make(const char *run, const char *version, const char *channel, const char *const *settings)
{
    const char *a[ARGUMENTS_MOST + 1] = {"fmu", run, "-o", "unit.fmu", "-f", version, "-c", channel};
    int count                         = 8;
    for (int i = 0; settings && settings[i]; i++) {
        a[count++] = "-s";
        a[count++] = settings[i];
    }
    a[count] = NULL;
    if (wait_for(start(a)) != 0)
        fail_msg("%s", content("err"));
    return import("unit.fmu", "unit");
}

// Half the step, half the error: the state jumps at both borders as it should.
CHECK_TEST(euler_is_of_first_order_across_borders)
{
    const char *const settings[] = {SHORT, START, FAST, STEADILY, TABLES, NULL};
    const double end             = 1.0;
    exact e                      = begin_exact(WAGON, settings, 1e-10);
    advance(&e, end);
    double error[3];
    for (int i = 0; i < 3; i++) { // the step, half of it, and the step as FMI 3.0 has it
        const CHECK_FREED(importer) m = make(WAGON, versions[i == 2], "body.y", settings);
        void *c                       = instantiate(&m, EXCHANGE);
        journey j                     = depart(&m, c);
        go_by_euler(&j, end, i == 1 ? 5e-5 : 1e-4);
        error[i] = differ(&j, &e);
        check_figure(error[i], "Euler %d", i);
        print_message("Euler: %g, %d events, %d jumps\n", error[i], j.events, j.jumps);
        assert_true(j.jumps >= 6); // of the body and of each wheelset, at both borders
        assert_false(j.next.ends);
        arrive(&j);
        finish(&m, c);
    }
    check_near(error[0] / error[1], 2.0, 0.02);
    check_near(error[2], error[0], 0.0);
    end_exact(&e);
}

CHECK_TEST(cvode_outside_is_what_cvode_inside_is)
{
    const char *const tables[] = {SHORT, START, FAST, STEADILY, TABLES, NULL};
    const char *const corner[] = {"drive.motor.time=[0, 0.02, 12]", NULL}; // driven, on wheels in elastic contact
    const struct {
        const char *run;
        const char *const *settings;
        const char *channel;
        double end;
    } cases[] = {
        {FOUR_BAR, NULL, "crank.joint.angle", 1.0}, {MOTOR, corner, "body.y", 0.03}, {WAGON, tables, "body.y", 1.0}};
    for (int i = 0; i < 3; i++) {
        exact e = begin_exact(cases[i].run, cases[i].settings, 1e-13);
        advance(&e, cases[i].end);
        for (int v = 0; v < (i == 0 ? 2 : 1); v++) {
            const CHECK_FREED(importer) m = make(cases[i].run, versions[v], cases[i].channel, cases[i].settings);
            void *c                       = instantiate(&m, EXCHANGE);
            journey j                     = depart(&m, c);
            go_by_cvode(&j, cases[i].end, 1e-13);
            print_message("CVODE: %g, %d events, %d jumps, %d wishes\n", differ(&j, &e), j.events, j.jumps, j.wishes);
            check_figure(differ(&j, &e), "CVODE %d", i);
            check_near(differ(&j, &e), 0.0, 1e-8);
            arrive(&j);
            finish(&m, c);
        }
        end_exact(&e);
    }
}

// --- constraints and independent speeds ---

// A linkage none of whose bars can go round: each of them stands still now and then while the others move, so that none
// serves as the independent one for ever.
static const char rockers[] =
    "{ \"kane\": \"mechanism 1\", \"name\": \"three rockers\",\n"
    "  \"patterns\": { \"hinge\": { \"type\": \"revolute\", \"axis\": [0, -1, 0] } },\n"
    "  \"bodies\": {\n"
    "    \"crank\": { \"mass\": 0.5, \"inertia\": [0.001, 0.01, 0.01], \"at\": [0.25, 0, 0],\n"
    "      \"joint\": { \"like\": \"hinge\", \"at\": [0, 0, 0] }, \"start\": { \"angle\": \"60 deg\",\n"
    "      \"rates\": { \"angle\": 6 }, \"fixed\": [\"angle\"], \"fixed_rates\": [\"angle\"] } },\n"
    "    \"coupler\": { \"mass\": 1, \"inertia\": [0.001, 0.03, 0.03], \"at\": [0.8, 0, 0],\n"
    "      \"joint\": { \"like\": \"hinge\", \"parent\": \"crank\", \"at\": [0.5, 0, 0] }, \"start\": { \"angle\": \"-30 deg\" } },\n"
    "    \"rocker\": { \"mass\": 0.5, \"inertia\": [0.001, 0.01, 0.01], \"at\": [0.95, 0, 0],\n"
    "      \"joint\": { \"like\": \"hinge\", \"at\": [0.7, 0, 0] }, \"start\": { \"angle\": \"100 deg\" } } },\n"
    "  \"constraints\": { \"pin\": { \"type\": \"revolute\", \"between\": [\"coupler\", \"rocker\"],\n"
    "    \"at\": [1.1, 0, 0], \"to\": [1.2, 0, 0], \"axis\": [0, -1, 0] } } }\n";

CHECK_TEST(independent_speeds_change_at_events)
{
    write_file("rockers.json", rockers);
    write_file("rock.json", "{ \"kane\": \"run 1\", \"mechanism\": \"rockers.json\", \"until\": { \"time\": 2 } }\n");
    const char *const angle = "rocker.joint.angle";
    CHECK_ERRORS errors     = {0};
    exact e                 = begin_exact("rock.json", NULL, 1e-12);
    kane_channels *one      = kane_channels_create(e.simulation, 1, &angle, NULL, &errors);
    double value            = 0.0;
    advance(&e, 1.0);
    assert_int_equal(kane_channels_read(one, e.simulation, &value), KANE_OK);
    const importer m = make("rock.json", "3", angle, NULL);
    void *c          = instantiate(&m, EXCHANGE);
    journey j        = depart(&m, c);
    go_by_cvode(&j, 1.0, 1e-12);
    print_message("%d events for other independent speeds, off by %g\n", j.wishes,
                  read_one(&m, c, reference(&m, angle)) - value);
    assert_true(j.wishes >= 3 && j.jumps == j.wishes); // the speeds in the state are others, the motion is the same
    check_near(read_one(&m, c, reference(&m, angle)), value, 1e-8);
    arrive(&j);
    finish(&m, c);
    importer_free(&m);
    kane_channels_free(one);
    end_exact(&e);
}

// How far projection would move the state, in parts of the nominal values.
static double find_drift(const journey *j, const exact *e)
{
    CHECK_ERRORS errors            = {0};
    CHECK_OWNED(kane_work) *work   = kane_work_create(e->model, &errors);
    CHECK_OWNED(kane_state) *there = kane_simulation_get_state(e->simulation, &errors);
    const size_t n                 = (size_t)j->m->states;
    double *y = calloc(n, sizeof *y), *nominal = calloc(n, sizeof *nominal), most = 0.0;
    assert_int_equal(kane_work_set_discrete(e->model, work, there->discrete), KANE_OK);
    memcpy(y, j->x, n * sizeof *y);
    assert_int_equal(kane_project(e->model, work, j->t, y), KANE_OK);
    get_nominals(j->m, j->c, nominal);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, nominal[i] < 1e5 ? fabs(y[i] - j->x[i]) / nominal[i] : 0.0);
    free(y);
    free(nominal);
    return most;
}

// What drifts is brought back at events: rails that guide, a loop that multipliers hold.
CHECK_TEST(drift_is_projected)
{
    const char *const rails[] = {SHORT, START, FAST, STEADILY, RAILS, NULL}, *const held[] = {"form=multipliers", NULL};
    const struct {
        const char *run;
        const char *const *settings;
        const char *channel;
    } cases[] = {{WAGON, rails, "body.y"}, {FOUR_BAR, held, "crank.joint.angle"}};
    for (int i = 0; i < 2; i++) {
        exact e          = begin_exact(cases[i].run, cases[i].settings, 1e-10);
        const importer m = make(cases[i].run, versions[i], cases[i].channel, cases[i].settings);
        double error[2];
        advance(&e, 0.3);
        for (int half = 0; half < 2; half++) {
            void *c   = instantiate(&m, EXCHANGE);
            journey j = depart(&m, c);
            go_by_euler(&j, 0.3, half ? 5e-5 : 1e-4);
            error[half]      = differ(&j, &e);
            const double off = find_drift(&j, &e);
            print_message("%s: off by %g, drift %g, %d wishes\n", cases[i].run, error[half], off, j.wishes);
            assert_true(j.wishes > 3);
            check_below(off, 1e-5); // tolerances are a millionth of the nominal values
            arrive(&j);
            finish(&m, c);
        }
        check_near(error[0] / error[1], 2.0, 0.3);
        importer_free(&m);
        end_exact(&e);
    }
}

// --- derivatives ---

// Of everything along a direction in states, inputs and time, against differences of what the unit itself says.
static void check_derivatives(const char *run, const char *version, const char *channel, double t)
{
    const CHECK_FREED(importer) m = make(run, version, channel, NULL);
    void *c                       = instantiate(&m, EXCHANGE);
    journey j                     = depart(&m, c);
    const size_t n                = (size_t)m.states;
    const int inputs              = count_text(content(m.description), "causality=\"input\""),
              outputs             = count_text(content(m.description), "causality=\"output\"");
    const size_t knowns = n + (size_t)inputs + 1, unknowns = n + (size_t)outputs;
    unsigned *known = calloc(knowns, sizeof *known), *unknown = calloc(unknowns, sizeof *unknown);
    double *seed = calloc(knowns, sizeof *seed), *said = calloc(unknowns, sizeof *said),
           *nominal  = calloc(n, sizeof *nominal);
    double *value[2] = {calloc(unknowns, sizeof *said), calloc(unknowns, sizeof *said)}, *x = calloc(n, sizeof *x),
           size[2] = {0.0, 0.0};
    go_by_euler(&j, t, 2e-5);
    get_nominals(&m, c, nominal);
    const unsigned time = reference(&m, "time"); // inputs stand before it, outputs behind it
    for (size_t i = 0; i < knowns; i++) {
        known[i] = i < n ? m.first_state + (unsigned)i : time - (unsigned)(i - n);
        seed[i]  = cos(3.0 * (double)i) * (i < n ? (nominal[i] < 1e5 ? nominal[i] : 0.0) : i == n ? 0.1 : 100.0);
    }
    for (size_t i = 0; i < unknowns; i++)
        unknown[i] = i < n ? m.first_rate + (unsigned)i : time + 1 + (unsigned)(i - n);
    DO(derive(&m, c, unknowns, unknown, knowns, known, seed, said));
    const double h = 1e-5;
    for (int side = 0; side < 2; side++) {
        const double by = side ? h : -h;
        for (size_t i = 0; i < n; i++)
            x[i] = j.x[i] + by * seed[i];
        set_time(&m, c, j.t + by * seed[n]);
        set_continuous(&m, c, x);
        for (size_t i = n + 1; i < knowns; i++)
            assert_int_equal(set_value(&m, c, known[i], by * seed[i]), fmi2OK);
        DO(get_values(&m, c, unknowns, unknown, value[side]));
    }
    for (size_t i = 0; i < unknowns; i++)
        size[i >= n] = fmax(size[i >= n], fabs(said[i]));
    assert_true(size[0] > 0.0 && size[1] > 0.0);
    for (size_t i = 0; i < unknowns; i++) // rates are of very different size, too
        check_near(said[i], (value[1][i] - value[0][i]) / (2.0 * h), 1e-5 * fabs(said[i]) + 1e-6 * size[i >= n]);
    assert_int_equal(derive(&m, c, 1, known, 1, unknown, seed, said), fmi2Error);
    assert_non_null(strstr(logged, "derivatives are with respect to"));
    free(known);
    free(unknown);
    free(seed);
    free(said);
    free(nominal);
    free(value[0]);
    free(value[1]);
    free(x);
    arrive(&j);
    free_instance(&m, c);
}

CHECK_TEST(derivatives_are_those_of_the_unit)
{
    check_derivatives(SKYHOOK, "2", "car.acceleration.*", 0.02);
    check_derivatives(WAGON, "3", "*.Y", 0.02);
    check_derivatives(FOUR_BAR, "2", "crank.joint.*", 0.1);
}

// --- states, inputs, ends ---

CHECK_TEST(inputs_act_at_once)
{
    const char *const name = "car.acceleration.z"; // of a quarter of 32 t, roughly
    for (int v = 0; v < 2; v++) {
        const CHECK_FREED(importer) m = make(SKYHOOK, versions[v], name, NULL);
        void *c                       = instantiate(&m, EXCHANGE);
        journey j                     = depart(&m, c);
        const double still            = read_one(&m, c, reference(&m, name));
        assert_int_equal(set_value(&m, c, reference(&m, "input.leading left"), 1e3), fmi2OK);
        const double pushed = read_one(&m, c, reference(&m, name));
        assert_true(fabs(pushed - still) > 1e-3);
        assert_int_equal(set_value(&m, c, reference(&m, "input.leading left"), 2e3), fmi2OK);
        check_near(read_one(&m, c, reference(&m, name)) - still, 2.0 * (pushed - still), 1e-9);
        arrive(&j);
        finish(&m, c);
    }
}

// Beyond a border: the pieces of the line are part of the state, too.
CHECK_TEST(states_go_on_with_the_same_bits)
{
    const char *const settings[] = {SHORT, START, FAST, STEADILY, NULL}; // in elastic contact
    for (int v = 0; v < 2; v++) {
        const CHECK_FREED(importer) m = make(WAGON, versions[v], "*.Y", settings);
        void *kept = NULL, *a = instantiate(&m, EXCHANGE), *b = instantiate(&m, EXCHANGE);
        journey first = depart(&m, a), again = depart(&m, b);
        go_by_euler(&first, 0.2, 2e-5); // the leading wheelset is in the transition
        assert_true(first.jumps >= 1);
        get_state(&m, a, &kept);
        go_by_euler(&first, 0.21, 2e-5);
        const double Y = read_one(&m, a, reference(&m, "leading.left.Y"));
        for (int i = 0; i < 2; i++) { // another instance, and the same
            journey *j = i ? &first : &again;
            set_state(&m, j->c, kept);
            get_continuous(&m, j->c, j->x);
            j->t         = read_one(&m, j->c, reference(&m, "time"));
            j->next.next = HUGE_VAL;
            DO(try_indicators(&m, j->c, j->before));
            go_by_euler(j, 0.21, 2e-5);
            check_near(read_one(&m, j->c, reference(&m, "leading.left.Y")), Y, 0.0);
        }
        assert_memory_equal(first.x, again.x, (size_t)m.states * sizeof *first.x);
        free_state(&m, a, &kept);
        arrive(&first);
        arrive(&again);
        finish(&m, a);
        finish(&m, b);
    }
}

CHECK_TEST(a_run_that_ends_says_so)
{
    const char *const end[]  = {"start.at=404", STEADILY, TABLES, NULL};
    const char *const stop[] = {"start.speed=0.5", "speed=[ { \"acceleration\": -1 } ]", TABLES, NULL};
    for (int i = 0; i < 2; i++) {
        const CHECK_FREED(importer) m = make(WAGON, versions[i], "body.y", i ? stop : end);
        void *c                       = instantiate(&m, EXCHANGE);
        journey j                     = depart(&m, c);
        go_by_euler(&j, 2.0, 1e-4);
        assert_true(j.next.ends && j.t > 0.05 && j.t < 1.0);
        assert_non_null(strstr(logged, i ? "standstill" : "end of track"));
        arrive(&j);
        finish(&m, c);
    }
}

CHECK_MAIN(enter_with_data, leave_folder)
