// SPDX-License-Identifier: MIT
// Vehicles on a line as recorded equations, which call the line and the contact of wheels: carried out along their
// runs, across borders of the line, they are what kane_eval gives; so is the C that is written of them.

#include "check.h"
#include "runs.h"
#include "folder.h"
#include "stateful.h"
#include "unit/record/modelica.h"

#include <kane/kane.h>

#include "agem/bodies.h"
#include "agem/work.h"
#include "record/parameters.h"

#include <dlfcn.h>

static kane_errors errors;

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
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, name);
    s->run        = run_read(file, settings);
    s->model      = CHECK_GOOD(kane_run_create_model, s->run);
    s->simulation = CHECK_GOOD(kane_run_create_simulation, s->run, s->model);
    s->work       = CHECK_GOOD(kane_work_create, s->model);
    s->caller     = (kane_caller){s->model, s->work};
    s->n          = kane_model_state_count(s->model);
    s->ydot       = calloc((size_t)s->n, sizeof *s->ydot);
    s->out        = calloc((size_t)s->n, sizeof *s->out);
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
    (void)CHECK_GOOD(kane_simulation_advance, s->simulation, t);
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

static kane_recording *record_with(const char *const *settings, const char *const *parameters, kane_record_what what)
{
    kane_record_options o           = kane_record_options_default();
    const kane_record_source source = {.file = file, .settings = settings, .parameters = parameters};
    o.what                          = what;
    return kane_record_run(&source, &o, &errors);
}

static kane_recording *record(const char *const *parameters, kane_record_what what)
{
    return record_with(NULL, parameters, what);
}

// At a state y, whose pieces of line and speed are those of the work.
static int play_at(const subject *s, kane_recording *r, const double *y, const double *parameters)
{
    CHECK_MEMORY double *symbols = calloc((size_t)r->symbol_count, sizeof *symbols);
    CHECK_MEMORY double *tape    = calloc((size_t)r->tape.count, sizeof *tape);
    symbols[0]                   = kane_simulation_time(s->simulation);
    memcpy(symbols + 1, y, (size_t)s->n * sizeof *symbols);
    for (int i = 0; i < r->argument[KANE_GROUP_INPUT].count; i++)
        symbols[r->argument[KANE_GROUP_INPUT].first + i] = r->start[r->argument[KANE_GROUP_INPUT].first + i];
    for (int i = 0; i < r->parameter_count; i++)
        symbols[kane_record_parameter(r, i)] = parameters[i];
    r->answer      = kane_call;
    r->caller      = (void *)(uintptr_t)&s->caller;
    const int good = kane_record_play(r, symbols, tape, s->out);
    return good;
}

static int play(const subject *s, kane_recording *r, const double *parameters)
{
    return play_at(s, r, kane_simulation_state(s->simulation), parameters);
}

// The state with all numbers moved by up to 1e-4, in another way for every seed.
static void fill_moved_state(const subject *s, int seed, double *y)
{
    const double *now = kane_simulation_state(s->simulation);
    for (int i = 0; i < s->n; i++)
        y[i] = now[i] + 1e-4 * sin(1.7 * i + 2.9 * seed);
}

#define CONSTRAINT  "vehicle.patterns.wheelset.contact.model=constraint"
#define TABLE       "vehicle.patterns.wheelset.contact.model=table"
#define GAUGE       "track.irregularities.sines[4]={\"kind\":\"gauge\",\"amplitude\":\"2 mm\",\"wavelength\":\"20 m\"}"
#define CHECK_RAILS "track.check_rails=[{\"from\":60,\"to\":400,\"rail\":\"both\",\"flangeway\":\"34 mm\"}]"

static const struct {
    const char *name;
    double times[3]; // at which check rails touch, if there are any
    int calls;
    const char *settings[4];
    // allowed difference from the exact Jacobian, of its largest entry. Guided wheels: roundings; FEVE 3000, on waves
    // of the line: differences of K_s. Elastic contact, check rails: the exact Jacobian leaves out how the turn of the
    // rail changes along the line.
    double jacobian;
} runs[] = {
    {"wagon-transition", {0.0, 3.0, 9.0}, 8, {NULL}, 5e-9}, // travel, lines of three frames, four contacts
    {"wagon-irregular", {0.0, 1.0, 2.0}, 12, {NULL}, 5e-9}, // and four rails
    {"wagon-driven", {0.0, 1.0, 3.0}, 7, {NULL}, 5e-9},     // whose travel is in its state
    {"coach-curve", {0.0, 0.5, 1.0}, 16, {NULL}, 1e-11},
    {"sedan-circle", {0.0, 0.2, 0.5}, 4, {NULL}, 1e-11},
    {"bogie-wagon-transition", {0.0, 1.0, 2.0}, 18, {NULL}, 1e-11}, // two centre plates: too many ways
    {"link-wagon-transition", {0.0, 1.0, 2.0}, 12, {NULL}, 1e-11},  // so are four links
    // rails as constraints: gaps, six steps of creep forces; by tables: six of height and roll; on flexible track
    {"wagon-transition", {0.0, 3.0, 9.0}, 32, {CONSTRAINT}, 3e-12},
    {"wagon-transition", {0.0, 3.0, 9.0}, 42, {TABLE}, 3e-12},
    {"wagon-irregular", {0.0, 1.0, 2.0}, 36, {CONSTRAINT, "track.flexibility={}"}, 3e-12},
    {"wagon-irregular", {0.0, 1.0, 2.0}, 70, {TABLE, "track.flexibility={}"}, 3e-12},
    {"wagon-irregular", {0.0, 1.37, 2.0}, 88, {TABLE, GAUGE}, 3e-12}, // height and roll close gaps: twelve more
    {"wagon-transition", {0.0, 6.0, 9.0}, 12, {CHECK_RAILS}, 2e-7},   // in the curve
    {"wagon-transition", {0.0, 6.0, 9.0}, 36, {CONSTRAINT, CHECK_RAILS}, 3e-12},
    {"feve-curve", {0.0, 0.4, 0.8}, 61, {NULL}, 1e-8},
};

CHECK_TEST(tapes_that_call_are_evaluations)
{
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        CHECK_END(subject_close) subject s = {0};
        const char *const *settings        = runs[k].settings;
        subject_open(&s, runs[k].name, settings);
        CHECK_MEMORY double *y = calloc((size_t)s.n, sizeof *y);
        kane_recording *r      = record_with(settings, NULL, KANE_RECORD_RATES);
        check_no_errors(&errors);
        assert_int_equal(r->counts[KANE_OP_CALL], runs[k].calls);
        for (int i = 0; i < 3; i++) {
            go_to(&s, runs[k].times[i]);
            for (int moved = 0; moved < 2; moved++) {
                fill_moved_state(&s, k, y);
                if (moved)
                    assert_int_equal(kane_eval(s.model, s.work, kane_simulation_time(s.simulation), y, s.ydot),
                                     KANE_OK);
                assert_true(play_at(&s, r, moved ? y : kane_simulation_state(s.simulation), NULL));
                const double gap = difference(&s);
                if (!(gap <= check_tolerance(1e-12)))
                    fail_msg("%s at %g s: %g", runs[k].name, runs[k].times[i], gap);
            }
        }
        double *tape = calloc((size_t)r->tape.count, sizeof *tape);
        r->answer    = NULL; // nobody answers
        assert_false(kane_record_play(r, r->start, tape, s.out));
        free(tape);
        kane_record_free(r);
    }
}

// J of kane_jacobian_eval as a full matrix, by rows [n * n].
static void exact_jacobian(const subject *s, double *J)
{
    CHECK_OWNED(kane_jacobian) *jacobian = kane_jacobian_create(s->model, s->n);
    const kane_pattern *where            = kane_jacobian_pattern(jacobian);
    CHECK_MEMORY double *values          = calloc((size_t)where->count, sizeof *values);
    CHECK_MEMORY double *ydot            = calloc((size_t)s->n, sizeof *ydot);
    assert_int_equal(kane_jacobian_eval(jacobian, s->model, s->work, kane_simulation_time(s->simulation),
                                        kane_simulation_state(s->simulation), ydot, values),
                     KANE_OK);
    for (int column = 0; column < s->n; column++)
        for (int at = where->column_start[column]; at < where->column_start[column + 1]; at++)
            J[where->row[at] * s->n + column] = values[at];
}

// Rates by central differences along a direction, extrapolated: their error is some 1e-9 of the rates over the step.
static void differences_along(const subject *s, const double *direction, double *out)
{
    const double *now = kane_simulation_state(s->simulation), t = kane_simulation_time(s->simulation);
    CHECK_MEMORY double *y = calloc(3 * (size_t)s->n, sizeof *y);
    double *up = y + s->n, *down = up + s->n;
    for (int k = 0; k < 2; k++) {
        const double h = k ? 1e-6 : 2e-6;
        for (int i = 0; i < s->n; i++)
            y[i] = now[i] + h * direction[i];
        assert_int_equal(kane_eval(s->model, s->work, t, y, up), KANE_OK);
        for (int i = 0; i < s->n; i++)
            y[i] = now[i] - h * direction[i];
        assert_int_equal(kane_eval(s->model, s->work, t, y, down), KANE_OK);
        for (int i = 0; i < s->n; i++) {
            const double d = 0.5 / h * (up[i] - down[i]);
            out[i]         = k ? (4.0 * d - out[i]) / 3.0 : d;
        }
    }
}

// Against the exact Jacobian to what that leaves out or differences (the list of runs), and against differences: 1e-5
// of the largest, where a kink of irregular rails or of a check rail is near.
CHECK_TEST(differentiated_tapes_that_call_are_jacobians)
{
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        CHECK_END(subject_close) subject s = {0};
        subject_open(&s, runs[k].name, runs[k].settings);
        const size_t n                 = (size_t)s.n;
        CHECK_MEMORY double *J         = calloc(n * n, sizeof *J);
        CHECK_MEMORY double *recorded  = calloc(n * n, sizeof *recorded);
        CHECK_MEMORY double *direction = calloc(n, sizeof *direction);
        CHECK_MEMORY double *slope     = calloc(n, sizeof *slope);
        kane_recording *r              = record_with(runs[k].settings, NULL, KANE_RECORD_JACOBIAN);
        check_no_errors(&errors);
        go_to(&s, runs[k].times[1]);
        double *out = s.out;
        s.out       = recorded;
        assert_true(play(&s, r, NULL));
        s.out = out;
        exact_jacobian(&s, J);
        for (size_t i = 0; i < n; i++)
            direction[i] = sin(2.3 * (double)i + 1.0);
        differences_along(&s, direction, slope);
        double off = 0.0, size = 0.0, off_slope = 0.0, slope_size = 0.0;
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < n; j++) {
                off  = fmax(off, fabs(recorded[i * n + j] - J[i * n + j]));
                size = fmax(size, fabs(J[i * n + j]));
                sum += recorded[i * n + j] * direction[j];
            }
            off_slope  = fmax(off_slope, fabs(sum - slope[i]));
            slope_size = fmax(slope_size, fabs(slope[i]));
        }
        if (!(off <= check_tolerance(runs[k].jacobian) * size))
            fail_msg("%s, %zu: %g of %g", runs[k].name, k, off, size);
        if (!(off_slope <= check_tolerance(1e-5) * slope_size))
            fail_msg("%s, %zu: %g of %g by differences", runs[k].name, k, off_slope, slope_size);
        kane_record_free(r);
    }
}

// M v_dot = delta + Phi' N, Phi v_dot + gamma = 0 and gap = 0 along runs, with the accelerations and normal forces of
// kane_eval: the functions of a guided vehicle, recorded with normal forces as an argument. lambda: of the last rows.
static void check_functions(const subject *s, const kane_recording *r, const double *N, double tolerance)
{
    const kane_record_output *o = r->output;
    const int n = o[0].rows, rows = o[2].rows;
    const double *M = s->out, *delta = M + n * n, *Phi = delta + n, *gamma = Phi + rows * n, *gap = gamma + rows;
    kane_equations *e = kane_equations_create(s->model, &errors);
    assert_int_equal(
        kane_equations_eval(e, s->work, kane_simulation_time(s->simulation), kane_simulation_state(s->simulation)),
        KANE_OK);
    const double *v_dot = kane_equations_get(e)->v_dot;
    double worst = 0.0, size = 0.0, opening = 0.0, fastest = 1.0;
    for (int i = 0; i < n; i++) {
        double sum = delta[i];
        for (int k = 0; k < rows; k++)
            sum += Phi[k * n + i] * N[k];
        for (int k = 0; k < n; k++)
            sum -= M[i * n + k] * v_dot[k];
        worst   = fmax(worst, fabs(sum));
        size    = fmax(size, fabs(delta[i]));
        fastest = fmax(fastest, fabs(v_dot[i]));
    }
    for (int k = 0; k < rows; k++) {
        double sum = gamma[k];
        for (int i = 0; i < n; i++)
            sum += Phi[k * n + i] * v_dot[i];
        opening = fmax(opening, fabs(sum));
        assert_true(fabs(gap[k]) <= check_tolerance(1e-6)); // drift between projections
    }
    const kane_equation_values *all = kane_equations_get(e);
    for (int i = 0, m = all->independent_count; i < m; i++) {
        double left = -all->F[i], terms = 1.0;
        for (int k = 0; k < m; k++) {
            left += all->M[i * m + k] * all->u_dot[k];
            terms += fabs(all->M[i * m + k] * all->u_dot[k]);
        }
        check_near(left, 0.0, 1e-10 * (size + terms));
    }
    kane_equations_free(e);
    if (!(worst <= check_tolerance(tolerance) * size) || !(opening <= check_tolerance(tolerance) * fastest))
        fail_msg("%g of %g, %g of %g", worst, size, opening, fastest);
}

CHECK_TEST(functions_of_guided_vehicles_are_their_equations)
{
    static const char *const constraint[] = {CONSTRAINT, NULL};
    const char *const flexible[]          = {constraint[0], "track.flexibility={}", NULL};
    const struct {
        const char *name;
        const char *const *settings;
        double time;
    } guided[] = {{"feve-curve", NULL, 0.7}, {"wagon-transition", constraint, 6.0}, {"wagon-irregular", flexible, 1.0}};
    for (size_t k = 0; k < sizeof guided / sizeof *guided; k++) {
        CHECK_END(subject_close) subject s = {0};
        subject_open(&s, guided[k].name, guided[k].settings);
        kane_recording *r = record_with(guided[k].settings, NULL, KANE_RECORD_FUNCTIONS);
        check_no_errors(&errors);
        const kane_record_argument *a = &r->argument[KANE_GROUP_NORMAL];
        double *out                   = s.out, N[8];
        assert_int_equal(a->count, 2 * s.model->wheels_count);
        for (int i = 0; i < 2; i++) {
            CHECK_MEMORY double *tape = calloc((size_t)r->tape.count, sizeof *tape);
            CHECK_MEMORY double *all  = calloc((size_t)kane_record_output_count(r), sizeof *all);
            go_to(&s, i * guided[k].time);
            for (int g = 0, to = 0; g < s.model->rails_count; g++)
                for (int w = 0; w < 2 * s.model->rails[g].count; w++, to++)
                    N[to] = r->start[a->first + to] = s.work->wheels[s.model->rails[g].wheels[w / 2]].guidance.N[w % 2];
            r->start[0] = kane_simulation_time(s.simulation);
            memcpy(r->start + 1, kane_simulation_state(s.simulation), (size_t)s.n * sizeof *r->start);
            r->answer = kane_call;
            r->caller = &s.caller;
            assert_true(kane_record_play(r, r->start, tape, all));
            s.out = all;
            check_functions(&s, r, N, 1e-11);
            s.out = out;
        }
        kane_record_free(r);
    }
}

typedef int function(double t, const double *y, int (*call)(void *, int, const double *, double *), void *caller,
                     double *out);

CHECK_TEST(c_that_calls_is_an_evaluation)
{
    static const double times[]        = {0.0, 2.0, 5.0, 9.0};
    CHECK_END(subject_close) subject s = {0};
    function *f;
    subject_open(&s, "wagon-transition", NULL);
    kane_recording *r           = record(NULL, KANE_RECORD_RATES);
    const kane_emit_options how = {.function = "recorded", .lanes = 1};
    check_no_errors(&errors);
    FILE *source = fopen("recorded.c", "w");
    kane_record_emit(r, KANE_EMIT_C, &how, source);
    assert_int_equal(fclose(source), 0);
    assert_non_null(strstr(content("recorded.c"), "and 8 calls"));
    assert_non_null(strstr(content("recorded.c"), "contact of 'leading', left"));
    command_must("cc -std=c11 -O0 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC -o recorded.so recorded.c -lm");
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
}

// A law that is a C function of the user's, with states, on a mechanism.
CHECK_TEST(laws_of_ones_own_are_called)
{
    CHECK_END(subject_close) subject s = {0};
    subject_open(&s, "mechanism-rear-corner", NULL);
    const kane_run_definition *d    = kane_run_get_definition(s.run);
    kane_vehicle_definition vehicle = *d->vehicle;
    kane_element_definition element = vehicle.elements[0];
    const kane_record_options usual = kane_record_options_default();
    const kane_record_options o     = {.what = KANE_RECORD_RATES, .steps = usual.steps};
    element.law                     = &stateful_law;
    element.parameters              = NULL;
    vehicle.elements                = &element;
    CHECK_OWNED(kane_model) *model  = kane_model_create(&vehicle, NULL, &d->drive, &d->model, &errors);
    CHECK_OWNED(kane_work) *work    = model ? kane_work_create(model, &errors) : NULL;
    kane_recording *r               = work ? kane_record_create(model, &o, &errors) : NULL;
    double y[32], rates[32], found[32];
    check_no_errors(&errors);
    const int n = kane_model_state_count(model);
    assert_true(n <= 32);
    assert_int_equal(kane_initial_state(model, work, y, &errors), KANE_OK);
    for (int i = n - 4; i < n; i++)
        y[i] = 0.1 * (i - n + 5);
    assert_int_equal(kane_eval(model, work, 0.25, y, rates), KANE_OK);
    double *symbols    = calloc((size_t)r->symbol_count, sizeof *symbols);
    double *tape       = calloc((size_t)r->tape.count, sizeof *tape);
    kane_caller caller = {model, work};
    symbols[0]         = 0.25;
    memcpy(symbols + 1, y, (size_t)n * sizeof *y);
    r->answer = kane_call;
    r->caller = &caller;
    assert_true(kane_record_play(r, symbols, tape, found));
    assert_int_equal(r->counts[KANE_OP_CALL], 1);
    assert_string_equal(r->call[0], "law of 'spring'");
    for (int i = 0; i < n; i++)
        if (!(fabs(found[i] - rates[i]) <= check_tolerance(1e-12) * (1.0 + fabs(rates[i]))))
            fail_msg("rate %d: %g, %g", i, found[i], rates[i]);
    free(tape);
    free(symbols);
    kane_record_free(r);
}

// M u_dot = F with the accelerations of kane_eval; of a residual with its rates 0.
static void check_matrices(const char *name, const char *const *settings, double t)
{
    CHECK_END(subject_close) subject s = {0};
    subject_open(&s, name, settings);
    kane_recording *M = record_with(settings, NULL, KANE_RECORD_MASS_MATRIX);
    kane_recording *r = M ? record_with(settings, NULL, KANE_RECORD_RESIDUAL) : NULL;
    check_no_errors(&errors);
    const int m = M->output[0].rows, begin = s.model->u_begin;
    double *out = s.out, worst = 0.0, size = 1.0;
    go_to(&s, t);
    CHECK_MEMORY double *matrix   = calloc((size_t)m * (size_t)(m + 1), sizeof *matrix);
    CHECK_MEMORY double *symbols  = calloc((size_t)r->symbol_count, sizeof *symbols);
    CHECK_MEMORY double *tape     = calloc((size_t)r->tape.count, sizeof *tape);
    CHECK_MEMORY double *residual = calloc((size_t)s.n, sizeof *residual);
    s.out                         = matrix;
    assert_true(play(&s, M, NULL));
    s.out      = out;
    symbols[0] = kane_simulation_time(s.simulation);
    memcpy(symbols + 1, kane_simulation_state(s.simulation), (size_t)s.n * sizeof *symbols);
    memcpy(symbols + r->argument[KANE_GROUP_INPUT].first, r->start + r->argument[KANE_GROUP_INPUT].first,
           (size_t)r->argument[KANE_GROUP_INPUT].count * sizeof *symbols);
    memcpy(symbols + r->argument[KANE_GROUP_RATE].first, s.ydot, (size_t)s.n * sizeof *symbols);
    r->answer = kane_call;
    r->caller = &s.caller;
    assert_true(kane_record_play(r, symbols, tape, residual));
    for (int i = 0; i < m; i++) {
        double left = -matrix[m * m + i];
        for (int k = 0; k < m; k++)
            left += matrix[m * i + k] * s.ydot[begin + k];
        worst = fmax(worst, fmax(fabs(left), fabs(residual[begin + i])));
        size  = fmax(size, fabs(matrix[m * m + i]));
    }
    for (int i = 0; i < s.n; i++)
        if (i < begin || i >= begin + m)
            check_near(residual[i], 0.0, 1e-12 * (1.0 + fabs(s.ydot[i])));
    if (!(worst <= check_tolerance(1e-11) * size))
        fail_msg("%s: %g of %g", name, worst, size);
    kane_record_free(r);
    kane_record_free(M);
}

CHECK_TEST(matrices_and_residuals_are_those_of_accelerations)
{
    check_matrices("coach-curve", NULL, 0.7);
    check_matrices("wagon-transition", (const char *const[]){CONSTRAINT, NULL}, 3.0);
    check_matrices("wagon-irregular", (const char *const[]){CONSTRAINT, "track.flexibility={}", NULL}, 1.0);
    check_matrices("feve-curve", NULL, 0.4);
}

// All speeds of a vehicle without loops are in y: v = u, in another order.
CHECK_TEST(speeds_of_guided_wheels_are_independent)
{
    CHECK_END(subject_close) subject s = {0};
    subject_open(&s, "feve-curve", NULL);
    kane_recording *r = record(NULL, KANE_RECORD_COEFFICIENTS);
    check_no_errors(&errors);
    const int n = r->output[0].rows, m = r->output[0].columns;
    CHECK_MEMORY double *found = calloc((size_t)kane_record_output_count(r), sizeof *found);
    double *out                = s.out;
    go_to(&s, 0.4);
    s.out = found;
    assert_true(play(&s, r, NULL));
    s.out = out;
    assert_int_equal(n, m);
    for (int i = 0; i < n; i++) {
        double of_row = 0.0, of_column = 0.0;
        for (int k = 0; k < n; k++) {
            assert_true(found[n * i + k] == 0.0 || found[n * i + k] == 1.0);
            of_row += found[n * i + k];
            of_column += found[n * k + i];
        }
        assert_true(of_row == 1.0 && of_column == 1.0);
    }
    for (int i = n * n; i < kane_record_output_count(r); i++)
        assert_true(found[i] == 0.0); // C and both rates
    kane_record_free(r);
}

// --- other languages: what is called is answered from a list, which checks what it is asked ---

enum { STATES = 3, CALLS = 24 };

static struct {
    int count, which[CALLS], inputs[CALLS], outputs[CALLS];
    double in[CALLS][STATES][KANE_CALL_INPUTS], out[CALLS][STATES][KANE_CALL_OUTPUTS];
    kane_caller *caller;
    int state; // that is written or read
} list;

static int keep(void *caller, int which, const double *in, double *out)
{
    const kane_call_info info = kane_model_call(list.caller->model, which);
    int k                     = 0;
    (void)caller;
    while (k < list.count && list.which[k] != which)
        k++;
    list.count += k == list.count;
    assert_true(list.count <= CALLS);
    list.which[k]   = which;
    list.inputs[k]  = info.inputs;
    list.outputs[k] = info.outputs;
    memcpy(list.in[k][list.state], in, (size_t)info.inputs * sizeof *in);
    const int good = kane_call(list.caller, which, in, out);
    memcpy(list.out[k][list.state], out, (size_t)info.outputs * sizeof *out);
    return good;
}

static void answer_from_list(int which, int inputs, const double *x, int outputs, double *y)
{
    int k = 0;
    while (k < list.count && list.which[k] != which)
        k++;
    assert_true(k < list.count && inputs == list.inputs[k] && outputs == list.outputs[k]);
    for (int i = 0; i < inputs; i++)
        assert_true(fabs(x[i] - list.in[k][list.state][i]) <= 1e-12 * (1.0 + fabs(x[i])));
    memcpy(y, list.out[k][list.state], (size_t)outputs * sizeof *y);
}

static void write_list(FILE *f, const char *name, const int *count, double (*of)(int k, int state, int i))
{
    (void)fprintf(f, "%s = {", name);
    for (int k = 0; k < list.count; k++) {
        (void)fputs(k ? ", [" : "[", f);
        for (int i = 0; i < count[k]; i++)
            for (int state = 0; state < STATES; state++)
                (void)fprintf(f, "%s%.17g", state ? ", " : i ? "; " : "", of(k, state, i));
        (void)fputs("]", f);
    }
    (void)fputs("};\n", f);
}

static double in_of(int k, int state, int i)
{
    return list.in[k][state][i];
}

static double out_of(int k, int state, int i)
{
    return list.out[k][state][i];
}

static void write_matrix(FILE *f, const char *name, int rows, double *const *columns)
{
    (void)fprintf(f, "%s = [", name);
    for (int i = 0; i < rows; i++)
        for (int state = 0; state < STATES; state++)
            (void)fprintf(f, "%s%.17g", state ? ", " : i ? "; " : "", columns[state][i]);
    (void)fputs("];\n", f);
}

static void emit(const kane_recording *r, kane_emit_target target, int lanes, const char *name)
{
    const kane_emit_options how = {.function = "recorded", .lanes = lanes};
    FILE *f                     = fopen(name, "w");
    assert_non_null(f);
    kane_record_emit(r, target, &how, f);
    assert_int_equal(fclose(f), 0);
}

static void octave(const subject *s, double t, double *const *y, double *const *out)
{
    if (!command_works("octave-cli --version >/dev/null 2>&1")) {
        check_skip_part("there is no octave-cli here (Debian: octave)");
        return;
    }
    FILE *f = fopen("answer.m", "w");
    (void)fputs("function y = answer(which, x, known, in, out)\n  k = find(known == which);\n"
                "  assert(x, in{k}, -1e-12);\n  y = out{k};\nendfunction\n",
                f);
    assert_int_equal(fclose(f), 0);
    f = fopen("drive.m", "w");
    (void)fputs("known = [", f);
    for (int k = 0; k < list.count; k++)
        (void)fprintf(f, "%s%d", k ? ", " : "", list.which[k]);
    (void)fputs("];\n", f);
    write_list(f, "in", list.inputs, in_of);
    write_list(f, "out", list.outputs, out_of);
    write_matrix(f, "Y", s->n, y);
    write_matrix(f, "expected", s->n, out);
    (void)fprintf(f, "found = recorded(%.17g, Y, @(which, x) answer(which, x, known, in, out));\n", t);
    (void)fputs("worst = max(max(abs(found - expected)));\n"
                "if ! (worst <= 1e-12 * (1 + max(max(abs(expected))))) error(\"%g\", worst); endif\n",
                f);
    assert_int_equal(fclose(f), 0);
    command_must("octave-cli --no-init-file --quiet drive.m");
}

typedef int lane_function(double t, const double *y, int (*call)(void *, int, const double *, double *), void *caller,
                          double *out);

static void lanes_of_two(subject *s, double t, double *const *y, double *const *expected)
{
    lane_function *f;
    command_must("cc -std=c11 -O0 -Wall -Wextra -Werror -Wno-psabi -ffp-contract=off -shared -fPIC -o lanes.so lanes.c "
                 "-lm");
    void *handle = dlopen("./lanes.so", RTLD_NOW | RTLD_LOCAL);
    void *symbol = dlsym(handle, "recorded");
    memcpy(&f, &symbol, sizeof f);
    double *in = calloc(2 * (size_t)s->n, sizeof *in), *out = calloc(2 * (size_t)s->n, sizeof *out);
    for (int i = 0; i < 2 * s->n; i++)
        in[i] = y[i % 2][i / 2];
    assert_int_equal(f(t, in, kane_call, &s->caller, out), 1);
    for (int i = 0; i < 2 * s->n; i++)
        if (!(fabs(out[i] - expected[i % 2][i / 2]) <= 1e-12 * (1.0 + fabs(expected[i % 2][i / 2]))))
            fail_msg("lane %d, number %d: %g, %g", i % 2, i / 2, out[i], expected[i % 2][i / 2]);
    free(out);
    free(in);
    (void)dlclose(handle);
}

CHECK_TEST(other_languages_call_as_well)
{
    CHECK_END(subject_close) subject s = {0};
    double *y[STATES], *out[STATES];
    subject_open(&s, "wagon-irregular", NULL);
    kane_recording *r = record(NULL, KANE_RECORD_RATES);
    check_no_errors(&errors);
    go_to(&s, 0.5);
    const double t  = kane_simulation_time(s.simulation);
    double *symbols = calloc((size_t)r->symbol_count, sizeof *symbols);
    double *tape    = calloc((size_t)r->tape.count, sizeof *tape);
    list.caller     = &s.caller;
    r->answer       = keep;
    for (list.state = 0; list.state < STATES; list.state++) {
        double *of = y[list.state] = calloc((size_t)s.n, sizeof *of);
        out[list.state]            = calloc((size_t)s.n, sizeof *of);
        for (int i = 0; i < s.n; i++)
            of[i] = kane_simulation_state(s.simulation)[i] + 1e-4 * list.state * sin(i);
        symbols[0] = t;
        memcpy(symbols + 1, of, (size_t)s.n * sizeof *of);
        assert_true(kane_record_play(r, symbols, tape, out[list.state]));
    }
    emit(r, KANE_EMIT_OCTAVE, 1, "recorded.m");
    octave(&s, t, y, out);
    emit(r, KANE_EMIT_C, 2, "lanes.c");
    lanes_of_two(&s, t, y, out);
    emit(r, KANE_EMIT_MODELICA, 1, "recorded.mo");
    for (list.state = 0; list.state < STATES; list.state++) {
        modelica_evaluate_with(content("recorded.mo"), t, y[list.state], answer_from_list, s.out);
        memcpy(s.ydot, out[list.state], (size_t)s.n * sizeof *s.ydot);
        assert_true(difference(&s) <= check_tolerance(1e-12));
        free(y[list.state]);
        free(out[list.state]);
    }
    free(tape);
    free(symbols);
    kane_record_free(r);
}

// Suspension and masses stay symbols beside calls: the tape with other values is another wagon.
CHECK_TEST(parameters_stay_symbols_beside_calls)
{
    static const char *const parameters[] = {"vehicle.patterns.axlebox.stiffness[1]",
                                             "vehicle.patterns.axlebox.damping[2]", "vehicle.bodies.body.inertia[0]",
                                             NULL};
    static const char *const settings[]   = {"vehicle.patterns.axlebox.stiffness[1]=0.9e6",
                                             "vehicle.patterns.axlebox.damping[2]=55e3",
                                             "vehicle.bodies.body.inertia[0]=16000", NULL};
    const double values[]                 = {0.9e6, 55e3, 16000.0};
    CHECK_END(subject_close) subject s    = {0};
    subject_open(&s, "wagon-transition", settings);
    kane_recording *r = record(parameters, KANE_RECORD_RATES);
    check_no_errors(&errors);
    for (int i = 0; i < 2; i++) {
        go_to(&s, 2.0 * i);
        assert_true(play(&s, r, values));
        const double gap = difference(&s);
        if (!(gap <= check_tolerance(1e-12)))
            fail_msg("at %g s: %g", 3.0 * i, gap);
    }
    kane_record_free(r);
}

// A number that what is called depends on, and derivatives of it, are refused.
CHECK_TEST(what_is_called_says_what_it_is_not)
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
    (void)snprintf(file, sizeof file, "%s/data/runs/wagon-transition.json", KANE_SOURCE_DIR);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        kane_errors_free(&errors);
        assert_null(record(wrong[k].parameters, KANE_RECORD_RATES));
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
        if (!strstr(text, wrong[k].message))
            fail_msg("%s: %s", wrong[k].parameters[0], text);
    }
    kane_errors_free(&errors);
}

CHECK_MAIN(enter_folder, leave_folder)
