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

enum { ELASTIC, CONSTRAINT, TABLE, MODELS };
static const char *const models[MODELS] = {
    "vehicle.patterns.wheelset.contact={\"dissipation_law\":\"none\"}",
    "vehicle.patterns.wheelset.contact={\"model\":\"constraint\"}",
    "vehicle.patterns.wheelset.contact={\"model\":\"table\"}",
};
#define RAILS "track.rail={\"profile\":\"round\",\"friction\":0}"
#define STEEP "vehicle.profiles={\"steep\":{\"cone\":0.1}}", "vehicle.patterns.wheelset.profile=steep"
#define MILD  "vehicle.profiles={\"mild\":{\"cone\":0.03}}", "vehicle.patterns.wheelset.profile=mild"
#define LINE  "track.sections=[{\"straight\":200}]"

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
    for (int i = 0; i < 2 * MODELS; i++) {
        const rails s = rails_of(changes[i / MODELS]);
        double most = 0.0, exchanged = 0.0;
        CHECK_FREED(wagon) w =
            wagon_open_with("wagon-driven", models[i % MODELS], RAILS, LINE, s.profiles, s.changes, "drive={}",
                            "start.at=12", "start.speed=20", "vehicle.patterns.axlebox.damping=[0,0,0]", STEEP, TIGHT);
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
        if (i == CONSTRAINT)
            check_figure(most, "guided");
        assert_true(exchanged > 200.0);
        check_near(most, 0.0, i % MODELS == ELASTIC ? 0.3 : 1e-3); // of 7.3 MJ; steps of 1e-9
    }
}

CHECK_TEST(moving_and_fixed_frames_tell_the_same)
{
    const rails s = rails_of("[{\"from\":25,\"over\":2,\"rail\":\"left\",\"profile\":\"low\",\"lies\":\"as_drawn\"}]");
    double q[2][18], Q[2][4];
    for (int n = 0; n < 2 * MODELS; n++) {
        const int fixed      = n % 2;
        CHECK_FREED(wagon) w = wagon_open_with(
            "wagon-driven", models[n / 2], fixed ? "formulation=fixed" : "formulation=moving", s.profiles, s.changes,
            "track.rail.profile=round",
            "track.sections=[{\"straight\":10},{\"transition\":10,\"shape\":\"bloss\",\"to\":{\"radius\":2000,\"cant\":\"20 mm\"}},"
            "{\"curve\":100}]",
            "start.at=18", "start.speed=20", "drive={}", STEEP, TIGHT);
        assert_true(wagon_go(&w, 0.45)); // the leading wheelset is within the change
        for (int wheel = 0; wheel < 4; wheel++)
            Q[fixed][wheel] = wagon_Q(&w, wheel < 2 ? LEADING : TRAILING, (kane_side)(wheel % 2));
        assert_true(wagon_go(&w, 0.8));
        wagon_coordinates(&w, q[fixed]);
        assert_true(fabs(q[fixed][KANE_ROLL]) > 1e-4);
        for (int k = 0; fixed && k < 18; k++)
            check_near(q[0][k], q[1][k], 2e-8 * fmax(1.0, fabs(q[0][k])));
        for (int wheel = 0; fixed && wheel < 4; wheel++)
            check_near(Q[0][wheel], Q[1][wheel], 1e-6 * fabs(Q[1][wheel]));
    }
}

// The same head 3 mm lower is what a ramp of both rails by -3 mm is; the wheel meets either r slope^2/2 = 2 um off the
// other.
CHECK_TEST(lower_profile_is_a_ramp)
{
    const rails s = rails_of("[{\"from\":25,\"over\":2,\"profile\":\"low\",\"lies\":\"as_drawn\"}]");
    double z[2 * MODELS][60], x[2 * MODELS][60];
    for (int n = 0; n < 2 * MODELS; n++) {
        const int ramp       = n % 2;
        CHECK_FREED(wagon) w = wagon_open_with(
            "wagon-driven", models[n / 2], RAILS, LINE, s.profiles,
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
            z[n][i] = q[6 * LEADING + KANE_Z];
            x[n][i] = v;
        }
    }
    for (int n = 0; n < 2 * MODELS; n += 2) {
        double speed = 0.0;
        for (int i = 0; i < 60; i++) {
            check_near(z[n][i], z[n + 1][i], 1e-5);
            check_near(x[n][i], x[n + 1][i], 5e-6); // g 4 um/v is 3e-6
            speed = fmax(speed, fabs(x[n][i] - x[n][0]));
        }
        check_near(z[n][0] - z[n][59], 3e-3, 1e-4);
        assert_true(speed > 3e-4); // what gravity gives: g 3 mm/v
    }
}

CHECK_TEST(left_and_right_rail_are_mirror_images)
{
    double q[2][18];
    for (int n = 0; n < 2 * MODELS; n++) {
        const int side = n % 2;
        const rails s =
            rails_of(side ? "[{\"from\":25,\"over\":2,\"rail\":\"right\",\"profile\":\"sharp\",\"lies\":\"as_drawn\"}]"
                          : "[{\"from\":25,\"over\":2,\"rail\":\"left\",\"profile\":\"sharp\",\"lies\":\"as_drawn\"}]");
        CHECK_FREED(wagon) w =
            wagon_open_with("wagon-driven", models[n / 2], LINE, s.profiles, s.changes, "track.rail.profile=round",
                            "start.at=15", "start.speed=20", "drive={}", STEEP, TIGHT);
        assert_true(wagon_go(&w, 1.2));
        wagon_coordinates(&w, q[side]);
        assert_true(fabs(q[side][KANE_ROLL]) > 1e-4);
        for (int k = 0; side && k < 18; k++) {
            const int freedom = k % 6, is_odd = freedom == KANE_Y || freedom == KANE_ROLL || freedom == KANE_YAW;
            check_near(q[1][k], is_odd ? -q[0][k] : q[0][k], 1e-7 * fmax(1.0, fabs(q[0][k])));
        }
    }
}

// The row of v_z is small, 1e-3, where a rail rises slowly. There the rounding of the column of v is large, 1e-7: the
// column has differences of accelerations over 1e-7 m/s. So all wheels are far within the change.
CHECK_TEST(jacobian_is_the_derivative)
{
    const rails s              = rails_of("[{\"from\":5,\"over\":75,\"profile\":\"low\",\"lies\":\"as_drawn\"}]");
    const char *const tracks[] = {"track.name=rigid", FLEXIBLE};
    for (int n = 0; n < 2 * MODELS; n++) {
        if (n == ELASTIC + MODELS) // its Jacobian omits what the panel does to the profile under a wheel
            continue;
        const char *const settings[] = {
            models[n % MODELS], tracks[n / MODELS], LINE,       s.profiles, s.changes, "track.rail.profile=round",
            "start.at=25",      "start.speed=8",    "drive={}", STEEP,      NULL};
        wagon_check_jacobian("wagon-driven", settings, 1e-5);
    }
}

// Wheels and rails ten and a hundred times as stiff (the approach falls with the modulus to the power -2/3): a tenth of
// the difference to rigid ones in how the leading wheelset shifts, sinks and rolls on the change, whatever the approach
// at rest. What both lead to is that of rigid ones but for what their gap averages of the points of a head (20 um deep,
// 5 mm wide).
CHECK_TEST(stiff_contact_is_a_constraint)
{
    static const char *const moduli[] = {"2593 GPa", "82000 GPa"}; // 82 GPa 10^1.5, 10^3
    static const int freedoms[]       = {KANE_Y, KANE_Z, KANE_ROLL};
    const rails s = rails_of("[{\"from\":25,\"over\":6,\"rail\":\"left\",\"profile\":\"low\",\"lies\":\"as_drawn\"}]");
    enum { TIMES = 30 };
    double at[3][3][TIMES], off[2][3] = {{0.0}};
    for (int n = 0; n < 3; n++) {
        char contact[256];
        (void)snprintf(contact, sizeof contact,
                       "vehicle.patterns.wheelset.contact={\"model\":\"%s\",\"creep\":\"given\","
                       "\"coefficients\":[5e6,5e6]%s%s%s}",
                       n ? "elastic" : "constraint", n ? ",\"shear_modulus\":\"" : "", n ? moduli[n - 1] : "",
                       n ? "\"" : "");
        CHECK_FREED(wagon) w =
            wagon_open_with("wagon-driven", contact, LINE, s.profiles, s.changes, "track.rail.profile=round",
                            "start.at=15", "start.speed=20", "drive={}", MILD, TIGHT);
        for (int i = 0; i < TIMES; i++) { // the leading wheelset comes to the change at .275 s
            double q[18];
            assert_true(wagon_go(&w, 0.2 + 0.02 * i));
            wagon_coordinates(&w, q);
            for (int k = 0; k < 3; k++) {
                at[n][k][i] = q[6 * LEADING + freedoms[k]] - (i > 0 ? at[n][k][0] : 0.0);
                if (n > 0 && i > 0)
                    off[n - 1][k] = fmax(off[n - 1][k], fabs(at[n][k][i] - at[0][k][i]));
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        check_below(off[1][k], 0.15 * off[0][k]);
        for (int i = 1; i < TIMES; i++)
            check_near((10.0 * at[2][k][i] - at[1][k][i]) / 9.0, at[0][k][i], 2e-8); // m, rad; of 2 mm, 2 mrad
    }
    assert_true(fabs(at[0][0][TIMES - 1]) > 1e-4 && fabs(at[0][1][TIMES - 1]) > 1e-3);
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
