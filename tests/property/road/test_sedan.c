// SPDX-License-Identifier: MIT
// The sedan on its roads: it rests, coasts straight, keeps its energy, turns as the bicycle model does, and is the same
// in moving frames and in fixed axes, to the left and to the right.

#include "check.h"
#include "runs.h"

#include <kane/kane.h>

#include "oracle/plain_tyre.h"

#define RUN(name)    KANE_SOURCE_DIR "/data/runs/sedan-" name ".json"
#define RACK(motion) "vehicle.bodies.rack.joint.motion.travel=" motion
#define FINE                                                                                                           \
    "integrator.rtol=1e-10", "integrator.atol_position=1e-12", "integrator.atol_angle=1e-12",                          \
        "integrator.atol_velocity=1e-10", "integrator.atol_angular_velocity=1e-10", "integrator.order=5"

enum { WHEELS = 4 };

static const char *const tyres[WHEELS] = {"front left tyre", "front right tyre", "rear left tyre", "rear right tyre"};
static const double wheelbase = 2.776, weight = 1464.182 * 9.81; // rods included

typedef struct ride {
    kane_run *run;
    kane_results *results;
    int rows;
} ride;

// Work is there to be seen where the settings ask for it.
static ride go_and_see(const char *file, const char *const *settings, int patterns_seen)
{
    static const char *const patterns[] = {"travel", "chassis*", "*wheel*", "*tyre.*", "energy.*", "work.*"};
    kane_outcome outcome;
    ride r    = {.run = run_read(file, settings)};
    r.results = CHECK_GOOD(kane_run_to_memory, kane_run_get_definition(r.run), patterns_seen, patterns, &outcome);
    assert_int_equal(outcome.status, KANE_OK);
    r.rows = kane_results_row_count(r.results);
    return r;
}

static ride go(const char *file, const char *const *settings)
{
    return go_and_see(file, settings, 5);
}

static void end(ride *r)
{
    kane_results_free(r->results);
    kane_run_free(r->run);
}

static const double *values(const ride *r, const char *name)
{
    const int column = CHECK_GOOD(kane_results_find, r->results, name);
    return kane_results_values(r->results, column);
}

static const double *values_of(const ride *r, const char *subject, const char *what)
{
    char name[96];
    (void)snprintf(name, sizeof name, "%s.%s", subject, what);
    return values(r, name);
}

static double last(const ride *r, const char *name)
{
    return values(r, name)[r->rows - 1];
}

// --- at rest, and straight on ---

CHECK_TEST(it_rests_on_its_tyres)
{
    const char *const settings[] = {
        RACK("{\"polynomial\": [0]}"), "start.speed=0", "until.time=60", FINE, "output.interval=0.5", NULL};
    static const char *const coordinates[] = {"x", "y", "z", "yaw", "roll", "pitch"};
    CHECK_END(end) ride r                  = go(RUN("slalom"), settings);
    double sum                             = 0.0;
    for (int i = 0; i < WHEELS; i++)
        sum += values_of(&r, tyres[i], "load")[0];
    check_near(sum, weight, 1e-9 * weight);
    assert_true(r.rows == 121);
    for (int k = 0; k < 6; k++) {
        const double *q = values_of(&r, "chassis", coordinates[k]);
        for (int i = 0; i < r.rows; i++)
            check_near(q[i], q[0], 1e-9);
    }
}

CHECK_TEST(it_coasts_straight)
{
    const char *const settings[] = {RACK("{\"polynomial\": [0]}"), "until.time=10", FINE, NULL};
    CHECK_END(end) ride r        = go(RUN("slalom"), settings);
    for (int i = 0; i < r.rows; i++) { // equilibrium leaves open beside which line
        check_near(values(&r, "chassis.y")[i], values(&r, "chassis.y")[0], 1e-8);
        check_near(values(&r, "chassis.yaw")[i], 0.0, 1e-8);
        check_near(values(&r, "chassis.roll")[i], 0.0, 1e-8);
    }
    check_near(values(&r, "chassis.y")[0], 0.0, 1e-6);
    check_near(last(&r, "distance"), 300.0, 1e-3); // the tyre's file has no rolling resistance
}

// Wheels begin as they roll: nothing jerks, and they have turned as far as their way says.
CHECK_TEST(wheels_roll_from_the_start)
{
    const char *const settings[] = {RACK("{\"polynomial\": [0]}"), "until.time=1", FINE, NULL};
    CHECK_END(end) ride r        = go(RUN("slalom"), settings);
    const double *angle          = values(&r, "front left wheel.pitch");
    const double *slip           = values(&r, "front left tyre.slip");
    const double turned = angle[r.rows - 1] - angle[0], radius = last(&r, "distance") / turned;
    assert_true(radius > 0.33 && radius < 0.344);
    for (int i = 0; i < r.rows; i++)
        check_near(slip[i], slip[0], 1e-4);
    check_near(values(&r, "chassis.acceleration.z")[0], 0.0, 1e-6);
}

CHECK_TEST(energy_is_kept)
{
    const char *const settings[] = {"until.time=4", "output.work=true", FINE, NULL};
    CHECK_END(end) ride r        = go_and_see(RUN("slalom"), settings, 6);
    const double *kinetic = values(&r, "energy.kinetic"), *gravity = values(&r, "energy.gravity");
    const double *drive = values(&r, "work.drive"), *elements = values(&r, "work.elements");
    for (int i = 0; i < r.rows; i++)
        check_near(kinetic[i] + gravity[i] - drive[i] - elements[i], kinetic[0] + gravity[0], 1e-7 * kinetic[0]);
    assert_true(elements[r.rows - 1] < -1e3); // tyres and dampers have taken some
}

// --- turns ---

// Yaw rate by the bicycle model, with the cornering stiffness of both axles' tyres as plain code has it, and the angles
// that the wheels stand at.
static double bicycle(double V, double steer)
{
    const double small = 1e-5, mass = weight / 9.81;
    const double load[2] = {3620.93, 3560.88};
    double C[2], t[2];
    for (int axle = 0; axle < 2; axle++) {
        const plain_tyre_forces more = plain_tyre(0, small, 0, load[axle], 1),
                                less = plain_tyre(0, -small, 0, load[axle], 1);
        C[axle]                      = -2.0 * (more.Fy - less.Fy) / (2.0 * small);
        t[axle]                      = -(more.Mz - less.Mz) / (more.Fy - less.Fy);
    }
    const double b     = wheelbase * load[0] / (load[0] + load[1]); // mass centre before the rear axle
    const double front = wheelbase - b - t[0], rear = b + t[1];
    return steer / (wheelbase / V + mass * V / (front + rear) * (rear / C[0] - front / C[1]));
}

// Mean of both wheels of an axle against the chassis.
static double steer_of(const ride *r, const char *left, const char *right)
{
    return 0.5 * (values_of(r, left, "yaw")[r->rows - 1] + values_of(r, right, "yaw")[r->rows - 1]) -
           last(r, "chassis.yaw");
}

CHECK_TEST(a_steady_turn_is_that_of_the_bicycle_model)
{
    const char *const settings[2][11] = {
        {RACK("{\"step\": {\"to\": \"0.5 mm\", \"at\": \"0.1 s\", \"over\": \"0.4 s\"}}"), "start.speed=20",
         "until.time=3", FINE, NULL},
        {RACK("{\"step\": {\"to\": \"-0.5 mm\", \"at\": \"0.1 s\", \"over\": \"0.4 s\"}}"), "start.speed=20",
         "until.time=3", FINE, NULL}};
    double rate[2], steer[2], V = 0.0;
    for (int way = 0; way < 2; way++) {
        CHECK_END(end) ride r = go(RUN("step"), settings[way]);
        rate[way]             = last(&r, "chassis.rate.yaw");
        steer[way] =
            steer_of(&r, "front left wheel", "front right wheel") - steer_of(&r, "rear left wheel", "rear right wheel");
        V = last(&r, "speed") / cos(last(&r, "chassis.yaw"));
    }
    const double expected = bicycle(V, 0.5 * (steer[1] - steer[0]));
    check_near(0.5 * (rate[1] - rate[0]), expected, 0.03 * expected);
}

// --- the same in other descriptions ---

#define UNEVEN                                                                                                                      \
    "track.irregularities={\"spectra\": [{\"kind\": \"vertical\", \"roughness\": 4e-6, \"corner\": 100, \"seed\": 3, "              \
    "\"min_wavelength\": \"2 m\", \"max_wavelength\": \"50 m\", \"waves\": 60}, {\"kind\": \"cross_level\", \"roughness\": 4e-6, "  \
    "\"corner\": 100, \"low_corner\": 1, \"seed\": 4, \"min_wavelength\": \"2 m\", \"max_wavelength\": \"50 m\", \"waves\": 60}], " \
    "\"fade_in\": {\"from\": 20, \"length\": 20}}"

// Changes since the start: equilibrium leaves open beside which line a car is.
static void compare(const ride *a, const ride *b, const char *name, double sign, double near)
{
    const double *x = values(a, name), *y = values(b, name);
    assert_int_equal(a->rows, b->rows);
    for (int i = 0; i < a->rows; i++)
        check_near(y[i] - y[0], sign * (x[i] - x[0]), near);
}

CHECK_TEST(moving_frames_are_fixed_axes)
{
    const char *const settings[2][2][12] = {
        {{"formulation=moving", "until.time=10", FINE, NULL}, {"formulation=fixed", "until.time=10", FINE, NULL}},
        {{UNEVEN, "drive={}", "formulation=moving", "until.time=10", FINE, NULL},
         {UNEVEN, "drive={}", "formulation=fixed", "until.time=10", FINE, NULL}}};
    for (int uneven = 0; uneven < 2; uneven++) {
        ride a = go(RUN("curve"), settings[uneven][0]), b = go(RUN("curve"), settings[uneven][1]);
        compare(&a, &b, "distance", 1.0, 1e-7);
        compare(&a, &b, "chassis.y", 1.0, 1e-7);
        compare(&a, &b, "chassis.z", 1.0, 1e-7);
        compare(&a, &b, "chassis.yaw", 1.0, 1e-7);
        compare(&a, &b, "front left wheel.z", 1.0, 1e-7);
        compare(&a, &b, "rear right tyre.load", 1.0, 0.02);
        assert_true(last(&a, "chassis.roll") > 0.01); // it leans
        end(&a);
        end(&b);
    }
}

// Loops as joints of the chassis, and all constraints held by forces, which share neither the choice of speeds nor the
// solution. From the static position, for the search for equilibrium leaves 1e-8 m in either form.
CHECK_TEST(both_forms_are_one_motion)
{
    static const char start[]         = "vehicle.bodies.chassis.start={\"z\": 1e-6}";
    const char *const settings[2][16] = {{start, "form=coefficients", "until.time=10", FINE, "integrator.rtol=1e-12",
                                          "integrator.atol_velocity=1e-12", NULL},
                                         {start, "form=multipliers", "until.time=10", FINE, "integrator.rtol=1e-12",
                                          "integrator.atol_velocity=1e-12", NULL}};
    ride a = go(RUN("slalom"), settings[0]), b = go(RUN("slalom"), settings[1]);
    compare(&a, &b, "distance", 1.0, 1e-8);
    compare(&a, &b, "chassis.y", 1.0, 1e-8);
    compare(&a, &b, "chassis.z", 1.0, 1e-8);
    compare(&a, &b, "chassis.yaw", 1.0, 1e-8);
    compare(&a, &b, "front left wheel.z", 1.0, 1e-8);
    compare(&a, &b, "rear right tyre.load", 1.0, 0.002);
    end(&a);
    end(&b);
}

CHECK_TEST(left_is_right_in_the_mirror)
{
    static const char *const tyre[][2] = {{"front left tyre", "front right tyre"},
                                          {"rear left tyre", "rear right tyre"}};
    const char *const left[]           = {RACK("{\"step\": {\"to\": \"-3 mm\", \"at\": \"2.5 s\", \"over\": \"4 s\"}}"),
                                          "until.time=8", FINE, NULL};
    const char *const right[]          = {RACK("{\"step\": {\"to\": \"3 mm\", \"at\": \"2.5 s\", \"over\": \"4 s\"}}"),
                                          "track.sections[1].to.radius=-300", "until.time=8", FINE, NULL};
    ride a = go(RUN("curve"), left), b = go(RUN("curve"), right);
    compare(&a, &b, "chassis.y", -1.0, 1e-7);
    compare(&a, &b, "chassis.z", 1.0, 1e-7);
    compare(&a, &b, "chassis.yaw", -1.0, 1e-7);
    compare(&a, &b, "chassis.roll", -1.0, 1e-7);
    for (int axle = 0; axle < 2; axle++)
        for (int i = 0; i < a.rows; i++)
            check_near(values_of(&b, tyre[axle][1], "load")[i], values_of(&a, tyre[axle][0], "load")[i], 0.02);
    assert_true(fabs(last(&a, "chassis.yaw")) > 1e-4);
    end(&a);
    end(&b);
}

// A wheel whose axes leave its spin out moves as one whose axes turn. Both begin in the static position, for who is
// told to turn is not brought to equilibrium.
CHECK_TEST(spinning_is_turning)
{
    static const char *const wheel[WHEELS] = {"front left wheel", "front right wheel", "rear left wheel",
                                              "rear right wheel"};
    static const char start[]              = "vehicle.bodies.chassis.start={\"z\": 1e-6}";
    const char *const spins[]              = {start, "until.time=1.5", FINE, NULL};
    CHECK_END(end) ride a                  = go(RUN("slalom"), spins);
    char text[2 * WHEELS][160];
    const char *turns[2 * WHEELS + 9] = {start, "until.time=1.5", FINE}; // eight
    for (int i = 0; i < WHEELS; i++) {
        const double rate = values_of(&a, wheel[i], "joint.rate.angle")[0];
        check_below(fabs(rate - 89.0), 0.2);
        (void)snprintf(text[2 * i], sizeof text[0], "vehicle.bodies.%s.rotating=false", wheel[i]);
        (void)snprintf(text[2 * i + 1], sizeof text[0], "vehicle.bodies.%s.start={\"rates\": {\"angle\": %.17g}}",
                       wheel[i], rate);
        turns[8 + 2 * i] = text[2 * i];
        turns[9 + 2 * i] = text[2 * i + 1];
    }
    CHECK_END(end) ride b = go(RUN("slalom"), turns);
    compare(&a, &b, "chassis.y", 1.0, 1e-7);
    compare(&a, &b, "chassis.yaw", 1.0, 1e-7);
    compare(&a, &b, "chassis.z", 1.0, 1e-7);
    compare(&a, &b, "front left wheel.joint.angle", 1.0, 1e-6);
    compare(&a, &b, "front left tyre.load", 1.0, 0.02);
    assert_true(fabs(last(&a, "chassis.yaw")) > 0.01);
}

// Slowly over long waves the chassis goes up and down, and tips, as the road does under its axles.
CHECK_TEST(it_follows_an_uneven_road)
{
    const char *const settings[] = {
        RACK("{\"polynomial\": [0]}"),
        "start.speed=2",
        "until.time=30",
        "track.irregularities={\"sines\": [{\"kind\": \"vertical\", \"amplitude\": \"40 mm\", \"wavelength\": \"20 m\"}, "
        "{\"kind\": \"cross_level\", \"amplitude\": \"30 mm\", \"wavelength\": \"25 m\"}], \"fade_in\": {\"from\": 15, "
        "\"length\": 10}}",
        "speed=[]",
        NULL};
    const double A = 0.04, k = 2.0 * 3.141592653589793 / 20.0, half = 0.5 * wheelbase;
    CHECK_END(end) ride r  = go(RUN("curve"), settings);
    const double *chainage = values(&r, "chainage"), *z = values(&r, "chassis.z"), *pitch = values(&r, "chassis.pitch");
    int compared = 0;
    for (int i = 0; i < r.rows; i++) {
        if (chainage[i] < 27.0 || chainage[i] > 58.0) // full size, and still straight
            continue;
        const double front = A * sin(k * (chainage[i] + half)), rear = A * sin(k * (chainage[i] - half));
        check_near(z[i] - z[0], 0.5 * (front + rear), 0.003);
        check_near(pitch[i] - pitch[0], -(front - rear) / wheelbase, 0.002);
        compared++;
    }
    assert_true(compared > 100);
}

CHECK_MAIN(NULL, NULL)
