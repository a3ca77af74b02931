// SPDX-License-Identifier: MIT
// A coach that is driven from outside, a millisecond at a time.

#ifndef KANE_TESTS_WAGON_OUTSIDE_H
#define KANE_TESTS_WAGON_OUTSIDE_H

#include "allocation.h"
#include "property/wagon/wagon.h"

#include <kane/state.h>

// Inputs that change in each of 200 steps of a millisecond, with settings; saving, and taking it up again: nothing is
// allocated, and the bits are the same. Returns what these steps took.
static inline kane_statistics drive_from_outside(const char *const *settings)
{
    CHECK_ERRORS errors = {0};
    kane_statistics before, took[2];
    double *end[2];
    wagon w = wagon_read("coach-skyhook", settings);
    wagon_start(&w);
    const size_t size = (size_t)kane_model_state_count(w.model) * sizeof(double);
    end[0]            = malloc(size);
    end[1]            = malloc(size);
    for (int k = 0; k < 200; k++) {
        (void)kane_simulation_set_input(w.simulation, 0, 1e3 * sin(0.1 * k));
        assert_int_equal(kane_simulation_step(w.simulation, 1e-3, &errors), KANE_OK);
    }
    kane_state *saved = kane_simulation_save(w.simulation, NULL, &errors);
    check_no_errors(&errors);
    for (int again = 0; again < 2; again++) {
        if (again)
            assert_int_equal(kane_simulation_resume(w.simulation, saved, &errors), KANE_OK);
        assert_int_equal(kane_simulation_step(w.simulation, 1e-3, &errors), KANE_OK);
        kane_simulation_statistics(w.simulation, &before);
        allocation_fail_at(0);
        for (int k = 0; k < 200; k++) {
            (void)kane_simulation_set_input(w.simulation, 1, -1e3 * cos(0.1 * k));
            assert_int_equal(kane_simulation_step(w.simulation, 1e-3, &errors), KANE_OK);
        }
        (void)allocation_stop();
        assert_int_equal(allocation_count(), 0);
        kane_simulation_statistics(w.simulation, &took[again]);
        took[again].steps -= before.steps;
        took[again].jacobians -= before.jacobians;
        took[again].restarts -= before.restarts;
        memcpy(end[again], kane_simulation_state(w.simulation), size);
    }
    assert_memory_equal(end[0], end[1], size);
    kane_state_free(saved);
    free(end[0]);
    free(end[1]);
    wagon_free(&w);
    assert_int_equal(took[0].steps, took[1].steps);
    assert_int_equal(took[0].jacobians, took[1].jacobians);
    assert_int_equal(took[0].restarts, took[1].restarts);
    return took[1];
}

#endif
