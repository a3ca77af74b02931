// SPDX-License-Identifier: MIT
// The wagon on flexible track, in elastic contact and guided as a constraint and by tables: statics, dynamics against
// hand-made linear models, and the way back to rigid track and to rigid contact.

#include "property/wagon/flexible.h"
#include "property/wagon/record.h"
#include "property/wagon/stand.h"

#include <complex.h>

enum { ELASTIC, CONSTRAINT, TABLE, MODELS };
#define MODEL "vehicle.patterns.wheelset.contact.model="
static const char *const models[MODELS] = {MODEL "elastic", MODEL "constraint", MODEL "table"};

// --- statics ---

// Displacements count from the loaded track: everything stands where it stands on rigid track, also with the load
// beside the middle, and where the line begins in a curve no panel moves before the wheels do.
CHECK_TEST(at_rest_nothing_is_displaced)
{
    static const char *const places[] = {"vehicle.bodies.body.at=[0, 0, 1.6]", "vehicle.bodies.body.at=[0, 0.05, 1.6]"};
    for (int n = 0; n < 2 * MODELS; n++) {
        const int i          = n % 2;
        CHECK_FREED(wagon) a = wagon_with("wagon-transition", places[i], "speed=[]", models[n / 2]),
                           b = wagon_with("wagon-transition", places[i], "speed=[]", models[n / 2], FLEXIBLE);
        double qa[18], qb[18], y[64], ydot[64];
        CHECK_ERRORS errors = {0};
        wagon_start(&a);
        wagon_start(&b);
        CHECK_OWNED(kane_work) *work = make_work(&b);
        assert_int_equal(kane_initial_state(b.model, work, y, &errors), KANE_OK);
        evaluate(&b, work, y, ydot); // before any equilibrium is looked for
        for (int k = 0; k < 6 && i == 0; k++)
            check_near(ydot[speed_of(&b, k / 3, k % 3)], 0.0, 1e-9);
        wagon_coordinates(&a, qa);
        wagon_coordinates(&b, qb);
        // 4 N of rolling resistance a rail, pulled against at the height of the body, shift 2 N from axle to axle
        for (int k = 0; k < 18; k++)
            check_near(qb[k], qa[k], i == 0 ? 3e-8 : 3e-7);
        for (int k = 0; k < 6; k++)
            check_near(kane_simulation_state(b.simulation)[state_of(&b, k / 3, k % 3)], 0.0, i == 0 ? 3e-8 : 3e-7);
    }
}

// A steady left-hand curve with cant deficiency: the track gives way to the outside, which is the right, settles by
// what the curve adds to the weight, and turns down on the outer side.
static void check_steady_curve(const kane_model *model, const kane_work *work)
{
    const double v = 25.0, R = 600.0, theta = asin(0.1 / 1.5);
    const double unbalanced = v * v / R * cos(theta) - g * sin(theta), down = g * cos(theta) + v * v / R * sin(theta);
    double sum[3] = {0.0, 0.0, 0.0}, Q[2] = {0.0, 0.0}, body[3][6], rates[6], lift;
    for (int i = 0; i < 2; i++) {
        double q[6];
        kane_get_relative(model, work, PANEL + i, q, rates);
        sum[Y_OF] += q[KANE_Y];
        sum[Z_OF] += q[KANE_Z];
        sum[ROLL_OF] += q[KANE_ROLL];
        for (int c = 0; c < 6; c++)
            check_near(rates[c], 0.0, 1e-6);
        for (int side = 0; side < 2; side++)
            Q[side] += kane_get_contact(model, work, LEADING + i, side, &lift)->on_wheel.force.z;
    }
    check_relative(sum[Y_OF], -36500.0 * unbalanced / stiffness[Y_OF], 0.01);
    check_relative(sum[Z_OF], -36500.0 * (down - g) / stiffness[Z_OF], 0.02);
    assert_true(Q[KANE_RIGHT] > Q[KANE_LEFT]);
    // unbalanced acceleration at the heights of the mass centres, spins that are turned with the curve, weight beside
    // the middle of the track (the body stands L^2/(2 R) inside of it), wheels beside the middle of the displaced
    // panels
    for (int j = 0; j < 3; j++)
        kane_get_relative(model, work, j, body[j], rates);
    const double high = (34000.0 * 1.6 + 2500.0 * 0.46) * unbalanced + 2.0 * 100.0 * (v / 0.46) * (v / R);
    const double beside =
        34000.0 * (body[0][KANE_Y] - 4.5 * 4.5 / (2.0 * R)) + 1250.0 * (body[LEADING][KANE_Y] + body[TRAILING][KANE_Y]);
    check_relative(sum[ROLL_OF], (high - (beside - 18250.0 * sum[Y_OF]) * down) / stiffness[ROLL_OF], 0.01);
}

// In elastic contact after 45 s; guided wheels swing longer, and are put into equilibrium.
CHECK_TEST(in_a_steady_curve_springs_carry_what_statics_says)
{
    wagon w = wagon_with("wagon-transition", "start.speed=25", "until.distance=1190", "track.sections[2].curve=1200",
                         "speed=[]", FLEXIBLE);
    wagon_start(&w);
    assert_true(wagon_go(&w, 45.0));
    check_steady_curve(w.model, kane_simulation_work(w.simulation));
    wagon_free(&w);
    for (int m = CONSTRAINT; m < MODELS; m++) {
        CHECK_FREED(stand) s =
            stand_at("wagon-transition", (const char *const[]){models[m], FLEXIBLE, NULL}, 25.0, 600.0, 0.1);
        check_steady_curve(s.model, kane_steady_work(s.steady));
    }
}

// --- dynamics ---

// Vertical wheel load over a rail that is a sine, both wheelsets in phase, from four linear equations: half of the
// body, a wheelset, a panel. Complex amplitude per amplitude of the rail; mobile 0: rigid track; contact INFINITY:
// rigid.
static double complex linear_load(double omega, double contact, int mobile)
{
    const double complex s = omega * (double complex)I, k_s = 2.4e6 + s * 4e4;
    const double complex k_p = stiffness[Z_OF] + s * damping[Z_OF] + s * s * inertia[Z_OF];
    // body on suspension, seen by the wheelset: a dynamic stiffness
    const double complex body = s * s * 17000.0, above = k_s * body / (k_s + body) + s * s * m_wheelset;
    const double complex give =
        1.0 / above + (isinf(contact) ? 0.0 : 1.0 / (contact + s * load)) + (mobile ? 1.0 / k_p : 0.0);
    return 0.5 / give;
}

// Amplitude of the wheel load in a run, per amplitude of the rail, against sin(omega t + phase of the rail).
static double complex measured_load(const char *model, const char *flexibility, double wavelength, double *contact)
{
    const double a = 2e-5, v = 20.0;
    char sines[256];
    (void)snprintf(sines, sizeof sines,
                   "track.irregularities={\"sines\":[{\"kind\":\"vertical\",\"amplitude\":%g,\"wavelength\":%g}],"
                   "\"fade_in\":{\"from\":15,\"length\":15}}",
                   a, wavelength);
    wagon w = wagon_with("wagon-irregular", CONES, "integrator.rtol=1e-8", "integrator.atol_position=1e-10 m",
                         "integrator.atol_velocity=1e-8 m/s", sines, "until.distance=90", model, flexibility);
    double complex sum = 0.0;
    double mean        = 0.0;
    const int samples  = 400;
    const double omega = 2.0 * 3.14159265358979 * v / wavelength, period = wavelength / v;
    wagon_start(&w);
    const kane_patch *patch = &kane_simulation_work(w.simulation)->wheels[0].result[0].patch[0];
    *contact                = model == models[ELASTIC] ? 3.0 * patch->N / patch->approach : (double)INFINITY;
    for (int i = 0; i < samples; i++) {
        const double t = 3.0 + 20.0 * period * i / samples,
                     Q = (assert_true(wagon_go(&w, t)), wagon_Q(&w, LEADING, KANE_LEFT));
        sum += Q * cexp(-(double complex)I * (omega * t + 2.0 * 3.14159265358979 * (10.0 + 4.5) / wavelength));
        mean += Q / samples;
    }
    check_relative(mean, 0.5 * load, 2e-3);
    wagon_free(&w);
    return 2.0 * (double complex)I * sum / samples / a; // Q = Re(F (-i) e^(i ...)) for a rail that is a sine
}

CHECK_TEST(wheel_loads_on_wavy_rails_are_those_of_the_linear_model)
{
    static const double wavelengths[] = {9.0 / 6.0, 9.0 / 18.0, 9.0 / 30.0}; // 13, 40, 67 Hz
    for (int n = 0; n < 3 * MODELS; n++) {
        double contact;
        const int i                   = n % 3;
        const double omega            = 2.0 * 3.14159265358979 * 20.0 / wavelengths[i];
        const double complex flexible = measured_load(models[n / 3], FLEXIBLE, wavelengths[i], &contact);
        const double complex expected = linear_load(omega, contact, 1), rigid = linear_load(omega, contact, 0);
        if (getenv("KANE_SHOW"))
            print_message("%g m: %g %+gi, linear %g %+gi, rigid %g %+gi N/m\n", wavelengths[i], creal(flexible),
                          cimag(flexible), creal(expected), cimag(expected), creal(rigid), cimag(rigid));
        check_near(cabs(flexible - expected), 0.0, 0.01 * cabs(expected));
        assert_true(cabs(expected - rigid) > 0.05 * cabs(expected));
    }
    double contact;
    const double complex stiff = measured_load(models[ELASTIC], "track.name=rigid", 0.5, &contact);
    const double complex rigid = linear_load(2.0 * 3.14159265358979 * 40.0, contact, 0);
    check_near(cabs(stiff - rigid), 0.0, 0.01 * cabs(rigid));
}

// The wagon bounces on rigid wheels as half of the body, a wheelset and its panel do, s = lambda:
//   ((m_w + m_p) s^2 + k_s + k_p) (m_b s^2 + k_s) - k_s^2 = 0,   k_s = 2.4e6 + 4e4 s,   k_p = k + c s
// Newton's method from a guess [1/s].
static double complex bouncing_root(double complex s)
{
    for (int i = 0; i < 50; i++) {
        const double complex k_s = 2.4e6 + 4e4 * s, body = 17000.0 * s * s + k_s;
        const double complex track = (m_wheelset + inertia[Z_OF]) * s * s + k_s + stiffness[Z_OF] + damping[Z_OF] * s;
        const double complex value = track * body - k_s * k_s;
        const double complex slope = (2.0 * (m_wheelset + inertia[Z_OF]) * s + 4e4 + damping[Z_OF]) * body +
                                     track * (34000.0 * s + 4e4) - 2.0 * 4e4 * k_s;
        s -= value / slope;
    }
    return s;
}

// Bounce of the body on its springs, and the P2 mode of wheels and track against both.
CHECK_TEST(guided_wheels_bounce_with_the_track)
{
    const double complex roots[2] = {bouncing_root(-1.0 + 12.0 * (double complex)I),
                                     bouncing_root(-60.0 + 250.0 * (double complex)I)};
    for (int m = CONSTRAINT; m < MODELS; m++) {
        CHECK_FREED(stand) s = stand_at("wagon-transition", (const char *const[]){models[m], CONES, FLEXIBLE, NULL},
                                        20.0, (double)INFINITY, 0.0);
        CHECK_OWNED(kane_linear) *linear =
            CHECK_GOOD(kane_linear_create, s.model, kane_steady_work(s.steady), 0.0, kane_steady_state(s.steady));
        CHECK_OWNED(kane_modes) *modes = CHECK_GOOD(kane_modes_create, linear, KANE_MODES_COMPLETE);
        for (int k = 0; k < 2; k++) {
            double nearest = (double)INFINITY;
            for (int i = 0; i < kane_modes_count(modes); i++) {
                const kane_mode *mode = kane_modes_get(modes, i);
                nearest               = fmin(nearest, cabs(mode->re + mode->im * (double complex)I - roots[k]));
            }
            check_figure(nearest / cabs(roots[k]), "bounce of %s", models[m]);
            check_near(nearest, 0.0, 1e-5 * cabs(roots[k])); // creep couples it to the spins
        }
    }
}

// --- the way back ---

// Ten times as stiff, a tenth of the difference to rigid track.
static void check_stiff_track(const char *model)
{
    static record rigid, stiff;
    const char *settings[12] = {TIGHT, CONES, "until.distance=102", model};
    double before = 0.0, Q_before = 0.0;
    record_run("wagon-irregular", settings, 1, &rigid);
    for (int power = 2; power <= 3; power++) {
        char flexibility[256];
        const double k = pow(10.0, power), c = sqrt(k);
        (void)snprintf(flexibility, sizeof flexibility,
                       "track.flexibility={\"stiffness\":{\"lateral\":%g,\"vertical\":%g,\"roll\":%g},"
                       "\"damping\":{\"lateral\":%g,\"vertical\":%g,\"roll\":%g}}",
                       20e6 * k, 140e6 * k, 80e6 * k, 80e3 * c, 260e3 * c, 150e3 * c);
        settings[9] = flexibility;
        record_run("wagon-irregular", settings, 1, &stiff);
        const contrast c_now = record_compare(&rigid, &stiff);
        const double now     = contrast_largest(&c_now);
        if (getenv("KANE_SHOW"))
            print_message("%g times as stiff: %g m, %g N\n", k, now, c_now.Q);
        if (power > 2) {
            check_near(log10(before / now), 1.0, 0.05);
            check_near(log10(Q_before / c_now.Q), 1.0, 0.05);
        }
        before   = now;
        Q_before = c_now.Q;
    }
    check_below(before, 2e-6);
}

CHECK_TEST(stiff_track_is_rigid_track)
{
    for (int m = 0; m < MODELS; m++)
        check_stiff_track(models[m]);
}

// Wheels and rails ten and a hundred times as stiff (the approach goes with the modulus to the power -2/3), a tenth of
// the difference to rigid ones: in what wheels, panels and loads do over rough track.
CHECK_TEST(stiff_contact_is_a_constraint)
{
    static const char *const moduli[2] = {"2593 GPa", "82000 GPa"}; // 82 GPa 10^1.5, 10^3
    static record rigid, stiff;
    double before = 0.0, Q_before = 0.0;
    for (int power = 0; power <= 2; power++) {
        char contact[256];
        (void)snprintf(contact, sizeof contact,
                       "vehicle.patterns.wheelset.contact={\"model\":\"%s\",\"creep\":\"given\","
                       "\"coefficients\":[5e6,5e6]%s%s%s}",
                       power ? "elastic" : "constraint", power ? ",\"shear_modulus\":\"" : "",
                       power ? moduli[power - 1] : "", power ? "\"" : "");
        const char *const settings[] = {TIGHT, "integrator.method=bdf", CONES, "until.distance=102", contact, FLEXIBLE,
                                        NULL};
        record_run("wagon-irregular", settings, 1, power ? &stiff : &rigid);
        if (power == 0)
            continue;
        const contrast c = record_compare(&rigid, &stiff);
        const double now = contrast_largest(&c);
        check_figure(now, "coordinates, %s", moduli[power - 1]);
        check_figure(c.Q, "Q, %s", moduli[power - 1]);
        if (power > 1) {
            check_near(log10(before / now), 1.0, 0.05);
            check_near(log10(Q_before / c.Q), 1.0, 0.05);
        }
        before   = now;
        Q_before = c.Q;
    }
}

static void check_mirrored(const char *model)
{
    CHECK_FREED(wagon) a = wagon_with("wagon-transition", TIGHTER, model, FLEXIBLE, "until.distance=200"),
                       b = wagon_with("wagon-transition", TIGHTER, model, FLEXIBLE, "until.distance=200",
                                      "track.sections[1].to.radius=-600");
    double most          = 0.0;
    wagon_start(&a);
    wagon_start(&b);
    for (int i = 1; wagon_go(&a, 0.2 * i) && wagon_go(&b, 0.2 * i); i++) {
        for (int j = LEADING; j <= PANEL + 1; j++) {
            double qa[6], qb[6], rates[6];
            kane_get_relative(a.model, kane_simulation_work(a.simulation), j, qa, rates);
            kane_get_relative(b.model, kane_simulation_work(b.simulation), j, qb, rates);
            check_near(qb[KANE_Y], -qa[KANE_Y], 1e-9);
            check_near(qb[KANE_Z], qa[KANE_Z], 1e-9);
            check_near(qb[KANE_ROLL], -qa[KANE_ROLL], 1e-9);
            most = j >= PANEL ? fmax(most, fabs(qa[KANE_Y])) : most;
        }
    }
    assert_true(most > 1e-4);
}

CHECK_TEST(panels_of_mirrored_curves_mirror_each_other)
{
    for (int m = 0; m < MODELS; m++)
        check_mirrored(models[m]);
}

// The example: a rough line, a curve, and nothing that stops or slows the integrator.
CHECK_TEST(the_wagon_runs_over_rough_flexible_track)
{
    kane_statistics s;
    CHECK_FREED(wagon) w = wagon_open("wagon-flexible", NULL);
    (void)wagon_go(&w, 100.0);
    kane_simulation_statistics(w.simulation, &s);
    assert_int_equal(kane_simulation_stop(w.simulation), KANE_STOP_DISTANCE);
    check_near(kane_simulation_time(w.simulation), 24.0, 1e-9);
    if (getenv("KANE_SHOW"))
        print_message("%ld steps, %ld evaluations, %ld Jacobians, %ld error test failures, %ld Newton failures\n",
                      s.steps, s.evaluations, s.jacobians, s.error_test_failures, s.newton_failures);
    assert_true(s.steps < 30000 && s.newton_failures < 20);
}

CHECK_MAIN(NULL, NULL)
