// SPDX-License-Identifier: MIT
// The wagon runs the same in moving and in fixed frames, and not when an imaginary term is left out.

#include "property/wagon/wagon.h"

// Largest difference of each relative coordinate between two runs, every 0.05 s; wheel loads in *Q.
static void compare(wagon *a, wagon *b, double difference[18], double *Q)
{
    memset(difference, 0, 18 * sizeof *difference);
    *Q       = 0.0;
    int rows = 0;
    for (int i = 1;; i++) {
        double qa[18], qb[18];
        const int more_a = wagon_go(a, 0.05 * i), more_b = wagon_go(b, 0.05 * i);
        assert_int_equal(kane_simulation_stop(a->simulation), kane_simulation_stop(b->simulation));
        wagon_coordinates(a, qa);
        wagon_coordinates(b, qb);
        for (int k = 0; k < 18; k++)
            difference[k] = fmax(difference[k], fabs(qa[k] - qb[k]));
        for (int body = LEADING; body <= TRAILING; body++)
            for (int side = 0; side < 2; side++)
                *Q = fmax(*Q, fabs(wagon_Q(a, body, side) - wagon_Q(b, body, side)));
        rows++;
        if (!more_a || !more_b)
            break;
    }
    assert_true(rows > 100);
}

static void same_in_both(const char *run, const char *const *settings, double limit, double limit_Q)
{
    const char *fixed_settings[16];
    int n = 0;
    while (settings[n]) {
        fixed_settings[n] = settings[n];
        n++;
    }
    fixed_settings[n]     = "formulation=fixed";
    fixed_settings[n + 1] = NULL;
    wagon moving = wagon_read(run, settings), fixed = wagon_read(run, fixed_settings);
    double difference[18], Q;
    wagon_start(&moving);
    wagon_start(&fixed);
    compare(&moving, &fixed, difference, &Q);
    for (int k = 0; k < 18; k++)
        check_near(difference[k], 0.0, limit);
    check_near(Q, 0.0, limit_Q);
    wagon_free(&moving);
    wagon_free(&fixed);
}

static void an_accelerating_wagon_runs_the_same_in_moving_and_fixed_frames(void **state)
{
    (void)state;
    same_in_both("wagon-transition", (const char *const[]){TIGHT, NULL}, 1e-6, 1.0);
}

static void a_driven_wagon_runs_the_same_in_moving_and_fixed_frames(void **state)
{
    (void)state;
    same_in_both("wagon-driven", (const char *const[]){TIGHT, NULL}, 1e-6, 1.0);
}

// The ramp about the inner rail with constant slope: Omega and even the frame's attitude jump at its ends.
#define RAMP "track.cant_axis=inner_rail", "track.sections[1].shape=clothoid"

static void jumps_of_the_frame_do_not_show_when_the_state_is_mapped_over(void **state)
{
    (void)state;
    same_in_both("wagon-transition", (const char *const[]){TIGHT, RAMP, "until.distance=170", NULL}, 1e-6, 2.0);
}

static void jumps_of_the_frame_show_when_the_state_is_not_mapped_over(void **state)
{
    (void)state;
    const char *const moving_settings[] = {RAMP, "until.distance=170", NULL};
    const char *const fixed_settings[]  = {RAMP, "until.distance=170", "formulation=fixed", NULL};
    wagon moving                        = wagon_read("wagon-transition", moving_settings),
          fixed                         = wagon_read("wagon-transition", fixed_settings);
    double difference[18], Q;
    moving.definition.settings.remap = 0;
    wagon_start(&moving);
    wagon_start(&fixed);
    compare(&moving, &fixed, difference, &Q);
    if (getenv("KANE_SHOW"))
        for (int k = 0; k < 18; k++)
            print_message("%d %s %.2e\n", k / 6, kane_coordinate_name((kane_coordinate)(k % 6)), difference[k]);
    if (getenv("KANE_SHOW"))
        print_message("Q %g\n", Q);
    assert_true(difference[6 * BODY + KANE_Y] > 1e-4); // 1000 times what it is with the mapping, at ordinary tolerances
    assert_true(Q > 1000.0);
    wagon_free(&moving);
    wagon_free(&fixed);
}

// The difference falls with the tolerance: it is the integrator's alone.
static void the_difference_of_the_formulations_falls_with_the_tolerance(void **state)
{
    double largest[2];
    (void)state;
    static const char *const usual[]       = {"until.distance=150", NULL};
    static const char *const usual_fixed[] = {"until.distance=150", "formulation=fixed", NULL};
    static const char *const tight[]       = {"until.distance=150", TIGHT, NULL};
    static const char *const tight_fixed[] = {"until.distance=150", TIGHT, "formulation=fixed", NULL};
    for (int k = 0; k < 2; k++) {
        wagon moving = wagon_read("wagon-transition", k == 0 ? usual : tight);
        wagon fixed  = wagon_read("wagon-transition", k == 0 ? usual_fixed : tight_fixed);
        double difference[18], Q;
        wagon_start(&moving);
        wagon_start(&fixed);
        compare(&moving, &fixed, difference, &Q);
        largest[k] = 0.0;
        for (int i = 0; i < 18; i++)
            if (i % 6 != KANE_PITCH)
                largest[k] = fmax(largest[k], difference[i]);
        wagon_free(&moving);
        wagon_free(&fixed);
    }
    assert_true(largest[1] < 0.02 * largest[0]);
}

// Every kind of term matters: leaving it out changes the run far more than the choice of frames does.
static void every_omitted_term_changes_the_run(void **state)
{
    static const char *const terms[] = {"*:force.translation.*", "*:force.centrifugal.*",  "*:force.rotation.*",
                                        "*:force.gyroscopic.*",  "*:torque.centrifugal.*", "*:torque.rotation.*",
                                        "*:torque.gyroscopic.*", "body:torque.rotation.z"};
    const char *const settings[]     = {TIGHT, "until.distance=170", NULL};
    (void)state;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        const kane_omission omission = {terms[i], {"", 0, 0, ""}};
        wagon complete = wagon_read("wagon-transition", settings), omitting = wagon_read("wagon-transition", settings);
        double difference[18], Q;
        omitting.definition.model.omissions      = &omission;
        omitting.definition.model.omission_count = 1;
        wagon_start(&complete);
        wagon_start(&omitting);
        compare(&complete, &omitting, difference, &Q);
        double most = 0.0;
        for (int k = 0; k < 18; k++)
            if (k % 6 != KANE_PITCH)
                most = fmax(most, difference[k]);
        if (getenv("KANE_SHOW"))
            print_message("%-24s body y %.2e yaw %.2e, largest %.2e, Q %.3g\n", terms[i], difference[KANE_Y],
                          difference[KANE_YAW], most, Q);
        assert_true(most > 5e-7 && Q > 2.0);
        wagon_free(&complete);
        wagon_free(&omitting);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_accelerating_wagon_runs_the_same_in_moving_and_fixed_frames),
        cmocka_unit_test(a_driven_wagon_runs_the_same_in_moving_and_fixed_frames),
        cmocka_unit_test(jumps_of_the_frame_do_not_show_when_the_state_is_mapped_over),
        cmocka_unit_test(jumps_of_the_frame_show_when_the_state_is_not_mapped_over),
        cmocka_unit_test(the_difference_of_the_formulations_falls_with_the_tolerance),
        cmocka_unit_test(every_omitted_term_changes_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
