// SPDX-License-Identifier: MIT
// Joints with play: a slider crank whose pin has clearance against plain equations, a body on its pin, an
// axle box that its horn guide holds by friction, and impacts.

#include "mechanisms.h"

// --- the slider crank of data/mechanisms, variant "worn pin": plain equations of motion, x and z of the drawing ---

#define CRANK 0.15 // length [m]
#define ROD   0.3

enum { ANGLE, ROD_ANGLE, PLACE, FRICTION_WORK, DAMPING_WORK, CRANK_UNKNOWNS = 5 };

typedef struct pin_contact {
    double N, elastic;  // normal force and its elastic part [N]
    double n[2], t[2];  // directions
    double F;           // friction along t [N]
    double rate, slide; // of the compression, along t [m/s]
    double at[2];       // where they touch, from the crank pin [m]
} pin_contact;

// Pin of 10 mm radius at the slider, 0.3 mm clearance, 1e10 N/m^1.5, h = 1.5 s/m, 0.1 friction above 0.1 m/s.
static pin_contact find_contact(const double q[3], const double v[3])
{
    pin_contact c       = {0};
    const double end[2] = {ROD * cos(q[ROD_ANGLE]), ROD * sin(q[ROD_ANGLE])};
    const double e[2]   = {q[PLACE] - CRANK * cos(q[ANGLE]) - end[0], -CRANK * sin(q[ANGLE]) - end[1]};
    const double r = sqrt(e[0] * e[0] + e[1] * e[1]), depth = r - 0.3e-3;
    if (depth <= 0.0)
        return c;
    c.n[0] = e[0] / r, c.n[1] = e[1] / r;
    c.t[0] = -c.n[1], c.t[1] = c.n[0];
    for (int i = 0; i < 2; i++)
        c.at[i] = end[i] + e[i] + 0.01 * c.n[i];
    const double pin[2]     = {-CRANK * sin(q[ANGLE]) * v[ANGLE], CRANK * cos(q[ANGLE]) * v[ANGLE]};
    const double centre[2]  = {v[PLACE] - pin[0] + end[1] * v[ROD_ANGLE], -pin[1] - end[0] * v[ROD_ANGLE]};
    const double surface[2] = {v[PLACE] - pin[0] + c.at[1] * v[ROD_ANGLE], -pin[1] - c.at[0] * v[ROD_ANGLE]};
    c.rate                  = c.n[0] * centre[0] + c.n[1] * centre[1];
    c.slide                 = c.t[0] * surface[0] + c.t[1] * surface[1];
    c.elastic               = 1e10 * pow(depth, 1.5);
    c.N                     = c.elastic * (c.rate >= 0.0 ? 1.0 + 1.5 * c.rate : 1.0 / (1.0 - 1.5 * c.rate));
    c.F                     = -0.1 * c.N * c.slide / sqrt(c.slide * c.slide + 0.01);
    return c;
}

static void crank_rates(const double *y, double *out)
{
    const double *v = y + CRANK_UNKNOWNS, s = sin(y[ANGLE]), k = cos(y[ANGLE]);
    const pin_contact c = find_contact(y, v);
    double on[2], b[2]; // force on the slider; on the rod it is the opposite
    for (int i = 0; i < 2; i++)
        on[i] = -c.N * c.n[i] + c.F * c.t[i];
    const double m = 0.151104, coupling = m * CRANK * 0.15;
    const double M11 = 0.002727 + 0.36 * 0.075 * 0.075 + m * CRANK * CRANK, M22 = 0.0045339259 + m * 0.15 * 0.15;
    const double M12 = coupling * cos(y[ANGLE] - y[ROD_ANGLE]), turn = coupling * sin(y[ANGLE] - y[ROD_ANGLE]);
    b[0]             = -turn * v[ROD_ANGLE] * v[ROD_ANGLE] + CRANK * (s * on[0] - k * on[1]);
    b[1]             = turn * v[ANGLE] * v[ANGLE] + c.at[1] * on[0] - c.at[0] * on[1];
    const double det = M11 * M22 - M12 * M12;
    for (int i = 0; i < 3; i++)
        out[i] = v[i];
    out[FRICTION_WORK]                  = -c.F * c.slide;
    out[DAMPING_WORK]                   = (c.N - c.elastic) * c.rate;
    out[CRANK_UNKNOWNS + ANGLE]         = (M22 * b[0] - M12 * b[1]) / det;
    out[CRANK_UNKNOWNS + ROD_ANGLE]     = (M11 * b[1] - M12 * b[0]) / det;
    out[CRANK_UNKNOWNS + PLACE]         = on[0] / 0.075552;
    out[CRANK_UNKNOWNS + FRICTION_WORK] = out[CRANK_UNKNOWNS + DAMPING_WORK] = 0.0;
}

// The classical Runge-Kutta method.
static void crank_step(double *y, double h)
{
    static const double at[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[2 * CRANK_UNKNOWNS] = {0}, z[2 * CRANK_UNKNOWNS], sum[2 * CRANK_UNKNOWNS] = {0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 2 * CRANK_UNKNOWNS; i++)
            z[i] = y[i] + h * at[s] * k[i];
        crank_rates(z, k);
        for (int i = 0; i < 2 * CRANK_UNKNOWNS; i++)
            sum[i] += h * weight[s] * k[i];
    }
    for (int i = 0; i < 2 * CRANK_UNKNOWNS; i++)
        y[i] += sum[i];
}

CHECK_TEST(a_worn_pin_moves_as_plain_equations_say)
{
    static const char *const settings[] = {"variant=worn pin", "integrator.rtol=1e-10", NULL};
    CHECK_OWNED(kane_run) *run          = run_read("mechanism-slider-crank", settings);
    const kane_run_definition *d        = kane_run_get_definition(run);
    CHECK_OWNED(kane_model) *model      = run_model(d);
    CHECK_OWNED(kane_simulation) *s     = run_simulation(model, d);
    double y[2 * CRANK_UNKNOWNS] = {0}, place[3], first = 0.0;
    int touched = 0, contacts = 0;
    kane_energy energy;
    y[PLACE]                  = CRANK + ROD;
    y[CRANK_UNKNOWNS + ANGLE] = 150.0;
    assert_true(run_go(s, 0.0));
    y[CRANK_UNKNOWNS + ROD_ANGLE] = -75.0; // as without play
    kane_get_energy(model, kane_simulation_work(s), &energy);
    first = energy.kinetic;
    for (int row = 1; row <= 40; row++) {
        for (int i = 0; i < 2000; i++) {
            crank_step(y, 0.5e-6);
            const int touches = find_contact(y, y + CRANK_UNKNOWNS).N > 0.0;
            contacts += touches && !touched;
            touched = touches;
        }
        assert_true(run_go(s, 1e-3 * row));
        const kane_work *work = kane_simulation_work(s);
        for (int i = 0; i < 3; i++)
            (void)kane_get_joint(model, work, i, &place[i], NULL, NULL);
        check_near(place[0], y[ANGLE], 1e-6);
        check_near(place[0] + place[1], y[ROD_ANGLE], 1e-6);
        check_near(place[2], y[PLACE] - CRANK - ROD, 1e-6);
        kane_get_energy(model, work, &energy);
        check_near(first - energy.kinetic - energy.elements, y[FRICTION_WORK] + y[DAMPING_WORK], 1e-5);
    }
    assert_true(contacts > 2 && y[FRICTION_WORK] > 0.1 && y[DAMPING_WORK] > 0.1);
}

// --- rest, sticking, impacts ---

// A body of 20 kg whose bush is on a pin with 1 mm clearance: it rests m g = K c^1.5 below the clearance.
CHECK_TEST(a_body_rests_on_its_worn_pin)
{
    static const double clearance[]            = {1e-3};
    const kane_bump_stop pin                   = {.direction   = 4,
                                                  .clearance   = {clearance, 1},
                                                  .hertz       = 1e9,
                                                  .dissipation = 20.0,
                                                  .coefficient = 0.2,
                                                  .friction    = {.model = KANE_FRICTION_SMOOTH, .slip_speed = 1e-3}};
    const kane_settings settings               = mechanism_settings(1e-9);
    CHECK_END(mechanism_close_all) mechanism m = {0};
    double q[KANE_COORDINATES], rates[KANE_COORDINATES];
    mechanism_begin(&m, 9.81);
    (void)mechanism_add(&m, "body", 20.0, kv3(1, 1, 1), kv3_zero());
    (void)mechanism_element(&m, "pin", &kane_law_bump_stop, &pin, NULL, kv3_zero(), "body", kv3_zero());
    m.bodies[0].dof    = 5u; // x and z
    m.starts[0].q[0]   = 2e-4;
    m.starts[0].held_q = 1u;
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    mechanism_run(&m, &settings);
    (void)mechanism_go(&m, 0.05);
    mechanism_check_jacobian(&m, 1e-5);
    kane_get_relative(m.model, mechanism_go(&m, 60.0), 0, q, rates);
    check_near(hypot(q[KANE_X], q[KANE_Z]), 1e-3 + pow(20.0 * 9.81 / 1e9, 2.0 / 3.0), 1e-8);
    check_near(q[KANE_X], 0.0, 2e-5); // friction does not hold: it creeps to the lowest point
}

// An axle box leans on its horn guide by its weight, N = m g cos a behind 3 mm play, and slides along it where tan a is
// more than the coefficient, with g (sin a - mu cos a). At 88 % of the limit it holds for an hour: up to 90 % the layer
// is elastic.
CHECK_TEST(an_axle_box_breaks_away_at_its_limit)
{
    static const double play[] = {3e-3};
    for (int slides = 0; slides < 2; slides++) {
        const double mu = 0.3, angle = atan(mu * (slides ? 1.01 : 0.88)), s = sin(angle), k = cos(angle);
        const kane_bump_stop guide = {
            .direction   = 2,
            .clearance   = {play, 1},
            .stiffness   = 1e7,
            .onset       = 1e-4,
            .dissipation = 2.0,
            .coefficient = mu,
            .friction    = {.stick_displacement = 0.2e-3, .stick_damping = 2e4, .nominal_load = 1000.0 * 9.81}};
        const kane_settings settings               = mechanism_settings(1e-9);
        const kane_mat3 axes                       = km3_turn_y(km3_identity(), s, k); // x goes down
        CHECK_END(mechanism_close_all) mechanism m = {0};
        double q[KANE_COORDINATES], rates[KANE_COORDINATES];
        mechanism_begin(&m, 9.81);
        (void)mechanism_add(&m, "axle box", 1000.0, kv3(50, 50, 50), kv3_zero());
        mechanism_element(&m, "guide", &kane_law_bump_stop, &guide, NULL, kv3_zero(), "axle box", kv3_zero())->axes =
            axes;
        m.bodies[0].dof    = 5u;        // x and z
        m.starts[0].q[2]   = -3e-3 / k; // where they touch
        m.starts[0].held_q = 4u;
        mechanism_open(&m, KANE_FORM_COEFFICIENTS);
        mechanism_run(&m, &settings);
        kane_get_relative(m.model, mechanism_go(&m, 10.0), 0, q, rates);
        mechanism_check_jacobian(&m, 2e-5);
        const double along = kv3_dot(axes.x, kv3(rates[KANE_X], 0.0, rates[KANE_Z]));
        const double depth = -kv3_dot(axes.z, kv3(q[KANE_X], 0.0, q[KANE_Z])) - 3e-3;
        check_relative(depth, 1000.0 * 9.81 * k / 1e7 + 0.5e-4, 1e-5);
        if (!slides) {
            const double place = kv3_dot(axes.x, kv3(q[KANE_X], 0.0, q[KANE_Z]));
            kane_get_relative(m.model, mechanism_go(&m, 3600.0), 0, q, rates);
            check_near(kv3_dot(axes.x, kv3(q[KANE_X], 0.0, q[KANE_Z])), place, 1e-8);
        } else {
            kane_get_relative(m.model, mechanism_go(&m, 11.0), 0, q, rates);
            const double later = kv3_dot(axes.x, kv3(rates[KANE_X], 0.0, rates[KANE_Z]));
            check_relative(later - along, 9.81 * (s - mu * k), 1e-4);
        }
    }
}

// What a contact with damping h returns, whatever its elastic force: on the way in m v v' = -N (1 + h v), out m w w' =
// N/(1 + h w), so that the elastic energy, in m, is v/h - ln(1 + h v)/h^2 = w^2/2 + h w^3/3. For slow impacts w/v is
// 1 - 2/3 h v, as published (K. Hunt, F. Crossley: Coefficient of restitution interpreted as damping in vibroimpact.
// Journal of Applied Mechanics 42 (1975) 440-445).
static double rebound_speed(double v, double h)
{
    const double energy = v / h - log1p(h * v) / (h * h);
    double w            = v;
    for (int i = 0; i < 20; i++)
        w -= (0.5 * w * w + h * w * w * w / 3.0 - energy) / (w + h * w * w);
    return w;
}

CHECK_TEST(impacts_lose_what_hunt_and_crossley_say)
{
    static const double clearance[] = {5e-3};
    for (int k = 0; k < 2; k++) {
        const double v            = k == 0 ? 0.05 : 0.1;
        const kane_bump_stop pin  = {.direction = 5, .clearance = {clearance, 1}, .hertz = 1e9, .dissipation = 0.3};
        const kane_settings tight = mechanism_settings(1e-10);
        CHECK_END(mechanism_close_all) mechanism m = {0};
        double q[KANE_COORDINATES], rates[KANE_COORDINATES];
        mechanism_begin(&m, 0.0);
        (void)mechanism_add(&m, "ball", 2.0, kv3(1, 1, 1), kv3_zero());
        (void)mechanism_element(&m, "pin", &kane_law_bump_stop, &pin, NULL, kv3_zero(), "ball", kv3_zero());
        m.bodies[0].dof       = 6u; // y and z
        m.starts[0].rate[1]   = 0.6 * v;
        m.starts[0].rate[2]   = 0.8 * v;
        m.starts[0].held_rate = 6u;
        mechanism_open(&m, KANE_FORM_COEFFICIENTS);
        mechanism_run(&m, &tight);
        kane_get_relative(m.model, mechanism_go(&m, 8e-3 / v), 0, q, rates);
        check_near(rates[KANE_Y] / rates[KANE_Z], 0.75, 1e-7);
        check_relative(hypot(rates[KANE_Y], rates[KANE_Z]), rebound_speed(v, 0.3), 1e-6);
        if (k == 0)
            check_relative(1.0 - rebound_speed(v, 0.3) / v, 2.0 / 3.0 * 0.3 * v, 0.02);
    }
}

CHECK_MAIN(NULL, NULL)
