// SPDX-License-Identifier: MIT
// Vehicles in trains and alone: a train of one is its vehicle, vehicles that nothing couples do not know of each other,
// and couplers see where frames of the line really are.

#include "property/train/train.h"

static void write_wagons(const char *vehicles)
{
    char text[2048];
    (void)snprintf(text, sizeof text, "{ \"kane\": \"train 1\", \"vehicles\": { %s } }", vehicles);
    rake_write("train.json", text);
    rake_write("track.json", "{ \"kane\": \"track 1\", \"rail\": { \"profile\": \"60E1\", \"inclination\": \"1:40\" },"
                             " \"sections\": [ { \"straight\": 50 }, { \"transition\": 60, \"shape\": \"bloss\","
                             " \"to\": { \"radius\": 500, \"cant\": \"100 mm\" } }, { \"curve\": 200 } ] }");
}

static void write_run(const char *vehicle, double at, const char *more)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "{ \"kane\": \"run 1\", \"vehicle\": \"%s\", \"track\": \"track.json\","
                   " \"start\": { \"at\": %.17g, \"speed\": 15 }, \"until\": { \"time\": 20 } %s }",
                   vehicle, at, more);
    write_file("run.json", text);
}

// Bit by bit, over a run into a curve.
CHECK_TEST(a_train_of_one_is_its_vehicle)
{
    char alone[512];
    write_wagons("\"wagon\": { \"file\": \"SOURCES/vehicles/two-axle-wagon.json\", \"length\": 12 }");
    (void)snprintf(alone, sizeof alone, "%s/vehicles/two-axle-wagon.json", KANE_SOURCE_DIR);
    rake r[2];
    for (int i = 0; i < 2; i++) {
        write_run(i ? alone : "train.json", 10.0, ", \"speed\": [ { \"acceleration\": 0.4 } ]");
        r[i] = rake_read(NULL);
        rake_start(&r[i]);
        rake_simulate(&r[i]);
        rake_go(&r[i], 5.0);
    }
    const int states = kane_model_state_count(r[0].model);
    assert_int_equal(states, kane_model_state_count(r[1].model));
    assert_memory_equal(kane_simulation_state(r[0].simulation), kane_simulation_state(r[1].simulation),
                        (size_t)states * sizeof(double));
    rake_free(&r[0]);
    rake_free(&r[1]);
}

// Accelerations of a body in its frame.
static void accelerations(const rake *r, const char *name, kane_vec3 *p, kane_vec3 *alpha)
{
    kane_get_absolute(r->model, r->work, rake_body(r, name), NULL, NULL, p, alpha);
}

// In the transition at the start, where nothing is in equilibrium, the second wagon accelerates as one that stands
// there alone; so does one that is turned, since wagons are alike in front and behind.
CHECK_TEST(wagons_that_nothing_couples_do_not_know_of_each_other)
{
    static const char *const bodies[] = {"body", "leading", "trailing"};
    static const char *const turned[] = {"body", "trailing", "leading"};
    char alone[512];
    write_wagons("\"wagon\": { \"file\": \"SOURCES/vehicles/two-axle-wagon.json\", \"length\": 12, \"count\": 2 }");
    (void)snprintf(alone, sizeof alone, "%s/vehicles/two-axle-wagon.json", KANE_SOURCE_DIR);
    for (int is_turned = 0; is_turned < 2; is_turned++) {
        const char *const settings[] = {is_turned ? "vehicle.vehicles.wagon.reversed=true" : NULL, NULL};
        write_run("train.json", 92.0, ", \"drive\": {}");
        CHECK_FREED(rake) train = rake_read(settings);
        write_run(alone, 80.0, ", \"drive\": {}");
        CHECK_FREED(rake) single = rake_read(NULL);
        double moved             = 0.0;
        rake_start(&train);
        rake_start(&single);
        rake_evaluate(&train);
        rake_evaluate(&single);
        for (int j = 0; j < 3; j++) {
            char name[32];
            kane_vec3 p[2], alpha[2];
            (void)snprintf(name, sizeof name, "wagon 2 %s", is_turned ? turned[j] : bodies[j]);
            accelerations(&train, name, &p[0], &alpha[0]);
            accelerations(&single, bodies[j], &p[1], &alpha[1]);
            check_vec3(p[0], p[1], 1e-9);
            check_vec3(alpha[0], alpha[1], 1e-9);
            moved = fmax(moved, kv3_norm(alpha[1]));
        }
        assert_true(moved > 0.01);
    }
}

// Two carts in a transition: the coupler's ends are where the line's frames put them.
CHECK_TEST(couplers_see_both_frames)
{
    kane_wrench on_b;
    kane_relative relative;
    kane_track_frame frame[2];
    kane_vec3 point[2];
    rake_write_carts();
    rake_write("track.json", "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 50 }, { \"transition\": 60,"
                             " \"shape\": \"bloss\", \"to\": { \"radius\": 150, \"cant\": \"150 mm\" } },"
                             " { \"curve\": 200 } ] }");
    write_run("train.json", 90.0, "");
    const char *const settings[] = {"vehicle.couplers.spring.stiffness=[5e6, 2e6, 3e6]",
                                    "vehicle.vehicles.cart.count=2", NULL};
    CHECK_FREED(rake) r          = rake_read(settings);
    rake_start(&r);
    rake_evaluate(&r);
    kane_get_element(r.model, r.work, rake_element(&r, "spring 1"), &on_b, &relative);
    for (int i = 0; i < 2; i++) {
        const double s = i ? 80.0 : 90.0;
        kane_track_eval(r.definition.track, kane_track_find(r.definition.track, s), s, &frame[i]);
        point[i] = kv3_add(frame[i].origin, km3_mulv(frame[i].R, kv3(i ? 5.0 : -5.0, 0.0, 1.0)));
    }
    const kane_vec3 d = km3_tmulv(frame[0].R, kv3_sub(point[1], point[0]));
    assert_true(fabs(d.y) > 1e-2);
    check_vec3(relative.d, d, 1e-13);
    check_vec3(on_b.force, kv3(-5e6 * d.x, -2e6 * d.y, -3e6 * d.z), 1e-4);
}

// Wagons with couplers and a turned one, through the transition.
CHECK_TEST(a_train_runs_the_same_in_moving_and_fixed_frames)
{
    static const kane_formulation formulations[] = {KANE_MOVING, KANE_FIXED};
    double q[2][9][6], force[2][2];
    write_wagons("\"wagon\": { \"file\": \"SOURCES/vehicles/two-axle-wagon.json\", \"length\": 12 }");
    rake_write("train.json",
               "{ \"kane\": \"train 1\", \"patterns\": { \"wagon\": { \"length\": 12,"
               " \"file\": \"SOURCES/vehicles/two-axle-wagon.json\" } },"
               " \"vehicles\": { \"wagon\": { \"like\": \"wagon\", \"count\": 2 },"
               " \"last\": { \"like\": \"wagon\", \"reversed\": true, \"variant\": \"tare\" } },"
               " \"couplers\": { \"spring\": { \"law\": \"bushing\", \"height\": 1.06, \"stiffness\": [5e6, 2e5, 0],"
               " \"damping\": [8e4, 0, 0] } } }");
    write_run("train.json", 40.0,
              ", \"speed\": [ { \"acceleration\": 0.5 } ], \"integrator\": { \"rtol\": 1e-9, \"atol_position\": 1e-11,"
              " \"atol_angle\": 1e-11, \"atol_velocity\": 1e-10, \"atol_angular_velocity\": 1e-10 }");
    for (int f = 0; f < 2; f++) {
        CHECK_FREED(rake) r            = rake_read(NULL);
        r.definition.model.formulation = formulations[f];
        rake_start(&r);
        rake_simulate(&r);
        rake_go(&r, 4.0);
        const kane_work *work = kane_simulation_work(r.simulation);
        for (int j = 0; j < 9; j++) {
            double rates[6];
            kane_get_relative(r.model, work, j, q[f][j], rates);
        }
        for (int gap = 1; gap <= 2; gap++) {
            kane_wrench on_b;
            kane_relative relative;
            kane_get_element(r.model, work, rake_element(&r, gap == 1 ? "spring 1" : "spring 2"), &on_b, &relative);
            force[f][gap - 1] = on_b.force.x;
        }
    }
    for (int j = 0; j < 9; j++)
        for (int k = 0; k < 6; k++)
            check_near(q[0][j][k], q[1][j][k], 1e-7);
    for (int gap = 0; gap < 2; gap++) {
        assert_true(force[0][gap] > 4e3);
        check_near(force[0][gap], force[1][gap], 0.5);
    }
}

// A trailer with one axle rests with its front on the wagon before it, by a coupler whose static load is solved for:
// the weight's lever about the axle says how much, and the wagon's wheels carry it.
CHECK_TEST(a_vehicle_can_rest_on_its_neighbour)
{
    const double weight = 10e3 * 9.81, carried = weight * 4.0 / 10.0;
    double total = 0.0;
    rake_write("half.json",
               "{ \"kane\": \"vehicle 1\", \"reference_body\": \"body\", \"bodies\": { \"body\": { \"mass\": \"10 t\","
               " \"inertia\": [1e4, 1e5, 1e5], \"at\": [0, 0, 1.4] } }, \"wheelsets\": { \"axle\": { \"mass\": 1250,"
               " \"inertia\": [800, 100, 800], \"radius\": 0.46, \"at\": -4 } }, \"elements\": { \"axlebox\": {"
               " \"law\": \"bushing\", \"between\": [\"body\", \"axle\"], \"at\": [-4, 1, 0.46], \"mirror\": true,"
               " \"stiffness\": [3e6, 1.5e6, 1.2e6] } } }");
    write_wagons("");
    rake_write("train.json",
               "{ \"kane\": \"train 1\", \"vehicles\": {"
               " \"wagon\": { \"file\": \"SOURCES/vehicles/two-axle-wagon.json\", \"length\": 12 },"
               " \"trailer\": { \"file\": \"half.json\", \"length\": 12 } }, \"couplers\": { \"seat\": {"
               " \"law\": \"bushing\", \"height\": 1, \"stiffness\": [3e6, 1e6, 1e6], \"preload\": \"solved\" } } }");
    write_run("train.json", 40.0, "");
    CHECK_FREED(rake) r = rake_read(NULL);
    rake_start(&r);
    check_vec3(kane_model_static_load(r.model, rake_element(&r, "seat 1")), kv3(0.0, 0.0, carried), 1e-3);
    for (int j = 0; j < kane_model_body_count(r.model); j++) {
        double load[2] = {0.0, 0.0};
        if (kane_model_wheel_load(r.model, j, load) == KANE_OK)
            total += load[0] + load[1];
    }
    check_near(total, weight + 1250.0 * 9.81 + (34e3 + 2500.0) * 9.81, 1e-3);
    // of the wagon behind its middle: half its weight, and the carried load with its lever
    double rear[2];
    assert_int_equal(kane_model_wheel_load(r.model, rake_body(&r, "wagon trailing"), rear), KANE_OK);
    check_near(rear[0] + rear[1], 0.5 * (34e3 + 2500.0) * 9.81 + carried * (6.0 + 4.5) / 9.0, 0.1);
}

// Three wagons in equilibrium in a curve: each wheelset stands as that of the wagon alone (the couplers'
// angles are small and their springs act along them alone), and couplers pull what rolling resists behind them.
CHECK_TEST(a_train_has_its_equilibrium_in_a_curve)
{
    const kane_steady_definition curve = {.speed = 15.0, .curvature = 1.0 / 500.0, .superelevation = 0.06};
    char alone[512];
    kane_steady *s[2];
    rake r[2];
    write_wagons("");
    rake_write("train.json", "{ \"kane\": \"train 1\", \"patterns\": { \"wagon\": { \"length\": 12,"
                             " \"file\": \"SOURCES/vehicles/two-axle-wagon.json\" } },"
                             " \"vehicles\": { \"wagon\": { \"like\": \"wagon\", \"count\": 3 } },"
                             " \"couplers\": { \"spring\": { \"law\": \"spring\", \"height\": 1.06, \"length\": 2,"
                             " \"stiffness\": 5e6, \"damping\": 8e4 } } }");
    (void)snprintf(alone, sizeof alone, "%s/vehicles/two-axle-wagon.json", KANE_SOURCE_DIR);
    for (int i = 0; i < 2; i++) {
        write_run(i ? alone : "train.json", 60.0, "");
        r[i] = rake_read(NULL);
        s[i] = CHECK_GOOD(kane_steady_create, &r[i].definition, &curve);
        check_below(kane_steady_equilibrium(s[i])->residual, 1e-6);
    }
    const kane_model *train = kane_steady_model(s[0]), *single = kane_steady_model(s[1]);
    double q[6], expected[6], rates[6];
    kane_get_relative(single, kane_steady_work(s[1]), kane_model_find_body(single, "leading"), expected, rates);
    for (int n = 1; n <= 3; n++) {
        char name[32];
        (void)snprintf(name, sizeof name, "wagon %d leading", n);
        kane_get_relative(train, kane_steady_work(s[0]), kane_model_find_body(train, name), q, rates);
        check_near(q[KANE_Y], expected[KANE_Y], 1e-5);
        check_near(q[KANE_YAW], expected[KANE_YAW], 1e-5);
    }
    kane_wrench on_b[2];
    kane_relative relative;
    for (int gap = 0; gap < 2; gap++)
        kane_get_element(train, kane_steady_work(s[0]), rake_element(&r[0], gap ? "spring 2" : "spring 1"), &on_b[gap],
                         &relative);
    assert_true(on_b[1].force.x > 10.0);
    check_relative(on_b[0].force.x, 2.0 * on_b[1].force.x, 1e-3);
    for (int i = 0; i < 2; i++) {
        kane_steady_free(s[i]);
        rake_free(&r[i]);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
