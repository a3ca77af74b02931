// SPDX-License-Identifier: MIT
// A wagon over the UK crossing of the S&C benchmark, given by CONTACT's slices, which lie beside the source tree:
// without friction and dampers it keeps its energy; as it is its wheels stay loaded where the rails are plain, and what
// it loses has become heat.

#include "property/wagon/wagon.h"

#include <unistd.h>

#define SLICES KANE_SOURCE_DIR "/../shared/reference/profiles/crossing"

// The crossing in the right rail, its position 0 at 100 m, a check rail opposite, rails of its first slice.
#define CROSSING                                                                                                       \
    "track.sections=[{\"straight\":200}]",                                                                             \
        "track.profiles={\"uk\":{\"file\":\"" SLICES "/uk_crossing/"                                                   \
        "Crossing_1.txt\",\"unit\":\"m\",\"lateral\":\"outside\",\"vertical\":\"down\",\"inclined\":true}}",           \
        "track.rail.profile=uk",                                                                                       \
        "track.profile_changes=[{\"from\":100,\"rail\":\"right\",\"slices\":\"" SLICES                                 \
        "/uk_crossing.slcs\",\"unit\":\"m\"}]",                                                                        \
        "track.check_rails=[{\"from\":97.1,\"to\":102.8,\"rail\":\"left\",\"flangeway\":\"41 mm\"}]", "drive={}"

static void skip_without_slices(void)
{
    if (access(SLICES, R_OK) != 0)
        check_skip("there is no %s", SLICES);
}

static double total(const wagon *w)
{
    kane_energy e;
    kane_get_energy(w->model, kane_simulation_work(w->simulation), &e);
    return e.kinetic + e.gravity + e.elements + e.contact;
}

// The leading wheelset, 4.5 m ahead, goes over wing and nose. What the normal force does along the rail is its work
// where a head climbs alike over all of a patch (unit.contact.rail_shapes); here heads turn by 1:20 within .1 m and
// edges go aslant, and the mean climb of a patch by its pressure is not quite the derivative of its energy.
CHECK_TEST(energy_nearly_stays)
{
    static const char *const settings[] = {CROSSING,
                                           "track.check_rails=[]", // their damping would take some
                                           "track.rail.friction=0",
                                           "vehicle.patterns.wheelset.contact={\"dissipation_law\":\"none\"}",
                                           "vehicle.patterns.axlebox.damping=[0,0,0]",
                                           "start.at=94.5",
                                           "start.speed=10",
                                           TIGHT,
                                           NULL};
    double most = 0.0, exchanged = 0.0;
    kane_energy before, now;
    skip_without_slices();
    CHECK_FREED(wagon) w = wagon_open("wagon-driven", settings);
    const double first   = total(&w);
    kane_get_energy(w.model, kane_simulation_work(w.simulation), &before);
    for (int i = 1; i <= 34; i++) {
        assert_true(wagon_go(&w, 0.01 * i));
        most = fmax(most, fabs(total(&w) - first));
        kane_get_energy(w.model, kane_simulation_work(w.simulation), &now);
        exchanged = fmax(exchanged, fabs(now.gravity - before.gravity));
    }
    print_message("energy changes by %.1f J, %.0f J of gravity go to and fro, %.3g J are in motion\n", most, exchanged,
                  before.kinetic);
    check_figure(most, "energy");
    check_figure(exchanged, "gravity");
    assert_true(exchanged > 50.0);
    assert_true(most < check_tolerance(30.0)); // the climb over a patch: 1e-5 of what is in motion
}

// At 10 m/s on a ballasted track. Wheels carry a quarter of the wagon before and behind; on the crossing, whose right
// head rises by 1 mm within .1 m, they stay loaded.
CHECK_TEST(loads_are_plausible)
{
    double most = 0.0, least = HUGE_VAL;
    skip_without_slices();
    CHECK_FREED(wagon) w =
        wagon_open_with("wagon-driven", CROSSING, "track.flexibility={}", "start.at=92", "start.speed=10");
    const double first = total(&w), load = wagon_Q(&w, LEADING, KANE_RIGHT);
    for (int i = 1; i <= 2800; i++) {
        assert_true(wagon_go(&w, 5e-4 * i));
        const double Q = wagon_Q(&w, LEADING, KANE_RIGHT);
        most           = fmax(most, Q);
        least          = fmin(least, Q);
    }
    const double lost = first - total(&w), last = wagon_Q(&w, LEADING, KANE_RIGHT);
    print_message(
        "wheel load %.1f kN, on the crossing from %.1f to %.1f kN, behind it %.1f kN; %.0f J have become heat\n",
        1e-3 * load, 1e-3 * least, 1e-3 * most, 1e-3 * last, lost);
    check_figure(most, "largest load");
    check_figure(least, "least load");
    check_relative(last, load, 0.01);
    assert_true(least > 0.0 && most < 2.5 * load);
    assert_true(lost > 0.0 && lost < 1e-3 * first);
}

CHECK_MAIN(NULL, NULL)
