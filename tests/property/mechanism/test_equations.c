// SPDX-License-Identifier: MIT
// The equations of motion as matrices: they are those that kane_eval solves, their inertia is that of the kinetic
// energy, their forces have the power of what acts, their coefficients are what speeds do, and a shortened rod shows it
// by hand.

#include "folder.h"

#include <kane/kane.h>

#include <glob.h>

typedef struct sample {
    kane_errors errors;
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_work *work;
    kane_equations *equations;
    const kane_equation_values *values;
    double *y, *ydot;
    int count;
} sample;

static void sample_close(sample *s)
{
    free(s->y);
    free(s->ydot);
    kane_equations_free(s->equations);
    kane_work_free(s->work);
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

static void must(const sample *s, int good, const char *file)
{
    char text[1024] = "";
    if (!good && s->errors.count > 0)
        (void)kane_error_format(kane_errors_get(&s->errors, 0), sizeof text, text);
    if (!good)
        fail_msg("%s: %s", file, text);
}

// A run at time t, evaluated.
static sample sample_open(const char *file, const char *setting, double t)
{
    const char *const settings[]   = {setting, NULL};
    const kane_run_options options = {.settings = setting ? settings : NULL};
    sample s                       = {.errors = {0}};
    s.run                          = kane_run_read(file, &options, &s.errors);
    must(&s, s.run != NULL, file);
    s.model = kane_run_create_model(s.run, &s.errors);
    must(&s, s.model != NULL, file);
    s.simulation = kane_run_create_simulation(s.run, s.model, &s.errors);
    must(&s, s.simulation && kane_simulation_advance(s.simulation, t, &s.errors) == KANE_OK, file);
    s.work      = kane_work_create(s.model, &s.errors);
    s.equations = kane_equations_create(s.model, &s.errors);
    must(&s, s.work && s.equations, file);
    s.values = kane_equations_get(s.equations);
    s.count  = kane_model_state_count(s.model);
    s.y      = malloc((size_t)s.count * sizeof *s.y);
    s.ydot   = malloc((size_t)s.count * sizeof *s.ydot);
    memcpy(s.y, kane_simulation_state(s.simulation), (size_t)s.count * sizeof *s.y);
    kane_work_copy(s.model, kane_simulation_work(s.simulation), s.work);
    const double now = kane_simulation_time(s.simulation);
    assert_int_equal(kane_eval(s.model, s.work, now, s.y, s.ydot), KANE_OK);
    assert_int_equal(kane_equations_eval(s.equations, s.work, now, s.y), KANE_OK);
    return s;
}

// --- the equations are those of kane_eval ---

// sum of row . x, and the size of its terms
static double times(int n, const double *row, const double *x, double *size)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += row[k] * x[k];
        *size += fabs(row[k] * x[k]);
    }
    return sum;
}

static void check_motion(const sample *s)
{
    const kane_equation_values *e = s->values;
    const int n = e->speed_count, m = e->independent_count;
    for (int i = 0; i < m; i++) {
        const int at = kane_equations_state(s->equations, i);
        check_near(e->u[i], s->y[at], 0.0);
        check_near(e->u_dot[i], s->ydot[at], 0.0);
        const int own = kane_equations_independent(s->equations, i);
        for (int j = 0; j < m; j++)
            check_near(e->A[own * m + j], i == j, 0.0);
    }
    double fast = 1e-3, hard = 1e-3;
    for (int k = 0; k < n; k++) {
        fast = fmax(fast, fabs(e->v[k]));
        hard = fmax(hard, fabs(e->v_dot[k]));
    }
    for (int k = 0; k < n; k++) {
        double size = fast, least = hard;
        check_near(e->v[k] - times(m, e->A + k * m, e->u, &size), e->C[k], 1e-12 * size);
        check_near(e->v_dot[k] - times(m, e->A + k * m, e->u_dot, &least), e->G[k], 1e-12 * (least + fabs(e->G[k])));
    }
}

// Theta v_dot + h - Q - Phi' lambda = 0 in units of its terms, and the rows at rest.
static void check_full(const sample *s)
{
    const kane_equation_values *e = s->values;
    const int n = e->speed_count, r = e->row_count;
    double most = 0.0;
    for (int k = 0; k < n; k++) {
        double size = fabs(e->h[k]) + fabs(e->Q[k]);
        double left = times(n, e->Theta + k * n, e->v_dot, &size) + e->h[k] - e->Q[k];
        for (int i = 0; i < r; i++) {
            left -= e->Phi[i * n + k] * e->lambda[i];
            size += fabs(e->Phi[i * n + k] * e->lambda[i]);
        }
        most = fmax(most, size);
        check_near(left, 0.0, 1e-10 * (size + 1e-3 * most));
        for (int l = 0; l < k; l++)
            check_near(e->Theta[k * n + l], e->Theta[l * n + k], 0.0);
    }
    for (int i = 0; i < r; i++) {
        double rate = fabs(e->phi[i]) + 1e-3, acceleration = fabs(e->gamma[i]) + 1e-3;
        const double speed = times(n, e->Phi + i * n, e->v, &rate) + e->phi[i];
        const double bend  = times(n, e->Phi + i * n, e->v_dot, &acceleration) + e->gamma[i];
        check_near(speed, 0.0, 1e-7 * rate);
        check_near(bend, 0.0, 1e-8 * acceleration);
    }
}

// M u_dot = F. With multipliers there is nothing to reduce.
static void check_reduced(const sample *s)
{
    const kane_equation_values *e = s->values;
    const int n = e->speed_count, m = e->independent_count;
    double most = 0.0;
    for (int i = 0; i < m && m < n; i++) {
        double size       = fabs(e->F[i]) + 1e-9;
        const double left = times(m, e->M + i * m, e->u_dot, &size) - e->F[i];
        for (int k = 0; k < n; k++) { // forces that cancel in F
            double of_row = fabs(e->Q[k]) + fabs(e->h[k]);
            (void)times(n, e->Theta + k * n, e->G, &of_row);
            size += fabs(e->A[k * m + i]) * of_row;
        }
        most = fmax(most, size);
        check_near(left, 0.0, 1e-10 * (size + 1e-6 * most));
    }
}

static void check_sample(const char *file, const char *setting, double t)
{
    CHECK_END(sample_close) sample s = sample_open(file, setting, t);
    check_motion(&s);
    check_full(&s);
    check_reduced(&s);
}

static void on_all_mechanisms(void (*check)(const char *file, const char *setting, double t))
{
    glob_t found;
    assert_int_equal(glob(KANE_SOURCE_DIR "/data/runs/mechanism-*.json", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 20);
    for (size_t i = 0; i < found.gl_pathc; i++)
        for (int form = 0; form < 2; form++)
            check(found.gl_pathv[i], form ? "form=multipliers" : "form=coefficients", 0.02);
    globfree(&found);
}

CHECK_TEST(equations_are_those_that_are_solved)
{
    on_all_mechanisms(check_sample);
}

CHECK_TEST(and_those_of_vehicles)
{
    static const char *const runs[] = {"wagon-transition", "coach-curve",    "bogie-wagon-transition",
                                       "wagon-driven",     "wagon-four-bar", "wagon-flexible",
                                       "coach-flexible",   "railcar",        "link-wagon-transition"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char file[512];
        (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, runs[i]);
        check_sample(file, NULL, 0.05);
        check_sample(file, "formulation=fixed", 0.05);
    }
}

// --- inertia is that of the kinetic energy, which bodies are asked for one by one ---

static double kinetic(const sample *s, const double *y)
{
    kane_energy energy;
    assert_int_equal(kane_eval(s->model, s->work, kane_simulation_time(s->simulation), y, s->ydot), KANE_OK);
    kane_observe(s->model, s->work);
    kane_get_energy(s->model, s->work, &energy);
    return energy.kinetic;
}

// T is a quadratic form of u: M_ij = T(u + e_i + e_j) - T(u + e_i) - T(u + e_j) + T(u), whatever the step.
static void check_energy(const char *file, const char *setting, double t)
{
    CHECK_END(sample_close) sample s = sample_open(file, setting, t);
    const int m = s.values->independent_count, few = m < 12 ? m : 12;
    double *y = malloc((size_t)s.count * sizeof *y), one[12];
    memcpy(y, s.y, (size_t)s.count * sizeof *y);
    const double rest = kinetic(&s, y);
    for (int i = 0; i < few; i++) {
        y[kane_equations_state(s.equations, i)] += 1.0;
        one[i]                                  = kinetic(&s, y);
        y[kane_equations_state(s.equations, i)] = s.y[kane_equations_state(s.equations, i)];
    }
    for (int i = 0; i < few; i++)
        for (int j = 0; j <= i; j++) {
            y[kane_equations_state(s.equations, i)] += 1.0;
            y[kane_equations_state(s.equations, j)] += 1.0;
            const double M = kinetic(&s, y) - one[i] - one[j] + rest;
            check_near(s.values->M[i * m + j], M, 1e-10 * (fabs(one[i]) + fabs(one[j]) + fabs(rest) + fabs(M)));
            memcpy(y, s.y, (size_t)s.count * sizeof *y);
        }
    free(y);
}

CHECK_TEST(inertia_is_that_of_the_kinetic_energy)
{
    on_all_mechanisms(check_energy);
    check_energy(KANE_SOURCE_DIR "/data/runs/wagon-transition.json", NULL, 0.05);
    check_energy(KANE_SOURCE_DIR "/data/runs/wagon-four-bar.json", NULL, 0.05);
}

// --- forces: their power is that of what acts ---

static void check_power(const char *file, const char *setting)
{
    kane_energy energy;
    CHECK_END(sample_close) sample s = sample_open(file, setting, 0.02);
    (void)kinetic(&s, s.y);
    kane_get_energy(s.model, s.work, &energy);
    const double all   = energy.power_elements + energy.power_drive + energy.power_contact;
    double size        = fabs(energy.power_elements) + fabs(energy.power_drive) + fabs(energy.power_contact) + 1e-3;
    const double power = times(s.values->speed_count, s.values->Q, s.values->v, &size);
    check_near(power, all, 1e-9 * size);
}

// In frames at rest, where nothing else has power.
CHECK_TEST(generalised_forces_have_the_power_of_what_acts)
{
    static const char *const runs[] = {"l15", "squeezer", "pendulum", "rear-corner"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char file[512];
        (void)snprintf(file, sizeof file, "%s/data/runs/mechanism-%s.json", KANE_SOURCE_DIR, runs[i]);
        check_power(file, "form=coefficients");
        check_power(file, "form=multipliers");
    }
}

// --- coefficients ---

// v at speeds u + step e_i
static void check_columns(const char *file, const char *setting, double t)
{
    CHECK_END(sample_close) sample s = sample_open(file, setting, t);
    const int n = s.values->speed_count, m = s.values->independent_count;
    double *A = malloc((size_t)(n * m) * sizeof *A), *v = malloc((size_t)n * sizeof *v), most = 0.0;
    memcpy(A, s.values->A, (size_t)(n * m) * sizeof *A);
    memcpy(v, s.values->v, (size_t)n * sizeof *v);
    for (int k = 0; k < n * m; k++)
        most = fmax(most, fabs(A[k]));
    for (int i = 0; i < m && m < n; i++) {
        const int at       = kane_equations_state(s.equations, i);
        const double there = s.y[at];
        s.y[at]            = there + 1.0;
        assert_int_equal(kane_equations_eval(s.equations, s.work, kane_simulation_time(s.simulation), s.y), KANE_OK);
        for (int k = 0; k < n; k++)
            check_near(s.values->v[k] - v[k], A[k * m + i], 1e-11 * (most + fabs(v[k]) + fabs(s.values->v[k])));
        s.y[at] = there;
    }
    free(A);
    free(v);
}

CHECK_TEST(columns_are_what_one_more_unit_of_a_speed_does)
{
    on_all_mechanisms(check_columns);
}

// Runge and Kutta's method over a small step, forward or back.
static void step(const sample *s, double t, double h, double *y)
{
    const int n = s->count;
    double *k = calloc(5 * (size_t)n, sizeof *k), *at = k + 4 * n;
    for (int stage = 0; stage < 4; stage++) {
        const double part = stage == 0 ? 0.0 : stage == 3 ? 1.0 : 0.5;
        for (int i = 0; i < n; i++)
            at[i] = y[i] + (stage ? part * h * k[(stage - 1) * n + i] : 0.0);
        assert_int_equal(kane_eval(s->model, s->work, t + part * h, at, k + stage * n), KANE_OK);
    }
    for (int i = 0; i < n; i++)
        y[i] += h / 6.0 * (k[i] + 2.0 * k[n + i] + 2.0 * k[2 * n + i] + k[3 * n + i]);
    free(k);
}

// Rates against differences of order 4 of A and C along the true motion.
static void check_rates(const char *file, const char *setting, double t, double h)
{
    static const double weight[]     = {1.0 / 12.0, -8.0 / 12.0, 0.0, 8.0 / 12.0, -1.0 / 12.0};
    CHECK_END(sample_close) sample s = sample_open(file, setting, t);
    const int n = s.values->speed_count, m = s.values->independent_count;
    CHECK_MEMORY double *by_A = calloc((size_t)(n * m), sizeof *by_A), *by_C = calloc((size_t)n, sizeof *by_C);
    double *y = malloc((size_t)s.count * sizeof *y), most = 1e-3;
    const double now = kane_simulation_time(s.simulation);
    kane_coefficients found;
    for (int i = 0; i < 5; i++) {
        const double way = (i - 2) * h;
        memcpy(y, s.y, (size_t)s.count * sizeof *y);
        step(&s, now, way, y);
        assert_int_equal(kane_equations_eval(s.equations, s.work, now + way, y), KANE_OK);
        for (int k = 0; k < n * m; k++)
            by_A[k] += weight[i] / h * s.values->A[k];
        for (int k = 0; k < n; k++)
            by_C[k] += weight[i] / h * s.values->C[k];
    }
    assert_int_equal(kane_equations_eval(s.equations, s.work, now, s.y), KANE_OK);
    assert_int_equal(kane_get_coefficients(s.equations, &found), KANE_OK);
    for (int k = 0; k < n * m; k++)
        most = fmax(most, fabs(found.A_rate[k]));
    for (int k = 0; k < n * m; k++)
        check_near(found.A_rate[k], by_A[k], 1e-7 * most);
    for (int k = 0; k < n; k++)
        check_near(found.C_rate[k], by_C[k], 1e-6 * (most + fabs(by_C[k])));
    free(y);
}

CHECK_TEST(rates_are_those_along_the_motion)
{
    check_rates(KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json", NULL, 0.1, 1e-3);
    check_rates(KANE_SOURCE_DIR "/data/runs/mechanism-bricard.json", NULL, 0.1, 1e-3);
    check_rates(KANE_SOURCE_DIR "/data/runs/mechanism-rolling-disc.json", NULL, 0.1, 1e-3);
    check_rates(KANE_SOURCE_DIR "/data/runs/mechanism-two-loops.json", NULL, 0.1, 1e-3);
    check_rates(KANE_SOURCE_DIR "/data/runs/mechanism-sedan.json", NULL, 0.7, 1e-3);
    check_rates(KANE_SOURCE_DIR "/data/runs/wagon-four-bar.json", NULL, 0.1, 1e-3);
    check_rates(KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json", "form=multipliers", 0.1, 1e-3);
}

// A crank of length r, and a slider that hangs on its end by a rod of length L(t) = L0 + a t:
//   x = r cos(f) + w,  w = sqrt(L^2 - r^2 sin(f)^2)
//   x' = A f' + C,     A = -r sin(f) - r^2 sin(f) cos(f)/w,   C = L a/w
CHECK_TEST(a_rod_that_is_let_out_by_hand)
{
    const double r = 0.3, L0 = 1.0, a = 0.4, rate = 2.0;
    write_file(
        "crank.json",
        "{ \"kane\": \"mechanism 1\", \"name\": \"crank\", \"gravity\": 0,\n"
        "  \"bodies\": {\n"
        "    \"crank\": { \"mass\": 2, \"inertia\": [0.1, 0.1, 0.1], \"at\": [0.15, 0, 0],\n"
        "      \"joint\": { \"type\": \"revolute\", \"at\": [0, 0, 0], \"axis\": [0, 0, 1] },\n"
        "      \"start\": { \"angle\": 0.7, \"rates\": { \"angle\": 2 }, \"fixed\": [\"angle\"], \"fixed_rates\": [\"angle\"] } },\n"
        "    \"slider\": { \"mass\": 1, \"inertia\": [0, 0, 0], \"at\": [1.3, 0, 0],\n"
        "      \"joint\": { \"type\": \"prismatic\", \"at\": [1.3, 0, 0], \"axis\": [1, 0, 0] } } },\n"
        "  \"constraints\": {\n"
        "    \"rod\": { \"type\": \"distance\", \"between\": [\"crank\", \"slider\"], \"at\": [0.3, 0, 0], \"to\": [1.3, 0, 0],\n"
        "      \"motion\": { \"length\": { \"polynomial\": [1, 0.4] } } } } }\n");
    write_file(
        "run.json",
        "{ \"kane\": \"run 1\", \"mechanism\": \"crank.json\", \"until\": { \"time\": 1 }, \"output\": { \"interval\": 0.1 } }\n");
    CHECK_END(sample_close) sample s = sample_open("run.json", NULL, 0.0);
    const kane_equation_values *e    = s.values;
    kane_coefficients c;
    assert_int_equal(e->speed_count, 2);
    assert_int_equal(e->independent_count, 1);
    assert_int_equal(e->row_count, 1);
    const double f = 0.7, w = sqrt(L0 * L0 - r * r * sin(f) * sin(f));
    const double A = -r * sin(f) - r * r * sin(f) * cos(f) / w, C = L0 * a / w;
    // which of the two is independent is the program's choice
    const int crank    = e->A[0] == 1.0 && e->A[1] != 1.0 ? 1 : 0;
    const double w_dot = (L0 * a - r * r * sin(f) * cos(f) * rate) / w;
    const double A_f = -r * cos(f) - r * r * cos(2.0 * f) / w, A_w = r * r * sin(f) * cos(f) / (w * w);
    const double A_rate = A_f * rate + A_w * w_dot, C_rate = a * a / w - L0 * a * w_dot / (w * w);
    assert_int_equal(kane_get_coefficients(s.equations, &c), KANE_OK);
    if (crank) {
        check_near(c.A[1], A, 1e-13);
        check_near(c.C[1], C, 1e-13);
        check_near(c.A_rate[1], A_rate, 1e-10);
        check_near(c.C_rate[1], C_rate, 1e-10);
        check_near(e->M[0], 2 * 0.15 * 0.15 + 0.1 + A * A, 1e-13);
        check_near(e->F[0], -A * (A_rate * rate + C_rate), 1e-12);
    } else { // f' = x'/A - C/A
        check_near(c.A[0], 1.0 / A, 1e-12);
        check_near(c.C[0], -C / A, 1e-12);
        check_near(c.A_rate[0], -A_rate / (A * A), 1e-9);
        check_near(c.C_rate[0], -C_rate / A + C * A_rate / (A * A), 1e-9);
    }
    int part;
    assert_int_equal(kane_equations_constraint(s.equations, 0, &part), 0);
    assert_string_equal(kane_model_constraint_name(s.model, 0), "rod");
}

// --- what it does not take, and names ---

CHECK_TEST(wheels_that_tables_guide_are_refused)
{
    const char *const settings[]   = {"vehicle.patterns.wheelset.contact.model=table", NULL};
    const kane_run_options options = {.settings = settings};
    CHECK_ERRORS errors            = {0};
    kane_run *run     = kane_run_read(KANE_SOURCE_DIR "/data/runs/wagon-transition.json", &options, &errors);
    kane_model *model = run ? kane_run_create_model(run, &errors) : NULL;
    assert_non_null(model);
    assert_null(kane_equations_create(model, &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_ARGUMENT);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "tables guide wheels"));
    kane_model_free(model);
    kane_run_free(run);
    kane_equations_free(NULL);
}

CHECK_TEST(speeds_have_the_names_of_states)
{
    static const char *const runs[] = {"wagon-transition", "wagon-four-bar", "mechanism-l15",
                                       "mechanism-flexible-crank", "mechanism-heavy-top"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char file[512], name[128], other[128];
        (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, runs[i]);
        CHECK_END(sample_close) sample s = sample_open(file, NULL, 0.0);
        const int m                      = s.values->independent_count;
        for (int k = 0; k < s.values->speed_count; k++) {
            name[0] = '\0';
            kane_speed_name(s.model, kane_equations_speed(s.equations, k), sizeof name, name);
            assert_true(name[0] != '\0');
            for (int u = 0; u < m; u++) { // an independent speed that is its own
                kane_state_name(s.model, kane_equations_state(s.equations, u), sizeof other, other);
                if (s.values->A[k * m + u] == 1.0 && !strstr(other, ".u."))
                    assert_string_equal(name, other);
            }
        }
    }
}

CHECK_MAIN(enter_folder, leave_folder)
