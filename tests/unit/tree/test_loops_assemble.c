// SPDX-License-Identifier: MIT
// Consistent states from rough ones, redundant rows, and constraints that contradict each other.

#include "mechanism_samples.h"

static void check_closed(mechanism *m)
{
    double value, rate;
    mechanism_drift(m, &value, &rate);
    check_near(value, 0.0, 1e-13);
    check_near(rate, 0.0, 1e-12);
}

CHECK_TEST(rough_starts_become_consistent_and_held_coordinates_stay)
{
    static const double starts[][3] = {{-1.0, 0.7, -1.4}, {-1.0, 0.0, 0.0}, {-1.0, 2.0, -3.0},
                                       {-1.0, -0.5, 0.5}, {2.0, 0.0, 0.0},  {0.0, 0.0, 0.0}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        CHECK_END(mechanism_free) mechanism m = {0};
        sample_four_bar(&m, KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_REVOLUTE);
        memcpy(m.s.work.q, starts[i], sizeof starts[i]);
        assert_true(mechanism_assemble(&m));
        check_near(m.s.work.q[0], starts[i][0], 0.0);
        check_near(m.s.work.v[0], 2.0, 0.0);
        check_closed(&m);
    }
}

// The slider's place is held, then two of the three angles of a body that is pinned.
CHECK_TEST(anything_can_be_held)
{
    static mechanism m;
    sample_spatial(&m, KANE_FORM_MULTIPLIERS);
    m.held_q[5]   = 1;
    m.s.work.q[5] = 0.8;
    m.held_v[4]   = 1;
    m.s.work.v[4] = -0.5;
    assert_true(mechanism_assemble(&m));
    check_near(m.s.work.q[5], 0.8, 0.0);
    check_near(m.s.work.v[4], -0.5, 0.0);
    check_closed(&m);
    mechanism_free(&m);

    sample_pinned_body(&m, KANE_FORM_COEFFICIENTS);
    const double yaw = m.s.work.q[4], z = m.s.work.q[3];
    m.held_q[3] = m.held_q[4] = 1;
    assert_true(mechanism_assemble(&m));
    check_near(m.s.work.q[3], z, 0.0);
    check_near(m.s.work.q[4], yaw, 0.0);
    check_closed(&m);
    mechanism_free(&m);
}

static int kept(const mechanism *m, int closure)
{
    int count = 0;
    for (int i = m->cluster.row_begin[closure]; i < m->cluster.row_begin[closure + 1]; i++)
        count += m->cluster.kept[i];
    return count;
}

// A second rod beside the first says nothing new: the later one is redundant.
CHECK_TEST(the_later_of_two_equal_constraints_is_redundant)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    static const double q[3]              = {-1.0, 0.7, -1.4};
    mechanism_begin(&m);
    const kane_vec3 J = kv3(0.1, 0.1, 0.1), end = kv3(1.0, 0.0, 0.0);
    const int a = mechanism_hinge(&m, -1, kv3_zero(), 1, 1.0, J, kv3(0.5, 0.0, 0.0));
    const int b = mechanism_hinge(&m, -1, kv3(1.0, 0.0, 0.0), 1, 1.0, J, kv3(0.5, 0.0, 0.0));
    mechanism_close(&m, "rod", KANE_CONSTRAINT_DISTANCE, a, end, b, end)->length = 1.0;
    mechanism_close(&m, "other rod", KANE_CONSTRAINT_DISTANCE, a, kv3(0.5, 0.0, 0.0), b, kv3(0.5, 0.0, 0.0))->length =
        1.0;
    mechanism_create(&m, KANE_FORM_COEFFICIENTS);
    mechanism_start(&m, 2, q, NULL);
    m.s.work.q[1] = -0.8;
    assert_true(mechanism_assemble(&m)); // a parallelogram: one rod is enough, and both hold
    assert_int_equal(m.cluster.rank, 1);
    assert_int_equal(kept(&m, 0), 1);
    assert_int_equal(kept(&m, 1), 0);
    check_near(m.s.work.q[0], m.s.work.q[1], 1e-10);
    check_near(m.s.work.q[0], -0.9, 0.05);
    check_closed(&m);
}

// Bricard's six hinges have one freedom too many for the rule of counting, wherever they are.
CHECK_TEST(one_row_of_bricard_is_redundant)
{
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
        CHECK_END(mechanism_free) mechanism m = {0};
        sample_bricard(&m, (kane_constraint_form)form);
        assert_true(mechanism_assemble(&m));
        assert_int_equal(m.cluster.row_count, 5);
        assert_int_equal(m.cluster.rank, 4);
        assert_int_equal(kept(&m, 0), 4);
        assert_true(mechanism_follow(&m));
        const double start = mechanism_energy(&m);
        double most        = 0.0, value, rate;
        for (int i = 0; i < 2000; i++) { // 10 s
            assert_true(mechanism_step(&m, 5e-3));
            most = fmax(most, fabs(mechanism_energy(&m) - start));
        }
        mechanism_drift(&m, &value, &rate);
        print_message("Bricard: energy %.4g changes by %.1e, drift %.1e %.1e\n", start, most, value, rate);
        check_near(most, 0.0, 1e-8);
        check_closed(&m);
    }
}

// Starts in line: the rank there is less than anywhere else.
CHECK_TEST(a_singular_start_is_not_misread)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    static const double q[5]              = {0.0, 0.0, 0.0, 0.0, 0.0};
    sample_rockers(&m, KANE_FORM_MULTIPLIERS, 2);
    mechanism_start(&m, 5, q, NULL);
    assert_true(mechanism_assemble(&m));
    assert_int_equal(m.cluster.rank, 4);
    assert_int_equal(kept(&m, 0), 2);
    assert_int_equal(kept(&m, 1), 2);
}

CHECK_TEST(a_loop_that_cannot_close_is_named)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    const kane_vec3 J                     = kv3(0.1, 0.1, 0.1);
    mechanism_begin(&m);
    const int a = mechanism_hinge(&m, -1, kv3_zero(), 1, 1.0, J, kv3(0.5, 0.0, 0.0));
    const int b = mechanism_hinge(&m, -1, kv3(3.0, 0.0, 0.0), 1, 1.0, J, kv3(0.5, 0.0, 0.0));
    const int c = mechanism_hinge(&m, -1, kv3(0.0, 5.0, 0.0), 1, 1.0, J, kv3(0.5, 0.0, 0.0));
    (void)mechanism_relate(&m, "gear", KANE_CONSTRAINT_LINEAR, b, 1.0, c, 2.0, 0.0);
    (void)mechanism_close(&m, "pin", KANE_CONSTRAINT_SPHERICAL, a, kv3(1.0, 0.0, 0.0), b, kv3(1.0, 0.0, 0.0));
    mechanism_create(&m, KANE_FORM_COEFFICIENTS);
    assert_false(mechanism_assemble(&m));
    assert_int_equal(m.assembly.conflict_count, 1);
    assert_string_equal(m.assembly.conflict[0], "pin");
    check_near(m.assembly.left, 1.0, 1e-6); // 3 m between two arms of 1 m
}

CHECK_TEST(two_constraints_that_contradict_are_both_named)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    const kane_vec3 J = kv3(0.1, 0.1, 0.1), end = kv3(1.0, 0.0, 0.0);
    mechanism_begin(&m);
    const int a = mechanism_hinge(&m, -1, kv3_zero(), 1, 1.0, J, kv3(0.5, 0.0, 0.0));
    const int b = mechanism_hinge(&m, -1, kv3(1.0, 0.0, 0.0), 1, 1.0, J, kv3(0.5, 0.0, 0.0));
    (void)mechanism_relate(&m, "one", KANE_CONSTRAINT_LINEAR, a, 1.0, b, -1.0, 0.0);
    (void)mechanism_relate(&m, "two", KANE_CONSTRAINT_LINEAR, a, -2.0, b, 2.0, 0.4);
    mechanism_close(&m, "rod", KANE_CONSTRAINT_DISTANCE, a, end, -1, kv3(0.5, 0.0, -1.0))->length = 0.3;
    mechanism_create(&m, KANE_FORM_COEFFICIENTS);
    m.s.work.q[0] = m.s.work.q[1] = -1.0;
    assert_false(mechanism_assemble(&m));
    assert_int_equal(m.assembly.conflict_count, 2);
    assert_string_equal(m.assembly.conflict[0], "one"); // least squares leaves (.16, .08)
    assert_string_equal(m.assembly.conflict[1], "two");
}

// Rates that are held and cannot be: the crank of a four-bar and its rocker.
CHECK_TEST(held_rates_can_contradict_too)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    sample_four_bar(&m, KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_SPHERICAL);
    m.held_v[2]   = 1;
    m.s.work.v[2] = 5.0;
    assert_false(mechanism_assemble(&m));
    assert_int_equal(m.assembly.conflict_count, 1);
    assert_string_equal(m.assembly.conflict[0], "pin");
}

CHECK_MAIN(NULL, NULL)
