// SPDX-License-Identifier: MIT
// A freight wagon that is put down in a canted curve swings, sticks, and then stands still: its friction holds it, and
// nothing creeps.

#include "property/freight/freight.h"

enum { REST = 1800, HOUR = 3600 }; // [s]; wheels that do not roll let go of their first shear slowly

static double drift(wagon *w, const double *before)
{
    double q[FREIGHT_COORDINATES_MOST], most = 0.0;
    freight_coordinates(w, q);
    for (int i = 0; i < 6 * kane_model_body_count(w->model); i++)
        most = fmax(most, fabs(q[i] - before[i]));
    return most;
}

static void check_rest(const char *vehicle)
{
    char other[96];
    double first[FREIGHT_COORDINATES_MOST], settled[FREIGHT_COORDINATES_MOST];
    kane_statistics before, after;
    (void)snprintf(other, sizeof other, "vehicle=\"../../vehicles/%s.json\"", vehicle);
    CHECK_FREED(wagon) w = wagon_open_with("link-wagon-rest", "until.time=7200", other);
    freight_coordinates(&w, first);
    assert_true(wagon_go(&w, REST));
    freight_coordinates(&w, settled);
    kane_simulation_statistics(w.simulation, &before);
    assert_true(wagon_go(&w, REST + HOUR));
    kane_simulation_statistics(w.simulation, &after);
    print_message(
        "%s: after %ld steps at rest, leaning by %.1f mrad; an hour later %.1e m, rad, %ld steps; state %.3f\n",
        vehicle, before.steps, 1e3 * settled[KANE_ROLL], drift(&w, settled), after.steps - before.steps,
        freight_stuck(&w));
    assert_true(drift(&w, first) > 1e-3); // it has given way to the cant ...
    assert_true(freight_stuck(&w) > 0.1); // ... and friction carries a part of it
    assert_true(drift(&w, settled) < check_tolerance(1e-7));
    assert_true(after.steps - before.steps < 1000);
}

CHECK_TEST(the_link_wagon_rests_for_an_hour)
{
    check_rest("link-wagon");
}

CHECK_TEST(the_bogie_wagon_rests_for_an_hour)
{
    check_rest("bogie-wagon");
}

CHECK_MAIN(NULL, NULL)
