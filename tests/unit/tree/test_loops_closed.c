// SPDX-License-Identifier: MIT
// Loops in closed form: the same coordinates as Newton's method finds, and reasons for loops that have none.

#include "mechanism_samples.h"

#include "tree/loops_work.h"

static void four_bar(mechanism *m)
{
    sample_four_bar(m, KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_REVOLUTE);
}

static void slider_crank(mechanism *m)
{
    sample_slider_crank(m, KANE_FORM_COEFFICIENTS);
}

static void cylinder(mechanism *m)
{
    sample_cylinder(m, KANE_FORM_COEFFICIENTS);
}

static void gear(mechanism *m)
{
    sample_gear(m, KANE_FORM_COEFFICIENTS);
}

// All links of a four-bar in one chain, whose end is pinned to the frame; hinges about an axis that is oblique to all.
static void chain(mechanism *m)
{
    static const double q[3] = {-1.2, 1.0, 1.3}, v[3] = {1.0, 0.0, 0.0};
    mechanism_begin(m);
    const kane_vec3 J = kv3(0.1, 0.1, 0.1);
    int last          = -1;
    for (int i = 0; i < 3; i++)
        last = mechanism_hinge(m, last, i == 0 ? kv3_zero() : kv3(i == 1 ? 0.8 : 1.1, 0.0, 0.0), 1, 1.0, J,
                               kv3(0.4, 0.1, 0.0));
    m->s.links[0].turned = 1;
    m->s.links[0].seat_R = km3_turn_x(km3_turn_z(km3_identity(), sin(0.4), cos(0.4)), sin(0.7), cos(0.7));
    (void)mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, last, kv3(0.7, 0.0, 0.0), -1,
                          km3_mulv(m->s.links[0].seat_R, kv3(1.2, 0.0, 0.1)));
    mechanism_create(m, KANE_FORM_COEFFICIENTS);
    mechanism_start(m, 3, q, v);
}

static const struct {
    const char *name;
    void (*build)(mechanism *m);
    int closure;
    kane_closed_form form;
} samples[] = {
    {"four-bar", four_bar, 0, KANE_CLOSED_FOUR_BAR},
    {"chain", chain, 0, KANE_CLOSED_FOUR_BAR},
    {"slider-crank", slider_crank, 0, KANE_CLOSED_SLIDER_CRANK},
    {"cylinder", cylinder, 0, KANE_CLOSED_FOUR_BAR_SLIDER},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

// The hinge's first point moves in the plane of the loop.
static const double along[2] = {0.02, 0.1}, up[3] = {-0.01, 0.05, 0.2};
static const kane_line_function given_along = {
    .function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 2, .coefficients = along}};
static const kane_line_function given_up = {
    .function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 3, .coefficients = up}};
static const kane_marker_motion given_xy = {{&given_along, &given_up, NULL}},
                                given_xz = {{&given_along, NULL, &given_up}};

// Each joint in turn is the known one; the others start half a radian or metre beside their places. Hinges that are
// fixed on their links, and such that move on the first one over time.
CHECK_TEST(closed_forms_find_what_newton_finds)
{
    for (int i = 0; i < 2 * SAMPLES; i++)
        for (int known = 0; known < 3; known++) {
            CHECK_END(mechanism_free) mechanism m = {0};
            kane_closed closed;
            double at[3];
            int unknown[3] = {1, 1, 1};
            samples[i % SAMPLES].build(&m);
            m.closure[0].motion = i < SAMPLES ? NULL : i == SAMPLES ? &given_xy : &given_xz; // across the hinge
            m.s.work.t          = 0.2;
            assert_true(mechanism_assemble(&m));
            m.closure[0].closed = samples[i % SAMPLES].form;
            assert_null(kane_closed_recognise(&m.s.tree, &m.closure[0], &closed));
            memcpy(at, m.s.work.q, sizeof at);
            for (int k = 0; k < 3; k++)
                m.s.work.q[k] += k == known ? 0.0 : 0.05 * (k + 1);
            unknown[known] = 0;
            kane_tree_place(&m.s.tree, sample_all(&m.s), &m.s.work);
            assert_true(kane_closed_solve(&closed, unknown, &m.s.work));
            for (int k = 0; k < 3; k++) {
                check_near(m.s.work.q[k], at[k], 2e-14);
                assert_int_equal(unknown[k], 0);
            }
        }
}

// A run with closed forms is the run without them.
CHECK_TEST(runs_with_closed_forms_are_the_same)
{
    for (int i = 0; i < SAMPLES; i++) {
        CHECK_END(mechanism_free) mechanism newton = {0}, closed = {0};
        samples[i].build(&newton);
        samples[i].build(&closed);
        closed.closure[0].closed = samples[i].form;
        assert_null(kane_closed_recognise(&closed.s.tree, &closed.closure[0], &closed.scratch->closed[0]));
        assert_true(mechanism_assemble(&newton) && mechanism_assemble(&closed));
        for (int step = 0; step < 300; step++) {
            assert_true(mechanism_step(&newton, 1e-3) && mechanism_step(&closed, 1e-3));
            for (int k = 0; k < 3; k++)
                check_near(closed.s.work.q[k], newton.s.work.q[k], 1e-11);
        }
    }
}

// a q0 + b q1 = c, whichever is known.
CHECK_TEST(gears_are_relations)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    gear(&m);
    kane_closed closed;
    m.closure[0].closed = KANE_CLOSED_TRANSMISSION;
    assert_null(kane_closed_recognise(&m.s.tree, &m.closure[0], &closed));
    for (int known = 0; known < 2; known++) {
        int unknown[3]    = {1, 1, 1};
        m.s.work.q[known] = 0.7;
        unknown[known]    = 0;
        assert_true(kane_closed_solve(&closed, unknown, &m.s.work));
        check_near(m.s.work.q[1 - known], known == 0 ? (3.0 * 0.7 - 0.05) / 2.0 : (2.0 * 0.7 + 0.05) / 3.0, 1e-15);
    }
    // the same with numbers over time: 0.04 q0 + 0.008 q1 = 0.04 at t = 0.2
    m.closure[0].factor_given[0] = m.closure[0].offset_given = &given_along;
    m.closure[0].factor_given[1]                             = &given_up;
    m.s.work.t                                               = 0.2;
    for (int known = 0; known < 2; known++) {
        int unknown[3]    = {1, 1, 1};
        m.s.work.q[known] = 0.7;
        unknown[known]    = 0;
        assert_true(kane_closed_solve(&closed, unknown, &m.s.work));
        check_near(m.s.work.q[1 - known], known == 0 ? 0.04 * 0.3 / 0.008 : (0.04 - 0.008 * 0.7) / 0.04, 1e-13);
    }
}

static void check_refused(void (*build)(mechanism *m), int closure, kane_closed_form form, const char *why)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    kane_closed closed;
    build(&m);
    m.closure[closure].closed = form;
    const char *text          = kane_closed_recognise(&m.s.tree, &m.closure[closure], &closed);
    assert_non_null(text);
    assert_string_equal(text, why);
    assert_false(closed.recognised);
}

static void spatial(mechanism *m)
{
    sample_spatial(m, KANE_FORM_COEFFICIENTS);
}

static void two_bars(mechanism *m)
{
    const kane_vec3 J = kv3(0.1, 0.1, 0.1);
    mechanism_begin(m);
    const int a = mechanism_hinge(m, -1, kv3_zero(), 1, 1.0, J, kv3_zero());
    const int b = mechanism_hinge(m, -1, kv3(1.0, 0.0, 0.0), 1, 1.0, J, kv3_zero());
    (void)mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, a, kv3(1.0, 0.0, 0.0), b, kv3(0.9, 0.0, 0.0));
    mechanism_create(m, KANE_FORM_COEFFICIENTS);
}

static void skew(mechanism *m)
{
    const kane_vec3 J = kv3(0.1, 0.1, 0.1);
    mechanism_begin(m);
    const int a = mechanism_hinge(m, -1, kv3_zero(), 1, 1.0, J, kv3_zero());
    const int b = mechanism_hinge(m, a, kv3(1.0, 0.0, 0.0), 2, 1.0, J, kv3_zero());
    const int c = mechanism_hinge(m, -1, kv3(1.0, 0.0, 0.0), 1, 1.0, J, kv3_zero());
    (void)mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, b, kv3(1.0, 0.0, 0.0), c, kv3(0.9, 0.0, 0.0));
    mechanism_create(m, KANE_FORM_COEFFICIENTS);
}

static void bricard(mechanism *m)
{
    sample_bricard(m, KANE_FORM_COEFFICIENTS);
}

CHECK_TEST(what_is_no_such_loop_is_refused)
{
    check_refused(four_bar, 0, KANE_CLOSED_SLIDER_CRANK, "does not have one sliding joint and two hinges");
    check_refused(slider_crank, 0, KANE_CLOSED_FOUR_BAR, "has a sliding joint");
    check_refused(slider_crank, 0, KANE_CLOSED_FOUR_BAR_SLIDER, "has a slide that does not turn");
    check_refused(cylinder, 0, KANE_CLOSED_SLIDER_CRANK, "has a slide that turns");
    check_refused(spatial, 0, KANE_CLOSED_FOUR_BAR, "has a joint that is neither a turn nor a slide");
    check_refused(two_bars, 0, KANE_CLOSED_FOUR_BAR, "has fewer than three coordinates");
    check_refused(bricard, 0, KANE_CLOSED_FOUR_BAR, "has more than three coordinates");
    check_refused(skew, 0, KANE_CLOSED_FOUR_BAR, "does not lie in a plane");
    check_refused(gear, 1, KANE_CLOSED_FOUR_BAR, "is not closed by a hinge");
    check_refused(four_bar, 0, KANE_CLOSED_TRANSMISSION, "is not a linear relation of two coordinates");
}

// A crank that is too long for the triangle: Newton's method has no answer either.
CHECK_TEST(loops_that_cannot_close_say_so)
{
    static mechanism m;
    kane_closed closed;
    int unknown[3] = {0, 1, 1};
    two_bars(&m);
    mechanism_free(&m);
    chain(&m);
    m.closure[0].closed        = KANE_CLOSED_FOUR_BAR;
    m.closure[0].side[1].point = kv3_scale(2.5, m.closure[0].side[1].point);
    assert_null(kane_closed_recognise(&m.s.tree, &m.closure[0], &closed));
    m.s.work.q[0] = 1.5;
    kane_tree_place(&m.s.tree, sample_all(&m.s), &m.s.work);
    const double before = m.s.work.q[1];
    assert_false(kane_closed_solve(&closed, unknown, &m.s.work));
    check_near(m.s.work.q[1], before, 0.0);
    mechanism_free(&m);
}

CHECK_MAIN(NULL, NULL)
