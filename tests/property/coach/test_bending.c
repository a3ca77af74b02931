// SPDX-License-Identifier: MIT
// How the flexible body of the Manchester coach bends: it resonates where its own frequency is met, and does the same
// in other axes.

#include "runs.h"
#include "property/coach/coach.h"

#include <unistd.h>

// The model file with some of its own keys; "vehicle.bodies.car.flexible=..." for it to `setting`.
static void write_model(const char *to, const char *modes, size_t size, char *setting)
{
    static const char typed[] = "\"modes\": { \"count\": 10 }";
    char text[8192], folder[512];
    FILE *from = fopen(KANE_SOURCE_DIR "/data/flexible/coach-body.json", "r"), *out = fopen(to, "w");
    assert_non_null(from);
    assert_non_null(out);
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    char *found                                 = strstr(text, typed);
    assert_non_null(found);
    *found = '\0';
    (void)fprintf(out, "%s%s%s", text, modes, found + strlen(typed));
    (void)fclose(from);
    (void)fclose(out);
    assert_non_null(getcwd(folder, sizeof folder));
    (void)snprintf(setting, size, "vehicle.bodies.car.flexible=%s/%s", folder, to);
}

// The same motions of the body, seen from its mean axes and from others: all but the body's own coordinates are alike,
// to second order in its deformation.
static void check_axes(const char *frame)
{
    char mean[640], other[640], keys[128];
    (void)snprintf(keys, sizeof keys, "\"frame\":\"%s\",\"modes\":{\"kind\":\"free+attachment\",\"count\":4}", frame);
    write_model("coach_mean_test.json", "\"modes\":{\"kind\":\"free+attachment\",\"count\":4}", sizeof mean, mean);
    write_model("coach_other_test.json", keys, sizeof other, other);
    const char *const in_mean[]  = {TIGHT, "until.distance=190", mean, NULL};
    const char *const in_other[] = {TIGHT, "until.distance=190", other, NULL};
    coach_check_bodies_alike(LEADING_BOGIE, in_mean, in_other, 0, 1e-6, 1.0);
    (void)remove("coach_mean_test.json");
    (void)remove("coach_other_test.json");
}

CHECK_TEST(axes_on_the_floor_change_nothing)
{
    check_axes("middle floor");
}

CHECK_TEST(principal_axes_change_nothing)
{
    check_axes("principal");
}

// Effective value of the floor's vertical acceleration over the last second of ten, rails of a sine 3.8 m long, a fifth
// of the distance of the bogies.
static double floor_shakes(double speed, const char *variant)
{
    static const char *const channel = "floor middle.acceleration.z";
    char at[64];
    const char *const settings[] = {
        at,
        "start.at=30",
        "until={\"time\":10}",
        "output={\"interval\":0.01}",
        "track.irregularities={\"sines\":[{\"kind\":\"vertical\",\"wavelength\":3.8,\"amplitude\":5e-4}],"
        "\"fade_in\":{\"from\":20,\"length\":20}}",
        variant,
        NULL};
    kane_outcome outcome;
    double sum = 0.0;
    (void)snprintf(at, sizeof at, "start.speed=%g", speed);
    CHECK_OWNED(kane_run) *run = run_read("coach-straight", settings);
    CHECK_OWNED(kane_results) *results =
        CHECK_GOOD(kane_run_to_memory, kane_run_get_definition(run), 1, &channel, &outcome);
    const int column = kane_results_column_count(results) - 1, rows = kane_results_row_count(results);
    for (int k = rows - 100; k < rows; k++)
        sum += pow(kane_results_values(results, column)[k], 2.0);
    return sqrt(sum / 100.0);
}

// The first bending, 8.56 Hz on its bogies, is met at 8.56 Hz times 3.8 m: 32.5 m/s.
CHECK_TEST(it_resonates_where_waves_meet_its_bending)
{
    const double there = floor_shakes(32.5, "variant=flexible");
    assert_true(there > 1.05 * floor_shakes(32.0, "variant=flexible"));
    assert_true(there > 1.05 * floor_shakes(33.0, "variant=flexible"));
    assert_true(there > 8.0 * floor_shakes(32.5, NULL));
}

CHECK_MAIN(NULL, NULL)
