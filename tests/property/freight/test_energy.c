// SPDX-License-Identifier: MIT
// Dry friction of whole wagons only takes energy: what the drive puts in and gravity gives is in motion, in springs, or
// heat.

#include "property/freight/freight.h"

#define STEP 0.01 // between two looks [s]

static void check_energy(const char *run, const char *variant)
{
    double heat_before = 0.0, slip = 0.0;
    kane_energy first, now;
    CHECK_FREED(wagon) w = wagon_open_with(run, TIGHT, "output.work=true", "until.distance=100", variant);
    const int n          = kane_model_state_count(w.model);
    kane_get_energy(w.model, kane_simulation_work(w.simulation), &first);
    for (int i = 1; wagon_go(&w, STEP * i); i++) {
        const double *work = kane_simulation_state(w.simulation) + n;
        kane_get_energy(w.model, kane_simulation_work(w.simulation), &now);
        const double gained = now.kinetic + now.gravity - first.kinetic - first.gravity;
        const double stored = now.elements + now.contact - first.elements - first.contact;
        const double heat   = -(work[1] + work[2]) - stored;
        check_figure((gained - work[0] - work[1] - work[2]) / first.kinetic, "energy gained");
        check_near(gained, work[0] + work[1] + work[2], 1e-9 * first.kinetic);
        assert_true(heat >= heat_before - 1e-9 * first.kinetic);
        heat_before = heat;
        slip        = fmax(slip, freight_stuck(&w));
    }
    print_message("%s: %.0f J of heat, of %.3g J\n", run, heat_before, first.kinetic);
    assert_true(heat_before > 0.0);
    assert_true(slip > 0.9);
}

CHECK_TEST(friction_of_the_link_wagon_takes_energy)
{
    check_energy("link-wagon-transition", NULL);
    check_energy("link-wagon-irregular", "variant=tare");
}

CHECK_TEST(friction_of_the_bogie_wagon_takes_energy)
{
    check_energy("bogie-wagon-transition", NULL);
}

CHECK_MAIN(NULL, NULL)
