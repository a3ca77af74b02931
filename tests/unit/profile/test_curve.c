// SPDX-License-Identifier: MIT
// The smooth curve through points or near them.

#include "check.h"
#include "profile/curve.h"

enum { COUNT = 121 };
static const double R = 0.013;

typedef struct sample {
    kane_arena *arena;
    double y[COUNT], z[COUNT];
    curve c;
} sample;

// Points of an arc, an angle apart that grows along the way, with noise of up to `noise` along the radius.
static void make_arc(sample *s, int count, double noise)
{
    unsigned long long seed = 5;
    for (int i = 0; i < count; i++) {
        const double x = i / (count - 1.0), angle = 0.2 + 1.4 * x * (0.7 + 0.3 * x);
        seed           = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        const double r = R + noise * (2.0 * (double)(seed >> 11) / 9007199254740992.0 - 1.0);
        s->y[i]        = r * sin(angle);
        s->z[i]        = r * cos(angle);
    }
}

static void fit(sample *s, int count, const double *weight, double tolerance)
{
    kane_arena_free(s->arena);
    s->arena = kane_arena_create();
    assert_non_null(s->arena);
    assert_int_equal(kane_curve_fit(&s->c, count, s->y, s->z, weight, tolerance, s->arena), 1);
}

// Distance from the true arc, largest over the middle half.
static double error_of(const sample *s)
{
    double worst = 0.0;
    for (int i = 250; i <= 750; i++) {
        const curve_point p = kane_curve_point_at(&s->c, s->c.knots[s->c.count - 1] * i / 1000.0);
        worst               = fmax(worst, fabs(hypot(p.y, p.z) - R));
    }
    return worst;
}

CHECK_TEST(without_tolerance_it_goes_through_the_points)
{
    static sample s;
    make_arc(&s, COUNT, 1e-5);
    fit(&s, COUNT, NULL, 0.0);
    for (int i = 0; i < COUNT; i++) {
        const curve_point p = kane_curve_point_at(&s.c, s.c.knots[i]);
        check_near(p.y, s.y[i], 1e-17);
        check_near(p.z, s.z[i], 1e-17);
    }
    assert_true(s.c.distance == 0.0);

    // of fourth order: half the distance, an error of a sixteenth
    make_arc(&s, 16, 0.0);
    fit(&s, 16, NULL, 0.0);
    const double coarse = error_of(&s);
    make_arc(&s, 31, 0.0);
    fit(&s, 31, NULL, 0.0);
    assert_true(error_of(&s) < coarse / 10.0);
    kane_arena_free(s.arena);
}

static void check_smooth(const sample *s)
{
    for (int i = 1; i + 1 < s->c.count; i++) {
        const double h = s->c.knots[i] - s->c.knots[i - 1];
        for (int k = 0; k < 2; k++) {
            const double *a = k ? s->c.pieces[i - 1].z : s->c.pieces[i - 1].y;
            const double *b = k ? s->c.pieces[i].z : s->c.pieces[i].y;
            check_near(a[0] + h * (a[1] + h * (a[2] + h * a[3])), b[0], 1e-16);
            check_near(a[1] + h * (2.0 * a[2] + h * 3.0 * a[3]), b[1], 1e-10); // round-off of much smoothing
            check_near(2.0 * a[2] + 6.0 * h * a[3], 2.0 * b[2], 1e-8 / R);
        }
    }
}

CHECK_TEST(it_is_twice_continuously_differentiable)
{
    static const double tolerances[] = {0.0, 3e-6, 1e-3};
    static sample s;
    for (int i = 0; i < 3; i++) {
        make_arc(&s, COUNT, 1e-5);
        fit(&s, COUNT, NULL, tolerances[i]);
        check_smooth(&s);
        const curve_point first = kane_curve_point_at(&s.c, -0.01), last = kane_curve_point_at(&s.c, 1.0);
        check_near(first.y_tt, 0.0, 1e-6);
        check_near(last.z_tt, 0.0, 1e-6);
    }
    kane_arena_free(s.arena);
}

// The least sum of w (g - y)^2 + strength times the integral of g''^2 has jumps of g''' of w (y - g)/strength, with one
// strength for all points and both coordinates.
CHECK_TEST(it_is_the_smoothest_of_all_as_near)
{
    static sample s;
    double weight[COUNT], strength = 0.0;
    for (int i = 0; i < COUNT; i++)
        weight[i] = 1.0 + i % 3;
    make_arc(&s, COUNT, 1e-5);
    fit(&s, COUNT, weight, 4e-6);
    check_relative(s.c.distance, 4e-6, 1e-9);
    for (int i = 1; i + 1 < COUNT; i++)
        for (int k = 0; k < 2; k++) {
            const double *a = k ? s.c.pieces[i - 1].z : s.c.pieces[i - 1].y, *b = k ? s.c.pieces[i].z : s.c.pieces[i].y;
            const double jump = 6.0 * (b[3] - a[3]), off = weight[i] * ((k ? s.z[i] : s.y[i]) - b[0]);
            if (strength == 0.0 && fabs(off) > 1e-6)
                strength = off / jump;
            check_near(strength * jump, off, 1e-12);
        }
    assert_true(strength > 0.0);
    kane_arena_free(s.arena);
}

CHECK_TEST(noise_goes_and_the_shape_stays)
{
    static sample s;
    const double noise = 1e-5, rms = noise / sqrt(3.0);
    make_arc(&s, COUNT, noise);
    fit(&s, COUNT, NULL, 0.0);
    const double raw = error_of(&s);
    fit(&s, COUNT, NULL, rms);
    assert_true(error_of(&s) < 0.5 * raw);
    double bend = 0.0; // the curvature is that of the arc, not that of the noise
    for (int i = 250; i <= 750; i++) {
        const curve_point p = kane_curve_point_at(&s.c, s.c.knots[COUNT - 1] * i / 1000.0);
        bend                = fmax(bend, fabs(hypot(p.y_tt, p.z_tt) * R - 1.0));
    }
    check_below(bend, 0.25);
    kane_arena_free(s.arena);
}

CHECK_TEST(any_tolerance_can_be_met)
{
    static sample s;
    make_arc(&s, COUNT, 1e-5);
    for (double tolerance = 1e-9; tolerance < 1e-4; tolerance *= 10.0) {
        fit(&s, COUNT, NULL, tolerance);
        assert_true(s.c.distance <= tolerance && s.c.distance > 0.99 * tolerance);
    }
    fit(&s, COUNT, NULL, 1.0); // a straight line is near enough
    const curve_point a = kane_curve_point_at(&s.c, 0.0), b = kane_curve_point_at(&s.c, s.c.knots[COUNT - 1]);
    check_near(a.y_t, b.y_t, 1e-6);
    check_near(a.z_t, b.z_t, 1e-6);

    const double two_y[] = {0.0, 0.003}, two_z[] = {0.0, 0.004};
    assert_int_equal(kane_curve_fit(&s.c, 2, two_y, two_z, NULL, 0.0, s.arena), 1);
    check_near(kane_curve_point_at(&s.c, 0.01).z, 0.008, 1e-17);
    kane_arena_free(s.arena);
}

CHECK_TEST(a_point_of_little_weight_does_not_count)
{
    static sample s;
    double weight[COUNT];
    for (int i = 0; i < COUNT; i++)
        weight[i] = i == 60 ? 1e-9 : 1.0;
    make_arc(&s, COUNT, 0.0);
    s.y[60] += 2e-5;
    s.z[60] += 2e-5;
    fit(&s, COUNT, weight, 2e-8);
    check_below(error_of(&s), 2e-6);
    fit(&s, COUNT, NULL, 2e-8);
    assert_true(error_of(&s) > 2e-5);
    kane_arena_free(s.arena);
}

CHECK_MAIN(NULL, NULL)
