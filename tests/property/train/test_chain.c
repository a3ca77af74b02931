// SPDX-License-Identifier: MIT
// Trains as chains of masses: forces of couplers against Newton's law, vibrations against the closed form.

#include "property/train/train.h"

static const double pi = 3.14159265358979323846;

static void write_run(const char *drive)
{
    char text[1024];
    rake_write("track.json", "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 3000 } ] }");
    (void)snprintf(text, sizeof text,
                   "{ \"kane\": \"run 1\", \"vehicle\": \"train.json\", \"track\": \"track.json\","
                   " \"start\": { \"at\": 1000, \"speed\": 20 }, %s \"until\": { \"time\": 100 } }",
                   drive);
    write_file("run.json", text);
}

static double force_of(const rake *r, const kane_work *work, int gap)
{
    char name[32];
    kane_wrench on_b;
    kane_relative relative;
    (void)snprintf(name, sizeof name, "spring %d", gap);
    kane_get_element(r->model, work, rake_element(r, name), &on_b, &relative);
    return on_b.force.x;
}

// Masses at rest relative to each other are pulled by the mass behind times the acceleration.
CHECK_TEST(couplers_pull_the_mass_behind_them)
{
    static const double accelerations[] = {0.7, -0.4};
    rake_write_carts();
    for (int i = 0; i < 2; i++) {
        char drive[64];
        const char *const settings[] = {"vehicle.couplers.spring.damping=[5e5, 0, 0]", "integrator.rtol=1e-10",
                                        "integrator.atol_position=1e-12 m", "integrator.atol_velocity=1e-10 m/s", NULL};
        (void)snprintf(drive, sizeof drive, "\"speed\": [ { \"acceleration\": %g } ],", accelerations[i]);
        write_run(drive);
        CHECK_FREED(rake) r = rake_read(settings);
        rake_start(&r);
        rake_simulate(&r);
        rake_go(&r, 15.0);
        const kane_work *work = kane_simulation_work(r.simulation);
        for (int gap = 1; gap <= 4; gap++)
            check_relative(force_of(&r, work, gap), (5 - gap) * cart_mass * accelerations[i], 1e-8);
        check_relative(kane_get_reaction(r.model, work, rake_body(&r, "cart 1 body"), KANE_X),
                       5.0 * cart_mass * accelerations[i], 1e-8);
    }
}

// A force on the last vehicle pushes all in front of it.
CHECK_TEST(a_force_at_the_end_pushes_what_is_in_front)
{
    const char *const settings[] = {"vehicle.couplers.spring.damping=[5e5, 0, 0]", NULL};
    rake_write_carts();
    write_run(
        "\"drive\": { \"push\": { \"kind\": \"force\", \"on\": \"cart 5 body\", \"time\": [0], \"force\": [3e4] } },");
    CHECK_FREED(rake) r = rake_read(settings);
    rake_start(&r);
    rake_simulate(&r);
    rake_go(&r, 15.0);
    for (int gap = 1; gap <= 4; gap++)
        check_relative(force_of(&r, kane_simulation_work(r.simulation), gap), -3e4 * gap / 5.0, 1e-8);
}

// Free chain of n equal masses: mode k has displacements cos(k pi (i - 1/2)/n) and omega = 2 sqrt(c/m) sin(k pi/(2 n)).
static double mode(int k, int i, int n)
{
    return cos(k * pi * (i - 0.5) / n);
}

static double omega_of(int k, int n)
{
    return 2.0 * sqrt(spring_stiffness / cart_mass) * sin(k * pi / (2.0 * n));
}

static void displace(rake *r, int k, int n, double amplitude)
{
    for (int i = 1; i <= n; i++) {
        char name[32];
        double q[6], rates[6];
        (void)snprintf(name, sizeof name, "cart %d body", i);
        const int j = rake_body(r, name);
        kane_get_relative(r->model, r->work, j, q, rates);
        q[KANE_X] = amplitude * mode(k, i, n);
        assert_int_equal(kane_put_relative(r->model, r->work, j, q, rates, r->y), KANE_OK);
    }
}

CHECK_TEST(chains_have_the_frequencies_of_the_closed_form)
{
    static const int lengths[] = {2, 3, 8, 20};
    rake_write_carts();
    write_run("\"drive\": {},");
    for (int c = 0; c < 4; c++) {
        const int n = lengths[c];
        char count[64];
        const char *const settings[] = {count, NULL};
        (void)snprintf(count, sizeof count, "vehicle.vehicles.cart.count=%d", n);
        CHECK_FREED(rake) r = rake_read(settings);
        rake_start(&r);
        for (int k = 1; k < n; k++) {
            const double w2 = omega_of(k, n) * omega_of(k, n);
            rake_evaluate(&r);
            displace(&r, k, n, 1e-3);
            rake_evaluate(&r);
            for (int i = 1; i <= n; i++) {
                char name[32];
                kane_vec3 a;
                (void)snprintf(name, sizeof name, "cart %d body", i);
                kane_get_absolute(r.model, r.work, rake_body(&r, name), NULL, NULL, &a, NULL);
                check_near(a.x, -1e-3 * w2 * mode(k, i, n), 2e-10);
            }
        }
    }
}

// A wave goes through the train and back: after a period of its mode the train is as it was, after half of one
// mirrored.
CHECK_TEST(a_wave_comes_back_after_its_period)
{
    const char *const settings[] = {"vehicle.vehicles.cart.count=8",
                                    "integrator.order=5",
                                    "integrator.rtol=1e-10",
                                    "integrator.atol_position=1e-13 m",
                                    "integrator.atol_velocity=1e-12 m/s",
                                    NULL};
    enum { CARTS = 8, MODE = 3 };
    CHECK_ERRORS errors = {0};
    const double period = 2.0 * pi / omega_of(MODE, CARTS);
    rake_write_carts();
    write_run("\"drive\": {},");
    CHECK_FREED(rake) r = rake_read(settings);
    rake_start(&r);
    rake_evaluate(&r);
    displace(&r, MODE, CARTS, 1e-2);
    rake_simulate(&r);
    assert_int_equal(kane_simulation_start_from(r.simulation, 0.0, r.y, &errors), KANE_OK);
    for (int half = 1; half <= 4; half++) {
        rake_go(&r, 0.5 * half * period);
        const double sign = half % 2 ? -1.0 : 1.0;
        for (int gap = 1; gap < CARTS; gap++)
            check_near(force_of(&r, kane_simulation_work(r.simulation), gap),
                       sign * 1e-2 * spring_stiffness * (mode(MODE, gap, CARTS) - mode(MODE, gap + 1, CARTS)), 1e-2);
    }
}

// Forces behind the first and the second of three wagons after a while at this acceleration.
static void pull_wagons(double acceleration, double force[2])
{
    const char *const settings[] = {"vehicle.vehicles.wagon.file.patterns.wheelset.profile=cone",
                                    "track.rail.profile=round", NULL};
    char drive[64];
    (void)snprintf(drive, sizeof drive, "\"speed\": [ { \"acceleration\": %g } ],", acceleration);
    write_run(drive);
    CHECK_FREED(rake) r = rake_read(settings);
    rake_start(&r);
    rake_simulate(&r);
    rake_go(&r, 15.0);
    for (int gap = 1; gap <= 2; gap++)
        force[gap - 1] = force_of(&r, kane_simulation_work(r.simulation), gap);
}

// Wheels that roll are heavier by their turning: (m + J/r^2) a. What spin in the contacts resists, a few newtons, falls
// out of half the difference of pulling and braking.
CHECK_TEST(wagons_are_pulled_with_their_rolling_wheels)
{
    double pulling[2], braking[2];
    rake_write("train.json",
               "{ \"kane\": \"train 1\", \"vehicles\": {"
               " \"wagon\": { \"file\": \"SOURCES/vehicles/two-axle-wagon.json\", \"length\": 12, \"count\": 3 } },"
               " \"couplers\": { \"spring\": { \"law\": \"bushing\", \"height\": 1.06, \"stiffness\": [5e6, 0, 0],"
               " \"damping\": [5e5, 0, 0] } } }");
    pull_wagons(0.3, pulling);
    pull_wagons(-0.3, braking);
    const double wagon = 34e3 + 2.0 * (1250.0 + 100.0 / (0.46 * 0.46));
    for (int gap = 1; gap <= 2; gap++)
        check_relative(0.5 * (pulling[gap - 1] - braking[gap - 1]), (3 - gap) * wagon * 0.3, 5e-5);
}

CHECK_MAIN(enter_folder, leave_folder)
