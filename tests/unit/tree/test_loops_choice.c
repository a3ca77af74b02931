// SPDX-License-Identifier: MIT
// Independent speeds: which are chosen, that another choice changes nothing, and positions where rows become dependent.

#include "mechanism_samples.h"

#include "tree/loops_work.h"

// A four-bar whose coupler is its shortest link and can turn all the way round, while both others rock: every speed is
// a bad choice somewhere.
static void double_rocker(mechanism *m)
{
    static const double q[3] = {-1.0, 0.9, -1.6}, v[3] = {0.0, 6.0, 0.0};
    mechanism_begin(m);
    const int first = mechanism_hinge(m, -1, kv3_zero(), 1, 2.0, rod_inertia(2.0, 0.9), kv3(0.45, 0.0, 0.0));
    const int coupler =
        mechanism_hinge(m, first, kv3(0.9, 0.0, 0.0), 1, 3.0, rod_inertia(3.0, 0.5), kv3(0.25, 0.0, -0.05));
    const int second = mechanism_hinge(m, -1, kv3(1.0, 0.0, 0.0), 1, 2.5, rod_inertia(2.5, 0.8), kv3(0.4, 0.0, 0.0));
    (void)mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, coupler, kv3(0.5, 0.0, 0.0), second, kv3(0.8, 0.0, 0.0));
    mechanism_create(m, KANE_FORM_COEFFICIENTS);
    mechanism_start(m, 3, q, v);
    m->held_v[1] = 1;
    assert_true(mechanism_assemble(m));
}

// The same state with each of the three speeds as the independent one: equal accelerations, and the state itself stays.
CHECK_TEST(another_choice_changes_nothing)
{
    CHECK_END(mechanism_free) mechanism m = {0}, other = {0};
    int used[3] = {0};
    double_rocker(&m);
    double_rocker(&other);
    for (int i = 0; i < 300; i++) {
        double v_dot[3], q[3], v[3];
        const int now = i % 3; // independent; the others are dependent
        assert_true(mechanism_step(&m, 5e-3));
        mechanism_choose(&m);
        assert_true(mechanism_eval(&m));
        memcpy(v_dot, m.s.work.v_dot, sizeof v_dot);
        memcpy(q, m.s.work.q, sizeof q);
        memcpy(v, m.s.work.v, sizeof v);

        memcpy(other.s.work.q, q, sizeof q);
        memcpy(other.s.work.v, v, sizeof v);
        memcpy(other.scratch->column, (int[]){(now + 1) % 3, (now + 2) % 3, now}, 3 * sizeof(int));
        kane_cluster_set_partition(other.scratch, other.scratch->row, other.scratch->column, other.scratch->scale);
        assert_int_equal(*kane_cluster_independent(other.scratch), now);
        kane_cluster_get_speeds(other.scratch, other.u);
        check_near(other.u[0], v[now], 0.0);
        const int followed = mechanism_eval(&other);
        const double good  = kane_cluster_quality(other.scratch);
        if (good < 0.05) // this one is a bad choice here
            continue;
        used[now]++;
        assert_true(followed);
        for (int k = 0; k < 3; k++) {
            check_near(other.s.work.q[k], q[k], 1e-14 / good);
            check_near(other.s.work.v[k], v[k], 1e-13 / (good * good));
            check_near(other.s.work.v_dot[k], v_dot[k], 1e-12 / (good * good) * (1.0 + fabs(v_dot[k])));
        }
    }
    for (int k = 0; k < 3; k++)
        assert_true(used[k] > 50);
}

// In a full turn the choice is renewed a few times, not at every step, and is never poor for long.
CHECK_TEST(choices_change_rarely)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    int changes = 0, last = -1;
    double_rocker(&m);
    double turned = -m.s.work.q[0] - m.s.work.q[1];
    for (int i = 0; i < 4000; i++) {
        assert_true(mechanism_step(&m, 5e-4));
        const int now = *kane_cluster_independent(m.scratch);
        changes += last >= 0 && now != last;
        last = now;
        assert_true(kane_cluster_quality(m.scratch) > 0.8 * KANE_PARTITION_POOR);
    }
    turned += m.s.work.q[0] + m.s.work.q[1];
    turned = fabs(turned);
    print_message("%.1f turns, %d changes\n", turned / 6.283, changes);
    assert_true(turned > 6.283);
    assert_true(changes <= 4.0 * turned / 6.283 + 1.0);
}

// The result belongs to the independent coordinates: whatever is near in place of the dependent ones.
CHECK_TEST(dependent_coordinates_do_not_depend_on_their_start)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    double q[3], v_dot[3];
    sample_four_bar(&m, KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_REVOLUTE);
    assert_true(mechanism_assemble(&m));
    assert_true(mechanism_eval(&m));
    memcpy(q, m.s.work.q, sizeof q);
    memcpy(v_dot, m.s.work.v_dot, sizeof v_dot);
    const int kept = *kane_cluster_independent(m.scratch);
    for (double miss = 1e-12; miss < 0.3; miss *= 7.0) {
        for (int k = 0; k < 3; k++)
            m.s.work.q[k] = q[k] + (k == kept ? 0.0 : miss * (k - 0.4));
        m.s.work.v[1] = m.s.work.v[2] = 1e3 * miss;
        assert_true(mechanism_eval(&m));
        for (int k = 0; k < 3; k++) {
            check_near(m.s.work.q[k], q[k], 5e-15);
            check_near(m.s.work.v_dot[k], v_dot[k], 1e-13 * fabs(v_dot[k]) + 1e-13);
        }
    }
}

// A crank that turns at a given rate and a loop behind it: nothing is free, and rates follow from the motion over time.
CHECK_TEST(given_motions_drive_loops)
{
    static const double line[3] = {-1.0, 2.0, 1.5}; // q = -1 + 2 t + 1.5 t^2
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
        CHECK_END(mechanism_free) mechanism given = {0}, free = {0};
        kane_line_function curve = {.function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 3, .coefficients = line}};
        mechanism_begin(&given);
        kane_link *crank = sample_add(&given.s, -1, kv3_zero(), 2.0, rod_inertia(2.0, 0.5), kv3(0.25, 0.0, 0.02));
        crank->kind      = KANE_LINK_STEPS;
        sample_step(crank, 1);
        crank->step[0].mode     = KANE_STEP_GIVEN;
        crank->step[0].function = &curve;
        crank->step[0].v        = -1;
        sample_end(&given.s, crank, 1, 0);
        const int coupler =
            mechanism_hinge(&given, 0, kv3(0.5, 0.0, 0.0), 1, 3.0, rod_inertia(3.0, 1.2), kv3(0.6, 0.0, -0.05));
        const int rocker =
            mechanism_hinge(&given, -1, kv3(1.0, 0.0, 0.0), 1, 2.5, rod_inertia(2.5, 0.9), kv3(0.45, 0.0, 0.0));
        (void)mechanism_close(&given, "pin", KANE_CONSTRAINT_SPHERICAL, coupler, kv3(1.2, 0.0, 0.0), rocker,
                              kv3(0.9, 0.0, 0.0));
        mechanism_create(&given, (kane_constraint_form)form);
        memcpy(given.s.work.q + 1, (double[]){0.7, -1.4}, 2 * sizeof(double));
        given.s.work.t = 0.1;
        assert_true(mechanism_assemble(&given));
        assert_int_equal(given.cluster.rank, 2);
        assert_true(mechanism_eval(&given));

        // the four-bar whose crank is free has these rates too, and q'' as soon as its own crank's is right
        sample_four_bar(&free, KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_SPHERICAL);
        memcpy(free.s.work.q, given.s.work.q, 3 * sizeof(double));
        free.s.work.v[0] = 2.0 + 3.0 * 0.1;
        assert_true(mechanism_assemble(&free));
        check_near(free.s.work.q[0], -0.785, 1e-15);
        check_near(given.s.work.v[0], free.s.work.v[1], 1e-13);
        check_near(given.s.work.v[1], free.s.work.v[2], 1e-13);
        const double h = 1e-4; // second derivatives by differences of rates over time
        double rate[2][2];
        for (int side = 0; side < 2; side++) {
            given.s.work.t = 0.1 + (side ? h : -h);
            assert_true(mechanism_assemble(&given));
            memcpy(rate[side], given.s.work.v, 2 * sizeof(double));
        }
        given.s.work.t = 0.1;
        assert_true(mechanism_assemble(&given));
        assert_true(mechanism_eval(&given));
        for (int k = 0; k < 2; k++)
            check_near(given.s.work.v_dot[k], (rate[1][k] - rate[0][k]) / (2.0 * h), 1e-5);
    }
}

// Frames that turn and accelerate: both forms agree, and rows do not open.
CHECK_TEST(moving_frames_carry_loops)
{
    CHECK_END(mechanism_free) mechanism a = {0}, b = {0};
    for (int i = 0; i < 2; i++) {
        mechanism *m = i == 0 ? &a : &b;
        sample_spatial(m, i == 0 ? KANE_FORM_COEFFICIENTS : KANE_FORM_MULTIPLIERS);
        m->s.base = (kane_moving_frame){
            .v = {20.0, 0.1, 0.0}, .w = {0.1, -0.2, 0.4}, .a = {0.5, 4.0, 9.81}, .al = {0.3, 0.1, -0.7}};
        m->frame.v_o     = m->s.base.v;
        m->frame.omega   = m->s.base.w;
        m->frame.a_o     = kv3(0.5, 4.0, 0.0);
        m->frame.epsilon = m->s.base.al;
        assert_true(mechanism_assemble(m));
    }
    memcpy(b.s.work.q, a.s.work.q, (size_t)a.s.tree.q_count * sizeof(double));
    memcpy(b.u, a.s.work.v, (size_t)a.s.tree.v_count * sizeof(double));
    assert_true(mechanism_eval(&a) && mechanism_eval(&b));
    for (int k = 0; k < a.s.tree.v_count; k++)
        check_near(b.s.work.v_dot[k], a.s.work.v_dot[k], 1e-11 * (1.0 + fabs(a.s.work.v_dot[k])));
    kane_constraint_rows_values values;
    kane_constraint_row_set_eval(&a.context, &a.closure[0], 1, &values);
    for (int k = 0; k < 3; k++) {
        check_near(values.rate[k], 0.0, 1e-13);
        check_near(values.acceleration[k], 0.0, 1e-11);
    }
}

// A pendulum that stands between the links of a loop, but is none of them, changes nothing.
CHECK_TEST(clusters_skip_other_links)
{
    CHECK_END(mechanism_free) mechanism m = {0}, plain = {0};
    static const int links[3] = {0, 1, 3};
    sample_four_bar(&plain, KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_SPHERICAL);
    mechanism_begin(&m);
    memcpy(m.s.links, plain.s.links, 2 * sizeof *m.s.links);
    m.s.tree.link_count = m.s.tree.q_count = m.s.tree.v_count = 2;
    (void)mechanism_hinge(&m, -1, kv3(0.0, 1.0, 0.0), 0, 1.0, kv3(1.0, 1.0, 1.0), kv3(0.0, 0.0, 1.0));
    (void)mechanism_hinge(&m, -1, kv3(1.0, 0.0, 0.0), 1, 2.5, rod_inertia(2.5, 0.9), kv3(0.45, 0.0, 0.0));
    *mechanism_close(&m, "pin", KANE_CONSTRAINT_SPHERICAL, 1, kv3_zero(), 3, kv3_zero()) = plain.closure[0];
    m.closure[0].side[1].link                                                            = 3;
    mechanism_create(&m, KANE_FORM_COEFFICIENTS);
    memcpy(m.links, links, sizeof links);
    m.cluster.link_count = 3;
    kane_cluster_work_free(m.scratch);
    assert_true(kane_cluster_prepare(&m.s.tree, &m.cluster, m.s.arena));
    assert_non_null(m.scratch = kane_cluster_work_create(&m.context, &m.cluster, m.s.arena));
    m.held_q[0] = m.held_v[0] = 1;
    memcpy(m.s.work.q, (double[]){-1.0, 0.7, 5.0, -1.4}, 4 * sizeof(double));
    m.s.work.v[0] = 2.0;
    m.s.work.v[2] = 7.0;
    assert_true(mechanism_assemble(&m) && mechanism_assemble(&plain));
    assert_true(mechanism_eval(&m) && mechanism_eval(&plain));
    for (int k = 0; k < 3; k++) {
        check_near(m.s.work.q[links[k]], plain.s.work.q[k], 0.0);
        check_near(m.s.work.v_dot[links[k]], plain.s.work.v_dot[k], 0.0);
    }
    check_near(m.s.work.q[2], 5.0, 0.0);
    check_near(m.s.work.v[2], 7.0, 0.0);
}

// Two four-bars in a row fall through positions in line and stay on the branch where all rockers are parallel (IFToMM
// A02, ten seconds): x, z of the first tip as the pendulum of that branch has them.
CHECK_TEST(rockers_keep_their_branch_where_they_are_in_line)
{
    static const double x = 0.328458111539, z = 0.944518538179;
    for (double h = 5e-4; h < 3e-3; h *= 1.37) {
        CHECK_END(mechanism_free) mechanism m = {0};
        sample_rockers(&m, KANE_FORM_MULTIPLIERS, 2);
        assert_true(mechanism_assemble(&m));
        assert_true(mechanism_follow(&m));
        const double start = mechanism_energy(&m);
        double most        = 0.0, value, rate;
        const int steps    = (int)ceil(10.0 / h);
        for (int i = 0; i < steps; i++) {
            assert_true(mechanism_step(&m, 10.0 / steps));
            most = fmax(most, fabs(mechanism_energy(&m) - start));
        }
        mechanism_drift(&m, &value, &rate);
        print_message("step %.1e: place %.1e %.1e, energy %.1e, drift %.1e %.1e\n", 10.0 / steps,
                      cos(m.s.work.q[0]) - x, -sin(m.s.work.q[0]) - z, most, value, rate);
        check_near(cos(m.s.work.q[0]), x, 1e-6);
        check_near(-sin(m.s.work.q[0]), z, 1e-6);
        check_near(m.s.work.q[2], m.s.work.q[0], 1e-6);
        check_near(m.s.work.q[4], m.s.work.q[0], 1e-6);
        check_near(value, 0.0, 1e-9);
        check_near(rate, 0.0, 1e-9);
    }
}

// In line exactly: multipliers have an answer, coefficients say that they have none.
CHECK_TEST(positions_in_line_are_told)
{
    static mechanism m;
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
        sample_rockers(&m, (kane_constraint_form)form, 2);
        assert_true(mechanism_assemble(&m));
        memset(m.s.work.q, 0, 5 * sizeof(double));
        memcpy(m.s.work.v, (double[]){3.0, -3.0, 3.0, -3.0, 3.0}, 5 * sizeof(double));
        mechanism_choose(&m);
        assert_int_equal(mechanism_eval(&m), form == KANE_FORM_MULTIPLIERS);
        mechanism_free(&m);
    }
}

CHECK_MAIN(NULL, NULL)
