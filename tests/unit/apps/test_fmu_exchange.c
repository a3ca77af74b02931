// SPDX-License-Identifier: MIT
// Units in model exchange, FMI 2.0 and 3.0: integrated by integrators of the test, Euler's method and CVODE, across borders of the line
// and changes of independent speeds; derivatives; states; ends. They are compared with simulations of libkane.

#include "importer.h"

#include <kane/kane.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#define FOUR_BAR "data/runs/mechanism-four-bar.json"
#define SKYHOOK  "data/runs/coach-skyhook.json"
#define WAGON    "data/runs/wagon-transition.json"

// A transition of 8 m: the wagon passes both of its ends within a second.
#define SHORT    "track.sections[1].transition=8"
#define START    "start.at=43"
#define FAST     "start.speed=20"
#define STEADILY "speed=[]"
#define TABLES   "vehicle.patterns.wheelset.contact.way=tables"
#define RAILS    "vehicle.patterns.wheelset.contact.way=constraint"

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
    kane_errors errors             = {0};
    const kane_run_options options = {.settings = settings};
    e.run                          = kane_run_read(file, &options, &errors);
    check_no_errors(&errors);
    const kane_run_definition *d = kane_run_get_definition(e.run);
    kane_settings set            = d->settings;
    kane_conditions conditions   = d->conditions;
    conditions.time = conditions.distance = 0.0;
    set.relative                          = tolerance;
    set.position = set.angle = 1e-2 * tolerance;
    set.speed = set.turning = tolerance;
    set.order               = 5;
    set.most_steps          = 100000000;
    e.model                 = kane_run_create_model(e.run, &errors);
    check_no_errors(&errors);
    e.simulation = kane_simulation_create(e.model, &set, &conditions, &errors);
    check_no_errors(&errors);
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
    kane_errors errors = {0};
    assert_int_equal(kane_simulation_advance(e->simulation, t, &errors), KANE_OK);
    check_no_errors(&errors);
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

static int cvode_rates(realtype t, N_Vector y, N_Vector ydot, void *data)
{
    const journey *j = data;
    set_time(j->m, j->c, t);
    set_continuous(j->m, j->c, N_VGetArrayPointer(y));
    const int status = try_rates(j->m, j->c, N_VGetArrayPointer(ydot));
    return status == fmi2OK ? 0 : status == fmi2Discard ? 1 : -1;
}

static int cvode_roots(realtype t, N_Vector y, realtype *values, void *data)
{
    const journey *j = data;
    set_time(j->m, j->c, t);
    set_continuous(j->m, j->c, N_VGetArrayPointer(y));
    return try_indicators(j->m, j->c, values) == fmi2OK ? 0 : -1;
}

// A column of the Jacobian for each direction.
static int cvode_slopes(realtype t, N_Vector y, N_Vector ydot, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c)
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
    const int n = j->m->states;
    SUNContext context;
    double *nominal = calloc((size_t)n, sizeof *nominal), reached;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
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
    const char *a[16] = {"fmu", run, "-o", "unit.fmu", "-f", version, "-c", channel};
    int count         = 8;
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
static void euler_is_of_first_order_across_borders(void **state)
{
    const char *const settings[] = {SHORT, START, FAST, STEADILY, TABLES, NULL};
    const double end             = 1.0;
    (void)state;
    exact e = begin_exact(WAGON, settings, 1e-10);
    advance(&e, end);
    for (int v = 0; v < 2; v++) {
        const importer m = make(WAGON, versions[v], "body.y", settings);
        double error[2];
        for (int half = 0; half < 2; half++) {
            void *c   = instantiate(&m, EXCHANGE);
            journey j = depart(&m, c);
            go_by_euler(&j, end, half ? 5e-5 : 1e-4);
            error[half] = differ(&j, &e);
            assert_true(j.jumps >= 6); // of the body and of each wheelset, at both borders
            print_message("Euler: %g, %d events, %d jumps\n", error[half], j.events, j.jumps);
            arrive(&j);
            finish(&m, c);
        }
        check_near(error[0] / error[1], 2.0, 0.1);
        (void)dlclose(m.binary);
    }
    end_exact(&e);
}

static void cvode_outside_is_what_cvode_inside_is(void **state)
{
    const char *const tables[] = {SHORT, START, FAST, STEADILY, TABLES, NULL};
    const struct {
        const char *run;
        const char *const *settings;
        const char *channel;
        double end;
    } cases[] = {{FOUR_BAR, NULL, "crank.joint.angle", 1.0}, {WAGON, tables, "body.y", 1.0}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        exact e = begin_exact(cases[i].run, cases[i].settings, 1e-13);
        advance(&e, cases[i].end);
        for (int v = 0; v < 2; v++) {
            const importer m = make(cases[i].run, versions[v], cases[i].channel, cases[i].settings);
            void *c          = instantiate(&m, EXCHANGE);
            journey j        = depart(&m, c);
            go_by_cvode(&j, cases[i].end, 1e-13);
            print_message("CVODE: %g, %d events, %d jumps, %d wishes\n", differ(&j, &e), j.events, j.jumps, j.wishes);
            check_near(differ(&j, &e), 0.0, 1e-8);
            arrive(&j);
            finish(&m, c);
            (void)dlclose(m.binary);
        }
        end_exact(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(euler_is_of_first_order_across_borders),
        cmocka_unit_test(cvode_outside_is_what_cvode_inside_is),
    };
    return cmocka_run_group_tests(tests, enter_with_data, leave_folder);
}
