// SPDX-License-Identifier: MIT
// The coach in a curve that goes on for ever: its equilibrium is where a long run ends, and is found where the coach
// hunts, too.

#include "property/coach/coach.h"
#include "property/wagon/stand.h"

static const char *const tight[] = {TIGHT, NULL};

// Largest distance of a coordinate, spin and the guide's travel aside, from the equilibrium [m], [rad].
static double miss(stand *s, kane_simulation *simulation)
{
    double most = 0.0;
    for (int j = 0; j < BODIES; j++) {
        double here[6], there[6], rates[6];
        stand_place(s, j, here);
        kane_get_relative(s->model, kane_simulation_work(simulation), j, there, rates);
        for (int c = 0; c < (j < FIRST_WHEELSET ? 6 : 5); c++)
            most = fmax(most, fabs(here[c] - there[c]));
    }
    return most;
}

// From the static position, 25 m/s in a curve of 600 m with 100 mm: too little cant.
CHECK_TEST(it_is_where_a_long_run_ends)
{
    CHECK_FREED(stand) s                     = stand_at("coach-curve", tight, 25.0, 600.0, 0.1);
    CHECK_OWNED(kane_simulation) *simulation = stand_go(&s, NULL);
    const double first                       = miss(&s, simulation);
    assert_int_equal(CHECK_GOOD(kane_simulation_advance, simulation, 60.0), KANE_OK);
    assert_int_equal(kane_simulation_stop(simulation), KANE_STOP_NONE);
    print_message("%.2g m, rad away at first, %.2g after 60 s\n", first, miss(&s, simulation));
    assert_true(first > 1e-2);
    check_below(miss(&s, simulation), 1e-9); // 1e-6 mm
}

// 80 m/s is beyond the linear critical speed of 76 m/s: the solver does not mind, and a run leaves the equilibrium.
CHECK_TEST(it_is_found_where_the_coach_hunts)
{
    CHECK_ERRORS errors = {0};
    stand s             = stand_at("coach-curve", NULL, 80.0, (double)INFINITY, 0.0);
    double *y           = calloc((size_t)kane_model_state_count(s.model), sizeof *y);
    assert_non_null(y);
    check_below(kane_steady_equilibrium(s.steady)->residual, 1e-9);
    memcpy(y, kane_steady_state(s.steady), (size_t)kane_model_state_count(s.model) * sizeof *y);
    y[s.model->bodies[FIRST_WHEELSET].q + KANE_Y] += 1e-4;
    kane_simulation *simulation = stand_go(&s, y);
    assert_int_equal(kane_simulation_advance(simulation, 10.0, &errors), KANE_OK);
    print_message("%.2g m, rad away after 10 s\n", miss(&s, simulation));
    assert_true(miss(&s, simulation) > 1e-3);
    kane_simulation_free(simulation);
    free(y);
    stand_free(&s);

    s = stand_at("coach-curve", NULL, 80.0, 3000.0, 0.1);
    check_below(kane_steady_equilibrium(s.steady)->residual, 1e-9);
    stand_free(&s);
}

CHECK_MAIN(NULL, NULL)
