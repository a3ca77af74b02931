// SPDX-License-Identifier: MIT
// A wagon over the UK crossing of the S&C benchmark, given by CONTACT's slices, which lie beside the source tree: without friction and
// dampers it keeps its energy; as it is its wheels stay loaded where the rails are plain, and what it loses has become heat.

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

static void energy_stays(void **state)
{
    static const char *const settings[] = {CROSSING,
                                           "track.rail.friction=0",
                                           "vehicle.patterns.wheelset.contact={\"dissipation_law\":\"none\"}",
                                           "vehicle.patterns.axlebox.damping=[0,0,0]",
                                           "start.at=93",
                                           "start.speed=10",
                                           TIGHT,
                                           NULL};
    double most = 0.0, exchanged = 0.0;
    (void)state;
    skip_without_slices();
    wagon w = wagon_read("wagon-driven", settings);
    wagon_start(&w);
    const double first = total(&w);
    kane_energy before, now;
    kane_get_energy(w.model, kane_simulation_work(w.simulation), &before);
    for (int i = 1; i <= 300; i++) {
        assert_true(wagon_go(&w, 5e-3 * i));
        if (getenv("SHOW") && i % 5 == 0) { double s_, v_, a_; kane_get_travel(kane_simulation_work(w.simulation), &s_, &v_, &a_); print_message("%.3f E %.2f\n", s_ , total(&w) - first); }
        most = fmax(most, fabs(total(&w) - first));
        kane_get_energy(w.model, kane_simulation_work(w.simulation), &now);
        exchanged = fmax(exchanged, fabs(now.gravity - before.gravity));
    }
    print_message("energy changes by %.2g J, %.3g J of gravity go to and fro\n", most, exchanged);
    check_figure(most, "energy");
    check_figure(exchanged, "gravity");
    assert_true(exchanged > 50.0);
    wagon_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
