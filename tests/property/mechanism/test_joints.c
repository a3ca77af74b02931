// SPDX-License-Identifier: MIT
// Every kind of joint, hung on a bogie or on the guide of a vehicle that speeds up through a transition into a curve that
// is canted and climbs: the motion is the same in moving frames, with imaginary forces one by one, and in A.

#include "property/mechanism/jointed.h"

static kane_track *line(void)
{
    return model_track(1.0, KANE_CLOTHOID);
}

static void accelerations_are_the_same_in_all_frames(void **state)
{
    (void)state;
    kane_track *track = line();
    for (int i = 0; i < 4 * JOINTED_SAMPLES; i++) {
        static rig r;
        ride moving, separate, fixed;
        const jointed *s = &jointed_samples[i / 4];
        jointed_build(&r, s, i % 2 ? "car" : "bogie", i / 2 % 2);
        ride_create(&moving, &r, track, (ride_options){.start = 45.0});
        ride_create(&separate, &r, track, (ride_options){.start = 45.0, .separate = 1});
        ride_create(&fixed, &r, track, (ride_options){.start = 45.0, .formulation = KANE_FIXED});
        ride_check_same(&moving, &separate, 1e-13, 1e-12, 1e-10, s->name);
        ride_check_same(&moving, &fixed, 1e-12, 1e-11, 1e-9, s->name);
        ride_free(&moving);
        ride_free(&separate);
        ride_free(&fixed);
    }
    kane_track_free(track);
}

// 1.6 s: 30 m, over the end of the transition with all three frames one after another.
static void runs_are_the_same_in_all_frames(void **state)
{
    (void)state;
    kane_track *track = line();
    for (int i = 0; i < 2 * JOINTED_SAMPLES; i++) {
        static rig r;
        ride moving, separate, fixed;
        const jointed *s = &jointed_samples[i / 2];
        jointed_build(&r, s, i % 2 ? "car" : "bogie", i % 4 > 1);
        ride_create(&moving, &r, track, (ride_options){.start = 35.0});
        ride_create(&separate, &r, track, (ride_options){.start = 35.0, .separate = 1});
        ride_create(&fixed, &r, track, (ride_options){.start = 35.0, .formulation = KANE_FIXED});
        ride_go(&moving, 1.6, 1e-3);
        ride_go(&separate, 1.6, 1e-3);
        ride_go(&fixed, 1.6, 1e-3);
        ride_check_same(&moving, &separate, 1e-13, 1e-12, 1e-11, s->name);
        ride_check_same(&moving, &fixed, 1e-10, 1e-9, 3e-8, s->name);
        ride_free(&moving);
        ride_free(&separate);
        ride_free(&fixed);
    }
    kane_track_free(track);
}

// Without any one of the terms the arm of every joint goes another way. Of a weld only its reaction would tell.
static void an_omitted_term_makes_a_difference(void **state)
{
    static const char *const terms[] = {"arm:force.translation.*", "arm:force.centrifugal.*",  "arm:force.rotation.*",
                                        "arm:force.gyroscopic.*",  "arm:torque.centrifugal.*", "arm:torque.rotation.*",
                                        "arm:torque.gyroscopic.*"};
    (void)state;
    kane_track *track = line();
    for (int i = 0; i < JOINTED_SAMPLES; i++) {
        const jointed *s = &jointed_samples[i];
        static rig r;
        ride whole;
        jointed_build(&r, s, "bogie", 0);
        ride_create(&whole, &r, track, (ride_options){.start = 45.0});
        for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) {
            ride omitted;
            ride_create(&omitted, &r, track, (ride_options){.start = 45.0, .omit = terms[k]});
            const ride_difference d = ride_compare(&whole, &omitted);
            if (!(d.place <= 1e-12 && d.speed <= 1e-11 && d.acceleration > 1e-7)) {
                print_error("%s without %s: apart by %.3g\n", s->name, terms[k], d.acceleration);
                fail();
            }
            ride_free(&omitted);
        }
        ride_free(&whole);
    }
    kane_track_free(track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_are_the_same_in_all_frames),
        cmocka_unit_test(runs_are_the_same_in_all_frames),
        cmocka_unit_test(an_omitted_term_makes_a_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
