// SPDX-License-Identifier: MIT
// The multistep method whose formula follows the step: its formulas are generalised-alpha's and BDF's; stable for all
// frequencies and damping from .02 on, also where steps and formulas change; an oscillator as its closed form and its
// amplification say; wheels on rails, closed loops and driven travel as CVODE has them; changed inputs, saving, nothing
// allocated.

#include "allocation.h"

#include "math/sparse.h"
#include "simulate/integrators.h"

#include "mechanisms.h"
#include "property/wagon/outside.h"
#include "unit/run/typed.h"

#include <kane/integrator.h>
#include <kane/laws.h>
#include <kane/state.h>

#include <complex.h>

typedef double complex number;

#define i_unit ((number)_Complex_I)

enum { MOST = KANE_BDF_ALPHA_MOST + 1 };

typedef struct matrix {
    int size;
    number a[MOST][MOST];
} matrix;

static double choose(int n, int k)
{
    double value = 1.0;
    for (int i = 0; i < k; i++)
        value = value * (n - i) / (i + 1);
    return value;
}

// What a step makes of z where y' = (mu/h) y: p = P z, mu (p_0 + l_0 d) = p_1 + d, z = p + l d.
static matrix step_of(const kane_bdf_alpha_formula *f, number mu)
{
    matrix m = {.size = f->order + 1};
    for (int i = 0; i < m.size; i++) {
        const number d = (mu - (i > 0 ? i : 0.0)) / (1.0 - mu * f->l[0]); // of P's rows 0 and 1: 1 and i
        for (int j = 0; j < m.size; j++)
            m.a[j][i] = (i >= j ? choose(i, j) : 0.0) + f->l[j] * d;
    }
    return m;
}

static matrix product(const matrix *x, const matrix *y)
{
    matrix m = {.size = x->size};
    for (int i = 0; i < m.size; i++)
        for (int j = 0; j < m.size; j++)
            for (int k = 0; k < m.size; k++)
                m.a[i][j] += x->a[i][k] * y->a[k][j];
    return m;
}

// Of z where steps become longer by a ratio.
static void stretch(matrix *m, double ratio)
{
    for (int i = 0; i < m->size; i++)
        for (int j = 0; j < m->size; j++)
            m->a[i][j] *= pow(ratio, i);
}

// Logarithm of the spectral radius: powers of 2, kept finite. (Where eigenvalues meet, powers of n grow like n.)
static double log_radius(matrix m)
{
    double sum = 0.0;
    for (int k = 0; k <= 26; k++) {
        double size = 0.0;
        for (int i = 0; i < m.size; i++)
            for (int j = 0; j < m.size; j++)
                size = fmax(size, cabs(m.a[i][j]));
        if (!(size > 0.0))
            return -1.0;
        sum += log(size) / (double)(1L << k);
        for (int i = 0; i < m.size; i++)
            for (int j = 0; j < m.size; j++)
                m.a[i][j] /= size;
        m = product(&m, &m);
    }
    return sum;
}

static const double rounding = 2e-7; // of a logarithm of which 2^-26 is left

// --- formulas ---

// Generalised alpha as Jansen, Whiting and Hulbert (2000) write it, for y' = (mu/h) y, as a matrix for (y, h y'): its
// eigenvalues are those of the formula, beside a zero.
CHECK_TEST(order_two_is_generalised_alpha)
{
    for (double radius = 0.0; radius <= 1.0; radius += 0.125)
        for (int k = 0; k < 40; k++) {
            const number mu    = pow(10.0, -2.0 + 0.1 * k) * cexp(i_unit * (0.5 + 0.04 * k) * M_PI);
            const double alpha = 0.5 * (3.0 - radius) / (1.0 + radius), alpha_f = 1.0 / (1.0 + radius),
                         gamma = 0.5 + alpha - alpha_f;
            // alpha r+ + (1 - alpha) r = mu (y + alpha_f (y+ - y)),  y+ = y + r + gamma (r+ - r);  r = h y'
            const number c  = alpha - mu * alpha_f * gamma;
            const number ry = mu / c, rr = (mu * alpha_f * (1.0 - gamma) - (1.0 - alpha)) / c; // r+ = ry y + rr r
            const number trace             = 1.0 + gamma * ry + rr,
                         determinant       = (1.0 + gamma * ry) * rr - (1.0 - gamma + gamma * rr) * ry;
            const kane_bdf_alpha_formula f = kane_bdf_alpha_make(2, radius);
            const matrix m                 = step_of(&f, mu);
            number sum = 0.0, minors = 0.0, all = 0.0;
            for (int i = 0; i < 3; i++) {
                const int j = (i + 1) % 3, l = (i + 2) % 3;
                sum += m.a[i][i];
                minors += m.a[i][i] * m.a[j][j] - m.a[i][j] * m.a[j][i];
                all += m.a[0][i] * (m.a[1][j] * m.a[2][l] - m.a[1][l] * m.a[2][j]);
            }
            check_near(cabs(sum - trace), 0.0, 1e-12);
            check_near(cabs(minors - determinant), 0.0, 1e-12);
            check_near(cabs(all), 0.0, 1e-12);
        }
    const kane_bdf_alpha_formula bdf = kane_bdf_alpha_make(2, 0.0);
    check_near(bdf.l[0], 2.0 / 3.0, 1e-15);
    check_near(bdf.l[2], 1.0 / 3.0, 1e-15);
    check_near(bdf.error, 4.0 / 27.0, 1e-15); // (1/(q+1)) l_0 of d = 9 h^3 y'''/6: l_0 (h^3 y'''/3)
}

// The principal error of each formula: of y = t^(order + 1) a step in steady state leaves order! l_0 C, C the error
// constant.
CHECK_TEST(errors_are_those_of_steady_steps)
{
    static const double radii[] = {0.0, 0.25, 0.5, 1.0};
    for (int k = 0; k < 6; k++) {
        const int q                    = k < 4 ? 2 : k - 1;
        const double r                 = k < 4 ? radii[k] : 0.0;
        const kane_bdf_alpha_formula f = kane_bdf_alpha_make(q, r);
        double z[MOST] = {0.0}, d = 0.0, before = 0.0;
        for (int n = 0; n < 200; n++) { // y' = (q+1) t^q known: it does not depend on y
            double p[MOST];
            for (int j = 0; j <= q; j++) {
                p[j] = 0.0;
                for (int i = j; i <= q; i++)
                    p[j] += choose(i, j) * z[i];
            }
            d = (q + 1) * pow(n + 1, q) - p[1];
            for (int j = 0; j <= q; j++)
                z[j] = p[j] + f.l[j] * d;
            if (n == 198)
                before = z[0] - pow(n + 1, q + 1);
        }
        const double drift = z[0] - pow(200, q + 1) - before; // a step's: the error of y' = f(t) adds up
        const double C     = q == 2 ? 1.0 / 12.0 + 0.25 * pow((1.0 - r) / (1.0 + r), 2.0) : 1.0 / (q + 1);
        check_relative(drift, C * tgamma(q + 2), 1e-6);
        check_relative(f.error * d, f.l[0] * drift, 1e-6);
    }
}

// --- stability ---

static number of_damping(double zeta)
{
    return -zeta + i_unit * sqrt(1.0 - zeta * zeta);
}

// Steps of one length: every part of the schedule, for the fastest oscillation and all that are slower, and real decay
// that is faster.
CHECK_TEST(steps_of_one_length_are_stable)
{
    static const double damping[] = {0.02, 0.05, 0.1, 0.3, 0.7, 1.0}, parts[] = {0.01, 0.1, 0.3, 0.6, 1.0, 1e3};
    double worst = 0.0;
    for (double swing = 0.01; swing < 40.0; swing *= 1.1)
        for (int order = 2; order <= 4; order++)
            for (int i = 0; i < 6; i++)
                for (int k = 0; k < 6; k++) {
                    if ((order > 2 && swing > kane_bdf_alpha_narrow()) || (parts[k] > 1.0 && damping[i] < 1.0))
                        continue;
                    const kane_bdf_alpha_formula f = kane_bdf_alpha_make(order, kane_bdf_alpha_radius(swing));
                    worst = fmax(worst, log_radius(step_of(&f, parts[k] * swing * of_damping(damping[i]))));
                }
    check_near(worst, 0.0, rounding);
    for (int order = 3; order <= 4;
         order++) { // at the very border of its range, and that BDF of order 3 swings beyond it
        const kane_bdf_alpha_formula f = kane_bdf_alpha_make(order, 0.0);
        assert_true(log_radius(step_of(&f, kane_bdf_alpha_narrow() * of_damping(0.02))) < rounding);
        assert_true(order == 4 || log_radius(step_of(&f, 1.1 * kane_bdf_alpha_narrow() * of_damping(0.02))) > 1e-4);
    }
}

// Order 2 for every rho_inf that it can have, not only where the schedule has it: nothing that decays grows.
CHECK_TEST(order_two_is_stable_for_every_radius)
{
    double worst = 0.0;
    for (double radius = 0.0; radius <= 0.5; radius += 0.02) {
        const kane_bdf_alpha_formula f = kane_bdf_alpha_make(2, radius);
        for (double swing = 1e-2; swing < 1e4; swing *= 1.6)
            for (double zeta = 0.0; zeta <= 1.0; zeta += 0.1)
                worst = fmax(worst, log_radius(step_of(&f, swing * of_damping(zeta))));
        // what is infinitely fast is left with rho_inf
        check_near(exp(log_radius(step_of(&f, -1e9))), fmax(radius, 1e-6), 2e-3 * radius + 5e-5);
    }
    check_near(worst, 0.0, rounding);
    const kane_bdf_alpha_formula wrong = kane_bdf_alpha_make(2, 1.1);
    assert_true(log_radius(step_of(&wrong, -1e3)) > 0.01);
}

// The schedule, and one that is pushed: another rho_inf where steps are short.
static double pushed(double swing, double most)
{
    return most / 0.5 * kane_bdf_alpha_radius(swing);
}

// Over and over: `few` steps of one length, then as many as `many` that are longer by a ratio.
static double of_sequence(int order, double swing, double ratio, int few, int many, number lambda, double most)
{
    matrix all = {.size = order + 1};
    for (int i = 0; i <= order; i++)
        all.a[i][i] = 1.0;
    for (int k = 0; k < few + many; k++) {
        const double now = k < few ? swing : ratio * swing;
        if (k == few)
            stretch(&all, ratio);
        const kane_bdf_alpha_formula f = kane_bdf_alpha_make(order, pushed(now, most));
        const matrix m                 = step_of(&f, now * lambda);
        all                            = product(&m, &all);
    }
    stretch(&all, 1.0 / ratio);
    return log_radius(all);
}

static double worst_of_sequences(int order, double most)
{
    static const double ratios[] = {1.1, 1.5, 2.0, 4.0, 10.0}, damping[] = {0.02, 0.1, 0.5, 1.0},
                        parts[]    = {0.1, 0.4, 1.0, 1e3};
    static const int lengths[4][2] = {{0, 0}, {0, 1}, {0, 6}, {6, 0}}; // beside those that the method waits for
    double worst                   = 0.0;
    for (int r = 0; r < 5; r++)
        for (int n = 0; n < 4; n++)
            for (double swing = 0.01; swing < 10.0; swing *= 1.35)
                for (int i = 0; i < 4; i++)
                    for (int k = 0; k < 4; k++)
                        if ((order == 2 || ratios[r] * swing <= kane_bdf_alpha_narrow()) &&
                            (parts[k] <= 1.0 || damping[i] == 1.0))
                            worst = fmax(worst, of_sequence(order, swing, ratios[r], order + 1 + lengths[n][0],
                                                            order + 1 + lengths[n][1],
                                                            parts[k] * of_damping(damping[i]), most));
    return worst;
}

// Steps that grow and shrink by all that is allowed, as often as it is, through every part of the schedule. With a
// larger rho_inf for short steps the change of formula makes them unstable.
CHECK_TEST(steps_that_change_are_stable)
{
    check_near(worst_of_sequences(2, 0.5), 0.0, rounding);
    check_near(worst_of_sequences(3, 0.5), 0.0, rounding);
    check_near(worst_of_sequences(4, 0.5), 0.0, rounding);
    assert_true(worst_of_sequences(2, 0.7) > 0.1);
}

// A step after which the order is raised: a row for z of the next one, from d.
static matrix raising_step(const kane_bdf_alpha_formula *f, number mu)
{
    matrix m = step_of(f, mu);
    for (int i = 0; i <= f->order; i++)
        m.a[m.size][i] = (mu - (i > 0 ? i : 0.0)) / (1.0 - mu * f->l[0]) * f->l[f->order] / (f->order + 1);
    m.size = MOST;
    return m;
}

// Up from order 2 to 4, as fast as it goes, and down again, over and over.
CHECK_TEST(orders_that_change_are_stable)
{
    static const double damping[] = {0.02, 0.1, 0.5, 1.0}, parts[] = {0.1, 0.4, 1.0, 1e3};
    static const int steps[4][3] = {{4, 5, 6}, {20, 5, 6}, {4, 5, 20}, {4, 20, 6}};
    double worst                 = 0.0;
    for (double swing = 0.01; swing <= kane_bdf_alpha_narrow(); swing *= 1.2)
        for (int n = 0; n < 4; n++)
            for (int i = 0; i < 4; i++)
                for (int k = 0; k < 4; k++) {
                    if (parts[k] > 1.0 && damping[i] < 1.0)
                        continue;
                    const number mu = parts[k] * swing * of_damping(damping[i]);
                    matrix all      = {.size = MOST};
                    for (int j = 0; j < 3; j++) // what is above order 2 has been dropped
                        all.a[j][j] = 1.0;
                    for (int order = 2; order <= 4; order++)
                        for (int j = 0; j < steps[n][order - 2]; j++) {
                            const kane_bdf_alpha_formula f = kane_bdf_alpha_make(order, kane_bdf_alpha_radius(swing));
                            const int raises               = order < 4 && j == steps[n][order - 2] - 1;
                            matrix m                       = raises ? raising_step(&f, mu) : step_of(&f, mu);
                            m.size                         = MOST;
                            all                            = product(&m, &all);
                        }
                    for (int j = 0; j < MOST; j++)
                        all.a[3][j] = all.a[4][j] = 0.0;
                    worst = fmax(worst, log_radius(all));
                }
    check_near(worst, 0.0, rounding);
}

// --- an oscillator ---

static const double mass = 2.0, stiffness = 100.0;

static kane_settings settings_of(int order, double tolerance, double longest)
{
    kane_settings settings = mechanism_settings(tolerance);
    settings.method        = KANE_BDF_ALPHA;
    settings.order         = order;
    settings.longest_step  = longest;
    return settings;
}

static void begin_oscillator(mechanism *m, double damping, double amplitude)
{
    static kane_spring spring;
    spring = (kane_spring){.block = {"spring", NULL}, .stiffness = stiffness, .damping = damping};
    mechanism_begin(m, 0.0);
    const int body = mechanism_add(m, "mass", mass, kv3(1.0, 1.0, 1.0), kv3(1.0, 0.0, 0.0));
    (void)mechanism_hang(m, body, KANE_JOINT_PRISMATIC, NULL, kv3(1.0, 0.0, 0.0), axes_about(0));
    (void)mechanism_element(m, "spring", &kane_law_spring, &spring, NULL, kv3_zero(), "mass", kv3(1.0, 0.0, 0.0));
    m->starts[body].q[0] = amplitude;
    mechanism_open(m, KANE_FORM_COEFFICIENTS);
}

// Steps of one length, with tolerances that nothing comes near: x_n = Re(c zeta^n), so that four values tell |zeta|,
// which is what the formula says that belongs to omega h. That is how the highest frequency and the schedule are seen
// from outside.
CHECK_TEST(swings_decay_as_their_formula_says)
{
    static const double swings[] = {0.1, 0.7, 1.2, 2.0};
    for (int k = 0; k < 4; k++) {
        CHECK_END(mechanism_close_all) mechanism m = {0};
        const double h                             = swings[k] / sqrt(stiffness / mass);
        CHECK_ERRORS errors                        = {0};
        kane_statistics now;
        double x[4];
        begin_oscillator(&m, 0.0, 1e-4);
        const kane_settings settings = settings_of(2, 1e-3, h);
        mechanism_run(&m, &settings);
        for (int i = 0; i < (swings[k] < 1.0 ? 120 : 60);
             i++) // whatever the beginning has left is gone, and factors are those of this step
            assert_int_equal(kane_simulation_step(m.simulation, h, &errors), KANE_OK);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(kane_simulation_step(m.simulation, h, &errors), KANE_OK);
            x[i] = kane_simulation_state(m.simulation)[0];
        }
        kane_simulation_statistics(m.simulation, &now);
        assert_int_equal(now.last_order, 2);
        check_near(now.last_step, h, 1e-12);
        const double square            = (x[1] * x[3] - x[2] * x[2]) / (x[0] * x[2] - x[1] * x[1]);
        const kane_bdf_alpha_formula f = kane_bdf_alpha_make(2, kane_bdf_alpha_radius(swings[k]));
        check_near(0.5 * log(square), log_radius(step_of(&f, i_unit * swings[k])), 1e-6);
        // the angle of a step is short by C (omega h)^2 of it, C = 1/9 for rho_inf = 1/2 (BDF: 1/3)
        const double trace = (x[2] + square * x[0]) / x[1], angle = acos(0.5 * trace / sqrt(square));
        if (swings[k] < 0.2)
            check_relative((swings[k] - angle) / pow(swings[k], 3.0), 1.0 / 9.0, 2e-2);
    }
}

// Tolerances: order 4 takes over where steps are short, and then a tenth of the tolerance costs 10^(1/5) times the
// steps.
CHECK_TEST(tight_tolerances_are_kept_by_order_four)
{
    const double damping = 3.0, a = 0.5 * damping / mass, w = sqrt(stiffness / mass - a * a), amplitude = 0.1;
    long steps[2];
    for (int k = 0; k < 2; k++) {
        CHECK_END(mechanism_close_all) mechanism m = {0};
        CHECK_ERRORS errors                        = {0};
        kane_settings settings                     = settings_of(4, k ? 1e-11 : 1e-9, 0.0);
        kane_statistics now;
        double worst = 0.0;
        begin_oscillator(&m, damping, amplitude);
        mechanism_run(&m, &settings);
        for (double t = 0.1; t < 2.05; t += 0.1) {
            assert_int_equal(kane_simulation_advance(m.simulation, t, &errors), KANE_OK);
            const double x = amplitude * exp(-a * t) * (cos(w * t) + a / w * sin(w * t));
            worst          = fmax(worst, fabs(kane_simulation_state(m.simulation)[0] - x));
        }
        check_near(worst, 0.0, 200.0 * settings.position);
        kane_simulation_statistics(m.simulation, &now);
        assert_int_equal(now.last_order, 4);
        steps[k] = now.steps;
    }
    check_near((double)steps[1] / (double)steps[0], pow(10.0, 2.0 / 5.0), 0.4);
}

// --- steps by themselves ---

// x'' + 2 zeta omega x' + omega^2 x = omega^2 g(t), g a square wave that cannot be evaluated in between now and then.
typedef struct shaken {
    double omega, zeta, period;
    double force, weight;
    int projected;
    int refuses; // every so many evaluations; 0: never
    int count;
} shaken;

static kane_status shaken_rates(double t, const double *y, double *ydot, void *data)
{
    shaken *s      = data;
    const double g = !(s->period < HUGE_VAL) || fmod(t, s->period) < 0.5 * s->period ? s->force : -s->force;
    ydot[0]        = y[1];
    ydot[1]        = -2.0 * s->zeta * s->omega * y[1] - s->omega * s->omega * (y[0] - g);
    return s->refuses > 0 && ++s->count % s->refuses == 0 ? KANE_RETRY : KANE_OK;
}

static kane_status shaken_slopes(double t, const double *y, double *values, void *data)
{
    const shaken *s = data;
    (void)t;
    (void)y;
    values[0] = 0.0; // column by column
    values[1] = -s->omega * s->omega;
    values[2] = 1.0;
    values[3] = -2.0 * s->zeta * s->omega;
    return KANE_OK;
}

static kane_status shaken_weights(double t, const double *y, double *weights, void *data)
{
    const shaken *s = data;
    (void)t;
    (void)y;
    weights[0] = s->weight;
    weights[1] = s->weight / s->omega;
    return KANE_OK;
}

static kane_status shaken_project(double t, double *y, void *data)
{
    const shaken *s   = data;
    const double size = hypot(y[0], y[1] / s->omega);
    (void)t;
    y[0] /= size;
    y[1] /= size;
    return KANE_OK;
}

static void *begin_shaken(kane_system *system, shaken *s)
{
    kane_pattern_entries *entries = kane_pattern_begin(2);
    const kane_settings settings  = settings_of(4, 1e-6, 0.0);
    kane_pattern_add_block(entries, 0, 2, 0, 2);
    *system = (kane_system){.size       = 2,
                            .on_rails   = !s->projected,
                            .projected  = s->projected,
                            .speeds     = 1,
                            .speeds_end = 2,
                            .pattern    = kane_pattern_finish(entries),
                            .data       = s,
                            .rates      = shaken_rates,
                            .slopes     = shaken_slopes,
                            .weigh      = shaken_weights,
                            .project    = shaken_project};
    return kane_method_integrator(KANE_BDF_ALPHA)->create(system, &settings);
}

static void end_shaken(const kane_system *system, void *self)
{
    union {
        const kane_pattern *read;
        kane_pattern *write;
    } pattern = {system->pattern};
    kane_method_integrator(KANE_BDF_ALPHA)->free(self);
    kane_pattern_free(pattern.write);
}

// Orders 3 and 4 need a damping ratio of .02 on rails: below it short steps stay at order 2.
CHECK_TEST(little_damping_keeps_order_two)
{
    static const double ratios[] = {0.0, 0.0199, 0.0201};
    for (int k = 0; k < 3; k++) {
        static kane_system system;
        shaken s                          = {.omega = 10.0, .zeta = ratios[k], .period = HUGE_VAL, .weight = 1e7};
        const kane_integrator *integrator = kane_method_integrator(KANE_BDF_ALPHA);
        void *self                        = begin_shaken(&system, &s);
        kane_statistics now               = {0};
        double t = 0.0, y[2] = {1.0, 0.0};
        kane_step_end end;
        assert_int_equal(integrator->restart(self, t, y), KANE_OK);
        while (t < 1.0)
            assert_int_equal(integrator->step(self, 1.0, 1.0, &t, y, &end, NULL), KANE_OK);
        integrator->count(self, &now);
        assert_int_equal(now.last_order, k < 2 ? 2 : 4);
        end_shaken(&system, self);
    }
}

// What is projected after every step stays where it belongs, and the motion is that of the equations.
CHECK_TEST(every_step_is_projected)
{
    static kane_system system;
    shaken s                          = {.omega = 10.0, .period = HUGE_VAL, .weight = 1e4, .projected = 1};
    const kane_integrator *integrator = kane_method_integrator(KANE_BDF_ALPHA);
    void *self                        = begin_shaken(&system, &s);
    double t = 0.0, y[2] = {1.0, 0.0};
    kane_step_end end;
    assert_int_equal(integrator->restart(self, t, y), KANE_OK);
    while (t < 1.0) {
        assert_int_equal(integrator->step(self, 1.0, 1.0, &t, y, &end, NULL), KANE_OK);
        check_near(hypot(y[0], y[1] / s.omega), 1.0, 1e-14);
    }
    check_near(y[0], cos(s.omega), 2e-3);
    end_shaken(&system, self);
}

// Error of the last step, over the tolerance.
static double last_error(void *self)
{
    double error[2], weight[2];
    assert_true(kane_method_integrator(KANE_BDF_ALPHA)->estimate(self, error, weight));
    return sqrt(0.5 * (pow(error[0] * weight[0], 2.0) + pow(error[1] * weight[1], 2.0)));
}

// The second derivative that it begins with, and those with which the order goes up: the first step is wrong by its
// third order alone, and an order that goes up makes errors smaller at once.
CHECK_TEST(derivatives_are_those_of_the_motion)
{
    static kane_system system;
    shaken s                          = {.omega = 10.0, .zeta = 0.05, .period = HUGE_VAL, .weight = 1e10};
    const kane_integrator *integrator = kane_method_integrator(KANE_BDF_ALPHA);
    void *self                        = begin_shaken(&system, &s);
    double t = 0.0, y[2] = {1.0, 0.0}, error = 0.0;
    kane_statistics sum = {0};
    kane_step_end end;
    int raised = 0, order = 2;
    assert_int_equal(integrator->restart(self, t, y), KANE_OK);
    assert_int_equal(integrator->step(self, 1e-4, 1e-4, &t, y, &end, NULL), KANE_OK);
    integrator->count(self, &sum);
    const double third =
        1.0 / 27.0 * pow(s.omega * sum.last_step, 3.0) * s.weight; // of v: x'''' = omega^4; 4/27 of d = 3 h^3/6
    check_near(last_error(self), 2.0 * third * sqrt(0.5), 0.02 * third);
    while (t < 1.0) {
        assert_int_equal(integrator->step(self, 1.0, 1.0, &t, y, &end, NULL), KANE_OK);
        integrator->count(self, &sum);
        if (sum.last_order > order) {
            raised++;
            check_below(last_error(self) / error, 0.6);
        }
        order = sum.last_order;
        error = last_error(self);
    }
    assert_true(raised >= 2);
    end_shaken(&system, self);
}

// What the tests of stability take for granted: steps of one length come at least order + 1 at a time (fewer only
// before one that is shorter, which an error has made so), none is more than ten times as long as the one before,
// orders 3 and 4 stay where they are stable.
CHECK_TEST(steps_change_as_seldom_as_stability_asks)
{
    static const int refusals[] = {0, 97};
    long jacobians[2];
    for (int k = 0; k < 2; k++) {
        shaken s = {.omega = 1000.0, .zeta = 0.05, .period = 0.05, .force = 1.0, .weight = 1e4, .refuses = refusals[k]};
        static kane_system system;
        const kane_integrator *integrator = kane_method_integrator(KANE_BDF_ALPHA);
        void *self                        = begin_shaken(&system, &s);
        double t = 0.0, y[2] = {0.0, 0.0}, before = 0.0;
        int same = 0, changes = 0, highest = 0, order = 2;
        kane_statistics sum = {0};
        kane_step_end end;
        assert_int_equal(integrator->restart(self, t, y), KANE_OK);
        while (t < 1.0) {
            const double from = t;
            assert_int_equal(integrator->step(self, 1.0, 1.0, &t, y, &end, NULL), KANE_OK);
            integrator->count(self, &sum);
            const double h = t - from;
            if (end != KANE_STEP_TAKEN || before == 0.0) {
                same = 10; // the first, the last
            } else if (fabs(h / before - 1.0) < 1e-6) {
                same++;
            } else {
                assert_true(h < before || same >= order + 1 || changes == 0);
                assert_true(h <= 10.01 * before);
                changes++;
                same = 1;
            }
            assert_true(sum.last_order == 2 || h * s.omega <= 1.001 * kane_bdf_alpha_narrow());
            order   = sum.last_order;
            highest = order > highest ? order : highest;
            before  = h;
        }
        assert_true(changes > 20 && highest == 4);
        memset(&sum, 0, sizeof sum);
        integrator->count(self, &sum);
        assert_true(sum.error_test_failures > 100);
        jacobians[k] = sum.jacobians;
        end_shaken(&system, self);
    }
    assert_true(jacobians[1] > jacobians[0] + 20); // tried again
}

// --- wheels, loops, travel ---

#define ALPHA "integrator.method=bdf_alpha"

static wagon_end run_wagon(const char *run, const char *const *settings)
{
    wagon w = wagon_read(run, settings);
    return wagon_run_to_end(&w);
}

// Borders, at known times and as roots of a driven wagon's state, until a distance that is a root, too; with a four-bar
// by multipliers.
CHECK_TEST(wagons_go_where_bdf_takes_them)
{
    static const char *const rows[][3] = {
        {"wagon-transition", "formulation=moving", "until.distance=90"},
        {"wagon-transition", "formulation=fixed", "until.distance=90"},
        {"wagon-driven", "formulation=moving", "until.distance=90"},
        {"wagon-transition", "vehicle.patterns.wheelset.contact.model=table", "until.distance=90"},
        {"wagon-four-bar", "form=multipliers", "until.distance=40"}};
    for (int i = 0; i < 5; i++) {
        const char *const bdf[]  = {TIGHTER, rows[i][1], rows[i][2], NULL};
        const char *const same[] = {TIGHTER, rows[i][1], rows[i][2], ALPHA, NULL};
        const wagon_end a = run_wagon(rows[i][0], bdf), b = run_wagon(rows[i][0], same);
        assert_int_equal(a.stop, KANE_STOP_DISTANCE);
        assert_int_equal(a.stop, b.stop);
        if (i < 4)
            check_near(wagon_ends_differ(&a, &b), 0.0, 2e-9);
        else
            check_near(wagon_ends_differ(&b, &a), 0.0, 2e-8); // bars are light
    }
}

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

CHECK_TEST(loops_stay_closed)
{
    const kane_settings bdf = mechanism_settings(1e-12), alpha = settings_of(4, 1e-12, 0.0);
    double drift[2];
    const double angle = run_four_bar(&bdf, &drift[0]), same = run_four_bar(&alpha, &drift[1]);
    check_near(same, angle, 1e-8);
    check_near(drift[1], 0.0, 1e-9);
}

// A wheel that lifts, and a driven wagon that rolls back, when CVODE says they do.
CHECK_TEST(roots_are_where_bdf_finds_them)
{
    static const char *const rows[][4] = {
        {"wagon-driven", "start.speed=0", "until.time=5",
         "drive={\"rope\":{\"kind\":\"force\",\"on\":\"body\",\"force\":[\"-20 kN\"]}}"},
        {"wagon-driven", "start.speed=1", "until.time=5",
         "drive={\"rope\":{\"kind\":\"force\",\"on\":\"body\",\"force\":[\"-30 kN\"]}}"},
        {"wagon-transition", "until.lift=0.262 mm", "start.speed=25", "until.time=20"}};
    static const kane_stop stops[] = {KANE_STOP_ROLL_BACK, KANE_STOP_STANDSTILL, KANE_STOP_WHEEL_DROP};
    for (int i = 0; i < 3; i++) {
        double t[2];
        for (int k = 0; k < 2; k++) {
            const char *const settings[] = {
                TIGHT, rows[i][1], rows[i][2], rows[i][3], k ? ALPHA : "integrator.method=bdf", NULL};
            const wagon_end r = run_wagon(rows[i][0], settings);
            assert_int_equal(r.stop, stops[i]);
            t[k] = r.t;
        }
        check_near(t[1], t[0], 1e-6);
        assert_true(t[0] > 0.01);
    }
}

// Set inputs, save, take up: nothing allocated, the same bits; inputs that change restart nothing.
CHECK_TEST(driven_from_outside)
{
    const char *const settings[] = {ALPHA, NULL};
    const kane_statistics took   = drive_from_outside(settings);
    assert_int_equal(took.restarts, 0);
    assert_true(took.steps >= 200 && took.jacobians > 0);
}

// Over borders with restarts: they cost few evaluations, and no memory.
CHECK_TEST(restarts_are_cheap)
{
    long evaluations[2], restarts[2];
    for (int k = 0; k < 2; k++) {
        kane_statistics now;
        CHECK_FREED(wagon) w = wagon_open_with("wagon-transition", k ? ALPHA : "integrator.method=bdf");
        assert_true(wagon_go(&w, 0.01));
        allocation_fail_at(0);
        (void)wagon_go(&w, 100.0);
        (void)allocation_stop();
        assert_int_equal(allocation_count(), 0);
        kane_simulation_statistics(w.simulation, &now);
        evaluations[k] = now.evaluations;
        restarts[k]    = now.restarts;
    }
    assert_int_equal(restarts[0], 6);
    assert_int_equal(restarts[1], 6);
    assert_true((double)evaluations[1] < 1.15 * (double)evaluations[0]);
}

// --- what is refused ---

CHECK_TEST(orders_that_there_are_not_are_told)
{
    static const struct {
        const char *setting, *error;
    } rows[] = {
        {"integrator={\"method\":\"bdf_alpha\",\"order\":5}", "order 5 is not possible: up to 4 with \"bdf_alpha\""},
        {"integrator={\"method\":\"bdf_alpha\",\"step\":\"1 ms\"}",
         "\"bdf_alpha\" chooses its steps by the tolerances"},
        {"integrator={\"method\":\"bdf_alpha\",\"jacobian_interval\":3}", "does not belong to \"bdf_alpha\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_run_refused("wagon-transition", (const char *const[]){rows[i].setting, NULL}, rows[i].error);
    static const struct {
        const char *run, *setting;
        int order;
    } orders[] = {{"wagon-transition", ALPHA, 4}, // whatever contact it is
                  {"wagon-transition", "integrator={\"method\":\"bdf_alpha\",\"order\":2}", 2},
                  {"wagon-transition", "integrator.method=bdf", 2}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const char *const settings[] = {orders[i].setting, NULL};
        const wagon w                = wagon_read(orders[i].run, settings);
        assert_int_equal(w.definition.settings.order, orders[i].order);
        kane_run_free(w.run);
    }
    CHECK_END(mechanism_close_all) mechanism m = {0};
    CHECK_ERRORS errors                        = {0};
    const kane_conditions until                = {.time = 1.0};
    const kane_settings settings               = settings_of(1, 1e-8, 0.0);
    begin_oscillator(&m, 0.0, 0.1);
    assert_null(kane_simulation_create(m.model, &settings, &until, &errors));
    assert_string_equal(kane_errors_get(&errors, 0)->text, "order 1 is not possible: bdf_alpha has orders 2 to 4");
}

CHECK_MAIN(NULL, NULL)
