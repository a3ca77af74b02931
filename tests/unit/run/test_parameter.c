// SPDX-License-Identifier: MIT
// Paths of parameters as they are typed: short names, parts of files without the name of the file, and what stays as it
// is.

#include "check.h"

#include "run/setup.h"

static void check_setting(const char *typed, const char *vehicle, const char *whole)
{
    char text[400];
    assert_int_equal(kane_parameter_setting(typed, vehicle, sizeof text, text), strlen(whole));
    assert_string_equal(text, whole);
    assert_int_equal(kane_parameter_setting(typed, vehicle, 0, NULL), strlen(whole));
}

CHECK_TEST(test_settings)
{
    check_setting("friction=0.2", "vehicle.", "track.rail.friction=0.2");
    check_setting(" radius =300 m", "vehicle.", "track.sections[*].to.radius =300 m");
    check_setting("cant=0.1", "vehicle.", "track.sections[*].to.cant=0.1");
    check_setting("shape=bloss", "vehicle.", "track.sections[*].shape=bloss");
    // keys of the run file are the run file's
    check_setting("speed=[]", "vehicle.", "speed=[]");
    check_setting("start.speed=3", "vehicle.", "start.speed=3");
    check_setting("patterns.a.mass=1", "vehicle.", "patterns.a.mass=1");
    check_setting("$schema=x", "vehicle.", "$schema=x");
    check_setting("vehicle.bodies.body.mass=1", "vehicle.", "vehicle.bodies.body.mass=1");
    check_setting("track.gauge=1", "vehicle.", "track.gauge=1");
    check_setting("mechanism=a.json", "mechanism.", "mechanism=a.json");
    // keys that one file alone has
    check_setting("bodies.body.mass=1", "vehicle.", "vehicle.bodies.body.mass=1");
    check_setting("bodies.top.mass=1", "mechanism.", "mechanism.bodies.top.mass=1");
    check_setting("elements.\"a=b\".stiffness=1", "vehicle.", "vehicle.elements.\"a=b\".stiffness=1");
    check_setting("rail.friction=0.2", "vehicle.", "track.rail.friction=0.2");
    check_setting("sections[0].straight=5", "vehicle.", "track.sections[0].straight=5");
    check_setting("gauge=1432 mm", "vehicle.", "track.gauge=1432 mm");
    // keys that both have, or none; a short name is no beginning of a path
    check_setting("profiles.x=1", "vehicle.", "profiles.x=1");
    check_setting("blah=1", "vehicle.", "blah=1");
    check_setting("friction.x=1", "vehicle.", "friction.x=1");
    check_setting("acceleration=1", "vehicle.", "acceleration=1");
    check_setting("=1", "vehicle.", "=1");
    check_setting("", "vehicle.", "");
}

CHECK_TEST(test_same)
{
    assert_true(kane_parameter_is_same("friction", "track.rail.friction=0.2"));
    assert_true(kane_parameter_is_same("rail.friction=1", "friction = 2"));
    assert_true(kane_parameter_is_same("bodies.body.mass", "vehicle.bodies.body.mass=1"));
    assert_true(kane_parameter_is_same("mechanism.bodies.top.mass", "bodies.top.mass=1"));
    assert_true(kane_parameter_is_same("start.speed", "start.speed=1"));
    assert_false(kane_parameter_is_same("start.speed", "start.speeds=1"));
    assert_false(kane_parameter_is_same("start.speed", "speed=[]"));
    assert_false(kane_parameter_is_same("bodies.body.mass", "bodies.body.inertia=1"));
    assert_false(kane_parameter_is_same("track.name", "vehicle.name"));
}

CHECK_TEST(test_short_names)
{
    assert_string_equal(kane_parameter_find("speed")->path, "start.speed");
    assert_string_equal(kane_parameter_find("start.speed")->unit, "m/s");
    assert_string_equal(kane_parameter_find("acceleration")->unit, "m/s^2");
    assert_string_equal(kane_parameter_find("friction")->path, "track.rail.friction");
    assert_string_equal(kane_parameter_find("track.sections[*].to.cant")->name, "cant");
    assert_null(kane_parameter_find("mass"));
}

CHECK_MAIN(NULL, NULL)
