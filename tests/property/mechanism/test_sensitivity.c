// SPDX-License-Identifier: MIT
// Sensitivities along a run against derivatives of closed forms, and against differences of whole runs, whose own error
// two sizes show: it falls with the square of the size down to what sensitivities are wrong by.

#include "mechanisms.h"

#include <kane/laws.h>
#include <kane/sensitivity.h>

#include <complex.h>

// --- a damped mass on a spring ---

enum { MASS, STIFFNESS, DAMPING, NUMBERS };

static const double accuracy       = 1e-6;
static const double usual[NUMBERS] = {2.0, 300.0, 3.0}; // [kg], [N/m], [N s/m]

typedef struct oscillator {
    mechanism m;
    kane_bushing bushing;
} oscillator;

// Slides along z; `start` [m], where the spring is free at 0.
static void open_oscillator(oscillator *o, const double *p, double gravity, double start)
{
    mechanism *m = &o->m;
    mechanism_begin(m, gravity);
    const int mass = mechanism_add(m, "mass", p[MASS], kv3(1.0, 1.0, 1.0), kv3_zero());
    (void)mechanism_hang(m, mass, KANE_JOINT_PRISMATIC, NULL, kv3_zero(), km3_identity());
    m->starts[mass].q[0]   = start;
    m->starts[mass].held_q = m->starts[mass].held_rate = 1u;
    o->bushing = (kane_bushing){.stiffness = {1.0, 1.0, p[STIFFNESS]}, .damping = {0.0, 0.0, p[DAMPING]}};
    (void)mechanism_element(m, "spring", &kane_law_bushing, &o->bushing, NULL, kv3_zero(), "mass", kv3_zero());
    mechanism_open(m, KANE_FORM_COEFFICIENTS);
    const kane_settings settings = mechanism_settings(1e-10);
    mechanism_run(m, &settings);
}

// z(t) from rest at `start`, about z_0 = -m g/c:
//   z = z_0 + (start - z_0) exp(-a t) (cos w t + a/w sin w t),   a = d/2m,   w^2 = c/m - a^2
static double complex swing_deflection(const double complex *p, double gravity, double start, double t)
{
    const double complex a = p[DAMPING] / (2.0 * p[MASS]), w = csqrt(p[STIFFNESS] / p[MASS] - a * a);
    const double complex rest = -p[MASS] * gravity / p[STIFFNESS];
    return rest + (start - rest) * cexp(-a * t) * (ccos(w * t) + a / w * csin(w * t));
}

// dz/dp = Im z(p + i h)/h, exact to round-off
static double swing_derivative(int number, double gravity, double start, double t)
{
    static const double h = 1e-30;
    double complex p[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        p[i] = usual[i] + (double complex)I * (i == number ? h : 0.0);
    return cimag(swing_deflection(p, gravity, start, t)) / h;
}

// The accuracy that is asked for, of the largest p dz/dp of each number.
static double oscillator_tolerance(int number, double gravity, double start)
{
    double largest = 0.0;
    for (int k = 1; k <= 20; k++)
        largest = fmax(largest, fabs(usual[number] * swing_derivative(number, gravity, start, .1 * k)));
    return accuracy * largest;
}

// All three over 2 s.
static void check_oscillator(double gravity, double start)
{
    oscillator nominal, beside[NUMBERS][2];
    kane_variation variations[NUMBERS];
    open_oscillator(&nominal, usual, gravity, start);
    for (int i = 0; i < NUMBERS; i++) {
        variations[i] = (kane_variation){.name = "number", .size = 1e-6 * usual[i]};
        for (int side = 0; side < 2; side++) {
            double p[NUMBERS] = {usual[0], usual[1], usual[2]};
            p[i] += side ? variations[i].size : -variations[i].size;
            open_oscillator(&beside[i][side], p, gravity, start);
            variations[i].neighbour[side] = beside[i][side].m.simulation;
        }
    }
    kane_sensitivity *s = CHECK_GOOD(kane_sensitivity_create, nominal.m.simulation, NUMBERS, variations, accuracy);
    assert_non_null(CHECK_GOOD(kane_sensitivity_choose, s, 1, ((const char *[]){"mass.z"})));
    for (int k = 1; k <= 20; k++) {
        double values[NUMBERS];
        assert_int_equal(CHECK_GOOD(kane_sensitivity_advance, s, .1 * k), KANE_OK);
        assert_int_equal(CHECK_GOOD(kane_sensitivity_read, s, values), KANE_OK);
        for (int i = 0; i < NUMBERS; i++)
            check_near(usual[i] * values[i], usual[i] * swing_derivative(i, gravity, start, .1 * k),
                       oscillator_tolerance(i, gravity, start));
    }
    assert_int_equal(kane_sensitivity_rough_steps(s), 0);
    kane_sensitivity_free(s);
    mechanism_close_all(&nominal.m);
    for (int i = 0; i < NUMBERS; i++)
        for (int side = 0; side < 2; side++)
            mechanism_close_all(&beside[i][side].m);
}

CHECK_TEST(a_free_oscillator_as_its_formula)
{
    check_oscillator(0.0, 0.05);
}

// It stays where it is; with another mass, or another spring, it would swing.
CHECK_TEST(an_oscillator_at_rest_under_gravity_as_its_formula)
{
    check_oscillator(9.81, -usual[MASS] * 9.81 / usual[STIFFNESS]);
}

// --- runs of files ---

typedef struct stage {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
} stage;

// What is compared: channels of a run by a parameter at some times.
typedef struct experiment {
    const char *run, *parameter;
    double value; // of the parameter
    const char *settings[4];
    const char *channel;
    double every; // between two comparisons [s]
    int count;
} experiment;

enum { TIMES_MOST = 64 };

static stage open_stage(const experiment *e, double value)
{
    char text[256];
    const char *settings[6];
    int count = 0;
    for (; e->settings[count]; count++)
        settings[count] = e->settings[count];
    (void)snprintf(text, sizeof text, "%s=%.17g", e->parameter, value);
    settings[count++] = text;
    settings[count]   = NULL;
    stage s           = {.run = run_read(e->run, settings)};
    s.model           = run_model(kane_run_get_definition(s.run));
    s.simulation      = run_simulation(s.model, kane_run_get_definition(s.run));
    return s;
}

static void close_stage(stage *s)
{
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

static void simulate_channel(const experiment *e, double value, double *values)
{
    stage s                 = open_stage(e, value);
    kane_channels *channels = CHECK_GOOD(kane_channels_create, s.simulation, 1, &e->channel, NULL);
    for (int k = 0; k < e->count; k++) {
        assert_true(run_go(s.simulation, (k + 1) * e->every));
        assert_int_equal(kane_channels_read(channels, s.simulation, &values[k]), KANE_OK);
    }
    kane_channels_free(channels);
    close_stage(&s);
}

// (c(p + e) - c(p - e)) / 2e of two runs, e in parts of p
static void difference_runs(const experiment *e, double part, double *values)
{
    double less[TIMES_MOST];
    simulate_channel(e, e->value * (1.0 - part), less);
    simulate_channel(e, e->value * (1.0 + part), values);
    for (int k = 0; k < e->count; k++)
        values[k] = (values[k] - less[k]) / (2.0 * part * e->value);
}

static void derive_channel(const experiment *e, double *values)
{
    stage nominal            = open_stage(e, e->value), beside[2];
    kane_variation variation = {.name = e->parameter, .size = 1e-6 * fabs(e->value)};
    for (int side = 0; side < 2; side++) {
        beside[side]              = open_stage(e, e->value + (side ? variation.size : -variation.size));
        variation.neighbour[side] = beside[side].simulation;
    }
    kane_sensitivity *s = CHECK_GOOD(kane_sensitivity_create, nominal.simulation, 1, &variation, 1e-5);
    assert_non_null(CHECK_GOOD(kane_sensitivity_choose, s, 1, &e->channel));
    for (int k = 0; k < e->count; k++) {
        assert_int_equal(CHECK_GOOD(kane_sensitivity_advance, s, (k + 1) * e->every), KANE_OK);
        assert_int_equal(CHECK_GOOD(kane_sensitivity_read, s, &values[k]), KANE_OK);
    }
    kane_sensitivity_free(s);
    close_stage(&nominal);
    for (int side = 0; side < 2; side++)
        close_stage(&beside[side]);
}

static double largest_difference(int count, const double *a, const double *b)
{
    double worst = 0.0;
    for (int k = 0; k < count; k++)
        worst = fmax(worst, fabs(a[k] - b[k]));
    return worst;
}

// Differences with `part` and a third of it, in parts of the largest derivative: both within `tolerance`, which the
// first one's e^2 makes up; nine times closer with the second, unless within `noise`, which is that of two runs over e.
static void check_against_runs(const experiment *e, double part, double tolerance, double noise)
{
    double S[TIMES_MOST], coarse[TIMES_MOST], fine[TIMES_MOST];
    const double zero[TIMES_MOST] = {0.0};
    derive_channel(e, S);
    difference_runs(e, part, coarse);
    difference_runs(e, part / 3.0, fine);
    const double size = largest_difference(e->count, S, zero);
    const double far  = largest_difference(e->count, S, coarse) / size,
                 near = largest_difference(e->count, S, fine) / size;
    if (getenv("KANE_SHOW"))
        print_message("%s by %s: %g, %g of %g\n", e->channel, e->parameter, far, near, size);
    assert_true(size > 0.0);
    check_near(far, 0.0, tolerance);
    check_near(near, 0.0, tolerance / 9.0 + noise);
}

// The pendulum of problem A01, by its length. It falls from the horizontal.
CHECK_TEST(a_pendulum_by_its_length)
{
    check_against_runs(&(experiment){.run       = "mechanism-pendulum",
                                     .parameter = "mechanism.bodies.bob.at[0]",
                                     .value     = -1.0,
                                     .settings  = {"integrator.rtol=1e-11"},
                                     .channel   = "bob.joint.rate.angle",
                                     .every     = .25,
                                     .count     = 40},
                       1e-3, 1.5e-4, 2e-6);
}

// A loop: mass of a link, and where the pin that closes it is, with which all that depends on others changes.
static void check_four_bar(const char *form)
{
    check_against_runs(&(experiment){.run       = "mechanism-four-bar",
                                     .parameter = "mechanism.bodies.coupler.mass",
                                     .value     = 1.2,
                                     .settings  = {form, "integrator.rtol=1e-11"},
                                     .channel   = "rocker.joint.angle",
                                     .every     = .05,
                                     .count     = 40},
                       1e-2, 5e-4, 2e-5);
    check_against_runs(&(experiment){.run       = "mechanism-four-bar",
                                     .parameter = "mechanism.constraints.pin.at[0]",
                                     .value     = .8,
                                     .settings  = {form, "integrator.rtol=1e-11"},
                                     .channel   = "coupler.joint.force.x",
                                     .every     = .05,
                                     .count     = 40},
                       1e-3, 8e-4, 2e-6);
}

CHECK_TEST(a_loop_with_independent_speeds)
{
    check_four_bar("form=coefficients");
}

CHECK_TEST(a_loop_with_multipliers)
{
    check_four_bar("form=multipliers");
}

// Its leading wheelset comes into the transition after .22 s, where the cant begins at once: all happens earlier when
// it is faster. Angles have tolerances of 1e-11 rad:
// of what the smaller differences see, 3e-6 rad, 30 of them are 1e-4.
static const experiment wagon = {.run       = "soft-wagon-transition",
                                 .parameter = "start.speed",
                                 .value     = 25.0,
                                 .settings  = {"start.at=40", "integrator.rtol=1e-9"},
                                 .channel   = "body.roll",
                                 .every     = .032, // the car body's frame follows after .398 s
                                 .count     = 13};

CHECK_TEST(a_wagon_through_section_joints_by_its_speed)
{
    check_against_runs(&wagon, 1e-3, 1e-4, 1e-4);
}

CHECK_TEST(a_wagon_through_section_joints_by_its_mass)
{
    experiment e = wagon;
    e.parameter  = "vehicle.bodies.body.mass";
    e.value      = 34000.0;
    e.channel    = "body.y";
    check_against_runs(&e, 1e-2, 1e-3, 1e-4);
}

CHECK_MAIN(NULL, NULL)
