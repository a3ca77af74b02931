// SPDX-License-Identifier: MIT
// Broken roads, tyres, rods, wheels that spin and steering: each gives its whole message, as in test_broken_files.c. A
// row takes the good files below and exchanges one piece of text in one of them.

#include "folder.h"
#include "unit/run/typed.h"

#include "models.h"

#include <sys/stat.h>
#include <unistd.h>

static const char vehicle[] =
    "{ \"kane\": \"vehicle 1\", \"name\": \"trolley\", \"reference_body\": \"frame\",\n"
    "  \"patterns\": { \"wheel\": { \"mass\": 20, \"inertia\": [0.6, 1.2, 0.6], \"rotating\": true },\n"
    "    \"tyre\": { \"law\": \"tyre\", \"file\": \"t.tir\" } },\n"
    "  \"bodies\": { \"frame\": { \"mass\": 900, \"inertia\": [300, 900, 1000], \"at\": [0, 0, 0.5] },\n"
    "    \"front\": { \"like\": \"wheel\", \"at\": [1.2, 0.7, 0.33],\n"
    "      \"joint\": { \"type\": \"revolute\", \"parent\": \"frame\", \"at\": [1.2, 0.7, 0.33], \"axis\": [0, 1, 0] } },\n"
    "    \"right\": { \"like\": \"wheel\", \"at\": [1.2, -0.7, 0.33],\n"
    "      \"joint\": { \"type\": \"revolute\", \"parent\": \"frame\", \"at\": [1.2, -0.7, 0.33], \"axis\": [0, 1, 0] } },\n"
    "    \"rear\": { \"like\": \"wheel\", \"at\": [-1.2, 0, 0.33],\n"
    "      \"joint\": { \"type\": \"revolute\", \"parent\": \"frame\", \"at\": [-1.2, 0, 0.33], \"axis\": [0, 1, 0] } },\n"
    "    \"rack\": { \"mass\": 10, \"inertia\": [0.1, 0.1, 0.1], \"at\": [0.4, 0, 0.5],\n"
    "      \"joint\": { \"type\": \"prismatic\", \"parent\": \"frame\", \"at\": [0.4, 0, 0.5], \"axis\": [0, 1, 0],\n"
    "        \"motion\": { \"travel\": { \"step\": { \"to\": \"5 mm\", \"at\": \"1 s\", \"over\": \"0.5 s\" } } } } },\n"
    "    \"arm\": { \"mass\": 5, \"inertia\": [0.1, 0.1, 0.1], \"at\": [0.6, 0.2, 0.5],\n"
    "      \"joint\": { \"type\": \"revolute\", \"parent\": \"frame\", \"at\": [0.6, 0.3, 0.5], \"axis\": [0, 0, 1] } } },\n"
    "  \"constraints\": { \"link\": { \"type\": \"rod\", \"between\": [\"rack\", \"arm\"], \"at\": [0.4, 0, 0.5], \"to\": [0.6, 0.1, 0.5],\n"
    "    \"mass\": 2 } },\n"
    "  \"elements\": {\n"
    "    \"one\": { \"like\": \"tyre\", \"between\": [\"track\", \"front\"], \"at\": [1.2, 0.7, 0], \"to\": [1.2, 0.7, 0.33] },\n"
    "    \"two\": { \"like\": \"tyre\", \"between\": [\"track\", \"right\"], \"at\": [1.2, -0.7, 0], \"to\": [1.2, -0.7, 0.33], \"side\": \"right\" },\n"
    "    \"three\": { \"like\": \"tyre\", \"between\": [\"track\", \"rear\"], \"at\": [-1.2, 0, 0], \"to\": [-1.2, 0, 0.33] } } }\n";

static const char track[] =
    "{ \"kane\": \"track 1\", \"road\": { \"wheel_tracks\": \"1.4 m\" },\n"
    "  \"sections\": [ { \"straight\": 50 },\n"
    "    { \"transition\": 60, \"shape\": \"bloss\", \"to\": { \"radius\": 600, \"cant\": \"50 mm\" } },\n"
    "    { \"curve\": 300 } ],\n"
    "  \"irregularities\": { \"sines\": [ { \"kind\": \"vertical\", \"amplitude\": \"5 mm\", \"wavelength\": 9 } ],\n"
    "    \"fade_in\": { \"from\": 20, \"length\": 10 } } }\n";

static const char run[] = "{ \"kane\": \"run 1\", \"vehicle\": \"v.json\", \"track\": \"t.json\",\n"
                          "  \"start\": { \"at\": 10, \"speed\": \"54 km/h\" },\n"
                          "  \"until\": { \"distance\": 100 } }\n";

typedef enum document { VEHICLE, TRACK, RUN, TYRE, DOCUMENTS } document;

static const struct {
    document document;
    const char *find, *replace, *message;
} rows[] = {
#include "unit/run/broken_roads.inc"
};

enum { SIZE = 8192 };

static const char *const names[DOCUMENTS] = {"v.json", "t.json", "r.json", "t.tir"};

// The tyre that comes along.
static const char *tyre(void)
{
    static char text[SIZE];
    FILE *f         = fopen(KANE_SOURCE_DIR "/data/tyres/sedan.tir", "r");
    const size_t at = f ? fread(text, 1, sizeof text - 1, f) : 0;
    assert_true(at > 1000 && at < sizeof text - 1);
    (void)fclose(f);
    text[at] = '\0';
    return text;
}

static void write_all(int changed, const char *find, const char *replace)
{
    static char text[SIZE];
    const char *const good[DOCUMENTS] = {vehicle, track, run, tyre()};
    for (int k = 0; k < DOCUMENTS; k++) {
        if (k == changed)
            exchange(good[k], find, replace, sizeof text, text);
        write_file(names[k], k == changed ? text : good[k]);
    }
}

CHECK_TEST(every_broken_file_gives_its_message)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char all[SIZE];
        write_all((int)rows[i].document, rows[i].find, rows[i].replace);
        collect_errors(NULL, 1, sizeof all, all);
        if (strcmp(all, rows[i].message) != 0) {
            print_error("--- row %zu: %s\nexpected: %s\nfound:    %s\n", i, rows[i].replace, rows[i].message, all);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
    assert_true(sizeof rows / sizeof *rows >= 30);
}

CHECK_TEST(the_good_files_are_good)
{
    static char all[SIZE];
    write_all(DOCUMENTS, NULL, NULL);
    collect_errors(NULL, 1, sizeof all, all);
    assert_string_equal(all, "");
}

CHECK_MAIN(enter_folder, leave_folder)
