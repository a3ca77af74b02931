// SPDX-License-Identifier: MIT
// A wagon whose speed is given runs from a straight through a transition as plain code in axes at rest says, which
// shares nothing with libkane (tests/oracle): wheel loads within .3 %, coordinates within 2e-6 m along and 5e-7 m
// across the line, and 2e-7 rad.

#include "reference/wagon/both.h"

// Where nothing has a kink both agree to a few newtons.
static const bounds smooth = {2e-6, 5e-7, 1e-7, 2.0}, kinked = {2e-6, 5e-7, 2e-7, 300.0};

static const journey usual = {
    .curvature = 1.0 / 600.0, .cant = 0.1, .transition = 50.0, .speed = 18.0, .acceleration = 0.5, .until = 7.0};

static void same(const char *name, plain_shape shape, plain_cant_axis axis, double curvature, bounds most)
{
    contrast c[FORMULATIONS];
    journey j   = usual;
    j.name      = name;
    j.shape     = shape;
    j.cant_axis = axis;
    j.curvature = curvature;
    j.cant      = curvature > 0.0 ? usual.cant : -usual.cant;
    both_compare(&j, most, c);
    assert_true(c->largest_y > 2e-3 && c->largest_Q - c->least_Q > 25e3); // something has happened
    assert_true(c->trailing > BOTH_STRAIGHT + usual.transition + 20.0);
}

CHECK_TEST(bloss_about_the_inner_rail)
{
    same("Bloss, inner rail", PLAIN_BLOSS, PLAIN_INNER_RAIL, 1.0 / 600.0, smooth);
}

CHECK_TEST(bloss_about_the_centre_line_to_the_right)
{
    same("Bloss, centre line, right", PLAIN_BLOSS, PLAIN_CENTRE_LINE, -1.0 / 700.0, smooth);
}

CHECK_TEST(clothoid_about_the_inner_rail)
{
    same("clothoid, inner rail", PLAIN_CLOTHOID, PLAIN_INNER_RAIL, 1.0 / 600.0, kinked);
}

CHECK_TEST(clothoid_about_the_inner_rail_to_the_right)
{
    same("clothoid, inner rail, right", PLAIN_CLOTHOID, PLAIN_INNER_RAIL, -1.0 / 700.0, kinked);
}

CHECK_TEST(clothoid_about_the_centre_line)
{
    same("clothoid, centre line", PLAIN_CLOTHOID, PLAIN_CENTRE_LINE, 1.0 / 600.0, kinked);
}

CHECK_TEST(the_same_speed_over_place)
{
    contrast c[FORMULATIONS];
    journey j    = usual;
    j.name       = "speed over place, clothoid";
    j.shape      = PLAIN_CLOTHOID;
    j.cant_axis  = PLAIN_INNER_RAIL;
    j.over_place = 1;
    both_compare(&j, kinked, c);
}

// 13 m/s taken away over 60 m.
CHECK_TEST(a_halt_in_the_transition)
{
    static const char *const names[2] = {"halt, Bloss, inner rail", "halt, clothoid, inner rail"};
    for (int i = 0; i < 2; i++) {
        contrast c[FORMULATIONS];
        journey j      = usual;
        j.name         = names[i];
        j.shape        = i ? PLAIN_CLOTHOID : PLAIN_BLOSS;
        j.cant_axis    = PLAIN_INNER_RAIL;
        j.transition   = 60.0;
        j.speed        = 13.0;
        j.acceleration = -13.0 * 13.0 / 120.0;
        j.until        = 60.0;
        both_compare(&j, i ? kinked : smooth, c);
        assert_int_equal(c->stop, KANE_STOP_STANDSTILL);
        assert_true(c->trailing > BOTH_STRAIGHT && c->leading < BOTH_STRAIGHT + j.transition);
    }
}

CHECK_MAIN(NULL, NULL)
