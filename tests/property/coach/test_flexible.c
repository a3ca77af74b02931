// SPDX-License-Identifier: MIT
// The Manchester coach with a flexible car body: frames, mirror, energy, and the rigid coach that it becomes when it is
// stiff.

#include "runs.h"
#include "property/coach/coach.h"
#include "unit/run/typed.h"

#include <unistd.h>

CHECK_TEST(it_runs_the_same_in_moving_and_fixed_frames)
{
    static const char *const moving[] = {TIGHT, "until.distance=190", "variant=flexible", NULL};
    static const char *const fixed[]  = {TIGHT, "until.distance=190", "variant=flexible", "formulation=fixed", NULL};
    coach_check_alike(moving, fixed, 0, 1e-6, 1.0);
}

CHECK_TEST(left_and_right_curves_mirror_each_other)
{
    static const char *const left[]  = {TIGHT, "until.distance=190", "variant=flexible", NULL};
    static const char *const right[] = {TIGHT, "until.distance=190", "variant=flexible",
                                        "track.sections[1].to.radius=-600", NULL};
    coach_check_alike(left, right, 1, 1e-8, 0.1);
}

// What is put in is in motion, in springs and in the bent body, or has become heat.
CHECK_TEST(energy_is_balanced)
{
    static const char *const settings[] = {TIGHT, "output.work=true", "until.distance=190", "variant=flexible", NULL};
    wagon_check_balance("coach-curve", settings, 0.0);
}

// A run with the model and one with the body that was reduced from it are the same to the bit.
CHECK_TEST(a_reduced_body_runs_as_its_model_does)
{
    static const char *const file = "coach_reduced_test.kflex";
    char flexible[640], place[512];
    CHECK_ERRORS errors = {0};
    if (!kane_results_have_hdf5())
        check_skip("this libkane was built without HDF5");
    kane_flexible *model = CHECK_GOOD(kane_flexible_read, KANE_SOURCE_DIR "/data/flexible/coach-body.json", NULL);
    assert_int_equal(kane_flexible_write(model, file, &errors), KANE_OK);
    assert_non_null(getcwd(place, sizeof place));
    (void)snprintf(flexible, sizeof flexible, "vehicle.bodies.car.flexible=%s/%s", place, file);
    const char *const of_model[] = {"until.distance=190", "variant=flexible", NULL};
    const char *const of_body[]  = {"until.distance=190", "variant=flexible", flexible, NULL};
    coach_check_alike(of_model, of_body, 0, 0.0, 0.0);
    kane_flexible_free(model);
    (void)remove(file);
}

// The model file with its moduli times a factor, E and G alike.
static void write_stiff(const char *to, double factor)
{
    char text[8192], line[64];
    FILE *from = fopen(KANE_SOURCE_DIR "/data/flexible/coach-body.json", "r"), *out = fopen(to, "w");
    assert_non_null(from);
    assert_non_null(out);
    const size_t length = fread(text, 1, sizeof text - 1, from);
    text[length]        = '\0';
    static const struct {
        const char *typed;
        double value;
    } moduli[] = {{"\"70 GPa\"", 70e9}, {"\"26 GPa\"", 26e9}};
    char *at   = text;
    for (int i = 0; i < 2; i++) {
        char *found = strstr(at, moduli[i].typed);
        assert_non_null(found);
        (void)fwrite(at, 1, (size_t)(found - at), out);
        (void)snprintf(line, sizeof line, "%.17g", factor * moduli[i].value);
        (void)fputs(line, out);
        at = found + strlen(moduli[i].typed);
    }
    (void)fputs(at, out);
    (void)fclose(from);
    (void)fclose(out);
}

// Mass and inertia that the beam has, a little beside the published ones, for the rigid coach, too.
CHECK_TEST(a_stiff_body_is_a_rigid_one)
{
    static const char *const file = "coach_stiff_test.json";
    char flexible[640], here[512], mass[64], inertia[128];
    write_stiff(file, 1e6);
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(flexible, sizeof flexible, "vehicle.bodies.car.flexible=%s/%s", here, file);
    kane_flexible *model        = CHECK_GOOD(kane_flexible_read, file, NULL);
    const kane_flexible_data *d = kane_flexible_get_data(model);
    (void)snprintf(mass, sizeof mass, "vehicle.bodies.car.mass=%.17g", d->mass);
    (void)snprintf(inertia, sizeof inertia, "vehicle.bodies.car.inertia=[%.17g, %.17g, %.17g]", d->inertia[0],
                   d->inertia[1], d->inertia[2]);
    const char *const stiff[] = {TIGHT, "until.distance=190", flexible, NULL};
    const char *const rigid[] = {TIGHT, "until.distance=190", mass, inertia, NULL};
    coach_check_alike(stiff, rigid, 0, 1e-6, 1.0);
    kane_flexible_free(model);
    (void)remove(file);
}

// Each says what is wrong, of the file or of the model.
CHECK_TEST(what_cannot_be_is_refused)
{
    static const struct {
        const char *settings[3], *says;
    } rows[] = {
        {{"vehicle.bodies.car.mass=40000", "variant=flexible"}, "does not agree with the flexible model"},
        {{"vehicle.bodies.car.inertia=[56800, 1.97e6, 3e6]", "variant=flexible"}, "does not agree"},
        {{"vehicle.bodies.car.flexible=nothing.json"}, "nothing.json"},
        {{"vehicle.bodies.car.flexible=" KANE_SOURCE_DIR "/vehicles/two-axle-wagon.json"}, "vehicle"},
        {{"vehicle.sensors.floor middle.at=[1, 0, 1.3]", "variant=flexible"}, "held at its interfaces alone"},
        {{"vehicle.sensors.floor middle.on=car.middle flor", "variant=flexible"}, "no body is called"},
        {{"variant=flexible",
          "vehicle.bodies.leading bogie.joint={\"type\":\"revolute\",\"parent\":\"car\",\"at\":[9,1,2]}"},
         "held at its interfaces alone"},
        {{"variant=flexible",
          "vehicle.bodies.car.joint={\"type\":\"weld\",\"parent\":\"leading bogie\",\"at\":[9,1,2]}"},
         "cannot have a joint"},
        {{"variant=flexible", "vehicle.constraints={\"rod\":{\"type\":\"distance\",\"between\":[\"car\", "
                              "\"leading bogie\"],\"at\":[9,1,2],\"to\":[9.5,0,0.6]}}"},
         "held at its interfaces alone"},
        {{"variant=flexible", "omit=[\"car:mode.rotation.11\"]"}, "no mode 11"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_run_refused("coach-curve", rows[i].settings, rows[i].says);
}

// A rod stands between car body and bogie and takes its share of the weight: at rest nothing accelerates, the modes
// neither.
CHECK_TEST(a_rod_that_carries_leaves_it_at_rest)
{
    static const char rod[] =
        "vehicle.constraints={\"prop\":{\"type\":\"distance\",\"between\":[\"car\",\"leading bogie\"],"
        "\"at\":[9.5,0,0.8275],\"to\":[9.5,0,0.4]}}";
    for (int form = 0; form < 2; form++) {
        const char *const settings[] = {"variant=flexible", rod, form ? "form=multipliers" : "form=coefficients", NULL};
        CHECK_ERRORS errors          = {0};
        CHECK_OWNED(kane_run) *run   = run_read("coach-straight", settings);
        const kane_run_definition *d = kane_run_get_definition(run);
        CHECK_OWNED(kane_model) *model = run_model(d);
        CHECK_OWNED(kane_work) *work   = kane_work_create(model, &errors);
        const int size                 = kane_model_state_count(model);
        double *y = calloc((size_t)size, sizeof *y), *ydot = calloc((size_t)size, sizeof *ydot), l[6];
        double most = 0.0;
        assert_int_equal(kane_initial_state(model, work, y, &errors), KANE_OK);
        assert_int_equal(kane_eval(model, work, 0.0, y, ydot), KANE_OK);
        kane_observe(model, work);
        for (int j = 0; j < kane_model_body_count(model); j++) {
            kane_vec3 a, e;
            kane_get_absolute(model, work, j, NULL, NULL, &a, &e);
            most = fmax(most, fabs(a.z) + kv3_norm(e)); // wheels roll with a little creep
        }
        check_near(most, 0.0, 1e-9);
        assert_int_equal(kane_get_constraint(model, work, 0, l), 1);
        assert_true(fabs(l[0]) > 1e4);
        free(y);
        free(ydot);
    }
}

CHECK_TEST(jacobian_is_the_derivative)
{
    static const char *const settings[] = {TIGHT, "until.distance=190", "variant=flexible", NULL};
    wagon_check_jacobian("coach-curve", settings, 1e-6);
}

CHECK_MAIN(NULL, NULL)
