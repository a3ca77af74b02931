// SPDX-License-Identifier: MIT
// Memory: none is asked for once a simulation is under way, and none is lost where it runs out.

#include "allocation.h"

#include <kane/jacobian.h>

#include "property/wagon/wagon.h"

CHECK_TEST(a_simulation_under_way_asks_for_no_memory)
{
    static const char *const runs[] = {"wagon-transition", "wagon-driven", "wagon-irregular", "wagon-flexible"};
    for (int i = 0; i < 4; i++) {
        static const char *const all[] = {"*"};
        static double values[2000];
        CHECK_ERRORS errors                  = {0};
        CHECK_FREED(wagon) w                 = wagon_open_with(runs[i], "until.distance=200", "output.work=true");
        CHECK_OWNED(kane_channels) *channels = kane_channels_create(w.simulation, 1, all, NULL, &errors);
        assert_true(kane_channels_count(channels) < 2000);
        assert_true(wagon_go(&w, 0.01)); // the first factorisation
        allocation_fail_at(0);
        for (int k = 1; wagon_go(&w, 0.01 + 0.01 * k); k++)
            kane_channels_read(channels, w.simulation, values);
        (void)allocation_stop();
        assert_int_equal(allocation_count(), 0);
        kane_statistics s;
        kane_simulation_statistics(w.simulation, &s);
        assert_true(s.restarts >= (i < 2 ? 6 : 0) && s.jacobians > 10);
    }
}

// Everything from files to one evaluation and its Jacobian. (Creating the integrator is left out: SUNDIALS 6.4 does not
// survive the loss of its logger.)
static int carry_out(kane_errors *errors)
{
    CHECK_OWNED(kane_run) *run = kane_run_read(KANE_SOURCE_DIR "/data/runs/wagon-transition.json", NULL, errors);
    if (!run)
        return 0;
    const kane_run_definition *d         = kane_run_get_definition(run);
    CHECK_OWNED(kane_model) *model       = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, errors);
    CHECK_OWNED(kane_work) *work         = model ? kane_work_create(model, errors) : NULL;
    CHECK_OWNED(kane_jacobian) *jacobian = model ? kane_jacobian_create(model, kane_model_state_count(model)) : NULL;
    double y[64], ydot[64];
    const int done = work && jacobian && kane_initial_state(model, work, y, errors) == KANE_OK &&
                     kane_eval(model, work, 0.0, y, ydot) == KANE_OK;
    return done;
}

CHECK_TEST(wherever_memory_runs_out_nothing_is_lost)
{
    int k = 1, named = 0, survived = 0;
    for (;; k++) {
        CHECK_ERRORS errors = {0};
        allocation_fail_at(k);
        const int done = carry_out(&errors);
        if (!allocation_stop()) {
            assert_true(done);
            break;
        }
        survived += done;           // the C library's sort can do without
        named += errors.count >= 1; // creating a Jacobian returns NULL without more words
    }
    if (getenv("KANE_SHOW"))
        print_message("%d allocations\n", k - 1);
    assert_true(k > 100 && named > k - 20 && survived <= 2);
}

CHECK_MAIN(NULL, NULL)
