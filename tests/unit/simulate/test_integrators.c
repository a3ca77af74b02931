// SPDX-License-Identifier: MIT
// Integrators are a table: libkane's own, and one that exists in this file alone.

#include "mechanisms.h"
#include "property/wagon/wagon.h"

#include <kane/integrator.h>

// --- the explicit midpoint rule, written as who uses libkane would write it ---

typedef struct midpoint {
    const kane_system *system;
    double step, t, end;
    double *y, *y_end, *k, *k_end, *middle;
    long steps;
} midpoint;

static void midpoint_free(void *self)
{
    midpoint *s = self;
    free(s->y);
    free(s);
}

static void *midpoint_create(const kane_system *system, const kane_settings *settings)
{
    const size_t n = (size_t)system->size;
    midpoint *s    = calloc(1, sizeof *s);
    double *room   = calloc(5 * n, sizeof *room);
    assert_true(s && room);
    *s = (midpoint){.system = system,
                    .step   = settings->step,
                    .y      = room,
                    .y_end  = room + n,
                    .k      = room + 2 * n,
                    .k_end  = room + 3 * n,
                    .middle = room + 4 * n};
    return s;
}

static kane_status midpoint_restart(void *self, double t, const double *y)
{
    midpoint *s = self;
    s->t = s->end = t;
    s->steps      = 0;
    memcpy(s->y_end, y, (size_t)s->system->size * sizeof *y);
    return s->system->rates(t, y, s->k_end, s->system->data);
}

static kane_status midpoint_step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                                 int *roots)
{
    midpoint *s        = self;
    const size_t bytes = (size_t)s->system->size * sizeof *y;
    (void)goal;
    (void)roots;
    memcpy(s->y, s->y_end, bytes);
    memcpy(s->k, s->k_end, bytes);
    s->t           = s->end;
    const double h = fmin(s->step, latest - s->t);
    for (int i = 0; i < s->system->size; i++)
        s->middle[i] = s->y[i] + 0.5 * h * s->k[i];
    kane_status status = s->system->rates(s->t + 0.5 * h, s->middle, s->k_end, s->system->data);
    for (int i = 0; i < s->system->size; i++)
        s->y_end[i] = s->y[i] + h * s->k_end[i];
    *end   = h < s->step ? KANE_STEP_LATEST : KANE_STEP_TAKEN;
    s->end = h < s->step ? latest : s->t + h;
    if (status == KANE_OK)
        status = s->system->rates(s->end, s->y_end, s->k_end, s->system->data);
    if (status != KANE_OK)
        return KANE_INTEGRATION_FAILED;
    s->steps++;
    *t = s->end;
    memcpy(y, s->y_end, bytes);
    return KANE_OK;
}

static void midpoint_interpolate(void *self, double t, double *y)
{
    const midpoint *s = self;
    const double x = (t - s->t) / fmax(s->end - s->t, 1e-300), h = s->end - s->t;
    for (int i = 0; i < s->system->size; i++)
        y[i] = s->y[i] + x * x * (3.0 - 2.0 * x) * (s->y_end[i] - s->y[i]) +
               h * x * (1.0 - x) * ((1.0 - x) * s->k[i] - x * s->k_end[i]);
}

static void midpoint_count(const void *self, kane_statistics *sum)
{
    const midpoint *s = self;
    sum->steps += s->steps;
    sum->last_order = 2;
    sum->last_step  = s->end - s->t;
}

static const char *midpoint_message(const void *self)
{
    (void)self;
    return "the midpoint rule has got lost";
}

static const kane_integrator midpoint_rule = {
    .name        = "midpoint",
    .help        = "explicit midpoint rule",
    .fixed_step  = 1,
    .create      = midpoint_create,
    .free        = midpoint_free,
    .restart     = midpoint_restart,
    .step        = midpoint_step,
    .interpolate = midpoint_interpolate,
    .count       = midpoint_count,
    .message     = midpoint_message,
};

static kane_settings with_steps(const kane_integrator *integrator, double step)
{
    kane_settings settings = kane_settings_default();
    settings.integrator    = integrator;
    settings.step          = step;
    return settings;
}

// --- a heavy top that goes round steadily: its motion is known ---

// Error in the place of its mass centre at 1.00033 s, which no step ends at [m].
static double error_of_top(const kane_integrator *integrator, double step)
{
    const double m0 = 2.0, l = 0.4, axial = 0.05, across = 0.03, theta = 0.7, p = 3.0, t = 1.00033;
    const double A = across + m0 * l * l, n = (A * p * p * cos(theta) + m0 * 9.81 * l) / (axial * p);
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, 9.81);
    (void)mechanism_add(&m, "top", m0, kv3(across, across, axial), kv3(0.0, 0.0, l));
    (void)mechanism_hang(&m, 0, KANE_JOINT_SPHERICAL, NULL, kv3_zero(), km3_identity());
    m.starts[0].q[0]    = cos(0.5 * theta);
    m.starts[0].q[1]    = -sin(0.5 * theta);
    m.starts[0].rate[1] = -p * sin(theta);
    m.starts[0].rate[2] = n;
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    const kane_settings settings = with_steps(integrator, step);
    mechanism_run(&m, &settings);
    const kane_work *work = mechanism_go(&m, t);
    const kane_vec3 place = mechanism_point(&m, work, 0, m.bodies[0].position);
    const kane_vec3 known = kv3(-l * sin(theta) * sin(p * t), l * sin(theta) * cos(p * t), l * cos(theta));
    kane_statistics count;
    kane_simulation_statistics(m.simulation, &count);
    assert_int_equal(count.steps, (long)ceil(t / step));
    assert_true(isnan(count.last_error)); // there is no estimate
    return kv3_norm(kv3_sub(place, known));
}

CHECK_TEST(halving_steps_shows_the_order_on_a_heavy_top)
{
    const kane_integrator *rk4 = kane_method_integrator(KANE_RK4);
    const double one = error_of_top(rk4, 2e-3), half = error_of_top(rk4, 1e-3), fourth = error_of_top(rk4, 5e-4);
    assert_true(one > 14.0 * half && one < 18.0 * half);
    assert_true(half > 14.0 * fourth && half < 18.0 * fourth);
    const double coarse = error_of_top(&midpoint_rule, 4e-4), fine = error_of_top(&midpoint_rule, 2e-4);
    assert_true(coarse > 3.6 * fine && coarse < 4.4 * fine);
}

// --- a wagon on rails ---

static wagon_end run_wagon(const char *run, const char *const *settings, const kane_integrator *integrator, double step)
{
    wagon w = wagon_read(run, settings);
    if (integrator) {
        w.definition.settings.integrator = integrator;
        w.definition.settings.step       = step;
    }
    return wagon_run_to_end(&w);
}

// Over borders, too: an event within a step does not cost the order.
CHECK_TEST(halving_steps_shows_the_order_on_a_soft_wagon)
{
    static const char *const settings[] = {"until.distance=60", NULL};
    const kane_integrator *rk4          = kane_method_integrator(KANE_RK4);
    const wagon_end one                 = run_wagon("soft-wagon-transition", settings, rk4, 2e-4);
    const wagon_end half                = run_wagon("soft-wagon-transition", settings, rk4, 1e-4);
    const wagon_end fourth              = run_wagon("soft-wagon-transition", settings, rk4, 5e-5);
    const double ratio                  = wagon_ends_differ(&one, &half) / wagon_ends_differ(&half, &fourth);
    assert_true(ratio > 11.0 && ratio < 21.0);
}

// Through the borders of a transition curve, where the state is mapped over.
CHECK_TEST(a_fixed_step_passes_a_transition_as_bdf_does)
{
    static const char *const formulations[] = {"formulation=moving", "formulation=fixed"};
    for (int k = 0; k < 2; k++) {
        const char *const tight[] = {TIGHT, formulations[k], "until.distance=120", NULL};
        const char *const plain[] = {formulations[k], "until.distance=120", NULL};
        const wagon_end bdf       = run_wagon("wagon-transition", tight, NULL, 0.0);
        const wagon_end rk4       = run_wagon("wagon-transition", plain, kane_method_integrator(KANE_RK4), 1e-4);
        const wagon_end own       = run_wagon("wagon-transition", plain, &midpoint_rule, 5e-5);
        check_near(wagon_ends_differ(&bdf, &rk4), 0.0, 2e-8);
        check_near(wagon_ends_differ(&bdf, &own), 0.0, 2e-8);
    }
}

// Borders of a driven vehicle are roots of its state, and so is where it ends.
CHECK_TEST(a_fixed_step_finds_events_of_a_driven_wagon)
{
    static const char *const tight[] = {TIGHT, "until.distance=100", NULL};
    static const char *const plain[] = {"until.distance=100", NULL};
    const wagon_end bdf              = run_wagon("wagon-driven", tight, NULL, 0.0);
    const wagon_end rk4              = run_wagon("wagon-driven", plain, kane_method_integrator(KANE_RK4), 1e-4);
    check_near(wagon_ends_differ(&bdf, &rk4), 0.0, 2e-8);
}

// --- constraints held by multipliers ---

// Where the rocker of a four-bar is at 2 s, and how far its constraints are open.
static double run_four_bar(const kane_settings *settings, double *drift)
{
    double rate;
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, 9.81);
    (void)mechanism_four_bar(&m);
    mechanism_open(&m, KANE_FORM_MULTIPLIERS);
    mechanism_run(&m, settings);
    const kane_work *work = mechanism_go(&m, 2.0);
    kane_get_drift(m.model, work, drift, &rate);
    const double angle = mechanism_coordinate(&m, work, 2, 0);
    return angle;
}

CHECK_TEST(a_fixed_step_is_projected_onto_constraints)
{
    const kane_settings bdf = mechanism_settings(1e-12);
    const kane_settings rk4 = with_steps(kane_method_integrator(KANE_RK4), 1e-3);
    double drift[2];
    const double angle = run_four_bar(&bdf, &drift[0]), same = run_four_bar(&rk4, &drift[1]);
    check_near(same, angle, 1e-8);
    check_near(drift[1], 0.0, 1e-9);
}

// --- what is refused ---

static void check_refusal(const mechanism *m, const kane_settings *settings, const char *text)
{
    const kane_conditions until = {.time = 1.0};
    CHECK_ERRORS errors         = {0};
    assert_null(kane_simulation_create(m->model, settings, &until, &errors));
    assert_true(errors.count > 0);
    assert_string_equal(kane_errors_get(&errors, 0)->text, text);
}

CHECK_TEST(what_an_integrator_cannot_do_is_said)
{
    kane_settings settings                     = with_steps(kane_method_integrator(KANE_RK4), 0.0);
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, 9.81);
    (void)mechanism_four_bar(&m);
    mechanism_open(&m, KANE_FORM_MULTIPLIERS);
    check_refusal(&m, &settings, "a step of 0 s is not possible: rk4 needs a fixed one of at least 1e-09 s");
    settings = with_steps(&midpoint_rule, 1e-3);
    check_refusal(&m, &settings,
                  "constraints in the form of multipliers are projected after every step, which the method midpoint "
                  "cannot do; choose bdf, or the form of coefficients");
}

// A step that is too long for what it integrates ends in an error that says so.
CHECK_TEST(a_step_that_blows_up_says_so)
{
    const kane_settings settings               = with_steps(kane_method_integrator(KANE_RK4), 2.0);
    CHECK_ERRORS errors                        = {0};
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, 9.81);
    (void)mechanism_four_bar(&m);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    mechanism_run(&m, &settings);
    assert_true(kane_simulation_advance(m.simulation, 100.0, &errors) < 0);
    assert_int_equal(kane_simulation_stop(m.simulation), KANE_STOP_FAILED);
    assert_non_null(strstr(kane_errors_get(&errors, errors.count - 1)->text, "try a shorter one"));
}

// Names of methods in files are those in their tables.
CHECK_TEST(every_method_has_its_name)
{
    for (int k = 0; kane_method_names[k]; k++)
        assert_string_equal(kane_method_integrator((kane_method)k)->name, kane_method_names[k]);
}

CHECK_MAIN(NULL, NULL)
