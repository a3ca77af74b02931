// SPDX-License-Identifier: MIT
// A wagon that is pulled by a force, or braked by its wheels, runs as plain code says that knows no frames at all
// (tests/oracle): wheel loads within .3 %, coordinates within 5e-6 m along and 5e-7 m across the line, and 2e-7 rad,
// the way within 1e-7 of itself.

#include "reference/wagon/both.h"

static const bounds smooth = {5e-6, 5e-7, 1e-7, 5.0}, kinked = {5e-6, 5e-7, 2e-7, 300.0};

static const double rises[2] = {0.0, 1.0}, pulls[2] = {0.0, 30e3};
static const double sets_in[3] = {0.0, 0.5, 1.5}, brakes[3] = {0.0, 0.0, 12e3};

static const journey pulled = {.curvature  = 1.0 / 600.0,
                               .cant       = 0.1,
                               .transition = 50.0,
                               .speed      = 16.0,
                               .is_driven  = 1,
                               .force      = {2, rises, pulls},
                               .until      = 7.0};

static void pull(const char *name, plain_shape shape, plain_cant_axis axis, bounds most)
{
    contrast c[FORMULATIONS];
    journey j   = pulled;
    j.name      = name;
    j.shape     = shape;
    j.cant_axis = axis;
    both_compare(&j, most, c);
    assert_true(c->largest_y > 2e-3 && c->largest_Q - c->least_Q > 25e3); // something has happened
    assert_true(c->trailing > BOTH_STRAIGHT + pulled.transition + 20.0);
}

CHECK_TEST(pulled_through_bloss_about_the_inner_rail)
{
    pull("pulled, Bloss, inner rail", PLAIN_BLOSS, PLAIN_INNER_RAIL, smooth);
}

CHECK_TEST(pulled_through_a_clothoid_about_the_inner_rail)
{
    pull("pulled, clothoid, inner rail", PLAIN_CLOTHOID, PLAIN_INNER_RAIL, kinked);
}

CHECK_TEST(pulled_through_a_clothoid_about_the_centre_line)
{
    pull("pulled, clothoid, centre line", PLAIN_CLOTHOID, PLAIN_CENTRE_LINE, kinked);
}

// From 12 m/s to rest, both axles in the transition.
static void brake(const char *name, plain_shape shape, plain_cant_axis axis, bounds most)
{
    contrast c[FORMULATIONS];
    journey j    = pulled;
    j.name       = name;
    j.shape      = shape;
    j.cant_axis  = axis;
    j.transition = 60.0;
    j.speed      = 12.0;
    j.force      = (plain_course){0};
    j.brake      = (plain_course){3, sets_in, brakes};
    j.until      = 60.0;
    both_compare(&j, most, c);
    assert_int_equal(c->stop, KANE_STOP_STANDSTILL);
    assert_true(c->trailing > BOTH_STRAIGHT && c->leading < BOTH_STRAIGHT + j.transition);
}

CHECK_TEST(braked_to_rest_in_bloss)
{
    brake("braked, Bloss, inner rail", PLAIN_BLOSS, PLAIN_INNER_RAIL, smooth);
}

CHECK_TEST(braked_to_rest_in_a_clothoid_about_the_inner_rail)
{
    brake("braked, clothoid, inner rail", PLAIN_CLOTHOID, PLAIN_INNER_RAIL, kinked);
}

CHECK_TEST(braked_to_rest_in_a_clothoid_about_the_centre_line)
{
    brake("braked, clothoid, centre line", PLAIN_CLOTHOID, PLAIN_CENTRE_LINE, kinked);
}

CHECK_MAIN(NULL, NULL)
