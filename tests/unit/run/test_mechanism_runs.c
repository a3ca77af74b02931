// SPDX-License-Identifier: MIT
// The runs of the sample mechanisms, from files to motion, against published values and closed forms. The channels that
// are compared are those that a user would plot.

#include "runs.h"
#include "models.h"

#define FINE                                                                                                           \
    "integrator.rtol=1e-12", "integrator.atol_position=1e-13", "integrator.atol_angle=1e-13",                          \
        "integrator.atol_velocity=1e-12", "integrator.atol_angular_velocity=1e-12"

static const char *const fine[] = {FINE, NULL};

typedef struct journey {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_channels *channels;
} journey;

static journey start(const char *name, const char *const *settings, int count, const char *const *channels)
{
    journey j;
    j.run                        = run_read(name, settings);
    const kane_run_definition *d = kane_run_get_definition(j.run);
    j.model                      = run_model(d);
    j.simulation                 = run_simulation(j.model, d);
    j.channels                   = CHECK_GOOD(kane_channels_create, j.simulation, count, channels, NULL);
    assert_int_equal(kane_channels_count(j.channels), count);
    return j;
}

static void go(journey *j, double time, double *values)
{
    while (kane_simulation_time(j->simulation) < time) {
        (void)CHECK_GOOD(kane_simulation_advance, j->simulation, time);
    }
    kane_channels_read(j->channels, j->simulation, values);
}

static void finish(journey *j)
{
    kane_channels_free(j->channels);
    kane_simulation_free(j->simulation);
    kane_model_free(j->model);
    kane_run_free(j->run);
}

// IFToMM A01; values by quadrature of the elliptic integral.
CHECK_TEST(the_pendulum_swings)
{
    static const char *const channels[] = {"bob.x", "bob.z"};
    static const double known[][3]      = {{1.0, 0.986291751132, -0.165010853126},
                                           {5.0, -0.942305435044, -0.334754338414},
                                           {10.0, -0.275087462576, -0.961419205099}};
    double at[2];
    journey j = start("mechanism-pendulum", fine, 2, channels);
    for (int i = 0; i < 3; i++) {
        go(&j, known[i][0], at);
        check_near(at[0], known[i][1], 1e-9);
        check_near(at[1], known[i][2], 1e-9);
    }
    finish(&j);
}

// Place of the mass centre at t = 0.1 s, computed for this library by independent code.
CHECK_TEST(the_heavy_top_turns)
{
    static const char *const channels[] = {"top.x", "top.y", "top.z"};
    double at[3];
    journey j = start("mechanism-heavy-top", fine, 3, channels);
    go(&j, 0.1, at);
    check_near(at[0], 0.42129666, 2e-8);
    check_near(at[1], 0.89457197, 2e-8);
    check_near(at[2], -0.14916470, 2e-8);
    finish(&j);
}

// IFToMM A02 with two loops, while all rockers stay parallel; the mass centre of a rocker is half as high as its end.
CHECK_TEST(two_loops_stay_on_their_branch)
{
    static const char *const channels[] = {"rocker 0.x", "rocker 0.z"}, *const forms[][2] = {
                                                                            {NULL}, {"form=multipliers", NULL}};
    static const double known[][3] = {{1.0, -0.195020301950, -0.980799205662},
                                      {2.0, 0.057815795768, 0.998327267863},
                                      {4.0, 0.117616102377, 0.993059138451},
                                      {10.0, 0.328458111539, 0.944518538179}};
    double at[2];
    for (int form = 0; form < 2; form++) {
        journey j = start("mechanism-two-loops", forms[form], 2, channels);
        for (int i = 0; i < 4; i++) {
            go(&j, known[i][0], at);
            check_near(2.0 * at[0], known[i][1], 2e-5);
            check_near(2.0 * at[1], known[i][2], 2e-5);
        }
        finish(&j);
    }
}

// IVP test set, "andrews", t = 0.03 s.
CHECK_TEST(the_squeezer_squeezes)
{
    static const char *const channels[] = {"K1.joint.angle", "K2.joint.angle", "K3.joint.angle", "K4.joint.angle",
                                           "K5.joint.angle", "K6.joint.angle", "K7.joint.angle"};
    static const double known[7] = {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                                    0.5244099658805304, 0.5347301163226948, 1.048080741042263};
    double at[7];
    journey j = start("mechanism-squeezer", fine, 7, channels);
    go(&j, 0.03, at);
    for (int i = 0; i < 7; i++) { // channels are in the order of the model
        const int body = kane_channels_info(j.channels, i)->name[1] - '1';
        check_relative(at[i], known[body], 1e-6);
    }
    finish(&j);
}

// A cycloid: down the slope a sin^2(w t), across it a (w t - sin(2 w t)/2), with a = g sin(30 deg)/(2 w^2).
CHECK_TEST(the_knife_edge_draws_a_cycloid)
{
    static const char *const channels[] = {"skate.joint.x", "skate.joint.y"};
    const double w = 2.0, a = 9.81 * 0.5 / (2.0 * w * w);
    double at[2];
    journey j = start("mechanism-knife-edge", fine, 2, channels);
    for (int i = 1; i <= 5; i++) {
        const double t = 2.0 * i;
        go(&j, t, at);
        check_near(at[0], a * sin(w * t) * sin(w * t), 1e-9);
        check_relative(at[1], a * (w * t - 0.5 * sin(2.0 * w * t)), 1e-9);
    }
    finish(&j);
}

// Below 1/sqrt(3) rad/s the disc falls, above it stays upright.
CHECK_TEST(the_disc_falls_only_if_it_is_slow)
{
    static const char *const channels[] = {"disc.roll"};
    static const char *const is_slow[]  = {FINE, "variant=slow", NULL};
    double fast = 0.0, slow = 0.0, at;
    for (int k = 0; k < 2; k++) {
        journey j = start("mechanism-rolling-disc", k ? is_slow : fine, 1, channels);
        for (int i = 1; i <= 40; i++) {
            go(&j, 0.2 * i, &at);
            double *most = k ? &slow : &fast;
            *most        = fmax(*most, fabs(at));
        }
        finish(&j);
    }
    if (!(fast < 0.003 && slow > 0.05))
        fail_msg("largest roll %g rad of the fast disc, %g rad of the slow one", fast, slow);
}

// The trolley does as it is told, by where it is or by how fast it goes: .24 cos(1.2 t) is the rate of .2 sin(1.2 t).
CHECK_TEST(the_trolley_follows_its_prescribed_motion)
{
    static const char *const channels[] = {"trolley.x", "trolley.rate.x", "trolley.acceleration.x"};
    static const char *const rate[]     = {
            FINE,
            "mechanism.bodies.trolley.joint.motion={\"rates\": {\"travel\": {\"sine\": {\"amplitude\": \"0.24 m/s\", "
                "\"angular_frequency\": 1.2, \"phase\": \"90 deg\"}}}}",
            NULL};
    for (int k = 0; k < 2; k++) {
        double at[3];
        journey j = start("mechanism-crane", k ? rate : fine, 3, channels);
        go(&j, 7.0, at);
        check_near(at[0], 0.2 * sin(1.2 * 7.0), 1e-14);
        check_near(at[1], 0.2 * 1.2 * cos(1.2 * 7.0), 1e-14);
        check_near(at[2], -0.2 * 1.44 * sin(1.2 * 7.0), 1e-14);
        finish(&j);
    }
}

// Into a canted curve: in moving frames as in fixed ones. Both are integrated as finely as 1e-8 needs.
CHECK_TEST(a_four_bar_on_a_wagon_moves_in_moving_frames_as_in_fixed_ones)
{
#define WAGON                                                                                                          \
    "integrator.rtol=1e-9", "integrator.atol_position=1e-11", "integrator.atol_angle=1e-11",                           \
        "integrator.atol_velocity=1e-10", "integrator.atol_angular_velocity=1e-10"
    static const char *const channels[] = {"body.y", "body.roll", "lower arm.joint.angle", "upper arm.joint.angle",
                                           "thrust rod.joint.pitch"};
    static const char *const moving[] = {WAGON, NULL}, *const fixed[] = {WAGON, "formulation=fixed", NULL};
    double a[5], b[5];
    journey j = start("wagon-four-bar", moving, 5, channels), k = start("wagon-four-bar", fixed, 5, channels);
    for (int i = 1; i <= 4; i++) {
        go(&j, 1.2 * i, a);
        go(&k, 1.2 * i, b);
        for (int c = 0; c < 5; c++)
            check_near(a[c], b[c], 2e-8);
    }
    assert_true(fabs(a[0]) > 0.005 && fabs(a[2]) > 0.005); // it is in the curve, and the linkage moves
    finish(&j);
    finish(&k);
}

// The rotor turns four times as fast as the wheels against the motor, the other way round.
CHECK_TEST(gear_wheels_hold_rotor_and_axle)
{
    static const char *const channels[] = {"motor.pitch", "leading.pitch", "rotor.joint.angle"};
    static const char *const none[]     = {NULL};
    double at[3]                        = {0.0};
    journey j                           = start("motor-wagon", none, 3, channels);
    go(&j, 0.5, at);
    double motor = 0.0, axle = 0.0, rotor = 0.0;
    for (int i = 0; i < 3; i++) {
        const char *name                                             = kane_channels_info(j.channels, i)->name;
        *(name[0] == 'm' ? &motor : name[0] == 'l' ? &axle : &rotor) = at[i];
    }
    check_near(rotor, -4.0 * (axle - motor), 1e-9);
    assert_true(axle > 10.0);
    finish(&j);
}

// A boom of length b on a cylinder whose foot is c from the boom's hinge. Triangle: the cylinder's length L by the law
// of cosines; what the boom turns with follows from the energy, written down by hand.
CHECK_TEST(the_boom_falls_on_its_cylinder)
{
    static const char *const channels[] = {"boom.joint.angle", "boom.joint.rate.angle", "cylinder.joint.angle",
                                           "piston.joint.travel"};
    static const char *const both[][6]  = {{FINE, NULL}, {FINE, "form=multipliers"}};
    const double b = 0.174, c = 0.13, g = 9.81, half = 0.05, I = 0.025 * 0.1 * 0.1 / 12.0;
    double at[4], energy = 0.0;
    for (int form = 0; form < 2; form++) {
        const char *const settings[] = {both[form][0], both[form][1], both[form][2], both[form][3],
                                        both[form][4], both[form][5], NULL};
        journey j                    = start("mechanism-three-bar", settings, 4, channels);
        for (int i = 0; i <= 20; i++) {
            go(&j, 0.1 * i, at);
            const double phi = at[0], rate = at[1], L = sqrt(b * b + c * c - 2.0 * b * c * cos(phi));
            const double turn = (b * b - b * c * cos(phi)) / (L * L) * rate, out = b * c * sin(phi) / L * rate;
            const double far = L - half, sine = b * sin(phi) / L;
            const double kinetic = 0.5 * 0.6 * b * b / 3.0 * rate * rate + 0.5 * 0.025 * out * out +
                                   0.5 * (2.0 * I + 0.025 * (half * half + far * far)) * turn * turn;
            const double height = 0.6 * 0.5 * b * sin(phi) + 0.025 * (half + far) * sine;
            check_near(at[3] + 0.044, L, 1e-9);
            check_near(sin(at[2]), sine, 1e-8);
            if (i == 0)
                energy = kinetic + g * height;
            check_near(kinetic + g * height, energy, 1e-9);
        }
        check_below(at[0], 1.1);
        finish(&j);
    }
}

// Rack and arm: the ball is where circles about the rack's end and the arm's pivot meet; the spring and all that moves
// keep their energy.
CHECK_TEST(the_rack_turns_the_arm)
{
    static const char *const channels[] = {"rack.joint.travel", "tie rod.joint.angle", "arm.joint.angle",
                                           "energy.kinetic",    "energy.gravity",      "energy.elements"};
    double at[6], energy = 0.0, least = 0.0, most = 0.0;
    journey j = start("mechanism-steering", fine, 6, channels);
    for (int i = 0; i <= 25; i++) {
        go(&j, 0.2 * i, at);
        const double x = 1.5 - at[0], y = -0.5, way = sqrt(x * x + y * y), up = sqrt(1.0 - 0.25 * way * way);
        const double ball_x = 0.5 * x - y / way * up, ball_y = 0.5 * y + x / way * up; // from the rack's end
        check_near(cos(at[1]), ball_x, 1e-9);
        check_near(sin(at[1]), ball_y, 1e-9);
        check_near(-cos(at[2]), ball_x - x, 1e-9);
        check_near(-sin(at[2]), ball_y - y, 1e-9);
        if (i == 0)
            energy = at[3] + at[5];
        check_near(at[3] + at[5], energy, 1e-9);
        check_near(at[5], 2.0 * at[0] * at[0], 1e-9);
        least = fmin(least, at[0]);
        most  = fmax(most, at[0]);
    }
    assert_true(least < -0.2 && most > 0.2); // there and back
    finish(&j);
}

// Legs are as long as the platform's place says, by its own rotation matrix.
CHECK_TEST(the_hexapod_stands_on_its_legs)
{
    static const char *const channels[] = {"platform.x",         "platform.y",         "platform.z",
                                           "platform.yaw",       "platform.roll",      "platform.pitch",
                                           "rod 1.joint.travel", "rod 2.joint.travel", "rod 3.joint.travel",
                                           "rod 4.joint.travel", "rod 5.joint.travel", "rod 6.joint.travel"};
    static const char *const forms[][2] = {{NULL}, {"form=multipliers", NULL}};
    static const double foot[] = {80, 100, 200, 220, 320, 340}, head[] = {40, 140, 160, 260, 280, 380};
    const double degree = 3.14159265358979323846 / 180.0;
    double at[12];
    for (int form = 0; form < 2; form++) {
        journey j = start("mechanism-hexapod", forms[form], 12, channels);
        for (int i = 0; i <= 10; i++) {
            go(&j, 0.2 * i, at);
            const double sy = sin(at[3]), cy = cos(at[3]), sr = sin(at[4]), cr = cos(at[4]), sp = sin(at[5]),
                         cp = cos(at[5]);
            for (int leg = 0; leg < 6; leg++) {
                const double px = 0.3 * cos(head[leg] * degree), py = 0.3 * sin(head[leg] * degree);
                const double x = at[0] + (cy * cp - sy * sr * sp) * px - sy * cr * py - 0.5 * cos(foot[leg] * degree);
                const double y = at[1] + (sy * cp + cy * sr * sp) * px + cy * cr * py - 0.5 * sin(foot[leg] * degree);
                const double z = at[2] - cr * sp * px + sr * py;
                check_near(at[6 + leg] + 1.053654, sqrt(x * x + y * y + z * z), 1e-7);
            }
        }
        finish(&j);
    }
}

// At rest a leg's force does the work of the weights: F dL/dz = d(weights' heights)/dz, with cos of its slope z/L.
CHECK_TEST(its_legs_carry_what_weighs_on_them)
{
    static const char *const channels[] = {"platform.z", "oil 1.force.z", "oil 4.force.z"};
    double at[3];
    journey j           = start("mechanism-hexapod", NULL, 3, channels);
    kane_steady *steady = CHECK_GOOD(kane_steady_create, kane_run_get_definition(j.run), &(kane_steady_definition){0});
    kane_channels *read = CHECK_GOOD(kane_channels_create_model, kane_steady_model(steady), 3, channels, NULL);
    kane_channels_read_state(read, kane_steady_model(steady), kane_steady_work(steady), kane_steady_state(steady), at);
    const double z = at[0], L = sqrt(1.053653959829462 * 1.053653959829462 - 1.0 + z * z),
                 tilt = 1.0 / L - z * z / (L * L * L);
    const double lift = 9.81 * (50.0 / 6.0 + 18.6 * 0.353 * tilt + 8.4 * (1.0 - 0.347 * tilt));
    check_near(fabs(at[1]), lift * L / z, 1e-5);
    check_near(fabs(at[2]), lift * L / z, 1e-5);
    check_near(fabs(at[1]), 40e3 * (1.0573 - L), 1e-5);
    kane_channels_free(read);
    kane_steady_free(steady);
    finish(&j);
}

CHECK_MAIN(NULL, NULL)
