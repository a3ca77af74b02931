// SPDX-License-Identifier: MIT
// Explicit integration of the FEVE 3000: the fastest eigenvalue of the Jacobian bounds the step, and a run shows it.

#include "property/feve/feve.h"

#include <kane/integrator.h>
#include <kane/jacobian.h>

#include "math/dense.h"

#define LINEAR "vehicle.patterns.wheelset.contact.creep=linear"

enum { MOST = 80 };

// The eigenvalue of the Jacobian that decays fastest, where a simulation is [1/s].
static double fastest_decay(const wagon *w)
{
    const int n                       = kane_model_state_count(w->model);
    CHECK_OWNED(kane_work) *work      = CHECK_GOOD(kane_work_create, w->model);
    kane_jacobian *const jacobian     = kane_jacobian_create(w->model, n);
    const kane_pattern *const pattern = kane_jacobian_pattern(jacobian);
    CHECK_MEMORY double *values       = calloc((size_t)pattern->count, sizeof *values);
    static double A[MOST * MOST], re[MOST], im[MOST], scratch[8 * MOST], ydot[MOST];
    double fastest = 0.0;
    assert_true(n <= MOST);
    memset(A, 0, sizeof A);
    kane_work_copy(w->model, kane_simulation_work(w->simulation), work);
    assert_int_equal(kane_jacobian_eval(jacobian, w->model, work, kane_simulation_time(w->simulation),
                                        kane_simulation_state(w->simulation), ydot, values),
                     KANE_OK);
    for (int column = 0; column < n; column++)
        for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
            A[column * n + pattern->row[k]] = values[k];
    assert_int_equal(kane_eigen_solve(n, A, re, im, NULL, NULL, scratch), 0);
    for (int i = 0; i < n; i++)
        fastest = fmin(fastest, re[i]);
    kane_jacobian_free(jacobian);
    return fastest;
}

// --- Euler's explicit method, projected ---

typedef struct explicit_euler {
    kane_system system;
    double t, step, y[MOST], rates[MOST];
} explicit_euler;

static void *create_euler(const kane_system *system, const kane_settings *settings)
{
    explicit_euler *e = calloc(1, sizeof *e);
    assert_true(e && system->size <= MOST);
    e->system = *system;
    e->step   = settings->step;
    return e;
}

static kane_status restart_euler(void *self, double t, const double *y)
{
    explicit_euler *e = self;
    e->t              = t;
    memcpy(e->y, y, (size_t)e->system.size * sizeof *y);
    return KANE_OK;
}

static kane_status step_euler(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                              int *roots)
{
    explicit_euler *e = self;
    const double next = fmin(e->t + e->step, latest), h = next - e->t;
    (void)goal;
    (void)roots;
    kane_status status = e->system.rates(e->t, e->y, e->rates, e->system.data);
    for (int i = 0; i < e->system.size && status == KANE_OK; i++)
        e->y[i] += h * e->rates[i];
    if (status == KANE_OK)
        status = e->system.project(next, e->y, e->system.data);
    e->t = *t = next;
    *end      = next == latest ? KANE_STEP_LATEST : KANE_STEP_TAKEN;
    memcpy(y, e->y, (size_t)e->system.size * sizeof *y);
    return status == KANE_OK ? KANE_OK : KANE_INTEGRATION_FAILED;
}

static void interpolate_euler(void *self, double t, double *y)
{
    const explicit_euler *e = self;
    for (int i = 0; i < e->system.size; i++)
        y[i] = e->y[i] - (e->t - t) * e->rates[i];
}

static void count_euler(const void *self, kane_statistics *statistics)
{
    (void)self;
    (void)statistics;
}

static const char *message_of_euler(const void *self)
{
    (void)self;
    return "";
}

static const kane_integrator euler = {.name        = "euler",
                                      .help        = "Euler's explicit method, projected",
                                      .fixed_step  = 1,
                                      .projects    = 1,
                                      .create      = create_euler,
                                      .free        = free,
                                      .restart     = restart_euler,
                                      .step        = step_euler,
                                      .interpolate = interpolate_euler,
                                      .count       = count_euler,
                                      .message     = message_of_euler};

// Of the front axle's spin after .5 s, how far from rolling [rad/s]; infinite if the run has failed.
static double spin_error(double step)
{
    CHECK_ERRORS errors  = {0};
    CHECK_FREED(wagon) w = wagon_with("feve-curve", LINEAR, "track.sections=[{\"straight\":300}]",
                                      "vehicle.bodies.car.start={\"y\": 0.001}");
    double q[6], rates[6];
    w.definition.settings.integrator = &euler;
    w.definition.settings.step       = step;
    wagon_start(&w);
    if (kane_simulation_advance(w.simulation, 0.5, &errors) != KANE_OK)
        return HUGE_VAL;
    kane_get_relative(w.model, kane_simulation_work(w.simulation), feve_axle(&w, 0), q, rates);
    return fabs(rates[KANE_PITCH] - 23.7 / 0.5);
}

// Explicit Euler is stable while |1 + h lambda| < 1: h < 2/2454 s = .815 ms on straight track.
CHECK_TEST(the_fastest_eigenvalue_bounds_the_explicit_step)
{
    CHECK_FREED(wagon) w = wagon_open_with("feve-curve", LINEAR, "track.sections=[{\"straight\":300}]");
    const double lambda = fastest_decay(&w), bound = -2.0 / lambda;
    const double below = spin_error(0.95 * bound), above = spin_error(1.05 * bound);
    check_figure(-lambda, "straight: decay");
    if (getenv("KANE_SHOW"))
        print_message("%g 1/s, %g s: spin off by %g rad/s below, %g above\n", lambda, bound, below, above);
    check_near(below, 0.0, 0.5); // the motor's torque changes the speed by .1 m/s
    assert_true(!(above < 10.0));
}

// In the bend on flanges, with creep forces that nothing limits: not faster by an order of magnitude, so that the bound
// on straight track is no accident of treads.
CHECK_TEST(flanges_need_steps_of_the_same_order)
{
    CHECK_FREED(wagon) w = wagon_open_with("feve-curve", "variant=as-published", "integrator.method=semi_implicit",
                                           "integrator.step=1 ms", "integrator.normal_forces=lagged");
    double fastest       = 0.0;
    for (int i = 0; i < 50; i++) {
        assert_true(wagon_go(&w, 1.5 + 0.1 * i));
        fastest = fmin(fastest_decay(&w), fastest);
    }
    check_figure(-fastest, "bend: decay");
    if (getenv("KANE_SHOW"))
        print_message("bend: %g 1/s\n", fastest);
    assert_true(fastest > -10.0 * 2500.0);
}

CHECK_MAIN(NULL, NULL)
