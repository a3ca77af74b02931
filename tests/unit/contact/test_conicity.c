// SPDX-License-Identifier: MIT
// Equivalent conicity of rolling radius differences whose waves are known in closed form.

#include "unit/contact/rig.h"

enum { COUNT = 2001 };

static const double first = -0.02, grid = 2e-5, r0 = 0.46, e = 1.5, pi = 3.14159265358979323846;

// A difference by a formula of y and a parameter.
typedef double formula(double y, double parameter);

static kane_rolling *rolling_of(formula *f, double parameter)
{
    static double difference[COUNT];
    CHECK_ERRORS errors = {0};
    for (int i = 0; i < COUNT; i++)
        difference[i] = f(first + i * grid, parameter);
    kane_rolling *r = kane_rolling_create_table(COUNT, difference, first, grid, r0, e, &errors);
    assert_non_null(r);
    assert_int_equal(errors.count, 0);
    return r;
}

// Both integrations agree with a wavelength and turning points.
static void check_wave(const kane_rolling *r, double amplitude, double wavelength, double low, double tolerance)
{
    for (int way = KANE_CONICITY_INTEGRATION; way <= KANE_CONICITY_QUADRATURE; way++) {
        const kane_conicity c = kane_conicity_eval(r, way, amplitude);
        assert_int_equal(c.kind, KANE_CONICITY_WAVE);
        check_relative(c.wavelength, wavelength, tolerance);
        check_relative(c.conicity, 2.0 * pi * pi * e * r0 / (wavelength * wavelength), 2.0 * tolerance);
        check_near(c.low, low, tolerance * 1e-2);
        check_near(c.high - c.low, 2.0 * amplitude, tolerance * 1e-2);
    }
}

// What pulls back by k a metre: y'' = -k/(e r0) y.
static double wave_of(double k)
{
    return 2.0 * pi * sqrt(e * r0 / k);
}

static double cone(double y, double conicity)
{
    return 2.0 * conicity * y;
}

CHECK_TEST(a_cone_has_its_conicity)
{
    CHECK_OWNED(kane_rolling) *r = rolling_of(cone, 0.05);
    for (int i = 1; i <= 10; i++) {
        check_wave(r, 1e-3 * i, wave_of(2.0 * 0.05), -1e-3 * i, 1e-6);
        for (int way = 0; way < KANE_CONICITY_METHODS; way++)
            check_relative(kane_conicity_eval(r, way, 1e-3 * i).conicity, 0.05, 1e-6);
    }
}

static double aside(double y, double shift)
{
    return 0.2 * (y - shift);
}

CHECK_TEST(the_motion_goes_about_where_radii_are_alike)
{
    CHECK_OWNED(kane_rolling) *r = rolling_of(aside, 3e-3);
    check_wave(r, 4e-3, wave_of(0.2), -1e-3, 1e-6);
}

static double bent(double y, double k)
{
    return y < 0.0 ? k * y : 4.0 * k * y;
}

// Half a wave of either spring; the amplitude is the mean of both, which are as 2 to 1.
CHECK_TEST(the_amplitude_is_half_of_peak_to_peak)
{
    CHECK_OWNED(kane_rolling) *r = rolling_of(bent, 0.1);
    check_wave(r, 3e-3, 0.5 * (wave_of(0.1) + wave_of(0.4)), -4e-3, 1e-6);
}

static double cubic(double y, double k)
{
    return k * y * y * y;
}

// y'' = -c y^3 from the amplitude a: wavelength 4 K(1/2)/(a sqrt(c)), K(1/2) = 1.8540746773...
CHECK_TEST(a_cubic_has_its_elliptic_wave)
{
    const double k               = 2e4;
    CHECK_OWNED(kane_rolling) *r = rolling_of(cubic, k);
    for (int i = 2; i <= 8; i += 2) {
        const double a = 1e-3 * i;
        check_wave(r, a, 4.0 * 1.8540746773013719 / (a * sqrt(k / (e * r0))), -a, 1e-4); // of the grid
        check_relative(kane_conicity_eval(r, KANE_CONICITY_REGRESSION, a).conicity, 0.5 * 0.6 * k * a * a, 5e-3);
    }
}

static double step(double y, double height)
{
    return y > 1e-9 ? height : y < -1e-9 ? -height : 0.0;
}

// Parabolas: a quarter of the wave is sqrt(2 a e r0/height).
CHECK_TEST(a_jump_is_no_obstacle)
{
    CHECK_OWNED(kane_rolling) *r = rolling_of(step, 1e-3);
    check_wave(r, 5e-3, 4.0 * sqrt(2.0 * 5e-3 * e * r0 / 1e-3), -5e-3, 2e-3); // the jump takes two cells
}

static double hump(double y, double inside)
{
    return fabs(y) < 2e-3 ? -0.1 * y : 0.3 * (y - (y > 0.0 ? inside : -inside)) - (y > 0.0 ? 2e-4 : -2e-4);
}

CHECK_TEST(what_drives_away_has_negative_conicity)
{
    kane_rolling *r = rolling_of(cone, -0.05);
    for (int way = 0; way < KANE_CONICITY_METHODS; way++) {
        const kane_conicity c = kane_conicity_eval(r, way, 3e-3);
        assert_int_equal(c.kind, KANE_CONICITY_NEGATIVE);
        check_relative(c.conicity, -0.05, 1e-6);
    }
    kane_rolling_free(r);

    // an unstable middle: small motions about a place aside, large ones around all of it
    r                       = rolling_of(hump, 2e-3);
    const kane_conicity in  = kane_conicity_eval(r, KANE_CONICITY_QUADRATURE, 3e-4);
    const kane_conicity out = kane_conicity_eval(r, KANE_CONICITY_QUADRATURE, 8e-3);
    assert_int_equal(in.kind, KANE_CONICITY_WAVE);
    check_relative(in.conicity, 0.15, 1e-5);
    check_near(fabs(in.low + in.high), 2.0 * (2e-3 + 2e-4 / 0.3), 1e-9);
    assert_int_equal(out.kind, KANE_CONICITY_WAVE);
    check_near(out.low, -8e-3, 1e-9);
    kane_rolling_free(r);
}

// Falls through zero at +-2 mm less or more than `shift`, rises through it at shift - 4, shift and shift + 4 mm.
static double waves(double y, double shift)
{
    return 1e-4 * sin(pi * (y - shift) / 2e-3);
}

CHECK_TEST(of_several_motions_the_nearest_counts)
{
    CHECK_OWNED(kane_rolling) *r = rolling_of(waves, 1.5e-3);
    for (int way = 0; way < KANE_CONICITY_METHODS; way++) {
        const kane_conicity c = kane_conicity_eval(r, way, 1e-4);
        assert_int_equal(c.kind, KANE_CONICITY_WAVE);
        check_near(0.5 * (c.low + c.high), 1.5e-3, 1e-8);
        check_relative(c.conicity, 0.5 * 1e-4 * pi / 2e-3, 1e-2);
    }
}

static double play(double y, double half)
{
    return y > half ? 0.2 * (y - half) : y < -half ? 0.2 * (y + half) : 0.0;
}

CHECK_TEST(without_a_wave_there_is_no_conicity)
{
    CHECK_OWNED(kane_rolling) *r = rolling_of(play, 3e-3);
    for (int way = 0; way < KANE_CONICITY_METHODS; way++) {
        const double none[] = {2e-3, 0.0, -1e-3, 0.021, (double)NAN};
        for (int i = 0; i < 5; i++) {
            const kane_conicity c = kane_conicity_eval(r, way, none[i]);
            assert_int_equal(c.kind, KANE_CONICITY_NONE);
            assert_true(isnan(c.conicity) && isnan(c.wavelength) && isnan(c.low) && isnan(c.high));
        }
    }
    check_near(kane_rolling_difference(r, 4e-3), 2e-4, 1e-12);
    assert_true(isnan(kane_rolling_difference(r, 0.0201)));
}

// Cones on round rails, Wickens' formula for small shifts: conicity g (b + R g)/(b - r g), b half the distance of the
// contacts, R the radius of the rail's head.
CHECK_TEST(a_cone_on_a_round_rail_is_as_wickens_says)
{
    CHECK_OWNED(kane_contact) *c = rig_create(rig_cone_on_round());
    CHECK_OWNED(kane_rolling) *r = kane_rolling_create(c, KANE_AXLE_ROLLS, 12e-3, grid, e, NULL);
    kane_wheelset_position s;
    assert_non_null(r);
    assert_int_equal(kane_wheelset_position_rigid(c, 0.0, 0.0, &s), KANE_OK);
    const double g = 0.05, b = kane_contact_wheel_distance(c, KANE_LEFT) + s.contact_point[KANE_LEFT][0].wheel_y;
    for (int i = 1; i <= 10; i += 3)
        check_relative(kane_conicity_eval(r, KANE_CONICITY_QUADRATURE, 1e-3 * i).conicity,
                       g * (b + 0.3 * g) / (b - r0 * g), 2e-3);
    check_near(kane_rolling_first(r), -12e-3, 1e-12);
    check_near(kane_rolling_last(r), 12e-3, 1e-12);
}

// Where a profile ends the table does: a wheelset cannot be 80 mm aside.
CHECK_TEST(the_table_ends_where_the_wheelset_does_not_stand)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    CHECK_OWNED(kane_rolling) *r = kane_rolling_create(c, KANE_AXLE_ROLLS, 0.09, 1e-3, e, NULL);
    assert_non_null(r);
    assert_true(kane_rolling_first(r) > -0.09 && kane_rolling_first(r) < -0.01);
    check_near(kane_rolling_last(r), -kane_rolling_first(r), 1e-9);
    kane_wheelset_position s;
    assert_int_equal(kane_wheelset_position_rigid(c, 3e-3, 0.0, &s), KANE_OK);
    check_near(kane_rolling_difference(r, 3e-3), s.radius_difference, 1e-12);
}

CHECK_TEST(wrong_arguments_are_named)
{
    static const double difference[] = {-1e-3, 0.0, 1e-3}, broken[] = {-1e-3, (double)NAN, 1e-3};
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    CHECK_ERRORS errors          = {0};
    assert_null(kane_rolling_create_table(2, difference, -1e-3, 1e-3, r0, e, &errors));
    assert_null(kane_rolling_create_table(3, difference, -1e-3, 0.0, r0, e, &errors));
    assert_null(kane_rolling_create_table(3, difference, -1e-3, 1e-3, 0.0, e, &errors));
    assert_null(kane_rolling_create_table(3, difference, -1e-3, 1e-3, r0, -1.0, &errors));
    assert_null(kane_rolling_create_table(3, difference, (double)NAN, 1e-3, r0, e, &errors));
    assert_null(kane_rolling_create_table(3, broken, -1e-3, 1e-3, r0, e, &errors));
    assert_null(kane_rolling_create(c, KANE_AXLE_ROLLS, 0.2, 1e-4, e, &errors));
    assert_null(kane_rolling_create(c, KANE_AXLE_ROLLS, 0.01, 0.01, e, &errors));
    assert_null(kane_rolling_create(c, KANE_AXLE_ROLLS, 0.01, 1e-9, e, &errors));
    assert_null(kane_rolling_create(c, KANE_AXLE_ROLLS, 0.01, 1e-4, 0.0, &errors));
    assert_int_equal(errors.count, 10);
    assert_non_null(strstr(kane_errors_get(&errors, 1)->text, "step = 0 is not allowed, must be positive"));
    for (int i = 0; i < errors.count; i++)
        assert_int_equal(kane_errors_get(&errors, i)->status, KANE_BAD_ARGUMENT);
}

CHECK_MAIN(NULL, NULL)
