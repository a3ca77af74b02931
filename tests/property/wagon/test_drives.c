// SPDX-License-Identifier: MIT
// A vehicle moves in the same way whoever moves its frames, and wherever they are: frames at a prescribed speed, frames
// that follow the guide quickly or slowly, frames shared with a distant body, frames that the vehicle trails behind.
//
// The motion that is compared is absolute, so that nothing of the frames is left in it: place and attitude of every
// body in A. The search for the rails, and when wheelsets and frames pass borders, differ on both sides of each
// comparison.

#include "property/wagon/wagon.h"

enum { BODIES = 8, WHEELS = 8, ROWS = 400 };

// Absolute motion every `every` seconds.
typedef struct journey {
    int rows, bodies, wheels;
    kane_vec3 at[ROWS][BODIES];   // mass centres [m]
    kane_mat3 axes[ROWS][BODIES]; // body axes, of a wheelset its axle boxes
    double Q[ROWS][WHEELS];       // [N]
    double x[ROWS];               // of the guide, relative to its track frame [m]
} journey;

static const double every = 0.02;

// Lines on which ramps begin with a kink, with a kink of the attitude, and smoothly.
static const char *const lines[][2] = {
    {"track.sections[1].shape=clothoid", "track.cant_axis=centre_line"},
    {"track.sections[1].shape=clothoid", "track.cant_axis=inner_rail"},
    {"track.sections[1].shape=bloss", "track.cant_axis=centre_line"},
};
enum { LINES = sizeof lines / sizeof *lines };

// All bodies but the tug. The world of an evaluation has the axes of the guide's frame in the moving formulation.
static void write_row(wagon *w, journey *out)
{
    const kane_work *work    = kane_simulation_work(w->simulation);
    const kane_model *model  = w->model;
    const kane_track_frame g = work->track_frame[0];
    const kane_vec3 origin   = kv3_add(kane_track_anchor(model->track, work->piece[0]), g.origin);
    const int row            = out->rows++;
    double q[6], rates[6];
    assert_true(row < ROWS && model->formulation == KANE_MOVING);
    out->bodies = 0;
    for (int j = 0; j < model->body_count; j++) {
        if (strcmp(model->bodies[j].name, "tug") == 0)
            continue;
        const int body       = out->bodies++;
        out->at[row][body]   = kv3_add(origin, km3_mulv(g.R, work->body[j].r_w));
        out->axes[row][body] = km3_mul(g.R, work->body[j].R_w);
    }
    for (int i = 0; i < out->wheels; i++)
        out->Q[row][i] = wagon_Q(w, model->wheels[i / 2].body, i % 2);
    kane_get_relative(model, work, model->guide, q, rates);
    out->x[row] = q[KANE_X];
}

static void travel(wagon *w, double from, double to, journey *out)
{
    *out = (journey){.wheels = 2 * w->model->wheels_count};
    for (int i = 0; from + i * every <= to; i++) {
        if (!wagon_go(w, from + i * every))
            fail_msg("it ended at %g s: %s", kane_simulation_time(w->simulation),
                     kane_stop_name(kane_simulation_stop(w->simulation)));
        write_row(w, out);
    }
}

// The largest differences of places (along the way of the first body, and across it) and attitudes, and of the wheel
// loads' share of what they are.
static void check_same(const char *what, const journey *a, const journey *b, double along, double motion, double load)
{
    double ahead = 0.0, place = 0.0, attitude = 0.0, Q = 0.0, most = 0.0;
    assert_int_equal(a->rows, b->rows);
    for (int row = 0; row < a->rows; row++) {
        for (int j = 0; j < a->bodies; j++) {
            const kane_mat3 turn = km3_tmul(a->axes[row][j], b->axes[row][j]);
            const kane_vec3 d    = km3_tmulv(a->axes[row][0], kv3_sub(a->at[row][j], b->at[row][j]));
            ahead                = fmax(ahead, fabs(d.x));
            place                = fmax(place, hypot(d.y, d.z));
            attitude =
                fmax(attitude, 0.5 * kv3_norm(kv3(turn.y.z - turn.z.y, turn.z.x - turn.x.z, turn.x.y - turn.y.x)));
        }
        for (int i = 0; i < a->wheels; i++) {
            Q    = fmax(Q, fabs(a->Q[row][i] - b->Q[row][i]));
            most = fmax(most, fabs(a->Q[row][i]));
        }
    }
    const int word = (int)strcspn(what, " ");
    check_figure(ahead, "%.*s: along", word, what);
    check_figure(place, "%.*s: across", word, what);
    check_figure(attitude, "%.*s: attitude", word, what);
    check_figure(Q, "%.*s: Q", word, what);
    motion = check_tolerance(motion);
    if (!(ahead <= check_tolerance(along) && place <= motion && attitude <= motion &&
          Q <= check_tolerance(load) * most))
        fail_msg("%s: differ by %g m along, %g m across, %g rad, and Q by %g of %g N", what, ahead, place, attitude, Q,
                 most);
}

static void say(size_t size, char *text, const char *run, const char *const *settings)
{
    (void)snprintf(text, size, "%s", run);
    for (; *settings; settings++)
        (void)snprintf(text + strlen(text), size - strlen(text), " %s", *settings);
}

// --- shared frames ---

// A run with wheelsets in frames of their own, and in those of another body.
static void compare_frames(const char *run, double to, int count, const char *const *settings, int shared,
                           const char *const *share)
{
    static journey own, other;
    const char *with[16] = {NULL};
    char text[512];
    for (int i = 0; i < count; i++)
        with[i] = settings[i];
    wagon w = wagon_read(run, with);
    wagon_start(&w);
    travel(&w, 0.0, to, &own);
    wagon_free(&w);
    for (int i = 0; i < shared; i++)
        with[count + i] = share[i];
    w = wagon_read(run, with);
    wagon_start(&w);
    travel(&w, 0.0, to, &other);
    wagon_free(&w);
    say(sizeof text, text, run, settings);
    check_same(text, &own, &other, 2e-6, 2e-6, 1e-3);
}

static const char *const body_has_wheelsets[] = {"vehicle.wheelsets.leading.frame=body",
                                                 "vehicle.wheelsets.trailing.frame=body"};

CHECK_TEST(wheelsets_find_their_rails_from_any_frame)
{
    for (int k = 0; k < LINES; k++) {
        const char *const settings[] = {lines[k][0],
                                        lines[k][1],
                                        "integrator.rtol=1e-7",
                                        "integrator.atol_position=1e-9",
                                        "integrator.atol_angle=1e-9",
                                        NULL};
        compare_frames("wagon-transition", 7.5, 5, settings, 2, body_has_wheelsets);
        compare_frames("wagon-driven", 7.5, 5, settings, 2, body_has_wheelsets);
    }
}

// The same where rails guide the wheels without giving way.
CHECK_TEST(guided_wheelsets_find_their_rails_from_any_frame)
{
    static const char *const ways[] = {"vehicle.patterns.wheelset.contact.model=constraint",
                                       "vehicle.patterns.wheelset.contact.model=table"};
    for (int way = 0; way < 2; way++)
        for (int k = 1; k < LINES; k++) {
            const char *const settings[] = {
                lines[k][0], lines[k][1], ways[way], "integrator.rtol=1e-8", "integrator.atol_position=1e-10", NULL};
            compare_frames("wagon-transition", 7.5, 5, settings, 2, body_has_wheelsets);
        }
}

CHECK_TEST(a_coachs_wheelsets_may_share_the_frames_of_its_bogies)
{
    static const char *const share[] = {"vehicle.wheelsets.\"wheelset 1\".frame=leading bogie",
                                        "vehicle.wheelsets.\"wheelset 2\".frame=leading bogie",
                                        "vehicle.wheelsets.\"wheelset 3\".frame=trailing bogie",
                                        "vehicle.wheelsets.\"wheelset 4\".frame=trailing bogie"};
    const char *const settings[]     = {
            lines[1][0], lines[1][1], "start.at=30", "integrator.rtol=1e-7", "integrator.atol_position=1e-9", NULL};
    compare_frames("coach-curve", 5.5, 5, settings, 4, share);
}

// --- drives ---

static kane_actuator_definition force_over_time(const char *on, int count, const double *time, const double *value)
{
    return (kane_actuator_definition){.block       = {.name = "pull"},
                                      .kind        = KANE_ACTUATOR_FORCE,
                                      .on          = on,
                                      .at_centre   = 1,
                                      .point_count = count,
                                      .time        = time,
                                      .value       = value};
}

// Pulled by the force that holds it at a prescribed speed a vehicle has that speed: the reaction of its guide's x, as
// it is at a prescribed speed, becomes an actuator's force over time.
CHECK_TEST(a_force_moves_a_vehicle_as_a_prescribed_speed_does)
{
    static journey prescribed, pulled;
    enum { POINTS = 4000 };
    static double time[POINTS], force[POINTS];
    for (int k = 0; k < LINES; k++) {
        const char *const settings[] = {lines[k][0],
                                        lines[k][1],
                                        "integrator.rtol=1e-7",
                                        "integrator.atol_position=1e-9",
                                        "integrator.atol_velocity=1e-7",
                                        NULL};
        char text[512];
        wagon w = wagon_read("wagon-transition", settings);
        wagon_start(&w);
        travel(&w, 0.0, 7.5, &prescribed);
        wagon_free(&w);

        w = wagon_read("wagon-transition", settings);
        wagon_start(&w);
        for (int i = 0; i < POINTS; i++) {
            time[i] = 0.002 * i;
            assert_true(wagon_go(&w, time[i]));
            force[i] = kane_get_reaction(w.model, kane_simulation_work(w.simulation), BODY, KANE_X);
        }
        wagon_free(&w);

        w                                        = wagon_read("wagon-transition", settings);
        const kane_actuator_definition actuators = force_over_time("body", POINTS, time, force);
        w.definition.drive.kind                  = KANE_DRIVE_DRIVEN;
        w.definition.drive.piece_count           = 0;
        w.definition.drive.actuator_count        = 1;
        w.definition.drive.actuators             = &actuators;
        wagon_start(&w);
        travel(&w, 0.0, 7.5, &pulled);
        wagon_free(&w);
        say(sizeof text, text, "pulled", settings);
        check_same(text, &prescribed, &pulled, 2e-4, 1e-5, 0.01);
    }
}

// Neither the motion nor the loads depend on how the frames follow.
CHECK_TEST(how_frames_follow_makes_no_difference)
{
    static const char *const rates[] = {"follower.rate=2", "follower.rate=60"};
    static journey soft, stiff;
    for (int k = 0; k < LINES; k++) {
        char text[512];
        double farthest = 0.0;
        for (int i = 0; i < 2; i++) {
            const char *const settings[] = {
                lines[k][0], lines[k][1], rates[i], "integrator.rtol=1e-7", "integrator.atol_position=1e-9", NULL};
            wagon w = wagon_read("wagon-driven", settings);
            wagon_start(&w);
            travel(&w, 0.0, 7.5, i ? &stiff : &soft);
            wagon_free(&w);
            say(sizeof text, text, "followed", settings);
        }
        for (int row = 0; row < soft.rows; row++)
            farthest = fmax(farthest, fabs(soft.x[row]));
        assert_true(farthest > 0.01); // the frames were elsewhere
        check_same(text, &soft, &stiff, 2e-6, 2e-6, 1e-3);
    }
}

// A constant force leaves no distance between the guide and its frame.
CHECK_TEST(frames_follow_a_steady_acceleration_without_error)
{
    static journey out;
    wagon w = wagon_with("wagon-driven", "track=" KANE_SOURCE_DIR "/data/tracks/straight.json",
                         "drive={\"pull\":{\"kind\":\"force\",\"on\":\"body\",\"time\":[0],\"force\":[\"36 kN\"]}}",
                         "until.time=6");
    wagon_start(&w);
    travel(&w, 0.0, 5.0, &out);
    double s, v, a, farthest = 0.0;
    kane_get_travel(kane_simulation_work(w.simulation), &s, &v, &a);
    for (int row = 0; row < out.rows; row++)
        farthest = fmax(farthest, fabs(out.x[row]));
    wagon_free(&w);
    check_near(out.x[out.rows - 1], 0.0, 1e-6);
    assert_true(a > 0.9);        // 36 kN on 37.4 t that roll
    check_below(farthest, 5e-3); // at the start: .3 a/rate^2
}

// --- frames far ahead ---

// Where the guide is a body of its own, which the wagon hangs on with slack, all frames run ahead of the wagon by the
// slack. It moves as it does in frames of its own that start so much farther back.
CHECK_TEST(a_wagon_behind_its_frames_moves_as_one_in_them)
{
    static const char *const straight = "track.sections[0].straight=100", *const speed =
                                                                              "speed=[{\"acceleration\":0.3}]";
    static journey behind, within;
    for (int k = 0; k < LINES; k++) {
        char text[512], at[64];
        wagon w = wagon_with(
            "wagon-transition", lines[k][0], lines[k][1], "integrator.rtol=1e-7", "integrator.atol_position=1e-9",
            straight, speed,
            "vehicle.bodies.tug={\"mass\":1000,\"inertia\":[1000,1000,1000],\"at\":[0,0,1.6],\"dof\":[\"x\"]}",
            "vehicle.reference_body=tug",
            "vehicle.elements.slack={\"law\":\"bump stop\",\"between\":[\"tug\",\"body\"],\"at\":[0,0,1.6],"
            "\"direction\":\"x\",\"clearance\":[0.07],\"stiffness\":\"20 MN/m\"}",
            "vehicle.elements.damper={\"law\":\"bushing\",\"between\":[\"tug\",\"body\"],\"at\":[0,0,1.6],"
            "\"stiffness\":[0,0,0],\"damping\":[\"300 kN s/m\",0,0]}");
        double q[18];
        wagon_start(&w);
        assert_true(wagon_go(&w, 4.0)); // the slack has run out, before the leading wheelset comes to the transition
        wagon_coordinates(&w, q);
        travel(&w, 4.0, 10.0, &behind);
        wagon_free(&w);
        assert_true(q[KANE_X] < -0.07);

        (void)snprintf(at, sizeof at, "start.at=%.17g", 10.0 + q[KANE_X]);
        const char *const alone[] = {
            lines[k][0], lines[k][1], "integrator.rtol=1e-7", "integrator.atol_position=1e-9", straight, speed,
            at,          NULL};
        w = wagon_read("wagon-transition", alone);
        wagon_start(&w);
        travel(&w, 4.0, 10.0, &within);
        wagon_free(&w);
        say(sizeof text, text, "behind", alone);
        check_same(text, &behind, &within, 1e-3, 1e-5, 0.01);
    }
}

CHECK_MAIN(NULL, NULL)
