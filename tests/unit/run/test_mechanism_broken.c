// SPDX-License-Identifier: MIT
// Broken mechanism files and runs of mechanisms: each gives its whole message, with file, line and column, what was
// found, what is allowed, and a hint. A row takes the good files below and exchanges one piece of text in one of them.

#include "folder.h"
#include "unit/run/typed.h"

#include "models.h"

#include <sys/stat.h>
#include <unistd.h>

static const char mechanism[] =
    "{ \"kane\": \"mechanism 1\", \"name\": \"linkage\",\n"
    "  \"bodies\": {\n"
    "    \"crank\": { \"mass\": 1, \"inertia\": [1, 1, 1], \"at\": [0.1, 0, 0],\n"
    "      \"joint\": { \"type\": \"revolute\", \"at\": [0, 0, 0], \"axis\": [0, -1, 0] },\n"
    "      \"start\": { \"angle\": \"60 deg\", \"fixed\": [\"angle\"] } },\n"
    "    \"coupler\": { \"mass\": 1, \"inertia\": [1, 1, 1], \"at\": [0.5, 0, 0],\n"
    "      \"joint\": { \"type\": \"revolute\", \"parent\": \"crank\", \"at\": [0.2, 0, 0], \"axis\": [0, -1, 0] } },\n"
    "    \"rocker\": { \"mass\": 1, \"inertia\": [1, 1, 1], \"at\": [0.95, 0, 0],\n"
    "      \"joint\": { \"type\": \"revolute\", \"from\": \"stand\" }, \"start\": { \"angle\": \"100 deg\" } } },\n"
    "  \"markers\": { \"stand\": { \"at\": [0.7, 0, 0], \"axis\": [0, -1, 0] },\n"
    "    \"tip\": { \"on\": \"rocker\", \"relative_to\": \"stand\", \"at\": [0.5, 0, 0] } },\n"
    "  \"elements\": { \"spring\": { \"law\": \"spring\", \"between\": [\"coupler\", \"ground\"], \"at\": [0.5, 0, 0],\n"
    "      \"to\": [0.5, 0, 1], \"stiffness\": 10, \"free_length\": 1 } },\n"
    "  \"constraints\": {\n"
    "    \"pin\": { \"type\": \"revolute\", \"between\": [\"coupler\", \"rocker\"], \"at\": [0.8, 0, 0], \"to\": [1.2, 0, 0],\n"
    "      \"axis\": [0, -1, 0] } } }\n";

static const char run[] = "{ \"kane\": \"run 1\", \"mechanism\": \"m.json\",\n"
                          "  \"until\": { \"time\": 1 },\n"
                          "  \"drive\": { \"motor\": { \"kind\": \"joint\", \"on\": \"crank\", \"torque\": [2] } },\n"
                          "  \"output\": { \"interval\": \"5 ms\" } }\n";

typedef enum document { MECHANISM, RUN } document;

static const struct {
    document document;
    const char *find, *replace, *message;
} rows[] = {
#include "unit/run/broken_mechanisms.inc"
#include "unit/run/broken_mechanism_frames.inc"
};

CHECK_TEST(every_broken_mechanism_gives_its_message)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char text[2][4096], all[8192];
        const char *const good[2] = {mechanism, run}, *const names[2] = {"m.json", "r.json"};
        for (int k = 0; k < 2; k++) {
            if (rows[i].document == (document)k)
                exchange(good[k], rows[i].find, rows[i].replace, sizeof text[k], text[k]);
            else
                (void)snprintf(text[k], sizeof text[k], "%s", good[k]);
            write_file(names[k], text[k]);
        }
        collect_errors(NULL, 0, sizeof all, all);
        if (strcmp(all, rows[i].message) != 0) {
            print_error("--- row %zu: %s\nexpected: %s\nfound:    %s\n", i, rows[i].replace, rows[i].message, all);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
    assert_true(sizeof rows / sizeof *rows >= 40);
}

CHECK_TEST(the_good_mechanism_is_good)
{
    static char all[8192];
    write_file("m.json", mechanism);
    write_file("r.json", run);
    collect_errors(NULL, 0, sizeof all, all);
    assert_string_equal(all, "");
}

CHECK_MAIN(enter_folder, leave_folder)
