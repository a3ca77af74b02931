// SPDX-License-Identifier: MIT
// Constraints whose numbers are functions of time against closed forms and Lagrange's equations of their own: a swing
// whose rope is pulled in and let out, a gear whose phase is driven, a variable transmission, a disc on a plate that is
// shaken, a bead that is led along a wire. By coefficients and by multipliers; what time puts in is the work of a
// drive.

#include "mechanisms.h"

typedef struct case_of {
    mechanism m;
    kane_given_definition given[2];
} case_of;

static void give(case_of *c, kane_constraint_definition *d, kane_given_number number, kane_function function)
{
    c->given[d->given_count++] = (kane_given_definition){.number = number, .term = 1, .function = function};
    d->given                   = c->given;
}

static kane_function sine(const double c[4])
{
    return (kane_function){.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = c};
}

static kane_function polynomial(const double *c, int count)
{
    return (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = count, .coefficients = c};
}

static void sine_eval(const double c[4], double t, double f[3])
{
    f[0] = c[0] + c[1] * sin(c[2] * t + c[3]);
    f[1] = c[1] * c[2] * cos(c[2] * t + c[3]);
    f[2] = -c[1] * c[2] * c[2] * sin(c[2] * t + c[3]);
}

// --- a swing: l a'' + 2 l' a' + g sin(a) = 0, tension m (l a'^2 + g cos(a) - l'') ---

static const double rope[4] = {1.2, 0.25, 4.5, 0.4}, bob = 2.0, swing_start = 0.5, swing_rate = 0.8;

static void swing_rates(double t, const double x[3], double out[3])
{
    double l[3];
    sine_eval(rope, t, l);
    out[0] = x[1];
    out[1] = -(2.0 * l[1] * x[1] + 9.81 * sin(x[0])) / l[0];
    // power of the winch: -tension l'
    out[2] = -bob * (l[0] * x[1] * x[1] + 9.81 * cos(x[0]) - l[2]) * l[1];
}

// Runge and Kutta's method: angle, its rate, and the work of the winch.
static void swing_integrate(double t, double x[3])
{
    const int steps = (int)(t * 1e4);
    const double h  = t / steps;
    x[0]            = swing_start;
    x[1]            = swing_rate;
    x[2]            = 0.0;
    for (int i = 0; i < steps; i++) {
        static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
        double k[3] = {0.0}, sum[3] = {0.0}, y[3];
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < 3; j++)
                y[j] = x[j] + node[s] * h * k[j];
            swing_rates((i + node[s]) * h, y, k);
            for (int j = 0; j < 3; j++)
                sum[j] += weight[s] / 6.0 * k[j];
        }
        for (int j = 0; j < 3; j++)
            x[j] += h * sum[j];
    }
}

static void open_swing(case_of *c, kane_constraint_form form)
{
    mechanism *m = &c->m;
    double l[3];
    *c = (case_of){.m = {.model = NULL}};
    mechanism_begin(m, 9.81);
    sine_eval(rope, 0.0, l);
    const kane_vec3 drawn = planar(l[0] * sin(swing_start), -l[0] * cos(swing_start));
    const int body        = mechanism_add(m, "bob", bob, kv3(0.1, 0.1, 0.1), drawn);
    (void)mechanism_hang(m, body, KANE_JOINT_PLANAR, NULL, drawn, planar_axes());
    kane_constraint_definition *d =
        mechanism_close_at(m, "rope", KANE_CONSTRAINT_DISTANCE, NULL, kv3_zero(), "bob", drawn, km3_identity());
    give(c, d, KANE_GIVEN_LENGTH, sine(rope));
    const double v[2]    = {l[1] * sin(swing_start) + l[0] * cos(swing_start) * swing_rate,
                            -l[1] * cos(swing_start) + l[0] * sin(swing_start) * swing_rate};
    m->starts[0].rate[0] = v[0];
    m->starts[0].rate[1] = v[1];
    mechanism_open(m, form);
    check_near(mechanism_rate(m, m->work, 0, 0), v[0], 1e-12); // consistent already
}

static void check_swing(kane_constraint_form form)
{
    kane_settings settings = mechanism_settings(1e-13);
    settings.energy        = 1;
    static case_of c;
    open_swing(&c, form);
    mechanism_run(&c.m, &settings);
    const double before = mechanism_energy(&c.m, c.m.work);
    for (int i = 1; i <= 6; i++) {
        const double t = 0.7 * i;
        double x[3], l[3], lambda[6], drift, rate;
        kane_energy energy;
        const kane_work *work = mechanism_go(&c.m, t);
        swing_integrate(t, x);
        sine_eval(rope, t, l);
        const kane_vec3 at = mechanism_point(&c.m, work, 0, c.m.bodies[0].position);
        check_vec3(at, planar(l[0] * sin(x[0]), -l[0] * cos(x[0])), 3e-9);
        (void)kane_get_constraint(c.m.model, work, 0, lambda); // negative: it pulls
        check_near(lambda[0], -bob * (l[0] * x[1] * x[1] + 9.81 * cos(x[0]) - l[2]), 3e-7);
        kane_get_energy(c.m.model, work, &energy);
        check_near(energy.power_drive, lambda[0] * l[1], 1e-9);
        check_near(kane_simulation_state(c.m.simulation)[kane_model_state_count(c.m.model)], x[2], 1e-7);
        check_near(mechanism_energy(&c.m, work) - before, x[2], 1e-7);
        kane_get_drift(c.m.model, work, &drift, &rate);
        check_near(drift, 0.0, 1e-12);
        check_near(rate, 0.0, 1e-9);
        mechanism_check_jacobian(&c.m, 1e-6);
    }
    mechanism_close_all(&c.m);
}

CHECK_TEST(a_swing_whose_rope_is_pulled)
{
    check_swing(KANE_FORM_COEFFICIENTS);
    check_swing(KANE_FORM_MULTIPLIERS);
}

// A long run: nothing drifts, and the work of the winch stays what the energy has gained.
CHECK_TEST(a_swing_does_not_drift)
{
    for (int form = 0; form < 2; form++) {
        kane_settings settings = mechanism_settings(1e-12);
        static case_of c;
        double most     = 0.0;
        settings.energy = 1;
        open_swing(&c, (kane_constraint_form)form);
        mechanism_run(&c.m, &settings);
        const double before = mechanism_energy(&c.m, c.m.work);
        for (int i = 1; i <= 200; i++) {
            double drift, rate;
            const kane_work *work = mechanism_go(&c.m, 0.5 * i);
            kane_get_drift(c.m.model, work, &drift, &rate);
            check_near(drift, 0.0, 1e-11);
            check_near(rate, 0.0, 1e-8);
            const double work_done = kane_simulation_state(c.m.simulation)[kane_model_state_count(c.m.model)];
            most                   = fmax(most, fabs(mechanism_energy(&c.m, work) - before - work_done));
        }
        check_near(most, 0.0, 2e-5); // 1e-11: 5e-5, 1e-10: 1.4e-4
        mechanism_close_all(&c.m);
    }
}

// --- a gear whose phase is driven: k1 q1 + k2 q2 = o(t), nothing else acts ---
//   lambda = o''/(k1^2/J1 + k2^2/J2),   q1'' = k1 lambda/J1

static const double phase[4] = {0.3, 0.7, 5.0, 0.6}, teeth[2] = {2.0, -0.7}, inertia[2] = {0.03, 0.11};

static void open_discs(case_of *c)
{
    *c = (case_of){.m = {.model = NULL}};
    mechanism_begin(&c->m, 0.0);
    for (int i = 0; i < 2; i++) {
        static const char *const names[2] = {"first", "second"};
        const kane_vec3 at                = kv3(i, 0.0, 0.0);
        (void)mechanism_add(&c->m, names[i], 1.0, kv3(0.1, 0.1, inertia[i]), at);
        (void)mechanism_hang(&c->m, i, KANE_JOINT_REVOLUTE, NULL, at, km3_identity());
    }
}

static void check_gear(kane_constraint_form form, kane_closed_form closed)
{
    const kane_settings settings = mechanism_settings(1e-12);
    static case_of c;
    double o[3], begin[3], lambda[6];
    open_discs(&c);
    kane_constraint_definition *d = mechanism_relate(&c.m, "gear", "first", teeth[0], "second", teeth[1], 0.0);
    d->closed                     = closed;
    give(&c, d, KANE_GIVEN_OFFSET, sine(phase));
    sine_eval(phase, 0.0, begin);
    c.m.starts[0] = (kane_start_definition){.q = {0.4}, .rate = {1.5}, .held_q = 1u, .held_rate = 1u};
    mechanism_open(&c.m, form);
    check_near(mechanism_coordinate(&c.m, c.m.work, 1, 0), (begin[0] - teeth[0] * 0.4) / teeth[1], 1e-12);
    check_near(mechanism_rate(&c.m, c.m.work, 1, 0), (begin[1] - teeth[0] * 1.5) / teeth[1], 1e-12);
    mechanism_run(&c.m, &settings);
    const double by = 1.0 / (teeth[0] * teeth[0] / inertia[0] + teeth[1] * teeth[1] / inertia[1]);
    for (int i = 1; i <= 5; i++) {
        const double t        = 0.6 * i;
        const kane_work *work = mechanism_go(&c.m, t);
        kane_energy energy;
        sine_eval(phase, t, o);
        const double moved = by * teeth[0] / inertia[0] * (o[0] - begin[0] - begin[1] * t);
        const double q     = 0.4 + 1.5 * t + moved;
        check_near(mechanism_coordinate(&c.m, work, 0, 0), q, 1e-9);
        check_near(mechanism_coordinate(&c.m, work, 1, 0), (o[0] - teeth[0] * q) / teeth[1], 1e-9);
        assert_int_equal(kane_get_constraint(c.m.model, work, 0, lambda), 1);
        check_near(lambda[0], by * o[2], 1e-9);
        kane_get_energy(c.m.model, work, &energy);
        check_near(energy.power_drive, lambda[0] * o[1], 1e-9);
        mechanism_check_jacobian(&c.m, 1e-6);
    }
    mechanism_close_all(&c.m);
}

CHECK_TEST(a_gear_with_a_driven_phase)
{
    check_gear(KANE_FORM_COEFFICIENTS, KANE_CLOSED_NONE);
    check_gear(KANE_FORM_COEFFICIENTS, KANE_CLOSED_TRANSMISSION);
    check_gear(KANE_FORM_MULTIPLIERS, KANE_CLOSED_NONE);
}

// --- a transmission whose ratio changes: w1 - r(t) w2 = 0 ---
// Nothing acts: J1 w1' = lambda, J2 w2' = -r lambda, so that (J1 r^2 + J2) w2^2 stays, and with it the kinetic energy.

static const double ratio[4] = {-1.6, -0.5, 2.5, 0.2};

CHECK_TEST(a_variable_transmission)
{
    for (int form = 0; form < 2; form++) {
        const kane_settings settings = mechanism_settings(1e-12);
        static case_of c;
        double r[3], lambda[6];
        open_discs(&c);
        kane_constraint_definition *d = mechanism_relate(&c.m, "ratio", "first", 1.0, "second", 0.0, 0.0);
        d->kind                       = KANE_CONSTRAINT_RATES;
        give(&c, d, KANE_GIVEN_FACTOR, sine(ratio)); // of the second: -r
        c.m.starts[1] = (kane_start_definition){.rate = {3.0}, .held_rate = 1u};
        mechanism_open(&c.m, (kane_constraint_form)form);
        sine_eval(ratio, 0.0, r);
        const double kept = (inertia[0] * r[0] * r[0] + inertia[1]) * 9.0;
        mechanism_run(&c.m, &settings);
        for (int i = 1; i <= 5; i++) {
            const double t        = 0.5 * i;
            const kane_work *work = mechanism_go(&c.m, t);
            kane_energy energy;
            sine_eval(ratio, t, r);
            const double second = sqrt(kept / (inertia[0] * r[0] * r[0] + inertia[1]));
            check_near(mechanism_rate(&c.m, work, 1, 0), second, 1e-9);
            check_near(mechanism_rate(&c.m, work, 0, 0), -r[0] * second, 1e-9);
            // w2' = -J1 r r' w2/(J1 r^2 + J2) = -r lambda/J2, here with r of the other sign
            (void)kane_get_constraint(c.m.model, work, 0, lambda);
            check_near(lambda[0], -inertia[0] * inertia[1] * r[1] * second / (inertia[0] * r[0] * r[0] + inertia[1]),
                       1e-9);
            kane_get_energy(c.m.model, work, &energy);
            check_near(energy.power_drive, 0.0, 1e-10);
            mechanism_check_jacobian(&c.m, 1e-6);
        }
        mechanism_close_all(&c.m);
    }
}

// --- a disc on a plate that is shaken along x by X(t), and lifted by Z(t) ---
// Rolls upright along x: m x'' = F, C w' = -F r, x' - X' = r w. So  x'' (1 + m r^2/C) = X'', F = m x''; normal force m
// (g + Z'').

static const double shaken[4] = {0.0, 0.2, 7.0, 0.3}, lifted[4] = {0.1, 0.05, 6.0, -0.4};

CHECK_TEST(a_disc_on_a_shaken_plate)
{
    const double radius = 0.5, mass = 3.0, C = 0.4, A = 0.2;
    for (int form = 0; form < 2; form++) {
        const kane_settings settings = mechanism_settings(1e-12);
        static case_of c;
        double X[3], Z[3], begin[3], lambda[6];
        c = (case_of){.m = {.model = NULL}};
        sine_eval(shaken, 0.0, begin);
        sine_eval(lifted, 0.0, Z);
        mechanism_begin(&c.m, 9.81);
        const kane_vec3 centre = {0.0, 0.0, radius};
        (void)mechanism_add(&c.m, "disc", mass, kv3(A, C, A), centre);
        kane_constraint_definition *d = mechanism_close_at(&c.m, "plate", KANE_CONSTRAINT_ROLLING, NULL, kv3_zero(),
                                                           "disc", centre, km3_identity());
        d->at[1].axes                 = axes_about(1);
        d->radius                     = radius;
        give(&c, d, KANE_GIVEN_X, sine(shaken));
        give(&c, d, KANE_GIVEN_Z, sine(lifted));
        const double spin = 2.0, speed = begin[1] + radius * spin;
        c.m.starts[0] = (kane_start_definition){
            .q = {0.0, 0.0, Z[0]}, .rate = {speed, 0.0, Z[1], 0.0, 0.0, spin}, .held_q = 63u, .held_rate = 63u};
        mechanism_open(&c.m, (kane_constraint_form)form);
        mechanism_run(&c.m, &settings);
        const double share = 1.0 / (1.0 + mass * radius * radius / C);
        for (int i = 1; i <= 5; i++) {
            const double t        = 0.4 * i;
            const kane_work *work = mechanism_go(&c.m, t);
            double q[6], rates[6];
            kane_energy energy;
            kane_get_relative(c.m.model, work, 0, q, rates);
            sine_eval(shaken, t, X);
            sine_eval(lifted, t, Z);
            check_near(q[KANE_X], speed * t + share * (X[0] - begin[0] - begin[1] * t), 1e-9);
            check_near(q[KANE_Z], radius + Z[0], 1e-12);
            check_near(rates[KANE_PITCH], (rates[KANE_X] - X[1]) / radius, 1e-9);
            assert_int_equal(kane_get_constraint(c.m.model, work, 0, lambda), 3);
            check_near(lambda[0], mass * (9.81 + Z[2]), 1e-8);
            check_near(lambda[1], mass * share * X[2], 1e-8);
            check_near(lambda[2], 0.0, 1e-9);
            kane_get_energy(c.m.model, work, &energy);
            check_near(energy.power_drive, lambda[0] * Z[1] + lambda[1] * X[1], 1e-8);
            mechanism_check_jacobian(&c.m, 1e-6);
        }
        mechanism_close_all(&c.m);
    }
}

// --- a bead that is led along a wire z = f(x) by x(t): no freedom is left ---
// On the wire it is pushed by m (x'', f' x'' + f'' x'^2 + g); rows act along (-f', 1) and (1, 0).

static const double wire[4] = {0.1, -0.3, 0.8, 0.4}, lead[3] = {-0.2, 0.5, 0.3};

CHECK_TEST(a_bead_that_is_led)
{
    for (int form = 0; form < 2; form++) {
        const kane_settings settings = mechanism_settings(1e-12);
        static case_of c;
        double lambda[6];
        c = (case_of){.m = {.model = NULL}};
        mechanism_begin(&c.m, 9.81);
        const kane_vec3 drawn = planar(lead[0], 0.2);
        (void)mechanism_add(&c.m, "bead", 2.0, kv3_zero(), drawn);
        mechanism_hang(&c.m, 0, KANE_JOINT_FREE, NULL, drawn, km3_identity())->dof =
            KANE_DOF(KANE_X) | KANE_DOF(KANE_Z);
        kane_constraint_definition *d =
            mechanism_close_at(&c.m, "wire", KANE_CONSTRAINT_CURVE, NULL, kv3_zero(), "bead", drawn, planar_axes());
        d->function[0] = polynomial(wire, 4);
        give(&c, d, KANE_GIVEN_ALONG, polynomial(lead, 3));
        mechanism_open(&c.m, (kane_constraint_form)form);
        mechanism_run(&c.m, &settings);
        for (int i = 1; i <= 4; i++) {
            const double t = 0.3 * i, x = lead[0] + t * (lead[1] + t * lead[2]), v = lead[1] + 2.0 * t * lead[2];
            const double f  = wire[0] + x * (wire[1] + x * (wire[2] + x * wire[3]));
            const double f1 = wire[1] + x * (2.0 * wire[2] + 3.0 * x * wire[3]), f2 = 2.0 * wire[2] + 6.0 * x * wire[3];
            const double ax = 2.0 * lead[2], az = f1 * ax + f2 * v * v + 9.81;
            const kane_work *work = mechanism_go(&c.m, t);
            kane_energy energy;
            check_vec3(mechanism_point(&c.m, work, 0, drawn), planar(x, f), 1e-12);
            assert_int_equal(kane_get_constraint(c.m.model, work, 0, lambda), 3);
            check_near(lambda[0], 2.0 * az, 1e-9);
            assert_true(isnan(lambda[1])); // z of the wire: out of the plane, where the joint holds it as well
            check_near(lambda[2], 2.0 * (ax + f1 * az), 1e-9);
            kane_get_energy(c.m.model, work, &energy);
            check_near(energy.power_drive, lambda[2] * v, 1e-9);
        }
        mechanism_close_all(&c.m);
    }
}

// A rope that is wound up ends the run. By coefficients an evaluation meets the end and names it; by multipliers steps
// get too short before.
CHECK_TEST(a_rope_of_no_length)
{
    static const double wound[2] = {1.0, -2.0};
    for (int form = 0; form < 2; form++) {
        const kane_settings settings = mechanism_settings(1e-8);
        static case_of c;
        CHECK_ERRORS errors = {0};
        c                   = (case_of){.m = {.model = NULL}};
        mechanism_begin(&c.m, 9.81);
        (void)mechanism_add(&c.m, "bob", bob, kv3(0.1, 0.1, 0.1), planar(0.0, -1.0));
        kane_constraint_definition *d = mechanism_close_at(&c.m, "rope", KANE_CONSTRAINT_DISTANCE, NULL, kv3_zero(),
                                                           "bob", planar(0.0, -1.0), km3_identity());
        give(&c, d, KANE_GIVEN_LENGTH, polynomial(wound, 2));
        mechanism_open(&c.m, (kane_constraint_form)form);
        mechanism_run(&c.m, &settings);
        assert_true(kane_simulation_advance(c.m.simulation, 1.0, &errors) != KANE_OK);
        assert_true(kane_simulation_time(c.m.simulation) <= 0.5);
        check_near(kane_simulation_time(c.m.simulation), 0.5, 1e-3);
        char text[400];
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
        if (form == KANE_FORM_COEFFICIENTS)
            assert_string_equal(text, "rope: at 0.5 s: its length over time is not positive here");
        mechanism_close_all(&c.m);
    }
}

// --- equilibrium: time stands still ---

CHECK_TEST(a_swing_at_rest)
{
    for (int form = 0; form < 2; form++) {
        static case_of c;
        kane_equilibrium found;
        double lambda[6], l[3];
        open_swing(&c, (kane_constraint_form)form);
        mechanism *m = &c.m;
        sine_eval(rope, 0.0, l);
        assert_int_equal(CHECK_GOOD(kane_equilibrium_solve, m->model, m->work, m->y, &found), KANE_OK);
        kane_work_freeze(m->work, 1);
        mechanism_eval(m, 0.0);
        check_vec3(mechanism_point(m, m->work, 0, m->bodies[0].position), planar(0.0, -l[0]), 1e-9);
        (void)kane_get_constraint(m->model, m->work, 0, lambda);
        check_near(lambda[0], -bob * 9.81, 1e-7);
        kane_linear *linear = CHECK_GOOD(kane_linear_create, m->model, m->work, 0.0, m->y);
        kane_modes *modes   = CHECK_GOOD(kane_modes_create, linear, KANE_MODES_COMPLETE);
        int pendulums       = 0;
        for (int i = 0; i < kane_modes_count(modes); i++)
            pendulums += fabs(kane_modes_get(modes, i)->im - sqrt(9.81 / l[0])) < 1e-7;
        assert_int_equal(pendulums, 1);
        kane_modes_free(modes);
        kane_linear_free(linear);
        kane_work_freeze(m->work, 0); // and then it moves: consistent once more
        mechanism_eval(m, 0.0);
        kane_energy energy;
        kane_get_energy(m->model, m->work, &energy);
        if (form == KANE_FORM_COEFFICIENTS)
            check_near(energy.kinetic, 0.5 * bob * l[1] * l[1], 1e-9);
        mechanism_close_all(m);
    }
}

CHECK_MAIN(NULL, NULL)
