// SPDX-License-Identifier: MIT
// The nonlinear critical speeds in the pages of the coach and of Cooperrider's vehicle and bogie: a little faster than
// the slowest cycle there is one that a sweep comes to, a little slower there is none.

#include "property/hunting/hunter.h"
#include "property/wagon/linear.h"

enum { WHEELSETS_MOST = 4 };

#define BESIDE 0.3 // of the page's speeds, so that motion needs no long time to decide [m/s]

static kane_motion motion_at(const kane_critical_study *study, double speed, const kane_beginning *begin,
                             double *amplitude, double *deviation)
{
    kane_critical_swing swing[WHEELSETS_MOST];
    kane_critical_point point = {0};
    kane_cycle *cycle         = CHECK_GOOD(kane_cycle_create, study, speed);
    assert_true(kane_cycle_wheelset_count(cycle) <= WHEELSETS_MOST);
    (void)CHECK_GOOD(kane_cycle_start, cycle, begin);
    (void)CHECK_GOOD(kane_cycle_run, cycle, &point, swing, NULL, NULL);
    *amplitude = swing[point.largest].amplitude;
    if (deviation)
        kane_cycle_deviation(cycle, deviation);
    kane_cycle_free(cycle);
    return point.motion;
}

// row: slowest speed with a cycle, fastest one below without [m/s]
static void check_bracket(const char *page, const char *row, const char *run)
{
    double speeds[2], amplitude[3], deviation[LINEAR_STATES_MOST];
    kane_critical_study study = kane_critical_study_default();
    CHECK_FREED(wagon) w      = wagon_read(run, (const char *const[]){"integrator.rtol=1e-5", NULL});
    page_row(page, row, 2, speeds);
    assert_true(speeds[1] < speeds[0] && speeds[0] - speeds[1] < 0.1);
    study.run             = kane_run_get_definition(w.run);
    study.rules.cycles    = 4;
    study.rules.tolerance = 2e-3;

    const kane_beginning aside = {.way = KANE_PERTURB_MODE, .amount = 6e-3}, on = {.from = deviation, .part = 1.0};
    assert_int_equal(motion_at(&study, speeds[0] + 1.0, &aside, &amplitude[0], deviation), KANE_MOTION_SETTLED);
    const kane_motion above = motion_at(&study, speeds[0] + BESIDE, &on, &amplitude[1], NULL);
    const kane_motion below = motion_at(&study, speeds[1] - BESIDE, &on, &amplitude[2], NULL);
    print_message("%s: %.3f mm at %.3f m/s, %s; %.3f mm at %.3f m/s, %s; %s at %.3f m/s\n", row, 1e3 * amplitude[0],
                  speeds[0] + 1.0, "settled", 1e3 * amplitude[1], speeds[0] + BESIDE, kane_motion_name(above),
                  kane_motion_name(below), speeds[1] - BESIDE);
    assert_int_equal(above, KANE_MOTION_SETTLED);
    assert_true(amplitude[1] > 1e-3 && amplitude[1] < amplitude[0]);
    assert_int_equal(below, KANE_MOTION_DIED);
}

CHECK_TEST(the_coach_has_cycles_down_to_the_speed_of_its_page)
{
    check_bracket("manchester-1", "nonlinear, elastic contact", "coach-straight");
}

CHECK_TEST(cooperriders_bogie_has_cycles_down_to_the_speed_of_its_page)
{
    check_bracket("cooperrider", "bogie, nonlinear", "cooperrider-bogie");
}

CHECK_TEST(cooperriders_vehicle_has_cycles_down_to_the_speed_of_its_page)
{
    check_bracket("cooperrider", "vehicle, nonlinear", "cooperrider-straight");
}

CHECK_MAIN(NULL, NULL)
