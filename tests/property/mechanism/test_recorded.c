// SPDX-License-Identifier: MIT
// Recorded equations are those of libkane: the tapes of all mechanisms that come along, carried out along their motion,
// against kane_eval, the exact Jacobian, matrices and coefficients. The differentiated tape shares nothing with the
// exact Jacobian.

#include "errors.h"

#include <kane/kane.h>

#include "agem/bodies.h"
#include "record/record.h"
#include "tree/tree.h"

typedef struct subject {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_work *work, *start;
    double *ydot;
} subject;

static kane_errors errors;

static void subject_open(subject *s, const char *name)
{
    char file[512];
    const kane_run_options how = {0};
    (void)snprintf(file, sizeof file, "%s/data/runs/mechanism-%s.json", KANE_SOURCE_DIR, name);
    kane_errors_free(&errors);
    s->run        = kane_run_read(file, &how, &errors);
    s->model      = s->run ? kane_run_create_model(s->run, &errors) : NULL;
    s->simulation = s->model ? kane_run_create_simulation(s->run, s->model, &errors) : NULL;
    s->work       = s->model ? kane_work_create(s->model, &errors) : NULL;
    s->start      = s->model ? kane_work_create(s->model, &errors) : NULL;
    check_no_errors(&errors);
    s->ydot = calloc((size_t)s->model->state_count + 1, sizeof *s->ydot);
    assert_non_null(s->ydot);
    assert_int_equal(kane_initial_state(s->model, s->start, s->ydot, &errors), KANE_OK);
}

static void subject_close(subject *s)
{
    free(s->ydot);
    kane_work_free(s->start);
    kane_work_free(s->work);
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

// Goes on to a time. 0 where other speeds have become independent: y is another one then.
static int go_to(subject *s, double t)
{
    if (kane_simulation_advance(s->simulation, t, &errors) != KANE_OK)
        check_no_errors(&errors);
    kane_work_copy(s->model, kane_simulation_work(s->simulation), s->work);
    for (int c = 0; c < s->model->cluster_count; c++) {
        const kane_cluster *cluster = &s->model->clusters[c];
        const int *now              = kane_cluster_independent(s->work->cluster[c]);
        if (memcmp(now, kane_cluster_independent(s->start->cluster[c]), (size_t)cluster->u_count * sizeof *now) != 0)
            return 0;
    }
    return 1;
}

static kane_recording *record(const subject *s, kane_record_what what)
{
    kane_record_options o = kane_record_options_default();
    o.what                = what;
    o.definition          = kane_run_get_definition(s->run)->vehicle;
    return CHECK_GOOD(kane_record_create, s->model, &o);
}

// Outputs at the state of the simulation.
static double *play(const subject *s, const kane_recording *r)
{
    CHECK_MEMORY double *symbols = calloc((size_t)r->symbol_count, sizeof *symbols);
    CHECK_MEMORY double *values  = calloc((size_t)r->tape.count, sizeof *values);
    double *outputs              = calloc((size_t)kane_record_output_count(r) + 1, sizeof *outputs);
    assert_non_null(symbols);
    memcpy(symbols, r->start, (size_t)r->symbol_count * sizeof *symbols);
    symbols[0] = kane_simulation_time(s->simulation);
    memcpy(symbols + 1, kane_simulation_state(s->simulation), (size_t)s->model->state_count * sizeof *symbols);
    assert_true(kane_record_play(r, symbols, values, outputs));
    return outputs;
}

// The largest difference against the largest number.
static double difference(size_t count, const double *a, const double *b)
{
    double worst = 0.0, size = 1.0;
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, isfinite(a[i]) ? fabs(a[i] - b[i]) : HUGE_VAL);
        size  = fmax(size, fabs(b[i]));
    }
    return worst / size;
}

static const struct {
    const char *name;
    double times[3];
} mechanisms[] = {
    {"bench", {0.0, 0.05, 0.2}},       {"blade", {0.0, 0.01, 0.02}},      {"block", {0.0, 0.01, 0.02}},
    {"bricard", {0.0, 0.1, 0.3}},      {"crane", {0.0, 0.3, 1.0}},        {"flexible-crank", {0.0, 0.002, 0.004}},
    {"foucault", {0.0, 0.5, 1.0}},     {"four-bar", {0.0, 0.05, 0.1}},    {"heavy-top", {0.0, 0.05, 0.1}},
    {"hexapod", {0.0, 0.05, 0.1}},     {"knife-edge", {0.0, 0.3, 1.0}},   {"l15", {0.0, 0.05, 0.1}},
    {"pendulum", {0.0, 0.3, 1.0}},     {"rear-corner", {0.0, 0.05, 0.1}}, {"rolling-disc", {0.0, 0.1, 0.3}},
    {"sedan", {0.0, 0.05, 0.1}},       {"ship-crane", {0.0, 0.5, 1.0}},   {"slider-crank", {0.0, 0.01, 0.02}},
    {"squeezer", {0.0, 0.001, 0.002}}, {"steering", {0.0, 0.1, 0.3}},     {"three-bar", {0.0, 0.05, 0.1}},
    {"turntable", {0.0, 0.1, 0.3}},    {"two-loops", {0.0, 0.05, 0.1}}};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

CHECK_TEST(rates_are_those_of_an_evaluation)
{
    for (int i = 0; i < MECHANISMS; i++) {
        CHECK_END(subject_close) subject s = {0};
        subject_open(&s, mechanisms[i].name);
        kane_recording *r  = record(&s, KANE_RECORD_RATES);
        const size_t count = (size_t)s.model->state_count;
        for (int k = 0; k < 3 && go_to(&s, mechanisms[i].times[k]); k++) {
            CHECK_MEMORY double *recorded = play(&s, r);
            assert_int_equal(kane_eval(s.model, s.work, kane_simulation_time(s.simulation),
                                       kane_simulation_state(s.simulation), s.ydot),
                             KANE_OK);
            const double gap = difference(count, recorded, s.ydot);
            if (!(gap <= check_tolerance(1e-12)))
                fail_msg("%s at %g s: %g", mechanisms[i].name, mechanisms[i].times[k], gap);
        }
        kane_record_free(r);
    }
}

CHECK_TEST(the_differentiated_tape_is_the_exact_jacobian)
{
    for (int i = 0; i < MECHANISMS; i++) {
        CHECK_END(subject_close) subject s = {0};
        subject_open(&s, mechanisms[i].name);
        const int n               = s.model->state_count;
        kane_recording *r         = record(&s, KANE_RECORD_JACOBIAN);
        kane_jacobian *jacobian   = kane_jacobian_create(s.model, n);
        const kane_pattern *where = kane_jacobian_pattern(jacobian);
        double *values            = calloc((size_t)where->count, sizeof *values);
        double *J                 = calloc((size_t)n * (size_t)n, sizeof *J);
        for (int k = 1; k < 3 && go_to(&s, mechanisms[i].times[k]); k++) {
            CHECK_MEMORY double *recorded = play(&s, r);
            assert_int_equal(kane_jacobian_eval(jacobian, s.model, s.work, kane_simulation_time(s.simulation),
                                                kane_simulation_state(s.simulation), s.ydot, values),
                             KANE_OK);
            for (int column = 0; column < n; column++)
                for (int at = where->column_start[column]; at < where->column_start[column + 1]; at++)
                    J[where->row[at] * n + column] = values[at];
            const double gap = difference((size_t)n * (size_t)n, recorded, J);
            if (!(gap <= check_tolerance(1e-10)))
                fail_msg("%s at %g s: %g", mechanisms[i].name, mechanisms[i].times[k], gap);
        }
        free(J);
        free(values);
        kane_jacobian_free(jacobian);
        kane_record_free(r);
    }
}

static void check_part(const char *name, const char *what, const double *recorded, const double *expected, int count,
                       double tolerance)
{
    const double gap = difference((size_t)count, recorded, expected);
    if (!(gap <= check_tolerance(tolerance)))
        fail_msg("%s: %s: %g", name, what, gap);
}

// M u_dot = F, coefficients and their rates; the residual of the rates themselves is zero.
CHECK_TEST(matrices_are_those_of_the_equations)
{
    static const char *const names[] = {"l15",   "four-bar",  "two-loops",  "squeezer",
                                        "block", "turntable", "rear-corner"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_END(subject_close) subject s = {0};
        kane_coefficients c;
        subject_open(&s, names[i]);
        assert_true(go_to(&s, 1e-3));
        const double t = kane_simulation_time(s.simulation), *y = kane_simulation_state(s.simulation);
        kane_recording *M = record(&s, KANE_RECORD_MASS_MATRIX), *A = record(&s, KANE_RECORD_COEFFICIENTS);
        kane_equations *e = kane_equations_create(s.model, &errors);
        assert_int_equal(kane_equations_eval(e, s.work, t, y), KANE_OK);
        assert_int_equal(kane_get_coefficients(e, &c), KANE_OK);
        const kane_equation_values *v = kane_equations_get(e);
        const int n = v->speed_count, m = v->independent_count;
        double *masses = play(&s, M), *coefficients = play(&s, A);
        check_part(names[i], "M", masses, v->M, m * m, 1e-12);
        check_part(names[i], "F", masses + m * m, v->F, m, 1e-12);
        check_part(names[i], "A", coefficients, c.A, n * m, 1e-12);
        check_part(names[i], "C", coefficients + n * m, c.C, n, 1e-12);
        check_part(names[i], "A_rate", coefficients + n * m + n, c.A_rate, n * m,
                   1e-7); // its differences have ten digits
        check_part(names[i], "C_rate", coefficients + 2 * n * m + n, c.C_rate, n, 1e-6);
        kane_recording *residual = record(&s, KANE_RECORD_RESIDUAL);
        double *symbols          = calloc((size_t)residual->symbol_count, sizeof *symbols);
        double *values           = calloc((size_t)residual->tape.count, sizeof *values);
        double *out              = calloc((size_t)s.model->state_count, sizeof *out);
        symbols[0]               = t;
        memcpy(symbols + 1, y, (size_t)s.model->state_count * sizeof *y);
        assert_int_equal(kane_eval(s.model, s.work, t, y, s.ydot), KANE_OK);
        memcpy(symbols + residual->argument[KANE_GROUP_RATE].first, s.ydot, (size_t)s.model->state_count * sizeof *y);
        assert_true(kane_record_play(residual, symbols, values, out));
        double size = 1.0, worst = 0.0;
        for (int k = 0; k < m; k++)
            size = fmax(size, fabs(v->F[k]));
        for (int k = 0; k < s.model->state_count; k++)
            worst = fmax(worst, fabs(out[k]));
        if (!(worst / size <= check_tolerance(1e-9)))
            fail_msg("%s: residual %g of %g", names[i], worst, size);
        free(out);
        free(values);
        free(symbols);
        free(coefficients);
        free(masses);
        kane_equations_free(e);
        kane_record_free(residual);
        kane_record_free(A);
        kane_record_free(M);
    }
}

// How many operations they come down to.
CHECK_TEST(operations_are_few)
{
    CHECK_END(subject_close) subject s = {0};
    subject_open(&s, "l15");
    kane_recording *r = record(&s, KANE_RECORD_RATES);
    assert_true(r->operations <= (KANE_FAST_PATHS ? 5700 : 5800)); // closed forms of free bodies save 84
    assert_true(r->operations > 3000);
    kane_record_free(r);
}

// Equations that a formula of the user's closes cannot be written down.
CHECK_TEST(a_closed_form_of_the_users_is_refused)
{
    CHECK_ERRORS refused               = {0};
    CHECK_END(subject_close) subject s = {0};
    kane_closed_formula own            = {.term_count = 3};
    subject_open(&s, "four-bar");
    kane_record_options o        = kane_record_options_default();
    o.definition                 = kane_run_get_definition(s.run)->vehicle;
    s.model->closures[0].formula = &own;
    assert_null(kane_record_create(s.model, &o, &refused));
    s.model->closures[0].formula = NULL;
    assert_non_null(strstr(kane_errors_get(&refused, 0)->text,
                           "'pin' cannot be recorded: its closed form is the user's; \"none\" can be"));
    assert_non_null(strstr(kane_errors_get(&refused, 0)->file, "four-bar.json"));
}

// A mass and gravity that stay symbols: with other values they are those of another model.
CHECK_TEST(symbols_are_what_they_are_called)
{
    CHECK_END(subject_close) subject s = {0};
    subject_open(&s, "four-bar");
    kane_record_options o         = kane_record_options_default();
    o.what                        = KANE_RECORD_RATES;
    o.symbols                     = KANE_SYMBOL_GRAVITY | KANE_SYMBOL_MASSES;
    kane_recording *r             = CHECK_GOOD(kane_record_create, s.model, &o);
    const kane_record_argument *p = &r->argument[KANE_GROUP_SYMBOL];
    assert_int_equal(p->count, 1 + s.model->tree.link_count);
    assert_string_equal(r->symbol[p->first], "gravity");
    kane_run_definition other      = *kane_run_get_definition(s.run);
    kane_vehicle_definition v      = *other.vehicle;
    kane_body_definition bodies[8] = {{.mass = 0.0}};
    memcpy(bodies, v.bodies, (size_t)v.body_count * sizeof *bodies);
    v.bodies  = bodies;
    v.gravity = 1.62;
    for (int i = 0; i < v.body_count; i++)
        bodies[i].mass *= 1.0 + 0.3 * (i + 1);
    kane_model *heavy = CHECK_GOOD(kane_model_create, &v, NULL, &other.drive, &other.model);
    kane_work *work   = kane_work_create(heavy, &errors);
    double y[8], ydot[8], outputs[8], symbols[32];
    assert_int_equal(kane_initial_state(heavy, work, y, &errors), KANE_OK);
    assert_int_equal(kane_eval(heavy, work, 0.0, y, ydot), KANE_OK);
    double *values = calloc((size_t)r->tape.count, sizeof *values);
    memcpy(symbols, r->start, (size_t)r->symbol_count * sizeof *symbols);
    memcpy(symbols + 1, y, (size_t)heavy->state_count * sizeof *y);
    symbols[p->first] = 1.62;
    for (int i = 0; i < heavy->tree.link_count; i++)
        symbols[p->first + 1 + i] = bodies[heavy->link_body[i]].mass;
    assert_true(kane_record_play(r, symbols, values, outputs));
    check_part("four-bar", "rates", outputs, ydot, heavy->state_count, 1e-12);
    free(values);
    kane_work_free(work);
    kane_model_free(heavy);
    kane_record_free(r);
}

CHECK_MAIN(NULL, NULL)
