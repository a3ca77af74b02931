// SPDX-License-Identifier: MIT
// Channels are what their descriptions say: against what the state says, and against mechanics by hand.

#include "property/wagon/wagon.h"

typedef struct reading {
    kane_channels *channels;
    double values[1024];
} reading;

static reading read_all(wagon *w)
{
    static const char *const all[] = {"*"};
    reading r                      = {.channels = CHECK_GOOD(kane_channels_create, w->simulation, 1, all, NULL)};
    assert_true(kane_channels_count(r.channels) < 1024);
    kane_channels_read(r.channels, w->simulation, r.values);
    return r;
}

static double value_of(const reading *r, const char *format, ...) KANE_PRINTF(2, 3);
static double value_of(const reading *r, const char *format, ...)
{
    char name[128];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    for (int i = 0; i < kane_channels_count(r->channels); i++)
        if (strcmp(kane_channels_info(r->channels, i)->name, name) == 0)
            return r->values[i];
    fail_msg("there is no channel %s", name);
    return 0.0;
}

// In the transition: motion, frames, imaginary terms and elements are those of the state.
CHECK_TEST(channels_are_the_state)
{
    static const char *const axes[] = {"x", "y", "z"}, *const names[] = {"body", "leading", "trailing"};
    CHECK_FREED(wagon) w = wagon_open_with("wagon-transition", "track.start=1000", "start.at=1010");
    assert_true(wagon_go(&w, 4.0));
    reading r             = read_all(&w);
    const kane_work *work = kane_simulation_work(w.simulation);
    check_near(value_of(&r, "time"), 4.0, 0.0);
    check_near(value_of(&r, "distance"), 64.0, 1e-12);
    check_near(value_of(&r, "chainage"), 1074.0, 1e-12);
    check_near(value_of(&r, "speed"), 17.0, 1e-14);
    check_near(value_of(&r, "acceleration"), 0.5, 0.0);
    for (int j = BODY; j <= TRAILING; j++) {
        double q[6], rates[6];
        kane_vec3 p, alpha;
        kane_get_relative(w.model, work, j, q, rates);
        kane_get_absolute(w.model, work, j, NULL, NULL, &p, &alpha);
        for (int c = 0; c < 6; c++) {
            const char *coordinate = kane_coordinate_name((kane_coordinate)c);
            check_near(value_of(&r, "%s.%s", names[j], coordinate), q[c], 0.0);
            check_near(value_of(&r, "%s.rate.%s", names[j], coordinate), rates[c], 0.0);
        }
        const kane_transport *T = &work->transport[w.model->bodies[j].track_frame];
        for (int axis = 0; axis < 3; axis++) {
            check_near(value_of(&r, "%s.acceleration.%s", names[j], axes[axis]), kv3_get(p, axis), 0.0);
            check_near(value_of(&r, "%s.alpha.%s", names[j], axes[axis]), kv3_get(alpha, axis), 0.0);
            check_near(value_of(&r, "%s.frame.omega.%s", names[j], axes[axis]), kv3_get(T->omega, axis), 0.0);
            check_near(value_of(&r, "%s.frame.epsilon.%s", names[j], axes[axis]), kv3_get(T->epsilon, axis), 0.0);
            for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
                const char *name      = kane_imaginary_term_name((kane_imaginary_term)term);
                const kane_vec3 force = kane_get_imaginary(w.model, work, j, KANE_FORCE, (kane_imaginary_term)term);
                check_near(value_of(&r, "imaginary.%s.force.%s.%s", names[j], name, axes[axis]), kv3_get(force, axis),
                           0.0);
            }
        }
    }
    const double I_z = 4.5e5, s = value_of(&r, "chainage") - 1000.0 - 50.0, x = s / 60.0; // Bloss to 1/600 1/m
    const double slope = (6.0 * x - 6.0 * x * x) / 60.0 / 600.0, curvature = (3.0 * x * x - 2.0 * x * x * x) / 600.0;
    check_relative(value_of(&r, "imaginary.body.torque.rotation.z"), -I_z * (0.5 * curvature + 17.0 * 17.0 * slope),
                   5e-3); // but for the cosine of the cant
    kane_wrench on_b;
    kane_relative relative;
    kane_get_element(w.model, work, 1, &on_b, &relative);
    check_near(value_of(&r, "leading axlebox right.force.z"), on_b.force.z, 0.0);
    check_near(value_of(&r, "leading axlebox right.displacement.y"), relative.d.y, 0.0);
    check_near(value_of(&r, "leading axlebox right.velocity.x"), relative.v.x, 0.0);
    kane_channels_free(r.channels);
}

// Accelerating on straight track: traction moves the mass and spins the wheelsets up, which rails do by pushing back.
CHECK_TEST(traction_moves_mass_and_wheels)
{
    CHECK_FREED(wagon) w = wagon_open("wagon-transition", NULL);
    assert_true(wagon_go(&w, 1.7));
    reading r           = read_all(&w);
    double T_x          = 0.0;
    const double radius = value_of(&r, "leading.left.patch1.radius"), spin_up = 2.0 * 100.0 * 0.5 / (radius * radius);
    for (int wheel = 0; wheel < 4; wheel++)
        T_x += value_of(&r, "%s.%s.T_x", wheel < 2 ? "leading" : "trailing", wheel % 2 ? "right" : "left");
    check_relative(T_x, -spin_up, 0.05);
    check_relative(value_of(&r, "body.reaction.x"), 36500.0 * 0.5 - T_x, 2e-3);
    check_relative(value_of(&r, "power.drive"), value_of(&r, "body.reaction.x") * value_of(&r, "speed"), 1e-6);
    check_relative(value_of(&r, "energy.kinetic"),
                   0.5 * 36500.0 * 15.85 * 15.85 + 0.5 * 200.0 * pow(15.85 / radius, 2.0), 1e-4);
    kane_channels_free(r.channels);
}

// A steady left-hand curve with cant deficiency: rails are pressed down by weight and to the right, the outer side.
CHECK_TEST(rails_are_pushed_down_and_outward)
{
    const double v = 25.0, R = 600.0, theta = asin(0.1 / 1.5), g = 9.81;
    CHECK_FREED(wagon) w = wagon_open_with("wagon-transition", "start.speed=25", "until.distance=1190",
                                           "track.sections[2].curve=1200", "speed=[]");
    assert_true(wagon_go(&w, 45.0));
    reading r = read_all(&w);
    double Q = 0.0, Y = 0.0;
    for (int wheel = 0; wheel < 4; wheel++) {
        const char *name = wheel < 2 ? "leading" : "trailing", *side = wheel % 2 ? "right" : "left";
        Q += value_of(&r, "%s.%s.Q", name, side);
        Y += value_of(&r, "%s.%s.Y", name, side);
        double N = 0.0, wear = 0.0;
        for (int patch = 1; patch <= 3; patch++) {
            N += value_of(&r, "%s.%s.patch%d.N", name, side, patch);
            wear += fabs(value_of(&r, "%s.%s.patch%d.T_x", name, side, patch) *
                         value_of(&r, "%s.%s.patch%d.xi_x", name, side, patch));
            wear += fabs(value_of(&r, "%s.%s.patch%d.T_y", name, side, patch) *
                         value_of(&r, "%s.%s.patch%d.xi_y", name, side, patch));
        }
        check_relative(value_of(&r, "%s.%s.N", name, side), N, 1e-14);
        assert_true(wear > 1.0);
        check_relative(value_of(&r, "%s.%s.T_gamma", name, side), wear, 1e-14);
        check_near(value_of(&r, "%s.%s.lift", name, side), 0.0, 0.01);
    }
    check_relative(Q, 36500.0 * (g * cos(theta) + v * v / R * sin(theta)), 5e-3);
    check_relative(Y, -36500.0 * (v * v / R * cos(theta) - g * sin(theta)), 5e-3);
    kane_channels_free(r.channels);
}

// The panel of flexible track under a wheelset: its motion, and the ground's forces, which move it against the wheels'.
CHECK_TEST(panels_of_flexible_track_have_channels)
{
    CHECK_FREED(wagon) w = wagon_open("wagon-flexible", NULL);
    assert_true(wagon_go(&w, 9.3));
    reading r = read_all(&w);
    double q[6], rates[6];
    const int panel = kane_model_find_body(w.model, "trailing.track");
    assert_true(panel > TRAILING);
    kane_get_relative(w.model, kane_simulation_work(w.simulation), panel, q, rates);
    for (int c = 0; c < 6; c++) {
        const char *name = kane_coordinate_name((kane_coordinate)c);
        if (c != KANE_Y && c != KANE_Z && c != KANE_ROLL) {
            check_near(q[c], 0.0, 0.0);
            continue;
        }
        assert_true(q[c] != 0.0);
        check_near(value_of(&r, "trailing.track.%s", name), q[c], 0.0);
        check_near(value_of(&r, "trailing.track.rate.%s", name), rates[c], 0.0);
    }
    const double Q = value_of(&r, "trailing.left.Q") + value_of(&r, "trailing.right.Q");
    const double Y = value_of(&r, "trailing.left.Y") + value_of(&r, "trailing.right.Y");
    const double y = value_of(&r, "trailing.track.force.y"), z = value_of(&r, "trailing.track.force.z");
    check_near(y, -20e6 * q[KANE_Y] - 80e3 * rates[KANE_Y], 1e-6);
    check_near(z, 36500.0 * 9.81 / 2.0 - 140e6 * q[KANE_Z] - 260e3 * rates[KANE_Z], 1e-3);
    check_near(value_of(&r, "trailing.track.torque.x"), -80e6 * q[KANE_ROLL] - 150e3 * rates[KANE_ROLL], 1e-3);
    check_near(900.0 * value_of(&r, "trailing.track.acceleration.y"), y + Y, 1e-6 * Q);
    check_near(850.0 * value_of(&r, "trailing.track.acceleration.z"), z - Q, 1e-6 * Q);
    assert_true(fabs(value_of(&r, "trailing.track.alpha.x")) > 0.0);
    assert_true(fabs(Y) > 100.0);
    kane_channels_free(r.channels);
}

// Of a driven vehicle speed and acceleration are those of its guide, not of the frames that follow it: differences of
// the place where the guide is, over the first metres, which are straight. The guide goes 1 mm/s faster or slower than
// its frame here.
CHECK_TEST(a_driven_vehicle_has_the_speed_of_its_guide)
{
    enum { MILLISECONDS = 5, STEPS = 200 };
    const double h = 1e-3 * MILLISECONDS;
    double place[STEPS], speed[STEPS], acceleration[STEPS], ahead = 0.0;
    CHECK_FREED(wagon) w = wagon_open("wagon-driven", NULL);
    for (int i = 0; i < STEPS; i++) {
        if (i > 0)
            assert_true(wagon_go(&w, h * i));
        reading r       = read_all(&w);
        place[i]        = value_of(&r, "distance") + value_of(&r, "body.x");
        speed[i]        = value_of(&r, "speed");
        acceleration[i] = value_of(&r, "acceleration");
        ahead           = fmax(ahead, fabs(value_of(&r, "body.rate.x")));
        kane_channels_free(r.channels);
    }
    for (int i = 1; i + 1 < STEPS; i++) {
        check_near(speed[i], (place[i + 1] - place[i - 1]) / (2.0 * h), 1.5e-5);
        check_near(acceleration[i], (speed[i + 1] - speed[i - 1]) / (2.0 * h), 5e-4);
    }
    assert_true(ahead > 1e-4);
    assert_true(acceleration[STEPS - 1] > 0.05);
}

// Counts channels of patterns, and those among them of one group.
static int count(const wagon *w, const char *pattern, const char *group)
{
    const char *const patterns[]         = {pattern};
    int found                            = 0;
    CHECK_OWNED(kane_channels) *channels = CHECK_GOOD(kane_channels_create, w->simulation, 1, patterns, NULL);
    for (int i = 0; i < kane_channels_count(channels); i++)
        found += !group || strcmp(kane_channels_info(channels, i)->group, group) == 0;
    return found;
}

// Every channel is of one group; the default is what is drawn.
CHECK_TEST(channels_have_groups)
{
    static const struct {
        const char *name, *group;
        int is_default;
    } rows[] = {
        {"time", "travel", 1},
        {"body.yaw", "motions", 1},
        {"body.rate.yaw", "speeds", 0},
        {"body.alpha.z", "accelerations", 1},
        {"body.reaction.x", "reactions", 0},
        {"body.frame.omega.z", "frames", 0},
        {"leading.left.T_gamma", "wheels", 1},
        {"leading.left.patch1.pressure", "contact", 0},
        {"track.curvature", "track", 1},
        {"imaginary.body.force.rotation.y", "imaginary", 0},
        {"impulse.body.force.rotation.y", "imaginary", 0},
        {"power.drive", "energy", 0},
    };
    const char *const none[] = {NULL}, *const wrong[] = {"wheel"};
    CHECK_ERRORS errors  = {0};
    int sum              = 0;
    CHECK_FREED(wagon) w = wagon_open("wagon-transition", none);
    for (int group = 0; group < KANE_CHANNEL_GROUPS; group++) {
        const char *name = kane_channel_group_name((kane_channel_group)group);
        const int all    = count(&w, name, NULL);
        assert_int_equal(count(&w, name, name), all);
        assert_int_equal(count(&w, "default", name),
                         kane_channel_group_is_default((kane_channel_group)group, 0) ? all : 0);
        sum += all;
    }
    assert_int_equal(count(&w, "all", NULL), sum);
    assert_int_equal(count(&w, "*", NULL), sum);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (count(&w, rows[i].name, rows[i].group) != 1)
            fail_msg("%s is not of %s", rows[i].name, rows[i].group);
        assert_int_equal(count(&w, "default", rows[i].group) > 0, rows[i].is_default);
    }
    assert_null(kane_channels_create(w.simulation, 1, wrong, NULL, &errors));
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "did you mean 'wheels'?"));
}

CHECK_MAIN(NULL, NULL)
