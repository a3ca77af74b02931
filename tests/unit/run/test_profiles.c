// SPDX-License-Identifier: MIT
// Profiles in vehicle and track files: found beside the file that names them, left and right apart.

#include "models.h"
#include "unit/profile/written.h"

#include <sys/stat.h>

static void write_files(void)
{
    (void)mkdir("v", 0700);
    (void)mkdir("t", 0700);
    (void)mkdir("v/wheels", 0700);
    written_profile("v/wheels/w.txt", &(written){0});
    written_profile("t/r.txt", &(written){.rail = 1, .y_factor = -1.0, .inclination = 0.05});
    write_file(
        "v/v.json",
        "{ \"kane\": \"vehicle 1\", \"reference_body\": \"set\",\n"
        "  \"profiles\": { \"drawn\": { \"file\": \"wheels/w.txt\", \"unit\": \"mm\", \"lateral\": \"outside\", "
        "\"vertical\": \"up\", \"smoothing\": \"1 um\" },\n"
        "    \"hollow\": { \"arc\": \"0.5 m\", \"conicity\": \"1:20\", \"flange_to_circle\": \"71 mm\" } },\n"
        "  \"wheelsets\": { \"set\": { \"mass\": 12000, \"inertia\": [900, 120, 900], \"radius\": 0.46, \"at\": 0,\n"
        "    \"profile\": \"drawn\" } } }\n");
    write_file("t/t.json",
               "{ \"kane\": \"track 1\", \"gauge_height\": \"12 mm\", \"sections\": [ { \"straight\": 50 } ],\n"
               "  \"profiles\": { \"leaning\": { \"file\": \"r.txt\", \"unit\": \"mm\", \"lateral\": \"inside\", "
               "\"vertical\": \"up\", \"inclined\": true } },\n"
               "  \"rail\": { \"profile\": \"leaning\", \"right\": \"60E1\", \"inclination\": \"1:20\" } }\n");
}

typedef struct stand {
    kane_vehicle *vehicle;
    kane_track *track;
    kane_model *model;
} stand;

static stand build(const char *const *vehicle_settings, const char *const *track_settings)
{
    const kane_vehicle_options how    = {.settings = vehicle_settings};
    const kane_drive_definition drive = kane_drive_definition_default();
    const kane_model_options options  = kane_model_options_default();
    stand s                           = {.vehicle = CHECK_GOOD(kane_vehicle_read, "v/v.json", &how)};
    s.track                           = CHECK_GOOD(kane_track_read, "t/t.json", track_settings);
    s.model = CHECK_GOOD(kane_model_create, kane_vehicle_get_definition(s.vehicle), s.track, &drive, &options);
    return s;
}

static void forget(stand *s)
{
    kane_model_free(s->model);
    kane_track_free(s->track);
    kane_vehicle_free(s->vehicle);
}

CHECK_TEST(profiles_stand_beside_their_files)
{
    write_files();
    stand s                         = build(NULL, NULL);
    const kane_wheels_definition *w = kane_vehicle_get_definition(s.vehicle)->bodies[0].wheels;
    const kane_track_definition *t  = kane_track_get_definition(s.track);
    assert_int_equal(w->profile[0]->shape, KANE_SHAPE_POINTS);
    assert_int_equal(w->profile[0]->count, 65);
    assert_string_equal(w->profile[0]->place.file, "v/wheels/w.txt");
    check_near(w->profile[0]->smoothing, 1e-6, 0.0);
    assert_null(w->profile[1]);
    assert_true(w->radius[0] == 0.46 && w->radius[1] == 0.0);
    assert_int_equal(t->rail[0]->count, 38);
    assert_int_equal(t->rail[0]->inclined, 1);
    assert_int_equal(t->rail[1]->shape, KANE_SHAPE_60E1);
    check_near(t->gauge_height, 0.012, 0.0);

    // the rail by points is the one that is turned: both wheels carry the same
    double load[2];
    assert_int_equal(kane_model_wheel_load(s.model, 0, load), KANE_OK);
    check_relative(load[KANE_LEFT] + load[KANE_RIGHT], 12000.0 * 9.81, 1e-6);
    check_relative(load[KANE_LEFT], load[KANE_RIGHT], 1e-3);
    forget(&s);
}

// What was on the left is on the right: loads, static roll and all.
CHECK_TEST(exchanged_sides_are_a_mirror_image)
{
    static const char *const one[] = {"wheelsets.set.right={ \"profile\": \"hollow\", \"radius\": \"459 mm\" }", NULL};
    static const char *const other[] = {"wheelsets.set.profile=hollow", "wheelsets.set.radius=459 mm",
                                        "wheelsets.set.right={ \"profile\": \"drawn\", \"radius\": \"460 mm\" }", NULL};
    static const char *const left[]  = {"rail.right=60E1", NULL};
    static const char *const right[] = {"rail.profile=60E1", "rail.right=leaning", NULL};
    write_files();
    stand a = build(one, left), b = build(other, right);
    double load[2], mirrored[2];
    assert_int_equal(kane_model_wheel_load(a.model, 0, load), KANE_OK);
    assert_int_equal(kane_model_wheel_load(b.model, 0, mirrored), KANE_OK);
    check_relative(load[KANE_LEFT], mirrored[KANE_RIGHT], 1e-7);
    check_relative(load[KANE_RIGHT], mirrored[KANE_LEFT], 1e-7);
    assert_true(fabs(load[KANE_LEFT] - load[KANE_RIGHT]) > 10.0); // the sides do differ
    check_relative(load[KANE_LEFT] + load[KANE_RIGHT], 12000.0 * 9.81, 1e-6);
    forget(&a);
    forget(&b);
}

CHECK_MAIN(enter_folder, leave_folder)
