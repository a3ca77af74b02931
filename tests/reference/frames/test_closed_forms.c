// SPDX-License-Identifier: MIT
// Bodies in frames that move, against closed forms of their motion in A: a puck on a turning disc, Foucault's pendulum
// on a turntable and on a sphere, an eccentric rotor, a pendulum in a car that speeds up, a gyroscope that is turned.

#include "mechanisms.h"

#include "property/frames/composed.h"

static const double tight = 1e-12;

static kane_vec3 place_of(const mechanism *m, const kane_work *work, int body)
{
    double q[KANE_COORDINATES], rates[KANE_COORDINATES];
    kane_get_relative(m->model, work, body, q, rates);
    return kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]);
}

// A frame that turns about an axis of the drawing through its origin.
static void turn(mechanism *m, const char *name, kane_mat3 axes, const double *rate)
{
    const int f = mechanism_frame(m, name, NULL, KANE_JOINT_REVOLUTE, kv3_zero(), axes);
    mechanism_frame_move(m, f, 0, mechanism_polynomial(1, rate), 1);
}

static void run(mechanism *m, kane_formulation formulation, int imaginary_as_forces)
{
    const kane_settings settings   = mechanism_settings(tight);
    m->options.formulation         = formulation;
    m->options.imaginary_as_forces = imaginary_as_forces;
    mechanism_open(m, KANE_FORM_COEFFICIENTS);
    mechanism_run(m, &settings);
}

// --- straight lines ---

// Nothing acts on the puck: in A it goes straight on, seen from the disc it winds.
CHECK_TEST(a_puck_on_a_turning_disc_goes_straight_on)
{
    static const double rate = 0.8;
    static mechanism m;
    for (int way = 0; way < 3; way++) {
        mechanism_begin(&m, 0.0);
        turn(&m, "disc", axes_about(2), &rate);
        const int puck           = mechanism_add(&m, "puck", 2.0, kv3(0.1, 0.2, 0.3), kv3(0.5, -0.2, 0.1));
        m.bodies[puck].frame     = "disc";
        const double velocity[3] = {0.3, -0.25, 0.1};
        memcpy(m.starts[puck].rate, velocity, sizeof velocity);
        run(&m, way == 2 ? KANE_FIXED : KANE_MOVING, way == 1);
        const kane_vec3 at = m.bodies[puck].position;
        const kane_vec3 v  = kv3(velocity[0] - rate * at.y, velocity[1] + rate * at.x, velocity[2]); // in A
        for (int i = 1; i <= 8; i++) {
            const double t           = 0.7 * i;
            const kane_vec3 straight = kv3_add_scaled(at, t, v);
            check_vec3(place_of(&m, mechanism_go(&m, t), puck), km3_tmulv(composed_turn(2, rate * t), straight), 1e-9);
        }
        mechanism_close_all(&m);
    }
}

// --- Foucault's pendulum ---

// theta'' = -n^2 sin(theta) by Runge and Kutta's method, from rest.
static double plane_pendulum(double n2, double theta, double t)
{
    const int steps = 20000;
    const double h  = t / steps;
    double rate     = 0.0;
    for (int i = 0; i < steps; i++) {
        const double a1 = -n2 * sin(theta), v2 = rate + 0.5 * h * a1, a2 = -n2 * sin(theta + 0.5 * h * rate);
        const double v3 = rate + 0.5 * h * a2, a3 = -n2 * sin(theta + 0.5 * h * v2);
        const double v4 = rate + h * a3, a4 = -n2 * sin(theta + h * v3);
        theta += h / 6.0 * (rate + 2.0 * v2 + 2.0 * v3 + v4);
        rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return theta;
}

// Let go at rest in A from 60 degrees, it swings in a plane of A. Seen from the platform that plane turns by -Omega t,
// a whole turn in 2 pi/Omega.
CHECK_TEST(a_pendulum_on_a_turntable_swings_in_a_plane_of_A)
{
    static const double rate = 0.4, length = 1.7, mass = 3.0, J = 0.2;
    const double theta                         = acos(-1.0) / 3.0;
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, 9.81);
    turn(&m, "platform", axes_about(2), &rate);
    const int bob = mechanism_add(&m, "bob", mass, kv3(J, J, J), kv3(length * sin(theta), 0.0, -length * cos(theta)));
    (void)mechanism_hang(&m, bob, KANE_JOINT_SPHERICAL, "platform", kv3_zero(), km3_identity());
    m.starts[bob].rate[2] = -rate; // against the platform
    run(&m, KANE_MOVING, 0);
    for (int i = 1; i <= 6; i++) {
        const double t       = i * 2.0 * acos(-1.0) / rate / 6.0,
                     a       = plane_pendulum(mass * 9.81 * length / (mass * length * length + J), theta, t);
        const kane_vec3 in_A = kv3(length * sin(a), 0.0, -length * cos(a));
        check_vec3(place_of(&m, mechanism_go(&m, t), bob), km3_tmulv(composed_turn(2, rate * t), in_A), 1e-7);
    }
}

// A mass that springs hold in the horizontal plane of a place on a sphere which turns with w = (a, 0, c):
//   x'' = -A x + 2 c y',   y'' = -B y - 2 c x',   A = n^2 - c^2,   B = n^2 - a^2 - c^2
// let go at rest from (1, 0): x = sum X cos(v t), y = sum Y sin(v t),  v^4 - v^2 (A + B + 4 c^2) + A B = 0, and Y from
// the first equation.
static void horizontal(double n, double a, double c, double t, double at[2])
{
    const double A = n * n - c * c, B = n * n - a * a - c * c, half = 0.5 * (A + B + 4.0 * c * c);
    const double root = sqrt(half * half - A * B), v2[2] = {half + root, A * B / (half + root)};
    at[0] = at[1] = 0.0;
    for (int i = 0; i < 2; i++) {
        const double v = sqrt(v2[i]), X = (A - v2[1 - i]) / (v2[i] - v2[1 - i]);
        at[0] += X * cos(v * t);
        at[1] += X * (v2[i] - A) / (2.0 * c * v) * -sin(v * t);
    }
}

static void hold_on_sphere(mechanism *m, const kane_bushing *springs, double latitude, const double *rate)
{
    mechanism_begin(m, 0.0);
    const kane_vec3 north = kv3(cos(latitude), 0.0, sin(latitude)), east = kv3(0.0, 1.0, 0.0);
    turn(m, "place", (kane_mat3){kv3_cross(east, north), east, north}, rate);
    const int mass        = mechanism_add(m, "mass", 2.0, kv3(0.1, 0.1, 0.1), kv3_zero());
    m->bodies[mass].frame = "place";
    mechanism_hang(m, mass, KANE_JOINT_FREE, NULL, kv3_zero(), km3_identity())->dof =
        KANE_DOF(KANE_X) | KANE_DOF(KANE_Y);
    m->starts[mass].q[0] = 1.0;
    (void)mechanism_element(m, "springs", &kane_law_bushing, springs, "track", kv3_zero(), "mass", kv3_zero());
}

CHECK_TEST(a_mass_on_a_sphere_follows_its_equations)
{
    static const double rate = 0.9;
    const double latitude = 0.7, n = 3.0;
    const kane_bushing springs                 = {.stiffness = {2.0 * n * n, 2.0 * n * n, 0.0}};
    CHECK_END(mechanism_close_all) mechanism m = {0};
    hold_on_sphere(&m, &springs, latitude, &rate);
    run(&m, KANE_MOVING, 1);
    for (int i = 1; i <= 8; i++) {
        double at[2];
        horizontal(n, rate * cos(latitude), rate * sin(latitude), 0.6 * i, at);
        const kane_vec3 r = place_of(&m, mechanism_go(&m, 0.6 * i), 0);
        check_near(r.x, at[0], 1e-9);
        check_near(r.y, at[1], 1e-9);
    }
}

// Foucault: where the place turns slowly the plane of the swing turns round in 2 pi/(Omega sin(latitude)), northern
// ones to the right: after a quarter of that the mass passes along y what it did along x, to the order of Omega/n.
CHECK_TEST(foucaults_plane_turns_by_the_sine_of_the_latitude)
{
    static const double rate = 0.02;
    const double latitude = 0.85, n = 10.0, quarter = 0.5 * acos(-1.0) / (rate * sin(latitude));
    const kane_bushing springs = {.stiffness = {2.0 * n * n, 2.0 * n * n, 0.0}};
    static mechanism m;
    double across = 0.0, along = 0.0, to_the_right = 0.0;
    hold_on_sphere(&m, &springs, latitude, &rate);
    run(&m, KANE_MOVING, 0);
    for (int i = 0; i < 40; i++) { // one swing
        const kane_vec3 r = place_of(&m, mechanism_go(&m, quarter + i * 2.0 * acos(-1.0) / (40.0 * n)), 0);
        across            = fmax(across, fabs(r.x));
        along             = fmax(along, fabs(r.y));
    }
    check_below(across, 0.01);
    assert_true(along > 0.99);
    mechanism_close_all(&m);
    hold_on_sphere(&m, &springs, latitude, &rate);
    run(&m, KANE_MOVING, 0);
    const double whole = 2.0 * acos(-1.0) / n;
    const double t     = floor(0.2 * quarter / whole) * whole; // out again, to the first order of the turning
    to_the_right       = atan2(place_of(&m, mechanism_go(&m, t), 0).y, place_of(&m, mechanism_go(&m, t), 0).x);
    check_relative(to_the_right, -rate * sin(latitude) * t, 0.01);
    mechanism_close_all(&m);
}

// --- an eccentric rotor ---

// A rotor of mass m turns with its frame; a bearing at rest in A holds the point that is e beside its mass centre by a
// spring. In A that point s obeys s'' + n^2 s = e Omega^2 (cos, sin)(Omega t): it whirls with e Omega^2/(n^2 -
// Omega^2), and swings.
CHECK_TEST(an_eccentric_rotor_whirls)
{
    static const double rate = 5.0;
    const double n = 3.0, mass = 4.0, e = 0.02;
    const kane_bushing bearing = {.stiffness = {mass * n * n, mass * n * n, mass * n * n}};
    static mechanism m;
    for (int way = 0; way < 2; way++) {
        mechanism_begin(&m, 0.0);
        turn(&m, "shaft", axes_about(2), &rate);
        (void)mechanism_frame(&m, "ground", NULL, KANE_JOINT_WELD, kv3_zero(), km3_identity());
        m.frames[1].block.name = "floor";
        const int rotor        = mechanism_add(&m, "rotor", mass, kv3(0.1, 0.1, 0.2), kv3(e, 0.0, 0.0));
        mechanism_hang(&m, rotor, KANE_JOINT_FREE, "shaft", kv3(e, 0.0, 0.0), km3_identity())->dof =
            KANE_DOF(KANE_X) | KANE_DOF(KANE_Y);
        m.starts[rotor].rate[1] = way ? 0.05 : 0.0;
        (void)mechanism_element(&m, "bearing", &kane_law_bushing, &bearing, "floor", kv3_zero(), "rotor", kv3_zero());
        const double whirl =
            e * rate * rate / (n * n - rate * rate); // negative: beyond its critical speed it turns inside out
        m.starts[rotor].q[0] = whirl;
        run(&m, KANE_MOVING, way);
        for (int i = 1; i <= 6; i++) {
            const double t = 0.9 * i;
            // in A: the whirl, and what the push at the start adds
            const kane_vec3 turning = kv3_scale(whirl, kv3(cos(rate * t), sin(rate * t), 0.0));
            const kane_vec3 s       = kv3_add(turning, kv3(0.0, (way ? 0.05 : 0.0) / n * sin(n * t), 0.0));
            const kane_vec3 seen    = km3_tmulv(composed_turn(2, rate * t), s);
            check_vec3(place_of(&m, mechanism_go(&m, t), rotor), kv3_add(seen, kv3(e, 0.0, 0.0)), 1e-9);
        }
        mechanism_close_all(&m);
    }
}

// --- what a frame's own acceleration does ---

// In a car that speeds up evenly a plumb line hangs back by atan(a/g) and swings about that with sqrt(g^2 + a^2)/L.
CHECK_TEST(a_plumb_line_hangs_back_in_a_car_that_speeds_up)
{
    static const double way[] = {0.0, 3.0, 0.5 * 2.5}, length = 0.8;
    const double back = atan(2.5 / 9.81), small = 1e-3;
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, 9.81);
    const int car = mechanism_frame(&m, "car", NULL, KANE_JOINT_FREE, kv3_zero(), km3_identity());
    mechanism_frame_move(&m, car, 0, mechanism_polynomial(3, way), 0);
    const int bob = mechanism_add(&m, "bob", 1.0, kv3_zero(), kv3(0.0, 0.0, -length));
    (void)mechanism_hang(&m, bob, KANE_JOINT_REVOLUTE, "car", kv3_zero(), planar_axes());
    m.starts[bob].q[0] = -back + small; // about -y of the drawing: to the right is positive
    run(&m, KANE_MOVING, 0);
    for (int i = 1; i <= 6; i++) {
        const double n     = sqrt(hypot(9.81, 2.5) / length);
        const kane_work *w = mechanism_go(&m, 0.4 * i);
        check_near(mechanism_coordinate(&m, w, bob, 0) + back, small * cos(n * 0.4 * i), 1e-8);
    }
}

// A wheel that spins about x in a frame that turns about z: its bearing must turn its angular momentum round, by the
// torque Omega z x (J w x) = J w Omega y. Without its gyroscopic and centrifugal torques nothing has to.
CHECK_TEST(a_gyroscope_wants_a_torque)
{
    static const double rate = 1.3;
    const double spin = 40.0, J = 0.3;
    static mechanism m;
    for (int omitting = 0; omitting < 2; omitting++) {
        const kane_omission omission = {.text = "wheel:torque.*.*"};
        mechanism_begin(&m, 0.0);
        turn(&m, "gimbal", axes_about(2), &rate);
        const int wheel = mechanism_add(&m, "wheel", 5.0, kv3(J, 0.2, 0.2), kv3_zero());
        (void)mechanism_hang(&m, wheel, KANE_JOINT_REVOLUTE, "gimbal", kv3_zero(), axes_about(0));
        m.starts[wheel].rate[0]  = spin;
        m.options.omission_count = omitting;
        m.options.omissions      = &omission;
        mechanism_open(&m, KANE_FORM_COEFFICIENTS);
        const kane_vec3 torque = kane_get_joint_reaction(m.model, m.work, wheel).torque; // axes y, z, x
        check_vec3(torque, kv3(omitting ? 0.0 : J * spin * rate, 0.0, 0.0), 1e-11);
        mechanism_close_all(&m);
    }
}

CHECK_MAIN(NULL, NULL)
