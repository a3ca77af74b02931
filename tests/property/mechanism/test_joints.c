// SPDX-License-Identifier: MIT
// Every kind of joint, hung on a bogie or on the guide of a vehicle that speeds up through a transition into a curve
// that is canted and climbs: the motion is the same in moving frames, with imaginary forces one by one, and in A.

#include "property/mechanism/jointed.h"

static kane_track *line(void)
{
    return model_track(1.0, KANE_CLOTHOID);
}

// Imaginary forces as they would act, whether they are handed over one by one or not.
static void check_imaginary(const ride *a, const ride *b)
{
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        kane_vec3 p, sum = kv3_zero();
        for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
            for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
                const kane_vec3 one =
                    kane_get_imaginary(a->model, a->work, j, (kane_wrench_kind)kind, (kane_imaginary_term)term);
                check_vec3(kane_get_imaginary(b->model, b->work, j, (kane_wrench_kind)kind, (kane_imaginary_term)term),
                           one, 1e-9 * (1.0 + kv3_norm(one)));
                if (kind == KANE_FORCE)
                    sum = kv3_add(sum, one);
            }
        // together they are what relative acceleration lacks of the absolute one
        kane_get_absolute(a->model, a->work, j, NULL, NULL, &p, NULL);
        const kane_vec3 lacks = kv3_scale(a->model->bodies[j].mass, kv3_sub(a->work->body[j].a, p));
        check_vec3(sum, lacks, 1e-9 * (1.0 + kv3_norm(lacks)));
    }
}

static void check_accelerations(const kane_track *track, int driven)
{
    for (int i = 0; i < JOINTED_CASES; i++) {
        static rig r;
        CHECK_END(ride_free) ride moving = {0}, imaginary_as_forces = {0}, fixed = {0};
        char name[64];
        jointed_case(&r, i, name);
        rig_start(&r, RIG_CAR, 0, 0.1 * driven, 0.3 * driven);
        ride_create(&moving, &r, track, (ride_options){.start = 45.0, .driven = driven});
        ride_create(&imaginary_as_forces, &r, track,
                    (ride_options){.start = 45.0, .driven = driven, .imaginary_as_forces = 1});
        ride_create(&fixed, &r, track, (ride_options){.start = 45.0, .driven = driven, .formulation = KANE_FIXED});
        ride_check_same(&moving, &imaginary_as_forces, 1e-13, 1e-12, 1e-10, name);
        ride_check_same(&moving, &fixed, 1e-12, 1e-11, 1e-9, name);
        check_imaginary(&moving, &imaginary_as_forces);
    }
}

CHECK_TEST(accelerations_are_the_same_in_all_frames)
{
    CHECK_OWNED(kane_track) *track = line();
    check_accelerations(track, 0);
    check_accelerations(track, 1);
}

// 1.6 s: 30 m, over the end of the transition with all three frames one after another.
CHECK_TEST(runs_are_the_same_in_all_frames)
{
    CHECK_OWNED(kane_track) *track = line();
    for (int i = 0; i < JOINTED_CASES; i++) {
        static rig r;
        char name[64];
        jointed_case(&r, i, name);
        ride_check_frames(&r, track, (ride_options){.start = 35.0}, 1.6, 1e-3, 1e-11,
                          (ride_difference){1e-10, 1e-9, 3e-8}, name);
    }
}

// Without any one of the terms the arm of every joint goes another way. Of a weld only its reaction would tell.
CHECK_TEST(an_omitted_term_makes_a_difference)
{
    static const char *const terms[] = {"arm:force.translation.*", "arm:force.centrifugal.*",  "arm:force.rotation.*",
                                        "arm:force.gyroscopic.*",  "arm:torque.centrifugal.*", "arm:torque.rotation.*",
                                        "arm:torque.gyroscopic.*"};
    CHECK_OWNED(kane_track) *track   = line();
    for (int i = 0; i < JOINTED_SAMPLES; i++) {
        const jointed *s = &jointed_samples[i];
        static rig r;
        CHECK_END(ride_free) ride whole = {0};
        jointed_build(&r, s, "bogie", 0);
        ride_create(&whole, &r, track, (ride_options){.start = 45.0});
        for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) {
            CHECK_END(ride_free) ride omitted = {0};
            ride_create(&omitted, &r, track, (ride_options){.start = 45.0, .omit = terms[k]});
            const ride_difference d = ride_compare(&whole, &omitted);
            if (!(d.place <= 1e-12 && d.speed <= 1e-11 && d.acceleration > 1e-7)) {
                print_error("%s without %s: apart by %.3g\n", s->name, terms[k], d.acceleration);
                fail();
            }
        }
    }
}

// Where a frame's angular velocity jumps and the state is not mapped over, bodies jump instead.
CHECK_TEST(borders_that_are_skipped_make_a_difference)
{
    CHECK_OWNED(kane_track) *track = line();
    static rig r;
    CHECK_END(ride_free) ride whole = {0}, skipping = {0};
    char name[64];
    jointed_case(&r, 0, name);
    ride_create(&whole, &r, track, (ride_options){.start = 35.0});
    ride_create(&skipping, &r, track, (ride_options){.start = 35.0});
    int bogie = 0; // its frame
    for (int f = 1; f < whole.model->frame_count; f++)
        if (whole.model->frames[f].offset == 4.0)
            bogie = f;
    const double border = ride_border(&whole, bogie);
    ride_steps(&whole, border, 1e-3);
    ride_steps(&skipping, border, 1e-3);
    kane_work_cross_joint(whole.model, whole.work, bogie, border, whole.y);
    kane_work_skip_joint(skipping.model, skipping.work, bogie);
    ride_see(&whole);
    ride_see(&skipping);
    const ride_difference d = ride_compare(&whole, &skipping);
    assert_true(bogie > 0 && d.speed > 1e-2);
}

// A body that hangs on its frame by all freedoms, in any axes and any order of turns, is one without a joint. Borders
// on the way move its frame, not the body.
CHECK_TEST(a_free_joint_on_the_frame_is_no_joint)
{
    static const char *const orders[] = {NULL, "zxy", "xyz", "zyx", "yzx"};
    CHECK_OWNED(kane_track) *track    = line();
    for (int i = 0; i < 10; i++) {
        static rig free, hung;
        CHECK_END(ride_free) ride unjoined = {0}, joined = {0};
        for (int k = 0; k < 2; k++) {
            rig *r        = k ? &hung : &free;
            const int arm = (rig_begin_vehicle(r), rig_body(r, "arm", 200.0, kv3(3.3, 0.2, 0.6)));
            rig_bushing(r, "arm held", "track", "arm", kv3(3.1, 0.1, 0.8), 2e4, 4e3, 200.0 * 9.81);
            if (k == 0)
                continue;
            rig_start(r, arm, 1, 0.02, 0.3);
            rig_start(r, arm, 3, 0.1, -0.4);
            kane_joint_definition *joint =
                rig_joint(r, arm, NULL, KANE_JOINT_FREE, kv3(3.2, 0.4, 1.1), i % 2 ? rig_turned() : km3_identity());
            joint->rotation = orders[i / 2];
        }
        const char *name = orders[i / 2] ? orders[i / 2] : "usual order";
        ride_create(&unjoined, &free, track, (ride_options){.start = 35.0});
        ride_create(&joined, &hung, track, (ride_options){.start = 35.0});
        ride_copy(&joined, &unjoined);
        ride_check_bodies(&unjoined, &joined, 1e-13, 1e-12, 1e-10, name);
        ride_go(&unjoined, 1.6, 1e-3);
        ride_go(&joined, 1.6, 1e-3);
        ride_check_bodies(&unjoined, &joined, 1e-10, 1e-9, 3e-8, name);
    }
}

CHECK_MAIN(NULL, NULL)
