// SPDX-License-Identifier: MIT
// A loop that loses nothing, over a million steps: its energy, and how far it comes off its constraints.

#include "mechanisms.h"

static void check_run(kane_constraint_form form, kane_method method, double step)
{
    enum { SAMPLES = 1000 };
    const double end = 1e6 * step;
    double most = 0.0, value_most = 0.0, rate_most = 0.0;
    kane_settings settings = mechanism_settings(1e-12);
    kane_statistics statistics;
    CHECK_END(mechanism_close_all) mechanism m = {0};
    settings.method                            = method;
    settings.order                             = kane_method_orders(method);
    settings.longest_step                      = step;
    (void)mechanism_four_bar(&m);
    mechanism_open(&m, form);
    const double energy = mechanism_energy(&m, m.work);
    mechanism_run(&m, &settings);
    for (int i = 1; i <= SAMPLES; i++) {
        double value, rate;
        const kane_work *work = mechanism_go(&m, end * i / SAMPLES);
        kane_get_drift(m.model, work, &value, &rate);
        most       = fmax(most, fabs(mechanism_energy(&m, work) - energy));
        value_most = fmax(value_most, value);
        rate_most  = fmax(rate_most, rate);
    }
    kane_simulation_statistics(m.simulation, &statistics);
    assert_true(statistics.steps >= 1000000);
    check_near(most, 0.0, 2e-8); // of 15 J
    check_near(value_most, 0.0, 1e-10);
    check_near(rate_most, 0.0, 1e-10);
}

// 500 s, about 500 turns of the crank.
CHECK_TEST(test_coefficients)
{
    check_run(KANE_FORM_COEFFICIENTS, KANE_ADAMS, 5e-4);
}

CHECK_TEST(test_multipliers)
{
    check_run(KANE_FORM_MULTIPLIERS, KANE_BDF, 1e-4);
}

CHECK_MAIN(NULL, NULL)
