// SPDX-License-Identifier: MIT
// Deformable bodies in loops: the same motion in all frames and by coefficients as by multipliers, whatever is listed
// first; their Jacobian is the derivative; they start undeformed where the constraints let them.

#include "property/mechanism/cases.h"
#include "property/mechanism/differences.h"

static kane_track *line(void)
{
    return model_track(1.0, KANE_CLOTHOID);
}

// Steps are shorter than for rigid bodies: modes of up to 11 Hz, 10 % damped. Over the end of the transition.
CHECK_TEST(motion_is_the_same_in_all_frames_and_forms)
{
    CHECK_OWNED(kane_track) *track = line();
    for (int i = 0; i < DEFORMED_LOOPS; i++) {
        static rig r;
        char name[64];
        deformed_loop(&r, i, name);
        ride_check_forms(&r, track, 1.6, 5e-4, name);
    }
}

CHECK_TEST(the_order_of_bodies_changes_nothing)
{
    CHECK_OWNED(kane_track) *track = line();
    for (int i = 0; i < 2 * DEFORMED_LOOPS; i++) {
        static rig r, other;
        CHECK_END(ride_free) ride a = {0}, b = {0};
        char name[64];
        const ride_options o = {.start = 35.0, .form = (kane_constraint_form)(i % 2)};
        deformed_loop(&r, i / 2, name);
        ride_create(&a, &r, track, o);
        ride_go(&a, 0.3, 1e-3);
        other                = r;
        other.vehicle.bodies = other.bodies;
        for (int j = 0; j < r.vehicle.body_count; j++)
            other.bodies[j] = r.bodies[r.vehicle.body_count - 1 - j];
        ride_create(&b, &other, track, o);
        ride_copy(&a, &b);
        ride_check_same(&a, &b, 1e-13, 1e-12, 1e-10, name);
    }
}

CHECK_TEST(jacobian_is_the_derivative)
{
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    for (int i = 0; i < 2 * DEFORMED_LOOPS; i++)
        for (int way = 0; way < CASE_WAYS; way++) {
            static rig r;
            CHECK_END(ride_free) ride a = {0};
            char name[64];
            ride_options o = case_way(way);
            o.driven       = i % 2;
            deformed_loop(&r, i / 2, name);
            ride_create(&a, &r, track, o);
            check_jacobian(&a, name, way, allowed_difference(1, &o));
        }
}

static double greatest_mode(const ride *a)
{
    const kane_tree *tree = &a->model->tree;
    double most           = 0.0;
    for (int t = 0; t < tree->flex_count; t++)
        for (int k = 0; k < tree->flexes[t].count; k++)
            most = fmax(most, fabs(a->work->tree.q[tree->flexes[t].q + k]));
    return most;
}

// On straight track, where all frames are those of the drawing; but for those in which a relation says how a mode or a
// point deforms.
CHECK_TEST(bodies_start_undeformed)
{
    CHECK_OWNED(kane_track) *track = line();
    for (int i = 0; i < DEFORMED_LOOPS; i++) {
        static rig r;
        CHECK_END(ride_free) ride a = {0};
        double value, rate;
        char name[64];
        deformed_loop(&r, i, name);
        ride_create(&a, &r, track, (ride_options){.start = 5.0});
        kane_get_drift(a.model, a.work, &value, &rate);
        assert_true(value <= 1e-9 && rate <= 1e-8);
        if (i < 4)
            check_below(greatest_mode(&a), 1e-12);
    }
}

CHECK_MAIN(NULL, NULL)
