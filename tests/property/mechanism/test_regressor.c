// SPDX-License-Identifier: MIT
// How inertial parameters enter the equations of motion: the regressor times the parameters is what the matrices of the
// equations say; base parameters of a slider crank by hand, of an arm of six joints as many as published.

#include "mechanisms.h"

#include <kane/equations.h>
#include <kane/regressor.h>

// --- Y pi = A' (Theta v_dot + h) ---

typedef struct sample {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_work *work;
    kane_regressor *regressor;
    kane_equations *equations;
    double *Y;
} sample;

static sample open_sample(const char *name, double t)
{
    sample s     = {.run = run_read(name, NULL)};
    s.model      = run_model(kane_run_get_definition(s.run));
    s.simulation = run_simulation(s.model, kane_run_get_definition(s.run));
    assert_true(run_go(s.simulation, t));
    s.work      = CHECK_GOOD(kane_work_create, s.model);
    s.regressor = CHECK_GOOD(kane_regressor_create, s.model);
    s.equations = CHECK_GOOD(kane_equations_create, s.model);
    s.Y = calloc((size_t)kane_regressor_rows(s.regressor) * (size_t)kane_regressor_columns(s.regressor), sizeof *s.Y);
    assert_non_null(s.Y);
    kane_work_copy(s.model, kane_simulation_work(s.simulation), s.work);
    return s;
}

static void close_sample(sample *s)
{
    free(s->Y);
    kane_equations_free(s->equations);
    kane_regressor_free(s->regressor);
    kane_work_free(s->work);
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

// Row i of A' (Theta v_dot + h), and the size of its terms.
static double force_of_inertia(const kane_equation_values *e, int i, double *size)
{
    const int n = e->speed_count, m = e->independent_count;
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        double force = e->h[k], terms = fabs(e->h[k]);
        for (int l = 0; l < n; l++) {
            force += e->Theta[k * n + l] * e->v_dot[l];
            terms += fabs(e->Theta[k * n + l] * e->v_dot[l]);
        }
        sum += e->A[k * m + i] * force;
        *size += fabs(e->A[k * m + i]) * terms;
    }
    return sum;
}

// Partial velocities have roundings of a velocity of 25 m/s, 5e-15 m/s, which weights of 3e5 N meet; a row may be the
// difference of larger terms.
static void check_sample(const char *name, double t)
{
    sample s          = open_sample(name, t);
    const int columns = kane_regressor_columns(s.regressor);
    const double *y   = kane_simulation_state(s.simulation);
    assert_int_equal(kane_equations_eval(s.equations, s.work, t, y), KANE_OK);
    const kane_equation_values *e = kane_equations_get(s.equations);
    double most                   = 0.0;
    assert_int_equal(kane_regressor_eval(s.regressor, s.work, t, y, NULL, s.Y), KANE_OK);
    assert_int_equal(kane_regressor_rows(s.regressor), e->independent_count);
    for (int i = 0; i < e->independent_count; i++) {
        double size = 0.0;
        (void)force_of_inertia(e, i, &size);
        most = fmax(most, size);
    }
    for (int i = 0; i < e->independent_count; i++) {
        double size = 0.0, sum = 0.0;
        const double wanted = force_of_inertia(e, i, &size);
        for (int j = 0; j < columns; j++)
            sum += s.Y[i * columns + j] * kane_regressor_value(s.regressor, j);
        if (fabs(sum - wanted) > 1e-10 * fmax(size, 1e-3 * most))
            fail_msg("%s, row %d: %.15g, by the matrices %.15g of %g", name, i, sum, wanted, size);
    }
    close_sample(&s);
}

CHECK_TEST(the_regressor_times_the_parameters_is_what_matrices_say)
{
    check_sample("mechanism-four-bar", 0.3);
    check_sample("mechanism-heavy-top", 0.3);
    check_sample("mechanism-hexapod", 0.2);
    check_sample("mechanism-squeezer", 0.01);
    check_sample("mechanism-turntable", 0.5);
    check_sample("wagon-transition", 2.0);
    check_sample("coach-curve", 3.0);
}

// --- base parameters of random motions ---

enum { STATES = 60 };

// Of an open mechanism: random states and accelerations.
static kane_base_parameters *find_base(mechanism *m, kane_regressor *regressor)
{
    const int rows = kane_regressor_rows(regressor), columns = kane_regressor_columns(regressor);
    const int states = kane_model_state_count(m->model);
    double *Y        = calloc((size_t)STATES * (size_t)rows * (size_t)columns, sizeof *Y);
    double *more     = calloc((size_t)rows, sizeof *more);
    uint64_t seed    = 5;
    for (int i = 0; i < STATES; i++) {
        for (int k = 0; k < states; k++)
            m->y[k] = 2.0 * random_number(&seed);
        for (int k = 0; k < rows; k++)
            more[k] = 10.0 * random_number(&seed);
        assert_int_equal(
            kane_regressor_eval(regressor, m->work, 0.0, m->y, more, Y + (size_t)i * (size_t)rows * (size_t)columns),
            KANE_OK);
    }
    kane_base_parameters *base = CHECK_GOOD(kane_base_parameters_create, regressor, STATES * rows, Y, 0.0);
    free(more);
    free(Y);
    return base;
}

static double combination_of(const kane_base_parameters *base, const kane_regressor *regressor, const char *of,
                             const char *with)
{
    char name[64];
    for (int i = 0; i < base->rank; i++) {
        kane_regressor_name(regressor, base->order[i], sizeof name, name);
        if (strcmp(name, of) != 0)
            continue;
        for (int j = base->rank; j < kane_regressor_columns(regressor); j++) {
            kane_regressor_name(regressor, base->order[j], sizeof name, name);
            if (strcmp(name, with) == 0)
                return base->combination[(j - base->rank) * base->rank + i];
        }
    }
    fail_msg("no %s with %s", of, with);
    return 0.0;
}

// Double pendulum of bars of lengths l1, l2: J1 + l1^2 m2, m1 c1 + l1 m2; J2, and two static moments of the second.
CHECK_TEST(a_double_pendulum_has_six)
{
    mechanism m;
    mechanism_begin(&m, 9.81);
    (void)mechanism_bar(&m, "upper", NULL, 2.0, 0.3, planar(0.0, 0.0), planar(0.0, -0.7));
    (void)mechanism_bar(&m, "lower", "upper", 3.0, 0.2, planar(0.0, -0.7), planar(0.0, -1.2));
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    kane_regressor *regressor  = CHECK_GOOD(kane_regressor_create, m.model);
    kane_base_parameters *base = find_base(&m, regressor);
    assert_int_equal(base->rank, 6);
    // about the joint: 0.3 + 2 * 0.35^2 + 0.7^2 * 3; along -z: -(2 * 0.35 + 0.7 * 3); 0.2 + 3 * 0.25^2; -3 * 0.25
    check_near(base->value[0], 0.3 + 2.0 * 0.35 * 0.35 + 0.7 * 0.7 * 3.0, 1e-10);
    check_near(combination_of(base, regressor, "upper.J_yy", "lower.m"), 0.49, 1e-10);
    check_near(combination_of(base, regressor, "upper.m c_z", "lower.m"), -0.7, 1e-10);
    check_near(base->value[2], -(2.0 * 0.35 + 0.7 * 3.0), 1e-10);
    check_near(base->value[3], 0.2 + 3.0 * 0.25 * 0.25, 1e-10);
    kane_base_parameters_free(base);
    kane_regressor_free(regressor);
    mechanism_close_all(&m);
}

// The arm of PUMA 560, whose first axis is vertical: 36 base parameters of 60 (Gautier and Khalil, IEEE Transactions on
// Robotics and Automation 6 (1990) 368-373, without friction and inertia of motors).
CHECK_TEST(a_puma_has_thirty_six)
{
    static const struct {
        int axis;
        kane_vec3 at;
    } joints[6] = {{2, {0.0, 0.0, 0.0}},     {1, {0.0, 0.0, 0.0}},        {1, {0.4318, 0.15, 0.0}},
                   {2, {0.4521, 0.15, 0.0}}, {1, {0.4521, 0.15, 0.4318}}, {2, {0.4521, 0.15, 0.4318}}};
    static const char *const names[6] = {"1", "2", "3", "4", "5", "6"};
    mechanism m;
    mechanism_begin(&m, 9.81);
    for (int i = 0; i < 6; i++) {
        const int body = mechanism_add(&m, names[i], 3.0 + i, kv3(0.4, 0.5, 0.6),
                                       kv3_add(joints[i].at, kv3(0.1, 0.2 - 0.05 * i, 0.3)));
        (void)mechanism_hang(&m, body, KANE_JOINT_REVOLUTE, i ? names[i - 1] : NULL, joints[i].at,
                             axes_about(joints[i].axis));
    }
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    kane_regressor *regressor  = CHECK_GOOD(kane_regressor_create, m.model);
    kane_base_parameters *base = find_base(&m, regressor);
    assert_int_equal(kane_regressor_columns(regressor), 60);
    assert_int_equal(base->rank, 36);
    kane_base_parameters_free(base);
    kane_regressor_free(regressor);
    mechanism_close_all(&m);
}

// --- what cannot be ---

CHECK_TEST(multipliers_and_guiding_rails_are_refused)
{
    static const char *const multipliers[] = {"form=multipliers", NULL};
    CHECK_ERRORS errors                    = {0};
    char text[1200];
    kane_run *run     = run_read("mechanism-four-bar", multipliers);
    kane_model *model = run_model(kane_run_get_definition(run));
    assert_null(kane_regressor_create(model, &errors));
    errors_text(&errors, sizeof text, text);
    assert_non_null(strstr(text, "independent speeds"));
    kane_model_free(model);
    kane_run_free(run);
}

CHECK_MAIN(NULL, NULL)
