// SPDX-License-Identifier: MIT
// A run says where a mode grows, and what hides it.

#include "check.h"
#include "runs.h"
#include "folder.h"

// A body over a wheelset that keeps to its rails goes up and down alone: m z'' = -k z - c z'. Its damper drives it with
// -c = 3e4 N s/m.
static const double MASS = 1e4, STIFFNESS = 5.1163e8, DRIVES = 3e4, pi = 3.14159265358979323846;

static const char vehicle[] =
    "{\"kane\": \"vehicle 1\", \"name\": \"one wheelset\", \"reference_body\": \"car\","
    "\"bodies\": {\"car\": {\"mass\": 1e4, \"inertia\": [5000, 5000, 5000], \"at\": [0, 0, 1.5],"
    " \"dof\": [\"z\"]}},"
    "\"wheelsets\": {\"wheelset\": {\"mass\": 1500, \"inertia\": [800, 100, 800], \"radius\": 0.46,"
    " \"at\": 0, \"profile\": \"S1002\", \"contact\": {\"model\": \"constraint\"}}},"
    "\"elements\": {\"spring\": {\"law\": \"bushing\", \"stiffness\": [1e8, 1e8, 5.1163e8],"
    " \"damper_z\": {\"speed\": [-1, 0, 1], \"force\": [30000, 0, -30000]},"
    " \"rotational_stiffness\": [1e8, 0, 1e8], \"between\": [\"wheelset\", \"car\"],"
    " \"at\": [0, 0, 0.46]}}}";
static const char track[] = "{\"kane\": \"track 1\", \"sections\": [{\"straight\": 100}, {\"transition\": 20, \"to\":"
                            " {\"radius\": 3000}}, {\"curve\": 50}]}";
static const char run[] =
    "{\"kane\": \"run 1\", \"vehicle\": \"vehicle.json\", \"track\": \"track.json\", \"start\": {\"at\": 10,"
    " \"speed\": 20}, \"until\": {\"time\": 7}, \"output\": {\"channels\": [\"car.z\"]}}";

static kane_outcome carry_out(const char *const *settings)
{
    const kane_execution how = {.directory = "out"};
    kane_outcome outcome;
    write_file("vehicle.json", vehicle);
    write_file("track.json", track);
    write_file("run.json", run);
    CHECK_OWNED(kane_run) *read = run_read("run.json", settings);
    assert_int_equal(CHECK_GOOD(kane_run_to_files, kane_run_get_definition(read), &how, &outcome), KANE_OK);
    return outcome;
}

static char *read_text(const char *name)
{
    static char text[20000];
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

// In the straight and in the curve, which is as far again as the transition is passed over.
CHECK_TEST(a_mode_that_grows_is_found_where_it_does)
{
    const kane_outcome o  = carry_out(NULL);
    const double growth   = DRIVES / (2.0 * MASS);
    const char *const all = read_text("out/status.json");
    assert_int_equal(o.growth.checked, 2);
    assert_int_equal(o.growth.count, 2);
    for (int i = 0; i < 2; i++) {
        const kane_growing *g = &o.growth.stretch[i];
        assert_int_equal(g->modes, 1);
        assert_string_equal(g->body, "car");
        assert_string_equal(g->name, "car bounce");
        assert_non_null(strstr(g->text, "a mode grows in the"));
        check_near(g->speed, 20.0, 1e-9);
    }
    const int bent = o.growth.stretch[1].curvature != 0.0; // what grows fastest comes first, and both grow alike
    const kane_growing *straight = &o.growth.stretch[!bent], *curve = &o.growth.stretch[bent];
    check_near(straight->growth, growth, 1e-9);
    check_near(straight->frequency, sqrt(STIFFNESS / MASS - growth * growth) / (2.0 * pi), 1e-9);
    check_near(straight->to, 100.0, 1e-9);
    check_near(curve->from, 120.0, 1e-9);
    check_near(1.0 / curve->curvature, 3000.0, 1e-9);
    // steps of BDF, which nothing makes short, damp it, and the text says so
    assert_true(straight->step > straight->longest && straight->integrated < 0.0);
    assert_non_null(strstr(straight->text, "may not show it"));
    assert_null(strstr(straight->text, "adams")); // which cannot project wheels onto their rails
    assert_non_null(strstr(all, "\"growing_modes\""));
    assert_non_null(strstr(all, "car bounce"));
    assert_non_null(strstr(read_text("out/manifest.json"), "\"growing_modes\""));
}

// Steps that are short enough hide nothing; but BDF, which chooses its order, has the first one as long as nothing
// moves.
CHECK_TEST(a_method_that_shows_it_is_not_blamed)
{
    static const char *const settings[] = {"integrator.method=bdf2", "integrator.step=0.5 ms", "until.time=2", NULL};
    const kane_outcome o                = carry_out(settings);
    const kane_growing *g               = &o.growth.stretch[0];
    assert_int_equal(o.growth.count, 1);
    check_near(g->step, 5e-4, 1e-9);
    assert_true(g->step < g->longest && g->integrated > 0.9 * g->growth && g->integrated < g->growth);
    assert_null(strstr(g->text, "may not show it"));
}

CHECK_TEST(an_order_that_is_left_is_said)
{
    static const char *const settings[] = {"integrator.max_step=1 ms", "until.time=2", NULL};
    const kane_outcome o                = carry_out(settings);
    assert_int_equal(o.growth.count, 1);
    assert_true(o.growth.stretch[0].step < o.growth.stretch[0].longest && o.growth.stretch[0].integrated < 0.0);
    assert_non_null(strstr(o.growth.stretch[0].text, "bdf of order 1 damps it"));
    assert_non_null(strstr(o.growth.stretch[0].text, "until something sets it off"));
}

CHECK_TEST(a_stable_vehicle_is_not_mentioned)
{
    static const char *const settings[] = {"vehicle.elements.spring.damper_z.force=[-30000, 0, 30000]", NULL};
    const kane_outcome o                = carry_out(settings);
    assert_int_equal(o.growth.checked, 2);
    assert_int_equal(o.growth.count, 0);
}

// c = 600 N s/m: re = -.03 1/s. BDF of order 2 adds -im^4 h^3/4: -.08 1/s with .5 ms, -.0007 with .1 ms.
CHECK_TEST(what_the_method_damps_more_than_the_vehicle_is_told)
{
    static const char *const settings[2] = {"integrator.step=.5 ms", "integrator.step=.1 ms"};
    for (int i = 0; i < 2; i++) {
        const char *const of[] = {"vehicle.elements.spring.damper_z.force=[-600, 0, 600]", "integrator.method=bdf2",
                                  settings[i], "until.time=1.5", NULL};
        const kane_outcome o   = carry_out(of);
        assert_int_equal(o.growth.count, 0);
        check_near(o.growth.damped_from, i ? 0.0 : sqrt(STIFFNESS / MASS - 0.03 * 0.03) / (2.0 * pi), 1e-9);
    }
}

CHECK_TEST(nobody_looks_where_nobody_wants_it)
{
    static const char *const off[] = {"check_modes=false", NULL}, *const brief[] = {"until.time=0.9", NULL};
    assert_int_equal(carry_out(off).growth.checked, 0);
    assert_null(strstr(read_text("out/status.json"), "growing_modes"));
    assert_int_equal(carry_out(brief).growth.checked, 0); // no stretch for a second
}

// Nothing holds the body to the side: in the curve it goes outward for ever.
CHECK_TEST(a_stretch_without_an_equilibrium_is_said)
{
    static const char *const settings[] = {"vehicle.bodies.car.dof=[\"y\", \"z\"]",
                                           "vehicle.elements.spring.stiffness=[1e8, 0, 5e8]",
                                           "vehicle.elements.spring.damper_z.force=[-30000, 0, 30000]", NULL};
    const kane_outcome o                = carry_out(settings);
    const kane_growing *g               = &o.growth.stretch[o.growth.count - 1];
    assert_int_equal(o.growth.checked, 2);
    assert_true(o.growth.count > 0);
    assert_int_equal(g->modes, 0);
    assert_non_null(strstr(g->text, "cannot be looked for in the curve"));
    assert_non_null(strstr(g->text, "no equilibrium"));
}

CHECK_MAIN(enter_folder, leave_folder)
