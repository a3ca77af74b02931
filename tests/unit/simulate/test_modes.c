// SPDX-License-Identifier: MIT
// Modes of systems whose eigenvalues are known in closed form.

#include "modal.h"

static const double pi = 3.14159265358979323846;

enum { CHAIN = 6 };

static const double MASS = 2.0, STIFFNESS = 800.0, DAMPING = 3.0, GRAVITY = 9.81;

// Bodies one over the other that only rise and fall, between bushings to the ground at both ends.
static void begin_chain(mechanism *m, kane_bushing *bushing, double damping)
{
    static char names[CHAIN][16], elements[CHAIN + 1][16];
    mechanism_begin(m, 0.0);
    *bushing = (kane_bushing){.stiffness = {0.0, 0.0, STIFFNESS}, .damping = {0.0, 0.0, damping}};
    for (int i = 0; i < CHAIN; i++) {
        (void)snprintf(names[i], sizeof names[i], "body %d", i + 1);
        const int body      = mechanism_add(m, names[i], MASS, kv3(1.0, 1.0, 1.0), kv3(0.0, 0.0, i));
        m->bodies[body].dof = KANE_DOF(KANE_Z);
    }
    for (int i = 0; i <= CHAIN; i++) {
        (void)snprintf(elements[i], sizeof elements[i], "spring %d", i);
        const kane_vec3 at = kv3(0.0, 0.0, i);
        const char *a = i == CHAIN ? NULL : names[i], *b = i == 0 ? NULL : names[i - 1];
        (void)mechanism_element(m, elements[i], &kane_law_bushing, bushing, a ? a : b, at, a ? b : NULL, at);
    }
}

// omega_r = 2 sqrt(k/m) sin(r pi/(2 (n + 1))), damping ratio c omega_r/(2 k), shape sin(i r pi/(n + 1)).
CHECK_TEST(a_chain_has_its_closed_form)
{
    double re[CHAIN], im[CHAIN];
    mechanism m;
    kane_bushing bushing;
    for (int undamped = 0; undamped < 2; undamped++) {
        begin_chain(&m, &bushing, DAMPING);
        mechanism_open(&m, KANE_FORM_COEFFICIENTS);
        modal found = modal_find(&m, undamped ? KANE_MODES_UNDAMPED : KANE_MODES_COMPLETE);
        for (int r = 0; r < CHAIN; r++) {
            const double omega = 2.0 * sqrt(STIFFNESS / MASS) * sin((r + 1) * pi / (2.0 * (CHAIN + 1)));
            const double zeta  = undamped ? 0.0 : DAMPING * omega / (2.0 * STIFFNESS);
            re[r]              = -zeta * omega;
            im[r]              = omega * sqrt(1.0 - zeta * zeta);
        }
        modal_check(found.modes, CHAIN, re, im, 1e-12);
        assert_int_equal(kane_modes_count(found.modes), CHAIN);
        for (int r = 0; r < CHAIN; r++) {
            const kane_mode *mode = kane_modes_get(found.modes, r);
            double largest = 0.0, sum = 0.0;
            check_relative(mode->frequency, im[r] / (2.0 * pi), 1e-12);
            check_relative(mode->natural, hypot(re[r], im[r]) / (2.0 * pi), 1e-12);
            check_near(mode->damping, -re[r] / hypot(re[r], im[r]), 1e-12);
            for (int i = 0; i < CHAIN; i++) {
                largest = fmax(largest, fabs(sin((i + 1) * (r + 1) * pi / (CHAIN + 1))));
                sum += pow(sin((i + 1) * (r + 1) * pi / (CHAIN + 1)), 2.0);
            }
            double sign = 0.0;
            for (int i = 0; i < CHAIN; i++) {
                double a[KANE_COORDINATES], b[KANE_COORDINATES];
                const double expected = sin((i + 1) * (r + 1) * pi / (CHAIN + 1));
                kane_modes_shape(found.modes, r, i, a, b);
                if (sign == 0.0)
                    sign = a[KANE_Z] * expected > 0.0 ? 1.0 : -1.0;
                check_near(a[KANE_Z], sign * expected / largest, 1e-8);
                check_near(b[KANE_Z], 0.0, 1e-8);
                check_near(kane_modes_share(found.modes, r, i, KANE_Z), expected * expected / sum, 1e-8);
                check_near(a[KANE_X], 0.0, 1e-12);
            }
        }
        modal_free(&found);
        mechanism_close_all(&m);
    }
}

// --- pendulums ---

static void check_pendulum(mechanism *m, kane_constraint_form form, int count, const double *omega, double tolerance)
{
    const double zero[8] = {0.0};
    mechanism_open(m, form);
    for (int kind = KANE_MODES_COMPLETE; kind <= KANE_MODES_UNDAMPED; kind++) {
        CHECK_FREED(modal) found = modal_find(m, (kane_modes_kind)kind);
        modal_check(found.modes, count, zero, omega, tolerance);
        assert_int_equal(kane_modes_count(found.modes), count); // nothing else, no zeros that mean nothing
        assert_int_equal(kane_linear_count(found.linear), 2 * count);
    }
    mechanism_close_all(m);
}

// A bar of length L hanging from a hinge: omega^2 = m g (L/2)/(J + m L^2/4).
CHECK_TEST(a_pendulum_swings)
{
    mechanism m;
    const double omega[] = {sqrt(1.5 * GRAVITY * 0.5 / (0.2 + 1.5 * 0.25))};
    mechanism_begin(&m, GRAVITY);
    (void)mechanism_bar(&m, "bar", NULL, 1.5, 0.2, kv3_zero(), planar(0.0, -1.0));
    check_pendulum(&m, KANE_FORM_COEFFICIENTS, 1, omega, 1e-12);
}

// The same as a body with two freedoms and a turn that a pin holds.
CHECK_TEST(a_pendulum_on_a_pin_swings)
{
    const double omega[] = {sqrt(1.5 * GRAVITY * 0.5 / (0.2 + 1.5 * 0.25))};
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
        mechanism m;
        mechanism_begin(&m, GRAVITY);
        const int body = mechanism_add(&m, "bar", 1.5, kv3(0.2, 0.2, 0.2), planar(0.0, -0.5));
        mechanism_hang(&m, body, KANE_JOINT_FREE, NULL, planar(0.0, -0.5), km3_identity())->dof = KANE_ALL_DOF;
        (void)mechanism_close_at(&m, "pin", KANE_CONSTRAINT_REVOLUTE, NULL, kv3_zero(), "bar", kv3_zero(),
                                 planar_axes());
        check_pendulum(&m, (kane_constraint_form)form, 1, omega, form == KANE_FORM_MULTIPLIERS ? 1e-9 : 1e-12);
    }
}

// A body on a ball joint swings about both horizontal axes (about a point above it: an upper sway), and turns about the
// vertical one without anything to hold it.
CHECK_TEST(a_pendulum_on_a_ball_swings_both_ways)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, GRAVITY);
    const int body = mechanism_add(&m, "bob", 2.0, kv3(0.3, 0.35, 0.1), kv3(0.0, 0.0, -1.0));
    (void)mechanism_hang(&m, body, KANE_JOINT_SPHERICAL, NULL, kv3_zero(), km3_identity());
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    CHECK_END(modal_free) modal found = modal_find(&m, KANE_MODES_COMPLETE);
    const double zero[2] = {0.0}, omega[2] = {sqrt(2.0 * GRAVITY / 2.35), sqrt(2.0 * GRAVITY / 2.3)};
    modal_check(found.modes, 2, zero, omega, 1e-9);
    assert_string_equal(kane_modes_get(found.modes, kane_modes_count(found.modes) - 1)->name, "bob upper sway");
}

// Two bars of length L, mass m, moment J each about the middle, end to end, angles against the vertical:
//   M = [J + m L^2/4 + m L^2, m L^2/2; m L^2/2, J + m L^2/4],  K = m g L diag(3/2, 1/2)
static void double_frequencies(double mass, double J, double L, double omega[2])
{
    const double a = J + 1.25 * mass * L * L, b = 0.5 * mass * L * L, c = J + 0.25 * mass * L * L;
    const double k1 = 1.5 * mass * GRAVITY * L, k2 = 0.5 * mass * GRAVITY * L;
    // det(K - x M) = (a c - b^2) x^2 - (k1 c + k2 a) x + k1 k2
    const double A = a * c - b * b, B = k1 * c + k2 * a, root = sqrt(B * B - 4.0 * A * k1 * k2);
    omega[0] = sqrt((B - root) / (2.0 * A));
    omega[1] = sqrt((B + root) / (2.0 * A));
}

CHECK_TEST(a_double_pendulum_swings)
{
    double omega[2];
    mechanism m;
    double_frequencies(1.2, 0.07, 0.8, omega);
    mechanism_begin(&m, GRAVITY);
    (void)mechanism_bar(&m, "upper", NULL, 1.2, 0.07, kv3_zero(), planar(0.0, -0.8));
    (void)mechanism_bar(&m, "lower", "upper", 1.2, 0.07, planar(0.0, -0.8), planar(0.0, -1.6));
    check_pendulum(&m, KANE_FORM_COEFFICIENTS, 2, omega, 1e-12);

    // the lower bar is free, a pin holds it to the upper one
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
        mechanism_begin(&m, GRAVITY);
        (void)mechanism_bar(&m, "upper", NULL, 1.2, 0.07, kv3_zero(), planar(0.0, -0.8));
        const int lower = mechanism_add(&m, "lower", 1.2, kv3(0.07, 0.07, 0.07), planar(0.0, -1.2));
        mechanism_hang(&m, lower, KANE_JOINT_FREE, NULL, planar(0.0, -1.2), km3_identity())->dof = KANE_ALL_DOF;
        (void)mechanism_close_at(&m, "pin", KANE_CONSTRAINT_REVOLUTE, "upper", planar(0.0, -0.8), "lower",
                                 planar(0.0, -0.8), planar_axes());
        check_pendulum(&m, (kane_constraint_form)form, 2, omega, form == KANE_FORM_MULTIPLIERS ? 1e-8 : 1e-11);
    }
}

// --- states of force laws ---

// A spring and a damper in series: force k (d - s), the damper gives way by s.
static const double SERIES_STIFFNESS = 500.0, SERIES_DAMPING = 40.0;

static int series_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    (void)law;
    info[0] = (kane_law_state){"damper", "m", "what the damper has given way", 1.0, 0};
    return 1;
}

static int series_eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    (void)law;
    on_b->force = kv3(0.0, 0.0, -SERIES_STIFFNESS * (r->d.z - r->state[0]));
    return 0;
}

static int series_rates(const void *law, const kane_relative *r, double *rates)
{
    (void)law;
    rates[0] = SERIES_STIFFNESS / SERIES_DAMPING * (r->d.z - r->state[0]);
    return 0;
}

static void series_derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    (void)law;
    (void)r;
    out->force_d.z.z            = -SERIES_STIFFNESS;
    out->state[0].force         = kv3(0.0, 0.0, SERIES_STIFFNESS);
    out->state[0].rate_d        = kv3(0.0, 0.0, SERIES_STIFFNESS / SERIES_DAMPING);
    out->state[0].rate_state[0] = -SERIES_STIFFNESS / SERIES_DAMPING;
}

static const kane_law series_law = {.name   = "series",
                                    .help   = "A law of this test.",
                                    .states = series_states,
                                    .eval   = series_eval,
                                    .rates  = series_rates,
                                    .derive = series_derive};

// m z'' = -K z - k (z - s), s' = (k/c)(z - s): the three eigenvalues are roots of
//   x^3 + (k/c) x^2 + ((K + k)/m) x + (k/c) K/m = 0. Without velocities the damper has given way: omega^2 = K/m.
CHECK_TEST(a_damper_behind_a_spring_makes_a_third_root)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    const kane_bushing bushing                 = {.stiffness = {0.0, 0.0, STIFFNESS}};
    mechanism_begin(&m, 0.0);
    (void)mechanism_add(&m, "mass", MASS, kv3(1.0, 1.0, 1.0), kv3_zero());
    m.bodies[0].dof = KANE_DOF(KANE_Z);
    (void)mechanism_element(&m, "spring", &kane_law_bushing, &bushing, "mass", kv3_zero(), NULL, kv3_zero());
    (void)mechanism_element(&m, "series", &series_law, NULL, "mass", kv3_zero(), NULL, kv3_zero());
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    modal found = modal_find(&m, KANE_MODES_COMPLETE);
    assert_int_equal(kane_modes_count(found.modes), 2);
    const double rate = SERIES_STIFFNESS / SERIES_DAMPING;
    for (int i = 0; i < 2; i++) {
        const kane_mode *mode = kane_modes_get(found.modes, i);
        const double x = mode->re, y = mode->im; // (x + i y)^3 and so on
        const double real = x * x * x - 3.0 * x * y * y + rate * (x * x - y * y) +
                            (STIFFNESS + SERIES_STIFFNESS) / MASS * x + rate * STIFFNESS / MASS;
        const double imaginary =
            3.0 * x * x * y - y * y * y + 2.0 * rate * x * y + (STIFFNESS + SERIES_STIFFNESS) / MASS * y;
        const double size = pow(hypot(x, y), 3.0);
        assert_int_equal(mode->kind, i == 0 ? KANE_MODE_CREEPS : KANE_MODE_OSCILLATES);
        check_near(real, 0.0, 1e-12 * size);
        check_near(imaginary, 0.0, 1e-12 * size);
        assert_true(x < 0.0);
    }
    modal_free(&found);
    found                = modal_find(&m, KANE_MODES_UNDAMPED);
    const double zero[1] = {0.0}, omega[1] = {sqrt(STIFFNESS / MASS)};
    modal_check(found.modes, 1, zero, omega, 1e-12);
    modal_free(&found);
}

// --- spin ---

// A rotor on springs that hold its axle. Undamped: it is as if it stood, omega^2 = k/J about either axis, although the
// speeds of a yawed axle have a part of the spin. Complete: x^2 - (a + b + g^2) x + a b = 0 with x = omega^2, a =
// k_x/J, b = k_z/J, g = J_y spin/J.
CHECK_TEST(a_rotor_nutates_and_precesses)
{
    const double J = 2.0, J_y = 3.0, spin = 40.0, k_x = 500.0, k_z = 900.0;
    const double a = k_x / J, b = k_z / J, g = J_y * spin / J, p = 0.5 * (a + b + g * g), root = sqrt(p * p - a * b);
    const double zero[2] = {0.0}, undamped[2] = {sqrt(a), sqrt(b)}, complete[2] = {sqrt(p - root), sqrt(p + root)};
    const kane_bushing bushing                 = {.rotational_stiffness = {k_x, 0.0, k_z}};
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, 0.0);
    (void)mechanism_add(&m, "rotor", MASS, kv3(J, J_y, J), kv3_zero());
    m.bodies[0].kind             = KANE_BODY_SPINNING;
    m.bodies[0].dof              = KANE_DOF(KANE_YAW) | KANE_DOF(KANE_ROLL) | KANE_DOF(KANE_PITCH);
    m.starts[0].rate[KANE_PITCH] = spin;
    (void)mechanism_element(&m, "axle", &kane_law_bushing, &bushing, NULL, kv3_zero(), "rotor", kv3_zero());
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    modal found = modal_find(&m, KANE_MODES_UNDAMPED);
    modal_check(found.modes, 2, zero, undamped, 1e-9);
    modal_free(&found);
    found = modal_find(&m, KANE_MODES_COMPLETE);
    modal_check(found.modes, 2, zero, complete, 1e-9);
    modal_free(&found);
}

// --- what is left out, what is indifferent ---

// Two bodies with a spring between them: they oscillate against each other and drift together.
CHECK_TEST(what_nothing_holds_is_indifferent)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    const kane_bushing bushing                 = {.stiffness = {0.0, 0.0, STIFFNESS}};
    mechanism_begin(&m, 0.0);
    (void)mechanism_add(&m, "low", MASS, kv3(1.0, 1.0, 1.0), kv3_zero());
    (void)mechanism_add(&m, "high", 3.0 * MASS, kv3(1.0, 1.0, 1.0), kv3_zero());
    m.bodies[0].dof = m.bodies[1].dof = KANE_DOF(KANE_Z);
    (void)mechanism_element(&m, "spring", &kane_law_bushing, &bushing, "low", kv3_zero(), "high", kv3_zero());
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    CHECK_END(modal_free) modal found = modal_find(&m, KANE_MODES_COMPLETE);
    const double zero[1] = {0.0}, omega[1] = {sqrt(STIFFNESS / MASS * 4.0 / 3.0)};
    modal_check(found.modes, 1, zero, omega, 1e-12);
    const int last = kane_modes_count(found.modes) - 1;
    double low[KANE_COORDINATES], high[KANE_COORDINATES], im[KANE_COORDINATES];
    kane_modes_shape(found.modes, last, 0, low, im);
    kane_modes_shape(found.modes, last, 1, high, im);
    check_near(low[KANE_Z], -3.0 * high[KANE_Z], 1e-9);
    assert_string_equal(kane_modes_get(found.modes, last)->name, "low vertical");
    for (int i = 0; i < last; i++)
        assert_int_equal(kane_modes_get(found.modes, i)->kind, KANE_MODE_INDIFFERENT);
}

// Locked coordinates are named as such; a body that nothing holds is left out altogether.
CHECK_TEST(what_moves_nothing_is_listed)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    kane_bushing bushing;
    begin_chain(&m, &bushing, 0.0);
    const int body     = mechanism_add(&m, "nobody's", 1.0, kv3(1.0, 1.0, 1.0), kv3_zero());
    m.bodies[body].dof = KANE_DOF(KANE_X);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    CHECK_END(modal_free) modal found = modal_find(&m, KANE_MODES_COMPLETE);
    int locked = 0, unfelt = 0;
    for (int i = 0; i < kane_linear_left_out_count(found.linear); i++) {
        kane_left_out why;
        char name[64];
        kane_state_name(m.model, kane_linear_left_out(found.linear, i, &why), sizeof name, name);
        locked += why == KANE_LEFT_LOCKED;
        unfelt += why == KANE_LEFT_UNFELT;
        if (why == KANE_LEFT_UNFELT)
            assert_true(strcmp(name, "nobody's.x") == 0 || strcmp(name, "nobody's.v.x") == 0);
    }
    assert_int_equal(locked, 5 * (CHAIN + 1));
    assert_int_equal(unfelt, 2);
    assert_int_equal(kane_linear_count(found.linear), 2 * CHAIN);
    for (int i = 0; i < 2 * CHAIN; i++)
        assert_true(kane_linear_state(found.linear, i) >= 0);
}

CHECK_MAIN(NULL, NULL)
