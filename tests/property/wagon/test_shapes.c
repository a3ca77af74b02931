// SPDX-License-Identifier: MIT
// Rails whose profile changes under the wagon: nothing gains or loses energy, moving and fixed frames tell the same
// motion, a profile that lies lower is a ramp of the rail, the left rail is the mirror image of the right one, and the
// Jacobian is the derivative.

#include "folder.h"
#include "property/wagon/wagon.h"

#include <unistd.h>

// A round head drawn by points from the inside, `low` below the top, with a radius of its own; a corner of 10 mm and a
// straight face at its inside, where no wheel of these tests gets.
static void write_head(const char *name, double radius, double low)
{
    const double edge = -0.028, corner = 0.010, steep = 1.25, flat = asin(-edge / radius);
    const double top = sqrt(radius * radius - edge * edge) - radius - low; // of the crown at its edge
    const double my = edge + corner * sin(flat), mz = top - corner * cos(flat);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    for (int i = 20; i > 0; i--)
        (void)fprintf(file, "%.17g %.17g\n", 1e3 * (my - corner * sin(steep)) - 0.5 * i * cos(steep),
                      1e3 * (mz + corner * cos(steep)) - 0.5 * i * sin(steep));
    for (int i = 20; i > 0; i--) {
        const double a = flat + (steep - flat) * i / 20.0;
        (void)fprintf(file, "%.17g %.17g\n", 1e3 * (my - corner * sin(a)), 1e3 * (mz + corner * cos(a)));
    }
    for (int i = -56; i <= 72; i++) {
        const double y = 0.5e-3 * i;
        (void)fprintf(file, "%.17g %.17g\n", 1e3 * y, 1e3 * (sqrt(radius * radius - y * y) - radius - low));
    }
    assert_int_equal(fclose(file), 0);
}

typedef struct rails {
    char profiles[1400], changes[700];
} rails;

static rails rails_of(const char *changes)
{
    char here[512];
    rails s;
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(
        s.profiles, sizeof s.profiles,
        "track.profiles={\"low\":{\"file\":\"%s/low.txt\",\"unit\":\"mm\",\"lateral\":\"outside\",\"vertical\":\"up\"},\"sharp\":{\"file\":\"%s/sharp.txt\","
        "\"unit\":\"mm\",\"lateral\":\"outside\",\"vertical\":\"up\"}}",
        here, here);
    (void)snprintf(s.changes, sizeof s.changes, "track.profile_changes=%s", changes);
    return s;
}

#define CONTACT "vehicle.patterns.wheelset.contact={\"dissipation_law\":\"none\"}"
#define RAILS   "track.rail={\"profile\":\"round\",\"friction\":0}"
#define STEEP   "vehicle.profiles={\"steep\":{\"cone\":0.1}}", "vehicle.patterns.wheelset.profile=steep"
#define LINE    "track.sections=[{\"straight\":200}]"

static double total(const wagon *w)
{
    kane_energy e;
    kane_get_energy(w->model, kane_simulation_work(w->simulation), &e);
    return e.kinetic + e.gravity + e.elements + e.contact;
}

// A wagon that rolls by itself without friction and dampers over a crossing of 2 m and another one back.
CHECK_TEST(energy_stays)
{
    static const char *const changes[] = {
        "[{\"from\":25,\"over\":2,\"profile\":\"low\",\"lies\":\"as_drawn\"},{\"from\":29,\"over\":2,\"profile\":\"round\"}]",
        "[{\"from\":25,\"over\":2,\"rail\":\"left\",\"profile\":\"low\",\"lies\":\"as_drawn\"},{\"from\":28,\"over\":2,\"rail\":"
        "\"left\",\"profile\":\"sharp\",\"lies\":\"as_drawn\"},{\"from\":31,\"over\":2,\"rail\":\"left\",\"profile\":\"round\"}]"};
    for (int i = 0; i < 2; i++) {
        const rails s = rails_of(changes[i]);
        double most = 0.0, exchanged = 0.0;
        CHECK_FREED(wagon) w =
            wagon_open_with("wagon-driven", CONTACT, RAILS, LINE, s.profiles, s.changes, "drive={}", "start.at=12",
                            "start.speed=20", "vehicle.patterns.axlebox.damping=[0,0,0]", STEEP, TIGHT);
        const double first = total(&w);
        kane_energy before, now;
        kane_get_energy(w.model, kane_simulation_work(w.simulation), &before);
        for (double t = 0.02; t <= 1.5; t += 0.02) {
            assert_true(wagon_go(&w, t));
            most = fmax(most, fabs(total(&w) - first));
            kane_get_energy(w.model, kane_simulation_work(w.simulation), &now);
            exchanged = fmax(exchanged, fabs(now.gravity - before.gravity));
        }
        print_message("energy changes by %.2g J, %.3g J of gravity go to and fro\n", most, exchanged);
        assert_true(exchanged > 200.0);
        check_near(most, 0.0, 0.3);
    }
}

CHECK_TEST(moving_and_fixed_frames_tell_the_same)
{
    const rails s = rails_of("[{\"from\":25,\"over\":2,\"rail\":\"left\",\"profile\":\"low\",\"lies\":\"as_drawn\"}]");
    double q[2][18], Q[2][4];
    for (int fixed = 0; fixed < 2; fixed++) {
        CHECK_FREED(wagon) w = wagon_open_with(
            "wagon-driven", fixed ? "formulation=fixed" : "formulation=moving", s.profiles, s.changes,
            "track.rail.profile=round",
            "track.sections=[{\"straight\":10},{\"transition\":10,\"shape\":\"bloss\",\"to\":{\"radius\":2000,\"cant\":\"20 mm\"}},"
            "{\"curve\":100}]",
            "start.at=18", "start.speed=20", "drive={}", STEEP, TIGHT);
        assert_true(wagon_go(&w, 0.45)); // the leading wheelset is within the change
        for (int wheel = 0; wheel < 4; wheel++)
            Q[fixed][wheel] = wagon_Q(&w, wheel < 2 ? LEADING : TRAILING, (kane_side)(wheel % 2));
        assert_true(wagon_go(&w, 0.8));
        wagon_coordinates(&w, q[fixed]);
    }
    assert_true(fabs(q[0][KANE_ROLL]) > 1e-4);
    for (int k = 0; k < 18; k++)
        check_near(q[0][k], q[1][k], 2e-8 * fmax(1.0, fabs(q[0][k])));
    for (int wheel = 0; wheel < 4; wheel++)
        check_near(Q[0][wheel], Q[1][wheel], 1e-6 * fabs(Q[1][wheel]));
}

// The same head 3 mm lower is what a ramp of both rails by -3 mm is; the wheel meets either r slope^2/2 = 2 um off the
// other.
CHECK_TEST(lower_profile_is_a_ramp)
{
    const rails s = rails_of("[{\"from\":25,\"over\":2,\"profile\":\"low\",\"lies\":\"as_drawn\"}]");
    double z[2][60], x[2][60];
    for (int ramp = 0; ramp < 2; ramp++) {
        CHECK_FREED(wagon) w = wagon_open_with(
            "wagon-driven", RAILS, LINE, s.profiles,
            ramp
                ? "track.irregularities={\"defects\":[{\"kind\":\"vertical\",\"shape\":\"ramp\",\"at\":26,\"length\":2,\"height\":"
                  "\"-3 mm\"}]}"
                : s.changes,
            STEEP, "start.at=15", "start.speed=15", "drive={}", TIGHT);
        for (int i = 0; i < 60; i++) {
            double s_, v, a, q[18];
            assert_true(wagon_go(&w, 0.02 * (i + 1)));
            wagon_coordinates(&w, q);
            kane_get_travel(kane_simulation_work(w.simulation), &s_, &v, &a);
            z[ramp][i] = q[6 * LEADING + KANE_Z];
            x[ramp][i] = v;
        }
    }
    double speed = 0.0;
    for (int i = 0; i < 60; i++) {
        check_near(z[0][i], z[1][i], 1e-5);
        check_near(x[0][i], x[1][i], 5e-6); // g 4 um/v is 3e-6
        speed = fmax(speed, fabs(x[0][i] - x[0][0]));
    }
    check_near(z[0][0] - z[0][59], 3e-3, 1e-4);
    assert_true(speed > 3e-4); // what gravity gives: g 3 mm/v
}

CHECK_TEST(left_and_right_rail_are_mirror_images)
{
    double q[2][18];
    for (int side = 0; side < 2; side++) {
        const rails s =
            rails_of(side ? "[{\"from\":25,\"over\":2,\"rail\":\"right\",\"profile\":\"sharp\",\"lies\":\"as_drawn\"}]"
                          : "[{\"from\":25,\"over\":2,\"rail\":\"left\",\"profile\":\"sharp\",\"lies\":\"as_drawn\"}]");
        CHECK_FREED(wagon) w = wagon_open_with("wagon-driven", LINE, s.profiles, s.changes, "track.rail.profile=round",
                                               "start.at=15", "start.speed=20", "drive={}", STEEP, TIGHT);
        assert_true(wagon_go(&w, 1.2));
        wagon_coordinates(&w, q[side]);
    }
    assert_true(fabs(q[0][KANE_ROLL]) > 1e-4);
    for (int k = 0; k < 18; k++) {
        const int freedom = k % 6, is_odd = freedom == KANE_Y || freedom == KANE_ROLL || freedom == KANE_YAW;
        check_near(q[1][k], is_odd ? -q[0][k] : q[0][k], 1e-7 * fmax(1.0, fabs(q[0][k])));
    }
}

CHECK_TEST(jacobian_is_the_derivative)
{
    const rails s                = rails_of("[{\"from\":20,\"over\":60,\"profile\":\"low\",\"lies\":\"as_drawn\"}]");
    const char *const settings[] = {LINE,          s.profiles,      s.changes,  "track.rail.profile=round",
                                    "start.at=25", "start.speed=8", "drive={}", STEEP,
                                    NULL};
    wagon_check_jacobian("wagon-driven", settings, 1e-5);
}

CHECK_TEST(rails_that_guide_refuse_it)
{
    const rails s                = rails_of("[{\"from\":25,\"over\":2,\"profile\":\"sharp\"}]");
    const char *const settings[] = {LINE, s.profiles, s.changes,
                                    "vehicle.patterns.wheelset.contact={\"model\":\"constraint\"}", NULL};
    wagon_check_refusal("wagon-driven", settings, "the rails must not change their profile along the line");
}

static int setup(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    write_head("low.txt", 0.3, 3e-3);
    write_head("sharp.txt", 0.2, 1e-3);
    return 0;
}

CHECK_MAIN(setup, leave_folder)
