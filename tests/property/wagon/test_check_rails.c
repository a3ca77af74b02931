// SPDX-License-Identifier: MIT
// Check rails on the backs of the wagon's flanges: at rest the force is that of the penetration, at the end of the
// chord where a yawed wheel touches; friction is against the sliding and takes power; moving and fixed frames, left and
// right tell the same; nothing gains or loses energy; the Jacobian is the derivative; a wheelset that is pushed towards
// a crossing does not get to its nose.

#include "folder.h"
#include "property/wagon/wagon.h"

#include <unistd.h>

#define LINE "track.sections=[{\"straight\":200}]"
#define SMOOTH                                                                                                         \
    "vehicle.patterns.wheelset.contact={\"dissipation_law\":\"none\"}", "vehicle.patterns.axlebox.damping=[0,0,0]"
#define DRY    "track.rail={\"profile\":\"round\",\"friction\":0}"
#define STEEP  "vehicle.profiles={\"steep\":{\"cone\":0.1}}", "vehicle.patterns.wheelset.profile=steep"
#define DRIVES "drive={}"
#define RIGID  "{\"from\":1,\"to\":199,\"rail\":\"%s\",\"friction\":%g,\"damping\":%g}"

static const double stiffness = 50e6, onset = 0.1e-3, R = 0.46 + 9.5e-3, height = 0.02, rounding = 0.05e-3;
// of the backs in the middle to the faces: half the distance of the backs less half the gauge and flangeway
static const double free_way = 0.5 * 1.36 - (0.5 * 1.435 - 0.041);

static void one(char setting[400], const char *rail, double friction, double damping)
{
    (void)snprintf(setting, 400, "track.check_rails=[" RIGID "]", rail, friction, damping);
}

// The leading wheelset at one place, evaluated.
typedef struct posed {
    wagon w;
    kane_work *work;
    double y[64], ydot[64];
} posed;

static posed pose(const char *const *settings)
{
    CHECK_ERRORS errors = {0};
    posed p             = {.w = wagon_read("wagon-driven", settings)};
    wagon_start(&p.w);
    p.work = kane_work_create(p.w.model, &errors);
    assert_non_null(p.work);
    assert_true(kane_model_state_count(p.w.model) <= 64);
    assert_int_equal(kane_initial_state(p.w.model, p.work, p.y, &errors), KANE_OK);
    assert_int_equal(kane_eval(p.w.model, p.work, 0.0, p.y, p.ydot), KANE_OK);
    return p;
}

// y, yaw: of the leading wheelset, which stays level
static const kane_check_rail_force *put(posed *p, double y, double yaw, double spin, kane_side side)
{
    double q[6], rates[6];
    kane_get_relative(p->w.model, p->work, LEADING, q, rates);
    q[KANE_Y]         = y;
    q[KANE_YAW]       = yaw;
    rates[KANE_PITCH] = spin;
    assert_int_equal(kane_put_relative(p->w.model, p->work, LEADING, q, rates, p->y), KANE_OK);
    assert_int_equal(kane_eval(p->w.model, p->work, 0.0, p->y, p->ydot), KANE_OK);
    return &p->work->wheels[0].check[side];
}

static void unpose(posed *p)
{
    kane_work_free(p->work);
    wagon_free(&p->w);
}

static double press(double c)
{
    return c <= 0.0 ? 0.0 : c < onset ? stiffness * c * c / (2.0 * onset) : stiffness * (c - 0.5 * onset);
}

// At rest, level: penetration of a back that is shifted; of a yawed one that of its chord's ends, in plain
// trigonometry.
CHECK_TEST(force_is_that_of_the_penetration)
{
    char rails[400];
    one(rails, "left", 0.0, 0.0);
    const char *const settings[] = {LINE,   rails, "start.speed=0 m/s", "start.at=50", "until={\"time\":1}",
                                    DRIVES, NULL};
    posed p                      = pose(settings);
    check_near(p.work->wheels[0].check[KANE_LEFT].N, 0.0, 0.0);
    for (int i = 0; i < 12; i++) {
        const double y = -3e-3 - 0.2e-3 * i, c = -y - free_way;
        const kane_check_rail_force *push = put(&p, y, 0.0, 0.0, KANE_LEFT);
        check_near(push->N, press(c), 1e-9 * stiffness * onset);
        check_near(push->on_wheel.force.y, push->N, 1e-9);
        check_near(push->on_wheel.force.z, 0.0, 1e-9);
        check_near(push->lead, 0.0, 1e-12);
        check_near(p.work->wheels[0].check[KANE_RIGHT].N, 0.0, 0.0);
    }
    for (int i = -6; i <= 6; i++) {
        const double yaw = 1e-3 * i, y = -4.2e-3;
        const kane_check_rail_force *push = put(&p, y, yaw, 0.0, KANE_LEFT);
        // axle (-sin, cos): the back is the line through its middle along (cos, sin), half a chord to either side
        const kane_vec3 centre = p.work->wheels[0].motion[KANE_LEFT].centre;
        const double L = sqrt(R * R - (centre.z - height) * (centre.z - height)), middle = 0.680 * cos(yaw) + y;
        const double face = 0.5 * 1.435 - 0.041, far[2] = {face - middle - L * sin(yaw), face - middle + L * sin(yaw)};
        const double half = 0.5 * (far[0] - far[1]),
                     c    = 0.5 * (far[0] + far[1]) + sqrt(half * half + rounding * rounding) - rounding;
        assert_true(L > 0.1 && L < 0.2);
        check_near(push->N, press(c), 1e-8 * stiffness * onset);
        if (abs(i) >=
            3) { // one end alone: a yaw to the left turns the leading end of the left back away from the check rail
            assert_true(fabs(push->lead) > 0.95 * L && push->lead * yaw < 0.0);
            check_near(-push->on_wheel.force.y * push->lead * -1.0, push->N * push->lead, 1e-9 * push->N);
        }
    }
    unpose(&p);
}

// Rolling forward the leading end of the back goes down: friction on the wheel is up. It takes power whatever the
// motion.
CHECK_TEST(friction_is_against_the_sliding)
{
    char rubbing[400], smooth[400];
    one(rubbing, "left", 0.3, 0.0);
    one(smooth, "left", 0.0, 0.0);
    const char *const with[]    = {LINE, rubbing, "start.speed=10 m/s", "start.at=50", DRIVES, NULL};
    const char *const without[] = {LINE, smooth, "start.speed=10 m/s", "start.at=50", DRIVES, NULL};
    posed a = pose(with), b = pose(without);
    for (int i = -5; i <= 5; i++)
        for (int j = 0; j < 3; j++) {
            const double y = -4.4e-3, yaw = 1.3e-3 * i, spin = 10.0 / 0.46 * (1 - j);
            const kane_check_rail_force r = *put(&a, y, yaw, spin, KANE_LEFT), s = *put(&b, y, yaw, spin, KANE_LEFT);
            const kane_wheel_motion *m = &a.work->wheels[0].motion[KANE_LEFT];
            const double power         = kv3_dot(kv3_sub(r.on_wheel.force, s.on_wheel.force), m->velocity) +
                                 kv3_dot(kv3_sub(r.on_wheel.torque, s.on_wheel.torque), m->omega);
            check_near(r.N, s.N, 1e-9 * s.N);
            assert_true(r.N > 1e3);
            assert_true(power < 0.0);
            // against the material's own velocity at the place where it touches
            if (abs(i) >= 3 && spin > 0.0 && r.lead > 0.0)
                assert_true(r.T_z > 0.5 * 0.3 * r.N);
            if (abs(i) >= 3 && spin > 0.0 && r.lead < 0.0)
                assert_true(r.T_z < -0.5 * 0.3 * r.N);
            check_below(hypot(r.T_x, r.T_z), 0.3 * r.N * 1.001);
            if (abs(i) >= 3 && fabs(spin) > 1.0)
                assert_true(hypot(r.T_x, r.T_z) > 0.29 * r.N);
        }
    unpose(&a);
    unpose(&b);
}

// No power is taken or given by a wheel that turns in its own plane, nor by any motion beyond what is stored.
CHECK_TEST(spin_feels_no_pressure)
{
    char rails[400];
    one(rails, "left", 0.0, 0.0);
    const char *const settings[] = {LINE, rails, "start.speed=10 m/s", "start.at=50", DRIVES, NULL};
    posed p                      = pose(settings);
    for (int i = -5; i <= 5; i++) {
        const kane_check_rail_force *push = put(&p, -4.4e-3, 1.3e-3 * i, 20.0, KANE_LEFT);
        const kane_vec3 axle              = p.work->wheels[0].motion[KANE_LEFT].axle;
        assert_true(push->N > 1e3);
        check_near(kv3_dot(push->on_wheel.torque, axle), 0.0, 1e-9 * push->N);
    }
    unpose(&p);
}

// Whatever way the wheelset goes, what the check rail stores grows by the power that it takes: also between flares,
// where going on is going deeper, and in a curve.
CHECK_TEST(what_is_stored_comes_back)
{
    static const char *const lines[] = {LINE, "track.sections=[{\"curve\":200,\"radius\":300}]"};
    const double dt                  = 1e-6;
    unsigned seed                    = 17;
    for (int i = 0; i < 2; i++) {
        const char *const settings[] = {
            lines[i],
            "track.check_rails=[{\"from\":53,\"to\":60,\"flare\":3,\"flangeway\":\"36 mm\",\"friction\":0,\"damping\":0}]",
            "start.speed=10 m/s",
            "start.at=50",
            DRIVES,
            NULL};
        posed p      = pose(settings);
        int pressed  = 0;
        double worst = 0.0;
        for (int n = 0; n < 600; n++) {
            double q[6], v[6], r[8], U[2], there[64];
            for (int j = 0; j < 8; j++)
                r[j] = 2.0 * ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0 - 1.0;
            kane_get_relative(p.w.model, p.work, LEADING, q, v);
            q[KANE_X]         = 1.0 * r[0];
            q[KANE_Y]         = 12e-3 * r[1];
            q[KANE_YAW]       = 8e-3 * r[2];
            v[KANE_Y]         = 0.1 * r[3];
            v[KANE_YAW]       = 0.1 * r[4];
            v[KANE_Z]         = 0.05 * r[5];
            v[KANE_ROLL]      = 0.05 * r[6];
            v[KANE_PITCH]     = 20.0 * r[7];
            const double lift = q[KANE_Z];
            q[KANE_Z]         = lift + 2e-3; // both wheels in the air
            assert_int_equal(kane_put_relative(p.w.model, p.work, LEADING, q, v, p.y), KANE_OK);
            assert_int_equal(kane_eval(p.w.model, p.work, 0.0, p.y, p.ydot), KANE_OK);
            const kane_wheels_state *w       = &p.work->wheels[0];
            const kane_side side             = w->check[KANE_LEFT].N > 0.0 ? KANE_LEFT : KANE_RIGHT;
            const kane_check_rail_force push = w->check[side];
            const double power               = kv3_dot(push.on_wheel.force, w->motion[side].velocity) +
                                 kv3_dot(push.on_wheel.torque, w->motion[side].omega);
            for (int up = 0; up < 2; up++) {
                for (int j = 0; j < kane_model_state_count(p.w.model); j++)
                    there[j] = p.y[j] + (up ? dt : -dt) * p.ydot[j];
                double rates[64];
                assert_int_equal(kane_eval(p.w.model, p.work, 0.0, there, rates), KANE_OK);
                U[up] = w->check[side].energy;
            }
            q[KANE_Z] = lift;
            q[KANE_Y] = 0.0;
            assert_int_equal(kane_put_relative(p.w.model, p.work, LEADING, q, v, p.y), KANE_OK);
            assert_int_equal(kane_eval(p.w.model, p.work, 0.0, p.y, p.ydot), KANE_OK);
            if (push.N < 1e3)
                continue;
            pressed++;
            const double scale = push.N * kv3_norm(kv3(0.1, 0.1, 0.1));
            if (getenv("KANE_SHOW"))
                print_message("N %.3g lead %.3g: power %.8g, stored %.8g\n", push.N, push.lead, power,
                              (U[1] - U[0]) / (2.0 * dt));
            worst = fmax(worst, fabs(power + (U[1] - U[0]) / (2.0 * dt)) / scale);
        }
        print_message("%d poses, power and what is stored differ by %.2g of it\n", pressed, worst);
        assert_true(pressed > 100);
        check_below(worst, 1e-4);
        unpose(&p);
    }
}

static double total(const wagon *w)
{
    kane_energy e;
    kane_get_energy(w->model, kane_simulation_work(w->simulation), &e);
    return e.kinetic + e.gravity + e.elements + e.contact;
}

// A check rail that leaves the flange too little room pushes the wagon 2.5 mm aside over its flare and lets it go;
// without friction and damping the wagon sways on with what it got.
CHECK_TEST(energy_stays)
{
    double most = 0.0, stored = 0.0, N = 0.0;
    CHECK_FREED(wagon) w = wagon_open_with(
        "wagon-driven", LINE, DRY, STEEP, SMOOTH, DRIVES, "start.at=12", "start.speed=15",
        "track.check_rails=[{\"from\":14,\"to\":40,\"rail\":\"left\",\"flare\":3,\"flangeway\":\"35 mm\",\"friction\":0,\"damping\":0}]",
        TIGHT);
    const double first = total(&w);
    for (double t = 0.005; t <= 2.5; t += 0.005) {
        assert_true(wagon_go(&w, t));
        most = fmax(most, fabs(total(&w) - first));
        for (int i = 0; i < 2; i++) {
            const kane_check_rail_force *push = &kane_simulation_work(w.simulation)->wheels[i].check[KANE_LEFT];
            stored                            = fmax(stored, push->energy);
            N                                 = fmax(N, push->N);
        }
    }
    print_message("energy changes by %.2g J; the check rail stores up to %.3g J, presses with up to %.3g kN\n", most,
                  stored, 1e-3 * N);
    assert_true(N > 5e3);
    check_near(most, 0.0, 0.02);
}

// In a transition and a curve, braked and driven, with friction and damping: what comes in is in motion and springs, or
// has become heat.
CHECK_TEST(work_and_heat_balance)
{
    const char *const settings[] = {"output.work=true",
                                    "track.check_rails=[{\"from\":12,\"to\":170,\"flangeway\":\"38 mm\"}]",
                                    "until.distance=120", TIGHT, NULL};
    wagon_check_balance("wagon-driven", settings, 0.9);
}

#define CURVE                                                                                                          \
    "track.sections=[{\"straight\":10},{\"transition\":10,\"shape\":\"bloss\",\"to\":{\"radius\":300,\"cant\":\"20 "   \
    "mm\"}},{\"curve\":100}]"

// In a right-hand curve the outer, left flanges climb; the check rail of the inner rail holds the inner ones.
CHECK_TEST(moving_and_fixed_frames_tell_the_same)
{
    double q[2][18], N[2][2] = {{0.0}};
    for (int fixed = 0; fixed < 2; fixed++) {
        CHECK_FREED(wagon) w = wagon_open_with("wagon-driven", fixed ? "formulation=fixed" : "formulation=moving",
                                               "track.check_rails=[{\"from\":22,\"to\":60,\"rail\":\"left\"}]", CURVE,
                                               "start.at=10", "start.speed=15", DRIVES, TIGHT);
        for (double t = 0.05; t < 1.9; t += 0.05) {
            assert_true(wagon_go(&w, t));
            if (t > 0.94 && t < 0.96)
                N[fixed][0] = kane_simulation_work(w.simulation)->wheels[0].check[KANE_LEFT].N;
        }
        N[fixed][1] = kane_simulation_work(w.simulation)->wheels[0].check[KANE_LEFT].N;
        wagon_coordinates(&w, q[fixed]);
    }
    print_message("the check rail presses with %.4g and %.4g kN\n", 1e-3 * N[0][0], 1e-3 * N[0][1]);
    assert_true(N[0][0] > 1e3 || N[0][1] > 1e3);
    for (int i = 0; i < 2; i++)
        check_near(N[0][i], N[1][i], 1e-5 * N[1][i] + 0.01);
    for (int i = 0; i < 18; i++)
        check_near(q[0][i], q[1][i], 2e-8 * fmax(1.0, fabs(q[0][i])));
}

CHECK_TEST(left_and_right_are_mirror_images)
{
    double q[2][18], most = 0.0;
    for (int right = 0; right < 2; right++) {
        char curve[400];
        (void)snprintf(
            curve, sizeof curve,
            "track.sections=[{\"straight\":10},{\"transition\":10,\"shape\":\"bloss\",\"to\":{\"radius\":%d,\"cant\":\"20 "
            "mm\"}},{\"curve\":100}]",
            right ? -300 : 300);
        CHECK_FREED(wagon) w =
            wagon_open_with("wagon-driven",
                            right ? "track.check_rails=[{\"from\":22,\"to\":60,\"rail\":\"right\"}]"
                                  : "track.check_rails=[{\"from\":22,\"to\":60,\"rail\":\"left\"}]",
                            curve, "track.cant_axis=centre_line", "start.at=10", "start.speed=15", DRIVES, TIGHT);
        for (int i = 1; i <= 36; i++) {
            assert_true(wagon_go(&w, 0.05 * i));
            most = fmax(most, kane_simulation_work(w.simulation)->wheels[0].check[right].N);
            assert_true(kane_simulation_work(w.simulation)->wheels[0].check[!right].N == 0.0);
        }
        wagon_coordinates(&w, q[right]);
    }
    assert_true(most > 1e3);
    for (int i = 0; i < 18; i++) {
        const int freedom = i % 6, is_odd = freedom == KANE_Y || freedom == KANE_ROLL || freedom == KANE_YAW;
        check_near(q[1][i], is_odd ? -q[0][i] : q[0][i], 1e-7 * fmax(1.0, fabs(q[0][i])));
    }
}

CHECK_TEST(jacobian_is_the_derivative)
{
    // all the way between flares, pressed on both sides by turns
    const char *const settings[] = {
        "track.check_rails=[{\"from\":-20,\"to\":180,\"flare\":100,\"opening\":\"42 mm\",\"flangeway\":\"36 mm\"}]",
        NULL};
    const char *const flexible[] = {
        "track.check_rails=[{\"from\":-20,\"to\":180,\"flare\":10,\"flangeway\":\"36 mm\"}]", "track.flexibility={}",
        NULL};
    wagon_check_jacobian("wagon-driven", settings, 1e-5);
    wagon_check_jacobian("wagon-driven", flexible, 1e-5);
}

// A crossing in the outer rail of a curve, where the rail falls away by 3 mm over 1 m and comes back: with a check rail
// beside the inner rail the outer flanges do not get to what guides no more, and neither to its nose.
CHECK_TEST(wheelset_is_kept_from_the_nose)
{
    double aside[2] = {0.0, 0.0}, steep[2] = {0.0, 0.0}, N = 0.0;
    char here[512], profiles[700];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(
        profiles, sizeof profiles,
        "track.profiles={\"wing\":{\"file\":\"%s/wing.txt\",\"unit\":\"mm\",\"lateral\":\"outside\",\"vertical\":\"up\"}}",
        here);
    for (int checked = 0; checked < 2; checked++) {
        CHECK_FREED(wagon) w = wagon_open_with(
            "wagon-driven",
            "track.sections=[{\"straight\":10},{\"transition\":20,\"shape\":\"bloss\",\"to\":{\"radius\":300,\"cant\":\"20 "
            "mm\"}},{\"curve\":100}]",
            profiles,
            "track.profile_changes=[{\"from\":50,\"over\":1,\"rail\":\"right\",\"profile\":\"wing\",\"lies\":\"as_drawn\"},"
            "{\"from\":51.2,\"over\":0.5,\"rail\":\"right\",\"profile\":\"60E1\"}]",
            checked ? "track.check_rails=[{\"from\":45,\"to\":56,\"rail\":\"left\"}]" : "track.check_rails=[]",
            "start.at=12", "start.speed=15", DRIVES);
        for (int i = 1; i <= 260; i++) {
            double s, v, a, q[18];
            assert_true(wagon_go(&w, 0.01 * i));
            kane_get_travel(kane_simulation_work(w.simulation), &s, &v, &a);
            const kane_wheels_state *leading = &kane_simulation_work(w.simulation)->wheels[0];
            if (leading->s < 47.5 || leading->s > 53.5)
                continue;
            wagon_coordinates(&w, q);
            aside[checked] = fmax(aside[checked], -q[6 * LEADING + KANE_Y]);
            for (int k = 0; k < leading->result[KANE_RIGHT].patch_count; k++)
                steep[checked] = fmax(steep[checked], fabs(leading->result[KANE_RIGHT].patch[k].angle));
            N = fmax(N, leading->check[KANE_LEFT].N);
        }
    }
    print_message("without a check rail %.2f mm aside, contact angle %.2f; with it %.2f mm, %.2f, up to %.3g kN\n",
                  1e3 * aside[0], steep[0], 1e3 * aside[1], steep[1], 1e-3 * N);
    assert_true(N > 1e4);
    assert_true(aside[0] > 6e-3 && steep[0] > 0.5); // on the flange
    assert_true(aside[1] < 5e-3 && steep[1] < 0.3); // on the tread
}

// 60E1 with its head 3 mm lower.
static int setup(void **state)
{
    enum { POINTS = 240 };
    double y[POINTS], z[POINTS];
    if (enter_folder(state) != 0)
        return -1;
    FILE *file = fopen("wing.txt", "w");
    assert_non_null(file);
    assert_int_equal(kane_profile_draw(kane_profile_60e1(), POINTS, y, z), KANE_OK);
    for (int i = 0; i < POINTS; i++)
        (void)fprintf(file, "%.17g %.17g\n", 1e3 * y[i], 1e3 * z[i] - 3.0);
    assert_int_equal(fclose(file), 0);
    return 0;
}

CHECK_MAIN(setup, leave_folder)
