// SPDX-License-Identifier: MIT
// What nothing dissipates stays: a wagon without dampers rolls without friction, by itself, over rails that twist, rise
// and bend, and keeps its energy. A normal force that is not normal to the rail's surface, or that acts beside the
// place where wheel and rail touch, gives or takes some; so does a guided wheel whose normal force does not belong to
// its gap.

#include "property/wagon/wagon.h"

#define CONTACT "vehicle.patterns.wheelset.contact="

static double total(const wagon *w)
{
    kane_energy e;
    kane_get_energy(w->model, kane_simulation_work(w->simulation), &e);
    return e.kinetic + e.gravity + e.elements + e.contact;
}

#define ELASTIC    "{\"model\":\"elastic\",\"dissipation_law\":\"none\"}"
#define CONSTRAINT "{\"model\":\"constraint\"}"
#define TABLES     "{\"model\":\"table\"}"
#define CONE       "vehicle.patterns.wheelset.profile=steep"
#define HOLLOW     "vehicle.patterns.wheelset.profile=hollow"

// 7.5 MJ enter a transition, for a while, where rails twist by up to 1:400 without a kink. As no friction steers them,
// wheelsets shift by some millimetres and yaw by some mrad.
static void keeps(const char *way, const char *profile, double until, double bound)
{
    static const char *const axes[] = {"track.cant_axis=inner_rail", "track.cant_axis=centre_line"};
    for (int i = 0; i < 2; i++) {
        double most = 0.0, yaw = 0.0, q[18];
        CHECK_FREED(wagon) w = wagon_open_with(
            "wagon-driven", way, profile, axes[i],
            "track.sections=[{\"straight\":20},{\"transition\":40,\"shape\":\"bloss\",\"to\":{\"radius\":600,\"cant\":"
            "\"100 mm\"}},{\"curve\":100}]",
            "track.rail={\"profile\":\"round\",\"friction\":0}", "drive={}", "start.at=12", "start.speed=20",
            "vehicle.patterns.axlebox.damping=[0,0,0]",
            "vehicle.profiles={\"steep\":{\"cone\":0.1},\"hollow\":{\"arc\":\"0.4 m\",\"conicity\":0.1}}", TIGHT);
        const double first = total(&w);
        for (double t = 0.25; t <= until; t += 0.25) {
            assert_true(wagon_go(&w, t));
            most = fmax(most, fabs(total(&w) - first));
            wagon_coordinates(&w, q);
            yaw = fmax(yaw, fabs(q[6 * LEADING + KANE_YAW]));
        }
        print_message("%s, %s, %s: energy changes by %.2g J\n", way, profile, axes[i], most);
        assert_true(yaw > 2e-3); // something has happened
        check_figure(most, "%s, %s", strstr(profile, "hollow") ? "hollow" : "cones",
                     strstr(way, "elastic") ? "elastic" : "guided");
        check_near(most, 0.0, bound);
    }
}

// Cones soon climb, since nothing steers them back. Of hollow wheels Hertz' stiffness changes with the place, and what
// a patch stores is counted as if it did not; nothing stays of that behind the transition.
CHECK_TEST(of_wheels_that_give_way)
{
    keeps(CONTACT ELASTIC, CONE, 1.0, 5e-3);
    keeps(CONTACT ELASTIC, HOLLOW, 2.0, 1.0);
}

CHECK_TEST(of_wheels_that_are_constrained)
{
    keeps(CONTACT CONSTRAINT, CONE, 1.0, 2e-4);
    keeps(CONTACT CONSTRAINT, HOLLOW, 2.0, 2e-4);
}

CHECK_TEST(of_wheels_that_follow_tables)
{
    keeps(CONTACT TABLES, HOLLOW, 2.0, 2e-4);
}

CHECK_MAIN(NULL, NULL)
