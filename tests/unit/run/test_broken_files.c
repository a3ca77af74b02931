// SPDX-License-Identifier: MIT
// Broken vehicle, track and run files: each gives its whole message, with file, line and column, what was found, what
// is allowed, and a hint. A row takes the good files below and exchanges one piece of text in one of them.

#include "folder.h"
#include "unit/run/typed.h"

#include "models.h"

#include <sys/stat.h>
#include <unistd.h>

static const char vehicle[] =
    "{ \"kane\": \"vehicle 1\", \"name\": \"cart\", \"reference_body\": \"body\",\n"
    "  \"patterns\": { \"axle\": { \"mass\": 1250, \"inertia\": [800, 100, 800], \"radius\": 0.46 } },\n"
    "  \"bodies\": { \"body\": { \"mass\": \"34 t\", \"inertia\": [5e4, 4.5e5, 4.5e5], \"at\": [0, 0, 1.6] } },\n"
    "  \"wheelsets\": { \"leading\": { \"like\": \"axle\", \"at\": 4.5 },\n"
    "    \"trailing\": { \"like\": \"axle\", \"at\": -4.5 } },\n"
    "  \"elements\": {\n"
    "    \"front\": { \"law\": \"bushing\", \"between\": [\"body\", \"leading\"], \"at\": [4.5, 1, 0.46], \"mirror\": true,\n"
    "      \"stiffness\": [3e6, 1.5e6, 1.2e6], \"damping\": [2e4, 2e4, 2e4] },\n"
    "    \"rear\": { \"law\": \"bushing\", \"between\": [\"body\", \"trailing\"], \"at\": [-4.5, 1, 0.46], \"mirror\": true,\n"
    "      \"stiffness\": [3e6, 1.5e6, 1.2e6] } },\n"
    "  \"variants\": { \"here\": [\"gravity = 9.81\"], \"there\": [] } }\n";

static const char track[] =
    "{ \"kane\": \"track 1\", \"rail\": { \"profile\": \"60E1\" },\n"
    "  \"sections\": [ { \"straight\": 50 },\n"
    "    { \"transition\": 60, \"shape\": \"bloss\", \"to\": { \"radius\": 600, \"cant\": \"100 mm\" } },\n"
    "    { \"curve\": 300 } ] }\n";

static const char run[] =
    "{ \"kane\": \"run 1\", \"vehicle\": \"v.json\", \"track\": \"t.json\",\n"
    "  \"start\": { \"at\": 10, \"speed\": \"54 km/h\" },\n"
    "  \"speed\": [ { \"acceleration\": 0.5 } ],\n"
    "  \"until\": { \"distance\": 100 }, \"omit\": [],\n"
    "  \"output\": { \"interval\": \"5 ms\", \"channels\": [\"body.*\"] }, \"variant\": \"here\" }\n";

typedef enum document { VEHICLE, TRACK, RUN } document;

static const struct {
    document document;
    const char *find, *replace, *message;
} rows[] = {
#include "unit/run/broken_files.inc"
#include "unit/run/broken_vehicle_frames.inc"
};

CHECK_TEST(every_broken_file_gives_its_message)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char text[3][4096], all[8192];
        const char *const good[3] = {vehicle, track, run}, *const names[3] = {"v.json", "t.json", "r.json"};
        for (int k = 0; k < 3; k++) {
            if (rows[i].document == (document)k)
                exchange(good[k], rows[i].find, rows[i].replace, sizeof text[k], text[k]);
            else
                (void)snprintf(text[k], sizeof text[k], "%s", good[k]);
            write_file(names[k], text[k]);
        }
        collect_errors(NULL, 1, sizeof all, all);
        if (strcmp(all, rows[i].message) != 0) {
            print_error("--- row %zu: %s\nexpected: %s\nfound:    %s\n", i, rows[i].replace, rows[i].message, all);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
    assert_true(sizeof rows / sizeof *rows >= 40);
}

CHECK_TEST(the_good_files_are_good)
{
    static char all[8192];
    write_file("v.json", vehicle);
    write_file("t.json", track);
    write_file("r.json", run);
    collect_errors(NULL, 1, sizeof all, all);
    assert_string_equal(all, "");
}

// Everything else has a default, also words that look like numbers: 60E1.
CHECK_TEST(a_track_may_consist_of_one_section)
{
    write_file("t.json", "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 50 } ] }");
    CHECK_OWNED(kane_track) *t = CHECK_GOOD(kane_track_read, "t.json", NULL);
    assert_int_equal(kane_track_get_definition(t)->rail[0]->shape, KANE_SHAPE_60E1);
    check_near(kane_track_get_definition(t)->inclination, 1.0 / 40.0, 0.0);
}

CHECK_MAIN(enter_folder, leave_folder)
