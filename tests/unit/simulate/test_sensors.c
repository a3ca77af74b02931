// SPDX-License-Identifier: MIT
// Accelerometers show what an accelerometer shows: closed forms of turning bodies and canted curves, differences of
// velocities.

#include "property/wagon/wagon.h"
#include "unit/run/typed.h"

#include <unistd.h>

static const double g = 9.81;

// What all three axes of a sensor show at the present state of a work.
static kane_vec3 read_sensor(const kane_model *model, const kane_work *work, const double *y, const char *name)
{
    char pattern[64];
    double values[3];
    const char *const patterns[] = {pattern};
    (void)snprintf(pattern, sizeof pattern, "%s.acceleration.*", name);
    CHECK_OWNED(kane_channels) *c = CHECK_GOOD(kane_channels_create_model, model, 1, patterns, NULL);
    assert_int_equal(kane_channels_count(c), 3);
    kane_channels_read_state(c, model, work, y, values);
    return kv3(values[0], values[1], values[2]);
}

// --- one body that can do nothing but yaw, along a curve ---

typedef struct carriage {
    kane_track *track;
    kane_model *model;
    kane_work *work;
    double y[20], ydot[20];
} carriage;

// A curve to the left with the cant angle -phi; the guide is at the origin of its frame but for the height h.
static carriage carriage_start(double curvature, double superelevation, double speed, double h, kane_vec3 at)
{
    const kane_section_definition curve = {
        .kind = KANE_CURVE, .length = 200.0, .curvature = curvature, .superelevation = superelevation};
    const kane_body_definition body     = {.block    = {"box", NULL},
                                           .mass     = 1000.0,
                                           .inertia  = {500.0, 500.0, 500.0},
                                           .position = {0.0, 0.0, h},
                                           .dof      = KANE_DOF(KANE_YAW)};
    const kane_sensor_definition sensor = {{"sensor", NULL}, "box", at};
    const kane_vehicle_definition v     = {.name         = "box",
                                           .guide        = "box",
                                           .gravity      = g,
                                           .body_count   = 1,
                                           .bodies       = &body,
                                           .sensor_count = 1,
                                           .sensors      = &sensor};
    kane_track_definition d             = kane_track_definition_default();
    kane_drive_definition drive         = kane_drive_definition_default();
    kane_model_options options          = kane_model_options_default();
    CHECK_ERRORS errors                 = {0};
    carriage c                          = {0};
    d.sections                          = &curve;
    d.section_count                     = 1;
    d.curvature                         = curvature;
    d.superelevation                    = superelevation;
    d.cant_axis                         = KANE_CANT_CENTRE_LINE;
    drive.start                         = 50.0;
    drive.speed                         = speed;
    c.track                             = CHECK_GOOD(kane_track_create, &d);
    c.model                             = CHECK_GOOD(kane_model_create, &v, c.track, &drive, &options);
    c.work                              = kane_work_create(c.model, &errors);
    assert_int_equal(kane_initial_state(c.model, c.work, c.y, &errors), KANE_OK);
    assert_int_equal(kane_eval(c.model, c.work, 0.0, c.y, c.ydot), KANE_OK);
    kane_observe(c.model, c.work);
    return c;
}

static void carriage_end(carriage *c)
{
    kane_work_free(c->work);
    kane_model_free(c->model);
    kane_track_free(c->track);
}

// At rest on level track it shows nothing, on canted track -g sin(theta) to the left (the right rail is higher) and
// g cos(theta) - g up.
CHECK_TEST(at_rest_it_shows_gravity_through_cant)
{
    const double theta = asin(0.12 / 1.5);
    carriage level     = carriage_start(0.0, 0.0, 0.0, 1.5, kv3(3.0, 0.7, 2.0));
    check_vec3(read_sensor(level.model, level.work, level.y, "sensor"), kv3_zero(), 1e-12);
    carriage_end(&level);
    CHECK_END(carriage_end) carriage canted = carriage_start(1.0 / 500.0, 0.12, 0.0, 1.5, kv3(3.0, 0.7, 2.0));
    check_vec3(read_sensor(canted.model, canted.work, canted.y, "sensor"),
               kv3(0.0, -g * sin(theta), g * cos(theta) - g), 1e-12);
}

// In a steady curve of radius R: (v/R)^2 rho cos(theta) - g sin(theta) to the left, rho the sensor's own radius; and
// toward the middle of the carriage (v/R)^2 x.
CHECK_TEST(in_a_curve_it_shows_what_passengers_feel)
{
    const double R = 500.0, v = 30.0, theta = asin(0.12 / 1.5), w2 = v / R * v / R;
    const kane_vec3 at                 = kv3(3.0, 0.7, 2.0);
    const double rho                   = R - (at.y * cos(theta) + at.z * sin(theta));
    CHECK_END(carriage_end) carriage c = carriage_start(1.0 / R, 0.12, v, 1.5, at);
    check_vec3(read_sensor(c.model, c.work, c.y, "sensor"),
               kv3(-w2 * at.x, w2 * rho * cos(theta) - g * sin(theta), w2 * rho * sin(theta) + g * cos(theta) - g),
               1e-10);
}

// --- a mechanism: a body that spins about a fixed axis ---

// About an axis (vehicle axes) through its mass centre, turned by `angle`, at `rate`.
static kane_vec3 spin(kane_mat3 axes, double angle, double rate, kane_vec3 at)
{
    const kane_joint_definition joint   = {.kind = KANE_JOINT_REVOLUTE, .from = {.axes = axes}, .to = {.axes = axes}};
    const kane_start_definition start   = {.q = {angle}, .rate = {rate}, .held_q = 1u, .held_rate = 1u};
    const kane_body_definition body     = {.block   = {"disc", NULL},
                                           .mass    = 10.0,
                                           .inertia = {2.0, 2.0, 2.0},
                                           .dof     = KANE_ALL_DOF,
                                           .joint   = &joint,
                                           .start   = &start};
    const kane_sensor_definition sensor = {{"sensor", NULL}, "disc", at};
    const kane_vehicle_definition v     = {
            .name = "disc", .gravity = g, .body_count = 1, .bodies = &body, .sensor_count = 1, .sensors = &sensor};
    const kane_drive_definition drive = kane_drive_definition_default();
    const kane_model_options options  = kane_model_options_default();
    CHECK_ERRORS errors               = {0};
    double y[20], ydot[20];
    CHECK_OWNED(kane_model) *model = CHECK_GOOD(kane_model_create, &v, NULL, &drive, &options);
    CHECK_OWNED(kane_work) *work   = kane_work_create(model, &errors);
    assert_int_equal(kane_initial_state(model, work, y, &errors), KANE_OK);
    assert_int_equal(kane_eval(model, work, 0.0, y, ydot), KANE_OK);
    kane_observe(model, work);
    const kane_vec3 shows = read_sensor(model, work, y, "sensor");
    return shows;
}

// Axes go along with the body: toward the axis w^2 r, along whatever axis of the body that is; gravity turns against
// it.
CHECK_TEST(a_spinning_sensor_shows_its_centripetal_acceleration)
{
    const kane_mat3 up = km3_identity(), to_the_left = km3_turn_x(km3_identity(), -1.0, 0.0); // z axis along y
    check_vec3(spin(up, 0.4, 3.0, kv3(0.5, 0.2, 0.1)), kv3(-9.0 * 0.5, -9.0 * 0.2, 0.0), 1e-12);
    check_vec3(spin(to_the_left, 0.3, 2.0, kv3(0.5, 0.2, 0.1)),
               kv3(-4.0 * 0.5 - g * sin(0.3), 0.0, -4.0 * 0.1 + g * cos(0.3) - g), 1e-12);
}

// --- any motion: against differences of the velocity of the point ---

// Velocity of a sensor's point, world axes, and the axes that it reads in.
static kane_vec3 velocity(const kane_model *model, const kane_work *work, int sensor, kane_mat3 *axes)
{
    const kane_fixed_marker *at = &model->sensors[sensor].at;
    const kane_body_state *b    = &work->body[at->body];
    *axes                       = b->R_w;
    return kv3_add(b->v_w, kv3_cross(b->w_w, km3_mulv(b->R_w, at->point)));
}

// In the fixed formulation, where world axes are at rest.
CHECK_TEST(it_is_the_derivative_of_velocity)
{
    static const char *const names[] = {"floor front", "floor rear", "buffer", "box"};
    const double h                   = 1e-5;
    CHECK_FREED(wagon) w =
        wagon_with("wagon-transition", "vehicle.sensors.buffer={\"on\":\"body\",\"at\":[5.4,0.9,1.06]}",
                   "vehicle.sensors.box={\"on\":\"leading\",\"at\":[4.5,1.0,0.46]}");
    w.definition.model.formulation = KANE_FIXED;
    wagon_start(&w);
    assert_true(wagon_go(&w, 3.7));
    const kane_work *now = kane_simulation_work(w.simulation);
    const int count      = kane_model_state_count(w.model);
    const double *y      = kane_simulation_state(w.simulation);
    CHECK_ERRORS errors  = {0};
    double ydot[64], moved[64];
    CHECK_OWNED(kane_work) *work = kane_work_create(w.model, &errors);
    assert_true(count <= 64 && kane_model_sensor_count(w.model) == 4);
    kane_work_copy(w.model, now, work);
    assert_int_equal(kane_eval(w.model, work, 3.7, y, ydot), KANE_OK);
    for (int i = 0; i < 4; i++) {
        kane_vec3 v[2];
        kane_mat3 axes;
        assert_string_equal(kane_model_sensor_name(w.model, i), names[i]);
        for (int side = 0; side < 2; side++) {
            double rates[64];
            for (int k = 0; k < count; k++)
                moved[k] = y[k] + (side ? h : -h) * ydot[k];
            assert_int_equal(kane_eval(w.model, work, 3.7 + (side ? h : -h), moved, rates), KANE_OK);
            v[side] = velocity(w.model, work, i, &axes);
        }
        (void)velocity(w.model, now, i, &axes);
        const kane_vec3 a = kv3_scale(0.5 / h, kv3_sub(v[1], v[0]));
        const kane_vec3 f = km3_tmulv(axes, kv3_add(a, kv3(0.0, 0.0, g)));
        check_vec3(read_sensor(w.model, now, y, names[i]), kv3_sub(f, kv3(0.0, 0.0, g)), 1e-5);
    }
}

// The formulation does not matter.
CHECK_TEST(it_shows_the_same_in_both_formulations)
{
    kane_vec3 shows[2][2];
    for (int k = 0; k < 2; k++) {
        CHECK_FREED(wagon) w =
            wagon_with("wagon-transition", "vehicle.sensors.box={\"on\":\"leading\",\"at\":[4.5,1.0,0.46]}", TIGHT);
        w.definition.model.formulation = k ? KANE_FIXED : KANE_MOVING;
        wagon_start(&w);
        assert_true(wagon_go(&w, 3.7));
        const kane_work *work = kane_simulation_work(w.simulation);
        const double *y       = kane_simulation_state(w.simulation);
        shows[k][0]           = read_sensor(w.model, work, y, "floor front");
        shows[k][1]           = read_sensor(w.model, work, y, "box");
    }
    assert_true(fabs(shows[0][0].y) > 5e-3);
    check_vec3(shows[1][0], shows[0][0], 1e-5);
    check_vec3(shows[1][1], shows[0][1], 1e-3); // stiff contacts
}

// --- the line under the guide ---

CHECK_TEST(the_line_has_channels)
{
    static const char *const patterns[] = {"track.*"};
    const char *const none[]            = {NULL};
    double values[6];
    wagon w = wagon_read("wagon-irregular", none);
    wagon_start(&w);
    assert_true(wagon_go(&w, 7.3));
    kane_channels *c = CHECK_GOOD(kane_channels_create, w.simulation, 1, patterns, NULL);
    assert_int_equal(kane_channels_count(c), 6);
    kane_channels_read(c, w.simulation, values);
    const double s = 10.0 + 20.0 * 7.3, turn = 2.0 * 3.14159265358979323846, grad = turn / 360.0;
    check_near(values[0], 0.0, 0.0);
    check_near(values[1], 0.0, 0.0);
    check_near(values[2], 1.2e-3 * sin(turn * s / 21.0 + 80.0 * grad) + 0.4e-3 * sin(turn * s / 7.3), 5e-9);
    check_near(values[3],
               1.5e-3 * sin(turn * s / 25.0) + 0.6e-3 * sin(turn * s / 9.7 + 40.0 * grad) +
                   0.25e-3 * sin(turn * s / 4.1 + 110.0 * grad),
               5e-9);
    check_near(values[4], 0.8e-3 * sin(turn * s / 13.0 + 200.0 * grad), 5e-9);
    check_near(values[5], 0.0, 1e-12);
    kane_channels_free(c);
    wagon_free(&w);

    w = wagon_read("wagon-transition", none); // to 1/600 1/m and 100 mm, smooth rails
    wagon_start(&w);
    assert_true(wagon_go(&w, 9.0));
    c = CHECK_GOOD(kane_channels_create, w.simulation, 1, patterns, NULL);
    assert_int_equal(kane_channels_count(c), 2);
    kane_channels_read(c, w.simulation, values);
    check_near(values[0], 1.0 / 600.0, 1e-12);
    check_near(values[1], 0.1, 1e-12);
    kane_channels_free(c);
    wagon_free(&w);
}

// --- files ---

// In a train sensors have their vehicle's name in front; in a vehicle that is turned they stand on the other side.
CHECK_TEST(trains_have_the_sensors_of_their_vehicles)
{
    char file[] = "/tmp/kane_sensors_XXXXXX", text[1024];
    assert_true(close(mkstemp(file)) == 0);
    (void)snprintf(
        text, sizeof text,
        "{ \"kane\": \"train 1\", \"vehicles\": { \"first\": { \"file\": \"%s/vehicles/two-axle-wagon.json\","
        " \"length\": 12 }, \"last\": { \"file\": \"%s/vehicles/two-axle-wagon.json\", \"length\": 12,"
        " \"reversed\": true, \"settings\": [\"sensors.floor front.at=[4.5, 0.3, 1.2]\"] } } }",
        KANE_SOURCE_DIR, KANE_SOURCE_DIR);
    write_file(file, text);
    kane_vehicle *read               = CHECK_GOOD(kane_vehicle_read, file, NULL);
    const kane_vehicle_definition *d = kane_vehicle_get_definition(read);
    assert_int_equal(d->sensor_count, 4);
    assert_string_equal(d->sensors[0].block.name, "first floor front");
    assert_string_equal(d->sensors[0].on, "first body");
    check_vec3(d->sensors[0].at, kv3(4.5, 0.0, 1.2), 0.0);
    assert_string_equal(d->sensors[2].block.name, "last floor front");
    assert_string_equal(d->sensors[2].on, "last body");
    check_vec3(d->sensors[2].at, kv3(-12.0 - 4.5, -0.3, 1.2), 1e-12);
    kane_vehicle_free(read);
    (void)unlink(file);
}

// What is wrong is said with its place.
CHECK_TEST(wrong_sensors_are_told)
{
    static const char *const rows[][2] = {
        {"{\"on\":\"leading\",\"at\":[4.5,1.0,0.5]}",
         "a sensor on the wheelset 'leading' must be on its axle: [4.5, ..., 0.46]"},
        {"{\"on\":\"boby\",\"at\":[0,0,1]}", "did you mean 'body'"},
    };
    char setting[128];
    for (size_t i = 0; i < sizeof rows / sizeof *rows + 1; i++) {
        const int named_as_body = i == sizeof rows / sizeof *rows;
        CHECK_ERRORS errors     = {0};
        if (named_as_body)
            (void)snprintf(setting, sizeof setting, "vehicle.sensors.body={\"on\":\"body\",\"at\":[0,0,1]}");
        else
            (void)snprintf(setting, sizeof setting, "vehicle.sensors.bad=%s", rows[i][0]);
        CHECK_FREED(wagon) w         = wagon_with("wagon-transition", setting);
        const kane_run_definition *d = &w.definition;
        w.model                      = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors);
        assert_null(w.model);
        assert_int_equal(errors.count, 1);
        if (!strstr(kane_errors_get(&errors, 0)->text, named_as_body ? "there is a body called 'body'" : rows[i][1]))
            fail_msg("row %zu: %s", i, kane_errors_get(&errors, 0)->text);
    }
}

CHECK_MAIN(NULL, NULL)
