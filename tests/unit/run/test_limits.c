// SPDX-License-Identifier: MIT
// Speeds from limits along the line: the fastest that keeps limits and accelerations, found by a march of the test's
// own in small steps; from lists and from files; limits that are wrong.

#include "errors.h"
#include "folder.h"

#include <kane/kane.h>

#include <unistd.h>

#define VEHICLE KANE_SOURCE_DIR "/vehicles/two-axle-wagon.json"

static kane_run *read_run(double at, double speed, const char *limits, kane_errors *errors)
{
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "{ \"kane\": \"run 1\", \"vehicle\": \"" VEHICLE "\", \"track\": \"t.json\",\n"
                   "\"start\": { \"at\": %g, \"speed\": %.17g }, \"until\": { \"distance\": 1000 },\n"
                   "\"speed_limits\": %s }",
                   at, speed, limits);
    write_file("r.json", text);
    write_file("t.json", "{ \"kane\": \"track 1\", \"start\": 100, \"sections\": [ { \"straight\": 2000 } ] }");
    return kane_run_read("r.json", NULL, errors);
}

// v^2/2 of the pieces at a distance from the start.
static double energy_at(const kane_drive_definition *d, double way)
{
    double v = d->speed, s = 0.0;
    for (int i = 0; i < d->piece_count; i++) {
        const double a   = d->pieces[i].acceleration;
        const double dt  = i + 1 < d->piece_count ? d->pieces[i + 1].time - d->pieces[i].time : HUGE_VAL;
        const double far = isfinite(dt) ? v * dt + 0.5 * a * dt * dt : HUGE_VAL;
        if (way <= s + far)
            return 0.5 * v * v + a * (way - s);
        s += far;
        v += a * dt;
    }
    return 0.5 * v * v;
}

enum { COUNT = 5, STEPS = 200000 };

static const double step = 0.01;

static void check_march(const kane_drive_definition *d, double start, const double *at, const double *limit,
                        double gain, double loss)
{
    static double most[STEPS + 1];
    for (int i = 0; i <= STEPS; i++) { // limits; at a border both hold
        const double s = start + i * step;
        most[i]        = HUGE_VAL;
        for (int k = 0; k < COUNT; k++)
            if (s >= at[k] - 1e-9 && (k + 1 == COUNT || s <= at[k + 1] + 1e-9))
                most[i] = fmin(most[i], 0.5 * limit[k] * limit[k]);
    }
    most[0] = 0.5 * d->speed * d->speed;
    for (int i = 1; i <= STEPS; i++)
        most[i] = fmin(most[i], most[i - 1] + gain * step);
    for (int i = STEPS - 1; i > 0; i--)
        most[i] = fmin(most[i], most[i + 1] + loss * step);
    for (int i = 0; i <= STEPS; i++)
        check_near(energy_at(d, i * step), most[i], 2.0 * (gain + loss) * step);
}

CHECK_TEST(fastest_within_limits)
{
    // up, down, a stretch too short to come up, and one that starts in the middle
    const double at[COUNT] = {100.0, 300.0, 700.0, 760.0, 1200.0}, limit[COUNT] = {20.0, 35.0, 15.0, 30.0, 5.0};
    CHECK_ERRORS errors = {0};
    CHECK_OWNED(kane_run) *run =
        read_run(150.0, 12.0,
                 "{ \"at\": [100, 300, 700, 760, 1200], \"speed\": [20, \"126 km/h\", 15, 30, 5], "
                 "\"acceleration\": 0.6, \"braking\": 0.9 }",
                 &errors);
    check_no_errors(&errors);
    const kane_drive_definition *d = &kane_run_get_definition(run)->drive;
    check_march(d, 150.0, at, limit, 0.6, 0.9);
    for (int i = 0; i < d->piece_count; i++) {
        const double a = d->pieces[i].acceleration;
        assert_true(fabs(a) < 1e-9 || fabs(a - 0.6) < 1e-9 || fabs(a + 0.9) < 1e-9);
    }
}

CHECK_TEST(file_says_the_same_as_lists)
{
    CHECK_ERRORS errors = {0};
    CHECK_OWNED(kane_run) *list =
        read_run(100.0, 15.0, "{ \"at\": [0, 400, 800], \"speed\": [\"54 km/h\", \"90 km/h\", 0] }", &errors);
    write_file("v.csv", "km,v\n0,54\n0.4,90\n0.8,0\n");
    CHECK_OWNED(kane_run) *file =
        read_run(100.0, 15.0,
                 "{ \"file\": \"v.csv\", \"chainage_column\": \"km [km]\", \"speed_column\": \"v [km/h]\" }", &errors);
    check_no_errors(&errors);
    const kane_drive_definition *a = &kane_run_get_definition(list)->drive, *b = &kane_run_get_definition(file)->drive;
    assert_int_equal(a->piece_count, b->piece_count);
    for (int i = 0; i < a->piece_count; i++) {
        check_near(a->pieces[i].time, b->pieces[i].time, 1e-9);
        check_near(a->pieces[i].acceleration, b->pieces[i].acceleration, 1e-9);
    }
    check_near(energy_at(a, 700.0), 0.0, 1e-9); // it stops at 800 m
    assert_string_equal(kane_run_get_definition(file)->speed_file, "v.csv");
}

static const struct {
    double speed;
    const char *limits, *file, *message;
} broken[] = {
    {10, "{ }", NULL, "r.json:3:17: speed_limits: has no limits, needs at least one"},
    {10, "{ \"at\": [0, 1], \"speed\": [1] }", NULL,
     "r.json:3:17: speed_limits: has 2 places and 1 speeds; needs as many of both"},
    {10, "{ \"at\": [0, 0], \"speed\": [10, 10] }", NULL,
     "r.json:3:29: speed_limits.at[1]: 0 is not after 0: places must grow"},
    {10, "{ \"at\": [120], \"speed\": [10] }", NULL,
     "r.json:3:26: speed_limits.at[0]: the first limit begins at 120 m, must begin at the start, 100 m, or before it"},
    {10, "{ \"at\": [0, 300], \"speed\": [9, 20] }", NULL,
     "r.json:2:32: start.speed: 10 m/s is more than the limits and the way to brake allow here, 9 m/s"},
    {20, "{ \"at\": [0, 200], \"speed\": [30, 10], \"braking\": 1 }", NULL,
     "r.json:2:32: start.speed: 20 m/s is more than the limits and the way to brake allow here, 17.3205 m/s"},
    {10, "{ \"at\": [0, 300, 400], \"speed\": [10, 0, 20] }", NULL,
     "r.json:3:54: speed_limits.speed[1]: the vehicle stops there, and the run ends: what is behind is never reached"},
    {10, "{ \"file\": \"v.csv\", \"chainage_column\": \"km [km]\", \"speed_column\": \"v [km/h]\" }",
     "km v\n0 50\n0.3 fast\n", "v.csv:3:5: 'fast' is not a number"},
    {10, "{ \"file\": \"v.csv\", \"chainage_column\": \"km [km]\", \"speed_column\": \"v [m/s]\" }",
     "km v\n0 50\n0.3 500\n",
     "v.csv:3:5: a limit of 500 m/s is out of range, must be from 0 to 300 m/s; is it in another unit?"},
    {10, "{ \"file\": \"v.csv\", \"speed_column\": \"v [m/s]\" }", "km v\n0 50\n0.3 500\n",
     "r.json:3:27: speed_limits.file: a file needs a \"chainage_column\", \"NAME [km]\""},
};

CHECK_TEST(every_wrong_limit_gives_its_message)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        static char all[8192];
        CHECK_ERRORS errors = {0};
        if (broken[i].file)
            write_file("v.csv", broken[i].file);
        CHECK_OWNED(kane_run) *run = read_run(100.0, broken[i].speed, broken[i].limits, &errors);
        errors_text(&errors, sizeof all, all);
        if (run || strcmp(all, broken[i].message) != 0) {
            print_error("--- row %zu\nexpected: %s\nfound:    %s\n", i, broken[i].message, all);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

CHECK_MAIN(enter_folder, leave_folder)
