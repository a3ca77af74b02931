// SPDX-License-Identifier: MIT
// The coarsest tolerances that are accepted still tell a derailment from none; coarser ones are refused; and a
// derailment comes with what is needed to judge it.

#include "property/wagon/wagon.h"

#define TABLES     "vehicle.patterns.wheelset.contact.model=table"
#define CONSTRAINT "vehicle.patterns.wheelset.contact.model=constraint"

static double *tolerance_of(kane_settings *s, int i)
{
    double *const all[] = {&s->relative, &s->position, &s->angle, &s->speed, &s->turning};
    return all[i];
}

// Everything as coarse as it may be.
static wagon read_coarse(const char *run, const char *const *settings)
{
    wagon w                        = wagon_read(run, settings);
    const kane_settings coarse     = kane_settings_coarsest(w.definition.vehicle);
    w.definition.settings.relative = coarse.relative;
    w.definition.settings.position = coarse.position;
    w.definition.settings.angle    = coarse.angle;
    w.definition.settings.speed    = coarse.speed;
    w.definition.settings.turning  = coarse.turning;
    return w;
}

// Runs to its end and returns why it came.
static kane_stop run_out(wagon *w)
{
    for (double t = 0.5; kane_simulation_stop(w->simulation) == KANE_STOP_NONE; t += 0.5)
        (void)wagon_go(w, t);
    return kane_simulation_stop(w->simulation);
}

CHECK_TEST(nothing_derails_that_does_not)
{
    static const struct {
        const char *run;
        const char *settings[4];
    } runs[] = {
        {"wagon-transition", {"until.distance=300"}},
        {"wagon-irregular", {"until.distance=150"}},
        {"wagon-ore", {"until.distance=100"}},
        {"wagon-flexible", {"until.distance=100"}},
        {"coach-irregular", {"until.distance=100"}},
        {"bogie-wagon-irregular", {"until.distance=100"}},
        {"wagon-transition", {"until.distance=300", TABLES}},
        {"coach-irregular", {"until.distance=100", TABLES}},
        {"coach-irregular", {"until.distance=100", CONSTRAINT}},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        CHECK_FREED(wagon) w = read_coarse(runs[i].run, runs[i].settings);
        wagon_start(&w);
        const kane_stop stop = run_out(&w);
        if (stop != KANE_STOP_DISTANCE)
            fail_msg("%s: %s at %g s", runs[i].run, kane_stop_name(stop), kane_simulation_time(w.simulation));
    }
}

// The wagon runs too fast into the transition: it derails whatever the tolerances, within 2 m of the same place, and
// the error of the last step is what they let it be.
CHECK_TEST(what_derails_derails)
{
    static const double speeds[] = {55.0, 60.0, 70.0};
    for (int i = 0; i < 3; i++) {
        char speed[64];
        double place[2], step[2];
        (void)snprintf(speed, sizeof speed, "start.speed=%g", speeds[i]);
        const char *const settings[] = {speed, NULL};
        for (int coarse = 0; coarse < 2; coarse++) {
            CHECK_FREED(wagon)
            w = coarse ? read_coarse("wagon-transition", settings) : wagon_read("wagon-transition", settings);
            kane_statistics s;
            double v, a;
            wagon_start(&w);
            assert_int_equal(run_out(&w), KANE_STOP_WHEEL_LIFT);
            assert_string_equal(kane_simulation_stop_subject(w.simulation), "leading.left");
            kane_get_travel(kane_simulation_work(w.simulation), &place[coarse], &v, &a);
            kane_simulation_statistics(w.simulation, &s);
            assert_true(s.last_order >= 1 && s.last_order <= 2);
            assert_true(s.last_error > 0.0 && s.last_error <= 1.0); // else the step would not have been taken
            // a wheel is 15 mm over its rail; of the norm over all states one may have the most of it
            const double weight = w.definition.settings.relative * 0.05 + w.definition.settings.position;
            assert_true(s.last_wheel_error > 0.0);
            assert_true(s.last_wheel_error < weight * s.last_error * sqrt(kane_model_state_count(w.model)));
            assert_true(coarse ? s.last_wheel_error > 1e-8 : s.last_wheel_error < 1e-8);
            step[coarse] = s.last_step;
        }
        assert_true(step[0] < 5e-3 && step[1] > 4.0 * step[0]);
        check_near(place[1], place[0], 2.0);
    }
}

// In C, too: each tolerance at its bound is accepted, a little beyond it is refused, as are numbers that are none.
CHECK_TEST(coarser_ones_are_refused)
{
    static const char *const ways[][2]  = {{NULL}, {TABLES, NULL}};
    static const char *const runs[]     = {"wagon-transition", "wagon-transition", "mechanism-pendulum"};
    static const char *const said[3][5] = {
        {"the tolerance 'rtol' is 0.002; must be within 1e-14 and 0.001",
         "the tolerance 'atol_position' is 2e-06 m; must be at most 1e-06 m where wheels in elastic contact give way by some "
         "0.05 mm under their load",
         "the tolerance 'atol_angle' is 2e-06 rad; must be at most 1e-06 rad where",
         "the tolerance 'atol_velocity' is 0.002 m/s; must "
         "be at most 0.001 m/s where",
         "the tolerance 'atol_angular_velocity' is 0.002 rad/s; must be at most 0.001 rad/s where"},
        {"the tolerance 'rtol' is 0.002; must be within 1e-14 and 0.001",
         "the tolerance 'atol_position' is 0.0002 m; must be at most 0.0001 m where rails guide wheels",
         "the tolerance 'atol_angle' is 0.0002 rad; must be at most 0.0001 rad where",
         "the tolerance 'atol_velocity' is 0.02 m/s; must be at most 0.01 m/s where",
         "the tolerance 'atol_angular_velocity' is 0.02 rad/s; must be at most 0.01 rad/s where"},
        {"the tolerance 'rtol' is 0.002; must be within 1e-14 and 0.001",
         "the tolerance 'atol_position' is 0.002 m; must be at most 0.001 m where there are no wheels",
         "the tolerance 'atol_angle' is 0.002 rad; must be at most 0.001 rad where",
         "the tolerance 'atol_velocity' is 0.2 m/s; must be at most 0.1 m/s where",
         "the tolerance 'atol_angular_velocity' is 0.2 rad/s; must be at most 0.1 rad/s where"},
    };
    for (int kind = 0; kind < 3; kind++) {
        CHECK_FREED(wagon) w = read_coarse(runs[kind], kind == 1 ? ways[1] : ways[0]);
        wagon_start(&w); // all at their bounds
        const kane_settings bound = w.definition.settings;
        for (int i = 0; i < 5; i++) {
            const double wrong[] = {2.0, 0.0, -1.0, (double)NAN, (double)INFINITY};
            for (int k = 0; k < 5; k++) {
                CHECK_ERRORS errors    = {0};
                kane_settings settings = bound;
                *tolerance_of(&settings, i) *= wrong[k];
                assert_null(kane_simulation_create(w.model, &settings, &w.definition.conditions, &errors));
                assert_int_equal(errors.count, 1);
                assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_INPUT);
                if (k == 0 && strncmp(kane_errors_get(&errors, 0)->text, said[kind][i], strlen(said[kind][i])) != 0)
                    fail_msg("%s", kane_errors_get(&errors, 0)->text);
            }
        }
    }
}

CHECK_MAIN(NULL, NULL)
